"""What terms lead to: the forecast's sums are those the terms are refused by, and its averages come true."""

import random
from dataclasses import replace
from fractions import Fraction
from importlib import resources
from typing import get_args, get_type_hints

import pytest

from rules.forecast import forecast, seconds_between
from rules.odds import decimal_text, jackpot
from rules.terms import Rulings, Terms, TermsError, check_terms, parse_terms

DEMO = parse_terms(resources.files("jackpot").joinpath("demo_terms.json").read_bytes())


def with_rates(increment_ppm: int, reserve_ppm: int, terms: Terms = DEMO) -> Terms:
    """Terms with these rates, the rest retained."""
    return replace(
        terms,
        pools=(replace(terms.pools[0], increment_ppm=increment_ppm),),
        reserve=replace(terms.reserve, increment_ppm=reserve_ppm),
        retained_ppm=1_000_000 - increment_ppm - reserve_ppm,
    )


def test_the_demonstration_terms() -> None:
    """CSP 12.1 at the seed: 53.27 cents of bonuses, 6.93 for straight flushes, 7.70 for seeds of the reserve's 8."""
    found = forecast(DEMO)
    pool = found.pools[0]
    assert decimal_text(found.house_pays_cents, 2) == "53.27"
    assert found.retained_cents == 70
    assert found.house_keeps_cents == 70 - found.house_pays_cents
    assert found.reserve_brings_cents == 8
    assert decimal_text(found.reserve_spends_cents, 2) == "7.70"
    assert pool.brings_cents == 22
    assert decimal_text(pool.takes_cents, 2) == "6.93"
    assert found.wagers_between_royals == pool.wagers_between_falls == Fraction(2_598_960, 4)
    assert found.break_even_meter_cents == jackpot.break_even_cents()
    assert seconds_between(found.wagers_between_royals, 6_000) == 389_844


EVERY_RULING = [
    replace(DEMO.rulings, reset=reset, topup_paid_by=topup, stake_returned=stake, never_below_seed=never_below)
    for reset in get_args(get_type_hints(Rulings)["reset"])
    for topup in get_args(get_type_hints(Rulings)["topup_paid_by"])
    for stake in (False, True)
    for never_below in (False, True)
    if reset == "seed" or not never_below
]


@pytest.mark.parametrize("rulings", EVERY_RULING)
def test_terms_are_refused_where_the_forecast_is_red(rulings: Rulings) -> None:
    """Terms are kept exactly where each pool grows at its seed and the house keeps what it pays, in every ruling."""
    for increment in (0, 60_000, 70_000, 150_000, 290_000, 395_000, 460_000, 500_000):
        for reserve in (0, 50_000, 80_000):
            terms = replace(with_rates(increment, reserve), rulings=rulings)
            found = forecast(terms)
            red = found.house_keeps_cents < 0 or any(pool.grows_cents < 0 for pool in found.pools)
            refused = _refused(terms)
            assert refused <= {"retained_ppm", "pools.0.increment_ppm"}
            assert bool(refused) == red, (increment, reserve)


def _refused(terms: Terms) -> set[str]:
    """The field by which terms are refused, if they are."""
    try:
        check_terms(terms)
    except TermsError as error:
        return {error.field}
    return set()


def test_every_cent_of_a_wager_is_somewhere() -> None:
    """What pool, reserve and house get of a wager is the wager; prizes cost what they pay as often as they are won."""
    found = forecast(DEMO)
    assert found.pools[0].brings_cents + found.reserve_brings_cents + found.retained_cents == 100
    costs = sum(prize.costs_cents for prize in found.prizes)
    row = jackpot.row(DEMO.pools[0].seed_cents)
    assert costs == 100 * (1 + row.expected_return)


def test_a_meter_falls_where_forecast() -> None:
    """Over two thousand royals the meter stands on average within 4 % of the forecast."""
    found = forecast(DEMO).pools[0]
    assert found.falls_at_cents is not None
    rng = random.Random(11)
    royal, straight = 4 / 2_598_960, 36 / 2_598_960
    heights = []
    for _ in range(2_000):
        meter, waited = 5_000_000.0, rng.expovariate(royal)
        while (following := rng.expovariate(straight)) < waited:
            waited -= following
            meter = (meter + 22 * following) * 0.9
        heights.append(meter + 22 * waited)
    mean = sum(heights) / len(heights)
    assert abs(mean / float(found.falls_at_cents) - 1) < 0.04, mean


def test_a_meter_of_no_pool_is_refused() -> None:
    """A forecast is never of another link's pool, nor of no pace."""
    with pytest.raises(KeyError):
        forecast(DEMO, {"minor": 5})
    with pytest.raises(ValueError, match="wagers_per_hour: 0"):
        seconds_between(Fraction(5), 0)
