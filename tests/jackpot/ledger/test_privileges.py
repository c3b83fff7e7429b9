"""What Postgres refuses by itself: to the service, to the auditor, to the owner."""

from collections.abc import Sequence

import asyncpg
import pytest

from jackpot.ledger.store import PostgresStore
from tests.jackpot.ledger.test_audit import fill
from tests.support.chains import Link
from tests.support.embedded_fixture import Database
from tests.support.running import run

APPEND_ONLY = {
    "batch": "time_us",
    "command": "position",
    "wager": "wager_cents",
    "entry": "commit",
    "terms": "since",
    "set_aside": "aside_us",
    "aside_settled": "settled_us",
    "link_stop": "stopped_us",
}
PARTITIONS = ("wager_2026_11", "command_2026_11", "command_of_no_month")


async def refusals(url: str, statements: Sequence[str]) -> list[str]:
    """What Postgres says to each statement; `done` where it does it."""
    connection = await asyncpg.connect(url)
    said = []
    try:
        for statement in statements:
            transaction = connection.transaction()
            await transaction.start()
            try:
                await connection.execute(statement)
                said.append("done")
            except asyncpg.PostgresError as error:
                said.append(error.sqlstate or "")
            await transaction.rollback()
    finally:
        await connection.close()
    return said


def changes(table: str, column: str) -> list[str]:
    """Ways to change what is written for ever."""
    return [
        f"DELETE FROM {table}",  # noqa: S608 - a table of the ledger
        f"UPDATE {table} SET {column} = {column} + 1",  # noqa: S608 - as above
        f"TRUNCATE {table} CASCADE",
    ]


@pytest.fixture
def posted(ledger: Database) -> Database:
    """A ledger that holds rows in every table."""
    run(fill(ledger.service_url))
    return ledger


@pytest.mark.parametrize("table", APPEND_ONLY)
def test_the_service_cannot_change_what_is_written_for_ever(posted: Database, table: str) -> None:
    """Delete, update and truncate are refused by privilege, to the auditor too."""
    for url in (posted.service_url, posted.auditor_url):
        assert run(refusals(url, changes(table, APPEND_ONLY[table]))) == ["42501"] * 3


@pytest.mark.parametrize("table", APPEND_ONLY)
def test_nor_can_the_owner(posted: Database, table: str) -> None:
    """Who owns the tables meets a trigger."""
    assert run(refusals(posted.owner_url, changes(table, APPEND_ONLY[table]))) == ["JP003"] * 3


@pytest.mark.parametrize("partition", PARTITIONS)
def test_partitions_are_no_way_round(posted: Database, partition: str) -> None:
    """A partition by its own name is closed to the service, and to the owner's changes."""
    column = "wager_cents" if partition.startswith("wager") else "position"
    insert = f"INSERT INTO {partition} SELECT * FROM {partition.partition('_')[0]} LIMIT 1"  # noqa: S608 - as above
    assert run(refusals(posted.service_url, [*changes(partition, column), insert])) == ["42501"] * 4
    assert run(refusals(posted.owner_url, changes(partition, column))) == ["JP003"] * 3


def test_the_service_writes_through_the_parents_only(posted: Database) -> None:
    """What the service may do is what posting needs; the auditor reads and does nothing else."""
    not_for_service = [
        "DELETE FROM account",
        "DELETE FROM head",
        "DELETE FROM hit",
        "UPDATE link_stop SET reason = ''",
        "TRUNCATE open_round",
        "SELECT add_month('2031-01')",
        "CREATE TABLE own (x int)",
        "ALTER TABLE entry DISABLE TRIGGER ALL",
        "SET session_replication_role = replica",
    ]
    assert run(refusals(posted.service_url, not_for_service)) == ["42501"] * len(not_for_service)
    not_for_auditor = ["INSERT INTO pool VALUES ('a', 'b', 1, 0, '')", "SELECT chain FROM head FOR UPDATE"]
    assert run(refusals(posted.auditor_url, not_for_auditor)) == ["42501"] * 2
    assert run(refusals(posted.auditor_url, ["SELECT * FROM wager, entry, hit, link_stop LIMIT 1"])) == ["done"]


def test_a_stop_is_lifted_once_and_by_two(posted: Database) -> None:
    """The columns of the lift are the only ones the service may write, all at once, by two different people."""
    lift = (
        "UPDATE link_stop SET lifted_us = 5, lifted_by = '{}', lifted_with = 'B', lifted_reason = 'audited',"
        " lifted_digest = '\\x00' WHERE chain = 'northern'"
    )
    said = run(refusals(posted.service_url, [lift.format("A"), lift.format("B"), "UPDATE link_stop SET lifted_us = 5"]))
    assert said == ["done", "23514", "23514"]
    assert run(refusals(posted.service_url, [f"{lift.format('A')}; {lift.format('A')}"])) == ["JP003"]


def test_a_head_goes_nowhere_but_on(posted: Database) -> None:
    """Not back, not two batches at once, not to another chain, not before the last time; and begins at nought."""
    steps = [
        "UPDATE head SET batch = batch - 1 WHERE chain = 'southern'",
        "UPDATE head SET batch = batch + 2, commit = commit + 1 WHERE chain = 'southern'",
        "UPDATE head SET batch = batch + 1 WHERE chain = 'southern'",
        "UPDATE head SET batch = batch + 1, commit = commit + 1, time_us = 0 WHERE chain = 'southern'",
        "UPDATE head SET batch = batch + 1, commit = commit + 1, generation = 0 WHERE chain = 'southern'",
        "INSERT INTO head VALUES ('eastern', 7, '', 9, 1, 0, '')",
    ]
    assert run(refusals(posted.service_url, steps)) == ["JP002"] * len(steps)


def test_a_stopped_head_refuses_even_a_hand_written_step(posted: Database) -> None:
    """The row that the fence reads is in the database, so no process need know of it."""
    step = "UPDATE head SET batch = batch + 1, commit = commit + 1 WHERE chain = 'northern'"
    assert run(refusals(posted.service_url, [step])) == ["JP001"]


def test_entries_need_a_batch_and_a_sum(posted: Database) -> None:
    """Money cannot be entered beside a batch, nor one-sided, nor for no amount, nor taken from a pool for no cause."""
    entry = "INSERT INTO entry VALUES ('southern', '{0}', {1}, {2}, {3}, '{4}', 9, '', {5})"
    balanced = (
        "INSERT INTO entry VALUES ('southern', 'house', 99, -5, 0, 'seed', 9, '', 1),"
        " ('southern', 'paid', 99, 5, 5, 'seed', 9, '', 1)"
    )
    steps = [
        entry.format("paid", 2, 5, 5, "payment", 1),
        entry.format("forfeited", 1, 0, 0, "forfeit", 1),
        entry.format("pool/main", 99, -5, 0, "payment", 1),
        balanced,
        balanced.replace("99", "1")
        .replace("house", "recoverable")
        .replace("paid", "forfeited")
        .replace("-5, 0", "-5, -5")
        .replace(", 1)", ", 999)"),
    ]
    assert run(refusals(posted.service_url, steps)) == ["JP002", "23514", "23514", "JP002", "23503"]


def test_a_wager_of_no_month_has_no_place(ledger: Database) -> None:
    """A month that was never made is refused, and the link goes on."""
    link = Link()
    batch = link.decision([link.wagers("T1", 1)]).batch
    assert batch is not None
    batch.rows.wagers.month[0] = "2019-01"

    async def scene() -> None:
        store = PostgresStore(ledger.service_url, link.chain)
        await store.post(link.opening)
        with pytest.raises(Exception, match="no partition of relation"):
            await store.post(batch)
        await store.close()

    run(scene())


def test_what_a_trigger_reads_cannot_be_put_in_its_way(posted: Database) -> None:
    """A temporary table of the same name hides neither the stop of a link nor the entries that went before."""
    step = "UPDATE head SET batch = batch + 1, commit = commit + 1 WHERE chain = 'northern'"
    hidden = f"CREATE TEMPORARY TABLE link_stop (chain text, lifted_us bigint); {step}"
    assert run(refusals(posted.service_url, [hidden])) == ["JP001"]
    gap = """
        CREATE TEMPORARY TABLE entry AS SELECT DISTINCT ON (account)
            chain, account, version + 1 AS version, balance_after, batch, commit,
            CASE account WHEN 'retained' THEN 1 ELSE -1 END AS microcents
        FROM public.entry WHERE chain = 'southern' AND account IN ('retained', 'wagers')
        ORDER BY account, version DESC;
        INSERT INTO public.entry SELECT chain, account, version + 1, microcents, balance_after + microcents,
            'correction', max(commit) OVER (), '', max(batch) OVER () FROM pg_temp.entry"""
    assert run(refusals(posted.service_url, [gap])) == ["JP002"]
