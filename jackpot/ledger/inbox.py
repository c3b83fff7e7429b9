"""What waits for a link's poster, and for how long?

A command that is not taken within two seconds, or finds the inbox full, is told `busy`: nothing was done with it. One
that was taken is answered by its outcome or not at all (PROTOCOL 3).
"""

import asyncio
from collections import deque
from collections.abc import Sequence
from itertools import islice

from jackpot.core.ports import Reply, Submitted, Writing
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
        return [self._waiting.popleft()[1] for _ in range(min(most, len(self._waiting)))]

    async def ahead(self, seen: int, most: int, writing: Writing) -> Sequence[Submitted]:
        """Return, without taking them, 1 to `most` commands that wait behind the first `seen`.

        Waits while there are none, no longer than a batch is being written: then none is returned. Others always go on
        first: frames are read, and the end of the writing is noticed.
        """
        await asyncio.sleep(0)
        while len(self._waiting) <= seen and not writing.ended:
            self._some.clear()
            writing.when_ended(self._some.set)
            await self._some.wait()
        return [each[1] for each in islice(self._waiting, seen, seen + most)]

    def took(self, these: Sequence[Submitted]) -> bool:
        """Take the oldest, which `ahead` returned. False where one of them was told `busy` meanwhile: none is taken."""
        if not self._waiting or self._waiting[0][1] is not these[0]:
            return False  # what waits goes in the order in which it came: the first of them is the first to go
        for _ in these:
            self._waiting.popleft()
        return True

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
