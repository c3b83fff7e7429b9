"""Terms as plain dictionaries in the form of `terms.json`: the book's own, and any others the comparisons need.

It does not ask whether a casino could honour them.
"""

import json
import random
from importlib import resources
from typing import Any

from tests.oracle.progressive import MICRO

PLAIN_TERMS: dict[str, Any] = json.loads(resources.files("jackpot").joinpath("demo_terms.json").read_bytes())
"""The demonstration's terms: the pay table is the book's, every ruling has its default."""


def share(pool: str, ppm: int, minimum_cents: int) -> dict[str, Any]:
    """A prize that is a share of a pool, in the form of the terms."""
    return {
        "kind": "share",
        "pool": pool,
        "share_ppm": ppm,
        "minimum_cents": minimum_cents,
        "amount_cents": None,
        "paid_by": "pool",
        "least_capture": "claims",
    }


def bonus(amount_cents: int, pool: str | None) -> dict[str, Any]:
    """A prize that is a fixed bonus, paid by a pool or, without one, by the house."""
    return {
        "kind": "bonus",
        "pool": pool,
        "share_ppm": None,
        "minimum_cents": None,
        "amount_cents": amount_cents,
        "paid_by": "house" if pool is None else "pool",
        "least_capture": "claims",
    }


def random_rulings(chance: random.Random) -> dict[str, Any]:
    """Any reading of rule 12; half of the time a ruling has its default."""
    other: dict[str, list[Any]] = {
        "topup_paid_by": ["house", "pool"],
        "odd_cents": ["down", "up", "spread"],
        "takes": ["exact", "each"],
        "meter_includes_this_round": [True, False],
        "reset": ["seed", "none"],
        "never_below_seed": [False, True],
    }
    return {name: chance.choice([*values, values[0]]) for name, values in other.items()}


def random_terms(chance: random.Random) -> dict[str, Any]:
    """The book's pay table, or any other: more shares, two pools, bonuses that a pool pays."""
    pools = ["main", "minor"] if chance.random() < 0.3 else ["main"]
    pay_table = {
        "royal_flush": share("main", MICRO, chance.choice([5_000_000, 5_000_000, 1, 0])),
        "straight_flush": share(chance.choice(pools), 100_000, 500_000),
        "four_of_a_kind": bonus(50_000, chance.choice([None, None, *pools])),
        "full_house": bonus(15_000, chance.choice([None, None, *pools])),
        "flush": bonus(10_000, chance.choice([None, None, *pools])),
    }
    if chance.random() < 0.2:
        pay_table["straight_flush"] = share(pools[-1], MICRO, chance.choice([0, 500_000]))
        pay_table["royal_flush"] = share("main", chance.choice([MICRO, 900_000, 333_333]), 5_000_000)
    if chance.random() < 0.2:
        pay_table["four_of_a_kind"] = share(chance.choice(pools), chance.choice([10_000, 33_333, 1]), 40_000)
    limit = chance.choice([None, None, 5_000_001, 6_000_000])
    return {
        **PLAIN_TERMS,
        "pay_table": pay_table,
        "pools": [
            {
                "name": name,
                "seed_cents": 5_000_000 if name == "main" else 700_000,
                "increment_ppm": 220_000 // len(pools),
                "limit_cents": limit,
                "overflow_to": "next_seed",
            }
            for name in pools
        ],
        "rulings": {**PLAIN_TERMS["rulings"], **random_rulings(chance)},
    }
