"""What a round's record comes to: awards, meters, reseeds (rule 12), and where people must look (PROTOCOL 3)."""

import pytest

from tests.support.floor import Floor

AWARDS = {
    "one straight flush takes a tenth (case 13)": """
        T1 wagers 1: 3                                                         accepted
        given pool/main 10000000000000                                         so
        T1 record 1: 3=straight_flush                                          recorded
        award 3 amount_cents                                                   1000000
        award 3 state                                                          pending
        meter                                                                  90,000.00
        pool main last_fall_cause                                              award
        pool main epoch                                                        1
        balance payable/T1/1/1/3/main                                          1000000000000
    """,
    "two share what two successive tenths come to (12.3.2)": """
        T1 wagers 1: 3 6                                                       accepted
        given pool/main 10000000000000                                         so
        T1 record 1: 3=straight_flush 6=straight_flush                         recorded
        award 3 amount_cents                                                   950000
        award 6 amount_cents                                                   950000
        order                                                                  6,3
        meter                                                                  81,000.00
    """,
    "three: what does not divide stays in the pool": """
        T1 wagers 1: 1 2 3                                                     accepted
        given pool/main 10000000000000                                         so
        T1 record 1: 1=straight_flush 2=straight_flush 3=straight_flush        recorded
        award 1 amount_cents                                                   903333
        meter                                                                  72,900.01
    """,
    "two under the minimum: the house adds 500.00 in all": """
        T1 wagers 1: 3 6                                                       accepted
        given pool/main 5000000000000                                          so
        T1 record 1: 3=straight_flush 6=straight_flush                         recorded
        award 3 amount_cents                                                   500000
        award 3 topup_cents                                                    25000
        award 6 topup_cents                                                    25000
        meter                                                                  40,500.00
    """,
    "royal and straight flush in one round: the straight flush first (case 14)": """
        T1 wagers 1: 3 6                                                       accepted
        given pool/main 10000000000000                                         so
        T1 record 1: 3=straight_flush 6=royal_flush                            recorded
        order                                                                  3,6
        award 3 amount_cents                                                   1000000
        award 6 amount_cents                                                   9000000
        meter                                                                  50,000.00
        pool main epoch                                                        2
    """,
    "the same at 52,000.00: the royal is lifted to its minimum": """
        T1 wagers 1: 3 6                                                       accepted
        given pool/main 5200000000000                                          so
        T1 record 1: 3=straight_flush 6=royal_flush                            recorded
        award 3 amount_cents                                                   520000
        award 6 amount_cents                                                   5000000
        award 6 topup_cents                                                    320000
    """,
    "two royals and two straight flushes (case 15)": """
        T1 wagers 1: 1 2 3 4                                                   accepted
        given pool/main 20000000000000                                         so
        T1 record 1: 1=royal_flush 2=straight_flush 3=straight_flush 4=royal_flush recorded
        order                                                                  3,2,4,1
        award 2 amount_cents                                                   1900000
        award 3 amount_cents                                                   1900000
        award 1 amount_cents                                                   8100000
        award 4 amount_cents                                                   8100000
    """,
    "two royals and an odd cent (case 16): it stays, under the next seed": """
        T1 wagers 1: 1 2                                                       accepted
        given pool/main 10000001000000                                         so
        T1 record 1: 1=royal_flush 2=royal_flush                               recorded
        award 1 amount_cents                                                   5000000
        award 2 amount_cents                                                   5000000
        meter                                                                  50,000.01
    """,
    "three royals at 180,000.00": """
        T1 wagers 1: 1 2 3                                                     accepted
        given pool/main 18000000000000                                         so
        T1 record 1: 3=royal_flush 1=royal_flush 2=royal_flush                 recorded
        award 1 amount_cents                                                   6000000
        award 2 amount_cents                                                   6000000
        award 3 amount_cents                                                   6000000
    """,
    "four royals at the seed: 150,000.00 added, and paid (case 17)": """
        T1 wagers 1: 1 2 3 4                                                   accepted
        given pool/main 5000000000000                                          so
        T1 record 1: 1=royal_flush 2=royal_flush 3=royal_flush 4=royal_flush   recorded
        award 1 amount_cents                                                   5000000
        award 1 topup_cents                                                    3750000
        award 4 topup_cents                                                    3750000
        meter                                                                  50,000.00
    """,
    "straight flushes at three tables, one after the other (case 10)": """
        T1 wagers 1: 1                                                         accepted
        T2 wagers 1: 1                                                         accepted
        T3 wagers 1: 1                                                         accepted
        given pool/main 5010000000000                                          so
        T1 record 1: 1=straight_flush                                          recorded
        award 1 amount_cents                                                   501000
        T2 record 1: 1=straight_flush                                          recorded
        award 1 amount_cents                                                   500000
        award 1 topup_cents                                                    49100
        T3 record 1: 1=straight_flush                                          recorded
        award 1 topup_cents                                                    94190
        meter                                                                  36,522.90
    """,
    "royals at two tables: never the same money twice (case 8)": """
        T1 wagers 1: 1                                                         accepted
        T2 wagers 1: 1                                                         accepted
        given pool/main 12000000000000                                         so
        T2 record 1: 1=royal_flush                                             recorded
        award 1 amount_cents                                                   12000000
        meter                                                                  50,000.00
        T1 record 1: 1=royal_flush                                             recorded
        award 1 amount_cents                                                   5000000
        pool main epoch                                                        3
    """,
    "the seed comes from the reserve first, then from the house; what is left of the pool stays": """
        T1 wagers 1: 1 2 3                                                     accepted
        balance reserve                                                        24000000
        T1 record 1: 2=royal_flush                                             recorded
        award 2 amount_cents                                                   5000066
        balance reserve                                                        0
        balance house                                                          -9999976000000
        meter                                                                  50,000.00
    """,
    "fixed bonuses come from the house and leave the meter": """
        T1 wagers 1: 1 2 3 4                                                   accepted
        T1 record 1: 1=four_of_a_kind 2=full_house 3=flush 4                   recorded
        award 1 bonus_cents                                                    50000
        award 2 bonus_cents                                                    15000
        award 3 bonus_cents                                                    10000
        award 4 amount_cents                                                   none
        order                                                                  3,2,1
        meter                                                                  50,000.88
        hit T1/1/1/1/house meter_microcents                                    0
    """,
    "a hand without an accepted wager wins nothing": """
        T1 wagers 1: 1 2/sensor=0                                              accepted,sensor_differs
        T1 record 1: 1 2=royal_flush                                           recorded
        order                                                                  none
        meter                                                                  50,000.22
    """,
    "a folded, an absent and a conceded hand win by the plain words of 11.4": """
        T1 wagers 1: 1 2 3                                                     accepted
        T1 record 1: 1=flush/fold 2=flush/absent 3=flush/concede               recorded
        order                                                                  3,2,1
    """,
    "A-2-3-4-5 suited is a straight flush, never a royal; the ten to the ace is a royal (case 42)": """
        T1 wagers 1: 1 2                                                       accepted
        given pool/main 10000000000000                                         so
        T1 record 1: 1=wheel 2=royal_flush                                     recorded
        award 1 prize                                                          straight_flush
        award 2 prize                                                          royal_flush
    """,
    "claims: the hands shown are proved, nothing else is": """
        T1 wagers 1: 1 2 3                                                     accepted
        T1 record 1: 2=full_house claims                                       recorded
        award 2 amount_cents                                                   15000
        hit T1/1/1/2/house capture                                             claims
        hit T1/1/1/2/house marks                                               none
    """,
    "a round of no wagers is recorded too, and gaps are told": """
        T1 record 1: 1 2                                                       recorded
        T1 record 3: 1                                                         recorded
        facts gap                                                              1
        T1 record 2: 1                                                         too_old
        T1 record 3: 1 2                                                       id_reused
    """,
    "a withdrawn round plays on and is recorded without the jackpot": """
        T1 wagers 1: 1                                                         accepted
        T1 withdraw 1:                                                         withdrawn
        T1 record 1: 1=royal_flush                                             recorded
        order                                                                  none
    """,
    "the same record again is answered as the first time (case 1)": """
        T1 wagers 1: 1                                                         accepted
        T1 record 1: 1=royal_flush                                             recorded
        commits                                                                9
        T1 record 1: 1=royal_flush jackpot                                     id_reused
        commits                                                                9
        pool main epoch                                                        2
    """,
    "a record in another gaming month: its wagers' month decides, people look": """
        T1 record 1: month=2026-12                                             later:month_ahead
        T1 wagers 1: 1                                                         accepted
        wait 864000                                                            over
        T1 record 1: 1=flush month=2026-12                                     disputed
        difference                                                             month
        hit T1/1/1/1/house month                                               2026-11
    """,
}

PEOPLE = {
    "the base game was settled to another amount: the jackpot is awarded, and disputed": """
        T1 wagers 1: 1                                                         accepted
        T1 record 1: 1=royal_flush settled=off                                 disputed
        difference                                                             settled
        award 1 state                                                          disputed
        award 1 amount_cents                                                   5000022
        meter                                                                  50,000.00
        hit T1/1/1/1/main marks                                                differs
        hit T1/1/1/1/main approvers                                            2
        table T1                                                               quarantined
        facts quarantined                                                      1
        T1 wagers 2: 1                                                         table_closed
        T1 record 2: 1                                                         recorded
    """,
    "the cards do not make the prize that was named": """
        T1 wagers 1: 1 2                                                       accepted
        T1 record 1: 1=flush claim=2:full_house                                disputed
        difference                                                             claims
        order                                                                  1
        award 1 state                                                          disputed
    """,
    "a prize is named lower than its cards": """
        T1 wagers 1: 1                                                         accepted
        T1 record 1: 1=straight_flush claim=1:flush                            disputed
        award 1 prize                                                          straight_flush
    """,
    "cards that cannot be read leave the claim, without an amount": """
        T1 wagers 1: 1 2 3                                                     accepted
        T1 record 1: 1=royal_flush 3=flush cards=1:As,As,Qs,Js,Ts              disputed
        order                                                                  1,3
        award 1 state                                                          claimed
        award 1 amount_cents                                                   0
        hit T1/1/1/1/main approvers                                            2
        hit T1/1/1/3/house state                                               claimed
        meter                                                                  50,000.66
        pool main epoch                                                        1
        T1 wagers 2: 1                                                         table_closed
    """,
    "a claim at a seat without a wager leaves nothing": """
        T1 wagers 1: 1                                                         accepted
        T1 record 1: 1 2 claim=2:flush cards=1:As,Ks                           disputed
        order                                                                  none
    """,
    "six cards, a card of no deck, ten written 10 (case 45): never a payout": """
        T1 wagers 1: 1                                                         accepted
        T1 record 1: 1=flush cards=1:Ks,9s,7s,3s,2s,4s                         disputed
        award 1 amount_cents                                                   0
        T2 wagers 1: 1                                                         accepted
        T2 record 1: 1=flush cards=1:10s,9s,7s,3s,2s                           disputed
        award 1 amount_cents                                                   0
        T3 wagers 1: 1                                                         accepted
        T3 record 1: 1=flush cards=1:1s,9s,7s,3s,2s                            disputed
        award 1 amount_cents                                                   0
    """,
    "a prize nobody named is found in the cards: two people look": """
        T1 wagers 1: 1                                                         accepted
        T1 record 1: 1=flush unclaimed=1                                       recorded
        award 1 state                                                          pending
        hit T1/1/1/1/house marks                                               unclaimed
        hit T1/1/1/1/house approvers                                           2
    """,
    "an accepted seat that is not on the record": """
        T1 wagers 1: 1 2                                                       accepted
        T1 record 1: 1=flush missing=2                                         disputed
        difference                                                             seats
    """,
    "an accepted seat that the record calls unwagered still wins": """
        T1 wagers 1: 1 2                                                       accepted
        T1 record 1: 1=flush 2=flush/nojackpot                                 disputed
        difference                                                             seats
        order                                                                  2,1
    """,
    "a wager on the record that was never accepted wins nothing": """
        T1 wagers 1: 1                                                         accepted
        T1 record 1: 1=flush 2=royal_flush/jackpot                             disputed
        difference                                                             seats
        order                                                                  1
    """,
    "claims without the dealer's word": """
        T1 wagers 1: 1                                                         accepted
        T1 record 1: 1 claims noword                                           disputed
        difference                                                             no_other_hand
        T2 record 1: 1 claims noword                                           recorded
    """,
    "rules of another version": """
        T1 wagers 1: 1                                                         accepted
        T1 record 1: 1=flush rules=2                                           disputed
        difference                                                             rules_version
        award 1 state                                                          disputed
    """,
    "the players saw a meter that had fallen": """
        T1 wagers 1: 1 epoch=0                                                 accepted
        T1 record 1: 1=flush                                                   recorded
        hit T1/1/1/1/house marks                                               stale_display
        hit T1/1/1/1/house approvers                                           2
    """,
    "sooner than a round can be dealt": """
        admit T1 least_round_s=10                                              admitted
        T1 hello                                                               connected
        T1 wagers 1: 1                                                         accepted
        wait 9                                                                 over
        T1 record 1: 1=flush                                                   recorded
        hit T1/1/1/1/house marks                                               too_soon
        T1 wagers 2: 1                                                         later:hit_open
        verify T1/1/1/1/house by=A                                             verified
        approve T1/1/1/1/house by=B with=C                                     approved
        pay T1/1/1/1/house by=D                                                paid
        T1 wagers 2: 1                                                         accepted
        wait 10                                                                over
        T1 record 2: 1=flush                                                   recorded
        hit T1/1/2/1/house marks                                               none
    """,
    "late, and stale at once": """
        T1 wagers 1: 1 epoch=0                                                 accepted
        T1 record 1: 1=flush late                                              recorded
        hit T1/1/1/1/house marks                                               stale_display,late
    """,
    "a corrected record of a round that was never recorded is its record, and two people look": """
        T1 wagers 1: 1                                                         accepted
        T1 record 1: 1=flush revision=2                                        recorded
        hit T1/1/1/1/house marks                                               corrected
        T1 record 1: 1=flush                                                   round_recorded
        T1 record 1: 1=flush revision=3                                        not_offered
    """,
    "from a journal that is over a round already wagered is still recorded": """
        T1 wagers 1: 1                                                         accepted
        word T1 spool=aa                                                       word
        T1 hello journal=0 spool=aa                                            connected
        T1 wagers 1: 1                                                         later:round_open
        T1 record 1: 1=flush journal=1                                         recorded
        award 1 hit                                                            T1/1/1/1/house
        T1 wagers 1: 1                                                         later:hit_open
    """,
    "a quarantined table hands in what was wagered": """
        T1 wagers 1: 1                                                         accepted
        T1 hello connection=1                                                  connection_not_rising
        T1 record 1: 1=flush                                                   recorded
        award 1 state                                                          pending
    """,
}


@pytest.mark.parametrize("story", AWARDS.values(), ids=AWARDS.keys())
def test_awards(story: str) -> None:
    """Each line comes to its last word."""
    Floor().play(story)


@pytest.mark.parametrize("story", PEOPLE.values(), ids=PEOPLE.keys())
def test_where_people_must_look(story: str) -> None:
    """Each line comes to its last word."""
    Floor().play(story)
