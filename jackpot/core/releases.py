"""How a prize that falls away goes back to where it came from, and what its round's other winners are owed then.

The pool's part goes to the pool as it stands now, a top-up and a bonus to the house that added them; the seed of a pool
that nobody has taken after all goes back to reserve and house as they gave it, as far as the pool goes. The round is
resolved again on the meter and terms frozen at its commit, without the seats that fell away (`rejected_share`).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from jackpot.core.accounts import (
    FORFEITED,
    HOUSE,
    MICROCENTS,
    PAID,
    RECOVERABLE,
    RESERVE,
    overflow_account,
    payable_account,
    pool_account,
)
from jackpot.core.disputes import held_still
from jackpot.core.hits import APPROVED, CLAIMED, ENDED, RELEASED, SHARE, VERIFIED, Act, Hit
from jackpot.core.hits import FORFEITED as FORFEITED_STATE
from jackpot.core.hits import PAID as PAID_STATE
from jackpot.core.meters import kept_after_all, taken_by
from jackpot.core.past import UNTOLD, PastEntry
from jackpot.core.state import KEEPS_SHARES, Draft
from jackpot.wire.ids import HitKey
from rules.progressive import Award, Winner, award
from rules.terms import MILLION, Terms, approvers_for, pool_named, prize_named

KEPT_UNDER = "CSP 16.15"
"""The rule under which a pool may keep the share of a prize that falls away: its player may not play."""


@dataclass(slots=True)
class Outcome:
    """What became of a round's hits, by their keys: released, paid and to be recovered, owed more."""

    released: list[str] = field(default_factory=list)
    overpaid: dict[str, int] = field(default_factory=dict)
    """Cents."""
    raised: dict[str, int] = field(default_factory=dict)
    """Cents more, in the hit's own account."""
    underpaid: dict[str, int] = field(default_factory=dict)
    """Cents more for a hit that ended so long ago that the ledger moves it no more: people pay them (14.16)."""
    paid: dict[str, int] = field(default_factory=dict)
    """Microcents that were paid of a hit whose seat wins another prize of the same pool: set off against it."""


@dataclass(frozen=True, slots=True)
class Because:
    """Why hits fall away: who says so (two people), the rule and the reason."""

    by: str
    second: str
    rule: str
    reason: str

    @property
    def words(self) -> str:
        """Rule and reason as an act on a hit says them."""
        return ": ".join(filter(None, (self.rule, self.reason)))


def fall_away(
    draft: Draft,
    gone: Sequence[Hit],
    staying: Sequence[Hit],
    posted: Iterable[PastEntry],
    because: Because,
    *,
    priced_again: frozenset[HitKey] = frozenset(),
    out: frozenset[int] = frozenset(),
    disproved: Sequence[Hit] = (),
) -> Outcome:
    """Take prizes back: what is held goes back, what was paid stays paid and is to be recovered (14.16-14.19).

    `staying` are the round's other winners, `posted` what the round's commits moved beside its awards. Of hits that are
    `priced_again` what was paid is not to be recovered: their seats win other prizes of the same pools. A forfeited
    prize stays with its fund, also where its seat goes `out` of play now; then it gets no more. A share that the pool
    had kept is shared after all where its hand is `disproved`.
    The others get the difference, unless the share is one that the pool keeps (`rejected_share`).
    **Always** makes the pool whole: what is held pays first, then the house (under its own cause).
    **Never** takes a pool below nought, nor an amount from a winner who stays.
    """
    outcome = Outcome()
    before = {name: draft.book.balance(pool_account(name)) for name in draft.pools}
    for hit in gone:
        _give_back(draft, hit, because, outcome, priced_again)
    if not any(_keeps(draft, hit, because.rule) for hit in gone):
        _resolve_again(draft, (*gone, *disproved), staying, because, outcome, out)
    _keep_own(draft, gone, staying)
    entries = list(posted)
    for name in sorted({hit.key.pool for hit in gone} & draft.pools.keys()):
        _unseed(draft, name, [hit for hit in gone if hit.key.pool == name], staying, entries)
        hold_limit(draft, name)
    for name, held in before.items():
        if draft.book.balance(pool_account(name)) < held:
            draft.fell(name, fall_cause(draft, name))
    draft.room = 0
    return outcome


def fall_cause(draft: Draft, name: str) -> str:
    """Return why a meter fell in this commit: a seed that went back, else another winner's share, or a limit."""
    pool = pool_account(name)
    causes = [
        entry.cause
        for entry in draft.book.entries
        if entry.commit == draft.commit and entry.account == pool and entry.amount < 0
    ]
    return "release" if "release" in causes else causes[-1]


def later_amounts(draft: Draft, gone: Hit, returned: int) -> Mapping[str, int]:
    """Work out what later prizes of the pool would have come to more with what is returned now in it (case 41).

    Each round's takes are followed up to the first that takes the pool whole. They keep their amounts: this is for the
    record. Of a prize that had been paid before, later rounds that the state has no more are not looked for.
    """
    more: dict[str, int] = {}
    rounds: dict[tuple[int, str], list[Hit]] = {}
    for hit in draft.hits.values():
        if hit.key.pool == gone.key.pool and hit.commit > gone.commit and hit.from_meter and hit.state != RELEASED:
            rounds.setdefault((hit.commit, hit.key.table), []).append(hit)
    for _, hits in sorted(rounds.items()):
        terms = draft.older[hits[0].terms].terms
        held = dict.fromkeys(draft.pools, 0) | {gone.key.pool: hits[0].meter_microcents + returned}
        own = {gone.key.pool: hits[0].own_microcents}
        due = {one.seat: one for one in award(held, own, [Winner(h.key.seat, h.prize) for h in hits], terms).awards}
        more |= {
            str(hit.key): due[hit.key.seat].amount_cents - hit.amount_cents
            for hit in hits
            if due[hit.key.seat].amount_cents > hit.amount_cents
        }
        returned -= sum(due[hit.key.seat].from_pool_cents - hit.from_pool_cents for hit in hits) * MICROCENTS
        if returned <= 0 or any(ends_epoch(terms, hit) for hit in hits):
            break
    return more


def ends_epoch(terms: Terms, hit: Hit) -> bool:
    """Say whether a prize takes its pool whole, so that the pool was reseeded in the same commit."""
    return prize_named(terms, hit.prize).share_ppm == MILLION


def _give_back(draft: Draft, hit: Hit, because: Because, outcome: Outcome, priced_again: frozenset[HitKey]) -> None:
    payable, ref, commit = payable_account(str(hit.key)), str(hit.key), draft.commit
    held = draft.book.balance(payable) if hit.key in draft.hits else 0
    if hit.from_pool_cents:
        part = hit.from_pool_cents * MICROCENTS
        still = min(held, part)
        draft.book.move(payable, pool_account(hit.key.pool), still, "release", commit, ref)
        draft.book.move(HOUSE, pool_account(hit.key.pool), part - still, "correction", commit, ref)
        draft.book.move(payable, HOUSE, held - still, "release", commit, ref)
    else:
        draft.book.move(payable, HOUSE, held, "release", commit, ref)
    overpaid = hit.amount_cents * MICROCENTS - held
    if hit.key in priced_again:
        outcome.paid[ref] = overpaid
        overpaid = 0
    draft.book.move(PAID, RECOVERABLE, overpaid, "correction", commit, ref)
    if overpaid:
        outcome.overpaid[ref] = overpaid // MICROCENTS
    if hit.state == PAID_STATE:
        if hit.key in draft.hits and hit.key not in priced_again:
            draft.put_hit(replace(hit, acts=(*hit.acts, *_acts("overpaid", because, commit))))
        return
    draft.put_hit(replace(hit, state=RELEASED, moved=commit, acts=(*hit.acts, *_acts("release", because, commit))))
    outcome.released.append(ref)


def _acts(move: str, because: Because, commit: int) -> tuple[Act, ...]:
    first = Act(move, because.by, commit, because.words)
    return (first, Act("with", because.second, commit)) if because.second else (first,)


def _resolve_again(
    draft: Draft,
    gone: Sequence[Hit],
    staying: Sequence[Hit],
    because: Because,
    outcome: Outcome,
    out: frozenset[int],
) -> None:
    """Resolve the round again without the seats that fell away; the others get the difference, also if already paid.

    A prize that came by a corrected record was resolved by itself, on the meter of that commit. A share that the pool
    has kept is nobody else's: its hand is resolved with the others, and gets nothing.
    """
    silent = [hit for hit in draft.hits.values() if hit.key[:3] == gone[0].key[:3] and kept(draft, hit)]
    for commit in sorted({hit.commit for hit in gone if hit.from_meter}):
        winners = [hit for hit in staying if hit.state != CLAIMED and hit.commit == commit]
        if not winners:
            continue
        in_pools = [hit for hit in (*gone, *winners) if hit.key.pool in draft.pools and hit.commit == commit]
        held = dict.fromkeys(draft.pools, 0) | {hit.key.pool: hit.meter_microcents for hit in in_pools}
        own = {hit.key.pool: hit.own_microcents for hit in in_pools}
        terms = draft.older[winners[0].terms].terms
        sharing = [*winners, *[hit for hit in silent if hit.commit == commit]]
        again = award(held, own, [Winner(hit.key.seat, hit.prize) for hit in sharing], terms)
        due = {one.seat: one for one in again.awards}
        for hit in [one for one in winners if one.key.seat not in out and not one.out]:
            _raise(draft, hit, due[hit.key.seat], terms, because, outcome)


def _keep_own(draft: Draft, gone: Sequence[Hit], staying: Sequence[Hit]) -> None:
    """Note that a pool taken whole has its round's own wagers after all, where the jackpot leaves them out (7.2).

    More winners' minimums had taken of them too (`topup_paid_by`).
    """
    for commit, name in sorted({(hit.commit, hit.key.pool) for hit in gone if hit.from_meter}):
        stay = [draft.hits.get(hit.key, hit) for hit in staying if (hit.commit, hit.key.pool) == (commit, name)]
        if not any(map(partial(takes_whole, draft), stay)) or not leaves_own_out(draft, stay[0]):
            continue
        left = stay[0].meter_microcents - sum(hit.from_pool_cents for hit in stay) * MICROCENTS
        wagered, life = stay[0].wagered, draft.pools[name]
        if wagered and 0 < stay[0].own_microcents <= left and taken_by(life, wagered.commit) == commit:
            draft.put_pool(kept_after_all(life, wagered.commit, draft.commit))


def _keeps(draft: Draft, hit: Hit, rule: str) -> bool:
    """Say whether the share of a prize that falls away under this rule is the pool's: its hand qualified (16.15)."""
    return draft.older[hit.terms].terms.rulings.rejected_share == "kept" and rule == KEPT_UNDER


def kept(draft: Draft, hit: Hit) -> bool:
    """Say whether the pool has kept the share of this prize, whose hand nobody has disproved since."""
    if draft.version < KEEPS_SHARES or not (hit.state == RELEASED or hit.overpaid):
        return False
    rules = [act.reason.partition(":")[0] for act in hit.acts if act.move in {"release", "overpaid", "reject"}]
    return _keeps(draft, hit, rules[-1])


def _raise(draft: Draft, hit: Hit, due: Award, terms: Terms, because: Because, outcome: Outcome) -> None:
    more, from_pool = due.amount_cents - hit.amount_cents, due.from_pool_cents - hit.from_pool_cents
    if more == 0 and from_pool < 0 and hit.key in draft.hits and draft.version >= KEEPS_SHARES:
        _draw_less(draft, hit, -from_pool)
        return
    if more < 0 or from_pool <= 0:
        return
    ref, payable = str(hit.key), payable_account(str(hit.key))
    if hit.key not in draft.hits:
        outcome.underpaid[ref] = more
        return
    if more:
        outcome.raised[ref] = more
    # Nobody's prize takes a pool below nought: what others have drawn since is the house's to add.
    pool = pool_account(hit.key.pool)
    from_pool = min(from_pool, draft.book.balance(pool) // MICROCENTS)
    draft.book.move(pool, payable, from_pool * MICROCENTS, "award", draft.commit, ref)
    # The house had added what the pool now pays: so much of its top-up goes back to it.
    draft.book.move(payable, HOUSE, max(from_pool - more, 0) * MICROCENTS, "release", draft.commit, ref)
    # Where the house adds the odd cent (`odd_cents` up) fewer winners may ask for one that more did not.
    draft.book.move(HOUSE, payable, max(more - from_pool, 0) * MICROCENTS, "topup", draft.commit, ref)
    if hit.state == FORFEITED_STATE:
        draft.book.move(payable, FORFEITED, more * MICROCENTS, "forfeit", draft.commit, ref)
    drawn = hit.from_pool_cents + from_pool
    topup = due.amount_cents - drawn - due.bonus_cents
    after = replace(hit, amount_cents=due.amount_cents, from_pool_cents=drawn, topup_cents=topup)
    risen = _reopened(after, more, terms, draft.commit, because) if more else after
    draft.put_hit(held_still(draft, risen, hit))


def _draw_less(draft: Draft, hit: Hit, cents: int) -> None:
    """Let the house add what the pool gives less of a prize whose amount stays: the others' shares take it now."""
    ref, payable, pool = str(hit.key), payable_account(str(hit.key)), pool_account(hit.key.pool)
    back = min(draft.book.balance(payable), cents * MICROCENTS)
    draft.book.move(payable, pool, back, "release", draft.commit, ref)
    draft.book.move(HOUSE, payable, back, "topup", draft.commit, ref)
    draft.book.move(HOUSE, pool, cents * MICROCENTS - back, "correction", draft.commit, ref)
    less = replace(hit, from_pool_cents=hit.from_pool_cents - cents, topup_cents=hit.topup_cents + cents)
    draft.put_hit(less)


def _reopened(hit: Hit, more: int, terms: Terms, commit: int, because: Because) -> Hit:
    """Return a hit whose amount has risen: what had its approvals needs those of the new amount, or of the rest."""
    act = Act("share", "", commit, f"{more} cents more ({because.words})"[:400])
    hit = replace(hit, moved=commit, marks=(*hit.marks, SHARE), acts=(*hit.acts, act))
    if hit.state == PAID_STATE:
        approvers = hit.approvals + approvers_for(terms, more)
    elif hit.state in ENDED:
        return hit
    else:
        approvers = max(hit.approvers, approvers_for(terms, hit.amount_cents))
    state = hit.state
    if state in {PAID_STATE, APPROVED}:
        state = APPROVED if hit.approvals >= approvers else VERIFIED
    return replace(hit, state=state, approvers=approvers)


def _unseed(draft: Draft, name: str, gone: Sequence[Hit], staying: Sequence[Hit], posted: Sequence[PastEntry]) -> None:
    """Give a pool's seed back with the last prize that took it whole, and what lifted it with the last prize of all."""
    pool, commit, ref = pool_account(name), draft.commit, f"{name}/{draft.pools[name].epoch}"
    for awarded in sorted({hit.commit for hit in gone}):
        went = [hit for hit in gone if hit.commit == awarded]
        stay = [hit for hit in staying if hit.key.pool == name and hit.state != CLAIMED and hit.commit == awarded]
        untaken = any(map(partial(takes_whole, draft), went)) and not any(map(partial(takes_whole, draft), stay))
        if untaken:
            draft.give_pool_back(name, awarded)
        for cause, falls in (("seed", untaken), ("lift", not stay)):
            gave = _gave(posted, name, cause, frozenset({UNTOLD, awarded}))
            if not falls or not gave:
                continue
            reserve, house = gave.get(RESERVE, 0), gave.get(HOUSE, 0)
            back = min(reserve, draft.book.balance(pool))
            draft.book.move(pool, RESERVE, back, "release", commit, ref)
            # The reserve is players' money: what the pool cannot give back to it is the house's to give.
            draft.book.move(HOUSE, RESERVE, reserve - back, "correction", commit, ref)
            draft.book.move(pool, HOUSE, min(house, draft.book.balance(pool)), "release", commit, ref)


def takes_whole(draft: Draft, hit: Hit) -> bool:
    """Say whether a prize takes its pool whole, by its own terms."""
    return ends_epoch(draft.older[hit.terms].terms, hit)


def leaves_own_out(draft: Draft, hit: Hit) -> bool:
    """Say whether a prize's jackpot is without what its round itself wagered (`meter_includes_this_round`)."""
    return not draft.older[hit.terms].terms.rulings.meter_includes_this_round


def _gave(posted: Sequence[PastEntry], name: str, cause: str, commits: frozenset[int]) -> Mapping[str, int]:
    return {
        each.account: -int(each.microcents)
        for each in posted
        if each.cause == cause and each.ref.startswith(f"{name}/") and each.account in {RESERVE, HOUSE}
        if each.commit in commits
    }


def hold_limit(draft: Draft, name: str) -> None:
    """Let what is over the limit of a pool wait in its overflow."""
    terms = draft.terms.terms if draft.terms else None
    if terms is None or name not in {pool.name for pool in terms.pools}:
        return
    limit = pool_named(terms, name).limit_cents
    over = 0 if limit is None else draft.book.balance(pool_account(name)) - limit * MICROCENTS
    draft.book.move(pool_account(name), overflow_account(name), max(over, 0), "limit", draft.commit, name)
