"""What each book has of its cards and of what they are dealt from: data rows, each with its clauses.

The three poker games play with one deck, Casino War with six as one. Sic Bo has no cards.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

from rules.cards import DECK

Clause = Literal[
    "equipment", "cards", "spare", "backs", "checked", "secured", "dealt_from", "changed", "counted", "shuffled",
    "cut", "cutter", "uncut", "hand_shuffled", "wrong_card", "further_check",
]  # fmt: skip
"""What a clause is about: the shoe or device; how many decks; a second one in the device and its backs; checked before
use; locked away; dealt from; changed; counted at any time; shuffled; cut, by whom, or not; shuffled by hand before the
device; a missing or foreign card, and the check for more of them."""


@dataclass(frozen=True, slots=True)
class CardBook:
    """What one book says of its cards."""

    book: str
    decks: int
    """Decks of 52 that are played with as one (3.1)."""
    device_decks: int
    """Decks of 52 that its shuffling device is capable of holding (CSP 2.4.1, TCP 2.3.1, FCP 2.3.1)."""
    clauses: Mapping[Clause, str]

    def rule(self, clause: Clause) -> str:
        """The rule of this book, as it is cited; empty where the book has none.

        >>> BOOKS["WAR"].rule("checked"), BOOKS["WAR"].rule("backs")
        ('WAR 3.3', '')
        """
        number = self.clauses.get(clause)
        return f"{self.book} {number}" if number else ""

    @property
    def size(self) -> int:
        """How many cards there are (3.1)."""
        return self.decks * len(DECK)


def _poker(book: str, equipment: str, wrong_card: str) -> CardBook:
    """The row of one of the three poker games, whose rules 3 and 4 are the same."""
    numbers: dict[Clause, str] = {
        "equipment": equipment,
        "cards": "3.1",
        "spare": "3.2.1",
        "backs": "3.2.2",
        "checked": "3.4",
        "secured": "3.5",
        "dealt_from": "3.6",
        "changed": "3.7",
        "counted": "3.8",
        "shuffled": "4.1",
        "cut": "4.2",
        "cutter": "4.3",
        "uncut": "4.4",
        "hand_shuffled": "4.5",
        "wrong_card": wrong_card,
        "further_check": f"{wrong_card}.3",
    }
    return CardBook(book, 1, 2, MappingProxyType(numbers))


_WAR: Final[Mapping[Clause, str]] = MappingProxyType(
    {
        "equipment": "2.4.1",
        "cards": "3.1",
        "checked": "3.3",
        "secured": "3.4",
        "dealt_from": "3.6",
        "changed": "3.5",
        "counted": "3.8",
        "shuffled": "4.1",
        "cut": "4.5",
        "cutter": "4.3",
        "uncut": "4.7",
        "hand_shuffled": "4.8",
        "wrong_card": "11.17",
        "further_check": "11.17.3",
    }
)

BOOKS: Final[Mapping[str, CardBook]] = MappingProxyType(
    {
        row.book: row
        for row in (
            _poker("CSP", "2.4.1", "14.9"),
            _poker("TCP", "2.3.1", "12.9"),
            _poker("FCP", "2.3.1", "12.10"),
            CardBook("WAR", 6, 6, _WAR),
        )
    }
)
"""The four books that have cards."""
