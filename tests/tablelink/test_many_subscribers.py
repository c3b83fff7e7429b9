"""Two hundred tables on one Redis: all are told again after two reconnects, and one that is paused harms none (28)."""

import asyncio
import contextlib
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from redis.asyncio import Redis

from jackpot.embedded import embedded
from jackpot.embedded_servers import VALKEY_SETTINGS
from jackpot.wire.snapshots import HitShown, PoolShown, channel, retained
from tablelink.subscriber import Feed, own_clock_us
from tablelink.telemetry import Telemetry
from tests.support.casino import Casino
from tests.support.serving import LONGEST_S, eventually, run

TABLES = 200
OTHERS = 50
"""Each takes every snapshot of two minutes beside one that is paused."""
APART_S = 0.2
TWO_MINUTES = 1_200
"""So many snapshots a link publishes at most in two minutes (PROTOCOL 6)."""
HITS = [HitShown(f"T{n}/1/{n}/3/main", "royal_flush", "paid", 8_421_055, f"T{n}", 9) for n in range(20)]
"""As many as a snapshot has."""
DEPLOY = Path(__file__).parents[2] / "deploy"


@dataclass
class Floor:
    """Tables that subscribe, each by itself, and what is published to them."""

    url: str
    redis: Redis
    casino: Casino = field(default_factory=Casino)
    telemetry: Telemetry = field(default_factory=Telemetry)
    feeds: list[Feed] = field(default_factory=list)

    def feed(self) -> Feed:
        """Another table's feed, before it runs."""
        return Feed(self.url, self.casino.name, self.casino.link_key, self.telemetry)

    async def publish(self, cents: int, commit: int, *, hits: Sequence[HitShown] = ()) -> None:
        """Publish a meter and keep its copy."""
        pool = next(iter(self.casino.state.pools))
        data = self.casino.snapshot(commit=commit, pools=[PoolShown(pool, 1, cents, 0, "")], hits=list(hits))
        await self.redis.set(retained(self.casino.name), data)
        await self.redis.publish(channel(self.casino.name), data)

    def show(self, cents: int) -> int:
        """How many tables show this meter, live."""
        now = own_clock_us()
        return sum(cents_of(feed) == cents and feed.mirror.fresh(now) for feed in self.feeds)

    def counted(self, family: str) -> float:
        """A count of this link's mirrors, all together."""
        value = self.telemetry.registry.get_sample_value(f"tablelink_{family}", {"link": self.casino.name})
        return value or 0

    async def subscribed(self) -> int:
        """How many connections read the channel."""
        ((_channel, count),) = await self.redis.pubsub_numsub(channel(self.casino.name))
        return int(count)

    async def until_all_show(self, cents: int, commit: int) -> None:
        """Beat as the link does until all tables show this meter, live: one beat is old when a machine stood still."""
        while self.show(cents) < len(self.feeds):
            await self.publish(cents, commit)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(1):
                    await eventually(lambda: self.show(cents) == len(self.feeds))

    async def all_listen(self, count: int = TABLES) -> None:
        """Wait until so many connections read the channel."""
        while await self.subscribed() < count:
            pass


def cents_of(feed: Feed) -> int:
    """The main meter as a feed has it."""
    shown = feed.mirror.shown()
    return -1 if shown is None else shown.cents


@asynccontextmanager
async def floor(url: str, tables: int = TABLES) -> AsyncIterator[Floor]:
    """So many feeds that all show a meter live."""
    redis = Redis.from_url(url)
    on = Floor(url, redis)
    on.feeds = [on.feed() for _ in range(tables)]
    running = [asyncio.create_task(feed.run()) for feed in on.feeds]
    try:
        await on.all_listen(tables)
        await on.until_all_show(5_000_000, 1)
        yield on
    finally:
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        await redis.aclose()


@contextmanager
def elsewhere(feed: Feed) -> Iterator[tuple[Callable[[], object], Callable[[], object]]]:
    """Run a feed on a loop of its own thread, so that it can be paused as a process is: ways to pause it, and go on."""
    loop, go_on = asyncio.new_event_loop(), threading.Event()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    running = asyncio.run_coroutine_threadsafe(feed.run(), loop)
    try:
        yield partial(loop.call_soon_threadsafe, go_on.wait), go_on.set
    finally:
        go_on.set()
        running.cancel()
        loop.call_soon_threadsafe(lambda: loop.call_later(0.1, loop.stop))
        thread.join(LONGEST_S)
        loop.close()


def test_two_reconnects_a_fifth_of_a_second_apart(tmp_path: Path) -> None:
    """All 200 lose their connection, and again 200 ms later: each shows the meter published meanwhile, live."""

    async def play(url: str) -> None:
        async with floor(url) as on:
            await on.redis.client_kill_filter(_type="pubsub")
            await on.publish(6_000_000, 2)
            await asyncio.sleep(APART_S)
            await on.redis.client_kill_filter(_type="pubsub")
            await on.publish(7_000_000, 3)
            # The link beats each second whatever happens to its tables; here as soon as the last one listens.
            await on.all_listen()
            await eventually(lambda: all(cents_of(feed) == 7_000_000 for feed in on.feeds))
            await on.until_all_show(7_000_000, 3)

    with embedded(tmp_path, postgres=False) as servers:
        run(play(servers.redis_url))


def test_the_memory_that_a_paused_table_may_take_is_the_same_everywhere() -> None:
    """Sites, containers and the embedded server drop one that does not read at the same size."""
    name, limit = "client-output-buffer-limit", VALKEY_SETTINGS["client-output-buffer-limit"]
    for place in ("site", "docker"):
        assert f"{name} {limit}" in (DEPLOY / place / "redis.conf").read_text(encoding="utf-8").splitlines()


def test_a_paused_table_is_dropped_and_brought_up_to_date(tmp_path: Path) -> None:
    """One paused for two minutes is dropped by Redis in them; the others get every snapshot and lose no connection.

    Two minutes are what a link publishes in them at most, of the size it has with all its hits, under the limit that is
    shipped: by size, not by time, so that they need not last. Afterwards the paused one shows the newest, live.
    """

    async def play(url: str) -> None:
        async with floor(url, OTHERS) as on:
            paused = on.feed()
            with elsewhere(paused) as (pause, go_on):
                await on.all_listen(OTHERS + 1)
                await on.publish(5_000_001, 2)
                await eventually(lambda: cents_of(paused) == 5_000_001)
                pause()
                commit = 2
                while await on.subscribed() > OTHERS:
                    commit += 1
                    await on.publish(5_000_000 + commit, commit, hits=HITS)
                    await eventually(lambda: {cents_of(feed) for feed in on.feeds} == {5_000_000 + commit})  # noqa: B023 - awaited at once
                assert commit <= TWO_MINUTES
                assert on.counted("subscriptions_lost_total") == 0
                assert on.counted("snapshots_missed_total") == 0
                go_on()
                while cents_of(paused) < 5_000_000 + commit or not paused.mirror.fresh(own_clock_us()):
                    await on.publish(5_000_000 + commit, commit, hits=HITS)
                    await asyncio.sleep(0.05)

    with embedded(tmp_path, postgres=False) as servers:
        run(play(servers.redis_url))
