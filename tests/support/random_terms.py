"""Terms of a link at random: one pool or two, limits near what they hold, rulings one or two of which are rare."""

import random
from dataclasses import replace
from typing import Any

from rules.terms import Terms, TermsError, canonical_bytes, parse_terms
from tests.support.terms import demo_terms, two_pool_terms, with_prize

CHOICES: dict[str, tuple[Any, ...]] = {
    "topup_paid_by": ("house", "pool"),
    "odd_cents": ("down", "up", "spread"),
    "takes": ("exact", "each"),
    "meter_includes_this_round": (True, False),
    "reset": ("seed", "seed", "none"),
    "never_below_seed": (False, True),
    "stake_returned": (False, True),
    "void_returns_jackpot": (True, True, True, False),
    "void_after_award": ("reserve", "reserve", "pool"),
    "rejected_share": ("recomputed", "kept"),
    "order_of_hits": ("commit", "lock"),
}
"""What rulings of terms may be, those that go deeper oftener."""


def random_terms(chance: random.Random) -> Terms:
    """Terms that may be approved."""
    while True:
        try:
            return parse_terms(canonical_bytes(_terms(chance)))
        except TermsError:
            continue


def _terms(chance: random.Random) -> Terms:
    """Terms of one pool or two, with limits near what they hold or none, under rulings one of which or two are rare."""
    terms = chance.choice([demo_terms, two_pool_terms])()
    if len(terms.pools) == 2 and chance.random() < 0.5:
        terms = with_prize(terms, "straight_flush", share_ppm=1_000_000)
    pools = tuple(
        replace(
            pool,
            limit_cents=chance.choice([None, None, pool.seed_cents + 30, pool.seed_cents + 200]),
            overflow_to=chance.choice(["next_seed", "next_seed", "reserve"]),
        )
        for pool in terms.pools
    )
    reserve = replace(
        terms.reserve,
        limit_cents=chance.choice([25_000_000, 40, 100]),
        excess_to=chance.choice([pool.name for pool in pools]),
    )
    rare = {name: chance.choice(CHOICES[name]) for name in chance.sample(sorted(CHOICES), chance.randint(0, 4))}
    if chance.random() < 0.2:
        terms = with_prize(terms, "four_of_a_kind", pool=pools[-1].name, paid_by="pool")
    return replace(terms, pools=pools, reserve=reserve, rulings=replace(terms.rulings, **rare))
