"""What of the cases from the field is to be read in the server's log."""

import hashlib

import structlog
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from redis.asyncio import Redis

from jackpot.cli.links import LinkAtWork
from jackpot.core.commands import command_from_table
from jackpot.core.decide import decide_all
from jackpot.core.ports import Known
from jackpot.core.posting import Posted
from jackpot.telemetry import Telemetry
from jackpot.wire.codec import encode
from jackpot.wire.messages import Receipt, SeatWager, Shown, Wagers
from rules.terms import fingerprint
from tests.support.casino import NOW_US, Casino


def test_both_bodies_of_a_reused_id_are_logged() -> None:
    """Case 12: the same id with another amount is refused as reused, and the log names the digests of both bodies."""
    casino = Casino(1)
    terms = fingerprint(casino.link_terms)
    first, second = (
        encode(Wagers("T1", 1, "2026-11", 1, 1, terms, Shown(1, 1, 1, 5_000_000), [SeatWager(3, 1000, cents, cents)]))
        for cents in (100, 250)
    )
    command = command_from_table(second)
    known = {command.id: Known(hashlib.sha256(first).digest(), b"{}", Receipt(1, 1, "00"))}
    decided = decide_all(casino.state, [command], known, NOW_US)
    assert decided.batch is None
    assert b"id_reused" in decided.replies[0].answer
    link = LinkAtWork(
        "postgresql://nowhere/jackpot",
        casino.state,
        Ed25519PrivateKey.generate(),
        Redis(),
        Telemetry(),
        publisher="test",
        least_s=0.1,
        standby=False,
    )
    with structlog.testing.capture_logs() as logs:
        link._told(Posted(decided.state, decided.facts, 1, 0, NOW_US, NOW_US))
    (line,) = [line for line in logs if line["event"] == "link_id_reused"]
    assert line["table"] == "T1"
    assert {line["first"], line["second"]} == {hashlib.sha256(body).hexdigest() for body in (first, second)}
