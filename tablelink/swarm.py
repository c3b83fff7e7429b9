"""Many tables in one process, each with its own spool, key, outbox and connection; one table is a swarm of one.

They share the event loop, the threads that sync their disks, and one subscription a link.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import structlog

from jackpot.serving.metrics import keep_measuring_lag
from jackpot.serving.running import Listen, ListenError, listening
from jackpot.serving.watched import watched
from tablelink.agent import Agent
from tablelink.core.felt import Felt
from tablelink.desk import Desk
from tablelink.device import Device
from tablelink.errors import TableError
from tablelink.keys import read_key, seal_for
from tablelink.spool import Spool
from tablelink.subscriber import Feeds
from tablelink.supervising import supervised
from tablelink.telemetry import Telemetry, application
from tablelink.totals import spool_totals
from tablelink.way import Way

__all__ = ["Seated", "play", "summary"]

DISKS: Final = 8
"""So many spools are synced at once: a disk does several syncs in the time of one."""

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Seated:
    """A table that is to be run: what lies on its felt, its key and spool files, its people and devices."""

    felt: Felt
    key: Path
    spool: Path
    device: Device


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a table did in this run, and what its spool holds after it; `error` where it could not go on."""

    table: str
    played: dict[str, Any]
    spool: dict[str, Any]
    error: str = ""
    code: int = 0
    """What the program would end with for that error alone; 0 where there was none."""


async def play(
    tables: Sequence[Seated], way: Way, *, redis_url: str = "", listen: str = "", stop: asyncio.Event
) -> list[Outcome]:
    """Run tables until `stop` is set or their rounds are played; what one cannot do never stops another.

    Raises TableError where metrics cannot be served at `listen`.
    """
    telemetry = Telemetry()
    feeds = Feeds(redis_url, telemetry) if redis_url else None
    with ThreadPoolExecutor(max_workers=min(DISKS, len(tables)), thread_name_prefix="spool") as disk:
        async with _served(telemetry, listen), _measured(telemetry), watched():
            try:
                runs = [_run(table, way, feeds, telemetry, disk, stop) for table in tables]
                return list(await asyncio.gather(*runs))
            finally:
                if feeds is not None:
                    await feeds.close()


async def _run(
    table: Seated,
    way: Way,
    feeds: Feeds | None,
    telemetry: Telemetry,
    disk: ThreadPoolExecutor,
    stop: asyncio.Event,
) -> Outcome:
    name = table.felt.table
    played: dict[str, Any] = {}
    try:
        key = read_key(table.key)
        with Spool(table.spool, name, seal=seal_for(table.key), sign=key.sign) as spool:
            agent = Agent(Desk(table.felt, spool, disk), key.sign, table.device, feeds, way, telemetry)
            try:
                async with supervised(agent, table.spool):
                    await agent.run(stop)
            finally:
                played = asdict(agent.played)
        return Outcome(name, played, spool_totals(table.spool)[1])
    except TableError as error:
        telemetry.ended(name, failed=True)
        _log.error("table_stopped", table=name, code=error.code, why=str(error))
        return Outcome(name, played, {}, str(error), error.exit_code)


@contextlib.asynccontextmanager
async def _served(telemetry: Telemetry, listen: str) -> AsyncIterator[None]:
    if not listen:
        yield
        return
    try:
        where = Listen.parse(listen)
        async with listening(application(telemetry), where) as address:
            _log.info("metrics", address=address)
            yield
    except ListenError as error:
        raise TableError(str(error), code="cannot_listen") from error


@contextlib.asynccontextmanager
async def _measured(telemetry: Telemetry) -> AsyncIterator[None]:
    measuring = asyncio.create_task(keep_measuring_lag(telemetry.loop_lag))
    try:
        yield
    finally:
        measuring.cancel()
        await asyncio.gather(measuring, return_exceptions=True)


def summary(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """Return what the tables did and hold, each by itself and added up."""
    tables = {
        outcome.table: {**outcome.played, "spool": outcome.spool, "error": outcome.error or None}
        for outcome in outcomes
    }
    return {
        "tables": len(outcomes),
        "rounds": sum(outcome.played.get("rounds", 0) for outcome in outcomes),
        "withdrawn": sum(outcome.played.get("withdrawn", 0) for outcome in outcomes),
        "wagers": sum(outcome.spool.get("wagers", 0) for outcome in outcomes),
        "wagers_cents": sum(outcome.spool.get("wagers_cents", 0) for outcome in outcomes),
        "awards_cents": sum(outcome.spool.get("awards_cents", 0) for outcome in outcomes),
        "unanswered": sum(outcome.spool.get("unanswered", 0) for outcome in outcomes),
        "by_table": tables,
    }
