"""What the answers of ``python -m rules settle`` say for a month's lists, read back line by line.

Takes an answer as it stands, or within the line that a hosted table's spool shows of it. Knows no rule.
"""

from typing import Any, Final

import msgspec

from rules.games import GAMES
from rules.irregularities.months import ListedError, ListedStake, Where
from rules.irregularities.payments import KeptStake, MonthEndLine
from rules.records.forms import Count, Month, Name, RecordError, present, translated
from rules.records.reports import KeptRecord, MonthEndRecord, read_day

_ABSENT: Final = msgspec.Raw(b"")


class Settled(msgspec.Struct, frozen=True):
    """What of an answer a month's lists are made from."""

    game: str
    lines: msgspec.Raw
    table: Name = ""
    journal: Count | None = None
    month: Month | None = None
    round: Count | None = None
    revision: Count = 0
    month_end: tuple[MonthEndRecord, ...] = ()
    kept: tuple[KeptRecord, ...] = ()

    @property
    def key(self) -> tuple[Any, ...] | None:
        """Which round it is of; ``None`` where it does not say its table and its round."""
        if not self.table or self.round is None:
            return None
        return self.game, self.table, self.journal, self.month, self.round


class _Kind(msgspec.Struct):
    """What a line is: an answer, an error, a spool's line around one, or anything else."""

    lines: msgspec.Raw = _ABSENT
    error: str | None = None
    statement: msgspec.Raw = _ABSENT


_kind: Final = msgspec.json.Decoder(_Kind)
_settled: Final = msgspec.json.Decoder(Settled)


def read_settled(data: bytes) -> Settled | None:
    """The settlement that a JSON text says; ``None`` for one that says none, such as totals.

    Raises ``RecordError`` where it cannot be read, or says that a round was not settled.
    """
    try:
        kind = _kind.decode(data)
        if bytes(kind.statement).startswith(b"{"):
            return read_settled(bytes(kind.statement))
        if kind.error is not None:
            raise RecordError("", "", f"a round that was not settled is in no list: {kind.error}")
        if not bytes(kind.lines):
            return None
        settled = _settled.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise translated(error, data) from None
    if settled.game not in GAMES:
        raise RecordError("game", settled.game, f"unknown; known are {', '.join(GAMES)}")
    return settled


def errors_of(settled: Settled) -> tuple[ListedError, ...]:
    """The payment errors that a settlement lists; raises ``RecordError`` for a day that is none."""
    return tuple(
        [
            ListedError(_where(settled), MonthEndLine(**_values(each, f"month_end[{place}].day")))
            for place, each in enumerate(settled.month_end)
        ]
    )


def kept_of(settled: Settled) -> tuple[ListedStake, ...]:
    """The invalid stakes that a settlement kept; raises ``RecordError`` for a day that is none."""
    return tuple(
        [
            ListedStake(_where(settled), KeptStake(**_values(each, f"kept[{place}].day")))
            for place, each in enumerate(settled.kept)
        ]
    )


def _values(part: MonthEndRecord | KeptRecord, field: str) -> dict[str, Any]:
    """The fields of a line that are there, its day as one."""
    return present(part) | ({} if part.day is None else {"day": read_day(part.day, field)})


def _where(settled: Settled) -> Where:
    month = None if settled.month is None else read_day(f"{settled.month}-01", "month")
    return Where(GAMES[settled.game].book, settled.table, settled.round, month)
