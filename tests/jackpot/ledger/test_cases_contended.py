"""Many at one ledger at once: slips paid twice, requests broken off, no connection left, hits that contend.

CASES 20, 32, 33 and 35.
"""

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import asyncpg
import pytest

from jackpot.core.accounts import MICROCENTS
from jackpot.core.commands import Command, MoveHit, of_act
from jackpot.core.ports import Reply, Submitted
from jackpot.core.posting import Poster, post
from jackpot.core.state import LinkState
from jackpot.embedded import Servers
from jackpot.ledger.audit import audit
from jackpot.ledger.clock import SystemClock
from jackpot.ledger.inbox import AsyncInbox
from jackpot.ledger.runner import post_once, run_poster
from jackpot.ledger.store import PostgresStore
from jackpot.wire.codec import decode_answer
from jackpot.wire.messages import RecordAnswer
from jackpot.wire.refusals import Refusal
from tests.adversity.requests import sessions
from tests.adversity.wires import Line
from tests.support.chains import ROYAL, STRAIGHT_FLUSH, Link
from tests.support.embedded_fixture import Database
from tests.support.own_time import own_time
from tests.support.running import run
from tests.support.terms import two_pool_terms

PROCESSES = 8
LATENCY_S = 0.025
"""Each way: 50 ms from a statement to its answer."""
ANSWER_WITHIN_S = 2.0


async def opened(database: Database, link: Link) -> None:
    """Post what a link has decided so far."""
    store = PostgresStore(database.service_url, link.chain)
    for batch in link.batches:
        await store.post(batch)
    await store.close()


@asynccontextmanager
async def posters(url: str, link: Link, number: int = PROCESSES) -> AsyncIterator[list[Poster]]:
    """Posters of so many processes."""
    stores = [PostgresStore(url, link.chain) for _ in range(number)]
    try:
        yield [Poster(store, SystemClock(), lambda _posted: None) for store in stores]
    finally:
        for store in stores:
            await store.close()


async def all_at_once(url: str, link: Link, commands: Sequence[Command], each: int) -> list[Reply]:
    """Post commands through all processes at once, so many in a batch."""
    async with posters(url, link) as found:

        async def share(place: int) -> list[Reply]:
            mine = commands[place::PROCESSES]
            batches = [mine[at : at + each] for at in range(0, len(mine), each)]
            return [reply for batch in batches for reply in await post(found[place], batch)]

        return [reply for replies in await asyncio.gather(*map(share, range(PROCESSES))) for reply in replies]


def won(replies: Sequence[Reply]) -> list[RecordAnswer]:
    """The answers to records; every one is there, and none was put off."""
    answers = [decode_answer(reply.answer) for reply in replies if reply.later is None]
    assert len(answers) == len(replies)
    return [answer for answer in answers if isinstance(answer, RecordAnswer)]


def approved_hit(link: Link) -> tuple[str, int]:
    """Play a straight flush and have it approved; its name, and how many acts it has."""
    link.decide(link.play("T1", 1, {3: STRAIGHT_FLUSH}))
    hit = "T1/1/1/3/main"
    people = iter(f"person {number}" for number in range(10))
    link.decide([of_act(MoveHit(hit, "verify", next(people), 0))])
    while (found := next(iter(link.state.hits.values()))).state != "approved":
        link.decide([of_act(MoveHit(hit, "approve", next(people), len(found.acts)))])
    return hit, len(found.acts)


@pytest.mark.parametrize("times", [2, 100])
def test_a_slip_is_paid_once(ledger: Database, times: int) -> None:
    """Case 20: paid so often in parallel, through eight processes: once; all are answered with the first payment."""
    link = Link(1)
    hit, acts = approved_hit(link)
    pay = of_act(MoveHit(hit, "pay", "Cay", acts))

    async def scene() -> tuple[list[Reply], int]:
        await opened(ledger, link)
        replies = await all_at_once(ledger.service_url, link, [pay] * times, 5)
        reading = await asyncpg.connect(ledger.auditor_url)
        try:
            return replies, await reading.fetchval("SELECT count(*) FROM entry WHERE account = 'paid'")
        finally:
            await reading.close()

    replies, payments = run(scene())
    assert len(replies) == times
    assert len({(reply.answer, reply.receipt) for reply in replies}) == 1
    assert b'"state":"paid"' in replies[0].answer
    assert payments == 1
    assert run(audit(ledger.auditor_url)).differences == []


def test_another_cashier_does_not_pay_it_again(ledger: Database) -> None:
    """Case 20: of two cashiers at one moment one pays; the other is told that nothing is left to pay."""
    link = Link(1)
    hit, acts = approved_hit(link)
    both = [of_act(MoveHit(hit, "pay", name, acts)) for name in ("Cay", "Dot")]

    async def scene() -> list[Reply]:
        await opened(ledger, link)
        return await all_at_once(ledger.service_url, link, both, 1)

    answers = sorted(decode_kind(reply.answer) for reply in run(scene()))
    assert answers == ["moved", "refused"]


def decode_kind(answer: bytes) -> str:
    """What kind of answer it is."""
    return answer.split(b'"kind":"')[1].split(b'"')[0].decode()


def test_what_is_broken_off_is_whole_or_nothing(ledger: Database, servers: Servers) -> None:
    """Case 32: acts cancelled at any moment: each is stored whole or not at all, and no session is left behind."""
    link = Link(4)
    commands = [link.wagers(table, 1) for table in link.tables]
    chance = random.Random(32)
    owner = servers.url("postgres", ledger.name)

    async def one(command: Command) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(chance.uniform(0, 0.02)):
                await post_once(ledger.service_url, link.chain, [command])

    async def scene() -> list[Reply]:
        await opened(ledger, link)
        before = await sessions(owner)
        for _ in range(25):
            await asyncio.gather(*(one(command) for command in commands * 2))
        while (now := await sessions(owner)).all > before.all or now.idle_in_transaction:  # noqa: ASYNC110
            await asyncio.sleep(0.05)
        return await all_at_once(ledger.service_url, link, commands, 1)

    replies = run(scene())
    assert {decode_kind(reply.answer) for reply in replies} == {"wagers"}
    state = run(loaded(ledger, link))
    assert state.balances["pool/main"].microcents == (5_000_000 + 22 * 3 * len(commands)) * MICROCENTS
    assert run(audit(ledger.auditor_url)).differences == []


async def loaded(ledger: Database, link: Link) -> LinkState:
    """The state at the head."""
    store = PostgresStore(ledger.service_url, link.chain)
    try:
        return await store.load()
    finally:
        await store.close()


def test_an_answer_in_two_seconds_with_no_connection_left(ledger: Database, servers: Servers) -> None:
    """Case 33: long queries hold every connection: the table is told to keep the message, and it is taken later."""
    link = Link(1)
    wagers = link.wagers("T1", 1)

    async def scene() -> tuple[float, Reply, Reply]:
        await opened(ledger, link)
        inbox, store = AsyncInbox(), PostgresStore(ledger.service_url, link.chain)
        posting = asyncio.create_task(run_poster(inbox, store, lambda _posted: None))
        try:
            async with no_connection_left(ledger, servers):
                with own_time() as passed:
                    refused = await answer(inbox, wagers)
                    took_s = passed()
            accepted = await answer(inbox, wagers)
            while accepted.later is not None:
                accepted = await answer(inbox, wagers)
            return took_s, refused, accepted
        finally:
            posting.cancel()
            await asyncio.gather(posting, return_exceptions=True)
            await store.close()

    took_s, refused, accepted = run(scene())
    assert refused.later in {Refusal.BUSY, Refusal.LEDGER_UNREACHABLE}
    assert refused.answer == b""
    assert took_s < ANSWER_WITHIN_S + 0.5
    assert decode_kind(accepted.answer) == "wagers"


async def answer(inbox: AsyncInbox, command: Command) -> Reply:
    """Submit a command as a table's connection does, and wait for what it is told."""
    told: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
    inbox.submit(Submitted(command, told.set_result))
    return await told


@asynccontextmanager
async def no_connection_left(ledger: Database, servers: Servers) -> AsyncIterator[None]:
    """Long queries hold all connections that the ledger's database may have."""
    superuser = servers.url("postgres", "postgres")
    admin = await asyncpg.connect(superuser)
    taken: list[asyncpg.Connection[asyncpg.Record]] = []
    try:
        await admin.execute(f'ALTER DATABASE "{ledger.name}" CONNECTION LIMIT 6')
        with contextlib.suppress(asyncpg.TooManyConnectionsError):
            while True:
                taken.append(await asyncpg.connect(ledger.service_url))
        queries = [asyncio.ensure_future(one.execute("SELECT pg_sleep(60)")) for one in taken]
        yield
        for one in taken:
            one.terminate()
        await asyncio.gather(*queries, return_exceptions=True)
        await admin.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = $1 AND query LIKE 'SELECT pg_sleep%'",
            ledger.name,
        )
    finally:
        await admin.close()


def test_thirty_two_royals_at_once(ledger: Database) -> None:
    """Case 35: every record is answered, none put off; the first gets the meter, and each the minimum at least."""
    link = Link(32)
    link.decide([link.wagers(table, 1, [2]) for table in link.tables])
    before = link.state.balances["pool/main"].microcents // MICROCENTS
    records = [link.record(table, 1, {2: ROYAL}) for table in link.tables]

    async def scene() -> list[Reply]:
        await opened(ledger, link)
        return await all_at_once(ledger.service_url, link, records, 1)

    awards = [line for record in won(run(scene())) for line in record.awards]
    assert len(awards) == len(records)
    amounts = sorted((line.amount_cents for line in awards), reverse=True)
    assert amounts == [before, *[5_000_000] * 31]
    assert run(audit(ledger.auditor_url)).differences == []


def test_settlements_of_two_pools_in_either_order(ledger: Database, servers: Servers) -> None:
    """Case 35: 1,000 rounds that win of pools A and B, or B and A, at once, 50 ms away: no deadlock, all resolved."""
    link = Link(1_000, two_pool_terms())
    link.decide([link.wagers(table, 1, [1, 3]) for table in link.tables])
    either = ({1: STRAIGHT_FLUSH, 3: ROYAL}, {1: ROYAL, 3: STRAIGHT_FLUSH})
    records = [link.record(table, 1, either[place % 2]) for place, table in enumerate(link.tables)]

    async def scene() -> list[Reply]:
        await opened(ledger, link)
        async with far_away(ledger, servers) as url:
            return await all_at_once(url, link, records, 125)

    awards = [line for record in won(run(scene())) for line in record.awards]
    assert len(awards) == 2 * len(records)
    assert {line.pool for line in awards} == {"main", "minor"}
    state = run(loaded(ledger, link))
    assert len(state.hits) == 2 * len(records)
    assert run(audit(ledger.auditor_url)).differences == []


@asynccontextmanager
async def far_away(ledger: Database, servers: Servers) -> AsyncIterator[str]:
    """The ledger's address behind a proxy that takes its time."""
    line = Line(str(servers.socket_dir / ".s.PGSQL.5432"), slow_s=LATENCY_S)
    async with await asyncio.start_server(line.serve, "127.0.0.1", 0) as proxy:
        port = proxy.sockets[0].getsockname()[1]
        yield f"postgresql://service@127.0.0.1:{port}/{ledger.name}?sslmode=disable"
        line.cut()
