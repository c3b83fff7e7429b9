"""Over- and underpayments, the month-end list, kept stakes, and directions against collusion."""

from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from rules.irregularities.collusion import Direction, joining_refused
from rules.irregularities.payments import (
    KeptStake,
    PaymentError,
    duties,
    is_breach,
    kept_total_cents,
    month_end_list,
)

NOVEMBER = date(2026, 11, 3)
OVER = PaymentError("CSP", NOVEMBER, "T1", 17, 3, "bet", 2000, 102_001)


@pytest.mark.parametrize(
    ("changes", "listed"),
    [
        ({}, True),
        ({"paid_cents": 102_000}, False),
        ({"owed_cents": 100_001, "paid_cents": 0}, True),
        ({"owed_cents": 100_000, "paid_cents": 0}, False),
        ({"suspected": True, "answer": "rectified"}, True),
        ({"day": date(2026, 10, 31)}, False),
        ({"day": date(2026, 11, 30)}, True),
        ({"day": date(2025, 11, 3)}, False),
        ({"book": "TCP"}, True),
        ({"book": "SIC"}, True),
        ({"book": "FCP"}, False),
        ({"book": "WAR"}, False),
        ({"book": "WAR", "carded_play": "all_games"}, True),
    ],
)
def test_what_goes_on_the_month_end_list(changes: dict[str, Any], *, listed: bool) -> None:
    """CSP 14.19, TCP 12.15.2, SIC 8.13: each error of more than $1,000.00 that became known in the month."""
    found = month_end_list([replace(OVER, **changes)], NOVEMBER)
    assert bool(found.rows) == listed
    assert found.due == date(2026, 11, 30)


def test_the_list_is_in_order_with_its_totals() -> None:
    """CSP 14.19: by day, table, round and seat; small errors are never added up to a listed one."""
    under = replace(OVER, day=date(2026, 11, 1), owed_cents=300_000, paid_cents=0)
    small = [replace(OVER, round=number, paid_cents=52_000) for number in range(9)]
    found = month_end_list([OVER, under, *small, replace(OVER, table="T0")], NOVEMBER)
    assert [(error.day.day, error.table) for error in found.rows] == [(1, "T1"), (3, "T0"), (3, "T1")]
    assert (found.overpaid_cents, found.underpaid_cents) == (2 * 100_001, 300_000)
    assert month_end_list([], date(2028, 2, 1)).due == date(2028, 2, 29)


@pytest.mark.parametrize(
    ("changes", "breach", "owed"),
    [
        ({}, True, 1),
        ({"answer": "rectified"}, False, 0),
        ({"answer": "attempted"}, False, 0),
        ({"answer": "brought_to_nicc"}, False, 0),
        ({"suspected": True}, True, 2),
        ({"suspected": True, "answer": "rectified"}, True, 1),
        ({"suspected": True, "answer": "rectified", "patron_identified": True}, True, 0),
    ],
)
def test_when_an_error_is_a_breach(changes: dict[str, Any], *, breach: bool, owed: int) -> None:
    """CSP 14.16 to 14.18: none once it was no intention, and was answered; what is still to be done otherwise."""
    error = replace(OVER, **changes)
    assert is_breach(error) == breach
    assert len(duties(error)) == owed
    assert duties(replace(error, owed_cents=500, paid_cents=0, answer="none"))[0] == "reimburse 500 cents"


def test_what_is_no_error_is_refused() -> None:
    """An amount that was owed and paid is no error, and nothing is paid below nothing."""
    wrong: list[dict[str, Any]] = [{"paid_cents": 2000}, {"paid_cents": -1}, {"owed_cents": -1}]
    for changes in wrong:
        with pytest.raises(ValueError, match="cents"):
            replace(OVER, **changes)


def test_kept_stakes_are_a_list_with_person_reason_and_total() -> None:
    """CSP 14.20.2: what of invalid wagers was kept can be told, each with whose it was and why."""
    kept = KeptStake(NOVEMBER, "T1", 17, 3, "ante", 1000, "A. Player", "another's Player Card")
    assert kept_total_cents([kept, replace(kept, cents=2000)]) == 3000
    for name in ("person", "reason"):
        with pytest.raises(ValueError, match=name):
            kept_total_cents([replace(kept, person=" ") if name == "person" else replace(kept, reason=" ")])


PAIR = frozenset({"Ann", "Ben"})


def test_players_kept_apart_do_not_join() -> None:
    """CSP 14.13.2, TCP 12.11.2, FCP 12.12.2: only while one of them is at the table, and only who was named."""
    for book, rule in (("CSP", "CSP 14.13.2"), ("TCP", "TCP 12.11.2"), ("FCP", "FCP 12.12.2")):
        apart = [Direction(book, "apart", PAIR, "A. Lee", "signals")]
        refused = joining_refused("Ben", ["Ann", "Cal"], apart)
        assert refused is not None
        assert refused.rule == rule
        assert joining_refused("Ben", ["Cal", "Ben"], apart) is None
        assert joining_refused("Cal", ["Ann", "Ben"], apart) is None
    assert joining_refused("Ben", ["Ann"], [Direction("CSP", "play_first", PAIR, "A. Lee", "looks")]) is None


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"book": "WAR"}, "book"),
        ({"book": "SIC"}, "book"),
        ({"players": frozenset({"Ann"})}, "players"),
        ({"kind": "play_first", "players": frozenset()}, "players"),
        ({"person": " "}, "person"),
        ({"reason": ""}, "reason"),
    ],
)
def test_a_direction_has_a_book_people_and_a_reason(changes: dict[str, Any], field: str) -> None:
    """CSP 14.13: a direction that nobody could give is refused, with the field."""
    given: dict[str, Any] = {"book": "CSP", "kind": "apart", "players": PAIR, "person": "A. Lee", "reason": "signals"}
    assert Direction(**(given | {"kind": "english_only", "players": frozenset()})).rule == "CSP 14.13.3"
    with pytest.raises(ValueError, match=f"^{field}: "):
        Direction(**(given | changes))
