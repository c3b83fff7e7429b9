"""What is read of a link each second: all of one moment, only what is durable, never of a link that is not there."""

import asyncio
from collections.abc import Awaitable, Callable

import asyncpg
import pytest

from jackpot.core.accounts import MICROCENTS
from jackpot.core.commands import MoveHit, of_act
from jackpot.core.kept_hits import ENDED_KEPT
from jackpot.core.ports import LinkReader, UnreachableError
from jackpot.ledger import reading
from jackpot.ledger.failures import NO_ANSWER
from jackpot.ledger.reading import OVER_SHOWN, PostgresLinkReader
from jackpot.ledger.store import PostgresStore
from tests.support.chains import FULL_HOUSE, NOTHING, STRAIGHT_FLUSH, Link
from tests.support.embedded_fixture import Database
from tests.support.running import run
from tests.support.terms import two_pool_terms


async def post_all(url: str, link: Link, first: int = 0) -> None:
    """Post a link's batches from one on."""
    store = PostgresStore(url, link.chain)
    for batch in link.batches[first:]:
        await store.post(batch)
    await store.close()


def settle(link: Link, prize: str) -> None:
    """Let people settle every open hit of a prize."""
    for state, move, by in (
        ("pending", "verify", "Ines"),
        ("verified", "approve", "Sol"),
        ("approved", "pay", "Cass"),
    ):
        acts = [
            of_act(MoveHit(str(key), move, by, 1))
            for key, hit in link.state.hits.items()
            if hit.prize == prize and hit.state == state
        ]
        if acts:
            link.decide(acts)


def test_a_reading_is_the_state(ledger: Database) -> None:
    """Pools main one first with epoch, whole cents and last fall; hits by id with the commit they moved in."""
    link = Link(2, two_pool_terms())
    link.decide([link.wagers("T1", 1)])
    link.decide([link.record("T1", 1, {1: STRAIGHT_FLUSH, 2: NOTHING, 3: FULL_HOUSE})])
    settle(link, "full_house")
    seen: list[int] = []

    async def scene() -> None:
        await post_all(ledger.service_url, link)
        reader: LinkReader = PostgresLinkReader(ledger.service_url, link.chain, saw=seen.append)
        reading = await reader.reading()
        head = link.state.head
        assert (reading.generation, reading.commit, reading.status) == (1, head.commit, "running")
        assert reading.terms == link.state.terms.fingerprint if link.state.terms else ""
        assert [pool.pool for pool in reading.pools] == ["main", "minor"]
        for pool in reading.pools:
            assert pool.cents == link.state.balances[f"pool/{pool.pool}"].microcents // MICROCENTS
        assert reading.pools[1].last_fall_cause == "award"
        assert {(hit.hit, hit.state, hit.commit, hit.table) for hit in reading.hits} == {
            (str(key), hit.state, hit.moved, "T1") for key, hit in link.state.hits.items()
        }
        assert [hit.commit for hit in reading.hits] == sorted(hit.commit for hit in reading.hits)
        assert isinstance(reader, PostgresLinkReader)
        await reader.close()
        assert seen == [head.batch]

    run(scene())


def test_a_stop_and_a_closed_link_are_seen(ledger: Database) -> None:
    """A stopped link says so; one that nobody opened cannot be read."""
    link = Link()

    async def scene() -> None:
        reader = PostgresLinkReader(ledger.service_url, link.chain)
        with pytest.raises(UnreachableError, match="is not open"):
            await reader.reading()
        await post_all(ledger.service_url, link)
        assert (await reader.reading()).status == "running"
        store = PostgresStore(ledger.service_url, link.chain)
        await store.stop("a reason", "evidence")
        await store.close()
        assert (await reader.reading()).status == "stopped"
        await reader.close()

    run(scene())


def test_only_so_many_finished_hits_are_kept(ledger: Database) -> None:
    """Of finished hits the last ones are in the state, the same after a restart; fewer are shown; open ones all are."""
    link = Link()
    for number in range(1, ENDED_KEPT + 6):
        wagers, record = link.play("T1", number, {3: FULL_HOUSE})
        link.decide([wagers])
        link.decide([record])
        settle(link, "full_house")
    link.decide([link.wagers("T2", 1)])
    link.decide([link.record("T2", 1, {1: STRAIGHT_FLUSH, 2: NOTHING, 3: FULL_HOUSE})])

    async def scene() -> None:
        await post_all(ledger.service_url, link)
        store = PostgresStore(ledger.service_url, link.chain)
        assert await store.load() == link.state
        await store.close()
        reader = PostgresLinkReader(ledger.service_url, link.chain)
        reading = await reader.reading()
        await reader.close()
        assert len(reading.hits) == OVER_SHOWN + 2
        assert len(link.state.hits) == ENDED_KEPT + 2

    run(scene())


def test_nothing_read_is_told_before_a_commit_that_wrote(ledger: Database) -> None:
    """PROTOCOL 4: a reading, a load and an answer each end with a COMMIT that waits for what was read to be durable."""
    link = Link()

    async def written(watch: "asyncpg.Connection[asyncpg.Record]", read: Callable[[], Awaitable[object]]) -> bool:
        before: str = await watch.fetchval("SELECT pg_current_wal_flush_lsn()::text")
        await read()
        after: str = await watch.fetchval("SELECT pg_current_wal_flush_lsn()::text")
        return before != after

    async def scene() -> None:
        await post_all(ledger.service_url, link)
        watch = await asyncpg.connect(ledger.auditor_url)
        store = PostgresStore(ledger.service_url, link.chain)
        reader = PostgresLinkReader(ledger.service_url, link.chain)
        await store.load()
        await reader.reading()
        assert await written(watch, store.load)
        assert await written(watch, lambda: store.answers(["southern/open"]))
        assert await written(watch, reader.reading)
        await reader.close()
        await store.close()
        await watch.close()

    run(scene())


def test_a_reading_that_is_given_up_is_begun_anew(ledger: Database) -> None:
    """If cancelled the connection is dropped, and the next reading makes its own.

    What Postgres said of its disks stands until it is asked again: that it is silent is told by itself.
    """
    link = Link()

    async def scene() -> None:
        await post_all(ledger.service_url, link)
        reader = PostgresLinkReader(ledger.service_url, link.chain)
        assert not reader.durable
        await reader.reading()
        giving_up = asyncio.ensure_future(reader.reading())
        await asyncio.sleep(0)
        giving_up.cancel()
        await asyncio.gather(giving_up, return_exceptions=True)
        assert (reader.problem, reader.durable) == (NO_ANSWER, True)
        assert (await reader.reading()).batch == 1
        assert reader.problem == ""
        await reader.close()

    run(scene())


def test_a_ledger_that_is_not_as_it_was_left_is_not_loaded(ledger: Database) -> None:
    """At the start heads and balances are compared: what was tampered with stops the link before play."""
    link = Link()

    async def scene() -> None:
        await post_all(ledger.service_url, link)
        tamper = await asyncpg.connect(ledger.service_url)
        await tamper.execute(
            "UPDATE account SET balance_microcents = balance_microcents + 1 WHERE account = 'pool/main'"
        )
        await tamper.close()
        store = PostgresStore(ledger.service_url, link.chain)
        with pytest.raises(Exception, match="pool/main stands at 5000000000001"):
            await store.load()
        await store.close()

    run(scene())


def test_readings_that_are_given_up_leave_no_connections(ledger: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """While a COMMIT waits for a standby, or a lock for its holder, each reading takes the place of the last.

    So it does where one was given up before it had ended the last: the next ends both.
    """
    link, waiting = Link(), "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'jackpot reader southern'"

    def too_late(_name: str) -> str:
        raise TimeoutError

    async def scene() -> None:
        await post_all(ledger.service_url, link)
        lock, watch = await asyncpg.connect(ledger.owner_url), await asyncpg.connect(ledger.owner_url)
        holder = lock.transaction()
        await holder.start()
        await lock.execute("SELECT chain FROM head FOR UPDATE")
        reader = PostgresLinkReader(ledger.service_url, link.chain)
        for number in range(5):
            with monkeypatch.context() as patch:
                if number == 2:
                    patch.setattr(reading, "statement", too_late)
                with pytest.raises((TimeoutError, UnreachableError)):
                    await asyncio.wait_for(reader.reading(), 0.2)
        while await watch.fetchval(waiting) > 1:
            pass  # who was ended goes in its own time
        await holder.rollback()
        await lock.close()
        await watch.close()
        assert (await reader.reading()).status == "running"
        await reader.close()

    run(scene())
