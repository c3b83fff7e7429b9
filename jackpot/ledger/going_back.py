"""Does the ledger still hold what was answered? Asked at start, on each new connection and at each hello (PROTOCOL 5).

Where it does not, the link is stopped as `ledger_behind`, by the row that every process's fence reads, and what tables
hand in is kept until two people have it posted again. Decides nothing about money.
"""

import asyncio
import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import msgspec
import structlog

from jackpot.core.behind import (
    LEDGER_BEHIND,
    GoneBack,
    Mark,
    Verdict,
    decode_gone_back,
    hold_receipt,
    judge,
    mark_of_receipt,
)
from jackpot.core.by_people import RoundPlace
from jackpot.core.chain import GENESIS
from jackpot.core.commands import command_from_table
from jackpot.core.ports import Known
from jackpot.ledger.by_people import by_people
from jackpot.ledger.clock import SystemClock
from jackpot.ledger.connection import Connection, close, connect, translated
from jackpot.ledger.failures import LinkStopped
from jackpot.ledger.seals import seal
from jackpot.ledger.statements import statement
from jackpot.ledger.stored_answers import find_answers
from jackpot.wire.codec import FrameError, decode_answer, encode
from jackpot.wire.messages import ByPeople, HandIn, HandingIn, HitNow, Receipt, RefusedAnswer, StoredAnswer
from jackpot.wire.refusals import Refusal
from jackpot.wire.snapshots import Snapshot

_log = structlog.get_logger("jackpot.ledger")

ORIGIN = Mark(1, 0)
"""Before the first commit of all."""
BACK = 10_000
"""So many commits before its head a ledger that went back asks a spool from: hours of play, not all that it holds."""
FURTHER = 10
"""So many times as far back it asks again where that is not far enough: the table had not played for hours."""

_hits = msgspec.json.Decoder(list[HitNow])


@dataclass(frozen=True, slots=True)
class Holder:
    """How far a spool of a table has handed in, and its hits as it was told of them and as it saw them on the meter."""

    table: str
    spool: str
    last: Mark
    complete: bool
    stop_us: int
    """The stop of the link (microseconds since 1970) for which it has; 0 where none stood."""
    hits: Sequence[HitNow]
    shown: Sequence[HitNow]


async def head_mark(connection: Connection, chain: str) -> Mark:
    """Return where a chain stands; nowhere for one that has not begun."""
    row = await connection.fetchrow(statement("load_head"), chain)
    return ORIGIN if row is None else Mark(row["generation"], row["commit"], row["digest"].hex(), row["batch"])


async def verdict(connection: Connection, chain: str, mark: Mark) -> tuple[Verdict, Mark]:
    """Hold a remembered place against the chain; return what it says, and the chain's head."""
    with translated():
        head = await head_mark(connection, chain)
        at = None
        if mark.commit and mark.place <= head.place:
            row = await connection.fetchrow(statement("batch_of_commit"), chain, mark.commit)
            at = None if row is None else Mark(row["generation"], mark.commit, row["digest"].hex(), row["batch"])
    return judge(head, mark, at), head


async def hold_to(
    connection: Connection, chain: str, mark: Mark, told_by: str, shown: Snapshot | None = None
) -> GoneBack | None:
    """Stop the link where the ledger does not hold this place any more, and return the evidence; None where it does.

    **If repeated** the first stop stands. Raises UnreachableError.
    """
    gone = await gone_back(connection, chain, mark, told_by, shown)
    if gone is not None:
        await stop_behind(connection, chain, gone)
    return gone


async def gone_back(
    connection: Connection, chain: str, mark: Mark, told_by: str, shown: Snapshot | None = None
) -> GoneBack | None:
    """Return the evidence where the ledger does not hold this place any more; None where it does. Changes nothing."""
    found, head = await verdict(connection, chain, mark)
    if found not in {Verdict.BEYOND, Verdict.FORKED}:
        return None
    forked = found is Verdict.FORKED
    return GoneBack(told_by, head, mark, forked, shown if forked else past(shown, head))


def past(shown: Snapshot | None, head: Mark) -> Snapshot | None:
    """Return what was shown where it is of a place that the ledger has lost: else it is no evidence."""
    return shown if shown is not None and (shown.generation, shown.commit) > head.place else None


async def stop_behind(connection: Connection, chain: str, gone: GoneBack) -> None:
    """Stop a link as `ledger_behind`, in every process and after a restart. **If repeated** the first stop stands."""
    at, evidence = SystemClock().now_us(), encode(gone).decode()
    with translated():
        await connection.execute(statement("begin_chain"), chain, GENESIS)
        sealed = seal(chain, at, gone.reason, evidence)
        done = await connection.execute(statement("stop_link"), chain, at, gone.reason, evidence, sealed)
    if done != "INSERT 0 0":
        _log.critical("ledger_behind", link=chain, reason=gone.reason)


async def hold_again(
    connection: Connection, chain: str, seen: Mark | None, shown: Snapshot | None = None
) -> GoneBack | None:
    """Hold a new connection's ledger to what this process has seen in it, and to what any process has shown of it.

    `shown` is the furthest that was shown of the link: evidence of meters and of hits that were paid.
    """
    remembered = [] if seen is None else [("connection", seen)]
    if shown is not None:
        remembered.append(("snapshot", Mark(shown.generation, shown.commit)))
    for told_by, mark in sorted(remembered, key=lambda each: each[1].place, reverse=True):
        gone = await hold_to(connection, chain, mark, told_by, shown)
        if gone is not None:
            return gone
    return None


async def refuse_behind(connection: Connection, chain: str, seen: Mark | None, shown: Snapshot | None = None) -> None:
    """Raise LinkStopped where a new connection finds less in the ledger than was seen in it, or shown of it."""
    gone = await hold_again(connection, chain, seen, shown)
    if gone is not None:
        raise LinkStopped(gone.reason)


class GoingBack:
    """A link's ledger, held against what others remember of it. One question at a time, on its own connection."""

    def __init__(
        self,
        url: str,
        chain: str,
        *,
        stopped: Callable[[], None] = lambda: None,
        shown: Callable[[], Snapshot | None] = lambda: None,
    ) -> None:
        """`stopped` is told that the link was stopped by what was asked here, `shown` gives what it showed last."""
        self.chain = chain
        self._url, self._stopped, self._shown = url, stopped, shown
        self._connection: Connection | None = None
        self._alone = asyncio.Lock()
        self._looks: dict[str, Mark] = {}
        """After which place each spool was asked of which it is not known yet where the ledger and it go apart."""

    async def look(self, mark: Mark, told_by: str, shown: Snapshot | None = None) -> GoneBack | None:
        """Stop the link where the ledger does not hold this place any more; raises UnreachableError."""
        async with self._alone:
            gone = await hold_to(await self._connected(), self.chain, mark, told_by, shown)
        if gone is not None:
            self._stopped()
        return gone

    async def stop(self, gone: GoneBack) -> None:
        """Stop the link on evidence of somebody else's; raises UnreachableError."""
        async with self._alone:
            await stop_behind(await self._connected(), self.chain, gone)
        self._stopped()

    async def other_stop(self) -> str:
        """Return why the link is stopped where that is for another reason; raises UnreachableError."""
        async with self._alone:
            connection = await self._connected()
            if await standing(connection, self.chain) is not None:
                return ""
            with translated():
                row = await connection.fetchrow(statement("standing_stop"), self.chain)
        return "" if row is None else str(row["reason"])

    async def wanted(
        self, table: str, spool: str, receipt: Receipt | None, *, stopped: bool
    ) -> tuple[bool, HandIn | None]:
        """Say whether a table that says hello is to be refused as `ledger_behind`, and what it is to hand in.

        Stops the link where the ledger does not hold the table's last receipt. A table whose receipt is of a lost life
        hands in alone, while the link goes on. **Always** asked of each spool: what another one of the table has handed
        in says nothing of an older one that comes back. **Never** from the head on alone: before the link was stopped
        people may have acted in a ledger that had gone back, on top of where it went apart from what tables hold.
        Raises UnreachableError; FrameError for a receipt that no ledger gave.
        """
        self._looks.pop(spool, None)
        last = ORIGIN if receipt is None else mark_of_receipt(receipt)
        async with self._alone:
            connection = await self._connected()
            found, head = await verdict(connection, self.chain, last)
            stop = await standing(connection, self.chain) if stopped else None
            if receipt is not None:
                hold_receipt(receipt, furthest(head, stop, self._shown()), "body.last_receipt")
            if found is Verdict.FORKED and last.generation < head.generation:
                found = Verdict.LOST  # Two people have begun another life since: that the two differ is known.
            if found in {Verdict.BEYOND, Verdict.FORKED}:
                forked = found is Verdict.FORKED
                gone = GoneBack(f"table {table}", head, last, forked, past(self._shown(), head))
                await stop_behind(connection, self.chain, gone)
                stop = await standing(connection, self.chain)
            if stop is None and found is not Verdict.LOST:
                return False, None
            own = await holders(connection, self.chain, table)
            holder = next((one for one in own if one.spool == spool), None)
            with translated():
                waits = await connection.fetchval(statement("waits_handed_in"), self.chain, table)
        if found in {Verdict.BEYOND, Verdict.FORKED}:
            self._stopped()
        if stop is None:
            if holder is not None and holder.complete and holder.last.place >= last.place:
                # Until two people have it posted the table plays nothing: its next rounds would stand before these.
                return bool(waits), None
            return True, _ask(ORIGIN if holder is None else holder.last)
        if holder is None or holder.stop_us != stop.stopped_us:
            begin = self._looks[spool] = back_from(stop.gone.head, BACK)
            return True, _ask(begin)
        if holder.complete and holder.last.place >= last.place:
            return True, None
        return True, _ask(holder.last)

    async def keep(self, table: str, spool: str, receipt: Receipt | None, frame: HandingIn) -> HandIn | None:
        """Keep what a table hands in; return what it is asked for next, None when it has handed in all it holds.

        **Never** what the ledger holds with that answer already, nor what was refused since another had its id: nobody
        need post it again. **If repeated** a message is kept once. Raises FrameError or RecordError for what is no
        answered message of this table, or has a receipt past the last that the table named, UnreachableError.
        """
        rows = []
        for number, held in enumerate(frame.held):
            if receipt is None or mark_of_receipt(held.receipt).place > mark_of_receipt(receipt).place:
                named = f"{held.receipt.generation}/{held.receipt.commit}"
                raise FrameError(f"held[{number}].receipt", named, "past the last receipt that the table has named")
            command = command_from_table(bytes(held.message))
            answer = decode_answer(held.answer)
            if command.table == table and not _was_taken(answer):
                place = (held.receipt.generation, held.receipt.commit, held.receipt.digest)
                rows.append((command.id, *place, bytes(held.message), bytes(held.answer)))
        last = mark_of_receipt(frame.held[-1].receipt) if frame.held else ORIGIN
        if not frame.more and receipt is not None:
            last = max(last, mark_of_receipt(receipt), key=_place)
        complete, now = not frame.more or not frame.held, SystemClock().now_us()
        hits = [encode_hits(each) for each in (frame.hits, frame.shown)]
        async with self._alone:
            connection = await self._connected()
            look = self._looks.pop(spool, ORIGIN)
            if look != ORIGIN and not await self._holds_first(connection, frame):
                head = await head_mark(connection, self.chain)
                again = self._looks[spool] = back_from(head, (head.commit - look.commit) * FURTHER)
                return _ask(again)
            with translated():
                async with connection.transaction():
                    # Behind a reopening that is under way: it clears what it has read, and nothing that came since.
                    await connection.fetch(statement("lock_head"), self.chain)
                    stop = await standing(connection, self.chain)
                    known = await find_answers(connection, self.chain, [row[0] for row in rows])
                    rows = [row for row in rows if not _holds(known.get(row[0]), row[4], row[5])]
                    columns: list[list[object]] = [list(column) for column in zip(*rows, strict=True)] or [[]] * 6
                    where = (self.chain, table, spool, *columns[:5], now, columns[5])
                    await connection.execute(statement("hand_in"), *where)
                    put = (self.chain, table, spool, last.generation, last.commit, complete, *hits)
                    put = (*put, 0 if stop is None else stop.stopped_us, now)
                    await connection.execute(statement("put_holder"), *put)
        _log.info("handed_in", link=self.chain, table=table, messages=len(rows), complete=complete)
        return None if complete else _ask(last)

    async def _holds_first(self, connection: Connection, frame: HandingIn) -> bool:
        """Say whether the ledger holds the first commit of a page: all before that is the same there and here."""
        if not frame.held:
            return False
        found, _ = await verdict(connection, self.chain, mark_of_receipt(frame.held[0].receipt))
        return found is Verdict.HELD

    async def by_people(self, place: RoundPlace, seats: int) -> list[ByPeople]:
        """Return what people did to a round of so many seats that its table had not ended; raises UnreachableError."""
        async with self._alone:
            return await by_people(await self._connected(), self.chain, place, seats)

    async def close(self) -> None:
        """Close the connection. **If repeated** nothing happens."""
        connection, self._connection = self._connection, None
        if connection is not None:
            await close(connection)

    async def _connected(self) -> Connection:
        if self._connection is None or self._connection.is_closed():
            self._connection = await connect(self._url, f"jackpot receipts {self.chain}")
        return self._connection


@dataclass(frozen=True, slots=True)
class Standing:
    """A stop as `ledger_behind` that nobody has lifted."""

    stopped_us: int
    gone: GoneBack


async def standing(connection: Connection, chain: str) -> Standing | None:
    """Return the stop as `ledger_behind` that stands; None where none does, or one for another reason."""
    with translated():
        row = await connection.fetchrow(statement("standing_evidence"), chain)
    if row is None or not row["reason"].startswith(f"{LEDGER_BEHIND}:"):
        return None
    return Standing(row["stopped_us"], decode_gone_back(row["evidence"]))


def back_from(head: Mark, by: int) -> Mark:
    """Return the place so many commits before a head; the first of all where the ledger is as short.

    >>> back_from(Mark(2, 1_000_000), 10_000).place, back_from(Mark(2, 900), 10_000) == ORIGIN
    ((2, 990000), True)
    """
    return Mark(head.generation, head.commit - by) if head.commit > by else ORIGIN


def furthest(head: Mark, stop: Standing | None, shown: Snapshot | None) -> Mark:
    """Return the furthest place known of a ledger: its head, what it is known to have lost, or what was shown of it."""
    known = [head, *([] if stop is None else [stop.gone.last])]
    return max([*known, *([] if shown is None else [Mark(shown.generation, shown.commit)])], key=_place)


async def holders(connection: Connection, chain: str, table: str = "") -> list[Holder]:
    """Return how far each spool has handed in, or each of the one table; a table's newest receipt is last."""
    with translated():
        rows = await connection.fetch(statement("load_holders"), chain, table)
    return [
        Holder(
            row["table"],
            row["spool"],
            Mark(row["generation"], row["commit"]),
            row["complete"],
            row["stop_us"],
            _hits.decode(row["hits"]),
            _hits.decode(row["shown"]),
        )
        for row in rows
    ]


def encode_hits(hits: Sequence[HitNow]) -> str:
    """Return hits as a holder's row keeps them."""
    return msgspec.json.encode(list(hits)).decode()


def _holds(known: Known | None, message: bytes, answer: bytes) -> bool:
    return known is not None and (known.sha256, known.answer) == (hashlib.sha256(message).digest(), answer)


def _was_taken(answer: StoredAnswer) -> bool:
    """Say whether a message was refused since its id was another's: that one is the ledger's, whoever holds it."""
    return isinstance(answer, RefusedAnswer) and answer.code == Refusal.ID_REUSED.code


def _ask(after: Mark) -> HandIn:
    return HandIn(after.generation, after.commit)


def _place(mark: Mark) -> tuple[int, int]:
    return mark.place
