"""Many histories, a new seed each, until the time is over; each on a core of its own."""

import random
import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from itertools import islice
from typing import Any

from tests.sim.programs import Played, Soaked, failing, play, program_of

AT_LEAST = 20
"""So often each kind of fault must come in a minute: what never comes proves nothing."""
KINDS_OF_FAULT = (
    "drop",
    "duplicate",
    "reorder",
    "delay",
    "cut",
    "partition",
    "ledger_away",
    "redis_away",
    "redis_forgot",
    "lost_before",
    "lost_after",
    "lost_under_way",
    "lost_in_the_socket",
    "late_commit",
    "crash_server",
    "crash_server_before_commit",
    "crash_server_after_commit",
    "crash_table",
    "crash_table_before_write",
    "crash_table_after_write",
    "second_server",
    "pause_server",
    "pause_table",
    "clock_jump",
    "torn_spool",
    "older_spool",
    "lost_tail",
    "cloned_table",
    "void",
    "void_by_two",
    "ended_by_people",
    "void_recorded",
    "paid_then_void",
    "hit_fell",
    "share_grew",
    "corrected_record",
    "typed_record",
    "month_end",
    "month_turned",
    "void_last_month",
    "table_clock",
    "order_by_commit",
    "order_by_wagers",
    "order_among_three",
    "restored_ledger",
    "withdraw",
    "terms_change",
)
"""What must befall, in every minute of soaking."""


def seeds_of(seed: int) -> Iterator[int]:
    """The seeds of histories that follow from one."""
    chance = random.Random(seed)
    while True:
        yield chance.getrandbits(48)


def one_history(seed: int) -> tuple[int, Played]:
    """Play the history of a seed."""
    return seed, play(seed, program_of(seed))


def soak(seed: int, seconds: float, workers: int, tell: Callable[[str], None]) -> dict[str, Any]:
    """Play histories for so long, and give the line it ends with; the first three that fail are made short."""
    began, told = time.monotonic(), 0.0
    soaked, seeds, failed = Soaked(), seeds_of(seed), list[tuple[int, Played]]()
    with ProcessPoolExecutor(workers) as pool:
        running: set[Future[tuple[int, Played]]] = {pool.submit(one_history, one) for one in islice(seeds, 2 * workers)}
        while running:
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for each in done:
                of, played = each.result()
                soaked.add(played)
                if played.violation is not None:
                    failed.append((of, played))
                    tell(f"seed {of}: {played.violation}")
                if time.monotonic() - began < seconds and len(failed) < 3:
                    running.add(pool.submit(one_history, next(seeds)))
            if time.monotonic() - began >= told + 10:
                told = time.monotonic() - began
                tell(f"{told:.0f} s: {soaked.histories} histories, {soaked.steps} steps, {soaked.rounds} rounds")
    took = time.monotonic() - began
    soaked.failing = [failing(of, played) for of, played in failed]
    return soaked.line(seed, took)


def seldom(line: dict[str, Any]) -> list[str]:
    """The kinds of fault that came less often than 20 times, or in less than a minute than so many of them."""
    least = AT_LEAST * line["seconds"] / 60
    return [kind for kind in KINDS_OF_FAULT if line["faults"].get(kind, 0) < min(least, AT_LEAST)]
