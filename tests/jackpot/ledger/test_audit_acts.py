"""Somebody with the keys to the database changes what people did: the audit names the batch, by its bytes."""

import re

import asyncpg

from jackpot.core.chain import decode_body
from jackpot.core.ports import Batch
from jackpot.embedded import Servers
from jackpot.ledger.audit import AuditReport, audit
from jackpot.ledger.store import PostgresStore
from tests.support.chains import Link
from tests.support.embedded_fixture import Database
from tests.support.golden_amended import batches
from tests.support.running import run

ACTS = (
    "admit",
    "connect",
    "correct_recorded",
    "decide_order",
    "hit",
    "open",
    "record_typed",
    "recovered",
    "void_open",
    "void_recorded",
    "word",
)
"""Every kind of act on a link of which the story holds one."""
MEND_BATCH = "UPDATE batch SET body = $1, digest = sha256(previous_digest || $1) WHERE chain = $2 AND batch = $3"
MEND_ACT = "UPDATE command SET sha256 = sha256($1) WHERE chain = $2 AND id = $3"
LATER_NAME = {"connect": (b'"program":"test"', b'"program":"tesu"')}
"""What of an act is changed where it names nobody."""


def other_name(body: bytes, kind: str) -> bytes:
    """The body with the name of who did the first act of a kind changed by one letter, and nothing else."""
    at = body.index(b'"command":{"kind":"%b"' % kind.encode())
    was, becomes = LATER_NAME.get(kind, (b"", b""))
    if not was:
        found = re.compile(rb'"by":"(\w+)').search(body, at)
        assert found is not None
        was, becomes = found[0], found[0][:-1] + (b"y" if found[0][-1:] != b"y" else b"z")
    place = body.index(was, at)
    return body[:place] + becomes + body[place + len(was) :]


async def posted(database: Database, story: list[Batch]) -> None:
    """Post a story."""
    store = PostgresStore(database.service_url, story[0].chain)
    for batch in story:
        await store.post(batch)
    await store.close()


async def after(superuser: str, database: Database, batch: Batch, body: bytes) -> AuditReport:
    """Change the stored bytes of a batch behind the back of every trigger, audit, and put them back."""
    connection = await asyncpg.connect(superuser)
    change = "UPDATE batch SET body = $1 WHERE chain = $2 AND batch = $3"
    try:
        await connection.execute("SET session_replication_role = replica")
        await connection.execute(change, body, batch.chain, batch.batch)
        report = await audit(database.auditor_url)
        await connection.execute(change, batch.body, batch.chain, batch.batch)
    finally:
        await connection.close()
    return report


def test_a_changed_act_is_named_by_table_and_row(ledger: Database, servers: Servers) -> None:
    """One letter of who did it, in an act of each kind: the batch is named, and put back all agrees again."""
    story = list(batches())
    run(posted(ledger, story))
    superuser = servers.url("postgres", ledger.name)
    unseen = []
    for kind in ACTS:
        batch = next(one for one in story if b'"command":{"kind":"%b"' % kind.encode() in one.body)
        report = run(after(superuser, ledger, batch, other_name(batch.body, kind)))
        if ("batch", str(batch.batch)) not in {(found.table, found.row) for found in report.found}:
            unseen.append(f"{kind} in batch {batch.batch}: {report.differences}")
    assert unseen == []
    assert run(audit(ledger.auditor_url)).differences == []


def test_a_change_that_mends_its_digests_breaks_the_chain(ledger: Database, servers: Servers) -> None:
    """Whoever writes the digests of act and batch anew too is found at the next batch, which stands on the old one."""
    link = Link(1)
    link.decide(link.play("T1", 1))
    link.decide(link.play("T1", 2))
    first, second = link.batches[:2]
    run(posted(ledger, link.batches))
    body = other_name(first.body, "open")
    (act, *_) = decode_body(body).commands

    async def found_after(*, act_too: bool) -> set[tuple[str, str]]:
        connection = await asyncpg.connect(servers.url("postgres", ledger.name))
        try:
            await connection.execute("SET session_replication_role = replica")
            await connection.execute(MEND_BATCH, body, first.chain, first.batch)
            if act_too:
                await connection.execute(MEND_ACT, bytes(act.command), first.chain, act.id)
        finally:
            await connection.close()
        report = await audit(ledger.auditor_url)
        return {(each.table, each.row) for each in report.found}

    assert ("command", f"{act.id}/0000-00") in run(found_after(act_too=False))
    assert ("batch", str(second.batch)) in run(found_after(act_too=True))
