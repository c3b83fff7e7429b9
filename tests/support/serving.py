"""A web application of a test's own on a free port, and what asks it."""

import asyncio
import ctypes
import socket
import struct
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any, TypeVar

import aiohttp
from aiohttp import web

from jackpot.serving.running import Listen, listening

T = TypeVar("T")
LONGEST_S = 300
"""A scene that hangs is ended; one on a machine that stands still, or has other work, is not."""


def run(scene: Coroutine[Any, Any, T], longest_s: float = LONGEST_S) -> T:
    """Play a scene to its end, within bounded time."""
    return asyncio.run(_bounded(scene, longest_s))


async def _bounded(scene: Coroutine[Any, Any, T], longest_s: float) -> T:
    async with asyncio.timeout(longest_s):
        return await scene


async def eventually(holds: Callable[[], bool]) -> None:
    """Wait until something holds that nobody tells of; the scene's end bounds it."""
    while not holds():  # noqa: ASYNC110 - nobody tells
        await asyncio.sleep(0.01)


def vanish(machine: socket.socket) -> None:
    """Let a machine be gone without a word: nothing that is sent to it arrives, so nothing is answered."""
    nothing = struct.pack("HBBI", 0x06, 0, 0, 0)  # a packet filter of one instruction: keep no byte
    kept = ctypes.create_string_buffer(nothing)
    machine.setsockopt(socket.SOL_SOCKET, 26, struct.pack("HL", 1, ctypes.addressof(kept)))  # SO_ATTACH_FILTER


@asynccontextmanager
async def asking(app: web.Application) -> AsyncIterator[aiohttp.ClientSession]:
    """Serve an application and give a client whose addresses begin at it."""
    async with (
        listening(app, Listen("127.0.0.1", 0)) as address,
        aiohttp.ClientSession(base_url=address) as client,
    ):
        yield client
