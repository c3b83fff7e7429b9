"""A ledger that was brought back, and a table with two spools: each is asked for what it holds."""

import msgspec
import pytest
from msgspec import Raw

from jackpot.core.commands import Word, command_of, of_act
from jackpot.core.reopening import Choices
from jackpot.ledger.audit import audit
from jackpot.ledger.reopening import NotBehindError, look_behind, reopen
from jackpot.ledger.runner import post_once
from jackpot.wire.codec import encode
from jackpot.wire.messages import HandIn, HandingIn, Held, Receipt, RefusedAnswer, Wagers
from jackpot.wire.refusals import Refusal
from tests.jackpot.ledger.test_going_back import T1, TWO, answers
from tests.support.embedded_fixture import Database
from tests.support.gone_back import Restored, receipt_of, restored
from tests.support.running import run


def test_each_spool_of_a_table_is_asked_for_what_it_holds(ledger: Database) -> None:
    """T1 has a new spool, and hands in nothing: its damaged one is repaired later, and holds a royal that was told."""

    async def play() -> None:
        async with restored(ledger) as back:
            link, url, other = back.link.chain, back.url, "bb"
            newest = receipt_of(back.link.batches[-1], back.link.batches[-1].last_commit)
            last = back.held("T1")[-1].receipt
            assert await back.going_back.wanted("T1", other, newest, stopped=False) == (True, HandIn(1, 0))
            assert await back.going_back.keep("T1", other, newest, HandingIn("T1", [])) is None
            await back.hand_in("T2")
            assert (await look_behind(url, link, TWO)).plan.waiting == []
            assert await back.going_back.wanted("T1", T1, last, stopped=True) == (True, HandIn(1, 0))
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


@pytest.mark.parametrize("forked", [False, True])
@pytest.mark.parametrize("back_by", [1, 2, 10_000])
def test_what_people_did_in_a_ledger_that_had_gone_back_hides_nothing(
    ledger: Database, monkeypatch: pytest.MonkeyPatch, back_by: int, *, forked: bool
) -> None:
    """The link was not stopped yet when acts were posted in it: they stand where tables' messages had stood.

    The spool is asked from a place that both hold, however far back that is: all it holds is taken back. Whoever
    noticed may know a place past the ledger's end, or another digest at one that it has.
    """
    monkeypatch.setattr("jackpot.ledger.going_back.BACK", back_by)

    async def play() -> None:
        async with restored(ledger) as back:
            link, url = back.link.chain, back.url
            head = back.link.batches[back.kept - 1].last_commit
            for number in (1, 2):
                await post_once(url, link, [of_act(Word("T2", head + number, "Sue", "moved to another pit"))])
            commits = [one.receipt.commit for table in back.link.tables for one in back.held(table)]
            assert {head + 1, head + 2} <= set(commits), "other commits of the same numbers"
            if forked:
                other = Receipt(1, head + 1, "5d" * 32)
                assert (await back.going_back.wanted("T1", "cc", other, stopped=False))[0]
            for table in reversed(back.link.tables):  # whose receipt is past the end: it stops the link
                await handed_in(back, table)
            behind = await look_behind(url, link, TWO)
            held = {command_of(bytes(one.message)).id for table in back.link.tables for one in back.held(table)}
            assert {one.id for one in behind.plan.taken_back} == held
            hits = tuple(map(str, back.link.state.hits))
            await reopen(url, link, Choices("Ann", "Bob", open=hits))
            await answers(back, back.link.tables)
            assert (await audit(url)).differences == []

    run(play())


def test_a_table_that_had_not_played_for_long_is_asked_from_further_back(
    ledger: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each time farther, until the ledger holds what comes first: not at once for the 40 days that its spool holds."""
    monkeypatch.setattr("jackpot.ledger.going_back.BACK", 1)
    monkeypatch.setattr("jackpot.ledger.going_back.FURTHER", 2)

    async def play() -> None:
        async with restored(ledger) as back:
            head = back.link.batches[back.kept - 1].last_commit
            assert [head - one.receipt.commit for one in back.held("T1", since=0)] == [3, 2, -1, -2]
            asked = [head - one.commit for one in await handed_in(back, "T1")]
            assert asked == [1, 2, 4, 3, 2, -1], "from 4 before the head on it is asked page by page"
            behind = await look_behind(back.url, back.link.chain, TWO)
            held = {command_of(bytes(one.message)).id for one in back.held("T1")}
            assert {one.id for one in behind.plan.taken_back} == held

    run(play())


def test_a_word_whose_id_was_taken_is_not_handed_in(ledger: Database) -> None:
    """The ledger has another under its id, or had, which another spool holds: it would be kept instead of that one."""

    async def play() -> None:
        async with restored(ledger) as back:
            refused = Raw(encode(RefusedAnswer(Refusal.ID_REUSED.code, Refusal.ID_REUSED.text)))
            every = back.held("T1", since=0)
            others = [
                Held(Raw(encode(msgspec.structs.replace(said, terms="0" * 64))), refused, one.receipt)
                for one in every
                if isinstance(said := command_of(bytes(one.message)).message, Wagers)
            ]
            assert len(others) == 2, "of the first round, which the ledger has, and of the second, which it has lost"
            last = receipt_of(back.link.batches[-1], back.link.batches[-1].last_commit)
            await back.going_back.wanted("T1", "bb", last, stopped=False)
            assert await back.going_back.keep("T1", "bb", last, HandingIn("T1", others)) is None
            for table in back.link.tables:
                await back.hand_in(table)
            behind = await look_behind(back.url, back.link.chain, TWO)
            assert not behind.plan.wrong
            assert len(behind.plan.taken_back) == sum(len(back.held(table)) for table in back.link.tables)

    run(play())


async def handed_in(back: Restored, table: str) -> list[HandIn]:
    """Let a table say hello and hand in what it is asked for, a message a page; after which places it was asked."""
    every = back.held(table, since=0)
    spool, last = table.encode().hex(), every[-1].receipt
    behind, asked = await back.going_back.wanted(table, spool, last, stopped=True)
    assert behind
    places: list[HandIn] = []
    while asked is not None:
        places.append(asked)
        held = [one for one in every if (one.receipt.generation, one.receipt.commit) > (asked.generation, asked.commit)]
        asked = await back.going_back.keep(table, spool, last, HandingIn(table, held[:1], more=len(held) > 1))
    return places
