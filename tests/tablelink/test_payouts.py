"""What a table says of the prizes that it waits for: what the slip will say, not only what was awarded (CSP 9.5)."""

from types import SimpleNamespace
from typing import cast

import structlog

from jackpot.wire.messages import HitNow
from tablelink.core.inputs import AwaitPayout, PlaceWagers
from tablelink.desk import Desk
from tablelink.payouts import Payouts

ROYAL = "T1/1/1/3/main"
DESK = cast(
    "Desk",
    SimpleNamespace(
        felt=SimpleNamespace(table="T1", terms=SimpleNamespace(name="southern")),
        dealing=SimpleNamespace(last=None, next_round=2),
        last_receipt=None,
    ),
)


def test_a_prize_that_comes_to_another_amount_is_said_again() -> None:
    """An order that people decided gives it 90 cents more: said where its state is the same too, and no more often."""
    seen = [
        HitNow(ROYAL, "royal_flush", "disputed", 5_000_000),
        HitNow(ROYAL, "royal_flush", "pending", 5_000_000),
        HitNow(ROYAL, "royal_flush", "pending", 5_000_090),
        HitNow(ROYAL, "royal_flush", "pending", 5_000_090),
    ]
    payouts = Payouts()
    with structlog.testing.capture_logs() as logs:
        for hit in seen:
            payouts.look(DESK, AwaitPayout((hit,)))
        payouts.look(DESK, PlaceWagers(2))
    assert [(line["event"], line.get("hits"), line.get("cents")) for line in logs] == [
        ("waits_for_payout", {ROYAL: "disputed"}, {ROYAL: 5_000_000}),
        ("waits_for_payout", {ROYAL: "pending"}, {ROYAL: 5_000_000}),
        ("waits_for_payout", {ROYAL: "pending"}, {ROYAL: 5_000_090}),
        ("payout_over", None, None),
    ]
