"""How is each step of a fault done? One function a verb of `faults.py`; what was broken is whole again afterwards."""

import asyncio
import os
import resource
import signal
import socket
import struct
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import asyncpg
from redis import Redis

from jackpot.ledger.statements import statement
from tests.adversity.people import people, word
from tests.adversity.requests import broken_off, sessions
from tests.adversity.restoring import back_up, reopen, restore
from tests.adversity.site import Site
from tests.support.playing import until
from tests.support.stopped import family_of, standing_still

__all__ = ["break_it"]

ENDS_WITHIN_S = 5.0
"""A program that is told to end does so in this time (case 34)."""
ROOM_BYTES = 65_536
"""A full disk takes no file past this: less than any spool's log at play, more than what a program says of it."""


def break_it(site: Site, steps: tuple[tuple[str, ...], ...]) -> None:
    """Do the steps of a fault, one after the other."""
    for verb, *words in steps:
        _VERBS[verb](site, *words)


def _stop(site: Site, part: str, point: str, nth: str, after_ms: str = "0") -> None:
    _arm(site, part, point, nth, after_ms)
    _await_death(site, part, point)
    site.start(part)


def _stop_again(site: Site, part: str, point: str) -> None:
    """Lose a statement's answer, so that its outcome is unknown: what follows is done under the link's lock."""
    _arm(site, part, point, "1")

    def dead() -> bool:
        _lose(site, "database", "down", "0.5")
        _rest("1.5")
        return site.programs[part].ended() is not None

    until(dead, f"{part} reaches {point}")
    _await_death(site, part, point)
    site.start(part)


def _dead(site: Site, part: str) -> None:
    """Wait for a program that was armed to die; then all lines pass again, and it is started."""
    _await_death(site, part, site.stop_file(part).read_text())
    site.lines.clear()
    site.start(part)


def _arm(site: Site, part: str, point: str, nth: str, after_ms: str = "0") -> None:
    file = site.stop_file(part)
    beside = file.with_suffix(".new")
    beside.write_text(f"{point} {nth} {after_ms}")
    beside.rename(file)


def _await_death(site: Site, part: str, point: str) -> None:
    child = site.programs[part]
    until(lambda: child.ended() is not None, f"{part} reaches {point}")
    assert child.ended() == -signal.SIGKILL, f"{part} never came to {point} in time: {child.last_words()}"


def _kill(site: Site, part: str, down_s: str = "0") -> None:
    os.kill(site.pid(part), signal.SIGKILL)
    _rest(down_s)
    site.start(part)


def _crash(site: Site, part: str, down_s: str = "0") -> None:
    """End all processes of a part in one moment, as a power cut does."""
    pid = site.pid(part)
    with standing_still([pid]):
        for each in list(family_of(pid)):  # known before the first dies: the dead have no children
            with suppress(ProcessLookupError):
                os.kill(each, signal.SIGKILL)
    _rest(down_s)
    site.start(part)


def _both(site: Site, first: str, second: str) -> None:
    for part in (first, second):
        os.kill(site.pid(part), signal.SIGKILL)
    for part in (first, second):
        site.start(part)


def _child(site: Site, part: str) -> None:
    """Kill the newest backend; the postmaster ends all others and recovers."""
    pid = site.pid(part)
    os.kill(int(Path(f"/proc/{pid}/task/{pid}/children").read_text().split()[-1]), signal.SIGKILL)


def _freeze(site: Site, part: str, seconds: str) -> None:
    with standing_still([site.pid(part)]):
        _rest(seconds)


def _hold(site: Site, line: str, way: str, seconds: str = "0") -> None:
    _held(site, line, way, seconds)
    if float(seconds):
        site.lines.do(line, "clear")


def _held(site: Site, line: str, way: str, seconds: str) -> None:
    """Hold a line for so long, and until it holds something: where nobody spoke, nothing was broken."""
    site.lines.do(line, "hold", way)
    _rest(seconds)
    until(lambda: site.lines.held(line) > 0, f"somebody speaks on the line {line}")


def _clear(site: Site, line: str) -> None:
    site.lines.do(line, "clear")


def _lose(site: Site, line: str, way: str, seconds: str) -> None:
    _held(site, line, way, seconds)
    site.lines.do(line, "cut")
    site.lines.do(line, "clear")


def _late(site: Site, line: str, seconds: str) -> None:
    _held(site, line, "up", "1")
    site.lines.do(line, "orphan")
    _rest(seconds)
    site.lines.do(line, "deliver")


def _cut(site: Site, line: str, times: str = "1") -> None:
    for _ in range(int(times)):
        site.lines.do(line, "cut")
        _rest("0.4")


def _refuse(site: Site, line: str, seconds: str) -> None:
    site.lines.do(line, "refuse")
    _rest(seconds)
    site.lines.do(line, "clear")


def _slow(site: Site, line: str, ms: str, seconds: str = "0") -> None:
    site.lines.do(line, "slow", ms)
    if float(seconds):
        _rest(seconds)
        site.lines.do(line, "clear")


def _hasty(site: Site, line: str, ms: str, seconds: str) -> None:
    site.lines.do(line, "hasty", ms)
    _rest(seconds)
    site.lines.do(line, "clear")


def _abandon(site: Site, number: str) -> None:
    """Break off so many requests of every kind at a moment of chance; no session of the ledger is left behind."""
    before = asyncio.run(sessions(site.url("owner")))
    asyncio.run(broken_off(site.address_of("server"), site.link, int(number)))

    def as_before() -> bool:
        now = asyncio.run(sessions(site.url("owner")))
        return not now.idle_in_transaction and now.all <= before.all + 1

    until(as_before, "no session is left in a transaction, and none more than before")


def _end(site: Site, part: str, boards: str = "0") -> None:
    with _deaf_boards(site, int(boards)):
        _ends(site, part)
    site.start(part)


def _ends(site: Site, part: str) -> None:
    child = site.programs[part]
    began = time.monotonic()
    child.end()
    child.wait(began + 4 * ENDS_WITHIN_S)
    took_s = time.monotonic() - began
    assert took_s < ENDS_WITHIN_S, f"{part} took {took_s:.1f} s to end"


def _takeover(site: Site, seconds: str) -> None:
    """Freeze the server and let the tables go on at a second one; then the first wakes, and they come back to it."""
    site.start("second")
    with standing_still([site.pid("server")]):
        site.lines.do("tables", "cut")
        _rest(seconds)
    _rest("1")
    _back(site)


def _hand_over(site: Site) -> None:
    """Tell the server to end while a second one is there: the tables resume at that, and come back."""
    site.start("second")
    _ends(site, "server")
    _play(site, "8")
    site.start("server")
    _back(site)


def _back(site: Site) -> None:
    site.lines.do("tables", "to", site.address_of("server"))
    _ends(site, "second")


def _full(site: Site, _disk: str) -> None:
    """Let the tables' program write no file any further than the start of a spool's log, until it has ended of that.

    Each table has to write at its next step, so that all of them stop. What the program says of it goes into a file
    too, of all that it said since the site was made: that begins anew, or there would be no room for the words.
    """
    tables = site.programs["tables"]
    pid, none = site.pid("tables"), resource.RLIM_INFINITY
    os.truncate(tables.log, 0)
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (ROOM_BYTES, none))
    until(lambda: tables.ended() is not None, "all tables end whose disk is full")
    assert "spool_unreachable" in tables.log.read_text(), f"no table's disk was full: {tables.last_words()}"


def _exhaust(site: Site, seconds: str) -> None:
    site.lines.do("database", "refuse")
    asyncio.run(_take_all(site, float(seconds)))


async def _take_all(site: Site, seconds: float) -> None:
    taken: list[asyncpg.Connection[asyncpg.Record]] = []
    try:
        while True:
            try:
                taken.append(await asyncpg.connect(site.url("service"), timeout=5))
            except asyncpg.TooManyConnectionsError:
                break
        site.lines.do("database", "clear")
        await asyncio.sleep(seconds)
    finally:
        await asyncio.gather(*(one.close(timeout=2) for one in taken), return_exceptions=True)


def _lock(site: Site, seconds: str) -> None:
    asyncio.run(_hold_head(site, float(seconds)))


async def _hold_head(site: Site, seconds: float) -> None:
    connection = await asyncpg.connect(site.url("service"), timeout=5)
    try:
        async with connection.transaction():
            await connection.fetch(statement("lock_head"), site.link)
            await asyncio.sleep(seconds)
    finally:
        await connection.close(timeout=2)


def _boards(site: Site, number: str, seconds: str) -> None:
    with _deaf_boards(site, int(number)):
        _rest(seconds)


@contextmanager
def _deaf_boards(site: Site, number: int) -> Iterator[None]:
    """Boards that ask for the feed and read nothing; they vanish with a reset."""
    host, _, port = site.address_of("server").rpartition(":")
    ask = f"GET /boards/{site.link}/feed HTTP/1.1\r\nHost: board\r\nAccept: text/event-stream\r\n\r\n".encode()
    boards = []
    try:
        for _ in range(number):
            board = socket.create_connection((host, int(port)), 5)
            board.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            board.sendall(ask)
            boards.append(board)
        yield
    finally:
        for board in boards:
            board.close()


def _forget(site: Site, what: str, seconds: str) -> None:
    """Kill Redis; it comes back after so long with nothing, or with what it held when the fault began to be done.

    Nobody reaches it before it has that: what is retained there is `what`.
    """
    with Redis(unix_socket_path=str(site.backs["redis"].socket_dir / "valkey.sock")) as redis:
        kept = {name: redis.get(name) for name in redis.scan_iter()}
    _play(site, "6")
    site.lines.do("redis", "hold", "both")
    os.kill(site.pid("redis"), signal.SIGKILL)
    _rest(seconds)
    site.start("redis")
    with Redis(unix_socket_path=str(site.backs["redis"].socket_dir / "valkey.sock")) as redis:
        for name, value in kept.items() if what == "old" else ():
            redis.set(name, value)
    site.lines.do("redis", "cut")
    site.lines.do("redis", "clear")


def _play(site: Site, commits: str) -> None:
    before = site.head()
    until(lambda: site.head() >= before + int(commits), "play goes on")


def _rest(seconds: str) -> None:
    time.sleep(float(seconds))


_VERBS: Mapping[str, Any] = {
    "stop": _stop, "stop-again": _stop_again, "arm": _arm, "dead": _dead, "kill": _kill, "both": _both, "child": _child,
    "clear": _clear, "crash": _crash, "freeze": _freeze, "hold": _hold, "lose": _lose, "cut": _cut,
    "abandon": _abandon, "hasty": _hasty,
    "refuse": _refuse, "slow": _slow, "end": _end, "full": _full, "exhaust": _exhaust, "lock": _lock,
    "boards": _boards, "late": _late, "takeover": _takeover, "hand-over": _hand_over, "play": _play,
    "people": people, "word": word, "back-up": back_up, "restore": restore, "reopen": reopen, "forget": _forget,
}  # fmt: skip
