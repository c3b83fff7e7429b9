"""How many bare wager rows a second does this Postgres take, with nothing decided, digested, entered or answered?"""

import asyncio
import time

import asyncpg

from jackpot.bench_round import SEATS
from jackpot.bench_site import BenchSite, bench_sql

ROWS = 1_000
"""Rows a statement, each statement a commit."""
TABLES = 500


class Batched:
    """The writer of bare rows; it goes on where its last turn ended, so that no row is there twice."""

    def __init__(self, site: BenchSite) -> None:
        """Begin with no row written."""
        self._url = site.baseline_url
        self._next = 0

    def rows_per_second(self, seconds: float) -> float:
        """Write for so long and return the rows a second."""
        return asyncio.run(self._write(seconds))

    async def _write(self, seconds: float) -> float:
        sql = bench_sql("bench_batched")
        connection = await asyncpg.connect(self._url)
        first = self._next
        try:
            if not first:
                await connection.execute(bench_sql("bench_empty"))
            await connection.execute(sql, *self._columns())  # the statement is prepared by then
            began = time.perf_counter()
            written = 0
            while (took := time.perf_counter() - began) < seconds:
                await connection.execute(sql, *self._columns())
                written += ROWS
        finally:
            await connection.close()
        assert self._next - first >= written  # noqa: S101 - each row is one of its own
        return written / took

    def _columns(self) -> tuple[list[int], list[str], list[int], list[int]]:
        """Return the next rows by column, in the order in which tables would wager: all seats of one, then the next."""
        numbers = range(self._next, self._next + ROWS)
        self._next += ROWS
        hands = [number // SEATS for number in numbers]
        return (
            hands,
            [f"B{hand % TABLES + 1}" for hand in hands],
            [hand // TABLES + 1 for hand in hands],
            [number % SEATS + 1 for number in numbers],
        )
