"""`jackpot bench`: how fast and how large is it, as ratios to a baseline measured beside it in the same run?

Rows stand in `TRIALS`, each with what measures it: on a site that they share, or alone. A trial that cannot be run
leaves its rows unmeasured and the others as they are.
"""

import os
import platform
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from jackpot import (
    bench_answers,
    bench_boards,
    bench_growth,
    bench_hands,
    bench_hot_row,
    bench_royals,
    bench_size,
)
from jackpot.bench_results import (
    Goal,
    Measured,
    Result,
    html_text,
    json_text,
    markdown_text,
    result_of,
    table_of,
    with_rows,
)
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
    quick: Turns
    full: Turns
    measure: Callable[[BenchSite, Turns, Told], Mapping[str, Measured]] | None = None
    """Measures on the shared site."""
    alone: Callable[[Turns, Told], Mapping[str, Measured]] | None = None
    """Measures without it, afterwards."""

    def turns(self, *, quick: bool) -> Turns:
        """Return the turns of a run."""
        return self.quick if quick else self.full


TRIALS = (
    Trial(
        (bench_hot_row.WAGERS, bench_hot_row.ROUNDS, bench_hot_row.BATCHED),
        bench_hot_row.QUICK,
        bench_hot_row.FULL,
        bench_hot_row.measure,
    ),
    Trial((bench_answers.ANSWERS,), bench_answers.QUICK, bench_answers.FULL, bench_answers.measure),
    Trial((bench_boards.BOARDS,), bench_boards.QUICK, bench_boards.FULL, bench_boards.measure),
    # The last on the shared site: its tables cannot play on.
    Trial((bench_royals.ROYALS,), bench_royals.QUICK, bench_royals.FULL, bench_royals.measure),
    Trial((bench_growth.GROWTH, bench_growth.READY), bench_growth.QUICK, bench_growth.FULL, alone=bench_growth.measure),
    Trial(
        (bench_size.SERVER, bench_size.SERVER_TLS, bench_size.AGENT_SIZE),
        bench_size.QUICK,
        bench_size.FULL,
        alone=bench_size.measure,
    ),
    Trial(bench_hands.GOALS, bench_hands.QUICK, bench_hands.FULL, alone=bench_hands.measure),
)
GOALS = {goal.name: goal for trial in TRIALS for goal in trial.goals}
"""Every row by its name, in the order in which they are measured and shown."""


class UnknownRows(OperatingError):
    """Rows that were asked for and are none of the bench's."""

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__(
            f"There is no row {', '.join(names)}; rows are {', '.join(GOALS)}.", code="unknown_row", retryable=False
        )


def run_bench(
    *, quick: bool, only: Sequence[str], as_json: bool, html: Path | None, markdown: Path | None = None
) -> int:
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
    for failure in [*failures, *_short(measured, results)]:
        notes.print(failure, style="red", markup=False, soft_wrap=True)
    if as_json:
        sys.stdout.write(json_text(results) + "\n")
        sys.stdout.flush()
    else:
        Console().print(table_of(results, goals))
    if markdown is not None:
        words = ["jackpot bench", "--quick"] if quick else ["jackpot bench"]
        words += ["--only", ",".join(only)] if only else []
        today = datetime.now(UTC).date().isoformat()
        text = markdown_text(results, goals, machine(), today, " ".join(words))
        before = markdown.read_text(encoding="utf-8") if markdown.is_file() else ""
        markdown.write_text(with_rows(before, text), encoding="utf-8")
    if html is not None:
        html.write_text(html_text(results, goals, machine()), encoding="utf-8")
    return MEASURED if len(measured) >= len(goals) else NOT_MEASURED


def chosen(only: Sequence[str]) -> tuple[Goal, ...]:
    """Return the rows named, or whose name begins so, in their own order; all where none is named. Raises UnknownRows.

    >>> [goal.name for goal in chosen(["answer_p99", "hands"])]
    ['answer_p99', 'hands_vs_treys', 'hands_vs_phevaluator', 'hands_vs_pokerkit']
    """
    named = {name: [goal for goal in GOALS if goal == name or goal.startswith(f"{name}_")] for name in only}
    unknown = [name for name, goals in named.items() if not goals]
    if unknown:
        raise UnknownRows(unknown)
    wanted = {goal for goals in named.values() for goal in goals}
    return tuple(goal for goal in GOALS.values() if not only or goal.name in wanted)


def machine() -> str:
    """Return what was measured on: a figure says nothing without it."""
    model = platform.processor() or platform.machine()
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        model = next(line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        pass
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    python = f"Python {platform.python_version()}"
    kernel = platform.release().partition("-")[0]  # what follows names a builder, not a version
    return f"{os.cpu_count()} x {model}, {memory:.0f} GiB, {platform.system()} {kernel}, {python}"


def _measure_all(trials: Sequence[Trial], told: Told, *, quick: bool) -> tuple[dict[str, Measured], list[str]]:
    """Run trials; return what was measured, and why the rest was not."""
    measured: dict[str, Measured] = {}
    failures: list[str] = []

    def one(trial: Trial, measure: Callable[[Turns, Told], Mapping[str, Measured]]) -> None:
        try:
            found = measure(trial.turns(quick=quick), told)
        except Exception as error:  # noqa: BLE001 - whatever it is, the other rows are still measured
            failures.append(f"{', '.join(goal.name for goal in trial.goals)}: {str(error) or type(error).__name__}")
        else:
            measured.update(found)
            failures.extend(
                f"{goal.name}: what it is compared with is not installed"
                for goal in trial.goals
                if goal.name not in found
            )

    shared = [(trial, trial.measure) for trial in trials if trial.measure is not None]
    if shared:
        try:
            with bench_site(TABLES) as site:
                for trial, measure in shared:
                    one(trial, partial(measure, site))
        except (OperatingError, OSError) as error:
            failures.append(str(error))
    for trial in trials:
        if trial.alone is not None:
            one(trial, trial.alone)
    return measured, failures


def _short(measured: Mapping[str, Measured], results: Sequence[Result]) -> list[str]:
    found = ((one.name, measured[one.name].short) for one in results if one.name in measured)
    return [f"{name}: {short}" for name, short in found if short]


@contextmanager
def _bar(notes: Console, turns: int) -> Iterator[Told]:
    """Show on a terminal how many turns are done; elsewhere nothing."""
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=notes, disable=not notes.is_terminal, transient=True) as progress:
        task = progress.add_task("measuring", total=turns)
        yield lambda: progress.advance(task)
