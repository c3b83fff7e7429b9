"""A ledger in memory that keeps every promise of `jackpot.core.ports.Store`, for a simulator.

It passes the same contract tests as Postgres. Nothing in it waits for time or for an event loop: where a real store
would await, it awaits `pause`, by which a simulator takes the reins; and it asks `fault` what goes wrong there.
"""

import asyncio
import hashlib
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from enum import Enum

from jackpot.core.accounts import CAUSES, NEVER_NEGATIVE, Balance
from jackpot.core.by_people import RoundPlace, told_of, under_ids
from jackpot.core.chain import decode_body
from jackpot.core.ports import (
    Batch,
    BatchRefusedError,
    FenceConflictError,
    Held,
    Known,
    OutcomeUnknownError,
    SetAside,
    StoppedError,
    UnreachableError,
)
from jackpot.core.state import LinkState
from jackpot.ledger.projection import Projection
from jackpot.wire.ids import message_id
from jackpot.wire.messages import ByPeople, Receipt


class Fault(Enum):
    """What goes wrong when a store reaches for the ledger."""

    NONE = "all is well"
    AWAY = "the ledger does not answer; nothing was written"
    LOST_BEFORE = "the connection is lost and the statement never arrives"
    LOST_AFTER = "the batch is committed and no word comes back"
    LOST_UNDER_WAY = "the statement runs on: the batch is committed before anyone else has the lock"
    LOST_IN_THE_SOCKET = "the statement arrives after someone else had the lock"


Pause = Callable[[str], Awaitable[None]]
"""Where the store would wait: `post posted load answers lock locked wait commit aside stop`."""


async def no_pause(_place: str) -> None:
    """Let others go on first, where there are any."""
    await asyncio.sleep(0)


@dataclass(slots=True)
class MemoryLedger:
    """One chain as all processes see it: its batches, and what of them is still on its way."""

    chain: str
    pause: Pause = no_pause
    fault: Callable[[str], Fault] = lambda _place: Fault.NONE
    batches: list[Batch] = field(default_factory=list)
    aside: dict[bytes, SetAside] = field(default_factory=dict)
    stop_reason: str = ""
    locked: bool = False
    under_way: list[Batch] = field(default_factory=list)
    in_sockets: list[Batch] = field(default_factory=list)
    fenced: int = 0
    """How often a poster came with a batch and another had been quicker."""
    rows: Projection = field(init=False)
    _ids: dict[str, tuple[bytes, int, int]] = field(default_factory=dict)
    _seats: set[tuple[str, str, int, int, int]] = field(default_factory=set)

    def __post_init__(self) -> None:
        """Begin with no batch."""
        self.rows = Projection(self.chain)

    def store(self) -> "MemoryStore":
        """A store of one more process."""
        return MemoryStore(self)

    def arrive(self) -> None:
        """Let everything arrive that is still on its way; the fence decides what becomes of it."""
        late, self.under_way, self.in_sockets = [*self.under_way, *self.in_sockets], [], []
        for batch in late:
            self.try_write(batch)

    def restore(self, batches: int) -> None:
        """Go back to how the ledger was after so many batches, as from a backup: what was on its way is lost too."""
        kept, self.batches = self.batches[:batches], []
        self.aside, self.under_way, self.in_sockets = {}, [], []
        self.stop_reason, self.locked = "", False
        self._ids, self._seats, self.rows = {}, set(), Projection(self.chain)
        for batch in kept:
            self.write(batch)

    def settle_under_way(self) -> None:
        """Let what was under way be over, as whoever takes the lock finds it."""
        over, self.under_way = self.under_way, []
        for batch in over:
            self.try_write(batch)

    def try_write(self, batch: Batch) -> None:
        """Write a batch that nobody waits for."""
        try:
            self.write(batch)
        except (FenceConflictError, BatchRefusedError, StoppedError):
            return

    def check(self, batch: Batch) -> None:
        """Refuse a batch that cannot be written."""
        head = self.rows.head
        if (batch.batch, batch.previous) != (head.batch + 1, head.digest):
            raise FenceConflictError(f"batch {batch.batch} does not follow batch {head.batch}")
        if self.stop_reason:
            raise StoppedError(self.stop_reason)
        self._check_head(batch)
        self._check_entries(batch)
        ids = {row.id for row in batch.rows.commands}
        if len(ids) < len(batch.rows.commands) or ids & self._ids.keys():
            raise BatchRefusedError("a command is decided once")
        seats = _seats(batch)
        if len(set(seats)) < len(seats) or set(seats) & self._seats:
            raise BatchRefusedError("one wager a seat")

    def write(self, batch: Batch) -> None:
        """Write a batch, or nothing of it."""
        self.check(batch)
        self._ids.update({row.id: (row.sha256, len(self.batches), row.position) for row in batch.rows.commands})
        self._seats.update(_seats(batch))
        self.batches.append(batch)
        self.rows.apply(batch)

    def known(self, name: str) -> Known | None:
        """What stands under an id."""
        if name not in self._ids:
            return None
        sha256, at, position = self._ids[name]
        batch = self.batches[at]
        command = decode_body(batch.body).commands[position]
        return Known(sha256, bytes(command.answer), Receipt(batch.generation, command.commit, batch.digest.hex()))

    def by_people(self, place: RoundPlace, seats: int) -> list[ByPeople]:
        """What people did to a round that its table had not ended, in the order of the commits."""
        beginning = message_id(*place, "amend", 1).removesuffix("1")
        names = [*under_ids(place, seats), *(name for name in self._ids if name.startswith(beginning))]
        places = sorted(self._ids[name][1:] for name in names if name in self._ids)
        commands = [decode_body(self.batches[at].body).commands[position] for at, position in places]
        told = [told_of(bytes(each.command), bytes(each.answer)) for each in commands]
        return [one for one in told if one is not None]

    def _check_head(self, batch: Batch) -> None:
        head = self.rows.head
        if batch.last_commit <= head.commit or batch.time_us < head.time_us or batch.generation < head.generation:
            raise BatchRefusedError("a head only moves on")

    def _check_entries(self, batch: Batch) -> None:
        if sum(entry.amount for entry in batch.rows.entries):
            raise BatchRefusedError("entries sum to nought")
        balances = dict(self.rows.balances)
        for entry in batch.rows.entries:
            last = balances.get(entry.account, Balance(0, 0))
            if entry.version != last.version + 1:
                raise BatchRefusedError("a version follows the last")
            if entry.balance_after != last.microcents + entry.amount or not entry.amount:
                raise BatchRefusedError("a balance is the last and the amount")
            if entry.cause not in CAUSES:
                raise BatchRefusedError("a cause is of the closed list")
            balances[entry.account] = Balance(entry.version, entry.balance_after)
        for account, balance in batch.rows.balances.items():
            if balance.microcents < 0 and account.startswith(NEVER_NEGATIVE):
                raise BatchRefusedError("money owed to players is never below nought")


def _seats(batch: Batch) -> list[tuple[str, str, int, int, int]]:
    wagers = batch.rows.wagers
    runs = zip(wagers.month, wagers.table, wagers.journal, wagers.round, wagers.seats, strict=True)
    return [
        (month, table, journal, number, int(seat))
        for month, table, journal, number, seats in runs
        for seat in seats.strip("{}").split(",")
    ]


class MemoryStore:
    """A chain in memory, as one process reaches it."""

    def __init__(self, ledger: MemoryLedger) -> None:
        """Reach a ledger."""
        self.ledger = ledger

    async def post(self, batch: Batch) -> None:
        """Write a batch in one step, with whatever fault the ledger is told to have."""
        ledger = self.ledger
        fault = await self._reach("post")
        match fault:
            case Fault.LOST_BEFORE:
                raise OutcomeUnknownError(fault.value)
            case Fault.LOST_UNDER_WAY:
                ledger.under_way.append(batch)
                raise OutcomeUnknownError(fault.value)
            case Fault.LOST_IN_THE_SOCKET:
                ledger.in_sockets.append(batch)
                raise OutcomeUnknownError(fault.value)
            case _:
                await self._unlocked()
                try:
                    ledger.write(batch)
                except FenceConflictError:
                    ledger.fenced += 1
                    raise
                await ledger.pause("posted")
        if fault is Fault.LOST_AFTER:
            raise OutcomeUnknownError(fault.value)

    async def load(self) -> LinkState:
        """Give the state at the head."""
        await self._reach("load")
        await self._unlocked()
        return self.ledger.rows.state()

    async def answers(self, ids: Sequence[str]) -> Mapping[str, Known]:
        """Give what stands under these ids."""
        await self._reach("answers")
        return self._known(ids)

    def held(self) -> AbstractAsyncContextManager[Held]:
        """Take the lock; what was under way is over then."""
        return self._held()

    async def set_aside(self, aside: Sequence[SetAside]) -> None:
        """Keep commands with their errors, each once."""
        await self._reach("aside")
        for one in aside:
            self.ledger.aside.setdefault(hashlib.sha256(one.command.raw).digest(), one)

    async def stop(self, reason: str, _evidence: str) -> None:
        """Stop the link; the first stop stands."""
        await self._reach("stop")
        await self._unlocked()
        self.ledger.stop_reason = self.ledger.stop_reason or reason

    async def stopped(self) -> bool:
        """Whether a stop stands."""
        await self._reach("stop")
        return bool(self.ledger.stop_reason)

    async def close(self) -> None:
        """Do nothing: there is no connection."""

    @asynccontextmanager
    async def _held(self) -> AsyncIterator[Held]:
        ledger = self.ledger
        await self._reach("lock")
        await self._unlocked()
        ledger.settle_under_way()
        ledger.locked = True
        pending: list[Batch] = []
        try:
            await ledger.pause("locked")
            held = _MemoryHeld(self, pending)
            yield held
            if held.refused:
                raise BatchRefusedError("what was posted under the lock was refused")
            await ledger.pause("commit")
            fault = ledger.fault("commit")
            if fault not in {Fault.LOST_BEFORE, Fault.AWAY}:
                for batch in pending:
                    ledger.write(batch)
        finally:
            ledger.locked = False
        if fault is not Fault.NONE:
            raise OutcomeUnknownError(fault.value)

    async def _reach(self, place: str) -> Fault:
        await self.ledger.pause(place)
        fault = self.ledger.fault(place)
        if fault is Fault.AWAY:
            raise UnreachableError(fault.value)
        return fault

    async def _unlocked(self) -> None:
        while self.ledger.locked:
            await self.ledger.pause("wait")

    def _known(self, ids: Sequence[str]) -> dict[str, Known]:
        return {name: known for name in ids if (known := self.ledger.known(name)) is not None}


class _MemoryHeld:
    """The chain under its lock."""

    def __init__(self, store: MemoryStore, pending: list[Batch]) -> None:
        self._store = store
        self._pending = pending
        self.refused = False

    async def load(self) -> LinkState:
        """Give the state at the head."""
        await self._store.ledger.pause("load")
        return self._store.ledger.rows.state()

    async def answers(self, ids: Sequence[str]) -> Mapping[str, Known]:
        """Give what stands under these ids."""
        await self._store.ledger.pause("answers")
        return self._store._known(ids)

    async def post(self, batch: Batch) -> None:
        """Write a batch when the lock is let go; what would be refused is refused now."""
        self.refused = True
        self._store.ledger.check(batch)
        self.refused = False
        self._pending.append(batch)
