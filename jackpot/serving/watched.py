"""How does systemd know that a program is ready, and that it still does its work?

By datagrams to the socket that `NOTIFY_SOCKET` names; where there is none nothing is said. A watchdog's sign of life
comes from the event loop itself, so that a loop which hangs is noticed though the process lives.
"""

import asyncio
import contextlib
import os
import socket
from collections.abc import AsyncIterator, Mapping

__all__ = ["sign_of_life_s", "tell_systemd", "watched"]


def tell_systemd(what: str, environment: Mapping[str, str] = os.environ) -> None:
    """Say `READY=1`, `WATCHDOG=1` or `STOPPING=1`; **never** raises: that nobody hears it harms nothing."""
    path = environment.get("NOTIFY_SOCKET", "")
    if not path.startswith(("/", "@")):
        return
    address = "\0" + path[1:] if path.startswith("@") else path
    with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as one:
        one.setblocking(False)  # noqa: FBT003 - the standard library's own form
        one.sendto(what.encode(), address)


def sign_of_life_s(environment: Mapping[str, str], pid: int) -> float | None:
    """Return how often a sign of life is due, in seconds: twice in the watchdog's time; None where none is asked for.

    >>> sign_of_life_s({"WATCHDOG_USEC": "20000000", "WATCHDOG_PID": "7"}, 7)
    10.0
    >>> sign_of_life_s({"WATCHDOG_USEC": "20000000", "WATCHDOG_PID": "7"}, 8)
    >>> sign_of_life_s({}, 7)
    """
    asked, whom = environment.get("WATCHDOG_USEC", ""), environment.get("WATCHDOG_PID", str(pid))
    if not asked.isascii() or not asked.isdigit() or whom != str(pid) or int(asked) <= 0:
        return None
    return int(asked) / 2_000_000


@contextlib.asynccontextmanager
async def watched(environment: Mapping[str, str] = os.environ) -> AsyncIterator[None]:
    """Be ready, and show signs of life, while the context lasts; say that the program stops when it is left."""
    tell_systemd("READY=1", environment)
    every_s = sign_of_life_s(environment, os.getpid())
    task = None if every_s is None else asyncio.create_task(_live(every_s, environment))
    try:
        yield
    finally:
        tell_systemd("STOPPING=1", environment)
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)


async def _live(every_s: float, environment: Mapping[str, str]) -> None:
    while True:
        tell_systemd("WATCHDOG=1", environment)
        await asyncio.sleep(every_s)
