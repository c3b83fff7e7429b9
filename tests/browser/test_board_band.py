"""Whatever there is to say under the meter is said in time: a queue of wins, and what has no room at once."""

import re

import pytest
from playwright.sync_api import Page, expect

from jackpot.wire.snapshots import PoolShown
from tests.support.board_link import BoardLink, hit
from tests.support.page_time import live as live_within

QUEUE = """async ([wins, apart, room]) => {
  const loaded = performance.getEntriesByType('resource').map((one) => one.name);
  const { Band } = await import(loaded.find((one) => /band[^/]*[.]js/.test(one)));
  const band = new Band((lines) => lines.length <= room + 1);
  const sign = { main_pool: 'main', prizes: [{ prize: 'royal_flush', kind: 'share', share_ppm: 1000000 }] };
  const stages = Array.from({ length: wins }, (_, n) => n * apart);
  const from = {}, until = {};
  for (let now = 0; now < 300_000; now += 250) {
    const hits = stages.filter((at) => at <= now && now - at < 90_000).map((at, n) => ({
      hit: `T${n}/1/1/1/main`, table: `T${n}`, pool: 'main', prize: 'royal_flush', stage: 'won',
      stage_age_ms: now - at, amount_cents: '1',
    }));
    const said = band.of({ hits, pools: [] }, sign, String, String, now, now);
    for (const line of said?.lines ?? []) {
      const table = /T[0-9]+/.exec(line.join(' '))?.[0];
      if (table !== undefined) { from[table] ??= now - stages[Number(table.slice(1))]; until[table] = now; }
    }
  }
  return stages.map((at, n) => [from[`T${n}`] ?? -1, until[`T${n}`] - at - (from[`T${n}`] ?? 0)]);
}"""
"""How long after each win its words stand in the band for the first time, and for how long, in milliseconds."""


@pytest.mark.parametrize(("wins", "apart_ms"), [(3, 0), (9, 0), (20, 1_000), (50, 0)])
@pytest.mark.parametrize("room", [1, 3])
def test_no_win_is_said_later_than_two_minutes(
    page: Page, link: BoardLink, wins: int, apart_ms: int, room: int
) -> None:
    """However many wait, each is said within 120 s of its win; a minute long, unless the queue is longer than that."""
    page.goto(link.board)
    expect(page.get_by_text("Connecting")).to_be_visible()
    said = page.evaluate(QUEUE, [wins, apart_ms, room])
    assert all(0 <= late <= 120_250 for late, _ in said), said
    assert all(late == 0 for late, _ in said[:room])
    assert min(stood for _, stood in said) >= 2_000
    if wins <= 3 * room:
        assert all(59_000 <= stood <= 60_000 for _, stood in said), said


def test_what_does_not_fit_the_band_at_once_takes_turns(page: Page, link: BoardLink) -> None:
    """On a telephone on its side two hits are both seen, one after the other; who hears the page hears both at once."""
    page.clock.install()
    page.set_viewport_size({"width": 568, "height": 320})
    link.show(10_000_000)
    page.goto(link.board)
    expect(page.locator("body")).to_have_attribute("data-state", "live")
    both = [hit("pending", 1_000_000, prize="straight_flush"), hit("pending", 9_000_000, table="T3")]
    link.show(5_000_000, epoch=2, cause="award", hits=both)
    expect(page.locator("body")).to_have_attribute("data-band", "pending")
    heard = page.locator("#band .unseen")
    expect(heard).to_have_text(re.compile("STRAIGHT FLUSH HIT.*JACKPOT HIT.*NEW JACKPOT FROM"))
    seen = set()
    for _ in range(12):
        seen |= set(page.locator("#band p:not([hidden])").all_inner_texts())
        page.clock.fast_forward(2_000)
        live_within(page, link)
    assert {"STRAIGHT", "JACKPOT", "NEW"} <= {text.lstrip("◐ ").split(" ")[0] for text in seen}, seen
    link.show(hits=both[:1])
    expect(heard).not_to_contain_text("T3")


@pytest.mark.parametrize("others", [3, 7])
def test_no_hit_is_lost_among_pools_that_are_new(page: Page, link: BoardLink, others: int) -> None:
    """Where other terms begin with many pools their number is said, in one line; each hit and amount stays in sight."""
    page.set_viewport_size({"width": 320, "height": 568})
    link.show(9_000_000)
    page.goto(link.board)
    expect(page.locator("body")).to_have_attribute("data-state", "live")
    names = [f"grand_oceanic_community_major_{n:02}" for n in range(others)]
    link.show(pools=[PoolShown(name, 1, 1_234_567, 0, "") for name in ("main", *names)])
    link.show(5_000_000, epoch=2, cause="award", hits=[hit("pending")])
    expect(page.locator("#band")).to_contain_text("JACKPOT HIT")
    rows = page.locator("#band p:not([hidden])")
    assert " ".join(rows.all_inner_texts()).count("NEW") == 1
    expect(rows.last).to_have_text(f"{others + 1} NEW JACKPOTS")
