"""How a prize becomes a hit: its amount frozen, its money set aside, what it took whole begun again (rule 12, 11.9.2).

Knows no command: a record calls it, and what two people bring instead of one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from msgspec import UNSET

from jackpot.core.accounts import HOUSE, MICROCENTS, PAID, RESERVE, overflow_account, payable_account, pool_account
from jackpot.core.facts import Fact
from jackpot.core.hits import DIFFERS, DISPUTED, NEEDS_CAPTURE, PENDING, UNCLAIMED, Act, Hit, noted_wagered
from jackpot.core.meters import left_out
from jackpot.core.reading import Reading
from jackpot.core.reversals import in_its_meter
from jackpot.core.state import OWN_IN_METERS, Draft, OpenRound, TermsInForce
from jackpot.wire.ids import HitKey
from jackpot.wire.messages import AwardLine, MeterAround
from rules.progressive import Award, Reseed, Resolution, lift, reseed
from rules.terms import Terms, approvers_for, pool_named, prize_named

CAPTURES = ("keyed", "claims", "full")
"""How well a record saw the cards, least first."""
TWO_PEOPLE = 2
"""A hit that is marked needs two people, whatever its amount (PROTOCOL 2, 7)."""


@dataclass(frozen=True, slots=True)
class Basis:
    """What the prizes of a round are resolved from: the round and its terms, its cards as read, why people must look.

    `own_microcents` is what the round's own wagers have in each pool. `differs` where the table and the server do not
    agree; `people` have typed the record in.
    """

    opened: OpenRound
    own: TermsInForce
    reading: Reading
    capture: str
    marks: tuple[str, ...]
    own_microcents: Mapping[str, int]
    differs: bool = False
    people: tuple[Act, ...] = ()


def own_increments(opened: OpenRound, terms: Terms) -> dict[str, int]:
    """Return what this round's own accepted wagers put into each pool, microcents, from their rows."""
    return {
        pool.name: sum(run.parts[place] * len(run.seats) for run in opened.runs)
        for place, pool in enumerate(terms.pools)
    }


def own_in_meters(draft: Draft, opened: OpenRound, terms: Terms) -> dict[str, int]:
    """Return what of that is in the meters as they run now: a winner who took one whole since has it with the rest."""
    return {
        name: amount if amount and in_its_meter(draft, opened, place, name) else 0
        for place, (name, amount) in enumerate(own_increments(opened, terms).items())
    }


def seen_too_little(terms: Terms, prize: str, capture: str) -> bool:
    """Say whether a record saw its cards less well than the terms ask for before this prize may be paid."""
    return CAPTURES.index(capture) < CAPTURES.index(prize_named(terms, prize).least_capture)


def resolved_hit(draft: Draft, basis: Basis, one: Award, before: Mapping[str, int]) -> Hit:
    """Return the hit of an award: amount and terms frozen, and what its pool held `before` the round's awards."""
    opened, own, reading = basis.opened, basis.own, basis.reading
    found = {
        UNCLAIMED: one.seat in reading.unclaimed,
        NEEDS_CAPTURE: seen_too_little(own.terms, one.prize, basis.capture),
        DIFFERS: basis.differs,
    }
    marks = (*basis.marks, *[mark for mark, holds in found.items() if holds])
    asked = approvers_for(own.terms, one.amount_cents)
    life = draft.pools.get(one.pool)
    return Hit(
        key=HitKey(opened.table, opened.journal, opened.round, one.seat, one.pool),
        month=opened.month,
        prize=one.prize,
        state=DISPUTED if found[NEEDS_CAPTURE] or found[DIFFERS] else PENDING,
        amount_cents=one.amount_cents,
        from_pool_cents=one.from_pool_cents,
        topup_cents=one.topup_cents,
        bonus_cents=one.bonus_cents,
        epoch=life.epoch if life else 0,
        terms=own.fingerprint,
        capture=basis.capture,
        cards=reading.cards.get(one.seat, ""),
        marks=marks,
        commit=draft.commit,
        moved=draft.commit,
        approvers=max(asked, TWO_PEOPLE) if marks else asked,
        acts=(Act("award", "", draft.commit), *_wagered(draft, basis, one.pool), *basis.people),
        meter_microcents=before.get(one.pool, 0),
        own_microcents=basis.own_microcents.get(one.pool, 0),
    )


def _wagered(draft: Draft, basis: Basis, pool: str) -> Sequence[Act]:
    """Note of a prize, where its terms leave the round's own wagers out, what they are: another meter may have them."""
    if basis.own.terms.rulings.meter_includes_this_round or draft.version < OWN_IN_METERS:
        return ()
    put = own_increments(basis.opened, basis.own.terms).get(pool, 0)
    return (noted_wagered(put, basis.opened.commit, draft.commit),) if put else ()


def award_hits(draft: Draft, basis: Basis, hits: Sequence[Hit], resolution: Resolution, facts: list[Fact]) -> None:
    """Set the money of a round's hits aside, in paying order, then begin again what they took whole."""
    opened = basis.opened
    for hit in hits:
        fund(draft, hit)
        return_stake(draft, opened, hit, basis.own.terms)
        facts.append(Fact("award", opened.table, opened.round, award_figures(hit)))
    begin_again(draft, resolution, facts)
    _keep_own(draft, basis, resolution)
    draft.room = 0


def meters_around(draft: Draft, held: Mapping[str, int], resolution: Resolution | None) -> list[MeterAround]:
    """Say what each pool held before and holds now, those of the terms in force first; whole cents."""
    first = [pool.name for pool in draft.terms.terms.pools] if draft.terms else []
    names = (*first, *sorted(held.keys() - set(first)))
    return [_around(name, held[name], draft, resolution) for name in names]


def _around(name: str, held: int, draft: Draft, resolution: Resolution | None) -> MeterAround:
    before = held // MICROCENTS
    basis = before if resolution is None else resolution.meter_cents.get(name, before)
    after = draft.book.balance(pool_account(name)) // MICROCENTS
    return MeterAround(name, before, after, UNSET if basis == before else basis)


def fund(draft: Draft, hit: Hit) -> None:
    """Set a prize's money aside for its winner: the pool's part, the house's top-up, the bonus."""
    payable, ref = payable_account(str(hit.key)), str(hit.key)
    if hit.from_pool_cents:
        pool = pool_account(hit.key.pool)
        draft.book.move(pool, payable, hit.from_pool_cents * MICROCENTS, "award", draft.commit, ref)
        draft.fell(hit.key.pool, "award")
    draft.book.move(HOUSE, payable, hit.topup_cents * MICROCENTS, "topup", draft.commit, ref)
    draft.book.move(HOUSE, payable, hit.bonus_cents * MICROCENTS, "bonus", draft.commit, ref)


def return_stake(draft: Draft, opened: OpenRound, hit: Hit, terms: Terms) -> None:
    """Return the winner's jackpot wager too, where the terms say so (11.5); a token was no money and is not paid."""
    tenders = {seat: tender for run in opened.runs for seat, tender in zip(run.seats, run.tenders, strict=True)}
    if terms.rulings.stake_returned and tenders.get(hit.key.seat) == "chips":
        stake = terms.qualifying_wager_cents * MICROCENTS
        draft.book.move(HOUSE, PAID, stake, "stake", draft.commit, str(hit.key))


def begin_again(draft: Draft, resolution: Resolution, facts: list[Fact]) -> None:
    """Start pools that were taken whole again, and lift lowered ones where the terms in force say so (11.9.2)."""
    if draft.terms is None:
        return
    terms = draft.terms.terms
    in_force = {pool.name for pool in terms.pools}
    for name in resolution.falls:
        draft.begin_pool(name, award=draft.commit)
        facts.append(Fact("fall", figures={"pool": name, "cause": "award", "epoch": draft.pools[name].epoch}))
        if name in in_force:
            over, held = draft.book.balance(overflow_account(name)), draft.book.balance(pool_account(name))
            again = reseed(held, over, draft.book.balance(RESERVE), pool_named(terms, name), terms)
            _fill(draft, name, again, "seed")
    for name in resolution.lowered:
        facts.append(Fact("fall", figures={"pool": name, "cause": "award"}))
        if name in in_force:
            held = draft.book.balance(pool_account(name))
            _fill(draft, name, lift(held, draft.book.balance(RESERVE), pool_named(terms, name), terms), "lift")


def _keep_own(draft: Draft, basis: Basis, resolution: Resolution) -> None:
    """Note of a pool taken whole that it keeps its round's own wagers, where the jackpot leaves them out (7.2).

    They are there still unless a minimum or a bonus took of them too (`topup_paid_by`): then the winner has them.
    """
    if draft.version < OWN_IN_METERS or basis.own.terms.rulings.meter_includes_this_round:
        return
    for name in resolution.falls:
        own = basis.own_microcents.get(name, 0)
        if 0 < own <= resolution.pool_after_microcents[name]:
            draft.put_pool(left_out(draft.pools[name], basis.opened.commit, draft.commit))


def _fill(draft: Draft, name: str, parts: Reseed, cause: str) -> None:
    pool = pool_account(name)
    ref = f"{name}/{draft.pools[name].epoch}"
    draft.book.move(RESERVE, pool, parts.from_reserve, cause, draft.commit, ref)
    draft.book.move(HOUSE, pool, parts.from_house, cause, draft.commit, ref)
    draft.book.move(overflow_account(name), pool, parts.from_overflow, "overflow", draft.commit, ref)


def award_line(hit: Hit, resolution: Resolution | None) -> AwardLine:
    """Return a hit as the award statement of its round tells it, with the clauses it was worked out under."""
    rules = [one.rules for one in resolution.awards if one.seat == hit.key.seat] if resolution else []
    return AwardLine(
        hit=str(hit.key),
        seat=hit.key.seat,
        prize=hit.prize,
        pool=hit.key.pool,
        amount_cents=hit.amount_cents,
        from_pool_cents=hit.from_pool_cents,
        topup_cents=hit.topup_cents,
        bonus_cents=hit.bonus_cents,
        state=hit.state,
        rules=list(rules[0]) if rules else [],
    )


def award_figures(hit: Hit) -> dict[str, object]:
    """Return what a fact tells of an award."""
    return {"hit": str(hit.key), "prize": hit.prize, "cents": hit.amount_cents, "state": hit.state}
