"""``make mutate``: take away the cited line of clauses chosen by seed, one at a time, and see their tests go red.

Works in temporary copies of the checkout, two at most. Ends with one JSON line ``{"seed", "rows", "survived"}`` on
standard output; the exit code is 1 where a test stayed green without its line, or was not green with it.
"""

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from tests.support.coverage import BOOKS, Row, sections
from tests.support.mutations import mutated
from tests.support.sources import ROOT, Source, sources

_LONGEST_S = 600
_TESTS_FAILED = 1
"""What pytest exits with where tests ran and failed; anything higher is no test run at all."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a row's test without its line."""

    row: Row
    red: bool
    how: str


@dataclass(slots=True)
class Copy:
    """A copy of the checkout in which lines are taken away."""

    folder: Path
    _writes: int = 0

    def write(self, file: str, text: str) -> None:
        """Put a text into a file, under a time of its own, so that no stale bytecode is used for it."""
        path = self.folder / file
        path.write_text(text, "utf-8")
        self._writes += 1
        stamp = int(path.stat().st_mtime) + 10 * self._writes
        os.utime(path, (stamp, stamp))

    def run(self, *tests: str) -> tuple[int, str]:
        """Run tests here; gives pytest's exit code and the end of what it said."""
        command = [sys.executable, "-m", "pytest", "-q", "-x", "-n0", "-p", "no:cacheprovider", "--no-header", *tests]
        environment = os.environ | {
            "PYTHONPATH": str(self.folder),
            "HYPOTHESIS_STORAGE_DIRECTORY": str(self.folder / ".h"),
        }
        try:
            done = subprocess.run(
                command,
                cwd=self.folder,
                env=environment,
                capture_output=True,
                text=True,
                timeout=_LONGEST_S,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return _TESTS_FAILED, "no end"
        return done.returncode, done.stdout[-2000:] + done.stderr[-2000:]


@contextmanager
def copies(count: int) -> Iterator[SimpleQueue[Copy]]:
    """Copies of the checkout that are gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="mutate-") as folder:
        idle: SimpleQueue[Copy] = SimpleQueue()
        for number in range(count):
            copy = Copy(Path(folder) / str(number))
            for source in sources():
                target = copy.folder / source.file
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / source.file, target)
            idle.put(copy)
        yield idle


def try_row(row: Row, copy: Copy) -> Outcome:
    """Take a row's line away in a copy, run its test, and put the line back."""
    source = Source(row.path, (copy.folder / row.path).read_text("utf-8"))
    try:
        for taken_out in (False, True):
            try:
                text = mutated(source, row, taken_out=taken_out)
            except LookupError as error:
                if taken_out:
                    return Outcome(row, red=True, how="red: it cannot be imported")
                return Outcome(row, red=False, how=f"no line: {error}")
            copy.write(row.path, text)
            code, said = copy.run(row.test_id)
            if code == 0:
                return Outcome(row, red=False, how="green")
            if code == _TESTS_FAILED:
                return Outcome(row, red=True, how="red, entry taken out" if taken_out else "red")
            if "no tests ran" in said and "not found" in said and "Error" not in said:
                return Outcome(row, red=False, how="no such test")
        return Outcome(row, red=True, how="red: it cannot be imported")
    finally:
        copy.write(row.path, source.text)


def not_green(rows: Sequence[Row], copy: Copy) -> dict[str, str]:
    """The tests of these rows that are not green as things are, each with what it said; all in one run first."""
    tests = sorted({row.test_id for row in rows})
    if copy.run(*tests)[0] == 0:
        return {}
    said = {test: copy.run(test) for test in tests}
    return {test: words for test, (code, words) in said.items() if code != 0}


def chosen(seed: int, count: int, books: Sequence[str]) -> list[Row]:
    """So many of the enforced rows, by seed; all of them where there are fewer."""
    rows = [row for section in sections() for row in section.rows if row.is_enforced and section.book in books]
    return random.Random(seed).sample(rows, min(count, len(rows)))


def run(rows: Sequence[Row], console: Console) -> list[Outcome]:
    """What becomes of each row's test without its line, with progress."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    workers = min(2, os.cpu_count() or 1)
    with copies(workers) as idle, Progress(*columns, console=console) as bar:
        task = bar.add_task("tests as they are", total=len(rows))
        copy = idle.get()
        unfit = not_green(rows, copy)
        idle.put(copy)
        bar.update(task, description="one line less")

        def one(row: Row) -> Outcome:
            if row.test_id in unfit:
                outcome = Outcome(row, red=False, how="not green with it: " + unfit[row.test_id].strip()[-200:])
            else:
                mine = idle.get()
                try:
                    outcome = try_row(row, mine)
                finally:
                    idle.put(mine)
            bar.advance(task)
            if not outcome.red:
                console.print(f"{outcome.row}: {outcome.how}", markup=False)
            return outcome

        with ThreadPoolExecutor(workers) as pool:
            return list(pool.map(one, rows))


def main() -> int:
    """Run the command line; returns the exit code."""
    parser = argparse.ArgumentParser(prog="make mutate", description=__doc__)
    parser.add_argument("-n", type=int, default=50, help="how many rows")
    parser.add_argument("--seed", type=int, default=1, help="which ones")
    parser.add_argument("--book", action="append", choices=list(BOOKS), help="of these books only")
    parser.add_argument("--clause", action="append", default=[], help="these clauses only, such as 6.3")
    asked = parser.parse_args()
    console = Console(stderr=True, highlight=False, soft_wrap=True, width=None if sys.stderr.isatty() else 200)
    rows = chosen(asked.seed, asked.n, asked.book or list(BOOKS))
    if asked.clause:
        every = chosen(asked.seed, sys.maxsize, asked.book or list(BOOKS))
        rows = [row for row in every if row.clause in asked.clause]
    outcomes = run(rows, console)
    table = Table("clause", "line of", "test", "without it", box=None, pad_edge=False)
    for each in outcomes:
        table.add_row(f"{each.row.book} {each.row.clause}", each.row.where.strip("`"), each.row.test_id, each.how)
    console.print(table)
    survived = [
        {"book": each.row.book, "clause": each.row.clause, "where": each.row.where.strip("`"), "how": each.how}
        for each in outcomes
        if not each.red
    ]
    print(json.dumps({"seed": asked.seed, "rows": len(outcomes), "survived": survived}))  # noqa: T201 - its answer
    return 1 if survived else 0


if __name__ == "__main__":
    sys.exit(main())
