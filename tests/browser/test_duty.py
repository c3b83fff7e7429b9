"""The duty page in a browser: five answers with charts, greyed while the server is away, and right by itself after.

The page's own server is real; what it has counted is set by hand.
"""

import asyncio
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
from aiohttp import web
from playwright.sync_api import Page, Route, expect

from jackpot.core.hits import MOVES
from jackpot.serving.application import new_application
from jackpot.serving.assets import SHARED, Assets
from jackpot.telemetry import Telemetry
from jackpot.web.boards import BOARD_ASSETS
from jackpot.web.duty import Duty
from tests.support.browser import axe_violations
from tests.support.links import ScriptedDirectory, ScriptedLink

LINK = "southern"


@dataclass
class Post:
    """A server with its duty page, whose counts the test sets."""

    telemetry: Telemetry = field(default_factory=Telemetry)
    checks: dict[str, str] = field(default_factory=dict)
    url: str = ""

    def __post_init__(self) -> None:
        """Let the link run well with nothing played yet."""
        telemetry, assets = self.telemetry, Assets(SHARED, BOARD_ASSETS)
        telemetry.opened(LINK)
        telemetry.says(LINK, "running")
        telemetry.redis_up.set(1)
        telemetry.postgres.up.labels(LINK).set(1)
        for state in MOVES:
            telemetry.standing.hits.labels(LINK, state).set(0)
        for state in ("pending", "claimed", "disputed", "verified", "approved", "rejected"):
            telemetry.standing.hit_age.labels(LINK, state).set(0)
        self.duty = Duty(
            ScriptedDirectory(ScriptedLink()), lambda: [LINK], telemetry, lambda: self.checks, refresh=_nothing,
            assets=assets,
        )  # fmt: skip
        self.app = new_application(telemetry.requests)
        self.duty.add_to(self.app)
        assets.add_to(self.app)

    def state(self, question: str) -> str:
        """The selector of a question's section."""
        return f"section:has(h2:text-is('{question}'))"


def _nothing() -> None:
    """Gauges are set by hand."""


@pytest.fixture
def post() -> Iterator[Post]:
    """A duty page that answers, on a port of its own, in a thread of its own."""
    made, loop = Post(), asyncio.new_event_loop()
    runner = web.AppRunner(made.app)

    async def start() -> str:
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        return f"http://127.0.0.1:{runner.addresses[0][1]}"

    thread = threading.Thread(target=loop.run_forever, name="duty")
    thread.start()
    try:
        made.url = asyncio.run_coroutine_threadsafe(start(), loop).result(60)
        made.duty.sample()
        yield made
    finally:
        asyncio.run_coroutine_threadsafe(runner.cleanup(), loop).result(60)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(60)
        loop.close()


def test_a_hit_that_waits_turns_its_question_and_is_said_once(page: Page, post: Post) -> None:
    """State is shape and word; the reader hears the change; figures that tick are in no live region."""
    page.goto(f"{post.url}/duty")
    waiting = page.locator(post.state("Is a hit waiting?"))
    expect(waiting).to_have_attribute("data-state", "ok")
    expect(page.locator("section")).to_have_count(5)
    expect(page.locator("section svg")).to_have_count(9)
    post.telemetry.standing.hits.labels(LINK, "pending").set(1)
    post.telemetry.standing.hit_age.labels(LINK, "pending").set(660)
    post.duty.sample()
    expect(waiting).to_have_attribute("data-state", "stop")
    expect(waiting.locator(".state")).to_have_text("■ Wrong")
    expect(waiting.locator(".words")).to_have_text("Hits pending: 1, oldest 11 min")
    expect(page.locator("#said")).to_contain_text("Is a hit waiting? Hits pending: 1, oldest 11 min")
    assert axe_violations(page) == []


def test_facts_that_the_page_opened_are_closed_when_all_is_well_again(page: Page, post: Post) -> None:
    """What is wrong is laid open by itself, and folded again with it; what a person opened stays open."""
    page.goto(f"{post.url}/duty")
    facts = page.locator(f"{post.state('Is a hit waiting?')} details.facts")
    section = page.locator(post.state("Is a hit waiting?"))
    for by_person in (False, True):
        if by_person:
            facts.locator("summary").click()
        for waits, state in ((1, "stop"), (0, "ok")):
            post.telemetry.standing.hits.labels(LINK, "pending").set(waits)
            post.telemetry.standing.hit_age.labels(LINK, "pending").set(660 * waits)
            post.duty.sample()
            expect(section).to_have_attribute("data-state", state)
            expect(facts).to_have_js_property("open", value=by_person or state == "stop")


def test_money_has_its_currency_and_no_cent_that_is_not_known(page: Page, post: Post) -> None:
    """An amount past what a double tells to the cent is given without cents (case 40)."""
    page.goto(f"{post.url}/duty")
    newest = page.locator(f"{post.state('Is money safe?')} figcaption b")
    for cents, text in ((5_001_234, "AUD 50,012.34"), (9_007_199_254_740_993, "AUD 90,071,992,547,410")):
        post.telemetry.standing.liability.labels(LINK, "pools").set(cents)
        post.duty.sample()
        expect(newest).to_have_text(text)


def test_the_page_leads_to_what_each_board_says(page: Page, post: Post) -> None:
    """Who reads that boards are stale finds which of them."""
    page.goto(f"{post.url}/duty")
    leads = page.get_by_role("link", name="What each board says it shows")
    expect(leads).to_have_attribute("href", f"/boards/{LINK}/shown")
    assert axe_violations(page) == []


def test_a_server_that_is_away_is_said_and_comes_back_by_itself(page: Page, post: Post) -> None:
    """What stands there is greyed with its time; no person and no reload is needed when the server answers again."""
    page.goto(f"{post.url}/duty")
    expect(page.locator("section")).to_have_count(5)
    page.evaluate("window.mine = true")

    def away(route: Route) -> None:
        route.fulfill(status=503, content_type="text/html", body="<p>Bad gateway")

    page.route("**/duty/now*", away)
    expect(page.locator("#away")).to_contain_text("The server does not answer")
    expect(page.locator("#away")).to_contain_text("No table takes jackpot wagers")
    expect(page.locator("#process")).to_be_empty()
    expect(page.locator(post.state("Is a hit waiting?")).locator(".words")).to_have_text("Last known: None is.")
    expect(page.locator("#worst")).to_have_text("? Not known")
    expect(page.locator("section .state")).to_have_text(["? Not known"] * 5)
    expect(page.locator("section[data-state=ok], td.mark[data-state=ok]")).to_have_count(0)
    page.unroute("**/duty/now*", away)
    expect(page.locator("#away")).to_be_empty()
    expect(page.locator(post.state("Is a hit waiting?"))).to_have_attribute("data-state", "ok")
    expect(page.locator(post.state("Is a hit waiting?")).locator(".words")).to_have_text("None is.")
    expect(page.locator("#process")).to_contain_text("Server process")
    assert page.evaluate("window.mine") is True


def test_postgres_that_stands_still_turns_every_question(page: Page, post: Post) -> None:
    """While it does not answer nothing is called well, and the page says above all why the server is not ready."""
    page.goto(f"{post.url}/duty")
    expect(page.locator(post.state("Is a hit waiting?"))).to_have_attribute("data-state", "ok")
    post.telemetry.postgres.up.labels(LINK).set(0)
    post.checks[f"ledger/{LINK}"] = "the ledger was not read in the last seconds"
    post.duty.sample()
    expect(page.locator("section[data-state=ok]")).to_have_count(0)
    expect(page.locator(post.state("Is a hit waiting?")).locator(".words")).to_have_text(
        "Not known while Postgres does not answer."
    )
    expect(page.locator("#not-ready")).to_contain_text(
        "▲ This server is not ready. ledger/southern: the ledger was not read"
    )
    assert axe_violations(page) == []


def test_a_link_that_is_not_served_is_said_and_no_server_is_called_away(page: Page, post: Post) -> None:
    """A wrong link in the page's address: the page names it, shows no other link's figures, and cries no outage."""
    page.goto(f"{post.url}/duty?link=northern")
    expect(page.locator("#away")).to_contain_text("This server answers, but serves no link northern")
    expect(page.locator("section")).to_have_count(0)
    expect(page.get_by_text("Charts: the last hour")).to_be_hidden()
    expect(page.locator("#as-of")).to_have_text("No link northern here")
    assert axe_violations(page) == []
    expect(page.locator("#worst")).to_have_text("? Not known")
    page.get_by_role("link", name="Links it serves").click()
    expect(page.locator("section")).to_have_count(5)
    expect(page.get_by_text("Charts: the last hour")).to_be_visible()


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (320, 568)])
def test_nothing_is_cut_off(page: Page, post: Post, width: int, height: int) -> None:
    """At the office's size and the smallest, no part of the page is wider than the screen."""
    page.set_viewport_size({"width": width, "height": height})
    page.goto(f"{post.url}/duty")
    expect(page.locator("section")).to_have_count(5)
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


RING_LIES_OVER = """ring => [...document.querySelectorAll("summary")].flatMap(summary => {
  const own = summary.getBoundingClientRect();
  const words = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  const hit = own.height < 28 ? [`${summary.textContent}: ${own.height} px`] : [];
  for (let text = words.nextNode(); text; text = words.nextNode()) {
    const range = document.createRange();
    range.selectNodeContents(text);
    const lies = [...range.getClientRects()].some(r => r.width > 1 && r.top < own.bottom + ring &&
      r.bottom > own.top - ring && r.left < own.right + ring && r.right > own.left - ring);
    const seen = text.parentElement.checkVisibility() && !summary.contains(text);
    if (lies && seen) hit.push(`${summary.textContent}: ${text.data}`);
  }
  return hit;
})"""
"""Which words the focus ring of a table's summary would lie over, its gap with it; and which summary is under 28 px."""


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (820, 1180), (320, 568)])
def test_the_ring_around_a_summary_covers_no_words(page: Page, post: Post, width: int, height: int) -> None:
    """Whoever opens tables by keyboard or finger reads the row above and the one below, and hits each at 28 px."""
    for _ in range(3):
        post.duty.sample()
    page.set_viewport_size({"width": width, "height": height})
    page.goto(f"{post.url}/duty")
    expect(page.locator("section")).to_have_count(5)
    page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true; })")
    ring = page.evaluate(
        """() => ["--ring", "--ring-gap"].map(name => parseFloat(getComputedStyle(document.body)
        .getPropertyValue(name))).reduce((one, other) => one + other)"""
    )
    assert ring == 6
    assert page.evaluate(RING_LIES_OVER, ring) == []
    page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = false; })")
    assert page.evaluate(RING_LIES_OVER, ring) == []


def test_a_link_that_is_not_served_is_refused_by_name(page: Page, post: Post) -> None:
    """A wrong link in the address is a problem document that names it, not another link's figures."""
    answer = page.request.get(f"{post.url}/duty/now?link=northern")
    assert (answer.status, answer.json()["value"]) == (404, "northern")
