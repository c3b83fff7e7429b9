"""What a link at work remembers of its ledger, beside what it read itself."""

from dataclasses import replace

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from redis.asyncio import Redis

from jackpot.cli.links import LinkAtWork
from jackpot.core.ports import Heard
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


def test_the_month_told_is_never_before_the_ledgers() -> None:
    """Where a clock once ran ahead the ledger's time is ahead too: wagers of this month would be refused for good."""
    link = at_work()
    link.state = replace(link.state, head=replace(link.state.head, time_us=4_102_444_800_000_000))
    assert link.month() == "2100-01"
