"""A table's subscription against a real Valkey: it is made again by itself, and the mirror is soon right again."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import pytest
from redis.asyncio import Redis

from jackpot.embedded import embedded
from jackpot.wire.snapshots import PoolShown, channel, retained
from tablelink.core.mirror import Verdict
from tablelink.errors import TableError
from tablelink.subscriber import Feed, Feeds, own_clock_us
from tablelink.telemetry import Telemetry
from tests.support.casino import Casino
from tests.support.serving import eventually, run


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A Valkey of these tests' own."""
    with embedded(tmp_path_factory.mktemp("valkey"), postgres=False) as servers:
        yield servers.redis_url


@dataclass
class Scene:
    """A link's channel and a feed of it."""

    casino: Casino
    redis: Redis
    feed: Feed
    telemetry: Telemetry
    told: list[int] = field(default_factory=list)

    def cents(self) -> int:
        """The main meter as the feed has it."""
        shown = self.feed.mirror.shown()
        return -1 if shown is None else shown.cents

    def live(self) -> bool:
        """Whether a beat came live."""
        return self.feed.mirror.fresh(own_clock_us())

    async def publish(self, cents: int, commit: int, **changes: object) -> None:
        """Publish a meter, and keep its copy."""
        pool = next(iter(self.casino.state.pools))

        data = self.casino.snapshot(commit=commit, pools=[PoolShown(pool, 1, cents, 0, "")], **changes)
        await self.redis.set(retained(self.casino.name), data)
        await self.redis.publish(channel(self.casino.name), data)

    async def until(self, holds: Callable[[], bool], *, cents: int = 0, commit: int = 0) -> None:
        """Wait until something holds, publishing a beat now and then where a meter is given."""
        while not holds():
            if cents:
                await self.publish(cents, commit)
            await asyncio.sleep(0.01)

    def metric(self, name: str, **labels: str) -> float:
        """A counter's value."""
        return self.telemetry.registry.get_sample_value(name, {"link": self.casino.name, **labels}) or 0.0


@asynccontextmanager
async def scene(url: str) -> AsyncIterator[Scene]:
    """A feed that runs."""
    casino, telemetry = Casino(), Telemetry()
    redis = Redis.from_url(url)
    await redis.delete(retained(casino.name))
    feed = Feed(url, casino.name, casino.link_key, telemetry, rng=Random(1))
    on = Scene(casino, redis, feed, telemetry)
    feed.watch(lambda: on.told.append(on.cents()))
    running = asyncio.create_task(feed.run())
    try:
        yield on
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        with contextlib.suppress(Exception):
            await redis.aclose()


def test_snapshots_come_and_are_told(url: str) -> None:
    """What is published is mirrored, fresh, and whoever watches is told."""

    async def play() -> None:
        async with scene(url) as on:
            await on.until(on.live, cents=5_000_000, commit=1)
            assert on.cents() == 5_000_000
            assert on.told[-1] == 5_000_000
            await on.redis.publish(channel(on.casino.name), b"nonsense")
            await on.until(lambda: on.metric("tablelink_snapshots_total", became="unreadable") == 1)
            assert on.metric("tablelink_snapshots_total", became="taken") >= 1

    run(play())


def test_a_newcomer_sees_the_retained_copy_and_does_not_trust_it(url: str) -> None:
    """It is shown, and never counts as live (PROTOCOL 6)."""

    async def play() -> None:
        async with scene(url) as on:
            await on.publish(4_200_000, 1)
            other = Feed(url, on.casino.name, on.casino.link_key, on.telemetry)
            running = asyncio.create_task(other.run())
            await eventually(lambda: other.mirror.snapshot is not None)
            assert other.mirror.counts[Verdict.TAKEN] == 1
            assert not other.mirror.fresh(own_clock_us())
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)

    run(play())


def test_a_killed_subscription_is_current_again(url: str) -> None:
    """Killed, five changes and new terms published meanwhile: the newest is there, and the gap is known (case 27)."""

    async def play() -> None:
        async with scene(url) as on:
            await on.until(on.live, cents=5_000_000, commit=1)
            await on.redis.client_kill_filter(_type="pubsub")
            for commit in range(2, 7):
                await on.publish(5_000_000 + commit, commit, terms="cd" * 32)
            await on.until(lambda: on.cents() == 5_000_006)
            snapshot = on.feed.mirror.snapshot
            assert snapshot is not None
            assert snapshot.terms == "cd" * 32
            assert on.metric("tablelink_subscriptions_lost_total") == 1
            await on.until(lambda: on.feed.mirror.missed > 0, cents=5_000_006, commit=6)
            assert on.metric("tablelink_snapshots_missed_total") == on.feed.mirror.missed

    run(play())


def test_redis_restarted_during_play(tmp_path: Path) -> None:
    """Gone and back: the meter goes stale, then is live again unaided; a counter rises (case 27)."""

    async def play() -> None:
        servers = contextlib.ExitStack()
        url = servers.enter_context(embedded(tmp_path, postgres=False)).redis_url
        async with scene(url) as on:
            await on.until(on.live, cents=5_000_000, commit=1)
            servers.close()
            await on.until(lambda: on.metric("tablelink_subscriptions_lost_total") >= 1)
            assert on.cents() == 5_000_000
            with embedded(tmp_path, postgres=False):
                await on.until(lambda: on.cents() == 6_000_000, cents=6_000_000, commit=2)
                taken = on.metric("tablelink_snapshots_total", became="taken")
                await on.until(
                    lambda: on.metric("tablelink_snapshots_total", became="taken") > taken, cents=6_000_000, commit=2
                )
                assert on.live()

    run(play())


def test_tables_of_a_link_share_a_subscription(url: str) -> None:
    """Five hundred tables of one process are one subscriber."""

    async def play() -> None:
        casino = Casino()
        feeds = Feeds(url, Telemetry())
        first = feeds.of(casino.name, casino.link_key, 5)
        assert feeds.of(casino.name, casino.link_key, 5) is first
        assert feeds.of(casino.name, Casino().link_key, 5) is not first
        await feeds.close()
        await feeds.close()

    run(play())


def test_an_address_that_is_none_is_refused() -> None:
    """At once, and by the name of the setting."""
    with pytest.raises(TableError, match="redis_url"):
        Feeds("http://example.org", Telemetry())
