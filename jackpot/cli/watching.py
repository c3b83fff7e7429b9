"""What the running server keeps an eye on beside its play: its own audit, the database, the disk.

The audit is a program of its own with the least priority: it works the whole ledger out anew, in short transactions,
and play does not wait for it. It ends with the server.
"""

import asyncio
import ctypes
import os
import shutil
import signal
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import msgspec
import structlog

from jackpot.config import ENVIRONMENT
from jackpot.core.ports import UnreachableError
from jackpot.ledger.watched import look_at_database
from jackpot.serving.logs import without_secrets
from jackpot.telemetry import Telemetry

__all__ = ["AuditSaid", "be_in_the_background", "keep_auditing", "keep_looking_at_database"]

LOOK_EVERY_S: Final = 15.0
SEEN_WITHIN_S: Final = 5.0
READY_EVERY_S: Final = 1.0
AGAIN_AFTER_S: Final = 300
"""An audit that could not be made is tried again soon: a day later its age would be an alarm."""
END_WITHIN_S: Final = 2.0
NICE: Final = 19
PR_SET_PDEATHSIG: Final = 1
DIFFERENT: Final = 1
"""The exit code of an audit that found differences."""
MOST_NAMED: Final = 10
"""So many differences are logged one by one; the audit by hand names them all."""
AUDIT: Final = (sys.executable, "-m", "jackpot", "audit", "--json", "--background")

_log = structlog.get_logger(__name__)


class ChainSaid(msgspec.Struct, frozen=True):
    """How far an audit came on a chain."""

    chain: str
    batches: int
    commits: int


class AuditSaid(msgspec.Struct, frozen=True):
    """What `jackpot audit --json` writes."""

    audit: str
    chains: list[ChainSaid]
    differences: list[str]


def be_in_the_background() -> None:
    """Let everything else go first, and end when the program ends that started this one."""
    os.nice(NICE)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, int(signal.SIGTERM))


async def keep_auditing(
    url: str, every_s: int, telemetry: Telemetry, ready: Callable[[], bool], argv: Sequence[str] = AUDIT
) -> None:
    """Audit the ledger once the server is ready, and again so many seconds after each audit, for ever; 0: never.

    **Always** logged as critical where it finds a difference. One that could not be made is tried again
    after five minutes.
    **If cancelled** the audit under way ends.
    """
    telemetry.audits.interval.set(every_s)
    if not every_s:
        await asyncio.Event().wait()
    while not ready():  # noqa: ASYNC110 - readiness is worked out when it is asked for
        await asyncio.sleep(READY_EVERY_S)
    while True:
        made = await _audit(url, telemetry, argv)
        await asyncio.sleep(every_s if made else min(every_s, AGAIN_AFTER_S))


async def keep_looking_at_database(url: str, data: Path | None, telemetry: Telemetry) -> None:
    """Show how large the database is, how many connections it has, and how much is free, for ever."""
    while True:
        if data is not None:
            usage = await asyncio.to_thread(shutil.disk_usage, data)
            telemetry.postgres.disk(usage.free, usage.total)
        await _look(url, telemetry)
        await asyncio.sleep(LOOK_EVERY_S)


async def _look(url: str, telemetry: Telemetry) -> None:
    """Look at the database once. One that takes its time is not seen, and is waited for no longer."""
    try:
        async with asyncio.timeout(SEEN_WITHIN_S):
            now = await look_at_database(url)
    except (UnreachableError, TimeoutError) as error:
        _log.debug("database_not_seen", error=without_secrets(str(error)))
        telemetry.postgres.unseen()
    else:
        telemetry.postgres.seen(now.size, now.connections, now.connections_limit)
        telemetry.kept_aside(now.aside)


async def _audit(url: str, telemetry: Telemetry, argv: Sequence[str]) -> bool:
    """Audit once; False where that could not be done."""
    began = time.monotonic()
    code, output, words = await _run(url, argv)
    took_s = time.monotonic() - began
    try:
        said = msgspec.json.decode(output, type=AuditSaid)
    except msgspec.DecodeError:
        last = without_secrets(words.decode("utf-8", "replace").strip().splitlines()[-1] if words.strip() else "")
        _log.error("audit_failed", code=code, why=last[:400], seconds=round(took_s, 1))
        telemetry.audited("failed", took_s, 0, {})
        return False
    commits = {chain.chain: chain.commits for chain in said.chains}
    differs = bool(said.differences) or code == DIFFERENT
    telemetry.audited("differences" if differs else "ok", took_s, len(said.differences), commits)
    if not differs:
        _log.info("audited", seconds=round(took_s, 1), commits=commits)
        return True
    _log.critical("audit_differs", differences=len(said.differences), commits=commits)
    for difference in said.differences[:MOST_NAMED]:
        _log.critical("audit_difference", difference=difference)
    return True


async def _run(url: str, argv: Sequence[str]) -> tuple[int | None, bytes, bytes]:
    """Run an audit to its end. The address goes by the environment, so that no list of processes shows its password."""
    own = {name: value for name, value in os.environ.items() if not name.startswith(ENVIRONMENT)}
    process = await asyncio.create_subprocess_exec(
        *argv,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env={**own, f"{ENVIRONMENT}DATABASE_URL": url},
    )
    try:
        output, words = await process.communicate()
    except asyncio.CancelledError:
        if process.returncode is None:
            process.terminate()
            try:
                async with asyncio.timeout(END_WITHIN_S):
                    await process.wait()
            except TimeoutError:
                process.kill()
                await process.wait()
        raise
    return process.returncode, output, words
