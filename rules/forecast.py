"""What a link's terms lead to, in the long run: how fast its pools grow, how often they fall, who pays what.

The answers are averages, exact fractions of a wager, worked out before any is placed: for whoever writes or approves
terms. They are of one winner a round, and of a meter where it starts (its seed) unless one is given; what a limit or a
reserve that is full sends elsewhere is not counted. Knows no link's history: what did happen is the ledger's.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType

from rules.odds.jackpot import break_even_cents, prize_chances, prizes_of
from rules.terms import MILLION, Pool, Prize, Terms


@dataclass(frozen=True, slots=True)
class PoolForecast:
    """What one qualifying wager does to a pool on average, in cents, and when the pool falls."""

    name: str
    brings_cents: Fraction
    """Its increment."""
    takes_cents: Fraction
    """What prizes take from it at its meter that is not put back."""
    wagers_between_falls: Fraction | None
    """Wagers from one fall of the whole pool to the next; ``None`` where no prize takes it whole."""
    falls_at_cents: Fraction | None
    """Where the meter stands on average when the pool falls, from its seed and with its parts taken on the way."""

    @property
    def grows_cents(self) -> Fraction:
        """What it grows by for each wager, at its meter; what a seed puts back again is not taken."""
        return self.brings_cents - self.takes_cents


@dataclass(frozen=True, slots=True)
class PrizeForecast:
    """How often a prize is won and what it costs."""

    name: str
    chance: Fraction
    award_cents: Fraction
    """What one winner is paid with the meters given."""

    @property
    def wagers_between(self) -> Fraction:
        """Wagers from one winner to the next on average."""
        return Fraction(self.chance.denominator, self.chance.numerator)

    @property
    def costs_cents(self) -> Fraction:
        """What it costs for each wager."""
        return self.chance * self.award_cents


@dataclass(frozen=True, slots=True)
class Forecast:
    """What the terms of a link lead to, for each qualifying wager on average; amounts in cents."""

    pools: tuple[PoolForecast, ...]
    prizes: tuple[PrizeForecast, ...]
    retained_cents: Fraction
    """What the house is paid of each wager."""
    house_pays_cents: Fraction
    """What the house pays: fixed bonuses, minimums above the share, stakes given back, seeds that no reserve covers."""
    reserve_brings_cents: Fraction
    reserve_spends_cents: Fraction
    """What the reserve gives to seeds, as far as its own increment goes."""
    break_even_meter_cents: Fraction | None
    """The main meter at which a wager costs the player nothing; ``None`` where no prize is a part of a meter."""

    @property
    def house_keeps_cents(self) -> Fraction:
        """What of each wager stays with the house; negative where the terms cost it money."""
        return self.retained_cents - self.house_pays_cents

    @property
    def wagers_between_royals(self) -> Fraction:
        """Wagers from one royal flush to the next on average."""
        return next(each.wagers_between for each in self.prizes if each.name == "royal_flush")


def seconds_between(wagers_between: Fraction, wagers_per_hour: int) -> Fraction:
    """How long so many wagers take at the pace of a link; raises ``ValueError`` for a pace that is none.

    >>> seconds_between(Fraction(649_740), 1_000)
    Fraction(2339064, 1)
    """
    if wagers_per_hour < 1:
        raise ValueError(f"wagers_per_hour: {wagers_per_hour}: not a number of wagers")
    return wagers_between * Fraction(3600, wagers_per_hour)


def forecast(terms: Terms, meters_cents: Mapping[str, int] = MappingProxyType({})) -> Forecast:
    """What terms lead to, at the seeds of their pools or the meters given.

    Always the sums of ``check_terms``, also for terms that it refuses. Raises ``KeyError`` for a meter of no pool.

    >>> from importlib.resources import files
    >>> from rules.terms import parse_terms
    >>> from rules.odds.rows import decimal_text
    >>> demo = forecast(parse_terms(files("jackpot").joinpath("demo_terms.json").read_bytes()))
    >>> demo.wagers_between_royals, decimal_text(demo.house_pays_cents, 2), decimal_text(demo.pools[0].grows_cents, 2)
    (Fraction(649740, 1), '53.27', '15.07')
    """
    names = [pool.name for pool in terms.pools]
    for name in meters_cents:
        if name not in names:
            raise KeyError(name)
    meters = {pool.name: Fraction(meters_cents.get(pool.name, pool.seed_cents)) for pool in terms.pools}
    seeds = sum((_restored(terms, pool, meters[pool.name]) for pool in terms.pools), Fraction())
    reserve = Fraction(terms.qualifying_wager_cents * terms.reserve.increment_ppm, MILLION)
    from_reserve = min(seeds, reserve)
    beside = sum((_beside_pool(terms, prize, meters) for prize in terms.pay_table), Fraction())
    shares = [each for each in prizes_of(terms) if each.share_ppm]
    return Forecast(
        pools=tuple(_pool(terms, pool, meters[pool.name]) for pool in terms.pools),
        prizes=tuple(
            PrizeForecast(each.name, prize_chances()[each.name], _award(each, meters)) for each in terms.pay_table
        ),
        retained_cents=Fraction(terms.qualifying_wager_cents * terms.retained_ppm, MILLION),
        house_pays_cents=beside + seeds - from_reserve,
        reserve_brings_cents=reserve,
        reserve_spends_cents=from_reserve,
        break_even_meter_cents=break_even_cents(prizes_of(terms), terms.qualifying_wager_cents) if shares else None,
    )


def _award(prize: Prize, meters: Mapping[str, Fraction]) -> Fraction:
    """What one winner is paid (CSP 12.1)."""
    if prize.kind == "bonus" or prize.pool is None:
        return Fraction(prize.amount_cents or 0)
    return max(meters[prize.pool] * Fraction(prize.share_ppm or 0, MILLION), Fraction(prize.minimum_cents or 0))


def _from_pool(terms: Terms, prize: Prize, meter: Fraction) -> Fraction:
    """What of an award leaves the pool that it belongs to."""
    if prize.kind == "share" and terms.rulings.topup_paid_by == "house":
        return meter * Fraction(prize.share_ppm or 0, MILLION)
    return min(_award(prize, {prize.pool or "": meter}), meter)


def _comes_back(terms: Terms, prize: Prize) -> bool:
    """Whether what an award takes from its pool is put back from reserve or house (CSP 11.9.2)."""
    return terms.rulings.reset == "seed" if prize.share_ppm == MILLION else terms.rulings.never_below_seed


def _beside_pool(terms: Terms, prize: Prize, meters: Mapping[str, Fraction]) -> Fraction:
    """What the house pays on a prize beside what its pool gives, for each wager."""
    given = Fraction() if prize.pool is None else _from_pool(terms, prize, meters[prize.pool])
    stake = terms.qualifying_wager_cents if terms.rulings.stake_returned else 0
    return prize_chances()[prize.name] * (_award(prize, meters) - given + stake)


def _restored(terms: Terms, pool: Pool, meter: Fraction) -> Fraction:
    """What bringing a pool back to its seed costs, for each wager: the seed itself, or what a part took below it."""
    cost = Fraction()
    for prize in terms.pay_table:
        if prize.pool != pool.name or not _comes_back(terms, prize):
            continue
        left = meter - _from_pool(terms, prize, meter)
        whole = prize.share_ppm == MILLION
        put_back = Fraction(pool.seed_cents) if whole else max(pool.seed_cents - left, Fraction())
        cost += prize_chances()[prize.name] * put_back
    return cost


def _pool(terms: Terms, pool: Pool, meter: Fraction) -> PoolForecast:
    own = [prize for prize in terms.pay_table if prize.pool == pool.name]
    lost = [prize for prize in own if not _comes_back(terms, prize)]
    parts = [prize for prize in lost if prize.share_ppm != MILLION]
    falls = sum((prize_chances()[prize.name] for prize in own if prize.share_ppm == MILLION), Fraction())
    brings = Fraction(terms.qualifying_wager_cents * pool.increment_ppm, MILLION)
    between = Fraction(falls.denominator, falls.numerator) if falls else None
    return PoolForecast(
        name=pool.name,
        brings_cents=brings,
        takes_cents=sum((prize_chances()[prize.name] * _from_pool(terms, prize, meter) for prize in lost), Fraction()),
        wagers_between_falls=between,
        falls_at_cents=None if between is None else _falls_at(terms, pool, parts, brings, falls),
    )


def _falls_at(terms: Terms, pool: Pool, parts: list[Prize], brings: Fraction, falls: Fraction) -> Fraction:
    """Where a meter stands on average when it falls, if no minimum or limit is met on the way.

    From each wager to the next the meter gains its increment and loses each part as often as that is won, so that at
    the fall, which comes with the same chance at every wager, it stands at (seed * falls + brings) / (falls + taken).
    """
    taken = sum((prize_chances()[prize.name] * Fraction(prize.share_ppm or 0, MILLION) for prize in parts), Fraction())
    fixed = sum((prize_chances()[prize.name] * (prize.amount_cents or 0) for prize in parts), Fraction())
    start = pool.seed_cents if terms.rulings.reset == "seed" else 0
    top = start * falls + brings - fixed
    bottom = falls + taken
    return top * Fraction(bottom.denominator, bottom.numerator)
