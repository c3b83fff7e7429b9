"""The real server, stopped as a frozen machine stops: the board says so, and comes back by itself (mistake 6)."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.support.terms_files import terms_file

NOT_LIVE_WITHIN_MS = 6_000
LIVE_WITHIN_MS = 12_000


@pytest.fixture
def server(tmp_path: Path) -> Iterator[tuple[int, str]]:
    """`jackpot serve` on embedded servers of its own: its process and its address."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("JACKPOT_")}
    data = str(tmp_path / "d")

    def command(*arguments: str) -> list[str]:
        return [sys.executable, "-m", "jackpot", *arguments, "--data", data, "--json"]

    opening = command("link", "open", str(terms_file(tmp_path)), "--by", "Olga", "--second", "Petra")
    subprocess.run(opening, check=True, capture_output=True, timeout=300, env=environment)
    with subprocess.Popen(
        command("serve", "--listen", "127.0.0.1:0"), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment
    ) as running:
        assert running.stdout is not None
        yield running.pid, json.loads(running.stdout.readline())["address"]
        running.send_signal(signal.SIGCONT)
        running.send_signal(signal.SIGTERM)
        assert running.wait(20) == 0


def duty_until_ready(page: Page, address: str) -> list[str]:
    """What the duty page was told after each other until the server was ready again, as text."""
    told = []
    until_s = time.monotonic() + LIVE_WITHIN_MS / 1_000
    while time.monotonic() < until_s:
        answer = page.request.get(f"{address}/duty/now")
        told.append(answer.text())
        if answer.json()["ready"]:
            return told
        page.wait_for_timeout(100)
    raise AssertionError(told[-1])


def test_a_stopped_server_is_not_live_and_one_that_goes_on_is(page: Page, server: tuple[int, str]) -> None:
    """SIGSTOP: NOT LIVE within 6 s, and its amount greyed; SIGCONT: live within 12 s, on the same page.

    The duty page says that the server was not run, and accuses neither Postgres nor Redis.
    """
    pid, address = server
    page.goto(f"{address}/boards/southern")
    body = page.locator("body")
    expect(body).to_have_attribute("data-state", "live", timeout=20_000)
    page.evaluate("() => { window.same = true; }")
    os.kill(pid, signal.SIGSTOP)
    expect(page.locator("#alarm")).to_contain_text("NOT LIVE", timeout=NOT_LIVE_WITHIN_MS)
    assert body.get_attribute("data-state") == "stale"
    waiting = HTTPConnection(urlsplit(address).netloc, timeout=LIVE_WITHIN_MS / 1_000)
    waiting.request("GET", "/duty/now")  # asked while it is stopped: a busy machine may ask too late to be told of it
    os.kill(pid, signal.SIGCONT)
    told = [waiting.getresponse().read().decode(), *duty_until_ready(page, address)]
    waiting.close()
    expect(body).to_have_attribute("data-state", "live", timeout=LIVE_WITHIN_MS)
    assert any("was not run for" in each for each in told)
    assert not any("does not answer" in each or "is not read" in each for each in told)
    assert page.evaluate("() => window.same") is True
