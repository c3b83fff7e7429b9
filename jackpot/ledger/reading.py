"""What may be shown of a link? What was read from the primary, behind a COMMIT that locked (PROTOCOL 4, 6)."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import asyncpg
import msgspec

from jackpot.core.accounts import MICROCENTS
from jackpot.core.behind import LEDGER_BEHIND, Mark, decode_gone_back
from jackpot.core.state import RUNNING, STOPPED
from jackpot.ledger.connection import Connection, close, connect, durability, translated
from jackpot.ledger.failures import NO_ANSWER, LedgerUnreachable
from jackpot.ledger.going_back import hold_again, hold_to
from jackpot.ledger.statements import statement
from jackpot.wire.snapshots import HitShown, PoolShown, Snapshot, fall_cause
from rules.terms import parse_terms

OVER_SHOWN = 20
"""Of the hits that are over so many are shown."""

_pools = msgspec.json.Decoder(list[tuple[str, int, str, int, str, int]])
_hits = msgspec.json.Decoder(list[tuple[str, str, str, int, str, int]])


@dataclass(frozen=True, slots=True)
class LinkReading:
    """A link at one commit. `pools` in the order of the terms, main one first; `hits` by the commit they moved in."""

    generation: int
    commit: int
    batch: int
    digest: bytes
    status: str
    terms: str
    pools: Sequence[PoolShown]
    hits: Sequence[HitShown]


class PostgresLinkReader:
    """Reads a link each second on a connection of its own."""

    def __init__(
        self,
        url: str,
        chain: str,
        *,
        saw: Callable[[int], None] | None = None,
        standby_expected: bool = False,
        shown: Callable[[], Snapshot | None] = lambda: None,
    ) -> None:
        """Name the ledger and the link; `saw` is told the batch each reading found at the head.

        `shown` gives what was last shown of the link: evidence, should its ledger go back.
        """
        self.chain = chain
        self.problem = ""
        """Why the ledger could not be read, or is not durable; empty while all is well."""
        self.durable = False
        """Whether Postgres said, when it was asked last, that a commit is on every disk that may take over."""
        self._url = url
        self._saw = saw or (lambda _batch: None)
        self._shown = shown
        self.remembered: Callable[[], tuple[str, Mark] | None] = lambda: None
        """Gives the furthest that others remember of the link, and who: a new connection is held to that too."""
        self._standby_expected = standby_expected
        self._connection: Connection | None = None
        self._given_up = set[int]()
        """The backends of connections that were dropped and not yet ended: they may not have noticed."""
        self._seen: Mark | None = None

    @property
    def seen(self) -> Mark | None:
        """How far the link was read last; a ledger that went back is not read at all."""
        return self._seen

    async def reading(self) -> LinkReading:
        """Read the link; raises UnreachableError, also for a link that has not begun.

        **If cancelled** the connection is dropped.
        """
        try:
            return await self._read()
        except BaseException as error:
            unanswered = isinstance(error, asyncio.CancelledError | TimeoutError)
            self.problem = self.problem or str(error) or (NO_ANSWER if unanswered else type(error).__name__)
            connection, self._connection = self._connection, None
            if connection is not None:
                self._given_up.add(connection.get_server_pid())
                connection.terminate()
            raise

    async def close(self) -> None:
        """Close the connection. **If repeated** nothing happens."""
        connection, self._connection = self._connection, None
        if connection is not None:
            await close(connection)

    async def _read(self) -> LinkReading:
        if self._connection is None or self._connection.is_closed():
            name = f"jackpot reader {self.chain}"
            self._connection = await connect(self._url, name)
            with translated():
                await self._connection.fetch(statement("end_readings"), list(self._given_up), name)
            self._given_up.clear()
            self.problem = (await durability(self._connection, standby_expected=self._standby_expected)).problem
            self.durable = not self.problem
            known = self.remembered()
            if known is not None:
                await hold_to(self._connection, self.chain, *known[::-1], self._shown())
            await hold_again(self._connection, self.chain, self._seen, self._shown())
        with translated():
            transaction = self._connection.transaction()
            await transaction.start()
            await self._connection.fetch(statement("mark_head"), self.chain)
            row = await self._connection.fetchrow(statement("read_link"), self.chain, OVER_SHOWN)
            await transaction.commit()
        if row is None or row["raw"] is None:
            raise LedgerUnreachable(f"the link {self.chain} is not open")
        self._saw(row["batch"])
        if row["gone_back"] is not None:
            return _behind(row)
        at = Mark(row["generation"], row["commit"], row["digest"].hex(), row["batch"])
        if self._seen is not None and at.place < self._seen.place:
            raise LedgerUnreachable("it went back, and its link is stopped for another reason: lift that stop first")
        self._seen = at
        return LinkReading(
            generation=row["generation"],
            commit=row["commit"],
            batch=row["batch"],
            digest=row["digest"],
            status=STOPPED if row["stopped"] else RUNNING,
            terms=row["fingerprint"],
            pools=_in_order(row["pools"], row["raw"]),
            hits=[_hit_shown(*hit) for hit in _hits.decode(row["hits"])],
        )


def _behind(row: asyncpg.Record) -> LinkReading:
    """Return what may be shown of a link whose ledger went back: that it did, at the place that was shown before."""
    last = decode_gone_back(row["gone_back"]).last
    return LinkReading(
        generation=last.generation,
        commit=last.commit,
        batch=row["batch"],
        digest=row["digest"],
        status=LEDGER_BEHIND,
        terms=row["fingerprint"],
        pools=(),
        hits=(),
    )


def _in_order(text: str, raw: str) -> list[PoolShown]:
    shown = {
        pool: PoolShown(pool, epoch, int(microcents) // MICROCENTS, fall, fall_cause(cause, corrected))
        for pool, epoch, microcents, fall, cause, corrected in _pools.decode(text)
    }
    order = _order(raw)
    return [shown[pool] for pool in (*order, *sorted(shown.keys() - set(order)))]


@lru_cache(maxsize=64)
def _order(raw: str) -> tuple[str, ...]:
    return tuple(pool.name for pool in parse_terms(raw.encode()).pools)


def _hit_shown(hit: str, prize: str, state: str, amount_cents: int, table: str, moved: int) -> HitShown:
    return HitShown(hit, prize, state, amount_cents, table, moved)
