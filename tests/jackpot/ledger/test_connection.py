"""What may be concluded from a connection: what its COMMIT means, and what each failure says."""

import asyncio
import os
import re
import socket
import struct
import subprocess
from collections.abc import Callable
from pathlib import Path

import asyncpg
import pytest

from jackpot.embedded import Servers, embedded
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


KEEPERS = {
    "pg_basebackup": ("pg_basebackup", "-D", "kept", "--max-rate", "32k", "-c", "fast"),
    "pg_receivewal": ("pg_receivewal", "-D", "."),
    "barman_receive_wal": ("pg_receivewal", "-D", ".", "--synchronous"),
    "walreceiver": ("pg_basebackup", "-D", "kept", "--max-rate", "32k", "-c", "fast"),
}
"""What takes a backup or keeps the log, each under a name: some programs are run under names of other tools."""


@pytest.mark.parametrize("name", KEEPERS)
def test_what_takes_a_backup_or_keeps_the_log_is_no_standby(
    ledger: Database, servers: Servers, tmp_path: Path, name: str
) -> None:
    """It is connected as one is, and never takes over: nothing waits for it, whatever it is called.

    Whoever connected meanwhile was told that the ledger is not durable: every command of people, and a server for good.
    """
    program, *words = KEEPERS[name]
    command = [str(servers.bin / program), *words, "-h", str(servers.socket_dir), "-U", "postgres"]
    keeper = subprocess.Popen(command, cwd=tmp_path, env={**os.environ, "PGAPPNAME": name}, stderr=subprocess.DEVNULL)
    try:
        assert run(_standbys(servers, ledger, lambda: keeper.poll() is None)) == 0
    finally:
        keeper.terminate()
        keeper.wait()
        run(_gone(servers.url("postgres", ledger.name)))


@pytest.mark.parametrize("named", [True, False])
def test_what_replays_the_log_is_a_standby(ledger: Database, servers: Servers, *, named: bool) -> None:
    """It may take over: a COMMIT that nobody has wait for it is not durable, whatever name it came under."""
    standby = replaying(servers.socket_dir, "barman_receive_wal" if named else "")
    try:
        assert run(_standbys(servers, ledger, lambda: True, "replay_lsn IS NOT NULL")) == 1
    finally:
        standby.close()
        run(_gone(servers.url("postgres", ledger.name)))


def test_a_logical_subscriber_is_no_standby(tmp_path: Path) -> None:
    """It replays into a database of its own: it says how far, and never takes over."""
    with embedded(tmp_path, settings={"wal_level": "logical", "shared_buffers": "16MB"}, valkey=False) as servers:
        ledger = Database("jackpot", servers.owner_url, servers.service_url, servers.auditor_url)
        run(_slot(servers.url("postgres", "jackpot")))
        subscriber = replaying(servers.socket_dir, "warehouse", "SLOT ours LOGICAL")
        try:
            assert run(_standbys(servers, ledger, lambda: True, "replay_lsn IS NOT NULL")) == 0
        finally:
            subscriber.close()


async def _slot(url: str) -> None:
    administrator = await connect(url, "test")
    await administrator.execute("SELECT pg_create_logical_replication_slot('ours', 'pgoutput')")
    await close(administrator)


def replaying(folder: Path, name: str, how: str = "") -> socket.socket:
    """Be connected as a standby that has replayed all there was when it came: the messages it sends, and no more."""

    def said(kind: bytes, body: bytes) -> bytes:
        return kind + struct.pack("!I", len(body) + 4) + body

    def heard(kind: bytes) -> bytes:
        while True:
            found, length = struct.unpack("!cI", line.recv(5, socket.MSG_WAITALL))
            body = line.recv(length - 4, socket.MSG_WAITALL)
            assert found != b"E", body
            if found == kind:
                return body

    line = socket.socket(socket.AF_UNIX)
    line.settimeout(WITHIN_S)
    line.connect(str(folder / ".s.PGSQL.5432"))
    words = {"user": "postgres", "database": "jackpot", "application_name": name}
    words["replication"] = "database" if how else "true"
    start = struct.pack("!I", 3 << 16) + b"".join(f"{word}\0{value}\0".encode() for word, value in words.items())
    line.sendall(said(b"", start + b"\0"))
    heard(b"Z")
    line.sendall(said(b"Q", b"IDENTIFY_SYSTEM\0"))
    at = re.findall(rb"[0-9A-F]+/[0-9A-F]+", heard(b"D"))[0].decode()
    heard(b"Z")
    options = " (proto_version '1', publication_names 'ours')" if how else ""
    line.sendall(said(b"Q", f"START_REPLICATION {how} {at}{options}\0".encode()))
    heard(b"W")
    high, low = (int(half, 16) for half in at.split("/"))
    place = high << 32 | low
    line.sendall(said(b"d", struct.pack("!cQQQqB", b"r", place, place, place, 0, 0)))
    return line


async def _standbys(servers: Servers, ledger: Database, goes_on: Callable[[], bool], wanted: str = "true") -> int:
    """How many standbys a connection of the service sees, once somebody is connected as one."""
    administrator = await connect(servers.url("postgres", ledger.name), "test")
    service = await connect(ledger.service_url, "test")
    try:
        async with asyncio.timeout(WITHIN_S):
            while not await administrator.fetchval(f"SELECT count(*) FROM pg_stat_replication WHERE {wanted}"):  # noqa: S608 - ours
                assert goes_on()
        return (await durability(service)).standbys
    finally:
        await close(administrator)
        await close(service)


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
