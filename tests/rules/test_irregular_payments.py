"""Over- and underpayments, the month-end list, kept stakes, and directions against collusion."""

from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from rules.irregularities.collusion import Direction, joining_refused
from rules.irregularities.months import ListedError, ListedStake, Where, missing_of, month_list
from rules.irregularities.payments import KeptStake, PaymentError, duties, is_breach, listed

NOVEMBER = date(2026, 11, 3)
OVER = PaymentError("CSP", 3, "bet", 2000, 102_001, day=NOVEMBER)


@pytest.mark.parametrize(
    ("changes", "rule"),
    [
        ({}, "CSP 14.19"),
        ({"paid_cents": 102_000}, None),
        ({"owed_cents": 100_001, "paid_cents": 0}, "CSP 14.19"),
        ({"owed_cents": 100_000, "paid_cents": 0}, None),
        ({"suspected": True, "answer": "rectified"}, "CSP 14.19"),
        ({"book": "TCP"}, "TCP 12.15.2"),
        ({"book": "SIC"}, "SIC 8.13"),
        ({"book": "FCP"}, None),
        ({"book": "WAR"}, None),
        ({"book": "FCP", "carded_play": "all_games"}, "TCP 12.15.2"),
        ({"book": "WAR", "carded_play": "all_games"}, "TCP 12.15.2"),
    ],
)
def test_what_goes_on_the_month_end_list(changes: dict[str, Any], rule: str | None) -> None:
    """CSP 14.19, TCP 12.15.2, SIC 8.13: each single error of more than $1,000.00, answered or not, intended or not."""
    error = replace(OVER, **changes)
    line = listed(error)
    assert (line and line.rule) == rule
    if line is not None:
        assert (line.what, line.cents) == ("overpayment" if error.over_cents > 0 else "underpayment", 100_001)
        assert (line.owed_cents, line.paid_cents, line.day) == (error.owed_cents, error.paid_cents, NOVEMBER)


def entry(where: Where = Where("CSP", "T1", 17), **changes: Any) -> ListedError:  # noqa: B008 - a frozen value
    """A line of a month's list."""
    line = listed(OVER)
    assert line is not None
    return ListedError(where, replace(line, **changes))


@pytest.mark.parametrize(
    ("day", "month", "mine"),
    [
        (date(2026, 11, 30), None, True),
        (date(2026, 10, 31), None, False),
        (date(2026, 12, 1), None, False),
        (date(2025, 11, 3), None, False),
        (None, date(2026, 11, 1), True),
        (None, None, False),
        (date(2026, 12, 1), date(2026, 11, 1), False),
    ],
)
def test_a_line_is_of_the_month_in_which_the_casino_became_aware(
    day: date | None, month: date | None, *, mine: bool
) -> None:
    """CSP 14.19: by its own day where it says one, else by the month of its round; never of two months."""
    found = month_list([entry(Where("CSP", "T1", 17, month), day=day)], [], NOVEMBER)
    assert bool(found.errors) == mine
    assert found.due == date(2026, 11, 30)


def test_the_list_is_in_order_with_its_totals() -> None:
    """CSP 14.19: by book, day, table, round and seat, with totals for each book; $1,000.00 exactly is not listed."""
    under = entry(day=date(2026, 11, 1), what="underpayment", cents=300_000)
    small = [entry(cents=cents) for cents in (100_000, 99_999, 1)]
    sic = entry(Where("SIC", "S1", 2), rule="SIC 8.13")
    found = month_list([sic, entry(), under, *small, entry(Where("CSP", "T0", 17))], [], NOVEMBER)
    assert [(each.where.table, each.line.cents) for each in found.errors] == [
        ("T1", 300_000),
        ("T0", 100_001),
        ("T1", 100_001),
        ("S1", 100_001),
    ]
    csp, of_sic = found.totals
    assert (csp.book, csp.overpaid_cents, csp.underpaid_cents, csp.errors) == ("CSP", 2 * 100_001, 300_000, 3)
    assert (of_sic.book, of_sic.overpaid_cents, of_sic.underpaid_cents, of_sic.errors) == ("SIC", 100_001, 0, 1)
    assert month_list([], [], date(2028, 2, 1)).due == date(2028, 2, 29)


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
    kept = KeptStake(3, "ante", 1000, "CSP 14.20.2", "A. Player", "another's Player Card", NOVEMBER)
    stakes = [ListedStake(Where("CSP", "T1", 17), each) for each in (replace(kept, seat=4, cents=2000), kept)]
    found = month_list([], [*stakes, ListedStake(Where("CSP"), replace(kept, day=date(2026, 12, 1)))], NOVEMBER)
    assert [each.line.seat for each in found.kept] == [3, 4]
    assert [(each.book, each.kept, each.kept_cents) for each in found.totals] == [("CSP", 2, 3000)]
    assert missing_of(kept) == ()
    assert missing_of(replace(kept, person=" ")) == ("person",)
    assert missing_of(replace(kept, person="", reason="")) == ("person", "reason")


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
