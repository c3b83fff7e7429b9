"""What every store promises the posting coroutine: Postgres and the store in memory alike (PROTOCOL 4)."""

import asyncio
import contextlib
from collections.abc import Callable, Mapping
from dataclasses import replace

import msgspec
import pytest

from jackpot.core.accounts import Balance
from jackpot.core.chain import GENESIS
from jackpot.core.commands import MoveHit, of_act
from jackpot.core.ports import Batch, BatchRefusedError, FenceConflictError, Held, SetAside, StoppedError
from jackpot.core.state import LinkState
from jackpot.ledger.runner import StoppableStore
from tests.jackpot.ledger.conftest import Stores
from tests.support.chains import FULL_HOUSE, NOTHING, ROYAL, Link, changed
from tests.support.running import run


async def post_all(store: StoppableStore, link: Link) -> None:
    """Post every batch of a link."""
    for batch in link.batches:
        await store.post(batch)


def test_a_chain_without_batches_is_empty(stores: Stores) -> None:
    """A link that nobody opened is a state without head, and reading it makes nothing."""

    async def scene() -> LinkState:
        async with stores.closing():
            return await stores.store().load()

    state = run(scene())
    assert state.head.batch == 0
    assert state.head.digest == GENESIS
    assert state.terms is None
    assert not state.balances


def test_what_was_posted_is_loaded(stores: Stores) -> None:
    """After each kind of command the state that is read back is the one that was decided."""
    link = Link(3)

    async def scene() -> None:
        async with stores.closing():
            store = stores.store()
            await store.post(link.opening)
            steps = [
                [link.wagers("T1", 1), link.wagers("T2", 1, [4, 5], tender="token")],
                [link.withdraw("T2", 1), link.wagers("T3", 1, [])],
                [link.record("T1", 1, {1: ROYAL, 2: NOTHING, 3: FULL_HOUSE}), link.void("T3", 1)],
                [link.wagers("T2", 2, [1, 2, 3]), link.void("T2", 2, [2]), link.withdraw("T3", 2)],
            ]
            for commands in steps:
                await store.post(link.decide(commands))
                assert await stores.store().load() == link.state

    run(scene())
    assert {hit.prize for hit in link.state.hits.values()} == {"royal_flush", "full_house"}


def test_answers_are_the_stored_ones(stores: Stores) -> None:
    """An id gives its digest, its answer byte for byte and its receipt; an unknown id gives nothing."""
    link = Link()
    wagers, record = link.play("T1", 1)

    async def scene() -> None:
        async with stores.closing():
            store = stores.store()
            await post_all(store, link)
            decision = link.decision([wagers, record])
            assert decision.batch is not None
            await store.post(decision.batch)
            known = await store.answers(
                [wagers.id, "T9/1/2026-11/1/wagers/1", record.id, link.opening_commands()[0].id]
            )
            assert known.keys() == {wagers.id, record.id, link.opening_commands()[0].id}
            for reply, row in zip(decision.replies, decision.batch.rows.commands, strict=True):
                assert (known[row.id].answer, known[row.id].receipt) == (reply.answer, reply.receipt)
                assert known[row.id].sha256 == row.sha256

    run(scene())


@pytest.mark.parametrize("name", ['Ann "Bet" Lee', "O\\'Neil\\", "{a,b}", "null", "Żółć, 王", " "])
def test_a_persons_name_is_found_again(stores: Stores, name: str) -> None:
    """Whatever characters a person's name has, the act's id holds them and gives its answer."""
    link = Link()
    act = of_act(MoveHit("T1/1/1/1/main", "verify", name, 1))

    async def scene() -> None:
        async with stores.closing():
            store = stores.store()
            await post_all(store, link)
            decision = link.decision([*link.play("T1", 1, {1: ROYAL}), act, link.wagers("T2", 1)])
            assert decision.batch is not None
            await store.post(decision.batch)
            stored = [row.id for row in decision.batch.rows.commands]
            assert (act.id in stored) == bool(name.strip())
            assert (await store.answers(stored)).keys() == set(stored)
            assert await stores.store().load() == decision.state

    run(scene())


def test_the_second_of_two_posters_is_fenced(stores: Stores) -> None:
    """Two processes decide on the same head: one batch stands, the other is told and leaves nothing."""
    link = Link()
    first = link.decision([link.wagers("T1", 1)]).batch
    second = link.decision([link.wagers("T2", 1)]).batch
    assert first is not None
    assert second is not None

    async def scene() -> None:
        async with stores.closing():
            one, other = stores.store(), stores.store()
            await post_all(one, link)
            results = await asyncio.gather(one.post(first), other.post(second), return_exceptions=True)
            fenced = [result for result in results if isinstance(result, FenceConflictError)]
            assert len(fenced) == 1
            assert results.count(None) == 1
            state = await one.load()
            assert state.head.digest == (first if results[0] is None else second).digest
            assert len(state.rounds) == 1
            # The same store goes on afterwards.
            with pytest.raises(FenceConflictError):
                await one.post(first)

    run(scene())


def _more_entries(batch: Batch) -> Batch:
    return changed(batch, entries=(*batch.rows.entries, replace(batch.rows.entries[0], version=99)))


def _unbalanced(batch: Batch) -> Batch:
    first = batch.rows.entries[0]
    more = replace(first, amount=first.amount + 1, balance_after=first.balance_after + 1)
    return changed(batch, entries=(more, *batch.rows.entries[1:]))


def _gap(batch: Batch) -> Batch:
    first = batch.rows.entries[0]
    return changed(batch, entries=(replace(first, version=first.version + 1), *batch.rows.entries[1:]))


def _wrong_balance(batch: Batch) -> Batch:
    first = batch.rows.entries[0]
    return changed(batch, entries=(replace(first, balance_after=first.balance_after + 1), *batch.rows.entries[1:]))


def _unknown_cause(batch: Batch) -> Batch:
    return changed(batch, entries=tuple(replace(entry, cause="gift") for entry in batch.rows.entries))


def _negative(batch: Batch) -> Batch:
    return changed(batch, balances={**batch.rows.balances, "pool/main": Balance(9, -1)})


def _same_command(batch: Batch) -> Batch:
    return changed(batch, commands=(*batch.rows.commands, *batch.rows.commands))


def _time_goes_back(batch: Batch) -> Batch:
    return replace(batch, time_us=0)


WRONG: Mapping[str, Callable[[Batch], Batch]] = {
    "an entry too many": _more_entries,
    "a sum that is not nought": _unbalanced,
    "a version left out": _gap,
    "a balance that does not add up": _wrong_balance,
    "a cause that is not on the list": _unknown_cause,
    "a pool below nought": _negative,
    "a command twice": _same_command,
    "a time before the last": _time_goes_back,
}


@pytest.mark.parametrize("wrong", WRONG)
def test_a_wrong_batch_is_refused_whole(stores: Stores, wrong: str) -> None:
    """What may never happen to a ledger is refused by it, nothing of the batch stays, and the right one still fits."""
    link = Link()
    batch = link.decision([link.wagers("T1", 1)]).batch
    assert batch is not None

    async def scene() -> None:
        async with stores.closing():
            store = stores.store()
            await post_all(store, link)
            with pytest.raises(BatchRefusedError):
                await store.post(WRONG[wrong](batch))
            assert await store.load() == link.state
            with pytest.raises(BatchRefusedError):
                async with store.held() as held:
                    await held.post(WRONG[wrong](batch))
            with pytest.raises(BatchRefusedError):
                await _pass_over(store, WRONG[wrong](batch))
            assert await store.load() == link.state
            await store.post(batch)

    run(scene())


async def _pass_over(store: StoppableStore, batch: Batch) -> None:
    """A caller that goes on after a refusal under the lock is not told that anything is durable."""
    async with store.held() as held:
        with contextlib.suppress(BatchRefusedError):
            await held.post(batch)


def test_a_seat_is_wagered_once(stores: Stores) -> None:
    """A second wager on one area is refused by the ledger itself, whatever was decided (5.9)."""
    link = Link()
    link.decide([link.wagers("T1", 1)])
    again = link.decision([link.wagers("T2", 1)]).batch
    assert again is not None
    twice = replace(again.rows.wagers, table=["T1"])

    async def scene() -> None:
        async with stores.closing():
            store = stores.store()
            await post_all(store, link)
            with pytest.raises(BatchRefusedError):
                await store.post(changed(again, wagers=twice))
            await store.post(again)

    run(scene())


def test_nobody_posts_while_the_lock_is_held(stores: Stores) -> None:
    """Who holds the lock reads and posts alone; another's batch on the old head runs into the fence afterwards."""
    link = Link()
    mine = link.decision([link.wagers("T1", 1)])
    other = link.decision([link.wagers("T2", 1)]).batch
    batch = mine.batch
    assert batch is not None
    assert other is not None

    async def scene() -> None:
        async with stores.closing():
            one, two = stores.store(), stores.store()
            await post_all(one, link)
            await two.load()
            async with one.held() as held:
                waiting = asyncio.ensure_future(two.post(other))
                state = await held.load()
                assert state == link.state
                assert await held.answers(["T1/1/2026-11/1/wagers/1"]) == {}
                await held.post(batch)
                assert not waiting.done()
            with pytest.raises(FenceConflictError):
                await waiting
            assert await two.load() == mine.state

    run(scene())


def test_what_fails_under_the_lock_leaves_nothing(stores: Stores) -> None:
    """An error between the lock and its end undoes what was posted under it, and the lock is free again."""
    link = Link()
    batch = link.decision([link.wagers("T1", 1)]).batch
    assert batch is not None

    async def fail(held: Held) -> None:
        await held.post(batch)
        raise RuntimeError("the process thinks again")

    async def scene() -> None:
        async with stores.closing():
            store = stores.store()
            await post_all(store, link)
            with pytest.raises(RuntimeError, match="thinks again"):
                async with store.held() as held:
                    await fail(held)
            assert await store.load() == link.state
            await store.post(batch)

    run(scene())


def test_the_lock_is_had_before_the_first_batch(stores: Stores) -> None:
    """A chain that has not begun can be locked and opened under the lock."""
    link = Link()

    async def scene() -> None:
        async with stores.closing():
            store = stores.store()
            async with store.held() as held:
                assert (await held.load()).head.batch == 0
                await held.post(link.opening)
            assert await store.load() == link.state

    run(scene())


def test_a_stopped_link_takes_nothing(stores: Stores) -> None:
    """A stop holds in every process, with the lock and without; what is stored can still be read."""
    link = Link()
    opening = link.opening_commands()[0]
    batch = link.decision([link.wagers("T1", 1)]).batch
    assert batch is not None

    async def scene() -> None:
        async with stores.closing():
            one, two = stores.store(), stores.store()
            await post_all(one, link)
            assert not await two.stopped()
            await one.stop("the entries do not add up", "evidence")
            await two.stop("a second reason", "evidence")
            assert await two.stopped()
            for store in (one, two):
                with pytest.raises(StoppedError):
                    await store.post(batch)
            with pytest.raises(StoppedError):
                async with two.held() as held:
                    await held.post(batch)
            assert await two.load() == link.state
            assert opening.id in await two.answers([opening.id])

    run(scene())


def test_set_aside_may_be_repeated(stores: Stores) -> None:
    """A command that cannot be stored is kept with its error, also when it holds what no text in Postgres may."""
    link = Link()
    command = msgspec.structs.replace(link.wagers("T1", 1), id="T1/1/\x00/\ud800")

    async def scene() -> None:
        async with stores.closing():
            store = stores.store()
            await store.set_aside([SetAside(command, "first \x00 error")])
            await store.set_aside([SetAside(command, "second error"), SetAside(link.wagers("T1", 2), "other")])

    run(scene())
