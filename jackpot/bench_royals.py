"""How long does a table wait for a royal's award when 64 tables report one at the same moment?

Each is resolved in a commit's order: the first takes the pool, the next what it was reseeded with. A table with a hit
is closed until people have settled it, so each repeat has 64 tables of its own.
"""

import asyncio
from collections.abc import Mapping

from jackpot.bench_answers import TABLES, commits, percentile_99
from jackpot.bench_load import ROYALS as AT_ONCE
from jackpot.bench_load import Order
from jackpot.bench_results import Goal, Measured
from jackpot.bench_site import BenchFailed, BenchSite
from jackpot.bench_turns import Told, Turns

QUICK = Turns(repeats=2, load_s=2.0, baseline_s=2.0)
FULL = Turns(repeats=6, load_s=4.0, baseline_s=4.0)

ROYALS = Goal(
    "royals_p99",
    "ms",
    "lower",
    10,
    f"From sending the record to its answer, 99th percentile of {AT_ONCE} tables that report a royal at once, while"
    f" {TABLES} others play a round a second. All are resolved, none is refused.",
    "BEGIN, one INSERT, COMMIT on one connection, 99th percentile",
)


def measure(site: BenchSite, turns: Turns, told: Told) -> Mapping[str, Measured]:
    """Let load and baseline take turns; raises BenchFailed, also where a royal was not resolved."""
    values: list[float] = []
    baselines: list[float] = []
    for nth in range(turns.repeats):
        tally = site.load.play(Order("royals", turns.load_s, TABLES, first=TABLES + nth * AT_ONCE))
        if tally.royals != AT_ONCE or len(tally.waits_s) != AT_ONCE:
            raise BenchFailed(f"{tally.royals} of {AT_ONCE} royals were resolved")
        values.append(1000 * percentile_99(tally.waits_s))
        told()
        baselines.append(1000 * percentile_99(asyncio.run(commits(site.baseline_url, turns.baseline_s))))
        told()
    return {ROYALS.name: Measured(values, baselines)}
