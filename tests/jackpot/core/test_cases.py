"""Faults that systems like this one had in the field, each on a link of its own: meter, award, neighbour."""

import random
from dataclasses import replace
from itertools import permutations
from typing import Any

import msgspec
import pytest

from jackpot.core import decide_records
from jackpot.core.accounts import MICROCENTS, BrokenInvariant
from jackpot.core.commands import Command, command_of
from jackpot.core.decide import decide_all
from jackpot.core.decide_wagers import _take
from jackpot.core.state import Draft
from jackpot.wire.codec import encode
from jackpot.wire.messages import RecordAnswer, SeatWager, Shown, Wagers
from jackpot.wire.refusals import Refusal
from rules.progressive import Resolution, award
from rules.terms import Terms, fingerprint, parse_terms
from tests.support.floor import MONTH, Floor, changed_terms
from tests.support.hands import record_line
from tests.support.held import saying
from tests.support.terms import demo_terms


def wagers(floor: Floor, table: str, number: int, seats: range = range(1, 2)) -> Command:
    """The wagers of a round, as a command."""
    price = floor.terms.qualifying_wager_cents
    placed = [SeatWager(seat, 500, price, price) for seat in seats]
    shown = Shown(1, 0, floor.state.pools["main"].epoch, 0)
    return command_of(encode(Wagers(table, 1, MONTH, number, 1, fingerprint(floor.terms), shown, placed)))


def record(floor: Floor, table: str, number: int, *words: str) -> Command:
    """The record of a round, as a command."""
    at = {"table": table, "journal": 1, "month": MONTH, "round": number, "revision": 1}
    return command_of(record_line(at, words, frozenset({1}), floor.terms, fingerprint(floor.terms)))


def cents_of_75() -> Terms:
    """Terms whose wager of $5.00 puts 75 cents into the meter."""
    changes: dict[str, Any] = {"qualifying_wager_cents": 500, "pools.0.increment_ppm": 150_000, "retained_ppm": 770_000}
    return parse_terms(changed_terms(demo_terms(), changes))


def test_one_record_fifty_times_is_one_award() -> None:
    """Case 1: a royal's record fifty times at once, and again later, is awarded once and answered alike."""
    floor = Floor()
    floor.decide(wagers(floor, "T1", 17))
    royal = record(floor, "T1", 17, "1=royal_flush")
    replies = floor.decide(*[royal] * 50)
    assert len({(reply.answer, reply.receipt) for reply in replies}) == 1
    assert floor.decide(royal)[0].answer == replies[0].answer
    assert floor.decide(royal)[0].receipt == replies[0].receipt
    assert len(floor.state.hits) == 1
    assert floor.state.pools["main"].epoch == 2


@pytest.mark.parametrize("together", [True, False])
def test_a_royal_among_other_tables_wagers(*, together: bool) -> None:
    """Case 2: the new meter is the seed and exactly the increments committed after the award; no wager is lost."""
    floor = Floor(cents_of_75(), tables=[f"T{number}" for number in range(1, 22)])
    floor.play("given pool/main 5999925000000  so")
    commands = [wagers(floor, "T21", 1)]
    commands += [wagers(floor, f"T{number}", 1) for number in range(1, 8)]
    commands += [record(floor, "T21", 1, "1=royal_flush")]
    commands += [wagers(floor, f"T{number}", 1) for number in range(8, 21)]
    for batch in [commands] if together else [[command] for command in commands]:
        floor.decide(*batch)
    (hit,) = floor.state.hits.values()
    assert hit.amount_cents == 5_999_925 + 75 + 7 * 75
    assert floor.balance("pool/main") == (5_000_000 + 13 * 75) * MICROCENTS
    rows = [row for batch in floor.batches for row in batch.rows.wagers.table]
    assert len(rows) == 21


def test_a_million_wagers_grow_the_pool_exactly() -> None:
    """Case 7: a million wagers of $1 at 1.25% are $12,500.00, to the microcent."""
    changes: dict[str, Any] = {
        "pools.0.seed_cents": 20_000,
        "pools.0.increment_ppm": 12_500,
        "pay_table.straight_flush.minimum_cents": 0,
        "retained_ppm": 907_500,
    }
    floor = Floor(parse_terms(changed_terms(demo_terms(), changes)))
    draft = Draft(floor.state, floor.time_us)
    assert draft.terms is not None
    _take(draft, draft.terms, [SeatWager(1, 500, 100, 100)] * 1_000_000)
    assert draft.book.balance("pool/main") == (20_000 + 1_250_000) * MICROCENTS


def test_seven_and_a_half_cents_are_not_cut() -> None:
    """Case 7: an increment of 7.5 cents shows after the second wager, and nothing is lost before."""
    changes = {"pools.0.increment_ppm": 75_000, "retained_ppm": 845_000, "pools.0.seed_cents": 2_500_000}
    terms = parse_terms(changed_terms(demo_terms(), {**changes, "pay_table.straight_flush.minimum_cents": 0}))
    Floor(terms).play("""
        T1 wagers 1: 1                                                         accepted
        balance pool/main                                                      2500007500000
        meter                                                                  25,000.07
        T2 wagers 1: 1                                                         accepted
        meter                                                                  25,000.15
    """)


@pytest.mark.parametrize("order", [*permutations(["T1", "T2", "T3"])])
def test_royals_in_any_order(order: tuple[str, ...]) -> None:
    """Case 8: whoever commits first gets the meter, the others the minimum of a pool that has just been reseeded."""
    floor = Floor()
    for table in order:
        floor.decide(wagers(floor, table, 1))
    floor.play("given pool/main 12000000000000  so")
    for table in order:
        floor.decide(record(floor, table, 1, "1=royal_flush"))
    amounts = {hit.key.table: hit.amount_cents for hit in floor.state.hits.values()}
    assert amounts == {order[0]: 12_000_000, order[1]: 5_000_000, order[2]: 5_000_000}


def test_a_thousand_interleavings_of_two_royals() -> None:
    """Case 8: wagers of others fall anywhere between; the two prizes and the meter always add up to what there was."""
    shuffle = random.Random(8)
    floor = Floor(tables=("T1", "T2", "T3", "T4"))
    floor.decide(wagers(floor, "T1", 1), wagers(floor, "T2", 1))
    floor.play("given pool/main 12000000000000  so")
    royals = [record(floor, "T1", 1, "1=royal_flush"), record(floor, "T2", 1, "1=royal_flush")]
    others = [wagers(floor, "T3", 1), record(floor, "T3", 1), wagers(floor, "T4", 1)]
    for _ in range(1_000):
        waiting = [shuffle.sample(royals, 2), list(others)]
        slots = shuffle.sample([0, 0, 1, 1, 1], 5)
        mixed = [waiting[slot].pop(0) for slot in slots]
        state = floor.state
        while mixed:
            size = shuffle.randint(1, len(mixed))
            state = decide_all(state, mixed[:size], {}, floor.time_us).state
            mixed = mixed[size:]
        first, second = sorted(state.hits.values(), key=lambda hit: hit.commit)
        assert first.amount_cents == 12_000_000 + 22 * slots[: slots.index(0)].count(1) - 22 * _records(slots, 0)
        assert second.amount_cents >= 5_000_000
        taken = (first.from_pool_cents + second.from_pool_cents) * MICROCENTS
        grown, seeds = 2 * 22 * MICROCENTS, 2 * 5_000_000 * MICROCENTS
        assert state.balances["pool/main"].microcents == 12_000_000 * MICROCENTS + grown + seeds - taken


def _records(slots: list[int], royal: int) -> int:
    """How many of the others' commands before the first royal are no wagers: the second of them is a record."""
    return int(slots[: slots.index(royal)].count(1) >= 2)


def test_sixteen_first_wagers() -> None:
    """Case 9: the first wagers ever on a pool, from sixteen tables: one pool, sixteen wagers, the right sum."""
    tables = [f"T{number}" for number in range(1, 17)]
    for together in (True, False):
        floor = Floor(tables=tables)
        commands = [wagers(floor, table, 1) for table in tables]
        for batch in [commands] if together else [[command] for command in commands]:
            floor.decide(*batch)
        assert [*floor.state.pools] == ["main"]
        assert floor.balance("pool/main") == (5_000_000 + 16 * 22) * MICROCENTS
        assert len(floor.state.rounds) == 16


def test_an_award_that_cannot_be_stops_the_link(monkeypatch: pytest.MonkeyPatch) -> None:
    """Case 17: more than the pool holds is neither answered nor set aside: an invariant is broken, nothing changes."""
    floor = Floor()
    floor.decide(wagers(floor, "T1", 1))

    def greedy(*given: Any) -> Resolution:
        resolution = award(*given)
        awards = [replace(one, from_pool_cents=10**9, amount_cents=10**9) for one in resolution.awards]
        return replace(resolution, awards=tuple(awards))

    monkeypatch.setattr(decide_records, "award", greedy)
    before = floor.state
    with pytest.raises(BrokenInvariant, match=r"T1/1/2026-11/1/record/1: award .*pool/main would fall"):
        decide_all(before, [record(floor, "T1", 1, "1=royal_flush")], {}, floor.time_us)
    assert floor.state == before


def test_one_of_five_hundred_cannot_be_decided() -> None:
    """Case 56: 499 commands are answered as if it were not there; one is kept aside with its error."""
    tables = [f"T{number}" for number in range(500)]
    floor, neighbour = Floor(tables=tables), Floor(tables=tables)
    commands = [wagers(floor, table, 1) for table in tables]
    message = commands[123].message
    assert isinstance(message, Wagers)
    broken: list[Any] = [None]
    commands[123] = saying(commands[123], msgspec.structs.replace(message, seats=broken))
    decision = decide_all(floor.state, commands, {}, floor.time_us)
    assert list(decision.aside) == [123]
    assert decision.aside[123].startswith("AttributeError")
    assert decision.replies[123].later is Refusal.KEPT_ASIDE
    assert decision.replies[123].answer == b""
    assert all(reply.answer for place, reply in enumerate(decision.replies) if place != 123)
    alone = decide_all(neighbour.state, [*commands[:123], *commands[124:]], {}, floor.time_us)
    assert alone.batch is not None
    assert decision.batch is not None
    assert decision.batch.body == alone.batch.body


def test_a_failure_leaves_no_half() -> None:
    """Case 5: what fails after the meter moved and before its row was written leaves neither; the next is whole."""
    floor = Floor()
    good, bad = wagers(floor, "T1", 1, range(1, 4)), wagers(floor, "T2", 1, range(1, 4))
    message = bad.message
    assert isinstance(message, Wagers)
    odd: Any = msgspec.structs.replace(message, shown=None)
    decision = decide_all(floor.state, [good, saying(bad, odd), good], {}, floor.time_us)
    assert [*decision.aside] == [1]
    assert decision.state.balances["pool/main"].microcents == (5_000_000 + 66) * MICROCENTS
    assert decision.batch is not None
    assert decision.batch.rows.wagers.table == ["T1"]


def test_a_hit_keeps_what_its_round_can_be_resolved_again_from() -> None:
    """Case 59: of two royals at 100,000.00 each hit holds the meter its round was resolved on, its own wagers in."""
    floor = Floor()
    floor.play("""
        T1 wagers 1: 2 5                                                       accepted
        given pool/main 10000000000000                                         so
        T1 record 1: 2=royal_flush 5=royal_flush                               recorded
        award 2 amount_cents                                                   5000000
        award 5 amount_cents                                                   5000000
    """)
    assert {(hit.meter_microcents, hit.own_microcents) for hit in floor.state.hits.values()} == {
        (10_000_000 * MICROCENTS, 44 * MICROCENTS)
    }


def test_the_statement_tells_the_meter_it_was_worked_out_from() -> None:
    """Where a round's own wagers are left out of its jackpot, the statement says which amount was shared."""
    terms = parse_terms(changed_terms(demo_terms(), {"rulings.meter_includes_this_round": False}))
    floor = Floor(terms)
    floor.decide(wagers(floor, "T1", 1))
    reply = floor.decide(record(floor, "T1", 1, "1=straight_flush"))[0]
    answer = msgspec.json.decode(reply.answer, type=RecordAnswer)
    (meter,) = answer.meters
    assert (meter.before_cents, meter.basis_cents, meter.after_cents) == (5_000_022, 5_000_000, 4_500_022)
    assert answer.awards[0].rules == ["CSP 12.1.2"]


def test_a_meter_beyond_int64_keeps_every_digit() -> None:
    """Case 40: a meter of 90,071,992,547,409.93 dollars goes through body and statement without losing a digit."""
    floor = Floor()
    floor.play("given pool/main 9007199254740993000000  so\nT1 wagers 1: 1  accepted")
    reply = floor.decide(record(floor, "T1", 1))[0]
    answer = msgspec.json.decode(reply.answer, type=RecordAnswer)
    assert answer.meters[0].before_cents == 9_007_199_254_741_015
    assert b'"balance_after":"9007199254741015000000"' in floor.batches[-2].body


def test_a_seat_of_a_stake_returned_gets_it_once() -> None:
    """`stake_returned`: a winner's wager is paid back by the house too; a token was no money."""
    terms = parse_terms(changed_terms(demo_terms(), {"rulings.stake_returned": True}))
    Floor(terms).play("""
        T1 wagers 1: 1 2/tender=token 3                                        accepted
        T1 record 1: 1=flush 2=full_house 3                                    recorded
        balance paid                                                           100000000
        award 1 amount_cents                                                   10000
    """)


def test_a_pool_taken_lower_is_lifted_where_the_terms_say_so() -> None:
    """`never_below_seed`: what a straight flush took below the seed comes back from the reserve, then the house."""
    changes = {"rulings.never_below_seed": True}
    Floor(parse_terms(changed_terms(demo_terms(), changes))).play("""
        T1 wagers 1: 1                                                         accepted
        T1 record 1: 1=straight_flush                                          recorded
        meter                                                                  50,000.00
        balance reserve                                                        0
        pool main epoch                                                        1
        pool main last_fall_cause                                              award
        T2 wagers 1: 1                                                         accepted
        given pool/main 8000000000000                                          so
        T2 record 1: 1=straight_flush                                          recorded
        meter                                                                  72,000.00
    """)


def test_overflow_waits_for_the_next_seed() -> None:
    """What a pool at its limit turned away joins it when it is reseeded, as far as the limit; the rest waits on."""
    floor = Floor(parse_terms(changed_terms(demo_terms(), {"pools.0.limit_cents": 5_000_050})))
    floor.play("""
        T1 wagers 1: 1 2 3 4 5                                                 accepted
        meter                                                                  50,000.50
        balance overflow/main                                                  60000000
        T1 record 1: 2=royal_flush                                             recorded
        award 2 amount_cents                                                   5000050
        meter                                                                  50,000.50
        balance overflow/main                                                  10000000
    """)


def test_a_full_reserve_feeds_the_meter() -> None:
    """Beyond its limit the reserve's part goes on top of the meter, to the microcent."""
    floor = Floor(parse_terms(changed_terms(demo_terms(), {"reserve.limit_cents": 20})))
    floor.play("""
        T1 wagers 1: 1 2 3 4                                                   accepted
        balance reserve                                                        20000000
        balance pool/main                                                      5000100000000
        T2 wagers 1: 1                                                         accepted
        balance pool/main                                                      5000130000000
    """)
