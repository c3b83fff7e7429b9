"""Answers what each qualifying hand of one round wins of the jackpot, and what becomes of the pool.

Rule 12 and the rulings beside it, with plain fractions: first every straight flush from the jackpot as shown, then
every royal flush from what those left, then the fixed bonuses; the house adds what the pool does not give. Terms may
put other hands on a share: then the lowest hand goes first, and a prize of a whole pool last. Microcents are millionths
of a cent. It does not know where the pool's money came from, nor who may be paid.

>>> terms = {"pay_table": {"straight_flush": {
...     "kind": "share", "share_ppm": 100_000, "pool": "main", "minimum_cents": 500_000}},
...     "pools": [{"name": "main", "seed_cents": 5_000_000}], "rulings": {}}
>>> [award["amount_cents"] for award in resolve(terms, {"main": 10_000_000 * MICRO}, {}, [
...     (2, "straight_flush"), (5, "straight_flush")])["awards"]]
[950000, 950000]
"""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import ceil, floor
from typing import Any

MICRO = 1_000_000

# What the rulings say where the terms do not.
DEFAULTS = {
    "topup_paid_by": "house",
    "odd_cents": "down",
    "takes": "exact",
    "meter_includes_this_round": True,
    "reset": "seed",
    "never_below_seed": False,
    "overflow_to": "next_seed",
}

# Rule 11.7, lowest first.
PRIZES = ["flush", "full_house", "four_of_a_kind", "straight_flush", "royal_flush"]

Winner = tuple[int, str]
Award = dict[str, Any]


def paying_order(winners: Iterable[Winner]) -> list[Winner]:
    """Put winners in the order they are paid: from the dealer's right, the highest seat (12.2).

    With a royal flush in the round every straight flush goes before all others (12.4).
    """
    right_to_left = sorted(winners, reverse=True)
    if not any(prize == "royal_flush" for _, prize in right_to_left):
        return right_to_left
    first = [winner for winner in right_to_left if winner[1] == "straight_flush"]
    return first + [winner for winner in right_to_left if winner[1] != "straight_flush"]


def aggregate(jackpot_cents: int, share: Fraction, winners: int, takes: str) -> Fraction:
    """Add up one payout from each subsequent jackpot total, as many as there are winners (12.3.2)."""
    total, left = Fraction(0), Fraction(jackpot_cents)
    for _ in range(winners):
        take = left * share
        if takes == "each":
            take = Fraction(floor(take))
        total += take
        left -= take
    return total


def shared_prize(
    name: str,
    prize: Mapping[str, Any],
    seats: Sequence[int],
    rulings: Mapping[str, Any],
    *,
    jackpot_cents: int,
    pool_cents: int,
) -> list[Award]:
    """Work out the awards of all winners of one prize that is a share of a pool (12.1.1, 12.1.2, 12.3).

    Each gets the greater of an equal share and the guaranteed minimum; `seats` are in paying order.
    """
    total = aggregate(jackpot_cents, Fraction(prize["share_ppm"], MICRO), len(seats), rulings["takes"])
    each = total / len(seats)
    awards = []
    for place, seat in enumerate(seats):
        share = floor(each)
        if rulings["odd_cents"] == "spread" and place < floor(total) - floor(each) * len(seats):
            share += 1
        guaranteed = max(share, prize["minimum_cents"])
        amount = max(ceil(each), guaranteed) if rulings["odd_cents"] == "up" else guaranteed
        awards.append(
            {
                "seat": seat,
                "prize": name,
                "amount_cents": amount,
                "from_pool_cents": share,
                "topup_cents": amount - share,
                "bonus_cents": 0,
            }
        )
        pool_cents -= share
    for award in awards if rulings["topup_paid_by"] == "pool" else []:
        # The pool adds what it can once every share is given; an odd cent is the house's in any case.
        added = min(max(prize["minimum_cents"] - award["from_pool_cents"], 0), pool_cents)
        award["from_pool_cents"] += added
        award["topup_cents"] -= added
        pool_cents -= added
    return awards


def fixed_bonus(seat: int, name: str, prize: Mapping[str, Any], pool_cents: int) -> Award:
    """Work out one fixed bonus (12.1.3 to 12.1.5); a pool that is to pay it pays what it can, the house the rest."""
    amount = prize["amount_cents"]
    from_pool = 0
    if prize["paid_by"] == "pool":
        from_pool = min(amount, pool_cents)
    return {
        "seat": seat,
        "prize": name,
        "amount_cents": amount,
        "from_pool_cents": from_pool,
        "topup_cents": amount - from_pool if prize["paid_by"] == "pool" else 0,
        "bonus_cents": 0 if prize["paid_by"] == "pool" else amount,
    }


def resolve(
    terms: Mapping[str, Any],
    pools: Mapping[str, int],
    own: Mapping[str, int],
    winners: Iterable[Winner],
    *,
    reserve: int = 0,
    overflow: Mapping[str, int] | None = None,
    in_force: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Resolve all qualifying hands of one round at once.

    `pools`: microcents in each pool, this round's own wagers in; `own`: what of it this round's wagers brought;
    `reserve`, `overflow`: microcents there. `terms` are those of the round's wagers; pools are filled up by the terms
    `in_force`, where those are others. Returns the awards in paying order, the pools, reserve and overflow
    after, and for each pool filled up again what came from reserve, house and overflow (11.9.2).
    """
    rulings, in_force = {**DEFAULTS, **terms["rulings"]}, in_force or terms
    pay_table = terms["pay_table"]
    order = paying_order(winners)
    left = dict(pools)
    by_winner: dict[Winner, Award] = {}
    shares = [name for name in PRIZES if pay_table.get(name, {}).get("kind") == "share"]
    for name in sorted(shares, key=lambda name: pay_table[name]["share_ppm"] == MICRO):
        seats = [seat for seat, prize in order if prize == name]
        if not seats:
            continue
        pool = pay_table[name]["pool"]
        jackpot = left[pool]
        if not rulings["meter_includes_this_round"]:
            jackpot = max(0, jackpot - own.get(pool, 0))
        for award in shared_prize(
            name, pay_table[name], seats, rulings, jackpot_cents=jackpot // MICRO, pool_cents=left[pool] // MICRO
        ):
            by_winner[award["seat"], name] = award
            left[pool] -= award["from_pool_cents"] * MICRO
    for seat, name in order:
        if pay_table[name]["kind"] == "bonus":
            pool = pay_table[name]["pool"] or terms["pools"][0]["name"]
            by_winner[seat, name] = fixed_bonus(seat, name, pay_table[name], left[pool] // MICRO)
            left[pool] -= by_winner[seat, name]["from_pool_cents"] * MICRO
    awards = [by_winner[winner] for winner in order]
    fallen = {pay_table[name]["pool"] for _, name in order if pay_table[name].get("share_ppm") == MICRO}
    lowered = {name for name in pools if left[name] < pools[name]} - fallen
    reseeds, reserve, after_overflow = fill_up(
        in_force, left, fallen=fallen, lowered=lowered, reserve=reserve, overflow=dict(overflow or {})
    )
    return {"awards": awards, "pools": left, "reserve": reserve, "overflow": after_overflow, "reseeds": reseeds}


def fill_up(
    terms: Mapping[str, Any],
    left: dict[str, int],
    *,
    fallen: set[str],
    lowered: set[str],
    reserve: int,
    overflow: dict[str, int],
) -> tuple[dict[str, dict[str, int]], int, dict[str, int]]:
    """Put the seed into each pool a prize took whole, or lift one to its seed where the rulings say so; changes `left`.

    The reserve gives first, the house the rest; what a pool had over its limit comes on top, as far as the limit.
    """
    rulings = {**DEFAULTS, **terms["rulings"]}
    reseeds: dict[str, dict[str, int]] = {}
    # The seeds of pools that were won go before what lifts others.
    for pool in sorted(terms["pools"], key=lambda pool: pool["name"] not in fallen):
        name, missing, from_overflow = pool["name"], 0, 0
        seed = pool["seed_cents"] * MICRO
        if name in fallen:
            missing = seed if rulings["reset"] == "seed" else 0
            from_overflow = overflow.get(name, 0)
            if pool.get("limit_cents") is not None:
                room = pool["limit_cents"] * MICRO - left[name] - missing
                from_overflow = max(0, min(from_overflow, room))
            overflow[name] = overflow.get(name, 0) - from_overflow
        elif name in lowered and rulings["never_below_seed"]:
            missing = max(0, seed - left[name])
        if missing == 0 and from_overflow == 0:
            continue
        from_reserve = min(reserve, missing)
        reserve -= from_reserve
        left[name] += missing + from_overflow
        reseeds[name] = {
            "from_reserve": from_reserve,
            "from_house": missing - from_reserve,
            "from_overflow": from_overflow,
        }
    return reseeds, reserve, {name: waiting for name, waiting in overflow.items() if waiting}
