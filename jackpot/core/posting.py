"""How commands become durable: one coroutine per link that awaits only its arguments (PROTOCOL 4).

It takes what is waiting, decides it, has it written in one statement, and answers. It never sleeps while it holds a
command. The server runs it on the event loop with Postgres; a simulator drives the same code with a store in memory and
may stop it at every await.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import compress, islice

import msgspec

from jackpot.core.commands import Command, Connect
from jackpot.core.decide import Decision, decide_all
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
)
from jackpot.core.state import LinkState
from jackpot.wire.messages import Withdraw
from jackpot.wire.refusals import Refusal
from rules.records import RoundRecord

BATCH_MAX = 512
"""Commands in a batch at most: over 3,500 wagers, under half a mebibyte, a statement of some tens of milliseconds.

On a quiet machine batches of 160, 200 and 256 were as fast or slower: each statement costs a millisecond of its own.
"""
Gone = Mapping[str, Callable[[], bool]]
"""By their ids, which commands are not to be decided once who asked has left."""
NOBODY: Gone = {}
NOTHING: Mapping[str, Known] = {}
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
        # All in one pass: each look for the first of a dict steps over the places of those that went before it.
        for name in list(islice(self.memory, max(0, len(self.memory) - MEMORY))):
            del self.memory[name]


async def keep_posting(inbox: Inbox, poster: Poster) -> None:
    """Post what comes into the inbox, for ever.

    **Always** answers a command after the commit that made it durable, and every command it took, or none when it is
    stopped.
    **If cancelled** while a statement is under way, the outcome is unknown and nobody was told anything.
    Raises BrokenInvariant: the caller stops the link.
    """
    while True:
        taken = await inbox.take(BATCH_MAX)
        if poster.state is not None and inbox.behind(poster.state.head.batch):
            poster.state = None
        left = {each.command.id: each.gone for each in taken if each.gone is not None}
        for submitted, reply in zip(taken, await post(poster, [each.command for each in taken], left), strict=True):
            submitted.reply(reply)


async def post(poster: Poster, commands: Sequence[Command], gone: Gone = NOBODY) -> Sequence[Reply]:
    """Decide commands and make what is to be stored durable; return a reply a command, in order.

    **Always** decides once: after a conflict or an unknown outcome it reads back under the link's lock, answers what is
    there, and decides only what is not. **If repeated** with the same commands gives the same answers. **Never**
    decides what is `gone` when the state has been read that it would be decided on, unless it is posted already: it is
    told `busy`, as who was not taken up.
    """
    started = poster.clock.now_us()
    try:
        if poster.state is None:
            poster.state = await poster.store.load()
        known = await _known(poster, poster.store, _older(poster.state, commands))
        if any(each.receipt.commit > poster.state.head.commit for each in known.values()):
            # Another process has posted past this state: an answer that posts nothing would never meet the fence.
            poster.state = await poster.store.load()
            known = await _known(poster, poster.store, _older(poster.state, commands))
        # Nothing is awaited between this look and the decision: what a table does elsewhere after the state was read
        # is met at the fence, and what it did before is seen here.
        stays = _who_stays(commands, gone)
        kept = list(compress(commands, stays))
        decision = decide_all(poster.state, kept, known, started)
        if decision.batch is not None:
            await poster.store.post(decision.batch)
    except FenceConflictError:
        return await _under_lock(poster, commands, started, "fence", gone)
    except OutcomeUnknownError:
        return await _under_lock(poster, commands, started, "unknown", gone)
    except BatchRefusedError as error:
        return await _one_by_one(poster, commands, str(error), gone)
    except (StoppedError, UnreachableError) as error:
        poster.state = None
        return _all_later(commands, _why(error))
    return _with_the_gone(commands, stays, await _done(poster, kept, decision, started))


async def _under_lock(
    poster: Poster, commands: Sequence[Command], started: int, why: str, gone: Gone
) -> Sequence[Reply]:
    """Read everything back under the link's lock and decide what is not there; try again until the ledger answers."""
    tries = 0
    while True:
        poster.state = None
        try:
            async with poster.store.held() as held:
                stays, decision = await _decide_held(poster, held, commands, gone)
        except (OutcomeUnknownError, UnreachableError):
            # What was sent may be there: only a read under the lock can tell, so nobody is answered before it succeeds.
            tries += 1
            await poster.clock.pause(tries)
            continue
        except BatchRefusedError as error:
            return await _one_by_one(poster, commands, str(error), gone)
        except StoppedError as error:
            return _all_later(commands, _why(error))
        kept = list(compress(commands, stays))
        return _with_the_gone(commands, stays, await _done(poster, kept, decision, started, why))


async def _decide_held(
    poster: Poster, held: Held, commands: Sequence[Command], gone: Gone
) -> tuple[Sequence[bool], Decision]:
    """Decide what is not posted already and is not gone meanwhile; say of each command whether it was decided."""
    state = await held.load()
    known = await held.answers([command.id for command in commands])
    stays = _who_stays(commands, gone, known)
    decision = decide_all(state, list(compress(commands, stays)), known, poster.clock.now_us())
    if decision.batch is not None:
        await held.post(decision.batch)
    return stays, decision


def _who_stays(commands: Sequence[Command], gone: Gone, known: Mapping[str, Known] = NOTHING) -> Sequence[bool]:
    """Say of each command whether it is to be decided: it is posted already, or who asked is still there."""
    return [command.id in known or command.id not in gone or not gone[command.id]() for command in commands]


def _with_the_gone(commands: Sequence[Command], stays: Sequence[bool], replies: Sequence[Reply]) -> Sequence[Reply]:
    """Return a reply a command, in order, of which some were decided."""
    decided = iter(replies)
    pairs = zip(commands, stays, strict=True)
    return [next(decided) if there else Reply(command.id, b"", None, Refusal.BUSY) for command, there in pairs]


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


async def _one_by_one(poster: Poster, commands: Sequence[Command], error: str, gone: Gone) -> Sequence[Reply]:
    """Post a refused batch again command by command: what fails alone is set aside, its neighbours never notice."""
    poster.state = None
    if len(commands) == 1:
        return _all_later(commands, await _keep_aside(poster, [SetAside(commands[0], error)]))
    replies: list[Reply] = []
    for command in commands:
        replies += await post(poster, [command], gone)
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
        case _:
            return False  # A void of it may have been refused in a lost life of the ledger, where it was over.


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
