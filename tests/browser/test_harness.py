"""The harness itself: axe finds what is wrong with a page, and the fake link shows what it is told."""

from playwright.sync_api import Page, expect

from tests.support.board_link import BoardLink, hit
from tests.support.browser import apart, axe_violations
from tests.support.serving import run


def test_axe_names_what_is_wrong(page: Page, link: BoardLink) -> None:
    """A picture without words is found, and nothing else is where all else is well."""
    page.goto(f"{link.url}/assets/none")
    page.set_content("<html lang=en><title>A</title><main><h1>A</h1><img src='data:,'></main></html>")
    assert [each.split(" ")[0] for each in axe_violations(page)] == ["image-alt"]
    assert axe_violations(page, without=("image-alt",)) == []


def test_a_link_shows_what_it_is_told(page: Page, link: BoardLink) -> None:
    """A snapshot with a hit reaches the page; the board says back what it shows."""
    link.show(6_000_000)
    page.goto(link.board)
    expect(page.locator("data").first).to_have_attribute("value", "6000000")
    link.show(5_000_000, epoch=2, cause="award", hits=[hit("pending", 6_000_000)])
    expect(page.get_by_text("TABLE T12")).to_be_visible()


async def one() -> int:
    """A coroutine of a test's own."""
    return 1


def test_a_coroutine_runs_beside_the_browser(page: Page) -> None:
    """While the browser's own loop runs in this thread, coroutines run in another."""
    assert page.url == "about:blank"
    assert apart(lambda: run(one())) == 1
