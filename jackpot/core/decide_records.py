"""What becomes of a round's record: every winner is resolved in one commit, from the cards, by the rules (rule 12).

Tables never claim an amount: they show cards. A record whose wagers were accepted is never refused for good; where the
server and the table do not agree, the jackpot is still resolved from the cards and people decide. What the server makes
of the cards is `reading`'s.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from msgspec import UNSET

from jackpot.core.accounts import HOUSE, MICROCENTS, PAID, RESERVE, overflow_account, payable_account, pool_account
from jackpot.core.decide_wagers import begin_unseen, journal_of, late
from jackpot.core.facts import Fact
from jackpot.core.hits import (
    CLAIMED,
    CORRECTED,
    DIFFERS,
    DISPUTED,
    LATE,
    NEEDS_CAPTURE,
    PENDING,
    STALE_DISPLAY,
    TOO_SOON,
    UNCLAIMED,
    Act,
    Hit,
)
from jackpot.core.orders import dispute_order
from jackpot.core.reading import Reading, read
from jackpot.core.state import QUARANTINED, Draft, OpenRound, TermsInForce
from jackpot.core.verdicts import refused
from jackpot.wire.ids import HitKey
from jackpot.wire.messages import AwardLine, MeterAround, RecordAnswer, RefusedAnswer
from jackpot.wire.refusals import Refusal
from jackpot.wire.settings import table_settings
from rules.progressive import Award, Reseed, Resolution, Winner, award, lift, reseed
from rules.records import RoundRecord
from rules.terms import Terms, approvers_for, pool_named, prize_named

CAPTURES = ("keyed", "claims", "full")
"""How well a record saw the cards, least first."""
TWO_PEOPLE = 2
"""A hit that is marked needs two people, whatever its amount (PROTOCOL 2, 7)."""
SECOND_US = 1_000_000


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
            if message.revision != 1 and refusal is not Refusal.ROUND_VOIDED:
                return refused(Refusal.NOT_OFFERED, f"record revision {message.revision}")
            return refused(Refusal.TOO_OLD if refusal is Refusal.ROUND_OVERTAKEN else refusal)
        opened = begin_unseen(draft, facts, journal, message)
    own = draft.older[opened.terms]
    reading = read(message, opened, own.terms)
    answer = _resolve(draft, message, opened, own, reading, facts)
    draft.end_round(key, "recorded", opened.month)
    facts.append(Fact("recorded", key[0], key[2], {"capture": message.capture or "full"}))
    if reading.differences:
        draft.put_table(replace(draft.tables[key[0]], status=QUARANTINED))
        facts.append(Fact("disputed", key[0], key[2], {"differences": list(reading.differences)}))
        facts.append(Fact("quarantined", key[0], key[2], {"why": "record"}))
    return answer


def _resolve(
    draft: Draft,
    message: RoundRecord,
    opened: OpenRound,
    own: TermsInForce,
    reading: Reading,
    facts: list[Fact],
) -> RecordAnswer:
    terms = own.terms
    marks = _marks(draft, message, opened)
    before = {name: draft.book.balance(pool_account(name)) for name in draft.pools}
    resolution = None
    hits: list[Hit] = []
    if reading.winners:
        resolution = award(before, _own_increments(opened, terms), reading.winners, terms)
        hits = [_hit(draft, message, opened, own, one, reading, marks, before) for one in resolution.awards]
        hits = dispute_order(draft, opened, hits, facts)
        for hit in hits:
            _fund(draft, hit)
            _return_stake(draft, opened, hit, terms)
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
    found = {
        STALE_DISPLAY: opened.stale_display,
        LATE: bool(message.late),
        TOO_SOON: bool(opened.runs) and draft.time_us - opened.time_us < least * SECOND_US,
        CORRECTED: message.revision != 1,
    }
    return tuple([mark for mark, holds in found.items() if holds])


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
    reading: Reading,
    marks: tuple[str, ...],
    before: Mapping[str, int],
) -> Hit:
    least = prize_named(own.terms, one.prize).least_capture
    found = {
        UNCLAIMED: one.seat in reading.unclaimed,
        NEEDS_CAPTURE: CAPTURES.index(message.capture or "full") < CAPTURES.index(least),
        DIFFERS: bool(reading.differences),
    }
    marks = (*marks, *[mark for mark, holds in found.items() if holds])
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
        capture=message.capture or "full",
        cards=reading.cards.get(one.seat, ""),
        marks=marks,
        commit=draft.commit,
        moved=draft.commit,
        approvers=max(asked, TWO_PEOPLE) if marks else asked,
        acts=(Act("award", "", draft.commit),),
        meter_microcents=before.get(one.pool, 0),
        own_microcents=_own_increments(opened, own.terms).get(one.pool, 0),
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
        marks=(*marks, DIFFERS),
        commit=draft.commit,
        moved=draft.commit,
        approvers=TWO_PEOPLE,
        acts=(Act("claim", "", draft.commit),),
    )


def _fund(draft: Draft, hit: Hit) -> None:
    """Set a prize's money aside for its winner: the pool's part, the house's top-up, the bonus."""
    payable, ref = payable_account(str(hit.key)), str(hit.key)
    if hit.from_pool_cents:
        pool = pool_account(hit.key.pool)
        draft.book.move(pool, payable, hit.from_pool_cents * MICROCENTS, "award", draft.commit, ref)
        draft.fell(hit.key.pool, "award")
    draft.book.move(HOUSE, payable, hit.topup_cents * MICROCENTS, "topup", draft.commit, ref)
    draft.book.move(HOUSE, payable, hit.bonus_cents * MICROCENTS, "bonus", draft.commit, ref)


def _return_stake(draft: Draft, opened: OpenRound, hit: Hit, terms: Terms) -> None:
    """Return the winner's jackpot wager too, where the terms say so (11.5); a token was no money and is not paid."""
    tenders = {seat: tender for run in opened.runs for seat, tender in zip(run.seats, run.tenders, strict=True)}
    if terms.rulings.stake_returned and tenders.get(hit.key.seat) == "chips":
        stake = terms.qualifying_wager_cents * MICROCENTS
        draft.book.move(HOUSE, PAID, stake, "stake", draft.commit, str(hit.key))


def _reseed(draft: Draft, resolution: Resolution, facts: list[Fact]) -> None:
    """Start pools that were taken whole again, and lift lowered ones where the terms in force say so (11.9.2)."""
    if draft.terms is None:
        return
    terms = draft.terms.terms
    in_force = {pool.name for pool in terms.pools}
    for name in resolution.falls:
        life = draft.pools[name]
        draft.put_pool(replace(life, epoch=life.epoch + 1, began=draft.commit))
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
