"""Seats that went out of play by a word which nobody holds once the ledger has gone back: their records say so."""

from typing import Any

import pytest

from jackpot.core.past import PastRound
from jackpot.core.reopening import Choices, Plan
from jackpot.core.state import LinkState
from jackpot.ledger.past_rounds import PastRounds
from jackpot.wire.ids import HitKey
from tests.support.floor import Floor
from tests.support.lives import Restored

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
SEAT = """
    T1 void 1: 2 rule=16.5 with=Ben revision=3                             voided
    T1 record 1: 1 2=straight_flush/jackpot 3=royal_flush                  disputed
"""
WAYS = {
    "a seat whose hand would have drawn on the meter first": SEAT,
    "a seat whose hand wins nothing": """
        T1 void 1: 2 rule=16.5 with=Ben revision=3                         voided
        T1 record 1: 1 2/jackpot 3=royal_flush                             disputed
    """,
    "two seats in one word": """
        T1 void 1: 2 1 rule=16.5 with=Ben revision=3                       voided
        T1 record 1: 1/jackpot 2=straight_flush/jackpot 3=royal_flush      disputed
    """,
    "two seats in two words": """
        T1 void 1: 2 rule=16.5 with=Ben revision=3                         voided
        T1 void 1: 1 rule=14.8 with=Cat revision=3                         voided
        T1 record 1: 1=flush/jackpot 2=straight_flush/jackpot 3=flush      disputed
    """,
    "every seat, one by one": """
        T1 void 1: 3 rule=16.5 with=Ben revision=3                         voided
        T1 void 1: 2 rule=16.5 with=Ben revision=3                         voided
        T1 void 1: 1 rule=16.5 with=Ben revision=3                         voided
        T1 record 1: 1/jackpot 2/jackpot 3=royal_flush/jackpot             disputed
    """,
    "only the hands named were shown": """
        T1 void 1: 2 rule=16.5 with=Ben revision=3                         voided
        T1 record 1: 1 2=straight_flush/jackpot 3=royal_flush claims       disputed
    """,
    "cards that cannot be read: the prize has no amount yet": """
        T1 void 1: 2 rule=16.5 with=Ben revision=3                         voided
        T1 record 1: 1 2=flush/jackpot 3=royal_flush cards=1:As,As,2c,3d,4h claim=2:flush    disputed
    """,
    "the table itself, whose spool has lost its word": """
        T1 withdraw 1:                                                     withdrawn
        T1 record 1: 1/jackpot 2/jackpot 3=royal_flush/jackpot             disputed
    """,
    "and another table has won the meter since": f"""{SEAT}
        T2 wagers 2: 1                                                     accepted
        T2 record 2: 1=royal_flush                                         recorded
    """,
}


def gone_back(floor: Floor, kept: int) -> Restored:
    """The floor's ledger, brought back; no spool holds a word that took a seat out of play."""
    back = Restored(floor, kept, TABLES)
    back.held = [one for one in back.held if "/void" not in one.id and "/withdraw" not in one.id]
    return back


def reopened(floor: Floor, kept: int) -> tuple[Restored, Plan]:
    """That, opened again; all prizes are known to be open."""
    back = gone_back(floor, kept)
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


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS.keys())
@pytest.mark.parametrize("wagers_kept", [False, True])
def test_a_seat_that_was_out_of_play_is_void_again(way: str, *, wagers_kept: bool) -> None:
    """The same hits in the same states and amounts, the same balances: its wager is back, and its hand wins nothing."""
    floor = Floor(tables=TABLES)
    floor.play(MET)
    kept = len(floor.batches) if wagers_kept else OPENING
    floor.play(way)
    back, made = reopened(floor, kept)
    assert [words.partition(":")[0].split(" ", 2)[:2] for words in made.voided] == [["round", "T1/1/1"]]
    assert hits(back.state) == hits(floor.state)
    assert balances(back.state) == balances(floor.state)
    assert not made.corrections
    assert KEY not in back.state.rounds
    assert past_of(back).seats == floor.past.of(KEY).seats


def test_the_two_who_open_it_again_see_it_and_void_it() -> None:
    """It is on their list, so that another list names it, and posted in their names before the record."""
    floor = Floor(tables=TABLES)
    floor.play(MET + SEAT)
    back, made = reopened(floor, OPENING)
    assert list(made.voided) == ["round T1/1/1 seat 2: its record was answered without it"]
    names = [row.id for batch in back.posted for row in batch.rows.commands]
    record, void = "T1/1/2026-11/1/record/1", "T1/1/2026-11/1/void.2/3"
    assert names.index(void) == names.index(record) - 1
    body = b"".join(bytes(batch.body) for batch in back.posted)
    assert b'"rule":"as before the ledger went back","by":"Ann","seats":[2],"second":"Bob"' in body


def test_left_out_with_its_record() -> None:
    """Where two people do not take the record back nothing says that the seat was out of play."""
    floor = Floor(tables=TABLES)
    floor.play(MET + SEAT)
    record = "T1/1/2026-11/1/record/1"
    made = gone_back(floor, OPENING).planned(Choices("Ann", "Bob", left_out=(record,)))
    assert not made.voided
    assert made.decisions[-1].state.rounds[KEY].accepted == {1, 2, 3}


def test_a_seat_is_void_once() -> None:
    """The restored ledger holds the void, or the seat's wager had never been accepted: nothing is posted beside it."""
    floor = Floor(tables=TABLES)
    floor.play(MET + SEAT.splitlines()[1])
    kept = len(floor.batches)
    floor.play(SEAT.splitlines()[2])
    assert not reopened(floor, kept)[1].voided
    refused = Floor(tables=TABLES)
    refused.play("T1 wagers 1: 1 2/ante=0    accepted,no_ante\nT1 record 1: 1 2=flush/jackpot    disputed")
    assert not reopened(refused, OPENING)[1].voided
