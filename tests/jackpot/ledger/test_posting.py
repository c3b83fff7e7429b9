"""Posting through the store: decided once, whatever breaks and however many post at a time (CASES 1-6, 9, 56, 57)."""

import asyncio
from collections.abc import Sequence

from jackpot.core.accounts import MICROCENTS
from jackpot.core.commands import Command, Connect
from jackpot.core.ports import Reply, Submitted
from jackpot.core.posting import Poster, keep_posting, post
from jackpot.core.state import LinkState
from jackpot.ledger.clock import SystemClock
from jackpot.ledger.inbox import AsyncInbox
from jackpot.ledger.runner import StoppableStore
from jackpot.wire.codec import decode_answer
from jackpot.wire.messages import RecordAnswer, WagersAnswer
from jackpot.wire.refusals import Refusal
from tests.jackpot.ledger.conftest import Stores
from tests.support.chains import NOTHING, ROYAL, Link
from tests.support.running import run

INCREMENT = 22 * MICROCENTS
"""What a $1.00 wager puts into the pool: 22 cents."""
SEED = 5_000_000 * MICROCENTS


def poster(store: StoppableStore) -> Poster:
    """A poster of one more process."""
    return Poster(store, SystemClock(), lambda _posted: None)


async def opened(stores: Stores, link: Link) -> StoppableStore:
    """Post what a link has decided so far."""
    store = stores.store()
    for batch in link.batches:
        await store.post(batch)
    return store


def accepted(reply: Reply) -> int:
    """How many wagers an answer accepted."""
    answer = decode_answer(reply.answer)
    assert isinstance(answer, WagersAnswer), answer
    return sum(seat.accepted for seat in answer.seats)


def pool(state: LinkState) -> int:
    """What the main pool holds."""
    return state.balances["pool/main"].microcents


def test_a_record_sent_fifty_times_is_awarded_once(stores: Stores) -> None:
    """Case 1: through four processes at once, one award and fifty identical answers."""
    link = Link()
    link.decide([link.wagers("T1", 17)])
    record = link.record("T1", 17, {1: NOTHING, 2: "2s 5h 6d 8c Tc", 3: ROYAL})

    async def scene() -> None:
        async with stores.closing():
            store = await opened(stores, link)
            posters = [poster(stores.store()) for _ in range(4)]

            async def send(each: Poster, times: int) -> Sequence[Reply]:
                return [reply for _ in range(times) for reply in await post(each, [record])]

            replies = [one for part in await asyncio.gather(*(send(each, 13) for each in posters)) for one in part]
            assert len(replies) == 52
            assert len({(reply.answer, reply.receipt) for reply in replies}) == 1
            answer = decode_answer(replies[0].answer)
            assert isinstance(answer, RecordAnswer)
            assert [award.prize for award in answer.awards] == ["royal_flush"]
            state = await store.load()
            assert pool(state) < SEED + MICROCENTS
            assert state.balances[f"payable/{answer.awards[0].hit}"].version == 1

    run(scene())


def test_a_royal_among_wagers_keeps_every_increment(stores: Stores) -> None:
    """Case 2: the new meter is the seed and exactly what was committed after the award; every wager is there."""
    link = Link(21)
    link.decide([link.wagers("T21", 1, [3])])

    async def scene() -> None:
        async with stores.closing():
            store = await opened(stores, link)
            posters = [poster(stores.store()) for _ in range(3)]
            commands = [link.wagers(f"T{number}", 1, [1]) for number in range(1, 21)]
            commands.insert(10, link.record("T21", 1, {3: ROYAL}))

            async def send(number: int) -> list[Reply]:
                replies: list[Reply] = []
                for command in commands[number::3]:
                    replies += await post(posters[number], [command])
                return replies

            replies = [one for part in await asyncio.gather(*map(send, range(3))) for one in part]
            award = next(one for one in replies if "record" in one.id)
            wagers = [one for one in replies if "wagers" in one.id]
            assert sum(map(accepted, wagers)) == 20
            assert award.receipt is not None
            after = sum(one.receipt is not None and one.receipt.commit > award.receipt.commit for one in wagers)
            state = await store.load()
            kept = (SEED + (21 - after) * INCREMENT) % MICROCENTS
            assert pool(state) == SEED + after * INCREMENT + kept
            assert len(state.rounds) == 20

    run(scene())


def test_a_message_twice_over_a_restart_counts_once(stores: Stores) -> None:
    """Case 3: the second delivery meets a process that remembers nothing, and gets the first answer."""
    link = Link()
    wagers = link.wagers("T1", 1)

    async def scene() -> None:
        async with stores.closing():
            store = await opened(stores, link)
            (first,) = await post(poster(stores.store()), [wagers])
            (second,) = await post(poster(stores.store()), [wagers])
            assert (first.answer, first.receipt) == (second.answer, second.receipt)
            assert pool(await store.load()) == SEED + 3 * INCREMENT

    run(scene())


def test_the_same_id_with_other_content_is_refused(stores: Stores) -> None:
    """Case 12: never answered as if it were the first."""
    link = Link()

    async def scene() -> None:
        async with stores.closing():
            await opened(stores, link)
            await post(poster(stores.store()), [link.wagers("T1", 1)])
            (reply,) = await post(poster(stores.store()), [link.wagers("T1", 1, [1, 2])])
            assert Refusal.ID_REUSED.code in reply.answer.decode()

    run(scene())


def test_eight_tables_play_five_hundred_rounds_each(stores: Stores) -> None:
    """Case 4: two processes post for one pool; every version of every account is there once, and the sum is right."""
    link = Link(8)
    rounds = 500 if stores.kind == "postgres" else 100

    async def scene() -> LinkState:
        async with stores.closing():
            store = await opened(stores, link)
            inboxes = [AsyncInbox(busy_after_s=3_600), AsyncInbox(busy_after_s=3_600)]
            tasks = [asyncio.ensure_future(keep_posting(inbox, poster(stores.store()))) for inbox in inboxes]
            answers: list[asyncio.Future[Reply]] = []
            for number in range(1, rounds + 1):
                for place, table in enumerate(link.tables):
                    wagers, void = link.wagers(table, number, [1, 5]), link.void(table, number, [5])
                    record = link.record(table, number, {1: NOTHING}, [1])
                    answers += [_submit(inboxes[place % 2], command) for command in (wagers, void, record)]
            await asyncio.gather(*answers)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            return await store.load()

    state = run(scene(), 1_200)
    assert pool(state) == SEED + 8 * rounds * INCREMENT
    assert state.head.commit == 1 + 2 * 8 + 3 * 8 * rounds
    assert not state.rounds


def _submit(inbox: AsyncInbox, command: Command) -> "asyncio.Future[Reply]":
    future: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
    inbox.submit(Submitted(command, future.set_result))
    return future


def test_the_first_wagers_come_from_sixteen_connections(stores: Stores) -> None:
    """Case 9: one pool, sixteen wagers, the right sum; and the link is opened once by all of them at once."""
    link = Link(16)
    commands = link.opening_commands()
    hellos = [command for command in commands if isinstance(command.message, Connect)]
    opening = [command for command in commands if command not in hellos]

    async def scene() -> None:
        async with stores.closing():
            posters = [poster(stores.store()) for _ in range(16)]
            replies = await asyncio.gather(*(post(each, opening) for each in posters))
            assert len({tuple(reply.answer for reply in part) for part in replies}) == 1
            await asyncio.gather(*(post(each, [one]) for each, one in zip(posters, hellos, strict=True)))
            granted = (await stores.store().load()).journals.values()
            link.months = {journal.table: journal.month for journal in granted}
            wagers = [link.wagers(table, 1, [7]) for table in link.tables]
            await asyncio.gather(*(post(each, [one]) for each, one in zip(posters, wagers, strict=True)))
            state = await stores.store().load()
            assert list(state.pools) == ["main"]
            assert len(state.rounds) == 16
            assert pool(state) == SEED + 16 * INCREMENT

    run(scene())


def test_one_bad_command_among_many_is_set_aside_alone(stores: Stores) -> None:
    """Case 56: a command that no database can hold is kept aside; its neighbours are answered."""
    link = Link(30)
    commands = [link.wagers(table, 1) for table in link.tables]
    bad = commands[13]
    nul = Command(bad.id.replace("T14", "T\x0014"), bad.raw, bad.message, bad.month, bad.table, bad.journal, bad.round)
    commands[13] = nul

    async def scene() -> None:
        async with stores.closing():
            store = await opened(stores, link)
            replies = await post(poster(stores.store()), commands)
            aside = [reply.id for reply in replies if reply.later is Refusal.KEPT_ASIDE]
            good = [reply for reply in replies if reply.later is None]
            assert sum(map(accepted, good)) == 3 * len(good)
            assert len((await store.load()).rounds) == len(good)
            assert aside == ([nul.id] if stores.kind == "postgres" else [])
            assert len(good) == 30 - len(aside)

    run(scene())
