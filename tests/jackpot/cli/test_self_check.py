"""At start: a ledger that stands behind what was shown raises the alarm, and the link does not begin (case 38)."""

import asyncio
import contextlib
import json
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import aiohttp
import pytest
from msgspec import Raw

from jackpot.bus import connect_redis, elapsed_ms
from jackpot.cli.acts import read_state
from jackpot.cli.keys import key_file, read_key
from jackpot.cli.self_check import contradiction
from jackpot.wire.codec import encode
from jackpot.wire.snapshots import PoolShown, Published, Snapshot, retained, signed_bytes
from tests.support.floor import Floor
from tests.support.links import snapshot
from tests.support.serving import run
from tests.support.terms_files import terms_file

if TYPE_CHECKING:
    from tests.jackpot.cli.conftest import CommandLine


@pytest.mark.parametrize(
    ("changes", "found"),
    [
        ({}, ""),
        ({"commit": -1, "cents": 9}, ""),
        ({"generation": -1, "commit": 900}, ""),
        ({"commit": 1}, "ends at commit"),
        ({"generation": 1, "commit": -1}, "of generation 2 was shown"),
        ({"cents": 1}, "cents in epoch 1, and the ledger holds 5000000 cents in epoch 1"),
        ({"epoch": 1}, "cents in epoch 2, and"),
        ({"pool": "minor"}, "holds no such pool"),
    ],
)
def test_what_was_shown_is_held_against_the_ledger(changes: dict[str, Any], found: str) -> None:
    """A later commit, or other amounts at the same one, are a contradiction; an earlier commit is none."""
    state = Floor().state
    shown = snapshot(
        5_000_000 + changes.get("cents", 0),
        state.head.commit + changes.get("commit", 0),
        generation=state.head.generation + changes.get("generation", 0),
    )
    main = replace_pool(shown.pools[0], changes)
    told = contradiction(state, snapshot(0, shown.commit, generation=shown.generation, pools=[main]))
    assert found in told
    assert bool(found) == bool(told)
    assert contradiction(state, None) == ""


def replace_pool(pool: PoolShown, changes: dict[str, Any]) -> PoolShown:
    """A pool shown otherwise."""
    return PoolShown(changes.get("pool", pool.pool), pool.epoch + changes.get("epoch", 0), pool.cents, 0, "")


@contextlib.asynccontextmanager
async def serving(jackpot: "CommandLine") -> AsyncIterator[aiohttp.ClientSession]:
    """The server as a program, and a client of it."""
    server = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "jackpot", "serve", "--listen", "127.0.0.1:0", "--json",
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL, env=jackpot.environment,
    )  # fmt: skip
    assert server.stdout is not None
    address = json.loads(await server.stdout.readline())["address"]
    try:
        async with aiohttp.ClientSession(base_url=address) as client:
            yield client
    finally:
        server.terminate()
        assert await server.wait() == 0


def test_a_ledger_behind_its_boards_is_stopped_until_two_people_open_it(jackpot: "CommandLine", tmp_path: Path) -> None:
    """The retained copy is past the ledger: an alarm, stopped, the copy kept; open again in the next generation."""
    opened = jackpot("link", "open", str(terms_file(tmp_path)), "--by", "Olga", "--second", "Petra")
    assert opened.code == 0, opened.err
    key = read_key(key_file(jackpot.keys, "link", "southern"))

    def signed(shown: Snapshot) -> bytes:
        body = encode(shown)
        return encode(Published(Raw(body), key.sign(signed_bytes(body)).hex()))

    async def link_is(client: aiohttp.ClientSession, wanted: str) -> None:
        while True:
            async with client.get("/readyz") as answer:
                if (await answer.json())["checks"].get("link/southern") == wanted:
                    return
            await asyncio.sleep(0.05)

    async def play() -> None:
        state = await read_state(jackpot.database_url, "southern")
        later = snapshot(6_000_000, state.head.commit + 50, generation=state.head.generation, elapsed_ms=elapsed_ms())
        redis = connect_redis(jackpot.redis_url)
        await redis.set(retained("southern"), signed(later))
        try:
            async with serving(jackpot) as client:
                await link_is(client, "the link is ledger_behind")
                async with client.get("/metrics") as answer:
                    told = await answer.text()
                    assert 'jackpot_alarms_total{kind="snapshot_ahead",link="southern"} 1.0' in told
                    assert 'jackpot_link_status{link="southern",status="ledger_behind"} 1.0' in told
                assert await redis.get(retained("southern")) == signed(later), "the evidence is kept"
                lifting = ("link", "lift", "southern", "--by", "Ann", "--with", "Bea", "--reason", "looked")
                lifted = await jackpot.beside(*lifting, "--json")
                assert lifted.object["refused"] == "ledger_behind"
                words = (await jackpot.beside("link", "behind", "southern")).out
                assert "the ledger ends at commit 1 of generation 1; it had come to commit 51" in words
                assert "nobody holds (hellos, acts of the office, tables that are gone): 1/2-51" in words
                assert "correction, meter_shown: main 10,000.00" in words
                one = await jackpot.beside("link", "reopen", "southern", "--by", "Ann", "--with", "ann")
                assert (one.code, "ann" in one.err) == (1, True)
                seen = (await jackpot.beside("link", "behind", "southern", "--json")).object["list"]
                opening = ("link", "reopen", "southern", "--by", "Ann", "--with", "Bea", "--list", seen, "--json")
                done = (await jackpot.beside(*opening)).object
                assert (done["generation"], done["missing"]) == (2, ["1/2-51"])
                assert done["corrections"] == [{"why": "meter_shown", "what": "main", "cents": 1_000_000}]
                await link_is(client, "ok")
                again = await jackpot.beside(*opening)
                assert (again.code, again.object["refused"]) == (1, "not_behind")
                audited = await jackpot.beside("audit", "--json")
                assert audited.object["audit"] == "ok"
        finally:
            await redis.delete(retained("southern"))
            await redis.aclose()

    run(play())


def test_a_copy_that_another_key_signed_is_no_witness(jackpot: "CommandLine", tmp_path: Path) -> None:
    """What this link's own key did not sign, or what cannot be read, stops nothing."""
    opened = jackpot("link", "open", str(terms_file(tmp_path)), "--by", "Olga", "--second", "Petra")
    assert opened.code == 0, opened.err
    body = encode(snapshot(6_000_000, 900))
    forged = encode(Published(Raw(body), "00" * 64))

    async def play() -> None:
        redis = connect_redis(jackpot.redis_url)
        for copy in (forged, b"nonsense"):
            await redis.set(retained("southern"), copy)
            async with serving(jackpot) as client, client.get("/boards/southern") as answer:
                assert answer.status == 200
        await redis.delete(retained("southern"))
        await redis.aclose()

    run(play())
