"""Debian's Chromium under Playwright, and what pages are asked about: accessibility by axe-core.

Playwright's synchronous interface keeps an event loop running in its thread: a browser test runs coroutines of its own
in another one (`apart`).
"""

import shutil
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from importlib.resources import files
from typing import TypeVar

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from tests.support.own_time import own_time

T = TypeVar("T")

ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
"""Nothing leaves the machine, and root may start it."""
GLANCE_MS = 50
SIZES = {
    "1080p": (1920, 1080),
    "4k": (3840, 2160),
    "portrait": (1080, 1920),
    "narrow": (320, 568),
    "ribbon": (1280, 200),
}
"""The screens a board is made for."""


def chromium() -> str:
    """The path of Debian's Chromium; a machine without it fails the test and names the package."""
    path = shutil.which("chromium")
    if path is None:
        pytest.fail("Debian package chromium is not installed: make debian-packages as root, or apt-get install it")
    return path


@contextmanager
def browsing(*more: str) -> Iterator[Browser]:
    """Run Chromium with these arguments beside the usual ones."""
    path = chromium()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=[*ARGUMENTS, *more])
        try:
            yield browser
        finally:
            browser.close()


def apart(work: Callable[[], T], within_s: float = 300) -> T:
    """Run something that runs a loop of its own in a thread of its own, and give its result."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(work).result(within_s)


def soon(page: Page, within_s: float, holds: Callable[[], bool]) -> None:
    """See something hold on a page as soon as is promised, in time in which this machine ran."""
    with own_time() as passed:
        while not holds():
            state = page.locator("body").get_attribute("data-state")
            assert passed() < within_s, f"not within {within_s:.0f} s; the page is {state}"
            page.wait_for_timeout(GLANCE_MS)


def axe_violations(page: Page, *, without: tuple[str, ...] = ()) -> list[str]:
    """What axe-core finds wrong with a page as it is now, a line each; `without` names rules that are not asked."""
    page.evaluate(files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8"))
    found = page.evaluate(
        "rules => axe.run(document, {resultTypes: ['violations'], rules}).then(result => result.violations)",
        {rule: {"enabled": False} for rule in without},
    )
    return [
        f"{each['id']} ({each['impact']}): {each['help']}: {', '.join(str(node['target']) for node in each['nodes'])}"
        for each in found
    ]
