"""The round of Caribbean Stud that was played on a felt, in the form a link knows."""

from rules.games.caribbean_stud.book import EDITION, GAME
from rules.games.caribbean_stud.felt import Felt
from rules.rounds import Round


def played(felt: Felt) -> Round:
    """The round that was played on a felt."""
    return Round(GAME, EDITION, felt.device, felt.dealer, felt.seats)
