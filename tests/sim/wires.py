"""The way between a table and a server process: two queues of frames, and everything that may befall them."""

from collections import Counter, deque
from typing import Any, Final

UP: Final = "up"
DOWN: Final = "down"
CLOSED: Final = b""
"""Travels last on a connection that its other end has closed."""


class Way:
    """Frames in one direction, oldest first."""

    def __init__(self) -> None:
        """Begin empty."""
        self.frames: deque[bytes] = deque()
        self.not_before_us = 0
        self.parked: bytes | None = None
        """A frame that lets the next one pass."""

    def push(self, frame: bytes) -> None:
        """Put a frame on the way; one that was parked follows it."""
        self.frames.append(frame)
        if self.parked is not None and frame != CLOSED:
            self.frames.append(self.parked)
            self.parked = None

    def befall(self, fault: str, now_us: int, extra: int, faults: Counter[str]) -> None:
        """Let something befall the oldest frame, and count it where there was one."""
        if not self.frames or self.frames[0] == CLOSED:
            return
        match fault:
            case "drop":
                self.frames.popleft()
            case "duplicate":
                self.frames.insert(1, self.frames[0])
            case "reorder" if self.parked is None:
                frame = self.frames.popleft()
                if self.frames and self.frames[0] != CLOSED:
                    self.frames.insert(1, frame)
                else:
                    self.parked = frame
            case "delay":
                self.not_before_us = max(self.not_before_us, now_us + extra)
            case _:
                return
        faults[fault] += 1


class Wire:
    """One connection: its two ways, and which of its ends still think that it is there."""

    def __init__(self, table: Any, host: Any) -> None:
        """Open at both ends."""
        self.table, self.host = table, host
        self.ways = {UP: Way(), DOWN: Way()}
        self.table_open = self.host_open = True
        self.heard: deque[bytes] = deque()
        """What has come to the table's end and is not taken yet."""
        self.greeted = False
        """Whether the hello is over, as the server's end sees it."""
        self.session: Any = None
        self.welcomed: tuple[int, int, str] | None = None
        self.nonce = b""

    def close_table(self) -> None:
        """The table's end is closed; the other end learns of it later."""
        if self.table_open:
            self.table_open = False
            self.ways[UP].push(CLOSED)

    def close_host(self) -> None:
        """The server's end is closed; the table learns of it later."""
        if self.host_open:
            self.host_open = False
            self.ways[DOWN].push(CLOSED)
            if self.session is not None:
                self.session.gone = True

    def cut(self) -> None:
        """The connection breaks, what was on the way is lost, and both ends notice."""
        self.close_table()
        self.close_host()
        for way in self.ways.values():
            way.frames.clear()
            way.parked = None
        self.table_open = self.host_open = False

    @property
    def over(self) -> bool:
        """Whether neither end has it any more."""
        return not (self.table_open or self.host_open)
