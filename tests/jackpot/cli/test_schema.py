"""A schema that is not the program's: no command and no server begins on it, and a server that runs goes on."""

import asyncio
import subprocess
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import asyncpg
import pytest
from redis.asyncio import Redis

from jackpot.bus import Hearing
from jackpot.cli.links import Site
from jackpot.cli.self_check import SelfCheck
from jackpot.embedded import Servers
from jackpot.ledger.migrate import migrate
from jackpot.ledger.revisions import revisions
from jackpot.telemetry import Telemetry
from tests.support.embedded_fixture import Database, drop_database, fresh_database
from tests.support.served import Floor, floor
from tests.support.serving import run

if TYPE_CHECKING:
    from tests.jackpot.cli.conftest import CommandLine

COMMANDS = (
    *("hit list", "hit overpaid", "hit pay T1/1/1/1/main --by A", "aside list", "audit", "export DIR"),
    *("link show southern", "link stop southern --by A --reason b", "link behind southern", "round show T1 1"),
    *("link reopen southern --by A --with B --list 00", "table journal T1 --by A --reason b"),
)
"""Commands of every kind that ask a ledger."""


@pytest.fixture
def copy(servers: Servers, migrated: Database) -> Iterator[Database]:
    """A migrated database of the test's own."""
    made = fresh_database(servers, template=migrated.name)
    yield made
    drop_database(servers, made)


async def at(database: Database, revision: str) -> None:
    """Say that the database had this revision last."""
    connection = await asyncpg.connect(database.owner_url)
    try:
        await connection.execute("UPDATE alembic_version SET version_num = $1", revision)
    finally:
        await connection.close()


def on(jackpot: "CommandLine", url: str) -> "CommandLine":
    """The same program and keys on another database."""
    return type(jackpot)(url, jackpot.redis_url, jackpot.keys)


@pytest.mark.parametrize(("revision", "words"), [("r0002", "lacks r0003, "), ("r9999", "is at revision r9999")])
def test_nobody_begins_on_another_schema(jackpot: "CommandLine", copy: Database, revision: str, words: str) -> None:
    """Every command and the server end with 1 and say which revisions are pending, or that a newer program was here."""
    run(at(copy, revision))
    other = on(jackpot, copy.service_url)
    for line in COMMANDS:
        done = other(*line.split(), "--json")
        assert (done.code, done.object["error"]) == (1, "ledger"), (line, done)
        assert words in done.object["text"], line
    served = other.program("serve", "--listen", "127.0.0.1:0")
    assert (served.code, served.out) == (1, "")
    assert words in served.err


async def site(on: Floor) -> str:
    """What the server says of the site."""
    async with on.client.get("/readyz") as answer:
        told: dict[str, Any] = await answer.json()
    return str(told["checks"]["site"])


def test_a_server_that_runs_goes_on_while_the_schema_rises(jackpot: "CommandLine", copy: Database) -> None:
    """A newer program migrates beside it: what runs goes on until it is restarted, and then does not begin."""

    async def play() -> None:
        telemetry = Telemetry()
        began: Any = None  # no link is there to begin with
        check = SelfCheck(Redis(), telemetry.alarm)
        for problem in ("", "is at revision r9999"):
            looking = Site(copy.service_url, jackpot.keys, began, Hearing(telemetry, "test"), check)
            await looking.look()
            assert problem in looking.problem
            assert bool(problem) == bool(looking.problem)
            await at(copy, "r9999")
            looking._looked_at = float("-inf")
            await looking.look()
            assert bool(problem) == bool(looking.problem)

    run(play())


def test_a_server_started_before_its_ledger_says_what_is_pending(jackpot: "CommandLine", servers: Servers) -> None:
    """Postgres came up later, not migrated: the server says so, and serves by itself once it is."""
    made = fresh_database(servers)
    drop_database(servers, made)
    other = on(jackpot, made.service_url)

    async def play() -> None:
        async with floor(other) as running:
            assert "does not exist" in await site(running)
            create = [str(servers.bin / "createdb"), "--owner=owner", f"--maintenance-db={servers.superuser_url}"]
            await asyncio.to_thread(subprocess.run, [*create, made.name], check=True)
            while "does not exist" in (said := await site(running)):
                pass
            assert f"it lacks {', '.join(revisions())}" in said
            await migrate(made.owner_url)
            while await site(running) != "ok":
                pass

    run(play())
    drop_database(servers, made)
