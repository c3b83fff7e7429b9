"""The table's one WebSocket to the server: connect, say hello, carry frames both ways, and try again when it breaks.

Moves bytes only. What is sent, and when again, is the outbox's to say (`core.outbox`); a connection that breaks has
lost nothing but time.
"""

import asyncio
import contextlib
import ssl
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from random import Random
from typing import Final

import aiohttp
import structlog
from msgspec import Raw

from jackpot.serving.points import reached
from jackpot.wire.clocks import ping_of_clock
from jackpot.wire.codec import FRAME_BYTES, FrameError, decode_to_table, encode
from jackpot.wire.messages import BadFrame, Challenge, Hello, HelloBody, Refused, ToTable, Welcome
from jackpot.wire.signing import hello_bytes

__all__ = ["Client", "Frame", "Lost", "Opened"]

FIRST_PAUSE_S: Final = 0.1
LONGEST_PAUSE_S: Final = 5.0
"""Tables come back within so many seconds of a server that does."""
REFUSED_PAUSE_S: Final = 10.0
"""A table that was refused asks again after so long: a person has to do something first."""
CONNECT_WITHIN_S: Final = 10.0
PING_EVERY_S: Final = 10.0
"""A peer that answers no ping for half as long is gone."""

_log = structlog.get_logger(__name__)


def wall_clock_ms() -> int:
    """Return the time of day; nothing is decided by it."""
    return time.time_ns() // 1_000_000


@dataclass(frozen=True, slots=True)
class Opened:
    """The server heard the hello and welcomed or refused it; the spool may be handed in either way."""

    word: Welcome | Refused


@dataclass(frozen=True, slots=True)
class Frame:
    """A frame that came on the connection that is open."""

    frame: ToTable


@dataclass(frozen=True, slots=True)
class Lost:
    """The connection is gone, or there was none; `why` in words."""

    why: str


Arrived = Opened | Frame | Lost
"""What a client tells."""


class Client:
    """A table's connection, made again for as long as `run` runs."""

    def __init__(
        self,
        url: str,
        table: str,
        say_hello: Callable[[], Awaitable[HelloBody]],
        sign: Callable[[bytes], bytes],
        tell: Callable[[Arrived], None],
        *,
        tls: ssl.SSLContext | None = None,
        rng: Random | None = None,
        wall_ms: Callable[[], int] = wall_clock_ms,
    ) -> None:
        """`url` is the server's (`ws://host:port`); `say_hello` gives a hello with a new connection number.

        `wall_ms` is the time of day that the server is told, so that a clock which is off is seen.
        """
        self._url = f"{url.rstrip('/')}/tables/{table}"
        self._table = table
        self._say_hello = say_hello
        self._sign = sign
        self._tell = tell
        self._tls = tls
        self._wall_ms = wall_ms
        self._rng = rng or Random()  # noqa: S311 - spreads reconnects over time
        self._ws: aiohttp.ClientWebSocketResponse | None = None
        self.connections = 0
        """How often a connection was opened."""

    async def run(self) -> None:
        """Keep a connection until cancelled. **If cancelled** the connection is closed properly."""
        timeout = aiohttp.ClientTimeout(total=None, connect=CONNECT_WITHIN_S)
        async with aiohttp.ClientSession(timeout=timeout) as session:
            pause_s = FIRST_PAUSE_S
            while True:
                word, why = await self._one(session)
                self._tell(Lost(why))
                if isinstance(word, Welcome):
                    pause_s = FIRST_PAUSE_S
                least_s = REFUSED_PAUSE_S / 2 if isinstance(word, Refused) else 0.0
                # Anywhere in the second half, so that five hundred tables do not come back as one.
                await asyncio.sleep(max(least_s, pause_s * (0.5 + self._rng.random() / 2)))
                pause_s = min(2 * pause_s, LONGEST_PAUSE_S)

    async def send(self, frame: bytes) -> None:
        """Send a frame on the connection that is open; where there is none it is lost, as on any connection."""
        if self._ws is not None and not self._ws.closed:
            try:
                await self._ws.send_str(frame.decode())
                reached("frame-sent")
            except (ConnectionError, aiohttp.ClientError) as error:
                _log.debug("send_failed", table=self._table, error=str(error))

    async def reconnect(self) -> None:
        """Give up the connection that is open, for another."""
        if self._ws is not None:
            await self._ws.close()

    async def _one(self, session: aiohttp.ClientSession) -> tuple[Welcome | Refused | None, str]:
        """Open one connection and serve it to its end; the server's word on the hello, and why it ended."""
        word: Welcome | Refused | None = None
        try:
            async with session.ws_connect(
                self._url,
                heartbeat=PING_EVERY_S,
                max_msg_size=2 * FRAME_BYTES,
                ssl=self._tls if self._tls is not None else True,
                compress=0,
            ) as ws:
                self.connections += 1
                async with asyncio.timeout(CONNECT_WITHIN_S):
                    word = await self._greet(ws)
                self._ws = ws
                self._tell(Opened(word))
                telling = asyncio.create_task(self._tell_time(ws))
                # Nobody tells a refused table that a person has put it right: it stays to hand in, and asks anew.
                stay = asyncio.timeout(REFUSED_PAUSE_S if isinstance(word, Refused) else None)
                try:
                    async with stay:
                        async for message in ws:
                            self._tell(Frame(_read(message)))
                except TimeoutError:
                    return word, "refused; the table says hello again"
                finally:
                    telling.cancel()
                return word, f"closed by the server ({ws.close_code})"
        except _UnreadError as error:
            return word, f"the server could not read this table's hello: {error}"
        except FrameError as error:
            return word, f"the server sent what cannot be read: {error}"
        except TimeoutError:
            return word, "the server did not answer in time"
        except aiohttp.ClientConnectorCertificateError as error:
            why = getattr(error.certificate_error, "verify_message", "") or str(error.certificate_error)
            return word, f"the server's certificate is not believed: {why.removesuffix('.')} (setting: ca)"
        except (OSError, aiohttp.ClientError) as error:
            return word, str(error) or type(error).__name__
        finally:
            self._ws = None

    async def _tell_time(self, ws: aiohttp.ClientWebSocketResponse) -> None:
        """Tell the server this table's time of day, now and with a ping now and then (case 37)."""
        with contextlib.suppress(ConnectionError, aiohttp.ClientError):
            while not ws.closed:
                await ws.ping(ping_of_clock(self._wall_ms()))
                await asyncio.sleep(PING_EVERY_S)

    async def _greet(self, ws: aiohttp.ClientWebSocketResponse) -> Welcome | Refused:
        challenge = _read(await ws.receive())
        if not isinstance(challenge, Challenge):
            raise FrameError("kind", type(challenge).__name__, "the first frame is a challenge")
        body = encode(await self._say_hello())
        signature = self._sign(hello_bytes(bytes.fromhex(challenge.nonce), body))
        await ws.send_str(encode(Hello(Raw(body), signature.hex())).decode())
        word = _read(await ws.receive())
        if isinstance(word, BadFrame):
            raise _UnreadError(word.field, word.value, word.reason)
        if not isinstance(word, Welcome | Refused):
            raise FrameError("kind", type(word).__name__, "a hello is welcomed or refused")
        return word


class _UnreadError(FrameError):
    """What the server said of a hello that it could not read."""


def _read(message: aiohttp.WSMessage) -> ToTable:
    if message.type is aiohttp.WSMsgType.TEXT:
        return decode_to_table(message.data.encode())
    if message.type is aiohttp.WSMsgType.BINARY:
        return decode_to_table(message.data)
    raise aiohttp.ClientConnectionError(f"the connection ended ({message.type.name.lower()})")
