"""Which commands could not be decided or stored, what became of each, and what is there to be done (PROTOCOL 3)?

A command that is kept aside was answered `kept_aside`, which is no answer for ever: its table sends it again, and a
program that can decides it then. What nothing more comes of is settled by two people, and the alarm ends.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from jackpot.core.commands import Command, command_of
from jackpot.ledger.clock import SystemClock
from jackpot.ledger.connection import close, connect, translated
from jackpot.ledger.rows import Row
from jackpot.ledger.seals import seal
from jackpot.ledger.statements import statement
from jackpot.wire.codec import FrameError
from jackpot.wire.messages import Void, Wagers, Withdraw
from jackpot.wire.written import hold_name, hold_text
from rules.records import RecordError, RoundRecord

__all__ = ["KeptAside", "Settled", "kept_aside", "settle_aside"]


@dataclass(frozen=True, slots=True)
class Settled:
    """Two people's word that nothing more comes of a command."""

    by: str
    second: str
    reason: str


@dataclass(frozen=True, slots=True)
class KeptAside:
    """A command kept aside: its place, its error, and what has become of it. `key` names it: its bytes' SHA-256."""

    chain: str
    key: str
    id: str
    kind: str
    table: str
    round: int
    error: str
    aside_us: int
    decided: int | None
    """The commit in which the same bytes were decided since."""
    settled: Settled | None

    @property
    def waits(self) -> bool:
        """Whether somebody still has to do something about it."""
        return self.decided is None and self.settled is None

    @property
    def to_do(self) -> str:
        """What is to be done, in a sentence."""
        if self.decided is not None:
            return f"Nothing: it was decided since, in commit {self.decided}."
        if self.settled is not None:
            return f"Nothing: settled by {self.settled.by} and {self.settled.second}: {self.settled.reason}."
        words = _TO_DO[self.kind].format(table=self.table, round=self.round)
        return words.replace(_MAKER, _MIGRATE) if NO_MONTH in self.error else words


NO_MONTH = "no partition of relation"
"""What Postgres says of a gaming month that nobody has made."""
_VOID = "jackpot round void {table} {round} --rule RULE --by NAME"
_MAKER = "Give the error to the maker"
_MIGRATE = "Run `jackpot migrate`, since the ledger has no place for this gaming month, and look at the servers' clocks"
_TO_DO = {
    "wagers": (
        "Nothing of these wagers is in the ledger, and {table} went on without the jackpot in round {round}."
        f" {_MAKER}, then settle it."
    ),
    "record": (
        "{table} sends it again until a program can decide it; round {round} stays open and its prizes wait. "
        f"{_MAKER}; if it cannot wait, two people end the round ({_VOID}), then settle it."
    ),
    "withdrawal": (
        "{table} sends it again until a program can decide it; the wagers of round {round} stay in until then."
        f" {_MAKER}; if it cannot wait, two people void them ({_VOID}), then settle it."
    ),
    "void": (
        "{table} sends it again until a program can decide it; round {round} stays open."
        f" {_MAKER}; if it cannot wait, two people void it ({_VOID}), then settle it."
    ),
    "act": f"Nothing of it was done. {_MAKER}; once it is mended do it again, then settle it.",
    "unreadable": f"Nothing of it was done; this program cannot read it. {_MAKER}, then settle it.",
}


async def kept_aside(url: str, link: str = "") -> Sequence[KeptAside]:
    """Return what is kept aside of one link, or of all chains, oldest first.

    Raises UnreachableError; FrameError for what is no name.
    """
    if link:
        hold_name("link", link)
    connection = await connect(url, "jackpot aside")
    try:
        with translated():
            rows = await connection.fetch(statement("list_aside"), link)
    finally:
        await close(connection)
    return [_kept(row) for row in rows]


async def settle_aside(url: str, one: KeptAside, *, by: str, second: str, reason: str) -> None:
    """Note two people's word that nothing more comes of a command, under a seal.

    **Always** keeps the command and its error. **If repeated** the first word stands.
    Raises UnreachableError; FrameError for words that are too long.
    """
    for field, text in (("by", by), ("with", second), ("reason", reason)):
        hold_text(field, text)
    at, sha256 = SystemClock().now_us(), bytes.fromhex(one.key)
    connection = await connect(url, f"jackpot settle {one.chain}")
    try:
        with translated():
            rows = await connection.fetch(statement("list_aside"), one.chain)
            kept = next(row for row in rows if row["sha256"] == sha256)
            sealed = seal(kept["digest"], at, by, second, reason)
            await connection.execute(statement("settle_aside"), one.chain, sha256, at, by, second, reason, sealed)
    finally:
        await close(connection)


def _kept(row: Row) -> KeptAside:
    command = _read(row["raw"])
    settled = None
    if row["settled_us"] is not None:
        settled = Settled(row["settled_by"], row["settled_with"], row["settled_reason"])
    return KeptAside(
        chain=row["chain"],
        key=row["sha256"].hex(),
        id=row["id"],
        kind="unreadable" if command is None else _kind(command),
        table="" if command is None else command.table,
        round=0 if command is None else command.round,
        error=row["error"],
        aside_us=row["aside_us"],
        decided=row["decided"],
        settled=settled,
    )


def _read(raw: bytes) -> Command | None:
    try:
        return command_of(raw)
    except (FrameError, RecordError):
        return None


def _kind(command: Command) -> str:
    match command.message:
        case Wagers():
            return "wagers"
        case RoundRecord():
            return "record"
        case Withdraw():
            return "withdrawal"
        case Void():
            return "void"
        case _:
            return "act"
