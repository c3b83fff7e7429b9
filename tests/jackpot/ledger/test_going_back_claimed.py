"""What one table may claim of a ledger that went back, and how often: a number alone stops no link for ever."""

import pytest
from msgspec import Raw

from jackpot.core.behind import LEDGER_BEHIND, LOST_LIVES, Mark
from jackpot.core.ports import StoppedError
from jackpot.core.reopening import Choices
from jackpot.ledger.going_back import GoingBack
from jackpot.ledger.reading import PostgresLinkReader
from jackpot.ledger.reopening import reopen
from jackpot.ledger.store import PostgresStore
from jackpot.wire.codec import FrameError
from jackpot.wire.messages import HandIn, HandingIn, Held, Receipt
from jackpot.wire.snapshots import Snapshot
from tests.support.embedded_fixture import Database
from tests.support.gone_back import restored, status
from tests.support.running import run


def test_a_fork_stops_the_link_once(ledger: Database) -> None:
    """Opened again as the next life, a receipt of the other branch is of a lost one: it stops nothing any more."""

    async def play() -> None:
        async with restored(ledger) as back:
            other = Receipt(1, back.link.batches[2].last_commit, "00" * 32)
            assert await back.going_back.wanted("T1", "aa", other, stopped=False) == (True, HandIn(1, 0))
            assert await back.going_back.keep("T1", "aa", other, HandingIn("T1", [])) is None
            await reopen(back.url, back.link.chain, Choices("Ann", "Bob", ("T2",)))
            assert await back.going_back.wanted("T1", "aa", other, stopped=False) == (False, None), "it has handed in"
            assert await back.going_back.wanted("T2", "bb", other, stopped=False) == (True, HandIn(1, 0)), "alone"
            assert (await status(back))[:2] == ("running", 2)

    run(play())


IMPOSSIBLE = {
    "body.last_receipt.generation": Receipt(2**62, 5, "5d" * 32),
    "body.last_receipt.commit": Receipt(1, 2**62, "5d" * 32),
    "body.last_receipt.digest": Receipt(2, 5, "5d"),
}


@pytest.mark.parametrize(("field", "receipt"), IMPOSSIBLE.items())
def test_a_receipt_that_no_ledger_gave_stops_nothing(ledger: Database, field: str, receipt: Receipt) -> None:
    """Lives nobody began, commits no ledger has had, a digest that is none: the frame is bad, and the link runs."""

    async def play() -> None:
        async with restored(ledger) as back:
            with pytest.raises(FrameError) as bad:
                await back.going_back.wanted("T1", "aa", receipt, stopped=False)
            assert bad.value.field == field
            assert (await status(back))[0] == "running"

    run(play())


def test_a_number_alone_stops_the_link_once(ledger: Database) -> None:
    """A claim of the furthest life there may be, with nothing behind it: opened again past it, and it stops no more."""

    async def play() -> None:
        async with restored(ledger) as back:
            claim = Receipt(1 + LOST_LIVES, 5, "5d" * 32)
            assert (await back.going_back.wanted("T1", "aa", claim, stopped=False))[0]
            assert await back.going_back.keep("T1", "aa", claim, HandingIn("T1", [])) is None
            done = await reopen(back.url, back.link.chain, Choices("Ann", "Bob", ("T2",)))
            assert done.plan.generation == claim.generation + 1
            assert await back.going_back.wanted("T1", "aa", claim, stopped=False) == (False, None)
            assert (await status(back))[0] == "running"
            further = Receipt(2**62, 5, "5d" * 32)
            with pytest.raises(FrameError):
                await back.going_back.keep("T1", "aa", claim, HandingIn("T1", [Held(Raw(b"{}"), Raw(b"{}"), further)]))

    run(play())


@pytest.mark.parametrize("told_by", ["the checkpoint", "what was shown"])
def test_a_ledger_restored_to_before_so_many_lives_takes_what_they_gave(ledger: Database, told_by: str) -> None:
    """A claim had brought the link to its 1,002nd life, and then it went back to its first: tables still hand in."""

    async def play() -> None:
        async with restored(ledger) as back:
            lived = Receipt(2 + LOST_LIVES, 9, "5d" * 32)
            shown = Snapshot("southern", lived.generation, 9, "running", "", "2026-11", [], [], "two", 1, 1)
            asked = GoingBack(back.url, back.link.chain, shown=lambda: shown if told_by == "what was shown" else None)
            try:
                if told_by == "the checkpoint":
                    await asked.look(Mark(lived.generation, 9), "checkpoint")
                assert (await asked.wanted("T1", "aa", lived, stopped=told_by == "the checkpoint"))[0]
                assert await asked.keep("T1", "aa", lived, HandingIn("T1", [])) is None
            finally:
                await asked.close()
            done = await reopen(back.url, back.link.chain, Choices("Ann", "Bob", ("T2",)))
            assert done.plan.generation == lived.generation + 1

    run(play())


@pytest.mark.parametrize("who", ["the poster", "the reader"])
def test_what_another_process_showed_is_remembered_on_each_new_connection(ledger: Database, who: str) -> None:
    """This one has seen less of the ledger, or nothing: what was shown past its end stops the link all the same."""

    async def play() -> None:
        async with restored(ledger) as back:
            shown = Snapshot("southern", 1, 999, "running", "", "2026-11", [], [], "two", 1, 1)
            reader = PostgresLinkReader(back.url, back.link.chain, shown=lambda: shown)
            store = PostgresStore(back.url, back.link.chain)
            store.shown = lambda: shown
            if who == "the poster":
                with pytest.raises(StoppedError, match="ledger_behind: snapshot has commit 999"):
                    await store.load()
            assert (await reader.reading()).status == LEDGER_BEHIND
            await store.close()
            await reader.close()

    run(play())
