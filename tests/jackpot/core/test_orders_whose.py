"""Whose a wager is once people have said which prize came first, or a jackpot has left its own round's wagers out.

A void takes a wager's 22 cents out of the pool while they are in there, and out of the reserve while a winner has them
who was paid the meter they were in (`void_after_award`). Who was paid less by them has not got them.
"""

import pytest

from tests.support.floor import Floor
from tests.support.terms import with_rulings

FROM_THE_POOL, WITH_A_WINNER = (-22_000_000, -8_000_000), (0, -30_000_000)
"""What a void of one wager moves on the pool and on the reserve."""
RELEASED = "by=Mo with=Ny reason=film rule=11.4                                released"

BEHIND = """
        T1 wagers 1: 1                                                         accepted
        T4 wagers 1: 1                                                         accepted
        T3 wagers 1: 1                                                         accepted
        T2 wagers 1: 1                                                         accepted
        T2 record 1: 1=straight_flush                                          recorded
        T4 record 1: 1=royal_flush                                             recorded
        T1 record 1: 1=royal_flush                                             recorded
        T3 record 1: 1                                                         recorded
        decide T1/1/1/1/main order=wagers                                      ordered
        hit T1/1/1/1/main amount_cents                                         5000088
"""
"""T1's royal comes first and has all four wagers; T2's tenth and T4's royal come after it."""
FIRST_OF_ALL = """
        T1 wagers 1: 1                                                         accepted
        T2 wagers 1: 1                                                         accepted
        T3 wagers 1: 1                                                         accepted
        T4 wagers 1: 1                                                         accepted
        T2 record 1: 1=straight_flush                                          recorded
        T4 record 1: 1=royal_flush                                             recorded
        decide T4/1/1/1/main order=wagers                                      ordered
        hit T4/1/1/1/main amount_cents                                         5000088
        T1 record 1: 1=royal_flush                                             recorded
        T3 record 1: 1                                                         recorded
"""
"""T4's royal comes before T2's tenth; then T1's is recorded, whose wagers were accepted before either."""
ORDERS = {
    "what is put before a prize that is behind another has not what that one had, nor once it went back": (
        f"""
        {BEHIND}
        release T1/1/1/1/main {RELEASED}
        decide T4/1/1/1/main order=wagers by=Qu with=Ru                        ordered
        hit T4/1/1/1/main amount_cents                                         5000000
        hit T2/1/1/1/main amount_cents                                         500000
        meter                                                                  45,000.88
        """,
        FROM_THE_POOL,
    ),
    "nor while that one stands": (
        f"""
        {BEHIND}
        decide T4/1/1/1/main order=wagers by=Qu with=Ru                        ordered
        release T4/1/1/1/main {RELEASED}
        """,
        WITH_A_WINNER,
    ),
    "it went back after both were put first": (
        f"""
        {BEHIND}
        decide T4/1/1/1/main order=wagers by=Qu with=Ru                        ordered
        release T1/1/1/1/main {RELEASED}
        """,
        FROM_THE_POOL,
    ),
    "who is put before all others has the meter of the first of them as they stand, not as they were recorded": (
        f"""
        {FIRST_OF_ALL}
        decide T1/1/1/1/main order=wagers by=Qu with=Ru                        ordered
        hit T1/1/1/1/main amount_cents                                         5000088
        hit T4/1/1/1/main amount_cents                                         5000000
        hit T2/1/1/1/main amount_cents                                         500000
        release T4/1/1/1/main {RELEASED}
        """,
        WITH_A_WINNER,
    ),
    "and when it goes back the wagers are in the pool": (
        f"""
        {FIRST_OF_ALL}
        decide T1/1/1/1/main order=wagers by=Qu with=Ru                        ordered
        release T1/1/1/1/main {RELEASED}
        """,
        FROM_THE_POOL,
    ),
}


def test_both_orders_are_worked_out_from_the_first_as_they_stand() -> None:
    """T4's royal stands first of all when T1's is recorded: T1's would have all that T4's was paid (PROTOCOL 7)."""
    floor = Floor(with_rulings(order_of_hits="lock"), ("T1", "T2", "T3", "T4"))
    floor.play(FIRST_OF_ALL)
    told = [fact.figures["differences"] for fact in floor.facts if fact.kind == "disputed"]
    t1, t4 = "T1/1/1/1/main", "T4/1/1/1/main"
    assert told[-1] == [f"main: by commit {t4} 5000088, {t1} 5000000; by wagers {t1} 5000088, {t4} 5000000"]


def test_one_before_the_other_before_the_third() -> None:
    """Each that is put first comes before all that were put first before it."""
    floor = Floor(with_rulings(order_of_hits="lock"), ("T1", "T2", "T3", "T4", "T5"))
    floor.play(f"""
        T5 wagers 1: 1                                                         accepted
        {FIRST_OF_ALL.replace("5000088", "5000110")}
        decide T1/1/1/1/main order=wagers by=Qu with=Ru                        ordered
        T5 record 1: 1=royal_flush                                             recorded
        decide T5/1/1/1/main order=wagers by=Su with=Tu                        ordered
        hit T5/1/1/1/main amount_cents                                         5000110
        hit T1/1/1/1/main amount_cents                                         5000000
        hit T4/1/1/1/main amount_cents                                         5000000
        hit T2/1/1/1/main amount_cents                                         500000
        meter                                                                  45,000.00
        release T1/1/1/1/main {RELEASED}
    """)
    assert voided(floor, "T3 amend 1: rule=14.4") == WITH_A_WINNER


def voided(floor: Floor, line: str) -> tuple[int, int]:
    """What a void moves on the pool and on the reserve, which has enough."""
    floor.play(f"given reserve 100000000  so\n{line}  void_recorded")
    moved = {one.account: int(one.microcents) for one in floor.last.moved}
    return moved.get("pool/main", 0), moved.get("reserve", 0)


@pytest.mark.parametrize(("story", "moved"), ORDERS.values(), ids=ORDERS.keys())
def test_whose_it_is_in_the_order_that_holds(story: str, moved: tuple[int, int]) -> None:
    """T3's wager was in T2's meter when that was recorded; who stands first of that meter now has it."""
    floor = Floor(with_rulings(order_of_hits="lock"), ("T1", "T2", "T3", "T4"))
    floor.play(story)
    assert voided(floor, "T3 amend 1: rule=14.4") == moved


ROYAL = """
        T2 wagers 1: 1                                                         accepted
        T1 wagers 1: 1 2                                                       accepted
        T1 record 1: 1=royal_flush 2                                           recorded
        hit T1/1/1/1/main amount_cents                                         5000022
        meter                                                                  50,000.44
"""
"""T1's royal is without T1's own 44 cents: they are in the pool with the seed. T2's 22 it has."""
NEXT = """
        T3 wagers 1: 1                                                         accepted
        T3 record 1: 1=royal_flush                                             recorded
        hit T3/1/1/1/main amount_cents                                         5000044
"""
LEFT_OUT = {
    "in the pool": (ROYAL, FROM_THE_POOL),
    "with the next winner": (f"{ROYAL}{NEXT}", WITH_A_WINNER),
    "with the next winner, and the first went back": (
        f"{ROYAL}{NEXT}\nrelease T1/1/1/1/main {RELEASED}",
        WITH_A_WINNER,
    ),
    "in the pool again, from the next winner": (f"{ROYAL}{NEXT}\nrelease T3/1/1/1/main {RELEASED}", FROM_THE_POOL),
    "in the pool, once more": (
        f"{ROYAL}{NEXT}\nT3 correct 1: 1  corrected\nT1 correct 1: 1 2  corrected",
        FROM_THE_POOL,
    ),
    "in the pool, as the same round has another royal": (
        f"{ROYAL}\nT1 correct 1: 1=royal_flush 2=royal_flush  corrected\nmeter  50,000.44",
        FROM_THE_POOL,
    ),
    "in the meter of a royal put first, with whom comes after it": (
        """
        T1 wagers 1: 1 2                                                       accepted
        T2 wagers 1: 1                                                         accepted
        T2 record 1: 1=royal_flush                                             recorded
        hit T2/1/1/1/main amount_cents                                         5000044
        T1 record 1: 1=royal_flush 2                                           recorded
        hit T1/1/1/1/main amount_cents                                         5000022
        decide T1/1/1/1/main order=wagers                                      ordered
        hit T1/1/1/1/main amount_cents                                         5000022
        hit T2/1/1/1/main amount_cents                                         5000044
        meter                                                                  50,000.00
        """,
        WITH_A_WINNER,
    ),
    "in the meter of a royal put first, and who came after it went back": (
        f"""
        T1 wagers 1: 1 2                                                       accepted
        T2 wagers 1: 1                                                         accepted
        T2 record 1: 1=royal_flush                                             recorded
        T1 record 1: 1=royal_flush 2                                           recorded
        decide T1/1/1/1/main order=wagers                                      ordered
        release T2/1/1/1/main {RELEASED}
        """,
        FROM_THE_POOL,
    ),
    "in the meter of a royal put first, with whom is put first of those who come after it": (
        f"""
        T1 wagers 1: 1 2                                                       accepted
        T3 wagers 1: 1                                                         accepted
        T2 wagers 1: 1                                                         accepted
        T2 record 1: 1=royal_flush                                             recorded
        T3 record 1: 1=royal_flush                                             recorded
        T1 record 1: 1=royal_flush 2                                           recorded
        decide T1/1/1/1/main order=wagers                                      ordered
        hit T1/1/1/1/main amount_cents                                         5000044
        hit T2/1/1/1/main amount_cents                                         5000044
        decide T3/1/1/1/main order=wagers by=Qu with=Ru                        ordered
        hit T3/1/1/1/main amount_cents                                         5000044
        hit T2/1/1/1/main amount_cents                                         5000000
        release T2/1/1/1/main {RELEASED}
        """,
        WITH_A_WINNER,
    ),
    "in the meter of a royal put before a tenth": (
        """
        T1 wagers 1: 1 2                                                       accepted
        T2 wagers 1: 1                                                         accepted
        T2 record 1: 1=straight_flush                                          recorded
        T1 record 1: 1=royal_flush 2                                           recorded
        decide T1/1/1/1/main order=wagers                                      ordered
        hit T1/1/1/1/main amount_cents                                         5000022
        """,
        FROM_THE_POOL,
    ),
}


@pytest.mark.parametrize(("story", "moved"), LEFT_OUT.values(), ids=LEFT_OUT.keys())
def test_whose_a_wager_is_that_its_rounds_jackpot_leaves_out(story: str, moved: tuple[int, int]) -> None:
    """It is not with the winner who was not paid it: it stays in the pool, for whoever is paid of that next (7.2)."""
    floor = Floor(with_rulings(meter_includes_this_round=False, order_of_hits="lock"))
    floor.play(story)
    assert voided(floor, "T1 amend 1: 2 rule=14.8 revision=3") == moved


def test_a_minimum_that_took_of_it_too_has_it() -> None:
    """Where the pool pays the minimum as far as it goes, nothing is left out that it has taken (`topup_paid_by`)."""
    floor = Floor(with_rulings(meter_includes_this_round=False, topup_paid_by="pool"))
    floor.play("""
        T2 wagers 1: 1                                                         accepted
        T2 record 1: 1=straight_flush                                          recorded
        T1 wagers 1: 1 2                                                       accepted
        T1 record 1: 1=royal_flush 2                                           recorded
        meter                                                                  50,000.00
    """)
    assert voided(floor, "T1 amend 1: 2 rule=14.8") == WITH_A_WINNER


def test_fewer_winners_minimums_take_none_of_it() -> None:
    """Three minimums took it too; one winner stands at the end, and is paid the jackpot without it (12.3, 7.2)."""
    floor = Floor(with_rulings(meter_includes_this_round=False, topup_paid_by="pool"))
    floor.play("""
        T1 wagers 1: 1 2 3 4                                                   accepted
        T1 record 1: 1=royal_flush 2=royal_flush 3=royal_flush 4               recorded
        hit T1/1/1/3/main from_pool_cents                                      1666756
        hit T1/1/1/2/main from_pool_cents                                      1666666
        meter                                                                  50,000.00
        T1 correct 1: 1=royal_flush 2 3 4                                      corrected
        hit T1/1/1/1/main from_pool_cents                                      5000000
        meter                                                                  50,000.88
    """)
    assert voided(floor, "T1 amend 1: 4 rule=14.8 revision=3") == FROM_THE_POOL
