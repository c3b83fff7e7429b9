"""What people and devices say at a hosted table they drive themselves: a move of the round, an act around it, a moment.

Each is kept in the table's spool, and taken again from there after a restart. Decides nothing.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Final

from rules.play import Move
from rules.wagers import Tender

LONGEST_NAME: Final = 80
"""Characters of a name or a word: what a record's directions carry."""
LONGEST_TEXT: Final = 400
"""Characters of a reason or a decision."""
MOST_WORDS: Final = 64
"""How many words, areas or cards one thing that is said has."""
LARGEST: Final = 2**63 - 1
"""What a spool can hold of a number."""
_TEXTS: Final = frozenset({"reason", "claim", "text"})


class NotUnderstood(ValueError):
    """A line that says nothing a table could do: the field, its value cut short, and the reason."""

    def __init__(self, field: str, value: str, reason: str) -> None:
        self.field = field
        self.value = readable(value)[:40]
        self.reason = reason
        super().__init__(": ".join(part for part in (field, self.value, reason) if part))


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """A move of the round, and whose word or hand it is by."""

    name: str
    seat: int | None = None
    area: str | None = None
    cents: int | None = None
    cards: tuple[int, ...] | None = None
    tender: Tender = "chips"
    person: str = ""
    """Who directed it; of a wager who puts it on the layout, where that is not its player."""
    reason: str = ""
    player: str = ""
    """Whose wager it is, where that is not the player of the area."""
    claim: str = ""
    stake_of: str = ""
    issued_at: str = ""
    """The table whose colour checks a wager is placed with, where it is not this one."""
    only_helped: bool = False

    @property
    def move(self) -> Move:
        """The move for the game's machine."""
        return Move(self.name, self.seat, self.area, self.cents, self.cards, self.tender)


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """Something done around the round: what it takes of these fields, ``PARTS`` says of each."""

    name: str
    player: str = ""
    label: str = ""
    """What a dispute is called; of an earlier round its number."""
    areas: tuple[int, ...] = ()
    words: tuple[str, ...] = ()
    cents: int | None = None
    sign: Mapping[str, int | None] = field(default_factory=dict)
    """Amounts that change on a sign, in cents, each by its field without ``_cents``; none: the sign states it not."""
    text: str = ""
    person: str = ""
    reason: str = ""
    minutes: int | None = None
    """How far ahead a proposed time is; 20 where it is not said."""


@dataclass(frozen=True, slots=True)
class Tick:
    """Time has passed, and something was due."""


@dataclass(frozen=True, slots=True)
class Undo:
    """The last move of the round was entered wrongly: the table as it was before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line as people type it, from a device that types for them."""

    text: str


Said = Made | Act | Tick | Undo
"""What a table takes."""


def check(given: Said) -> None:
    """Refuse what a spool, a record or a screen could not hold; raises ``NotUnderstood`` naming the field."""
    for name, value in _values(given):
        if isinstance(value, str):
            most = LONGEST_TEXT if name in _TEXTS else LONGEST_NAME
            if len(value) > most:
                raise NotUnderstood(name, value, f"longer than {most} characters")
            if not value.isprintable():
                raise NotUnderstood(name, value, "a character that cannot be shown")
        elif isinstance(value, int) and not -LARGEST <= value <= LARGEST:
            raise NotUnderstood(name, str(value)[:40], "no number that a table knows")


def _values(given: Said) -> Iterator[tuple[str, Any]]:
    """Every word and number of what is said, by its field."""
    for each in fields(given):
        value = getattr(given, each.name)
        if isinstance(value, tuple | Mapping) and len(value) > MOST_WORDS:
            raise NotUnderstood(each.name, str(len(value)), f"more than {MOST_WORDS}")
        if isinstance(value, Mapping):
            yield from ((each.name, part) for pair in value.items() for part in pair)
        elif isinstance(value, tuple):
            yield from ((each.name, part) for part in value)
        else:
            yield each.name, value


def readable(text: str) -> str:
    """A text with everything that a screen could not show replaced.

    >>> readable("a" + chr(27) + "[2J")
    'a?[2J'
    """
    return "".join(each if each.isprintable() else "?" for each in text)
