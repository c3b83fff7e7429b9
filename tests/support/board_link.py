"""A link as boards see it, in a server of its own thread: real boards and feeds, fed by what a test says came.

The test says what the link stands at (`show`), and how the server answers (`answer`): well, like a proxy whose
server is away, like a network that is away, or not at all.
"""

import asyncio
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

import uvloop
from aiohttp import web
from aiohttp.typedefs import Handler

from jackpot.bus import elapsed_ms
from jackpot.core.ports import Heard
from jackpot.serving.application import new_application
from jackpot.serving.running import Connections
from jackpot.telemetry import Telemetry
from jackpot.web.boards import Boards
from jackpot.wire.snapshots import HitShown, PoolShown, fall_cause
from rules.terms import Terms, fingerprint
from tests.support.links import ScriptedDirectory, ScriptedLink, ScriptedMeters, snapshot
from tests.support.ports import held_port
from tests.support.terms import demo_terms

T = TypeVar("T")

Manner = Literal["well", "503", "204", "login", "html", "refuse", "freeze"]
"""How the server answers: `login` leads to a page of another host's kind, `freeze` is a process that is stopped."""
WITHIN_S = 60.0
LOGIN = "<!doctype html><title>Sign in</title><p>Sign in to the network."


def hit(
    state: str, cents: int = 8_421_055, *, table: str = "T12", round_number: int = 17, prize: str = "royal_flush"
) -> HitShown:
    """A hit as a snapshot tells it."""
    return HitShown(f"{table}/1/{round_number}/5/main", prize, state, cents, table, 1)


@dataclass
class TermsLink(ScriptedLink):
    """A link whose terms the test sets; the last set are in force."""

    known: dict[str, Terms] = field(default_factory=dict)

    def terms(self, name: str = "") -> Terms | None:
        """The terms of that fingerprint, or those in force."""
        return self.known.get(name) if name else list(self.known.values())[-1]


class BoardLink:
    """One link, `southern`, with its boards, on a port that stays the same however the server answers."""

    def __init__(self, terms: Terms) -> None:
        """Begin with these terms and each pool at its seed; nothing was heard yet."""
        self.asked: Counter[str] = Counter()
        """Requests by method and path, also those that were not answered well."""
        self.telemetry = Telemetry()
        self.telemetry.opened("southern")
        self.away: str = ""
        """A path, or how one ends, that answers 503 while all else is answered well."""
        self._connections = Connections()
        self._meters = ScriptedMeters()
        self._link = TermsLink()
        self._stands: dict[str, Any] = {"commit": 0}
        self._manner: Manner = "well"
        self._beating = True
        self._ahead_ms = 0
        self._thawed = threading.Event()
        self.boards = Boards(
            ScriptedDirectory(self._link), self._meters, self._connections, self.telemetry, elapsed_ms=self._elapsed_ms
        )
        self.set_terms(terms)

    @property
    def url(self) -> str:
        """The server's address."""
        return f"http://127.0.0.1:{self._held.getsockname()[1]}"

    @property
    def board(self) -> str:
        """The board's address."""
        return f"{self.url}/boards/southern"

    @property
    def loads(self) -> int:
        """How often the page was asked for."""
        return self.asked["GET /boards/southern"]

    @property
    def commit(self) -> int:
        """The commit that was shown last."""
        commit: int = self._stands["commit"]
        return commit

    def set_terms(self, terms: Terms) -> None:
        """Let other terms be in force, each pool at its seed; told with the next `show`."""
        self._link.known[fingerprint(terms)] = terms
        self._stands["terms"] = fingerprint(terms)
        self._stands["pools"] = [PoolShown(pool.name, 1, pool.seed_cents, 0, "") for pool in terms.pools]

    def show(
        self,
        cents: int | None = None,
        *,
        pools: Sequence[PoolShown] | None = None,
        hits: Sequence[HitShown] | None = None,
        epoch: int | None = None,
        cause: str = "",
        live: bool = True,
        **more: Any,
    ) -> int:
        """Let the link stand otherwise, one commit later, and tell it; what is not named stays. Return the commit.

        `cents`, `epoch` and `cause` (of a fall, at this commit) are the main pool's; `more` has any other field of a
        snapshot: `status`, `generation`, `month`, `commit`.
        """
        stands = self._stands
        stands["commit"] += 1
        main = stands["pools"][0]
        stands["pools"] = [
            PoolShown(
                main.pool,
                main.epoch if epoch is None else epoch,
                main.cents if cents is None else cents,
                stands["commit"] if cause else main.last_fall_commit,
                fall_cause(cause, main.corrected) if cause else main.last_fall_cause,
            ),
            *stands["pools"][1:],
        ]
        if pools is not None:
            stands["pools"] = list(pools)
        if hits is not None:
            stands["hits"] = list(hits)
        stands.update(more)
        self._do(lambda: self._tell(live=live))
        return self.commit

    def pass_by(self, seconds: int) -> None:
        """Let the server's time be so much later, as a page's is that was set forward."""
        self._ahead_ms += seconds * 1_000

    def silence(self) -> None:
        """Let nothing come over Redis any more; the server itself lives."""
        self._beating = False

    def resume(self) -> None:
        """Let a beat come each second again, the first one now."""
        self._beating = True
        self._do(lambda: self._tell(live=True))

    def answer(self, manner: Manner) -> None:
        """Answer in another manner from now on; connections that are open end, but with `freeze`."""
        before, self._manner = self._manner, manner
        if before == "freeze":
            self._thawed.set()
        if manner == "freeze":
            self._thawed.clear()
            self._loop.call_soon_threadsafe(self._thawed.wait)
            return
        if before == "refuse":
            self._run(self._listen)
        if manner == "refuse":
            self._run(self._site.stop)
        if before != "freeze":
            self.cut()

    def cut(self) -> None:
        """End every connection, as a proxy or a network does."""

        def do() -> None:
            server = self._runner.server
            assert server is not None
            for connection in list(server.connections):
                if connection.transport is not None:
                    connection.transport.abort()

        self._do(do)

    def start_again(self) -> None:
        """Serve on as a process that was not there before: it knows of nothing since when it stands."""
        self._do(self.boards._feeds.clear)
        self.cut()

    def change_page(self, version: str) -> None:
        """Let the page's assets be of another version, told with the next state."""

        def do() -> None:
            for feed in self.boards._feeds.values():
                feed.page = version
            self._tell(live=True)

        self._do(do)

    @contextmanager
    def serving(self) -> Iterator["BoardLink"]:
        """Serve while the context lasts."""
        self._loop, self._held = uvloop.new_event_loop(), held_port()
        thread = threading.Thread(target=self._loop.run_forever, name="board link")
        thread.start()
        try:
            self._run(self._start)
            yield self
        finally:
            self._thawed.set()
            self._run(self._stop)
            self._loop.call_soon_threadsafe(self._loop.stop)
            thread.join(WITHIN_S)
            self._loop.close()
            self._held.close()

    async def _start(self) -> None:
        app = new_application(self.telemetry.requests)
        app.middlewares.append(self._in_its_manner)
        self.boards.add_to(app)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        await self._listen()
        self._tasks = [asyncio.create_task(self.boards.keep_beating()), asyncio.create_task(self._beat())]

    async def _listen(self) -> None:
        host, port = self._held.getsockname()
        self._site = web.TCPSite(self._runner, host, port, reuse_address=True, backlog=1024)
        await self._site.start()

    async def _stop(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._connections.close_all()
        await self._runner.cleanup()

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(1)
            if self._beating and self._stands["commit"]:
                self._tell(live=True)

    def _elapsed_ms(self) -> int:
        return elapsed_ms() + self._ahead_ms

    def _tell(self, *, live: bool) -> None:
        stands = dict(self._stands)
        told = snapshot(0, stands.pop("commit"), **stands)
        self._meters.come(Heard(told, self._elapsed_ms(), live))

    @web.middleware
    async def _in_its_manner(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        self.asked[f"{request.method} {request.path}"] += 1
        if self.away and request.path.endswith(self.away):
            return web.Response(status=503, text="no server is available")
        match self._manner:
            case "503":
                return web.Response(status=503, text="no server is available")
            case "204":
                return web.Response(status=204)
            case "login" if request.path != "/login":
                return web.Response(status=302, headers={"Location": "/login"})
            case "login" | "html":
                return web.Response(text=LOGIN, content_type="text/html")
            case _:
                return await handler(request)

    def _do(self, act: Callable[[], T]) -> None:
        """Do something in the server's thread; wait for it unless the server is frozen."""
        done: Future[None] = Future()

        def do() -> None:
            try:
                act()
            except BaseException as error:  # noqa: BLE001 - it is the test's to see, in its own thread
                done.set_exception(error)
            else:
                done.set_result(None)

        self._loop.call_soon_threadsafe(do)
        if self._manner != "freeze":
            done.result(WITHIN_S)

    def _run(self, work: Callable[[], Any]) -> None:
        asyncio.run_coroutine_threadsafe(work(), self._loop).result(WITHIN_S)


@contextmanager
def board_link(terms: Terms | None = None) -> Iterator[BoardLink]:
    """Serve the boards of one link of these terms (the demonstration's) while the context lasts."""
    with BoardLink(terms or demo_terms()).serving() as link:
        yield link
