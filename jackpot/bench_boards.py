"""How old is what boards show? From a commit to its state at each of 500 feeds, while a hundred tables play."""

from collections.abc import Mapping

from jackpot.bench_answers import TABLES, percentile_99
from jackpot.bench_load import Order
from jackpot.bench_results import Goal, Measured
from jackpot.bench_site import BenchSite
from jackpot.bench_turns import Told, Turns

BOARDS_SHOWN = 500
QUICK = Turns(repeats=2, load_s=4.0, baseline_s=0.0)
FULL = Turns(repeats=6, load_s=8.0, baseline_s=0.0)

BOARDS = Goal(
    "board_p99",
    "ms",
    "lower",
    250,
    f"From a commit, as its answer tells it, to the state with it at each of {BOARDS_SHOWN} feeds over Redis, 99th"
    f" percentile, {TABLES} tables playing a round a second. A state leaves every 100 ms at most. What a browser takes"
    " to paint it is not in it.",
    "",
)


def measure(site: BenchSite, turns: Turns, told: Told) -> Mapping[str, Measured]:
    """Let boards watch; raises BenchFailed."""
    values: list[float] = []
    for _ in range(turns.repeats):
        order = Order("boards", turns.load_s, TABLES, boards=BOARDS_SHOWN)
        values.append(1000 * percentile_99(site.load.play(order).waits_s))
        told()
        told()
    return {BOARDS.name: Measured(values)}
