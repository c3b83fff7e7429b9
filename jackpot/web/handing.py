"""A table whose ledger went back: its hello is refused as `ledger_behind`, and it hands in what it holds (PROTOCOL 5).

One page after the other: the next is asked for when the last is kept, so that a connection that breaks goes on from
there.
"""

import asyncio
from collections.abc import Callable

import structlog

from jackpot.core.ports import TableLink, UnreachableError
from jackpot.wire.codec import HAND_IN_SINCE, FrameError, encode, spoken
from jackpot.wire.messages import HandingIn, HelloBody, Refused
from jackpot.wire.refusals import Refusal
from rules.records import RecordError

__all__ = ["Handing"]

_log = structlog.get_logger(__name__)


class Handing:
    """One connection of a table, as far as it hands in."""

    def __init__(self, body: HelloBody, link: TableLink, send: Callable[[bytes], None]) -> None:
        """`send` puts the bytes of a frame on the wire; it never raises and never waits."""
        self._body, self._link, self._send = body, link, send
        self._keeping: asyncio.Task[None] | None = None
        self.asked = False
        """Whether the table was asked to hand in on this connection."""

    async def refused(self) -> bool:
        """Hold the table's last receipt against the ledger; refuse its hello and ask it to hand in where that is lost.

        Where the ledger does not answer nothing is refused here: the hello itself will be told so. Raises FrameError
        for a receipt that no ledger can have given.
        """
        receipts, body, link = self._link.receipts, self._body, self._link
        if receipts is None:
            return False
        try:
            behind, wanted = await receipts.wanted(body.table, body.spool, body.last_receipt, stopped=link.behind)
        except UnreachableError:
            return False
        if not behind:
            return False
        why = Refusal.LEDGER_BEHIND
        _log.warning("hello_refused", table=body.table, link=link.name, code=why.code)
        self._send(encode(Refused(why.code, why.text, month=link.month())))
        if wanted is not None and spoken(body.protocols) >= HAND_IN_SINCE:
            self.asked = True
            self._send(encode(wanted))
        return True

    def take(self, frame: HandingIn) -> None:
        """Keep a page, and ask for the next. One that comes before the last is kept is asked for again later."""
        if self._keeping is None or self._keeping.done():
            self._keeping = asyncio.create_task(self._keep(frame))

    def close(self) -> None:
        """End with the connection. **If repeated** nothing happens."""
        if self._keeping is not None:
            self._keeping.cancel()

    async def _keep(self, frame: HandingIn) -> None:
        receipts, body = self._link.receipts, self._body
        if receipts is None or frame.table != body.table:
            return
        try:
            wanted = await receipts.keep(body.table, body.spool, body.last_receipt, frame)
        except (UnreachableError, FrameError, RecordError) as error:
            _log.warning("not_handed_in", table=body.table, link=self._link.name, error=str(error))
            return
        if wanted is not None:
            self._send(encode(wanted))
