"""A ledger in memory whose posters are stepped by hand: a test sees each place where they wait, and lies to them."""

from collections.abc import Callable, Coroutine, Generator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import msgspec

from jackpot.core.accounts import MICROCENTS
from jackpot.core.answers import decode_stored
from jackpot.core.commands import Command
from jackpot.core.ports import Reply, Submitted
from jackpot.core.posting import Posted, Poster, post
from jackpot.wire.messages import Wagers
from tests.support.chains import Link
from tests.support.held import saying
from tests.support.memory_store import Fault, MemoryLedger

T = TypeVar("T")
SEED = 5_000_000 * MICROCENTS
INCREMENT = 22 * MICROCENTS


class Pause:
    """A place where the coroutine waits: whoever steps it is told its name."""

    def __init__(self, place: str) -> None:
        """Name the place."""
        self.place = place

    def __await__(self) -> Generator[str, None, None]:
        """Hand the reins to whoever steps the coroutine."""
        yield self.place


async def pause(place: str) -> None:
    """Wait until stepped on."""
    await Pause(place)


@dataclass
class HandClock:
    """A clock that moves when asked, and notes how often a ledger that does not answer was tried."""

    us: int = 1_795_777_300_000_000
    tries: list[int] = field(default_factory=list)

    def now_us(self) -> int:
        """A millisecond later each time."""
        self.us += 1_000
        return self.us

    async def pause(self, tries: int) -> None:
        """Note the try."""
        self.tries.append(tries)
        await Pause("clock")


class Stage:
    """A link in a ledger in memory, and posters of as many processes as a test wants."""

    def __init__(self, tables: int = 4) -> None:
        """Open the link with its tables connected."""
        self.link = Link(tables)
        self.ledger = MemoryLedger(self.link.chain, pause=pause)
        self.ledger.write(self.link.opening)
        self.clock = HandClock()
        self.told: list[Posted] = []

    def poster(self) -> Poster:
        """The poster of one more process."""
        return Poster(self.ledger.store(), self.clock, self.told.append)

    def post(self, poster: Poster, commands: Sequence[Command], *faults: tuple[str, Fault]) -> Sequence[Reply]:
        """Post to the end, with faults at named places, each once."""
        self.ledger.fault = once(faults)
        return run(post(poster, commands))

    def meter(self) -> int:
        """What the main pool holds."""
        return self.ledger.rows.balances["pool/main"].microcents

    def stored(self) -> dict[str, bytes]:
        """The answer that stands under every id; no id stands twice."""
        found: dict[str, bytes] = {}
        for batch in self.ledger.batches:
            for row in batch.rows.commands:
                assert row.id not in found, f"{row.id} was decided twice"
                known = self.ledger.known(row.id)
                assert known is not None
                found[row.id] = known.answer
        return found


def once(faults: Sequence[tuple[str, Fault]]) -> Callable[[str], Fault]:
    """Faults in order, each when its place is next reached."""
    waiting = list(faults)

    def fault(place: str) -> Fault:
        if waiting and waiting[0][0] == place:
            return waiting.pop(0)[1]
        return Fault.NONE

    return fault


def run(coroutine: Coroutine[Any, Any, T], places: list[str] | None = None) -> T:
    """Step a coroutine to its end."""
    while True:
        try:
            place = coroutine.send(None)
        except StopIteration as ended:
            return ended.value  # type: ignore[no-any-return]
        if places is not None:
            places.append(place)


def commands_of(stage: Stage, number: int = 1) -> list[Command]:
    """Three seats wagered at each table."""
    return [stage.link.wagers(table, number) for table in stage.link.tables]


def said(reply: Reply) -> str:
    """A reply in a word."""
    if reply.later is not None:
        return reply.later.code
    return str(decode_stored(reply.answer).__struct_config__.tag)


def broken(command: Command) -> Command:
    """A command whose decision fails."""
    seats: Any = [None]
    assert isinstance(command.message, Wagers)
    return saying(command, msgspec.structs.replace(command.message, seats=seats))


class HandInbox:
    """An inbox that a test fills; when it is empty the coroutine waits, and ends with the test."""

    def __init__(self, *loads: list[Submitted]) -> None:
        """Hold what is taken each time."""
        self.loads = list(loads)
        self.asked: list[int] = []
        self.overtaken = False

    async def take(self, most: int) -> list[Submitted]:
        """Give the next load."""
        self.asked.append(most)
        while not self.loads:
            await Pause("empty")
        return self.loads.pop(0)

    def behind(self, _batch: int) -> bool:
        """Say what the test says."""
        return self.overtaken


def assert_answered_alike(stage: Stage, heard: Sequence[Reply]) -> None:
    """Fail unless every id had one answer however often it was asked, and that one is what the ledger keeps."""
    stage.ledger.arrive()
    answers: dict[str, set[bytes]] = {}
    for reply in heard:
        answers.setdefault(reply.id, set()).add(reply.answer)
    assert all(len(each) == 1 for each in answers.values())
    assert {name: next(iter(each)) for name, each in answers.items()}.items() <= stage.stored().items()
