"""A table's WebSocket as the server holds it: frames go out without waiting, and it is known whether the peer lives."""

import asyncio
import contextlib
import struct
from collections.abc import Callable

from aiohttp import WSCloseCode, WSMsgType, web

from jackpot.core.ports import TableLink
from jackpot.web.sessions import Session
from jackpot.wire.clocks import clock_of_ping
from jackpot.wire.codec import encode
from jackpot.wire.messages import Eject, RoundNow
from jackpot.wire.refusals import REFUSALS

__all__ = ["AMENDED", "HEAR_AGAIN", "HELLO_AGAIN", "REPLACED", "TableConnection"]

UNREAD_BYTES = 256 * 1024
"""A table that reads so little of what it is sent is not there."""
REPLACED = 4000
"""The close code of a connection whose table has a newer one."""
AMENDED, HEAR_AGAIN = "round_amended", 4001
"""Why a connection is ended whose table is to hear at a hello what people did to its round; and the close code."""
HELLO_AGAIN = "what is approved for this table has changed: say hello again"


class TableConnection:
    """A WebSocket as a session needs it: frames go out without waiting, and it is known whether the peer lives."""

    __slots__ = (
        *("_heard", "_over", "_silent", "_transport", "_wall_ms", "_ws"),
        *("program", "session", "skew_ms", "told", "welcomed"),
    )

    def __init__(self, ws: web.WebSocketResponse, transport: asyncio.Transport, wall_ms: Callable[[], int]) -> None:
        """Begin with nothing heard."""
        self._ws, self._transport, self._wall_ms = ws, transport, wall_ms
        self._heard = asyncio.Event()
        self._silent = 0
        self._over = False
        self.session: Session | None = None
        self.welcomed: tuple[TableLink, int, int, str] | None = None
        """The link that welcomed it, in which journal, as which connection, under which terms."""
        self.told: RoundNow | None = None
        """How its table's last round stood, as its hello was told."""
        self.program = ""
        """What it runs, as its hello said."""
        self.skew_ms: int | None = None
        """Its time of day less ours, as its last ping told; it decides nothing (case 37)."""

    def send(self, data: bytes) -> None:
        """Put a text frame on the wire (RFC 6455, 5.2). Never waits: a table that reads nothing is cut off instead."""
        transport = self._transport
        if self._over or transport.is_closing():
            return
        if transport.get_write_buffer_size() > UNREAD_BYTES:
            transport.abort()
            return
        size = len(data)
        head = (
            bytes((0x81, size))
            if size < 126
            else struct.pack("!BBH" if size < 65_536 else "!BBQ", 0x81, 126 + (size > 65_535), size)
        )
        transport.write(head + data)

    async def next_frame(self, within_s: float) -> bytes | None:
        """Return the next frame, None where the connection ended or nothing came in time."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(within_s):
                while True:
                    message = await self._ws.receive()
                    if message.type in {WSMsgType.TEXT, WSMsgType.BINARY}:
                        return bytes(message.data)
                    if not await self._control(message.type, message.data):
                        return None
        return None

    async def read(self, session: Session) -> None:
        """Give every frame to the session until the connection ends."""
        receive, take = self._ws.receive, session.receive
        while True:
            message = await receive()
            if message.type is WSMsgType.TEXT or message.type is WSMsgType.BINARY:
                self._heard.set()
                take(message.data)
            elif not await self._control(message.type, message.data):
                return

    async def stands(self, within_s: float) -> bool:
        """Say whether the peer that said hello is there now: it answers a ping in time, and says nothing else yet."""
        try:
            await self._ws.ping()
            async with asyncio.timeout(within_s):
                while (message := await self._ws.receive()).type is not WSMsgType.PONG:
                    if not await self._control(message.type, message.data):
                        return False
        except (TimeoutError, ConnectionError):
            return False
        return not self.lost()

    def lost(self) -> bool:
        """Say whether the connection is known to be over."""
        return self._over or self._ws.closed or self._transport.is_closing()

    async def answers(self, within_s: float) -> bool:
        """Say whether the peer is still there: it answers a ping, or says anything else, in time."""
        if self.lost():
            return False
        self._heard.clear()
        try:
            await self._ws.ping()
            async with asyncio.timeout(within_s):
                await self._heard.wait()
        except (TimeoutError, ConnectionError):
            return False
        return not self._over

    def silent_looks(self) -> int:
        """Look whether anything was heard since the last look; say how many looks in a row heard nothing.

        Looks are counted and not time: a server that stood still has not looked, and what it was told lies unread.
        """
        self._silent = 0 if self._heard.is_set() else self._silent + 1
        self._heard.clear()
        return self._silent

    @property
    def waiting(self) -> bool:
        """Whether a message of this connection is not answered yet."""
        return self.session is not None and self.session.waiting > 0

    def standing(self, table: str) -> str:
        """Say why this connection is the table no more; empty where it is."""
        if self.welcomed is None:
            return ""
        link, journal, number, terms = self.welcomed
        why = link.standing(table, journal, number, terms)
        return AMENDED if not why and self.session is not None and self.session.told_too_little() else why

    async def eject(self, why: str) -> None:
        """Tell the table that its jackpot is closed, and why; it says hello again."""
        if why == AMENDED:
            await self.close(HEAR_AGAIN, why.encode())
            return
        if why != "replaced":
            refusal = REFUSALS.get(why)
            self.send(encode(Eject(why, refusal.text if refusal is not None else HELLO_AGAIN)))
        await self.close(REPLACED, why.encode())

    def over(self) -> None:
        """Note that it has ended: nothing is sent any more."""
        self._over = True

    async def close(self, code: int = WSCloseCode.GOING_AWAY, words: bytes = b"the server stops") -> None:
        """End it."""
        await self._ws.close(code=code, message=words)

    async def _control(self, kind: WSMsgType, data: bytes) -> bool:
        if kind is WSMsgType.PING:
            told_ms = clock_of_ping(data)
            if told_ms is not None:
                self.skew_ms = told_ms - self._wall_ms()
            with contextlib.suppress(ConnectionError):  # Who has asked may have left since: the next read says so.
                await self._ws.pong(data)
        elif kind is not WSMsgType.PONG:
            return False
        self._heard.set()
        return True
