"""What becomes of a round's jackpot wagers, of a withdrawal, and of a void before the record (PROTOCOL 2, 3).

This is the path every qualifying wager takes: seats that are split alike share one split, worked out once per batch.
"""

from collections.abc import Sequence

import msgspec

from jackpot.core.accounts import HOUSE, MICROCENTS, RESERVE, RETAINED, WAGERS, overflow_account, pool_account
from jackpot.core.facts import Fact
from jackpot.core.reading import not_awarded, prizes_seen
from jackpot.core.reversals import reverse
from jackpot.core.state import LINKED, Draft, Journal, OpenRound, Run, TermsInForce
from jackpot.core.verdicts import Undecided, refused
from jackpot.wire.ids import NO_SEAT
from jackpot.wire.messages import (
    RefusedAnswer,
    SeatAnswer,
    SeatWager,
    Void,
    VoidAnswer,
    Wagers,
    WagersAnswer,
    Withdraw,
    WithdrawAnswer,
)
from jackpot.wire.refusals import Refusal
from jackpot.wire.settings import table_settings
from rules.records import RoundRecord
from rules.splitting import UNLIMITED, split_wager
from rules.terms import Terms

SEATS = 9
"""A layout has no more seats than this; an approved table usually has seven."""
_EVERY = frozenset(range(1, SEATS + 1))
_GREEN = tuple(SeatAnswer(seat, accepted=True) for seat in range(SEATS + 1))


def wagers(draft: Draft, message: Wagers, facts: list[Fact]) -> WagersAnswer | RefusedAnswer:
    """Decide the jackpot wagers of a round, seat by seat (5.4, 11.1, 5.9).

    **Always** opens the round, refused or not: its number is used up, and its record ends it.
    **Never** accepts a wager whose round is recorded, voided, withdrawn or overtaken (5.7), or of other terms (11.9).
    """
    terms = draft.terms
    journal = journal_of(draft, message.table, message.journal)
    if terms is None:
        return refused(Refusal.NOT_ENROLLED)
    refusal = _refusal(draft, message, terms, journal)
    if refusal is not None:
        answer = refused(refusal)
        if message.round > journal.highest:
            # Terms or a month that the link does not know must not be what the round's record is held against later.
            month = max(journal.month, message.month)
            begin(draft, facts, journal, month, message.round, terms.fingerprint)
        facts.append(Fact("refused", message.table, message.round, {"code": answer.code}))
        return answer
    answers, accepted = _seats(message, terms.terms, table_settings(draft.tables[message.table].settings).seats, facts)
    main = draft.pools[terms.terms.pools[0].name]
    stale = message.shown.epoch != main.epoch or message.shown.generation != draft.generation
    runs = _take(draft, terms, accepted) if accepted else ()
    opened = begin(draft, facts, journal, message.month, message.round, message.terms, runs, stale_display=stale)
    draft.wagers.add(opened)
    if accepted:
        cents = terms.terms.qualifying_wager_cents * len(accepted)
        facts.append(Fact("accepted", message.table, message.round, {"seats": len(accepted), "cents": cents}))
    if stale:
        facts.append(Fact("stale_display", message.table, message.round))
    return WagersAnswer(answers, stale)


def stand(draft: Draft, message: Wagers, told: WagersAnswer, facts: list[Fact]) -> None:
    """Open a round with the seats that were accepted when its wagers were answered in a lost life of the ledger.

    Raises Undecided where the round is on record already, its terms are not the link's, or the answer is no answer to
    these wagers.
    """
    terms, journal = draft.terms, journal_of(draft, message.table, message.journal)
    if terms is None or message.terms != terms.fingerprint:
        raise Undecided(Refusal.OTHER_TERMS, refused(Refusal.OTHER_TERMS, message.terms))
    refusal = late(draft, journal, message.round)
    if refusal is not None:
        raise Undecided(refusal, refused(refusal))
    runs = _take(draft, terms, _accepted_then(message, told))
    stale, fingerprint = told.stale_display, message.terms
    opened = begin(draft, facts, journal, message.month, message.round, fingerprint, runs, stale_display=stale)
    draft.wagers.add(opened)


def _accepted_then(message: Wagers, told: WagersAnswer) -> list[SeatWager]:
    """Return the wagers that were accepted, each by the answer of its own seat.

    Of two wagers on one seat each has an answer, in their order, and one at most was accepted (5.9).
    """
    wagered, answered = (sorted(each.seat for each in seats) for seats in (message.seats, told.seats))
    if wagered != answered:
        of = f"told of seats {' '.join(map(str, answered))}, wagered {' '.join(map(str, wagered))}"
        raise Undecided(Refusal.NO_SUCH_SEAT, refused(Refusal.NO_SUCH_SEAT, of))
    answers: dict[int, list[bool]] = {}
    for each in told.seats:
        answers.setdefault(each.seat, []).append(each.accepted)
    twice = next((seat for seat, said in answers.items() if said.count(True) > 1), None)
    if twice is not None:
        raise Undecided(Refusal.SEAT_TWICE, refused(Refusal.SEAT_TWICE, f"seat {twice}"))
    return [wager for wager in message.seats if answers[wager.seat].pop(0)]


def journal_of(draft: Draft, table: str, number: int) -> Journal:
    """Return the journal a message was written in; raises Undecided for a table or journal the link does not know.

    Nothing is stored then: the id may come to have a place, after the table is enrolled or the ledger has caught up.
    """
    journal = draft.journals.get((table, number))
    if journal is None:
        raise Undecided(Refusal.UNKNOWN_JOURNAL if table in draft.tables else Refusal.NOT_ENROLLED)
    return journal


def late(draft: Draft, journal: Journal, round_no: int) -> Refusal | None:
    """Return why a round can take no wagers any more, or None while it is new (5.7)."""
    if round_no > journal.highest:
        return None
    opened = draft.rounds.get((journal.table, journal.journal, round_no))
    if opened is not None:
        return Refusal.ROUND_WITHDRAWN if opened.withdrawn else Refusal.WAGERS_TWICE
    if round_no == journal.ended:
        return Refusal.ROUND_VOIDED if journal.ended_as == "voided" else Refusal.ROUND_RECORDED
    return Refusal.ROUND_OVERTAKEN if round_no < journal.highest else Refusal.TOO_OLD


def begin(
    draft: Draft,
    facts: list[Fact],
    journal: Journal,
    month: str,
    round_no: int,
    terms: str,
    runs: tuple[Run, ...] = (),
    *,
    withdrawn: bool = False,
    stale_display: bool = False,
) -> OpenRound:
    """Open a round that is above the journal's highest; numbers left out on the way are told as a gap."""
    if round_no > journal.highest + 1:
        facts.append(Fact("gap", journal.table, round_no, {"missing": round_no - journal.highest - 1}))
    pools = draft.terms.terms.pools if draft.terms else ()
    opened = OpenRound(
        journal.table,
        journal.journal,
        round_no,
        month,
        terms,
        draft.commit,
        draft.time_us,
        runs,
        tuple([draft.pools[pool.name].epoch for pool in pools]),
        withdrawn,
        stale_display,
    )
    draft.put_round(opened)
    month = max(journal.month, month)
    draft.put_journal(
        Journal(journal.table, journal.journal, journal.spool, round_no, month, journal.ended, journal.ended_as)
    )
    return opened


def begin_unseen(
    draft: Draft,
    facts: list[Fact],
    journal: Journal,
    message: Withdraw | Void | RoundRecord,
    *,
    withdrawn: bool = False,
) -> OpenRound:
    """Open a round whose wagers were never seen, so that it can be ended; they are refused from then on.

    Raises Undecided for a gaming month that has not begun.
    """
    month = str(message.month)
    if month > draft.month:
        raise Undecided(Refusal.MONTH_AHEAD)
    fingerprint = draft.terms.fingerprint if draft.terms else ""
    return begin(draft, facts, journal, month, message.round or 0, fingerprint, withdrawn=withdrawn)


def _refusal(draft: Draft, message: Wagers, terms: TermsInForce, journal: Journal) -> Refusal | None:
    """Return the first reason, in the order of precedence, why no seat of these wagers can be accepted."""
    table = draft.tables[message.table]
    if table.journal != message.journal:
        return Refusal.WRONG_JOURNAL
    refusal = late(draft, journal, message.round)
    if refusal is not None:
        return refusal
    if message.revision != 1:
        return Refusal.WAGERS_TWICE
    if message.month != journal.month:
        if message.month > draft.month:
            return Refusal.MONTH_AHEAD
        if message.month < journal.month:
            return Refusal.WRONG_MONTH
    if table.status != LINKED:
        return Refusal.TABLE_CLOSED
    if message.terms != terms.fingerprint:
        return Refusal.OTHER_TERMS
    if draft.in_play.get(message.table):
        return Refusal.ROUND_OPEN
    return Refusal.HIT_OPEN if draft.open_hits.get(message.table) else None


def _seats(message: Wagers, terms: Terms, seats: int, facts: list[Fact]) -> tuple[list[SeatAnswer], list[SeatWager]]:
    """Return an answer a seat, and the seats accepted."""
    answers: list[SeatAnswer] = []
    accepted: list[SeatWager] = []
    taken: set[int] = set()
    price = terms.qualifying_wager_cents
    for wager in message.seats:
        seat = wager.seat
        if (
            wager.jackpot_cents == price
            and wager.sensor_cents == price
            and wager.ante_cents > 0
            and 1 <= seat <= seats
            and seat not in taken
        ):
            taken.add(seat)
            accepted.append(wager)
            answers.append(_GREEN[seat])
            continue
        refusal, value = _seat_refused(wager, taken, seats, price)
        answers.append(SeatAnswer(seat, accepted=False, refusal=refusal.code, rule=refusal.rule, value=value))
        figures = {"code": refusal.code, "seat": seat, "value": value}
        facts.append(Fact("seat_refused", message.table, message.round, figures))
    return answers, accepted


def _seat_refused(wager: SeatWager, taken: set[int], seats: int, price: int) -> tuple[Refusal, str]:
    if wager.seat in taken:
        return Refusal.SEAT_TWICE, f"seat {wager.seat}"
    if not 1 <= wager.seat <= seats:
        return Refusal.NO_SUCH_SEAT, f"seat {wager.seat}"
    if wager.ante_cents <= 0:
        return Refusal.NO_ANTE, f"ante_cents {wager.ante_cents}"
    if wager.jackpot_cents != price:
        return Refusal.NOT_QUALIFYING_WAGER, f"jackpot_cents {wager.jackpot_cents}"
    return Refusal.SENSOR_DIFFERS, f"sensor_cents {wager.sensor_cents}"


def part_accounts(terms: Terms) -> tuple[str, ...]:
    """Return the accounts a wager's parts go to, in the order in which its row names them."""
    pools = [pool.name for pool in terms.pools]
    return (*map(pool_account, pools), *map(overflow_account, pools), RESERVE, RETAINED)


def _take(draft: Draft, terms: TermsInForce, accepted: Sequence[SeatWager]) -> tuple[Run, ...]:
    """Split each accepted wager into its accounts; return them in runs of seats that were split alike."""
    runs = []
    left = accepted
    while left:
        if not draft.room:
            _split_anew(draft, terms.terms)
        taken, left = left[: draft.room], left[draft.room :]
        draft.room -= len(taken)
        run = Run(
            tuple([wager.seat for wager in taken]),
            terms.terms.qualifying_wager_cents,
            draft.split,
            tuple([wager.tender for wager in taken]),
        )
        _credit(draft, terms, run)
        runs.append(run)
    return tuple(runs)


def _split_anew(draft: Draft, terms: Terms) -> None:
    """Work out how a wager is split as the accounts stand, and for how many in a row that holds.

    No account moves by more than its part, so it holds until a part would pass the room that a limit leaves. An account
    that is full takes nothing, and goes on taking nothing.
    """
    meters = {pool.name: draft.book.balance(pool_account(pool.name)) for pool in terms.pools}
    reserve = draft.book.balance(RESERVE)
    split = split_wager(terms, meters, reserve)
    limits = [(pool.limit_cents, meters[pool.name]) for pool in terms.pools]
    parts = zip((*split.pools, split.reserve), (*limits, (terms.reserve.limit_cents, reserve)), strict=True)
    rooms = [
        (limit_cents * MICROCENTS - held) // part
        for part, (limit_cents, held) in parts
        if part and limit_cents is not None
    ]
    draft.split = (*split.pools, *split.overflow, split.reserve, split.retained)
    draft.room = min(rooms, default=UNLIMITED)
    draft.credits = {}


def _credit(draft: Draft, terms: TermsInForce, run: Run) -> None:
    """Enter a run; what one of so many seats moves is worked out once a split, since most tables play alike."""
    like = (len(run.seats), run.tenders.count("token"))
    if like not in draft.credits:
        draft.credits[like] = _moved(terms.terms, run, *like)
    draft.book.run(draft.credits[like], draft.commit)


def _moved(terms: Terms, run: Run, seats: int, tokens: int) -> dict[str, int]:
    """Return what a run moves on each account, microcents."""
    parts = {account: part * seats for account, part in zip(part_accounts(terms), run.parts, strict=True) if part}
    price = run.wager_cents * MICROCENTS
    # A promotional token brings no money: the house pays in the whole wager (RULINGS, token_on_win).
    if seats > tokens:
        parts[WAGERS] = -price * (seats - tokens)
    if tokens:
        parts[HOUSE] = parts.get(HOUSE, 0) - price * tokens
    return parts


def withdraw(draft: Draft, message: Withdraw, facts: list[Fact]) -> WithdrawAnswer | RefusedAnswer:
    """Take a round's jackpot seats out; what had been accepted is reversed as by a void; the round plays on.

    **Always** accepted for a round never seen: its wagers are refused from then on.
    """
    journal = journal_of(draft, message.table, message.journal)
    opened = draft.rounds.get((message.table, message.journal, message.round))
    if opened is None:
        refusal = late(draft, journal, message.round)
        if refusal is not None:
            return refused(Refusal.TOO_OLD if refusal is Refusal.ROUND_OVERTAKEN else refusal)
        opened = begin_unseen(draft, facts, journal, message, withdrawn=True)
    seats, moved = reverse(draft, opened, opened.accepted, _ref(message))
    draft.put_round(msgspec.structs.replace(opened, runs=(), withdrawn=True))
    facts.append(Fact("withdrawn", message.table, message.round, {"seats": len(seats), "reason": message.reason}))
    return WithdrawAnswer(seats, moved)


def void(draft: Draft, message: Void, facts: list[Fact]) -> VoidAnswer | RefusedAnswer:
    """Declare a round, or the seats named, void before its record: accepted wagers go back (14.4, 14.8, 14.9, 15.2).

    **Always** accepted for a round never seen: its wagers are refused from then on. Once a round is recorded two people
    must act together, which is not offered here.
    """
    journal = journal_of(draft, message.table, message.journal)
    key = (message.table, message.journal, message.round)
    opened = draft.rounds.get(key)
    if opened is None:
        refusal = late(draft, journal, message.round)
        if refusal in {Refusal.ROUND_VOIDED, Refusal.ROUND_RECORDED}:
            # People ended it and had not seen its hands: its table tells them, in a second word or a void of its own.
            _tell_prizes(draft, message, frozenset(message.seats) - {NO_SEAT} or _EVERY, facts)
        if refusal is Refusal.ROUND_VOIDED:
            return refused(refusal)
        if refusal is not None:
            return refused(Refusal.NOT_OFFERED if message.second else Refusal.TOO_OLD)
        opened = begin_unseen(draft, facts, journal, message)
    named = frozenset(message.seats) or opened.accepted
    returns = draft.older[opened.terms].terms.rulings.void_returns_jackpot
    seats, moved = reverse(draft, opened, named & opened.accepted, _ref(message)) if returns else ([], [])
    if message.seats:
        left = tuple([kept for run in opened.runs if (kept := run_without(run, named)).seats])
        draft.put_round(msgspec.structs.replace(opened, runs=left))
    else:
        draft.end_round(key, "voided", opened.month)
    if message.revision == 1 or message.second:
        facts.append(Fact("voided", message.table, message.round, {"seats": len(seats), "rule": message.rule}))
    # A second word tells the hands of seats that are out of play already (PROTOCOL 2), or that people have ended.
    second = _EVERY if NO_SEAT in named else named
    _tell_prizes(draft, message, second if message.revision > 1 else named & opened.accepted, facts)
    return VoidAnswer(seats, moved)


def _tell_prizes(draft: Draft, message: Void, seats: frozenset[int], facts: list[Fact]) -> None:
    """Tell of prizes that the hands of these seats show: nobody wins by a void, but people look at it."""
    key = (message.table, message.journal, message.round)
    hits = [hit for hit in draft.hits.values() if hit.key[:3] == key]
    prizes = not_awarded(prizes_seen(message.cards_seen, seats), hits)
    if prizes:
        figures = {"prizes": prizes, "rule": message.rule}
        facts.append(Fact("prize_voided", message.table, message.round, figures))


def _ref(message: Withdraw | Void) -> str:
    return f"{message.table}/{message.journal}/{message.round}"


def run_without(run: Run, seats: frozenset[int]) -> Run:
    """Return a run without the seats named."""
    kept = [place for place, seat in enumerate(run.seats) if seat not in seats]
    return Run(
        tuple(run.seats[place] for place in kept),
        run.wager_cents,
        run.parts,
        tuple(run.tenders[place] for place in kept),
    )
