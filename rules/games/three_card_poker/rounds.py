"""What a round of Three Card Poker is: its seats, what was wagered and decided there, and the cards that were seen."""

from dataclasses import dataclass
from typing import ClassVar

from rules.games import ante_play
from rules.games.three_card_poker.book import BOOK


@dataclass(frozen=True, slots=True)
class Round(ante_play.Round):
    """One round of Three Card Poker as captured.

    Always possible: raises ``RoundError`` for a repeated seat, one without a wager, an amount that is none, a hand
    that is not three cards, a card seen twice, or a direction about nobody.
    """

    BOOK: ClassVar[ante_play.Book] = BOOK
