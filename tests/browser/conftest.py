"""What browser tests get: Chromium for each file, a page that must not fail by itself, and a link to look at."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from rules.terms import Terms
from tests.support.board_link import BoardLink, board_link
from tests.support.browser import browsing

WITHIN_MS = 60_000
"""What is expected of a page is waited for so long, where nothing else is said: it only bounds a hang."""
expect.set_options(timeout=WITHIN_MS)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium, started once for a file: while it runs, no other test may run a loop in this thread."""
    with browsing() as running:
        yield running


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A browser profile of the test's own, as wide as a 1080p screen."""
    made = browser.new_context(viewport={"width": 1920, "height": 1080}, locale="en-US", timezone_id="America/Chicago")
    made.set_default_timeout(WITHIN_MS)
    yield made
    made.close()


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    """A page; an error that its scripts do not catch, or a breach of its content policy, fails the test."""
    errors: list[str] = []
    made = context.new_page()
    made.on("pageerror", lambda error: errors.append(str(error)))
    made.on(
        "console",
        lambda said: errors.append(said.text) if "Content Security Policy" in said.text else None,
    )
    yield made
    assert not errors


@pytest.fixture
def link() -> Iterator[BoardLink]:
    """A link of the demonstration's terms with its boards; nothing was heard of it yet."""
    with board_link() as made:
        yield made


@pytest.fixture
def link_of() -> Iterator[Callable[[Terms], BoardLink]]:
    """A way to have a link of other terms, ended with the test."""
    with ExitStack() as stack:
        yield lambda terms: stack.enter_context(board_link(terms))
