"""What becomes of a round's jackpot wagers, of a withdrawal, and of a void before the record (PROTOCOL 2, 3).

This is the path every qualifying wager takes: seats far from any limit share one split, worked out once per batch.
"""

from collections.abc import Sequence

from jackpot.core.accounts import HOUSE, MICROCENTS, RESERVE, RETAINED, WAGERS, overflow_account, pool_account
from jackpot.core.facts import Fact
from jackpot.core.reversals import reverse
from jackpot.core.state import LINKED, Draft, Journal, OpenRound, Run, TermsInForce
from jackpot.core.verdicts import refused
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
from rules.splitting import Split, headroom, plain_split, split_wager
from rules.terms import Terms

SEATS = 9
"""A layout has no more seats than this; an approved table usually has seven."""
_GREEN = tuple(SeatAnswer(seat, accepted=True) for seat in range(SEATS + 1))


def wagers(draft: Draft, message: Wagers, facts: list[Fact]) -> WagersAnswer | RefusedAnswer:
    """Decide the jackpot wagers of a round, seat by seat (5.4, 11.1, 5.9).

    **Always** opens the round, refused or not: its number is used up, and its record ends it.
    **Never** accepts a wager whose round is recorded, voided, withdrawn or overtaken (5.7), or of other terms (11.9).
    """
    terms = draft.terms
    key = (message.table, message.journal, message.round)
    journal = draft.journals.get(key[:2])
    if terms is None or journal is None:
        return refused(Refusal.NOT_ENROLLED)
    refusal = late(draft, journal, message.round, message.revision) or _closed(draft, message, terms, journal)
    if refusal is not None and message.round <= journal.highest:
        return refused(refusal)
    answer = refused(refusal) if refusal is not None else None
    if message.round > journal.highest + 1:
        facts.append(Fact("gap", message.table, message.round, {"missing": message.round - journal.highest - 1}))
    if answer is not None:
        # Neither terms nor a month that the link does not know may be what the round's record is held against later.
        month = max(journal.month, draft.month) if refusal is Refusal.WRONG_MONTH else message.month
        begin(draft, journal, month, message.round, terms.fingerprint)
        facts.append(Fact("refused", message.table, message.round, {"code": answer.code}))
        return answer
    answers, accepted = _seats(message.seats, terms.terms, facts, message)
    main = draft.pools[terms.terms.pools[0].name]
    stale = message.shown.epoch != main.epoch or message.shown.generation != draft.state.head.generation
    runs = _take(draft, terms, accepted) if accepted else ()
    opened = begin(draft, journal, message.month, message.round, message.terms, runs, stale_display=stale)
    draft.wagers.add(opened)
    if accepted:
        cents = terms.terms.qualifying_wager_cents * len(accepted)
        facts.append(Fact("accepted", message.table, message.round, {"seats": len(accepted), "cents": cents}))
    if stale:
        facts.append(Fact("stale_display", message.table, message.round))
    return WagersAnswer(answers, stale)


def late(draft: Draft, journal: Journal, round_no: int, revision: int = 1) -> Refusal | None:
    """Return why a round can take no wagers any more, or None while it is new (5.7)."""
    if round_no > journal.highest:
        return Refusal.WAGERS_TWICE if revision != 1 else None
    opened = draft.rounds.get((journal.table, journal.journal, round_no))
    if opened is not None:
        return Refusal.ROUND_WITHDRAWN if opened.withdrawn else Refusal.WAGERS_TWICE
    if round_no == journal.ended:
        return Refusal.ROUND_VOIDED if journal.ended_as == "voided" else Refusal.ROUND_RECORDED
    return Refusal.ROUND_OVERTAKEN if round_no < journal.highest else Refusal.TOO_OLD


def begin(
    draft: Draft,
    journal: Journal,
    month: str,
    round_no: int,
    terms: str,
    runs: tuple[Run, ...] = (),
    *,
    withdrawn: bool = False,
    stale_display: bool = False,
) -> OpenRound:
    """Open a round that is above the journal's highest."""
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
        tuple(draft.pools[pool.name].epoch for pool in pools),
        withdrawn,
        stale_display,
    )
    draft.put_round(opened)
    draft.put_journal(
        Journal(journal.table, journal.journal, journal.spool, round_no, month, journal.ended, journal.ended_as)
    )
    return opened


def month_refused(draft: Draft, journal: Journal, month: str) -> bool:
    """Say whether a new round cannot be of this gaming month: in the future, or before the journal's last."""
    return month > draft.month or month < journal.month


def _closed(draft: Draft, message: Wagers, terms: TermsInForce, journal: Journal) -> Refusal | None:
    table = draft.tables[message.table]
    if table.journal != message.journal:
        return Refusal.WRONG_JOURNAL
    if month_refused(draft, journal, message.month):
        return Refusal.WRONG_MONTH
    if table.status != LINKED:
        return Refusal.TABLE_CLOSED
    if message.terms != terms.fingerprint:
        return Refusal.OTHER_TERMS
    if message.table in draft.in_play:
        return Refusal.ROUND_OPEN
    return Refusal.HIT_OPEN if draft.open_hits.get(message.table) else None


def _seats(
    seats: Sequence[SeatWager], terms: Terms, facts: list[Fact], message: Wagers
) -> tuple[list[SeatAnswer], list[SeatWager]]:
    """Return an answer a seat, and the seats accepted."""
    answers: list[SeatAnswer] = []
    accepted: list[SeatWager] = []
    taken: set[int] = set()
    price = terms.qualifying_wager_cents
    for wager in seats:
        seat = wager.seat
        if (
            wager.jackpot_cents == price
            and wager.sensor_cents == price
            and wager.ante_cents > 0
            and 1 <= seat <= SEATS
            and seat not in taken
        ):
            taken.add(seat)
            accepted.append(wager)
            answers.append(_GREEN[seat])
            continue
        refusal, value = _seat_refused(wager, taken, price)
        answers.append(SeatAnswer(seat, accepted=False, refusal=refusal.code, rule=refusal.rule, value=value))
        figures = {"code": refusal.code, "seat": seat, "value": value}
        facts.append(Fact("seat_refused", message.table, message.round, figures))
    return answers, accepted


def _seat_refused(wager: SeatWager, taken: set[int], price: int) -> tuple[Refusal, str]:
    if wager.seat in taken:
        return Refusal.SEAT_TWICE, f"seat {wager.seat}"
    if not 1 <= wager.seat <= SEATS:
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
    """Split each accepted wager into its accounts and its row; return them in runs of like seats."""
    room = draft.room
    if room < len(accepted):
        room = headroom(terms.terms, _meters(draft, terms.terms), draft.book.balance(RESERVE))
    if room >= len(accepted):
        draft.room = room - len(accepted)
        runs: tuple[Run, ...] = (_run(terms, plain_split(terms.terms), accepted),)
        _credit(draft, terms, runs[0])
    else:
        singles = []
        for wager in accepted:
            split = split_wager(terms.terms, _meters(draft, terms.terms), draft.book.balance(RESERVE))
            run = _run(terms, split, [wager])
            _credit(draft, terms, run)
            singles.append(run)
        runs = tuple(singles)
        draft.room = 0
    return runs


def _meters(draft: Draft, terms: Terms) -> dict[str, int]:
    return {pool.name: draft.book.balance(pool_account(pool.name)) for pool in terms.pools}


def _run(terms: TermsInForce, split: Split, accepted: Sequence[SeatWager]) -> Run:
    return Run(
        tuple(wager.seat for wager in accepted),
        terms.terms.qualifying_wager_cents,
        (*split.pools, *split.overflow, split.reserve, split.retained),
        tuple(wager.tender for wager in accepted),
    )


def _credit(draft: Draft, terms: TermsInForce, run: Run) -> None:
    seats = len(run.seats)
    tokens = run.tenders.count("token")
    parts = {account: part * seats for account, part in zip(part_accounts(terms.terms), run.parts, strict=True) if part}
    price = run.wager_cents * MICROCENTS
    # A promotional token brings no money: the house pays in the whole wager (RULINGS, token_on_win).
    if seats > tokens:
        parts[WAGERS] = -price * (seats - tokens)
    if tokens:
        parts[HOUSE] = parts.get(HOUSE, 0) - price * tokens
    draft.book.run(parts, draft.commit)


def withdraw(draft: Draft, message: Withdraw, facts: list[Fact]) -> WithdrawAnswer | RefusedAnswer:
    """Take a round's jackpot seats out; what had been accepted is reversed as by a void; the round plays on.

    **Always** accepted for a round never seen: its wagers are refused from then on.
    """
    key = (message.table, message.journal, message.round)
    journal = draft.journals.get(key[:2])
    if journal is None:
        return refused(Refusal.NOT_ENROLLED)
    opened = draft.rounds.get(key)
    if opened is None:
        refusal = late(draft, journal, message.round)
        if refusal is not None:
            return refused(refusal)
        if month_refused(draft, journal, message.month):
            return refused(Refusal.WRONG_MONTH, message.month)
        fingerprint = draft.terms.fingerprint if draft.terms else ""
        begin(draft, journal, message.month, message.round, fingerprint, withdrawn=True)
        return WithdrawAnswer([])
    seats, moved = reverse(draft, opened, opened.accepted, f"{message.table}/{message.journal}/{message.round}")
    draft.put_round(replace_runs(opened, (), withdrawn=True))
    facts.append(Fact("withdrawn", message.table, message.round, {"seats": len(seats), "reason": message.reason}))
    return WithdrawAnswer(seats, moved)


def void(draft: Draft, message: Void, facts: list[Fact]) -> VoidAnswer | RefusedAnswer:
    """Declare a round, or the seats named, void before its record: accepted wagers go back (14.4, 14.8, 14.9, 15.2).

    **Always** accepted for a round never seen. Once a round is recorded two people must act together, which is not offered here.
    """
    key = (message.table, message.journal, message.round)
    journal = draft.journals.get(key[:2])
    if journal is None:
        return refused(Refusal.NOT_ENROLLED)
    opened = draft.rounds.get(key)
    if opened is None:
        refusal = late(draft, journal, message.round)
        if refusal is not None:
            return refused(refusal)
        if month_refused(draft, journal, message.month):
            return refused(Refusal.WRONG_MONTH, message.month)
        fingerprint = draft.terms.fingerprint if draft.terms else ""
        opened = begin(draft, journal, message.month, message.round, fingerprint)
    named = frozenset(message.seats) or opened.accepted
    terms = draft.older.get(opened.terms)
    returns = terms is None or terms.terms.rulings.void_returns_jackpot
    ref = f"{message.table}/{message.journal}/{message.round}"
    seats, moved = reverse(draft, opened, named & opened.accepted, ref) if returns else ([], [])
    if message.seats:
        left = tuple(kept for run in opened.runs if (kept := run_without(run, named)).seats)
        draft.put_round(replace_runs(opened, left, withdrawn=opened.withdrawn))
    else:
        draft.end_round(key, "voided", opened.month)
    facts.append(Fact("voided", message.table, message.round, {"seats": len(seats), "rule": message.rule}))
    return VoidAnswer(seats, moved)


def run_without(run: Run, seats: frozenset[int]) -> Run:
    """Return a run without the seats named."""
    kept = [place for place, seat in enumerate(run.seats) if seat not in seats]
    return Run(
        tuple(run.seats[place] for place in kept),
        run.wager_cents,
        run.parts,
        tuple(run.tenders[place] for place in kept),
    )


def replace_runs(opened: OpenRound, runs: tuple[Run, ...], *, withdrawn: bool) -> OpenRound:
    """Return an open round with other accepted seats."""
    return OpenRound(
        opened.table,
        opened.journal,
        opened.round,
        opened.month,
        opened.terms,
        opened.commit,
        opened.time_us,
        runs,
        opened.epochs,
        withdrawn,
        opened.stale_display,
    )
