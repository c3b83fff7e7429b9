"""What signs and boards say is made from the terms alone, with their fingerprint (case 49)."""

import pytest

from jackpot.web.sign import pays_now, sign_of
from jackpot.wire.snapshots import PoolShown
from rules.terms import fingerprint
from tests.support.terms import demo_terms, with_rulings


def test_a_sign_is_made_from_the_terms_alone() -> None:
    """Sign and board say what the terms say, with the fingerprint by which they are compared (case 49)."""
    terms = demo_terms()
    sign = sign_of(terms)
    assert (sign.terms, sign.wager_cents, sign.seed_cents) == (fingerprint(terms), "100", "5000000")
    assert [line.prize for line in sign.prizes] == [prize.name for prize in terms.pay_table]


@pytest.mark.parametrize(
    ("meter", "royal", "straight"),
    [
        (5_000_000, ("5000000", False), ("500000", False)),
        (4_000_000, ("5000000", True), ("500000", True)),
        (12_345_678, ("12345678", False), ("1234567", False)),
    ],
)
def test_pays_at_least_while_the_minimum_is_more_than_the_share(
    meter: int, royal: tuple[str, bool], straight: tuple[str, bool]
) -> None:
    """Boards say "pays at least" exactly while the guaranteed minimum is more than the share (12.1)."""
    now = {each.prize: (each.cents, each.at_least) for each in pays_now(demo_terms(), {"main": meter})}
    assert (now["royal_flush"], now["straight_flush"]) == (royal, straight)


def test_a_pool_that_pays_all_it_can_promises_no_more() -> None:
    """Where the pool adds to a minimum itself, what a prize pays now is never more than the meter."""
    terms = with_rulings(topup_paid_by="pool")
    now = {each.prize: each.cents for each in pays_now(terms, {"main": 300_000})}
    assert (now["royal_flush"], now["straight_flush"]) == ("300000", "300000")
    assert PoolShown("main", 1, 300_000, 0, "").cents == 300_000
