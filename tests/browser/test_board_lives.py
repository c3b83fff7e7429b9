"""A ledger that went back, and its next life: boards show no amount that may be gone, and tell no old news."""

from playwright.sync_api import Page, expect

from tests.support.board_link import BoardLink, hit


def opened(page: Page, link: BoardLink) -> None:
    """Open a board of a link that stands at a jackpot, and wait until it is live."""
    link.show(8_421_055, epoch=3)
    page.goto(link.board)
    expect(page.locator("body")).to_have_attribute("data-state", "live")


def test_a_ledger_that_went_back_shows_no_amount(page: Page, link: BoardLink) -> None:
    """What was shown may be gone from the ledger: at the first word of it the digits go, and the dealer is asked."""
    opened(page, link)
    link.show(status="ledger_behind", pools=[])
    expect(page.locator("body")).to_have_attribute("data-state", "suspended")
    expect(page.locator("#meter data")).to_have_text("")
    expect(page.locator("#alarm")).to_contain_text("JACKPOT SUSPENDED")


def test_nothing_in_another_life_of_the_ledger_is_news(page: Page, link: BoardLink) -> None:
    """The next life stands at an older epoch and an older win: its amount is shown, and neither is told."""
    opened(page, link)
    link.show(6_000_000, epoch=2, cause="award", generation=2, hits=[hit("paid")])
    expect(page.locator("#meter data")).to_have_text("$60,000.00")
    expect(page.locator("body")).to_have_attribute("data-state", "live")
    expect(page.locator("body")).to_have_attribute("data-band", "")
    link.show(5_000_000, epoch=3, cause="award")
    expect(page.locator("#band")).to_contain_text("NEW JACKPOT FROM $50,000.00")


def test_a_ledger_that_went_back_stays_suspended_while_its_server_says_so(page: Page, link: BoardLink) -> None:
    """The display works: as long as the server tells of the ledger, the board says what is wrong, not OFFLINE."""
    page.clock.install()
    opened(page, link)
    for _ in range(8):
        link.show(status="ledger_behind")
        expect(page.locator("#alarm")).to_contain_text("JACKPOT SUSPENDED")
        page.clock.run_for(5_000)
    expect(page.locator("body")).to_have_attribute("data-state", "suspended")
