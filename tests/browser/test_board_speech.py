"""Who hears a board hears its amount when they ask, and its state when it changes, and nothing ticking (mistake 10)."""

import pytest
from playwright.sync_api import Page, expect

from tests.support.board_link import BoardLink, hit
from tests.support.browser import axe_violations

COUNT = """() => {
  window.said = [];
  const seen = new MutationObserver((changes) => said.push(...changes.map((one) => one.target.textContent)));
  for (const role of ['status', 'alert']) {
    seen.observe(document.querySelector(`[role=${role}]`), { subtree: true, childList: true, characterData: true });
  }
}"""


def test_ticking_amounts_are_never_announced(page: Page, link: BoardLink) -> None:
    """1,000 ticks change nothing in the live regions; the accessible text is the truth of the last."""
    link.show(6_000_000)
    page.goto(link.board)
    expect(page.locator("body")).to_have_attribute("data-state", "live")
    assert page.locator("[role=status]").count() == page.locator("[role=alert]").count() == 1
    page.evaluate(COUNT)
    for n in range(1, 1_001):
        link.show(6_000_000 + n * 22)
    expect(page.locator("#meter data")).to_have_attribute("value", str(6_000_000 + 22_000))
    assert page.evaluate("said") == []
    expect(page.locator("main")).to_match_aria_snapshot(
        '- heading "Royal flush jackpot" [level=1]\n- paragraph: $60,220.00'
    )


def test_a_change_of_state_is_said_once(page: Page, link: BoardLink) -> None:
    """Beats and amounts after a hit say nothing more: its words are set once."""
    link.show(6_000_000)
    page.goto(link.board)
    expect(page.locator("body")).to_have_attribute("data-state", "live")
    expect(page.locator("[role=status]")).to_have_text("")
    expect(page.locator("[role=alert]")).to_have_text("")
    page.evaluate(COUNT)
    link.show(hits=[hit("pending")])
    expect(page.locator("[role=status]")).to_contain_text("BEING CHECKED")
    heard = page.evaluate("said.length")
    for n in range(1, 101):
        link.show(6_000_000 + n)
    expect(page.locator("#meter data")).to_have_attribute("value", "6000100")
    assert page.evaluate("said.length") == heard


@pytest.mark.parametrize(
    ("state", "size"),
    [
        ("live", (1920, 1080)),
        ("live", (1080, 1920)),
        ("live", (320, 568)),
        ("pending", (1920, 1080)),
        ("suspended", (320, 568)),
        ("connecting", (1080, 1920)),
    ],
)
def test_axe_finds_nothing(page: Page, link: BoardLink, state: str, size: tuple[int, int]) -> None:
    """No state is hard to read or hear, by axe-core."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    if state != "connecting":
        hits = [hit("pending")] if state == "pending" else []
        link.show(8_421_055, hits=hits, status="stopped" if state == "suspended" else "running")
    page.goto(link.board)
    expect(page.locator("body")).to_have_attribute("data-state", "live" if state == "pending" else state)
    assert axe_violations(page) == []
