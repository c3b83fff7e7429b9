"""The one list of rules under which a linked round or hand has no result, against the book's rows (CSP 14, 15, 16)."""

import pytest

from rules.irregularities.caribbean_stud import ROWS
from rules.irregularities.rows import Irregularity
from rules.irregularities.voiding import FORFEITS, SEATS, VOID_RULES, WHOLE, void_fault, voids

GIVEN_BACK = [row for row in ROWS if "jackpot" in row.returns]
STANDING = [row for row in ROWS if "jackpot" in row.stands]


def listed(rule: str) -> set[str]:
    """The rules of the list that a clause is, or stands below."""
    return {known for known in VOID_RULES if rule == known or rule.startswith(f"{known}.")}


@pytest.mark.parametrize("row", GIVEN_BACK, ids=lambda row: row.kind)
def test_what_gives_wagers_back_is_listed_for_so_much(row: Irregularity) -> None:
    """Of whom all wagers go back by the book's row, a round or one player, that much is void by the list."""
    (rule,) = listed(row.rule)
    assert voids(rule, [] if row.whose == "round" else [3])
    assert VOID_RULES[rule] != (SEATS if row.whose == "round" else WHOLE)


@pytest.mark.parametrize("row", STANDING, ids=lambda row: row.kind)
def test_where_wagers_stand_nothing_is_void(row: Irregularity) -> None:
    """No rule under which play goes on voids anything; 14.20.3 speaks of hands that are settled."""
    assert row.rule not in VOID_RULES
    assert not voids(row.rule, [])
    assert not voids(row.rule, [3])


@pytest.mark.parametrize("seats", [(), (3,)])
def test_words_name_what_is_given_and_what_is_possible(seats: tuple[int, ...]) -> None:
    """A fault names the rule given and each that would do; where there is none, nothing is said."""
    possible = {rule for rule in VOID_RULES if voids(rule, seats)}
    for rule in (*VOID_RULES, FORFEITS, "CSP 17.1", "hello", ""):
        fault = void_fault(rule, seats)
        assert bool(fault) == (rule not in possible)
        assert not fault or (
            fault.startswith(f"{rule} voids ")
            and fault.partition(" under ")[2] == ", ".join(each for each in VOID_RULES if each in possible)
        )
