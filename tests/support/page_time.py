"""A page's time in a test's hand, and the network's which is not: how a test waits for what takes both.

A page whose clock was set forward at once has armed its next timer only then, and nothing sets the clock forward any
more; a request that was under way at the jump had no time for its answer. So whatever a page does with timers and a
network is awaited second by second of the page's time, each with time for the network, and no more seconds than were
promised of the page.
"""

import datetime as dt
import time
from collections.abc import Callable

from playwright.sync_api import Page

from tests.support.board_link import BoardLink

LIVE_WITHIN_S = 20
"""A board is live so soon after its server is well: a silent attempt is given up after 5 s, then it waits 12 s at most.

On a wall it is sooner, since a browser asks a server that refused anew after 3 s: here those pass more slowly than the
page's.
"""
ANSWER_S = 120.0
"""What a request may take on a busy machine; no time of the page passes meanwhile."""
SECOND_MS = 1_000
PAUSE_S = 3
"""The page's time is stopped so much later than it was read: less than a board waits for a word."""
GLANCE_MS = 20
GLANCES = 10


def until(page: Page, link: BoardLink, happened: Callable[[], bool], within_s: int, *, tells: bool = True) -> int:
    """Let the page's time pass until something has happened; the number of seconds that it took, `within_s` at most.

    The link tells how it stands in each second, unless it shall not (`tells`).
    """
    now_s = page.evaluate("Date.now()") / SECOND_MS
    page.clock.pause_at(dt.datetime.fromtimestamp(now_s + PAUSE_S, tz=dt.UTC))
    for passed in range(PAUSE_S, within_s + 1):
        if passed > PAUSE_S:
            page.clock.fast_forward(SECOND_MS)
        link.pass_by(PAUSE_S if passed == PAUSE_S else 1)
        if tells:
            link.show()
        if _happens(page, link, happened):
            page.clock.resume()
            return passed
    state = page.locator("body").get_attribute("data-state")
    raise AssertionError(f"in {within_s} s of the page's time it did not happen; the board is {state}")


def live(page: Page, link: BoardLink, within_s: int = LIVE_WITHIN_S) -> int:
    """Let the page's time pass until the board is live; the number of seconds that it took, `within_s` at most."""
    return until(page, link, lambda: page.locator("body").get_attribute("data-state") == "live", within_s)


def _happens(page: Page, link: BoardLink, happened: Callable[[], bool]) -> bool:
    """Whether it happens in this second of the page's: a moment for the network, a longer one after each request."""
    asked, left = link.asked.total(), GLANCES
    until_s = time.monotonic() + ANSWER_S
    while left > 0 and time.monotonic() < until_s:
        if happened():
            return True
        page.wait_for_timeout(GLANCE_MS)
        left -= 1
        if link.asked.total() != asked:
            asked, left = link.asked.total(), 5 * GLANCES
    return False
