"""Snapshots over a real Valkey: what is published, what is believed, and what happens when Redis goes and comes."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec import Raw
from redis.asyncio import Redis

from jackpot import bus
from jackpot.bus import Hearing, Publisher, connect_redis, elapsed_ms, keep_hearing
from jackpot.core.ports import Heard, UnreachableError
from jackpot.embedded import Servers, embedded
from jackpot.telemetry import Telemetry
from jackpot.wire.codec import encode
from jackpot.wire.snapshots import HitShown, PoolShown, Published, channel, retained, signed_bytes
from tests.support.links import public, snapshot
from tests.support.serving import LONGEST_S, eventually, run

LINK = "southern"
HOUR_S = 3_600.0


@dataclass(frozen=True, slots=True)
class Read:
    """What the ledger says."""

    generation: int = 1
    commit: int = 1
    status: str = "running"
    terms: str = "ab" * 32
    pools: tuple[PoolShown, ...] = (PoolShown("main", 1, 5_000_000, 0, ""),)
    hits: tuple[HitShown, ...] = ()


@dataclass
class Ledger:
    """A ledger that can be away."""

    read: Read = field(default_factory=Read)
    away: bool = False
    asked: int = 0

    async def reading(self) -> Read:
        """What it says now."""
        self.asked += 1
        if self.away:
            raise UnreachableError("away")
        return self.read

    def commit(self, cents: int) -> None:
        """Let the meter be something else, one commit later."""
        self.read = replace(self.read, commit=self.read.commit + 1, pools=(PoolShown("main", 1, cents, 0, ""),))


@dataclass
class Scene:
    """One link published and heard."""

    ledger: Ledger
    publisher: Publisher
    hearing: Hearing
    telemetry: Telemetry
    redis: Redis
    key: Ed25519PrivateKey
    came: asyncio.Condition

    async def until(self, wanted: Callable[[], bool]) -> None:
        """Wait until something holds, looking whenever a snapshot was taken."""
        async with self.came:
            await self.came.wait_for(wanted)

    def shown(self) -> int | None:
        """The meter as heard."""
        heard = self.hearing.heard(LINK)
        return heard.snapshot.pools[0].cents if heard is not None and heard.snapshot.pools else None

    def metric(self, name: str, **labels: str) -> float:
        """A series' value."""
        return self.telemetry.registry.get_sample_value(name, labels) or 0.0


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A Redis that stands still with its whole machine for some seconds is not lost; one that is gone says so."""
    monkeypatch.setattr(bus, "REDIS_WITHIN_S", float(LONGEST_S))


@contextlib.asynccontextmanager
async def scene(url: str, *, running: bool = True, least_s: float = 0.1) -> AsyncIterator[Scene]:
    """Publish and hear one link through the Valkey of that address."""
    key, telemetry, ledger = Ed25519PrivateKey.generate(), Telemetry(), Ledger()
    telemetry.opened(LINK)
    hearing, came = Hearing(telemetry, "test-1"), asyncio.Condition()
    hearing.add(LINK, public(key))
    tasks: set[asyncio.Task[None]] = set()

    async def tell() -> None:
        async with came:
            came.notify_all()

    def told(_link: str, _heard: Heard) -> None:
        task = asyncio.get_running_loop().create_task(tell())
        tasks.add(task)
        task.add_done_callback(tasks.discard)

    hearing.watch(told)
    redis, listener = connect_redis(url), connect_redis(url)
    publisher = Publisher(LINK, key, ledger, redis, telemetry, name="test-1", month=lambda: "2026-11", least_s=least_s)
    work = [asyncio.create_task(keep_hearing(hearing, listener))]
    if running:
        work.append(asyncio.create_task(publisher.run()))
    try:
        yield Scene(ledger, publisher, hearing, telemetry, redis, key, came)
    finally:
        for task in work:
            task.cancel()
        await asyncio.gather(*work, return_exceptions=True)
        await redis.aclose()
        await listener.aclose()


def published(key: Ed25519PrivateKey, cents: int, commit: int, **fields: object) -> bytes:
    """A snapshot as it goes over the channel."""
    body = encode(snapshot(cents, commit, **fields))  # type: ignore[arg-type]
    return encode(Published(Raw(body), key.sign(signed_bytes(body)).hex()))


@pytest.fixture
def url(servers: Servers) -> str:
    """The Valkey of this test run."""
    return servers.redis_url


def test_a_commit_is_told_without_waiting_for_the_beat(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    """A commit reaches whoever listens although the next beat is an hour away."""
    monkeypatch.setattr(bus, "BEAT_S", HOUR_S)

    async def play() -> None:
        async with scene(url) as on:
            await on.until(lambda: on.shown() == 5_000_000)
            on.ledger.commit(6_000_000)
            on.publisher.committed(urgent=False)
            await on.until(lambda: on.shown() == 6_000_000)

    run(play())


def test_without_commits_the_beat_goes_on(url: str) -> None:
    """A link that stands still is told again by itself, unchanged."""

    async def play() -> None:
        async with scene(url) as on:
            await on.until(lambda: on.shown() == 5_000_000)
            beat = on.hearing.heard(LINK)
            assert beat is not None
            await on.until(lambda: on.hearing.heard(LINK) is not beat)
            assert on.shown() == 5_000_000

    run(play())


def test_many_commits_are_few_snapshots(url: str) -> None:
    """However many commits there are, a link is published once in a tenth of a second at most, the newest last."""

    async def play() -> None:
        async with scene(url) as on:
            await on.until(lambda: on.shown() == 5_000_000)
            before, loop = on.ledger.asked, asyncio.get_running_loop()
            began = loop.time()
            for cents in range(5_000_001, 5_000_301):
                on.ledger.commit(cents)
                on.publisher.committed(urgent=False)
                await asyncio.sleep(0.001)
            await on.until(lambda: on.shown() == 5_000_300)
            assert on.ledger.asked - before <= (loop.time() - began) / 0.1 + 2

    run(play())


def test_what_is_urgent_does_not_wait(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    """A fall, a hit, a status is published at once, though the next snapshot and the next beat are an hour away."""
    monkeypatch.setattr(bus, "BEAT_S", HOUR_S)

    async def play() -> None:
        async with scene(url, least_s=HOUR_S) as on:
            await on.until(lambda: on.shown() == 5_000_000)
            for cents in range(6_000_000, 6_000_010):
                on.ledger.commit(cents)
                on.publisher.committed(urgent=True)
                await on.until(lambda cents=cents: on.shown() == cents)  # type: ignore[misc]

    run(play())


def test_without_the_ledger_no_meter_is_told(url: str) -> None:
    """While the ledger cannot be read, that is told, never the old meter as new; the retained copy stays."""

    async def play() -> None:
        async with scene(url) as on:
            await on.until(lambda: on.shown() == 5_000_000)
            on.ledger.away = True
            on.publisher.committed(urgent=True)
            await on.until(lambda: on.shown() is None)
            heard = on.hearing.heard(LINK)
            assert heard is not None
            assert (heard.snapshot.status, heard.snapshot.pools) == ("ledger_unreachable", [])
            assert b'"status":"running"' in (await on.redis.get(retained(LINK)) or b"")
            on.ledger.away = False
            await on.until(lambda: on.shown() == 5_000_000)

    run(play())


def test_a_newcomer_learns_where_things_stood(url: str) -> None:
    """The retained copy tells a newcomer the last state, and is never live."""

    async def play() -> None:
        async with scene(url) as first:
            await first.until(lambda: first.shown() == 5_000_000)
            kept = await first.redis.get(retained(LINK))
            assert isinstance(kept, bytes)
            telemetry = Telemetry()
            hearing = Hearing(telemetry, "own")
            hearing.add(LINK, public(first.key))
            assert hearing.take(LINK, kept, elapsed_ms(), live=False)
            heard = hearing.heard(LINK)
            assert heard is not None
            assert not heard.live

    run(play())


def test_only_what_is_signed_new_and_later_is_taken() -> None:
    """Wrong signatures, repeats, older states and what cannot be read are counted and left (case 29)."""
    key, telemetry = Ed25519PrivateKey.generate(), Telemetry()
    hearing = Hearing(telemetry, "own")
    hearing.add(LINK, public(key))
    now = elapsed_ms()

    def take(data: bytes) -> bool:
        return hearing.take(LINK, data, now, live=True)

    def ignored(reason: str) -> float:
        return telemetry.registry.get_sample_value("jackpot_snapshots_ignored_total", {"reason": reason}) or 0

    good = published(key, 6_000_000, 10, beat=2, elapsed_ms=now)
    assert take(good)
    assert not take(good)
    assert not take(published(key, 9_999_999, 10, beat=1, elapsed_ms=now))
    assert ignored("replayed") == 2
    assert not take(published(Ed25519PrivateKey.generate(), 9_999_999, 99, beat=3, elapsed_ms=now))
    tampered = good.replace(b'"cents":6000000', b'"cents":6000001')
    assert not take(tampered)
    assert not take(published(key, 9_999_999, 99, beat=3, link="northern", elapsed_ms=now))
    assert ignored("signature") == 3
    assert not take(b"not json")
    assert ignored("unreadable") == 1
    assert not take(published(key, 5_999_999, 9, beat=3, elapsed_ms=now))
    assert ignored("older") == 1
    assert take(published(key, 5_000_000, 9, beat=4, generation=2, elapsed_ms=now))
    heard = hearing.heard(LINK)
    assert heard is not None
    assert heard.snapshot.pools[0].cents == 5_000_000


def test_a_stream_that_falls_behind_its_own_best_is_not_live() -> None:
    """A proxy that delivers ever later makes a stream late, whatever clocks say; each publisher is its own stream."""
    key, telemetry = Ed25519PrivateKey.generate(), Telemetry()
    hearing = Hearing(telemetry, "own")
    hearing.add(LINK, public(key))

    def beat(number: int, sent: int, came: int, publisher: str = "test") -> bool:
        data = published(key, 5_000_000, number, beat=number, elapsed_ms=sent, publisher=publisher)
        return hearing.take(LINK, data, came, live=True)

    assert beat(1, 100_000, 5_000)
    assert beat(2, 101_000, 6_000)
    assert beat(3, 102_000, 11_900)
    assert not beat(4, 103_000, 13_100)
    assert beat(5, 108_000, 13_200)
    assert beat(6, 7, 13_300, "another")


def test_a_new_publisher_is_not_live_by_a_way_that_may_be_late() -> None:
    """A first beat is its publisher's best, however late it is: what came back of one's own tells how late it may be.

    Nothing that comes was sent before the channel was asked for, nor before an own beat that came back before it.
    """
    key, hearing = Ed25519PrivateKey.generate(), Hearing(Telemetry(), "own")
    hearing.add(LINK, public(key))

    def beat(publisher: str, number: int, sent: int, came: int) -> bool:
        data = published(key, 5_000_000, 7, beat=number, elapsed_ms=sent, publisher=publisher)
        return hearing.take(LINK, data, came, live=True)

    hearing.subscribing(LINK, 1_000)
    assert not beat("one", 1, 100_000, 6_001)
    assert not beat("own", 1, 1_010, 6_011)
    assert not beat("one", 2, 100_010, 6_012)
    assert beat("own", 2, 2_010, 7_010)
    assert beat("one", 3, 101_010, 7_010)
    assert not beat("two", 1, 7, 7_011)
    assert beat("own", 3, 15_000, 15_002)
    assert beat("two", 2, 14_000, 20_000)
    assert not beat("one", 4, 113_000, 21_000)  # two seconds behind its best, which may have been five late
    assert beat("own", 4, 21_000, 21_010)
    assert beat("one", 5, 115_000, 21_010)
    assert beat("one", 6, 117_000, 28_000)
    assert not beat("three", 1, 7, 28_000)
    hearing.subscribing(LINK, 28_100)
    assert beat("three", 2, 1_007, 28_101)


def test_a_lost_connection_is_made_again(url: str) -> None:
    """The reader's connection is killed while the meter moves: current values come again, and it is counted (27)."""

    async def play() -> None:
        async with scene(url) as on:
            await on.until(lambda: on.shown() == 5_000_000)
            await on.redis.client_kill_filter(_type="pubsub")
            for cents in range(6_000_001, 6_000_006):
                on.ledger.commit(cents)
                on.publisher.committed(urgent=True)
            await on.until(lambda: on.shown() == 6_000_005)
            assert on.metric("jackpot_redis_reconnects_total") == 1
            assert on.metric("jackpot_redis_up") == 1

    run(play())


def test_redis_restarted_during_play_recovers_unaided(tmp_path: Path) -> None:
    """Redis goes and comes again: publisher and reader recover by themselves, failures are counted (case 27)."""

    async def play() -> None:
        servers = contextlib.ExitStack()
        url = servers.enter_context(embedded(tmp_path, postgres=False)).redis_url
        async with scene(url) as on:
            await on.until(lambda: on.shown() == 5_000_000)
            servers.close()
            asked = on.ledger.asked
            on.ledger.commit(6_000_000)
            on.publisher.committed(urgent=True)
            await eventually(lambda: on.metric("jackpot_redis_failures_total", link=LINK) >= 1)
            await eventually(lambda: on.metric("jackpot_redis_up") == 0)
            await eventually(lambda: on.ledger.asked > asked)
            assert on.shown() == 5_000_000
            with embedded(tmp_path, postgres=False):
                await on.until(lambda: on.shown() == 6_000_000)
                assert on.metric("jackpot_redis_reconnects_total") == 1

    run(play())


def test_a_link_that_is_added_later_is_heard(url: str) -> None:
    """A link opened while the reader runs is heard without a new connection, and known to be no older than that."""

    async def play() -> None:
        async with scene(url, running=False) as on:
            other = Ed25519PrivateKey.generate()
            await eventually(lambda: on.metric("jackpot_redis_up") == 1)
            began = elapsed_ms()
            on.hearing.add("northern", public(other))
            beat = 0
            while on.hearing.heard("northern") is None:
                beat += 1
                data = published(other, 7_000_000, 1, beat=beat, link="northern", elapsed_ms=elapsed_ms())
                await on.redis.publish(channel("northern"), data)
            assert began <= on.hearing._left_after_ms["northern"] <= elapsed_ms()

    run(play())


def test_a_silent_connection_is_asked_whether_it_lives(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    """Silence alone is no loss: a connection that answers its ping is kept, and nothing is counted."""
    monkeypatch.setattr(bus, "BEAT_S", 0.05)
    monkeypatch.setattr(bus, "SILENT_S", 0.1)

    async def play() -> None:
        async with scene(url, running=False) as on:
            await eventually(lambda: on.metric("jackpot_redis_up") == 1)
            pings = 0
            while pings < 3:
                listed = await on.redis.client_list(_type="pubsub")
                pings += any(client["cmd"] == "ping" for client in listed)
            assert on.metric("jackpot_redis_reconnects_total") == 0

    run(play())
