"""`/boards/{link}`: a page, its feed of server-sent events, its one-off state, and what boards say they show.

A board is fed only from what was read back from Redis (PROTOCOL 6), so that every process shows the same. Memory is
bounded whatever readers do: each holds one unsent event at most.
"""

import asyncio
import re
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Literal

import msgspec
import structlog
from aiohttp import web
from msgspec import Struct

from jackpot.core.ports import Directory, Heard, Meters
from jackpot.serving.assets import SHARED, Assets, Page
from jackpot.serving.problems import Problem
from jackpot.serving.running import Connections
from jackpot.serving.sockets import Acknowledged, notice_lost_peers
from jackpot.telemetry import Telemetry
from jackpot.web.feed import Feed, State
from jackpot.web.shown import BoardNow, Fault, Shown, Words
from jackpot.web.sign import Sign

__all__ = ["BOARD_ASSETS", "Boards"]

BOARD_ASSETS = Path(__file__).with_name("assets")
FEED_HEADERS = {
    "Content-Type": "text/event-stream; charset=utf-8",
    "Cache-Control": "no-store, no-transform",
    "X-Accel-Buffering": "no",
}
BEAT_S = 1.0
SEND_BUFFER = 32 * 1024
DROPPED_AFTER_S = 10.0
"""A board that has read nothing for so long is dropped; it asks again by itself."""
LOST_AFTER_S = 30
"""When the kernel ends what nobody reads or answers: after we have, or a board that hangs would seem to have left."""
MOST_BOARDS = 5_000
BOARD_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,23}")

Ended = Literal["left", "lost", "dropped"]
"""How a board's feed ended: it closed it, its machine answers no more, it does not read."""

_log = structlog.get_logger(__name__)


class OneOff(Struct, frozen=True):
    """The state of a link for whoever asks once; `fresh` says whether it may be shown as live."""

    fresh: bool
    state: State
    sign: Sign | None


class AllShown(Struct, frozen=True):
    """What the boards of a link say they show, the worst first, beside what this process told them last."""

    link: str
    connected: int
    generation: int
    commit: int
    boards: list[BoardNow]


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
        screens: Collection[str] = (),
    ) -> None:
        """`elapsed_ms` is the time that `meters` stamps what it heard with, `screens` are the site's boards by name."""
        self._directory, self._meters, self._connections, self._telemetry = directory, meters, connections, telemetry
        self._elapsed_ms = elapsed_ms
        self.assets = Assets(SHARED, BOARD_ASSETS)
        self._page = Page(Path(__file__).with_name("board.html"), self.assets)
        self._feeds: dict[str, Feed] = {}
        self._readers = 0
        self._words = Words(self._differs, screens, began_ms=elapsed_ms())
        meters.watch(self._heard)

    def add_to(self, app: web.Application) -> None:
        """Serve boards under `/boards/`, and what their pages need under `/assets/`."""
        app.router.add_get("/boards/{link}", self._serve_page)
        app.router.add_get("/boards/{link}/feed", self._serve_feed, allow_head=False)
        app.router.add_get("/boards/{link}/shown", self._list_shown)
        app.router.add_post("/boards/{link}/shown", self._take_shown)
        self.assets.add_to(app)

    async def keep_beating(self) -> None:
        """Tell every reader each second that its connection is alive, and count whose words are not true, for ever."""
        while True:
            await asyncio.sleep(BEAT_S)
            now_ms = self._elapsed_ms()
            self._words.look(now_ms)
            for screen, silent_ms in self._words.silent_ms(now_ms).items():
                self._telemetry.screen_silent.labels(screen).set(silent_ms / 1_000)
            for feed in self._feeds.values():
                self._count(feed.link, now_ms)
                if feed.readers:
                    feed.beat(now_ms)

    def reporting(self, link: str) -> int:
        """Return how many boards of a link have said in the last ten minutes what they show."""
        return self._words.reporting(link)

    def stale(self, link: str) -> int:
        """Return how many of those are stale: for 15 seconds they have not said what was true when they said it."""
        return self._words.stale(link, self._elapsed_ms())

    def wrong(self, link: str) -> int:
        """Return how many of those show what this ledger never held."""
        return self._words.wrong(link)

    def _count(self, link: str, now_ms: int) -> None:
        telemetry, words = self._telemetry, self._words
        telemetry.boards_reporting.labels(link).set(words.reporting(link))
        telemetry.boards_stale.labels(link).set(words.stale(link, now_ms))
        telemetry.boards_wrong.labels(link).set(words.wrong(link))

    def furthest(self, link: str) -> tuple[int, int] | None:
        """Return the newest generation and commit that a board says it shows; None where no board says anything."""
        return self._words.furthest(link)

    def _differs(self, link: str, shown: Shown, fault: Fault) -> None:
        self._telemetry.alarm(link, "board_differs")
        _log.error(
            "board_differs",
            link=link,
            board=shown.board,
            fault=fault,
            generation=shown.generation,
            commit=shown.commit,
            epoch=shown.epoch,
            painted_cents=shown.painted_cents,
        )

    def _heard(self, link: str, heard: Heard) -> None:
        feed = self._feeds.get(link)
        if feed is not None:
            feed.take(heard)

    def _feed(self, request: web.Request) -> Feed:
        return self._feed_of(request.match_info["link"])

    def _feed_of(self, name: str) -> Feed:
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
        return self._page.render(link=feed.link, called=_called(feed.link), page=feed.page)

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
        reader, board = _Reader(feed, transport, response), _named(request)
        await response.write(feed.first(self._elapsed_ms()))
        connected = self._telemetry.boards_connected.labels(feed.link)
        connected.inc()
        self._readers += 1
        self._words.opened(feed.link, board)
        ended: Ended = "left"
        try:
            with self._connections.holding(reader):
                ended = await reader.read_on()
                if ended == "dropped":
                    self._telemetry.boards_dropped.labels(feed.link).inc()
        finally:
            connected.dec()
            self._readers -= 1
            self._words.closed(feed.link, board, self._elapsed_ms(), left=ended == "left")
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
        if shown.leaving:
            self._words.leave(feed.link, shown.board)
            return web.Response(status=204)
        taken = self._words.say(feed.link, shown, feed.told, self._elapsed_ms())
        if taken == "too_many":
            raise Problem(503, "busy", "The server listens to as many boards as it can.")
        if taken == "too_often":
            raise Problem(
                429, "too_often", "This board says more than a board has to say.", field="board", value=shown.board
            )
        if taken == "first":
            _log.info(
                "board_shows",
                link=feed.link,
                board=shown.board,
                generation=shown.generation,
                epoch=shown.epoch,
                commit=shown.commit,
                painted_cents=shown.painted_cents,
            )
        return web.Response(status=204)

    async def _list_shown(self, request: web.Request) -> web.Response:
        feed = self._feed(request)
        generation, commit = feed.told.newest or (0, 0)
        boards = self._words.now(feed.link, self._elapsed_ms())
        body = msgspec.json.encode(AllShown(feed.link, len(feed.readers), generation, commit, boards))
        return web.Response(body=body, content_type="application/json", headers={"Cache-Control": "no-store"})


def _called(link: str) -> str:
    """Return a link's name as people read it.

    >>> _called("southern"), _called("southern_hemisphere-link")
    ('southern link', 'southern hemisphere link')
    """
    words = link.replace("_", " ").replace("-", " ").strip()
    return words if words.casefold().endswith("link") else f"{words} link"


def _named(request: web.Request) -> str:
    """Return the name that a board gives with its feed; empty for other displays, which say nothing of themselves."""
    board = request.query.get("board", "")
    return board if BOARD_NAME.fullmatch(board) else ""


class _Reader:
    """One board's connection: it is woken when something is newer, and writes only when what it wrote has gone."""

    def __init__(self, feed: Feed, transport: asyncio.Transport, response: web.StreamResponse) -> None:
        self._feed, self._transport, self._response = feed, transport, response
        self._wake = asyncio.Event()
        self._wake.set()
        self._closed = False
        self._told = (feed.number, feed.beat_number, feed.sign)
        """What the first message tells: what comes while that is written is told after it."""

    async def read_on(self) -> Ended:
        """Write what is newer until the board goes; say how it went."""
        self._feed.readers.add(self._wake)
        try:
            with Acknowledged(self._transport) as machine:
                return await self._read_on(machine)
        except ConnectionError:
            return "left"
        finally:
            self._feed.readers.discard(self._wake)

    async def _read_on(self, machine: Acknowledged) -> Ended:
        feed, wake, transport = self._feed, self._wake, self._transport
        loop = asyncio.get_running_loop()
        state, beat, sign = self._told
        looked_at_beat, read_at = beat, loop.time()
        while True:
            await wake.wait()
            wake.clear()
            if self._closed or transport.is_closing():
                return "left"
            if feed.beat_number != looked_at_beat:  # once a beat: what was sent a moment ago need not have arrived
                looked_at_beat = feed.beat_number
                if machine.is_stuck():
                    transport.abort()  # the last beat did not arrive: it is gone, or it will ask again unseen
                    return "lost"
            if transport.get_write_buffer_size():
                if loop.time() - read_at > DROPPED_AFTER_S:
                    transport.abort()
                    return "dropped"
                continue  # what it has not read yet is old by now: the next wake sends the newest
            read_at = loop.time()
            news = b"" if feed.sign is sign else feed.sign_event
            if feed.number != state:
                news += feed.state_event
            if feed.beat_number != beat:
                news += feed.beat_event
            state, beat, sign = feed.number, feed.beat_number, feed.sign
            await self._response.write(news)

    async def close(self) -> None:
        """End it."""
        self._closed = True
        self._wake.set()
