"""What becomes of a round that two people void after its record (CSP 14, 15.2, 16.5): nothing is edited, all is posted.

The rows of its wagers and its hits come with the act (`past`); a state keeps open rounds only.
"""

from dataclasses import replace

from jackpot.core.accounts import HOUSE, PAID, pool_account
from jackpot.core.answers import Cents, VoidRecordedAnswer
from jackpot.core.commands import VoidRecorded
from jackpot.core.decide_wagers import journal_of
from jackpot.core.facts import Fact
from jackpot.core.hits import ENDED, RELEASED, Hit, person
from jackpot.core.hits import PAID as PAID_STATE
from jackpot.core.past import PastRound, hit_of_past
from jackpot.core.releases import Because, Outcome, ends_epoch, fall_away
from jackpot.core.reversals import reverse
from jackpot.core.state import Draft, OpenRound, TermsInForce
from jackpot.core.verdicts import Undecided, refused
from jackpot.wire.ids import HitKey, parse_hit
from jackpot.wire.messages import RefusedAnswer
from jackpot.wire.refusals import Refusal

WHOLE, SEATS, EITHER = "the whole round", "seats named", "the round or seats named"
VOID_RULES = {
    "CSP 14.1": WHOLE,  # misdeal, seen by the dealer
    "CSP 14.2": WHOLE,  # misdeal, the dealer's hand
    "CSP 14.3": WHOLE,  # misdeal, cards exposed
    "CSP 14.4": WHOLE,  # misdeal
    "CSP 14.8": SEATS,  # a hand of too few or too many cards
    "CSP 14.9": WHOLE,  # a missing or a foreign card
    "CSP 14.20": SEATS,  # an invalid wager
    "CSP 15.2": WHOLE,  # the shuffling device
    "CSP 16.4": SEATS,  # a wager declared void: a device, an unfair act
    "CSP 16.5": EITHER,  # an outcome that was invalidated
    "CSP 16.15": SEATS,  # an employee's wager
}
"""The rules under which a recorded round may be voided, and how much of it."""
FIRST = 2
"""The record was the first word on a round; what amends it comes after."""


def void_recorded(draft: Draft, act: VoidRecorded, facts: list[Fact]) -> VoidRecordedAnswer | RefusedAnswer:
    """Void a recorded round or some of its seats: its open hits are released first, then its wagers go back.

    **Always** from the account that each wager's row names. A prize that was paid stays paid: the house makes the pool
    whole and the prize is to be recovered (14.16-14.19). **Never** twice a seat. Raises Undecided for a round that is
    open, whose void is its table's, and for a journal the link does not know.
    """
    refusal, value = _refusal(draft, act)
    if refusal is not None:
        return refused(refusal, value)
    hits = _hits(draft, act)
    named = frozenset(act.seats) or act.past.seats
    gone = [hit for hit in hits if hit.key.seat in named and (hit.state == PAID_STATE or hit.state not in ENDED)]
    if act.rule == "CSP 14.20" and named - {hit.key.seat for hit in gone if hit.state != PAID_STATE}:
        return refused(Refusal.NOT_OFFERED, "14.20.3: results of settled hands stand")
    lives, before = dict(draft.pools), {name: draft.book.balance(pool_account(name)) for name in draft.pools}
    own = _terms_at(draft, act.past.commit)
    staying = [hit for hit in hits if hit not in gone and hit.state != RELEASED and not hit.overpaid]
    opened = _opened(draft, act, own, gone, staying)
    outcome = Outcome()
    if gone:
        because = Because(act.by, act.second, act.rule, act.reason)
        outcome = fall_away(draft, gone, staying, act.past.posted, because, recompute=_recompute(own, act))
        _take_stakes_back(draft, act.past, gone)
    ref = f"{act.table}/{act.journal}/{act.round}"
    returns = own is not None and own.terms.rulings.void_returns_jackpot
    seats, moved = reverse(draft, opened, named & act.past.seats, ref) if returns else ([], [])
    for name, held in before.items():
        if draft.book.balance(pool_account(name)) >= held:
            life = lives[name]
            fall = (life.last_fall_commit, life.last_fall_cause)
            draft.put_pool(replace(draft.pools[name], last_fall_commit=fall[0], last_fall_cause=fall[1]))
    facts.append(Fact("voided", act.table, act.round, {"seats": len(seats), "rule": act.rule, "recorded": True}))
    for hit in gone:
        state = draft.hits[hit.key].state if hit.key in draft.hits else hit.state
        facts.append(Fact("hit", act.table, act.round, {"hit": str(hit.key), "state": state, "move": "void"}))
    return VoidRecordedAnswer(
        seats=tuple(seats),
        moved=tuple(moved),
        out=tuple(sorted(named & act.past.seats)),
        released=tuple(outcome.released),
        overpaid=tuple(Cents(hit, cents) for hit, cents in outcome.overpaid.items()),
        raised=tuple(Cents(hit, cents) for hit, cents in outcome.raised.items()),
        underpaid=tuple(Cents(hit, cents) for hit, cents in outcome.underpaid.items()),
    )


def _refusal(draft: Draft, act: VoidRecorded) -> tuple[Refusal | None, str]:
    """Return the first reason why these people cannot void this, and what is wrong."""
    if not person(act.by) or not person(act.second):
        return Refusal.NAME_NEEDED, "second" if person(act.by) else "by"
    if person(act.by) == person(act.second):
        return Refusal.SAME_PERSON, act.by
    scope = VOID_RULES.get(act.rule)
    if scope is None:
        return Refusal.NO_SUCH_RULE, act.rule
    if (scope == WHOLE and act.seats) or (scope == SEATS and not act.seats):
        return Refusal.NO_SUCH_RULE, f"{act.rule} voids {scope}"
    if not act.reason.strip():
        return Refusal.REASON_NEEDED, act.rule
    journal = journal_of(draft, act.table, act.journal)
    if (act.table, act.journal, act.round) in draft.rounds:
        raise Undecided(Refusal.ROUND_OPEN)
    if not 0 < act.round <= journal.highest or act.revision < FIRST:
        return Refusal.NO_SUCH_ROUND, f"{act.table}/{act.journal}/{act.round}"
    if frozenset(act.seats) - act.past.seats or not act.past.wagers:
        return Refusal.ROUND_VOIDED, f"{act.table}/{act.journal}/{act.round}"
    return None, ""


def _hits(draft: Draft, act: VoidRecorded) -> list[Hit]:
    """Return the round's hits: as the state has them, or, where they ended long ago, as the act carries them.

    Raises Undecided where one has ended since it was looked at and the state has it no more.
    """
    found: list[Hit] = [
        hit
        for key, hit in draft.hits.items()
        if key[:3] == (act.table, act.journal, act.round) and key.seat in act.past.seats
    ]
    for past in act.past.hits:
        key: HitKey = parse_hit(past.hit)
        if key in draft.hits or key.seat not in act.past.seats:
            continue
        if past.state not in ENDED:
            raise Undecided(Refusal.BUSY)
        found.append(hit_of_past(past))
    return sorted(found, key=lambda hit: -hit.key.seat)


def _recompute(own: TermsInForce | None, act: VoidRecorded) -> bool:
    kept = own is not None and own.terms.rulings.rejected_share == "kept"
    return not (kept and act.rule == "CSP 16.15")


def _terms_at(draft: Draft, commit: int) -> TermsInForce | None:
    """Return the terms in force at a commit: no wager is accepted under others (PROTOCOL 7)."""
    return max(
        (each for each in draft.older.values() if each.since <= commit), key=lambda each: each.since, default=None
    )


def _opened(
    draft: Draft, act: VoidRecorded, own: TermsInForce | None, gone: list[Hit], staying: list[Hit]
) -> OpenRound:
    """Return the round as it was while it was open, for the reversal of its wagers.

    A pool that this round's own prize took, and that has it back now from all who took it, is the wagers' epoch still.
    """
    past = act.past
    pools = own.terms.pools if own else ()
    given_back = {hit.key.pool for hit in gone if own and _took_its_own(draft, hit, own, past.commit)}
    given_back -= {hit.key.pool for hit in staying if own and ends_epoch(own.terms, hit)}
    epochs = []
    for pool in pools:
        life = draft.pools[pool.name]
        still = past.commit > life.began or pool.name in given_back
        epochs.append(life.epoch if still else life.epoch - 1)
    terms = own.fingerprint if own else ""
    at = (act.table, act.journal, act.round, act.month)
    return OpenRound(*at, terms, past.commit, draft.time_us, past.runs, tuple(epochs))


def _took_its_own(draft: Draft, hit: Hit, own: TermsInForce, wagered: int) -> bool:
    """Say whether a prize took the very meter that its round's wagers had grown, not one reseeded in between."""
    between = (
        other
        for other in draft.hits.values()
        if wagered < other.commit < hit.commit
        and other.key.pool == hit.key.pool
        and ends_epoch(draft.older[other.terms].terms, other)
    )
    return ends_epoch(own.terms, hit) and not any(between)


def _take_stakes_back(draft: Draft, past: PastRound, gone: list[Hit]) -> None:
    """Undo the return of a winner's stake (11.5): the wager itself goes back now, and that is the same dollar."""
    keys = {str(hit.key) for hit in gone}
    for each in past.posted:
        if each.cause == "stake" and each.ref in keys:
            draft.book.move(PAID, HOUSE, -int(each.microcents), "release", draft.commit, each.ref)
