"""What waits for the poster is handed over once: to its next take, or ahead, when a whole batch waits."""

import asyncio

import pytest

from jackpot.core.ports import Reply, Submitted
from jackpot.ledger.inbox import AsyncInbox
from jackpot.wire.refusals import Refusal
from tests.support.chains import Link
from tests.support.serving import run

TURNS = 3


def loads(count: int, heard: list[Reply]) -> list[Submitted]:
    """So many commands, each with its reply heard."""
    link = Link(1)
    return [Submitted(link.wagers("T1", number), heard.append) for number in range(1, count + 1)]


async def turns() -> None:
    """Let the loop turn a few times."""
    for _ in range(TURNS):
        await asyncio.sleep(0)


@pytest.mark.parametrize("before", [0, 1, 3])
def test_a_whole_batch_is_handed_over_ahead_once(before: int) -> None:
    """The oldest go, as soon as so many wait, be it at once or later; the rest waits for the next take."""

    async def play() -> None:
        inbox, made, given = AsyncInbox(), loads(5, []), list[list[Submitted]]()
        for submitted in made[:before]:
            inbox.submit(submitted)
        inbox.ahead(3, given.append)
        await turns()
        assert given == ([made[:3]] if before == 3 else [])
        for submitted in made[before:]:
            inbox.submit(submitted)
        assert len(given) == (before == 3)
        await turns()
        assert given == [made[:3]]
        assert await inbox.take(9) == made[3:]

    run(play())


def test_what_is_coming_in_is_taken_together() -> None:
    """While each turn of the loop brings more, the take waits for it, up to a whole batch; one alone goes at once."""

    async def play() -> None:
        inbox, made = AsyncInbox(), loads(9, [])

        async def send(some: list[Submitted]) -> None:
            for submitted in some:
                inbox.submit(submitted)
                await asyncio.sleep(0)

        sending = asyncio.ensure_future(send(made[:5]))
        assert await inbox.take(9) == made[:5]
        await sending
        sending = asyncio.ensure_future(send(made[5:]))
        assert await inbox.take(2) == made[5:7]
        await sending
        assert await inbox.take(9) == made[7:]

    run(play())


def test_a_take_that_is_cancelled_loses_nothing() -> None:
    """Whether it waits for the first command or for more, what came is there for the next take."""

    async def play() -> None:
        inbox, made = AsyncInbox(), loads(1, [])
        taking = asyncio.ensure_future(inbox.take(9))
        await asyncio.sleep(0)
        inbox.submit(made[0])
        await asyncio.sleep(0)
        taking.cancel()
        await asyncio.wait([taking])
        assert taking.cancelled()
        assert await inbox.take(9) == made

    run(play())


def test_what_became_busy_meanwhile_is_not_taken() -> None:
    """A take whose only command was told `busy` while it let more come in waits for another."""

    async def play() -> None:
        inbox, busy = AsyncInbox(busy_after_s=0.0), asyncio.Event()
        first, second = loads(2, [])
        inbox.submit(Submitted(first.command, lambda _reply: busy.set()))
        taking = asyncio.ensure_future(inbox.take(9))
        await busy.wait()
        inbox._busy_after_s = 60.0
        inbox.submit(second)
        assert await taking == [second]

    run(play())


def test_nothing_is_handed_over_to_who_wants_it_no_more() -> None:
    """Once the batch under way is written, what waits is the next take's, also where it was about to be handed over."""

    async def play() -> None:
        inbox, made, given = AsyncInbox(), loads(2, []), list[list[Submitted]]()
        inbox.ahead(2, given.append)
        for submitted in made:
            inbox.submit(submitted)
        inbox.ahead(2, None)
        await turns()
        assert given == []
        assert await inbox.take(9) == made

    run(play())


def test_what_was_handed_over_is_never_told_busy() -> None:
    """A command that was taken ahead is answered by its outcome or not at all; what waits too long is told `busy`."""

    async def play() -> None:
        heard, given = list[Reply](), list[list[Submitted]]()
        busy = asyncio.Event()

        def hear(reply: Reply) -> None:
            heard.append(reply)
            busy.set()

        inbox, made = AsyncInbox(busy_after_s=0.01), loads(3, heard)
        made[2] = Submitted(made[2].command, hear)
        inbox.ahead(2, given.append)
        for submitted in made:
            inbox.submit(submitted)
        await busy.wait()
        assert given == [made[:2]]
        assert [(reply.id, reply.later) for reply in heard] == [(made[2].command.id, Refusal.BUSY)]

    run(play())
