"""A table's end of its WebSocket, for tests of the server's end."""

import struct
from dataclasses import dataclass, field

import aiohttp
from aiohttp import WSMsgType
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec import Raw

from jackpot.wire.codec import VERSION, decode_to_table, encode
from jackpot.wire.messages import (
    Answer,
    Challenge,
    Hello,
    HelloBody,
    Later,
    SeatWager,
    Shown,
    ToTable,
    Wagers,
    Welcome,
)
from jackpot.wire.signing import hello_bytes
from rules.terms import canonical_bytes, fingerprint
from tests.support.serving import LONGEST_S
from tests.support.terms import demo_terms

SETTINGS = b"{}"
STANDS_STILL = {"busy", "ledger_unreachable"}
"""Said where the server's machine or its disk stood still for some seconds: nothing was done with the message."""


def wagers(table: str = "T1", round_no: int = 1, journal: int = 1, seats: int = 7) -> Wagers:
    """The wagers of a round."""
    return Wagers(
        table=table,
        journal=journal,
        month="2026-11",
        round=round_no,
        revision=1,
        terms=fingerprint(demo_terms()),
        shown=Shown(1, 1, 1, 5_000_000),
        seats=[SeatWager(seat, 1000, 100, 100) for seat in range(1, seats + 1)],
    )


@dataclass
class TableEnd:
    """One WebSocket as a table holds it."""

    socket: aiohttp.ClientWebSocketResponse
    table: str
    key: Ed25519PrivateKey
    nonce: bytes = b""
    settings: bytes = SETTINGS
    months: dict[str, str] = field(default_factory=dict)
    """The gaming month that each table was told by its first welcome; a round keeps it, however often it is sent."""
    sent: list[bytes] = field(default_factory=list)

    async def receive(self) -> ToTable:
        """The next frame; AssertionError where the connection ended."""
        message = await self.socket.receive(timeout=LONGEST_S)
        assert message.type is WSMsgType.TEXT, message
        return decode_to_table(message.data.encode())

    async def closed(self) -> int | None:
        """Wait for the end; the close code."""
        while True:
            message = await self.socket.receive(timeout=LONGEST_S)
            if message.type in {WSMsgType.CLOSE, WSMsgType.CLOSED, WSMsgType.CLOSING}:
                return self.socket.close_code

    async def send(self, data: bytes) -> None:
        """Send a text frame."""
        self.sent.append(data)
        await self.socket.send_str(data.decode())

    async def answered(self, data: bytes) -> Answer:
        """Send a message until it has its answer: again where the server puts it off, as a table does (PROTOCOL 3)."""
        while True:
            await self.send(data)
            frame = await self.receive()
            if not (isinstance(frame, Later) and frame.code in STANDS_STILL):
                assert isinstance(frame, Answer), frame
                return frame

    def body(self, **changes: object) -> HelloBody:
        """The hello of this table."""
        fields: dict[str, object] = {
            "table": self.table,
            "journal": 0,
            "spool": "00" * 16,
            "connection": 1,
            "next_round": 1,
            "protocols": [VERSION],
            "program": "test",
            "terms": Raw(canonical_bytes(demo_terms())),
            "settings": Raw(self.settings),
        }
        return HelloBody(**(fields | changes))  # type: ignore[arg-type]

    async def hello(self, *, key: Ed25519PrivateKey | None = None, **changes: object) -> ToTable:
        """Hear the challenge, say hello, and give what came back."""
        challenge = await self.receive()
        assert isinstance(challenge, Challenge)
        self.nonce = bytes.fromhex(challenge.nonce)
        body = encode(self.body(**changes))
        signature = (key or self.key).sign(hello_bytes(self.nonce, body))
        await self.send(encode(Hello(Raw(body), signature.hex())))
        told = await self.receive()
        if isinstance(told, Welcome):
            self.months.setdefault(self.table, told.month)
        return told


async def table_end(
    client: aiohttp.ClientSession,
    table: str,
    key: Ed25519PrivateKey,
    settings: bytes = SETTINGS,
    months: dict[str, str] | None = None,
) -> TableEnd:
    """Connect as a table; `months` is where it writes the month that it is told, if others are to know."""
    socket = await client.ws_connect(f"/tables/{table}", compress=0)
    return TableEnd(socket, table, key, settings=settings, months={} if months is None else months)


def vanish(socket: aiohttp.ClientWebSocketResponse) -> None:
    """Let the peer be gone without a word: reset, nothing said."""
    transport = socket._response.connection.transport  # type: ignore[union-attr]
    assert transport is not None
    raw = transport.get_extra_info("socket")
    raw.setsockopt(1, 13, struct.pack("ii", 1, 0))  # SOL_SOCKET, SO_LINGER: reset at close
    transport.abort()
