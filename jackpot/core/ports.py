"""What the posting coroutine asks of the world, and the ways the world may say no.

Edges keep these promises; the in-memory store of the tests and Postgres pass the same contract tests.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Protocol

import msgspec

from jackpot.core.by_people import RoundPlace
from jackpot.core.commands import Command
from jackpot.core.state import Enrolled, LinkState, Rows
from jackpot.wire.messages import ByPeople, HandIn, HandingIn, HitNow, Receipt, RoundNow
from jackpot.wire.refusals import Refusal
from jackpot.wire.snapshots import HitShown, PoolShown, Snapshot
from rules.terms import Terms


@dataclass(frozen=True, slots=True)
class Batch:
    """One batch, ready to be written in one statement: its place in the chain, its body and digest, and its rows."""

    chain: str
    batch: int
    time_us: int
    generation: int
    decide: int
    first_commit: int
    last_commit: int
    previous: bytes
    digest: bytes
    body: bytes
    rows: Rows


class Known(msgspec.Struct, frozen=True, gc=False):
    """What the ledger holds under an id: the SHA-256 of the command's bytes, the answer for ever, its receipt."""

    sha256: bytes
    answer: bytes
    receipt: Receipt


class Reply(msgspec.Struct, frozen=True, gc=False):
    """What goes back for one command: an answer with its receipt, or a later refusal; and the table's open hits now."""

    id: str
    answer: bytes
    receipt: Receipt | None
    later: Refusal | None = None
    hits: tuple[HitNow, ...] = ()
    round: RoundNow | None = None
    """Of a hello: how the last round of the table's journal stands now."""
    month: str = ""
    """The gaming month of that round."""


class Submitted(msgspec.Struct, frozen=True):
    """A command in the inbox and where its reply goes. `reply` never raises and never waits."""

    command: Command
    reply: Callable[[Reply], None]
    gone: Callable[[], bool] | None = None
    """Of a hello: whether who said it has left, so that it is not to be decided any more."""


@dataclass(frozen=True, slots=True)
class SetAside:
    """A command that could not be decided or stored, with its error; its neighbours never notice."""

    command: Command
    error: str


class FenceConflictError(Exception):
    """Another poster has posted this batch number: nothing of this batch was written."""


class OutcomeUnknownError(Exception):
    """The statement that commits was sent and no word came back: the batch may be there, now or a second later."""


class BatchRefusedError(Exception):
    """The database refuses this batch, other than by the fence: nothing of it was written."""


class UnreachableError(Exception):
    """The ledger does not answer, and nothing was written."""


class StoppedError(Exception):
    """The link is stopped by a row that holds in every process: nothing was written."""


class Reads(Protocol):
    """What can be read of a chain: nothing that was read is told before a COMMIT that locked has returned."""

    async def load(self) -> LinkState:
        """Return the state at the head, from the stored rows."""
        ...

    async def answers(self, ids: Sequence[str]) -> Mapping[str, Known]:
        """Return what the ledger holds under these ids; ids it does not hold are absent."""
        ...


class Held(Reads, Protocol):
    """The chain under its row lock: no other poster can write until it is let go."""

    async def post(self, batch: Batch) -> None:
        """Write a batch; it is durable when the lock is let go without an error.

        Raises BatchRefusedError, StoppedError; a fence conflict cannot happen.
        """
        ...


class Store(Reads, Protocol):
    """A chain in the ledger."""

    async def post(self, batch: Batch) -> None:
        """Write a batch durably in one statement.

        Raises FenceConflictError, BatchRefusedError, StoppedError or UnreachableError (nothing was written), or
        OutcomeUnknownError.
        **If cancelled** the connection is abandoned and the outcome unknown.
        """
        ...

    def held(self) -> AbstractAsyncContextManager[Held]:
        """Take the chain's row lock on a new connection; commit at the end, which may raise OutcomeUnknownError."""
        ...

    async def set_aside(self, aside: Sequence[SetAside]) -> None:
        """Keep commands that could not be decided, with their errors. **If repeated** a command is kept once."""
        ...


class Inbox(Protocol):
    """What waits to be decided."""

    async def take(self, most: int) -> list[Submitted]:
        """Return 1 to `most` waiting commands, oldest first; wait while there are none."""
        ...

    def behind(self, batch: int) -> bool:
        """Say whether another process is known to have posted past this batch (PROTOCOL 4, the read of each second)."""
        ...


class Clock(Protocol):
    """The time, given from the edge."""

    def now_us(self) -> int:
        """Return microseconds since 1970 UTC."""
        ...

    async def pause(self, tries: int) -> None:
        """Wait a little before the `tries`-th attempt at a ledger that does not answer."""
        ...


class LinkReading(Protocol):
    """A link as it was read from the primary, behind a COMMIT that locked: what may be shown."""

    @property
    def generation(self) -> int:
        """The ledger's life."""
        ...

    @property
    def commit(self) -> int:
        """The last commit."""
        ...

    @property
    def status(self) -> str:
        """`running`, `stopped` or `ledger_behind`."""
        ...

    @property
    def terms(self) -> str:
        """The fingerprint of the terms in force."""
        ...

    @property
    def pools(self) -> Sequence[PoolShown]:
        """The pools, main one first."""
        ...

    @property
    def hits(self) -> Sequence[HitShown]:
        """The last hits, open ones and those that ended lately, by the commit they last moved in."""
        ...


class LinkReader(Protocol):
    """Where a link is read each second."""

    async def reading(self) -> LinkReading:
        """Read the link from the primary; raises UnreachableError."""
        ...


@dataclass(frozen=True, slots=True)
class Heard:
    """The newest snapshot of a link that came back over Redis, and the receiver's own elapsed time when it came.

    `live` is False for the retained copy, which only tells a newcomer where things stood.
    """

    snapshot: Snapshot
    at_ms: int
    live: bool


class Meters(Protocol):
    """What was read back from Redis: the one source of everything that is shown."""

    def heard(self, link: str) -> Heard | None:
        """Return the newest snapshot of a link, None before the first."""
        ...

    def watch(self, told: Callable[[str, Heard], None]) -> None:
        """Tell of every snapshot taken from now on; `told` never raises and never waits."""
        ...


class TableLink(Protocol):
    """A link as the connections of its tables and its boards need it. None of it waits."""

    @property
    def name(self) -> str:
        """The link's name."""
        ...

    @property
    def link_key(self) -> str:
        """The public key its snapshots are signed with."""
        ...

    @property
    def receipts(self) -> "Receipts | None":
        """What its tables' receipts are held against; None where nothing is."""
        ...

    @property
    def behind(self) -> bool:
        """Whether its ledger is known to have gone back, so that tables hand in and nothing else is taken."""
        ...

    def submit(self, submitted: Submitted) -> None:
        """Put a command into the link's inbox."""
        ...

    def month(self) -> str:
        """Return the gaming month that tables are told: the one that the ledger is in."""
        ...

    def hits(self, table: str) -> tuple[HitNow, ...]:
        """Return a table's open hits as they were last read."""
        ...

    def round_now(self, table: str) -> RoundNow | None:
        """Return how the last round of a table's journal stands, as this process knows it; None before its first."""
        ...

    def standing(self, table: str, journal: int, connection: int, terms: str) -> str:
        """Say why this connection of a table, welcomed in this journal under these terms, is the table no more.

        Empty where it is; `replaced` where another one is, at whichever process; else a refusal's code, or
        `hello_again`.
        """
        ...

    def terms(self, fingerprint: str = "") -> Terms | None:
        """Return the terms of that fingerprint, or those in force; None where the link has no such terms."""
        ...


class Directory(Protocol):
    """Which tables and links the site knows."""

    async def enrolled(self, table: str) -> Enrolled | None:
        """Return a table's enrolment, None for one the site does not know; asks the ledger for one it has not met."""
        ...

    def link(self, name: str) -> TableLink | None:
        """Return a link this process serves."""
        ...


class Receipts(Protocol):
    """Holds what tables say they were answered against the ledger, and keeps what they hand in (PROTOCOL 5)."""

    async def wanted(
        self, table: str, spool: str, receipt: Receipt | None, *, stopped: bool
    ) -> tuple[bool, HandIn | None]:
        """Say whether a hello is to be refused as `ledger_behind`, and what the table is to hand in.

        `stopped`: whether the link is known to be stopped so already. Raises UnreachableError; FrameError for a receipt
        that no ledger of this link can have given.
        """
        ...

    async def keep(self, table: str, spool: str, receipt: Receipt | None, frame: HandingIn) -> HandIn | None:
        """Keep what a table hands in; return what it is asked for next, None when that was all.

        Raises FrameError or RecordError for what is no answered message of a place that its hello had named,
        UnreachableError.
        """
        ...

    async def by_people(self, place: RoundPlace, seats: int) -> list[ByPeople]:
        """Return what people did to a round of so many seats that its table had not ended; raises UnreachableError."""
        ...
