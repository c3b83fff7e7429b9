"""The split of an accepted qualifying wager, to the microcent.

Where does each part of it go? To the pools at their increment rates, to the reserve, and to the house (11.5, 11.6),
exactly: a rate in parts per million of whole cents is a whole number of microcents. What would lift a pool above its
limit goes to that pool's overflow, or to the reserve; what would lift the reserve above its limit goes to the pool the
terms name. It does not know whose wager it was, nor who posts it: it is given what the accounts hold. Almost every
wager is far from any limit; for those there is one constant split per terms (`plain_split`) and the number of wagers it
holds for (`headroom`).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from rules.terms import MILLION, Terms, increment_microcents

UNLIMITED: Final = 2**63 - 1
"""The headroom where no account has a limit that wagers could reach: more wagers than will ever be made."""


@dataclass(frozen=True, slots=True)
class Split:
    """One wager in microcents: to each pool, to each pool's overflow (both in the order of the terms), and beside."""

    pools: tuple[int, ...]
    overflow: tuple[int, ...]
    reserve: int
    retained: int


def plain_split(terms: Terms) -> Split:
    """How a wager is split while no account is near its limit; the same for every wager, so work it out once per terms.

    >>> from rules.terms import parse_terms
    >>> from importlib.resources import files
    >>> plain_split(parse_terms(files("jackpot").joinpath("demo_terms.json").read_bytes()))
    Split(pools=(22000000,), overflow=(0,), reserve=8000000, retained=70000000)
    """
    wager = terms.qualifying_wager_cents
    return Split(
        pools=tuple(increment_microcents(terms, pool) for pool in terms.pools),
        overflow=(0,) * len(terms.pools),
        reserve=wager * terms.reserve.increment_ppm,
        retained=wager * terms.retained_ppm,
    )


def headroom(terms: Terms, pool_microcents: Mapping[str, int], reserve_microcents: int) -> int:
    """How many wagers in a row `plain_split` holds for, with the accounts as they stand: none of them passes a limit.

    Always right for that many; the next one may or may not pass a limit, which `split_wager` works out.
    """
    fits = [
        _fits(increment_microcents(terms, pool), _room(pool.limit_cents, pool_microcents[pool.name]))
        for pool in terms.pools
    ]
    reserve = terms.qualifying_wager_cents * terms.reserve.increment_ppm
    fits.append(_fits(reserve, _room(terms.reserve.limit_cents, reserve_microcents)))
    return min(fits)


def split_wager(terms: Terms, pool_microcents: Mapping[str, int], reserve_microcents: int) -> Split:
    """How one qualifying wager is split, with the accounts as they stand before it.

    Always adds up to the wager, to the microcent. Never lifts a pool or the reserve above its limit; one that stands
    above already (after a seed, or new terms) gets nothing. Money that finds pools and reserve full waits in the
    overflow of the last pool it was sent to, whatever that pool's `overflow_to` says: it is the players', so never
    the house's.
    """
    rooms = [_room(pool.limit_cents, pool_microcents[pool.name]) for pool in terms.pools]
    pools = [0] * len(terms.pools)
    overflow = [0] * len(terms.pools)
    to_reserve = terms.qualifying_wager_cents * terms.reserve.increment_ppm
    for n, pool in enumerate(terms.pools):
        amount = increment_microcents(terms, pool)
        pools[n] = _within(rooms[n], amount)
        if pool.overflow_to == "reserve":
            to_reserve += amount - pools[n]
        else:
            overflow[n] = amount - pools[n]
    reserve = _within(_room(terms.reserve.limit_cents, reserve_microcents), to_reserve)
    excess = to_reserve - reserve
    if excess:
        n = [pool.name for pool in terms.pools].index(terms.reserve.excess_to)
        taken = _within(rooms[n], pools[n] + excess)
        overflow[n] += excess - (taken - pools[n])
        pools[n] = taken
    return Split(tuple(pools), tuple(overflow), reserve, terms.qualifying_wager_cents * terms.retained_ppm)


def _room(limit_cents: int | None, held_microcents: int) -> int | None:
    """What an account takes before it is at its limit; nothing where it has none."""
    return None if limit_cents is None else max(limit_cents * MILLION - held_microcents, 0)


def _within(room: int | None, amount: int) -> int:
    return amount if room is None else min(amount, room)


def _fits(increment: int, room: int | None) -> int:
    return UNLIMITED if room is None or not increment else room // increment
