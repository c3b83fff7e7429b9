"""Connections that die, processes that are killed, statements that fail half-way: nothing is lost or doubled."""

import asyncio
import contextlib
import os
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import asyncpg
import pytest

from jackpot.core.accounts import MICROCENTS
from jackpot.core.ports import Batch, OutcomeUnknownError, Reply, UnreachableError
from jackpot.core.posting import Poster, post
from jackpot.embedded import Servers
from jackpot.ledger.audit import audit
from jackpot.ledger.clock import SystemClock
from jackpot.ledger.failures import (
    LedgerFenced,
    LedgerOutcomeUnknown,
    LedgerUnreachable,
)
from jackpot.ledger.rows import batch_arguments
from jackpot.ledger.statements import statement
from jackpot.ledger.store import PostgresStore
from jackpot.wire.refusals import Refusal
from tests.support.chains import NOTHING, ROYAL, Link
from tests.support.embedded_fixture import Database
from tests.support.running import run

SEED = 5_000_000 * MICROCENTS


@asynccontextmanager
async def connected(url: str) -> AsyncIterator["asyncpg.Connection[asyncpg.Record]"]:
    """A connection of the test's own."""
    connection = await asyncpg.connect(url)
    try:
        yield connection
    finally:
        await connection.close()


@asynccontextmanager
async def stored(database: Database, link: Link) -> AsyncIterator[PostgresStore]:
    """A store over what a link has decided so far."""
    store = PostgresStore(database.service_url, link.chain)
    try:
        for batch in link.batches:
            await store.post(batch)
        yield store
    finally:
        await store.close()


def poster(store: PostgresStore) -> Poster:
    """A poster of one more process."""
    return Poster(store, SystemClock(), lambda _posted: None)


async def waiting(watch: "asyncpg.Connection[asyncpg.Record]", name: str) -> int:
    """The process of the session of that name, once it waits for a lock."""
    while True:
        pid = await watch.fetchval(
            "SELECT pid FROM pg_stat_activity WHERE application_name = $1 AND wait_event_type = 'Lock'"
            " AND datname = current_database()",
            name,
        )
        if pid is not None:
            return int(pid)
        await asyncio.sleep(0.01)


class LateStore(PostgresStore):
    """A store whose connection dies while its batch is being committed; the server finishes a moment later."""

    def __init__(self, url: str, chain: str, other: "asyncpg.Connection[asyncpg.Record]") -> None:
        """`other` is the connection as the server still sees it."""
        super().__init__(url, chain)
        self.other = other
        self.dies = True
        self.transaction = other.transaction()

    async def post(self, batch: Batch) -> None:
        """Die once, with the batch under way."""
        if not self.dies:
            return await super().post(batch)
        self.dies = False
        await self.transaction.start()
        assert await self.other.fetchval(statement("post_batch"), *batch_arguments(batch)) == 1
        raise OutcomeUnknownError("no word came back")


def test_a_commit_that_arrives_a_second_later_is_decided_once(ledger: Database, servers: Servers) -> None:
    """Case 57: the poster waits for the lock until the old transaction is over, and answers from what it finds."""
    link = Link()
    wagers = link.wagers("T1", 1)

    async def scene() -> None:
        superuser = servers.url("postgres", ledger.name)
        async with stored(ledger, link) as first, connected(ledger.service_url) as old, connected(superuser) as watch:
            late = LateStore(ledger.service_url, link.chain, old)
            answering = asyncio.ensure_future(post(poster(late), [wagers]))
            await waiting(watch, f"jackpot lock {link.chain}")
            assert not answering.done()
            await late.transaction.commit()
            (reply,) = await answering
            state = await first.load()
            assert state.head.batch == 2
            assert reply.receipt is not None
            assert reply.receipt.digest == state.head.digest.hex()
            assert state.balances["pool/main"].microcents == SEED + 66 * MICROCENTS
            await late.close()

    run(scene())


def test_a_commit_that_never_arrives_is_made_good(ledger: Database, servers: Servers) -> None:
    """The old transaction rolls back instead: the command is decided anew, once."""
    link = Link()

    async def scene() -> None:
        superuser = servers.url("postgres", ledger.name)
        async with stored(ledger, link) as first, connected(ledger.service_url) as old, connected(superuser) as watch:
            late = LateStore(ledger.service_url, link.chain, old)
            answering = asyncio.ensure_future(post(poster(late), [link.wagers("T1", 1)]))
            await waiting(watch, f"jackpot lock {link.chain}")
            await late.transaction.rollback()
            await answering
            assert (await first.load()).head.batch == 2
            await late.close()

    run(scene())


def test_who_is_cancelled_leaves_the_statement_alone(ledger: Database, servers: Servers) -> None:
    """No cancel reaches the server: the statement that was under way is committed, and whoever locks next finds it."""
    link = Link()
    batch = link.decision([link.wagers("T1", 1)]).batch
    assert batch is not None

    async def scene() -> None:
        superuser = servers.url("postgres", ledger.name)
        async with stored(ledger, link) as store, connected(superuser) as lock, connected(superuser) as watch:
            async with lock.transaction():
                await lock.execute("SELECT FROM head WHERE chain = 'southern' FOR UPDATE")
                posting = asyncio.ensure_future(store.post(batch))
                await waiting(watch, f"jackpot poster {link.chain}")
                posting.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await posting
                assert posting.cancelled()
                assert await waiting(watch, f"jackpot poster {link.chain}")
            async with store.held() as held:
                assert (await held.load()).head.batch == 2
            await store.load()

    run(scene())


def test_a_session_that_is_ended_leaves_the_outcome_unknown(ledger: Database, servers: Servers) -> None:
    """The server ends the poster's session in the middle of the statement: unknown; the store goes on afterwards."""
    link = Link()
    batch = link.decision([link.wagers("T1", 1)]).batch
    assert batch is not None

    async def scene() -> None:
        superuser = servers.url("postgres", ledger.name)
        async with stored(ledger, link) as store, connected(superuser) as lock, connected(superuser) as watch:
            async with lock.transaction():
                await lock.execute("SELECT FROM head WHERE chain = 'southern' FOR UPDATE")
                posting = asyncio.ensure_future(store.post(batch))
                pid = await waiting(watch, f"jackpot poster {link.chain}")
                await watch.execute("SELECT pg_terminate_backend($1)", pid)
                with pytest.raises(OutcomeUnknownError) as unknown:
                    await posting
                assert isinstance(unknown.value, LedgerOutcomeUnknown)
                assert unknown.value.outcome == "unknown"
            await store.post(batch)
            assert (await store.load()).head.batch == 2

    run(scene())


def test_a_session_that_ended_before_is_replaced(ledger: Database, servers: Servers) -> None:
    """A connection found closed was not used: a new one is made, and nothing is unknown."""
    link = Link()
    batch = link.decision([link.wagers("T1", 1)]).batch
    assert batch is not None

    async def scene() -> None:
        async with stored(ledger, link) as store, connected(servers.url("postgres", ledger.name)) as watch:
            connection = await store._connected()
            await watch.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE application_name = 'jackpot poster southern' AND datname = current_database()"
            )
            while not connection.is_closed():  # noqa: ASYNC110 - asyncpg tells nobody
                await asyncio.sleep(0.01)
            await store.post(batch)

    run(scene())


@pytest.mark.usefixtures("as_shipped")
def test_a_lock_not_had_in_time_is_another_posters(ledger: Database, servers: Servers) -> None:
    """Who waits two seconds for the head gives up with nothing written, and the lock is asked for instead."""
    link = Link()
    batch = link.decision([link.wagers("T1", 1)]).batch
    assert batch is not None

    async def scene() -> None:
        superuser = servers.url("postgres", ledger.name)
        async with stored(ledger, link) as store, connected(superuser) as lock, lock.transaction():
            await lock.execute("SELECT FROM head WHERE chain = 'southern' FOR UPDATE")
            outcomes = await asyncio.gather(store.post(batch), _hold(store), return_exceptions=True)
            assert [type(outcome) for outcome in outcomes] == [LedgerFenced, LedgerUnreachable]

    run(scene())


async def _hold(store: PostgresStore) -> None:
    async with store.held():
        pass


def test_a_failure_between_meter_and_wagers_moves_nothing(ledger: Database, servers: Servers) -> None:
    """Case 5: the statement fails after the accounts and before the wager rows; the retry moves the meter once."""
    link = Link()
    wagers = link.wagers("T1", 1)

    async def scene() -> None:
        async with stored(ledger, link) as store, connected(servers.url("postgres", ledger.name)) as saboteur:
            await saboteur.execute(
                "CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql"
                " AS $$ BEGIN RAISE EXCEPTION 'injected'; END $$;"
                " CREATE TRIGGER fail BEFORE INSERT ON wager FOR EACH ROW EXECUTE FUNCTION fail()"
            )
            (reply,) = await post(poster(store), [wagers])
            assert reply.later is Refusal.KEPT_ASIDE
            assert await store.load() == link.state
            await saboteur.execute("DROP TRIGGER fail ON wager")
            await post(poster(store), [wagers])
            await post(poster(store), [wagers])
            assert (await store.load()).balances["pool/main"].microcents == SEED + 66 * MICROCENTS
            assert await saboteur.fetchval("SELECT count(*) FROM wager") == 3

    run(scene())


def test_what_a_trigger_refuses_alone_is_set_aside_alone(ledger: Database, servers: Servers) -> None:
    """A trigger raises for one table's wagers, with no code that anybody knows: its neighbours never notice."""
    link = Link()
    commands = [link.wagers(table, 1) for table in ("T1", "T2")]

    async def scene() -> None:
        async with stored(ledger, link) as store, connected(servers.url("postgres", ledger.name)) as saboteur:
            await saboteur.execute(
                "CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
                " IF NEW.\"table\" = 'T2' THEN RAISE EXCEPTION 'injected'; END IF; RETURN NEW; END $$;"
                " CREATE TRIGGER fail BEFORE INSERT ON wager FOR EACH ROW EXECUTE FUNCTION fail()"
            )
            replies = await post(poster(store), commands)
            assert [reply.later for reply in replies] == [None, Refusal.KEPT_ASIDE]
            await saboteur.execute("DROP TRIGGER fail ON wager")
            (reply,) = await post(poster(store), commands[1:])
            assert reply.receipt is not None
            assert await saboteur.fetchval("SELECT count(*) FROM wager") == 6

    run(scene())


AWARD_AND_DIE = """
import asyncio, sys
from jackpot.core.posting import Poster, post
from jackpot.ledger.clock import SystemClock
from jackpot.ledger.store import PostgresStore
from jackpot.core.commands import command_of

async def main():
    store = PostgresStore(sys.argv[1], "southern")
    replies = await post(Poster(store, SystemClock(), lambda posted: None), [command_of(bytes.fromhex(sys.argv[2]))])
    print(replies[0].answer.decode(), replies[0].receipt)
    await store.close()

asyncio.run(main())
"""


def test_a_process_killed_between_award_and_reset_leaves_neither(ledger: Database, servers: Servers) -> None:
    """Case 6: killed while the pool's row is being written; after a restart one award, one reset."""
    link = Link()
    link.decide([link.wagers("T1", 1)])
    record = link.record("T1", 1, {1: NOTHING, 3: ROYAL}, [1, 3])

    def start() -> "subprocess.Popen[bytes]":
        command = [sys.executable, "-c", AWARD_AND_DIE, ledger.service_url, record.raw.hex()]
        return subprocess.Popen(command, stdout=subprocess.PIPE)

    async def scene() -> bytes:
        superuser = servers.url("postgres", ledger.name)
        async with stored(ledger, link) as store, connected(superuser) as lock, connected(superuser) as watch:
            async with lock.transaction():
                await lock.execute("SELECT FROM account WHERE account = 'pool/main' FOR UPDATE")
                with start() as process:
                    pid = await waiting(watch, f"jackpot poster {link.chain}")
                    process.kill()
                # The server notices that its client is gone no later than when it has something to say.
                await watch.execute("SELECT pg_terminate_backend($1)", pid)
            assert await store.load() == link.state
            with start() as process:
                answer, _ = await asyncio.to_thread(process.communicate)
            (reply,) = await post(poster(store), [record])
            state = await store.load()
            assert reply.answer in answer
            assert state.pools["main"].epoch == 2
            assert [hit.prize for hit in state.hits.values()] == ["royal_flush"]
            return answer

    assert b'"prize":"royal_flush"' in run(scene())
    assert run(audit(ledger.auditor_url)).differences == []


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ("synchronous_commit = off", "synchronous_commit is off"),
        ("synchronous_commit = local", "synchronous_commit is local"),
    ],
)
def test_a_ledger_that_is_not_durable_takes_nothing(
    ledger: Database, servers: Servers, settings: str, problem: str
) -> None:
    """PROTOCOL 5: what would be answered before it is on the disk is not answered at all."""
    link = Link()

    async def scene() -> None:
        async with connected(servers.url("postgres", ledger.name)) as administrator:
            await administrator.execute(f'ALTER DATABASE "{ledger.name}" SET {settings}')
        store = PostgresStore(ledger.service_url, link.chain)
        with pytest.raises(LedgerUnreachable, match=problem):
            await store.post(link.opening)
        with pytest.raises(LedgerUnreachable, match=problem):
            await _hold(store)
        assert store.durability is not None
        assert store.durability.problem == problem
        replies: list[Reply] = list(await post(poster(store), link.opening_commands()))
        assert {reply.later for reply in replies} == {Refusal.LEDGER_UNREACHABLE}
        await store.close()

    run(scene())


def test_a_server_that_is_not_there_is_unreachable(tmp_path: os.PathLike[str]) -> None:
    """No socket, no server: nothing was written."""
    store = PostgresStore(f"postgresql://service@/jackpot?host={tmp_path}", "southern")
    for work in (store.load(), store.post(Link().opening), store.set_aside([]), _hold(store)):
        with pytest.raises(UnreachableError):
            run(_once(work))


async def _once(work: object) -> None:
    await work  # type: ignore[misc]
