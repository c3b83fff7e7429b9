"""Every rule by which a round or a hand has no result, each by one call, whenever it is found (CSP 14, 15.2, 16)."""

import pytest

from rules.irregularities.voiding import SEATS, VOID_RULES
from tests.support.floor import Floor

WHOLE_ROUND = [rule.removeprefix("CSP ") for rule, scope in VOID_RULES.items() if scope != SEATS]
HANDS = [rule.removeprefix("CSP ") for rule, scope in VOID_RULES.items() if scope != "the whole round"]

FOUND = {
    "before the record": """
        T1 wagers 1: 3 4                                                       accepted
        T1 void 1: {own} rule={rule}                                           voided
    """,
    "after the record": """
        T1 wagers 1: 3 4                                                       accepted
        T1 record 1: 3=flush 4                                                 recorded
        T1 amend 1: {seats} rule={rule}                                        void_recorded
        hit T1/1/1/3/house state                                               released
    """,
    "after another table's royal took the meter": """
        T1 wagers 1: 3 4                                                       accepted
        T1 record 1: 3=flush 4                                                 recorded
        T2 wagers 1: 1                                                         accepted
        T2 record 1: 1=royal_flush                                             recorded
        T1 amend 1: {seats} rule={rule}                                        void_recorded
        pool main epoch                                                        2
    """,
    "of yesterday's round, while today's is played": """
        T1 wagers 1: 3 4                                                       accepted
        T1 record 1: 3=flush 4                                                 recorded
        pay_out T1/1/1/3/house                                                 paid
        wait 90000                                                             over
        T1 wagers 2: 1                                                         accepted
        T1 amend 1: {seats} rule={rule}                                        {paid}
    """,
    "with its hit pending": """
        T1 wagers 1: 3 4                                                       accepted
        T1 record 1: 3=straight_flush 4                                        recorded
        T1 amend 1: {seats} rule={rule}                                        void_recorded
        hit T1/1/1/3/main state                                                released
        balance payable/T1/1/1/3/main                                          0
    """,
    "with its hit paid": """
        T1 wagers 1: 3 4                                                       accepted
        T1 record 1: 3=straight_flush 4                                        recorded
        pay_out T1/1/1/3/main                                                  paid
        T1 amend 1: {seats} rule={rule}                                        {paid}
        hit T1/1/1/3/main state                                                paid
    """,
}


@pytest.mark.parametrize("rule", WHOLE_ROUND)
@pytest.mark.parametrize("story", FOUND.values(), ids=FOUND.keys())
def test_a_round_without_a_result(story: str, rule: str) -> None:
    """Both wagers go back by one call, whatever has become of the round since; the same money by every rule."""
    floor = Floor()
    floor.play(story.format(own="", seats="", rule=rule, paid="void_recorded"))
    others = sum(len(batch.rows.wagers.table) for batch in floor.batches) - 1
    assert floor.balance("wagers") == -100_000_000 * others
    assert sum(balance.microcents for balance in floor.state.balances.values()) == 0


@pytest.mark.parametrize("rule", HANDS)
@pytest.mark.parametrize("story", FOUND.values(), ids=FOUND.keys())
def test_a_hand_without_a_result(story: str, rule: str) -> None:
    """One seat's wager goes back by one call, the other stays; but a settled hand's stands under 14.20.3."""
    floor = Floor()
    settled = rule == "14.20" and "paid" in story
    floor.play(story.format(own="3", seats="3", rule=rule, paid="not_offered" if settled else "void_recorded"))
    taken = 2 + sum(len(batch.rows.wagers.table) for batch in floor.batches) - 1
    assert floor.balance("wagers") == -100_000_000 * (taken - (not settled))
    assert sum(balance.microcents for balance in floor.state.balances.values()) == 0


def test_wagers_that_nobody_answered() -> None:
    """The table goes on without them: one word takes them out, also where the answer was lost on the way (11.2)."""
    Floor().play("""
        T1 wagers 1: 3 4                                                       accepted
        T1 withdraw 1:                                                         withdrawn
        balance wagers                                                         0
        meter                                                                  50,000.00
        T1 record 1: 3=royal_flush 4                                           recorded
        award 3 amount_cents                                                   none
    """)
