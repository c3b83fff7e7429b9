"""What becomes of a round whose record two people correct: hits that fall away, hits that come (PROTOCOL 3).

The record that stood until then stays on file, and so does every act on its hits. What falls away goes back by the
rules of a release; what comes is awarded from the meter as it stands now, by the round's own terms.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from jackpot.core.accounts import HOUSE, MICROCENTS, PAID, RECOVERABLE, payable_account, pool_account
from jackpot.core.amending import as_opened, hits_of_round, people_refused, terms_at, typists
from jackpot.core.amendments import CorrectRecorded
from jackpot.core.answers import CorrectedAnswer, cents_of
from jackpot.core.awarding import (
    Basis,
    award_hits,
    award_line,
    meters_around,
    own_in_meters,
    resolved_hit,
    seen_too_little,
)
from jackpot.core.commands import FIRST_REVISION, typed_record
from jackpot.core.decide_wagers import journal_of
from jackpot.core.disputes import held_still
from jackpot.core.facts import Fact
from jackpot.core.hits import (
    CLAIMED,
    CORRECTED,
    DIFFERS,
    DISPUTED,
    FORFEITED,
    LATE,
    NEEDS_CAPTURE,
    ORDER,
    PENDING,
    REJECTED,
    RELEASED,
    REPRICED,
    VERIFIED,
    Hit,
)
from jackpot.core.hits import PAID as PAID_STATE
from jackpot.core.reading import Reading, read
from jackpot.core.releases import Because, Outcome, fall_away, kept
from jackpot.core.state import Draft, OpenRound, TermsInForce
from jackpot.core.verdicts import Undecided, refused
from jackpot.wire.messages import RefusedAnswer
from jackpot.wire.refusals import Refusal
from rules.progressive import Resolution, Winner, award
from rules.records import RoundRecord
from rules.terms import prize_named

NO_PRIZE = "CSP 11.4"
"""The rule under which a hit falls away by a corrected record: its hand does not qualify."""


INELIGIBLE = ("CSP 14.20", "CSP 16.1", "CSP 16.4")
"""Beginnings of the rules under which a hit falls away whatever its cards are (RULINGS: eligibility)."""


@dataclass(frozen=True, slots=True)
class _Change:
    """What a corrected record asks of a round's hits."""

    own: TermsInForce
    message: RoundRecord
    reading: Reading
    gone: tuple[Hit, ...]
    staying: tuple[Hit, ...]
    coming: tuple[Winner, ...]
    disproved: tuple[Hit, ...]
    """Whose share the pool had kept for a hand that qualified, and the hand does not."""
    before: Mapping[tuple[int, str], Hit]
    """Every hit the round has had, by seat and pool."""


def correct_recorded(draft: Draft, act: CorrectRecorded, facts: list[Fact]) -> CorrectedAnswer | RefusedAnswer:
    """Let a corrected record take the place of the one before: hits fall away and come, all in one commit.

    A hit whose seat wins the same prize keeps its amount; a dispute about the record ends. What was paid stays paid:
    what is too much of it is to be recovered, what is too little is held for the winner. Ends `claimed`.
    **Always** two people; once the next round of the table has begun one of them is a manager. **Never** by cards that
    do not make the prizes named. Raises Undecided for a round that is open.
    """
    wrong = _refusal(draft, act)
    if wrong is not None:
        return refused(*wrong)
    own = terms_at(draft, act.past.commit)
    if own is None:
        return refused(Refusal.NO_SUCH_ROUND, act.table)
    change = _change(draft, act, own)
    if any(hit.key not in draft.hits for hit in change.before.values()):
        # Looked at as acts told of rounds before: nothing has been moved yet, and a new look brings it whole.
        raise Undecided(Refusal.BUSY)
    if change.reading.of_the_jackpot:
        return refused(Refusal.RECORD_WRONG, change.reading.of_the_jackpot[0])
    held = {name: draft.book.balance(pool_account(name)) for name in draft.pools}
    opened = as_opened(draft, _at(act), act.past, own, change.gone, change.staying)
    outcome = _fall(draft, act, change)
    hits, resolution = _come(draft, act, change, opened, outcome, facts)
    settled = _settle(draft, act, change)
    _tell(act, change, [*hits, *settled], outcome, facts)
    return CorrectedAnswer(
        revision=act.revision,
        meters=tuple(meters_around(draft, held, resolution)),
        awards=tuple(award_line(hit, resolution) for hit in hits),
        released=tuple(outcome.released),
        overpaid=cents_of(outcome.overpaid),
        raised=cents_of(outcome.raised),
        underpaid=cents_of(outcome.underpaid),
        settled=tuple(str(hit.key) for hit in settled),
        differences=tuple(each[:400] for each in change.reading.differences),
        marks=_marks(change.message),
    )


def _refusal(draft: Draft, act: CorrectRecorded) -> tuple[Refusal, str] | None:
    """Return the first reason why these people cannot correct this, and what is wrong."""
    wrong = people_refused([act.by, act.second, act.manager])
    if wrong is not None:
        return wrong
    if not act.reason.strip():
        return Refusal.REASON_NEEDED, "reason"
    journal = journal_of(draft, act.table, act.journal)
    at = f"{act.table}/{act.journal}/{act.round}"
    if (act.table, act.journal, act.round) in draft.rounds:
        raise Undecided(Refusal.ROUND_OPEN)
    if not 0 < act.round <= journal.highest or act.revision <= FIRST_REVISION or not act.corrects:
        return Refusal.NO_SUCH_ROUND, at
    if not act.past.wagers:
        return Refusal.ROUND_VOIDED, at
    # The wagers of the next round are the last word before its first card.
    later = journal.highest > act.round or draft.tables[act.table].journal != act.journal
    return (Refusal.NAME_NEEDED, "manager: the next round has begun") if later and not act.manager.strip() else None


def _at(act: CorrectRecorded) -> tuple[str, int, int, str]:
    return act.table, act.journal, act.round, act.month


def _change(draft: Draft, act: CorrectRecorded, own: TermsInForce) -> _Change:
    message = typed_record(act)
    plain = OpenRound(*_at(act), own.fingerprint, act.past.commit, draft.time_us, act.past.runs, ())
    reading = read(message, plain, own.terms)
    hits = hits_of_round(draft, (act.table, act.journal, act.round), act.past)
    standing = [hit for hit in hits if hit.state != RELEASED and not hit.overpaid]
    won = {winner.seat: winner.prize for winner in reading.winners}
    gone = [hit for hit in standing if _falls(hit, won.get(hit.key.seat))]
    staying = [hit for hit in standing if hit not in gone]
    seats = {hit.key.seat for hit in staying} | {hit.key.seat for hit in hits if _barred(hit)}
    coming = tuple(winner for winner in reading.winners if winner.seat not in seats)
    before = {(hit.key.seat, hit.key.pool): hit for hit in hits}
    disproved = tuple(hit for hit in hits if kept(draft, hit) and won.get(hit.key.seat) != hit.prize)
    return _Change(own, message, reading, tuple(gone), tuple(staying), coming, disproved, before)


def _falls(hit: Hit, prize: str | None) -> bool:
    """Say whether a hit falls away where its seat wins this now. What people rejected comes by no record."""
    if hit.state == REJECTED:
        return prize is None
    return hit.state == CLAIMED or (hit.state != FORFEITED and hit.prize != prize)


def _barred(hit: Hit) -> bool:
    """Say whether people released a hit because of who held it: no record makes that person eligible."""
    words = [act.reason for act in hit.acts if act.move == "release"]
    return hit.state == RELEASED and bool(words) and words[-1].startswith(INELIGIBLE)


def _fall(draft: Draft, act: CorrectRecorded, change: _Change) -> Outcome:
    """Reject and release what falls away; what was paid of it is to be recovered, but for what its seat wins now."""
    if not change.gone and not change.disproved:
        return Outcome()
    reason = Because(act.by, act.second or act.manager, NO_PRIZE, act.reason)
    for hit in change.disproved:
        word = typists("reject", draft.commit, act.by, act.second, act.manager, reason.words)
        draft.put_hit(replace(hit, moved=draft.commit, acts=(*hit.acts, *word)))
    rejected = []
    for hit in change.gone:
        after = hit
        if hit.state not in {PAID_STATE, REJECTED}:
            word = typists("reject", draft.commit, act.by, act.second, act.manager, reason.words)
            after = replace(hit, state=REJECTED, moved=draft.commit, acts=(*hit.acts, *word))
        rejected.append(after)
    stakes = _stakes(act, change)
    outcome = fall_away(
        draft,
        rejected,
        change.staying,
        act.past.posted,
        reason,
        priced_again=frozenset(hit.key for hit in change.gone if _again(change, hit)),
        disproved=change.disproved,
    )
    for hit, cents in stakes:
        still = hit.key.seat in {winner.seat for winner in change.coming}
        target = HOUSE if still else RECOVERABLE
        draft.book.move(PAID, target, cents, "correction", draft.commit, str(hit.key))
    return outcome


def _again(change: _Change, hit: Hit) -> bool:
    """Say whether the seat wins another prize of the same pool, so that what was paid is set off against it."""
    pools = {winner.seat: prize_named(change.own.terms, winner.prize).pool or "house" for winner in change.coming}
    return hit.state != CLAIMED and pools.get(hit.key.seat) == hit.key.pool


def _stakes(act: CorrectRecorded, change: _Change) -> Sequence[tuple[Hit, int]]:
    """The wagers that came back with prizes which fall away now (11.5), microcents."""
    found = []
    for hit in change.gone:
        posted = [one for one in act.past.posted if one.cause == "stake" and one.ref == str(hit.key)]
        found += [(hit, -int(one.microcents)) for one in posted if one.commit == hit.commit]
    return found


def _come(
    draft: Draft, act: CorrectRecorded, change: _Change, opened: OpenRound, outcome: Outcome, facts: list[Fact]
) -> tuple[Sequence[Hit], Resolution | None]:
    """Award what the corrected record shows and the one before did not, from the meters as they stand now."""
    if not change.coming:
        return [], None
    own = change.own
    before = {name: draft.book.balance(pool_account(name)) for name in draft.pools}
    own_microcents = own_in_meters(draft, opened, own.terms)
    resolution = award(before, own_microcents, change.coming, own.terms)
    typed = typists("correct", draft.commit, act.by, act.second, act.manager, act.reason)
    capture = change.message.capture or "full"
    basis = Basis(opened, own, change.reading, capture, _marks(change.message), own_microcents, people=typed)
    hits = [resolved_hit(draft, basis, one, before) for one in resolution.awards]
    award_hits(draft, basis, hits, resolution, facts)
    done = [_set_off(draft, change, hit, outcome) for hit in hits]
    for hit in done:
        draft.put_hit(hit)
    return done, resolution


def _set_off(draft: Draft, change: _Change, hit: Hit, outcome: Outcome) -> Hit:
    """Return a hit that came, with all that was done on it before; what had been paid of it counts."""
    earlier = change.before.get((hit.key.seat, hit.key.pool))
    if earlier is None:
        return hit
    acts, ref, payable = (*draft.hits[hit.key].acts, *hit.acts), str(hit.key), payable_account(str(hit.key))
    had, due = outcome.paid.get(ref, 0), hit.amount_cents * MICROCENTS
    hit = replace(hit, acts=acts, approvers=earlier.approvals + hit.approvers)
    if not had:
        return hit
    # The house had made the pool whole of what was paid; now the pool has paid so much of it again.
    draft.book.move(payable, HOUSE, min(had, due), "correction", draft.commit, ref)
    draft.book.move(PAID, RECOVERABLE, max(had - due, 0), "correction", draft.commit, ref)
    if had > due:
        outcome.overpaid[ref] = (had - due) // MICROCENTS
    elif had < due:
        outcome.raised[ref] = (due - had) // MICROCENTS
    # What people must still look at the cards of waits for them; all else was verified when it was paid.
    rest = hit.state if hit.state == DISPUTED else VERIFIED
    return replace(hit, state=rest if had < due else PAID_STATE, marks=(*hit.marks, REPRICED))


def _settle(draft: Draft, act: CorrectRecorded, change: _Change) -> Sequence[Hit]:
    """End the disputes about the record itself of hits that stay: their amounts stand."""
    settled, capture = [], change.message.capture or "full"
    for hit in change.staying:
        about = {DIFFERS, NEEDS_CAPTURE} & set(hit.marks)
        now = draft.hits.get(hit.key)
        if now is None or now.state != DISPUTED or not about:
            continue
        if seen_too_little(change.own.terms, hit.prize, capture):
            continue
        marks = (*[mark for mark in now.marks if mark not in about], CORRECTED)
        acts = typists("correct", draft.commit, act.by, act.second, act.manager, act.reason)
        state = DISPUTED if ORDER in marks else PENDING
        cards = change.reading.cards.get(hit.key.seat, now.cards)
        after = replace(now, state=state, marks=marks, moved=draft.commit, acts=(*now.acts, *acts), cards=cards)
        draft.put_hit(held_still(draft, replace(after, capture=capture), now))
        settled.append(draft.hits[hit.key])
    return settled


def _marks(message: RoundRecord) -> tuple[str, ...]:
    return (*([LATE] if message.late else []), CORRECTED)


def _tell(act: CorrectRecorded, change: _Change, hits: Iterable[Hit], outcome: Outcome, facts: list[Fact]) -> None:
    seats = {"gone": len(change.gone), "come": len(change.coming), "late": bool(change.message.late)}
    facts.append(Fact("corrected", act.table, act.round, {**seats, "revision": act.revision}))
    moved = [*[(name, RELEASED) for name in outcome.released], *[(str(hit.key), hit.state) for hit in hits]]
    figures = [{"hit": name, "state": state, "move": "correct"} for name, state in moved]
    facts += [Fact("hit", act.table, act.round, each) for each in figures]
