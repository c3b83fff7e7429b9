"""A store and an inbox that can be asked how they do: each outcome of a batch is told once, with its seconds."""

import asyncio
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Literal

import pytest

from jackpot.core.ports import (
    Batch,
    BatchRefusedError,
    FenceConflictError,
    OutcomeUnknownError,
    Reply,
    SetAside,
    Submitted,
)
from jackpot.ledger.failures import LedgerUnreachable
from jackpot.ledger.store import PostgresStore
from jackpot.ledger.watched import WatchedInbox, WatchedStore, look_at_database, times_of_commits
from tests.support.chains import Link, changed
from tests.support.embedded_fixture import Database
from tests.support.running import run

NOWHERE = "postgresql://nobody@127.0.0.1:1/none"


@dataclass
class Told:
    """What a store told."""

    became: list[str] = field(default_factory=list)

    def __call__(self, became: Literal["written", "unknown", "refused", "stopped"], took_s: float) -> None:
        """Note it; no time is ever less than nothing."""
        assert took_s >= 0
        self.became.append(became)


def fails(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    """Let the statement that commits end so."""

    async def post(_store: PostgresStore, _batch: Batch) -> None:
        raise error

    monkeypatch.setattr(PostgresStore, "post", post)


def test_a_batch_that_is_written_is_told_so(ledger: Database) -> None:
    """Each batch once; nothing is under way before or after, and something is while Postgres has it."""
    link, told = Link(), Told()
    link.decide([link.wagers("T1", 1)])

    async def scene() -> None:
        store = WatchedStore(ledger.service_url, link.chain, told)
        assert store.under_way_s == 0
        for batch in link.batches:
            writing = asyncio.create_task(store.post(batch))
            await asyncio.sleep(0)
            assert store.under_way_s > 0
            await writing
            assert store.under_way_s == 0
        await store.close()

    run(scene())
    assert told.became == ["written", "written"]


def test_a_batch_that_postgres_refuses_is_told_so(ledger: Database) -> None:
    """A refusal is an outcome: it is told, raised, and nothing is under way any more."""
    link, told = Link(), Told()
    wrong = changed(link.batches[0], entries=link.batches[0].rows.entries[1:])

    async def scene() -> None:
        store = WatchedStore(ledger.service_url, link.chain, told)
        with pytest.raises(BatchRefusedError):
            await store.post(wrong)
        assert store.under_way_s == 0
        await store.close()

    run(scene())
    assert told.became == ["refused"]


def test_a_batch_without_an_outcome_is_under_way_until_it_has_one(
    ledger: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An unknown outcome is told; its age counts on through the lock, and ends when that was given back."""
    link, told = Link(), Told()

    async def scene() -> None:
        store = WatchedStore(ledger.service_url, link.chain, told)
        with monkeypatch.context() as patch:
            fails(patch, OutcomeUnknownError("no word came back"))
            with pytest.raises(OutcomeUnknownError):
                await store.post(link.batches[0])
        before_s = store.under_way_s
        assert before_s > 0
        async with store.held() as held:
            await held.load()
            assert store.under_way_s > before_s
        assert store.under_way_s == 0
        await store.close()

    run(scene())
    assert told.became == ["unknown"]


def test_a_fenced_batch_is_no_outcome_and_nothing_to_count(ledger: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another process was first: the batch is decided again, its age counts on, and no outcome is told."""
    link, told = Link(), Told()

    async def scene() -> None:
        store = WatchedStore(ledger.service_url, link.chain, told)
        fails(monkeypatch, FenceConflictError("another was first"))
        with pytest.raises(FenceConflictError):
            await store.post(link.batches[0])
        assert store.under_way_s > 0
        await store.close()

    run(scene())
    assert told.became == []


def test_a_batch_that_never_left_is_under_way_no_more(ledger: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where Postgres was not reached the outcome is known: nothing was posted."""
    link, told = Link(), Told()

    async def scene() -> None:
        store = WatchedStore(ledger.service_url, link.chain, told)
        fails(monkeypatch, LedgerUnreachable("away"))
        with pytest.raises(LedgerUnreachable):
            await store.post(link.batches[0])
        assert store.under_way_s == 0
        await store.close()

    run(scene())
    assert told.became == []


def test_an_unknown_outcome_under_the_lock_is_told_too(ledger: Database) -> None:
    """What is committed under the lock can be lost as well; it is counted once, and stays under way."""
    link, told = Link(), Told()

    async def scene() -> None:
        store = WatchedStore(ledger.service_url, link.chain, told)
        with pytest.raises(OutcomeUnknownError):
            async with store.held():
                raise OutcomeUnknownError("the COMMIT had no answer")
        assert store.under_way_s > 0
        await store.close()

    run(scene())
    assert told.became == ["unknown"]


def test_a_link_that_is_stopped_is_told_once_it_is_written(ledger: Database) -> None:
    """The stop is in the ledger when it is counted, and nothing is under way after it."""
    link, told = Link(), Told()

    async def scene() -> None:
        store = WatchedStore(ledger.service_url, link.chain, told)
        await store.post(link.batches[0])
        await store.stop("a balance fell", "entry 5")
        assert store.under_way_s == 0
        await store.close()

    run(scene())
    assert told.became == ["written", "stopped"]


def test_an_inbox_says_how_long_its_oldest_command_waits() -> None:
    """Of the oldest, not of the newest; nought where none waits."""
    link = Link()
    first, second = link.wagers("T1", 1), link.wagers("T2", 1)

    def unheard(_reply: Reply) -> None:
        raise AssertionError("nothing is answered here")

    async def scene() -> None:
        loop, inbox = asyncio.get_running_loop(), WatchedInbox()
        assert inbox.oldest_s(loop.time()) == 0
        times = [loop.time()]
        for one in (first, second):
            inbox.submit(Submitted(one, unheard))
            times.append(loop.time())
        for before, after in pairwise(times):
            assert 8.99 < inbox.oldest_s(after + 9) < 9.01 + after - before
            await inbox.take(1)
        assert inbox.oldest_s(loop.time() + 9) == 0

    run(scene())


def test_postgres_says_how_it_does(ledger: Database) -> None:
    """Size, connections and their limit are of the database; commands kept aside are counted by chain."""
    link = Link()
    wagers = link.wagers("T1", 1)

    async def scene() -> Any:
        store = PostgresStore(ledger.service_url, link.chain)
        await store.post(link.batches[0])
        await store.set_aside([SetAside(wagers, "a fault")])
        now = await look_at_database(ledger.service_url)
        await store.close()
        return now

    now = run(scene())
    assert now.size > 1_000_000
    assert 0 < now.connections < now.connections_limit
    assert now.aside == {link.chain: 1}


def test_postgres_that_is_away_is_not_reachable() -> None:
    """Both questions end with the ledger's own error."""
    with pytest.raises(LedgerUnreachable):
        run(look_at_database(NOWHERE))
    with pytest.raises(LedgerUnreachable):
        run(times_of_commits(NOWHERE, "southern", [1]))


def test_when_commits_were_posted_is_the_ledgers_word(ledger: Database) -> None:
    """Each known commit has its time; one that does not exist has none."""
    link = Link()
    link.decide([link.wagers("T1", 1)])
    last = link.batches[-1]

    async def scene() -> dict[int, int]:
        store = PostgresStore(ledger.service_url, link.chain)
        for batch in link.batches:
            await store.post(batch)
        await store.close()
        return await times_of_commits(ledger.service_url, link.chain, [link.state.head.commit, 1, 999])

    times = run(scene())
    assert times == {1: link.batches[0].time_us, link.state.head.commit: last.time_us}
