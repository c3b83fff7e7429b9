"""A wall screen does not run last month's code, and never reloads into nothing (UX 1, mistake 8; 05:00)."""

import datetime as dt
import re
import time
import zoneinfo

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.support.board_link import BoardLink, Manner
from tests.support.page_time import ANSWER_S, live

MINUTE_S = 60
AT_NIGHT = dt.datetime(2026, 11, 28, 3, 59, 0, tzinfo=zoneinfo.ZoneInfo("Australia/Sydney"))
"""By the clock of the link's terms; the machine that shows the board is elsewhere."""
TO_FIVE_S = 61 * MINUTE_S


def begun(page: Page, link: BoardLink, at: dt.datetime | None = None) -> list[str]:
    """Load a board until it is live, its time in the test's hand; the list of its loads from then on."""
    page.clock.install(time=at)
    link.show(6_000_000)
    page.goto(link.board)
    expect(page.locator("body")).to_have_attribute("data-state", "live")
    loads: list[str] = []
    page.on("load", lambda loaded: loads.append(loaded.url))
    return loads


def pass_by(page: Page, link: BoardLink, seconds: int) -> None:
    """Let so many seconds go by on the page, with what a live link tells in each of them."""
    for _ in range(seconds):
        page.clock.fast_forward(1_000)
        link.pass_by(1)
        cents = 6_000_000 + link.show(6_000_000 + link.commit + 1)
        expect(page.locator("#meter data")).to_have_attribute("value", str(cents))


def pass_by_alone(page: Page, link: BoardLink, seconds: int) -> None:
    """Let so many seconds go by on the page, and its server says nothing."""
    for _ in range(seconds):
        page.clock.fast_forward(1_000)
    link.pass_by(seconds)


def pass_by_at_once(page: Page, link: BoardLink, seconds: int) -> None:
    """Let so many seconds be gone at once, and as many more until the board is live after them."""
    page.clock.fast_forward(seconds * 1_000)
    link.pass_by(seconds)
    live(page, link)


def is_loaded_anew(page: Page, link: BoardLink, loads: list[str], within_s: int = MINUTE_S) -> None:
    """Let seconds go by with what a live link tells, until the page is loaded anew: within so many, and once."""
    for _ in range(within_s):
        pass_by(page, link, 1)
        if loads:
            break
    until_s = time.monotonic() + ANSWER_S
    while not loads and time.monotonic() < until_s:  # what it fetches first takes no time of the page's
        page.wait_for_timeout(50)
    assert loads == [link.board]


def comes_back(page: Page, link: BoardLink, loads: list[str]) -> None:
    """With its server well again the board is live soon, and within a minute loaded anew, once."""
    link.answer("well")
    live(page, link)
    is_loaded_anew(page, link, loads)
    pass_by(page, link, MINUTE_S)
    assert loads == [link.board]


def test_other_assets_are_loaded_exactly_once(page: Page, link: BoardLink) -> None:
    """When the feed names another version, the page loads anew within a minute, once, and not again in ten minutes."""
    loads = begun(page, link)
    link.change_page("0123456789ab")
    is_loaded_anew(page, link, loads)
    expect(page.locator("body")).to_have_attribute("data-page", "0123456789ab")
    expect(page.locator("body")).to_have_attribute("data-state", "live")
    pass_by(page, link, 2 * MINUTE_S)
    assert loads == [link.board]


@pytest.mark.parametrize("manner", ["refuse", "login"])
def test_nothing_is_loaded_while_the_server_is_down(page: Page, link: BoardLink, manner: Manner) -> None:
    """A version named by a server that is then away, or behind a login page, loads nothing: the page stays.

    It says that it is not live, and is loaded anew when its server is there again.
    """
    loads = begun(page, link)
    link.change_page("0123456789ab")
    link.answer(manner)
    pass_by_alone(page, link, MINUTE_S)
    expect(page.locator("#alarm")).to_contain_text("DISPLAY OFFLINE")
    assert loads == []
    comes_back(page, link, loads)


def test_each_morning_at_five_the_page_is_loaded_once(page: Page, link: BoardLink) -> None:
    """Between 05:00 and 05:01 by the link's own time, and not again that morning."""
    loads = begun(page, link, AT_NIGHT)
    pass_by_at_once(page, link, TO_FIVE_S - 40)
    expect(page.locator("#live")).to_have_text(re.compile("● LIVE 04:59:"))
    assert loads == []
    is_loaded_anew(page, link, loads, MINUTE_S + 40)
    expect(page.locator("body")).to_have_attribute("data-state", "live")
    pass_by(page, link, 2 * MINUTE_S)
    assert loads == [link.board]


@pytest.mark.parametrize("away", ["/boards/southern", ".js"])
def test_the_morning_loads_only_a_page_that_works(
    page: Page, context: BrowserContext, link: BoardLink, away: str
) -> None:
    """Where the page or one of its scripts is not to be had at five, the page runs on until they are."""
    loads = begun(page, link, AT_NIGHT)
    link.away = away
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.setCacheDisabled", {"cacheDisabled": True})  # a screen keeps nothing for ever
    pass_by_at_once(page, link, TO_FIVE_S - 40)
    pass_by(page, link, 2 * MINUTE_S + 20)
    assert loads == []
    assert link.loads >= 1 + 3
    expect(page.locator("body")).to_have_attribute("data-state", "live")
    link.away = ""
    is_loaded_anew(page, link, loads, 15)


def test_a_board_that_is_not_live_at_five_is_left_alone(page: Page, link: BoardLink) -> None:
    """A page that says NOT LIVE is not exchanged for one that could say nothing; nothing is even asked for."""
    loads = begun(page, link, AT_NIGHT)
    pass_by_at_once(page, link, TO_FIVE_S - 40)
    link.answer("503")
    asked = link.loads
    pass_by_alone(page, link, 2 * MINUTE_S)
    expect(page.locator("#alarm")).to_contain_text("DISPLAY OFFLINE")
    assert (loads, link.loads) == ([], asked)
    comes_back(page, link, loads)
