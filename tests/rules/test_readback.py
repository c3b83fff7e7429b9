"""An exported record is held against the rules: every amount that is not as they say is found and named."""

import random
from dataclasses import replace
from typing import Any

import msgspec
import pytest

from rules.games import GAMES
from rules.progressive import Winner, award
from rules.readback import award_differences, resolve, settle_record, settled_differences
from rules.records import AwardRecord, MeterRecord, RecordError, RoundRecord, award_record
from rules.terms import MILLION, Terms, fingerprint
from tests.support.rounds import random_round
from tests.support.terms import demo_terms, two_pool_terms, with_rulings

change = msgspec.structs.replace


def exported(record: RoundRecord, meters: dict[str, int], terms: Terms) -> RoundRecord:
    """A record as an export of a link with these meters has it."""
    winners = settle_record(record, terms)[1].qualifying
    resolution = award({name: cents * MILLION for name, cents in meters.items()}, {}, winners, terms)
    after = {name: left // MILLION for name, left in resolution.pool_after_microcents.items()}
    for pool in terms.pools:
        if pool.name in resolution.falls and terms.rulings.reset == "seed":
            after[pool.name] += pool.seed_cents
    main = terms.pools[0].name
    return change(
        record,
        terms=fingerprint(terms),
        meter_before_cents=meters[main],
        meter_after_cents=after[main],
        awards=tuple(map(award_record, resolution.awards)),
        meters=tuple(MeterRecord(name, meters[name], after[name]) for name in meters) if len(meters) > 1 else None,
    )


def differences(record: RoundRecord, terms: Terms, *later: Terms) -> list[str]:
    """The fields in which a record and the rules differ."""
    round_, settlement = settle_record(record, terms)
    winners = GAMES[round_.game].qualifying(round_, terms)
    found = [*settled_differences(record, settlement), *award_differences(record, winners, terms, (terms, *later))]
    return [each.field for each in found]


def royal(terms: Terms | None = None) -> RoundRecord:
    """An exported record with two winners, one of them of a royal flush."""
    rng = random.Random(5)
    while True:
        record = random_round(rng, prize_chance=0.6)
        prizes = {winner.prize for winner in settle_record(record, demo_terms())[1].qualifying}
        if {"royal_flush", "straight_flush"} <= prizes and record.settled:
            return exported(record, {"main": 6_000_000}, terms or demo_terms())


@pytest.mark.parametrize(
    "terms", [demo_terms(), with_rulings(stake_returned=True, reset="none", folded_hand_wins=False)]
)
def test_true_records_agree(terms: Terms) -> None:
    """What the rules made is what they make again, over hundreds of rounds with every kind of prize."""
    rng = random.Random(23)
    for _ in range(300):
        record = exported(random_round(rng, prize_chance=0.4, claims=rng.random() < 0.3), {"main": 7_654_321}, terms)
        assert differences(record, terms) == []


def test_a_link_of_several_pools_states_each_meter() -> None:
    """Each pool's meter is worked out; one that is missing is named."""
    terms = two_pool_terms()
    rng = random.Random(29)
    records = [
        exported(random_round(rng, prize_chance=0.5), {"main": 6_000_000, "minor": 700_000}, terms) for _ in range(200)
    ]
    assert [differences(record, terms) for record in records] == [[]] * 200
    with pytest.raises(RecordError, match="meters: minor: missing"):
        differences(change(records[0], meters=None), terms)


TAMPERED: list[tuple[str, Any, str]] = [
    ("awards.0.amount_cents", 1, "awards[0].amount_cents"),
    ("awards.1.from_pool_cents", 1, "awards[1].from_pool_cents"),
    ("awards.0.topup_cents", 1, "awards[0].topup_cents"),
    ("awards.0.bonus_cents", 1, "awards[0].bonus_cents"),
    ("awards.0.pool", "other", "awards[0].pool"),
    ("awards.0.prize", "flush", "awards"),
    ("awards", (), "awards"),
    ("awards", None, "awards"),
    ("meter_after_cents", 1, "meter_after_cents"),
    ("meter_after_cents", None, "meter_after_cents"),
    ("meter_before_cents", None, "meter_before_cents"),
    ("settled.0.paid_cents", 1, "settled[0].paid_cents"),
    ("settled.0.returned_cents", 1, "settled[0].returned_cents"),
    ("settled", (), "settled"),
]


@pytest.mark.parametrize(("path", "value", "field"), TAMPERED)
def test_one_false_amount_is_named(path: str, value: Any, field: str) -> None:
    """From the export alone a stranger finds the field that is not as the rules say."""
    record = royal()
    name, *rest = path.split(".")
    if rest:
        parts = list(getattr(record, name))
        parts[int(rest[0])] = change(parts[int(rest[0])], **{rest[1]: value})
        value = tuple(parts)
    assert differences(change(record, **{name: value}), demo_terms()) == [field]


def test_a_meter_before_that_is_false_shows_in_the_awards() -> None:
    """A royal takes the meter: another meter before, another award."""
    fields = differences(change(royal(), meter_before_cents=6_000_100), demo_terms())
    assert "awards[0].amount_cents" in fields


def test_awards_from_another_amount_say_so() -> None:
    """`meter_basis_cents` is what the awards were worked out from where that is not the meter before them."""
    terms = with_rulings(meter_includes_this_round=False)
    record = royal()
    lower = exported(record, {"main": 5_999_900}, terms)
    assert lower.meter_after_cents is not None
    moved = change(lower, meter_before_cents=6_000_000, meter_after_cents=lower.meter_after_cents + 100)
    assert differences(moved, terms) != []
    assert differences(change(moved, meter_basis_cents=5_999_900), terms) == []
    meters = (MeterRecord("main", 6_000_000, moved.meter_after_cents or 0, 5_999_900),)
    assert differences(change(moved, meters=meters), terms) == []


def test_a_pool_makes_up_a_minimum_out_of_what_its_jackpot_leaves_out() -> None:
    """`topup_paid_by: pool`: the pool pays all it can, out of this round's own wagers too."""
    terms = with_rulings(meter_includes_this_round=False, topup_paid_by="pool")
    (royal_flush,) = resolve({"main": 4_000_100}, [Winner(2, "royal_flush")], terms, {"main": 100}).awards
    assert (royal_flush.from_pool_cents, royal_flush.topup_cents) == (4_000_100, 999_900)


def test_a_pool_that_fell_starts_again_by_the_terms_then_in_force() -> None:
    """PROTOCOL 7: the round is awarded by its own terms, the reseed follows the newer ones."""
    terms = demo_terms()
    newer = replace(terms, version=2, pools=(replace(terms.pools[0], seed_cents=6_000_000),))
    record = royal()
    assert record.meter_after_cents is not None
    reseeded = change(record, meter_after_cents=record.meter_after_cents + 1_000_000)
    assert differences(reseeded, terms) == ["meter_after_cents"]
    assert differences(reseeded, terms, newer) == []
    limited = replace(newer, pools=(replace(newer.pools[0], limit_cents=9_000_000),))
    overflowed = change(reseeded, meter_after_cents=6_500_000)
    assert differences(overflowed, terms, newer) == ["meter_after_cents"]
    assert differences(overflowed, terms, limited) == []


def test_a_pool_lifted_to_its_seed_agrees() -> None:
    """`never_below_seed`: what a straight flush takes below the seed is filled up again."""
    terms = with_rulings(never_below_seed=True)
    resolution = resolve({"main": 5_100_000}, [Winner(2, "straight_flush")], terms)
    rng = random.Random(7)
    record = random_round(rng)
    while settle_record(record, terms)[1].qualifying != (Winner(2, "straight_flush"),):
        record = random_round(rng, prize_chance=0.2)
    record = change(
        record,
        meter_before_cents=5_100_000,
        meter_after_cents=5_000_000,
        awards=tuple(map(award_record, resolution.awards)),
    )
    assert differences(record, terms) == []
    assert differences(change(record, meter_after_cents=4_590_000), terms) == ["meter_after_cents"]


def test_a_prize_of_no_pay_table_is_an_error_of_the_record() -> None:
    """A winner that no round can have is refused by name, not by a traceback."""
    with pytest.raises(RecordError, match="awards"):
        resolve({"main": 5_000_000}, [Winner(12, "flush")], demo_terms())


def test_awards_without_a_pool_name_are_read() -> None:
    """The pool of an award may be left out where the pay table says it."""
    record = royal()
    assert record.awards is not None
    bare = tuple(
        AwardRecord(
            seat=each.seat,
            prize=each.prize,
            amount_cents=each.amount_cents,
            from_pool_cents=each.from_pool_cents,
            topup_cents=each.topup_cents,
            bonus_cents=each.bonus_cents,
        )
        for each in record.awards
    )
    assert differences(change(record, awards=bare), demo_terms()) == []
