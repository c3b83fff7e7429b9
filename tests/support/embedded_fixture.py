"""One embedded Postgres and Valkey for a whole test run, and a fresh database in it for each test that asks.

A test that changes the servers themselves (kills, restarts, settings) starts its own with `jackpot.embedded`.
"""

import itertools
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from jackpot.embedded import Servers, embedded

_numbers = itertools.count(1)


@dataclass(frozen=True, slots=True)
class Database:
    """A database of a test's own: its name, and its address for each role."""

    name: str
    owner_url: str
    service_url: str
    auditor_url: str


def fresh_database(servers: Servers, template: str | None = None) -> Database:
    """Make a new database owned by `owner`: empty, or a copy of the database named (which nobody may be using).

    Always synchronous and free of an event loop, so fixtures and coroutines may call it alike.
    """
    name = f"test_{next(_numbers)}"
    source = "template1" if template is None else template
    _run(servers, "createdb", "--owner=owner", f"--template={source}", name)
    return Database(name, servers.url("owner", name), servers.url("service", name), servers.url("auditor", name))


def drop_database(servers: Servers, database: Database) -> None:
    """Remove a database, and end whatever is still connected to it."""
    _run(servers, "dropdb", "--force", database.name)


def _run(servers: Servers, program: str, *arguments: str) -> None:
    command = [str(servers.bin / program), f"--maintenance-db={servers.superuser_url}", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="session")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Servers]:
    """The embedded servers of this test run (of this worker, where there are several), ended after it."""
    data: Path = tmp_path_factory.mktemp("servers")
    with embedded(data, settings={"shared_buffers": "64MB", "max_wal_size": "1GB"}) as running:
        yield running


@pytest.fixture
def database(servers: Servers) -> Iterator[Database]:
    """An empty database of the test's own."""
    made = fresh_database(servers)
    yield made
    drop_database(servers, made)
