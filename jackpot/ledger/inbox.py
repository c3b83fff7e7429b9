"""What waits for a link's poster, and for how long?

A command that is not taken within two seconds, or finds the inbox full, is told `busy`: nothing was done with it. One
that was taken is answered by its outcome or not at all (PROTOCOL 3).
"""

import asyncio
from collections import deque

from jackpot.core.ports import Reply, Submitted
from jackpot.serving.points import reached
from jackpot.wire.refusals import Refusal

BUSY_AFTER_S = 2.0
ROOM = 20_000
"""Commands at most: four for each of 5,000 tables, of which a table has one in flight."""


class AsyncInbox:
    """The inbox of one link on the event loop."""

    def __init__(self, *, room: int = ROOM, busy_after_s: float = BUSY_AFTER_S) -> None:
        """Begin empty."""
        self._waiting: deque[tuple[float, Submitted]] = deque()
        self._some = asyncio.Event()
        self._room = room
        self._busy_after_s = busy_after_s
        self._timer: asyncio.TimerHandle | None = None
        self._seen = 0

    def __len__(self) -> int:
        """How many commands wait."""
        return len(self._waiting)

    def submit(self, submitted: Submitted) -> None:
        """Put a command in; one for which there is no room is told `busy` at once. Never waits."""
        if len(self._waiting) >= self._room:
            _busy(submitted)
            return
        loop = asyncio.get_running_loop()
        self._waiting.append((loop.time() + self._busy_after_s, submitted))
        self._some.set()
        if self._timer is None:
            self._timer = loop.call_later(self._busy_after_s, self._expire)

    async def take(self, most: int) -> list[Submitted]:
        """Return 1 to `most` waiting commands, oldest first; wait for the first. **If cancelled** none is lost."""
        while not self._waiting:
            self._some.clear()
            await self._some.wait()
        reached("commands-waiting")
        return [self._waiting.popleft()[1] for _ in range(min(most, len(self._waiting)))]

    def saw(self, batch: int) -> None:
        """Note the head that was read from the ledger: another process may have posted it."""
        self._seen = max(self._seen, batch)

    def behind(self, batch: int) -> bool:
        """Say whether another process is known to have posted past this batch."""
        return self._seen > batch

    def _expire(self) -> None:
        loop = asyncio.get_running_loop()
        while self._waiting and self._waiting[0][0] <= loop.time():
            _busy(self._waiting.popleft()[1])
        self._timer = loop.call_at(self._waiting[0][0], self._expire) if self._waiting else None


def _busy(submitted: Submitted) -> None:
    submitted.reply(Reply(submitted.command.id, b"", None, Refusal.BUSY))
