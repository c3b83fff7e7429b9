"""Every state of a board by its shape, words and place; amounts are there exactly while they can be vouched for."""

import dataclasses
import re
from collections.abc import Callable

import msgspec
import pytest
from playwright.sync_api import Page, expect

from jackpot.wire.snapshots import PoolShown
from rules.terms import Pool, Terms
from tests.support.board_link import BoardLink, hit
from tests.support.page_time import live as live_within
from tests.support.terms import demo_terms
from tests.support.wheels import READ


def opened(page: Page, link: BoardLink, cents: int = 8_421_055, **more: object) -> None:
    """Open a board of a link that stands at this, and wait until it is live."""
    link.show(cents, **more)  # type: ignore[arg-type]
    page.goto(link.board)
    is_in(page, "live")


def is_in(page: Page, state: str) -> None:
    """Wait until the board is in a state."""
    expect(page.locator("body")).to_have_attribute("data-state", state)


def band(page: Page, kind: str, *words: str) -> None:
    """Wait until the band is of a kind and says these words, in order."""
    expect(page.locator("body")).to_have_attribute("data-band", kind)
    expect(page.locator("#band")).to_have_text(re.compile(r".*".join(map(re.escape, words)), re.DOTALL))


def alarm(page: Page, *words: str) -> None:
    """Wait until the alarm says these words, in order."""
    expect(page.locator("#alarm")).to_have_text(re.compile(r".*".join(words), re.DOTALL))


def amounts(page: Page) -> list[str | None]:
    """What the wheels of each meter spell."""
    page.evaluate(f"({READ})()")
    read: list[str | None] = page.evaluate("wheels()")
    return read


def test_before_anything_is_known_no_amount_is_shown(page: Page, link: BoardLink) -> None:
    """A board that connects says so, and never $0.00; after 30 s it is offline."""
    page.clock.install()
    page.goto(link.board)
    expect(page.get_by_text("Connecting")).to_be_visible()
    expect(page.locator("#meter data")).to_have_attribute("value", "")
    assert "0.00" not in page.locator("body").inner_text()
    page.clock.fast_forward(31_000)
    is_in(page, "offline")
    alarm(page, "■ DISPLAY OFFLINE", "ASK THE DEALER")


def test_the_retained_copy_is_not_shown(page: Page, link: BoardLink) -> None:
    """What was only found in Redis is no amount of now."""
    link.silence()
    link.show(8_421_055, live=False)
    page.goto(link.board)
    expect(page.locator("#terms")).to_contain_text("Terms southern 1")
    is_in(page, "connecting")
    assert amounts(page) == [None]


def test_live_shows_amount_price_and_what_a_straight_flush_pays(page: Page, link: BoardLink) -> None:
    """A live board has a running clock, the amount in wheels and truth, what is paid now, price and fingerprint."""
    opened(page, link, 12_345_678)
    expect(page.locator("#live")).to_have_text(re.compile(r"● LIVE \d\d:\d\d:\d\d"))
    expect(page.locator("#meter data")).to_have_text("$123,456.78")
    page.wait_for_function("() => document.querySelector('.wheel') !== null")
    assert amounts(page) == ["12345678"]
    expect(page.locator("#pays")).to_contain_text("Straight flush pays $12,345.67 now")
    expect(page.locator("#pays")).to_contain_text("$1.00 a hand")
    expect(page.locator("#band")).to_have_text("")
    fingerprint = link.boards._feeds["southern"].state(0).terms
    shown = page.locator("#terms").inner_text()
    assert fingerprint in shown.replace(" ", "")


def test_pays_at_least_while_the_minimum_is_more_than_the_share(page: Page, link: BoardLink) -> None:
    """Below the guaranteed minimum a board says what is paid at least (12.1), and not what the share would be."""
    opened(page, link, 4_512_345)
    expect(page.locator("#pays")).to_contain_text("Royal flush pays at least $50,000.00")
    expect(page.locator("#pays")).to_contain_text("Straight flush pays at least $5,000.00")


def test_fixed_prizes_come_in_turn_and_space_holds_them(page: Page, link: BoardLink) -> None:
    """Each 12 s the other text; Space pauses it and says so; the amount never moves for it."""
    page.clock.install()
    opened(page, link)
    first, second = page.locator("#pays > div").nth(0), page.locator("#pays > div").nth(1)
    expect(first).to_have_css("opacity", "1")
    box = page.locator("#meter .wheels").bounding_box()
    for _ in range(7):
        page.clock.fast_forward(1_900)
        link.show()
        page.evaluate("() => new Promise((go) => requestAnimationFrame(go))")
    expect(second).to_have_css("opacity", "1")
    expect(second).to_contain_text("Full house pays $150.00")
    assert page.locator("#meter .wheels").bounding_box() == box
    page.keyboard.press("Space")
    expect(page.get_by_text("Paused")).to_be_visible()


def test_a_hit_is_pending_while_the_new_jackpot_runs(page: Page, link: BoardLink) -> None:
    """At the commit of a royal: the band says the table and the amount held, the meter shows the new jackpot."""
    opened(page, link)
    link.show(5_000_000, epoch=2, cause="award", hits=[hit("pending")])
    band(page, "pending", "◐ JACKPOT HIT · TABLE T12 · BEING CHECKED · $84,210.55", "NEW JACKPOT FROM $50,000.00")
    expect(page.locator("#meter data")).to_have_text("$50,000.00")
    page.wait_for_function("() => document.querySelector('.wheel') !== null")
    assert amounts(page) == ["5000000"]


def test_a_straight_flush_is_not_called_the_jackpot(page: Page, link: BoardLink) -> None:
    """A prize that takes a part of the pool is named by its hand: the jackpot goes on."""
    opened(page, link, hits=[hit("pending", 842_105, prize="straight_flush")])
    band(page, "pending", "◐ STRAIGHT FLUSH HIT · TABLE T12 · BEING CHECKED · $8,421.05")


def test_a_claim_has_no_amount_yet(page: Page, link: BoardLink) -> None:
    """A hit whose cards could not be read is being checked, with no amount."""
    opened(page, link, hits=[hit("claimed", 0)])
    band(page, "pending", "BEING CHECKED")
    assert "$" not in page.locator("#band").inner_text()


def test_a_win_is_said_for_a_minute_once(page: Page, link: BoardLink) -> None:
    """Approved is a win, with amount and table; paid later is the same win and not said again."""
    page.clock.install()
    opened(page, link, hits=[hit("pending")])
    link.show(hits=[hit("approved")])
    band(page, "won", "★ JACKPOT WIN $84,210.55 · TABLE T12")
    link.show(hits=[hit("paid")])
    page.clock.fast_forward(61_000)
    live_within(page, link)
    expect(page.locator("body")).to_have_attribute("data-band", "")


def test_three_wins_stand_together_and_the_rest_are_counted(page: Page, link: BoardLink) -> None:
    """Five wins at once: three are up, two more are counted; a fixed prize of the house is none of them."""
    tables = [f"T{n}" for n in range(1, 6)]
    opened(page, link, hits=[hit("pending", 500_000 + n, table=table) for n, table in enumerate(tables)])
    bonus = hit("paid", 15_000, table="T9", prize="full_house")
    link.show(hits=[*(hit("approved", 500_000 + n, table=table) for n, table in enumerate(tables)), bonus])
    band(page, "won", "$5,000.00 · TABLE T1", "$5,000.01 · TABLE T2", "$5,000.02 · TABLE T3", "+2 MORE")
    expect(page.locator("#band")).not_to_contain_text("T9")


def test_a_page_loaded_in_the_middle_of_a_win_says_it_too(page: Page, link: BoardLink) -> None:
    """Since when a win stands the server says, so that a board that was loaded anew says what the others say."""
    opened(page, link, hits=[hit("pending")])
    link.show(hits=[hit("approved")])
    band(page, "won", "★ JACKPOT WIN")
    page.reload()
    band(page, "won", "★ JACKPOT WIN $84,210.55 · TABLE T12")


def test_a_released_hit_goes_on(page: Page, link: BoardLink) -> None:
    """No jackpot: the table was checked, the money is back, the jackpot goes on; wheels go up to it."""
    opened(page, link, 5_000_000, hits=[hit("pending")])
    link.show(13_421_055, hits=[hit("released")])
    band(page, "released", "TABLE T12 CHECKED: NO JACKPOT · THE JACKPOT GOES ON")
    expect(page.locator("#meter data")).to_have_text("$134,210.55")


def test_a_new_jackpot_is_told(page: Page, link: BoardLink) -> None:
    """After a reseed the board says from what; the old amount does not spin back."""
    opened(page, link)
    link.show(5_000_000, epoch=2, cause="award")
    band(page, "new", "NEW JACKPOT FROM $50,000.00")


def test_a_server_that_was_not_there_stops_no_wheel(page: Page, link: BoardLink) -> None:
    """After a win the board follows another server, which cannot say from what the new jackpot began: it runs on."""
    opened(page, link)
    link.show(5_000_000, epoch=2, cause="award")
    band(page, "new", "NEW JACKPOT FROM $50,000.00")
    link.start_again()
    link.show(5_001_000)
    expect(page.locator("#meter data")).to_have_text("$50,010.00")
    band(page, "new", "NEW JACKPOT FROM $50,000.00")
    page.wait_for_function(f"() => {{ ({READ})(); return wheels()[0] === '5001000'; }}")


def test_a_correction_is_told_with_its_time(page: Page, link: BoardLink) -> None:
    """A meter that falls for any cause but an award says so, in an outlined band."""
    opened(page, link)
    link.show(8_400_000, cause="correction")
    expect(page.locator("body")).to_have_attribute("data-band", "corrected")
    expect(page.locator("#band")).to_have_text(re.compile(r"▲ AMOUNT CORRECTED \d\d:\d\d · NOTICE AT THE TABLE"))


def test_what_fell_between_two_snapshots_is_told_whatever_fell_last(page: Page, link: BoardLink) -> None:
    """Between two snapshots an amount was corrected, a jackpot won and a wager returned: the first two are said.

    The snapshot names the wager as the last cause of a fall; the commit of the correction stands beside it. The new
    jackpot began at its seed, and the wager came back after that.
    """
    opened(page, link)
    link.show(4_999_978, epoch=2, cause="reversal after 2", hits=[hit("pending")])
    band(page, "pending", "◐ JACKPOT HIT · TABLE T12", "NEW JACKPOT FROM $50,000.00", "▲ AMOUNT CORRECTED")
    expect(page.locator("#meter data")).to_have_text("$49,999.78")


def test_a_straight_flush_and_a_royal_of_one_round_have_each_its_name(page: Page, link: BoardLink) -> None:
    """Two prizes of one round are two hits, being checked and won: each with its hand, its own amount, no other's."""
    opened(page, link, 10_000_000)
    both = [hit("pending", 1_000_000, prize="straight_flush"), hit("pending", 9_000_000)]
    both[0] = msgspec.structs.replace(both[0], hit="T12/1/17/2/main")
    link.show(5_000_000, epoch=2, cause="award", hits=both)
    band(
        page,
        "pending",
        "◐ STRAIGHT FLUSH HIT · TABLE T12 · BEING CHECKED · $10,000.00",
        "◐ JACKPOT HIT · TABLE T12 · BEING CHECKED · $90,000.00",
        "NEW JACKPOT FROM $50,000.00",
    )
    link.show(hits=[msgspec.structs.replace(each, state="approved") for each in both])
    band(
        page,
        "won",
        "★ STRAIGHT FLUSH WIN $10,000.00 · TABLE T12",
        "★ JACKPOT WIN $90,000.00 · TABLE T12",
        "NEW JACKPOT FROM $50,000.00",
    )


def test_a_voided_round_is_named_quietly_and_shortly(page: Page, link: BoardLink) -> None:
    """Wagers returned take some cents with them: the cause is said for 20 s, small, and is no correction."""
    page.clock.install()
    opened(page, link)
    link.show(8_420_901, cause="reversal")
    band(page, "returned", "WAGERS OF A ROUND RETURNED · THE JACKPOT GOES ON")
    expect(page.locator("#band")).to_have_css("background-color", "rgba(0, 0, 0, 0)")
    page.clock.fast_forward(21_000)
    link.show(8_420_923)
    live_within(page, link)
    expect(page.locator("body")).to_have_attribute("data-band", "")
    expect(page.locator("#meter data")).to_have_text("$84,209.23")


def test_a_page_loaded_after_a_correction_and_a_void_tells_of_it_too(page: Page, link: BoardLink) -> None:
    """What the last fall hides the server remembers: a board that was loaded anew says what the others say.

    A server that was not there cannot say it again; a page that knows goes on saying it.
    """
    opened(page, link)
    link.show(8_400_000, cause="correction")
    link.show(8_399_900, cause="reversal")
    band(page, "corrected", "▲ AMOUNT CORRECTED")
    page.reload()
    expect(page.locator("#meter data")).to_have_text("$83,999.00")
    band(page, "corrected", "▲ AMOUNT CORRECTED")
    link.start_again()
    link.show(8_399_910)
    expect(page.locator("#meter data")).to_have_text("$83,999.10")
    band(page, "corrected", "▲ AMOUNT CORRECTED")


def test_a_correction_stays_ten_minutes_beside_all_else(page: Page, link: BoardLink) -> None:
    """Neither a voided round nor a hit that comes after a correction takes its notice away before ten minutes."""
    page.clock.install()
    opened(page, link)
    link.show(8_400_000, cause="correction")
    band(page, "corrected", "▲ AMOUNT CORRECTED")
    link.show(8_399_900, cause="reversal")
    expect(page.locator("#meter data")).to_have_text("$83,999.00")
    band(page, "corrected", "▲ AMOUNT CORRECTED")
    link.show(hits=[hit("pending")])
    band(page, "pending", "BEING CHECKED", "▲ AMOUNT CORRECTED")
    link.show(hits=[])
    page.clock.fast_forward(560_000)
    link.show(8_400_000)
    live_within(page, link)
    band(page, "corrected", "▲ AMOUNT CORRECTED")
    page.clock.fast_forward(41_000)
    link.show(8_400_100)
    live_within(page, link)
    expect(page.locator("body")).to_have_attribute("data-band", "")


def test_stale_then_offline_then_live_again(page: Page, link: BoardLink) -> None:
    """5 s without word: grey between hatched bars, no promise of pay; 30 s: no digits; with the server: live again."""
    page.clock.install()
    opened(page, link)
    link.answer("refuse")
    page.clock.fast_forward(6_000)
    is_in(page, "stale")
    alarm(page, "▲ NOT LIVE", r"LAST CONFIRMED \d\d:\d\d:\d\d", "ASK THE DEALER")
    expect(page.locator("#pays")).to_have_text("")
    expect(page.locator("#live")).to_have_text(re.compile("▲"))
    expect(page.locator("#meter .amount")).to_have_css("color", "rgb(146, 154, 167)")
    assert page.evaluate("getComputedStyle(document.getElementById('meter'), '::before').visibility") == "visible"
    page.clock.fast_forward(25_000)
    is_in(page, "offline")
    alarm(page, "■ DISPLAY OFFLINE", "ASK THE DEALER")
    expect(page.locator("#meter data")).to_have_text("")
    assert amounts(page) == [None]
    link.answer("well")
    link.show(8_500_000)
    live_within(page, link)
    expect(page.locator("#alarm")).to_have_text("")


def test_a_ledger_that_cannot_be_read_confirms_nothing(page: Page, link: BoardLink) -> None:
    """A server without its ledger tells of no amount: after 5 s the last one is shown as not live, never as new."""
    opened(page, link)
    link.show(8_500_000, status="ledger_unreachable")
    expect(page.locator("#meter data")).to_have_attribute("value", "8421055")
    is_in(page, "stale")
    link.show(status="running")
    is_in(page, "live")


def test_a_stopped_link_shows_no_amount(page: Page, link: BoardLink) -> None:
    """Suspended: no digits, nor behind what is said instead, the word, the dealer; running again, they are back."""
    opened(page, link)
    page.wait_for_function("() => document.querySelector('.wheel') !== null")
    link.show(status="stopped")
    is_in(page, "suspended")
    alarm(page, "■ JACKPOT SUSPENDED", "ASK THE DEALER")
    expect(page.locator("#meter data")).to_have_text("")
    assert amounts(page) == [None]
    link.show(status="running")
    is_in(page, "live")
    page.wait_for_function("() => document.querySelector('.wheel') !== null")
    assert amounts(page) == ["8421055"]


def test_an_amount_that_does_not_fit_is_not_shown(page: Page, link: BoardLink) -> None:
    """Digits that would be under 28 px are removed, never cut or shortened."""
    page.set_viewport_size({"width": 320, "height": 568})
    link.show(9_007_199_254_740_993)
    page.goto(link.board)
    is_in(page, "toolarge")
    alarm(page, "■ AMOUNT TOO LARGE", "FOR THIS SCREEN", "ASK THE DEALER")
    expect(page.locator("#meter data")).to_have_text("")


def several(names: tuple[str, ...]) -> Terms:
    """The demonstration's terms with more pools beside the main one."""
    terms = demo_terms()
    more = tuple(Pool(name, 100_000, 10_000, None) for name in names)
    return dataclasses.replace(terms, pools=(*terms.pools, *more))


def test_several_pools_stand_beside_the_main_one(page: Page, link_of: Callable[[Terms], BoardLink]) -> None:
    """Each pool has its name and its amount; none is larger than 0.62 of the main one."""
    link = link_of(several(("major", "minor")))
    pools = [PoolShown("main", 1, 12_345_678, 0, ""), PoolShown("major", 1, 1_845_025, 0, "")]
    link.show(pools=[*pools, PoolShown("minor", 1, 92_310, 0, "")])
    page.goto(link.board)
    is_in(page, "live")
    assert page.locator("#pools .label").all_inner_texts() == ["MAJOR", "MINOR"]
    assert page.locator("#pools data").all_text_contents() == ["$18,450.25", "$923.10"]
    page.wait_for_function("() => document.querySelectorAll('.wheel').length > 8")
    assert amounts(page) == ["12345678", "1845025", "92310"]
    sizes = page.locator(".wheels").evaluate_all("all => all.map((one) => parseFloat(getComputedStyle(one).fontSize))")
    assert max(sizes[1:]) <= 0.62 * sizes[0] + 0.1


def test_a_board_says_what_it_paints(page: Page, link: BoardLink) -> None:
    """At a change of epoch the server is told what the wheels show (PROTOCOL 6)."""
    with page.expect_request(lambda asked: "/feed?board=" in asked.url) as feed:
        opened(page, link)
    with page.expect_request(
        lambda asked: asked.url.endswith("/shown") and '"epoch":2' in (asked.post_data or "")
    ) as told:
        link.show(5_000_000, epoch=2, cause="award")
    said = told.value.post_data_json
    assert said is not None
    assert (said["epoch"], said["painted_cents"], said["generation"]) == (2, "5000000", 1)
    assert feed.value.url.endswith(f"/feed?board={said['board']}")  # so that the server knows when this one leaves
    assert set(said) == {"board", "generation", "commit", "epoch", "painted_cents", "heap"}


@pytest.mark.parametrize("scheme", ["forced", "more"])
def test_words_and_borders_carry_the_state_without_colour(page: Page, link: BoardLink, scheme: str) -> None:
    """In forced colours and with more contrast a state is outlined, and its shape and words are there."""
    page.emulate_media(forced_colors="active") if scheme == "forced" else page.emulate_media(contrast="more")
    opened(page, link, hits=[hit("pending")])
    band(page, "pending", "◐ JACKPOT HIT")
    edge = "borderTopWidth" if scheme == "forced" else "outlineWidth"
    assert page.evaluate(f"getComputedStyle(document.getElementById('band')).{edge}") == "3px"
