"""How long does a table wait for its answer, against a bare commit on the same Postgres?

A hundred tables play a round a second each, at moments of their own. The baseline is one connection that does BEGIN,
one INSERT and COMMIT, again and again, in turns with the load. A repeat's value is its 99th percentile.
"""

import asyncio
import time
from collections.abc import Mapping, Sequence

import asyncpg

from jackpot.bench_load import Order
from jackpot.bench_results import Goal, Measured
from jackpot.bench_site import BenchSite, bench_sql
from jackpot.bench_turns import Told, Turns

TABLES = 100

# A percentile of a turn needs its hundreds of answers.
QUICK = Turns(repeats=3, load_s=6.0, baseline_s=2.0)
FULL = Turns(repeats=8, load_s=16.0, baseline_s=6.0)

ANSWERS = Goal(
    "answer_p99",
    "ms",
    "lower",
    5,
    f"From sending wagers to the answer, 99th percentile: {TABLES} tables, each a round a second (wagers and record).",
    "BEGIN, one INSERT, COMMIT on one connection, 99th percentile",
)


def measure(site: BenchSite, turns: Turns, told: Told) -> Mapping[str, Measured]:
    """Let load and baseline take turns; raises BenchFailed."""
    values: list[float] = []
    baselines: list[float] = []
    for _ in range(turns.repeats):
        values.append(1000 * percentile_99(site.load.play(Order("paced", turns.load_s, TABLES)).waits_s))
        told()
        baselines.append(1000 * percentile_99(asyncio.run(commits(site.baseline_url, turns.baseline_s))))
        told()
    return {ANSWERS.name: Measured(values, baselines)}


def percentile_99(seconds: Sequence[float]) -> float:
    """Return the value that 99 of 100 do not exceed.

    >>> percentile_99([0.5] * 99 + [9.0]), percentile_99([1.0, 2.0])
    (0.5, 2.0)
    """
    ordered = sorted(seconds)
    return ordered[-(-len(ordered) * 99 // 100) - 1]


async def commits(url: str, seconds: float) -> list[float]:
    """Commit one row after the other for so long, and return how long each took."""
    sql = bench_sql("bench_commit")
    connection = await asyncpg.connect(url)
    took: list[float] = []
    try:
        ends = time.perf_counter() + seconds
        while (began := time.perf_counter()) < ends:
            async with connection.transaction():
                await connection.execute(sql)
            took.append(time.perf_counter() - began)
    finally:
        await connection.close()
    return took
