"""Which hits a state keeps: what another order may be argued for against is not forgotten, whatever ended since."""

import pytest

from jackpot.core import kept_hits
from jackpot.core.kept_hits import ENDED_KEPT, looked_at
from jackpot.core.state import LinkState, wagered_in
from jackpot.ledger.projection import Projection
from jackpot.wire.ids import parse_hit
from tests.support.at_random import Told
from tests.support.floor import Floor
from tests.support.never_made import NeverMade

PAID_FIRST = """
    T1 wagers 1: 3                                                             accepted
    T2 wagers 1: 1                                                             accepted
    T2 record 1: 1=royal_flush                                                 recorded
    pay_out T2/1/1/1/main manager=Hal reason=film                              paid
"""
T1_TOO = """
    T1 record 1: 3=royal_flush                                                 recorded
    hit T1/1/1/3/main state                                                    disputed
"""
T1_FIRST = """
    decide T1/1/1/3/main order=wagers manager=Max                              ordered
    hit T2/1/1/1/main amount_cents                                             5000000
    hit T1/1/1/3/main amount_cents                                             5000044
    balance recoverable                                                        44000000
"""


def others_end(floor: Floor) -> None:
    """Let more hits of another table end than are kept."""
    for number in range(1, ENDED_KEPT + 2):
        floor.play(f"""
            T3 wagers {number}: 1                                              accepted
            T3 record {number}: 1=flush                                        recorded
            verify T3/1/{number}/1/house by=Dee                                approved
            pay T3/1/{number}/1/house by=Gus                                   paid
        """)


@pytest.mark.parametrize(("before", "after"), [(PAID_FIRST + T1_TOO, ""), (PAID_FIRST, T1_TOO)])
def test_the_wagers_order_holds_however_many_hits_ended_meanwhile(before: str, after: str) -> None:
    """A royal was paid on a manager's word while a table was cut off that had wagered before: it is in dispute then.

    Until people have decided, or until the record comes, a morning's flushes and full houses are paid.
    """
    floor = Floor()
    floor.play(before)
    others_end(floor)
    floor.play(after + T1_FIRST)


def test_it_is_forgotten_as_others_are_once_it_is_decided() -> None:
    """So that a state does not grow."""
    floor = Floor()
    floor.play(PAID_FIRST + T1_TOO + T1_FIRST)
    floor.play("""
        pay_out T1/1/1/3/main manager=Ida reason=film                          paid
        T1 wagers 2: 1                                                         accepted
        T1 record 2: 1                                                         recorded
        T2 wagers 2: 1                                                         accepted
        T2 record 2: 1                                                         recorded
    """)
    others_end(floor)
    assert len(floor.state.hits) == ENDED_KEPT
    assert parse_hit("T2/1/1/1/main") not in floor.state.hits


def test_the_decide_version_before_forgets_as_it_did() -> None:
    """What version 2 refused it refuses again: the paid prize was in its state no more."""
    floor = Floor()
    floor.version = 2
    floor.play(PAID_FIRST + T1_TOO)
    others_end(floor)
    floor.play("decide T1/1/1/3/main order=wagers manager=Max                  not_offered")


@pytest.mark.parametrize(
    ("word", "refusal"),
    [
        ("void 1: 0 revision=2 seen=seat,3,As,Ks,Qs,Js,Ts", "too_old"),
        ("record 1: 1 3=royal_flush claim=3:royal_flush", "round_recorded"),
    ],
)
@pytest.mark.parametrize("typed", ["1 3=royal_flush", "1 3"])
def test_a_prize_of_a_tables_last_round_is_known_when_its_own_word_comes(word: str, refusal: str, typed: str) -> None:
    """Two people typed its record in, the prize was paid, and the table was away for a morning: nobody is called.

    They are called where the record that was typed in does not have the prize, as ever.
    """
    floor = Floor()
    floor.play(f"T1 wagers 1: 1 3  accepted\nT1 type 1: {typed} manager=Max  recorded")
    if "royal" in typed:
        floor.play("pay_out T1/1/1/3/main manager=Hal reason=film  paid")
    others_end(floor)
    floor.play(f"""
        T1 {word}                                                              {refusal}
        facts prize_voided                                                     {int("royal" not in typed)}
    """)


def test_it_is_forgotten_once_its_table_has_ended_another_round() -> None:
    """No word of its table is looked at then: it is another's turn to be told."""
    floor = Floor()
    floor.play("""
        T1 wagers 1: 3                                                         accepted
        T1 record 1: 3=flush                                                   recorded
        verify T1/1/1/3/house by=Dee                                           approved
        pay T1/1/1/3/house by=Gus                                              paid
    """)
    others_end(floor)
    assert parse_hit("T1/1/1/3/house") in floor.state.hits
    floor.play("T1 wagers 2: 1  accepted\nT1 record 2: 1  recorded")
    assert len(floor.state.hits) == ENDED_KEPT


def test_what_later_prizes_would_have_come_to_is_on_record_however_many_ended_meanwhile() -> None:
    """Case 41: a hit waits for people over a day of flushes, a royal after it was paid; then it is released."""
    floor = Floor()
    floor.play("""
        T1 wagers 1: 1                                                         accepted
        T1 record 1: 1=straight_flush                                          recorded
        T2 wagers 1: 1                                                         accepted
        T2 record 1: 1=royal_flush                                             recorded
        pay_out T2/1/1/1/main manager=Hal reason=film                          paid
        T2 wagers 2: 1                                                         accepted
        T2 record 2: 1                                                         recorded
    """)
    others_end(floor)
    floor.play("""
        release T1/1/1/1/main by=Eve with=Fay reason=film rule=11.4            released
        later T2/1/1/1/main                                                    44
    """)
    assert len(floor.state.hits) == ENDED_KEPT


@pytest.mark.parametrize(("told", "seed"), [(Told, 8), (NeverMade, 19)])
def test_every_process_looks_at_the_same_hits(monkeypatch: pytest.MonkeyPatch, told: type[Told], seed: int) -> None:
    """Whoever reads the rows, and whoever has decided each batch: only what has no money any more may differ."""
    monkeypatch.setattr(kept_hits, "ENDED_KEPT", 2)
    history = told(seed)
    rows, read = Projection(history.floor.state.chain), 0
    for _ in range(70):
        history.play_on(1)
        for batch in history.floor.batches[read:]:
            rows.apply(batch)
        read = len(history.floor.batches)
        assert with_money(rows.state()) == with_money(history.floor.state)


def with_money(state: LinkState) -> list[object]:
    """What a decision looks at, in its order."""
    found = looked_at(state.hits, wagered_in(state.rounds), state.journals).values()
    return [hit for hit in found if hit.state != "released" and not hit.overpaid]
