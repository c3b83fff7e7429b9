"""What boards are told: the current state first, the newest wins, amounts as strings, nothing kept for the deaf."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import aiohttp
import pytest

from jackpot.core.ports import Heard
from jackpot.serving.application import new_application
from jackpot.serving.running import Connections
from jackpot.telemetry import Telemetry
from jackpot.web import boards as boards_module
from jackpot.web import shown as shown_module
from jackpot.web.boards import Boards
from jackpot.web.feed import Feed
from jackpot.wire.snapshots import HitShown
from rules.terms import fingerprint
from tests.support.links import ScriptedDirectory, ScriptedMeters, snapshot
from tests.support.own_time import own_time
from tests.support.serving import asking, eventually, run
from tests.support.terms import demo_terms

HUGE = 9_007_199_254_740_993
"""The first number of cents that a browser's Number cannot hold."""


@dataclass
class Scene:
    """A server of boards, a client, and a clock that the test sets."""

    boards: Boards
    meters: ScriptedMeters
    telemetry: Telemetry
    connections: Connections
    client: aiohttp.ClientSession
    now_ms: list[int] = field(default_factory=lambda: [1_000])

    def come(self, cents: int, commit: int, **fields: object) -> None:
        """Let a live snapshot come."""
        self.meters.come(Heard(snapshot(cents, commit, **fields), self.now_ms[0], live=True))  # type: ignore[arg-type]

    async def says(self, shown: dict[str, object]) -> None:
        """Let a board say what it shows."""
        async with self.client.post("/boards/southern/shown", json=shown) as answer:
            assert answer.status == 204

    def connected(self) -> float | None:
        """How many boards the gauge says are connected."""
        return self.telemetry.registry.get_sample_value("jackpot_boards_connected", {"link": "southern"})


@asynccontextmanager
async def scene() -> AsyncIterator[Scene]:
    """Serve the boards of one link."""
    now_ms = [1_000]
    telemetry, connections, meters = Telemetry(), Connections(), ScriptedMeters()
    telemetry.opened("southern")
    boards = Boards(ScriptedDirectory(), meters, connections, telemetry, elapsed_ms=lambda: now_ms[0])
    app = new_application(telemetry.requests)
    boards.add_to(app)
    app.on_shutdown.append(connections.close_all)
    async with asking(app) as client:
        yield Scene(boards, meters, telemetry, connections, client, now_ms)


async def next_event(feed: aiohttp.ClientResponse) -> tuple[str, dict[str, object]]:
    """The next named event of a feed."""
    name = ""
    while True:
        line = (await feed.content.readline()).decode().rstrip("\n")
        if line.startswith("event: "):
            name = line.removeprefix("event: ")
        elif line.startswith("data: "):
            return name, json.loads(line.removeprefix("data: "))


async def next_state(feed: aiohttp.ClientResponse) -> dict[str, object]:
    """The next state of a feed."""
    while True:
        name, data = await next_event(feed)
        if name == "state":
            return data


def cents_of(state: dict[str, object]) -> str:
    """The main meter of a state."""
    pools = state["pools"]
    assert isinstance(pools, list)
    return str(pools[0]["cents"])


def test_a_new_board_is_told_the_terms_and_the_current_state_at_once() -> None:
    """The first messages are the sign and the state as it is now, with headers against proxies that hold back."""

    async def play() -> None:
        async with scene() as on:
            on.come(6_000_000, 10)
            on.now_ms[0] += 700
            async with on.client.get("/boards/southern/feed") as feed:
                assert feed.content_type == "text/event-stream"
                assert feed.headers["Cache-Control"] == "no-store, no-transform"
                assert feed.headers["X-Accel-Buffering"] == "no"
                name, sign = await next_event(feed)
                assert (name, sign["terms"]) == ("terms", fingerprint(demo_terms()))
                state = await next_state(feed)
                assert (cents_of(state), state["commit"], state["age_ms"]) == ("6000000", 10, 700)

    run(play())


def test_before_the_first_snapshot_there_are_no_amounts() -> None:
    """A board that connects before anything came over Redis is told so, and no meter."""

    async def play() -> None:
        async with scene() as on, on.client.get("/boards/southern/feed") as feed:
            state = await next_state(feed)
            assert (state["pools"], state["pays"], state["age_ms"]) == ([], [], None)

    run(play())


def test_the_retained_copy_is_not_live() -> None:
    """What was only found in Redis tells where things stood, and has no age by which it could be live."""

    async def play() -> None:
        async with scene() as on:
            on.meters.come(Heard(snapshot(6_000_000, 10), 1_000, live=False))
            async with on.client.get("/boards/southern/feed?format=json") as answer:
                told = await answer.json()
                assert (told["fresh"], told["state"]["age_ms"]) == (False, None)

    run(play())


def test_amounts_are_strings_that_lose_no_digit() -> None:
    """A meter above 2**53 cents arrives digit for digit (case 40)."""

    async def play() -> None:
        async with scene() as on:
            hit = HitShown("T1/1/17/3/main", "royal_flush", "pending", HUGE, "T1", 9)
            on.come(HUGE, 10, hits=[hit])
            async with on.client.get("/boards/southern/feed", headers={"Accept": "application/json"}) as answer:
                told = await answer.json()
                assert cents_of(told["state"]) == str(HUGE)
                assert told["state"]["hits"][0]["amount_cents"] == str(HUGE)
                assert told["fresh"] is True

    run(play())


def test_every_snapshot_is_told_and_the_newest_wins() -> None:
    """A board that reads is told each change; many changes before it reads are one: the newest."""

    async def play() -> None:
        async with scene() as on, on.client.get("/boards/southern/feed") as feed:
            await next_state(feed)
            for commit in range(1, 1001):
                on.come(5_000_000 + commit, commit)
            assert cents_of(await next_state(feed)) == "5001000"
            on.come(5_002_000, 2000)
            assert cents_of(await next_state(feed)) == "5002000"

    run(play())


def test_a_beat_is_a_named_event() -> None:
    """The heartbeat reaches the page by name, with the age of what was told last."""

    async def play() -> None:
        async with scene() as on, on.client.get("/boards/southern/feed") as feed:
            await next_state(feed)
            on.come(5_000_000, 1)
            await next_state(feed)
            on.now_ms[0] += 4_000
            beating = asyncio.create_task(on.boards.keep_beating())
            name, beat = await next_event(feed)
            assert (name, beat["age_ms"]) == ("beat", 4_000)
            beating.cancel()

    run(play())


def test_boards_that_do_not_read_cost_bounded_memory_and_harm_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fifty boards that never read are coalesced, then dropped; one that reads is told all the same (case 31)."""
    monkeypatch.setattr(boards_module, "DROPPED_AFTER_S", 0.5)

    async def play() -> None:
        async with scene() as on:
            address = on.client._base_url
            assert address is not None
            silent = []
            for _ in range(50):
                reader, writer = await asyncio.open_connection(address.host, address.port, limit=1024)
                writer.write(b"GET /boards/southern/feed HTTP/1.1\r\nHost: x\r\n\r\n")
                await reader.readline()
                writer.transport.pause_reading()  # type: ignore[attr-defined]
                silent.append(writer)
            hits = [HitShown(f"T1/1/{n}/3/main", "royal_flush", "paid", 1, "T1", 9) for n in range(300)]
            async with on.client.get("/boards/southern/feed") as feed:
                await next_state(feed)
                commit = 0
                while (on.connected() or 0) > 1:
                    commit += 1
                    on.come(5_000_000 + commit, commit, hits=hits)
                    assert cents_of(await next_state(feed)) == str(5_000_000 + commit)
                assert (
                    on.telemetry.registry.get_sample_value("jackpot_boards_dropped_total", {"link": "southern"}) == 50
                )
            for writer in silent:
                writer.transport.abort()

    run(play())


def test_boards_that_vanish_are_not_counted_any_more() -> None:
    """Boards that go without a word are gone from the gauge with the next things told (case 31)."""

    async def play() -> None:
        async with scene() as on:
            feeds = [await on.client.get("/boards/southern/feed") for _ in range(20)]
            for feed in feeds:
                await next_state(feed)
            assert on.connected() == 20
            for feed in feeds:
                feed.close()
            commit = 0
            while on.connected():
                commit += 1
                on.come(5_000_000, commit)
                await asyncio.sleep(0)

    run(play())


def test_all_boards_end_with_the_server() -> None:
    """When the server stops every feed ends at once (case 34)."""

    async def play() -> None:
        async with scene() as on:
            feeds = [await on.client.get("/boards/southern/feed") for _ in range(20)]
            with own_time() as passed:
                await on.connections.close_all()
                for feed in feeds:
                    await feed.content.read()
                assert passed() < 5

    run(play())


def test_the_page_runs_only_what_this_server_serves() -> None:
    """The page names its assets by their hash; each is there, may be kept for ever, and a wrong name is not."""

    async def play() -> None:
        async with scene() as on:
            async with on.client.get("/boards/southern") as answer:
                text = await answer.text()
                assert answer.content_type == "text/html"
            assert "0.00" not in text
            for url in on.boards.assets.urls.values():
                async with on.client.get(url) as asset:
                    assert asset.status == 200
                    assert "immutable" in asset.headers["Cache-Control"]
            assert on.boards.assets.urls["board.js"] in text
            for wrong in ("/assets/board.js", "/assets/..%2fboard.html"):
                async with on.client.get(wrong) as asset:
                    assert asset.status == 404

    run(play())


@pytest.mark.parametrize("path", ["/boards/nowhere", "/boards/nowhere/feed", "/boards/nowhere/shown"])
def test_a_link_that_is_not_served_is_a_problem(path: str) -> None:
    """A link that this server does not serve is a 404 with its name."""

    async def play() -> None:
        async with scene() as on:
            method = "POST" if path.endswith("shown") else "GET"
            async with on.client.request(method, path) as answer:
                document = json.loads(await answer.read())
                assert (answer.status, document["value"]) == (404, "nowhere")

    run(play())


def test_what_boards_show_is_kept_and_listed() -> None:
    """A board says what it shows; the last word of each is listed beside what is true; a wrong form is named."""

    async def play() -> None:
        async with scene() as on:
            shown = {"board": "hall1", "generation": 1, "commit": 7, "epoch": 1, "painted_cents": "5000000"}
            on.come(5_000_000, 7)
            await on.says(shown)
            await on.says(shown | {"board": "hall2"})
            on.now_ms[0] += 10_000
            await on.says(shown | {"board": "hall1", "heap": 9})
            on.now_ms[0] += 6_000
            async with on.client.get("/boards/southern/shown") as answer:
                told = await answer.json()
                assert answer.headers["Cache-Control"] == "no-store"
            assert (told["connected"], told["generation"], told["commit"]) == (0, 1, 7)
            found = [(each["board"], each["fault"], each["stale"], each["heap"]) for each in told["boards"]]
            assert found == [("hall2", "silent", True, 0), ("hall1", "", False, 9)]
            assert told["boards"][1] == {
                **shown,
                "stranger": False,
                "stale": False,
                "wrong": False,
                "fault": "",
                "said_ms_ago": 6_000,
                "right_ms_ago": 6_000,
                "heap": 9,
            }
            assert (on.boards.reporting("southern"), on.boards.stale("southern"), on.boards.wrong("southern")) == (
                2,
                1,
                0,
            )
            for wrong in ({}, shown | {"commit": -1}, shown | {"more": 1}, shown | {"board": "x" * 99}):
                async with on.client.post("/boards/southern/shown", json=wrong) as answer:
                    assert answer.status == 400
            async with on.client.post("/boards/southern/shown", data=b'{"board":"\xff"}') as answer:
                assert answer.status == 400

    run(play())


def test_a_board_that_shows_what_never_was_is_an_alarm() -> None:
    """An amount that its commit never had, said twice, is an alarm with the board's name (case 38)."""

    async def play() -> None:
        async with scene() as on:
            on.come(5_000_000, 7)
            shown = {"board": "hall1", "generation": 1, "commit": 7, "epoch": 1, "painted_cents": "9000000"}
            await on.says(shown)
            alarms = {"link": "southern", "kind": "board_differs"}
            assert not on.telemetry.registry.get_sample_value("jackpot_alarms_total", alarms)
            await on.says(shown)
            assert on.telemetry.registry.get_sample_value("jackpot_alarms_total", alarms) == 1
            assert on.boards.wrong("southern") == 1
            beating = asyncio.create_task(on.boards.keep_beating())
            families = dict.fromkeys(("reporting", "wrong"), 1.0) | {"stale": 0.0}

            def counted() -> dict[str, float | None]:
                value = on.telemetry.registry.get_sample_value
                return {name: value(f"jackpot_boards_{name}", {"link": "southern"}) for name in families}

            await eventually(lambda: counted() == families)
            beating.cancel()

    run(play())


def test_more_boards_than_can_be_listened_to_are_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """What boards say is kept in bounded memory: a stranger's word never pushes out a board's."""
    monkeypatch.setattr(shown_module, "MOST_BOARDS", 1)

    async def play() -> None:
        async with scene() as on:
            shown = {"board": "hall1", "generation": 1, "commit": 7, "epoch": 1}
            await on.says(shown)
            async with on.client.post("/boards/southern/shown", json=shown | {"board": "stranger"}) as answer:
                assert answer.status == 503
            await on.says(shown)

    run(play())


def test_what_comes_while_a_board_connects_is_told_after_its_first_message(monkeypatch: pytest.MonkeyPatch) -> None:
    """A snapshot between a board's request and its first message being written is not lost until the next."""
    first = Feed.first

    async def play() -> None:
        async with scene() as on:
            on.come(5_000_000, 1)

            def crossed(feed: Feed, now_ms: int) -> bytes:
                said = first(feed, now_ms)
                on.come(5_000_001, 2)
                return said

            monkeypatch.setattr(Feed, "first", crossed)
            async with on.client.get("/boards/southern/feed") as feed:
                assert cents_of(await next_state(feed)) == "5000000"
                assert cents_of(await next_state(feed)) == "5000001"

    run(play())
