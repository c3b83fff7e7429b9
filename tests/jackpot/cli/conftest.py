"""A migrated ledger, keys, and the command line as people use it."""

import asyncio
import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from jackpot.cli.app import app
from jackpot.embedded import Servers
from jackpot.ledger.migrate import migrate
from tests.support.embedded_fixture import Database, drop_database, fresh_database
from tests.support.patience import patience


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def object(self) -> dict[str, Any]:
        """The one JSON object on standard output."""
        (line,) = self.out.splitlines()
        told: dict[str, Any] = json.loads(line)
        return told


@dataclass(frozen=True, slots=True)
class CommandLine:
    """The program `jackpot` on one ledger, with one folder of keys."""

    database_url: str
    redis_url: str
    keys: Path
    months: dict[str, str] = field(default_factory=dict)
    """The gaming month that each table was told by its first welcome: that of its messages, at any server."""

    @property
    def environment(self) -> dict[str, str]:
        """What the programs find in their environment."""
        own = {name: value for name, value in os.environ.items() if not name.startswith("JACKPOT_")}
        return own | {
            "JACKPOT_DATABASE_URL": self.database_url,
            "JACKPOT_REDIS_URL": self.redis_url,
            "JACKPOT_KEYS": str(self.keys),
        }

    def __call__(self, *arguments: str, **changes: str) -> Ended:
        """Run a command to its end, in this process: the same code, without a second of imports.

        It takes the standard streams of the whole process while it runs: where other threads, or an event loop, are
        at work it is run as the program it is.
        """
        assert threading.current_thread() is threading.main_thread(), arguments
        done = CliRunner().invoke(app, arguments, env=self.environment | changes)
        assert isinstance(done.exception, SystemExit | None), done.exc_info
        return Ended(done.exit_code, done.stdout, done.stderr)

    def program(self, *arguments: str, **changes: str) -> Ended:
        """Run a command to its end, as the program it is."""
        done = subprocess.run(
            [sys.executable, "-m", "jackpot", *arguments],
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
            stdin=subprocess.DEVNULL,
            env=self.environment | changes,
        )
        assert "Traceback" not in done.stderr, done.stderr
        return Ended(done.returncode, done.stdout, done.stderr)

    async def beside(self, *arguments: str) -> Ended:
        """Run a command to its end, as the program it is, while the event loop goes on."""
        return await asyncio.to_thread(self.program, *arguments)


@pytest.fixture(autouse=True)
def patient() -> Iterator[None]:
    """No machine or disk that stands still for some seconds fails a command that is run in this process."""
    with patience():
        yield


@pytest.fixture(scope="session")
def migrated(servers: Servers) -> Iterator[Database]:
    """A migrated database that nobody uses, to be copied."""
    made = fresh_database(servers)
    asyncio.run(migrate(made.owner_url))
    yield made
    drop_database(servers, made)


@pytest.fixture
def jackpot(servers: Servers, migrated: Database, tmp_path: Path) -> Iterator[CommandLine]:
    """The program on a migrated ledger of the test's own."""
    made = fresh_database(servers, template=migrated.name)
    yield CommandLine(made.service_url, servers.redis_url, tmp_path / "keys")
    drop_database(servers, made)
