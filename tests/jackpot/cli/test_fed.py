"""Is every family that the server declares really fed? A small site is played, and who writes to a family is noted.

A series that stands at nought from its first moment is not fed by that: somebody must count or set it.
"""

import asyncio
import contextlib
import ssl
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import aiohttp
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec import Raw
from redis.asyncio.client import Pipeline
from redis.exceptions import ConnectionError as RedisConnectionError

from jackpot.bus import connect_redis
from jackpot.cli import server
from jackpot.cli.keys import read_key
from jackpot.cli.server import Server
from jackpot.config import Config
from jackpot.core.accounts import BrokenInvariant
from jackpot.core.ports import Batch, BatchRefusedError, OutcomeUnknownError
from jackpot.ledger.clock import SystemClock
from jackpot.ledger.store import PostgresStore
from jackpot.serving.metrics import Tally, keep_measuring_lag
from jackpot.serving.running import Listen
from jackpot.serving.tls import ServerCertificate
from jackpot.telemetry import Telemetry
from jackpot.telemetry.families import FAMILIES
from jackpot.web import boards
from jackpot.wire.clocks import ping_of_clock
from jackpot.wire.codec import encode
from jackpot.wire.messages import Ask, BadFrame, Welcome
from jackpot.wire.snapshots import channel
from rules.terms import canonical_bytes, parse_terms
from tests.support.certificates import Authority
from tests.support.chains import NOTHING, ROYAL, SETTINGS, STRAIGHT_FLUSH, Link
from tests.support.fed import families_written
from tests.support.running import run, until
from tests.support.table import TableEnd, table_end
from tests.support.terms import demo_tree
from tests.support.terms_files import terms_file

if TYPE_CHECKING:
    from tests.jackpot.cli.conftest import CommandLine


LATER = frozenset({"jackpot_boards_reporting", "jackpot_display_seconds", "jackpot_audits_total"})
"""What is written a moment after it happened."""


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The families that somebody writes to from now on, but for the noughts with which a process and a link begin."""
    return families_written(monkeypatch, Telemetry, "opened")


@contextlib.asynccontextmanager
async def serving(jackpot: "CommandLine", folder: Path) -> AsyncIterator[aiohttp.ClientSession]:
    """The server in this process, with TLS, and a client of it."""
    authority = Authority(folder)
    cert, key = authority.vouch("server")
    settings = Config(
        database_url=jackpot.database_url, redis_url=jackpot.redis_url, keys=jackpot.keys, data=folder, screens="B1"
    )
    trusted = aiohttp.TCPConnector(ssl=ssl.create_default_context(cafile=str(authority.file)))
    site = Server(settings, jackpot.database_url, jackpot.redis_url, jackpot.keys, ServerCertificate(cert, key))
    async with AsyncExitStack() as stack:
        address = await site.start(stack, Listen.parse("127.0.0.1:0"))
        base = address.replace("127.0.0.1", "localhost")
        yield await stack.enter_async_context(aiohttp.ClientSession(base_url=base, connector=trusted))


def opened(jackpot: "CommandLine", folder: Path) -> None:
    """The demonstration's link, with tables T1 to T3."""
    done = jackpot("link", "open", str(terms_file(folder)), "--by", "Olga", "--second", "Petra")
    assert done.code == 0, done.err
    settings = folder / "settings.json"
    settings.write_text(SETTINGS)
    done = jackpot("table", "enrol", "southern", "T1", "T2", "T3", "--by", "Olga", "--settings", str(settings))
    assert done.code == 0, done.err


async def play(jackpot: "CommandLine", client: aiohttp.ClientSession, written: set[str]) -> TableEnd:
    """Play a royal, a withdrawal and a void; meet strangers, a twin, another pay table, a board that shows nonsense."""
    made = Link(3, months=jackpot.months)

    async def table(name: str) -> TableEnd:
        return await table_end(
            client, name, read_key(jackpot.keys / "tables" / f"{name}.key"), SETTINGS.encode(), jackpot.months
        )

    async def answer(end: TableEnd, raw: bytes) -> None:
        await end.answered(raw)

    async with client.get("/boards/southern/feed") as board:
        first, second, other = await table("T1"), await table("T2"), await table("T3")
        assert isinstance(await first.hello(), Welcome)
        assert isinstance(await second.hello(), Welcome)
        changed = canonical_bytes(made.terms).replace(b'"amount_cents":10000', b'"amount_cents":10001')
        await other.hello(terms=Raw(changed))
        await (await table("T3")).hello(key=Ed25519PrivateKey.generate())
        await answer(first, made.wagers("T1", 1).raw)
        await answer(first, made.record("T1", 1, {1: ROYAL, 2: NOTHING, 3: STRAIGHT_FLUSH}).raw)
        await answer(second, made.wagers("T2", 1).raw)
        await answer(second, made.withdraw("T2", 1).raw)
        await answer(second, made.wagers("T2", 2).raw)
        await answer(second, made.void("T2", 2).raw)
        await second.send(b"nonsense")
        assert isinstance(await second.receive(), BadFrame)
        twin = await table("T1")
        assert isinstance(await twin.hello(journal=1, connection=2, next_round=2), Welcome)
        assert (await board.content.readline()) != b""
        nonsense = {"board": "B1", "generation": 1, "commit": 1, "epoch": 1, "painted_cents": "7", "heap": 1}
        async with client.post("/boards/southern/shown", json=nonsense) as told:
            assert told.status == 204
        await twin.socket.ping(ping_of_clock(SystemClock().now_us() // 1_000))
        await twin.send(encode(Ask()))
        await twin.receive()
        async with client.get("/metrics") as metrics:
            assert metrics.status == 200
        await until(lambda: written >= LATER)
        await answer(second, made.withdraw("T2", 2).raw)
        return second


async def fail(
    jackpot: "CommandLine", client: aiohttp.ClientSession, end: TableEnd, written: set[str], faults: "Faults"
) -> None:
    """Let Redis and Postgres fail in each of their ways, and put other terms in force while a table plays."""
    redis, made = connect_redis(jackpot.redis_url), Link(3, months=jackpot.months)
    try:
        await redis.publish(channel("southern"), b"nonsense")
        await until(lambda: "jackpot_snapshots_ignored_total" in written)
        faults.redis.append(RedisConnectionError("away"))
        await until(lambda: "jackpot_redis_failures_total" in written)
        await redis.client_kill_filter(_type="pubsub")
        await until(lambda: "jackpot_redis_reconnects_total" in written)
    finally:
        await redis.aclose()
    for number, fault in enumerate((OutcomeUnknownError("no word"), BatchRefusedError("a check said no")), start=3):
        faults.postgres.append(fault)
        await end.send(made.wagers("T2", number).raw)
        await end.receive()
        await end.send(made.withdraw("T2", number).raw)
        await end.receive()
    newer = Path(jackpot.keys.parent) / "newer"
    newer.mkdir()
    pool = demo_tree()["pools"][0] | {"limit_cents": 9_000_000, "overflow_to": "reserve"}
    file = str(terms_file(newer, version=2, pools=[pool]))
    newest = canonical_bytes(parse_terms(newer.joinpath("terms.json").read_bytes()))
    done = await jackpot.beside("link", "terms", file, "--by", "Olga", "--second", "Petra")
    assert done.code == 0, done.err
    await until(lambda: written >= {"jackpot_tables_ejected_total", "jackpot_meter_limit_cents"})
    faults.board = True
    async with client.get("/boards/southern/feed") as slow:
        await slow.read()
    faults.postgres.append(BrokenInvariant("a balance fell"))
    newcomer = await table_end(
        client, "T2", read_key(jackpot.keys / "tables" / "T2.key"), SETTINGS.encode(), jackpot.months
    )
    hello = asyncio.create_task(newcomer.hello(terms=Raw(newest), journal=1, connection=9))
    await until(lambda: "jackpot_invariant_stops_total" in written)
    hello.cancel()
    await asyncio.gather(hello, return_exceptions=True)


@dataclass
class Faults:
    """What Postgres and Redis fail with next, each once."""

    postgres: list[Exception] = field(default_factory=list)
    redis: list[Exception] = field(default_factory=list)
    board: bool = False
    """Whether boards read too slowly from now on."""


@pytest.fixture
def faults(monkeypatch: pytest.MonkeyPatch) -> Faults:
    """Nothing fails yet, but for a part of the server that fails once as it begins."""
    faults, post, execute, read_on = Faults(), PostgresStore.post, Pipeline.execute, boards._Reader.read_on
    failed = list[None]()

    async def measured(lag: Tally) -> None:
        if not failed:
            failed.append(None)
            raise RuntimeError("it fails once")
        await keep_measuring_lag(lag)

    async def read(self: Any) -> boards.Ended:
        return "dropped" if faults.board else await read_on(self)

    async def posted(self: PostgresStore, batch: Batch) -> None:
        if faults.postgres:
            raise faults.postgres.pop()
        await post(self, batch)

    async def executed(self: Any, *arguments: Any) -> Any:
        if faults.redis:
            raise faults.redis.pop()
        return await execute(self, *arguments)

    monkeypatch.setattr(server, "keep_measuring_lag", measured)
    monkeypatch.setattr(boards._Reader, "read_on", read)
    monkeypatch.setattr(PostgresStore, "post", posted)
    monkeypatch.setattr(Pipeline, "execute", executed)
    return faults


def test_every_family_is_fed(jackpot: "CommandLine", tmp_path: Path, written: set[str], faults: Faults) -> None:
    """No family of the table is written to by nobody: each is counted or set by what happened in this play."""
    opened(jackpot, tmp_path)

    async def scene() -> None:
        async with serving(jackpot, tmp_path) as client:
            table = await play(jackpot, client, written)
            await fail(jackpot, client, table, written, faults)
            async with client.get("/metrics") as metrics:
                assert metrics.status == 200

    run(scene())
    assert {family.name for family in FAMILIES} - written == set()
