"""What becomes of a hit that falls away: rejected, released, forfeited, and of the round's other winners (12.3)."""

import pytest

from tests.support.floor import Floor
from tests.support.terms import with_prize, with_rulings

STORIES = {
    "a royal released after verification failed: pool, reserve and seed as they were, growth kept (case 22)": """
        T2 wagers 1: 1 2 3                                                     accepted
        T1 wagers 1: 3                                                         accepted
        T1 record 1: 3=royal_flush                                             recorded
        T3 wagers 1: 5                                                         accepted
        meter                                                                  50,000.22
        reject T1/1/1/3/main by=Ann with=Bob reason=card rule=11.4             rejected
        meter                                                                  50,000.22
        release T1/1/1/3/main by=Cy with=Dee reason=card rule=11.4             released
        meter                                                                  50,001.10
        balance reserve                                                        40000000
        balance house                                                          -5000000000000
        balance payable/T1/1/1/3/main                                          0
        balance wagers                                                         -500000000
        hit T1/1/1/3/main state                                                released
        pool main epoch                                                        2
        T1 wagers 2: 1                                                         accepted
    """,
    "a straight flush released from disputed or verified goes back whole": """
        T1 wagers 1: 3                                                         accepted
        T1 record 1: 3=straight_flush                                          recorded
        verify T1/1/1/3/main by=Eve                                            verified
        release T1/1/1/3/main by=Ann with=Bob reason=card rule=11.4            released
        meter                                                                  50,000.22
        release T1/1/1/3/main by=Cy with=Dee reason=card rule=11.4             illegal_move
    """,
    "two royals at 100,000.00, seat 2 not their own card: seat 5 gets 50,000.00 more (case 59)": """
        T1 wagers 1: 2 5                                                       accepted
        given pool/main 10000000000000                                         so
        T1 record 1: 2=royal_flush 5=royal_flush                               recorded
        reject T1/1/1/2/main by=Ann with=Bob reason=card rule=16.1             rejected
        hit T1/1/1/5/main amount_cents                                         5000000
        release T1/1/1/2/main by=Cy with=Dee reason=card rule=16.1             released
        raised T1/1/1/5/main                                                   5000000
        hit T1/1/1/5/main amount_cents                                         10000000
        hit T1/1/1/5/main state                                                pending
        hit T1/1/1/5/main marks                                                share
        balance payable/T1/1/1/5/main                                          10000000000000
        meter                                                                  50,000.00
    """,
    "the other was paid already: it gets the difference all the same, and is paid that (case 59)": """
        T1 wagers 1: 2 5                                                       accepted
        given pool/main 10000000000000                                         so
        T1 record 1: 2=royal_flush 5=royal_flush                               recorded
        pay_out T1/1/1/5/main                                                  paid
        release T1/1/1/2/main by=Ann with=Bob reason=card rule=16.1            released
        hit T1/1/1/5/main state                                                verified
        hit T1/1/1/5/main amount_cents                                         10000000
        hit T1/1/1/5/main approvers                                            4
        balance payable/T1/1/1/5/main                                          5000000000000
        approve T1/1/1/5/main by=Hal with=Ian                                  approved
        pay T1/1/1/5/main by=Jo                                                paid
        balance paid                                                           10000000000000
        balance payable/T1/1/1/5/main                                          0
    """,
    "an odd cent that stayed goes to the one who is left: the meter falls for an award (case 23)": """
        T1 wagers 1: 2 5                                                       accepted
        given pool/main 10000001000000                                         so
        T1 record 1: 2=royal_flush 5=royal_flush                               recorded
        meter                                                                  50,000.01
        release T1/1/1/2/main by=Ann with=Bob reason=card rule=11.4            released
        hit T1/1/1/5/main amount_cents                                         10000001
        meter                                                                  50,000.00
        pool main last_fall_cause                                              award
    """,
    "a straight flush rejected beside a royal: the royal gets its tenth": """
        T1 wagers 1: 2 5                                                       accepted
        given pool/main 10000000000000                                         so
        T1 record 1: 2=straight_flush 5=royal_flush                            recorded
        hit T1/1/1/5/main amount_cents                                         9000000
        release T1/1/1/2/main by=Ann with=Bob reason=card rule=14.20           released
        hit T1/1/1/5/main amount_cents                                         10000000
        pool main epoch                                                        2
        meter                                                                  50,000.00
    """,
    "one of two straight flushes: the other's minimum comes from the pool now, its top-up goes back": """
        T1 wagers 1: 2 5                                                       accepted
        T1 record 1: 2=straight_flush 5=straight_flush                         recorded
        hit T1/1/1/5/main topup_cents                                          24996
        balance house                                                          -5049992000000
        release T1/1/1/2/main by=Ann with=Bob reason=card rule=11.4            released
        hit T1/1/1/5/main amount_cents                                         500004
        hit T1/1/1/5/main topup_cents                                          0
        raised T1/1/1/5/main                                                   4
        balance house                                                          -5000000000000
        balance payable/T1/1/1/5/main                                          500004000000
        meter                                                                  45,000.40
    """,
    "the second table's royal keeps its amount, the difference is on record (case 41)": """
        T1 wagers 1: 1                                                         accepted
        given pool/main 10000000000000                                         so
        T1 record 1: 1=straight_flush                                          recorded
        T2 wagers 1: 1                                                         accepted
        T2 record 1: 1=royal_flush                                             recorded
        hit T2/1/1/1/main amount_cents                                         9000022
        pay_out T2/1/1/1/main                                                  paid
        release T1/1/1/1/main by=Ann with=Bob reason=card rule=11.4            released
        later T2/1/1/1/main                                                    1000000
        hit T2/1/1/1/main amount_cents                                         9000022
        hit T2/1/1/1/main state                                                paid
        meter                                                                  60,000.00
    """,
    "a correction is known by itself, whatever falls after it: a room is told of both (PROTOCOL 6)": """
        T2 wagers 1: 1                                                         accepted
        T2 record 1: 1=straight_flush                                          recorded
        pool main corrected                                                    0
        T1 wagers 1: 3                                                         accepted
        T1 record 1: 3=royal_flush                                             recorded
        T3 wagers 1: 5                                                         accepted
        meter                                                                  50,000.22
        release T1/1/1/3/main by=Cy with=Dee reason=card rule=11.4             released
        meter                                                                  45,000.64
        pool main last_fall_cause                                              release
        pool main last_fall_commit                                             13
        pool main corrected                                                    13
        T3 withdraw 1:                                                         withdrawn
        meter                                                                  45,000.42
        pool main last_fall_cause                                              reversal
        pool main corrected                                                    13
    """,
    "a minor's prize is forfeited to the fund the law names": """
        T1 wagers 1: 1                                                         accepted
        T1 record 1: 1=straight_flush                                          recorded
        forfeit T1/1/1/1/main by=Ann with=Bob reason=minor rule=16.4           forfeited
        balance forfeited                                                      500002000000
        balance payable/T1/1/1/1/main                                          0
        meter                                                                  45,000.20
        release T1/1/1/1/main by=Cy with=Dee reason=card rule=11.4             illegal_move
    """,
    "what is refused": """
        T1 wagers 1: 1                                                         accepted
        T1 record 1: 1=straight_flush                                          recorded
        reject T1/1/1/1/main by=Ann reason=card rule=11.4                      name_needed
        reject T1/1/1/1/main by=Ann with=ann reason=card rule=11.4             same_person
        reject T1/1/1/1/main by=Ann with=Bob rule=11.4                         reason_needed
        reject T1/1/1/1/main by=Ann with=Bob reason=card                       no_such_rule
        reject T1/1/1/1/main by=Ann with=Bob reason=card rule=9.5              no_such_rule
        verify T1/1/1/1/main by=Ann                                            verified
        release T1/1/1/1/main by=Ann with=Bob reason=card rule=11.4            same_person
        pay T1/1/1/1/main by=Bob                                               illegal_move
        balance payable/T1/1/1/1/main                                          500002000000
    """,
}


@pytest.mark.parametrize("story", STORIES.values(), ids=STORIES.keys())
def test_a_hit_that_falls_away(story: str) -> None:
    """Each line comes to its last word."""
    Floor().play(story)


def test_the_repeat_brings_the_hit_as_it_is_now() -> None:
    """Case 62: the stored answer says what was decided then, its envelope that no hit is open any more."""
    floor = Floor()
    floor.play("""
        T1 wagers 1: 1                                                         accepted
        T1 record 1: 1=straight_flush                                          recorded
    """)
    (first,) = floor.decide(floor.sent[-1])
    assert [hit.state for hit in first.hits] == ["pending"]
    floor.play("release T1/1/1/1/main by=Ann with=Bob reason=card rule=11.4  released")
    record = next(command for command in floor.sent if "/record/" in command.id)
    (again,) = floor.decide(record)
    assert (again.answer, again.receipt) == (first.answer, first.receipt)
    assert again.hits == ()


def test_an_employees_share_may_be_kept() -> None:
    """`rejected_share` kept: under 16.15, where the hand qualified, the share goes to the pool; else to the others."""
    for rule, amount, meter in (("16.15", "5000000", "100,000.00"), ("16.1", "10000000", "50,000.00")):
        Floor(with_rulings(rejected_share="kept")).play(f"""
            T1 wagers 1: 2 5                                                   accepted
            given pool/main 10000000000000                                     so
            T1 record 1: 2=royal_flush 5=royal_flush                           recorded
            release T1/1/1/2/main by=Ann with=Bob reason=card rule={rule}      released
            hit T1/1/1/5/main amount_cents                                     {amount}
            meter                                                              {meter}
        """)


def test_what_is_over_the_limit_waits() -> None:
    """A released prize that lifts the pool over its limit: what is over goes to its overflow (`overflow_to`)."""
    floor = Floor(with_rulings())
    floor.play("""
        T1 wagers 1: 1                                                         accepted
        T1 record 1: 1=straight_flush                                          recorded
        terms pools.0.limit_cents=4600000                                      bad_terms
        terms pools.0.limit_cents=5000010                                      opened
        release T1/1/1/1/main by=Ann with=Bob reason=card rule=11.4            released
        meter                                                                  50,000.10
        balance overflow/main                                                  12000000
    """)


THREE_ROYALS = """
        T1 wagers 1: 1 2 3                                                     accepted
        T2 wagers 1: 1                                                         accepted
        given pool/main 30000000000000                                         so
        T1 record 1: 1=royal_flush 2=royal_flush 3=royal_flush                 recorded
        reject T1/1/1/1/main by=Cy with=Dee reason=minor rule=16.4             rejected
        forfeit T1/1/1/1/main by=Eve with=Fay reason=minor rule=16.4           forfeited
        meter                                                                  50,000.00
"""
FALLS = {
    "void": "T1 amend 1: 2 rule=14.8 revision=3                                void_recorded",
    "released": "release T1/1/1/2/main by=Gus with=Hal reason=film rule=11.4   released",
    "corrected": "T1 correct 1: 1=royal_flush 2 3=royal_flush revision=3       corrected",
}
OUT = "T1 amend 1: 1 rule=16.4 void_recorded"


@pytest.mark.parametrize("falls", FALLS.values(), ids=FALLS.keys())
@pytest.mark.parametrize(
    ("order", "fund", "meter"),
    [
        ("{falls}", 15_000_000, "50,000.00"),
        ("{falls}\n{out}", 15_000_000, "50,000.00"),
        ("{out}\n{falls}", 10_000_000, "100,000.00"),
    ],
    ids=["in play", "out of play afterwards", "out of play before"],
)
def test_what_a_fund_has_is_its_own(falls: str, order: str, fund: int, meter: str) -> None:
    """Three royals share $300,000.00. One is a fund's: $100,000.00; another falls away: the third has $150,000.00.

    The fund has as much while its wager is in play; a wager that was void before earns it no more (12.3.1, 16.4).
    """
    floor = Floor()
    floor.play(f"{THREE_ROYALS}\n{order.format(falls=falls, out=OUT)}")
    floor.play(f"""
        hit T1/1/1/3/main amount_cents                                         15000000
        balance payable/T1/1/1/3/main                                          15000000000000
        balance forfeited                                                      {fund * 1_000_000}
        meter                                                                  {meter}
    """)


def test_a_meter_of_which_a_fund_has_a_share_is_taken() -> None:
    """Two of three royals are void: their shares are in the next meter; a wager of the one before is the reserve's."""
    floor = Floor()
    floor.play(f"""
        {THREE_ROYALS}
        {OUT}
        T1 amend 1: rule=14.9 revision=3                                       void_recorded
        balance forfeited                                                      10000000000000
        meter                                                                  250,000.00
        given reserve 100000000                                                so
        T2 void 1:                                                             voided
        moved pool/main                                                        0
        moved reserve                                                          -30000000
    """)


def test_an_older_version_forgot_a_funds_share() -> None:
    """What versions 1 and 2 have posted they post again: the third was given all of a meter the fund had a third of."""
    floor = Floor()
    floor.play(THREE_ROYALS)
    floor.version = 2
    floor.play(f"{OUT}\n{FALLS['void']}\nhit T1/1/1/3/main amount_cents  30000000")


def test_a_bonus_gives_the_odd_cent_back_that_a_share_takes() -> None:
    """What one pool gives to a round is what it held: with one royal left its odd cent is none of the bonus's any more.

    $30,000.03 without the round's own 88 cents: three royals of $10,000.01 leave 88 cents for the bonus, two of
    $15,000.01 leave 89, and one of $30,000.03 leaves 88. The bonus is $500.00 all the time, the house adds the rest.
    """
    terms = with_prize(with_rulings(meter_includes_this_round=False), "four_of_a_kind", pool="main", paid_by="pool")
    Floor(terms).play("""
        given pool/main 3000003000000                                          so
        T1 wagers 1: 1 2 3 4                                                   accepted
        T1 record 1: 1=royal_flush 2=royal_flush 3=royal_flush 4=four_of_a_kind recorded
        hit T1/1/1/1/main from_pool_cents                                      1000001
        hit T1/1/1/4/main from_pool_cents                                      88
        release T1/1/1/1/main by=Eve with=Fay reason=film rule=11.4            released
        hit T1/1/1/2/main from_pool_cents                                      1500001
        hit T1/1/1/4/main from_pool_cents                                      89
        release T1/1/1/2/main by=Eve with=Fay reason=film rule=11.4            released
        hit T1/1/1/3/main from_pool_cents                                      3000003
        hit T1/1/1/4/main from_pool_cents                                      88
        hit T1/1/1/4/main amount_cents                                         50000
        hit T1/1/1/4/main topup_cents                                          49912
        balance payable/T1/1/1/4/main                                          50000000000
        meter                                                                  50,000.00
    """)
