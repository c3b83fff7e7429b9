"""Digits and words stay whole and inside at every size a board is made for (mistake 9)."""

from collections.abc import Callable
from dataclasses import replace

import msgspec
import pytest
from playwright.sync_api import Page, expect

from jackpot.wire.snapshots import PoolShown
from rules.terms import Terms
from tests.support.board_link import BoardLink, hit
from tests.support.browser import SIZES
from tests.support.page_time import live as live_within
from tests.support.terms import demo_terms

OUTSIDE = """() => {
  const faults = [];
  const { innerWidth, innerHeight } = window;
  const within = (box, name) => {
    if (box.left < -0.5 || box.top < -0.5 || box.right > innerWidth + 0.5 || box.bottom > innerHeight + 0.5) {
      faults.push(`${name} outside: ${box.left} ${box.top} ${box.right} ${box.bottom}`);
    }
  };
  const seen = (node) => node.getClientRects().length > 0 && getComputedStyle(node).visibility === 'visible';
  const box = (node) => node.getBoundingClientRect();
  const meters = [...document.querySelectorAll('.wheels')].filter((row) => row.children.length > 0);
  for (const row of meters) {
    for (const slot of row.children) {
      within(box(slot), slot.className);
      // A glyph as it is written, against the wheel that it stands in.
      const cell = slot.querySelector('.cell') ?? slot;
      const range = document.createRange();
      range.selectNodeContents(cell);
      const glyph = range.getBoundingClientRect();
      if (slot.className === 'wheel' && glyph.width > box(slot).width + 0.6) faults.push('glyph wider than its wheel');
    }
    const place = box(row.closest('.amount'));
    const digits = box(row);
    if (digits.width > place.width + 1 || digits.height > place.height + 1) faults.push('an amount outgrows its place');
    if (parseFloat(getComputedStyle(row).fontSize) < 28) faults.push('digits under 28 px');
  }
  const words = [...document.querySelectorAll('header p, #title p, #pays p, #band p, #alarm p, #terms, #pools .label')];
  for (const node of words.filter((one) => seen(one) && one.textContent !== '')) {
    const range = document.createRange();
    range.selectNodeContents(node);
    within(range.getBoundingClientRect(), node.textContent);
    if (parseFloat(getComputedStyle(node).fontSize) < 14) faults.push(`under 14 px: ${node.textContent}`);
    if (node.scrollWidth > node.clientWidth + 1) faults.push(`cut: ${node.textContent}`);
    if (getComputedStyle(node).textOverflow === 'ellipsis') faults.push('an ellipsis');
    const place = box(node.closest('#band, #alarm, #pays > div') ?? document.body);
    const row = range.getBoundingClientRect();
    if (row.top < place.top - 1 || row.bottom > place.bottom + 1) faults.push(`cut by its place: ${node.textContent}`);
    if (row.left < place.left - 1 || row.right > place.right + 1) faults.push(`too wide: ${node.textContent}`);
  }
  // What stands in one row of the plan does not run into the next.
  const rows = ['.amount .wheels', '#pays > div:first-child', '#pools', '#band', '#terms'];
  const blocks = rows.map((one) => document.querySelector(one)).filter((one) => one !== null && seen(one)).map(box)
    .filter((one) => one.height > 0 && one.width > 0);
  for (const [n, one] of blocks.entries()) for (const other of blocks.slice(n + 1)) {
    const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
    const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
    if (across > 1 && down > 1) faults.push(`two blocks overlap by ${Math.round(down)} px`);
  }
  return faults;
}"""
NEARER_TO_ANOTHER = """() => {
  const box = (node) => node.getBoundingClientRect();
  const labels = [...document.querySelectorAll('#pools .label')];
  return [...document.querySelectorAll('#pools .pool')].filter((item) => {
    const [own, amount] = [box(item.querySelector('.label')), box(item.querySelector('.wheels'))];
    return labels.map(box).some((other) => other.top > own.bottom
      && Math.min(other.right, amount.right) > Math.max(other.left, amount.left)
      && other.top - amount.bottom < amount.top - own.bottom);
  }).map((item) => item.textContent);
}"""
TAKEN_FOR_THE_MAIN = """() => {
  const size = (node) => parseFloat(getComputedStyle(node).fontSize);
  const main = size(document.querySelector('#meter .amount'));
  return [...document.querySelectorAll('#pools .amount')].map(size).filter((one) => one > 0.62 * main + 0.1);
}"""
STANDS = """() => ['#title p', '#meter .wheels', '#pays', '#pools', '#band', '#terms'].map((one) => {
  const { x, y, width, height } = document.querySelector(one).getBoundingClientRect();
  return [x, y, width, height].map(Math.round).join();
})"""
ALL_SIZES = {**SIZES, "720p": (1280, 720), "telephone": (320, 640)}
NEXT_FRAME = "() => new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)))"


def pools_of(main: int, commit: int) -> list[PoolShown]:
    """Three pools, the main one fallen at a commit."""
    return [
        PoolShown("main", 1, main, commit, "correction"),
        PoolShown("major", 1, 1_845_025, 0, ""),
        PoolShown("minor", 1, 92_310, 0, ""),
    ]


def shows(page: Page, cents: int, act: Callable[[], object]) -> None:
    """Let the link show an amount and wait until the page has painted it, or said that it is too large."""
    act()
    page.wait_for_function(
        "(cents) => document.querySelector('#meter data').value === cents"
        " || document.body.dataset.state === 'toolarge'",
        arg=str(cents),
    )
    page.evaluate(NEXT_FRAME)


@pytest.mark.parametrize("size", ALL_SIZES)
def test_every_glyph_is_inside_at_every_length(page: Page, link: BoardLink, size: str) -> None:
    """1 to 12 digits, with and without other pools and a band: all inside, nothing cut, no minor above the main one."""
    width, height = ALL_SIZES[size]
    page.set_viewport_size({"width": width, "height": height})
    link.show(1)
    page.goto(link.board)
    expect(page.locator("body")).to_have_attribute("data-state", "live")
    for digits in range(1, 13):
        cents = int("8" * digits)
        shows(page, cents, lambda cents=cents: link.show(cents))  # type: ignore[misc]
        assert page.evaluate(OUTSIDE) == [], digits
    link.show(hits=[hit("approved", 8_421_055, table=f"T{n}") for n in range(1, 6)])
    expect(page.locator("#band")).to_contain_text("+2 MORE")
    for digits in (5, 8, 10):
        cents = int("9" * digits) + 7
        shows(page, cents, lambda cents=cents: link.show(pools=pools_of(cents, link.commit + 1)))  # type: ignore[misc]
        assert page.locator("body").get_attribute("data-state") == "live"
        assert page.evaluate(OUTSIDE) == [], digits
        sizes = page.locator(".wheels").evaluate_all(
            "all => all.map((one) => parseFloat(getComputedStyle(one).fontSize))"
        )
        assert max(sizes[1:]) <= sizes[0]


@pytest.mark.parametrize("size", ALL_SIZES)
def test_every_alarm_is_inside(page: Page, link: BoardLink, size: str) -> None:
    """Words that take the place of an amount are whole at every size."""
    width, height = ALL_SIZES[size]
    page.set_viewport_size({"width": width, "height": height})
    link.show(8_421_055, status="stopped")
    page.goto(link.board)
    expect(page.locator("body")).to_have_attribute("data-state", "suspended")
    assert page.evaluate(OUTSIDE) == []


@pytest.mark.parametrize("size", ["1080p", "4k", "portrait"])
@pytest.mark.parametrize("others", [3, 4, 7])
def test_as_many_pools_as_terms_may_have_fit(page: Page, link: BoardLink, size: str, others: int) -> None:
    """A wall shows up to eight pools, all with the longest of names, whole, and the main one by far the largest."""
    page.set_viewport_size({"width": SIZES[size][0], "height": SIZES[size][1]})
    names = [f"grand_oceanic_community_major_{n:02}" for n in range(others)]
    link.show(pools=[PoolShown(name, 1, 123_456_789, 0, "") for name in ("main", *names)])
    page.goto(link.board)
    expect(page.locator("body")).to_have_attribute("data-state", "live")
    expect(page.locator("#pools .pool")).to_have_count(others)
    page.evaluate(NEXT_FRAME)
    assert page.evaluate(OUTSIDE) == []
    size_of = "(one) => parseFloat(getComputedStyle(document.querySelector(one)).fontSize)"
    main, other = (page.evaluate(size_of, f"{place} .amount") for place in ("#meter", "#pools"))
    assert main >= 1.5 * other


def test_no_hand_in_the_table_of_prizes_is_broken(page: Page, link: BoardLink) -> None:
    """Beside an amount of any length each hand of the table stands in one row."""
    page.set_viewport_size({"width": SIZES["portrait"][0], "height": SIZES["portrait"][1]})
    link.show(9_007_199_254_740_993)
    page.goto(link.board)
    expect(page.locator("body")).to_have_attribute("data-state", "live")
    expect(page.locator("#prizes tbody th")).to_have_count(5)
    rows = page.locator("#prizes tbody th").evaluate_all(
        "all => all.map((one) => { const range = document.createRange(); range.selectNodeContents(one);"
        " return range.getClientRects().length; })"
    )
    assert rows == [1] * 5


def test_an_amount_stands_nearest_to_its_own_name(page: Page, link: BoardLink) -> None:
    """Long names beside short ones: none is nearer to the name of the pool below it: nobody misreads it."""
    names = ["grand_major_progressive", "minor", "full_house_club_of_rooms", "mini", "five", "six", "seven"]
    link.show()
    page.goto(link.board)
    expect(page.locator("body")).to_have_attribute("data-state", "live")
    for others in (2, 3, 5, 7):
        link.show(pools=[PoolShown(name, 1, 12_345_678, 0, "") for name in ("main", *names[:others])])
        expect(page.locator("#pools .pool")).to_have_count(others)
        for width, height in (SIZES["portrait"], SIZES["1080p"], (1280, 720), (768, 1024), (800, 600)):
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate(NEXT_FRAME)
            link.show()
            page.evaluate(NEXT_FRAME)
            assert page.evaluate(NEARER_TO_ANOTHER) == [], (others, width, height)


@pytest.mark.parametrize("others", [2, 4, 6])
def test_the_smallest_screen_has_its_pools_and_what_is_said_whole(page: Page, link: BoardLink, others: int) -> None:
    """At 320 px up to seven pools are shown; of much that is said what comes last is left out, and no word is cut."""
    page.set_viewport_size({"width": SIZES["narrow"][0], "height": SIZES["narrow"][1]})
    names = ["grand_major_progressive", "minor", "full_house_club_of_rooms", "mini", "five", "six"][:others]
    link.show(pools=[PoolShown(name, 1, 12_345_678, 0, "") for name in ("main", *names)])
    page.goto(link.board)
    expect(page.locator("body")).to_have_attribute("data-state", "live")
    assert page.evaluate(OUTSIDE) == []
    two = [hit("pending", 1_000_000, round_number=16, prize="straight_flush"), hit("pending", 9_000_000)]
    link.show(5_000_000, epoch=2, cause="award after 1", hits=two)
    expect(page.locator("#band")).to_contain_text("JACKPOT HIT")
    page.evaluate(NEXT_FRAME)
    assert page.evaluate(OUTSIDE) == []
    grand = [hit("approved", 1_000_000, table=f"T{n}") for n in range(1, 6)]
    link.show(hits=[msgspec.structs.replace(one, hit=one.hit.replace("main", names[0])) for one in grand])
    expect(page.locator("#band")).to_contain_text("PROGRESSIVE")
    page.evaluate(NEXT_FRAME)
    assert page.evaluate(OUTSIDE) == []


@pytest.mark.parametrize(
    ("screen", "others"),
    [((320, 568), others) for others in range(8)]
    + [((320, 640), others) for others in (2, 5, 7)]
    + [((360, 640), others) for others in (2, 6, 7)]
    + [((480, 800), 7), ((320, 480), 0), ((320, 480), 2), ((320, 480), 3), ((320, 480), 5)]
    + [((568, 320), 2), ((640, 360), 4), ((800, 600), 3), ((800, 600), 5), ((1280, 720), 7)],
)
def test_a_hit_hides_nothing_of_what_is_paid_now(
    page: Page, link: BoardLink, screen: tuple[int, int], others: int
) -> None:
    """What a straight flush pays now stands beside the band, whole, whatever the band says and however many pools."""
    page.set_viewport_size({"width": screen[0], "height": screen[1]})
    names = ["grand_major_progressive", "minor", "full_house_club_of_rooms", "mini", "five", "six", "seven"][:others]
    link.show(pools=[PoolShown(name, 1, 12_345_678, 0, "") for name in ("main", *names)])
    page.goto(link.board)
    expect(page.locator("body")).to_have_attribute("data-state", "live")
    assert page.evaluate(OUTSIDE) == []
    two = [hit("pending", 1_000_000, round_number=16, prize="straight_flush"), hit("pending", 9_000_000)]
    link.show(5_000_000, epoch=2, cause="award", hits=two)
    expect(page.locator("#band")).to_contain_text("STRAIGHT FLUSH HIT")
    expect(page.get_by_text("Straight flush pays $5,000.00 now")).to_be_visible()
    page.evaluate(NEXT_FRAME)
    assert page.evaluate(OUTSIDE) == []
    link.show(4_999_900, cause="correction", hits=[hit("approved", 1_000_000, table=f"T{n}") for n in range(1, 6)])
    expect(page.locator("#band")).to_contain_text("WIN $10,000.00")
    expect(page.get_by_text("Straight flush pays at least $5,000.00")).to_be_visible()
    page.evaluate(NEXT_FRAME)
    assert page.evaluate(OUTSIDE) == []


@pytest.mark.parametrize(
    ("screen", "others"),
    [((320, 480), 6), ((320, 480), 7), ((568, 320), 3), ((568, 320), 7), ((640, 360), 5), ((1280, 200), 7)],
)
def test_pools_that_do_not_fit_at_once_take_turns(
    page: Page, link: BoardLink, screen: tuple[int, int], others: int
) -> None:
    """On small screens each pool is seen whole within a round of turns of 12 s, and nothing else moves; Space holds it.

    Who hears the page hears all of them all the time.
    """
    page.clock.install()
    page.set_viewport_size({"width": screen[0], "height": screen[1]})
    names = ["grand_major_progressive", "minor", "full_house_club_of_rooms", "mini", "five", "six", "seven"][:others]
    link.show(pools=[PoolShown(name, 1, 12_345_678, 0, "") for name in ("main", *names)])
    page.goto(link.board)
    seen: list[list[str]] = []
    stood: set[str] = set()
    for turn in range(others + 2):
        live_within(page, link)
        page.evaluate(NEXT_FRAME)
        assert page.evaluate(OUTSIDE) == []
        assert page.evaluate(TAKEN_FOR_THE_MAIN) == []
        labels = page.locator("#pools .pool:not(.waits) .label").all_text_contents()
        if turn == others:
            page.keyboard.press("Space")
        if turn > others:
            assert labels == seen[-1]
        seen.append(labels)
        if turn < others:
            stood.add(str(page.evaluate(STANDS)))
        page.clock.fast_forward(9_000)  # to be live again takes three more
    assert {name for labels in seen for name in labels} == {name.replace("_", " ") for name in names}
    assert all(0 < len(labels) < others for labels in seen)
    assert len(stood) == 1
    expect(page.get_by_role("listitem")).to_have_count(others)


def test_of_many_prizes_from_the_meter_each_has_its_turn(page: Page, link_of: Callable[[Terms], BoardLink]) -> None:
    """Where not all that is paid now fits at once, the rest comes 12 s later, with the price: no word is cut."""
    terms = demo_terms()
    [royal, straight] = terms.pay_table[:2]
    moving = [
        replace(straight, name=name, minimum_cents=1_000_000_00) for name in ("four_of_a_kind", "full_house", "flush")
    ]
    link = link_of(replace(terms, pay_table=(royal, straight, *moving)))
    page.clock.install()
    page.set_viewport_size({"width": 320, "height": 568})
    link.show(4_900_000, cause="correction")
    page.goto(link.board)
    expect(page.locator("body")).to_have_attribute("data-state", "live")
    first, shown = ["Royal flush", "Straight flush"], page.locator("#pays > div[style*='opacity: 1']")
    for turn in (first, ["Four of a kind", "Full house"], ["Flush"], first):
        for hand in turn:
            expect(shown).to_contain_text(f"{hand} pays at least")
        expect(shown).to_contain_text("$1.00 a hand")
        assert page.evaluate(OUTSIDE) == []
        page.clock.fast_forward(12_100)


@pytest.mark.parametrize("size", ["portrait", "narrow"])
def test_a_shorter_amount_stands_where_the_longer_one_stood(page: Page, link: BoardLink, size: str) -> None:
    """After a reseed to fewer digits the amount is in the middle, while the old one fades and after it is gone."""
    page.set_viewport_size({"width": SIZES[size][0], "height": SIZES[size][1]})
    link.show(12_345_678)
    page.goto(link.board)
    expect(page.locator("body")).to_have_attribute("data-state", "live")
    shows(page, 5_000_000, lambda: link.show(5_000_000, epoch=2, cause="award"))
    middle = (
        "(one) => { const box = document.querySelector(one).getBoundingClientRect(); return box.left + box.right; }"
    )
    assert abs(page.evaluate(middle, "#meter .wheels") - page.evaluate(middle, "#meter")) < 2
    expect(page.locator("#meter .ghost")).to_have_text("")
    assert abs(page.evaluate(middle, "#meter .wheels") - page.evaluate(middle, "#meter")) < 2
    assert page.evaluate(OUTSIDE) == []


def test_an_amount_grows_by_a_digit_without_being_cut(page: Page, link: BoardLink) -> None:
    """From $9,999.99 to $10,000.00 the type follows; a turned screen is laid out anew."""
    link.show(999_999)
    page.goto(link.board)
    expect(page.locator("#meter data")).to_have_text("$9,999.99")
    shows(page, 1_000_000, lambda: link.show(1_000_000))
    assert page.evaluate(OUTSIDE) == []
    page.set_viewport_size({"width": 1080, "height": 1920})
    page.evaluate(NEXT_FRAME)
    shows(page, 1_000_100, lambda: link.show(1_000_100))
    assert page.evaluate(OUTSIDE) == []


def test_the_whole_board_steps_against_burnt_in_images(page: Page, link: BoardLink) -> None:
    """Every five minutes everything stands 8 px elsewhere, and still inside."""
    page.clock.install()
    link.show(8_421_055)
    page.goto(link.board)
    expect(page.locator("body")).to_have_attribute("data-state", "live")
    before = page.locator("#title").bounding_box()
    page.clock.fast_forward(300_000)
    page.wait_for_function("() => document.getElementById('board').style.translate !== '-4px -4px'")
    after = page.locator("#title").bounding_box()
    assert before is not None
    assert after is not None
    assert (abs(after["x"] - before["x"]), abs(after["y"] - before["y"])) in {(8, 0), (0, 8), (8, 8)}
