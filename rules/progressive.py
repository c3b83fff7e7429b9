"""The progressive jackpot payouts of rule 12.

Which question: given what the pools hold, who won what in one round, and the terms, what is each winner paid, out of
which money, and what do the pools keep? The answer is the same for every order in which the winners are named, exact
to the cent, and says which rules and rulings it used.

How it reads rule 12: the jackpot is the meter as shown, in whole cents. Within a pool the prizes that are a part of
it are taken first, the lowest hand before the higher ones, the prize that takes the pool whole last of all (12.4),
and fixed bonuses paid by a pool out of what then remains. Winners of one kind share the sum of the successive takes
(12.3). The statement lists them as they are paid: from the highest seat down (12.2), but with a royal in the round
the straight flushes first (12.4).

It does not know cards, tables, people, hits or accounts: who qualifies is `rules/games/caribbean_stud`, what is
posted is the ledger's. It takes nothing from anyone; it says what is owed.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import Final

from rules.terms import MILLION, PRIZES, Pool, Prize, Terms, prize_named

SEATS: Final = 9
"""One deck deals five cards to the dealer and at most nine players."""

_CLAUSE: Final = {
    "royal_flush": "CSP 12.1.1",
    "straight_flush": "CSP 12.1.2",
    "four_of_a_kind": "CSP 12.1.3",
    "full_house": "CSP 12.1.4",
    "flush": "CSP 12.1.5",
}
_SHARED: Final = {"royal_flush": "CSP 12.3.1", "straight_flush": "CSP 12.3.2"}


class BadAward(ValueError):
    """Winners that no round can have: a seat twice, a seat that is no seat, a prize that is not in the pay table."""


class ImpossibleAward(Exception):
    """Awards that break an invariant: more than the pool holds, or more than the greater of meter and minimum.

    Never caught where the link goes on: the link stops.
    """


@dataclass(frozen=True, slots=True)
class Winner:
    """A seat and the jackpot prize its hand qualifies for."""

    seat: int
    prize: str


@dataclass(frozen=True, slots=True)
class Award:
    """What one winner is paid, and whose money it is.

    `pool` is the pool the prize belongs to, `house` for a bonus paid by the house. `amount_cents` is the sum of
    `from_pool_cents`, `topup_cents` (the house's, up to a minimum or a bonus that the pool could not pay, or the odd
    cent) and `bonus_cents` (the house's fixed bonus). `rules` are the clauses it was worked out under.
    """

    seat: int
    prize: str
    pool: str
    amount_cents: int
    from_pool_cents: int
    topup_cents: int
    bonus_cents: int
    rules: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Resolution:
    """All awards of one round, in the order they are paid, and what they leave.

    `meter_cents` is each pool's jackpot as it was shared out; `pool_after_microcents` what each pool holds once all are
    paid, before any seed; `falls` the pools taken whole, to be reseeded; `lowered` the other pools that gave something;
    `rulings` those settings of the terms that decided an amount, as `name=value`.
    """

    awards: tuple[Award, ...]
    meter_cents: Mapping[str, int]
    pool_after_microcents: Mapping[str, int]
    falls: tuple[str, ...]
    lowered: tuple[str, ...]
    rulings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Reseed:
    """What brings a pool back to its seed, in microcents, and where each part comes from."""

    pool_after: int
    from_overflow: int
    from_reserve: int
    from_house: int


def award(
    pool_microcents: Mapping[str, int],
    own_microcents: Mapping[str, int],
    winners: Sequence[Winner],
    terms: Terms,
) -> Resolution:
    """Work out every jackpot prize of one round (rule 12).

    `pool_microcents` is what each pool of the terms, and any other of the link, holds with this round's wagers in;
    `own_microcents` what those wagers put there, which the jackpot leaves out where `meter_includes_this_round` is
    false. A pool that these terms do not have stays as it is.
    Always gives the same amounts whatever the order of `winners`; what is taken and what stays add up to what was
    there.
    Never takes more from a pool than it holds; never gives one winner more than the greater of meter and minimum.
    Raises `BadAward` for winners no round can have, `ImpossibleAward` should the sums break one of these promises.

    >>> from importlib.resources import files
    >>> from rules.terms import parse_terms
    >>> demo = parse_terms(files("jackpot").joinpath("demo_terms.json").read_bytes())
    >>> paid = award({"main": 52_000_00_000000}, {}, [Winner(5, "royal_flush"), Winner(2, "straight_flush")], demo)
    >>> for one in paid.awards:
    ...     print(one.seat, one.prize, one.amount_cents, one.from_pool_cents, one.topup_cents)
    2 straight_flush 520000 520000 0
    5 royal_flush 5000000 4680000 320000
    >>> paid.falls, paid.awards[0].rules
    (('main',), ('CSP 12.1.2', 'CSP 12.2', 'CSP 12.4'))
    """
    _refuse_bad(winners, terms)
    royal = any(winner.prize == "royal_flush" for winner in winners)
    in_order = sorted(winners, key=lambda one: (not (royal and one.prize == "straight_flush"), -one.seat))
    left_out = {} if terms.rulings.meter_includes_this_round else own_microcents
    jackpots = {pool.name: _Jackpot(pool_microcents[pool.name], left_out.get(pool.name, 0)) for pool in terms.pools}
    meter = {name: jackpot.cents for name, jackpot in jackpots.items()}
    used: set[str] = set()
    paid: dict[int, _Paid] = {}
    for prize in _taking_order(terms):
        seats = [one.seat for one in in_order if one.prize == prize.name]
        if seats:
            jackpot = jackpots[prize.pool or ""]
            used.update(_rulings_used(prize, len(seats), jackpot.cents, terms))
            paid |= dict(zip(seats, _shares(prize, len(seats), jackpot, terms), strict=True))
    for one in in_order:
        if one.seat not in paid:
            prize = prize_named(terms, one.prize)
            paid[one.seat] = _bonus(prize.amount_cents or 0, jackpots.get(prize.pool or "house"))
    falls = tuple(pool.name for pool in terms.pools if _taken_whole(pool, winners, terms))
    after = dict(pool_microcents) | {name: jackpot.held for name, jackpot in jackpots.items()}
    resolution = Resolution(
        awards=tuple(_award(one, paid[one.seat], in_order, terms) for one in in_order),
        meter_cents=meter,
        pool_after_microcents=after,
        falls=falls,
        lowered=tuple(name for name in after if after[name] < pool_microcents[name] and name not in falls),
        rulings=tuple(sorted(used)),
    )
    prove(resolution, pool_microcents, terms)
    return resolution


def prove(resolution: Resolution, pool_microcents: Mapping[str, int], terms: Terms) -> None:
    """Hold awards against the promises of rule 12, without asking how they were worked out.

    `award` proves its own answer; the ledger proves again what it is about to post. Raises `ImpossibleAward` for an
    award that takes more from a pool than it holds, gives a winner more than the greater of the shown meter and the
    guaranteed minimum, or less than the minimum, or whose parts do not add up.
    """
    taken = dict.fromkeys(pool_microcents, 0)
    for one in resolution.awards:
        prize = prize_named(terms, one.prize)
        parts = (one.from_pool_cents, one.topup_cents, one.bonus_cents)
        if min(parts) < 0 or sum(parts) != one.amount_cents:
            raise ImpossibleAward(f"seat {one.seat}: {one.amount_cents} cents is not the sum of its parts {parts}")
        least = prize.minimum_cents if prize.kind == "share" else prize.amount_cents
        most = least if prize.kind == "bonus" else max(least or 0, resolution.meter_cents[one.pool])
        if not (least or 0) <= one.amount_cents <= (most or 0):
            raise ImpossibleAward(f"seat {one.seat}: {one.amount_cents} cents is not from {least} to {most}")
        if one.from_pool_cents:
            taken[one.pool] += one.from_pool_cents * MILLION
    for name, held in pool_microcents.items():
        # A pool that came with later terms than the round's own is no part of its jackpot, and stays as it is.
        after = resolution.pool_after_microcents.get(name, held)
        if after < 0 or held - taken[name] != after:
            raise ImpossibleAward(f"pool {name}: {taken[name]} of {held} microcents taken does not leave {after}")


def reseed(
    pool_left_microcents: int, overflow_microcents: int, reserve_microcents: int, pool: Pool, terms: Terms
) -> Reseed:
    """Start a pool again that was taken whole (11.9.2): what is left of it, plus its seed, plus its overflow.

    The seed comes from the reserve as far as that goes, the rest from the house; with `reset: none` there is none. The
    overflow, players' money that waited for this moment, joins on top as far as the limit; what is above it waits on.
    Always after all awards of the round, in the same commit. Never takes more from overflow or reserve than they hold.

    >>> from importlib.resources import files
    >>> from rules.terms import parse_terms
    >>> demo = parse_terms(files("jackpot").joinpath("demo_terms.json").read_bytes())
    >>> reseed(250_000, 0, 30_000_00_000000, demo.pools[0], demo)
    Reseed(pool_after=5000000250000, from_overflow=0, from_reserve=3000000000000, from_house=2000000000000)
    """
    seed = pool.seed_cents * MILLION if terms.rulings.reset == "seed" else 0
    from_reserve = min(reserve_microcents, seed)
    seeded = pool_left_microcents + seed
    joins = overflow_microcents
    if pool.limit_cents is not None:
        joins = min(joins, max(pool.limit_cents * MILLION - seeded, 0))
    return Reseed(seeded + joins, joins, from_reserve, seed - from_reserve)


def lift(pool_left_microcents: int, reserve_microcents: int, pool: Pool, terms: Terms) -> Reseed:
    """Lift a pool to its seed that a part prize took lower, where `never_below_seed` says so; else leave it.

    Call it for the pools a `Resolution` names as `lowered`; what is missing comes from the reserve, then from the
    house. Never touches the overflow, and never lowers a pool.
    """
    seed = pool.seed_cents * MILLION if terms.rulings.never_below_seed else 0
    missing = max(seed - pool_left_microcents, 0)
    from_reserve = min(reserve_microcents, missing)
    return Reseed(pool_left_microcents + missing, 0, from_reserve, missing - from_reserve)


@dataclass(slots=True)
class _Jackpot:
    """One pool while the awards of a round are worked out: what it holds, and what of that its jackpot leaves out."""

    held: int
    left_out: int

    @property
    def cents(self) -> int:
        """The jackpot in whole cents (12.1.1); the fraction of a cent stays in the pool."""
        return max(self.held - self.left_out, 0) // MILLION

    def give(self, cents: int) -> int:
        """Give this amount, or all the whole cents there are; what was given."""
        given = min(cents, self.held // MILLION)
        self.held -= given * MILLION
        return given


@dataclass(frozen=True, slots=True)
class _Paid:
    from_pool: int = 0
    topup: int = 0
    bonus: int = 0


def _refuse_bad(winners: Sequence[Winner], terms: Terms) -> None:
    known = {prize.name for prize in terms.pay_table}
    seen: set[int] = set()
    for winner in winners:
        if type(winner.seat) is not int or not 1 <= winner.seat <= SEATS:
            raise BadAward(f"seat {winner.seat!r:.40}: not from 1 to {SEATS}")
        if winner.seat in seen:
            raise BadAward(f"seat {winner.seat}: named twice, and a seat has one hand")
        if winner.prize not in known:
            raise BadAward(f"seat {winner.seat}: {winner.prize!r:.40} is no prize of the pay table")
        seen.add(winner.seat)


def _taken_whole(pool: Pool, winners: Sequence[Winner], terms: Terms) -> bool:
    prizes = (prize_named(terms, winner.prize) for winner in winners)
    return any(prize.pool == pool.name and prize.share_ppm == MILLION for prize in prizes)


def _taking_order(terms: Terms) -> list[Prize]:
    """The prizes that are a part of a pool from the lowest hand up, then those that take a pool whole (12.4)."""
    shares = [prize for prize in terms.pay_table if prize.kind == "share"]
    return sorted(shares, key=lambda prize: (prize.share_ppm == MILLION, -PRIZES.index(prize.name)))


def _shares(prize: Prize, count: int, jackpot: _Jackpot, terms: Terms) -> list[_Paid]:
    """For each winner an equal share of the sum of the successive takes, or the minimum: whichever is the greater."""
    rulings = terms.rulings
    total = _takes(jackpot.cents, prize, count, each_cut=rulings.takes == "each")
    # Cut to the cent once per winner. Under `down` the pool keeps what does not divide; under `up` too, and the house
    # adds the cent; under `spread` the pool gives its odd cents, one each in paying order.
    equal = total // count
    odd = total // 1 - equal * count if rulings.odd_cents == "spread" else 0
    fair = -(-total // count) if rulings.odd_cents == "up" else 0
    minimum = prize.minimum_cents or 0
    paid = []
    for share in [jackpot.give(equal + (place < odd)) for place in range(count)]:
        more = jackpot.give(minimum - share) if share < minimum and rulings.topup_paid_by == "pool" else 0
        amount = max(share, fair, minimum)
        paid.append(_Paid(from_pool=share + more, topup=amount - share - more))
    return paid


def _bonus(amount: int, jackpot: _Jackpot | None) -> _Paid:
    """A fixed bonus, from the house, or from a pool as far as that goes and the rest from the house."""
    if jackpot is None:
        return _Paid(bonus=amount)
    from_pool = jackpot.give(amount)
    return _Paid(from_pool=from_pool, topup=amount - from_pool)


def _rulings_used(prize: Prize, count: int, jackpot_cents: int, terms: Terms) -> Iterator[str]:
    """The settings that decide what the winners of one share prize get."""
    rulings = terms.rulings
    yield f"meter_includes_this_round={'true' if rulings.meter_includes_this_round else 'false'}"
    if count > 1 and prize.share_ppm != MILLION:
        yield f"takes={rulings.takes}"
    total = _takes(jackpot_cents, prize, count, each_cut=rulings.takes == "each")
    if total % count:
        yield f"odd_cents={rulings.odd_cents}"
    if total < (prize.minimum_cents or 0) * count:
        yield f"topup_paid_by={rulings.topup_paid_by}"


def _takes(jackpot_cents: int, prize: Prize, count: int, *, each_cut: bool) -> Fraction | int:
    """The sum of the successive takes of a share prize, each from what the one before it left (12.3.2)."""
    if prize.share_ppm == MILLION:
        return jackpot_cents  # The first take is all there is.
    left = Fraction(jackpot_cents)
    for _ in range(count):
        take = left * Fraction(prize.share_ppm or 0, MILLION)
        left -= floor(take) if each_cut else take
    return jackpot_cents - left


def _award(winner: Winner, paid: _Paid, winners: Sequence[Winner], terms: Terms) -> Award:
    prize = prize_named(terms, winner.prize)
    return Award(
        seat=winner.seat,
        prize=winner.prize,
        pool=prize.pool or "house",
        amount_cents=paid.from_pool + paid.topup + paid.bonus,
        from_pool_cents=paid.from_pool,
        topup_cents=paid.topup,
        bonus_cents=paid.bonus,
        rules=tuple(_clauses(prize, [one.prize for one in winners])),
    )


def _clauses(prize: Prize, won: Sequence[str]) -> Iterator[str]:
    yield _CLAUSE[prize.name]
    if len(won) > 1:
        yield "CSP 12.2"
    if prize.kind == "share" and won.count(prize.name) > 1:
        yield _SHARED.get(prize.name, "CSP 12.3")
    if prize.name in _SHARED and set(won) >= set(_SHARED):
        yield "CSP 12.4"
