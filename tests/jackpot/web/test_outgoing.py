"""Answers leave a few at a time, in order, and after whoever gave them has gone on."""

import asyncio

from jackpot.core.ports import Reply
from jackpot.web.outgoing import AT_ONCE, Outgoing
from tests.support.serving import run

REPLIES = [Reply(str(number), b"{}", None) for number in range(2 * AT_ONCE + 1)]


def test_no_answer_leaves_before_its_giver_has_gone_on() -> None:
    """A batch's answers wait for two turns: in the first the next statement is sent."""

    async def play() -> None:
        outgoing, told = Outgoing(), list[Reply]()
        for reply in REPLIES:
            outgoing.put(told.append, reply)
        assert told == []
        await asyncio.sleep(0)
        assert told == []
        await asyncio.sleep(0)
        assert told == REPLIES[:AT_ONCE]
        await asyncio.sleep(0)
        assert told == REPLIES[: 2 * AT_ONCE]
        outgoing.put(told.append, REPLIES[0])
        await asyncio.sleep(0)
        assert told == [*REPLIES, REPLIES[0]]
        outgoing.put(told.append, REPLIES[1])
        await asyncio.sleep(0)
        assert told[-1] == REPLIES[0]
        await asyncio.sleep(0)
        assert told[-1] == REPLIES[1]

    run(play())
