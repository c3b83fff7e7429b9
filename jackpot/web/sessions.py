"""One table's connection: bytes of frames to commands, replies to bytes of frames. Never waits, and decides nothing.

What a session does with a frame costs no task and no log line: there are thousands a second.
"""

import asyncio
import time
from collections.abc import Callable
from functools import lru_cache

import structlog
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from msgspec import Raw

from jackpot.core.commands import Command, command_from_table
from jackpot.core.ports import Reply, Submitted, TableLink
from jackpot.telemetry import MESSAGES, Telemetry
from jackpot.web.round_watch import RoundWatch
from jackpot.wire.codec import FrameError, decode_from_table, encode, escapes
from jackpot.wire.messages import Answer, Ask, BadFrame, HandingIn, Hits, Later, Signed, Wagers
from jackpot.wire.refusals import Refusal
from jackpot.wire.signing import signed_bytes
from rules.records import RecordError, RoundRecord

__all__ = ["Session", "kind_of", "reply_of"]

MOST_WAITING = 4
"""A table has one message in flight, and a withdraw behind it; more is not a table's doing."""
ASK = encode(Ask())
HANDING_IN = b'{"kind":"handing_in"'
UNDECIDED = frozenset(
    {Refusal.BUSY, Refusal.LINK_STOPPED, Refusal.LEDGER_BEHIND, Refusal.LEDGER_UNREACHABLE, Refusal.KEPT_ASIDE}
)
"""Why nothing was decided; the other later refusals are decisions, and are counted as such."""

_log = structlog.get_logger(__name__)


class Session:
    """A table whose hello was heard: every frame is answered, here or by the link's poster."""

    __slots__ = (
        *("_answers", "_asked", "_asked_at", "_key", "_link", "_send", "_table", "_telemetry"),
        *("behind", "gone", "handed", "waiting", "watch"),
    )

    def __init__(
        self,
        table: str,
        key: Ed25519PublicKey,
        link: TableLink,
        send: Callable[[bytes], None],
        telemetry: Telemetry,
    ) -> None:
        """`send` puts the bytes of a frame on the wire; it never raises and never waits."""
        self._table, self._key, self._link, self._send, self._telemetry = table, key, link, send, telemetry
        self._answers = telemetry.posting.answer_seconds.of(link.name)
        self._asked, self._asked_at = "", 0.0
        """The last wagers that wait for their answer, and when they came."""
        self.waiting = 0
        """How many of its messages are not answered yet."""
        self.handed: Callable[[HandingIn], None] | None = None
        """Who takes what the table hands in; nobody where it was not asked to."""
        self.behind = False
        """Whether what the table holds of a life that was lost is to be posted first: a later round of the same journal
        would leave no place for it."""
        self.watch: RoundWatch | None = None
        """Who sees what people do to the table's round; nobody where the table could not be told."""
        self.gone = False
        """Whether the connection is over: what is answered now goes nowhere, and the next connection asks again."""

    def receive(self, data: bytes) -> None:
        """Take a frame. What cannot be read is answered so, with the field, the value and the reason (case 11)."""
        try:
            command = self._command(data)
        except (FrameError, RecordError) as error:
            self._telemetry.frames_bad.labels(kind_of(data)).inc()
            self._send(encode(BadFrame(error.field, error.value, error.reason)))
            return
        if command is None:
            return
        if self.behind or self.waiting >= MOST_WAITING:
            why = Refusal.LEDGER_BEHIND if self.behind else Refusal.BUSY
            self._telemetry.put_off(self._link.name, why)
            self._send(encode(Later(command.id, why.code, why.text)))
            return
        self.waiting += 1
        if isinstance(command.message, Wagers):
            self._asked, self._asked_at = command.id, time.monotonic()
        self._link.submit(Submitted(command, self._reply))

    def told_too_little(self) -> bool:
        """Say whether people have done something to the table's round that it was not told of."""
        return self.watch is not None and not self.waiting and self.watch.changed(self._link.round_now(self._table))

    def _command(self, data: bytes) -> Command | None:
        """Return what is to be decided, None for a frame that was answered; raises FrameError or RecordError."""
        if data == ASK:
            self._telemetry.frames.labels("ask").inc()
            self._send(encode(Hits(self._link.month(), list(self._link.hits(self._table)))))
            return None
        if self.handed is not None and data.startswith(HANDING_IN):
            frame = decode_from_table(data)
            if isinstance(frame, HandingIn):
                self._telemetry.frames.labels("handing_in").inc()
                self.handed(frame)
            return None
        command = command_from_table(data)
        if command.table != self._table:
            raise FrameError("table", command.table[:40], f"this connection is table {self._table}'s")
        if isinstance(command.message, RoundRecord) and escapes(data):
            # In the canonical form of a record nothing but a control character is written so.
            raise RecordError("", data[:40].decode("utf-8", "replace"), "a text holds a control character")
        if command.signed is not None:
            self._check(command.signed)
        self._telemetry.frames_of[kind_of(data)].inc()
        return command

    def _check(self, frame: Signed) -> None:
        try:
            self._key.verify(
                bytes.fromhex(frame.signature), signed_bytes(bytes.fromhex(frame.head), bytes(frame.message))
            )
        except InvalidSignature:
            raise FrameError("signature", frame.signature[:40], "not this table's key's") from None

    def _reply(self, reply: Reply) -> None:
        self.waiting -= 1
        if reply.later is not None or reply.receipt is None:
            why = reply.later or Refusal.BUSY
            if why in UNDECIDED:
                self._telemetry.put_off(self._link.name, why)
                if why is Refusal.KEPT_ASIDE:
                    where = {"link": self._link.name, "table": self._table, "round": int(reply.id.split("/")[3])}
                    _log.error("kept_aside", **where, id=reply.id)
            if not self.gone:
                self._send(encode(Later(reply.id, why.code, why.text, list(reply.hits))))
        elif not self.gone:
            answer = Answer(reply.id, Raw(reply.answer), reply.receipt, self._link.month(), list(reply.hits))
            self._send(encode(answer))
            if self.watch is not None:
                self.watch.answered(reply.id, reply.answer)
            if reply.id == self._asked:
                self._answers.observe(time.monotonic() - self._asked_at)


def kind_of(data: bytes) -> str:
    """Return the kind a frame says it is of, `other` for one that says none.

    >>> kind_of(b'{"kind":"wagers","table":"T1"}'), kind_of(b'{"kind":"T9"}'), kind_of(b"")
    ('wagers', 'other', 'other')
    """
    return _kind(bytes(data[:18]))


@lru_cache(maxsize=64)
def _kind(beginning: bytes) -> str:
    named = beginning[9:].split(b'"', 1)[0].decode("ascii", "replace") if beginning.startswith(b'{"kind":"') else ""
    return named if named in MESSAGES else "other"


def reply_of(future: "asyncio.Future[Reply]") -> Callable[[Reply], None]:
    """Return a reply that fulfils a future, and does nothing to one that nobody waits for any more."""

    def fulfil(reply: Reply) -> None:
        if not future.done():
            future.set_result(reply)

    return fulfil
