"""Boards that never read, and boards that vanish: bounded memory, nobody else notices, none is counted (case 31)."""

import asyncio
import gc
import resource
import socket
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

from jackpot.bus import elapsed_ms
from jackpot.core.ports import Heard
from jackpot.serving.application import new_application
from jackpot.serving.running import Connections, Listen, listening
from jackpot.telemetry import Telemetry
from jackpot.web import boards as boards_module
from jackpot.web.boards import Boards
from jackpot.wire.snapshots import HitShown
from tests.jackpot.web.test_boards import scene
from tests.support.links import ScriptedDirectory, ScriptedMeters, snapshot
from tests.support.serving import eventually, run, vanish

ASK = b"GET /boards/southern/feed HTTP/1.1\r\nHost: board\r\n\r\n"
TEN_MINUTES = 6_000
"""So many snapshots a link publishes at most in ten minutes."""
SNAPSHOTS = 100
STRETCHES_MOST = 8
AT_WORST_S = 600
"""Ten minutes' snapshots are half a minute's work for one core, and others may want that core."""
SLOWER_MOST = 1.5
MEMORY_MOST = 8 * 1024 * 1024
HITS = [HitShown(f"T1/1/{n}/3/main", "royal_flush", "paid", 1, "T1", 9) for n in range(20)]
"""As many as a snapshot has: a board that does not read is in arrears soon."""


class Way(NamedTuple):
    """What a snapshot costs on its way to a board, by what other programs cannot add to."""

    turns: int
    """How often the loop went round."""
    work_s: float
    """How long this thread was at work, by the processor's clock."""


class Hall:
    """A server of boards, and what comes over Redis to it."""

    def __init__(self) -> None:
        self.telemetry, self.connections, self.meters = Telemetry(), Connections(), ScriptedMeters()
        self.telemetry.opened("southern")
        self.boards = Boards(ScriptedDirectory(), self.meters, self.connections, self.telemetry, elapsed_ms=elapsed_ms)
        self.port = 0
        self.commit = 0

    def come(self, hits: Sequence[HitShown] = HITS) -> int:
        """Let the next snapshot come; its commit."""
        self.commit += 1
        told = snapshot(5_000_000 + self.commit, self.commit, hits=hits)
        self.meters.come(Heard(told, elapsed_ms(), live=True))
        return self.commit

    def counted(self, family: str) -> float | None:
        """A count of this link's boards."""
        return self.telemetry.registry.get_sample_value(f"jackpot_boards_{family}", {"link": "southern"})

    async def ways_to_a_board(self, reader: asyncio.StreamReader, times: int) -> list[Way]:
        """What a snapshot costs on its way to a board that reads, so many times."""
        ways = []
        turns = Turns()
        for _ in range(times):
            turns.count, began = 0, time.thread_time()
            wanted = f'"commit":{self.come()},'.encode()
            while wanted not in (line := await reader.readline()):
                assert line, "a board that reads was dropped"
            ways.append(Way(turns.count, time.thread_time() - began))
        turns.end()
        return ways


class Turns:
    """Counts how often the loop goes round: what waits for a time, or for another, makes it go round more often."""

    def __init__(self) -> None:
        self.count, self._loop = 0, asyncio.get_running_loop()
        self._next = self._loop.call_soon(self._turn)

    def _turn(self) -> None:
        self.count += 1
        self._next = self._loop.call_soon(self._turn)

    def end(self) -> None:
        """Count no more."""
        self._next.cancel()


@asynccontextmanager
async def hall() -> AsyncIterator[Hall]:
    """Serve boards on a port."""
    made = Hall()
    app = new_application(made.telemetry.requests)
    made.boards.add_to(app)
    app.on_shutdown.append(made.connections.close_all)
    async with listening(app, Listen("127.0.0.1", 0)) as address:
        made.port = int(address.rpartition(":")[2])
        yield made


async def listener(on: Hall) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A board that reads, for as long as what is returned is kept."""
    reader, writer = await asyncio.open_connection("127.0.0.1", on.port, limit=1 << 20)
    writer.write(ASK)
    await eventually(lambda: on.counted("connected") == 1)
    return reader, writer


def silent(stack: ExitStack, port: int, count: int, holds: int = 4096) -> list[socket.socket]:
    """Boards that ask for the feed and then never read; so many bytes their machines take all the same."""
    sockets = []
    for _ in range(count):
        one = stack.enter_context(socket.socket())
        one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, holds)
        one.setblocking(False)
        one.connect_ex(("127.0.0.1", port))
        sockets.append(one)
    return sockets


async def ask(sockets: Sequence[socket.socket]) -> None:
    """Let them ask for the feed."""
    loop = asyncio.get_running_loop()
    for one in sockets:
        await loop.sock_sendall(one, ASK)


def resident_bytes() -> int:
    """How much memory this process has."""
    gc.collect()
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * resource.getpagesize()


def p99(ways: Sequence[Way]) -> Way:
    """What all but one in a hundred came with."""
    place = len(ways) * 99 // 100 - 1
    return Way(sorted(way.turns for way in ways)[place], sorted(way.work_s for way in ways)[place])


def as_quick(beside: Sequence[Way], alone: Sequence[Way]) -> bool:
    """Whether the quietest stretch beside deaf boards is much like the quietest without any."""
    return (
        bool(beside)
        and min(way.turns for way in beside) <= min(way.turns for way in alone)
        and min(way.work_s for way in beside) < SLOWER_MOST * min(way.work_s for way in alone)
    )


def test_fifty_boards_that_never_read_cost_little_and_slow_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten minutes' snapshots to fifty deaf boards that nobody drops: memory is bounded, the others' p99 the same.

    The same as that of another server without deaf boards, asked in turn with this one: as many turns of the loop, and
    as much work by the processor's clock, which goes on only while this thread runs, however busy the machine is. Of
    some stretches each server's quietest is taken, since a shared cache only ever adds.
    """
    monkeypatch.setattr(boards_module, "DROPPED_AFTER_S", 1e9)
    monkeypatch.setattr(boards_module, "LOST_AFTER_S", 3_600)

    async def play() -> None:
        with ExitStack() as stack:
            async with hall() as on, hall() as without:
                beating = asyncio.create_task(on.boards.keep_beating())
                (hears, kept), (alone, kept_too) = await listener(on), await listener(without)
                deaf = silent(stack, on.port, 50)
                await ask(deaf)
                await eventually(lambda: on.counted("connected") == 51)
                await on.ways_to_a_board(hears, 30)
                before = resident_bytes()
                for _ in range(TEN_MINUTES // SNAPSHOTS):
                    for _ in range(SNAPSHOTS):
                        on.come([])
                        await asyncio.sleep(0)
                    await on.ways_to_a_board(hears, 1)
                assert resident_bytes() - before < MEMORY_MOST
                await on.ways_to_a_board(hears, 30)
                beside, without_any = list[Way](), list[Way]()
                while len(beside) < STRETCHES_MOST and not as_quick(beside, without_any):
                    told, told_alone = list[Way](), list[Way]()
                    for _ in range(SNAPSHOTS):
                        told += await on.ways_to_a_board(hears, 1)
                        told_alone += await without.ways_to_a_board(alone, 1)
                    beside.append(p99(told))
                    without_any.append(p99(told_alone))
                assert on.counted("connected") == 51
                assert as_quick(beside, without_any), (beside, without_any)
                for writer in (kept, kept_too):
                    writer.close()
                beating.cancel()

    run(play(), AT_WORST_S)


def test_boards_that_stay_deaf_are_dropped() -> None:
    """A board that has not read for ten seconds is dropped and counted as that, and not taken for one that left.

    The kernel, which would end such a connection too, leaves it to the server: a board that hangs stays stale.
    """

    async def play() -> None:
        with ExitStack() as stack:
            async with hall() as on:
                beating = asyncio.create_task(on.boards.keep_beating())
                on.come()
                deaf = silent(stack, on.port, 50)
                await ask(deaf)
                await eventually(lambda: on.counted("connected") == 50)
                for _ in range(2 * SNAPSHOTS):
                    on.come()
                    await asyncio.sleep(0)
                await eventually(lambda: not on.counted("connected"))
                assert on.counted("dropped_total") == 50
                beating.cancel()

    run(play(), 90)


def test_a_thousand_boards_that_vanish_are_counted_no_more() -> None:
    """A thousand boards whose machines are gone without a word: the gauge is nought within two heartbeats."""

    async def play() -> None:
        with ExitStack() as stack:
            async with hall() as on:
                beating = asyncio.create_task(on.boards.keep_beating())
                on.come([])
                boards = silent(stack, on.port, 1_000)
                await ask(boards)
                await eventually(lambda: on.counted("connected") == 1_000)
                for one in boards:
                    vanish(one)
                beat, loop = on.boards._feeds["southern"].beat_number, asyncio.get_running_loop()
                began = loop.time()
                await eventually(lambda: not on.counted("connected"))
                assert on.boards._feeds["southern"].beat_number <= beat + 2, loop.time() - began
                beating.cancel()

    run(play())


def test_nobody_is_taken_for_gone_between_two_beats() -> None:
    """A board is gone when nothing was acknowledged from one beat to the next, however many snapshots come."""

    async def play() -> None:
        with ExitStack() as stack:
            async with hall() as on:
                on.come()
                boards = silent(stack, on.port, 1, 1 << 18)
                await ask(boards)
                await eventually(lambda: on.counted("connected") == 1)
                vanish(boards[0])
                feed = on.boards._feeds["southern"]

                async def snapshots() -> None:
                    for _ in range(100):
                        on.come()
                        await asyncio.sleep(0)

                await snapshots()
                feed.beat(elapsed_ms())
                await snapshots()
                assert on.counted("connected") == 1
                feed.beat(elapsed_ms())
                await eventually(lambda: not on.counted("connected"))

    run(play())


def test_a_board_that_closes_its_feed_is_missed_at_no_server_that_it_left() -> None:
    """It may be at another by now: a quarter of a minute later it is neither stale here nor listed."""

    async def play() -> None:
        async with scene() as on:
            on.come(5_000_000, 7)
            shown = {"generation": 1, "commit": 7, "epoch": 1, "painted_cents": "5000000"}
            async with on.client.get("/boards/southern/feed?board=hall1") as feed:
                await on.says(shown | {"board": "hall1"})
                await on.says(shown | {"board": "hall2"})
                feed.close()
            beating = asyncio.create_task(on.boards.keep_beating())
            await eventually(lambda: on.connected() == 0)
            on.now_ms[0] += 16_000
            assert on.boards.stale("southern") == 1
            await eventually(lambda: on.boards.reporting("southern") == 1)
            beating.cancel()

    run(play())
