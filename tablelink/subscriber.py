"""What comes down over Redis: one subscription a link, kept up by itself, and the mirror it feeds.

Money is untouched by anything that happens here: a table that hears nothing shows its meter as stale and closes the
side bet.
"""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any, Final, Protocol

import structlog
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from jackpot.wire.snapshots import channel, retained
from tablelink.core.mirror import Mirror, Verdict
from tablelink.errors import TableError
from tablelink.telemetry import Telemetry

__all__ = ["Feed", "Feeds", "Meter", "Meters", "own_clock_us"]

SILENT_AFTER_S: Final = 10.0
"""The link beats each second; a subscription silent for so long is made anew, since a dead peer says nothing either."""
CONFIRM_WITHIN_S: Final = 5.0
FIRST_PAUSE_S: Final = 0.1
LONGEST_PAUSE_S: Final = 2.0

_log = structlog.get_logger(__name__)


def own_clock_us() -> int:
    """Return this machine's own elapsed time, in microseconds; it runs on while the machine sleeps."""
    return time.clock_gettime_ns(time.CLOCK_BOOTTIME) // 1000


class Meter(Protocol):
    """A link's meter as it comes down."""

    mirror: Mirror

    def watch(self, changed: Callable[[], None]) -> None:
        """Have `changed` called whenever a snapshot was taken."""
        ...


class Meters(Protocol):
    """Where the meters of links come from."""

    def of(self, link: str, link_key: str, stale_after_s: int) -> Meter:
        """Return a link's meter; **if repeated** the same one."""
        ...


class Feed:
    """The mirror of one link, fed for as long as `run` runs."""

    def __init__(
        self,
        redis_url: str,
        link: str,
        link_key: str,
        telemetry: Telemetry,
        *,
        stale_after_s: int = 5,
        rng: Random | None = None,
    ) -> None:
        """`link_key` is the public key (hexadecimal) that the server's welcome named."""
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(link_key))
        self.mirror = Mirror(link, lambda data, signature: _signed(key, data, signature), stale_after_s * 1_000_000)
        self._telemetry = telemetry
        telemetry.mirrors(link, self.mirror, own_clock_us)
        self._redis_url = redis_url
        self._link = link
        self._rng = rng or Random()  # noqa: S311 - spreads reconnects over time
        self._watching: list[Callable[[], None]] = []

    def watch(self, changed: Callable[[], None]) -> None:
        """Have `changed` called whenever a snapshot was taken; it never raises and never waits."""
        self._watching.append(changed)

    async def run(self) -> None:
        """Keep the subscription until cancelled."""
        pause_s = FIRST_PAUSE_S
        while True:
            taken = self.mirror.counts[Verdict.TAKEN]
            try:
                await self._one()
            except (RedisError, OSError, TimeoutError) as error:
                _log.info("subscription_lost", link=self._link, error=str(error)[:200])
            _unless_cancelled()
            self._telemetry.subscriptions_lost.labels(self._link).inc()
            if self.mirror.counts[Verdict.TAKEN] > taken:
                pause_s = FIRST_PAUSE_S
            await asyncio.sleep(pause_s * (0.5 + self._rng.random() / 2))
            pause_s = min(2 * pause_s, LONGEST_PAUSE_S)

    async def _one(self) -> None:
        """Subscribe, take the retained copy, and listen until it breaks or falls silent."""
        # A unix socket knows no keep-alive, and its class refuses the word.
        keep: dict[str, Any] = {} if self._redis_url.startswith("unix:") else {"socket_keepalive": True}
        redis: Redis = Redis.from_url(self._redis_url, retry=Retry(NoBackoff(), 0), socket_connect_timeout=5, **keep)
        async with redis, redis.pubsub() as subscription:
            await subscription.subscribe(channel(self._link))
            if await subscription.get_message(timeout=CONFIRM_WITHIN_S) is None:
                raise TimeoutError("the subscription was not confirmed")
            # Asked for once the subscription stands: what is published in between comes twice, never not at all.
            kept = await redis.get(retained(self._link))
            if isinstance(kept, bytes):
                self._take(kept, live=False)
            silent_s = 0.0
            while silent_s < SILENT_AFTER_S:
                _unless_cancelled()
                message: dict[str, Any] | None = await subscription.get_message(timeout=1.0)
                silent_s = 0.0 if message else silent_s + 1.0
                if message and message["type"] == "message":
                    self._take(message["data"], live=True)

    def _take(self, data: bytes, *, live: bool) -> None:
        missed = self.mirror.missed
        verdict = self.mirror.receive(data, own_clock_us(), live=live)
        self._telemetry.snapshots.labels(self._link, verdict.value).inc()
        self._telemetry.snapshots_missed.labels(self._link).inc(self.mirror.missed - missed)
        if verdict is Verdict.TAKEN:
            for changed in self._watching:
                changed()
        elif live:
            _log.debug("snapshot_ignored", link=self._link, why=verdict.value)


@dataclass(slots=True)
class _Running:
    feed: Feed
    task: "asyncio.Task[None]"


class Feeds:
    """The feeds of a process: tables of one link share one."""

    def __init__(self, redis_url: str, telemetry: Telemetry) -> None:
        """Begin with none. Raises TableError for an address that is none of Redis."""
        try:
            Redis.from_url(redis_url)
        except ValueError as error:
            raise TableError(f"redis_url: {error}", code="bad_setting") from None
        self._redis_url = redis_url
        self._telemetry = telemetry
        self._running: dict[tuple[str, str], _Running] = {}

    def of(self, link: str, link_key: str, stale_after_s: int) -> Feed:
        """Return the feed of a link, started where it was not."""
        running = self._running.get((link, link_key))
        if running is None:
            feed = Feed(self._redis_url, link, link_key, self._telemetry, stale_after_s=stale_after_s)
            running = self._running[link, link_key] = _Running(feed, asyncio.create_task(feed.run()))
        return running.feed

    async def close(self) -> None:
        """End all subscriptions; **if repeated** nothing more happens."""
        tasks = [running.task for running in self._running.values()]
        self._running.clear()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _unless_cancelled() -> None:
    """Raise CancelledError where this task is to end.

    The client for Redis loses a cancellation that falls together with a time-out of its own; this finds it again.
    """
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError


def _signed(key: Ed25519PublicKey, data: bytes, signature: bytes) -> bool:
    try:
        key.verify(signature, data)
    except InvalidSignature:
        return False
    return True
