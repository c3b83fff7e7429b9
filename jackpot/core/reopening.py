"""What is posted when a link is opened again whose ledger went back, in which order, and what people must know first.

Pure: worked out from the restored state, from what tables handed in, and from what was last shown. The list that two
people see is made by the very decisions that are posted when they agree.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import msgspec

from jackpot.core.accounts import BrokenInvariant
from jackpot.core.behind import GoneBack, Mark, missing, not_handed_in
from jackpot.core.calendar import month_begins
from jackpot.core.commands import Command, NewTerms, command_from_table, drafted
from jackpot.core.decide import Decision, decide_all
from jackpot.core.facts import Fact
from jackpot.core.hits import APPROVED, FORFEITED, PAID, REJECTED, RELEASED, VERIFIED
from jackpot.core.left_open import left_open, words_of
from jackpot.core.lives import HandedIn, MeterShown, PaidBefore, Reopened
from jackpot.core.ports import Known
from jackpot.core.state import LinkState
from jackpot.core.void_again import void_again, words_of_void
from jackpot.wire.codec import decode_answer, encode
from jackpot.wire.ids import IdError, parse_hit
from jackpot.wire.messages import HitNow, Receipt, RecordAnswer, RefusedAnswer, Void, Wagers
from jackpot.wire.refusals import Refusal
from rules.terms import Terms, canonical_bytes, fingerprint

CHUNK = 256
"""Commands in a batch of a reopening at most."""
OFFICE = frozenset({VERIFIED, APPROVED, REJECTED, RELEASED, FORFEITED})
"""States that people's acts lead to: where those acts are lost, people make them again."""


@dataclass(frozen=True, slots=True)
class HeldMessage:
    """A message that a table handed in."""

    id: str
    table: str
    receipt: Receipt
    spool: str
    message: bytes
    answer: bytes

    @property
    def place(self) -> tuple[int, int]:
        """Where it stood in the lost life."""
        return self.receipt.generation, self.receipt.commit


@dataclass(frozen=True, slots=True)
class TableHits:
    """What a table knows of its hits: which were open when it was told last, and what the last snapshot showed."""

    table: str
    complete: bool
    open: frozenset[str]
    shown: Mapping[str, HitNow]


@dataclass(frozen=True, slots=True)
class Choices:
    """What two people say: who they are, whom they do not wait for, what stays out, which hits were paid or not."""

    by: str = ""
    second: str = ""
    without: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    paid: tuple[str, ...] = ()
    open: tuple[str, ...] = ()
    terms: tuple[Terms, ...] = ()
    paid_cents: Mapping[str, int] = field(default_factory=dict)
    """How much was paid of those of `paid` that it was another amount of than the ledger or a board has."""


@dataclass(frozen=True, slots=True)
class Lost:
    """All that is known of the life that was lost."""

    evidence: GoneBack | None
    held: Sequence[HeldMessage]
    tables: Sequence[TableHits]
    known: Mapping[str, Known] = field(default_factory=dict)
    """What the restored ledger has under the ids that were handed in."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be posted, batch by batch, and what two people see before they agree."""

    decisions: Sequence[Decision]
    generation: int
    last: Mark
    taken_back: Sequence[HeldMessage]
    missing: Sequence[str]
    waiting: Sequence[str]
    """Tables that have not handed in all they hold."""
    unplayed: Sequence[str]
    """Those of them without a journal where the ledger ends: only the life that was lost can have granted them one."""
    voided: Sequence[str]
    """Seats that are void again by these two people: later answers say so, and nobody holds the word."""
    corrections: Sequence[Fact]
    paid: Sequence[HitNow]
    ask: Sequence[str]
    """Hits that were settled before the ledger went back, and nobody holds how: people must say."""
    office: Sequence[str]
    """What people did and are to do again: hits with the state they had been brought to."""
    wrong: Mapping[str, str]
    """Messages that cannot be taken back, with the reason: they are left out, or the cause is put right."""
    left_out: Sequence[HeldMessage]
    fingerprint: str

    @property
    def obstacles(self) -> Sequence[str]:
        """Why the link cannot be opened yet, each in words."""
        return (
            *not_handed_in(self.waiting, self.unplayed),
            *(f"hit {hit} was settled, and nobody holds whether it was paid: --paid or --open it" for hit in self.ask),
            *(f"{name}: {why}" for name, why in self.wrong.items()),
        )


def plan(state: LinkState, lost: Lost, choices: Choices, time_us: int) -> Plan:
    """Work out what is posted when these people agree.

    **Always** in the order of the receipts, each message under its own id with the answer it had.
    """
    twice = {
        one.id: "the restored ledger answered it otherwise"
        for one in lost.held
        if one.id in lost.known and (lost.known[one.id].sha256, lost.known[one.id].answer) != _content(one)
    }
    out = [one for one in lost.held if one.id in choices.left_out and (one.id in twice or one.id not in lost.known)]
    kept = [one for one in lost.held if one.id not in choices.left_out]
    fresh = sorted((one for one in kept if one.id not in lost.known), key=lambda one: (*one.place, one.id))
    head = Mark(state.head.generation, state.head.commit)
    last = _last(head, lost, kept)
    gaps = missing(head, last, [Mark(*one.place) for one in lost.held if one.place <= last.place])
    paid, ask, office, strange = _hits(state, lost, fresh, choices)
    generation = max(last.generation, head.generation) + 1
    begins = Reopened(
        state.chain,
        generation,
        Receipt(last.generation, last.commit, last.digest),
        choices.by,
        choices.second,
        tuple(gaps),
        choices.without,
        tuple(one.id for one in out),
    )
    brought = {fingerprint(one): one for one in choices.terms}
    voids = void_again(state, [(one.message, one.answer) for one in fresh], brought, choices.by, choices.second)
    commands = [drafted(begins), *_in_order(state, lost, fresh, paid, voids, generation, choices)]
    decisions, wrong, shown = _decided(state, commands, max(time_us, _begun(state, lost, fresh)))
    still = left_open(decisions[-1].state, [(one.id, one.answer) for one in fresh])
    office = [*office, *shown, *_terms_again(fresh, choices), *map(words_of, still)]
    voided = [words_of_void(one) for one in voids.values()]
    corrections = [fact for each in decisions for fact in each.facts if fact.kind == "correction"]
    waiting = [one.table for one in lost.tables if not one.complete and one.table not in choices.without]
    said = [*(f"{one.id} {one.receipt.digest}" for one in fresh), *(str(hit) for hit in paid), *map(str, gaps)]
    said += [*(f"without {name}" for name in choices.without), *(f"left out {one.id}" for one in out), *office, *voided]
    said += [str(sorted(fact.figures.items())) for fact in corrections]
    return Plan(
        decisions=decisions,
        generation=generation,
        last=last,
        taken_back=fresh,
        missing=gaps,
        waiting=waiting,
        unplayed=[name for name in waiting if name not in state.tables or not state.tables[name].journal],
        voided=voided,
        corrections=corrections,
        paid=[hit for _, hit in paid],
        ask=ask,
        office=office,
        wrong={name: why for name, why in {**strange, **wrong, **twice}.items() if name not in choices.left_out},
        left_out=out,
        fingerprint=hashlib.sha256("\n".join([state.head.digest.hex(), *said]).encode()).hexdigest()[:16],
    )


def _begun(state: LinkState, lost: Lost, fresh: Sequence[HeldMessage]) -> int:
    """Return when the newest month began that the lost life is known to have been in: this one is no earlier.

    Its tables were told that month, and may have numbered rounds in it which nobody has answered.
    """
    if state.terms is None:
        return 0
    months = [command_from_table(one.message).month for one in fresh if _tells_month(one)]
    if lost.evidence is not None and lost.evidence.shown is not None:
        months.append(lost.evidence.shown.month)
    return month_begins(state.terms.terms, max(months)) if months else 0


def _tells_month(one: HeldMessage) -> bool:
    """Say whether a message cannot have been answered so before its month had begun."""
    answer = decode_answer(one.answer)
    return not isinstance(answer, RefusedAnswer) or answer.code in _OF_ITS_MONTH


_OF_ITS_MONTH = frozenset({Refusal.TABLE_CLOSED.code, Refusal.OTHER_TERMS.code})
"""Why wagers are refused whose month was looked at before; of any other refusal a table may say any month."""


def _content(one: HeldMessage) -> tuple[bytes, bytes]:
    return hashlib.sha256(one.message).digest(), one.answer


def _last(head: Mark, lost: Lost, kept: Sequence[HeldMessage]) -> Mark:
    """Return how far the lost life is known to have gone; what two people leave out is no witness of it."""
    known = [Mark(*one.place, digest=one.receipt.digest) for one in kept]
    if lost.evidence is not None:
        known.append(lost.evidence.last)
        if lost.evidence.shown is not None:
            known.append(Mark(lost.evidence.shown.generation, lost.evidence.shown.commit))
    return max([head, *known], key=lambda mark: mark.place)


def _hits(
    state: LinkState, lost: Lost, fresh: Sequence[HeldMessage], choices: Choices
) -> tuple[Sequence[tuple[int, HitNow]], Sequence[str], Sequence[str], Mapping[str, str]]:
    """Return hits that were paid (with the commit, 0 where nobody says), those people must say, and what they do again.

    A prize of a lost life was settled where its table is told of it no more; the last snapshot says how. Last are the
    hits that people name and nobody holds.
    """
    shown: dict[str, tuple[int, HitNow]] = {}
    for table in lost.tables:
        shown |= {hit: (0, now) for hit, now in table.shown.items()}
    if lost.evidence is not None and lost.evidence.shown is not None:
        shown |= {
            hit.hit: (hit.commit, HitNow(hit.hit, hit.prize, hit.state, hit.amount_cents))
            for hit in lost.evidence.shown.hits
        }
    awarded = {
        str(hit.key): HitNow(str(hit.key), hit.prize, hit.state, hit.amount_cents) for hit in state.hits.values()
    }
    ended = {hit for hit, now in awarded.items() if now.state in {PAID, RELEASED, FORFEITED}}
    for one in fresh:
        answer = decode_answer(one.answer)
        if isinstance(answer, RecordAnswer):
            awarded |= {
                line.hit: HitNow(line.hit, line.prize, line.state, line.amount_cents)
                for line in answer.awards
                if _is_of(one, line.hit)
            }
    # The snapshot shows old hits too, which the state does not keep for ever: only what moved since the backup is lost.
    unheld = {hit: now for hit, (commit, now) in shown.items() if commit > state.head.commit and hit not in awarded}
    strange = {hit: "nobody holds such a hit" for hit in choices.paid if hit not in awarded}
    tables = {one.table: one for one in lost.tables}
    paid: list[tuple[int, HitNow]] = []
    ask: list[str] = []
    office = [f"{hit} {now.state} ({now.amount_cents} cents): nobody holds its round" for hit, now in unheld.items()]
    for hit, now in awarded.items():
        commit, then = shown.get(hit, (0, now))
        if hit in ended:
            # It is at its end here, and people moved it on: a correction raised it, or it came again and was paid.
            if commit > state.head.commit and (then.state, then.amount_cents) != (now.state, now.amount_cents):
                office.append(_otherwise(then, now))
            if choices.paid_cents.get(hit, now.amount_cents) != now.amount_cents:
                strange[hit] = f"{now.state} here, at {now.amount_cents} cents: no other amount of it was paid"
            continue
        own = tables.get(parse_hit(hit).table)
        if hit in choices.paid or then.state == PAID:
            cents = choices.paid_cents.get(hit, then.amount_cents)
            paid.append((commit, done := msgspec.structs.replace(then, state=PAID, amount_cents=cents)))
            if then.amount_cents not in {cents, now.amount_cents}:
                office.append(_otherwise(then, done))
            if hit not in choices.paid_cents and then.state != PAID and then.amount_cents != now.amount_cents:
                strange[hit] = (
                    f"of {now.amount_cents} or {then.amount_cents} cents: say which was paid, --paid {hit}=CENTS"
                )
        elif then.state in OFFICE and then.state != now.state:
            office.append(f"{hit} {then.state}" if then.amount_cents == now.amount_cents else _otherwise(then, now))
        elif own is not None and own.complete and hit not in own.open and hit not in choices.open:
            ask.append(hit)
    return paid, ask, office, strange


def _otherwise(then: HitNow, now: HitNow) -> str:
    return f"{then.hit} {then.state} ({then.amount_cents} cents), here {now.state} ({now.amount_cents} cents)"


def _is_of(one: HeldMessage, name: str) -> bool:
    """Say whether this is a hit of the message's own round: what an answer tells of another's is nothing to go by."""
    said = command_from_table(one.message)
    try:
        return parse_hit(name)[:3] == (said.table, said.journal, said.round)
    except IdError:
        return False


def _terms_again(fresh: Sequence[HeldMessage], choices: Choices) -> Sequence[str]:
    """Name the terms that people brought and no message stands under: people put them in force again."""
    used = {_terms_of(one) for one in fresh}
    needed = max((one.version for one in choices.terms if fingerprint(one) in used), default=0)
    return [f"terms {one.version}: no wagers stand under them" for one in choices.terms if one.version > needed]


def _terms_of(one: HeldMessage) -> str:
    said = command_from_table(one.message).message
    return said.terms if isinstance(said, Wagers) else ""


def _in_order(
    state: LinkState,
    lost: Lost,
    fresh: Sequence[HeldMessage],
    paid: Sequence[tuple[int, HitNow]],
    voids: Mapping[str, Void],
    generation: int,
    choices: Choices,
) -> Iterable[Command]:
    """Return what follows the act of the two people: messages by their receipts, payments and meters at their place."""
    seen = lost.evidence.shown if lost.evidence is not None else None
    # Tables may hold receipts of several lives: commits of a snapshot are of its own.
    last = max([one.receipt.generation for one in fresh] + ([seen.generation] if seen else [state.head.generation]))
    at: list[tuple[tuple[int, int], int, Command]] = []
    terms = sorted(choices.terms, key=lambda one: one.version)
    for one in fresh:
        act = HandedIn(msgspec.Raw(one.message), msgspec.Raw(one.answer), one.receipt, one.spool)
        under = _terms_of(one)
        # Versions come one after the other: those under which nobody wagered stand before the one that is needed.
        while under in {fingerprint(each) for each in terms}:
            new = terms.pop(0)
            raw = msgspec.Raw(canonical_bytes(new))
            at.append((one.place, 0, drafted(NewTerms(state.chain, new.version, raw, choices.by, choices.second))))
        if one.id in voids:
            at.append((one.place, 0, command_from_table(encode(voids[one.id]))))
        at.append((one.place, 1, drafted(act)))
    end = (last, 2**62)
    for commit, hit in paid:
        place = (seen.generation, commit) if seen is not None and commit else end
        at.append((place, 2, drafted(PaidBefore(hit.hit, hit.amount_cents, generation, choices.by, choices.second))))
    if seen is not None:
        for pool in seen.pools:
            life = state.pools.get(pool.pool)
            if life is not None:
                act_ = MeterShown(pool.pool, pool.epoch, pool.cents, generation, choices.by, choices.second)
                at.append(((seen.generation, seen.commit), 3, drafted(act_)))
    return [command for _, _, command in sorted(at, key=lambda each: each[:2])]


def _decided(
    state: LinkState, commands: Sequence[Command], time_us: int
) -> tuple[list[Decision], dict[str, str], list[str]]:
    """Decide commands batch by batch; return the decisions, why some could not be made, and meters nobody can match.

    A meter that was reseeded in between is no obstacle: nothing is corrected then, and people are told of it.
    """
    decisions: list[Decision] = []
    wrong: dict[str, str] = {}
    shown: list[str] = []
    for begin in range(0, len(commands), CHUNK):
        chunk = list(commands[begin : begin + CHUNK])
        decision = _sound(state, chunk, time_us, wrong)
        made = {row.id for row in decision.batch.rows.commands} if decision.batch is not None else set()
        for place, command in enumerate(chunk):
            if command.id in made:
                continue
            if isinstance(meter := command.message, MeterShown):
                life = decision.state.pools.get(meter.pool)
                here = f"epoch {life.epoch}" if life is not None else "no such pool"
                shown.append(f"pool {meter.pool}: shown at {meter.cents} cents in epoch {meter.epoch}, here {here}")
            else:
                wrong[command.id] = decision.aside.get(place) or _why(decision, place)
        decisions.append(decision)
        state = decision.state
    return decisions, wrong, shown


def _sound(state: LinkState, chunk: list[Command], time_us: int, wrong: dict[str, str]) -> Decision:
    """Decide a chunk, without the messages that would break the books: they are named in `wrong`."""
    while True:
        try:
            return decide_all(state, chunk, {}, time_us)
        except BrokenInvariant as broken:
            name, _, why = str(broken).partition(": ")
            left = [command for command in chunk if command.id != name]
            if len(left) == len(chunk):
                raise
            wrong[name] = why
            chunk[:] = left


def _why(decision: Decision, place: int) -> str:
    reply = decision.replies[place]
    if reply.later is not None:
        return reply.later.code
    answer = msgspec.json.decode(reply.answer)
    return " ".join(filter(None, (answer.get("code"), answer.get("value"))))
