"""How is a chain kept in Postgres? `jackpot.core.ports.Store`, promise by promise (PROTOCOL 4).

One connection of its own posts; the lock is taken on a new one. Decides nothing: what a batch holds is the core's.
"""

import asyncio
import hashlib
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from jackpot.core.accounts import HOUSE, BrokenInvariant, payable_account
from jackpot.core.behind import Mark, mark_of
from jackpot.core.chain import GENESIS
from jackpot.core.kept_hits import ENDED_KEPT, argued_since
from jackpot.core.ports import (
    Batch,
    Held,
    Known,
    SetAside,
)
from jackpot.core.state import Enrolled, LinkState, RegisteredLink, wagered_in
from jackpot.ledger.clock import SystemClock
from jackpot.ledger.connection import (
    SETTINGS,
    Connection,
    Durability,
    close,
    connect,
    durability,
    translated,
    uncancelled,
)
from jackpot.ledger.failures import (
    LedgerFenced,
    LedgerOutcomeUnknown,
    LedgerRefused,
    LedgerUnreachable,
    LinkStopped,
)
from jackpot.ledger.going_back import hold_to, refuse_behind
from jackpot.ledger.rows import (
    balances_of,
    batch_arguments,
    head_of,
    hit_of,
    journal_of,
    pool_of,
    round_of,
    table_of,
    terms_of,
)
from jackpot.ledger.seals import seal
from jackpot.ledger.statements import statement
from jackpot.ledger.stored_answers import find_answers
from jackpot.serving.points import reached
from jackpot.wire.snapshots import Snapshot

POSTING_SETTINGS: Mapping[str, str] = {
    **SETTINGS,
    # One plan for all batches: worked out once, and by key, however small a table was when it was made. A hash or a
    # merge would read all open rounds, and all that ended since the last vacuum, to find those of one batch.
    "plan_cache_mode": "force_generic_plan",
    "enable_seqscan": "off",
    "enable_bitmapscan": "off",
    "enable_hashjoin": "off",
    "enable_mergejoin": "off",
}


class PostgresStore:
    """A chain in Postgres, as the role that the URL names (`service`).

    **Always** one statement a batch, in an order of locks that lets no two posters wait for each other.
    **Never** a timeout or a cancel on the statement that commits.
    """

    def __init__(
        self, url: str, chain: str, *, now_us: Callable[[], int] | None = None, standby_expected: bool = False
    ) -> None:
        """Name the ledger, the chain, the clock that dates evidence, and whether the site has a standby."""
        self.chain = chain
        self.durability: Durability | None = None
        """What a COMMIT on the last connection means; None before the first."""
        self._url = url
        self._now_us = now_us or SystemClock().now_us
        self._standby_expected = standby_expected
        self._connection: Connection | None = None
        self._one_at_a_time = asyncio.Lock()
        self.shown: Callable[[], Snapshot | None] = lambda: None
        """Gives what was last shown of the chain: evidence, should its ledger go back."""
        self.remembered: Callable[[], tuple[str, Mark] | None] = lambda: None
        """Gives the furthest that others remember of the chain, and who: a new connection is held to that too."""
        self._seen: Mark | None = None
        """How far this process has seen the chain: a ledger that ends before it, or differs there, went back."""

    async def post(self, batch: Batch) -> None:
        """Write a batch durably in one statement.

        Raises FenceConflictError, BatchRefusedError, StoppedError, UnreachableError (nothing was written) or
        OutcomeUnknownError. **If cancelled** the connection is abandoned and the outcome unknown.
        """
        async with self._one_at_a_time:
            connection = await self._connected()
            if batch.batch == 1:
                with translated():
                    await connection.execute(statement("begin_chain"), self.chain, GENESIS)
            arguments = batch_arguments(batch)
            reached("before-statement")
            try:
                with translated(commits=True):
                    written = await uncancelled(connection, connection.fetchval(statement("post_batch"), *arguments))
            except LedgerOutcomeUnknown:
                connection.terminate()
                raise
            reached("durable")
            if written != 1:
                raise LedgerFenced(f"{self.chain}: batch {batch.batch} does not follow the head any more")
            self._seen = Mark(batch.generation, batch.last_commit, batch.digest.hex(), batch.batch)

    async def load(self) -> LinkState:
        """Return the state at the head, from the stored rows.

        Raises UnreachableError; BrokenInvariant where the head or an account is not what the last batch left.
        """
        async with self._one_at_a_time:
            connection = await self._connected()
            with translated():
                async with connection.transaction():
                    if not await connection.fetch(statement("share_head"), self.chain):
                        return LinkState(self.chain)  # there was nothing to lock, so nothing more is looked at
                    await _sound(connection, self.chain)
                    state = await load_state(connection, self.chain)
            self._seen = mark_of(state.head)
            return state

    async def answers(self, ids: Sequence[str]) -> Mapping[str, Known]:
        """Return what the ledger holds under these ids; ids it does not hold are absent. Raises UnreachableError."""
        async with self._one_at_a_time:
            connection = await self._connected()
            with translated():
                async with connection.transaction():
                    await connection.fetch(statement("mark_head"), self.chain)
                    return await find_answers(connection, self.chain, ids)

    def held(self) -> AbstractAsyncContextManager[Held]:
        """Take the chain's lock on a new connection; commit at the end, which may raise OutcomeUnknownError.

        What was under way is over when the lock is had. Left with an error, nothing was written. Raises
        UnreachableError when the lock is not had within `lock_timeout`.
        """
        return self._held()

    @asynccontextmanager
    async def _held(self) -> AsyncIterator[Held]:
        connection = await connect(self._url, f"jackpot lock {self.chain}")
        try:
            await self._check(connection)
            transaction = connection.transaction()
            with translated():
                await transaction.start()
                if not await connection.fetch(statement("lock_head"), self.chain):
                    await connection.execute(statement("begin_chain"), self.chain, GENESIS)
                    await connection.fetch(statement("lock_head"), self.chain)
            held = _HeldChain(connection, self.chain)
            reached("lock-held")
            yield held
            reached("written-under-lock")
            if held.refused:  # Postgres would take the COMMIT of a failed transaction for a ROLLBACK, and say nothing
                raise LedgerRefused(f"what was posted under the lock of {self.chain} was refused")
            with translated(commits=True):
                await uncancelled(connection, transaction.commit())
            reached("durable-under-lock")
            self._seen = held.posted or self._seen
        finally:
            await close(connection)

    async def set_aside(self, aside: Sequence[SetAside]) -> None:
        """Keep commands that could not be decided, with their errors. **If repeated** a command is kept once.

        Raises UnreachableError.
        """
        at = self._now_us()
        kept = [_aside_row(self.chain, one, at) for one in aside]
        async with self._one_at_a_time:
            connection = await self._connected()
            ids, digests, raws, errors, seals = (list(column) for column in zip(*kept, strict=True))
            with translated():
                await connection.execute(statement("keep_aside"), self.chain, ids, digests, raws, errors, at, seals)

    async def stop(self, reason: str, evidence: str) -> None:
        """Stop the link in every process and after a restart. **If repeated** the first stop stands.

        Raises UnreachableError.
        """
        at = self._now_us()
        sealed = seal(self.chain, at, reason, evidence)
        async with self._one_at_a_time:
            connection = await self._connected()
            with translated():
                await connection.execute(statement("begin_chain"), self.chain, GENESIS)
                await connection.execute(statement("stop_link"), self.chain, at, reason, evidence, sealed)

    async def stopped(self) -> bool:
        """Whether a stop stands that nobody has lifted. Raises UnreachableError."""
        async with self._one_at_a_time:
            connection = await self._connected()
            with translated():
                return await connection.fetchrow(statement("standing_stop"), self.chain) is not None

    async def close(self) -> None:
        """Close the connection that posts. **If repeated** nothing happens."""
        connection, self._connection = self._connection, None
        if connection is not None:
            await close(connection)

    async def _connected(self) -> Connection:
        """The connection that posts; a new one where it is gone. Raises UnreachableError."""
        if self._connection is not None and not self._connection.is_closed():
            return self._connection
        connection = await connect(self._url, f"jackpot poster {self.chain}", POSTING_SETTINGS)
        try:
            await self._check(connection)
        except BaseException:
            connection.terminate()
            raise
        self._connection = connection
        return connection

    async def _check(self, connection: Connection) -> None:
        """Refuse a connection whose COMMIT would not be on every disk that may take over (PROTOCOL 5)."""
        self.durability = await durability(connection, standby_expected=self._standby_expected)
        if self.durability.problem:
            raise LedgerUnreachable(f"the ledger is not durable: {self.durability.problem}")
        known = self.remembered()
        if (
            known is not None
            and (gone := await hold_to(connection, self.chain, *known[::-1], self.shown())) is not None
        ):
            raise LinkStopped(gone.reason)
        await refuse_behind(connection, self.chain, self._seen, self.shown())


class _HeldChain:
    """The chain under its lock, on the connection that holds it."""

    def __init__(self, connection: Connection, chain: str) -> None:
        self._connection = connection
        self._chain = chain
        self.refused = False
        self.posted: Mark | None = None

    async def load(self) -> LinkState:
        """Return the state at the head."""
        with translated():
            return await load_state(self._connection, self._chain)

    async def answers(self, ids: Sequence[str]) -> Mapping[str, Known]:
        """Return what the ledger holds under these ids."""
        with translated():
            return await find_answers(self._connection, self._chain, ids)

    async def post(self, batch: Batch) -> None:
        """Write a batch; durable when the lock is let go without an error."""
        self.refused = True
        with translated():
            written = await self._connection.fetchval(statement("post_batch"), *batch_arguments(batch))
        self.refused = False
        self.posted = Mark(batch.generation, batch.last_commit, batch.digest.hex(), batch.batch)
        if written != 1:
            raise BrokenInvariant(f"{self._chain}: batch {batch.batch} does not follow a head that is locked")


async def load_state(connection: Connection, chain: str) -> LinkState:
    """Read a chain's state; the caller keeps the chain from moving on meanwhile."""
    head, link_key = head_of(await connection.fetchrow(statement("load_head"), chain))
    terms = terms_of(await connection.fetch(statement("load_terms"), chain))
    pools = await connection.fetch(statement("load_pools"), chain)
    tables = await connection.fetch(statement("load_tables"), chain)
    journals = await connection.fetch(statement("load_journals"), chain)
    open_rounds = map(round_of, await connection.fetch(statement("load_rounds"), chain))
    rounds = {(opened.table, opened.journal, opened.round): opened for opened in open_rounds}
    hits = {(hit := hit_of(row)).key: hit for row in await connection.fetch(statement("load_hits"), chain, ENDED_KEPT)}
    since = argued_since(hits.values(), wagered_in(rounds))
    kept = await connection.fetch(statement("load_drawn_hits"), chain, since, HOUSE)
    kept += await connection.fetch(statement("load_last_hits"), chain)
    hits |= {hit.key: hit for hit in map(hit_of, kept) if hit.key not in hits}
    payables = [payable_account(str(key)) for key in hits]
    links = await connection.fetch(statement("load_links"), chain)
    enrolled = await connection.fetch(statement("load_enrolled"), chain)
    return LinkState(
        chain=chain,
        head=head,
        link_key=link_key,
        terms=terms[-1] if terms else None,
        older={each.fingerprint: each for each in terms},
        balances=balances_of(await connection.fetch(statement("load_accounts"), chain, payables)),
        pools={row["pool"]: pool_of(row) for row in pools},
        tables={row["table"]: table_of(row) for row in tables},
        journals={(row["table"], row["journal"]): journal_of(row) for row in journals},
        rounds=rounds,
        hits=hits,
        links={row["link"]: RegisteredLink(**row) for row in links},
        enrolled={row["table"]: Enrolled(**row) for row in enrolled},
    )


async def _sound(connection: Connection, chain: str) -> None:
    """Compare the head with its batch and each account with its last entry; raises BrokenInvariant."""
    head = await connection.fetchrow(statement("unsound_head"), chain)
    if head is not None:
        raise BrokenInvariant(f"{chain}: the head at batch {head['batch']} is not the last batch")
    account = await connection.fetchrow(statement("unsound_accounts"), chain)
    if account is not None:
        raise BrokenInvariant(
            f"{chain}: {account['account']} stands at {account['balance_microcents']} microcents, version"
            f" {account['version']}; its last entry says {account['balance_after']}, version {account['entry_version']}"
        )


def _aside_row(chain: str, one: SetAside, at_us: int) -> tuple[str, bytes, bytes, str, bytes]:
    # Text in Postgres holds neither NUL nor half a surrogate pair, which may be the very reason for the error.
    name, error = _storable(one.command.id), _storable(one.error)
    raw = one.command.raw
    sha256 = hashlib.sha256(raw).digest()
    return name, sha256, raw, error, seal(chain, name, sha256, raw, error, at_us)


def _storable(text: str) -> str:
    return text.replace("\x00", "\\x00").encode("utf-8", "backslashreplace").decode()
