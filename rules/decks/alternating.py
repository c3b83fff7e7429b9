"""Which deck a table deals from, and whether it is shuffled: one deck, or two in turn with backs of different colours.

While one deck is in play the device may hold another, and shuffles it (CSP 3.2, TCP 3.2, FCP 3.2). Casino War has its
six decks in shoe or device and no others. Knows a deck's life (``lives``), not its order (``shoes``).
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from types import MappingProxyType
from typing import Final, Literal

from rules.decks.books import BOOKS, CardBook
from rules.decks.lives import Deck, DeckRefused, Moment, change, put_in
from rules.rounds import Device

Occasion = Literal[
    "start_of_play",
    "round_completed",
    "table_vacant",
    "cutting_card_first",
    "cutting_card_came",
    "directed",
    "cards_replaced",
]
"""Why cards have to be shuffled (CSP 4.1.1 to 4.1.3, 3.7; WAR 4.1.1 to 4.1.4, 4.3.5)."""


@dataclass(frozen=True, slots=True)
class TableDecks:
    """The decks on a table: the one in play, and the one in its shuffling device, if there is one."""

    book: str
    table: str
    device: Device
    in_play: Deck
    in_device: Deck | None = None
    shuffled: bool = False
    """Whether the cards in play are randomly intermixed, and no round has been dealt from them since."""
    why: Occasion = "start_of_play"
    """Why they have to be shuffled, while they are not."""

    def __post_init__(self) -> None:
        """Refuse decks that the table cannot be played with; raises ``DeckRefused``."""
        for deck in (self.in_play, self.in_device):
            if deck is not None and deck.book != self.book:
                rule = self.cards.rule("cards")
                raise DeckRefused(deck.id, rule, f"the cards of {deck.book}, not of {self.book}")
            if deck is not None and deck.state != "in":
                reason = "cards are checked and brought to the table before they are used"
                raise DeckRefused(deck.id, self.cards.rule("checked"), reason)
        if self.in_device is not None:
            self._check_second(self.in_device)

    @property
    def cards(self) -> CardBook:
        """What the book says of its cards."""
        return BOOKS[self.book]

    @property
    def due(self) -> str:
        """The rule by which the cards have to be shuffled before a round is dealt; empty where they are."""
        return "" if self.shuffled else f"{self.book} {_shuffles(self.book)[self.why]}"

    def intermixed(self) -> "TableDecks":
        """The table once the cards in play were shuffled (CSP 4.1, TCP 4.1, FCP 4.1, WAR 4.1)."""
        return replace(self, shuffled=True)

    def to_shuffle(self, why: Occasion) -> "TableDecks":
        """The table whose cards have to be shuffled for one of its book's reasons; raises ``DeckRefused`` for none.

        As when it was vacant (CSP 4.1.3, TCP 4.1.3, FCP 4.1.3), or a casino supervisor directs it (WAR 4.1.4).
        """
        if why not in _shuffles(self.book):
            known = ", ".join(_shuffles(self.book))
            raise DeckRefused(self.in_play.id, self.cards.rule("shuffled"), f"{why}: not one of {known}")
        return replace(self, shuffled=False, why=why)

    def check_dealt(self) -> None:
        """Refuse to deal a round of cards that have to be shuffled first; raises ``DeckRefused`` with the rule.

        >>> from rules.decks.lives import check, deliver
        >>> from rules.decks.checks import Found
        >>> from rules.cards import CARD_TEXTS
        >>> at, cards = datetime(2026, 11, 28, 6), [Found(face, "red") for face in CARD_TEXTS]
        >>> deck = put_in(check(deliver("D1", "CSP", "red", at, "store"), cards, "dealer", at, "Ho"), "T4", at, "Ho")
        >>> TableDecks("CSP", "T4", "shoe", deck).check_dealt()
        Traceback (most recent call last):
        rules.decks.lives.DeckRefused: CSP 4.1.1: D1: the cards are to be shuffled: start of play
        """
        if self.due:
            raise DeckRefused(self.in_play.id, self.due, f"the cards are to be shuffled: {self.why.replace('_', ' ')}")

    def _check_second(self, second: Deck) -> None:
        """Refuse a second deck that may not lie in the device beside the first (CSP 3.2, TCP 3.2, FCP 3.2)."""
        book = self.cards
        rule = book.rule("spare")
        if not rule:
            raise DeckRefused(
                second.id, book.rule("cards"), f"the game is played with {book.decks} decks and no others"
            )
        if self.device == "shoe":
            raise DeckRefused(second.id, rule, "only a shuffling device holds a second deck")
        if second.id == self.in_play.id:
            raise DeckRefused(second.id, rule, "that deck is in play")
        if second.back == self.in_play.back:  # CSP 3.2.2, TCP 3.2.2, FCP 3.2.2
            raise DeckRefused(second.id, book.rule("backs"), f"both decks have {second.back} backs")

    def next_round(self) -> "TableDecks":
        """The decks after a round of play: of two, the one the device shuffled meanwhile is in play (3.2.1).

        With one deck at poker it has to be shuffled (CSP 4.1.2, TCP 4.1.2, FCP 4.1.2); at Casino War only where the
        cutting card came (WAR 4.1.3), which ``to_shuffle`` says.
        """
        if self.in_device is not None:  # CSP 3.2.1, TCP 3.2.1, FCP 3.2.1
            return replace(self, in_play=self.in_device, in_device=self.in_play, shuffled=True)
        if "round_completed" in _shuffles(self.book):  # CSP 4.1.2, TCP 4.1.2, FCP 4.1.2
            return self.to_shuffle("round_completed")
        return self

    def changed(self, new: Deck, moment: Moment, why: str, at: datetime, supervisor: str) -> tuple["TableDecks", Deck]:
        """The table with another deck in play, and the one that left it (CSP 3.7, TCP 3.7, FCP 3.7, WAR 3.5).

        Always with one that was checked; it is shuffled and cut before it is dealt from. Raises ``DeckRefused``.
        """
        old = change(self.in_play, replace(moment, device=self.device), why, at, supervisor)
        put = put_in(new, self.table, at, supervisor)
        return replace(self, in_play=put, shuffled=False, why="cards_replaced"), old


def _shuffles(book: str) -> Mapping[Occasion, str]:
    """When the cards of a book are shuffled, with its clause."""
    return _WAR_SHUFFLES if book == "WAR" else _POKER_SHUFFLES


_POKER_SHUFFLES: Final[Mapping[Occasion, str]] = MappingProxyType(
    {
        "start_of_play": "4.1.1",  # CSP 4.1.1, TCP 4.1.1, FCP 4.1.1
        "round_completed": "4.1.2",  # CSP 4.1.2, TCP 4.1.2, FCP 4.1.2
        "table_vacant": "4.1.3",  # CSP 4.1.3, TCP 4.1.3, FCP 4.1.3
        "cards_replaced": "3.7",
    }
)
_WAR_SHUFFLES: Final[Mapping[Occasion, str]] = MappingProxyType(
    {
        "start_of_play": "4.1.1",
        "cutting_card_first": "4.1.2",
        "cutting_card_came": "4.1.3",
        "directed": "4.1.4",
        "cards_replaced": "4.3.5",
    }
)
