"""What a reopening does not take on trust: answers that are not the round's own, slips of people, what nobody holds."""

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import msgspec
import pytest

from jackpot.core import decide_wagers
from jackpot.core.accounts import BrokenInvariant
from jackpot.core.behind import GoneBack, mark_of
from jackpot.core.ports import Known
from jackpot.core.reopening import Choices, Lost, Plan, TableHits, plan
from jackpot.core.state import Draft
from jackpot.wire.codec import decode_answer, encode
from jackpot.wire.messages import AwardLine, RecordAnswer, SeatAnswer, WagersAnswer
from jackpot.wire.snapshots import HitShown, PoolShown, Snapshot
from rules.terms import Terms
from tests.support.floor import Floor
from tests.support.lives import Restored, held_of

TABLES = ("T1", "T2", "T3")
OPENING = 7
"""Batches in which the link is opened and its tables say hello."""
TWO = Choices("Ann", "Bob")
PAID, ROYAL = "T1/1/1/1/main", "T2/1/1/1/main"
WAGERS, RECORD = "T2/1/2026-11/1/wagers/1", "T2/1/2026-11/1/record/1"
KNOWING = replace(TWO, paid=(PAID,))
PLAYED = """
    T1 wagers 1: 1                              accepted
    T1 record 1: 1=straight_flush               recorded
    verify T1/1/1/1/main by=Ann                 verified
    approve T1/1/1/1/main by=Bob                verified
    approve T1/1/1/1/main by=Cy                 approved
    pay T1/1/1/1/main by=Dee                    paid
    T2 wagers 1: 1                              accepted
    T2 record 1: 1=royal_flush                  recorded
"""


def restored(holders: Sequence[str] = TABLES, shown: Snapshot | None = None) -> Restored:
    """A prize of T1 was paid and T2 has won a royal; all of it is lost."""
    floor = Floor(tables=TABLES)
    floor.play(PLAYED)
    return Restored(floor, OPENING, holders, shown)


def told_otherwise(awards: Sequence[AwardLine]) -> Plan:
    """What would be posted where T2 claims to have been told of these awards."""
    back = restored()
    answer = decode_answer(back.held[-1].answer)
    assert isinstance(answer, RecordAnswer)
    back.held[-1] = replace(back.held[-1], answer=encode(msgspec.structs.replace(answer, awards=list(awards))))
    return back.planned(KNOWING)


def royal() -> AwardLine:
    """What T2 was told of its royal."""
    answer = decode_answer(restored().held[-1].answer)
    assert isinstance(answer, RecordAnswer)
    (line,) = answer.awards
    return line


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"hit": PAID}, "no_such_hit told of T1/1/1/1/main"),
        ({"hit": "zz"}, "no_such_hit told of zz"),
        ({"amount_cents": 10**14}, "record_wrong T2/1/1/1/main amount_cents 1000"),
        ({"amount_cents": 0}, "record_wrong T2/1/1/1/main amount_cents 0"),
        ({"bonus_cents": 10**12}, "record_wrong T2/1/1/1/main amount_cents 5000000"),
    ],
)
def test_an_answer_tells_of_its_own_round(change: dict[str, Any], why: str) -> None:
    """A prize of another table, or parts that are not the amount: it is named, and no hit is touched by it."""
    made = told_otherwise([msgspec.structs.replace(royal(), **change)])
    assert made.wrong[RECORD].startswith(why)
    assert not [fact for fact in made.corrections if fact.figures["what"] == PAID]


def told_of_seats(seats: Sequence[SeatAnswer]) -> Restored:
    """The link where T1 wagered on seats 1 and 3, and claims to have been told this of them."""
    floor = Floor(tables=TABLES)
    floor.play("T1 wagers 1: 1 3    accepted")
    back = Restored(floor, OPENING, TABLES)
    back.held[0] = replace(back.held[0], answer=encode(WagersAnswer(list(seats))))
    return back


def seat(number: int, word: str) -> SeatAnswer:
    """What was said of a wager: `in` the jackpot or `out`."""
    return SeatAnswer(number, accepted=word == "in")


def test_a_seat_stands_by_its_own_answer() -> None:
    """The answers come in another order than the wagers: the seat that was told green is in play, not its neighbour."""
    back = told_of_seats([seat(3, "out"), seat(1, "in")])
    back.reopen(TWO)
    assert back.state.rounds["T1", 1, 1].accepted == {1}


@pytest.mark.parametrize(
    ("seats", "why"),
    [
        ([seat(1, "in")], "no_such_seat told of seats 1, wagered 1 3"),
        ([seat(1, "in"), seat(2, "in")], "no_such_seat told of seats 1 2, wagered 1 3"),
        ([seat(1, "in"), seat(3, "in"), seat(3, "in")], "no_such_seat told of seats 1 3 3"),
    ],
)
def test_an_answer_of_other_seats_is_named(seats: Sequence[SeatAnswer], why: str) -> None:
    """Wagers and an answer that is not theirs: people look at it, and nobody's wager is taken by it."""
    assert told_of_seats(seats).planned(TWO).wrong["T1/1/2026-11/1/wagers/1"].startswith(why)


@pytest.mark.parametrize(
    ("told", "stands"),
    [("out in", [1]), ("in out", [1]), ("out out", []), ("in in", "seat_twice seat 1")],
)
def test_of_two_wagers_on_a_seat_one_stands_at_most(told: str, stands: Any) -> None:
    """Each has its answer in their order; both accepted was never said (5.9), and its row would be refused."""
    floor = Floor(tables=TABLES)
    floor.play("T1 wagers 1: 1 3    accepted")
    back = Restored(floor, OPENING, TABLES)
    twice = back.held[0].message.replace(b'"seat":3', b'"seat":1')
    answer = encode(WagersAnswer([seat(1, each) for each in told.split()]))
    back.held[0] = replace(back.held[0], message=twice, answer=answer)
    if isinstance(stands, str):
        assert back.planned(TWO).wrong["T1/1/2026-11/1/wagers/1"] == stands
    else:
        back.reopen(TWO)
        assert sorted(back.state.rounds["T1", 1, 1].accepted) == stands


def test_an_answer_without_a_prize_that_the_cards_make_is_named() -> None:
    """The table says that it was told of no prize, and its record holds a royal: people look at it."""
    assert "told of no hit, the cards make T2/1/1/1/" in told_otherwise([]).wrong[RECORD]


def test_what_would_break_the_books_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """One message that cannot be true is in the way under its own id; the list is made, and it may be left out."""
    stand = decide_wagers.stand

    def breaking(draft: Draft, message: Any, told: WagersAnswer, facts: list[Any]) -> None:
        if message.table == "T2":
            raise BrokenInvariant("pool/main would hold less than nothing")
        stand(draft, message, told, facts)

    monkeypatch.setattr(decide_wagers, "stand", breaking)
    assert restored().planned(KNOWING).wrong[WAGERS] == "pool/main would hold less than nothing"
    assert not restored().planned(replace(KNOWING, left_out=(WAGERS, RECORD))).wrong


@pytest.mark.parametrize("generation", [77, 2**63 - 1])
def test_what_is_left_out_says_nothing_of_the_lost_life(generation: int) -> None:
    """A receipt of a life that never was would use up every generation: once left out it counts for nothing."""
    back = restored()
    forged = msgspec.structs.replace(back.held[-1].receipt, generation=generation)
    back.held[-1] = replace(back.held[-1], receipt=forged)
    assert back.planned(KNOWING).generation == generation + 1
    assert back.planned(replace(KNOWING, left_out=(RECORD,))).generation == 2


@pytest.mark.parametrize("edited", ["message", "answer"])
def test_another_message_under_a_known_id_is_named_and_kept(edited: str) -> None:
    """The ledger has the id, and not these bytes: they are in the way, and are kept aside when two people say so."""
    back = restored()
    one = back.held[-1]
    known = {one.id: Known(hashlib.sha256(one.message).digest(), one.answer, one.receipt)}
    other = replace(one, **{edited: getattr(one, edited).replace(b"T2", b"T3")})
    evidence = GoneBack("checkpoint", mark_of(back.state.head), mark_of(back.floor.state.head))
    lost = Lost(evidence, [*back.held[:-1], other], back.lost().tables, known)
    assert plan(back.state, lost, KNOWING, 0).wrong[one.id] == "the restored ledger answered it otherwise"
    made = plan(back.state, lost, replace(KNOWING, left_out=(one.id,)), 0)
    assert ([each.id for each in made.left_out], dict(made.wrong)) == ([one.id], {})


def test_a_record_whose_round_two_people_have_ended_meanwhile_is_named_and_left_out() -> None:
    """T1's spool was taken for lost, its record was typed in after the restore; then it comes: a round ends once."""
    floor = Floor(tables=TABLES)
    floor.play("T1 wagers 1: 1    accepted\nT1 record 1: 1=flush    recorded")
    back = Restored(floor, OPENING + 1, ["T2", "T3"])
    (late,) = held_of(floor.batches[back.batches :], ["T1"])
    back.reopen(replace(TWO, without=("T1",)))
    floor.state, floor.known = back.state, {}
    floor.play("T1 type 1: 1=flush manager=Max    recorded")
    lost = Lost(None, [late], [TableHits("T1", complete=True, open=frozenset(), shown={})])
    assert plan(floor.state, lost, TWO, floor.time_us).wrong == {late.id: "round_recorded"}
    made = plan(floor.state, lost, replace(TWO, left_out=(late.id,), open=("T1/1/1/1/house",)), floor.time_us)
    assert ([one.id for one in made.left_out], list(made.obstacles)) == ([late.id], [])


def test_a_paid_royal_that_nobody_holds_is_named() -> None:
    """Its table is gone, and boards showed it paid and the meter reseeded: neither is passed over in silence."""
    floor = restored().floor
    head = floor.state.head
    hit = HitShown(ROYAL, "royal_flush", "paid", 5_000_000, "T2", head.commit)
    pools = [PoolShown("main", 2, 5_000_022, 0, "")]
    shown = Snapshot("southern", 1, head.commit, "running", "", "2026-11", pools, [hit], "one", 1, 1)
    made = restored(["T1", "T3"], shown).planned(replace(KNOWING, without=("T2",)))
    assert list(made.office) == [
        f"{ROYAL} paid (5000000 cents): nobody holds its round",
        "pool main: shown at 5000022 cents in epoch 2, here epoch 1",
    ]


def test_a_hit_that_people_name_is_held_by_somebody() -> None:
    """A slip of the pen in `--paid` is in the way, not passed over: the prize it means would be paid again."""
    assert restored().planned(replace(KNOWING, paid=(PAID, "T7/1/1/1/main"))).wrong == {
        "T7/1/1/1/main": "nobody holds such a hit"
    }


def test_terms_come_one_after_the_other() -> None:
    """Of two changes only the second was wagered under: both are posted. Those that nobody needs are named."""
    floor = Floor(tables=TABLES)
    brought: list[Terms] = []
    for ppm in (170_000, 180_000, 190_000):
        if brought[1:]:
            floor.play("T1 wagers 1: 1    accepted\nT1 record 1: 1    recorded")
        floor.line(f"terms pools.0.increment_ppm={ppm} retained_ppm={920_000 - ppm}".split())
        brought.append(floor.terms)
    made = Restored(floor, OPENING, TABLES).planned(replace(TWO, terms=tuple(brought)))
    assert not made.obstacles
    assert list(made.office) == ["terms 4: no wagers stand under them"]
    terms = made.decisions[-1].state.terms
    assert terms is not None
    assert terms.terms == brought[1]


def test_the_list_names_all_that_people_agree_to() -> None:
    """Whom they do not wait for and what they leave out are part of the list: another choice is another list."""
    choices = [KNOWING, replace(KNOWING, without=("T3",)), replace(KNOWING, left_out=(RECORD,)), TWO]
    assert len({restored().planned(each).fingerprint for each in choices}) == len(choices)
