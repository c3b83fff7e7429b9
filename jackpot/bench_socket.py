"""What is the least a table of a load needs of a WebSocket? The upgrade, a real hello, one frame out for one in.

Written by hand and only that far: a client library on the same two cores would be most of what is measured. It checks
nothing that a table would check; an agent is `tablelink`.
"""

import asyncio
import base64
import os
import struct
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import cast

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec import Raw

from jackpot.bench_round import ANTE_CENTS, SEATS
from jackpot.wire import codec
from jackpot.wire.clocks import ping_of_clock
from jackpot.wire.messages import Challenge, Hello, HelloBody, SeatWager, Shown, Wagers, Welcome
from jackpot.wire.signing import hello_bytes

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10
"""What a frame is (RFC 6455, 11.8)."""
TIME_EVERY_S = 10.0
"""As an agent, a table says so often what time it is: one of which nothing is heard is let go."""


@dataclass(frozen=True, slots=True)
class LoadTable:
    """A table of the load: its name, its private key, and what it shows in its hello."""

    name: str
    key: bytes
    terms: bytes
    settings: bytes
    qualifying_wager_cents: int


class Connection(asyncio.Protocol):
    """One table's connection: hello, then whatever it is given to send; `answered` gets the bytes of each answer."""

    def __init__(self, table: LoadTable, host: str, ready: Callable[["Connection"], None]) -> None:
        """Begin unconnected; `ready` is called once the hello was accepted."""
        self.table, self._host, self._ready = table, host, ready
        self.answered: Callable[[Connection, bytes], None] = lambda _connection, _frame: None
        self.failed: Callable[[Exception], None] = lambda _error: None
        self.journal = 0
        self.round = 0
        self.month = ""
        self.fingerprint = ""
        self.sent_at = 0.0
        self.expected = b""
        """How the answer begins to what was made last: by its id."""
        self._shown = Shown(1, 1, 1, 0)
        self._buffer = bytearray()
        self._upgraded = False
        self._transport: asyncio.Transport | None = None
        self._next: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for the upgrade."""
        self._transport = cast("asyncio.Transport", transport)  # uvloop's own is one and says it is not
        key = base64.b64encode(os.urandom(16)).decode()
        self._transport.write(
            f"GET /tables/{self.table.name} HTTP/1.1\r\nHost: {self._host}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )

    def connection_lost(self, exc: Exception | None) -> None:
        """Say that the table is gone."""
        self._rest()
        self.failed(ConnectionError(f"{self.table.name}: the connection ended ({exc or 'closed'})"))

    def close(self) -> None:
        """Hang up; nothing fails by that."""
        self._rest()
        self.failed = lambda _error: None
        if self._transport is not None:
            self._transport.close()

    def say_time(self) -> None:
        """Say what time it is, now and every ten seconds."""
        if self._transport is not None:
            self._transport.write(frame_of(ping_of_clock(time.time_ns() // 1_000_000), PING))
        self._next = asyncio.get_running_loop().call_later(TIME_EVERY_S, self.say_time)

    def _rest(self) -> None:
        if self._next is not None:
            self._next.cancel()

    def send(self, frame: bytes) -> None:
        """Send a frame that `frame_of` made, and note when."""
        self.sent_at = time.perf_counter()
        if self._transport is not None:
            self._transport.write(frame)

    def data_received(self, data: bytes) -> None:
        """Take what came: the upgrade's answer, then frames."""
        buffer = self._buffer
        if self._upgraded and not buffer:
            alone = frame_alone(data)  # as nearly all answers come
            if alone is not None:
                self._frame(alone)
                return
        buffer += data
        if not self._upgraded:
            end = buffer.find(b"\r\n\r\n")
            if end < 0:
                return
            if not buffer.startswith(b"HTTP/1.1 101"):
                self.failed(ConnectionError(f"{self.table.name}: {bytes(buffer[:200]).decode('latin-1')}"))
                return
            del buffer[: end + 4]
            self._upgraded = True
        for opcode, payload in frames(buffer):
            if opcode in {TEXT, BINARY}:
                self._frame(payload)
            elif opcode == PING:
                self.send(frame_of(payload, PONG))
            elif opcode == CLOSE:
                self.failed(ConnectionError(f"{self.table.name}: the server closed, {payload[2:].decode()}"))

    def wagers(self) -> bytes:
        """Return the wagers of the next round: seven seats, each with the qualifying wager."""
        self.round += 1
        price = self.table.qualifying_wager_cents
        seats = [SeatWager(seat, ANTE_CENTS, price, price) for seat in range(1, SEATS + 1)]
        message = Wagers(self.table.name, self.journal, self.month, self.round, 1, self.fingerprint, self._shown, seats)
        self.expects("wagers")
        return codec.encode(message)

    def expects(self, kind: str) -> None:
        """Note that the next answer is to the round's message of this kind."""
        place = f"{self.table.name}/{self.journal}/{self.month}/{self.round}/{kind}/1"
        self.expected = b'{"kind":"answer","id":"' + place.encode() + b'",'

    def _frame(self, frame: bytes) -> None:
        if frame.startswith(b'{"kind":"answer"'):
            self.answered(self, frame)
            return
        message = codec.decode_to_table(frame)
        if isinstance(message, Challenge):
            body = codec.encode(self._hello())
            key = Ed25519PrivateKey.from_private_bytes(self.table.key)
            signature = key.sign(hello_bytes(bytes.fromhex(message.nonce), body))
            self.send(frame_of(codec.encode(Hello(Raw(body), signature.hex()))))
        elif isinstance(message, Welcome):
            self.journal, self.month, self.fingerprint = message.journal, message.month, message.terms
            self.round = message.highest_round
            self._shown = Shown(message.receipt.generation, message.receipt.commit, 1, 0)
            self.say_time()
            self._ready(self)
        else:
            self.failed(ConnectionError(f"{self.table.name}: {frame[:300].decode('utf-8', 'replace')}"))

    def _hello(self) -> HelloBody:
        """Return the hello of a table that has no journal yet; its spool is told by its key."""
        return HelloBody(
            table=self.table.name,
            journal=0,
            spool=self.table.key[:16].hex(),
            connection=1,
            next_round=1,
            protocols=[codec.VERSION],
            program="bench",
            terms=Raw(self.table.terms),
            settings=Raw(self.table.settings),
        )


def frame_of(payload: bytes, opcode: int = TEXT) -> bytes:
    """Return a client's frame; its mask is nought, which RFC 6455 allows and which costs nothing here."""
    size = len(payload)
    head = bytes((0x80 | opcode, 0x80 | size)) if size < 126 else struct.pack("!BBH", 0x80 | opcode, 0xFE, size)
    return b"".join((head, b"\0\0\0\0", payload))


def frame_alone(data: bytes) -> bytes | None:
    r"""Return the payload of a server's text frame that is all that came, else None.

    >>> frame_alone(b"\x81\x02hi"), frame_alone(b"\x81\x02hi\x81"), frame_alone(b"\x81"), frame_alone(b"\x89\x00")
    (b'hi', None, None, None)
    """
    if len(data) < 4 or data[0] != 0x80 | TEXT:
        return None
    size, start = (data[1], 2) if data[1] < 126 else (int.from_bytes(data[2:4], "big"), 4)
    return data[start:] if data[1] < 127 and len(data) == start + size else None


def frames(buffer: bytearray) -> Iterator[tuple[int, bytes]]:
    r"""Take whole frames of a server off a buffer: opcode and payload; what is not whole yet stays.

    >>> buffer = bytearray(b"\x81\x02hi" + b"\x81\x05hal")
    >>> list(frames(buffer)), bytes(buffer)
    ([(1, b'hi')], b'\x81\x05hal')
    """
    while len(buffer) >= 2:
        size, start = buffer[1], 2
        if size == 126:
            if len(buffer) < 4:
                return
            size, start = int.from_bytes(buffer[2:4], "big"), 4
        if len(buffer) < start + size:
            return
        opcode, payload = buffer[0] & 15, bytes(buffer[start : start + size])
        del buffer[: start + size]
        yield opcode, payload
