"""Many tables at one pool at once, with the ledger's own rows looked at afterwards (CASES 4 and 10)."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import pairwise

import asyncpg

from jackpot.core.accounts import MICROCENTS
from jackpot.core.ports import Reply, Submitted
from jackpot.core.posting import Poster, keep_posting, post
from jackpot.ledger.audit import audit
from jackpot.ledger.clock import SystemClock
from jackpot.ledger.inbox import AsyncInbox
from jackpot.ledger.store import PostgresStore
from jackpot.wire.codec import decode_answer
from jackpot.wire.messages import AwardLine, RecordAnswer
from rules.terms import parse_terms
from tests.support.chains import NOTHING, STRAIGHT_FLUSH, Link
from tests.support.embedded_fixture import Database
from tests.support.floor import changed_terms
from tests.support.running import run
from tests.support.terms import demo_terms

INCREMENT = 22 * MICROCENTS
ENTRIES = "SELECT version, microcents, balance_after, cause FROM entry WHERE account = 'pool/main' ORDER BY version"
BELOW = "SELECT count(*) FROM entry WHERE balance_after < 0 AND account ~ '^(pool|overflow|payable)/|^reserve$'"


@asynccontextmanager
async def posters(database: Database, link: Link, number: int) -> AsyncIterator[list[Poster]]:
    """Posters of so many more processes."""
    stores = [PostgresStore(database.service_url, link.chain) for _ in range(number)]
    try:
        yield [Poster(store, SystemClock(), lambda _posted: None) for store in stores]
    finally:
        for store in stores:
            await store.close()


async def opened(database: Database, link: Link) -> None:
    """Post what a link has decided so far."""
    store = PostgresStore(database.service_url, link.chain)
    for batch in link.batches:
        await store.post(batch)
    await store.close()


async def entries(database: Database) -> list[tuple[int, int, int, str]]:
    """The pool's entries as they stand: version, microcents, balance after, cause; nothing owed is below nought."""
    reading = await asyncpg.connect(database.auditor_url)
    try:
        assert await reading.fetchval(BELOW) == 0
        rows = await reading.fetch(ENTRIES)
        return [(row[0], int(row[1]), int(row[2]), row[3]) for row in rows]
    finally:
        await reading.close()


def test_straight_flushes_at_three_tables_at_once(ledger: Database) -> None:
    """Case 10: J = 50,100.00: 5,010.00, 5,000.00 with 491.00 added, 5,000.00 with 941.90; 36,522.90 stays; audit ok."""
    seed = {"pools.0.seed_cents": 5_010_000 - 3 * 22}
    link = Link(3, parse_terms(changed_terms(demo_terms(), seed)))
    link.decide([link.wagers(table, 1, [1]) for table in link.tables])
    records = [link.record(table, 1, {1: STRAIGHT_FLUSH}) for table in link.tables]

    async def scene() -> list[AwardLine]:
        await opened(ledger, link)
        async with posters(ledger, link, len(records)) as three:
            replies = await asyncio.gather(*(post(each, [one]) for each, one in zip(three, records, strict=True)))
        answers = [decode_answer(reply.answer) for (reply,) in replies]
        assert (await entries(ledger))[-1][2] == 3_652_290 * MICROCENTS
        found = await audit(ledger.auditor_url)
        assert found.ok, found
        return [line for answer in answers if isinstance(answer, RecordAnswer) for line in answer.awards]

    awards = run(scene())
    assert sorted((line.from_pool_cents, line.topup_cents, line.amount_cents) for line in awards) == [
        (405_810, 94_190, 500_000),
        (450_900, 49_100, 500_000),
        (501_000, 0, 501_000),
    ]


def test_every_balance_after_of_eight_tables_is_there_once(ledger: Database) -> None:
    """Case 4: 8 tables, 500 rounds each, two processes: no version is missing, each balance is there once and rises."""
    link, rounds = Link(8), 500

    async def scene() -> list[tuple[int, int, int, str]]:
        await opened(ledger, link)
        inboxes = [AsyncInbox(busy_after_s=3_600) for _ in range(2)]
        answers: list[asyncio.Future[Reply]] = []
        for number in range(1, rounds + 1):
            for place, table in enumerate(link.tables):
                for command in (link.wagers(table, number, [1]), link.record(table, number, {1: NOTHING})):
                    answers.append(asyncio.get_running_loop().create_future())
                    inboxes[place % 2].submit(Submitted(command, answers[-1].set_result))
        async with posters(ledger, link, 2) as two:
            tasks = [asyncio.ensure_future(keep_posting(*pair)) for pair in zip(inboxes, two, strict=True)]
            await asyncio.gather(*answers)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        return await entries(ledger)

    seed, *increments = run(scene(), 1_200)
    assert seed[2:] == (5_000_000 * MICROCENTS, "seed")
    assert {cause for *_, cause in increments} == {"increment"}
    for before, after in pairwise([seed, *increments]):
        assert (after[0], after[2]) == (before[0] + 1, before[2] + after[1])
        assert after[2] > before[2]
    assert increments[-1][2] == 5_000_000 * MICROCENTS + 8 * rounds * INCREMENT
