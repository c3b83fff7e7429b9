"""How commands become durable: one coroutine per link that awaits only its arguments (PROTOCOL 4).

It takes what is waiting, decides it, has it written in one statement, and answers. It never sleeps while it holds a
command. While one batch is being written it decides the next on the state that the first will leave; that one is
written when the first is durable and thrown away when it is not. The server runs it on the event loop with Postgres; a
simulator drives the same code with a store in memory and may stop it at every await.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import msgspec

from jackpot.core.accounts import BrokenInvariant
from jackpot.core.commands import Command, Connect
from jackpot.core.decide import Deciding, Decision, decide_all
from jackpot.core.facts import Fact
from jackpot.core.ports import (
    Batch,
    BatchRefusedError,
    Clock,
    FenceConflictError,
    Held,
    Inbox,
    Known,
    OutcomeUnknownError,
    Reads,
    Reply,
    SetAside,
    StoppedError,
    Store,
    Submitted,
    UnreachableError,
    Writing,
)
from jackpot.core.state import LinkState
from jackpot.wire.messages import Void, Wagers, Withdraw
from jackpot.wire.refusals import Refusal
from rules.records import RoundRecord

BATCH_MAX = 256
"""Commands in a batch at most: nearly 1,800 wagers, a statement of some ten milliseconds.

More in one would not cost less each, and while it is written nobody of the next would be answered.
"""
AT_A_TIME = 64
"""So many commands are decided ahead before it is looked whether the batch before them is written."""
WORTH_A_BATCH = 128
"""So many are written as soon as the batch before them is; to fewer than that is added what waits by then."""
MEMORY = 4096
"""Answers kept in memory: a table asks again for its last message, and no link has more tables than this."""


@dataclass(frozen=True, slots=True)
class Posted:
    """What one turn of the coroutine did, for metrics, logs and the publisher; told after it is durable."""

    state: LinkState
    facts: Sequence[Fact]
    commands: int
    bytes: int
    started_us: int
    ended_us: int
    again: str = ""
    """Why the batch was decided again under the lock: `fence` or `unknown`."""
    batch: Batch | None = None
    """What was written; None where nothing had to be."""


@dataclass(slots=True)
class Poster:
    """A link's poster between two batches: the state as of the last batch it knows, and the answers it remembers."""

    store: Store
    clock: Clock
    told: Callable[[Posted], None]
    state: LinkState | None = None
    memory: dict[str, Known] = field(default_factory=dict)

    def remember(self, commands: Iterable[Command], decision: Decision) -> None:
        """Keep the stored answers of a batch, the oldest going first."""
        if decision.batch is None:
            return
        raw = {row.id: row.sha256 for row in decision.batch.rows.commands}
        for command, reply in zip(commands, decision.replies, strict=True):
            if reply.receipt is not None and command.id in raw:
                self.memory[command.id] = Known(raw[command.id], reply.answer, reply.receipt)
        while len(self.memory) > MEMORY:
            del self.memory[next(iter(self.memory))]


@dataclass(frozen=True, slots=True)
class _Turn:
    """Commands that were taken and decided together, and since when."""

    taken: Sequence[Submitted]
    decision: Decision
    started: int

    @property
    def commands(self) -> Sequence[Command]:
        return _commands(self.taken)


async def keep_posting(inbox: Inbox, poster: Poster) -> None:
    """Post what comes into the inbox, for ever.

    **Always** answers a command after the commit that made it durable, and every command it took, or none when it is
    stopped. A command is taken when nothing is left to come before its own statement.
    **If cancelled** while a statement is under way, the outcome is unknown and nobody was told anything.
    Raises BrokenInvariant: the caller stops the link.
    """
    turn: _Turn | None = None
    durable: _Turn | None = None  # and its tables not answered yet: before they are, the next statement is sent
    while True:
        if turn is None:
            turn = await _taken(inbox, poster)
        if turn.decision.batch is None:
            await _answer(poster, durable)
            await _answer(poster, turn)
            durable = turn = None
            continue
        writing = await poster.store.begin(turn.decision.batch)
        try:
            await _answer(poster, durable)
            ahead = await _decided_ahead(inbox, poster, turn.decision.state, writing)
            error = await _outcome(writing)
        finally:
            writing.abandon()
        if error is not None:
            _reply(turn.taken, await _otherwise(poster, turn.commands, turn.started, error))
            durable = turn = None
            continue
        durable, turn = turn, ahead.turn(inbox) if ahead is not None else None
        if turn is None:
            await _answer(poster, durable)
            durable = None


async def post(poster: Poster, commands: Sequence[Command]) -> Sequence[Reply]:
    """Decide commands and make what is to be stored durable; return a reply a command, in order.

    **Always** decides once: after a conflict or an unknown outcome it reads back under the link's lock, answers what is
    there, and decides only what is not. **If repeated** with the same commands gives the same answers.
    """
    started = poster.clock.now_us()
    try:
        decision = await _decided(poster, commands, started)
        if decision.batch is not None:
            await poster.store.post(decision.batch)
    except _NOT_WRITTEN as error:
        return await _otherwise(poster, commands, started, error)
    return await _done(poster, commands, decision, started)


async def _taken(inbox: Inbox, poster: Poster) -> _Turn:
    """Take what waits and decide it on what is durable; what cannot be decided now is answered so."""
    while True:
        taken = await inbox.take(BATCH_MAX)
        if poster.state is not None and inbox.behind(poster.state.head.batch):
            poster.state = None
        started = poster.clock.now_us()
        try:
            return _Turn(taken, await _decided(poster, _commands(taken), started), started)
        except _NOT_WRITTEN as error:
            _reply(taken, await _otherwise(poster, _commands(taken), started, error))


async def _decided(poster: Poster, commands: Sequence[Command], started: int) -> Decision:
    if poster.state is None:
        poster.state = await poster.store.load()
    known = await _known(poster, poster.store, _older(poster.state, commands))
    if any(each.receipt.commit > poster.state.head.commit for each in known.values()):
        # Another process has posted past this state: an answer that posts nothing would never meet the fence.
        poster.state = await poster.store.load()
        known = await _known(poster, poster.store, _older(poster.state, commands))
    return decide_all(poster.state, commands, known, started)


@dataclass(frozen=True, slots=True)
class _Ahead:
    """Commands that still wait in the inbox, decided on a state that is not durable yet."""

    seen: list[Submitted]
    deciding: Deciding
    head: int
    started: int

    def turn(self, inbox: Inbox) -> _Turn | None:
        """Take the commands, now that the state is durable; None where they are to be decided again."""
        if not self.seen or inbox.behind(self.head):
            return None
        try:
            decision = self.deciding.decision()
        except BrokenInvariant:
            return None  # decided again by itself, once the batch before it is answered, it stops the link
        return _Turn(self.seen, decision, self.started) if inbox.took(self.seen) else None


async def _decided_ahead(inbox: Inbox, poster: Poster, state: LinkState, writing: Writing) -> _Ahead | None:
    """Decide what comes in while a batch is written, on the state it will leave. Takes nothing and tells nobody."""
    ahead = None
    sure = True
    while sure and (ahead is None or len(ahead.seen) < BATCH_MAX):
        seen = 0 if ahead is None else len(ahead.seen)
        if writing.ended and seen >= WORTH_A_BATCH:
            break
        more = await inbox.ahead(seen, min(AT_A_TIME, BATCH_MAX - seen), writing)
        if not more:
            break
        if ahead is None:
            started = poster.clock.now_us()
            ahead = _Ahead([], Deciding(state, started), state.head.batch, started)
        commands = _commands(more)
        older = _older(state, commands)
        known = {name: poster.memory[name] for name in older if name in poster.memory}
        if len(known) < len(set(older)):  # the ledger must be asked, and is busy: what comes before them is enough
            unsure = set(older) - known.keys()
            commands = commands[: next(at for at, command in enumerate(commands) if command.id in unsure)]
            sure = False
        try:
            ahead.deciding.add(commands, known)
        except BrokenInvariant:
            return None  # as above
        ahead.seen.extend(more[: len(commands)])
    return ahead


async def _outcome(writing: Writing) -> Exception | None:
    try:
        await writing.outcome()
    except _NOT_WRITTEN as error:
        return error
    return None


async def _answer(poster: Poster, turn: _Turn | None) -> None:
    """Answer the commands of a turn that is durable."""
    if turn is not None:
        _reply(turn.taken, await _done(poster, turn.commands, turn.decision, turn.started))


def _reply(taken: Sequence[Submitted], replies: Sequence[Reply]) -> None:
    for submitted, reply in zip(taken, replies, strict=True):
        submitted.reply(reply)


def _commands(taken: Sequence[Submitted]) -> list[Command]:
    return [each.command for each in taken]


_NOT_WRITTEN = (FenceConflictError, OutcomeUnknownError, BatchRefusedError, StoppedError, UnreachableError)


async def _otherwise(poster: Poster, commands: Sequence[Command], started: int, error: Exception) -> Sequence[Reply]:
    """Return the replies where a batch was not written, or may not have been."""
    match error:
        case FenceConflictError():
            return await _under_lock(poster, commands, started, "fence")
        case OutcomeUnknownError():
            return await _under_lock(poster, commands, started, "unknown")
        case BatchRefusedError():
            return await _one_by_one(poster, commands, str(error))
    poster.state = None
    return _all_later(commands, _why(error))


async def _under_lock(poster: Poster, commands: Sequence[Command], started: int, why: str) -> Sequence[Reply]:
    """Read everything back under the link's lock and decide what is not there; try again until the ledger answers."""
    tries = 0
    while True:
        poster.state = None
        try:
            async with poster.store.held() as held:
                decision = await _decide_held(poster, held, commands)
        except (OutcomeUnknownError, UnreachableError):
            # What was sent may be there: only a read under the lock can tell, so nobody is answered before it succeeds.
            tries += 1
            await poster.clock.pause(tries)
            continue
        except BatchRefusedError as error:
            return await _one_by_one(poster, commands, str(error))
        except StoppedError as error:
            return _all_later(commands, _why(error))
        return await _done(poster, commands, decision, started, why)


async def _decide_held(poster: Poster, held: Held, commands: Sequence[Command]) -> Decision:
    state = await held.load()
    known = await held.answers([command.id for command in commands])
    decision = decide_all(state, commands, known, poster.clock.now_us())
    if decision.batch is not None:
        await held.post(decision.batch)
    return decision


async def _done(
    poster: Poster, commands: Sequence[Command], decision: Decision, started: int, again: str = ""
) -> Sequence[Reply]:
    poster.state = decision.state
    poster.remember(commands, decision)
    replies = list(decision.replies)
    if decision.aside:
        kept = await _keep_aside(poster, [SetAside(commands[at], error) for at, error in decision.aside.items()])
        for at in decision.aside:
            replies[at] = msgspec.structs.replace(replies[at], later=kept)
    size = len(decision.batch.body) if decision.batch is not None else 0
    ended = poster.clock.now_us()
    poster.told(Posted(decision.state, decision.facts, len(commands), size, started, ended, again, decision.batch))
    return replies


async def _keep_aside(poster: Poster, aside: Sequence[SetAside]) -> Refusal:
    """Keep what could not be decided; return what its tables are told: that it is kept is said only when it is."""
    try:
        await poster.store.set_aside(aside)
    except (OutcomeUnknownError, StoppedError, UnreachableError) as error:
        return _why(error)
    return Refusal.KEPT_ASIDE


async def _one_by_one(poster: Poster, commands: Sequence[Command], error: str) -> Sequence[Reply]:
    """Post a refused batch again command by command: what fails alone is set aside, its neighbours never notice."""
    poster.state = None
    if len(commands) == 1:
        return _all_later(commands, await _keep_aside(poster, [SetAside(commands[0], error)]))
    replies: list[Reply] = []
    for command in commands:
        replies += await post(poster, [command])
    return replies


def _older(state: LinkState, commands: Sequence[Command]) -> list[str]:
    """Return the ids that may have been decided before; above the highest round a message is new by construction."""
    return [command.id for command in commands if not _new(state, command)]


def _new(state: LinkState, command: Command) -> bool:
    if isinstance(command.message, Connect):
        return True
    if not command.round:
        return False
    journal = state.journals.get((command.table, command.journal))
    if journal is None or command.round > journal.highest:
        return True
    opened = state.rounds.get((command.table, command.journal, command.round))
    if opened is None:
        return False
    match command.message:
        case RoundRecord():
            return True  # Its record would have ended the round.
        case Withdraw():
            return not opened.withdrawn
        case Void():
            return not command.message.seats  # A void of the whole round would have ended it.
        case Wagers():
            return False
        case _:
            return False


async def _known(poster: Poster, reads: Reads, ids: Sequence[str]) -> Mapping[str, Known]:
    found = {name: poster.memory[name] for name in ids if name in poster.memory}
    missing = [name for name in ids if name not in found]
    if missing:
        found.update(await reads.answers(missing))
    return found


def _all_later(commands: Sequence[Command], refusal: Refusal) -> Sequence[Reply]:
    return [Reply(command.id, b"", None, refusal) for command in commands]


def _why(error: Exception) -> Refusal:
    return Refusal.LINK_STOPPED if isinstance(error, StoppedError) else Refusal.LEDGER_UNREACHABLE


__all__ = ["BATCH_MAX", "Posted", "Poster", "Submitted", "keep_posting", "post"]
