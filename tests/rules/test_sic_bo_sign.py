"""The sign of a Sic Bo table, its closing, and its colour checks."""

from typing import Any

import pytest

from rules.games.sic_bo import AREAS, Limits, wager_refused
from rules.games.sic_bo.colour_checks import (
    Issue,
    Rack,
    issue_refused,
    needs_marker,
    redemption_refused,
    wager_refused_at,
)
from rules.rounds import OpenWager

SIGN = Limits(
    min_cents={"table": 500, "total": 200},
    max_cents={"table": 10_000, "total": 5_000, "total_4": 1_000},
    unit_cents={"single_die": 250},
    streak_cents=1_000,
    offered=("odd", "super_streak"),
)

WAGERS = """
small            499    | 4.1
small            500    |
small            501    |
small            10000  |
small            10001  | 4.1
odd              500    |
even             500    | 3.3
four_numbers_1_2_3_4 500 | 3.3
total_4          199    | 4.1
total_4          200    |
total_4          1000   |
total_4          1001   | 4.1
total_5          5000   |
total_5          5001   | 4.1
single_die_3     500    |
single_die_3     750    |
single_die_3     600    | 4.1
super_streak_odd 1000   |
super_streak_odd 999    | 6.7
super_streak_odd 1001   | 6.7
"""


@pytest.mark.parametrize("line", WAGERS.strip().splitlines())
def test_wagers_before_no_more_bets(line: str) -> None:
    """SIC 3.3, 4.1, 6.7: by the row of the area, the kind of bet or the table; a streak has one amount."""
    what, _, rule = line.partition("|")
    wager, cents = what.split()
    refused = wager_refused(wager, int(cents), SIGN)
    assert (refused.rule if refused else "") == (f"SIC {rule.strip()}" if rule.strip() else "")


def test_a_player_may_have_a_sign_of_his_own() -> None:
    """SIC 4.6: above the table's maximum by a sign for one player; a streak keeps its amount."""
    assert wager_refused("small", 50_000, SIGN, 2_000, 100_000) is None
    for cents in (1_500, 100_001):
        refused = wager_refused("small", cents, SIGN, 2_000, 100_000)
        assert refused is not None
        assert refused.rule == "SIC 4.6"
    assert wager_refused("small", 500, SIGN, None, 100_000) is None
    assert wager_refused("small", 10_000, SIGN, 2_000, None) is None
    assert wager_refused("super_streak_odd", 1_000, SIGN, 2_000, 100_000) is None


def test_a_sign_that_says_nothing_takes_any_wager() -> None:
    """SIC 4.1: unless the sign states it, there is no minimum, maximum or unit, and every bet is offered."""
    assert {wager_refused(wager, 1, Limits()) for wager in AREAS} == {None}
    assert wager_refused("super_streak_big", 10**12, Limits()) is None


IMPOSSIBLE: list[tuple[dict[str, Any], str]] = [
    ({"min_cents": {"table": 0}}, "min_cents.table: 0: "),
    ({"max_cents": {"total_4": 0}}, "max_cents.total_4: 0: "),
    ({"unit_cents": {"table": -1}}, "unit_cents.table: -1: "),
    ({"min_cents": {"total": 500}, "max_cents": {"table": 400}}, "max_cents.table: 400: below the minimum of 500"),
    ({"max_cents": {"roulette": 1}}, "max_cents.roulette: roulette: "),
    ({"max_cents": {"super_streak_big": 1}}, "max_cents.super_streak_big: super_streak_big: "),
    ({"streak_cents": 0}, "streak_cents: 0: "),
    ({"player_max_cents": 10**13}, "player_max_cents: 10000000000000: "),
    ({"offered": ("even", "roulette")}, "offered: roulette: "),
]


@pytest.mark.parametrize(("changes", "words"), IMPOSSIBLE)
def test_a_sign_that_no_wager_could_comply_with_is_none(changes: dict[str, Any], words: str) -> None:
    """SIC 4.1: an amount that is none, a maximum below its minimum, a row that no layout has."""
    with pytest.raises(ValueError, match="^" + words):
        Limits(**changes)


STREAK = (OpenWager(1, "super_streak_big", 500, 4),)
RACK = Rack("T1", ("red", "blue", "green")).issuing(Issue(1, "red", 500))
ISSUES = """
2 blue  100  -          |
2 blue  0    -          | 3.9
2 pink  100  -          | 3.5
2 red   100  -          | 3.8
2 red   100  agreed=1   | 3.8
2 red   100  agreed=2   | 3.8
2 red   100  agreed=1,2 |
1 red   500  -          |
1 red   100  -          | 3.10
1 blue  500  -          | 3.10
1 blue  500  supervisor |
1 blue  100  supervisor | 3.10
1 blue  500  supervisor waiting=1 |
1 blue  500  supervisor waiting=2 | 3.10
"""


@pytest.mark.parametrize("line", ISSUES.strip().splitlines())
def test_colour_checks_are_issued(line: str) -> None:
    """SIC 3.5, 3.8 to 3.10: each player a colour of the table; shared, or a second, only as the rules allow."""
    what, _, rule = line.partition("|")
    seat, colour, value, *more = what.split()
    given = dict(part.partition("=")[::2] for part in more)
    refused = issue_refused(
        Issue(int(seat), colour, int(value)),
        RACK,
        agreed=[int(each) for each in given.get("agreed", "").split(",") if each],
        supervisor="supervisor" in given,
        waiting=int(given.get("waiting", "0")),
    )
    assert (refused.rule if refused else "") == (f"SIC {rule.strip()}" if rule.strip() else "")


def test_colour_checks_stay_at_their_table() -> None:
    """SIC 3.6, 3.7: wagered at their table only; redeemed there too, or elsewhere while the table is closed."""
    assert wager_refused_at(RACK, "T1") is None
    elsewhere = wager_refused_at(RACK, "T2")
    assert elsewhere is not None
    assert elsewhere.rule == "SIC 3.6"
    assert redemption_refused(RACK, "T1") is None
    assert redemption_refused(RACK, "T2", table_closed=True) is None
    refused = redemption_refused(RACK, "T2")
    assert refused is not None
    assert refused.rule == "SIC 3.7"
    assert RACK.redeemed(1, "red").issued == ()
    assert RACK.redeemed(1, "blue") == RACK


def test_a_marker_denotes_a_value_above_the_table_minimum() -> None:
    """SIC 3.9: colour checks worth more than the table minimum have a marker button with their value."""
    assert [needs_marker(cents, 500) for cents in (499, 500, 501)] == [False, False, True]
