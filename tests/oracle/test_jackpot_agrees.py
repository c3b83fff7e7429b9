"""`rules/progressive.py` held against the second opinion: the same awards, falls and fillings of every pool."""

import json
import random
from collections import Counter
from typing import Any

import pytest

from rules.progressive import Winner, award, lift, reseed
from rules.terms import Terms, parse_form, pool_named
from tests.oracle.progressive import MICRO, PRIZES, resolve
from tests.oracle.terms import PLAIN_TERMS, random_terms

ROUNDS = 4_000


def random_meter(chance: random.Random) -> int:
    """Microcents a pool may hold: about its seed, far above, nearly nothing, exact cents or not."""
    cents = chance.choice(
        [
            chance.randrange(4_900_000, 5_300_000),
            chance.randrange(5_000_000, 60_000_000),
            chance.randrange(0, 1_000_000),
            chance.randrange(0, 12),
            5_000_000,
            10**15 + chance.randrange(100),
        ]
    )
    return cents * MICRO + chance.choice([0, 0, 1, 999_999, chance.randrange(MICRO)])


def random_winners(chance: random.Random) -> list[tuple[int, str]]:
    """One to seven seats; more often than chance would have it, several of the prizes that are shared."""
    seats = chance.sample(range(1, 10), chance.choice([1, 1, 2, 2, 3, 4, 7]))
    likely = chance.choice([[1, 1, 1, 1, 1], [0, 0, 0, 1, 0], [0, 0, 0, 0, 1], [0, 0, 0, 1, 1], [1, 1, 1, 4, 2]])
    return [(seat, chance.choices(PRIZES, likely)[0]) for seat in seats]


def resolved_by_rules(
    terms: Terms,
    pools: dict[str, int],
    own: dict[str, int],
    winners: list[tuple[int, str]],
    *,
    reserve: int,
    overflow: dict[str, int],
) -> dict[str, Any]:
    """Resolve a round with `rules` as the ledger does, in the shape of the second opinion."""
    resolution = award(pools, own, [Winner(seat, prize) for seat, prize in winners], terms)
    after = dict(resolution.pool_after_microcents)
    overflow, reseeds = dict(overflow), {}
    for name in (*resolution.falls, *resolution.lowered):
        pool = pool_named(terms, name)
        if name in resolution.falls:
            filled = reseed(after[name], overflow.get(name, 0), reserve, pool, terms)
        else:
            filled = lift(after[name], reserve, pool, terms)
        after[pool.name] = filled.pool_after
        reserve -= filled.from_reserve
        overflow[pool.name] = overflow.get(pool.name, 0) - filled.from_overflow
        reseeds[pool.name] = {
            "from_reserve": filled.from_reserve,
            "from_house": filled.from_house,
            "from_overflow": filled.from_overflow,
        }
    names = ("seat", "prize", "amount_cents", "from_pool_cents", "topup_cents", "bonus_cents")
    return {
        "awards": [{name: getattr(one, name) for name in names} for one in resolution.awards],
        "pools": after,
        "reserve": reserve,
        "overflow": {name: amount for name, amount in overflow.items() if amount},
        "reseeds": {name: parts for name, parts in reseeds.items() if any(parts.values())},
    }


def kinds_of(result: dict[str, Any], winners: list[tuple[int, str]]) -> set[str]:
    """Name what was special about a round, to prove that the comparison met it."""
    prizes = Counter(prize for _, prize in winners)
    kinds = {prize for prize, number in prizes.items() if number == 1} | {
        f"{prize} shared" for prize, number in prizes.items() if number > 1
    }
    if prizes["royal_flush"] and prizes["straight_flush"]:
        kinds.add("royal and straight flush")
    if any(one["topup_cents"] == 1 for one in result["awards"]):
        kinds.add("an odd cent added")
    if any(one["topup_cents"] > 1 for one in result["awards"]):
        kinds.add("a minimum made up")
    if len({one["amount_cents"] for one in result["awards"] if one["prize"] == "straight_flush"}) > 1:
        kinds.add("odd cents spread")
    for parts in result["reseeds"].values():
        kinds |= {part for part, amount in parts.items() if amount}
    return kinds


def test_every_round_is_resolved_alike(chance: random.Random) -> None:
    """Thousands of rounds under every reading of rule 12: the same awards, paying order, pools and seeds."""
    met: Counter[str] = Counter()
    for _ in range(ROUNDS):
        terms = random_terms(chance)
        pools = {pool["name"]: random_meter(chance) for pool in terms["pools"]}
        own = {name: min(held, chance.choice([0, 22, 154]) * MICRO) for name, held in pools.items()}
        winners = random_winners(chance)
        reserve = chance.choice([0, 1, chance.randrange(10**13)])
        overflow = {name: chance.choice([0, 0, chance.randrange(10**12)]) for name in pools}
        mine = resolve(terms, pools, own, winners, reserve=reserve, overflow=overflow)
        read = parse_form(json.dumps(terms).encode())
        theirs = resolved_by_rules(read, pools, own, winners, reserve=reserve, overflow=overflow)
        assert theirs == mine, json.dumps({"terms": terms, "pools": pools, "own": own, "winners": winners})
        met.update(kinds_of(mine, winners))
    scarce = {
        kind: met[kind]
        for kind in [
            *PRIZES,
            *(f"{prize} shared" for prize in PRIZES),
            "royal and straight flush",
            "an odd cent added",
            "a minimum made up",
            "odd cents spread",
            "from_reserve",
            "from_house",
            "from_overflow",
        ]
        if met[kind] < 40
    }
    assert scarce == {}, met


@pytest.mark.parametrize("meter_cents", [0, 1, 4_999_999, 5_000_000, 5_000_001, 10_000_000, 10**15])
def test_the_books_terms_at_the_edges(meter_cents: int) -> None:
    """At and about the seed, and far away, any one or two winners under the book's own terms are resolved alike."""
    read = parse_form(json.dumps(PLAIN_TERMS).encode())
    pools = {"main": meter_cents * MICRO + 999_999}
    for first in PRIZES:
        for second in [None, *PRIZES]:
            winners = [(3, first)] if second is None else [(3, first), (6, second)]
            mine = resolve(PLAIN_TERMS, pools, {}, winners)
            assert resolved_by_rules(read, pools, {}, winners, reserve=0, overflow={}) == mine
