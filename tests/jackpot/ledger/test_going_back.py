"""A ledger that was brought back, in Postgres: who notices, what is kept that tables hand in, how it is opened."""

import asyncio
import time
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest
from msgspec import Raw

from jackpot.core.behind import LEDGER_BEHIND, Mark, mark_of
from jackpot.core.commands import command_of
from jackpot.core.ports import StoppedError
from jackpot.core.reopening import Choices, Plan, plan
from jackpot.ledger import reopening
from jackpot.ledger.audit import audit
from jackpot.ledger.connection import Connection, close, connect
from jackpot.ledger.going_back import GoingBack, standing
from jackpot.ledger.lifting import lift
from jackpot.ledger.reading import PostgresLinkReader
from jackpot.ledger.reopening import Behind, NotBehindError, NotReadyError, look_behind, reopen
from jackpot.ledger.store import PostgresStore
from jackpot.wire.codec import FrameError
from jackpot.wire.messages import HandIn, HandingIn, Held, Receipt
from jackpot.wire.snapshots import PoolShown, Snapshot
from tests.support.embedded_fixture import Database
from tests.support.gone_back import Restored, receipt_of, restored, status
from tests.support.running import run

TWO = Choices("Ann", "Bob")
T1, T2 = "5431", "5432"
"""The spools of the two tables."""


def test_a_table_whose_receipt_the_ledger_has_is_no_witness(ledger: Database) -> None:
    """A receipt that stands in the chain, or none at all, refuses nobody and stops nothing."""

    async def play() -> None:
        async with restored(ledger) as back:
            batch = back.link.batches[back.kept - 1]
            for receipt in (None, receipt_of(batch, batch.last_commit)):
                assert await back.going_back.wanted("T1", T1, receipt, stopped=False) == (False, None)
            assert (await status(back))[0] == "running"

    run(play())


def test_a_receipt_past_the_head_stops_the_link_and_is_asked_for(ledger: Database) -> None:
    """The table is asked for what it holds; boards show the place that was known, and no meter."""

    async def play() -> None:
        async with restored(ledger) as back:
            last = back.held("T1")[-1].receipt
            asked = await back.going_back.wanted("T1", T1, last, stopped=False)
            assert asked == (True, HandIn(1, 0)), "the ledger is short"
            assert await status(back) == (LEDGER_BEHIND, 1, last.commit)
            store = PostgresStore(back.url, back.link.chain)
            with pytest.raises(StoppedError):
                await store.post(back.link.batches[back.kept])
            await store.close()
            lifted = await lift(back.url, back.link.chain, by="Ann", second="Bob", reason="no")
            assert lifted.behind

    run(play())


def test_another_digest_at_the_same_commit_is_a_fork(ledger: Database) -> None:
    """The ledger holds the commit and not what was answered there: all that the table holds is asked for."""

    async def play() -> None:
        async with restored(ledger) as back:
            other = Receipt(1, back.link.batches[2].last_commit, "00" * 32)
            assert await back.going_back.wanted("T1", T1, other, stopped=False) == (True, HandIn(1, 0))
            connection = await connect(back.url, "test")
            stop = await standing(connection, back.link.chain)
            await close(connection)
            assert stop is not None
            assert stop.gone.forked
            assert "has another commit" in stop.gone.reason

    run(play())


def test_a_process_that_has_seen_more_posts_nothing_on_a_new_connection(ledger: Database) -> None:
    """Postgres was brought back under a running server: its next connection finds less, and the link is stopped."""

    async def play() -> None:
        async with restored(ledger) as back:
            store = PostgresStore(back.url, back.link.chain)
            store._seen = mark_of(back.link.state.head)  # as this process had posted it, before
            with pytest.raises(StoppedError, match="ledger_behind: connection has commit"):
                await store.post(back.link.batches[back.kept])
            with pytest.raises(StoppedError):
                async with store.held():
                    pytest.fail("a lock was had on a ledger that went back")
            assert (await status(back))[0] == LEDGER_BEHIND
            await store.close()

    run(play())


def test_what_tables_hand_in_is_kept_page_by_page_and_once(ledger: Database) -> None:
    """The next page is asked for from the last receipt; a page again changes nothing; a stranger's message is left."""

    async def play() -> None:
        async with restored(ledger) as back:
            held = back.held("T1")
            last = held[-1].receipt
            await back.going_back.wanted("T1", T1, last, stopped=False)
            asked = None
            for _ in range(2):
                strange = msgspec.structs.replace(back.held("T2")[0], receipt=held[0].receipt)
                asked = await back.going_back.keep("T1", T1, last, HandingIn("T1", [held[0], strange], more=True))
                assert asked == HandIn(1, held[0].receipt.commit)
            assert (await back.going_back.wanted("T1", T1, last, stopped=True))[1] == asked
            assert await back.going_back.keep("T1", T1, last, HandingIn("T1", held[1:])) is None
            assert await back.going_back.wanted("T1", T1, last, stopped=True) == (True, None)
            behind = await look_behind(back.url, back.link.chain, TWO)
            assert [one.id for one in behind.plan.taken_back] == [command_of(bytes(one.message)).id for one in held]
            assert behind.plan.waiting == ["T2"]
            with pytest.raises(FrameError):
                await back.going_back.keep("T1", T1, last, HandingIn("T1", [Held(Raw(b"{}"), Raw(b"{}"), last)]))

    run(play())


async def answers(back: Restored, tables: Sequence[str]) -> None:
    """Every answer that these tables hold stands under its id."""
    store = PostgresStore(back.url, back.link.chain)
    held = {command_of(bytes(one.message)).id: bytes(one.answer) for table in tables for one in back.held(table)}
    found = await store.answers(list(held))
    await store.close()
    assert {name: one.answer for name, one in found.items()} == held


def test_it_is_opened_by_two_who_have_seen_the_list(ledger: Database) -> None:
    """Nothing is posted on another list, or while a table is missing; then all of it is, and the audit agrees."""

    async def play() -> None:
        async with restored(ledger) as back:
            link, url = back.link.chain, back.url
            with pytest.raises(NotBehindError):
                await look_behind(url, link, TWO)
            await back.going_back.wanted("T1", T1, back.held("T1")[-1].receipt, stopped=False)
            with pytest.raises(NotReadyError, match=r"not handed in: T1, T2\. Let each connect"):
                await reopen(url, link, TWO)
            await back.hand_in("T1")
            await back.hand_in("T2")
            hits = tuple(str(key) for key in back.link.state.hits)
            choices = Choices("Ann", "Bob", open=hits)
            with pytest.raises(NotReadyError, match=r"the list is .* now, not 00"):
                await reopen(url, link, choices, "00")
            seen = (await look_behind(url, link, choices)).plan.fingerprint
            done = await reopen(url, link, choices, seen)
            assert (done.plan.generation, len(done.plan.taken_back), list(done.plan.missing)) == (2, 4, [])
            await answers(back, ["T1", "T2"])
            assert (await status(back))[:2] == ("running", 2)
            assert (await audit(url)).differences == []
            with pytest.raises(NotBehindError):
                await reopen(url, link, TWO)
            last = back.held("T1")[-1].receipt
            assert await back.going_back.wanted("T1", T1, last, stopped=False) == (False, None), (
                "of a lost life, and in"
            )

    run(play())


def test_a_table_that_comes_back_after_all_hands_in_while_the_link_runs(ledger: Database) -> None:
    """Two people went on without T2; when it says hello it alone is refused, and taken back in another life."""

    async def play() -> None:
        async with restored(ledger) as back:
            link, url = back.link.chain, back.url
            await back.going_back.wanted("T1", T1, back.held("T1")[-1].receipt, stopped=False)
            await back.hand_in("T1")
            hits = tuple(str(key) for key in back.link.state.hits)
            await reopen(url, link, Choices("Ann", "Bob", ("T2",), open=hits))
            last = back.held("T2")[-1].receipt
            assert await back.going_back.wanted("T2", T2, last, stopped=False) == (True, HandIn(1, 0))
            assert (await status(back))[0] == "running"
            await back.hand_in("T2")
            assert await back.going_back.wanted("T2", T2, last, stopped=False) == (True, None), "until that is posted"
            done = await reopen(url, link, Choices("Ann", "Bob", open=hits))
            assert (done.plan.generation, len(done.plan.taken_back)) == (3, 2)
            await answers(back, ["T1", "T2"])
            assert await back.going_back.wanted("T2", T2, last, stopped=False) == (False, None)
            assert (await audit(url)).differences == []

    run(play())


def test_what_comes_while_two_people_reopen_is_not_cleared_with_the_rest(
    ledger: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A table that was not waited for hands in at that very moment: it waits, and is taken back afterwards."""
    look = reopening._look
    late: list[asyncio.Task[None]] = []

    async def play() -> None:
        async with restored(ledger) as back:
            link, url = back.link.chain, back.url
            await back.going_back.wanted("T1", T1, back.held("T1")[-1].receipt, stopped=False)
            await back.hand_in("T1")
            choices = Choices("Ann", "Bob", ("T2",), open=tuple(str(key) for key in back.link.state.hits))

            async def looking(connection: Connection, link: str, choices: Choices) -> Behind:
                found = await look(connection, link, choices)
                late.append(asyncio.create_task(back.hand_in("T2")))
                await asyncio.wait(late, timeout=0.5)
                return found

            with monkeypatch.context() as patch:
                patch.setattr(reopening, "_look", looking)
                await reopen(url, link, choices)
            await late[0]
            done = await reopen(url, link, choices)
            assert {one.table for one in done.plan.taken_back} == {"T2"}
            await answers(back, ["T1", "T2"])

    run(play())


@pytest.mark.usefixtures("as_shipped")
def test_a_long_list_is_decided_in_its_own_time(ledger: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """An hour of many tables takes longer than a session may else sit idle in a transaction: it is posted."""

    def slow(*given: Any) -> Plan:
        time.sleep(2.2)  # computing, which no event ends
        return plan(*given)

    async def play() -> None:
        async with restored(ledger) as back:
            await back.going_back.wanted("T1", T1, back.held("T1")[-1].receipt, stopped=False)
            for table in ("T1", "T2"):
                await back.hand_in(table)
            monkeypatch.setattr(reopening, "plan", slow)
            choices = Choices("Ann", "Bob", open=tuple(str(key) for key in back.link.state.hits))
            await reopen(back.url, back.link.chain, choices)
            await answers(back, ["T1", "T2"])

    run(play())


def test_what_is_left_out_is_kept_aside(ledger: Database) -> None:
    """A message that two people leave out is not posted and not lost: it lies with what could not be decided."""

    async def play() -> None:
        async with restored(ledger) as back:
            link, url = back.link.chain, back.url
            await back.going_back.wanted("T2", T2, back.held("T2")[-1].receipt, stopped=False)
            await back.hand_in("T2")
            names = tuple(command_of(bytes(one.message)).id for one in back.held("T2"))
            await reopen(url, link, Choices("Ann", "Bob", ("T1",), left_out=names))
            connection = await connect(url, "test")
            aside = await connection.fetch("SELECT id, error FROM set_aside ORDER BY id")
            await close(connection)
            assert tuple(sorted(names)) == tuple(row["id"] for row in aside)
            assert "left out by two people: answered in commit" in aside[0]["error"]
            assert (await audit(url)).differences == []

    run(play())


def test_a_reader_never_shows_an_older_meter_as_new(ledger: Database) -> None:
    """Another stop stands, and the ledger went back under it: nothing is shown until that stop is lifted."""

    async def play() -> None:
        async with restored(ledger) as back:
            store = PostgresStore(back.url, back.link.chain)
            await store.stop("a person stopped it", "")
            await store.close()
            reader = PostgresLinkReader(back.url, back.link.chain)
            reader._seen = Mark(1, 999)  # as it had read it, before
            with pytest.raises(Exception, match="stopped for another reason"):
                await reader.reading()
            await reader.close()
            assert await back.going_back.other_stop() == "a person stopped it"

    run(play())


@pytest.mark.parametrize("told_by", ["the poster", "the reader", "a table"])
def test_what_was_last_shown_is_evidence_whoever_notices(ledger: Database, told_by: str) -> None:
    """The ledger goes back under a server that runs: its last meter and hits stand in the stop, for the two people."""

    async def play() -> None:
        async with restored(ledger) as back:
            pools = [PoolShown("main", 2, 5_000_022, 0, "")]
            shown = Snapshot("southern", 1, 999, "running", "", "2026-11", pools, [], "one", 1, 1)
            if told_by == "the poster":
                store = PostgresStore(back.url, back.link.chain)
                store.shown, store._seen = (lambda: shown), Mark(1, 999)
                with pytest.raises(StoppedError):
                    await store.load()
                await store.close()
            elif told_by == "the reader":
                reader = PostgresLinkReader(back.url, back.link.chain, shown=lambda: shown)
                reader._seen = Mark(1, 999)
                assert (await reader.reading()).status == LEDGER_BEHIND
                await reader.close()
            else:
                asked = GoingBack(back.url, back.link.chain, shown=lambda: shown)
                assert (await asked.wanted("T1", T1, back.held("T1")[-1].receipt, stopped=False))[0]
                await asked.close()
            connection = await connect(back.url, "test")
            stop = await standing(connection, back.link.chain)
            await close(connection)
            assert stop is not None
            assert stop.gone.shown == shown

    run(play())


def test_one_question_at_a_time(ledger: Database) -> None:
    """Many tables say hello at once: each is answered, on one connection."""

    async def play() -> None:
        async with restored(ledger) as back:
            last = back.held("T1")[-1].receipt
            asked = await asyncio.gather(*(back.going_back.wanted("T1", T1, last, stopped=False) for _ in range(20)))
            assert set(asked) == {(True, asked[0][1])}

    run(play())
