"""What waits for the poster is given to it once, or told `busy`, never both (PROTOCOL 3)."""

import asyncio

from jackpot.core.ports import Reply, Submitted
from jackpot.ledger.inbox import AsyncInbox
from jackpot.wire.refusals import Refusal
from tests.support.chains import Link
from tests.support.serving import run


def test_a_take_that_is_cancelled_loses_nothing() -> None:
    """What came while it was being cancelled is there for the next take."""

    async def play() -> None:
        inbox, made = AsyncInbox(), Submitted(Link(1).wagers("T1", 1), list[Reply]().append)
        taking = asyncio.ensure_future(inbox.take(9))
        await asyncio.sleep(0)
        inbox.submit(made)
        taking.cancel()
        await asyncio.wait([taking])
        assert taking.cancelled()
        assert await inbox.take(9) == [made]

    run(play())


def test_what_was_taken_is_never_told_busy() -> None:
    """A command that was taken is answered by its outcome or not at all; what waits too long is told `busy`."""

    async def play() -> None:
        heard, busy, link = list[Reply](), asyncio.Event(), Link(1)

        def hear(reply: Reply) -> None:
            heard.append(reply)
            busy.set()

        inbox = AsyncInbox(busy_after_s=0.01)
        made = [Submitted(link.wagers("T1", number), hear) for number in (1, 2, 3)]
        for submitted in made:
            inbox.submit(submitted)
        assert await inbox.take(2) == made[:2]
        await busy.wait()
        assert [(reply.id, reply.later) for reply in heard] == [(made[2].command.id, Refusal.BUSY)]

    run(play())
