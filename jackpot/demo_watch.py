"""What the demo's view is made of: the ledger's own rows, and the snapshots as any board gets them."""

import asyncio
import json
from types import TracebackType
from typing import Self

import asyncpg
import redis.asyncio as aredis

from jackpot.core.accounts import MICROCENTS
from jackpot.demo_view import TableNow
from jackpot.ledger.statements import statement
from jackpot.wire.codec import FrameError, decode_published, decode_snapshot
from jackpot.wire.snapshots import Snapshot, channel
from rules.terms import Terms

FRESH_S = 5.0
"""A snapshot older than this is not live (PROTOCOL 6)."""
AGAIN_S = 0.5
"""How soon a lost subscription is asked for again."""


class Watch:
    """Looks at a link while the context lasts."""

    def __init__(self, auditor_url: str, redis_url: str, terms: Terms) -> None:
        """Name what is looked at."""
        self._database_url, self._redis_url, self._link = auditor_url, redis_url, terms.name
        self._price = terms.qualifying_wager_cents * MICROCENTS
        self._database: asyncpg.Connection[asyncpg.Record] | None = None
        self._listening: asyncio.Task[None] | None = None
        self._snapshot: Snapshot | None = None
        self._heard_at = 0.0

    async def __aenter__(self) -> Self:
        """Begin to look."""
        self._database = await asyncpg.connect(self._database_url)
        self._listening = asyncio.create_task(self._listen())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        """Stop looking."""
        if self._listening is not None:
            self._listening.cancel()
            await asyncio.gather(self._listening, return_exceptions=True)
        if self._database is not None:
            await self._database.close()

    async def look(self) -> tuple[list[TableNow], int, int]:
        """Return the tables as the ledger has them, how many wagers stand, and how many hits are not at their end."""
        assert self._database is not None  # noqa: S101 - opened before it is looked at
        row = await self._database.fetchrow(statement("demo_progress"), self._link)
        assert row is not None  # noqa: S101 - the statement always has one row
        tables = [TableNow(*each) for each in json.loads(row["tables"] or "[]")]
        return tables, int(row["taken_microcents"] or 0) // self._price, row["open_hits"]

    def snapshot(self) -> tuple[Snapshot | None, bool]:
        """Return the newest snapshot, and whether it is live."""
        return self._snapshot, asyncio.get_running_loop().time() - self._heard_at < FRESH_S

    async def _listen(self) -> None:
        while True:
            try:
                async with aredis.from_url(self._redis_url) as client, client.pubsub() as feed:
                    await feed.subscribe(channel(self._link))
                    async for message in feed.listen():
                        if message["type"] == "message":
                            self._hear(message["data"])
            except (aredis.RedisError, OSError):
                await asyncio.sleep(AGAIN_S)

    def _hear(self, data: bytes) -> None:
        try:
            self._snapshot = decode_snapshot(decode_published(data).body)
        except FrameError:
            return
        self._heard_at = asyncio.get_running_loop().time()
