"""Odds, the maximum payout and tokens, in whole cents."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.settings import Settings
from rules.wagers import Odds, maximum_paid_cents, paid_in_full_cents


def test_a_fraction_of_a_cent_stays_with_the_house() -> None:
    """Odds to more than 1 can make a fraction; winnings are whole cents."""
    assert [Odds(3, 2).winnings_cents(stake) for stake in (1, 2, 3)] == [1, 3, 4]
    assert str(Odds(250)) == "250 to 1"


@given(winnings=st.integers(0, 10**15), stake=st.integers(1, 10**12), most=st.integers(1, 10**12))
def test_a_maximum_payout_never_raises_a_payment_nor_takes_a_stake(winnings: int, stake: int, most: int) -> None:
    """CSP 10.2: at most the notice's amount, of winnings alone or with the stake; never below nothing."""
    alone = maximum_paid_cents(winnings, stake, Settings(max_payout_cents=most))
    together = maximum_paid_cents(winnings, stake, Settings(max_payout_cents=most, max_payout_covers="with_stake"))
    assert alone == min(winnings, most)
    assert 0 <= together <= alone
    assert together + stake <= max(most, stake)
    assert maximum_paid_cents(winnings, stake, Settings()) == winnings


@pytest.mark.parametrize("covers", ["winnings", "with_stake"])
@given(pays=st.integers(1, 250), to=st.integers(1, 3), most=st.integers(1, 2000))
def test_the_largest_bet_that_a_maximum_payout_leaves_alone(covers: Any, pays: int, to: int, most: int) -> None:
    """CSP 10.2: up to it the odds are paid, and on a cent more they are not."""
    settings, odds = Settings(max_payout_cents=most, max_payout_covers=covers), Odds(pays, to)
    full = paid_in_full_cents(odds, settings)
    assert full is not None
    for bet, whole in ((full, True), (full + 1, False)):
        winnings = odds.winnings_cents(bet)
        assert (maximum_paid_cents(winnings, bet, settings) == winnings) == whole or winnings == 0
    assert paid_in_full_cents(odds, Settings()) is None
