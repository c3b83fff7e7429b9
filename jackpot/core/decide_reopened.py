"""What stands of a lost life of the ledger: its messages are posted again, what was answered or paid stands.

A message that a table hands in is decided anew, on the ledger as it was restored, and keeps the answer it was given:
seats that were accepted are accepted, a prize keeps the amount the table was told. What that differs from the new
decision by is the house's, posted as a documented malfunction correction. Where the answer cannot stand at all the
command is refused, and people decide.
"""

from dataclasses import replace
from enum import StrEnum

from jackpot.core import decide_records, decide_wagers
from jackpot.core.accounts import HOUSE, MICROCENTS, PAID, RECOVERABLE, payable_account, pool_account
from jackpot.core.amending import people_refused
from jackpot.core.answers import ReopenedAnswer, StoodAnswer
from jackpot.core.awarding import TWO_PEOPLE
from jackpot.core.commands import Command
from jackpot.core.facts import Fact
from jackpot.core.hits import ENDED, TOO_SOON, Act, Hit
from jackpot.core.hits import PAID as PAID_STATE
from jackpot.core.lives import HandedIn, MeterShown, PaidBefore, Reopened
from jackpot.core.releases import fall_cause, hold_limit
from jackpot.core.state import LINKED, NOTES_FALLS, Draft, Journal
from jackpot.core.verdicts import Undecided, refused
from jackpot.wire.codec import decode_answer
from jackpot.wire.ids import IdError, parse_hit
from jackpot.wire.messages import (
    AwardLine,
    RecordAnswer,
    RefusedAnswer,
    StoredAnswer,
    Void,
    VoidAnswer,
    Wagers,
    WagersAnswer,
    Withdraw,
    WithdrawAnswer,
)
from jackpot.wire.refusals import REFUSALS, Refusal
from rules.records import RoundRecord
from rules.terms import approvers_for

COUNTS_ANEW = 3
"""From which version on a spool whose journal is granted again counts its connections anew."""


class Malfunction(StrEnum):
    """Why money is corrected after the ledger went back: the closed list."""

    AMOUNT_ANSWERED = "amount_answered"
    """A table was told another amount than the restored ledger makes of the same cards."""
    AMOUNT_PAID = "amount_paid"
    """A winner was paid another amount."""
    METER_SHOWN = "meter_shown"
    """Players were shown a higher meter: wagers are lost that nobody holds."""


def reopened(draft: Draft, act: Reopened, facts: list[Fact]) -> ReopenedAnswer | RefusedAnswer:
    """Begin the ledger's next life.

    **Always** past every life that is known: a receipt of a later life stands after each of an earlier one.
    """
    refusal = _two(act.by, act.second)
    if refusal is not None:
        return refusal
    if draft.terms is None or act.link != draft.state.chain:
        return refused(Refusal.NOT_HERE, act.link)
    if act.generation <= max(draft.generation, act.last.generation):
        return refused(Refusal.NOT_HERE, f"generation {act.generation}")
    draft.generation = act.generation
    facts.append(Fact("reopened", figures={"generation": act.generation, "missing": list(act.missing)}))
    return ReopenedAnswer(act.generation)


def handed_in(draft: Draft, command: Command, held: HandedIn, facts: list[Fact]) -> StoredAnswer:
    """Post a message again that was answered in a lost life of the ledger; return the answer it was given then.

    Raises Undecided where that answer cannot stand.
    """
    if held.receipt.generation >= draft.generation:
        raise _no(Refusal.NOT_HERE, f"generation {held.receipt.generation}")
    told = decode_answer(held.answer)
    journal = _journal(draft, command, held.spool)
    match command.message, told:
        case Wagers(), RefusedAnswer():
            if command.round > journal.highest:
                month = max(journal.month, command.month)
                fingerprint = draft.terms.fingerprint if draft.terms else ""
                decide_wagers.begin(draft, facts, journal, month, command.round, fingerprint)
        case _, RefusedAnswer():
            pass
        case Wagers() as message, WagersAnswer():
            decide_wagers.stand(draft, message, told, facts)
        case Withdraw() as message, WithdrawAnswer():
            _agreed(decide_wagers.withdraw(draft, message, facts))
        case Void() as message, VoidAnswer():
            _agreed(decide_wagers.void(draft, message, facts))
        case RoundRecord() as message, RecordAnswer():
            anew = _agreed(decide_records.record(draft, message, facts))
            _same_hits(anew, told)
            for line in told.awards:
                _award_stands(draft, line, told, facts)
        case _:
            raise _no(Refusal.NOT_OFFERED, type(told).__name__)
    return told


def paid_before(draft: Draft, act: PaidBefore, facts: list[Fact]) -> StoodAnswer | RefusedAnswer:
    """Let a prize stand that was paid in a lost life of the ledger, at the amount that was paid.

    Where the restored ledger had paid more of it already that stays paid too: what is too much is to be recovered.
    """
    refusal = _two(act.by, act.second)
    if refusal is not None:
        return refusal
    if act.generation != draft.generation:
        return refused(Refusal.NOT_HERE, f"generation {act.generation}")
    try:
        hit = draft.hits.get(parse_hit(act.hit))
    except IdError:
        hit = None
    if hit is None:
        return refused(Refusal.NO_SUCH_HIT, act.hit)
    if hit.state in ENDED:
        return refused(Refusal.ILLEGAL_MOVE, f"paid_before from {hit.state}")
    before = hit.amount_cents
    from_pool = min(hit.from_pool_cents, act.amount_cents)
    bonus = min(hit.bonus_cents, act.amount_cents - from_pool)
    hit = _corrected(draft, hit, act.amount_cents, from_pool, bonus, Malfunction.AMOUNT_PAID)
    if act.amount_cents != before:
        facts.append(_correction(Malfunction.AMOUNT_PAID, act.hit, act.amount_cents - before))
    payable = payable_account(act.hit)
    draft.book.move(payable, PAID, draft.book.balance(payable), "payment", draft.commit, act.hit)
    acts = (*hit.acts, Act("paid_before", act.by, draft.commit), Act("with", act.second, draft.commit))
    draft.put_hit(replace(hit, state=PAID_STATE, moved=draft.commit, acts=acts))
    figures = {"hit": act.hit, "state": PAID_STATE, "move": "paid_before"}
    facts.append(Fact("hit", hit.key.table, hit.key.round, figures))
    return StoodAnswer(act.hit, act.amount_cents, act.amount_cents - before)


def meter_shown(draft: Draft, act: MeterShown, facts: list[Fact]) -> StoodAnswer | RefusedAnswer:
    """Let the house make a pool whole up to what players were last shown, where wagers are lost that nobody holds.

    **Never** takes anything from a pool, nor touches one that was reseeded in between.
    """
    refusal = _two(act.by, act.second)
    if refusal is not None:
        return refusal
    life = draft.pools.get(act.pool)
    if act.generation != draft.generation or life is None or life.epoch != act.epoch:
        return refused(Refusal.NOT_HERE, f"{act.pool} epoch {act.epoch}")
    held = draft.book.balance(pool_account(act.pool))
    missing = act.cents * MICROCENTS - held
    if missing > 0 and held // MICROCENTS < act.cents:
        draft.book.move(HOUSE, pool_account(act.pool), missing, "correction", draft.commit, f"{act.pool}/{act.epoch}")
        draft.room = 0
        facts.append(_correction(Malfunction.METER_SHOWN, act.pool, act.cents - held // MICROCENTS))
    return StoodAnswer(act.pool, act.cents, max(0, act.cents - held // MICROCENTS))


def _journal(draft: Draft, command: Command, spool: str) -> Journal:
    """Return the message's journal; one that was granted in the lost life is granted again to its spool.

    **Never** makes it the table's where a later one has been granted since: what it holds stands beside that.
    """
    found = draft.journals.get((command.table, command.journal))
    if found is not None:
        return found
    table = draft.tables.get(command.table)
    if table is None:
        raise _no(Refusal.NO_SUCH_TABLE, command.table)
    if not spool:
        raise _no(Refusal.WRONG_JOURNAL, f"journal {command.journal}")
    journal = Journal(command.table, command.journal, spool, month=command.month)
    draft.put_journal(journal)
    if command.journal > table.journal:
        # Another spool counts its connections from one: those of the spool before say nothing of it.
        connection = 0 if draft.version >= COUNTS_ANEW else table.connection
        draft.put_table(replace(table, journal=command.journal, status=LINKED, connection=connection, word=""))
    return journal


def _award_stands(draft: Draft, line: AwardLine, told: RecordAnswer, facts: list[Fact]) -> None:
    """Bring a hit to the amount its table was told, and mark it as it was marked then."""
    hit = draft.hits.get(parse_hit(line.hit))
    if hit is None:
        raise _no(Refusal.NO_SUCH_HIT, line.hit)
    before = hit.amount_cents
    from_pool = min(hit.from_pool_cents, line.from_pool_cents)
    hit = _corrected(draft, hit, line.amount_cents, from_pool, line.bonus_cents, Malfunction.AMOUNT_ANSWERED)
    if hit.amount_cents != before:
        facts.append(_correction(Malfunction.AMOUNT_ANSWERED, line.hit, hit.amount_cents - before))
    if TOO_SOON in hit.marks and TOO_SOON not in told.marks:
        # Wagers and record are posted again in one breath: that says nothing of how long the round took.
        marks = tuple([mark for mark in hit.marks if mark != TOO_SOON])
        asked = approvers_for(draft.older[hit.terms].terms, hit.amount_cents)
        hit = replace(hit, marks=marks, approvers=max(asked, TWO_PEOPLE) if marks else asked)
    draft.put_hit(hit)


def _corrected(draft: Draft, hit: Hit, amount: int, from_pool: int, bonus: int, why: Malfunction) -> Hit:
    """Return the hit at another amount: what its pool gave too much goes back, all else is between it and the house.

    `from_pool` is at most what the pool gave: players' money makes up for no malfunction. Part of the prize may have
    been paid: what is no longer held of it the house makes good, and what was paid beyond the amount is recoverable.
    """
    topup = amount - from_pool - bonus
    if (from_pool, topup, bonus) == (hit.from_pool_cents, hit.topup_cents, hit.bonus_cents):
        return hit
    ref, commit, payable = str(hit.key), draft.commit, payable_account(str(hit.key))
    paid = hit.amount_cents * MICROCENTS - draft.book.balance(payable)
    house = topup + bonus - hit.topup_cents - hit.bonus_cents
    draft.book.move(HOUSE, payable, max(house, 0) * MICROCENTS, "correction", commit, ref)
    back = (hit.from_pool_cents - from_pool) * MICROCENTS
    before = draft.book.balance(pool_account(hit.key.pool))
    if back:
        held = min(draft.book.balance(payable), back)
        draft.book.move(payable, pool_account(hit.key.pool), held, "correction", commit, ref)
        draft.book.move(HOUSE, pool_account(hit.key.pool), back - held, "correction", commit, ref)
        hold_limit(draft, hit.key.pool)
        if draft.book.balance(pool_account(hit.key.pool)) < before and draft.version >= NOTES_FALLS:
            # Its limit is lower than what it had held already.
            draft.fell(hit.key.pool, fall_cause(draft, hit.key.pool))
    held = min(draft.book.balance(payable), max(-house, 0) * MICROCENTS)
    draft.book.move(payable, HOUSE, held, "correction", commit, ref)
    draft.book.move(PAID, RECOVERABLE, max(paid - amount * MICROCENTS, 0), "correction", commit, ref)
    draft.room = 0
    noted = Act("correction", "", commit, f"{why}: {hit.amount_cents} cents decided anew, {amount} stand")
    return replace(
        hit,
        amount_cents=amount,
        from_pool_cents=from_pool,
        topup_cents=topup,
        bonus_cents=bonus,
        acts=(*hit.acts, noted),
    )


def _correction(why: Malfunction, what: str, cents: int) -> Fact:
    return Fact("correction", figures={"why": why.value, "what": what, "cents": cents})


def _same_hits(anew: StoredAnswer, told: RecordAnswer) -> None:
    """Pass an answer that tells of the round's own hits, all of them, in amounts that add up; raises Undecided."""
    lines = anew.awards if isinstance(anew, RecordAnswer) else []
    own, named = sorted(line.hit for line in lines), sorted(line.hit for line in told.awards)
    if own != named:
        raise _no(
            Refusal.NO_SUCH_HIT, f"told of {' '.join(named) or 'no hit'}, the cards make {' '.join(own) or 'none'}"
        )
    for line in told.awards:
        if line.amount_cents != line.from_pool_cents + line.topup_cents + line.bonus_cents:
            raise _no(Refusal.RECORD_WRONG, f"{line.hit} amount_cents {line.amount_cents}: its parts are not that")


def _agreed(answer: StoredAnswer) -> StoredAnswer:
    """Return what the ledger can still do; raises Undecided where it says no to what was done before."""
    if isinstance(answer, RefusedAnswer):
        raise Undecided(REFUSALS[answer.code], answer)
    return answer


def _two(by: str, second: str) -> RefusedAnswer | None:
    wrong = people_refused([by, second])
    return None if wrong is None else refused(*wrong)


def _no(refusal: Refusal, value: str) -> Undecided:
    return Undecided(refusal, refused(refusal, value))
