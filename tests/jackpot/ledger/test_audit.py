"""The audit: it agrees with what was posted, and names table and row of whatever was changed."""

import asyncio
from collections.abc import Iterator
from typing import Any

import asyncpg
import pytest

from jackpot.core.commands import Act, Enrol, MoveHit, OpenSite, RegisterLink, of_act
from jackpot.core.ports import SetAside
from jackpot.embedded import Servers
from jackpot.ledger.aside import kept_aside, settle_aside
from jackpot.ledger.audit import AuditReport, audit
from jackpot.ledger.differences import Difference
from jackpot.ledger.runner import post_once
from jackpot.ledger.store import PostgresStore
from tests.support.chains import FULL_HOUSE, NOTHING, ROYAL, STRAIGHT_FLUSH, Link
from tests.support.embedded_fixture import Database, drop_database, fresh_database
from tests.support.running import run


def eventful() -> Link:
    """A link on which something of every kind has happened."""
    link = Link(3)
    link.decide([link.wagers("T1", 1), link.wagers("T2", 1, [4, 5], tender="token")])
    link.decide([link.withdraw("T2", 1), link.wagers("T3", 1, [6])])
    link.decide([link.record("T1", 1, {1: ROYAL, 2: NOTHING, 3: FULL_HOUSE}), link.void("T3", 1)])
    link.decide([link.wagers("T2", 2), link.wagers("T3", 2)])
    link.decide([link.record("T2", 2, {1: STRAIGHT_FLUSH, 2: NOTHING, 3: FULL_HOUSE})])
    hit = next(str(key) for key, hit in link.state.hits.items() if hit.prize == "full_house")
    link.decide([of_act(MoveHit(hit, "verify", "Ines", 1))])
    link.decide([of_act(MoveHit(hit, "pay", "Cass", 1))])
    return link


async def fill(url: str) -> None:
    """Post an eventful link and a site, set something aside and settle it, and stop another link."""
    link = eventful()
    store = PostgresStore(url, link.chain)
    for batch in link.batches:
        await store.post(batch)
    await store.set_aside([SetAside(link.wagers("T1", 99), "it made the decision raise")])
    await store.close()
    (one,) = await kept_aside(url)
    await settle_aside(url, one, by="Ann", second="Bob", reason="nothing comes of it")
    acts: list[Act] = [
        OpenSite("ab", "Ann"),
        RegisterLink(link.chain, "cd", "Ann"),
        Enrol("T1", link.chain, "ef", 1, "Ann"),
    ]
    await post_once(url, "site", [of_act(act) for act in acts])
    other = PostgresStore(url, "northern")
    await other.stop("a reason", "evidence")
    await other.close()


@pytest.fixture(scope="module")
def filled(servers: Servers, migrated: Database) -> Iterator[Database]:
    """A ledger with an eventful history, for tests that put back what they change."""
    made = fresh_database(servers, template=migrated.name)
    asyncio.run(fill(made.service_url))
    yield made
    drop_database(servers, made)


def audited(database: Database) -> AuditReport:
    """What the auditor finds."""
    return run(audit(database.auditor_url))


def test_what_was_posted_is_found_right(filled: Database) -> None:
    """Every chain is worked out to its head, and nothing differs."""
    report = audited(filled)
    assert report.differences == []
    assert report.ok
    assert {chain.chain: chain.batches for chain in report.chains} == {"northern": 0, "site": 1, "southern": 8}


KEYS = {
    "head": ("chain",),
    "batch": ("batch",),
    "command": ("id", "month"),
    "wager": ("month", "table", "journal", "round", "seat"),
    "entry": ("account", "version"),
    "account": ("account",),
    "pool": ("pool",),
    "hit": ("table", "journal", "round", "seat", "pool"),
    "terms": ("version",),
    "linked_table": ("table",),
    "journal": ("table", "journal"),
    "open_round": ("table", "journal", "round"),
    "registered_link": ("link",),
    "enrolled_table": ("table",),
    "link_stop": ("stopped_us",),
    "set_aside": ("id",),
    "aside_settled": ("settled_us",),
}
PROVING_NOTHING = {"handed_in", "holder"}
"""What tables say while their link is stopped: evidence for two people, of which the ledger itself says nothing."""
SEALED = ("link_stop", "set_aside", "aside_settled")
CHAINS = {"registered_link": "site", "enrolled_table": "site", "link_stop": "northern"}
OTHER: dict[str, str] = {
    "text": "{0} || 'x'",
    "bigint": "{0} + 1000",
    "integer": "{0} + 1000",
    "smallint": "{0} + 1000",
    "numeric(38,0)": "{0} + 1000",
    "bytea": "set_byte({0}, 5, get_byte({0}, 5) # 1)",
    "boolean": "NOT {0}",
    "json": """(CASE {0}::text WHEN '[]' THEN '[1]' ELSE '[]' END)::json""",
    "bigint[]": "{0} || 1::bigint",
    "text[]": "{0} || 'x'::text",
}
NULLS = {
    "lifted_us": "1",
    "lifted_by": "'A'",
    "lifted_with": "'B'",
    "lifted_reason": "'why'",
    "lifted_digest": "'\\x00'",
}
PARTITIONED = {("command", "month"): "'2026-12'", ("wager", "month"): "'2026-12'"}


async def columns_of(url: str) -> list[tuple[str, str, str]]:
    """Every column of every table of the ledger that proves something: table, column, type."""
    connection = await asyncpg.connect(url)
    try:
        rows = await connection.fetch(
            """
            SELECT c.relname, a.attname, format_type(a.atttypid, a.atttypmod)
            FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid
            WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
                AND a.attnum > 0 AND NOT a.attisdropped AND c.relname <> 'alembic_version'
            ORDER BY c.relname, a.attnum
            """
        )
    finally:
        await connection.close()
    return [tuple(row) for row in rows if row[0] not in PROVING_NOTHING]


async def lift_checks(connection: "asyncpg.Connection[asyncpg.Record]") -> None:
    """Take away what would refuse a wrong value, as somebody with the keys to the database could."""
    for row in await connection.fetch(
        """
        SELECT conrelid::regclass::text AS "table", conname FROM pg_constraint
        WHERE contype = 'c' AND connamespace = 'public'::regnamespace AND conislocal
        """
    ):
        await connection.execute(f"ALTER TABLE {row['table']} DROP CONSTRAINT {row['conname']}")
    await connection.execute("SET session_replication_role = replica")


async def change(
    connection: "asyncpg.Connection[asyncpg.Record]", table: str, column: str, kind: str
) -> tuple[str, Any, Any]:
    """Change one value; say the row's name, its old value, and where the row stands now."""
    keys = ", ".join(f'"{key}"' for key in KEYS[table])
    row = await connection.fetchrow(
        f'SELECT ctid, tableoid, "{column}" AS old, {keys} FROM "{table}" WHERE chain = $1 ORDER BY {keys} LIMIT 1',  # noqa: S608 - names come from the catalog
        CHAINS.get(table, "southern"),
    )
    assert row is not None, table
    new = PARTITIONED.get((table, column)) or NULLS.get(column) or OTHER[kind].format(f'"{column}"')
    place = await connection.fetchrow(
        f'UPDATE "{table}" SET "{column}" = {new} WHERE ctid = $1 AND tableoid = $2 RETURNING ctid, tableoid',  # noqa: S608 - as above
        row["ctid"],
        row["tableoid"],
    )
    return "/".join(str(row[key]) for key in KEYS[table]), row["old"], place


def names(found: Difference, table: str, column: str, row: str) -> bool:
    """Whether a difference names a table's row, and the column, or the whole row as missing, or its broken seal."""
    if table in SEALED:
        return found.table == table and (found.row == row or column in KEYS[table])
    return (found.table, found.row) == (table, row) and (found.column.startswith(column) or not found.column)


async def every_change(database: Database, superuser_url: str) -> list[str]:
    """Change one value after the other, audit, and put it back; name what the audit did not find."""
    unseen: list[str] = []
    connection = await asyncpg.connect(superuser_url)
    try:
        await lift_checks(connection)
        for table, column, kind in await columns_of(database.auditor_url):
            name, old, place = await change(connection, table, column, kind)
            report = await audit(database.auditor_url)
            if not any(names(found, table, column, name) for found in report.found):
                unseen.append(f"{table}.{column} of {name}: {report.differences}")
            await connection.execute(
                f'UPDATE "{table}" SET "{column}" = $1 WHERE ctid = $2 AND tableoid = $3',  # noqa: S608 - as above
                old,
                place["ctid"],
                place["tableoid"],
            )
        report = await audit(database.auditor_url)
        return unseen + report.differences
    finally:
        await connection.close()


def test_every_column_of_every_table_is_audited(servers: Servers, filled: Database) -> None:
    """One value is changed in each column in turn, behind the back of every trigger: table and row are named."""
    columns = run(columns_of(filled.auditor_url))
    assert {table for table, _, _ in columns} == set(KEYS)
    assert len(columns) > 130
    own = fresh_database(servers, template=filled.name)
    assert run(every_change(own, servers.url("postgres", own.name)), 300) == []
