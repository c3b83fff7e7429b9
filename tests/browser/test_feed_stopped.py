"""The real server, stopped as a frozen machine stops: the board says so, and comes back by itself (mistake 6)."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.support.browser import soon
from tests.support.terms_files import terms_file

NOT_LIVE_WITHIN_S = 6.0
LIVE_WITHIN_S = 12.0
HANGS_S = 60.0


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
        assert running.wait(HANGS_S) == 0


def duty_until_ready(page: Page, address: str) -> list[str]:
    """What the duty page was told after each other until the server was ready again, as text."""
    told = []

    def ready() -> bool:
        answer = page.request.get(f"{address}/duty/now")
        told.append(answer.text())
        return bool(answer.json()["ready"])

    soon(page, LIVE_WITHIN_S, ready)
    return told


def test_a_stopped_server_is_not_live_and_one_that_goes_on_is(page: Page, server: tuple[int, str]) -> None:
    """SIGSTOP: NOT LIVE within 6 s, and its amount greyed; SIGCONT: live within 12 s, on the same page.

    The duty page says that the server was not run, and accuses neither Postgres nor Redis.
    """
    pid, address = server
    page.goto(f"{address}/boards/southern")
    body = page.locator("body")
    expect(body).to_have_attribute("data-state", "live")
    page.evaluate("() => { window.same = true; }")
    os.kill(pid, signal.SIGSTOP)
    soon(page, NOT_LIVE_WITHIN_S, lambda: "NOT LIVE" in (page.locator("#alarm").text_content() or ""))
    assert body.get_attribute("data-state") == "stale"
    waiting = HTTPConnection(urlsplit(address).netloc, timeout=HANGS_S)
    waiting.request("GET", "/duty/now")  # asked while it is stopped: a busy machine may ask too late to be told of it
    os.kill(pid, signal.SIGCONT)
    told = [waiting.getresponse().read().decode(), *duty_until_ready(page, address)]
    waiting.close()
    soon(page, LIVE_WITHIN_S, lambda: body.get_attribute("data-state") == "live")
    assert any("was not run for" in each for each in told)
    assert not any("does not answer" in each or "is not read" in each for each in told)
    assert page.evaluate("() => window.same") is True
