"""Wagers that a sign allows and refuses, and amounts that no sign can hold."""

import pytest

from rules.limits import Limits, ante_refused, bet_refused, jackpot_refused, second_wager_refused
from rules.settings import Settings

SIGN = Limits(ante_min_cents=1000, ante_max_cents=5000, ante_unit_cents=500)

ANTES = """
999   CSP 6.1
1000  -
1250  CSP 6.1
1500  -
5000  -
5500  CSP 6.1
0     CSP 6.1
-1000 CSP 6.1
"""


@pytest.mark.parametrize("line", ANTES.strip().splitlines())
def test_antes_before_the_first_card(line: str) -> None:
    """CSP 6.1: between minimum and maximum, in the unit above the minimum that the sign states."""
    cents, expected = line.split(maxsplit=1)
    refused = ante_refused(int(cents), SIGN)
    assert (refused.rule if refused else "-") == expected
    assert refused is None or cents in refused.reason


def test_a_sign_without_a_unit_takes_any_amount() -> None:
    """CSP 6.1: unless the sign says so, wagers need not be in a unit, nor have they a maximum."""
    assert ante_refused(1001, Limits(ante_min_cents=1000)) is None
    assert ante_refused(10**12, Limits()) is None


@pytest.mark.parametrize(
    ("jackpot", "ante", "rule"),
    [(100, 1000, None), (99, 1000, "CSP 5.4"), (200, 1000, "CSP 5.4"), (100, None, "CSP 11.1"), (99, None, "CSP 11.1")],
)
def test_jackpot_wagers(jackpot: int, ante: int | None, rule: str | None) -> None:
    """CSP 5.4, 11.1: the correct denomination, and an ante first."""
    refused = jackpot_refused(jackpot, ante, 100)
    assert (refused.rule if refused else None) == rule


@pytest.mark.parametrize(("bet", "rule"), [(2000, None), (1999, "CSP 5.6"), (2001, "CSP 5.6"), (1000, "CSP 5.6")])
def test_bets_before_the_dealers_cards_are_turned(bet: int, rule: str | None) -> None:
    """CSP 5.6, 14.11: exactly twice the ante, or it is corrected or folded."""
    refused = bet_refused(bet, 1000)
    assert (refused.rule if refused else None) == rule


def test_one_wager_an_area() -> None:
    """CSP 5.9: a second wager on the same area is refused with its rule."""
    assert second_wager_refused("ante").rule == "CSP 5.9"


@pytest.mark.parametrize(
    "sign",
    [
        {"ante_min_cents": 0},
        {"ante_unit_cents": 0},
        {"ante_max_cents": -5},
        {"bet_max_cents": 0},
        {"jackpot_cents": 10**12 + 1},
        {"ante_min_cents": 2000, "ante_max_cents": 1000},
    ],
)
def test_a_sign_that_no_wager_can_comply_with_is_refused(sign: dict[str, int]) -> None:
    """A sign is refused with the field and its value."""
    with pytest.raises(ValueError, match=rf"^{list(sign)[-1]}: {list(sign.values())[-1]}: "):
        Limits(**sign)


def test_a_notice_of_nothing_is_refused() -> None:
    """CSP 10.2: a maximum payout of nothing would pay no bet."""
    with pytest.raises(ValueError, match=r"^max_payout_cents: 0: "):
        Settings(max_payout_cents=0)
