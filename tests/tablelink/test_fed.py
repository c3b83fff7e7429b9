"""Is every family that a table agent declares really fed? A table is played, and who writes to a family is noted."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import aiohttp
import msgspec
import pytest
from redis.asyncio import Redis

from jackpot.embedded import embedded
from jackpot.wire.messages import Wagers
from jackpot.wire.refusals import Refusal
from jackpot.wire.settings import TableSettings
from jackpot.wire.snapshots import channel
from tablelink.core.felt import lay_felt
from tablelink.core.inputs import Deal
from tablelink.device import DeviceInput, DevicePrompt
from tablelink.errors import TableError
from tablelink.families import FAMILIES
from tablelink.simulation import simulated_table
from tablelink.swarm import Seated, play
from tablelink.telemetry import Telemetry
from tablelink.way import Way
from tests.support.casino import SETTINGS, Casino
from tests.support.fed import families_written
from tests.support.seated import HeldDevice, Seat, scene
from tests.support.serving import eventually, run

QUICK = msgspec.structs.replace(SETTINGS, answer_within_s=0)


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The families that somebody writes to from now on, but for the noughts with which tables and links begin."""
    return families_written(monkeypatch, Telemetry, "runs", "mirrors")


@pytest.fixture(scope="module")
def valkey(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A Valkey of this test's own."""
    with embedded(tmp_path_factory.mktemp("valkey"), postgres=False) as servers:
        yield servers.redis_url


class Breaking(HeldDevice):
    """A shoe whose driver fails when it is told to."""

    broken = False

    async def respond(self, prompt: DevicePrompt, dealing: Any) -> DeviceInput:
        """Fail, or answer."""
        if self.broken and isinstance(prompt, Deal):
            raise TableError("The shoe does not answer.", code="shoe")
        return await super().respond(prompt, dealing)


@asynccontextmanager
async def carried(casino: Casino, valkey: str) -> AsyncIterator[Redis]:
    """Carry the casino's snapshots over Valkey, losing none that the test does not lose."""
    redis, outgoing = Redis.from_url(valkey), asyncio.Queue[bytes]()
    casino.carriers.append(outgoing.put_nowait)

    async def carry() -> None:
        while True:
            await redis.publish(channel(casino.name), await outgoing.get())

    carrying = asyncio.create_task(carry())
    try:
        yield redis
    finally:
        carrying.cancel()
        await asyncio.gather(carrying, return_exceptions=True)
        await redis.aclose()


def seated(casino: Casino, folder: Path) -> tuple[Seated, Breaking]:
    """Table T1 with its people and its shoe."""
    casino.write_keys(folder)
    felt = lay_felt("T1", casino.link_terms, casino.settings)
    shoe = Breaking(simulated_table(7, "T1", casino.settings, 100, stack_deck=True), lambda _prompt: False)
    return Seated(felt, folder / "T1.key", folder / "T1.spool", shoe), shoe


async def whole_program(casino: Casino, folder: Path, valkey: str, written: set[str]) -> None:
    """Rounds with an answer put off, a table ejected and cut off, a subscription lost, metrics read, a broken shoe."""
    put_off = [Refusal.BUSY]
    casino.put_off = lambda command: put_off.pop() if put_off and isinstance(command.message, Wagers) else None
    async with casino.serving() as url, carried(casino, valkey) as redis:
        table, shoe = seated(casino, folder)
        listen = folder / "metrics.sock"
        way = Way(url, rounds=None, ends=False, play_on_after_s=None)
        playing = asyncio.create_task(
            play([table], way, redis_url=valkey, listen=f"unix:{listen}", stop=asyncio.Event())
        )
        await eventually(lambda: len(casino.records()) >= 3)
        await redis.client_kill_filter(_type="pubsub")
        await eventually(lambda: "tablelink_snapshots_missed_total" in written)
        async with (
            aiohttp.ClientSession(connector=aiohttp.UnixConnector(str(listen))) as client,
            client.get("http://table/metrics") as metrics,
        ):
            assert metrics.status == 200
        casino.cut()
        await eventually(lambda: "tablelink_sessions_lost_total" in written)
        recorded = len(casino.records())
        await eventually(lambda: len(casino.records()) > recorded)
        await casino.eject("quarantined")
        await eventually(lambda: "tablelink_ejections_total" in written)
        shoe.broken = True
        (done,) = await playing
        assert "shoe" in done.error


async def late_answer(casino: Casino, seat: Seat) -> None:
    """The answer comes after the dealer went on."""
    casino.swallow = lambda command: isinstance(command.message, Wagers)
    async with seat.agent(1) as running:
        await running.until(lambda: len(running.agent.desk.outbox) == 2)
        casino.release()
        await running.task


async def other_terms(casino: Casino, seat: Seat) -> None:
    """One prize on the felt differs."""
    first, *others = casino.link_terms.pay_table
    seat.terms = replace(casino.link_terms, pay_table=(replace(first, minimum_cents=4_000_000), *others))
    assert (await seat.play(1)).refusal is not None


async def play_on(casino: Casino, seat: Seat) -> None:
    """The link is stopped, and a supervisor lets play go on."""
    casino.status = "stopped"
    async with seat.agent(None, ends=False, play_on_after_s=0) as running:
        await running.until(lambda: len(casino.records()) >= 1)


def test_every_family_of_an_agent_is_fed(tmp_path: Path, valkey: str, written: set[str]) -> None:
    """No family of the table is written to by nobody: each is counted or set by what happened in this play."""
    run(whole_program(Casino(), tmp_path, valkey, written))
    scenes: dict[str, tuple[Any, TableSettings]] = {
        "late": (late_answer, QUICK), "other": (other_terms, SETTINGS), "on": (play_on, SETTINGS),
    }  # fmt: skip
    for name, (played, settings) in scenes.items():
        (tmp_path / name).mkdir()
        scene(tmp_path / name, played, settings=settings)
    assert {family.name for family in FAMILIES} - written == set()
