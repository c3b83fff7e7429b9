"""The one place where a step becomes true: written to the spool first, then the table's state and its outbox follow.

Knows no network and no device. One call at a time touches the spool, off the event loop, so that a disk that syncs
slowly holds up one table only.
"""

import asyncio
import time
from concurrent.futures import Executor
from importlib.metadata import version
from typing import Final

from msgspec import Raw

from jackpot.serving.points import reached
from jackpot.wire.codec import VERSIONS, encode
from jackpot.wire.messages import HandIn, HandingIn, HelloBody, HitNow, Receipt
from jackpot.wire.settings import settings_text
from jackpot.wire.snapshots import Snapshot
from rules.terms import canonical_bytes
from tablelink.core.dealing import Dealing, step_now
from tablelink.core.felt import Felt
from tablelink.core.inputs import Input, Post
from tablelink.core.outbox import Outbox, Settled
from tablelink.spool import Spool, Write

HAND_IN_BYTES: Final = 48 * 1024
"""Messages and answers in a frame that hands in: the largest record fits beside them."""
PROGRAM: Final = f"tablelink {version('progressive-jackpot')}"


def wall_clock_us() -> int:
    """Return the time of day, for the spool's pruning; nothing is decided by it."""
    return time.time_ns() // 1000


class Desk:
    """A table as its spool has it."""

    def __init__(self, felt: Felt, spool: Spool, disk: Executor | None = None) -> None:
        """Begin where the spool left off; `disk` runs the writes, the loop's own threads where there is none."""
        self.felt = felt
        self.dealing: Dealing = spool.rebuild(felt)
        self.outbox = Outbox(spool.unanswered())
        self._spool = spool
        self._disk = disk
        self._alone = asyncio.Lock()
        self.last_receipt = spool.last_receipt()
        self.spool_path = spool.path
        self.spool_id = spool.id

    async def take(self, *given: Input, settled: Settled | None = None) -> tuple[Post, ...]:
        """Take inputs, with the answer that one of them may be, and return the messages that followed.

        **Always** on the disk before the state moves or a message can be sent. Raises NotNowError for an input that
        cannot be now, TableError where the disk fails; then nothing has changed. **If cancelled** the step may be on
        the disk: the program ends, and begins again from there.
        """
        before = after = self.dealing
        posts: tuple[Post, ...] = ()
        for one in given:
            after, more = step_now(after, one, self.felt)
            posts += more
        starts = before.round is None and after.round is not None
        write = Write(given, posts, settled, checkpoint=before if starts else None)
        sent = await self._write(write)
        self.dealing = after
        reached("step-taken", write)
        for message, name in sent:
            self.outbox.submit(message, name)
        if settled is not None:
            self.heard(settled.answer.receipt)
        return posts

    def heard(self, receipt: Receipt) -> None:
        """Note the newest receipt: it says which life of the ledger the table is in."""
        last = self.last_receipt
        if last is None or (last.generation, last.commit) < (receipt.generation, receipt.commit):
            self.last_receipt = receipt

    async def hello(self) -> HelloBody:
        """Return what the table says of itself now, with a connection number that was never used."""
        async with self._alone:
            connection = await asyncio.get_running_loop().run_in_executor(self._disk, self._spool.next_connection)
        return HelloBody(
            table=self.felt.table,
            journal=self.dealing.journal,
            spool=self._spool.id,
            connection=connection,
            next_round=self.dealing.next_round,
            protocols=list(VERSIONS),
            program=PROGRAM,
            terms=Raw(canonical_bytes(self.felt.terms)),
            settings=Raw(settings_text(self.felt.approved).encode()),
            last_receipt=self.last_receipt,
        )

    async def hand_in(self, asked: HandIn, shown: Snapshot | None) -> bytes:
        """Return the frame in which the table hands in what it holds answered past a place of the ledger (PROTOCOL 5).

        `shown` is the last snapshot that it saw. **Never** more than a frame takes: the rest is asked for again.
        """
        async with self._alone:
            loop = asyncio.get_running_loop()
            held = await loop.run_in_executor(self._disk, self._spool.held_after, asked, HAND_IN_BYTES)
        own = [hit for hit in shown.hits if hit.table == self.felt.table] if shown is not None else []
        return encode(
            HandingIn(
                self.felt.table,
                *held,
                hits=list(self.dealing.hits),
                shown=[HitNow(hit.hit, hit.prize, hit.state, hit.amount_cents) for hit in own],
            )
        )

    async def prune(self, keep_days: int) -> None:
        """Clear the spool of what is older than backups of the ledger reach back."""
        async with self._alone:
            await asyncio.get_running_loop().run_in_executor(
                self._disk, self._spool.prune, wall_clock_us(), keep_days, self.dealing.month
            )

    async def _write(self, write: Write) -> list[tuple[bytes, str]]:
        if not (write.steps or write.settled):
            return []
        async with self._alone:
            return await asyncio.get_running_loop().run_in_executor(
                self._disk, self._spool.write, write, wall_clock_us()
            )
