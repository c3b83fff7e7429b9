"""What becomes of a round's record: its hands are found again by the rules and every winner is resolved in one commit (rule 12).

Tables never claim an amount: they show cards. A record whose wagers were accepted is never refused for good; where the server and
the table do not agree, the jackpot is still resolved from the cards and people decide.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from msgspec import UNSET

from jackpot.core.accounts import HOUSE, MICROCENTS, PAID, RESERVE, overflow_account, payable_account, pool_account
from jackpot.core.decide_wagers import begin, late, month_refused
from jackpot.core.facts import Fact
from jackpot.core.hits import CLAIMED, DISPUTED, PENDING, Act, Hit
from jackpot.core.state import QUARANTINED, Draft, OpenRound, TermsInForce
from jackpot.core.verdicts import refused
from jackpot.wire.ids import HitKey
from jackpot.wire.messages import AwardLine, MeterAround, RecordAnswer, RefusedAnswer
from jackpot.wire.refusals import Refusal
from jackpot.wire.settings import table_settings
from rules.games.caribbean_stud import qualifying, settle
from rules.progressive import Award, Reseed, Resolution, Winner, award, lift, reseed
from rules.records import (
    RecordError,
    RoundRecord,
    limits_of,
    schedule_of,
    settings_of,
    settled_record,
    to_round,
)
from rules.rounds import Round, RoundError
from rules.terms import Terms, approvers_for, pool_named, prize_named

CAPTURES = ("keyed", "claims", "full")
"""How well a record saw the cards, least first."""
TWO_PEOPLE = 2
"""A hit that is marked needs two people, whatever its amount (PROTOCOL 2, 7)."""


@dataclass(frozen=True, slots=True)
class _Reading:
    """What the server makes of a record: the winners the cards show, claims it cannot read, and what is different."""

    winners: tuple[Winner, ...]
    claimed: tuple[Winner, ...]
    cards: Mapping[int, str]
    differences: tuple[str, ...]
    unclaimed: frozenset[int]


def record(draft: Draft, message: RoundRecord, facts: list[Fact]) -> RecordAnswer | RefusedAnswer:
    """Resolve all qualifying seats of a round and end it.

    **Always** under the terms it was wagered under, from the pools as they stand at this commit; reseeds in the same commit.
    **Never** twice: a round that is over is refused, and the same record again is answered as the first time.
    """
    key = (str(message.table), message.journal or 0, message.round or 0)
    journal = draft.journals.get(key[:2])
    if journal is None or draft.terms is None:
        return refused(Refusal.NOT_ENROLLED)
    opened = draft.rounds.get(key)
    if opened is None:
        refusal = late(draft, journal, key[2])
        if refusal is not None:
            return refused(Refusal.TOO_OLD if refusal is Refusal.ROUND_OVERTAKEN else refusal)
        if month_refused(draft, journal, str(message.month)):
            return refused(Refusal.WRONG_MONTH, str(message.month))
        if key[2] > journal.highest + 1:
            facts.append(Fact("gap", key[0], key[2], {"missing": key[2] - journal.highest - 1}))
        opened = begin(draft, journal, str(message.month), key[2], draft.terms.fingerprint)
    if message.revision != 1:
        return refused(Refusal.TOO_OLD)
    own = draft.older[opened.terms]
    reading = _read(message, opened, own.terms)
    answer = _resolve(draft, message, opened, own, reading, facts)
    draft.end_round(key, "recorded", opened.month)
    facts.append(Fact("recorded", key[0], key[2], {"capture": message.capture or "full"}))
    if reading.differences:
        table = draft.tables[key[0]]
        draft.put_table(replace(table, status=QUARANTINED))
        facts.append(Fact("disputed", key[0], key[2], {"differences": list(reading.differences)}))
    return answer


def _read(message: RoundRecord, opened: OpenRound, terms: Terms) -> _Reading:
    claims = tuple(Winner(claim.seat, claim.prize) for claim in message.claims or ())
    accepted = opened.accepted
    try:
        seen = to_round(message)
        own = _with_wagers(seen, accepted, terms)
        winners = qualifying(own, terms)
        differences = _base_differences(message, seen, terms)
    except (RecordError, RoundError) as error:
        eligible = tuple(claim for claim in claims if claim.seat in accepted)
        return _Reading((), eligible, {}, (f"{error.field}: {error.reason}",), frozenset())
    found = {winner.seat: winner.prize for winner in winners}
    for claim in claims:
        if claim.seat in accepted and found.get(claim.seat) != claim.prize:
            differences.append(f"claims: seat {claim.seat} named {claim.prize}, the cards show {found.get(claim.seat)}")
    present = {seat.seat for seat in message.seats}
    differences += [f"seats: seat {seat} was accepted and is not on the record" for seat in sorted(accepted - present)]
    if message.capture == "claims" and not (message.no_other_hand and message.declared_by):
        differences.append("no_other_hand: nobody has said that no other hand qualifies")
    cards = {seat.seat: seat.cards for seat in message.seats if seat.cards is not None}
    named = {claim.seat for claim in claims}
    return _Reading(winners, (), cards, tuple(differences), frozenset(seat for seat in found if seat not in named))


def _with_wagers(seen: Round, accepted: frozenset[int], terms: Terms) -> Round:
    """Return the round with the jackpot wagers the ledger accepted: those count, whatever the record says of them."""
    price = terms.qualifying_wager_cents
    return replace(
        seen,
        seats=tuple(
            seat
            if (seat.jackpot_cents == price) == (seat.seat in accepted)
            else replace(seat, jackpot_cents=price if seat.seat in accepted else None)
            for seat in seen.seats
        ),
    )


def _base_differences(message: RoundRecord, seen: Round, terms: Terms) -> list[str]:
    """Settle the base game again as the table was set, and say where the table's own settlement is another."""
    if message.capture != "full":
        return []
    try:
        settlement = settle(seen, settings_of(message), limits_of(message), schedule_of(message), terms)
    except (RecordError, RoundError) as error:
        # The base game cannot be settled; the cards can still be read, so the jackpot is resolved from them.
        return [f"{error.field}: {error.reason}"]
    mine = settled_record(settlement.lines)
    theirs = message.settled or ()
    if mine == theirs:
        return []
    ours = {(line.seat, line.wager): line for line in mine}
    given = {(line.seat, line.wager): line for line in theirs}
    return [
        f"settled: seat {seat} {wager} is {given.get((seat, wager))} at the table, {ours.get((seat, wager))} by the rules"
        for seat, wager in sorted(ours.keys() | given.keys())
        if ours.get((seat, wager)) != given.get((seat, wager))
    ] or ["settled: the lines are the same in another order"]


def _resolve(
    draft: Draft,
    message: RoundRecord,
    opened: OpenRound,
    own: TermsInForce,
    reading: _Reading,
    facts: list[Fact],
) -> RecordAnswer:
    terms = own.terms
    marks = _marks(draft, message, opened)
    before = {name: draft.book.balance(pool_account(name)) for name in draft.pools}
    resolution = None
    hits: list[Hit] = []
    if reading.winners:
        resolution = award(before, _own_increments(opened, terms), reading.winners, terms)
        for one in resolution.awards:
            more = ("unclaimed",) if one.seat in reading.unclaimed else ()
            hits.append(_hit(draft, message, opened, own, one, reading, (*marks, *more)))
        for hit in hits:
            _fund(draft, hit, terms)
            facts.append(Fact("award", opened.table, opened.round, _figures(hit)))
        _reseed(draft, resolution, facts)
        draft.room = 0
    hits += [_unread(draft, message, opened, own, claim, marks) for claim in reading.claimed]
    for hit in hits:
        draft.put_hit(hit)
    return RecordAnswer(
        meters=[_around(name, held, draft, resolution) for name, held in _in_order(draft, before)],
        awards=[_line(hit, resolution) for hit in hits],
        disputed=bool(reading.differences),
        differences=[difference[:400] for difference in reading.differences],
        marks=list(marks),
    )


def _marks(draft: Draft, message: RoundRecord, opened: OpenRound) -> tuple[str, ...]:
    """Return why people must look at this round's hits, whatever their amounts."""
    least = table_settings(draft.tables[opened.table].settings).least_round_s
    marks = []
    if opened.stale_display:
        marks.append("stale_display")
    if message.late:
        marks.append("late")
    if opened.runs and draft.time_us - opened.time_us < least * 1_000_000:
        marks.append("too_soon")
    return tuple(marks)


def _own_increments(opened: OpenRound, terms: Terms) -> dict[str, int]:
    """Return what this round's own accepted wagers put into each pool, microcents, from their rows."""
    return {
        pool.name: sum(run.parts[place] * len(run.seats) for run in opened.runs)
        for place, pool in enumerate(terms.pools)
    }


def _hit(
    draft: Draft,
    message: RoundRecord,
    opened: OpenRound,
    own: TermsInForce,
    one: Award,
    reading: _Reading,
    marks: tuple[str, ...],
) -> Hit:
    prize = prize_named(own.terms, one.prize)
    seen_enough = CAPTURES.index(message.capture or "full") >= CAPTURES.index(prize.least_capture)
    if not seen_enough:
        marks = (*marks, f"needs_capture_{prize.least_capture}")
    asked = approvers_for(own.terms, one.amount_cents)
    life = draft.pools.get(one.pool)
    return Hit(
        key=HitKey(opened.table, opened.journal, opened.round, one.seat, one.pool),
        month=opened.month,
        prize=one.prize,
        state=PENDING if seen_enough and not reading.differences else DISPUTED,
        amount_cents=one.amount_cents,
        from_pool_cents=one.from_pool_cents,
        topup_cents=one.topup_cents,
        bonus_cents=one.bonus_cents,
        epoch=life.epoch if life else 0,
        terms=own.fingerprint,
        capture=message.capture or "full",
        cards=reading.cards.get(one.seat, ""),
        marks=marks,
        commit=draft.commit,
        moved=draft.commit,
        approvers=max(asked, TWO_PEOPLE) if marks else asked,
        acts=(Act("resolve", "", draft.commit),),
    )


def _unread(
    draft: Draft,
    message: RoundRecord,
    opened: OpenRound,
    own: TermsInForce,
    claim: Winner,
    marks: tuple[str, ...],
) -> Hit:
    """Return the hit of a claim whose cards the server cannot read: no amount yet."""
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
        capture=message.capture or "full",
        cards="",
        marks=marks,
        commit=draft.commit,
        moved=draft.commit,
        approvers=TWO_PEOPLE,
        acts=(Act("claim", "", draft.commit),),
    )


def _fund(draft: Draft, hit: Hit, terms: Terms) -> None:
    """Set a prize's money aside for its winner: the pool's part, the house's top-up, the bonus."""
    payable, ref = payable_account(str(hit.key)), str(hit.key)
    if hit.from_pool_cents:
        pool = pool_account(hit.key.pool)
        draft.book.move(pool, payable, hit.from_pool_cents * MICROCENTS, "award", draft.commit, ref)
        draft.fell(hit.key.pool, "award")
    draft.book.move(HOUSE, payable, hit.topup_cents * MICROCENTS, "topup", draft.commit, ref)
    draft.book.move(HOUSE, payable, hit.bonus_cents * MICROCENTS, "bonus", draft.commit, ref)
    if terms.rulings.stake_returned:
        draft.book.move(HOUSE, PAID, terms.qualifying_wager_cents * MICROCENTS, "stake", draft.commit, ref)


def _reseed(draft: Draft, resolution: Resolution, facts: list[Fact]) -> None:
    """Start pools that were taken whole again, and lift lowered ones where the terms in force say so (11.9.2)."""
    if draft.terms is None:
        return
    terms = draft.terms.terms
    in_force = {pool.name for pool in terms.pools}
    for name in resolution.falls:
        life = draft.pools[name]
        draft.put_pool(replace(life, epoch=life.epoch + 1))
        facts.append(Fact("fall", figures={"pool": name, "cause": "award", "epoch": life.epoch + 1}))
        if name in in_force:
            over, held = draft.book.balance(overflow_account(name)), draft.book.balance(pool_account(name))
            again = reseed(held, over, draft.book.balance(RESERVE), pool_named(terms, name), terms)
            _fill(draft, name, again, "seed")
    for name in resolution.lowered:
        facts.append(Fact("fall", figures={"pool": name, "cause": "award"}))
        if name in in_force:
            held = draft.book.balance(pool_account(name))
            _fill(draft, name, lift(held, draft.book.balance(RESERVE), pool_named(terms, name), terms), "lift")


def _fill(draft: Draft, name: str, parts: Reseed, cause: str) -> None:
    pool = pool_account(name)
    ref = f"{name}/{draft.pools[name].epoch}"
    draft.book.move(RESERVE, pool, parts.from_reserve, cause, draft.commit, ref)
    draft.book.move(HOUSE, pool, parts.from_house, cause, draft.commit, ref)
    draft.book.move(overflow_account(name), pool, parts.from_overflow, "overflow", draft.commit, ref)


def _in_order(draft: Draft, before: Mapping[str, int]) -> Sequence[tuple[str, int]]:
    first = [pool.name for pool in draft.terms.terms.pools] if draft.terms else []
    return [(name, before[name]) for name in (*first, *sorted(before.keys() - set(first)))]


def _around(name: str, held: int, draft: Draft, resolution: Resolution | None) -> MeterAround:
    before = held // MICROCENTS
    basis = before if resolution is None else resolution.meter_cents.get(name, before)
    after = draft.book.balance(pool_account(name)) // MICROCENTS
    return MeterAround(name, before, after, UNSET if basis == before else basis)


def _line(hit: Hit, resolution: Resolution | None) -> AwardLine:
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


def _figures(hit: Hit) -> dict[str, object]:
    return {"hit": str(hit.key), "prize": hit.prize, "cents": hit.amount_cents, "state": hit.state}
