"""From a snapshot to the text of a board, with 500 boards on the link, two of them real pages."""

import asyncio
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, Page, expect

from jackpot.bench_feeds import Reader, shown_after, watching
from tests.support.board_link import BoardLink

READERS = 498
COMMITS = 60
EVERY_S = 0.1
WITHIN_S = 1.0
"""Four times what a board is to reach: how fast it is, the bench says; this sees that nothing waits for its turn."""
WATCH = """() => {
    const main = document.querySelector('#meter data');
    window.seen = [];
    new MutationObserver(() => window.seen.push([main.value, Date.now()]))
        .observe(main, { attributes: true, childList: true, characterData: true, subtree: true });
}"""


@contextmanager
def readers(link: BoardLink) -> Iterator[list[Reader]]:
    """So many feeds read in a thread of their own; what each was shown is there afterwards."""
    address = urlsplit(link.url)
    found: list[Reader] = []
    ready, done = threading.Event(), threading.Event()

    async def read() -> None:
        async with watching(address.hostname or "", address.port or 0, "southern", READERS) as boards:
            found.extend(boards)
            ready.set()
            await asyncio.to_thread(done.wait)

    thread = threading.Thread(target=asyncio.run, args=(read(),))
    thread.start()
    try:
        assert ready.wait(300)
        yield found
    finally:
        done.set()
        thread.join(300)


def test_every_board_shows_a_commit_soon(page: Page, context: BrowserContext, link: BoardLink) -> None:
    """A snapshot each 100 ms for six seconds: every feed of 498 and both pages' texts have each soon, the last too."""
    link.show(6_000_000)
    pages = [page, context.new_page()]
    for each in pages:
        each.goto(link.board)
        expect(each.locator("body")).to_have_attribute("data-state", "live")
        each.evaluate(WATCH)
    told: list[tuple[int, float]] = []
    wall: dict[str, float] = {}
    with readers(link) as feeds:
        for number in range(1, COMMITS + 1):
            cents = 6_000_000 + number
            wall[str(cents)] = time.time()
            began = time.perf_counter()
            told.append((link.show(cents), began))
            time.sleep(max(0.0, EVERY_S - (time.perf_counter() - began)))  # the link's own pace, not a wait
        for each in pages:
            expect(each.locator("#meter data")).to_have_attribute("value", str(6_000_000 + COMMITS))
    late = sorted(shown_after(told, feeds))
    assert len(late) == READERS * COMMITS
    texts = sorted(
        max(0.0, at_ms / 1000 - wall[cents])
        for each in pages
        for cents, at_ms in each.evaluate("() => window.seen")
        if cents in wall
    )
    figures = {
        name: round(found[len(found) * 99 // 100] * 1000, 1) for name, found in (("feeds", late), ("texts", texts))
    }
    print(f"p99 in milliseconds, 500 boards: {figures}")  # noqa: T201 - the figure is worth reading
    assert late[len(late) * 99 // 100] < WITHIN_S, figures
    assert texts[len(texts) * 99 // 100] < WITHIN_S, figures
