"""Migrations: whole or not at all, once, and together the schema as it stands."""

import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import asyncpg
import pytest

from jackpot.core.accounts import CAUSES
from jackpot.core.hits import ENDED, MOVES
from jackpot.embedded import Servers
from jackpot.errors import LedgerError
from jackpot.ledger import migrate as migrations
from jackpot.ledger.migrate import configuration, migrate, months_around
from jackpot.ledger.revisions import pending
from jackpot.ledger.statements import statement
from jackpot.ledger.store import PostgresStore
from tests.support.chains import Link
from tests.support.embedded_fixture import Database, fresh_database
from tests.support.running import run

SCHEMA = Path(migrations.__file__).with_name("schema.sql")
NOVEMBER = datetime(2026, 11, 27, tzinfo=UTC)


async def execute(url: str, sql: str) -> None:
    """Run statements as a role."""
    connection = await asyncpg.connect(url)
    try:
        await connection.execute(sql)
    finally:
        await connection.close()


async def fetch(url: str, sql: str) -> list[str]:
    """The first column of what a statement finds."""
    connection = await asyncpg.connect(url)
    try:
        return [row[0] for row in await connection.fetch(sql)]
    finally:
        await connection.close()


def dump(servers: Servers, name: str) -> str:
    """A database's schema as pg_dump writes it, privileges too."""
    command = [
        str(servers.bin / "pg_dump"),
        "--schema-only",
        "--exclude-table=alembic_version",
        servers.url("postgres", name),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return "\n".join(
        line for line in done.stdout.splitlines() if line and not line.startswith(("--", "\\restrict", "\\unrestrict"))
    )


def test_migrations_add_up_to_the_schema(servers: Servers, database: Database) -> None:
    """A database that had every migration and one made from `schema.sql` are the same, privileges and triggers too."""
    other = fresh_database(servers)

    async def scene() -> None:
        await migrate(database.owner_url, now=NOVEMBER)
        await execute(other.owner_url, SCHEMA.read_text())
        for month in months_around(NOVEMBER):
            await execute(other.owner_url, f"SELECT add_month('{month}')")

    run(scene())
    migrated = dump(servers, database.name)
    assert migrated == dump(servers, other.name)
    assert "wager_2027_12" in migrated


def test_migrating_again_does_nothing(database: Database) -> None:
    """What was done is said once; later only new months are made."""

    async def scene() -> None:
        assert await pending(database.owner_url) == ["r0001", "r0002", "r0003", "r0004"]
        done = await migrate(database.owner_url, now=NOVEMBER)
        assert done[:4] == [f"revision r000{number}" for number in range(1, 5)]
        assert done[4:] == [f"month {month}" for month in months_around(NOVEMBER)]
        assert await pending(database.service_url) == []
        assert await migrate(database.owner_url, now=NOVEMBER) == []
        assert await migrate(database.owner_url, now=datetime(2026, 12, 1, tzinfo=UTC)) == ["month 2028-01"]

    run(scene())


def test_a_ledger_ahead_of_the_clock_has_its_own_months(database: Database) -> None:
    """A server's clock was years ahead: no batch is dated before its last, and rounds are numbered in that month."""
    moved = datetime(2028, 4, 11, tzinfo=UTC)

    async def scene() -> None:
        await migrate(database.owner_url, now=NOVEMBER)
        link = Link(1)
        link.time_us = int(moved.timestamp()) * 1_000_000
        link.decide([link.wagers("T1", 1)])
        store = PostgresStore(database.service_url, link.chain)
        for batch in link.batches:
            await store.post(batch)
        await store.close()
        done = await migrate(database.owner_url, now=NOVEMBER)
        assert done == [f"month {month}" for month in months_around(moved)]
        assert await migrate(database.owner_url, now=NOVEMBER) == []

    run(scene())


def test_a_server_of_the_program_before_goes_on_after_a_migration(database: Database) -> None:
    """It was started before the schema rose, and is restarted later: what it writes of a pool is taken meanwhile."""
    put = (
        "INSERT INTO pool (chain, pool, epoch, last_fall_commit, last_fall_cause, began, corrected)"
        " VALUES ('southern', 'main', {0}, 9, 'award', 9, 0) ON CONFLICT ON CONSTRAINT pool_once"
        " DO UPDATE SET epoch = excluded.epoch"
    )

    async def scene() -> None:
        await migrate(database.owner_url, now=NOVEMBER)
        for epoch in (1, 2):
            await execute(database.service_url, put.format(epoch))
        assert await fetch(database.service_url, "SELECT (epoch, taken)::text FROM pool") == ["(2,{})"]

    run(scene())


def test_two_at_once_do_it_once(database: Database) -> None:
    """The second waits for the first and finds nothing left to do."""
    program = (
        "import asyncio, sys; from jackpot.ledger.migrate import migrate; print(len(asyncio.run(migrate(sys.argv[1]))))"
    )
    command = [sys.executable, "-W", "error", "-c", program, database.owner_url]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    assert sorted(int(process.communicate(timeout=300)[0]) for process in running) == [0, 0, 19]


def test_a_migration_that_fails_at_its_end_leaves_nothing(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last statement fails: no table, no function, no revision stays, and the true migration still fits."""
    folder = Path(migrations.__file__).with_name("migrations")
    broken = tmp_path / "migrations"
    (broken / "versions").mkdir(parents=True)
    for name in ("env.py", "versions/r0001_ledger.py", "versions/r0001_ledger.sql"):
        (broken / name).write_text((folder / name).read_text())
    with (broken / "versions/r0001_ledger.sql").open("a") as sql:
        sql.write("\nINSERT INTO head (chain) VALUES ('half a row');\n")
    with monkeypatch.context() as patched:
        patched.setattr(migrations, "MIGRATIONS", broken)
        with pytest.raises(LedgerError, match="null value") as failed:
            run(migrate(database.owner_url, now=NOVEMBER))
    assert (failed.value.code, failed.value.outcome) == ("migration_failed", "not_posted")

    async def scene() -> None:
        left = "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace"
        assert await fetch(database.owner_url, left) == []
        functions = "SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace"
        assert await fetch(database.owner_url, functions) == []
        assert await migrate(database.owner_url, now=NOVEMBER)

    run(scene())


def test_a_database_that_is_not_there_is_said_so(servers: Servers) -> None:
    """One clear sentence, with a code."""
    with pytest.raises(LedgerError, match='database "nowhere" does not exist'):
        run(migrate(servers.url("owner", "nowhere")))
    with pytest.raises(LedgerError, match='database "nowhere" does not exist'):
        run(pending(servers.url("owner", "nowhere")))


def test_a_missing_role_is_asked_for(database: Database, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """An owner who may not make roles is told what an administrator has to run; nothing is left."""
    folder = Path(migrations.__file__).with_name("migrations")
    copied = tmp_path / "migrations"
    (copied / "versions").mkdir(parents=True)
    (copied / "env.py").write_text((folder / "env.py").read_text().replace('"auditor")', '"auditor", "inspector")'))
    for name in ("versions/r0001_ledger.py", "versions/r0001_ledger.sql"):
        (copied / name).write_text((folder / name).read_text())
    monkeypatch.setattr(migrations, "MIGRATIONS", copied)
    with pytest.raises(LedgerError, match=r"CREATE ROLE inspector LOGIN;") as failed:
        run(migrate(database.owner_url, now=NOVEMBER))
    assert failed.value.code == "role_missing"


def test_every_revision_stands_beside_its_sql() -> None:
    """A revision is a few lines of Python; what it does is SQL."""
    versions = Path(configuration().get_main_option("script_location") or "") / "versions"
    revisions = sorted(versions.glob("*.py"))
    assert revisions
    for revision in revisions:
        assert revision.with_suffix(".sql").is_file()
        assert len(revision.read_text().splitlines()) < 30


def test_the_schema_knows_the_core_s_words() -> None:
    """Causes, states and open states in SQL are those of the core."""
    schema = SCHEMA.read_text()
    for cause in CAUSES:
        assert f"'{cause}'" in schema
    for state in MOVES:
        assert f"'{state}'" in schema
    for name in ("load_hits", "read_link"):
        listed = statement(name).split("state NOT IN (")[1].split(")")[0]
        assert {state.strip(" '") for state in listed.split(",")} == ENDED
