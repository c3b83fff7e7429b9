"""Coroutines in tests: run to their end, within bounded time."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

T = TypeVar("T")

WITHIN_S = 300
"""What hangs is ended; a machine that stands still, or has other work, ends nothing."""


def run(work: Coroutine[Any, Any, T], within_s: float = WITHIN_S) -> T:
    """Run a coroutine on an event loop of its own; one that takes too long fails the test."""
    return asyncio.run(asyncio.wait_for(work, within_s))


async def until(holds: Callable[[], object]) -> None:
    """Let others go on until something holds; bounded by `run`."""
    while not holds():  # noqa: ASYNC110 - what is waited for sets no event
        await asyncio.sleep(0.001)
