"""The terms that no casino could honour for ever.

Could these terms be kept? They may be well formed and still be a promise that cannot. What is refused here, each with
the field to look at:

**A rate that is lost or invented.** The rates of the pools, the reserve and the retained part add up to 1,000,000
exactly.

**A pool that shrinks at its seed.** Put the meter at its seed and ask what one qualifying wager brings and what it
takes away on average. It brings its increment. A prize that is part of the pool takes its share of the seed (or its
minimum, where the pool pays top-ups) as often as the hand is dealt: 36 straight flushes in 2,598,960 hands, so 10% of
$50,000.00 costs 6.93 cents a wager against 22 coming in. A prize that takes the whole pool costs it nothing here, as
the seed that comes back is not the pool's own money; without a reset it costs the pool all of its seed. A pool kept
at its seed (`never_below_seed`) gets its part prizes back. A bonus that the pool pays counts as far as the pool holds
it. Several winners in one round together take less than the sum of them alone (12.3.2), so counting each hand alone
never flatters the terms. What the reserve gives away above its limit is not counted: it may never come.

**A retained share that does not cover what the house pays.** Per wager, again at the seed: the fixed bonuses (53.27
cents of the demonstration dollar), minimums above the share, what a pool could not pay of its bonuses, the wager
itself where a winner gets it back, and the seeds, as far as the reserve's own increment does not pay for them:
$50,000.00 four times in 2,598,960 hands is 7.70 cents a wager, against 8 coming into the reserve. A meter below its
seed makes top-ups dearer and one above it cheaper; the first check sees to it that a pool grows away from there.

It does not know any meter, nor whether the approval reference is genuine. Every sum is an exact fraction.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final

from rules.terms_form import TermsError

if TYPE_CHECKING:
    from rules.terms import Pool, Prize, Terms

_MILLION: Final = 1_000_000
_EDITIONS: Final = {"caribbean_stud": "2024-08-16"}
_HANDS: Final = 2_598_960
_DEALT: Final = {"royal_flush": 4, "straight_flush": 36, "four_of_a_kind": 624, "full_house": 3_744, "flush": 5_108}
_RESERVED_NAMES: Final = frozenset({"house", "reserve", "overflow", "retained"})


def check_terms(terms: Terms) -> None:
    """Refuse terms that contradict themselves or promise what their rates cannot pay; see the module's reasoning.

    Raises `TermsError` naming the field to look at, its value and the reason.
    """
    edition = _EDITIONS.get(terms.game)
    if edition is None:
        raise TermsError("game", terms.game, "no rules here for a progressive jackpot of this game")
    if terms.edition != edition:
        raise TermsError("edition", terms.edition, f"not the edition of these rules, {edition}")
    _check_approvals(terms)
    _check_pools(terms)
    for prize in terms.pay_table:
        _check_prize(prize, terms)
    _check_pools_can_be_won(terms)
    _check_rates(terms)
    if terms.rulings.reset == "none" and terms.rulings.never_below_seed:
        raise TermsError(
            "rulings.never_below_seed", "true", "a pool that is not reset after a royal cannot be kept at its seed"
        )
    for n, pool in enumerate(terms.pools):
        _check_growth(terms, pool, f"pools.{n}.increment_ppm")
    _check_retained(terms)


def _check_approvals(terms: Terms) -> None:
    if terms.approvals[0].from_cents != 0:
        raise TermsError("approvals.0.from_cents", str(terms.approvals[0].from_cents), "the first step starts at 0")
    for n, (lower, step) in enumerate(zip(terms.approvals, terms.approvals[1:], strict=False), start=1):
        if step.from_cents <= lower.from_cents:
            raise TermsError(f"approvals.{n}.from_cents", str(step.from_cents), "not above the step before")
        if step.approvers < lower.approvers:
            raise TermsError(f"approvals.{n}.approvers", str(step.approvers), "fewer people for more money")


def _check_pools(terms: Terms) -> None:
    names = [pool.name for pool in terms.pools]
    for n, pool in enumerate(terms.pools):
        if pool.name in names[:n] or pool.name in _RESERVED_NAMES:
            raise TermsError(f"pools.{n}.name", pool.name, "a name that another account of the link has")
        if pool.limit_cents is not None and pool.limit_cents <= pool.seed_cents:
            raise TermsError(f"pools.{n}.limit_cents", str(pool.limit_cents), "not above the seed")
    if terms.reserve.excess_to not in names:
        raise TermsError("reserve.excess_to", terms.reserve.excess_to, "no pool of these terms")


def _check_prize(prize: Prize, terms: Terms) -> None:
    at = f"pay_table.{prize.name}"
    left_open: dict[str, str | int | None]
    set_here: dict[str, str | int | None]
    if prize.kind == "share":
        set_here = {"pool": prize.pool, "share_ppm": prize.share_ppm, "minimum_cents": prize.minimum_cents}
        left_open = {"amount_cents": prize.amount_cents}
    else:
        set_here = {"amount_cents": prize.amount_cents}
        left_open = {"share_ppm": prize.share_ppm, "minimum_cents": prize.minimum_cents}
        (set_here if prize.paid_by == "pool" else left_open)["pool"] = prize.pool
    for field, value in set_here.items():
        if value is None:
            raise TermsError(f"{at}.{field}", "none", f"a {prize.kind} paid by the {prize.paid_by} needs it")
    for field, value in left_open.items():
        if value is not None:
            raise TermsError(f"{at}.{field}", str(value), f"a {prize.kind} paid by the {prize.paid_by} has none")
    for field in ("share_ppm", "amount_cents"):
        if getattr(prize, field) == 0:
            raise TermsError(f"{at}.{field}", "0", "a prize of nothing")
    if prize.kind == "share" and prize.paid_by == "house":
        raise TermsError(f"{at}.paid_by", "house", "a share of a pool is paid by the pool")
    if prize.pool is not None and prize.pool not in [pool.name for pool in terms.pools]:
        raise TermsError(f"{at}.pool", prize.pool, "no pool of these terms")


def _check_pools_can_be_won(terms: Terms) -> None:
    for n, pool in enumerate(terms.pools):
        shares = [prize for prize in terms.pay_table if prize.kind == "share" and prize.pool == pool.name]
        if not shares:
            raise TermsError(
                f"pools.{n}.name", pool.name, "no prize is a share of this pool: its money could not be won"
            )
        whole = [prize for prize in shares if prize.share_ppm == _MILLION]
        if len(whole) > 1:
            raise TermsError(
                f"pay_table.{whole[1].name}.share_ppm", str(_MILLION), f"{whole[0].name} takes the same pool whole"
            )


def _check_rates(terms: Terms) -> None:
    total = sum(pool.increment_ppm for pool in terms.pools) + terms.reserve.increment_ppm + terms.retained_ppm
    if total != _MILLION:
        reason = f"the rates of pools, reserve and retained part add up to {total}, not {_MILLION}"
        raise TermsError("retained_ppm", str(terms.retained_ppm), reason)


def _check_growth(terms: Terms, pool: Pool, field: str) -> None:
    brings = Fraction(terms.qualifying_wager_cents * pool.increment_ppm, _MILLION)
    takes = sum((_chance(prize) * _kept_from_pool(terms, prize, pool) for prize in _prizes_of(terms, pool)), Fraction())
    if takes > brings:
        reason = (
            f"{pool.name} shrinks at its seed: a wager brings {_cents(brings)} cents, its prizes take {_cents(takes)}"
        )
        raise TermsError(field, str(pool.increment_ppm), reason)


def _check_retained(terms: Terms) -> None:
    keeps = Fraction(terms.qualifying_wager_cents * terms.retained_ppm, _MILLION)
    pays = _seeds_beyond_reserve(terms)
    for prize in terms.pay_table:
        pool = next((pool for pool in terms.pools if pool.name == prize.pool), None)
        paid = _amount(prize, pool) - (_from_pool(terms, prize, pool) if pool else 0)
        stake = terms.qualifying_wager_cents if terms.rulings.stake_returned else 0
        pays += _chance(prize) * (paid + stake)
    if pays > keeps:
        reason = f"the house keeps {_cents(keeps)} cents of a wager and pays {_cents(pays)} cents of prizes"
        raise TermsError("retained_ppm", str(terms.retained_ppm), reason)


def _seeds_beyond_reserve(terms: Terms) -> Fraction:
    """What restoring the pools costs the house per wager, once the reserve has given what a wager brings it."""
    costs = Fraction()
    for pool in terms.pools:
        for prize in _prizes_of(terms, pool):
            gone = _from_pool(terms, prize, pool)
            costs += _chance(prize) * (gone - _kept_from_pool(terms, prize, pool))
    return max(costs - Fraction(terms.qualifying_wager_cents * terms.reserve.increment_ppm, _MILLION), Fraction())


def _prizes_of(terms: Terms, pool: Pool) -> list[Prize]:
    return [prize for prize in terms.pay_table if prize.pool == pool.name]


def _chance(prize: Prize) -> Fraction:
    return Fraction(_DEALT[prize.name], _HANDS)


def _amount(prize: Prize, pool: Pool | None) -> Fraction:
    """What one winner gets with the meter at its seed."""
    if prize.kind == "bonus" or pool is None:
        return Fraction(prize.amount_cents or 0)
    return max(Fraction(pool.seed_cents * (prize.share_ppm or 0), _MILLION), Fraction(prize.minimum_cents or 0))


def _from_pool(terms: Terms, prize: Prize, pool: Pool) -> Fraction:
    """What of that leaves the pool."""
    if prize.kind == "share" and terms.rulings.topup_paid_by == "house":
        return Fraction(pool.seed_cents * (prize.share_ppm or 0), _MILLION)
    return min(_amount(prize, pool), Fraction(pool.seed_cents))


def _kept_from_pool(terms: Terms, prize: Prize, pool: Pool) -> Fraction:
    """What of that does not come back to the pool from reserve or house."""
    taken_whole = prize.share_ppm == _MILLION
    comes_back = terms.rulings.reset == "seed" if taken_whole else terms.rulings.never_below_seed
    return Fraction() if comes_back else _from_pool(terms, prize, pool)


def _cents(amount: Fraction) -> str:
    """Cents with four decimals, cut: for a reason people read, never for money."""
    whole, part = divmod(amount.numerator * 10_000 // amount.denominator, 10_000)
    return f"{whole}.{part:04}"
