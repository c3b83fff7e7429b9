"""What machines do to a feed: another server takes over, a player sleeps or is set, a line is slow and breaks."""

import random
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import pairwise

from playwright.sync_api import Page, expect

from tests.support.board_link import BoardLink
from tests.support.wheels import READ

WALL = """() => {
  const now = Date.now.bind(Date);
  window.ahead_ms = 0;
  Date.now = () => now() + window.ahead_ms;
}"""
STATES = """() => {
  window.states = [document.body.dataset.state];
  new MutationObserver(() => window.states.push(document.body.dataset.state))
    .observe(document.body, { attributes: true, attributeFilter: ['data-state'] });
}"""
"""Notes every state the board is in."""
HOUR_MS = 3_600_000
SNAPSHOTS = 120
AFTER_AWARD_CENTS = 5_100_000
EYES = """() => {
  // What the wheels spell, each time that it is another.
  window.seen = [];
  const look = () => {
    const [spelt] = wheels();
    if (window.seen.at(-1)?.[1] !== spelt) window.seen.push([Date.now(), spelt]);
    requestAnimationFrame(look);
  };
  look();
}"""


def shut(*ends: socket.socket) -> None:
    """End connections at once, whatever is still under way."""
    for end in ends:
        with suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)


@contextmanager
def bad_line(port: int, rng: random.Random, whole: threading.Event) -> Iterator[int]:
    """A line to a port of this machine, on one of its own: it hands on bytes late, in pieces, and breaks between two.

    `whole` lets it hand on everything at once.
    """
    listener = socket.create_server(("127.0.0.1", 0))
    ends: list[socket.socket] = []

    def hand_on(one: socket.socket, other: socket.socket, badly: bool) -> None:  # noqa: FBT001 - a thread's arguments
        left = rng.randrange(2_000, 60_000)
        with suppress(OSError):
            while data := one.recv(65_536):
                while data:
                    bad = badly and not whole.is_set()
                    piece = min(len(data), rng.randrange(1, 900)) if bad else len(data)
                    if bad:
                        whole.wait(rng.random() ** 6 * 0.4)
                        left -= piece
                    other.sendall(data[:piece])
                    data = data[piece:]
                    if bad and left < 0:
                        return shut(one, other)
        return shut(one, other)

    def serve() -> None:
        with suppress(OSError):
            while True:
                near, _ = listener.accept()
                ends.append(near)
                ends.append(far := socket.create_connection(("127.0.0.1", port)))
                for each in ((near, far, False), (far, near, True)):
                    threads.append(threading.Thread(target=hand_on, args=each))
                    threads[-1].start()

    threads = [threading.Thread(target=serve)]
    threads[0].start()
    try:
        yield int(listener.getsockname()[1])
    finally:
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        threads[0].join()
        shut(*ends)
        for thread in threads:
            thread.join()
        for end in ends:
            end.close()


def live(page: Page, link: BoardLink) -> None:
    """Open the board, whose clock on the wall the test can set, and wait until it is live."""
    page.add_init_script(f"({WALL})()")
    link.show(6_000_000)
    page.goto(link.board)
    expect(page.locator("body")).to_have_attribute("data-state", "live")
    page.evaluate(f"({STATES})()")


def test_a_machine_that_started_later_takes_over_at_once(page: Page, link: BoardLink) -> None:
    """Its own elapsed time is another one: a board that it takes over is not taken for one whose feed comes late."""
    live(page, link)
    link.pass_by(-3_600)
    link.cut()
    link.show(6_000_500)
    expect(page.locator("#meter data")).to_have_attribute("value", "6000500")
    for _ in range(9):
        page.wait_for_timeout(1_000)
        link.show()
    assert page.evaluate("states") == ["live"]


def test_a_machine_that_slept_shows_nothing_of_before_as_live(page: Page, link: BoardLink) -> None:
    """Its page's clock stood still, the one on the wall did not: nothing is vouched for until the feed speaks."""
    live(page, link)
    link.answer("freeze")
    page.evaluate(f"() => {{ window.ahead_ms = {2 * HOUR_MS}; }}")
    page.wait_for_timeout(700)
    assert page.locator("body").get_attribute("data-state") == "offline"
    assert page.locator("#meter data").get_attribute("value") == ""
    link.answer("well")
    expect(page.locator("body")).to_have_attribute("data-state", "live")


def test_a_clock_that_is_set_changes_nothing_that_is_heard(page: Page, link: BoardLink) -> None:
    """Set back nothing happens; set forward by hours the board is live again with the next state."""
    live(page, link)
    for hours, states in ((-5, {"live"}), (-2, {"live", "offline"})):
        page.evaluate(f"() => {{ window.ahead_ms = {hours * HOUR_MS}; }}")
        page.wait_for_timeout(1_000)
        link.show(6_000_000 + link.commit)
        page.wait_for_timeout(100)
        assert page.locator("body").get_attribute("data-state") == "live"
        assert set(page.evaluate("states")) <= states


def test_a_bad_line_never_makes_more_of_a_jackpot_nor_less(page: Page, link: BoardLink) -> None:
    """Cut between two bytes of an event and late by turns: no frame shows more than is owed; falls are the awards."""
    rng = random.Random(49)
    whole = threading.Event()
    whole.set()
    cents, epoch, told = 6_000_000, 1, [(time.time() * 1000, 6_000_000)]
    with bad_line(int(link.url.rpartition(":")[2]), rng, whole) as port:
        page.add_init_script(f"({READ})()")
        link.show(cents)
        page.goto(f"http://127.0.0.1:{port}/boards/southern")
        expect(page.locator("body")).to_have_attribute("data-state", "live")
        page.evaluate(f"({EYES})()")
        whole.clear()
        link.cut()
        for number in range(SNAPSHOTS):
            award = number % 40 == 39
            cents, epoch = (5_000_000, epoch + 1) if award else (cents + rng.choice([2, 22, 154, 999]), epoch)
            told.append((time.time() * 1000, cents))
            link.show(cents, epoch=epoch, cause="award" if award else "")
            page.wait_for_timeout(rng.randrange(10, 120))
        whole.set()
        link.cut()
        told.append((time.time() * 1000, cents + 5))
        link.show(cents + 5)
        expect(page.locator("#meter data")).to_have_attribute("value", str(cents + 5))
        seen = page.evaluate("seen")
    spelt = [(at, int(digits)) for at, digits in seen if digits is not None]
    assert len(spelt) > SNAPSHOTS / 4
    for at, shown in spelt:
        assert shown <= max(each for told_at, each in told if told_at <= at + 1)
    falls = [after for (_, before), (_, after) in pairwise(spelt) if after < before]
    assert 0 < len(falls) < epoch
    assert max(falls) < AFTER_AWARD_CENTS
