"""Is a ledger with years in it as quick as an empty one, and how soon is a server on it ready?

Two sites, each with its own Postgres, take turns: one empty, one filled with wagers and with the commands of their
rounds, wagers and records, in the partitions and beside the index entries that the load goes on to write. The bytes of
old batches are not there: no statement of a poster reads them.
"""

from collections.abc import Mapping

from jackpot.bench_load import Order
from jackpot.bench_results import Goal, Measured
from jackpot.bench_round import SEATS
from jackpot.bench_site import BenchSite, bench_site, bench_sql
from jackpot.bench_turns import Told, Turns

TABLES = 500
WANTED = 20_000_000
QUICK_WAGERS = 350_000
STARTS = 3
AT_A_TIME = 25
"""Tables filled in one statement."""

QUICK = Turns(repeats=2, load_s=2.0, baseline_s=2.0)
FULL = Turns(repeats=10, load_s=4.0, baseline_s=4.0)

GROWTH = Goal(
    "growth",
    "wagers/s",
    "higher",
    0.9,
    f"Whole rounds of {TABLES} tables, counted in wagers, on a ledger with {WANTED:,} wagers and their commands.",
    "the same on an empty ledger, in turns",
)
READY = Goal(
    "ready_s",
    "s",
    "lower",
    5,
    "From the start of one more server on that ledger until it says that it is ready.",
    "",
)


def measure(turns: Turns, told: Told) -> Mapping[str, Measured]:
    """Fill one of two sites and let them take turns; raises BenchFailed."""
    wagers = WANTED if turns is FULL else QUICK_WAGERS
    values: list[float] = []
    baselines: list[float] = []
    with bench_site(TABLES) as old:
        _rounds_per_second(old, 1.0)
        stored = fill(old, wagers)
        ready = [old.seconds_to_ready() for _ in range(STARTS)]
        with bench_site(TABLES) as new:
            _rounds_per_second(new, 1.0)
            _rounds_per_second(old, 1.0)
            for _ in range(turns.repeats):
                values.append(_rounds_per_second(old, turns.load_s))
                told()
                baselines.append(_rounds_per_second(new, turns.baseline_s))
                told()
    short = "" if stored >= WANTED else f"measured at {stored:,} stored wagers, not {WANTED:,}"
    return {GROWTH.name: Measured(values, baselines, short), READY.name: Measured(ready, short=short)}


def fill(site: BenchSite, wagers: int) -> int:
    """Fill a site's ledger, leave it vacuumed and on disk, and return how many wagers it holds."""
    rounds = -(-wagers // (TABLES * SEATS))
    for first in range(1, TABLES + 1, AT_A_TIME):
        for name in ("bench_fill_wagers", "bench_fill_commands"):
            site.execute(bench_sql(name), first, first + AT_A_TIME - 1, 1, rounds)
    for sql in ("VACUUM (ANALYZE) wager", "VACUUM (ANALYZE) command", "CHECKPOINT"):
        site.execute(sql)
    return site.wagers_stored()


def _rounds_per_second(site: BenchSite, seconds: float) -> float:
    tally = site.load.play(Order("steps", seconds))
    return tally.accepted / (tally.wagers_seconds + tally.record_seconds)
