"""What becomes of two tables' prizes from one meter, once two people have said which of them came first (PROTOCOL 7).

By the commit of the records the amounts stand as they were awarded. By the commit of the wagers the round recorded last
is resolved first, the others on what it leaves; both amounts stay on file. Where all prizes of one side have gone back
there is no order left to argue for: the others keep their amounts.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from jackpot.core.accounts import (
    FORFEITED,
    HOUSE,
    MICROCENTS,
    PAID,
    RECOVERABLE,
    payable_account,
    pool_account,
)
from jackpot.core.amending import people_refused, typists
from jackpot.core.amendments import DecideOrder
from jackpot.core.answers import OrderAmount, OrderAnswer, cents_of
from jackpot.core.awarding import TWO_PEOPLE
from jackpot.core.disputes import has_its_money, held_still
from jackpot.core.facts import Fact
from jackpot.core.hits import (
    APPROVED,
    DIFFERS,
    DISPUTED,
    NEEDS_CAPTURE,
    ORDER,
    PENDING,
    REJECTED,
    REPRICED,
    VERIFIED,
    Hit,
    Placed,
    noted_placed,
    paid_of_forfeited,
    person,
    undecided,
)
from jackpot.core.hits import FORFEITED as FORFEITED_STATE
from jackpot.core.hits import PAID as PAID_STATE
from jackpot.core.meters import put_first, without
from jackpot.core.orders import Due, by_wagers, drew_meanwhile, those_in
from jackpot.core.releases import Outcome, fall_cause, hold_limit, takes_whole
from jackpot.core.state import NOTES_FALLS, Draft
from jackpot.core.verdicts import refused
from jackpot.wire.ids import HitKey, IdError, parse_hit
from jackpot.wire.messages import RefusedAnswer
from jackpot.wire.refusals import Refusal
from rules.terms import approvers_for

OF_TERMS = {"commit": "commit", "lock": "wagers"}
"""Which order the terms name by their ruling `order_of_hits`."""
WHOLLY_PAID = 3
"""The first decide version in which a prize that has risen and comes to no more than was paid of it is paid again."""
APART = 3
"""The first decide version that tells disputes apart by their pools, and by the award that they are about."""


def decide_order(draft: Draft, act: DecideOrder, facts: list[Fact]) -> OrderAnswer | RefusedAnswer:
    """Let one order hold: every hit of the dispute gets its amount in it, and goes on to be verified.

    What was paid stays paid: what is too much of it is to be recovered, what is too little is held for the winner. A
    prize all of which was paid is paid: nobody is to pay anything of it, and its table goes on (9.5).
    **Always** two people who have not acted on any of the hits; a manager too, where the terms name the other order.
    **Never** while people must still look at what the cards are; the wagers' order never where all prizes of one side
    have gone back: then the amounts stand.
    """
    hit = _find(draft, act.hit)
    if hit is None:
        return refused(Refusal.NO_SUCH_HIT, act.hit)
    apart = draft.version >= APART
    since = undecided(hit, apart=apart)
    if hit.state != DISPUTED or not since:
        return refused(Refusal.ILLEGAL_MOVE, f"decide from {hit.state}")
    at = (act.table, act.journal, act.round)
    mine, others = _sides(draft, act, hit, since[-1])
    if any(one.key[:3] != at for one in mine):
        return refused(Refusal.NO_SUCH_ROUND, f"{act.table}/{act.journal}/{act.round}")
    mine = [one for one in mine if one.commit == since[-1] and has_its_money(one)]
    both = bool(mine and others)
    every = [*mine, *[one for hits in others for one in hits]]
    if not both:
        disputed = [one for one in draft.hits.values() if one.state == DISPUTED]
        every = [one for one in disputed if since[-1] in undecided(one, apart=apart)]
        every = [one for one in every if one.key.pool == hit.key.pool or not apart]
    wrong = _refusal(draft, act, hit, every, both=both)
    if wrong is not None:
        return refused(*wrong)
    due = by_wagers(draft, mine, others) if both else {}
    told = [(one, one.amount_cents, due[one.key].award.amount_cents if both else one.amount_cents) for one in every]
    outcome = Outcome()
    if act.order == "wagers":
        pool = hit.key.pool
        held = draft.book.balance(pool_account(pool))
        # What goes back into the pool goes first, so that it is there for what comes out of it.
        for one in sorted(every, key=lambda one: due[one.key].award.from_pool_cents - one.from_pool_cents):
            draft.put_hit(_repriced(draft, one, due[one.key], outcome))
        _change_hands(draft, mine, others, due)
        hold_limit(draft, pool)
        if draft.book.balance(pool_account(pool)) < held:
            draft.fell(pool, fall_cause(draft, pool))
        draft.room = 0
    for one in every:
        after = _decided(draft.hits[one.key], act, draft.commit, since[-1], apart=apart)
        draft.put_hit(held_still(draft, after, one))
    figures = {"order": act.order, "hits": [str(one.key) for one in every]}
    facts.append(Fact("ordered", hit.key.table, hit.key.round, figures))
    for one in every:
        now = {"hit": str(one.key), "state": draft.hits[one.key].state, "move": "order"}
        facts.append(Fact("hit", one.key.table, one.key.round, now))
    return OrderAnswer(
        order=act.order,
        hits=tuple(
            OrderAmount(str(one.key), draft.hits[one.key].state, commit, wagers) for one, commit, wagers in told
        ),
        overpaid=cents_of(outcome.overpaid),
        raised=cents_of(outcome.raised),
    )


def _find(draft: Draft, text: str) -> Hit | None:
    try:
        return draft.hits.get(parse_hit(text))
    except IdError:
        return None


def _sides(draft: Draft, act: DecideOrder, hit: Hit, since: int) -> tuple[Sequence[Hit], Sequence[Sequence[Hit]]]:
    """Return all prizes that the round recorded last was awarded in that commit, and what others drew meanwhile."""
    pool = hit.key.pool
    mine = [one for one in draft.hits.values() if since in one.awarded_in and one.key.pool == pool and one.from_meter]
    drew = drew_meanwhile(draft, pool, act.wagers_commit, since)
    others = [hits for hits in drew if hits[0].key[:3] != (act.table, act.journal, act.round)]
    return sorted(mine, key=lambda one: -one.key.seat), others


def _refusal(
    draft: Draft, act: DecideOrder, hit: Hit, every: Sequence[Hit], *, both: bool
) -> tuple[Refusal, str] | None:
    wrong = people_refused([act.by, act.second, act.manager]) if act.second else (Refusal.NAME_NEEDED, "second")
    if wrong is not None:
        return wrong
    if not act.reason.strip():
        return Refusal.REASON_NEEDED, "reason"
    if act.order == "wagers" and not both:
        return Refusal.NOT_OFFERED, "wagers: all prizes of one side have gone back"
    by_terms = OF_TERMS[draft.older[hit.terms].terms.rulings.order_of_hits]
    if both and act.order != by_terms and not act.manager.strip():
        return Refusal.NAME_NEEDED, f"manager: the terms say {by_terms}"
    acting = {person(name) for name in (act.by, act.second, act.manager) if person(name)}
    twice = acting & frozenset().union(*[one.people for one in every])
    if twice:
        return Refusal.SAME_PERSON, f"{', '.join(sorted(twice))} acted on it before"
    in_doubt = [one for one in every if {DIFFERS, NEEDS_CAPTURE} & set(one.marks) and one.state == DISPUTED]
    if in_doubt or ORDER not in hit.marks:
        return Refusal.NOT_OFFERED, str(in_doubt[0].key) if in_doubt else act.hit
    return None


def _repriced(draft: Draft, hit: Hit, then: Due, outcome: Outcome) -> Hit:
    """Return a hit with another amount, its account and its pool as if it had been that from the first."""
    due = then.award
    ref, payable, pool, commit = str(hit.key), payable_account(str(hit.key)), pool_account(hit.key.pool), draft.commit
    held = draft.book.balance(payable)
    if hit.state == FORFEITED_STATE:
        # What was set aside for the fund is held there, as it was for the winner before.
        payable, held = FORFEITED, (hit.amount_cents - hit.paid_of_forfeited_cents) * MICROCENTS
    had = hit.amount_cents * MICROCENTS - held
    more = (due.from_pool_cents - hit.from_pool_cents) * MICROCENTS
    # Nobody's prize takes a pool below nought: what it lacks is the house's to add.
    given = min(more, draft.book.balance(pool) // MICROCENTS * MICROCENTS)
    draft.book.move(pool, payable, max(given, 0), "award", commit, ref)
    back = min(max(-more, 0), held)
    draft.book.move(payable, pool, back, "release", commit, ref)
    draft.book.move(HOUSE, pool, max(-more, 0) - back, "correction", commit, ref)
    owed = due.amount_cents * MICROCENTS
    draft.book.move(PAID, RECOVERABLE, max(had - owed, 0), "correction", commit, ref)
    held, rest = held + max(given, 0) - back, max(owed - had, 0)
    draft.book.move(payable, HOUSE, max(held - rest, 0), "release", commit, ref)
    draft.book.move(HOUSE, payable, max(rest - held, 0), "topup", commit, ref)
    from_pool = hit.from_pool_cents + given // MICROCENTS if more > 0 else due.from_pool_cents
    after = replace(
        hit,
        amount_cents=due.amount_cents,
        from_pool_cents=from_pool,
        topup_cents=due.amount_cents - from_pool - due.bonus_cents,
        bonus_cents=due.bonus_cents,
        meter_microcents=then.meter_microcents,
        own_microcents=then.own_microcents,
        marks=(*hit.marks, *([REPRICED] if REPRICED not in hit.marks else [])),
    )
    if due.amount_cents == hit.amount_cents:
        return after
    asked = max(approvers_for(draft.older[hit.terms].terms, rest // MICROCENTS), TWO_PEOPLE)
    if had > owed:
        outcome.overpaid[ref] = (had - owed) // MICROCENTS
        if hit.state == FORFEITED_STATE:
            after = replace(after, acts=(*after.acts, paid_of_forfeited(owed // MICROCENTS, commit)))
    elif had and (rest or draft.version < WHOLLY_PAID):
        outcome.raised[ref] = rest // MICROCENTS
        stays = {DISPUTED, REJECTED, FORFEITED_STATE} if draft.version >= WHOLLY_PAID else frozenset[str]()
        return replace(after, state=hit.state if hit.state in stays else VERIFIED, approvers=hit.approvals + asked)
    if had and not rest and hit.state not in {REJECTED, FORFEITED_STATE} and draft.version >= WHOLLY_PAID:
        return replace(after, state=PAID_STATE)
    if hit.state == PAID_STATE:
        return after
    # Approvals of another amount are none of this one.
    state = VERIFIED if hit.state == APPROVED else hit.state
    return replace(after, state=state, approvers=hit.approvals + asked)


def _change_hands(
    draft: Draft, mine: Sequence[Hit], others: Sequence[Sequence[Hit]], due: Mapping[HitKey, Due]
) -> None:
    """Put the round recorded last before the others; note whose each wager is, where it takes the first's meter whole.

    Who comes after it has what is left of the wagers that were in its meter, whether it is in dispute or not.
    """
    if draft.version < NOTES_FALLS:
        return
    name, first, commit = mine[0].key.pool, others[0][0], draft.commit
    gone, place, keys = those_in(draft, first), (*first.place[:-1], commit), {hit.key for hit in mine}
    if any(takes_whole(draft, hit) for hit in mine):
        life, then = draft.pools[name], due[mine[0].key]
        wagered = mine[0].wagered if then.keeps_own else None
        own = wagered.commit if wagered else 0
        for hit in list(draft.hits.values()):
            if hit.key.pool == name and has_its_money(hit) and hit.place >= first.place and hit.key not in keys:
                those = those_in(draft, hit)
                left = without(life, those, gone, own, commit)
                if (left.began, left.alone) != (those.began, those.alone):
                    draft.put_hit(_placed(hit, Placed(hit.place[:-1], left), commit))
        draft.put_pool(put_first(life, gone, mine[0].commit, own, commit))
    for hit in mine:
        draft.put_hit(_placed(draft.hits[hit.key], Placed(place, gone), commit))


def _placed(hit: Hit, placed: Placed, commit: int) -> Hit:
    return replace(hit, acts=(*hit.acts, noted_placed(placed, commit)))


def _decided(hit: Hit, act: DecideOrder, commit: int, since: int, *, apart: bool) -> Hit:
    """Return a hit after the decision: to be verified, unless another dispute of it is still undecided."""
    words = f"{act.order}, of commit {since}: {act.reason}"[:400]
    # What was held by an earlier dispute already has another amount now, and waits for that one to be decided.
    move = "order" if since in undecided(hit, apart=apart) else "repriced"
    acts = typists(move, commit, act.by, act.second, act.manager, words)
    after = replace(hit, moved=commit, acts=(*hit.acts, *acts))
    return replace(after, state=PENDING) if hit.state == DISPUTED and not undecided(after, apart=apart) else after
