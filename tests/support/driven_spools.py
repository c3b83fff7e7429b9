"""Driven tables with their spools, for the tests: what was told of them, and a program stopped inside a write."""

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from tablelink.core.floor import Floor, NotUnderstood
from tablelink.hosted_console import Driven, Heard
from tablelink.hosted_floor import FloorSpool
from tests.support.driven import APPROVED, MADE_US

SEAL: Final = bytes(32)
MINUTE_US: Final = 60_000_000


class Stopped(BaseException):
    """The program is stopped here, as SIGKILL would."""


class Told:
    """Who is shown what happens."""

    def __init__(self) -> None:
        self.heard_of: list[Heard] = []
        self.faults: list[NotUnderstood] = []
        self.answered: list[str] = []
        self.told = asyncio.Event()

    def begin(self, floor: Floor) -> None:
        """The table is shown."""

    def typed(self, text: str) -> None:
        """A line is shown."""

    def heard(self, heard: Heard) -> None:
        """Something came to something."""
        self.heard_of.append(heard)
        if heard.changed is not None and heard.changed.told:
            self.told.set()

    def not_understood(self, line: int, error: NotUnderstood, floor: Floor) -> None:  # noqa: ARG002 - as `asked`
        """A line said nothing."""
        self.faults.append(error)

    def asked(self, line: int, name: str, floor: Floor, spool: FloorSpool) -> None:  # noqa: ARG002 - the port's form
        """A question is answered."""
        self.answered.append(name)

    def end(self, spool: FloorSpool) -> None:
        """The run is over."""


class Stopping(FloorSpool):
    """A spool whose program is stopped before a certain statement of a write."""

    left = 0

    def _do(self, name: str, values: Sequence[Any] = ()) -> Any:
        if name.startswith("put_"):
            self.left -= 1
            if self.left == 0:
                raise Stopped
        return super()._do(name, values)


def opened(path: Path, game: str, kind: type[FloorSpool] = FloorSpool) -> FloorSpool:
    """The spool of a table; no power fails here, so nothing is synced."""
    spool = kind(path, "T1", game, seal=SEAL, now_us=lambda: MADE_US)
    spool._db.execute("PRAGMA synchronous = OFF")
    return spool


def driven(spool: FloorSpool, game: str, now_us: Callable[[], int] = lambda: MADE_US) -> tuple[Driven, Told]:
    """A driven table as its spool has it."""
    told = Told()
    return Driven(spool, spool.floor(APPROVED[game], MADE_US), told, now_us), told


def say(table: Driven, *lines: str) -> None:
    """Say some lines, one after the other."""

    async def run() -> None:
        for line in lines:
            await table.line(line.encode())

    asyncio.run(run())
