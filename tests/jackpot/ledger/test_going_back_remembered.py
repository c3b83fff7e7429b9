"""Postgres comes back under a server that runs, brought back to where this connection had seen it: others know more."""

import asyncio

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from redis.asyncio import Redis

from jackpot.cli.links import LinkAtWork
from jackpot.core.behind import LEDGER_BEHIND, Mark, mark_of
from jackpot.core.ports import StoppedError
from jackpot.ledger.connection import close, connect
from jackpot.ledger.going_back import standing
from jackpot.ledger.reading import PostgresLinkReader
from jackpot.ledger.store import PostgresStore
from jackpot.telemetry import Telemetry
from tests.support.embedded_fixture import Database
from tests.support.gone_back import Restored, restored, status
from tests.support.running import run


def at_work(back: Restored, checkpoint: Mark | None) -> LinkAtWork:
    """The link at work in a server that knows of it what stands in Postgres, beside what is on file."""
    return LinkAtWork(
        back.url,
        back.link.state,
        Ed25519PrivateKey.generate(),
        Redis(),
        Telemetry(),
        publisher="one",
        least_s=0.1,
        standby=False,
        checkpoint=lambda: checkpoint,
    )


async def reason(back: Restored) -> str:
    """Why the link is stopped; empty where it is not."""
    connection = await connect(back.url, "test")
    try:
        stop = await standing(connection, back.link.chain)
        return "" if stop is None else stop.gone.reason
    finally:
        await close(connection)


@pytest.mark.parametrize("by", ["poster", "reader"])
@pytest.mark.parametrize("forked", [False, True])
def test_a_new_connection_is_held_to_the_checkpoint_file(ledger: Database, by: str, *, forked: bool) -> None:
    """Whichever connection comes first: nothing is posted or shown of a ledger that ends before it, or has another."""

    async def play() -> None:
        async with restored(ledger) as back:
            head = mark_of(back.link.state.head)
            here = back.link.batches[back.kept - 1]
            mark = Mark(1, here.last_commit, "5d" * 32) if forked else head
            if by == "poster":
                store = PostgresStore(back.url, back.link.chain)
                store.remembered = lambda: ("checkpoint", mark)
                with pytest.raises(StoppedError, match="ledger_behind: checkpoint has "):
                    await store.post(back.link.batches[back.kept])
                await store.close()
            else:
                reader = PostgresLinkReader(back.url, back.link.chain)
                reader.remembered = lambda: ("checkpoint", mark)
                assert (await reader.reading()).status == LEDGER_BEHIND
                await reader.close()
            assert (await reason(back)).startswith("ledger_behind: checkpoint has ")
            assert (await status(back))[0] == LEDGER_BEHIND

    run(play())


@pytest.mark.parametrize("lives", [0, 1])
def test_what_the_ledger_holds_stops_nothing(ledger: Database, lives: int) -> None:
    """The place that is on file stands in the chain, or is of a life that two people have followed with another."""

    async def play() -> None:
        async with restored(ledger) as back:
            kept = back.link.batches[back.kept - 1]
            mark = Mark(1, kept.last_commit, kept.digest.hex(), kept.batch)
            reader = PostgresLinkReader(back.url, back.link.chain)
            reader.remembered = lambda: ("checkpoint", msgspec.structs.replace(mark, generation=1 - lives))
            assert (await reader.reading()).status == "running"
            await reader.close()
            assert await reason(back) == ""

    run(play())


def test_each_connection_of_a_link_knows_what_the_others_and_the_file_know(ledger: Database) -> None:
    """The poster had gone further than the reader had read, or the file of two servers further than both."""

    async def play() -> None:
        async with restored(ledger) as back:
            head = mark_of(back.link.state.head)
            link = at_work(back, None)
            assert link._reader.remembered() is None
            link._reader._seen = Mark(1, 2)
            assert link._reader.remembered() == link._store.remembered() == ("connection", head)
            further = Mark(1, head.commit + 1)
            link = at_work(back, further)
            assert link._reader.remembered() == link._store.remembered() == ("checkpoint", further)
            await link._reader.reading()
            assert (await reason(back)).startswith("ledger_behind: checkpoint has ")
            await asyncio.gather(link._reader.close(), link._store.close())

    run(play())
