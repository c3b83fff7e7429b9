"""A table that voids a round in which a hand qualified is looked at by people: the wagers go back all the same."""

import pytest

from jackpot.core.reading import prizes_seen
from tests.support.floor import Floor

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


def test_the_alarm_names_seat_and_prize() -> None:
    """Seat, prize and the rule the table gave."""
    floor = Floor()
    floor.play(f"T1 wagers 1: 3  accepted\nT1 void 1: seen={ROYAL}  voided")
    (fact,) = [fact for fact in floor.facts if fact.kind == "prize_voided"]
    assert fact.figures == {"prizes": ["seat 3 royal_flush"], "rule": "CSP 14.8"}


@pytest.mark.parametrize("text", ["seat x As Ks Qs Js Ts", "seat 3 As As As As As", "seat 3 1 2 3 4 5", ";;", "seat"])
def test_whatever_a_table_wrote_is_read(text: str) -> None:
    """What is no hand of five cards shows no prize, and stops nothing."""
    assert prizes_seen(text, frozenset({3})) == {}
