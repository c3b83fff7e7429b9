"""Requests that are broken off, and what they leave behind in Postgres (case 32)."""

import asyncio
import random
import socket
import struct
from dataclasses import dataclass

import asyncpg

__all__ = ["Sessions", "broken_off", "sessions"]

UPGRADE = (
    "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: c29tZXRoaW5nIG9mIDE2Yg==\r\n"
)
AT_ONCE = 50
LONGEST_S = 0.02
"""A request lives no longer than this; some are gone before the server has read them."""
SESSIONS = """
SELECT count(*), count(*) FILTER (WHERE state LIKE 'idle in transaction%')
FROM pg_stat_activity
WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()
"""


@dataclass(frozen=True, slots=True)
class Sessions:
    """The sessions of a database server: all of them, and those that have a transaction open and do nothing."""

    all: int
    idle_in_transaction: int


async def sessions(url: str) -> Sessions:
    """Count them now, but for the one that asks."""
    connection = await asyncpg.connect(url, timeout=60)
    try:
        row = await connection.fetchrow(SESSIONS)
    finally:
        await connection.close(timeout=2)
    assert row is not None
    return Sessions(row[0], row[1])


async def broken_off(address: str, link: str, number: int, seed: int = 1) -> None:
    """Send so many requests of every kind, and reset the connection of each at a moment of chance."""
    host, _, port = address.rpartition(":")
    chance, room = random.Random(seed), asyncio.Semaphore(AT_ONCE)

    async def one(asked: bytes, lives_s: float) -> None:
        async with room:
            try:
                _, writer = await asyncio.open_connection(host, int(port))
            except OSError:
                return  # gone before it was there
            writer.write(asked)
            await asyncio.sleep(lives_s)
            own = writer.get_extra_info("socket")
            own.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            writer.transport.abort()

    kinds = _requests(link)
    await asyncio.gather(*(one(chance.choice(kinds), chance.uniform(0, LONGEST_S)) for _ in range(number)))


def _requests(link: str) -> list[bytes]:
    shown = b'{"generation":1,"commit":1,"epoch":1}'
    asked = [
        f"GET {path} HTTP/1.1\r\nHost: here\r\n{more}\r\n".encode()
        for path, more in (
            ("/readyz", ""),
            ("/metrics", ""),
            ("/duty/now", ""),
            (f"/boards/{link}", ""),
            (f"/boards/{link}/shown", ""),
            (f"/boards/{link}/feed", "Accept: text/event-stream\r\n"),
            (
                "/tables/T1",
                UPGRADE,
            ),
        )
    ]
    post = f"POST /boards/{link}/shown HTTP/1.1\r\nHost: here\r\nContent-Length: {len(shown)}\r\n\r\n".encode()
    return [*asked, post + shown, post]
