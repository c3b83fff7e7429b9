"""Which bytes go to the server next? One message in flight, again after every break, until each has its answer.

Without I/O: `submit`, `frames_to_send`, `receive`, `lost`. Whoever moves the bytes asks `frames_to_send` after every
call and whenever `due_us` has come. Times are microseconds of any one clock that only rises.

**Always** in the order of the spool, but that a withdrawal (or void) of a round takes the place of wagers of that
round that are not answered (PROTOCOL 2).
**Never** two messages in flight; never a message whose id has its answer.

>>> box = Outbox()
>>> box.submit(b"W17", "T1/1/2026-11/17/wagers/1")
>>> box.frames_to_send(0)
[]
>>> box.opened(0)
>>> box.frames_to_send(0), box.frames_to_send(0)
([b'W17'], [])
>>> box.submit(b"X17", "T1/1/2026-11/17/withdraw/1")
>>> box.lost(5)
>>> box.opened(9)
>>> box.frames_to_send(9)
[b'X17']
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from jackpot.wire.codec import encode
from jackpot.wire.messages import Answer, Ask, BadFrame, HitNow, Hits, Later, ToTable

FIRST_PAUSE_US: Final = 100_000
"""How long a message waits after the first `later`; doubled each time, so that a link in trouble is left alone."""
LONGEST_PAUSE_US: Final = 5_000_000
"""And this at most, so that play goes on soon after the trouble is over."""
STUCK_AFTER_US: Final = 15_000_000
"""In flight so long, a message has met a paused server or a path that swallows bytes: another connection is tried."""


@dataclass(frozen=True, slots=True)
class Settled:
    """A message has its answer. `after_withdrawal`: it came too late to light anything and is kept as evidence."""

    id: str
    answer: Answer
    after_withdrawal: bool = False


@dataclass(frozen=True, slots=True)
class PutOff:
    """The server said `later`, or could not read the frame; the message stays and is sent again."""

    id: str
    code: str
    text: str


@dataclass(frozen=True, slots=True)
class Told:
    """How the table's open hits stand now, and the gaming month where it was said."""

    hits: tuple[HitNow, ...]
    month: str = ""


Fact = Settled | PutOff | Told
"""What a frame from the server means."""


@dataclass(frozen=True, slots=True)
class _Waiting:
    id: str
    message: bytes

    @property
    def round(self) -> str:
        return self.id.rsplit("/", 2)[0]

    @property
    def kind(self) -> str:
        return self.id.rsplit("/", 2)[1]


class Outbox:
    """The messages of one spool that have no answer yet, oldest first."""

    def __init__(self, unanswered: Iterable[tuple[bytes, str]] = ()) -> None:
        """Begin with what the spool holds unanswered, in its order: messages with their ids."""
        self.ignored = 0
        """Answers to nothing that waits: repeated ones, and ones of another journal."""
        self._waiting: list[_Waiting] = []
        self._superseded: set[str] = set()
        self._put_off_last: PutOff | None = None
        self._open = False
        self._in_flight: _Waiting | None = None
        self._sent_us = 0
        self._not_before_us = 0
        self._pause_us = FIRST_PAUSE_US
        self._ask = False
        self._asked = False
        for message, name in unanswered:
            self.submit(message, name)

    def __len__(self) -> int:
        """Return how many messages have no answer, those whose place a withdrawal took not counted."""
        return len(self._waiting)

    @property
    def oldest(self) -> str:
        """The id of the message that is to be answered first, or nothing."""
        return self._waiting[0].id if self._waiting else ""

    @property
    def why(self) -> str:
        """Why the server put that message off when it was sent last, in words; empty where it did not."""
        last = self._put_off_last
        return f"{last.code}: {last.text}" if last is not None and last.id == self.oldest else ""

    @property
    def in_flight(self) -> str:
        """The id of the message that is with the server, or nothing."""
        return "" if self._in_flight is None else self._in_flight.id

    def submit(self, message: bytes, name: str) -> None:
        """Take a message that is in the spool; **if repeated** it waits once."""
        new = _Waiting(name, message)
        if any(waiting.id == name for waiting in self._waiting):
            return
        self._waiting.append(new)
        if new.kind in {"withdraw", "void"}:
            wagers = [one for one in self._waiting if one.kind == "wagers" and one.round == new.round]
            for one in wagers:
                self._waiting.remove(one)
                self._superseded.add(one.id)
            if wagers:
                self._not_before_us, self._pause_us = 0, FIRST_PAUSE_US

    def opened(self, now_us: int) -> None:
        """The server has welcomed this connection, or refused it: the spool may be handed in either way."""
        self.lost(now_us)
        self._open = True

    def lost(self, _now_us: int) -> None:
        """The connection is gone, and with it what was in flight: it is sent again on the next."""
        self._open, self._in_flight, self._asked = False, None, False
        self._superseded.clear()  # Their answers could come on that connection only.
        self._not_before_us, self._pause_us = 0, FIRST_PAUSE_US

    def ask(self) -> None:
        """Ask how the table's open hits stand, as soon as nothing is in flight."""
        self._ask = True

    def frames_to_send(self, now_us: int) -> list[bytes]:
        """Return what is to be sent now; what is returned counts as sent."""
        if not self._open or self._in_flight is not None or self._asked:
            return []
        if self._waiting and now_us >= self._not_before_us:
            self._in_flight, self._sent_us = self._waiting[0], now_us
            return [self._in_flight.message]
        if self._ask:
            self._ask, self._asked, self._sent_us = False, True, now_us
            return [encode(Ask())]
        return []

    def due_us(self) -> int | None:
        """Return when `frames_to_send` or `stuck` may next say something new without another call, if ever."""
        if not self._open:
            return None
        if self._in_flight is not None or self._asked:
            return self._sent_us + STUCK_AFTER_US
        return self._not_before_us if self._waiting else None

    def stuck(self, now_us: int) -> bool:
        """Say whether what is in flight has been so for too long: close the connection and call `lost`."""
        return (self._in_flight is not None or self._asked) and now_us - self._sent_us >= STUCK_AFTER_US

    def receive(self, frame: ToTable, now_us: int) -> list[Fact]:
        """Take a frame of the server and say what it means."""
        match frame:
            case Answer():
                return [*self._settled(frame), Told(tuple(frame.hits), frame.month)]
            case Later():
                return [*self._put_off(frame.id, frame.code, frame.text, now_us), Told(tuple(frame.hits))]
            case BadFrame():
                text = f"{frame.field}: {frame.reason} (got {frame.value})"
                return self._put_off(self.in_flight, "bad_frame", text, now_us)
            case Hits():
                self._asked = False
                return [Told(tuple(frame.hits), frame.month)]
            case _:
                return []

    def _settled(self, answer: Answer) -> list[Fact]:
        if self._in_flight is not None and self._in_flight.id == answer.id:
            self._in_flight = None
        if answer.id in self._superseded:
            self._superseded.discard(answer.id)
            return [Settled(answer.id, answer, after_withdrawal=True)]
        for waiting in self._waiting:
            if waiting.id == answer.id:
                self._waiting.remove(waiting)
                self._not_before_us, self._pause_us = 0, FIRST_PAUSE_US
                return [Settled(answer.id, answer)]
        self.ignored += 1
        return []

    def _put_off(self, name: str, code: str, text: str, now_us: int) -> list[Fact]:
        if self._in_flight is None or self._in_flight.id != name:
            self._asked = False
            self.ignored += 1
            return []
        self._in_flight = None
        if name not in self._superseded:
            self._not_before_us = now_us + self._pause_us
            self._pause_us = min(2 * self._pause_us, LONGEST_PAUSE_US)
        self._put_off_last = PutOff(name, code, text)
        return [self._put_off_last]
