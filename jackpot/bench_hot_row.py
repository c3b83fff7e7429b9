"""How many durable wagers a second, against a database row that every wager adds to?

Load and baseline take turns on the same Postgres, so that both meet the same machine. A table has one open round at a
time (PROTOCOL 2): all tables send their wagers at once and all are answered, then all send their record and all are
answered. The first row times the steps of wagers alone, the second both.
"""

import os
from collections.abc import Mapping
from importlib.resources import as_file, files

from jackpot.bench_batched import ROWS, Batched
from jackpot.bench_load import Order
from jackpot.bench_results import Goal, Measured
from jackpot.bench_site import BenchFailed, BenchSite
from jackpot.bench_turns import Told, Turns

CLIENTS = 8
BASELINE = f"one INSERT and one UPDATE of a single row in a commit, pgbench with {CLIENTS} clients"
WARM_UP_S = 2.0

# Many short turns: on a machine that others use too, what is measured a minute apart was not measured on one machine.
QUICK = Turns(repeats=5, load_s=2.0, baseline_s=2.0)
FULL = Turns(repeats=20, load_s=4.0, baseline_s=4.0)
BATCHED_S = 2.0

WAGERS = Goal(
    "wagers_vs_hot_row",
    "wagers/s",
    "higher",
    25,
    "Durable qualifying wagers: 500 tables of one link, 7 seats each, real frames, hello and answers. A table has one"
    " open round at a time, so each step of wagers is followed by a step of records, which is not timed here.",
    BASELINE,
)
ROUNDS = Goal(
    "rounds_vs_hot_row",
    "wagers/s",
    "higher",
    10,
    "Whole rounds of the same tables, counted in wagers: wagers and record, settled again by the server, both"
    " answered.",
    BASELINE,
)
BATCHED = Goal(
    "wagers_vs_batched_sql",
    "wagers/s",
    "higher",
    0.5,
    "The wagers of the first row, against the bare rows that they leave.",
    f"the same rows inserted as arrays by one bare statement, {ROWS:,} a commit, one connection",
)


def measure(site: BenchSite, turns: Turns, told: Told) -> Mapping[str, Measured]:
    """Let load and baseline take turns; raises BenchFailed, also where Postgres does not hold what was accepted.

    A checkpoint before each turn lets neither pay for pages that the other has left to be written.
    """
    wagers: list[float] = []
    rounds: list[float] = []
    baselines: list[float] = []
    bare: list[float] = []
    batched = Batched(site)
    site.load.play(Order("steps", WARM_UP_S))
    for _ in range(turns.repeats):
        site.execute("CHECKPOINT")
        tally = site.load.play(Order("steps", turns.load_s))
        wagers.append(tally.accepted / tally.wagers_seconds)
        rounds.append(tally.accepted / (tally.wagers_seconds + tally.record_seconds))
        told()
        site.execute("CHECKPOINT")
        baselines.append(commits_per_second(site, turns.baseline_s))
        bare.append(batched.rows_per_second(min(turns.baseline_s, BATCHED_S)))
        told()
    stored = site.wagers_stored()
    if stored != site.load.accepted:
        raise BenchFailed(f"{site.load.accepted} wagers were accepted and Postgres holds {stored}")
    return {
        WAGERS.name: Measured(wagers, baselines),
        ROUNDS.name: Measured(rounds, baselines),
        BATCHED.name: Measured(wagers, bare),
    }


def commits_per_second(site: BenchSite, seconds: float) -> float:
    """Return what pgbench reaches with the hot row; raises BenchFailed."""
    with as_file(files("jackpot").joinpath("bench_hot_row.sql")) as script:
        jobs = min(CLIENTS, os.cpu_count() or 1)
        flags = (f"--client={CLIENTS}", f"--jobs={jobs}", f"--time={max(1, round(seconds))}", "--protocol=prepared")
        said = site.run("pgbench", "--no-vacuum", *flags, f"--file={script}")
    for line in said.splitlines():
        if line.startswith("tps = "):
            return float(line.split()[2])
    raise BenchFailed(f"pgbench did not say how fast it was: {said[-200:]}")
