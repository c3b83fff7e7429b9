"""Rule 12 held against its promises, whatever the terms, the meter and the winners, and against a second settlement."""

import json
from dataclasses import replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from rules.progressive import SEATS, Winner, award
from rules.terms import PRIZES, Terms, canonical_bytes, prize_named
from tests.oracle.progressive import resolve as second_opinion
from tests.support.terms import demo_terms, two_pool_terms, with_prize

CENT = 1_000_000

amounts = st.one_of(st.integers(0, 10**7 * CENT), st.integers(0, 10**17 * CENT), st.integers(0, 400 * CENT))
rounds = st.dictionaries(st.integers(1, SEATS), st.sampled_from(PRIZES), max_size=SEATS).map(
    lambda seats: [Winner(seat, prize) for seat, prize in seats.items()]
)
shares = st.integers(1, CENT - 1)
minimums = st.one_of(st.just(0), st.integers(0, 10**7))


@st.composite
def any_terms(draw: st.DrawFn) -> Terms:
    """Terms of one or two pools under any rulings about rule 12; not all of them could be approved."""
    terms = draw(st.sampled_from([demo_terms(), two_pool_terms()]))
    minor = terms.pools[-1].name
    terms = with_prize(terms, "royal_flush", minimum_cents=draw(minimums))
    terms = with_prize(terms, "straight_flush", share_ppm=draw(shares), minimum_cents=draw(minimums))
    if draw(st.booleans()):
        terms = with_prize(terms, "flush", paid_by="pool", pool=minor)
    if draw(st.booleans()):
        quads = {"kind": "share", "amount_cents": None, "paid_by": "pool", "pool": minor}
        terms = with_prize(
            terms, "four_of_a_kind", **quads, share_ppm=draw(st.one_of(shares)), minimum_cents=draw(minimums)
        )
    rulings = replace(
        terms.rulings,
        topup_paid_by=draw(st.sampled_from(["house", "pool"])),
        odd_cents=draw(st.sampled_from(["down", "up", "spread"])),
        takes=draw(st.sampled_from(["exact", "each"])),
        meter_includes_this_round=draw(st.booleans()),
    )
    return replace(terms, rulings=rulings)


def held(terms: Terms, draw: Any) -> tuple[dict[str, int], dict[str, int]]:
    """What each pool holds, and what of it is this round's own."""
    pools = {pool.name: draw(amounts) for pool in terms.pools}
    return pools, {name: draw(st.integers(0, min(amount, 500 * CENT))) for name, amount in pools.items()}


@given(any_terms(), rounds, st.data())
def test_nothing_is_lost_and_no_promise_broken(terms: Terms, who: list[Winner], data: st.DataObject) -> None:
    """What is taken and what stays adds up, nothing negative; minimums hold; none gets more than meter and minimum."""
    pools, own = held(terms, data.draw)
    resolution = award(pools, own, who, terms)
    taken = dict.fromkeys(pools, 0)
    assert sorted((one.seat, one.prize) for one in resolution.awards) == sorted((one.seat, one.prize) for one in who)
    for one in resolution.awards:
        assert min(one.from_pool_cents, one.topup_cents, one.bonus_cents) >= 0
        assert one.amount_cents == one.from_pool_cents + one.topup_cents + one.bonus_cents
        prize = prize_named(terms, one.prize)
        if prize.kind == "share":
            assert prize.minimum_cents is not None
            assert prize.minimum_cents <= one.amount_cents
            assert one.amount_cents <= max(prize.minimum_cents, resolution.meter_cents[one.pool])
        else:
            assert one.amount_cents == prize.amount_cents
        if one.from_pool_cents:
            taken[one.pool] += one.from_pool_cents
    for name, amount in pools.items():
        assert resolution.pool_after_microcents[name] == amount - taken[name] * CENT >= 0


@given(any_terms(), rounds, st.data())
def test_the_order_of_the_message_never_matters(terms: Terms, who: list[Winner], data: st.DataObject) -> None:
    """However the winners are named, each is paid the same, from the same money, in the same order."""
    pools, own = held(terms, data.draw)
    assert award(pools, own, data.draw(st.permutations(who)), terms) == award(pools, own, who, terms)


@given(any_terms(), rounds, st.integers(1, SEATS), st.sampled_from(PRIZES), st.data())
def test_more_winners_never_raise_anyones_share(
    terms: Terms, who: list[Winner], seat: int, prize: str, data: st.DataObject
) -> None:
    """One more winner never gives another more; under `spread` at most the odd cent that falls to someone else."""
    pools, own = held(terms, data.draw)
    fewer = [one for one in who if one.seat != seat]
    before = {one.seat: one for one in award(pools, own, fewer, terms).awards}
    odd_cent = 1 if terms.rulings.odd_cents == "spread" else 0
    for one in award(pools, own, [*fewer, Winner(seat, prize)], terms).awards:
        if one.seat != seat:
            assert one.amount_cents <= before[one.seat].amount_cents + odd_cent


@given(any_terms(), rounds, st.data())
def test_winners_of_one_prize_share_alike(terms: Terms, who: list[Winner], data: st.DataObject) -> None:
    """All winners of one prize get the same (12.3), but for the odd cent under `spread`."""
    pools, own = held(terms, data.draw)
    by_prize: dict[str, list[int]] = {}
    for one in award(pools, own, who, terms).awards:
        by_prize.setdefault(one.prize, []).append(one.amount_cents)
    for same in by_prize.values():
        assert max(same) - min(same) <= (terms.rulings.odd_cents == "spread")


@given(amounts, rounds)
def test_under_the_demonstrations_terms_the_pool_keeps_less_than_a_cent_a_winner(
    held_microcents: int, who: list[Winner]
) -> None:
    """With a royal all of the jackpot is shared out but for cents that do not divide: fewer than there are winners."""
    resolution = award({"main": held_microcents}, {}, who, demo_terms())
    if resolution.falls:
        assert resolution.pool_after_microcents["main"] < len(who) * CENT + CENT


@given(any_terms(), rounds, st.data())
def test_a_second_settlement_agrees(terms: Terms, who: list[Winner], data: st.DataObject) -> None:
    """The plain settlement written from the rule text alone gives the same awards and leaves the same pools."""
    pools, own = held(terms, data.draw)
    ours = award(pools, own, who, terms)
    plain = json.loads(canonical_bytes(replace(terms, rulings=replace(terms.rulings, reset="none"))))
    theirs = second_opinion(plain, pools, own, [(one.seat, one.prize) for one in who])
    assert [
        {
            "seat": one.seat,
            "prize": one.prize,
            "amount_cents": one.amount_cents,
            "from_pool_cents": one.from_pool_cents,
            "topup_cents": one.topup_cents,
            "bonus_cents": one.bonus_cents,
        }
        for one in ours.awards
    ] == theirs["awards"]
    assert ours.pool_after_microcents == theirs["pools"]
