"""Which of two tables' prizes from one meter came first: worked out both ways, for people to say (PROTOCOL 7).

Between tables the commit of the record decides. Where a round was accepted before another table's prize and is recorded
after it, the other order, by the commit of the wagers, can be argued for: both hits are held, with the amounts that
either order gives.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from jackpot.core.accounts import MICROCENTS
from jackpot.core.disputes import HOLDS_ALL, has_its_money
from jackpot.core.facts import Fact
from jackpot.core.hits import DISPUTED, MOVES, ORDER, PAID, Act, Hit, moved, noted_about
from jackpot.core.meters import Inside, inside, is_in
from jackpot.core.releases import kept, leaves_own_out, takes_whole
from jackpot.core.state import OWN_IN_METERS, Draft, OpenRound
from jackpot.wire.ids import HitKey
from rules.progressive import Award, Winner, award
from rules.terms import pool_named

_STANDS = frozenset({PAID, DISPUTED, *(state for state, moves in MOVES.items() if "dispute" in moves)})
"""States in which a prize has its money, and another's order against it can be argued for."""


class Due(NamedTuple):
    """What a prize comes to in another order, the meter it is of then, and what its round's own wagers have in that."""

    award: Award
    meter_microcents: int
    own_microcents: int
    keeps_own: bool = False
    """Whether that pool keeps its round's own wagers, since the jackpot leaves them out."""


def dispute_order(draft: Draft, opened: OpenRound, hits: Sequence[Hit], facts: list[Fact]) -> list[Hit]:
    """Hold prizes from a meter that other tables' rounds, recorded while this one was open, have drawn on too.

    Returns this round's hits as they are to be written; moves the other tables' hits. A paid one stays paid.
    """
    held = list(hits)
    for pool in dict.fromkeys(hit.key.pool for hit in hits if hit.from_meter):
        others = [hit for hit in draft.hits.values() if _drew_meanwhile(hit, pool, opened)]
        if not others:
            continue
        mine = [hit for hit in hits if hit.key.pool == pool and hit.from_meter]
        earliest = min(hit.place for hit in others)
        first = sorted((hit for hit in others if hit.place == earliest), key=lambda hit: -hit.key.seat)
        reason = _both_orders(draft, mine, first)
        undisputed = sorted((hit for hit in others if "dispute" in MOVES[hit.state]), key=_by_commit)
        about = [noted_about(opened.commit, draft.commit)] if draft.version >= HOLDS_ALL else []
        for hit in undisputed:
            draft.put_hit(_disputed(hit, draft.commit, reason, *about))
        held = [_disputed(hit, draft.commit, reason, *about) if hit in mine else hit for hit in held]
        figures = {"differences": [reason], "hits": [str(hit.key) for hit in (*mine, *undisputed)]}
        facts.append(Fact("disputed", opened.table, opened.round, figures))
    return held


def _drew_meanwhile(hit: Hit, pool: str, opened: OpenRound) -> bool:
    """Say whether another table's prize was resolved from this pool after this round's wagers were accepted."""
    return hit.commit > opened.commit and hit.key.pool == pool and has_its_money(hit) and hit.state in _STANDS


def _by_commit(hit: Hit) -> tuple[int, int]:
    return hit.commit, -hit.key.seat


def _disputed(hit: Hit, commit: int, reason: str, *more: Act) -> Hit:
    marks = hit.marks if ORDER in hit.marks else (*hit.marks, ORDER)
    if hit.state == DISPUTED:
        return replace(hit, marks=marks, acts=(*hit.acts, Act("dispute", "", commit, reason), *more))
    after = moved(hit, "dispute", "", commit, reason)
    return hit if after is None else replace(after, marks=marks, acts=(*after.acts, *more))


def _both_orders(draft: Draft, mine: Sequence[Hit], first: Sequence[Hit]) -> str:
    """Say what each hit comes to by the records' commits, and what by the wagers': this round's first."""
    pool = mine[0].key.pool
    left, amounts = _resolve(draft, mine, first[0].meter_microcents, _own(draft, mine, mine, first))
    _, then = _resolve(draft, first, left, _own(draft, first, mine, first))
    by_commit = _listed([(hit, hit.amount_cents) for hit in (*first, *mine)])
    by_wagers = _listed([*zip(mine, amounts, strict=True), *zip(first, then, strict=True)])
    return f"{pool}: by commit {by_commit}; by wagers {by_wagers}"


def _own(draft: Draft, hits: Sequence[Hit], mine: Sequence[Hit], first: Sequence[Hit]) -> int:
    """Return what of a round's own wagers is in its meter where `mine` is resolved before the `first` of the others.

    All that was wagered before those is in the one meter: with the round put first, where that takes it whole.
    """
    known, wagered, life = hits[0].own_microcents, hits[0].wagered, draft.pools[hits[0].key.pool]
    if draft.version < OWN_IN_METERS:
        return known
    there = is_in(life, those_in(draft, first[0]), wagered.commit) if wagered else None
    if hits[0].key[:3] == mine[0].key[:3]:
        return known if wagered is None or there is None else wagered.microcents if there else 0
    before = there or hits[0].commit == first[0].commit
    return 0 if before and any(takes_whole(draft, hit) for hit in mine) else known


def those_in(draft: Draft, hit: Hit) -> Inside:
    """Return which wagers are in the meter that a prize is of."""
    return hit.placed.those if hit.placed else inside(draft.pools[hit.key.pool], hit.commit)


def _resolve(
    draft: Draft, hits: Sequence[Hit], meter_microcents: int, own_microcents: int
) -> tuple[int, Sequence[int]]:
    """Resolve one round's prizes of a pool on a meter; return what the pool holds then, reseeded, and the amounts.

    Whose seats they are makes no difference, so that of many tables with the same prizes one is worked out.
    """
    pool, terms, own = hits[0].key.pool, hits[0].terms, own_microcents
    silent = tuple([(hit.key.seat, hit.prize) for hit in _silent(draft, hits)])
    like = (pool, terms, own, meter_microcents, tuple([hit.prize for hit in hits]), silent)
    known = draft.resolved.get(like)
    if known is None:
        known = draft.resolved[like] = _resolved(draft, hits, meter_microcents, own)
    return known


def _resolved(
    draft: Draft, hits: Sequence[Hit], meter_microcents: int, own_microcents: int
) -> tuple[int, Sequence[int]]:
    left, awards = resolve_on(draft, hits, meter_microcents, own_microcents)
    return left, [awards[hit.key.seat].amount_cents for hit in hits]


def resolve_on(
    draft: Draft, hits: Sequence[Hit], meter_microcents: int, own_microcents: int
) -> tuple[int, Mapping[int, Award]]:
    """Resolve one round's prizes of a pool on a meter; return what it holds then, reseeded, and each seat's award."""
    pool = hits[0].key.pool
    terms = draft.older[hits[0].terms].terms
    held = dict.fromkeys(draft.pools, 0) | {pool: meter_microcents}
    own = {pool: own_microcents}
    sharing = [*hits, *_silent(draft, hits)]
    result = award(held, own, [Winner(hit.key.seat, hit.prize) for hit in sharing], terms)
    left = result.pool_after_microcents[pool]
    # A share that the pool keeps stays in it: its hand is resolved with the others, and gets nothing.
    named = {hit.key.seat for hit in hits}
    left += sum(one.from_pool_cents for one in result.awards if one.seat not in named) * MICROCENTS
    if pool in result.falls and terms.rulings.reset == "seed":
        left += pool_named(terms, pool).seed_cents * MICROCENTS
    return left, {one.seat: one for one in result.awards}


def _silent(draft: Draft, hits: Sequence[Hit]) -> Sequence[Hit]:
    """Return the hands that shared a pool with these, whose shares it has kept."""
    at = (hits[0].key[:3], hits[0].key.pool, hits[0].commit)
    return [hit for hit in draft.hits.values() if (hit.key[:3], hit.key.pool, hit.commit) == at and kept(draft, hit)]


def drew_meanwhile(draft: Draft, pool: str, since: int, until: int) -> list[list[Hit]]:
    """Return the prizes that rounds drew from a pool between two commits, a list a round, in the order that holds."""
    rounds: dict[tuple[int, str], list[Hit]] = {}
    for hit in draft.hits.values():
        if since < hit.commit < until and hit.key.pool == pool and has_its_money(hit):
            rounds.setdefault((hit.commit, hit.key.table), []).append(hit)
    apart = [sorted(hits, key=lambda hit: -hit.key.seat) for _, hits in sorted(rounds.items())]
    return sorted(apart, key=lambda hits: hits[0].place)


def by_wagers(draft: Draft, mine: Sequence[Hit], others: Sequence[Sequence[Hit]]) -> Mapping[HitKey, Due]:
    """Work out every prize as if the round recorded last had come before the others: award, and meter it is of.

    What others wagered in between stays where it fell: each meter moves by what the round before it leaves otherwise.
    """
    meter = others[0][0].meter_microcents
    found: dict[HitKey, Due] = {}
    moved = 0
    for place, hits in enumerate([mine, *others]):
        on = max((meter if place == 0 else hits[0].meter_microcents) + moved, 0)
        own = _own(draft, hits, mine, others[0])
        left, awards = resolve_on(draft, hits, on, own)
        after = on - sum(awards[hit.key.seat].from_pool_cents for hit in hits) * MICROCENTS
        keeps = own > 0 and after >= own and leaves_own_out(draft, hits[0])
        found |= {hit.key: Due(awards[hit.key.seat], on, own, keeps) for hit in hits}
        before = meter
        if place:
            before = resolve_on(draft, hits, hits[0].meter_microcents, hits[0].own_microcents)[0]
        moved = left - before
    return found


def _listed(amounts: Sequence[tuple[Hit, int]]) -> str:
    return ", ".join(f"{hit.key} {cents}" for hit, cents in amounts)
