"""The server as a program: its ledger's command line, a client, and tables that are heard as real ones are."""

import asyncio
import contextlib
import json
import signal
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import aiohttp

from jackpot.cli.keys import read_key
from jackpot.wire.messages import Answer
from tests.support.chains import SETTINGS
from tests.support.table import TableEnd, table_end

if TYPE_CHECKING:
    from tests.jackpot.cli.conftest import CommandLine


@dataclass
class Floor:
    """A server that runs, its ledger's command line, and a client."""

    jackpot: "CommandLine"
    server: asyncio.subprocess.Process
    address: str
    client: aiohttp.ClientSession
    tables: list[TableEnd] = field(default_factory=list)

    async def table(self, name: str) -> TableEnd:
        """A table's end, before its hello."""
        key = read_key(self.jackpot.keys / "tables" / f"{name}.key")
        self.tables.append(await table_end(self.client, name, key, SETTINGS.encode(), self.jackpot.months))
        return self.tables[-1]

    async def alive(self) -> None:
        """Let the tables be heard every second, for ever, as real ones are: the server lets go of who is silent."""
        while True:
            for table in self.tables:
                with contextlib.suppress(ConnectionError):
                    await table.socket.ping()
            await asyncio.sleep(1)

    async def answer(self, table: TableEnd, raw: bytes) -> Answer:
        """Send a message and receive its answer."""
        return await table.answered(raw)

    async def state(self) -> dict[str, Any]:
        """What a board would show."""
        async with self.client.get("/boards/southern/feed?format=json") as told:
            state: dict[str, Any] = (await told.json())["state"]
            return state

    async def state_at(self, commit: int) -> dict[str, Any]:
        """What a board shows once it shows this commit."""
        while (state := await self.state())["commit"] < commit:
            pass
        return state

    async def command(self, *arguments: str) -> dict[str, Any]:
        """Run a command beside the server; its object."""
        done = await self.jackpot.beside(*arguments, "--json")
        assert done.out, done.err
        return done.object


@contextlib.asynccontextmanager
async def floor(jackpot: "CommandLine") -> AsyncIterator[Floor]:
    """Start the server; it ends well when it is asked to, and leaves no traceback."""
    server = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "jackpot",
        "serve",
        "--listen",
        "127.0.0.1:0",
        "--json",
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env=jackpot.environment,
    )
    assert server.stdout is not None
    assert server.stderr is not None
    said: list[bytes] = []

    async def listen(stream: asyncio.StreamReader) -> None:
        said.extend([line async for line in stream])

    listening = asyncio.create_task(listen(server.stderr))
    line = await server.stdout.readline()
    assert line, b"".join(said).decode()
    address = str(json.loads(line)["address"])
    try:
        async with aiohttp.ClientSession(base_url=address) as client:
            on = Floor(jackpot, server, address, client)
            alive = asyncio.create_task(on.alive())
            try:
                yield on
            finally:
                alive.cancel()
                await asyncio.gather(alive, return_exceptions=True)
    finally:
        if server.returncode is None:
            server.send_signal(signal.SIGTERM)
            assert await server.wait() == 0
        await listening
    assert b"Traceback" not in b"".join(said), b"".join(said).decode()
