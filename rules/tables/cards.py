"""What a player's card says, and what that means for a wager, book by book: 5.1 and 16.1 of Caribbean Stud and its kin.

Where cards are looked up is an edge's affair (``CardStatus``). Four Card Poker and Casino War do not print the rules on
Player Cards; whether they hold there is the table's ruling ``carded_play``.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, Protocol

from rules.settings import SharedSettings
from rules.tables.books import CARDS_FROM_US, PROVISIONS

Answer = Literal["valid", "not_own", "suspended", "excluded", "limit_reached", "unknown"]
"""What is known of a card: valid and the player's own; another person's; suspended; its holder excluded from the
casino; a Loss Limit reached; or no such card, or none shown."""

_PLAIN_WORDS: Final = SharedSettings()
_RULING: Final = "carded_play"


class CardStatus(Protocol):
    """Where a table asks about a player's card."""

    def of(self, player: str, at_us: int) -> Answer:
        """What is known of a player's card at a moment."""


@dataclass(frozen=True, slots=True)
class KnownCards:
    """Cards as they were last told to the table; one it was told nothing of is unknown."""

    told: Mapping[str, Answer]

    def of(self, player: str, at_us: int) -> Answer:  # noqa: ARG002 - the form of the port
        """What the table was told of a player's card."""
        return self.told.get(player, "unknown")


@dataclass(frozen=True, slots=True)
class Meaning:
    """What an answer means for a wager of that player."""

    wager: Literal["accepted", "may_be_refused", "refused"]
    """``may_be_refused``: a casino supervisor may, on reasonable grounds; ``refused``: it is invalid, and goes back."""
    rule: str = ""
    reason: str = ""


ACCEPTED: Final = Meaning("accepted")

_NO_CARD: Final[Mapping[Answer, str]] = {
    "suspended": "the Player Card is suspended",
    "unknown": "no valid Player Card was shown",
}


def meaning(book: str, answer: Answer, at_us: int, settings: SharedSettings = _PLAIN_WORDS) -> Meaning:
    """What an answer about a player's card means for a wager at a table of a book.

    >>> meaning("CSP", "not_own", 1_800_000_000_000_000)
    Meaning(wager='refused', rule='CSP 16.1', reason='the Player Card was issued to another person')
    >>> meaning("WAR", "not_own", 1_800_000_000_000_000)
    Meaning(wager='accepted', rule='', reason='')
    """
    row, everywhere = PROVISIONS[book], settings.carded_play == "all_games"
    if answer == "excluded":
        # CSP 16.4.3, TCP 14.4.3, FCP 14.3.3, WAR 13.3.3, SIC 9.8.3: whoever is excluded plays at no table.
        return Meaning("refused", f"{row.device_measures}.3", "the player is excluded from the casino")
    if answer == "limit_reached":
        return _limit_reached(book, everywhere=everywhere)
    # CSP 5.1, TCP 5.1, SIC 3.1: the card is valid at the commencement of play.
    card = row.card or (_RULING if everywhere else None)
    if card is None or at_us < CARDS_FROM_US:
        return ACCEPTED
    if answer == "valid":
        return ACCEPTED
    if answer == "not_own":
        # CSP 16.1, TCP 14.1, SIC 9.1: only the player's own card.
        return Meaning("refused", row.own_card or _RULING, "the Player Card was issued to another person")
    return Meaning("refused", card, _NO_CARD[answer])


def _limit_reached(book: str, *, everywhere: bool) -> Meaning:
    """A reached Loss Limit: Sic Bo's rule 9.3 alone forbids the wager; elsewhere a supervisor may refuse it."""
    row = PROVISIONS[book]
    reason = "the player's Loss Limit is reached"
    if row.loss_limit is not None or everywhere:
        # SIC 9.3
        return Meaning("refused", row.loss_limit or _RULING, reason)
    return ACCEPTED if row.refuse is None else Meaning("may_be_refused", row.refuse, reason)
