"""`jackpot bench`: how fast and how large is it, as ratios to a baseline measured beside it in the same run?

Rows stand in `TRIALS`, each with what measures it. A trial that cannot be run leaves its rows unmeasured and the others
as they are.
"""

import os
import platform
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from jackpot import bench_answers, bench_hot_row
from jackpot.bench_results import Goal, Measured, html_text, json_text, result_of, table_of
from jackpot.bench_site import BenchSite, bench_site
from jackpot.bench_turns import Told, Turns
from jackpot.errors import OperatingError

TABLES = 500
MEASURED, NOT_MEASURED = 0, 1
"""Exit codes. A goal missed is a figure, not a failure; a row without a figure is one."""


@dataclass(frozen=True, slots=True)
class Trial:
    """Rows that one measurement gives, and its turns in a quick run and in a full one."""

    goals: tuple[Goal, ...]
    measure: Callable[[BenchSite, Turns, Told], Mapping[str, Measured]]
    quick: Turns
    full: Turns

    def turns(self, *, quick: bool) -> Turns:
        """Return the turns of a run."""
        return self.quick if quick else self.full


TRIALS = (
    Trial((bench_hot_row.WAGERS, bench_hot_row.ROUNDS), bench_hot_row.measure, bench_hot_row.QUICK, bench_hot_row.FULL),
    Trial((bench_answers.ANSWERS,), bench_answers.measure, bench_answers.QUICK, bench_answers.FULL),
)
GOALS = {goal.name: goal for trial in TRIALS for goal in trial.goals}
"""Every row by its name, in the order in which they are measured and shown."""


class UnknownRows(OperatingError):
    """Rows that were asked for and are none of the bench's."""

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__(
            f"There is no row {', '.join(names)}; rows are {', '.join(GOALS)}.", code="unknown_row", retryable=False
        )


def run_bench(*, quick: bool, only: Sequence[str], as_json: bool, html: Path | None) -> int:
    """Measure the rows asked for (all, where none is named) and show them; return the exit code.

    With `as_json` the rows are one JSON object on standard output. Raises UnknownRows.
    """
    goals = chosen(only)
    notes = Console(stderr=True)
    names = {goal.name for goal in goals}
    trials = [trial for trial in TRIALS if not names.isdisjoint(goal.name for goal in trial.goals)]
    with _bar(notes, 2 * sum(trial.turns(quick=quick).repeats for trial in trials)) as told:
        found, failures = _measure_all(trials, told, quick=quick)
    measured = {name: one for name, one in found.items() if name in names}
    results = [result_of(goal, measured.get(goal.name)) for goal in goals]
    for failure in failures:
        notes.print(f"[red]{failure}[/]")
    if as_json:
        sys.stdout.write(json_text(results) + "\n")
        sys.stdout.flush()
    else:
        Console().print(table_of(results, goals))
    if html is not None:
        html.write_text(html_text(results, goals, machine()), encoding="utf-8")
    return MEASURED if len(measured) >= len(goals) else NOT_MEASURED


def chosen(only: Sequence[str]) -> tuple[Goal, ...]:
    """Return the rows named, in their own order; all where none is named. Raises UnknownRows.

    >>> [goal.name for goal in chosen(["answer_p99"])]
    ['answer_p99']
    """
    unknown = [name for name in only if name not in GOALS]
    if unknown:
        raise UnknownRows(unknown)
    return tuple(goal for goal in GOALS.values() if not only or goal.name in only)


def machine() -> str:
    """Return what was measured on: a figure says nothing without it."""
    model = platform.processor() or platform.machine()
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        model = next(line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        pass
    return f"{os.cpu_count()} x {model}, {platform.system()} {platform.release()}, Python {platform.python_version()}"


def _measure_all(trials: Sequence[Trial], told: Told, *, quick: bool) -> tuple[dict[str, Measured], list[str]]:
    """Run trials on one site; return what was measured, and why the rest was not."""
    measured: dict[str, Measured] = {}
    failures: list[str] = []
    try:
        with bench_site(TABLES) as site:
            for trial in trials:
                try:
                    measured.update(trial.measure(site, trial.turns(quick=quick), told))
                except OperatingError as error:
                    failures.append(f"{trial.goals[0].name}: {error}")
    except (OperatingError, OSError) as error:
        failures.append(str(error))
    return measured, failures


@contextmanager
def _bar(notes: Console, turns: int) -> Iterator[Told]:
    """Show on a terminal how many turns are done; elsewhere nothing."""
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=notes, disable=not notes.is_terminal, transient=True) as progress:
        task = progress.add_task("measuring", total=turns)
        yield lambda: progress.advance(task)
