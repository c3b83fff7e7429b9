"""What a void by two people after the record does to money and hits (CSP 14.4, 14.8, 14.9, 15.2, 16.5, 14.20)."""

import pytest

from tests.support.floor import Floor
from tests.support.terms import with_rulings

STORIES = {
    "a recorded round without a prize: its wagers go back, each part from where it went": """
        T1 wagers 1: 1 2                                                       accepted
        T1 record 1: 1 2                                                       recorded
        T1 amend 1: rule=14.4                                                  void_recorded
        moved pool/main                                                        -44000000
        moved reserve                                                          -16000000
        moved retained                                                         -140000000
        moved wagers                                                           200000000
        meter                                                                  50,000.00
        pool main last_fall_cause                                              reversal
        facts voided                                                           1
    """,
    "twice at once, and once more: refunded once, the second answered with the first (case 21)": """
        T1 wagers 1: 1                                                         accepted
        T1 record 1: 1                                                         recorded
        T1 amend 1: rule=14.9                                                  void_recorded
        commits                                                                10
        T1 amend 1: rule=14.9 revision=3                                       round_voided
        T1 amend 1: rule=14.9 by=Cy                                            id_reused
        meter                                                                  50,000.00
        commits                                                                10
    """,
    "after another table's royal took the meter: the reserve pays, then the house (case 21)": """
        T1 wagers 1: 1 2                                                       accepted
        T1 record 1: 1 2                                                       recorded
        T2 wagers 1: 1                                                         accepted
        T2 record 1: 1=royal_flush                                             recorded
        given reserve 30000000                                                 so
        T1 amend 1: rule=14.4                                                  void_recorded
        moved pool/main                                                        0
        moved reserve                                                          -30000000
        moved house                                                            -30000000
        moved wagers                                                           200000000
        meter                                                                  50,000.00
    """,
    "below the seed after a straight flush the meter falls by exactly the increment (case 21)": """
        T1 wagers 1: 1                                                         accepted
        T1 record 1: 1                                                         recorded
        T2 wagers 1: 1                                                         accepted
        T2 record 1: 1=straight_flush                                          recorded
        meter                                                                  45,000.40
        T1 amend 1: rule=15.2                                                  void_recorded
        moved pool/main                                                        -22000000
        meter                                                                  45,000.18
    """,
    "a foreign card after a straight flush was paid: it stays paid and is to be recovered (case 52)": """
        given pool/main 10000000000000                                         so
        T1 wagers 1: 3 4                                                       accepted
        meter                                                                  100,000.44
        T1 record 1: 3=straight_flush 4                                        recorded
        award 3 amount_cents                                                   1000004
        verify T1/1/1/3/main by=Dee                                            verified
        approve T1/1/1/3/main by=Eve with=Fay                                  approved
        pay T1/1/1/3/main by=Gus                                               paid
        T1 amend 1: rule=14.9                                                  void_recorded
        hit T1/1/1/3/main state                                                paid
        meter                                                                  100,000.00
        balance recoverable                                                    1000004000000
        balance paid                                                           0
        balance payable/T1/1/1/3/main                                          0
        moved wagers                                                           200000000
    """,
    "an open hit is released first, then the wagers go back; the meter is as if nothing had been": """
        T1 wagers 1: 3 4                                                       accepted
        T1 record 1: 3=straight_flush 4=flush                                  recorded
        T2 wagers 1: 1                                                         accepted
        T1 amend 1: rule=14.4                                                  void_recorded
        hit T1/1/1/3/main state                                                released
        hit T1/1/1/4/house state                                               released
        meter                                                                  50,000.22
        balance reserve                                                        8000000
        balance wagers                                                         -100000000
        balance house                                                          -5000000000000
    """,
    "a royal of its own is released: the seed goes back and the wagers come out of the meter again": """
        T2 wagers 1: 1 2 3                                                     accepted
        T1 wagers 1: 3 4                                                       accepted
        T1 record 1: 3=royal_flush 4                                           recorded
        balance reserve                                                        0
        T3 wagers 1: 5                                                         accepted
        meter                                                                  50,000.22
        T1 amend 1: rule=16.5                                                  void_recorded
        meter                                                                  50,000.88
        balance reserve                                                        32000000
        balance house                                                          -5000000000000
        balance payable/T1/1/1/3/main                                          0
    """,
    "a royal that was paid: the house makes the pool whole, the seed goes back": """
        T1 wagers 1: 3                                                         accepted
        T1 record 1: 3=royal_flush                                             recorded
        verify T1/1/1/3/main by=Dee                                            verified
        approve T1/1/1/3/main by=Eve with=Fay                                  approved
        pay T1/1/1/3/main by=Gus                                               paid
        T1 amend 1: rule=14.9                                                  void_recorded
        meter                                                                  50,000.00
        balance reserve                                                        0
        balance house                                                          -10000022000000
        balance recoverable                                                    5000022000000
    """,
    "a hand is void (14.8): the other winner gets what the two had shared (case 59)": """
        T1 wagers 1: 2 5                                                       accepted
        given pool/main 10000000000000                                         so
        T1 record 1: 2=royal_flush 5=royal_flush                               recorded
        T1 amend 1: 2 rule=14.8                                                void_recorded
        hit T1/1/1/2/main state                                                released
        hit T1/1/1/5/main amount_cents                                         10000000
        hit T1/1/1/5/main marks                                                share
        balance payable/T1/1/1/5/main                                          10000000000000
        pool main epoch                                                        2
        meter                                                                  50,000.00
    """,
    "seats one after the other, then the rest": """
        T1 wagers 1: 1 2 3                                                     accepted
        T1 record 1: 1 2 3                                                     recorded
        T1 amend 1: 2 rule=14.8                                                void_recorded
        moved wagers                                                           100000000
        T1 amend 1: 2 rule=14.8 revision=3                                     round_voided
        T1 amend 1: rule=14.9 revision=3                                       void_recorded
        moved wagers                                                           200000000
        meter                                                                  50,000.00
    """,
    "an invalid wager (14.20) of a hand that is settled stands; one whose hit is open does not": """
        T1 wagers 1: 1 2                                                       accepted
        T1 record 1: 1=flush 2                                                 recorded
        T1 amend 1: 2 rule=14.20                                               not_offered
        T1 amend 1: 1 rule=14.20                                               void_recorded
        hit T1/1/1/1/house state                                               released
        meter                                                                  50,000.22
    """,
    "what is refused": """
        T1 wagers 1: 1 2                                                       accepted
        T1 amend 1:                                                            later:round_open
        T1 record 1: 1 2                                                       recorded
        T1 amend 1: by=-                                                       name_needed
        T1 amend 1: with=-                                                     name_needed
        T1 amend 1: with=ann                                                   same_person
        T1 amend 1: reason=-                                                   reason_needed
        T1 amend 1: rule=14.5                                                  no_such_rule
        T1 amend 1: 1 rule=14.4                                                no_such_rule
        T1 amend 1: rule=14.8                                                  no_such_rule
        T1 amend 1: 3 rule=14.8                                                round_voided
        T1 amend 7: rule=14.4                                                  no_such_round
        T1 amend 1: journal=4                                                  later:unknown_journal
        T2 withdraw 1:                                                         withdrawn
        T2 record 1: 1                                                         recorded
        T2 amend 1: rule=14.4                                                  round_voided
        meter                                                                  50,000.44
    """,
    "an earlier round of the table, while a later one is played": """
        T1 wagers 1: 1                                                         accepted
        T1 record 1: 1                                                         recorded
        wait 90000                                                             over
        T1 wagers 2: 1                                                         accepted
        T1 amend 1: rule=14.9                                                  void_recorded
        round T1 2                                                             open:1
        meter                                                                  50,000.22
    """,
    "a seat that was void before the record is not given back twice": """
        T1 wagers 1: 1 2                                                       accepted
        T1 void 1: 2                                                           voided
        T1 record 1: 1                                                         recorded
        T1 amend 1: rule=14.4                                                  void_recorded
        moved wagers                                                           100000000
        balance wagers                                                         0
    """,
}


@pytest.mark.parametrize("story", STORIES.values(), ids=STORIES.keys())
def test_a_void_after_the_record(story: str) -> None:
    """Each line comes to its last word."""
    Floor().play(story)


def test_a_stake_that_was_returned_is_not_returned_twice() -> None:
    """`stake_returned`: the dollar that came back with the prize is the dollar that the void gives back."""
    Floor(with_rulings(stake_returned=True)).play("""
        T1 wagers 1: 1 2                                                       accepted
        T1 record 1: 1=flush 2                                                 recorded
        balance paid                                                           100000000
        T1 amend 1: rule=14.4                                                  void_recorded
        balance paid                                                           0
        balance house                                                          -5000000000000
        balance wagers                                                         0
    """)


def test_a_void_may_keep_the_wager() -> None:
    """`void_returns_jackpot` false: hits are released, the wagers stay; not twice either."""
    Floor(with_rulings(void_returns_jackpot=False)).play("""
        T1 wagers 1: 1 2                                                       accepted
        T1 record 1: 1=straight_flush 2                                        recorded
        T1 amend 1: rule=14.4                                                  void_recorded
        moved wagers                                                           0
        meter                                                                  50,000.44
        T1 amend 1: rule=14.4 revision=3                                       round_voided
    """)


def test_what_lifted_a_pool_goes_back_with_the_prize() -> None:
    """`never_below_seed`: the lift after a straight flush goes back to reserve and house when the prize falls away."""
    Floor(with_rulings(never_below_seed=True)).play("""
        T1 wagers 1: 1                                                         accepted
        T1 record 1: 1=straight_flush                                          recorded
        meter                                                                  50,000.00
        balance reserve                                                        0
        T1 amend 1: rule=14.4                                                  void_recorded
        meter                                                                  50,000.00
        balance reserve                                                        0
        balance house                                                          -5000000000000
        balance wagers                                                         0
    """)
