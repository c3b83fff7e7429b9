"""How long something took, in time in which this machine ran its programs.

A virtual machine stands still for ten seconds, or another worker has all cores: by a clock on the wall whatever was
under way took so much longer, and says nothing of the program that is tested. Here a tick that came late counts as one.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

TICK_S = 0.02
COUNTS_S = 5 * TICK_S
"""So much of a tick is counted, however late it came."""


@contextmanager
def own_time() -> Iterator[Callable[[], float]]:
    """Give what tells how many seconds have passed since the context began, without those in which all stood still."""
    over, passed = threading.Event(), [0.0]

    def count() -> None:
        last = time.monotonic()
        while not over.wait(TICK_S):
            now = time.monotonic()
            passed[0] += min(now - last, COUNTS_S)
            last = now

    ticking = threading.Thread(target=count, name="own time")
    ticking.start()
    try:
        yield lambda: passed[0]
    finally:
        over.set()
        ticking.join()
