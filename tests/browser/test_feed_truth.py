"""What a page says is what the feed sent and the terms hold, to the last digit."""

import json
import time
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from jackpot.web.sign import pays_now, sign_of
from rules.terms import Terms, fingerprint
from tests.support.board_link import BoardLink
from tests.support.terms import demo_terms

HUGE = 9_007_199_254_740_993
"""The first number of cents that a browser's Number cannot hold."""


def eventually_in(page: Page, happened: Callable[[], bool]) -> None:
    """Let the page run on until something has happened at the server."""
    until = time.monotonic() + 300
    while not happened():
        assert time.monotonic() < until
        page.wait_for_timeout(50)


def written(cents: int) -> str:
    """An amount as a board writes it."""
    return f"${cents // 100:,}.{cents % 100:02}"


def test_a_meter_that_no_number_holds_is_shown_to_the_cent(page: Page, link: BoardLink) -> None:
    """$90,071,992,547,409.93 reaches the page, its text and what it reports without losing a digit (case 40)."""
    link.show(HUGE)
    with page.expect_response(lambda answer: answer.url.endswith("/shown")) as told:
        page.goto(link.board)
        expect(page.locator("body")).to_have_attribute("data-state", "live")
        main = page.locator("#meter data")
        expect(main).to_have_attribute("value", str(HUGE))
        assert (main.text_content() or "").endswith("$90,071,992,547,409.93")
    assert json.loads(told.value.request.post_data or "")["painted_cents"] == str(HUGE)
    one = page.request.get(f"{link.board}/feed?format=json").json()
    assert one["state"]["pools"][0]["cents"] == str(HUGE)


@pytest.mark.parametrize(("address", "missed"), [("", 0), ("?board=hall1", 1)])
def test_a_page_that_somebody_closes_is_not_missed_but_a_screen_of_the_site_is(
    page: Page, link: BoardLink, address: str, missed: int
) -> None:
    """Who looked at a board and went leaves no stale board behind; a screen with a name does, however it ended."""
    link.show(5_000_000)
    page.goto(f"{link.board}{address}")
    expect(page.locator("body")).to_have_attribute("data-state", "live")
    eventually_in(page, lambda: link.boards.reporting("southern") == 1)
    page.goto("about:blank")
    eventually_in(page, lambda: link.telemetry.boards_connected.labels("southern")._value.get() == 0)
    eventually_in(page, lambda: link.boards.reporting("southern") == missed)


def test_a_board_says_what_the_terms_say(page: Page, link: BoardLink) -> None:
    """Price, each prize, what a prize pays now and the fingerprint are those of the terms (case 49)."""
    terms: Terms = demo_terms()
    meter = 12_345_678
    link.show(meter)
    page.goto(link.board)
    expect(page.locator("body")).to_have_attribute("data-state", "live")
    text = " ".join((page.locator("body").text_content() or "").split())
    sign = sign_of(terms)
    assert written(int(sign.wager_cents)) in text
    for now in pays_now(terms, {"main": meter}):
        assert written(int(now.cents)) in text, now
    name = fingerprint(terms)
    assert " ".join(name[at : at + 4] for at in range(0, len(name), 4)) in text
