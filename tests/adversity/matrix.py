"""Run the faults and say what came of each: `python -m tests.adversity.matrix`, or `make adversity`.

One site is broken in sequence. After every fault play goes on to its end, the ledger is audited, and what the tables
remember is held against it id by id, from the first round of the site. Exit code 1 where anything differs.
"""

import argparse
import json
import re
import sys
import tempfile
import time
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path

from jackpot.errors import OperatingError
from tests.adversity.breaking import break_it
from tests.adversity.faults import FAULTS, FEW, MANY, Fault
from tests.adversity.reckoning import NOTHING, Reckoning, less
from tests.adversity.site import Site, site

__all__ = ["Outcome", "run_fault", "run_faults"]

FIRST_STRIKE, STRIKES = 9, 7
"""After how many commits a fault strikes, and how many such moments there are."""
ROUNDS = {FEW: 10, MANY: 3}
"""Rounds of each table in a row: many tables play as long."""
LEAST_LEFT = 10
"""So many commits at least come after the moment at which a fault strikes; fewer, and the tables were done already."""
HEADINGS = ("row", "fault", "times", "sent", "returned", "answered", "stored", "awards", "audit", "s")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a fault: how often it was done, what was played meanwhile, the audit's word, what differs."""

    fault: str
    times: int
    played: Reckoning
    audit: str
    differences: Sequence[str]
    seconds: float

    @property
    def ok(self) -> bool:
        """Whether nothing was lost, doubled or misstated."""
        return self.audit == "ok" and not self.differences

    @property
    def cells(self) -> tuple[str, ...]:
        """The row as it is printed."""
        played = self.played
        counts = (self.times, played.sent, played.returned, played.answered, played.stored, played.awards)
        return (str(self.row), self.fault, *map(str, counts), self.audit, f"{self.seconds:.0f}")

    @property
    def row(self) -> int:
        """Its place in the table of faults."""
        return 1 + [fault.name for fault in FAULTS].index(self.fault)


def run_fault(at: Site, fault: Fault, before: Reckoning, times: int = 1) -> tuple[Outcome, Reckoning]:
    """Break a site that plays, let it play on, and reckon; return what came of it, and the site's whole reckoning."""
    began = time.monotonic()
    early = True
    for nth in range(times):
        # Not always at the same place of a round: which differs from fault to fault, and from time to time.
        struck = at.play(FIRST_STRIKE + (zlib.crc32(fault.name.encode()) + nth) % STRIKES)
        break_it(at, fault.steps)
        at.finish()
        early = early and at.head() >= struck + LEAST_LEFT
    after = at.reckon()
    audit = at.audit()
    said = "ok" if audit["ok"] else json.dumps(audit)
    played = less(after, before)
    idle = [] if early and played.stored else ["play was over before the fault: this proves nothing"]
    took_s = time.monotonic() - began
    return Outcome(fault.name, times, played, said, [*after.differences, *idle], took_s), after


def run_faults(faults: Iterable[Fault], folder: Path, times: int = 1) -> Iterator[Outcome]:
    """Run faults in sequence; the next has a new site where one does not go on, or other tables are asked for."""
    number = 0
    left = list(faults)
    while left:
        number += 1
        with ExitStack() as stack:
            data = folder / str(number)
            data.mkdir()
            tables = left[0].tables
            at = stack.enter_context(site(data, tables=tables, rounds=ROUNDS[tables]))
            before = NOTHING
            while left and left[0].tables == tables:
                fault = left.pop(0)
                try:
                    outcome, before = run_fault(at, fault, before, times)
                except (AssertionError, OSError, OperatingError) as error:
                    yield Outcome(fault.name, times, NOTHING, "not reached", [f"{type(error).__name__}: {error}"], 0)
                    break
                yield outcome


def main() -> None:
    """Run the faults asked for, and print a row as each is done."""
    parser = argparse.ArgumentParser(description="Break the real programs in every way known, and compare by id.")
    parser.add_argument("--quick", action="store_true", help="only the rows that `make test` runs")
    parser.add_argument("--only", default="", help="only rows whose name or steps hold this")
    parser.add_argument("--rows", type=_rows, default=range(1, len(FAULTS) + 1), help="only these rows: 31, or 31-40")
    parser.add_argument("--times", type=int, default=1, help="how often each is done")
    parser.add_argument("--json", action="store_true", help="end with one line of JSON")
    asked = parser.parse_args()
    faults = [
        fault
        for row, fault in enumerate(FAULTS, start=1)
        if row in asked.rows and (fault.quick or not asked.quick) and asked.only in f"{fault.name} {fault.steps}"
    ]
    _say(f"| {' | '.join(HEADINGS)} |\n| --: | --- |{' --: |' * (len(HEADINGS) - 4)} --- | --: |", aside=asked.json)
    outcomes = []
    with tempfile.TemporaryDirectory(prefix="adv-") as folder:
        for outcome in run_faults(faults, Path(folder), asked.times):
            outcomes.append(outcome)
            _say(f"| {' | '.join(outcome.cells)} |", aside=asked.json)
            for difference in outcome.differences:
                _say(f"  {outcome.fault}: {difference}", aside=True)
    bad = [outcome.fault for outcome in outcomes if not outcome.ok]
    _say(
        f"\n{len(outcomes)} faults, {len(bad)} with a difference{': ' if bad else ''}{', '.join(bad)}", aside=asked.json
    )
    if asked.json:
        rows = [asdict(outcome) | {"ok": outcome.ok} for outcome in outcomes]
        _say(json.dumps({"rows": rows, "ok": not bad}), aside=False)
    sys.exit(1 if bad or not outcomes else 0)


def _rows(words: str) -> range:
    """Read one row, or the first and the last; never rows that the table of faults has not."""
    written = re.fullmatch(r"([0-9]{1,4})(?:-([0-9]{1,4}))?", words)
    if not written:
        raise argparse.ArgumentTypeError(f"{words}: a row, as 31, or the first and the last, as 31-40")
    first, last = int(written[1]), int(written[2] or written[1])
    if not 1 <= first <= last <= len(FAULTS):
        raise argparse.ArgumentTypeError(f"{words}: rows are 1-{len(FAULTS)}, the first one first")
    return range(first, last + 1)


def _say(words: str, *, aside: bool) -> None:
    print(words, file=sys.stderr if aside else sys.stdout, flush=True)


if __name__ == "__main__":
    main()
