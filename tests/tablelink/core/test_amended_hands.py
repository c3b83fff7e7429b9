"""Which hands does a table tell of a round that people voided at the server, or seats of it? Each once, at its end."""

import pytest

from jackpot.core.commands import command_of
from jackpot.wire.codec import decode_from_table
from jackpot.wire.messages import Void
from tests.support.dealing_words import ROYAL, through
from tests.support.floor import Floor

DEALT = ("bets 1:1000+100 3:500+100 5:500+100", "green 1 3 5", "deal")


@pytest.mark.parametrize("people", ["people void 3", "people void 1 3"])
def test_a_hand_that_the_tables_own_void_tells_is_told_once(people: str) -> None:
    """The dealer voids a seat while two people do: no message has the id of another, or the spool takes neither."""
    dealing, before = through(*DEALT, "void 3")
    dealing, heard = through(people, dealing=dealing)
    left = [f"bet {seat} 2000" for seat in (1, 5) if people == "people void 3" or seat == 5]
    _, posts = through(*left, "dealer", "turned", dealing=dealing)
    ids = [post.id for post in [*before, *heard, *posts]]
    assert len(ids) == len(set(ids))
    assert "T1/1/2026-11/1/void.3/2" in ids
    assert ids[-1] == "T1/1/2026-11/1/record/1"


@pytest.mark.parametrize(
    ("lines", "second", "seats"),
    [
        (("people void",), "void.1.3.5/2", "1 3 5"),
        (("people void 1", "people void"), "void.1/2", "1"),
        (("people void 3", "people void"), "void.1.5/2", "1 5"),
        (("people void 1 3", "people void 5"), "void.1.3/2", "1 3"),
        (("people void 5", "people void 1 3"), "void.1.3/2", "1 3"),
        (("void 1", "people void"), "void.1/2", "1"),
        (("people void 1", "void"), "void.1/2", "1"),
        (("void 1", "void"), "void.1/2", "1"),
    ],
)
def test_the_hands_of_a_void_round_are_told(lines: tuple[str, ...], second: str, seats: str) -> None:
    """However its seats went out, before anybody had decided: what they held, in a second word that people look at."""
    dealing, before = through(*DEALT)
    _, posts = through(*lines, dealing=dealing)
    ids = [post.id for post in [*before, *posts]]
    assert len(ids) == len(set(ids))
    (told,) = [post for post in posts if post.id == f"T1/1/2026-11/1/{second}"]
    void = decode_from_table(told.body)
    assert isinstance(void, Void)
    assert (void.revision, void.seats) == (2, [int(seat) for seat in seats.split()])
    assert f"seat 1 {ROYAL}" in void.cards_seen
    assert not told.ends_round


def test_nothing_is_told_where_no_card_was_dealt() -> None:
    """Before the deal, and of what was never accepted."""
    for lines in (DEALT[:2], (DEALT[0],), (DEALT[0], "go_on", "deal")):
        dealing, _ = through(*lines)
        _, posts = through("people void", dealing=dealing)
        assert [post.id for post in posts] == ["T1/1/2026-11/1/void/3"]


ALL_BET = ("bet 1 2000", "bet 3 1000", "bet 5 1000", "dealer")


@pytest.mark.parametrize(
    "lines",
    [
        ("void 1", "bet 3 1000", "bet 5 1000", "dealer", "turned"),
        (*ALL_BET, "void 1", "turned"),
        (*ALL_BET, "people void 1", "turned"),
        ("people void 1", "people void 1 3", "bet 5 1000", "dealer", "turned"),
        ("people void 1 3", "people void 1", "bet 5 1000", "dealer", "turned"),
        ("void 1", "people void 1 3", "bet 5 1000", "dealer", "turned"),
        ("void 1", "people void 1 3", "people void 1 3 5"),
        (*ALL_BET, "void 1", "people void 1 3", "turned"),
        (*ALL_BET, "void 1", "void"),
        (*ALL_BET, "void 1", "void 3", "people void"),
        (*ALL_BET, "void 1", "people record"),
        (*ALL_BET, "people void 1", "people forfeit 3"),
        ("people void",),
        ("void 1", "void"),
    ],
)
@pytest.mark.parametrize("before", [0, 1, 3])
def test_people_are_called_once_for_a_hand(lines: tuple[str, ...], before: int) -> None:
    """However often its seat was voided, and by whom: told at the table, once where the server hears of it.

    Two people may have voided it (and others) at the server before the table's own words came.
    """
    _, posts = through(*DEALT, *lines)
    floor = Floor(tables=("T1",))
    floor.decide(command_of(posts[0].body))
    if before:
        floor.play(f"T1 void 1: {'1' if before == 1 else '1 2 3'} rule=14.8 with=Zoe revision=3  voided")
    for post in posts[1:]:
        floor.decide(command_of(post.body))
    told = " ".join(str(fact.figures["prizes"]) for fact in floor.facts if fact.kind == "prize_voided")
    assert told.count("seat 1 royal_flush") == 1
    assert told.count("seat 3 flush") <= 1
