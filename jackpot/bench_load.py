"""What do hundreds of tables at full speed look like to a server? A process that plays them and times the answers.

It reads one `Setting` and then an `Order` a line from standard input, and writes a `Tally` a line to standard output.
Tables have one round open at a time (PROTOCOL 2), so a load goes in steps: all send their wagers and are answered, all
send their record and are answered. It has no spool and checks no money: what was accepted is counted in Postgres.
"""

import asyncio
import random
import ssl
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import uvloop

from jackpot.bench_feeds import shown_after, watching
from jackpot.bench_round import ROYAL, record_bytes, record_template
from jackpot.bench_socket import Connection, LoadTable, frame_of
from jackpot.cli.keys import key_file, read_key
from jackpot.errors import OperatingError
from rules.terms import parse_terms

ANSWERED_WITHIN_S = 60.0
"""A server that has not answered by then will not."""
HELLOS_AT_ONCE = 64
ROYALS = 64
ROYALS_AT = 0.4
"""Where in the time of an order the royals come."""
LAST_SHOWN_S = 1.0
"""So long after the last answer boards are still watched."""


T = TypeVar("T")


class LoadFailed(OperatingError):
    """The load could not be played to its end; what it says is what the server or the connection said."""

    def __init__(self, why: str) -> None:
        super().__init__(f"The load failed: {why}", code="load_failed", retryable=True)


class Setting(msgspec.Struct, frozen=True):
    """Where the server is and which tables to play: their keys are in the folder, as the server keeps them."""

    host: str
    port: int
    keys: str
    tables: list[str]
    terms: str
    settings: str
    certificate: str = ""
    """The file of the server's own certificate, where it speaks TLS."""


class Order(msgspec.Struct, frozen=True):
    """What to play next, and for how long: `steps` is all tables at once, `paced` a round a second for each.

    `boards` is paced play that boards watch; `royals` is paced play in which 64 tables more report a royal at once.
    """

    play: str
    seconds: float
    tables: int = 0
    """How many of the tables; 0 is all."""
    first: int = 0
    """The first of the tables that report royals."""
    boards: int = 0


class Tally(msgspec.Struct):
    """What the load saw of one order: wagers accepted, how many were not, seconds, and how long answers took."""

    accepted: int = 0
    refused: int = 0
    wagers_seconds: float = 0.0
    """Of the steps in which wagers were sent, until all were answered."""
    record_seconds: float = 0.0
    waits_s: list[float] = []
    """From sending to the answer: wagers of paced orders, records of royals; of boards, from answer to each board."""
    royals: int = 0
    """Royals that answers awarded."""


@dataclass(slots=True)
class Load:
    """The tables of a load and how they play together."""

    setting: Setting
    connections: list[Connection] = field(default_factory=list)
    record: bytes = b""
    royal: bytes = b""
    answered: list[tuple[int, float]] = field(default_factory=list)
    """Commits of paced orders, and when their answer came."""
    lost: "asyncio.Future[None]" = field(default_factory=lambda: asyncio.get_running_loop().create_future())
    """Fails with the first connection that does."""

    async def connect(self) -> None:
        """Bring all tables through their hello; raises LoadFailed."""
        setting, loop = self.setting, asyncio.get_running_loop()
        price = parse_terms(setting.terms.encode()).qualifying_wager_cents
        slots = asyncio.Semaphore(HELLOS_AT_ONCE)
        tls = ssl.create_default_context(cafile=setting.certificate) if setting.certificate else None

        async def one(name: str) -> Connection:
            key = read_key(key_file(Path(setting.keys), "table", name)).private_bytes_raw()
            table = LoadTable(name, key, setting.terms.encode(), setting.settings.encode(), price)
            welcome: asyncio.Future[Connection] = loop.create_future()
            async with slots:
                _transport, connection = await loop.create_connection(
                    lambda: Connection(table, setting.host, welcome.set_result), setting.host, setting.port, ssl=tls
                )
                connection.failed = self._failed
                return await self._until(welcome)

        try:
            self.connections = await asyncio.gather(*map(one, setting.tables))
        except OSError as error:
            raise LoadFailed(str(error)) from error
        self.record = record_template(self.connections[0].fingerprint, price)
        self.royal = record_template(self.connections[0].fingerprint, price, ROYAL)

    async def play(self, order: Order) -> Tally:
        """Play an order to its end; no round is open afterwards. Raises LoadFailed."""
        playing = self.connections[: order.tables or None]
        if order.play == "steps":
            return await self._steps(playing, order.seconds)
        if order.play == "boards":
            return await self._watched(playing, order)
        if order.play == "royals":
            return await self._royals(playing, order)
        return await self._paced(playing, order.seconds)

    async def _watched(self, playing: Sequence[Connection], order: Order) -> Tally:
        """Play while boards watch, and return how long each answer took to be on each of them."""
        setting = self.setting
        link = parse_terms(setting.terms.encode()).name
        async with watching(setting.host, setting.port, link, order.boards) as boards:
            self.answered.clear()
            tally = await self._paced(playing, order.seconds)
            await asyncio.sleep(LAST_SHOWN_S)
        tally.waits_s = shown_after(self.answered, boards)
        return tally

    async def _royals(self, playing: Sequence[Connection], order: Order) -> Tally:
        """Let tables that do not play otherwise report a royal each, all at once, while the others play."""
        winning = self.connections[order.first : order.first + ROYALS]
        paced = asyncio.ensure_future(self._paced(playing, order.seconds))
        tally = Tally()
        try:
            await asyncio.sleep(order.seconds * ROYALS_AT)
            await self._step([(each, frame_of(each.wagers())) for each in winning], tally)
            sent = [(each, frame_of(self.record_for(each, self.royal))) for each in winning]
            await self._step(sent, tally, times=True)
        finally:
            others = await paced
        tally.accepted += others.accepted
        tally.refused += others.refused
        return tally

    async def _steps(self, playing: Sequence[Connection], seconds: float) -> Tally:
        tally = Tally()
        ends = time.perf_counter() + seconds
        while time.perf_counter() < ends:
            wagers = [(each, frame_of(each.wagers())) for each in playing]
            tally.wagers_seconds += await self._step(wagers, tally)
            records = [(each, frame_of(self.record_for(each))) for each in playing]
            tally.record_seconds += await self._step(records, tally)
        return tally

    async def _step(self, messages: Sequence[tuple[Connection, bytes]], tally: Tally, *, times: bool = False) -> float:
        """Send one frame on each connection and return the seconds until all were answered; count afterwards.

        With `times` the tally says how long each took.

        What a table does on its own machine, making a frame and reading what an answer says, is left out of the time.
        """
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        answers: list[tuple[Connection, bytes]] = []

        def answered(connection: Connection, frame: bytes) -> None:
            answers.append((connection, frame))
            if times:
                tally.waits_s.append(time.perf_counter() - connection.sent_at)
            if len(answers) == len(messages):
                done.set_result(None)

        started = time.perf_counter()
        for connection, message in messages:
            connection.answered = answered
            connection.send(message)
        await self._until(done)
        seconds = time.perf_counter() - started
        for connection, answer in answers:
            own(connection, answer)
            count(answer, tally)
        return seconds

    async def _paced(self, playing: Sequence[Connection], seconds: float) -> Tally:
        """Let each table play a round a second, at a moment of its own within it, as tables in a casino do."""
        tally = Tally()
        began = time.perf_counter()
        moments = random.Random(1)  # noqa: S311 - when tables speak, not what is dealt
        await asyncio.gather(*(self._at_a_pace(each, began + moments.random(), seconds, tally) for each in playing))
        return tally

    async def _at_a_pace(self, connection: Connection, first: float, seconds: float, tally: Tally) -> None:
        for nth in range(int(seconds)):
            await asyncio.sleep(max(0.0, first + nth - time.perf_counter()))
            for kind, message in (("wagers", connection.wagers()), ("record", self.record_for(connection))):
                connection.expects(kind)
                answer = await self._ask(connection, message)
                own(connection, answer)
                self.answered.append((commit_of(answer), time.perf_counter()))
                count(answer, tally)
                if kind == "wagers":
                    tally.waits_s.append(time.perf_counter() - connection.sent_at)

    async def _ask(self, connection: Connection, message: bytes) -> bytes:
        answer: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        connection.answered = lambda _connection, frame: answer.set_result(frame)
        connection.send(frame_of(message))
        return await self._until(answer)

    def record_for(self, connection: Connection, template: bytes = b"") -> bytes:
        """Return the record of a connection's round, as the rules settle it."""
        table = connection.table.name
        connection.expects("record")
        return record_bytes(template or self.record, table, connection.journal, connection.month, connection.round)

    def close(self) -> None:
        """Hang up on all tables."""
        for connection in self.connections:
            connection.close()

    async def _until(self, wanted: "asyncio.Future[T]") -> T:
        """Wait for a future, no longer than for the first failure of any connection; raises LoadFailed."""
        either: set[asyncio.Future[Any]] = {wanted, self.lost}
        await asyncio.wait(either, timeout=ANSWERED_WITHIN_S, return_when=asyncio.FIRST_COMPLETED)
        if self.lost.done():
            self.lost.result()
        if not wanted.done():
            raise LoadFailed(f"no answer within {ANSWERED_WITHIN_S:.0f} s")
        return wanted.result()

    def _failed(self, error: Exception) -> None:
        if not self.lost.done():
            self.lost.set_exception(LoadFailed(str(error)))


def own(connection: Connection, frame: bytes) -> None:
    """Raise LoadFailed where an answer is not to what its table asked last."""
    if not frame.startswith(connection.expected):
        raise LoadFailed(f"{connection.table.name} was answered {frame[:80].decode('utf-8', 'replace')}")


def count(frame: bytes, tally: Tally) -> None:
    """Count what an answer says: wagers accepted, and those that were not, a refused message as one."""
    tally.accepted += frame.count(b'"accepted":true')
    tally.royals += frame.count(b'"seat":1,"prize":"royal_flush"')
    tally.refused += frame.count(b'"accepted":false') + frame.count(b'"answer":{"kind":"refused"')


def commit_of(frame: bytes) -> int:
    """Return the commit of an answer's receipt.

    >>> commit_of(b'{"kind":"answer","id":"a","answer":{},"receipt":{"generation":1,"commit":42,"digest":"ab"}}')
    42
    """
    at = frame.rfind(b'"commit":') + 9
    return int(frame[at : frame.index(b",", at)])


async def serve_orders(setting: Setting) -> None:
    """Connect, say so with an empty tally, then play each order that comes until no more do."""
    load = Load(setting)
    await load.connect()
    _say(Tally())
    loop = asyncio.get_running_loop()
    while line := await loop.run_in_executor(None, sys.stdin.buffer.readline):
        _say(await load.play(msgspec.json.decode(line, type=Order)))
    load.close()


def _say(tally: Tally) -> None:
    sys.stdout.buffer.write(msgspec.json.encode(tally) + b"\n")
    sys.stdout.buffer.flush()


def main() -> None:
    """Play the load that standard input describes; a failure is the exit's one line."""
    setting = msgspec.json.decode(sys.stdin.buffer.readline(), type=Setting)
    try:
        uvloop.run(serve_orders(setting))
    except LoadFailed as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
