"""Table agents at a casino of a test's own: run, watched, held up, and compared with the ledger."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import pytest

from jackpot.wire.settings import TableSettings
from rules.records import RoundRecord, decode_record
from rules.terms import Terms
from tablelink.agent import Agent
from tablelink.core.dealing import prompt
from tablelink.core.felt import lay_felt
from tablelink.core.inputs import Prompt
from tablelink.desk import Desk
from tablelink.device import Device, DeviceInput, DevicePrompt
from tablelink.keys import seal_for
from tablelink.simulation import simulated_table
from tablelink.spool import Spool
from tablelink.telemetry import Telemetry
from tablelink.totals import spool_totals
from tablelink.way import Played, Way
from tests.support.casino import SETTINGS, Casino
from tests.support.serving import run


@dataclass
class Seat:
    """A table at the casino: where its files are, and how it is run."""

    casino: Casino
    url: str
    folder: Path
    table: str = "T1"
    seed: int = 7
    terms: Terms | None = None
    settings: TableSettings | None = None

    @property
    def spool(self) -> Path:
        """Its spool."""
        return self.folder / f"{self.table}.spool"

    @asynccontextmanager
    async def agent(
        self,
        rounds: int | None,
        *,
        ends: bool = True,
        play_on_after_s: int | None = None,
        device: Callable[[Device], Device] = lambda device: device,
    ) -> AsyncIterator["Running"]:
        """Run an agent beside the test; it is stopped when the context ends, however it stands."""
        settings = self.settings or self.casino.settings
        felt = lay_felt(self.table, self.terms or self.casino.link_terms, settings)
        self.casino.write_keys(self.folder)
        key = self.casino.keys[self.table]
        simulated = simulated_table(self.seed, self.table, settings, 100, stack_deck=True)
        way = Way(self.url, rounds=rounds, ends=ends, play_on_after_s=play_on_after_s)
        with Spool(self.spool, self.table, seal=seal_for(self.folder / "T1.key"), sign=key.sign) as spool:
            desk = Desk(felt, spool)
            agent = Agent(desk, key.sign, device(simulated), self.casino, way, Telemetry())
            stop = asyncio.Event()
            running = Running(agent, asyncio.create_task(agent.run(stop)), stop)
            try:
                yield running
            except asyncio.CancelledError:
                if running.task.done():
                    running.task.result()  # the agent's own failure is why the scene hung
                raise
            finally:
                stop.set()
                await asyncio.wait([running.task])

    async def play(self, rounds: int, **way: Any) -> Played:
        """Run an agent to its own end."""
        async with self.agent(rounds, **way) as running:
            return await running.task

    def totals(self) -> dict[str, Any]:
        """What its spool holds."""
        return spool_totals(self.spool)[1]


@dataclass
class Running:
    """An agent that runs."""

    agent: Agent
    task: "asyncio.Task[Played]"
    stop: asyncio.Event

    async def until(self, holds: Callable[[], bool]) -> None:
        """Wait until something holds; the agent's own failure is the test's."""
        while not holds():
            if self.task.done():
                self.task.result()
                pytest.fail("the agent ended first")
            await asyncio.sleep(0)

    async def at(self, kind: type[Prompt], number: int | None = None) -> Prompt:
        """Wait until the table waits for something, in a round where one is named."""

        def there() -> bool:
            wanted = prompt(self.agent.desk.dealing, self.agent.desk.felt)
            return isinstance(wanted, kind) and (number is None or getattr(wanted, "round", None) == number)

        await self.until(there)
        return prompt(self.agent.desk.dealing, self.agent.desk.felt)


def scene(
    tmp_path: Path, play: Callable[[Casino, Seat], Awaitable[None]], *, settings: TableSettings = SETTINGS
) -> Casino:
    """Play a scene with a casino and a table T1."""

    async def whole() -> Casino:
        casino = Casino(settings=settings)
        async with casino.serving() as url:
            await play(casino, Seat(casino, url, tmp_path))
        return casino

    return run(whole())


class HeldDevice:
    """A device that waits before some prompts until the test lets it go on."""

    def __init__(self, device: Device, stops_at: Callable[[DevicePrompt], bool]) -> None:
        """Stop where `stops_at` says so."""
        self._device = device
        self._stops_at = stops_at
        self.reached = asyncio.Event()
        self.go_on = asyncio.Event()

    @property
    def last_round(self) -> int | None:
        """As the other device."""
        return self._device.last_round

    async def respond(self, prompt: DevicePrompt, dealing: Any) -> DeviceInput:
        """Answer, perhaps later."""
        if self._stops_at(prompt):
            self.reached.set()
            await self.go_on.wait()
        return await self._device.respond(prompt, dealing)


def bare(record: bytes) -> RoundRecord:
    """A record without what may differ from run to run: the month and the snapshot that was shown."""
    return msgspec.structs.replace(decode_record(record), month=None, shown=None)


def agrees(casino: Casino, seat: Seat) -> None:
    """The spool holds what the ledger holds, and nothing is left unanswered."""
    held = seat.totals()
    assert held["unanswered"] == 0
    assert held["wagers"] == casino.wagers
    assert held["awards"] == casino.awards
    assert held["rounds"] == len(casino.records())
