"""What becomes of commands: the one place where a chain's state, its answers and its money come from (PROTOCOL 3, 4).

Pure: the same state, commands and time give the same batch, byte for byte. The server calls it before it posts; the
audit calls it again years later. A version is never changed once it has posted: a new one is added beside it.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import msgspec

from jackpot.core import (
    decide_amends,
    decide_corrections,
    decide_hits,
    decide_link,
    decide_orders,
    decide_records,
    decide_recoveries,
    decide_reopened,
    decide_tables,
    decide_wagers,
)
from jackpot.core.accounts import BrokenInvariant
from jackpot.core.amendments import (
    CorrectRecorded,
    DecideOrder,
    RecordTyped,
    Recovered,
    VoidOpen,
    VoidRecorded,
)
from jackpot.core.calendar import gaming_month
from jackpot.core.chain import Body, BodyCommand, BodyEntry, Head, digest, encode_body
from jackpot.core.commands import (
    Admit,
    Command,
    Connect,
    Enrol,
    MoveHit,
    NewTerms,
    OpenLink,
    OpenSite,
    RegisterLink,
    Word,
    hold_readable,
)
from jackpot.core.facts import Fact
from jackpot.core.lives import MeterShown, PaidBefore, Reopened
from jackpot.core.ports import Batch, Known, Reply
from jackpot.core.state import NEWEST, CommandRow, Draft, Journal, LinkState
from jackpot.core.verdicts import Undecided, refused
from jackpot.wire.codec import encode
from jackpot.wire.messages import HitNow, Receipt, RefusedAnswer, RoundNow, Void, Wagers, Withdraw
from jackpot.wire.refusals import REFUSALS, Refusal
from rules.progressive import ImpossibleAward
from rules.records import RoundRecord

VERSION = NEWEST
"""The decide version of this module; it stands in every batch it made. 2 is 1 with the acts that amend a round.

3 is 2 with the falls of each pool noted, so that a wager goes back from a meter which its winners gave back; a share
that a pool keeps (`rejected_share`) or a fund has is no other winner's, whoever falls away after it; a dispute about
the order is of one pool and of the awards it began with, and holds what another one holds already; a prize that comes
to what was paid of it by a decided order is paid; what the shares of those who stay take, a bonus of theirs gives back
to its pool; a jackpot without its round's own wagers (`meter_includes_this_round`) leaves out those in its meter, in
the order that holds; a fund is told how much of its prize had been paid; the share of a void seat that a fund or a pool
has is told with its round, however long ago; and a spool whose journal is granted again by a reopening is held to no
connection number of the spool before.
"""
NO_MONTH = "0000-00"
"""The month of commands that are of no round, so that no key of a command has an empty column."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What was decided: the state after, the batch to write (None where nothing is), a reply a command, what happened.

    `aside` names, by position, commands whose decision failed, with the error; their replies are `kept_aside`.
    """

    state: LinkState
    batch: Batch | None
    replies: tuple[Reply, ...]
    facts: tuple[Fact, ...]
    aside: Mapping[int, str]


def decide_all(
    state: LinkState,
    commands: Sequence[Command],
    known: Mapping[str, Known],
    time_us: int,
    *,
    version: int = VERSION,
) -> Decision:
    """Decide commands one at a time, in order, and make the batch of them.

    `known` is what the ledger already holds under their ids. `time_us` is microseconds since 1970 UTC; a batch is never
    before the last one. `version` stands in the batch: an older one's batches are decided again under its own.

    **Always** one reply a command, in the same order; the same id the same answer.
    **Never** changes `state`; never lets one command's failure touch another's.
    Raises BrokenInvariant when something that cannot be true is: the link stops.
    """
    aside: dict[int, str] = {}
    while True:
        run = _Run(state, known, max(time_us, state.head.time_us), version)
        failed = run.all(commands, aside)
        if failed is None:
            return run.decision(aside)
        aside[failed[0]] = failed[1]


class _Run:
    """One pass over the commands; begun again without a command that fails."""

    def __init__(self, state: LinkState, known: Mapping[str, Known], time_us: int, version: int) -> None:
        self.version = version
        self.draft = Draft(state, time_us, version)
        if state.terms is not None:
            self.draft.month = gaming_month(state.terms.terms, time_us)
        self.known = known
        self.fresh: dict[str, tuple[bytes, bytes, int]] = {}
        self.rows: list[CommandRow] = []
        self.body: list[BodyCommand] = []
        self.replies: list[tuple[Command, bytes, int, Receipt | None, Refusal | None]] = []
        self.facts: list[Fact] = []

    def all(self, commands: Sequence[Command], aside: Mapping[int, str]) -> tuple[int, str] | None:
        """Decide all but those set aside; return the position and the error of the first that fails."""
        for position, command in enumerate(commands):
            if position in aside:
                self.replies.append((command, b"", 0, None, Refusal.KEPT_ASIDE))
                continue
            try:
                self.one(command)
            except (BrokenInvariant, ImpossibleAward) as broken:
                raise BrokenInvariant(f"{command.id}: {broken}") from broken
            except Exception as error:  # noqa: BLE001 - whatever it is, it sets this command alone aside (PROTOCOL 3)
                return position, f"{type(error).__name__}: {error}"
        return None

    def one(self, command: Command) -> None:
        """Decide one command: a repeat is answered as the first time, all else is decided and stored."""
        sha256 = hashlib.sha256(command.said).digest()
        before = self._before(command)
        if before is not None:
            first, answer, commit, receipt = before
            if first == sha256:
                self.replies.append((command, answer, commit, receipt, None))
                return
            self.facts.append(
                Fact("id_reused", command.table, command.round, {"first": first.hex(), "second": sha256.hex()})
            )
            self.replies.append((command, encode(refused(Refusal.ID_REUSED)), commit, receipt, None))
            return
        draft = self.draft
        draft.commit += 1
        try:
            answer_struct = _decide(draft, command, self.facts)
        except Undecided as undecided:
            draft.commit -= 1
            self.facts.append(Fact("refused", command.table, command.round, {"code": undecided.refusal.code}))
            answer = encode(undecided.answer) if undecided.answer is not None else b""
            later = None if answer else undecided.refusal
            # What is not stored has no commit of its own: its receipt is the head it was worked out from.
            self.replies.append((command, answer, 0, _receipt(draft.state.head) if answer else None, later))
            return
        answer = encode(answer_struct)
        self.fresh[command.id] = (sha256, answer, draft.commit)
        self.rows.append(CommandRow(command.id, command.month or NO_MONTH, draft.commit, len(self.rows), sha256))
        self.body.append(BodyCommand(draft.commit, command.id, msgspec.Raw(command.raw), msgspec.Raw(answer)))
        self.replies.append((command, answer, draft.commit, None, None))

    def _before(self, command: Command) -> tuple[bytes, bytes, int, Receipt | None] | None:
        fresh = self.fresh.get(command.id)
        if fresh is not None:
            return (*fresh, None)
        known = self.known.get(command.id)
        return None if known is None else (known.sha256, known.answer, known.receipt.commit, known.receipt)

    def decision(self, aside: Mapping[int, str]) -> Decision:
        """Make the batch and the replies of what was decided."""
        draft, head = self.draft, self.draft.state.head
        batch = self._batch() if self.rows else None
        at = head.digest if batch is None else batch.digest
        state = draft.state
        if batch is not None:
            state = draft.after(Head(batch.batch, batch.digest, draft.commit, batch.generation, batch.time_us))
        replies = tuple(
            Reply(
                command.id,
                answer,
                receipt or (Receipt(draft.generation, commit, at.hex()) if answer else None),
                later,
                hits_now(draft, command.table),
                *(_last_round(draft, command.table) if isinstance(command.message, Connect) else ()),
            )
            for command, answer, commit, receipt, later in self.replies
        )
        return Decision(state, batch, replies, tuple(self.facts), dict(aside))

    def _batch(self) -> Batch:
        draft, head = self.draft, self.draft.state.head
        rows = draft.rows(tuple(self.rows))
        body = encode_body(
            Body(
                chain=draft.state.chain,
                batch=head.batch + 1,
                time_us=draft.time_us,
                generation=draft.generation,
                decide=self.version,
                commands=self.body,
                entries=[
                    BodyEntry(e.account, e.version, str(e.amount), str(e.balance_after), e.cause, e.commit, e.ref)
                    for e in rows.entries
                ],
                hits=draft.body_hits(),
            )
        )
        if sum(entry.amount for entry in rows.entries):
            raise BrokenInvariant(f"batch {head.batch + 1}: its entries do not sum to nought")
        return Batch(
            chain=draft.state.chain,
            batch=head.batch + 1,
            time_us=draft.time_us,
            generation=draft.generation,
            decide=self.version,
            first_commit=head.commit + 1,
            last_commit=draft.commit,
            previous=head.digest,
            digest=digest(head.digest, body),
            body=body,
            rows=rows,
        )


def _receipt(head: Head) -> Receipt:
    return Receipt(head.generation, head.commit, head.digest.hex())


def hits_now(draft: Draft, table: str) -> tuple[HitNow, ...]:
    """Return a table's open hits as they are now, for the envelope of an answer."""
    keys = draft.open_hits.get(table)
    if not keys:
        return ()
    found = (draft.hits[key] for key in sorted(keys))
    return tuple(HitNow(str(hit.key), hit.prize, hit.state, hit.amount_cents) for hit in found)


def _last_round(draft: Draft, table: str) -> tuple[RoundNow | None, str]:
    """Return how the last round of a table's journal stands now, and the gaming month that it is of."""
    journal = _journal_of(draft, table)
    return round_now(draft, table), "" if journal is None else journal.month


def _journal_of(link: Draft | LinkState, table: str) -> Journal | None:
    """Return the journal that a table writes now; None before its first."""
    own = link.tables.get(table)
    return None if own is None else link.journals.get((table, own.journal))


def round_now(link: Draft | LinkState, table: str) -> RoundNow | None:
    """Return how the last round of a table's journal stands now; None before its first."""
    journal = _journal_of(link, table)
    if journal is None or not journal.highest:
        return None
    opened = link.rounds.get((table, journal.journal, journal.highest))
    if opened is None:
        return RoundNow(journal.journal, journal.highest, "voided" if journal.ended_as == "voided" else "recorded")
    state: Literal["open", "withdrawn"] = "withdrawn" if opened.withdrawn else "open"
    return RoundNow(journal.journal, journal.highest, state, sorted(opened.accepted))


def _decide(draft: Draft, command: Command, facts: list[Fact]) -> msgspec.Struct:
    """Decide a new command; raises Undecided for what is not to be stored, FrameError for what cannot be read again."""
    hold_readable(command)
    if command.handed_in is not None:
        return decide_reopened.handed_in(draft, command, command.handed_in, facts)
    match command.message:
        case Wagers():
            return decide_wagers.wagers(draft, command.message, facts)
        case RoundRecord():
            return decide_records.record(draft, command.message, facts)
        case Withdraw():
            return decide_wagers.withdraw(draft, command.message, facts)
        case Void():
            return decide_wagers.void(draft, command.message, facts)
        case Connect():
            return decide_tables.connect(draft, command.message, facts)
    answer = _decide_act(draft, command, facts)
    if isinstance(answer, RefusedAnswer):
        # It changed nothing, and its id (the next version of the terms, say) must stay free for what people mean.
        raise Undecided(REFUSALS[answer.code], answer)
    return answer


def _decide_act(draft: Draft, command: Command, facts: list[Fact]) -> msgspec.Struct:
    """Decide what people ask at the server."""
    match command.message:
        case MoveHit():
            return decide_hits.move(draft, command.message, facts)
        case VoidRecorded():
            return decide_amends.void_recorded(draft, command.message, facts)
        case VoidOpen():
            return decide_amends.void_open(draft, command.message, facts)
        case CorrectRecorded():
            return decide_corrections.correct_recorded(draft, command.message, facts)
        case RecordTyped():
            return decide_records.record_typed(draft, command.message, facts)
        case Recovered():
            return decide_recoveries.recovered(draft, command.message, facts)
        case DecideOrder():
            return decide_orders.decide_order(draft, command.message, facts)
        case Reopened():
            return decide_reopened.reopened(draft, command.message, facts)
        case PaidBefore():
            return decide_reopened.paid_before(draft, command.message, facts)
        case MeterShown():
            return decide_reopened.meter_shown(draft, command.message, facts)
        case Admit():
            return decide_tables.admit(draft, command.message)
        case Word():
            return decide_tables.word(draft, command.message)
        case OpenLink():
            return decide_link.open_link(draft, command.message)
        case NewTerms():
            return decide_link.new_terms(draft, command.message)
        case OpenSite() | RegisterLink() | Enrol():
            return decide_link.site(draft, command.message)
        case _:
            return refused(Refusal.NOT_HERE)
