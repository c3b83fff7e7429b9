"""A hosted table that people drive, a line at a time: what is typed or sent, when it is taken, and what was due.

Each thing that is said is in the table's spool before anybody is told what it led to; what a sign proposes is told when
its time comes, whether or not anybody types. **If repeated** after any stop the table is where it was. Decides nothing.
"""

import asyncio
import contextlib
import os
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol

from tablelink.core.floor import (
    ASKS,
    Act,
    Changed,
    Floor,
    Line,
    NotUnderstood,
    Refused,
    Said,
    Tick,
    next_due_us,
    read_line,
    take,
)
from tablelink.core.floor.earlier import EARLIER, round_of, with_earlier
from tablelink.core.floor.showing import ahead, next_words
from tablelink.hosted_floor import FloorSpool
from tablelink.hosted_forms import read_told

__all__ = ["Driven", "Heard", "Lines", "Screen"]

LONGEST_LINE: Final = 65_536
"""Bytes of a line; a line without an end must not fill memory."""
MOST_WAITING: Final = 1_000
"""Lines that are read ahead of the table: a file of any size is read as fast as it is taken."""
PRUNE_EVERY: Final = 500
"""Rounds after which the spool is cleared of what was said long ago."""
LONGEST_WAIT_S: Final = 3_600.0
"""How long the clock is trusted to go on by itself: a clock that is set is noticed after that."""


@dataclass(frozen=True, slots=True)
class Heard:
    """What one thing that was said came to."""

    line: int | None
    """The number of its line; ``None`` for what was due."""
    given: Said
    floor: Floor
    changed: Changed | None = None
    refused: Exception | None = None
    more: bool = False
    """Whether more follows from the same line."""


class Screen(Protocol):
    """Who shows people or a device what happens; **never** before it is in the spool."""

    def begin(self, floor: Floor) -> None:
        """Show the table as it stands."""

    def typed(self, text: str) -> None:
        """Show a line that came from a file, which no terminal has shown."""

    def heard(self, heard: Heard) -> None:
        """Show what something that was said came to."""

    def not_understood(self, line: int, error: NotUnderstood, floor: Floor) -> None:
        """Show that a line said nothing."""

    def asked(self, line: int, name: str, floor: Floor, spool: FloorSpool) -> None:
        """Answer a question, which changes nothing."""

    def end(self, spool: FloorSpool) -> None:
        """Show what the run came to."""


class Lines:
    """The lines of a stream, read by a thread of their own: a terminal that nobody types at holds up nothing."""

    def __init__(self, descriptor: int) -> None:
        """Read from a file descriptor once `start` is called."""
        self._descriptor = descriptor
        self._queue: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._room = threading.Semaphore(MOST_WAITING)

    def start(self) -> None:
        """Begin to read; the thread ends with the stream, or with the program."""
        loop = asyncio.get_running_loop()

        def put(line: bytes | None) -> None:
            self._room.acquire()
            loop.call_soon_threadsafe(self._queue.put_nowait, line)

        def read() -> None:
            with contextlib.suppress(RuntimeError):  # The loop is closed: the program ends.
                rest = b""
                while part := self._read():
                    *whole, rest = (rest + part).split(b"\n")
                    for line in whole:
                        put(line)
                    rest = rest[: LONGEST_LINE + 1]  # What is longer is refused, whatever else stands in it.
                if rest:
                    put(rest)
                put(None)

        threading.Thread(target=read, name="lines", daemon=True).start()

    def _read(self) -> bytes:
        """What comes next; nothing at the end, or where the stream is gone."""
        try:
            return os.read(self._descriptor, LONGEST_LINE)
        except OSError:
            return b""

    async def next(self, wait_s: float) -> bytes | None:
        """The next line, None at the end; raises TimeoutError where none came in so many seconds."""
        line = await asyncio.wait_for(self._queue.get(), wait_s)
        self._room.release()
        return line


class Driven:
    """A table that people drive, and its spool."""

    def __init__(
        self,
        spool: FloorSpool,
        floor: Floor,
        screen: Screen,
        now_us: Callable[[], int],
        *,
        as_json: bool = False,
        keep_days: int = 40,
    ) -> None:
        """Go on from `floor`, which the spool gave; `now_us` is the time of day, to which signs hold the table."""
        self.floor = floor
        self.rounds = 0
        self._spool = spool
        self._screen = screen
        self._now_us = now_us
        self._as_json = as_json
        self._keep_days = keep_days
        self._line = 0

    async def run(self, lines: Lines, stop: asyncio.Event) -> None:
        """Take lines until they end, `quit` is typed, or `stop` is set; raises TableError where the disk fails."""
        stopped = asyncio.create_task(stop.wait())
        try:
            self._screen.begin(self.floor)
            await self.tick()
            while not stop.is_set():
                asked = asyncio.create_task(lines.next(self._wait_s()))
                await asyncio.wait({asked, stopped}, return_when=asyncio.FIRST_COMPLETED)
                if not asked.done():
                    asked.cancel()
                    await asyncio.gather(asked, return_exceptions=True)
                    return
                try:
                    line = asked.result()
                except TimeoutError:
                    await self.tick()
                    continue
                if line is None or not await self.line(line):
                    return
        finally:
            stopped.cancel()

    def _wait_s(self) -> float:
        """How long until something is due."""
        due_us = next_due_us(self.floor)
        if due_us is None:
            return LONGEST_WAIT_S
        return min(max(due_us - self._now_us(), 0) / 1_000_000, LONGEST_WAIT_S)

    async def tick(self) -> None:
        """Tell what was due by now, if anything."""
        now_us, due_us = self._now_us(), next_due_us(self.floor)
        while due_us is not None and due_us <= now_us:
            await self._take(Tick(), None, due_us)
            due_us = next_due_us(self.floor)

    async def line(self, line: bytes) -> bool:
        """Take a line; returns whether another is wanted."""
        self._line += 1
        await self.tick()
        try:
            return await (self._sent(line) if self._as_json else self._typed(line))
        except NotUnderstood as error:
            self._screen.not_understood(self._line, error, self.floor)
        return True

    async def _sent(self, line: bytes) -> bool:
        """Take a line of JSON."""
        _check_length(line)
        if not line.strip():
            return True
        told = read_told(line)
        if isinstance(told, Line):
            return await self._text(told.text.strip())
        await self._take(told, self._line, self._now_us())
        return True

    async def _typed(self, line: bytes) -> bool:
        """Take a line of text."""
        _check_length(line)
        try:
            text = line.decode("utf-8").strip()
        except UnicodeDecodeError:
            raise NotUnderstood("line", line.decode("utf-8", "replace").strip(), "not UTF-8") from None
        self._screen.typed(text)
        return await self._text(text)

    async def _text(self, text: str) -> bool:
        """Take a line of text: a question, what comes next, or something that is said; whether another is wanted."""
        name = text.lower()
        if name in {"quit", "exit"}:
            return False
        if name in {"?", *ASKS} or name.startswith("help "):
            self._screen.asked(self._line, "help" if name == "?" else name, self.floor, self._spool)
            return True
        if name in {"", "next"}:
            coming = ahead(self.floor)
            if coming is None:
                raise NotUnderstood("next", "", next_words(self.floor))
            await self._take(coming, self._line, self._now_us())
            return True
        given = read_line(self.floor, text)
        for place, each in enumerate(given, start=1):
            if not await self._take(each, self._line, self._now_us(), more=place < len(given)):
                break
        return True

    async def _take(self, given: Said, line: int | None, at_us: int, *, more: bool = False) -> bool:
        """Take what was said, which is in the spool before it is told; returns whether it was accepted."""
        number = self.floor.number
        at_us = max(at_us, self.floor.around.now_us)
        try:
            changed = take(self.floor, given, at_us)
            if isinstance(given, Act) and given.name == EARLIER:
                record = await asyncio.to_thread(self._spool.record, round_of(given))
                changed = with_earlier(changed, given, record, at_us)
        except Refused as error:
            if isinstance(error, NotUnderstood):
                raise
            self._screen.heard(Heard(line, given, self.floor, refused=error))
            return False
        await asyncio.to_thread(self._spool.put, number, given, at_us, changed)
        self.floor = changed.floor
        if changed.statement is not None:
            self.rounds += 1
            if self.rounds % PRUNE_EVERY == 0:
                await asyncio.to_thread(self._spool.prune, self._keep_days)
        self._screen.heard(Heard(line, given, self.floor, changed, more=more))
        return True


def _check_length(line: bytes) -> None:
    """Refuse a line that is too long; raises NotUnderstood."""
    if len(line) > LONGEST_LINE:
        raise NotUnderstood("line", line[:40].decode("utf-8", "replace"), f"longer than {LONGEST_LINE} bytes")
