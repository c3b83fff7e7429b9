"""How does a link's own ledger do at this moment? A store and an inbox that can be asked, and what Postgres says.

They do what the store and the inbox do; all that is added is a look at the clock.
"""

import time
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from typing import Literal

from jackpot.core.ports import Batch, BatchRefusedError, FenceConflictError, Held, OutcomeUnknownError
from jackpot.ledger.connection import close, connect, translated
from jackpot.ledger.inbox import AsyncInbox
from jackpot.ledger.statements import statement
from jackpot.ledger.store import PostgresStore

__all__ = ["DatabaseNow", "Watch", "WatchedInbox", "WatchedStore", "look_at_database", "times_of_commits"]

Watch = Callable[[Literal["written", "unknown", "refused", "stopped"], float], None]
"""Told what became of a statement that commits, and the seconds it took; never raises and never waits."""


class WatchedStore(PostgresStore):
    """A chain in Postgres that tells what became of each batch, and since when one has no outcome."""

    def __init__(self, url: str, chain: str, watch: Watch, *, standby_expected: bool = False) -> None:
        """Name the ledger and the chain, and who is told."""
        super().__init__(url, chain, standby_expected=standby_expected)
        self._watch = watch
        self._since: float | None = None

    @property
    def under_way_s(self) -> float:
        """For how many seconds a batch has had no outcome; 0 where none is in hand."""
        return 0.0 if self._since is None else time.monotonic() - self._since

    async def post(self, batch: Batch) -> None:
        """Write a batch, and tell how it went; raises what the store raises."""
        began = time.monotonic()
        self._since = self._since or began
        undecided = False
        try:
            await super().post(batch)
        except OutcomeUnknownError:
            undecided = True
            self._watch("unknown", time.monotonic() - began)
            raise
        except FenceConflictError:
            undecided = True
            raise
        except BatchRefusedError:
            self._watch("refused", time.monotonic() - began)
            raise
        else:
            self._watch("written", time.monotonic() - began)
        finally:
            self._since = self._since if undecided else None

    def held(self) -> AbstractAsyncContextManager[Held]:
        """Take the chain's lock; what is committed under it has its outcome."""
        return self._watched()

    @asynccontextmanager
    async def _watched(self) -> AsyncIterator[Held]:
        self._since = self._since or time.monotonic()
        try:
            async with super().held() as held:
                yield held
        except OutcomeUnknownError:
            self._watch("unknown", self.under_way_s)
            raise
        self._since = None

    async def stop(self, reason: str, evidence: str) -> None:
        """Stop the link, and tell so once it is written."""
        await super().stop(reason, evidence)
        self._since = None
        self._watch("stopped", 0.0)


class WatchedInbox(AsyncInbox):
    """An inbox that says how long its oldest command waits."""

    def oldest_s(self, now: float) -> float:
        """Return how long the oldest has waited at a time of the event loop; 0 where none waits."""
        return 0.0 if not self._waiting else max(0.0, now - self._waiting[0][0] + self._busy_after_s)


@dataclass(frozen=True, slots=True)
class DatabaseNow:
    """What Postgres says of the whole database, and how many commands each chain keeps aside."""

    size: int
    connections: int
    connections_limit: int
    aside: Mapping[str, int]


async def look_at_database(url: str) -> DatabaseNow:
    """Ask on a connection of its own, which is closed again; raises UnreachableError."""
    connection = await connect(url, "jackpot watch")
    try:
        with translated():
            size, connections, limit = await connection.fetchrow(statement("watch_database")) or (0, 0, 0)
            rows = await connection.fetch(statement("watch_aside"))
        return DatabaseNow(size, connections, limit, {row["chain"]: row["kept"] for row in rows})
    finally:
        await close(connection)


async def times_of_commits(url: str, chain: str, commits: Iterable[int]) -> dict[int, int]:
    """Return when commits were posted, in microseconds since 1970; raises UnreachableError."""
    found: dict[int, int] = {}
    connection = await connect(url, f"jackpot watch {chain}")
    try:
        for commit in sorted(set(commits)):
            with translated():
                batch = await connection.fetchrow(statement("batch_of_commit"), chain, commit)
            if batch is not None:
                found[commit] = batch["time_us"]
        return found
    finally:
        await close(connection)
