"""What a link at work remembers of its ledger, beside what it read itself."""

import asyncio
from dataclasses import replace

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from redis.asyncio import Redis

from jackpot.cli import links
from jackpot.cli.links import LinkAtWork
from jackpot.core.ports import Heard
from jackpot.core.state import LINKED
from jackpot.telemetry import Telemetry
from jackpot.wire.snapshots import Snapshot
from tests.support.casino import Casino


def at_work() -> LinkAtWork:
    """A link that reaches nothing, in the state of a casino that has just opened."""
    return LinkAtWork(
        "postgresql://nowhere/jackpot",
        Casino(1).state,
        Ed25519PrivateKey.generate(),
        Redis(),
        Telemetry(),
        publisher="one",
        least_s=0.1,
        standby=False,
    )


def test_what_other_processes_showed_is_remembered() -> None:
    """The furthest that came over Redis while the link ran: not an older one, another link's, nor one of a stop."""
    link = at_work()
    assert link._shown() is None
    shown = Snapshot(link.name, 1, 97, "running", "", "2026-11", [], [], "two", 1, 1)
    for commit, name, status in (
        (97, link.name, "running"),
        (95, link.name, "running"),
        (99, "northern", "running"),
        (99, link.name, "ledger_behind"),
    ):
        link.heard(name, Heard(msgspec.structs.replace(shown, commit=commit, status=status), 1, live=True))
    assert link._shown() == shown


@pytest.mark.parametrize(("time_us", "month"), [(4_102_444_800_000_000, "2100-01"), (946_684_800_000_000, "2000-01")])
def test_the_month_told_is_the_ledgers(time_us: int, month: str) -> None:
    """Whatever this clock says: wagers of an older month are refused for good, of a later one until it begins."""
    link = at_work()
    link.state = replace(link.state, head=replace(link.state.head, time_us=time_us))
    assert link.month() == month


MOVED = {
    "it is the table still": (2, 5, ""),
    "a newer connection of its journal is": (2, 6, "replaced"),
    "an older one of its journal is, by a word": (2, 4, "replaced"),
    "another journal is": (3, 6, "replaced"),
    "another journal is, whose spool has said fewer hellos": (3, 1, "replaced"),
    "another journal is, whose spool has said as many": (3, 5, "replaced"),
}


@pytest.mark.parametrize(("journal", "number", "why"), MOVED.values(), ids=MOVED.keys())
def test_a_connection_stands_while_it_is_the_tables_own(journal: int, number: int, why: str) -> None:
    """A number rises within a spool only: who was let in by a word may have any, and ends each other connection."""
    link = at_work()
    own = replace(link.state.tables["T1"], status=LINKED, journal=journal, connection=number)
    link.state = replace(link.state, tables={**link.state.tables, "T1": own})
    assert link.state.terms is not None
    assert link.standing("T1", 2, 5, link.state.terms.fingerprint) == why


def test_no_snapshot_at_all_is_an_age_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing ever came over Redis, or only its retained copy, the age counts from the link's beginning."""
    now_ms = [50_000]
    monkeypatch.setattr(links, "elapsed_ms", lambda: now_ms[0])

    async def ages() -> list[float | None]:
        link, found = at_work(), []
        now_ms[0] += 7_000
        came = Heard(Snapshot(link.name, 1, 97, "running", "", "2026-11", [], [], "two", 1, 1), 56_000, live=True)
        for heard in (None, replace(came, live=False), came):
            link.show({}, heard)
            registry = link._telemetry.registry
            found.append(registry.get_sample_value("jackpot_snapshot_age_seconds", {"link": link.name}))
        return found

    assert asyncio.run(ages()) == [7, 7, 1]


@pytest.mark.parametrize(("durable", "problem"), [(False, ""), (True, "no answer in time"), (False, "fsync is off")])
def test_a_postgres_that_is_silent_is_not_said_to_have_lost_a_disk(*, durable: bool, problem: str) -> None:
    """What it said of its disks when it was asked last stands: that it does not answer now is told by itself."""
    link = at_work()

    async def told() -> float | None:
        link._reader.durable, link._reader.problem = durable, problem
        link.show({}, None)
        return link._telemetry.registry.get_sample_value("jackpot_postgres_durable", {"link": link.name})

    assert asyncio.run(told()) == durable
