"""``python -m rules month``: the lists of a month, made from settlements.

Reads what ``python -m rules settle`` answered, from files or standard input, or what ``tablelink spool show --json``
shows of a table without a link. Lists every individual overpayment and underpayment of more than $1,000.00 of which the
casino became aware in the month, for the NICC at its end (CSP 14.19, TCP 12.15.2, SIC 8.13), and every losing invalid
stake that was kept, with person and reason; each with its round, and totals for each book. A round that comes again
with a higher revision replaces what it said before. Prizes of a link that were paid and are to be recovered are not in
a settlement: ``jackpot hit overpaid`` lists those.
"""

from argparse import ArgumentTypeError, Namespace
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any, Final, Literal

import msgspec
from rich.console import Console
from rich.markup import escape
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from rules.cli.files import Output, fault_text
from rules.cli.lines import check_length, error_line, numbered, opened, place
from rules.games import GAMES
from rules.irregularities.months import (
    ListedError,
    ListedStake,
    MonthList,
    Where,
    day_of,
    missing_of,
    month_list,
)
from rules.money import money
from rules.records import RecordError
from rules.records.months import Settled, errors_of, kept_of, read_settled
from rules.records.reports import read_day
from rules.strict_json import SHOWN

_TITLES = {game.book: game.title for game in GAMES.values()}


@dataclass(slots=True)
class _Read:
    """What was read: each round's last word, and what was wrong."""

    rounds: dict[Any, tuple[dict[str, Any], Settled]] = field(default_factory=dict)
    passed_over: int = 0
    errors: list[dict[str, Any]] = field(default_factory=list)


def add(commands: Any) -> None:
    """Declare the command and its arguments."""
    month = commands.add_parser("month", help="a month's lists, from settlements", description=__doc__)
    month.add_argument("files", nargs="*", type=Path, metavar="FILE", help="settlements; - or none: standard input")
    month.add_argument("--month", required=True, type=_month, metavar="YYYY-MM", help="which month, such as 2026-11")
    month.add_argument("--json", action="store_true", help="one object on standard output")
    month.set_defaults(run=run)


def run(chosen: Namespace, console: Console) -> int:
    """Make the lists; returns the exit code: 0, 1 where something is missing or bad, 2 where a file cannot be read."""
    read = _Read()
    try:
        for path in chosen.files or [Path("-")]:
            with opened(path, console) as source:
                for number, line in numbered(source):
                    if line.strip():
                        _take(line, place(chosen.files, path, number), read)
    except BrokenPipeError:
        raise
    except OSError as error:
        console.print(f"rules month: {fault_text(error)}", markup=False)
        return 2
    made = _made(read, chosen.month)
    if chosen.json:
        print(msgspec.json.encode(_shown(made, read, chosen.month)).decode())
    else:
        _print(made, read, chosen.month)
    return 1 if read.errors else 0


def _month(text: str) -> date:
    """A month as an argument gives it: its first day."""
    try:
        return read_day(f"{text}-01", "")
    except RecordError:
        raise ArgumentTypeError(f"{text[:SHOWN]}: no month such as 2026-11") from None


def _take(line: bytes, where: dict[str, Any], read: _Read) -> None:
    """Take in a line: a round's settlement, one that replaces it, or what is wrong."""
    try:
        check_length(line)
        settled = read_settled(line.strip())
        if settled is None:
            read.passed_over += 1
            return
        errors_of(settled), kept_of(settled)
    except RecordError as error:
        read.errors.append(where | error_line(error))
        return
    key = settled.key or ("line", *where.values())
    before = read.rounds.get(key)
    if before is None or settled.revision > before[1].revision:
        read.rounds[key] = (where, settled)
    elif settled.revision == before[1].revision and (settled.month_end, settled.kept) != (
        before[1].month_end,
        before[1].kept,
    ):
        reason = "another settlement of this round, with the same revision, came before"
        read.errors.append(where | error_line(RecordError("round", str(settled.round), reason)))


def _made(read: _Read, month: date) -> MonthList:
    """The lists of a month; a line without a day, a kept stake without person or reason is an error besides."""
    errors: list[ListedError] = []
    kept: list[ListedStake] = []
    for where, settled in read.rounds.values():
        mine, stakes = errors_of(settled), kept_of(settled)
        every: tuple[ListedError | ListedStake, ...] = (*mine, *stakes)
        if any(day_of(each) is None for each in every):
            reason = "missing: nothing says in which month the casino became aware of it (found_at, day or month)"
            read.errors.append(where | error_line(RecordError("month", "", reason)))
        errors += mine
        kept += stakes
        for number, stake in enumerate(stakes):
            for name in missing_of(stake.line):
                reason = f"missing: a kept stake has a {name} ({stake.line.rule})"
                read.errors.append(where | error_line(RecordError(f"kept[{number}].{name}", "", reason)))
    return month_list(errors, kept, month)


def _shown(made: MonthList, read: _Read, month: date) -> dict[str, Any]:
    """The lists in their JSON form."""
    return {
        "month": f"{month:%Y-%m}",
        "due": made.due,
        "books": [
            {
                "book": each.book,
                "title": _TITLES[each.book],
                "errors": each.errors,
                "overpaid_cents": each.overpaid_cents,
                "underpaid_cents": each.underpaid_cents,
                "kept": each.kept,
                "kept_cents": each.kept_cents,
            }
            for each in made.totals
        ],
        "payment_errors": [_round_of(each.where) | _present(each.line) for each in made.errors],
        "kept": [_round_of(each.where) | _present(each.line) for each in made.kept],
        "rounds": len(read.rounds),
        "passed_over": read.passed_over,
        "errors": read.errors,
    }


def _round_of(where: Where) -> dict[str, Any]:
    """Which round a line comes from."""
    said: dict[str, Any] = {"book": where.book}
    said |= {"table": where.table} if where.table else {}
    return said if where.round is None else said | {"round": where.round}


def _present(line: Any) -> dict[str, Any]:
    """The fields of a line that are there."""
    return {name: value for name, value in msgspec.to_builtins(line).items() if value not in (None, "")}


def _print(made: MonthList, read: _Read, month: date) -> None:
    """The lists for people."""
    console = Output(highlight=False)
    if not console.is_terminal:
        console.width = max(console.width, _WIDTH)
    console.print(f"Payment errors over $1,000.00, {month:%B %Y}: the NICC is informed by {made.due:%d %B %Y}")
    errors = [
        (*_cells(each), *_sides(each.line.cents, over=each.line.what == "overpayment"), each.line.rule, each.line.why)
        for each in made.errors
    ]
    _print_table(console, ("over$", "under$", "rule", "what was done"), errors)
    console.print(f"\nInvalid stakes kept, {month:%B %Y}")
    kept = [
        (*_cells(each), money(each.line.cents), each.line.rule, each.line.person or "-", each.line.reason or "-")
        for each in made.kept
    ]
    _print_table(console, ("kept$", "rule", "person", "reason"), kept)
    console.print()
    for line in _totals(made, read):
        console.print(line, markup=False, soft_wrap=True)


_WIDTH: Final = 120
"""Columns of a list that goes to a file, where no terminal says how wide it is."""
_BETWEEN: Final = 2
"""Spaces between two columns."""
_LAST: Final = 12
"""What the last column needs at least, which is broken between words."""
_SET_IN: Final = 5


def _print_table(console: Console, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A list, amounts to the right; only the last column is broken where it is too long.

    Never cut: where a terminal is too narrow for columns each line is told in full, field after field.
    """
    if not rows:
        console.print("none")
        return
    every = ("book", "day", "table", "round$", "seat$", "wager", *columns)
    cells = [every[:-1], *(row[:-1] for row in rows)]
    if sum(max(map(len, column)) + _BETWEEN for column in zip(*cells, strict=True)) + _LAST > console.width:
        _print_told(console, every, rows)
        return
    table = Table(box=None, pad_edge=False)
    for name in every:
        justify: Literal["left", "right"] = "right" if name.endswith("$") else "left"
        table.add_column(name.rstrip("$"), justify=justify, no_wrap=name != every[-1])
    for row in rows:
        table.add_row(*map(escape, row))
    console.print(table)


def _print_told(console: Console, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A list line by line: where each comes from, and below it, set in, what it says."""
    for row in rows:
        book, day, *rest = row
        told = [f"{name.rstrip('$')} {cell}" for name, cell in zip(columns[2:-1], rest[:-1], strict=True) if cell]
        console.print("  ".join((book, day, *told[:3])), markup=False)
        console.print(Padding(Text("  ".join((*told[3:], rest[-1]))), (0, 0, 0, _SET_IN)))


def _sides(cents: int, *, over: bool) -> tuple[str, str]:
    """An amount in the column it belongs to."""
    return (money(cents), "") if over else ("", money(cents))


def _cells(each: ListedError | ListedStake) -> Sequence[str]:
    """Where a line comes from, as cells of a table."""
    where, line = each.where, each.line
    day = "-" if line.day is None else line.day.isoformat()
    number = "-" if where.round is None else str(where.round)
    return where.book, day, where.table or "-", number, str(line.seat), line.wager.replace("_", " ")


def _totals(made: MonthList, read: _Read) -> Iterator[str]:
    """What each book's lines come to, and what was read."""
    for each in made.totals:
        yield (
            f"{_TITLES[each.book]}: overpaid {money(each.overpaid_cents)}, underpaid {money(each.underpaid_cents)} "
            f"({each.errors}); kept {money(each.kept_cents)} ({each.kept})"
        )
    yield f"Rounds read: {len(read.rounds)}; lines passed over: {read.passed_over}; errors: {len(read.errors)}"
    for bad in read.errors:
        at = f"{bad['file']}:{bad['line']}" if "file" in bad else f"line {bad['line']}"
        yield f"{at}: " + ": ".join(part for part in (bad["field"], bad["value"], bad["error"]) if part)
