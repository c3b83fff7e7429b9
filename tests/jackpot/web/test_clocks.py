"""A table's clock may be off by anything: it is shown, and nothing is decided by it (case 37)."""

import asyncio

import pytest
from msgspec import Raw

from jackpot.wire.clocks import ping_of_clock
from jackpot.wire.codec import encode
from jackpot.wire.messages import HelloBody, Welcome
from rules.terms import canonical_bytes
from tablelink.client import Client, Opened
from tests.support.serving import run
from tests.support.table import wagers
from tests.support.tables_scene import Scene, scene
from tests.support.terms import demo_terms

NOW_MS = 1_795_777_200_000
SECOND_MS = 1_000
OFF = {"90 s ahead": 90, "90 s behind": -90, "an hour back": -3_600}


async def until_told(on: Scene, table: str, skew_s: float) -> None:
    """Wait until the server shows a table's clock so."""
    while (one := on.tables.connected().get(table)) is None or one.skew_s != skew_s:  # noqa: ASYNC110
        await asyncio.sleep(0)


@pytest.mark.parametrize("off_s", OFF.values(), ids=OFF.keys())
def test_wagers_of_a_table_whose_clock_is_off_are_taken_in_the_servers_order(off_s: int) -> None:
    """Both tables' wagers are taken as they come, whatever time their clocks tell; how far one is off is shown."""

    async def play() -> None:
        async with scene(wall_ms=lambda: NOW_MS) as on:
            right, wrong = await on.end("T1"), await on.end("T2")
            assert isinstance(await right.hello(), Welcome)
            assert isinstance(await wrong.hello(), Welcome)
            await right.socket.ping(ping_of_clock(NOW_MS))
            await wrong.socket.ping(ping_of_clock(NOW_MS + off_s * SECOND_MS))
            await until_told(on, "T1", 0)
            await until_told(on, "T2", off_s)
            for number, table in enumerate((wrong, right), start=1):
                await table.send(encode(wagers(table.table)))
                await on.arrived(number)
            assert [each.command.table for each in on.link.inbox] == ["T2", "T1"]

    run(play())


@pytest.mark.parametrize("payload", [b"", b"-1", b"1e9", b"9" * 60, "९".encode(), b"\xff\x00"])
def test_a_ping_that_tells_no_time_shows_none(payload: bytes) -> None:
    """Any other payload is answered as a ping is, and no clock is shown."""

    async def play() -> None:
        async with scene(wall_ms=lambda: NOW_MS) as on:
            table = await on.end("T1")
            assert isinstance(await table.hello(), Welcome)
            await table.socket.ping(payload)
            await table.send(encode(wagers()))
            await on.arrived()
            assert on.tables.connected()["T1"].skew_s is None

    run(play())


@pytest.mark.parametrize("off_s", OFF.values(), ids=OFF.keys())
def test_a_table_tells_its_time_once_it_is_welcomed(off_s: int) -> None:
    """The agent's own client tells the server its clock, without being asked."""

    async def play() -> None:
        async with scene(wall_ms=lambda: NOW_MS) as on:
            key, opened = on.directory.tables["T1"], asyncio.Event()
            terms = Raw(canonical_bytes(demo_terms()))

            async def hello() -> HelloBody:
                return HelloBody("T1", 0, "00" * 16, 1, 1, [1], "test", terms, Raw(b"{}"))

            def tell(arrived: object) -> None:
                if isinstance(arrived, Opened):
                    opened.set()

            url = str(on.client._base_url)
            client = Client(url, "T1", hello, key.sign, tell, wall_ms=lambda: NOW_MS + off_s * SECOND_MS)
            running = asyncio.create_task(client.run())
            try:
                await opened.wait()
                await until_told(on, "T1", off_s)
            finally:
                running.cancel()
                await asyncio.gather(running, return_exceptions=True)

    run(play())
