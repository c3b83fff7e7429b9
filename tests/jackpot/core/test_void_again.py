"""Seats that went out of play by a word which nobody holds once the ledger has gone back: their records say so."""

from collections.abc import Collection
from typing import Any

import pytest

from jackpot.core.past import PastRound
from jackpot.core.reopening import Choices, Plan
from jackpot.core.state import LinkState
from jackpot.ledger.past_rounds import PastRounds
from jackpot.wire.ids import HitKey
from tests.support.floor import Floor
from tests.support.held import known_of
from tests.support.lives import Restored
from tests.support.terms import with_rulings

TABLES = ("T1", "T2", "T3")
OPENING = 7
"""Batches in which the link is opened and its tables say hello."""
TWO = Choices("Ann", "Bob")
KEY = ("T1", 1, 1)
MET = """
    T2 wagers 1: 1 2                                                       accepted
    T2 record 1: 1                                                         recorded
    T1 wagers 1: 1 2 3                                                     accepted
"""
SEAT = "T1 void 1: 2 rule=16.5 with=Ben revision=3    voided"
RECORD = "T1 record 1: 1 2=straight_flush/jackpot 3=royal_flush    disputed"
WAYS = {
    "a seat whose hand would have drawn on the meter first": (SEAT, RECORD),
    "a seat whose hand wins nothing": (SEAT, "T1 record 1: 1 2/jackpot 3=royal_flush    disputed"),
    "two seats in one word": (
        "T1 void 1: 2 1 rule=16.5 with=Ben revision=3                       voided",
        "T1 record 1: 1/jackpot 2=straight_flush/jackpot 3=royal_flush      disputed",
    ),
    "two seats in two words": (
        f"{SEAT}\nT1 void 1: 1 rule=14.8 with=Cat revision=3                 voided",
        "T1 record 1: 1=flush/jackpot 2=straight_flush/jackpot 3=flush      disputed",
    ),
    "every seat, one by one": (
        "\n".join(f"T1 void 1: {seat} rule=16.5 with=Ben revision=3    voided" for seat in (3, 2, 1)),
        "T1 record 1: 1/jackpot 2/jackpot 3=royal_flush/jackpot             disputed",
    ),
    "only the hands named were shown": (
        SEAT,
        "T1 record 1: 1 2=straight_flush/jackpot 3=royal_flush claims       disputed",
    ),
    "cards that cannot be read: the prize has no amount yet": (
        SEAT,
        "T1 record 1: 1 2=flush/jackpot 3=royal_flush cards=1:As,As,2c,3d,4h claim=2:flush    disputed",
    ),
    "another table has won the meter since": (
        SEAT,
        f"{RECORD}\nT2 wagers 2: 1    accepted\nT2 record 2: 1=royal_flush    recorded",
    ),
    "the table took its seats out": (SEAT, "T1 withdraw 1:    withdrawn\nT1 record 1: 1=flush/nojackpot    recorded"),
    "the table voided the same seat": (
        SEAT,
        "T1 void 1: 2    voided\nT1 record 1: 1 3=royal_flush    recorded",
    ),
    "the table voided that seat and another": (
        SEAT,
        "T1 void 1: 2 1    voided\nT1 record 1: 3=royal_flush    recorded",
    ),
    "the table voided the round": (SEAT, "T1 void 1: rule=14.4    voided"),
    "the table itself, whose spool has lost its word": (
        "T1 withdraw 1:    withdrawn",
        "T1 record 1: 1/jackpot 2/jackpot 3=royal_flush/jackpot             disputed",
    ),
}
"""What nobody holds once the ledger has gone back, and what the table did then."""


def played(unheld: str, held: str) -> tuple[Floor, set[str]]:
    """A floor, and the ids of what nobody holds of it."""
    floor = Floor(tables=TABLES)
    floor.play(MET)
    before = set(floor.known)
    floor.play(unheld)
    lost = set(floor.known) - before
    floor.play(held)
    return floor, lost


def gone_back(floor: Floor, lost: Collection[str], kept: int) -> Restored:
    """The floor's ledger, brought back to so many of its batches; no spool holds what is lost."""
    back = Restored(floor, kept, TABLES)
    back.held = [one for one in back.held if one.id not in lost]
    return back


def reopened(floor: Floor, lost: Collection[str], kept: int) -> tuple[Restored, Plan]:
    """That, opened again; all prizes are known to be open."""
    back = gone_back(floor, lost, kept)
    return back, back.reopen(Choices("Ann", "Bob", open=tuple(map(str, floor.state.hits))))


def hits(state: LinkState) -> dict[HitKey, Any]:
    """What stands of each hit."""
    return {key: (hit.state, hit.prize, hit.amount_cents, hit.from_pool_cents) for key, hit in state.hits.items()}


def balances(state: LinkState) -> dict[str, int]:
    """What every account holds that holds anything, in microcents."""
    return {name: held.microcents for name, held in state.balances.items() if held.microcents}


def past_of(back: Restored) -> PastRound:
    """What two people who amend T1's round would bring of it."""
    rounds = PastRounds()
    for batch in [*back.floor.batches[: back.batches], *back.posted]:
        rounds.take(batch)
    return rounds.of(KEY)


@pytest.mark.parametrize(("unheld", "held"), WAYS.values(), ids=WAYS.keys())
@pytest.mark.parametrize("kept", [OPENING, OPENING + MET.count("T")])
def test_a_seat_that_was_out_of_play_is_void_again(unheld: str, held: str, kept: int) -> None:
    """The same hits in the same states and amounts, the same balances: its wager is back, and its hand wins nothing.

    So is what the ledger has of the round: nobody can give that wager back a second time.
    """
    floor, lost = played(unheld, held)
    back, made = reopened(floor, lost, kept)
    assert [words.partition(" seat")[0] for words in made.voided] == ["round T1/1/1"]
    assert hits(back.state) == hits(floor.state)
    assert balances(back.state) == balances(floor.state)
    assert not made.corrections
    assert KEY not in back.state.rounds
    assert past_of(back).seats == floor.past.of(KEY).seats
    for one in back.held:
        assert back.answers[one.id] == one.answer


def test_the_two_who_open_it_again_see_it_and_void_it() -> None:
    """It is on their list, so that another list names it, and posted in their names before the record."""
    back, made = reopened(*played(SEAT, RECORD), OPENING)
    assert list(made.voided) == ["round T1/1/1 seat 2: out of play by what T1 was answered next"]
    names = [row.id for batch in back.posted for row in batch.rows.commands]
    record, void = "T1/1/2026-11/1/record/1", "T1/1/2026-11/1/void.2/4"
    assert names.index(void) == names.index(record) - 1
    body = b"".join(bytes(batch.body) for batch in back.posted)
    assert b'"rule":"as before the ledger went back","by":"Ann","seats":[2],"second":"Bob"' in body


def test_left_out_with_its_record() -> None:
    """Where two people do not take the record back nothing says that the seat was out of play."""
    record = "T1/1/2026-11/1/record/1"
    made = gone_back(*played(SEAT, RECORD), OPENING).planned(Choices("Ann", "Bob", left_out=(record,)))
    assert not made.voided
    assert made.decisions[-1].state.rounds[KEY].accepted == {1, 2, 3}


@pytest.mark.parametrize(
    ("unheld", "held", "kept"),
    [
        (SEAT, RECORD, OPENING + 4),
        ("", "T1 void 1: 2 rule=16.5 with=Ben revision=3    voided\nT1 record 1: 3=flush    recorded", OPENING),
        ("", "T1 void 1: 2    voided\nT1 void 1: 2 revision=2    voided\nT1 withdraw 1:    withdrawn", OPENING),
        ("", "T3 wagers 1: 1 2/ante=0    accepted,no_ante\nT3 record 1: 1 2=flush/jackpot    disputed", OPENING),
    ],
    ids=["the restored ledger holds it", "its table holds it", "the table's own word", "its wager was not accepted"],
)
def test_a_seat_is_void_once(unheld: str, held: str, kept: int) -> None:
    """Nothing is posted beside a word that somebody holds, nor for a seat that was never in play."""
    assert not reopened(*played(unheld, held), kept)[1].voided


def test_under_terms_by_which_a_void_gives_nothing_back() -> None:
    """No void's answer names a seat there: only the record says that one was out of play."""
    floor = Floor(with_rulings(void_returns_jackpot=False), TABLES)
    floor.play(f"{MET}\nT1 void 1: 1    voided\n{SEAT}\nT1 record 1: 2/jackpot 3=royal_flush    disputed")
    back, made = reopened(floor, {"T1/1/2026-11/1/void.2/3"}, OPENING)
    assert list(made.voided) == ["round T1/1/1 seat 2: out of play by what T1 was answered next"]
    assert (hits(back.state), balances(back.state)) == (hits(floor.state), balances(floor.state))
    assert past_of(back).seats == floor.past.of(KEY).seats == {3}


def test_two_people_voided_a_seat_in_two_words_of_which_its_table_holds_one() -> None:
    """Its second was answered with no seat: under its own id it stands as it was."""
    unheld = "T1 void 1: 2 3 rule=16.5 with=Ben revision=3    voided"
    floor, lost = played(unheld, f"{SEAT}\nT1 record 1: 1=royal_flush 3/jackpot    disputed")
    back, made = reopened(floor, lost, OPENING)
    words = "round T1/1/1 seat {}: out of play by what T1 was answered next"
    assert list(made.voided) == [words.format(2), words.format(3)]
    assert back.answers["T1/1/2026-11/1/void.2/3"] == floor.known["T1/1/2026-11/1/void.2/3"].answer
    assert (hits(back.state), balances(back.state)) == (hits(floor.state), balances(floor.state))
    assert past_of(back).seats == floor.past.of(KEY).seats == {1}


def test_what_its_table_had_still_to_say_of_it_is_taken() -> None:
    """It had heard of the void, and its word in the two people's own was not answered yet: no other has that id."""
    floor, lost = played(SEAT, "T1 void 1: 2 1    voided")
    back, made = reopened(floor, lost, OPENING)
    after = Floor(tables=TABLES)
    after.state, after.time_us = back.state, floor.time_us
    for decision in made.decisions:
        after.known |= known_of(decision)
    after.play(f"{SEAT}\nround T1 1    open:3\nfacts id_reused    0\nT1 record 1: 3    recorded")
    assert not after.state.rounds
