"""Who runs next? Coroutines of the shipped programs, driven by hand, one await at a time.

Everything that they await is ours: the places where an edge would wait for a disk, a network, a database or a clock.
While `by_hand` lasts, the modules that reach for the event loop or for a clock find a stand-in of it instead.
"""

import contextlib
from collections import deque
from collections.abc import Callable, Coroutine, Generator, Iterator
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import jackpot.bus
import jackpot.cli.links
import jackpot.ledger.runner
import jackpot.web.sessions
import tablelink.agent
import tablelink.desk
import tablelink.heard
import tablelink.payouts

Ready = Callable[[], bool]
Work = Callable[[], Coroutine[Any, Any, object]]
"""What makes a coroutine, when it takes its first step."""


class Wait:
    """A place where a coroutine waits: until something holds, until a moment, or only until it is stepped on."""

    __slots__ = ("place", "ready", "until_us")

    def __init__(self, place: str, ready: Ready | None = None, until_us: int | None = None) -> None:
        """Name the place, and what is waited for."""
        self.place, self.ready, self.until_us = place, ready, until_us

    def __await__(self) -> Generator["Wait", None, None]:
        """Hand the reins to whoever steps the coroutine."""
        yield self

    def over(self, now_us: int) -> bool:
        """Whether the coroutine may go on."""
        if self.ready is None and self.until_us is None:
            return True
        return (self.ready is not None and self.ready()) or (self.until_us is not None and now_us >= self.until_us)


class Machine:
    """Something that runs, can be stopped for a while, and can die: a server process, a table's computer, a person."""

    def __init__(self, name: str) -> None:
        """Begin alive."""
        self.name = name
        self.alive = True
        self.paused_until_us = 0
        self.dies_at = ""
        """Where it dies, the next time one of its coroutines waits there."""
        self.strands: list[Strand] = []

    def begin(self, name: str, work: Work) -> None:
        """Let a coroutine run on it."""
        self.strands.append(Strand(name, self, work))

    def runs(self, now_us: int) -> bool:
        """Whether anything on it can go on."""
        return self.alive and now_us >= self.paused_until_us

    def die(self) -> None:
        """End everything that runs on it, wherever that is."""
        self.alive, self.dies_at = False, ""
        strands, self.strands = self.strands, []
        for strand in strands:
            if strand.coroutine is not None:
                strand.coroutine.close()


class Strand:
    """One coroutine on its machine, and where it waits."""

    def __init__(self, name: str, machine: Machine, work: Work) -> None:
        """Begin before its first step."""
        self.name, self.machine, self._work = name, machine, work
        self.coroutine: Coroutine[Any, Any, object] | None = None
        self.at = Wait("start")

    def step(self) -> None:
        """Let it go on to the next place where it waits; what it raises is raised."""
        if self.coroutine is None:
            self.coroutine = self._work()
        try:
            self.at = self.coroutine.send(None)
        except StopIteration:
            self.machine.strands.remove(self)
        except BaseException:
            self.machine.strands.remove(self)
            raise


class Reins:
    """The moment it is now in the world being stepped; one world is stepped at a time."""

    now_us = 0
    wall_us = 0
    """The time of day, as the machine that is being stepped has it."""
    deadline_us: int | None = None


class _Deadline:
    """Stands for `asyncio.timeout`: the next wait ends at a moment."""

    def __init__(self, within_s: float) -> None:
        self.within_us = int(within_s * 1_000_000)

    async def __aenter__(self) -> None:
        Reins.deadline_us = Reins.now_us + self.within_us

    async def __aexit__(self, *_: object) -> None:
        Reins.deadline_us = None


class _Inbox:
    """Stands for `asyncio.Queue`."""

    def __init__(self) -> None:
        self.waiting: deque[Any] = deque()

    def put_nowait(self, one: object) -> None:
        self.waiting.append(one)

    def empty(self) -> bool:
        return not self.waiting

    async def get(self) -> Any:
        until_us = Reins.deadline_us
        while not self.waiting:
            await Wait("inbox", lambda: bool(self.waiting), until_us)
            if not self.waiting and until_us is not None and Reins.now_us >= until_us:
                raise TimeoutError
        return self.waiting.popleft()


class _Alone:
    """Stands for `asyncio.Lock`."""

    def __init__(self) -> None:
        self.held = False

    async def __aenter__(self) -> None:
        while self.held:
            await Wait("lock of the spool", lambda: not self.held)
        self.held = True

    async def __aexit__(self, *_: object) -> None:
        self.held = False


class _Loop:
    """Stands for the event loop, of which only the disk is asked for: stopped before a write, and after it."""

    @staticmethod
    async def run_in_executor(disk: Any, work: Callable[..., Any], *given: Any) -> Any:
        await Wait("before the disk")
        disk.ask()
        done = work(*given)
        await Wait("after the disk")
        return done


class Deaf:
    """Stands for metrics and logs: takes everything, and keeps nothing."""

    def __getattr__(self, _name: str) -> "Deaf":
        """Be anything that is asked for."""
        return self

    def __getitem__(self, _key: object) -> "Deaf":
        """Be any series."""
        return self

    def __call__(self, *_: object, **__: object) -> "Deaf":
        """Take whatever is told."""
        return self


@contextlib.contextmanager
def by_hand() -> Iterator[None]:
    """Put the stand-ins in their places, and take them out again."""
    loop = SimpleNamespace(
        timeout=_Deadline, Queue=_Inbox, Lock=_Alone, get_running_loop=_Loop, CancelledError=GeneratorExit
    )
    deaf = Deaf()
    places: list[tuple[Any, str, Any]] = [
        (tablelink.agent, "asyncio", loop),
        (tablelink.agent, "own_clock_us", lambda: Reins.now_us),
        (tablelink.agent, "_log", deaf),
        (tablelink.heard, "_log", deaf),
        (tablelink.desk, "asyncio", loop),
        (tablelink.desk, "wall_clock_us", lambda: Reins.wall_us),
        (jackpot.bus, "asyncio", SimpleNamespace(timeout=_Deadline, Event=_Flag)),
        (jackpot.bus, "elapsed_ms", lambda: Reins.now_us // 1000),
        (jackpot.bus, "_log", deaf),
        (jackpot.ledger.runner, "_log", deaf),
        (jackpot.web.sessions, "_log", deaf),
        (jackpot.cli.links, "_log", deaf),
        (tablelink.payouts, "_log", deaf),
    ]
    with contextlib.ExitStack() as stack:
        for module, name, stand_in in places:
            stack.enter_context(patch.object(module, name, stand_in))
        yield


class _Flag:
    """Stands for `asyncio.Event`."""

    def __init__(self) -> None:
        self.raised = False

    def set(self) -> None:
        self.raised = True

    def clear(self) -> None:
        self.raised = False

    def is_set(self) -> bool:
        return self.raised
