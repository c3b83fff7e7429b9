"""A table that voids a round in which a hand qualified is looked at by people: the wagers go back all the same."""

import pytest

from jackpot.core.reading import prizes_seen
from tests.support.floor import Floor
from tests.support.terms import with_rulings

ROYAL = "seat,3,As,Ks,Qs,Js,Ts"


@pytest.mark.parametrize(
    ("seen", "seats", "alarms"),
    [
        (ROYAL, "1 3", 1),
        (f"dealer,2c,3c,4c,5c,7c;{ROYAL};seat,1,2d,2h", "1 3", 1),
        (ROYAL, "1 2", 0),
        ("seat,3,As,Ks,Qs,Js", "1 3", 0),
        ("seat,3,As,Ks,Qs,Js,9h", "1 3", 0),
        ("", "1 3", 0),
    ],
)
def test_an_own_void_over_a_prize_is_an_alarm(seen: str, seats: str, alarms: int) -> None:
    """Only an accepted seat whose five cards were seen and qualify; the dealer's own hand and half a hand do not."""
    floor = Floor()
    floor.play(f"""
        T1 wagers 1: {seats}                                                   accepted
        T1 void 1: seen={seen}                                                 voided
        facts prize_voided                                                     {alarms}
        meter                                                                  50,000.00
    """)


@pytest.mark.parametrize(("seen", "alarms"), [(f"dealer,2c,3c,4c,5c,7c;{ROYAL}", 1), ("seat,3,2s,4d,6h,8s,9h", 0)])
def test_a_second_word_on_a_void_seat_tells_its_hand(seen: str, alarms: int) -> None:
    """What a seat held is told once nobody decides any more: an alarm then; no wager goes back a second time."""
    floor = Floor()
    floor.play(f"""
        T1 wagers 1: 1 3                                                       accepted
        T1 void 1: 3 seen=dealer,9h                                            voided
        meter                                                                  50,000.22
        T1 void 1: 3 revision=2 seen={seen}                                    voided
        facts prize_voided                                                     {alarms}
        facts voided                                                           1
        meter                                                                  50,000.22
        T1 record 1: 1                                                         recorded
    """)


@pytest.mark.parametrize(("seen", "alarms"), [(ROYAL, 1), ("seat,3,2s,4d,6h,8s,9h", 0), ("seat,5,As,Ks,Qs,Js,Ts", 0)])
def test_the_hands_of_a_round_that_people_voided_are_looked_at(seen: str, alarms: int) -> None:
    """Two people had not seen them: the table's second word is refused, the round is over, and people are called."""
    floor = Floor()
    floor.play(f"""
        T1 wagers 1: 1 3                                                       accepted
        T1 void 1: rule=16.5 with=Ben revision=3                               voided
        T1 void 1: 1 3 revision=2 seen={seen}                                  round_voided
        facts prize_voided                                                     {alarms}
        facts voided                                                           1
        meter                                                                  50,000.00
    """)


@pytest.mark.parametrize(("seen", "alarms"), [(ROYAL, 1), ("seat,3,2s,4d,6h,8s,9h", 0)])
def test_a_table_that_voids_what_people_just_voided_is_looked_at(seen: str, alarms: int) -> None:
    """Its word comes second and is refused; what it saw calls people all the same."""
    floor = Floor()
    floor.play(f"""
        T1 wagers 1: 1 3                                                       accepted
        T1 void 1: rule=16.5 with=Ben revision=3                               voided
        T1 void 1: seen={seen}                                                 round_voided
        facts prize_voided                                                     {alarms}
        facts voided                                                           1
    """)


@pytest.mark.parametrize(("hand", "alarms"), [("3=royal_flush claim=3:royal_flush", 1), ("3", 0)])
def test_a_record_of_a_void_round_that_names_a_prize_is_an_alarm(hand: str, alarms: int) -> None:
    """A table that lost its void, or played on past one of two people: refused for good, and people are called."""
    floor = Floor()
    floor.play(f"""
        T1 wagers 1: 1 3                                                       accepted
        T1 void 1:                                                             voided
        meter                                                                  50,000.00
        T1 record 1: 1 {hand}  round_voided
        facts prize_voided                                                     {alarms}
        meter                                                                  50,000.00
    """)


@pytest.mark.parametrize(
    ("typed", "word", "alarms"),
    [
        ("1 3", f"void 1: 0 revision=2 seen={ROYAL}", 1),
        ("1 3=straight_flush", f"void 1: 0 revision=2 seen={ROYAL}", 1),
        ("1 3=royal_flush", f"void 1: 0 revision=2 seen={ROYAL}", 0),
        ("1 3", "void 1: 0 revision=2 seen=seat,3,2s,4d,6h,8s,9h", 0),
        ("1 3", f"void 1: 3 revision=2 seen={ROYAL}", 1),
        ("1 3", f"void 1: seen={ROYAL}", 1),
        ("1 3", "record 1: 1 3=royal_flush claim=3:royal_flush", 1),
        ("1 3=royal_flush", "record 1: 1 3=royal_flush claim=3:royal_flush", 0),
        ("1 3", "record 1: 1 3", 0),
    ],
)
def test_a_prize_that_people_did_not_type_in_is_looked_at(typed: str, word: str, alarms: int) -> None:
    """Two people typed the record in; the table tells its hands, voids the round, or records it, and is refused.

    Nothing is moved by that; people are called where its cards show a prize that the record has not.
    """
    refusal = "round_recorded" if word.startswith("record") else "too_old"
    floor = Floor()
    floor.play(f"""
        T1 wagers 1: 1 3                                                       accepted
        T1 type 1: {typed} manager=Max                                         recorded
    """)
    before = floor.state
    floor.play(f"T1 {word}  {refusal}\nfacts prize_voided  {alarms}")
    assert (floor.state.hits, floor.state.balances) == (before.hits, before.balances)


def test_the_hands_of_a_forfeited_round_are_looked_at() -> None:
    """Another seat of it may hold a prize: whoever looked at the film looked at the one who defrauded."""
    Floor().play(f"""
        T1 wagers 1: 1 3                                                       accepted
        T1 invalidate 1: forfeit=1                                             void_recorded
        T1 void 1: 0 revision=2 seen={ROYAL}                                   round_voided
        facts prize_voided                                                     1
    """)


def test_a_word_on_hands_alone_takes_no_seat_out() -> None:
    """The ledger went back to before what people did: the round is open, and stays as it is; people are called."""
    Floor().play(f"""
        T1 wagers 1: 1 3                                                       accepted
        T1 void 1: 0 revision=2 seen={ROYAL}                                   voided
        facts prize_voided                                                     1
        facts voided                                                           0
        meter                                                                  50,000.44
        round T1 1                                                             open:1,3
        T1 record 1: 1 3=royal_flush                                           recorded
        hit T1/1/1/3/main state                                                pending
    """)


def test_the_alarm_names_seat_and_prize() -> None:
    """Seat, prize and the rule the table gave."""
    floor = Floor()
    floor.play(f"T1 wagers 1: 3  accepted\nT1 void 1: seen={ROYAL}  voided")
    (fact,) = [fact for fact in floor.facts if fact.kind == "prize_voided"]
    assert fact.figures == {"prizes": ["seat 3 royal_flush"], "rule": "CSP 14.4"}


@pytest.mark.parametrize("text", ["seat x As Ks Qs Js Ts", "seat 3 As As As As As", "seat 3 1 2 3 4 5", ";;", "seat"])
def test_whatever_a_table_wrote_is_read(text: str) -> None:
    """What is no hand of five cards shows no prize, and stops nothing."""
    assert prizes_seen(text, frozenset({3})) == {}


def test_a_forfeited_prize_of_a_void_round_gets_no_more() -> None:
    """The other share goes back to the pool whole: the forfeited one's fund wins nothing in a void round (12.3)."""
    Floor().play("""
        given pool/main 10000000000000                                         so
        T1 wagers 1: 1 2                                                       accepted
        T1 record 1: 1=straight_flush 2=straight_flush                         recorded
        forfeit T1/1/1/1/main by=Eve with=Fay reason=film rule=16.1            forfeited
        meter                                                                  81,000.36
        T1 amend 1: rule=14.9                                                  void_recorded
        balance forfeited                                                      950004000000
        hit T1/1/1/1/main amount_cents                                         950004
        meter                                                                  90,499.96
    """)


def test_a_share_may_ask_for_a_cent_that_more_winners_did_not() -> None:
    """`odd_cents` up: 150,000.03 divides by three and not by two: the house adds a cent, the link goes on (12.3)."""
    Floor(with_rulings(odd_cents="up")).play("""
        given pool/main 14999937000000                                         so
        T1 wagers 1: 1 2 3                                                     accepted
        T1 record 1: 1=royal_flush 2=royal_flush 3=royal_flush                 recorded
        hit T1/1/1/2/main amount_cents                                         5000001
        release T1/1/1/1/main by=Eve with=Fay reason=film rule=11.4            released
        hit T1/1/1/2/main amount_cents                                         7500002
        hit T1/1/1/3/main topup_cents                                          1
        balance payable/T1/1/1/3/main                                          7500002000000
    """)


def test_a_share_takes_no_pool_below_nought() -> None:
    """The odd cent that stayed went to another table's royal since, and nothing seeds the pool: the house adds it."""
    Floor(with_rulings(reset="none")).play("""
        given pool/main 9999957000000                                          so
        T1 wagers 1: 1 2                                                       accepted
        T1 record 1: 1=royal_flush 2=royal_flush                               recorded
        hit T1/1/1/1/main from_pool_cents                                      5000000
        meter                                                                  0.01
        given pool/main 0                                                      so
        release T1/1/1/2/main by=Eve with=Fay reason=film rule=11.4            released
        hit T1/1/1/1/main amount_cents                                         10000001
        hit T1/1/1/1/main from_pool_cents                                      10000000
        hit T1/1/1/1/main topup_cents                                          1
        balance payable/T1/1/1/1/main                                          10000001000000
        meter                                                                  0.00
    """)
