"""Which deck a table deals from: one, or two in turn with backs of different colours where a device is in use.

While one deck is in play the device may hold another, and shuffles it (CSP 3.2, TCP 3.2, FCP 3.2). Casino War has its
six decks in shoe or device and no others. Knows a deck's life (``lives``), not its order.
"""

from dataclasses import dataclass, replace
from datetime import datetime

from rules.decks.books import BOOKS
from rules.decks.lives import Deck, DeckRefused, Moment, change, put_in
from rules.rounds import Device


@dataclass(frozen=True, slots=True)
class TableDecks:
    """The decks on a table: the one in play, and the one in its shuffling device, if there is one."""

    book: str
    table: str
    device: Device
    in_play: Deck
    in_device: Deck | None = None

    def __post_init__(self) -> None:
        """Refuse decks that the table cannot be played with; raises ``DeckRefused``."""
        for deck in (self.in_play, self.in_device):
            if deck is not None and deck.book != self.book:
                rule = BOOKS[self.book].rule("cards")
                raise DeckRefused(deck.id, rule, f"the cards of {deck.book}, not of {self.book}")
            if deck is not None and deck.state != "in":
                reason = "cards are checked and brought to the table before they are used"
                raise DeckRefused(deck.id, BOOKS[self.book].rule("checked"), reason)
        if self.in_device is not None:
            self._check_second(self.in_device)

    def _check_second(self, second: Deck) -> None:
        """Refuse a second deck that may not lie in the device beside the first (CSP 3.2, TCP 3.2, FCP 3.2)."""
        book = BOOKS[self.book]
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
        """The decks of the next round: of two, the one shuffled meanwhile (CSP 3.2.1, TCP 3.2.1, FCP 3.2.1)."""
        if self.in_device is None:
            return self
        return replace(self, in_play=self.in_device, in_device=self.in_play)

    def changed(self, new: Deck, moment: Moment, why: str, at: datetime, supervisor: str) -> tuple["TableDecks", Deck]:
        """The table with another deck in play, and the one that left it (CSP 3.7, TCP 3.7, FCP 3.7, WAR 3.5).

        Always with one that was checked; it is shuffled and cut before it is dealt from. Raises ``DeckRefused``.
        """
        old = change(self.in_play, replace(moment, device=self.device), why, at, supervisor)
        return replace(self, in_play=put_in(new, self.table, at, supervisor)), old
