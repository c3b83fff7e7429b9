"""What a corrected record does to hits and money: some fall away, some come, what was paid stays paid (case 50)."""

import pytest

from tests.support.floor import Floor
from tests.support.terms import demo_terms, with_prize, with_rulings

STORIES = {
    "one card mistyped: a flush was none; it is rejected and released, the wager stays lost (case 50)": """
        T1 wagers 1: 3 4                                                       accepted
        T1 record 1: 3=flush 4                                                 recorded
        T1 correct 1: 3 4                                                      corrected
        hit T1/1/1/3/house state                                               released
        balance payable/T1/1/1/3/house                                         0
        balance house                                                          -5000000000000
        meter                                                                  50,000.44
        facts corrected                                                        1
    """,
    "a flush claimed after 'no jackpot hand': awarded once, marked late (case 50)": """
        T1 wagers 1: 3 4                                                       accepted
        T1 record 1: 3 4                                                       recorded
        T1 correct 1: 3=flush 4 late                                           corrected
        hit T1/1/1/3/house state                                               pending
        hit T1/1/1/3/house amount_cents                                        10000
        hit T1/1/1/3/house marks                                               late,corrected
        hit T1/1/1/3/house approvers                                           2
        T1 correct 1: 3=flush 4 late                                           id_reused
        T1 correct 1: 3=flush 4 late revision=3                                corrected
        balance payable/T1/1/1/3/house                                         10000000000
        verify T1/1/1/3/house by=Cy                                            verified
        approve T1/1/1/3/house by=Dee with=Eve                                 approved
        pay T1/1/1/3/house by=Fay                                              paid
        pay T1/1/1/3/house by=Gus                                              illegal_move
        balance paid                                                           10000000000
    """,
    "nobody who typed the record settles its hit": """
        T1 wagers 1: 3                                                         accepted
        T1 record 1: 3                                                         recorded
        T1 correct 1: 3=flush                                                  corrected
        verify T1/1/1/3/house by=ann                                           same_person
    """,
    "a new straight flush is awarded from the meter as it stands now": """
        T1 wagers 1: 3                                                         accepted
        T1 record 1: 3                                                         recorded
        T2 wagers 1: 1 2                                                       accepted
        meter                                                                  50,000.66
        T1 correct 1: 3=straight_flush                                         corrected
        award 3 amount_cents                                                   500006
        meter                                                                  45,000.60
        hit T1/1/1/3/main epoch                                                1
    """,
    "the prize was of another seat: it goes back first, then it is awarded": """
        T1 wagers 1: 3 4                                                       accepted
        T1 record 1: 3=straight_flush 4                                        recorded
        T1 correct 1: 3 4=straight_flush                                       corrected
        hit T1/1/1/3/main state                                                released
        hit T1/1/1/4/main amount_cents                                         500004
        meter                                                                  45,000.40
    """,
    "one of two winners falls away: the other gets what the two had shared (case 59)": """
        given pool/main 10000000000000                                         so
        T1 wagers 1: 2 5                                                       accepted
        T1 record 1: 2=royal_flush 5=royal_flush                               recorded
        T1 correct 1: 2 5=royal_flush                                          corrected
        hit T1/1/1/2/main state                                                released
        hit T1/1/1/5/main amount_cents                                         10000044
        meter                                                                  50,000.00
    """,
    "a royal that was none: the seed goes back, the meter is as if it had not been": """
        T1 wagers 1: 3 4                                                       accepted
        T1 record 1: 3=royal_flush 4                                           recorded
        T2 wagers 1: 1                                                         accepted
        T1 correct 1: 3 4                                                      corrected
        meter                                                                  50,000.66
        balance reserve                                                        24000000
        balance house                                                          -5000000000000
    """,
    "a straight flush was a royal: what it was goes back, what it is takes the meter whole": """
        T1 wagers 1: 3 4                                                       accepted
        T1 record 1: 3=straight_flush 4                                        recorded
        T1 correct 1: 3=royal_flush 4                                          corrected
        hit T1/1/1/3/main state                                                pending
        hit T1/1/1/3/main prize                                                royal_flush
        hit T1/1/1/3/main amount_cents                                         5000044
        balance payable/T1/1/1/3/main                                          5000044000000
        pool main epoch                                                        2
        meter                                                                  50,000.00
    """,
    "a prize that was paid and is none stays paid: it is to be recovered": """
        T1 wagers 1: 3                                                         accepted
        T1 record 1: 3=straight_flush                                          recorded
        pay_out T1/1/1/3/main                                                  paid
        T1 correct 1: 3                                                        corrected
        hit T1/1/1/3/main state                                                paid
        balance recoverable                                                    500002000000
        balance paid                                                           0
        meter                                                                  50,000.22
        T1 correct 1: 3 revision=3                                             corrected
        balance recoverable                                                    500002000000
        T1 amend 1: rule=14.9 revision=4                                       void_recorded
        balance recoverable                                                    500002000000
        meter                                                                  50,000.00
    """,
    "a full house paid as a flush: the rest is held for the winner": """
        T1 wagers 1: 3                                                         accepted
        T1 record 1: 3=flush                                                   recorded
        pay_out T1/1/1/3/house                                                 paid
        T1 correct 1: 3=full_house                                             corrected
        hit T1/1/1/3/house state                                               verified
        hit T1/1/1/3/house amount_cents                                        15000
        hit T1/1/1/3/house marks                                               corrected,repriced
        balance payable/T1/1/1/3/house                                         5000000000
        balance paid                                                           10000000000
        balance house                                                          -5015000000000
        approve T1/1/1/3/house by=Eve with=Fay                                 approved
        pay T1/1/1/3/house by=Hal                                              paid
        balance paid                                                           15000000000
        balance payable/T1/1/1/3/house                                         0
    """,
    "a flush paid as a full house: what is too much is to be recovered": """
        T1 wagers 1: 3                                                         accepted
        T1 record 1: 3=full_house                                              recorded
        pay_out T1/1/1/3/house                                                 paid
        T1 correct 1: 3=flush                                                  corrected
        hit T1/1/1/3/house state                                               paid
        hit T1/1/1/3/house amount_cents                                        10000
        balance recoverable                                                    5000000000
        balance paid                                                           10000000000
        balance house                                                          -5015000000000
        T1 amend 1: rule=14.9 revision=3                                       void_recorded
        balance recoverable                                                    15000000000
        balance paid                                                           0
    """,
    "a straight flush paid as a royal: the pool has its seed and the difference again": """
        T1 wagers 1: 3                                                         accepted
        T1 record 1: 3=royal_flush                                             recorded
        pay_out T1/1/1/3/main                                                  paid
        T1 correct 1: 3=straight_flush                                         corrected
        hit T1/1/1/3/main state                                                paid
        hit T1/1/1/3/main amount_cents                                         500002
        balance recoverable                                                    4500020000000
        balance paid                                                           500002000000
        meter                                                                  45,000.20
    """,
    "cards that nobody could read: the claim has its amount by the corrected record": """
        T1 wagers 1: 3 4                                                       accepted
        T1 record 1: 3=flush 4 cards=3:Ks,Ks,9s,3s,2s                          disputed
        hit T1/1/1/3/house state                                               claimed
        T1 correct 1: 3=flush 4                                                corrected
        hit T1/1/1/3/house state                                               pending
        hit T1/1/1/3/house amount_cents                                        10000
    """,
    "cards that nobody could read, and they make no prize: the claim is rejected and released": """
        T1 wagers 1: 3 4                                                       accepted
        T1 record 1: 3=flush 4 cards=3:Ks,Ks,9s,3s,2s                          disputed
        T1 correct 1: 3 4                                                      corrected
        hit T1/1/1/3/house state                                               released
        balance payable/T1/1/1/3/house                                         0
    """,
    "a dispute about the record ends with the same prize: its amount stands": """
        T1 wagers 1: 3 4                                                       accepted
        T1 record 1: 3=straight_flush 4 settled=off                            disputed
        T2 wagers 1: 1 2                                                       accepted
        T1 correct 1: 3=straight_flush 4                                       corrected
        hit T1/1/1/3/main state                                                pending
        hit T1/1/1/3/main amount_cents                                         500004
        hit T1/1/1/3/main marks                                                corrected
    """,
    "after an epoch has ended: what is new is awarded from the new meter": """
        T1 wagers 1: 3                                                         accepted
        T1 record 1: 3                                                         recorded
        T2 wagers 1: 1                                                         accepted
        T2 record 1: 1=royal_flush                                             recorded
        pool main epoch                                                        2
        T1 correct 1: 3=royal_flush                                            corrected
        hit T1/1/1/3/main amount_cents                                         5000000
        pool main epoch                                                        3
        meter                                                                  50,000.00
    """,
    "a seat that is void is not in play any more": """
        T1 wagers 1: 3 4                                                       accepted
        T1 record 1: 3=flush 4                                                 recorded
        T1 amend 1: 3 rule=14.8                                                void_recorded
        T1 correct 1: 4=full_house revision=3                                  corrected
        hit T1/1/1/4/house amount_cents                                        15000
        T1 amend 1: rule=14.4 revision=4                                       void_recorded
        hit T1/1/1/4/house state                                               released
        T1 correct 1: 4=flush revision=5                                       round_voided
    """,
    "who may not win does not win by a better record": """
        T1 wagers 1: 3 4                                                       accepted
        T1 record 1: 3=flush 4                                                 recorded
        release T1/1/1/3/house by=Cy with=Dee reason=staff rule=16.15          released
        T1 correct 1: 3=full_house 4=flush                                     corrected
        hit T1/1/1/3/house state                                               released
        hit T1/1/1/4/house state                                               pending
    """,
    "corrected twice: the prize falls away, and comes again by the record after": """
        T1 wagers 1: 3 4                                                       accepted
        T1 record 1: 3=straight_flush 4                                        recorded
        verify T1/1/1/3/main by=Dee                                            verified
        approve T1/1/1/3/main by=Eve with=Fay                                  approved
        T1 correct 1: 3 4                                                      corrected
        meter                                                                  50,000.44
        T1 correct 1: 3=straight_flush 4 revision=3                            corrected
        hit T1/1/1/3/main state                                                pending
        hit T1/1/1/3/main approvers                                            4
        meter                                                                  45,000.40
        verify T1/1/1/3/main by=Hal                                            verified
        approve T1/1/1/3/main by=Ida with=Jo                                   approved
        T1 amend 1: rule=14.4 revision=4                                       void_recorded
        meter                                                                  50,000.00
        balance house                                                          -5000000000000
        balance reserve                                                        0
    """,
    "a royal goes to another seat, then the round is void: the meter is as if nothing had been": """
        T1 wagers 1: 1 2 3                                                     accepted
        T1 record 1: 1=royal_flush 2 3                                         recorded
        T1 correct 1: 1=straight_flush 2 3=royal_flush                         corrected
        pool main epoch                                                        3
        T1 amend 1: rule=14.9 revision=3                                       void_recorded
        meter                                                                  50,000.00
        balance reserve                                                        0
        balance house                                                          -5000000000000
        balance wagers                                                         0
    """,
    "a second royal of the round, which fell away: its wagers' increments went to the first": """
        T1 wagers 1: 1 2 3                                                     accepted
        T1 record 1: 1=royal_flush 2 3                                         recorded
        T1 correct 1: 1=royal_flush 2 3=royal_flush                            corrected
        hit T1/1/1/3/main amount_cents                                         5000000
        T1 amend 1: 3 rule=14.8 revision=3                                     void_recorded
        meter                                                                  50,000.00
        hit T1/1/1/1/main amount_cents                                         5000066
    """,
    "a round of last month, of an epoch that is closed, under terms that hold no more": """
        T1 wagers 1: 3 4                                                       accepted
        T1 record 1: 3=flush 4                                                 recorded
        pay_out T1/1/1/3/house                                                 paid
        T2 wagers 1: 1                                                         accepted
        T2 record 1: 1=royal_flush                                             recorded
        wait 864000                                                            over
        terms pay_table.flush.amount_cents=5000                                opened
        T1 hello                                                               connected
        T1 wagers 2: 1 month=2026-12                                           accepted
        T1 record 2: 1 month=2026-12                                           recorded
        T1 correct 1: 3 4=flush with=- manager=Max                             corrected
        hit T1/1/1/3/house state                                               paid
        balance recoverable                                                    10000000000
        hit T1/1/1/4/house amount_cents                                        10000
        hit T1/1/1/4/house month                                               2026-11
        pool main epoch                                                        2
        meter                                                                  50,000.22
        T1 amend 1: rule=14.9 revision=3                                       void_recorded
        hit T1/1/1/4/house state                                               released
        meter                                                                  50,000.22
    """,
    "what is refused": """
        T1 wagers 1: 3 4                                                       accepted
        T1 correct 1: 3=flush                                                  later:round_open
        T1 record 1: 3 4                                                       recorded
        T1 correct 1: 3=flush by=-                                             name_needed
        T1 correct 1: 3=flush with=-                                           name_needed
        T1 correct 1: 3=flush with=ann                                         same_person
        T1 correct 1: 3=flush reason=-                                         reason_needed
        T1 correct 1: 3=flush claim=4:flush                                    record_wrong
        T1 correct 1: 3=flush 4 cards=3:Ks,Ks,9s,3s,2s                         record_wrong
        T1 correct 1: 3=flush 4 missing=4                                      record_wrong
        T1 correct 1: 3=flush corrects=0                                       no_such_round
        T1 correct 9: 3=flush                                                  no_such_round
        T2 withdraw 1:                                                         withdrawn
        T2 record 1: 1                                                         recorded
        T2 correct 1: 1=flush                                                  no_such_round
        meter                                                                  50,000.44
    """,
    "once the next round has begun a manager is one of the two": """
        T1 wagers 1: 3                                                         accepted
        T1 record 1: 3                                                         recorded
        T1 wagers 2: 3                                                         accepted
        T1 correct 1: 3=flush                                                  name_needed
        T1 correct 1: 3=flush with=- manager=Max                               corrected
        hit T1/1/1/3/house state                                               pending
    """,
}


@pytest.mark.parametrize("story", STORIES.values(), ids=STORIES.keys())
def test_a_corrected_record(story: str) -> None:
    """Each line comes to its last word."""
    Floor().play(story)


def test_a_stake_goes_with_its_prize() -> None:
    """`stake_returned`: the dollar that came back with a prize is recovered with it, or is the new prize's."""
    floor = Floor(with_rulings(stake_returned=True))
    floor.play("""
        T1 wagers 1: 3 4                                                       accepted
        T1 record 1: 3=flush 4                                                 recorded
        balance paid                                                           100000000
        T1 correct 1: 3=straight_flush 4                                       corrected
        balance paid                                                           100000000
        T1 correct 1: 3 4 revision=3                                           corrected
        balance paid                                                           0
        balance recoverable                                                    100000000
        T1 correct 1: 3=flush 4 revision=4                                     corrected
        balance paid                                                           100000000
        T1 amend 1: rule=14.4 revision=5                                       void_recorded
        balance paid                                                           0
        balance wagers                                                         0
    """)


def test_a_prize_waits_for_a_record_that_saw_its_cards_as_the_terms_ask() -> None:
    """`least_capture` full: a correction that saw no more leaves the dispute as it is, one that saw all ends it."""
    Floor(with_prize(demo_terms(), "straight_flush", least_capture="full")).play("""
        T1 wagers 1: 3 4                                                       accepted
        T1 record 1: 3=straight_flush claims                                   recorded
        hit T1/1/1/3/main state                                                disputed
        hit T1/1/1/3/main marks                                                needs_capture
        T1 correct 1: 3=straight_flush claims                                  corrected
        hit T1/1/1/3/main state                                                disputed
        hit T1/1/1/3/main marks                                                needs_capture
        T1 correct 1: 3=straight_flush 4 revision=3                            corrected
        hit T1/1/1/3/main state                                                pending
        hit T1/1/1/3/main marks                                                corrected
        hit T1/1/1/3/main capture                                              full
        hit T1/1/1/3/main amount_cents                                         500004
    """)


def test_a_corrected_record_takes_hits_that_no_state_keeps() -> None:
    """Sixty-five prizes later the act brings the hit whole, and its account goes on where it ended."""
    floor = Floor()
    floor.play("""
        T1 wagers 1: 3                                                         accepted
        T1 record 1: 3=flush                                                   recorded
        pay_out T1/1/1/3/house                                                 paid
        T1 wagers 2: 1                                                         accepted
        T1 record 2: 1                                                         recorded
    """)
    for number in range(1, 66):
        floor.play(f"""
            T2 wagers {number}: 1                                              accepted
            T2 record {number}: 1=flush                                        recorded
            pay_out T2/1/{number}/1/house                                      paid
        """)
    assert not [key for key in floor.state.hits if key.table == "T1"]
    floor.play("""
        T1 correct 1: 3=full_house manager=Max                                 corrected
        hit T1/1/1/3/house state                                               verified
        hit T1/1/1/3/house amount_cents                                        15000
        balance payable/T1/1/1/3/house                                         5000000000
    """)
    (hit,) = [hit for key, hit in floor.state.hits.items() if key.table == "T1"]
    assert [act.by for act in hit.acts if act.by] == ["Dee", "Gus", "Ann", "Bob", "Max"]


def test_the_same_correction_twice_at_once() -> None:
    """The second is answered with the first: one award, one answer."""
    floor = Floor()
    floor.play("""
        T1 wagers 1: 3                                                         accepted
        T1 record 1: 3                                                         recorded
        T1 correct 1: 3=straight_flush                                         corrected
    """)
    before = floor.state
    first, second = floor.decide(floor.sent[-1], floor.sent[-1])
    assert first.answer == second.answer == floor.known[floor.sent[-1].id].answer
    assert floor.state == before
