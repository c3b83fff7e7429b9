"""What becomes of a round that two people void after its record (CSP 14, 15.2, 16.5): nothing is edited, all is posted.

The rows of its wagers and its hits come with the act (`past`); a state keeps open rounds only.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from jackpot.core.accounts import FORFEITED, HOUSE, MICROCENTS, PAID, WAGERS, pool_account
from jackpot.core.amending import as_opened, hits_of_round, people_refused, terms_at, typists
from jackpot.core.amendments import Forfeited, VoidOpen, VoidRecorded
from jackpot.core.answers import VoidRecordedAnswer, cents_of
from jackpot.core.commands import FIRST_REVISION
from jackpot.core.decide_wagers import journal_of, late
from jackpot.core.facts import Fact
from jackpot.core.hits import ENDED, RELEASED, Hit
from jackpot.core.hits import PAID as PAID_STATE
from jackpot.core.past import UNTOLD, PastRound
from jackpot.core.releases import Because, Outcome, fall_away, kept
from jackpot.core.reversals import reverse
from jackpot.core.state import KEEPS_FORFEITED, Draft, OpenRound
from jackpot.core.verdicts import Undecided, refused
from jackpot.wire.messages import Moved, RefusedAnswer
from jackpot.wire.refusals import Refusal
from rules.directions import Forfeit, forfeits_fault
from rules.irregularities.voiding import FORFEITS, SEATS, VOID_RULES, WHOLE

_DIRECTION_LACKS = {
    "seat": Refusal.NO_SUCH_SEAT,
    "person": Refusal.NAME_NEEDED,
    "reason": Refusal.REASON_NEEDED,
}
"""What says no to a direction, by the part of it that is wrong."""


def void_recorded(draft: Draft, act: VoidRecorded, facts: list[Fact]) -> VoidRecordedAnswer | RefusedAnswer:
    """Void a recorded round or some of its seats: its open hits are released first, then its wagers go back.

    **Always** from the account that each wager's row names. A prize that was paid stays paid: the house makes the pool
    whole and the prize is to be recovered (14.16-14.19). **Never** twice a seat. Raises Undecided for a round that is
    open, whose void is its table's, and for a journal the link does not know.
    """
    refusal, value = _refusal(draft, act)
    if refusal is not None:
        return refused(refusal, value)
    key = (act.table, act.journal, act.round)
    hits = hits_of_round(draft, key, act.past)
    named = frozenset(act.seats) or act.past.seats
    gone = [
        hit
        for hit in hits
        if hit.key.seat in named and not hit.overpaid and (hit.state == PAID_STATE or hit.state not in ENDED)
    ]
    if act.rule == "CSP 14.20" and named - {hit.key.seat for hit in gone if hit.state != PAID_STATE}:
        return refused(Refusal.NOT_OFFERED, "14.20.3: results of settled hands stand")
    lives, before = dict(draft.pools), {name: draft.book.balance(pool_account(name)) for name in draft.pools}
    own = terms_at(draft, act.past.commit)
    staying = [hit for hit in hits if hit not in gone and hit.state != RELEASED and not hit.overpaid]
    opened = as_opened(draft, (*key, act.month), act.past, own, gone, staying)
    outcome = Outcome()
    if gone:
        because = Because(act.by, act.second, act.rule, act.reason)
        outcome = fall_away(draft, gone, staying, act.past.posted, because, out=named)
        _take_stakes_back(draft, act.past, gone)
    shares = [hit.key for hit in hits if hit.key in draft.hits and kept(draft, draft.hits[hit.key])]
    count = {*shares, *[hit.key for hit in staying]}
    _put_out(draft, act, [hit for hit in hits if hit.key in count and hit.key.seat in named])
    ref = f"{act.table}/{act.journal}/{act.round}"
    returns = own is not None and own.terms.rulings.void_returns_jackpot
    seats, moved = reverse(draft, opened, named & act.past.seats, ref) if returns else ([], [])
    forfeited = _forfeit(draft, opened, [each.seat for each in act.forfeits if each.seat in seats], moved, ref)
    for name, held in before.items():
        if draft.book.balance(pool_account(name)) >= held:
            life = lives[name]
            now = draft.pools[name]
            draft.put_pool(replace(life, epoch=now.epoch, began=now.began, taken=now.taken))
    facts.append(Fact("voided", act.table, act.round, {"seats": len(seats), "rule": act.rule, "recorded": True}))
    for hit in gone:
        state = draft.hits[hit.key].state if hit.key in draft.hits else hit.state
        facts.append(Fact("hit", act.table, act.round, {"hit": str(hit.key), "state": state, "move": "void"}))
    return VoidRecordedAnswer(
        seats=tuple(seat for seat in seats if seat not in forfeited),
        moved=tuple(moved),
        out=tuple(sorted(named & act.past.seats)),
        released=tuple(outcome.released),
        overpaid=cents_of(outcome.overpaid),
        raised=cents_of(outcome.raised),
        underpaid=cents_of(outcome.underpaid),
        forfeited=tuple(forfeited),
    )


def void_open(draft: Draft, act: VoidOpen, facts: list[Fact]) -> VoidRecordedAnswer | RefusedAnswer:
    """Void an open round whose outcome is invalidated, with wagers forfeited by a supervisor's direction (16.6).

    **Always** all other wagers go back. **Never** a round that is over: that is a void after the record.
    """
    key = (act.table, act.journal, act.round)
    journal = journal_of(draft, act.table, act.journal)
    opened = draft.rounds.get(key)
    wrong = people_refused([act.by, act.second])
    if wrong is None and not act.reason.strip():
        wrong = (Refusal.REASON_NEEDED, act.rule)
    if wrong is None and opened is None:
        wrong = (late(draft, journal, act.round) or Refusal.NO_SUCH_ROUND, "/".join(map(str, key)))
    if wrong is None and opened is not None:
        wrong = _direction_refused(act.rule, act.forfeits, opened.accepted)
    if wrong is not None or opened is None:
        return refused(*(wrong or (Refusal.NO_SUCH_ROUND, act.table)))
    ref = f"{act.table}/{act.journal}/{act.round}"
    returns = draft.older[opened.terms].terms.rulings.void_returns_jackpot
    seats, moved = reverse(draft, opened, opened.accepted, ref) if returns else ([], [])
    forfeited = _forfeit(draft, opened, [each.seat for each in act.forfeits if each.seat in seats], moved, ref)
    draft.end_round(key, "voided", opened.month)
    facts.append(Fact("voided", act.table, act.round, {"seats": len(seats), "rule": act.rule}))
    back = tuple(seat for seat in seats if seat not in forfeited)
    return VoidRecordedAnswer(back, tuple(moved), tuple(sorted(opened.accepted)), forfeited=tuple(forfeited))


def _forfeit(draft: Draft, opened: OpenRound, seats: Sequence[int], moved: list[Moved], ref: str) -> Sequence[int]:
    """Set the wagers of these seats aside, which went back a moment ago; add to `moved` what that moved.

    A token was no money: it is not handed back, and there is nothing of it to set aside.
    """
    chips = {
        seat for run in opened.runs for seat, tender in zip(run.seats, run.tenders, strict=True) if tender == "chips"
    }
    cents = sum(run.wager_cents for run in opened.runs for seat in run.seats if seat in chips and seat in set(seats))
    microcents = cents * MICROCENTS
    draft.book.move(WAGERS, FORFEITED, microcents, "forfeit", draft.commit, ref)
    if microcents:
        held = {one.account: int(one.microcents) for one in moved}
        held[WAGERS] = held.get(WAGERS, 0) - microcents
        moved[:] = [Moved(account, str(amount)) for account, amount in held.items() if amount]
        moved.append(Moved(FORFEITED, str(microcents)))
    return sorted(seats)


def _refusal(draft: Draft, act: VoidRecorded) -> tuple[Refusal | None, str]:
    """Return the first reason why these people cannot void this, and what is wrong."""
    wrong = people_refused([act.by, act.second])
    if wrong is not None:
        return wrong
    scope = WHOLE if act.rule == FORFEITS else VOID_RULES.get(act.rule)
    if scope is None:
        return Refusal.NO_SUCH_RULE, act.rule
    if (scope == WHOLE and act.seats) or (scope == SEATS and not act.seats):
        return Refusal.NO_SUCH_RULE, f"{act.rule} voids {scope}"
    if not act.reason.strip():
        return Refusal.REASON_NEEDED, act.rule
    journal = journal_of(draft, act.table, act.journal)
    if (act.table, act.journal, act.round) in draft.rounds:
        raise Undecided(Refusal.ROUND_OPEN)
    if not 0 < act.round <= journal.highest or act.revision <= FIRST_REVISION:
        return Refusal.NO_SUCH_ROUND, f"{act.table}/{act.journal}/{act.round}"
    if frozenset(act.seats) - act.past.seats or not act.past.wagers:
        return Refusal.ROUND_VOIDED, f"{act.table}/{act.journal}/{act.round}"
    return _direction_refused(act.rule, act.forfeits, act.past.seats) or (None, "")


def _direction_refused(rule: str, forfeits: Sequence[Forfeited], seats: Iterable[int]) -> tuple[Refusal, str] | None:
    """Say why wagers cannot be forfeited so: only under 16.6, each by a supervisor's direction with name and reason."""
    if bool(forfeits) != (rule == FORFEITS):
        return Refusal.NO_SUCH_RULE, f"{rule} forfeits {'nothing' if forfeits else 'the wagers directed'}"
    fault = forfeits_fault([Forfeit(each.seat, each.person, each.reason) for each in forfeits], seats, FORFEITS)
    if fault is None:
        return None
    return _DIRECTION_LACKS[fault.field.rpartition(".")[2]], f"{fault.field}: {fault.value}"


def _put_out(draft: Draft, act: VoidRecorded, hits: Iterable[Hit]) -> None:
    """Note on prizes that a fund keeps, and on shares that the pool keeps, that their wagers are void."""
    for hit in hits:
        if hit.key in draft.hits and draft.version >= KEEPS_FORFEITED:
            word = typists("out", draft.commit, act.by, act.second, "", f"{act.rule}: {act.reason}"[:400])
            now = draft.hits[hit.key]
            draft.put_hit(replace(now, acts=(*now.acts, *word)))


def _take_stakes_back(draft: Draft, past: PastRound, gone: list[Hit]) -> None:
    """Undo the return of a winner's stake (11.5): the wager itself goes back now, and that is the same dollar."""
    commits = {str(hit.key): {UNTOLD, hit.commit} for hit in gone}
    for each in past.posted:
        if each.cause == "stake" and each.commit in commits.get(each.ref, ()):
            draft.book.move(PAID, HOUSE, -int(each.microcents), "release", draft.commit, each.ref)
