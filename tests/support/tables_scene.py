"""A server of tables with one scripted link, for tests of what a table's connection is told."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

import aiohttp
from aiohttp import web
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from jackpot.serving.application import new_application
from jackpot.serving.running import Connections
from jackpot.telemetry import Telemetry
from jackpot.web.tables import Tables, wall_clock_ms
from tests.support.links import ScriptedDirectory, ScriptedLink
from tests.support.serving import asking
from tests.support.table import TableEnd, table_end


@dataclass
class Scene:
    """A server of tables with one scripted link, and a client."""

    link: ScriptedLink
    directory: ScriptedDirectory
    tables: Tables
    telemetry: Telemetry
    client: aiohttp.ClientSession
    connections: Connections

    async def end(self, table: str = "T1") -> TableEnd:
        """Another connection of a table."""
        return await table_end(self.client, table, self.directory.tables[table])

    async def arrived(self, count: int = 1) -> None:
        """Wait until so many commands are in the inbox."""
        came = asyncio.Event()
        self.link.arrived = lambda: came.set() if len(self.link.inbox) >= count else None
        self.link.arrived()
        await came.wait()

    def metric(self, name: str, **labels: str) -> float | None:
        """A series' value."""
        return self.telemetry.registry.get_sample_value(name, labels)


@asynccontextmanager
async def scene(*, wall_ms: Callable[[], int] = wall_clock_ms) -> AsyncIterator[Scene]:
    """Serve tables T1 and T2 of a scripted link; `wall_ms` is the server's time of day."""
    directory = ScriptedDirectory(tables={name: Ed25519PrivateKey.generate() for name in ("T1", "T2")})
    telemetry, connections = Telemetry(), Connections()
    telemetry.opened("southern")
    tables = Tables(directory, connections, telemetry, wall_ms=wall_ms)
    app: web.Application = new_application(telemetry.requests)
    tables.add_to(app)
    app.on_shutdown.append(connections.close_all)
    async with asking(app) as client:
        yield Scene(directory.scripted, directory, tables, telemetry, client, connections)
