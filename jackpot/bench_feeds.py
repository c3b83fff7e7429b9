"""When does a board's feed show a commit? Readers of server-sent events that note it, hundreds in one process.

Written by hand for the reason `bench_socket` is. What a browser does with an event is not in it.
"""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from typing import cast

CONNECTED_WITHIN_S = 30.0
_COMMIT = b',"commit":'


@dataclass(slots=True)
class Reader(asyncio.Protocol):
    """One board: the commits it was shown, each with when."""

    link: str
    host: str
    began: "asyncio.Future[None]"
    shown: list[tuple[int, float]] = field(default_factory=list)
    _rest: bytes = b""
    _transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for the feed."""
        self._transport = cast("asyncio.Transport", transport)  # uvloop's own is one and says it is not
        self._transport.write(
            f"GET /boards/{self.link}/feed HTTP/1.1\r\nHost: {self.host}\r\nAccept: text/event-stream\r\n\r\n".encode()
        )

    def connection_lost(self, exc: Exception | None) -> None:
        """Say that the board is gone, where it was not there yet."""
        if not self.began.done():
            self.began.set_exception(ConnectionError(f"a board's feed ended: {exc or 'closed'}"))

    def data_received(self, data: bytes) -> None:
        """Note the commit of each state that came whole."""
        now = time.perf_counter()
        *events, self._rest = (self._rest + data).split(b"\n\n")
        for event in events:
            at = event.find(b"event: state\n")
            if at >= 0:
                self.shown.append((state_commit(event[at:]), now))
                if not self.began.done():
                    self.began.set_result(None)

    def close(self) -> None:
        """Hang up."""
        if self._transport is not None:
            self._transport.close()


def state_commit(event: bytes) -> int:
    r"""Return the commit a state event tells.

    >>> state_commit(b'event: state\ndata: {"link":"southern","generation":1,"commit":17,"terms":""}')
    17
    """
    at = event.index(_COMMIT) + len(_COMMIT)
    return int(event[at : event.index(b",", at)])


@contextlib.asynccontextmanager
async def watching(host: str, port: int, link: str, boards: int) -> AsyncIterator[Sequence[Reader]]:
    """Let so many boards watch a link while the context lasts. Raises OSError, TimeoutError."""
    loop = asyncio.get_running_loop()
    readers = [Reader(link, f"{host}:{port}", loop.create_future()) for _ in range(boards)]
    try:
        for reader in readers:
            await loop.create_connection(lambda reader=reader: reader, host, port)  # type: ignore[misc]
        async with asyncio.timeout(CONNECTED_WITHIN_S):
            await asyncio.gather(*(reader.began for reader in readers))
        yield readers
    finally:
        for reader in readers:
            reader.close()


def shown_after(answered: Sequence[tuple[int, float]], boards: Sequence[Reader]) -> list[float]:
    """Return, for each answer and each board, the seconds until it was shown that commit or a later one.

    An answer leaves when its commit has returned, so a board may be the earlier one: that is 0. A commit that a board
    was never shown is counted as infinitely late.
    """
    late: list[float] = []
    commits = sorted(answered)
    for board in boards:
        shown = iter(sorted(board.shown))
        has, when = next(shown, (0, 0.0))
        for commit, at in commits:
            while has < commit and when != float("inf"):
                has, when = next(shown, (0, float("inf")))
            late.append(max(0.0, when - at))
    return late
