"""What becomes of a round's record: every winner is resolved in one commit, from the cards, by the rules (rule 12).

Tables never claim an amount: they show cards. A record whose wagers were accepted is never refused for good; where the
server and the table do not agree, the jackpot is still resolved from the cards and people decide. What the server makes
of the cards is `reading`'s.
"""

from dataclasses import replace

from jackpot.core.accounts import pool_account
from jackpot.core.amending import people_refused, typists
from jackpot.core.amendments import RecordTyped
from jackpot.core.awarding import (
    TWO_PEOPLE,
    Basis,
    award_hits,
    award_line,
    meters_around,
    own_in_meters,
    own_increments,
    resolved_hit,
)
from jackpot.core.commands import typed_record
from jackpot.core.decide_wagers import begin_unseen, journal_of, late
from jackpot.core.facts import Fact
from jackpot.core.hits import CLAIMED, CORRECTED, DIFFERS, LATE, MANUAL, STALE_DISPLAY, TOO_SOON, Act, Hit
from jackpot.core.orders import dispute_order
from jackpot.core.reading import Reading, not_awarded, read
from jackpot.core.state import OWN_IN_METERS, QUARANTINED, Draft, OpenRound, TermsInForce
from jackpot.core.verdicts import refused
from jackpot.wire.ids import HitKey
from jackpot.wire.messages import RecordAnswer, RefusedAnswer
from jackpot.wire.refusals import Refusal
from jackpot.wire.settings import table_settings
from rules.progressive import Winner, award
from rules.records import RoundRecord
from rules.terms import prize_named

SECOND_US = 1_000_000
ENDED = {
    Refusal.ROUND_VOIDED: "recorded after its void",
    Refusal.ROUND_RECORDED: "recorded after two people had typed its record in",
}
"""How a round is over that its table records now, in words."""


def record(draft: Draft, message: RoundRecord, facts: list[Fact]) -> RecordAnswer | RefusedAnswer:
    """Resolve all qualifying seats of a round and end it.

    **Always** under the terms it was wagered under, from the pools as they stand at this commit; reseeds in the same
    commit. **Never** twice: a round that is over is refused, and the same record again is answered as the first time.
    """
    key = (str(message.table), message.journal or 0, message.round or 0)
    journal = journal_of(draft, key[0], key[1])
    opened = draft.rounds.get(key)
    if opened is None:
        refusal = late(draft, journal, key[2])
        if refusal is not None:
            if refusal in ENDED:
                # Its table has lost its void, or two people ended it first: whoever was shown the prize is told so.
                hits = [hit for hit in draft.hits.values() if hit.key[:3] == key]
                prizes = not_awarded({claim.seat: claim.prize for claim in message.claims or ()}, hits)
                if prizes:
                    figures = {"prizes": prizes, "rule": ENDED[refusal]}
                    facts.append(Fact("prize_voided", key[0], key[2], figures))
            if message.revision != 1 and refusal is not Refusal.ROUND_VOIDED:
                return refused(Refusal.NOT_OFFERED, f"record revision {message.revision}")
            return refused(Refusal.TOO_OLD if refusal is Refusal.ROUND_OVERTAKEN else refusal)
        opened = begin_unseen(draft, facts, journal, message)
    own = draft.older[opened.terms]
    reading = read(message, opened, own.terms)
    marks = _marks(draft, message, opened)
    basis = _basis(draft, message, opened, own, reading, marks, differs=bool(reading.differences))
    answer = _resolve(draft, basis, facts)
    _end(draft, message, opened, facts)
    if reading.differences:
        draft.put_table(replace(draft.tables[key[0]], status=QUARANTINED))
        facts.append(Fact("disputed", key[0], key[2], {"differences": list(reading.differences)}))
        facts.append(Fact("quarantined", key[0], key[2], {"why": "record"}))
    return answer


def record_typed(draft: Draft, act: RecordTyped, facts: list[Fact]) -> RecordAnswer | RefusedAnswer:
    """Resolve and end an open round whose journal is lost, by the record that two people typed in (PROTOCOL 2).

    **Always** marks its hits `manual`; their amounts are what the ledger holds at this commit, never more. **Never**
    for a journal that is the table's own still, unless a manager says that it is lost; never by cards that do not make
    the prizes named. Where the base game was settled otherwise, that is told and keeps no prize waiting.
    """
    key = (act.table, act.journal, act.round)
    people = [act.by, act.second, *([act.manager] if act.manager else [])]
    wrong = people_refused(people) if act.second else (Refusal.NAME_NEEDED, "second")
    if wrong is None and not act.reason.strip():
        wrong = (Refusal.REASON_NEEDED, "reason")
    journal = journal_of(draft, act.table, act.journal)
    opened = draft.rounds.get(key)
    if wrong is None and opened is None:
        wrong = (late(draft, journal, act.round) or Refusal.NO_SUCH_ROUND, "/".join(map(str, key)))
    if wrong is None and draft.tables[act.table].journal == act.journal and not act.manager.strip():
        wrong = (Refusal.NAME_NEEDED, "manager: the journal is the table's own")
    if wrong is not None or opened is None:
        return refused(*(wrong or (Refusal.NO_SUCH_ROUND, act.table)))
    message, own = typed_record(act), draft.older[opened.terms]
    reading = read(message, opened, own.terms)
    if reading.of_the_jackpot:
        return refused(Refusal.RECORD_WRONG, reading.of_the_jackpot[0])
    typed = typists("typed", draft.commit, act.by, act.second, act.manager, act.reason)
    marks = (*_marks(draft, message, opened), MANUAL)
    answer = _resolve(draft, _basis(draft, message, opened, own, reading, marks, differs=False, people=typed), facts)
    _end(draft, message, opened, facts)
    return answer


def _basis(
    draft: Draft,
    message: RoundRecord,
    opened: OpenRound,
    own: TermsInForce,
    reading: Reading,
    marks: tuple[str, ...],
    *,
    differs: bool,
    people: tuple[Act, ...] = (),
) -> Basis:
    told = draft.version >= OWN_IN_METERS
    increments = own_in_meters(draft, opened, own.terms) if told else own_increments(opened, own.terms)
    return Basis(opened, own, reading, message.capture or "full", marks, increments, differs, people)


def _end(draft: Draft, message: RoundRecord, opened: OpenRound, facts: list[Fact]) -> None:
    key = (opened.table, opened.journal, opened.round)
    draft.end_round(key, "recorded", opened.month)
    facts.append(Fact("recorded", key[0], key[2], {"capture": message.capture or "full"}))


def _resolve(draft: Draft, basis: Basis, facts: list[Fact]) -> RecordAnswer:
    reading = basis.reading
    before = {name: draft.book.balance(pool_account(name)) for name in draft.pools}
    resolution = None
    hits: list[Hit] = []
    if reading.winners:
        resolution = award(before, basis.own_microcents, reading.winners, basis.own.terms)
        hits = [resolved_hit(draft, basis, one, before) for one in resolution.awards]
        hits = dispute_order(draft, basis.opened, hits, facts)
        award_hits(draft, basis, hits, resolution, facts)
    hits += [_unread(draft, basis, claim) for claim in reading.claimed]
    for hit in hits:
        draft.put_hit(hit)
    return RecordAnswer(
        meters=meters_around(draft, before, resolution),
        awards=[award_line(hit, resolution) for hit in hits],
        disputed=basis.differs,
        differences=[difference[:400] for difference in reading.differences],
        marks=list(basis.marks),
    )


def _marks(draft: Draft, message: RoundRecord, opened: OpenRound) -> tuple[str, ...]:
    """Return why people must look at this round's hits, whatever their amounts."""
    least = table_settings(draft.tables[opened.table].settings).least_round_s
    found = {
        STALE_DISPLAY: opened.stale_display,
        LATE: bool(message.late),
        TOO_SOON: bool(opened.runs) and draft.time_us - opened.time_us < least * SECOND_US,
        CORRECTED: message.revision != 1,
    }
    return tuple([mark for mark, holds in found.items() if holds])


def _unread(draft: Draft, basis: Basis, claim: Winner) -> Hit:
    """Return the hit of a claim whose cards the server cannot read: no amount yet."""
    opened, own = basis.opened, basis.own
    prize = prize_named(own.terms, claim.prize)
    pool = prize.pool or "house"
    return Hit(
        key=HitKey(opened.table, opened.journal, opened.round, claim.seat, pool),
        month=opened.month,
        prize=claim.prize,
        state=CLAIMED,
        amount_cents=0,
        from_pool_cents=0,
        topup_cents=0,
        bonus_cents=0,
        epoch=draft.pools[pool].epoch if pool in draft.pools else 0,
        terms=own.fingerprint,
        capture=basis.capture,
        cards="",
        marks=(*basis.marks, DIFFERS),
        commit=draft.commit,
        moved=draft.commit,
        approvers=TWO_PEOPLE,
        acts=(Act("claim", "", draft.commit),),
    )
