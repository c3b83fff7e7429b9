"""What two people do instead of a record, about a fraud, and about what came back (PROTOCOL 2, 7)."""

import pytest

from tests.support.floor import Floor

TYPED = {
    "the journal is lost: two people type the record in; its hits are manual, whatever their amounts": """
        T1 wagers 1: 3 4                                                       accepted
        word T1 spool=aa                                                       word
        T1 hello journal=0 spool=aa                                            connected
        T2 wagers 1: 1                                                         accepted
        T1 type 1: 3=straight_flush 4=flush journal=1                          recorded
        hit T1/1/1/3/main amount_cents                                         500006
        hit T1/1/1/3/main marks                                                manual
        hit T1/1/1/4/house marks                                               manual
        hit T1/1/1/4/house approvers                                           2
        round T1 1                                                             over
        facts recorded                                                         1
        T1 type 1: 3 journal=1                                                 id_reused
        T1 record 1: 3 journal=1                                               round_recorded
        T1 correct 1: 3 4=flush journal=1 manager=Max with=-                   corrected
        hit T1/1/1/3/main state                                                released
    """,
    "never more than the ledger holds at that commit: another table's royal came first": """
        T1 wagers 1: 3                                                         accepted
        T2 wagers 1: 1                                                         accepted
        T2 record 1: 1=royal_flush                                             recorded
        T1 type 1: 3=royal_flush manager=Max                                   recorded
        hit T1/1/1/3/main amount_cents                                         5000000
        hit T1/1/1/3/main state                                                disputed
        hit T1/1/1/3/main marks                                                manual,order
    """,
    "what is refused": """
        T1 type 1: 3=flush                                                     no_such_round
        T1 wagers 1: 3                                                         accepted
        T1 type 1: 3=flush                                                     name_needed
        T1 type 1: 3=flush by=-                                                name_needed
        T1 type 1: 3=flush with=- manager=Max                                  name_needed
        T1 type 1: 3=flush with=ann manager=Max                                same_person
        T1 type 1: 3=flush reason=- manager=Max                                reason_needed
        T1 type 1: 3=flush claim=3:full_house manager=Max                      record_wrong
        T1 type 1: 3=flush cards=3:Ks,Ks,9s,3s,2s manager=Max                  record_wrong
        T1 type 1: 3=flush journal=7                                           later:unknown_journal
        round T1 1                                                             open:3
        T1 record 1: 3                                                         recorded
        T1 type 1: 3=flush manager=Max                                         round_recorded
        T2 wagers 1: 3                                                         accepted
        T2 void 1:                                                             voided
        T2 type 1: 3=flush manager=Max                                         round_voided
    """,
    "the base game was settled otherwise: that is told, and keeps no prize waiting": """
        T1 wagers 1: 3                                                         accepted
        T1 type 1: 3=flush settled=off manager=Max                             recorded
        difference                                                             settled
        hit T1/1/1/3/house state                                               pending
        table T1                                                               linked
    """,
}

FORFEITED = {
    "an open round: one wager is forfeited, the others go back; the meter is as if nothing had been (16.6)": """
        T1 wagers 1: 3 4 5                                                     accepted
        T1 invalidate 1: forfeit=4                                             void_recorded
        moved pool/main                                                        -66000000
        moved wagers                                                           200000000
        moved forfeited                                                        100000000
        balance forfeited                                                      100000000
        balance wagers                                                         -100000000
        meter                                                                  50,000.00
        round T1 1                                                             over
        facts voided                                                           1
        T1 wagers 1: 3 revision=2                                              round_voided
        T1 record 1: 3                                                         round_voided
        T1 amend 1: rule=14.4 revision=3                                       round_voided
    """,
    "a recorded round: hits are released, who defrauded has the wager back no more than the prize": """
        T1 wagers 1: 3 4                                                       accepted
        T1 record 1: 3=straight_flush 4=flush                                  recorded
        T1 amend 1: rule=16.6 forfeit=3                                        void_recorded
        hit T1/1/1/3/main state                                                released
        hit T1/1/1/4/house state                                               released
        balance forfeited                                                      100000000
        balance house                                                          -5000000000000
        meter                                                                  50,000.00
        T1 amend 1: rule=14.4 revision=3                                       round_voided
    """,
    "a paid prize of who defrauded is to be recovered": """
        T1 wagers 1: 3                                                         accepted
        T1 record 1: 3=flush                                                   recorded
        pay_out T1/1/1/3/house                                                 paid
        T1 amend 1: rule=16.6 forfeit=3                                        void_recorded
        balance recoverable                                                    10000000000
        balance forfeited                                                      100000000
    """,
    "a token was no money: it is not handed back, and nothing of it is set aside": """
        T1 wagers 1: 3/tender=token 4                                          accepted
        T1 invalidate 1: forfeit=3                                             void_recorded
        balance forfeited                                                      0
        balance house                                                          -5000000000000
        balance wagers                                                         0
        meter                                                                  50,000.00
    """,
    "without a direction by name and reason all wagers go back (16.6)": """
        T1 wagers 1: 3 4                                                       accepted
        T1 invalidate 1: forfeit=3 director=-                                  name_needed
        T1 invalidate 1: forfeit=3 why=-                                       reason_needed
        T1 invalidate 1: forfeit=5                                             no_such_seat
        T1 invalidate 1: forfeit=3,3                                           no_such_seat
        T1 invalidate 1: forfeit=3 rule=14.4                                   no_such_rule
        T1 invalidate 1: forfeit=3 by=-                                        name_needed
        T1 invalidate 1: forfeit=3 with=ann                                    same_person
        T1 invalidate 1: forfeit=3 reason=-                                    reason_needed
        T1 invalidate 2: forfeit=3                                             no_such_round
        T1 record 1: 3 4                                                       recorded
        T1 invalidate 1: forfeit=3                                             round_recorded
        T1 amend 1: rule=16.6                                                  no_such_rule
        T1 amend 1: rule=14.4 forfeit=3                                        no_such_rule
        T1 amend 1: 3 rule=16.6 forfeit=3                                      no_such_rule
        T1 amend 1: rule=16.6 forfeit=5                                        no_such_seat
        T1 amend 1: rule=16.5                                                  void_recorded
        balance wagers                                                         0
    """,
}

BACK = {
    "an overpayment comes back in parts, never more than is owed": """
        T1 wagers 1: 3                                                         accepted
        T1 record 1: 3=straight_flush                                          recorded
        recover T1/1/1/3/main cents=1                                          nothing_owed
        pay_out T1/1/1/3/main                                                  paid
        recover T1/1/1/3/main cents=1                                          nothing_owed
        T1 amend 1: rule=14.9                                                  void_recorded
        recover T1/1/1/3/main cents=500003                                     nothing_owed
        recover T1/1/1/3/main cents=0                                          nothing_owed
        recover T1/1/1/3/main cents=200000                                     recovered
        recover T1/1/1/3/main cents=200000                                     recovered
        balance recovered/T1/1/1/3/main                                        200000000000
        recover T1/1/1/3/main cents=200000 by=Cy                               id_reused
        recover T1/1/1/3/main cents=300003 part=2                              nothing_owed
        recover T1/1/1/3/main cents=300002 part=2                              recovered
        balance recoverable                                                    0
        balance recovered/T1/1/1/3/main                                        500002000000
        recover T1/1/1/3/main cents=1 part=3                                   nothing_owed
    """,
    "two people, and how it was rectified (14.18.1)": """
        T1 wagers 1: 3                                                         accepted
        T1 record 1: 3=flush                                                   recorded
        pay_out T1/1/1/3/house                                                 paid
        T1 correct 1: 3                                                        corrected
        recover T1/1/1/3/house cents=1 with=-                                  name_needed
        recover T1/1/1/3/house cents=1 with=ann                                same_person
        recover T1/1/1/3/house cents=1 reason=-                                reason_needed
        recover T1/1/1/3/house cents=1                                         recovered
    """,
}


@pytest.mark.parametrize("story", [*TYPED.values()], ids=[*TYPED])
def test_a_record_typed_in(story: str) -> None:
    """Each line comes to its last word."""
    Floor().play(story)


@pytest.mark.parametrize("story", [*FORFEITED.values()], ids=[*FORFEITED])
def test_a_wager_forfeited_by_direction(story: str) -> None:
    """Each line comes to its last word."""
    Floor().play(story)


@pytest.mark.parametrize("story", [*BACK.values()], ids=[*BACK])
def test_what_came_back_of_an_overpayment(story: str) -> None:
    """Each line comes to its last word."""
    Floor().play(story)
