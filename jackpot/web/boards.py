"""`/boards/{link}`: a page, its feed of server-sent events, its one-off state, and what boards say they show.

A board is fed only from what was read back from Redis (PROTOCOL 6), so that every process shows the same. Memory is
bounded whatever readers do: each holds one unsent event at most.
"""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import msgspec
import structlog
from aiohttp import web
from msgspec import Meta, Struct

from jackpot.core.ports import Directory, Heard, Meters
from jackpot.serving.assets import SHARED, Assets, Page
from jackpot.serving.problems import Problem
from jackpot.serving.running import Connections
from jackpot.serving.sockets import notice_lost_peers
from jackpot.telemetry import Telemetry
from jackpot.web.feed import Feed, State
from jackpot.web.sign import Sign
from jackpot.wire.messages import Name, Number

__all__ = ["BOARD_ASSETS", "Boards", "Shown"]

BOARD_ASSETS = Path(__file__).with_name("assets")
FEED_HEADERS = {
    "Content-Type": "text/event-stream; charset=utf-8",
    "Cache-Control": "no-store, no-transform",
    "X-Accel-Buffering": "no",
}
BEAT_S = 1.0
LOST_AFTER_S = 4
SEND_BUFFER = 32 * 1024
DROPPED_AFTER_S = 10.0
"""A board that has read nothing for so long is dropped; it asks again by itself."""
MOST_BOARDS = 5_000
MOST_SHOWN = 2_000

_log = structlog.get_logger(__name__)


class Shown(Struct, frozen=True, forbid_unknown_fields=True):
    """What a board says it shows: told at each change of epoch, and every ten seconds."""

    board: Name
    generation: Number
    commit: Number
    epoch: Number
    painted_cents: Annotated[str, Meta(pattern=r"^[0-9]{0,20}$")] = ""
    heap: Number = 0


class OneOff(Struct, frozen=True):
    """The state of a link for whoever asks once; `fresh` says whether it may be shown as live."""

    fresh: bool
    state: State
    sign: Sign | None


class Boards:
    """The boards connected to this process."""

    def __init__(
        self,
        directory: Directory,
        meters: Meters,
        connections: Connections,
        telemetry: Telemetry,
        *,
        elapsed_ms: Callable[[], int],
    ) -> None:
        """`elapsed_ms` is the time that `meters` stamps what it heard with."""
        self._directory, self._meters, self._connections, self._telemetry = directory, meters, connections, telemetry
        self._elapsed_ms = elapsed_ms
        self.assets = Assets(SHARED, BOARD_ASSETS)
        self._page = Page(Path(__file__).with_name("board.html"), self.assets)
        self._feeds: dict[str, Feed] = {}
        self._readers = 0
        self.shown: dict[tuple[str, str], Shown] = {}
        """The last that each board said it shows, by link and board; the oldest goes first."""
        meters.watch(self._heard)

    def add_to(self, app: web.Application) -> None:
        """Serve boards under `/boards/`, and what their pages need under `/assets/`."""
        app.router.add_get("/boards/{link}", self._serve_page)
        app.router.add_get("/boards/{link}/feed", self._serve_feed)
        app.router.add_post("/boards/{link}/shown", self._take_shown)
        self.assets.add_to(app)

    async def keep_beating(self) -> None:
        """Tell every reader once a second that its connection is alive, for ever."""
        while True:
            await asyncio.sleep(BEAT_S)
            now_ms = self._elapsed_ms()
            for feed in self._feeds.values():
                if feed.readers:
                    feed.beat(now_ms)

    def _heard(self, link: str, heard: Heard) -> None:
        feed = self._feeds.get(link)
        if feed is not None:
            feed.take(heard)

    def _feed(self, request: web.Request) -> Feed:
        name = request.match_info["link"]
        feed = self._feeds.get(name)
        if feed is None:
            link = self._directory.link(name)
            if link is None:
                raise Problem(404, "no_such_link", "This server serves no such link.", field="link", value=name)
            feed = self._feeds[name] = Feed(name, self.assets.version, link.terms)
            heard = self._meters.heard(name)
            if heard is not None:
                feed.take(heard)
        return feed

    async def _serve_page(self, request: web.Request) -> web.Response:
        feed = self._feed(request)
        return self._page.render(link=feed.link, page=feed.page)

    async def _serve_feed(self, request: web.Request) -> web.StreamResponse:
        feed = self._feed(request)
        if request.query.get("format") == "json" or "application/json" in request.headers.get("Accept", ""):
            return self._one_off(feed)
        transport = request.transport
        if self._connections.closing or transport is None or self._readers >= MOST_BOARDS:
            raise Problem(503, "busy", "The server cannot serve another board now.")
        notice_lost_peers(transport, LOST_AFTER_S, send_buffer=SEND_BUFFER)
        response = web.StreamResponse(headers=FEED_HEADERS)
        await response.prepare(request)
        await response.write(feed.first(self._elapsed_ms()))
        reader = _Reader(feed, transport, response)
        connected = self._telemetry.boards_connected.labels(feed.link)
        connected.inc()
        self._readers += 1
        try:
            with self._connections.holding(reader):
                if await reader.read_on():
                    self._telemetry.boards_dropped.labels(feed.link).inc()
        finally:
            connected.dec()
            self._readers -= 1
        return response

    def _one_off(self, feed: Feed) -> web.Response:
        now_ms = self._elapsed_ms()
        feed.first(now_ms)
        state = feed.state(now_ms)
        terms = feed.terms(state.terms)
        stale_ms = terms.timers.stale_after_s * 1000 if terms is not None else 0
        fresh = state.age_ms is not None and state.age_ms <= stale_ms and state.status == "running"
        body = msgspec.json.encode(OneOff(fresh, state, feed.sign))
        return web.Response(body=body, content_type="application/json", headers={"Cache-Control": "no-store"})

    async def _take_shown(self, request: web.Request) -> web.Response:
        feed = self._feed(request)
        try:
            shown = msgspec.json.decode(await request.read(), type=Shown)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise Problem(400, "unreadable", str(error)) from None
        key = (feed.link, shown.board)
        before = self.shown.pop(key, None)
        self.shown[key] = shown
        while len(self.shown) > MOST_SHOWN:
            del self.shown[next(iter(self.shown))]
        if before is None or (before.generation, before.epoch) != (shown.generation, shown.epoch):
            _log.info("board_shows", link=feed.link, board=shown.board, epoch=shown.epoch, commit=shown.commit)
        return web.Response(status=204)


class _Reader:
    """One board's connection: it is woken when something is newer, and writes only when what it wrote has gone."""

    def __init__(self, feed: Feed, transport: asyncio.Transport, response: web.StreamResponse) -> None:
        self._feed, self._transport, self._response = feed, transport, response
        self._wake = asyncio.Event()
        self._closed = False

    async def read_on(self) -> bool:
        """Write what is newer until the board goes; True where it was dropped because it does not read."""
        feed, wake, transport = self._feed, self._wake, self._transport
        loop = asyncio.get_running_loop()
        state, beat, sign = feed.number, feed.beat_number, feed.sign
        read_at = loop.time()
        feed.readers.add(wake)
        try:
            while True:
                await wake.wait()
                wake.clear()
                if self._closed or transport.is_closing():
                    return False
                if transport.get_write_buffer_size():
                    if loop.time() - read_at > DROPPED_AFTER_S:
                        transport.abort()
                        return True
                    continue  # what it has not read yet is old by now: the next wake sends the newest
                read_at = loop.time()
                news = b"" if feed.sign is sign else feed.sign_event
                if feed.number != state:
                    news += feed.state_event
                if feed.beat_number != beat:
                    news += feed.beat_event
                state, beat, sign = feed.number, feed.beat_number, feed.sign
                await self._response.write(news)
        except ConnectionError:
            return False
        finally:
            feed.readers.discard(wake)

    async def close(self) -> None:
        """End it."""
        self._closed = True
        self._wake.set()
