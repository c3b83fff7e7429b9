"""A ledger that was brought back, and a table with two spools: each is asked for what it holds."""

import pytest

from jackpot.core.ports import Batch
from jackpot.core.reopening import Choices
from jackpot.ledger.audit import audit
from jackpot.ledger.reopening import NotBehindError, look_behind, reopen
from jackpot.wire.messages import HandIn, HandingIn
from tests.jackpot.ledger.test_going_back import T1, TWO, answers
from tests.support.embedded_fixture import Database
from tests.support.gone_back import receipt_of, restored
from tests.support.running import run


def test_each_spool_of_a_table_is_asked_for_what_it_holds(ledger: Database) -> None:
    """T1 has a new spool, and hands in nothing: its damaged one is repaired later, and holds a royal that was told."""

    async def play() -> None:
        async with restored(ledger) as back:
            link, url, other = back.link.chain, back.url, "bb"
            head = back.link.batches[back.kept - 1]
            newest = receipt_of(back.link.batches[-1], back.link.batches[-1].last_commit)
            last = back.held("T1")[-1].receipt
            assert await back.going_back.wanted("T1", other, newest, stopped=False) == (True, _after(head))
            assert await back.going_back.keep("T1", other, newest, HandingIn("T1", [])) is None
            await back.hand_in("T2")
            assert (await look_behind(url, link, TWO)).plan.waiting == []
            assert await back.going_back.wanted("T1", T1, last, stopped=True) == (True, _after(head))
            await reopen(url, link, TWO)
            assert await back.going_back.wanted("T1", other, newest, stopped=False) == (False, None)
            assert await back.going_back.wanted("T1", T1, last, stopped=False) == (True, HandIn(1, 0))
            page = HandingIn("T1", back.held("T1")[:1], more=True)
            assert await back.going_back.keep("T1", T1, last, page) is not None
            assert (await look_behind(url, link, TWO)).plan.waiting == ["T1"]
            await back.hand_in("T1")
            done = await reopen(url, link, Choices("Ann", "Bob", open=tuple(map(str, back.link.state.hits))))
            assert (done.plan.generation, len(done.plan.taken_back)) == (3, 2)
            await answers(back, ["T1", "T2"])
            assert await back.going_back.wanted("T1", T1, last, stopped=False) == (False, None)
            assert (await audit(url)).differences == []

    run(play())


def test_what_the_ledger_holds_already_waits_for_nobody(ledger: Database) -> None:
    """T1 handed in, and has not played since; who has was forgotten meanwhile, so that it is asked for all it holds."""

    async def play() -> None:
        async with restored(ledger) as back:
            last = back.held("T1")[-1].receipt
            newest = receipt_of(back.link.batches[-1], back.link.batches[-1].last_commit)
            await back.going_back.wanted("T1", T1, newest, stopped=False)
            for table in ("T1", "T2"):
                await back.hand_in(table)
            hits = tuple(map(str, back.link.state.hits))
            await reopen(back.url, back.link.chain, Choices("Ann", "Bob", open=hits))
            again = "cc"
            assert await back.going_back.wanted("T1", again, last, stopped=False) == (True, HandIn(1, 0))
            assert await back.going_back.keep("T1", again, last, HandingIn("T1", back.held("T1"))) is None
            with pytest.raises(NotBehindError):
                await look_behind(back.url, back.link.chain, TWO)
            assert await back.going_back.wanted("T1", again, last, stopped=False) == (False, None)

    run(play())


def _after(head: Batch) -> HandIn:
    return HandIn(head.generation, head.last_commit)
