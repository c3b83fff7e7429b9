"""What a withdrawal or a void before the record gives back, and out of which money (CSP 14.4, 14.8, 14.9, 15.2)."""

import pytest

from tests.support.floor import Floor
from tests.support.terms import demo_terms, two_pool_terms, with_rulings

STORIES = {
    "a withdrawal takes the whole wager out again, each part from where it went": """
        T1 wagers 1: 1 2 3                                                     accepted
        T1 withdraw 1:                                                         withdrawn
        moved pool/main                                                        -66000000
        moved reserve                                                          -24000000
        moved retained                                                         -210000000
        moved wagers                                                           300000000
        meter                                                                  50,000.00
        balance wagers                                                         0
        round T1 1                                                             withdrawn
        T1 wagers 1: 1 revision=2                                              round_withdrawn
        pool main last_fall_cause                                              reversal
        pool main last_fall_commit                                             9
        T1 withdraw 1:                                                         withdrawn
        commits                                                                10
        T1 withdraw 1: revision=2                                              withdrawn
        moved wagers                                                           0
    """,
    "a withdrawal, and a void, of a round never seen are kept": """
        T1 withdraw 1:                                                         withdrawn
        T1 wagers 1: 1                                                         round_withdrawn
        T2 void 1:                                                             voided
        T2 wagers 1: 1                                                         round_voided
        balance wagers                                                         0
        pool main last_fall_commit                                             0
    """,
    "a round is void once; the second is answered with the first (case 21)": """
        T1 wagers 1: 1 2                                                       accepted
        T1 void 1:                                                             voided
        moved wagers                                                           200000000
        T1 void 1:                                                             voided
        moved wagers                                                           200000000
        commits                                                                9
        T1 void 1: revision=2                                                  round_voided
        meter                                                                  50,000.00
    """,
    "a hand is void (14.8): its seat's wager goes back, the others play on": """
        T1 wagers 1: 1 2 3                                                     accepted
        T1 void 1: 2                                                           voided
        moved wagers                                                           100000000
        round T1 1                                                             open:1,3
        T1 void 1: 2 revision=2                                                voided
        moved wagers                                                           0
        T1 record 1: 1=flush 2=royal_flush/nojackpot 3                         recorded
        order                                                                  1
        meter                                                                  50,000.44
    """,
    "seats named in any order are one id; with other seats another": """
        T1 wagers 1: 1 2 3                                                     accepted
        T1 void 1: 2 3                                                         voided
        T1 void 1: 3 2                                                         id_reused
        T1 void 1: 1 3                                                         voided
        moved wagers                                                           100000000
        round T1 1                                                             open:none
        T1 wagers 2: 1                                                         accepted
    """,
    "once recorded it takes two people": """
        T1 wagers 1: 1                                                         accepted
        T1 record 1: 1                                                         recorded
        T1 void 1:                                                             too_old
        T1 void 1: revision=2 with=Max                                         not_offered
        T1 withdraw 1:                                                         round_recorded
        T1 wagers 3: 1                                                         accepted
        T1 void 2:                                                             too_old
        T1 withdraw 2:                                                         too_old
        meter                                                                  50,000.44
    """,
    "below the seed after a straight flush the meter falls by exactly the increment (case 21)": """
        T1 wagers 1: 1                                                         accepted
        T2 wagers 1: 1                                                         accepted
        T2 record 1: 1=straight_flush                                          recorded
        meter                                                                  45,000.40
        T1 void 1:                                                             voided
        moved pool/main                                                        -22000000
        meter                                                                  45,000.18
    """,
    "after another table's royal took the meter the reserve pays, then the house (case 21)": """
        T1 wagers 1: 1 2                                                       accepted
        T2 wagers 1: 1                                                         accepted
        T2 record 1: 1=royal_flush                                             recorded
        meter                                                                  50,000.00
        given reserve 30000000                                                 so
        T1 void 1:                                                             voided
        moved pool/main                                                        0
        moved reserve                                                          -30000000
        moved house                                                            -30000000
        moved retained                                                         -140000000
        moved wagers                                                           200000000
        meter                                                                  50,000.00
        balance reserve                                                        0
    """,
    "a void in the wager's own epoch, after another epoch has ended, is as any": """
        T2 wagers 1: 1                                                         accepted
        T2 record 1: 1=royal_flush                                             recorded
        T1 wagers 1: 1                                                         accepted
        T1 void 1:                                                             voided
        moved pool/main                                                        -22000000
    """,
    "an emptied pool gives what it holds, the reserve the rest": """
        T1 wagers 1: 1                                                         accepted
        given pool/main 4000000                                                so
        given reserve 20000000                                                 so
        T1 void 1:                                                             voided
        moved pool/main                                                        -4000000
        moved reserve                                                          -20000000
        moved house                                                            -6000000
        balance pool/main                                                      0
    """,
    "the retained share gives its part whole, whatever it holds": """
        T1 wagers 1: 1                                                         accepted
        given retained 0                                                       so
        T1 void 1:                                                             voided
        moved retained                                                         -70000000
        moved reserve                                                          -8000000
    """,
    "a token's wager goes back to the house": """
        T1 wagers 1: 1/tender=token 2                                          accepted
        T1 void 1: 1                                                           voided
        moved house                                                            100000000
        moved wagers                                                           0
        T1 withdraw 1:                                                         withdrawn
        moved house                                                            0
        moved wagers                                                           100000000
        balance wagers                                                         0
        balance house                                                          -5000000000000
    """,
    "a gaming month that has not begun": """
        T1 withdraw 1: month=2026-12                                           later:month_ahead
        T1 void 1: month=2026-12                                               later:month_ahead
        T1 withdraw 1: journal=4                                               later:unknown_journal
        T1 void 1: journal=4                                                   later:unknown_journal
        T1 withdraw 1:                                                         withdrawn
    """,
    "a journal that is lost leaves a round open; a void ends it": """
        T1 wagers 1: 1                                                         accepted
        word T1 spool=aa                                                       word
        T1 hello journal=0 spool=aa                                            connected
        T1 wagers 1: 1                                                         later:round_open
        T1 void 1: journal=1 with=Max                                          voided
        T1 wagers 1: 1                                                         accepted
    """,
}


@pytest.mark.parametrize("story", STORIES.values(), ids=STORIES.keys())
def test_reversals(story: str) -> None:
    """Each line comes to its last word."""
    Floor().play(story)


def test_a_void_may_keep_the_wager() -> None:
    """`void_returns_jackpot` false: the wager stays, the seat wins nothing."""
    Floor(with_rulings(void_returns_jackpot=False)).play("""
        T1 wagers 1: 1 2                                                       accepted
        T1 void 1: 1                                                           voided
        moved wagers                                                           0
        round T1 1                                                             open:2
        T1 void 1:                                                             voided
        meter                                                                  50,000.44
        T2 wagers 1: 1                                                         accepted
        T2 withdraw 1:                                                         withdrawn
        moved wagers                                                           100000000
    """)


def test_the_next_epoch_may_pay() -> None:
    """`void_after_award` pool: the increment comes out of the pool as it stands now."""
    Floor(with_rulings(void_after_award="pool")).play("""
        T1 wagers 1: 1                                                         accepted
        T2 wagers 1: 1                                                         accepted
        T2 record 1: 1=royal_flush                                             recorded
        T1 void 1:                                                             voided
        moved pool/main                                                        -22000000
        meter                                                                  49,999.78
    """)


def test_each_pool_gives_back_its_own() -> None:
    """With two pools, one won since and one not: the reserve pays for the first, the second gives its part."""
    Floor(two_pool_terms()).play("""
        T1 wagers 1: 1                                                         accepted
        T2 wagers 1: 1                                                         accepted
        T2 record 1: 1=royal_flush                                             recorded
        given reserve 100000000                                                so
        T1 void 1:                                                             voided
        moved pool/main                                                        0
        moved pool/minor                                                       -4000000
        moved reserve                                                          -26000000
    """)


def test_what_a_limit_turned_away_comes_back_from_there() -> None:
    """Parts that went to overflow, and reserve that went to the meter, are taken from where the row says."""
    floor = Floor(demo_terms())
    floor.play("""
        terms pools.0.limit_cents=5000030 reserve.limit_cents=9                opened
        T1 hello                                                               connected
        T1 wagers 1: 1 2 3                                                     accepted
        meter                                                                  50,000.30
        balance overflow/main                                                  51000000
        balance reserve                                                        9000000
        T1 void 1: 3                                                           voided
        moved pool/main                                                        0
        moved overflow/main                                                    -30000000
        T1 withdraw 1:                                                         withdrawn
        meter                                                                  50,000.00
        balance overflow/main                                                  0
        balance reserve                                                        0
    """)
