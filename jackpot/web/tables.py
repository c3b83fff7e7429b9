"""`/tables/{table}`: a table's one WebSocket. Challenge, hello, then its messages, one answer each (PROTOCOL 1, 2).

The connection number says which connection is the table: a newer one whose hello was accepted ends the older.
"""

import asyncio
import os
import time
from collections.abc import Callable, Mapping

import structlog
from aiohttp import WSCloseCode, web
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from jackpot.core.answers import ConnectedAnswer, HelloRefusedAnswer, decode_stored
from jackpot.core.commands import of_act
from jackpot.core.ports import Directory, Reply, Submitted, TableLink, UnreachableError
from jackpot.serving.running import Connections
from jackpot.serving.sockets import notice_lost_peers
from jackpot.telemetry import PROGRAM_VERSION, Connected, Telemetry
from jackpot.web.handing import Handing
from jackpot.web.hellos import connect_of, last_round_of, read_hello, refused_of, watch_of, welcome_of
from jackpot.web.sessions import Session, reply_of
from jackpot.web.table_connection import REPLACED, TableConnection
from jackpot.wire.codec import FRAME_BYTES, VERSIONS, FrameError, encode, spoken
from jackpot.wire.messages import BadFrame, Challenge, HelloBody, Refused
from jackpot.wire.refusals import Refusal
from jackpot.wire.signing import hello_bytes

__all__ = ["Tables"]

NONCE_BYTES = 16
HELLO_WITHIN_S = 10.0
THERE_WITHIN_S = 5.0
"""So soon a table that says hello shows that it is there still; it waits twice as long for the word."""
WORD_WITHIN_S = 10.0
"""No table waits longer for the word on its hello: who wakes later with it in hand knows that the table has left."""
PONG_WITHIN_S = 1.0
"""So soon answers an older connection that is still alive when a newer hello comes."""
BACK_WITHIN_S = 60.0
"""An agent that was replaced while it was alive, and says hello again within this, fights for its table."""
CLOSE_WITHIN_S = 0.5
DRAIN_WITHIN_S = 0.5
LOST_AFTER_S = 25
SILENT_AFTER_S = 25.0
"""An agent says every ten seconds at least what time it is. That one hangs, or that its way is cut behind a proxy which
keeps the connection, no kernel notices."""
LOOK_EVERY_S = 1.0
PROGRAM = f"tablelink {PROGRAM_VERSION}"
"""What a table of this server's own version says it runs."""
WRONG_KEY = ("wrong_key", "the hello is not signed by the key enrolled for this table")
NO_PROTOCOL = ("no_protocol", "the table speaks no version of the protocol that this server speaks")

_log = structlog.get_logger(__name__)


def wall_clock_ms() -> int:
    """Return the time of day, which nothing is decided by."""
    return time.time_ns() // 1_000_000


class Tables:
    """The tables connected to this process."""

    def __init__(
        self,
        directory: Directory,
        connections: Connections,
        telemetry: Telemetry,
        *,
        random: Callable[[int], bytes] = os.urandom,
        wall_ms: Callable[[], int] = wall_clock_ms,
    ) -> None:
        """`random` makes the challenges; `wall_ms` is the time of day that tables' clocks are held against."""
        self._directory, self._connections, self._telemetry, self._random = directory, connections, telemetry, random
        self._wall_ms = wall_ms
        self._current: dict[str, TableConnection] = {}
        self._welcomed: dict[str, int] = {}
        """The number of the last connection of each table that was accepted here, whether it is up or over."""
        self._displaced: dict[str, float] = {}
        """When, by the loop's clock, a connection that was alive was ended for a newer one at another process."""

    def add_to(self, app: web.Application) -> None:
        """Serve tables under `/tables/`."""
        app.router.add_get("/tables/{table}", self.connect)

    async def keep_looking(self) -> None:
        """End, once a second and for ever, connections that are the table no more (PROTOCOL 1, 11.9), or silent."""
        while True:
            await asyncio.sleep(LOOK_EVERY_S)
            most = SILENT_AFTER_S / LOOK_EVERY_S
            found = [
                (table, one, one.standing(table), one.silent_looks() > most) for table, one in self._current.items()
            ]
            await asyncio.gather(
                *[self._eject(table, one, why) for table, one, why, _silent in found if why],
                *[self._let_go(table, one) for table, one, why, silent in found if silent and not why],
            )

    async def _let_go(self, table: str, connection: TableConnection) -> None:
        _log.warning("table_silent", table=table)
        await connection.close(words=b"nothing was heard of this table")

    async def _eject(self, table: str, connection: TableConnection, why: str) -> None:
        if why == "replaced" and await connection.answers(PONG_WITHIN_S):
            self._displaced[table] = asyncio.get_running_loop().time()
        self._ejected(table, connection, why)
        await connection.eject(why)

    def _comes_back(self, table: str) -> bool:
        """Whether a connection of this table that was alive has lately been replaced at another process.

        If so a hello here is of the one that lost: of two agents that fight over a table, at two processes.
        """
        at = self._displaced.pop(table, None)
        return at is not None and asyncio.get_running_loop().time() - at < BACK_WITHIN_S

    def __len__(self) -> int:
        """Return how many tables are connected and were accepted."""
        return len(self._current)

    def connected(self) -> dict[str, Connected]:
        """Return the tables that are connected and were accepted, as metrics show them."""
        return {
            table: Connected(
                None if connection.skew_ms is None else connection.skew_ms / 1000, connection.program == PROGRAM
            )
            for table, connection in self._current.items()
        }

    def welcomed(self) -> Mapping[str, int]:
        """Return the number of each table's last connection here: where the ledger's is higher, it went elsewhere."""
        return self._welcomed

    def _ejected(self, table: str, connection: TableConnection, why: str) -> None:
        link = connection.welcomed[0].name if connection.welcomed is not None else "other"
        _log.warning("table_ejected", table=table, link=link, code=why)
        self._telemetry.tables_ejected.labels(link, why).inc()

    async def drain(self) -> None:
        """Wait, for a moment, until what tables sent is answered: the server stops, and takes nothing new."""
        loop = asyncio.get_running_loop()
        end = loop.time() + DRAIN_WITHIN_S
        while loop.time() < end and self._waiting():  # noqa: ASYNC110 - an event would cost every frame
            await asyncio.sleep(DRAIN_WITHIN_S / 50)

    def _waiting(self) -> bool:
        return any(connection.waiting for connection in self._current.values())

    async def connect(self, request: web.Request) -> web.StreamResponse:
        """Serve one connection until it ends."""
        ws = web.WebSocketResponse(
            compress=False, autoping=False, timeout=CLOSE_WITHIN_S, max_msg_size=2 * FRAME_BYTES, decode_text=False
        )
        await ws.prepare(request)
        transport = request.transport
        if transport is None or self._connections.closing:
            await ws.close(code=WSCloseCode.GOING_AWAY)
            return ws
        notice_lost_peers(transport, LOST_AFTER_S)
        connection = TableConnection(ws, transport, self._wall_ms)
        with self._connections.holding(connection):
            try:
                await self._serve(connection, request.match_info["table"])
            finally:
                connection.over()
                await ws.close()
        return ws

    async def _serve(self, connection: TableConnection, table: str) -> None:
        nonce = self._random(NONCE_BYTES)
        connection.send(encode(Challenge(nonce.hex(), list(VERSIONS))))
        said = await self._hello(connection, table, nonce)
        if said is None:
            return
        body, key, link = said
        handing = Handing(body, link, connection.send)
        try:
            behind = await handing.refused()
        except FrameError as error:
            wrong = {"field": error.field, "value": error.value, "why": error.reason}
            _log.warning("hello_refused", table=table, link=link.name, code="bad_frame", **wrong)
            self._unreadable(connection, error)
            return
        if not behind and not await self._accepted(connection, body, nonce, link):
            return
        session = connection.session = Session(table, key, link, connection.send, self._telemetry)
        session.watch = None if connection.welcomed is None else watch_of(body, connection.told)
        session.behind, session.handed = behind, handing.take if handing.asked else None
        connected = self._telemetry.tables_connected.labels(link.name)
        current = self._current.get(table) is connection
        if current:
            connected.inc()
        try:
            await connection.read(session)
        finally:
            session.gone = True
            handing.close()
            if current:
                connected.dec()
            if self._current.get(table) is connection:
                del self._current[table]

    async def _hello(
        self, connection: TableConnection, table: str, nonce: bytes
    ) -> tuple[HelloBody, Ed25519PublicKey, TableLink] | None:
        """Hear the hello and check its signature; None where there was none to accept, which the table was told."""
        data = await connection.next_frame(HELLO_WITHIN_S)
        if data is None:
            return None
        try:
            frame, body = read_hello(data, table)
        except FrameError as error:
            self._unreadable(connection, error)
            return None
        self._telemetry.frames.labels("hello").inc()
        enrolled = await self._directory.enrolled(table)
        link = self._directory.link(enrolled.link) if enrolled is not None else None
        if enrolled is None or link is None:
            self._telemetry.money.hello_refused("other", Refusal.NOT_ENROLLED.code)
            connection.send(encode(Refused(Refusal.NOT_ENROLLED.code, Refusal.NOT_ENROLLED.text)))
            return None
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(enrolled.key))
        try:
            key.verify(bytes.fromhex(frame.signature), hello_bytes(nonce, bytes(frame.body)))
        except InvalidSignature:
            self._telemetry.money.hello_refused(link.name, WRONG_KEY[0])
            _log.warning("hello_refused", table=table, link=link.name, code=WRONG_KEY[0])
            connection.send(encode(Refused(*WRONG_KEY)))
            return None
        if not spoken(body.protocols):
            self._telemetry.money.hello_refused(link.name, NO_PROTOCOL[0])
            _log.warning("hello_refused", table=table, link=link.name, code=NO_PROTOCOL[0])
            connection.send(encode(Refused(*NO_PROTOCOL)))
            return None
        return body, key, link

    def _unreadable(self, connection: TableConnection, error: FrameError) -> None:
        self._telemetry.frames_bad.labels("hello").inc()
        connection.send(encode(BadFrame(error.field, error.value, error.reason)))

    async def _accepted(self, connection: TableConnection, body: HelloBody, nonce: bytes, link: TableLink) -> bool:
        """Have the hello decided and tell the table; False where the connection ends with that.

        **Never** a hello whose table has left: one that was long on its way, or in the inbox of a process that stood
        still, is of before. It would use up a supervisor's word, or by its lower number quarantine the table itself.
        """
        loop = asyncio.get_running_loop()
        until = loop.time() + WORD_WITHIN_S
        if not await connection.stands(THERE_WITHIN_S):
            _log.warning("hello_of_nobody", table=body.table, link=link.name)
            return False
        older = self._current.get(body.table)
        alive = self._comes_back(body.table) or (older is not None and await older.answers(PONG_WITHIN_S))
        replied: asyncio.Future[Reply] = loop.create_future()
        hello = of_act(connect_of(body, nonce, link.month(), alive=alive))
        link.submit(Submitted(hello, reply_of(replied), gone=lambda: connection.lost() or loop.time() > until))
        reply = await replied
        if reply.later is not None or reply.receipt is None:
            why = reply.later or Refusal.BUSY
            connection.send(encode(Refused(why.code, why.text, month=link.month())))
            return False
        answer = decode_stored(reply.answer)
        try:
            told = connection.told = await last_round_of(body, link, reply)
        except UnreachableError:
            why = Refusal.LEDGER_UNREACHABLE
            connection.send(encode(Refused(why.code, why.text, month=link.month())))
            return False
        if isinstance(answer, HelloRefusedAnswer):
            fields = [difference.field for difference in answer.differences]
            _log.warning("hello_refused", table=body.table, link=link.name, code=answer.code, fields=fields)
            connection.send(encode(refused_of(link, answer, told)))
            return True
        if not isinstance(answer, ConnectedAnswer):
            connection.send(encode(Refused(getattr(answer, "code", "busy"), getattr(answer, "text", ""))))
            return False
        if link.standing(body.table, answer.journal, answer.connection, answer.terms) == "replaced":
            return False  # Another was accepted while the ledger was asked.
        _log.info("table_connected", table=body.table, link=link.name, journal=answer.journal, program=body.program)
        older = self._current.get(body.table)
        self._current[body.table], self._welcomed[body.table] = connection, answer.connection
        connection.welcomed = (link, answer.journal, answer.connection, answer.terms)
        connection.program = body.program
        connection.send(encode(welcome_of(body, link, answer, reply.receipt, reply.hits, told)))
        if older is not None:
            self._telemetry.takeovers.labels(link.name).inc()
            _log.warning("table_replaced", table=body.table, link=link.name)
            await older.close(REPLACED, b"a newer connection of this table was accepted")
        return True
