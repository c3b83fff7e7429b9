"""Whether a database has the schema a program needs: what is pending, and what a newer program brought."""

from datetime import UTC, datetime

import asyncpg
import pytest
from alembic.script import ScriptDirectory

from jackpot.ledger.migrate import configuration, migrate
from jackpot.ledger.revisions import SchemaDiffers, hold_schema, pending, revisions
from tests.support.embedded_fixture import Database
from tests.support.running import run

NOVEMBER = datetime(2026, 11, 27, tzinfo=UTC)


async def at(database: Database, revision: str) -> None:
    """Say that the database had this revision last."""
    connection = await asyncpg.connect(database.owner_url)
    try:
        await connection.execute("UPDATE alembic_version SET version_num = $1", revision)
    finally:
        await connection.close()


def test_the_names_of_the_files_are_the_revisions_in_their_order() -> None:
    """Read from names alone, they are what Alembic would run, first to last."""
    scripts = ScriptDirectory.from_config(configuration()).walk_revisions()
    assert list(revisions()) == [script.revision for script in scripts][::-1]


def test_pending_is_what_a_database_has_not_had(database: Database) -> None:
    """All of an empty one, what came later of one that stood still, nothing of a new one; each role may ask."""

    async def scene() -> None:
        assert await pending(database.service_url) == list(revisions())
        with pytest.raises(SchemaDiffers, match=r"schema is not there: it lacks r0001, .*; first run: jackpot migrate"):
            await hold_schema(database.service_url)
        await migrate(database.owner_url, now=NOVEMBER)
        for url in (database.owner_url, database.service_url, database.auditor_url):
            assert await pending(url) == []
            await hold_schema(url)
        await at(database, "r0002")
        assert await pending(database.service_url) == list(revisions())[2:]
        with pytest.raises(SchemaDiffers, match=r"schema lacks r0003, .*; first run: jackpot migrate --data D") as told:
            await hold_schema(database.service_url, "jackpot migrate --data D")
        assert (told.value.code, told.value.retryable, told.value.outcome) == ("schema_pending", False, "not_posted")

    run(scene())


def test_a_newer_programs_schema_is_left_alone(database: Database) -> None:
    """A program that does not know the database's revision uses nothing and migrates nothing, and says which it is."""

    async def scene() -> None:
        await migrate(database.owner_url, now=NOVEMBER)
        await at(database, "r9999")
        for asked in (hold_schema(database.service_url), migrate(database.owner_url, now=NOVEMBER)):
            with pytest.raises(SchemaDiffers, match="is at revision r9999, and this program knows r0001 to r") as told:
                await asked
            assert told.value.code == "schema_newer"

    run(scene())
