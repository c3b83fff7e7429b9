"""``python -m rules odds``: what every wager returns, counted exactly.

For each game and schedule the chance of each outcome of each wager, what a unit of it returns on average, and the
house edge. ``--schedule`` takes any pay table in the form of the shipped ones, and shows what it decides. ``--meter``
sets the progressive jackpot's meter; ``--terms`` its prizes and wager, in place of those the rule text prints.
"""

from argparse import Namespace
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from rules.cli.files import Output, fault_text, read_schedule, read_terms
from rules.games import GAMES
from rules.limits import LARGEST_WAGER_CENTS
from rules.odds import Progress as Tell
from rules.odds import Row, decimal_text, exact_text, jackpot, no_progress, rows, rows_under
from rules.schedules import Schedule
from rules.terms import Terms

METERS_CENTS = (5_000_000, 10_000_000, 15_981_053, 25_000_000)
"""Meters shown where none is asked for: the least a royal is paid, twice that, the break-even, and a high one."""


def add(commands: Any) -> None:
    """Declare the command and its arguments."""
    odds = commands.add_parser("odds", help="the exact odds of every wager", description=__doc__)
    odds.add_argument("game", nargs="?", choices=list(GAMES), metavar="GAME", help=f"one of {', '.join(GAMES)}")
    odds.add_argument("--schedule", type=Path, metavar="FILE", help="a pay table (TOML), also one not shipped")
    odds.add_argument("--meter", type=int, metavar="CENTS", help="the jackpot's meter, for the progressive wager")
    odds.add_argument("--terms", type=Path, metavar="FILE", help="a link's terms, for the progressive wager")
    odds.add_argument("--json", action="store_true", help="one object on standard output")
    odds.set_defaults(run=run)


def run(chosen: Namespace, console: Console) -> int:
    """Show the odds asked for; returns the exit code: 0, or 2 where a file cannot be read or the call cannot be."""
    try:
        schedule = None if chosen.schedule is None else read_schedule(chosen.schedule)
        terms = None if chosen.terms is None else read_terms(chosen.terms)
        _check(chosen, schedule)
        found = _with_progress(chosen, schedule, terms, console)
    except (OSError, ValueError) as error:
        console.print(f"rules odds: {fault_text(error)}", markup=False)
        return 2
    if chosen.json:
        print(msgspec.json.encode({"rows": [shown(row) for row in found]}).decode())
    else:
        Output(highlight=False).print(_table(found))
    return 0


def _check(chosen: Namespace, schedule: Schedule | None) -> None:
    """Refuse what does not go together. Raises ``ValueError``."""
    if schedule is not None and chosen.game is not None and schedule.game != chosen.game:
        raise ValueError(f"{chosen.schedule}: a schedule of {schedule.game}, not of {chosen.game}")
    if chosen.meter is not None and not 0 <= chosen.meter <= LARGEST_WAGER_CENTS:
        raise ValueError(f"--meter: {chosen.meter}: not from 0 to {LARGEST_WAGER_CENTS} cents")
    game = chosen.game or (schedule.game if schedule else None)
    if game not in {None, "caribbean_stud"} and (chosen.meter is not None or chosen.terms is not None):
        raise ValueError(f"--meter, --terms: no jackpot is linked to {game}")


def _with_progress(chosen: Namespace, schedule: Schedule | None, terms: Terms | None, console: Console) -> list[Row]:
    """Every row asked for, with a bar where somebody watches."""
    if not console.is_terminal:
        return list(_rows(chosen, schedule, terms, no_progress))
    columns = (TextColumn("counting"), BarColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("")
        return list(_rows(chosen, schedule, terms, lambda done, of: bar.update(task, completed=done, total=of)))


def _rows(chosen: Namespace, schedule: Schedule | None, terms: Terms | None, tell: Tell) -> Iterator[Row]:
    if schedule is not None:
        yield from rows_under(schedule, tell)
        if chosen.meter is None and terms is None:
            return
    else:
        for game in GAMES if chosen.game is None else [chosen.game]:
            yield from rows(game, tell)
    if chosen.game in {None, "caribbean_stud"}:
        yield from jackpot_rows(chosen.meter, terms)


def jackpot_rows(meter_cents: int | None, terms: Terms | None) -> Iterator[Row]:
    """The odds of the progressive wager at a meter, or at several; prizes and wager by the terms, else by the book."""
    for meter in METERS_CENTS if meter_cents is None else (meter_cents,):
        if terms is None:
            yield jackpot.row(meter)
        else:
            named = f"terms {terms.name} version {terms.version}"
            yield jackpot.row(meter, jackpot.prizes_of(terms), terms.qualifying_wager_cents, named)


def shown(row: Row) -> dict[str, Any]:
    """A row in its JSON form: exact numbers as ``n/d``, each with a decimal beside it."""
    outcomes = [
        {
            "outcome": each.outcome,
            "pays": exact_text(each.pays),
            "pays_decimal": decimal_text(each.pays),
            "ways": each.ways,
            "of": each.of,
            "chance_decimal": decimal_text(each.chance, 12),
        }
        for each in row.outcomes
    ]
    return {
        "game": row.game,
        "schedule": row.schedule,
        "settings": dict(row.settings),
        "wager": row.wager,
        "strategy": row.strategy,
        "outcomes": outcomes,
        **_beside("expected_return", row.expected_return),
        **_beside("house_edge", row.house_edge),
        "method": row.method,
        "standard_error": None if row.standard_error is None else exact_text(row.standard_error),
    }


def _beside(name: str, number: Fraction) -> dict[str, str]:
    return {name: exact_text(number), f"{name}_decimal": decimal_text(number, 9)}


def _table(found: list[Row]) -> Table:
    table = Table("game", "wager", "under", "win", "house edge", box=None, pad_edge=False)
    for row in found:
        under = ", ".join([row.schedule, *(f"{name} {value}" for name, value in row.settings), row.strategy])
        wins = sum((each.chance for each in row.outcomes if each.pays > 0), Fraction())
        edge = f"{decimal_text(100 * row.house_edge, 3)} %"
        table.add_row(row.game, row.wager, under.removesuffix(", "), f"{decimal_text(100 * wins, 3)} %", edge)
    table.columns[3].justify = table.columns[4].justify = "right"
    return table
