"""A file of recorded rounds as what happens at a hosted table: line after line, each line's round by its number.

A line that cannot be read, settled or played is refused whole and the rest goes on, as `python -m rules settle` does;
what is in play then is as the last round that was played left it (`rules.records.days`).
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import msgspec

from rules.cli.lines import check_length, numbered
from rules.play import Move
from rules.records import RecordError, decode_any, encode_any
from rules.records.days import Day
from tablelink.core.hosting import Hosted, Refusal, rehearsed, settled
from tablelink.core.moves import TOLD
from tablelink.errors import TableError
from tablelink.hosted_spool import Kept

__all__ = ["Planned", "recorded_rounds"]

ROUNDS: Literal["record"] = "record"
"""The kind of line that is a round; an export has others, which are passed over."""

KeptOf = Callable[[int], Kept | None]
"""What a spool holds of a round that is done with."""


@dataclass(frozen=True, slots=True)
class Planned:
    """A round before it is played: its number, its record, what people must know of it, and what will be tried."""

    number: int
    record: Any
    notes: tuple[str, ...]
    moves: tuple[Move, ...]


class _Kind(msgspec.Struct):
    kind: str = ROUNDS


def recorded_rounds(path: Path, game: str, kept: KeptOf, last: int = 0) -> Iterator[Planned | Refusal]:
    """The rounds of a file that a table is not done with, in their order; those before are passed over.

    Ask for the next one only when the last is settled or refused. Raises TableError where the file cannot be read, or
    its lines are not those that were played.
    """
    day, table, number = Day(), Hosted(game), 0
    for number, line in _lines(path):
        if not line.strip() or _other_kind(line):
            continue
        done = kept(number)
        if done is not None and done.became == "refused":
            day.bad(number)
            continue
        record, notes, fault = _read(line, day, number)
        if done is not None:
            if record is None or encode_any(record) != done.record:
                raise other_rounds(number, f"line {number} of {path}")
        else:
            refusal = fault or rehearsed(table, number, record)
            if refusal is not None:
                yield refusal
                day.bad(number)
                continue
            yield Planned(number, record, notes, TOLD[game].moves_of(record))
        day.after(number, record, *settled(record))
    if number < last:
        raise other_rounds(last, f"{path}, which has {number} lines")


def other_rounds(number: int, where: str) -> TableError:
    """The error of a round that was begun or settled as another than it is now."""
    return TableError(
        f"Round {number} of the spool is not the one of {where}: run the table with the seed or the file it was begun "
        "with, or give it another spool.",
        code="other_rounds",
    )


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    try:
        with path.open("rb") as source:
            yield from numbered(source)
    except OSError as error:
        raise TableError(f"{path} cannot be read: {error.strerror}.", code="no_rounds") from error


def _read(line: bytes, day: Day, number: int) -> tuple[Any, tuple[str, ...], Refusal | None]:
    try:
        check_length(line)
        record, notes = day.continued(decode_any(line.strip()))
    except RecordError as error:
        return None, (), Refusal(number, ({"field": error.field, "value": error.value, "error": error.reason},))
    return record, notes, None


def _other_kind(line: bytes) -> bool:
    """Whether a line of an export tells of something else than a round."""
    try:
        return msgspec.json.decode(line, type=_Kind).kind != ROUNDS
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False  # Then it is no record either, and reading it as one says what is wrong.
