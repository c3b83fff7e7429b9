"""Coroutines in tests: run to their end, within bounded time."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")

WITHIN_S = 60


def run(work: Coroutine[Any, Any, T], within_s: float = WITHIN_S) -> T:
    """Run a coroutine on an event loop of its own; one that takes too long fails the test."""
    return asyncio.run(asyncio.wait_for(work, within_s))
