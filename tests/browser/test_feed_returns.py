"""A board comes back by itself from whatever a network, a proxy or a server does to its feed (mistakes 6 to 8)."""

import time
from contextlib import ExitStack

from playwright.sync_api import BrowserContext, Page, expect

from tests.support.board_link import BoardLink, Manner, board_link
from tests.support.browser import soon
from tests.support.own_time import own_time

LIVE_WITHIN_S = 12.0
BROKEN_S = 20.0


def is_live(page: Page, within_s: float = LIVE_WITHIN_S) -> None:
    """Wait until the board says that it is live."""
    soon(page, within_s, lambda: page.locator("body").get_attribute("data-state") == "live")


def is_not_live(page: Page, within_s: float) -> None:
    """Wait until the board says that it is not live, in words."""
    soon(page, within_s, lambda: page.get_by_text("NOT LIVE").is_visible())


def test_a_stream_that_is_half_dead_is_not_live(page: Page, link: BoardLink) -> None:
    """A server that is stopped with its sockets open: NOT LIVE within 6 s, live within 12 s once it goes on."""
    link.show(6_000_000)
    page.goto(link.board)
    is_live(page)
    link.answer("freeze")
    is_not_live(page, 6)
    link.answer("well")
    is_live(page)
    assert link.loads == 1


def test_feeds_that_were_answered_badly_for_20_s_come_back(context: BrowserContext) -> None:
    """After 20 s of answers that end a browser's own attempts for good: live within 12 s, nobody near, no reload.

    One board for each way of answering, all in the same 20 s; none shows its amount as live at the end of them.
    """
    manners: tuple[Manner, ...] = ("503", "204", "login", "html", "refuse")
    with ExitStack() as stack:
        links = {manner: stack.enter_context(board_link()) for manner in manners}
        pages = {manner: context.new_page() for manner in manners}
        for manner, link in links.items():
            link.show(6_000_000)
            pages[manner].goto(link.board)
            is_live(pages[manner])
        for manner, link in links.items():
            link.answer(manner)
        began = time.monotonic()
        for page in pages.values():
            is_not_live(page, BROKEN_S)
        page.wait_for_timeout(max(0.0, BROKEN_S - (time.monotonic() - began)) * 1_000)
        for manner, link in links.items():
            expect(pages[manner].locator("body")).to_have_attribute("data-state", "stale")
            link.answer("well")
            link.show(6_000_100)
        with own_time() as passed:
            for manner, link in links.items():
                is_live(pages[manner])
                expect(pages[manner].locator("data").first).to_have_attribute("value", "6000100")
                assert link.loads == 1, manner
            assert passed() < LIVE_WITHIN_S
