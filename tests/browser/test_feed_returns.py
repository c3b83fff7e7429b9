"""A board comes back by itself from whatever a network, a proxy or a server does to its feed (mistakes 6 to 8)."""

import pytest
from playwright.sync_api import Page, expect

from tests.support.board_link import BoardLink, Manner

LIVE_WITHIN_MS = 12_000


def is_live(page: Page, within_ms: int = LIVE_WITHIN_MS) -> None:
    """Wait until the board says that it is live."""
    expect(page.locator("body")).to_have_attribute("data-state", "live", timeout=within_ms)


def is_not_live(page: Page, within_ms: int) -> None:
    """Wait until the board says that it is not live, in words."""
    expect(page.get_by_text("NOT LIVE")).to_be_visible(timeout=within_ms)


def test_a_stream_that_is_half_dead_is_not_live(page: Page, link: BoardLink) -> None:
    """A server that is stopped with its sockets open: NOT LIVE within 6 s, live within 12 s once it goes on."""
    link.show(6_000_000)
    page.goto(link.board)
    is_live(page)
    link.answer("freeze")
    is_not_live(page, 6_000)
    link.answer("well")
    is_live(page)
    assert link.loads == 1


@pytest.mark.parametrize("manner", ["503", "204", "login", "html", "refuse"])
def test_a_feed_that_was_answered_badly_comes_back(page: Page, link: BoardLink, manner: Manner) -> None:
    """After answers that end a browser's own attempts for good, the board is live within 12 s, without a reload."""
    link.show(6_000_000)
    page.goto(link.board)
    is_live(page)
    link.answer(manner)
    is_not_live(page, 7_000)
    link.answer("well")
    link.show(6_000_100)
    is_live(page)
    expect(page.locator("data").first).to_have_attribute("value", "6000100")
    assert link.loads == 1
