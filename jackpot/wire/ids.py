"""How a message, a hit and an office act are named: by the domain, never by a random number (PROTOCOL 1)."""

from typing import Final, NamedTuple

VOID_OF_TWO: Final = 3
"""The revision of a void by two people at the server of a round that its table still plays: they and the table may say
a void at the same moment, and the table's first word and its second (of the hands) are ids of its own."""
VOID_AGAIN: Final = 4
"""The revision of a void that those post who open a link again whose ledger went back: what the seat's table may still
send of it, in the words of the two before, has an id of its own. It has taken the seat out itself, and is told nothing.
"""
NO_SEAT: Final = 0
"""In the place of a seat: a void of it takes nobody out, and tells of hands alone."""


class IdError(ValueError):
    """A text that is no id; the message names the text and the form wanted."""


class HitKey(NamedTuple):
    """The key of a hit: the table, its journal, the round, the seat and the pool (`house` for a bonus of the house).

    >>> str(HitKey("T1", 1, 17, 3, "main"))
    'T1/1/17/3/main'
    """

    table: str
    journal: int
    round: int
    seat: int
    pool: str

    def __str__(self) -> str:
        """Return the text form, as on slips and boards."""
        return f"{self.table}/{self.journal}/{self.round}/{self.seat}/{self.pool}"


def parse_hit(text: str) -> HitKey:
    """Read the text form of a hit's key; raises IdError naming the text.

    >>> parse_hit("T1/1/17/3/main").seat
    3
    """
    parts = text.split("/")
    if len(parts) != len(HitKey._fields) or not all(part.isascii() and part.isdigit() for part in parts[1:4]):
        message = f"hit {text[:40]!r}: wanted table/journal/round/seat/pool, as in T1/1/17/3/main"
        raise IdError(message)
    return HitKey(parts[0], int(parts[1]), int(parts[2]), int(parts[3]), parts[4])


def round_id(table: str, journal: int, month: str, round_no: int) -> str:
    """Return the part that all ids of a round begin with.

    >>> round_id("T1", 1, "2026-11", 17)
    'T1/1/2026-11/17'
    """
    return f"{table}/{journal}/{month}/{round_no}"


def message_id(table: str, journal: int, month: str, round_no: int, kind: str, revision: int) -> str:
    """Return the id of a message: `table/journal/month/round/kind/revision`.

    >>> message_id("T1", 1, "2026-11", 17, "record", 2)
    'T1/1/2026-11/17/record/2'
    """
    return f"{table}/{journal}/{month}/{round_no}/{kind}/{revision}"


def void_kind(seats: tuple[int, ...]) -> str:
    """Return the kind in a void's id: of the whole round, or with its seats named.

    >>> void_kind(()), void_kind((5, 3)), void_kind((NO_SEAT,))
    ('void', 'void.3.5', 'void.0')
    """
    return ".".join(["void", *map(str, sorted(seats))])
