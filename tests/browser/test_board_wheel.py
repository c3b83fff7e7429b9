"""Wheels spell no wrong number, however fast amounts come, and cost a page that runs for months nothing (rows 1-5)."""

import json
import random
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.support.board_link import BoardLink
from tests.support.wheels import READ

FED = """() => {
  // The board's own feed is kept; events are given to it as if they had come over it.
  const native = window.EventSource;
  window.EventSource = class extends native { constructor(url) { super(url); window.source = this; } };
}"""
TELL = """() => {
  let commit = 1_000_000;
  let state = null;
  source.addEventListener('state', (event) => { if (event.isTrusted) { state = JSON.parse(event.data);
    event.stopImmediatePropagation(); } }, true);
  window.tell = (cents, more = {}) => {
    commit += 1;
    const pools = cents.map((each, n) => ({ pool: `p${n}`, epoch: 1, cents: String(each), last_fall_commit: 0,
      last_fall_cause: '', fall_age_ms: null,
      corrected_commit: 0, corrected_age_ms: null, epoch_age_ms: null, epoch_cents: null, ...more }));
    const sent_ms = Math.floor(performance.now());
    const data = { ...window.first, pools, commit, pays: [{ prize: 'straight_flush', cents: String(cents[0]),
      at_least: false }], age_ms: 0, sent_ms: undefined };
    source.dispatchEvent(new MessageEvent('state', { data: JSON.stringify(data) }));
  };
}"""


def quiet_board(page: Page, link: BoardLink) -> None:
    """Open the board, then let nothing come but what `tell(cents)` gives it, by the way of its own feed."""
    page.add_init_script(f"({FED})()")
    link.show(6_000_000)
    page.goto(link.board)
    expect(page.locator("body")).to_have_attribute("data-state", "live")
    page.evaluate(
        "async (url) => { window.first = (await (await fetch(url)).json()).state; }", f"{link.board}/feed?format=json"
    )
    link.silence()
    page.evaluate(f"({TELL})()")
    page.evaluate(f"({READ})()")


def heap(page: Page, collector: Any) -> tuple[int, int]:
    """Bytes of the page's heap and its nodes, after everything that can be collected was."""
    page.evaluate("() => undefined")
    collector.send("HeapProfiler.collectGarbage")
    collector.send("HeapProfiler.collectGarbage")
    used = collector.send("Runtime.getHeapUsage")["usedSize"]
    nodes = page.evaluate("() => document.querySelectorAll('*').length")
    return int(used), int(nodes)


def test_updates_during_a_roll_end_on_the_newest(page: Page, link: BoardLink) -> None:
    """Mistake 1: 200 updates 10 to 400 ms apart; 300 ms after the last, wheels, truth and what was sent agree."""
    quiet_board(page, link)
    chosen = random.Random(1)
    steps = [
        (
            chosen.choice((10, 10, 20, 20, 30, 40, 60, 90, 120, 400) if n % 3 == 0 else (10, 20, 40)),
            chosen.randint(1, 400),
        )
        for n in range(200)
    ]
    page.evaluate(
        """async (steps) => {
          window.sent = 6_000_000;
          for (const [wait, cents] of steps) {
            await new Promise((go) => setTimeout(go, wait));
            sent += cents;
            tell([sent]);
          }
          await new Promise((go) => setTimeout(go, 300));
        }""",
        steps,
    )
    sent = str(6_000_000 + sum(cents for _, cents in steps))
    assert page.evaluate("wheels()") == [sent]
    assert page.evaluate("truths()") == [sent]


def test_wheels_never_spell_more_than_is_owed_nor_fall(page: Page, link: BoardLink) -> None:
    """Mistake 2: at each of 10,000 moments of thousands of ways, no wheel is ahead of the truth and none turns back."""
    quiet_board(page, link)
    found = page.evaluate(
        """async () => {
          const { Meter } = await import([...performance.getEntriesByType('resource')]
            .map((one) => one.name).find((name) => name.includes('/meter.')));
          const host = document.createElement('div');
          host.innerHTML = '<p class=amount><data></data></p>';
          document.body.append(host);
          const meter = new Meter(host, { roll: 240, fade: 0 });
          const read = () => wheels().at(-1);
          let seed = 7, now = 0, cents = 9_99_990, before = 0n;
          const next = (most) => { seed = (seed * 48271) % 2147483647; return seed % most; };
          meter.show(String(cents), '$9,999.90', 1, now, true);
          const faults = [];
          for (let step = 0; step < 10_000; step += 1) {
            now += 1 + next(60);
            if (next(4) === 0) {
              cents += [1, 1, 2, 3, 22, 154, 9_999][next(7)];
              const text = (cents / 100).toLocaleString('en', { minimumFractionDigits: 2 });
              meter.show(String(cents), `$${text}`, 1, now, false);
            }
            meter.paint(now);
            const shown = BigInt(read());
            if (shown > BigInt(cents) || shown < before) faults.push([step, String(shown), cents, String(before)]);
            before = shown;
          }
          host.remove();
          return faults;
        }"""
    )
    assert found == []


def test_a_fall_is_set_at_once(page: Page, link: BoardLink) -> None:
    """What falls for a named cause is there within a frame: no wheel ever turns down."""
    quiet_board(page, link)
    page.evaluate("() => tell([6_000_100])")
    page.evaluate("() => tell([5_000_000], { last_fall_commit: 9_000_000, last_fall_cause: 'award' })")
    page.evaluate("() => new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)))")
    assert page.evaluate("wheels()") == ["5000000"]


def test_a_fall_without_a_cause_is_not_believed(page: Page, link: BoardLink) -> None:
    """A meter never goes down but for a named cause: what says otherwise vouches for nothing."""
    quiet_board(page, link)
    page.evaluate("() => { tell([6_000_100]); tell([5_000_000]); }")
    assert page.evaluate("truths()") == ["6000100"]


def test_amounts_past_what_a_number_holds_are_right(page: Page, link: BoardLink) -> None:
    """$90,071,992,547,409.93 on wheels and in words: no cent is lost (case 40)."""
    link.show(9_007_199_254_740_993)
    page.goto(link.board)
    expect(page.locator("#meter data")).to_have_text("$90,071,992,547,409.93")
    page.evaluate(f"({READ})()")
    page.wait_for_function("() => wheels()[0] === '9007199254740993'")


def seconds_of_snapshots(page: Page, seconds: int, first: int) -> dict[str, Any]:
    """Give the board 50 snapshots a second of four pools, each counted on from `first`; what it drew meanwhile."""
    found: dict[str, Any] = page.evaluate(
        """([snapshots, first]) => new Promise((go) => {
          const native = window.requestAnimationFrame;
          const frames = new Set();
          let drawn = 0, n = first;
          window.requestAnimationFrame = (act) => native.call(window, (now) => {
            drawn += 1;
            frames.add(now);
            act(now);
          });
          const timer = setInterval(() => {
            n += 1;
            tell([6_000_001 + n * 22, 2_000_000 + n * 7, 90_000 + n * 3, 5_000 + n]);
            if (n < first + snapshots) return;
            clearInterval(timer);
            setTimeout(() => {
              window.requestAnimationFrame = native;
              go({ drawn, frames: frames.size, wheels: wheels(), sent: truths() });
            }, 400);
          }, 20);
        })""",
        [seconds * 50, first],
    )
    return found


def longest_task_ms(traced: bytes) -> float:
    """How many milliseconds the longest task of the page's thread took, at most.

    By the wall a task is as long as it was kept waiting too; the processor's time is counted in coarse grains, so that
    it may exceed the wall's. Neither is ever less than what the task took, so the lesser of the two holds.
    """
    events = json.loads(traced)["traceEvents"]
    pages = {
        (each["pid"], each["tid"])
        for each in events
        if each["name"] == "thread_name" and each["args"]["name"] == "CrRendererMain"
    }
    tasks = [each for each in events if (each["pid"], each["tid"]) in pages and each["name"].endswith("::RunTask")]
    assert len(tasks) > 100
    return float(max(min(each.get("dur", 0), each.get("tdur", 0)) for each in tasks)) / 1000


def test_fast_updates_do_not_slow_the_page(
    page: Page, context: BrowserContext, link: BoardLink, browser: Browser, record_property: Any
) -> None:
    """Mistake 3: four pools, 50 snapshots a second for 60 s, a processor four times slower: no task over 50 ms.

    A task is four times as long as it takes at full speed: Chromium slows a page by the clock on the wall, so that
    whatever else the machine runs would be counted four times too. What is drawn is seen in a page that is so slowed:
    once a frame at most, and what was sent last is there soon.
    """
    quiet_board(page, link)
    page.evaluate("() => tell([6_000_001, 2_000_000, 90_000, 5_000])")
    longest = 0.0
    for part in range(6):
        browser.start_tracing(page=page, categories=["-*", "toplevel"])
        found = seconds_of_snapshots(page, 10, part * 500)
        longest = max(longest, longest_task_ms(browser.stop_tracing()))
        assert found["wheels"] == found["sent"]
        assert found["drawn"] == found["frames"]
    record_property("longest_task_ms", longest)
    print(f"longest task in 60 s: {longest:.1f} ms at full speed")  # noqa: T201  the figure is part of the result
    assert 4 * longest <= 50
    context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": 4})
    slowed = seconds_of_snapshots(page, 5, 3_000)
    assert slowed["drawn"] == slowed["frames"]
    page.wait_for_function("(cents) => wheels()[0] === cents", arg=str(6_000_001 + 3_250 * 22))


def test_a_hidden_page_does_nothing_and_is_right_when_shown(
    page: Page, context: BrowserContext, link: BoardLink
) -> None:
    """Mistake 4: hidden, 5,000 updates: nothing animates, the heap stays; shown, it is right within a frame."""
    quiet_board(page, link)
    collector = context.new_cdp_session(page)
    page.evaluate(
        """() => { window.veil = (hidden) => {
          Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });
          document.dispatchEvent(new Event('visibilitychange'));
        }; veil(true); }"""
    )
    page.evaluate("() => { for (let n = 0; n < 500; n += 1) tell([6_000_000 + n]); }")
    before, nodes = heap(page, collector)
    moving = page.evaluate(
        """() => {
          let moving = 0;
          for (let n = 500; n < 5_500; n += 1) {
            tell([6_000_000 + n], n % 100 === 0 ? { epoch: n } : { epoch: Math.floor(n / 100) * 100 });
            moving = Math.max(moving, document.getAnimations().length);
          }
          return moving;
        }"""
    )
    after, nodes_after = heap(page, collector)
    assert (moving, nodes_after) == (0, nodes)
    assert after - before < 256 * 1024
    page.evaluate("() => veil(false)")
    assert page.evaluate("wheels()") == ["6005499"]


def test_a_hundred_thousand_updates_leave_nothing_behind(
    page: Page, context: BrowserContext, link: BoardLink, record_property: Any
) -> None:
    """Mistake 5: after 100,000 updates of three pools the heap has grown by 256 KiB at most, and no node is new."""
    quiet_board(page, link)
    collector = context.new_cdp_session(page)
    run = """async ([from, to]) => {
      for (let n = from; n < to; n += 1) {
        tell([6_000_000 + n * 22, 2_000_000 + n, 200_000 + n]); // each is taken: none falls
        if (n % 500 === 0) await new Promise((go) => requestAnimationFrame(go));
      }
    }"""
    page.evaluate("window.first.hits = []")
    page.evaluate(run, [1, 5_000])
    before, nodes = heap(page, collector)
    page.evaluate(run, [5_000, 105_000])
    assert page.evaluate("truths()") == ["8309978", "2104999", "304999"]
    after, nodes_after = heap(page, collector)
    growth = after - before
    record_property("heap_growth_bytes", growth)
    print(f"heap growth after 100,000 updates: {growth / 1024:.1f} KiB, nodes {nodes_after - nodes:+d}")  # noqa: T201  the figure is part of the result
    assert growth <= 256 * 1024
    assert nodes_after == nodes


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_reduced_motion_sets_wheels_at_once(page: Page, link: BoardLink, motion: Any) -> None:
    """Who asked for less motion sees the newest amount in the next frame; others see wheels on their way to it."""
    page.emulate_media(reduced_motion=motion)
    quiet_board(page, link)
    page.evaluate("() => tell([6_000_000])")
    shown = page.evaluate(
        """async () => { tell([6_009_000]);
        await new Promise((go) => requestAnimationFrame(go)); return wheels()[0]; }"""
    )
    assert (shown == "6009000") == (motion == "reduce")
