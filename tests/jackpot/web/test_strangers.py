"""What strangers ask for makes no series, however much of it (case 36)."""

import asyncio
import logging
from collections.abc import Iterable, Iterator

import pytest
import structlog
from prometheus_client import generate_latest

from jackpot.bus import elapsed_ms
from jackpot.serving.application import new_application
from jackpot.serving.running import Connections, Listen, listening
from jackpot.telemetry import Telemetry
from jackpot.web.boards import Boards
from jackpot.web.tables import Tables
from tests.support.links import ScriptedDirectory, ScriptedMeters
from tests.support.serving import run

AT_ONCE = 200
LONGEST_S = 600.0
"""So many requests are a quarter of a minute of one processor's work, of which a busy machine gives some."""
UPGRADE = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {}\r\n".format(
    "AAAAAAAAAAAAAAAAAAAAAA=="
)


async def ask(port: int, paths: Iterable[str], status: bytes) -> int:
    """Ask for paths on one connection, many at once; all must be answered with this status. How many there were."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    waiting, count = 0, 0

    async def answered() -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 " + status), head
        length = next(line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:"))
        await reader.readexactly(int(length.split(b":")[1]))

    for path in paths:
        writer.write(f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        waiting += 1
        count += 1
        if waiting == AT_ONCE:
            while waiting:
                await answered()
                waiting -= 1
    while waiting:
        await answered()
        waiting -= 1
    writer.close()
    return count


async def knock(port: int, table: str) -> None:
    """Connect as a table that nobody knows, and hang up."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"GET /tables/{table} HTTP/1.1\r\nHost: x\r\n{UPGRADE}\r\n".encode())
    head = await reader.readuntil(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 101"), head
    writer.write(bytes((0x88, 0x80, 0, 0, 0, 0)))
    await reader.read()
    writer.close()


def batches(numbers: range) -> Iterator[range]:
    """These numbers, so many at a time as are asked for at once."""
    return (numbers[at : at + AT_ONCE] for at in range(0, len(numbers), AT_ONCE))


@pytest.fixture
def _few_words() -> Iterator[None]:
    """Log nothing of each request, as a site may choose: lines that nobody reads were a third of the work."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    yield
    structlog.reset_defaults()


@pytest.mark.usefixtures("_few_words")
@pytest.mark.parametrize("kind", ["paths", "tables"])
def test_strangers_make_no_series(kind: str) -> None:
    """100,000 requests to unknown paths and links, and 10,000 unknown tables: not one series more than before."""

    async def play() -> None:
        telemetry, connections, directory = Telemetry(), Connections(), ScriptedDirectory()
        telemetry.opened("southern")
        app = new_application(telemetry.requests)
        Boards(directory, ScriptedMeters(), connections, telemetry, elapsed_ms=elapsed_ms).add_to(app)
        Tables(directory, connections, telemetry).add_to(app)
        app.on_shutdown.append(connections.close_all)
        async with listening(app, Listen("127.0.0.1", 0)) as address:
            port = int(address.rpartition(":")[2])

            async def strangers(first: int, count: int) -> None:
                numbers = range(first, first + count)
                if kind == "tables":
                    for some in batches(numbers):
                        await asyncio.gather(*(knock(port, f"bogus{number}") for number in some))
                    return
                each = ("/nowhere/{}", "/boards/no{}", "/boards/no{}/feed", "/assets/{}.js", "/tables/x/{}")
                paths = (each[number % len(each)].format(number) for number in numbers)
                assert await ask(port, paths, b"404") == count

            await strangers(0, 50)
            before = generate_latest(telemetry.registry).count(b"\n")
            await strangers(50, 10_000 if kind == "tables" else 100_000)
            assert generate_latest(telemetry.registry).count(b"\n") == before
            assert not any("bogus" in one for one in directory.asked) or kind == "tables"

    run(play(), LONGEST_S)
