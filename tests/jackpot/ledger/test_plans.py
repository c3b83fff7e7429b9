"""How Postgres finds the rows of a batch: by their keys, however many others there are."""

import json
from collections.abc import Iterator
from typing import Any

import asyncpg
import pytest

from jackpot.ledger.connection import close, connect
from jackpot.ledger.statements import statement
from jackpot.ledger.store import POSTING_SETTINGS
from tests.support.embedded_fixture import Database
from tests.support.running import run

READS_ALL = {"Seq Scan", "Bitmap Heap Scan", "Hash Join", "Merge Join"}
ARGUMENTS = 62
OPEN = """
INSERT INTO open_round (chain, "table", journal, round, month, terms, commit, time_us, runs, epochs, withdrawn,
    stale_display)
SELECT 'southern', 'T' || n, 1, n, '2026-11', '', n, 0, '[]', '{1}', false, false
FROM generate_series(1, $1::bigint) AS n
"""


def _nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for below in plan.get("Plans", ()):
        yield from _nodes(below)


@pytest.mark.parametrize("rounds", [0, 10, 200, 500, 5000])
def test_a_batch_reads_no_row_it_does_not_write(ledger: Database, rounds: int) -> None:
    """A batch that ends rounds does not look through all that are open, nor through all that ended lately."""

    async def plan() -> list[dict[str, Any]]:
        owner = await asyncpg.connect(ledger.owner_url)
        await owner.execute(OPEN, rounds)
        await owner.execute("ANALYZE open_round")
        await owner.close()
        connection = await connect(ledger.service_url, "plans", POSTING_SETTINGS)
        await connection.execute("PREPARE posting AS " + statement("post_batch"))
        nothing = ", ".join(["NULL"] * ARGUMENTS)
        text = await connection.fetchval(f"EXPLAIN (FORMAT JSON) EXECUTE posting ({nothing})")
        await close(connection)
        return list(_nodes(json.loads(text)[0]["Plan"]))

    nodes = run(plan())
    assert not [node for node in nodes if node["Node Type"] in READS_ALL]
    ended = [node for node in nodes if node.get("Relation Name") == "open_round" and "Index Cond" in node]
    assert len(ended) == 1
    for column in ("chain", '"table"', "journal", "round"):
        assert f"({column} = " in ended[0]["Index Cond"]


COMMANDS = """
INSERT INTO command (chain, id, month, commit, batch, position, sha256)
SELECT 'southern', 'T1/1/2026-11/' || n || CASE WHEN n % 500 = 0 THEN '/amend/2' ELSE '/wagers/1' END, '2026-11', n, n,
    0, ''
FROM generate_series(1, 50000) AS n
"""


def test_what_amended_a_round_is_found_among_the_amendments(ledger: Database) -> None:
    """Not among all commands of the month: an index of its own holds what is looked through."""

    async def plan() -> list[dict[str, Any]]:
        owner = await asyncpg.connect(ledger.owner_url)
        await owner.execute(COMMANDS)
        await owner.execute("ANALYZE command")
        asked = statement("past_amendments")
        for place, value in enumerate(("southern", "2026-11", "T1/1/2026-11/500/amend/"), start=1):
            asked = asked.replace(f"${place}", f"'{value}'")
        text = await owner.fetchval(f"EXPLAIN (FORMAT JSON) {asked}")
        await owner.close()
        return list(_nodes(json.loads(text)[0]["Plan"]))

    nodes = run(plan())
    assert not [node for node in nodes if node["Node Type"] == "Seq Scan"]
    assert [node["Index Name"] for node in nodes if "Index Name" in node] == ["command_2026_11_chain_id_idx"]
