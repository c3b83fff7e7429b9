"""A wall screen does not run last month's code, and never reloads into nothing (UX 1, mistake 8)."""

from playwright.sync_api import Page, expect

from tests.support.board_link import BoardLink

WITHIN_MS = 60_000
LONG_ENOUGH_MS = 12_000
"""Longer than the page waits before it follows a new version, and then before it asks again."""


def begun(page: Page, link: BoardLink) -> list[str]:
    """Load a board until it is live; the list of its loads from then on."""
    link.show(6_000_000)
    page.goto(link.board)
    expect(page.locator("body")).to_have_attribute("data-state", "live")
    loads: list[str] = []
    page.on("load", lambda loaded: loads.append(loaded.url))
    return loads


def test_other_assets_are_loaded_exactly_once(page: Page, link: BoardLink) -> None:
    """When the feed names another version, the page loads anew within a minute, once, and is live."""
    loads = begun(page, link)
    with page.expect_event("load", timeout=WITHIN_MS):
        link.change_page("0123456789ab")
    expect(page.locator("body")).to_have_attribute("data-page", "0123456789ab")
    expect(page.locator("body")).to_have_attribute("data-state", "live")
    for _ in range(LONG_ENOUGH_MS // 1_000):
        page.evaluate("() => new Promise(done => setTimeout(done, 1000))")
    assert loads == [link.board]


def test_nothing_is_loaded_while_the_server_is_down(page: Page, link: BoardLink) -> None:
    """A new version named by a server that is then away loads nothing: the page stays and says that it is not live."""
    loads = begun(page, link)
    link.change_page("0123456789ab")
    link.answer("refuse")
    expect(page.locator("#alarm")).to_contain_text("NOT LIVE", timeout=7_000)
    for _ in range(LONG_ENOUGH_MS // 1_000):
        page.evaluate("() => new Promise(done => setTimeout(done, 1000))")
    assert loads == []
    link.answer("well")
    with page.expect_event("load", timeout=WITHIN_MS):
        pass
    assert loads == [link.board]


def test_a_login_page_is_not_loaded(page: Page, link: BoardLink) -> None:
    """Where the address leads to something else by then, that is not what a hall shall look at."""
    loads = begun(page, link)
    link.change_page("0123456789ab")
    link.answer("login")
    expect(page.locator("#alarm")).to_contain_text("NOT LIVE", timeout=7_000)
    link.answer("well")
    with page.expect_event("load", timeout=WITHIN_MS):
        pass
    assert loads == [link.board]
