"""What may be concluded from a connection: what its COMMIT means, and what each failure says."""

import asyncio
import os
import subprocess
from pathlib import Path

import asyncpg
import pytest

from jackpot.embedded import Servers
from jackpot.ledger.connection import Durability, close, connect, durability, translated
from jackpot.ledger.failures import (
    LedgerFenced,
    LedgerOutcomeUnknown,
    LedgerRefused,
    LedgerUnreachable,
    LinkStopped,
)
from tests.support.embedded_fixture import Database
from tests.support.running import WITHIN_S, run


@pytest.mark.parametrize(
    ("durability", "problem"),
    [
        (Durability(True, True, True, "on", "", 0), ""),
        (Durability(True, True, True, "on", "FIRST 1 (b)", 1), ""),
        (Durability(True, True, True, "remote_apply", "b", 1, standby_expected=True), ""),
        (Durability(False, True, True, "on", "", 0), "the server is a standby"),
        (Durability(True, False, True, "on", "", 0), "fsync or full_page_writes is off"),
        (Durability(True, True, False, "on", "", 0), "fsync or full_page_writes is off"),
        (Durability(True, True, True, "remote_write", "b", 1), "synchronous_commit is remote_write"),
        (Durability(True, True, True, "on", "", 1), "there is a standby and synchronous_standby_names is empty"),
        (
            Durability(True, True, True, "on", "", 0, standby_expected=True),
            "there is a standby and synchronous_standby_names is empty",
        ),
    ],
)
def test_durable_means_on_every_disk_that_may_take_over(durability: Durability, problem: str) -> None:
    """A lone server needs only fsync; one with a standby must wait for it."""
    assert durability.problem == problem


@pytest.mark.parametrize(("name", "standbys"), [("pg_basebackup", 0), ("walreceiver", 1)])
def test_a_base_backup_is_no_standby(
    ledger: Database, servers: Servers, tmp_path: Path, name: str, standbys: int
) -> None:
    """It is connected as one is, for as long as it takes: it never takes over, and nothing waits for it.

    Whoever connected meanwhile was told that the ledger is not durable: every command of people, and a server for good.
    """
    words = ("-D", str(tmp_path / "backup"), "-h", str(servers.socket_dir), "-U", "postgres", "--max-rate", "32k")
    backup = subprocess.Popen(
        [str(servers.bin / "pg_basebackup"), *words, "-c", "fast"], env={**os.environ, "PGAPPNAME": name}
    )

    async def scene() -> int:
        administrator = await connect(servers.url("postgres", ledger.name), "test")
        service = await connect(ledger.service_url, "test")
        try:
            async with asyncio.timeout(WITHIN_S):
                while not await administrator.fetchval("SELECT count(*) FROM pg_stat_replication"):
                    assert backup.poll() is None
            return (await durability(service)).standbys
        finally:
            await close(administrator)
            await close(service)

    try:
        assert bool(run(scene())) == bool(standbys)
    finally:
        backup.terminate()
        backup.wait()
        run(_gone(servers.url("postgres", ledger.name)))


async def _gone(url: str) -> None:
    """Wait until Postgres has noticed that nobody copies it any more: to the next test it would be a standby."""
    administrator = await connect(url, "test")
    try:
        async with asyncio.timeout(WITHIN_S):
            while await administrator.fetchval("SELECT count(*) FROM pg_stat_replication"):
                pass
    finally:
        await close(administrator)


def _error(kind: type[asyncpg.PostgresError], **fields: str) -> asyncpg.PostgresError:
    error = kind("said by Postgres")
    for name, value in fields.items():
        setattr(error, name, value)
    return error


@pytest.mark.parametrize(
    ("error", "reading", "committing"),
    [
        (_error(asyncpg.UniqueViolationError, constraint_name="batch_fence"), LedgerFenced, LedgerFenced),
        (_error(asyncpg.UniqueViolationError, constraint_name="batch_fence_digest"), LedgerFenced, LedgerFenced),
        (_error(asyncpg.UniqueViolationError, constraint_name="wager_one_a_seat"), LedgerRefused, LedgerRefused),
        (_error(asyncpg.PostgresError, sqlstate="JP001"), LinkStopped, LinkStopped),
        (_error(asyncpg.PostgresError, sqlstate="JP002"), LedgerRefused, LedgerRefused),
        (asyncpg.CheckViolationError("x"), LedgerRefused, LedgerRefused),
        (asyncpg.CharacterNotInRepertoireError("x"), LedgerRefused, LedgerRefused),
        (asyncpg.RaiseError("x"), LedgerRefused, LedgerRefused),
        (asyncpg.ProgramLimitExceededError("x"), LedgerRefused, LedgerRefused),
        (asyncpg.DataError("x"), LedgerRefused, LedgerRefused),
        (UnicodeEncodeError("utf-8", "\ud800", 0, 1, "surrogates not allowed"), LedgerRefused, LedgerRefused),
        (asyncpg.LockNotAvailableError("x"), LedgerUnreachable, LedgerFenced),
        (asyncpg.DeadlockDetectedError("x"), LedgerUnreachable, LedgerUnreachable),
        (asyncpg.DiskFullError("x"), LedgerUnreachable, LedgerUnreachable),
        (asyncpg.ReadOnlySQLTransactionError("x"), LedgerUnreachable, LedgerUnreachable),
        (asyncpg.UndefinedColumnError("x"), LedgerUnreachable, LedgerUnreachable),
        (asyncpg.UndefinedTableError("x"), LedgerUnreachable, LedgerUnreachable),
        (asyncpg.InterfaceError("connection is closed"), LedgerUnreachable, LedgerUnreachable),
        (asyncpg.ConnectionDoesNotExistError("x"), LedgerUnreachable, LedgerOutcomeUnknown),
        (asyncpg.AdminShutdownError("x"), LedgerUnreachable, LedgerOutcomeUnknown),
        (asyncpg.CrashShutdownError("x"), LedgerUnreachable, LedgerOutcomeUnknown),
        (ConnectionResetError("x"), LedgerUnreachable, LedgerOutcomeUnknown),
        (asyncpg.InternalClientError("cannot switch to state 12"), LedgerUnreachable, LedgerOutcomeUnknown),
    ],
)
def test_every_failure_says_what_may_be_concluded(
    error: Exception, reading: type[Exception], committing: type[Exception]
) -> None:
    """Refused, fenced, stopped, away, or unknown: unknown only where a commit was under way."""
    for commits, expected in ((False, reading), (True, committing)):
        with pytest.raises(expected) as raised, translated(commits=commits):
            raise error
        assert type(raised.value) is expected


def test_an_older_schema_brought_back_is_named() -> None:
    """A server that meets a database restored from before a migration says what is wrong, not a bare column's name."""
    for missing in (asyncpg.UndefinedColumnError("no taken"), asyncpg.UndefinedTableError("no holder")):
        said = r"no .*: its schema is not this program's; `jackpot migrate`"
        with pytest.raises(LedgerUnreachable, match=said), translated():
            raise missing
