"""How meters come down: one publisher a link, and one reader of all channels.

A snapshot is absolute, versioned and signed (PROTOCOL 6). It is published once a second, and soon after a commit; it is
made only from what was just read from the primary. What is shown anywhere is what was read back from Redis. That Redis
is away costs freshness and nothing else: the poster never waits for anything here.
"""

import asyncio
import contextlib
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import structlog
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from msgspec import Raw
from redis.asyncio import Redis
from redis.asyncio.client import PubSub
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from jackpot.core.behind import LEDGER_BEHIND
from jackpot.core.ports import Heard, LinkReader, LinkReading, UnreachableError
from jackpot.serving.points import reached
from jackpot.telemetry import Telemetry
from jackpot.wire.codec import FrameError, decode_published, decode_snapshot, encode
from jackpot.wire.snapshots import Published, Snapshot, channel, retained, signed_bytes

__all__ = ["Hearing", "Publisher", "connect_redis", "elapsed_ms", "keep_hearing"]

BEAT_S = 1.0
READ_WITHIN_S = 1.0
"""What was not read within the second of its beat is not told."""
REDIS_WITHIN_S = 1.0
SENT_KEPT = 64
"""So many of a publisher's own beats may be under way; one that never comes back is forgotten."""
SILENT_S = 3.0
"""So long may a channel say nothing, with a beat due each second, before the connection is asked whether it lives."""
WAITS_S = (0.1, 0.2, 0.5, 1.0)
"""Between attempts to read the channels again; the last one for ever."""
BEHIND_MS = 5_000
"""A stream that is so far behind its own best is late, not live."""

_log = structlog.get_logger(__name__)


def elapsed_ms() -> int:
    """Return this machine's own elapsed time, which runs on while it sleeps and is never set."""
    return time.clock_gettime_ns(time.CLOCK_BOOTTIME) // 1_000_000


def connect_redis(url: str) -> Redis:
    """Return a client that fails at once, so that whoever asked can say so, and that connects anew when it must."""
    return Redis.from_url(
        url, socket_timeout=REDIS_WITHIN_S, socket_connect_timeout=REDIS_WITHIN_S, retry=Retry(NoBackoff(), 0)
    )


class Publisher:
    """Publishes one link: its own task, and a slot that says "something newer is there", never a queue."""

    def __init__(
        self,
        link: str,
        key: Ed25519PrivateKey,
        reader: LinkReader,
        redis: Redis,
        telemetry: Telemetry,
        *,
        name: str,
        month: Callable[[], str],
        least_s: float = 0.1,
    ) -> None:
        """`name` tells this publisher's beats from another's, and is never used twice."""
        self.link, self._key, self._reader, self._redis, self._telemetry = link, key, reader, redis, telemetry
        self._name, self._month, self._least_s = name, month, least_s
        self._newer = asyncio.Event()
        self._committed: float | None = None
        """When the first commit came that is in no snapshot yet."""
        self._sent: dict[int, tuple[float, float | None]] = {}
        """When the last beats were sent, and when the first commit of each had come."""
        self._urgent = False
        self._beat = 0
        self._status = ""
        self.last: LinkReading | None = None
        self.last_read_ms = 0
        """When `last` was read, by this machine's own elapsed time."""

    def committed(self, *, urgent: bool) -> None:
        """Say that something was committed; urgent: a fall, a hit, a status. Never waits."""
        self._urgent = self._urgent or urgent
        self._committed = self._committed or time.monotonic()
        self._newer.set()

    def came_back(self, heard: Heard) -> None:
        """Count how long one of this publisher's own snapshots took to come back; boards are told of it now."""
        sent = self._sent.pop(heard.snapshot.beat, None) if heard.snapshot.publisher == self._name else None
        if sent is None or not heard.live:
            return
        now = time.monotonic()
        self._telemetry.read_back_seconds.of(self.link).observe(now - sent[0])
        if sent[1] is not None:
            self._telemetry.display_seconds.of(self.link).observe(now - sent[1])

    async def run(self) -> None:
        """Publish for ever: once a second, within a tenth of one after a commit, at once when it is urgent."""
        loop = asyncio.get_running_loop()
        while True:
            began = loop.time()
            self._newer.clear()
            self._urgent = False
            await self.publish()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout_at(began + BEAT_S):
                    await self._newer.wait()
                    while not self._urgent and (left := began + self._least_s - loop.time()) > 0:
                        self._newer.clear()
                        with contextlib.suppress(TimeoutError):
                            async with asyncio.timeout(left):
                                await self._newer.wait()

    async def publish(self) -> None:
        """Read the link, and send what was read; where it cannot be read, say that the ledger is unreachable."""
        committed, self._committed = self._committed, None
        reached("before-publishing")
        reading = await self._read()
        if reading is None:
            self._not_shown(committed)
            committed = None
        snapshot = self._snapshot(reading)
        if snapshot.status != self._status:
            _log.info("link_status", link=self.link, status=snapshot.status, commit=snapshot.commit)
            self._status = snapshot.status
            self._telemetry.says(self.link, snapshot.status)
        body = encode(snapshot)
        data = encode(Published(Raw(body), self._key.sign(signed_bytes(body)).hex()))
        sending = time.monotonic()
        self._sent[snapshot.beat] = (sending, committed)
        try:
            async with self._redis.pipeline(transaction=False) as pipe:
                pipe.publish(channel(self.link), data)
                # The retained copy says where the link stood, not that nobody could tell, nor that this was lost.
                if reading is not None and reading.status != LEDGER_BEHIND:
                    pipe.set(retained(self.link), data)
                await pipe.execute()
        except (RedisError, OSError) as error:
            self._not_shown(committed)
            self._sent.pop(snapshot.beat, None)
            self._telemetry.redis_failures.labels(self.link).inc()
            _log.debug("snapshot_not_taken", link=self.link, error=type(error).__name__)
        else:
            reached("published")
            self._telemetry.snapshots_published.labels(self.link).inc()
            if committed is not None:
                self._telemetry.publish_seconds.of(self.link).observe(time.monotonic() - committed)
        while len(self._sent) > SENT_KEPT:
            del self._sent[next(iter(self._sent))]

    def _not_shown(self, committed: float | None) -> None:
        """Keep when the first commit came that is still in no snapshot."""
        if committed is not None:
            self._committed = committed

    async def _read(self) -> LinkReading | None:
        try:
            async with asyncio.timeout(READ_WITHIN_S):
                reading = await self._reader.reading()
        except (UnreachableError, TimeoutError):
            return None
        self.last, self.last_read_ms = reading, elapsed_ms()
        return reading

    def shown(self) -> Snapshot | None:
        """Return what was last shown of the link; None where nothing was, or only that its ledger went back."""
        last = self.last
        return None if last is None or last.status == LEDGER_BEHIND else self._of(last)

    def _snapshot(self, reading: LinkReading | None) -> Snapshot:
        self._beat += 1
        return self._of(reading)

    def _of(self, reading: LinkReading | None) -> Snapshot:
        last = self.last
        return Snapshot(
            link=self.link,
            generation=last.generation if last else 0,
            commit=last.commit if last else 0,
            status=reading.status if reading else "ledger_unreachable",
            terms=last.terms if last else "",
            month=self._month() or "0001-01",
            pools=list(reading.pools) if reading else [],
            hits=list(reading.hits) if reading else [],
            publisher=self._name,
            beat=self._beat,
            elapsed_ms=elapsed_ms(),
        )


@dataclass(slots=True)
class _Stream:
    """What is known of one publisher's beats: the last, and what its clock and ours differ by."""

    least_ms: int
    """By the beat that came best; it may have been late itself."""
    surely_ms: int
    """No less than this, had each beat been as late as could be by what came back of our own before it."""
    beat: int = 0
    heard_ms: int = 0
    """When the last one came, by our own elapsed time."""


@dataclass(slots=True)
class Hearing:
    """What came over the channels: the newest snapshot of each link, taken only with its key's signature.

    **Never** goes back: an older one, a repeated beat, a wrong signature is counted and left (case 29).
    """

    telemetry: Telemetry
    own: str
    """The name of this process's publishers: their clock is ours, so how late their beats come back is known."""
    keys: dict[str, Ed25519PublicKey] = field(default_factory=dict)
    _newest: dict[str, Heard] = field(default_factory=dict)
    _streams: dict[tuple[str, str], _Stream] = field(default_factory=dict)
    _left_after_ms: dict[str, int] = field(default_factory=dict)
    """What comes of a link now left Redis after this moment: that of the subscription, or of an own beat read back."""
    _told: list[Callable[[str, Heard], None]] = field(default_factory=list)
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when a link was added, so that its channel is read too."""

    def add(self, link: str, key: str) -> None:
        """Take snapshots of a link, signed with this public key."""
        self.keys[link] = Ed25519PublicKey.from_public_bytes(bytes.fromhex(key))
        self.changed.set()

    def subscribing(self, link: str, now_ms: int) -> None:
        """Know that a link's channel is asked for only now: nothing that comes of it can be older."""
        self._left_after_ms[link] = now_ms

    def heard(self, link: str) -> Heard | None:
        """Return the newest snapshot of a link, None before the first."""
        return self._newest.get(link)

    def another(self, link: str, now_ms: int) -> bool:
        """Say whether another process beats for a link too."""
        return any(
            name == link and publisher != self.own and now_ms - stream.heard_ms <= BEHIND_MS
            for (name, publisher), stream in self._streams.items()
        )

    def watch(self, told: Callable[[str, Heard], None]) -> None:
        """Tell of every snapshot taken from now on; `told` never raises and never waits."""
        self._told.append(told)

    def take(self, link: str, data: bytes, now_ms: int, *, live: bool) -> bool:
        """Take what came over a link's channel, or its retained copy (`live` False); say whether it was taken."""
        reason, snapshot = self._read(link, data)
        if snapshot is not None:
            reason = self._judge(link, snapshot, now_ms, live=live)
        if reason or snapshot is None:
            if live:
                self.telemetry.snapshots_ignored.labels(reason).inc()
            return False
        heard = Heard(snapshot, now_ms, live)
        self._newest[link] = heard
        for told in self._told:
            told(link, heard)
        return True

    def _read(self, link: str, data: bytes) -> tuple[str, Snapshot | None]:
        try:
            published = decode_published(data)
            body = bytes(published.body)
            self.keys[link].verify(bytes.fromhex(published.signature), signed_bytes(body))
            snapshot = decode_snapshot(body)
        except (FrameError, ValueError):
            return "unreadable", None
        except (InvalidSignature, KeyError):
            return "signature", None
        return ("", snapshot) if snapshot.link == link else ("signature", None)

    def _judge(self, link: str, snapshot: Snapshot, now_ms: int, *, live: bool) -> str:
        newest = self._newest.get(link)
        if not live:
            return "older" if newest is not None else ""
        stream = self._streams.get((link, snapshot.publisher))
        if stream is not None and snapshot.beat <= stream.beat:
            return "replayed"
        if snapshot.publisher == self.own:
            self._left_after_ms[link] = snapshot.elapsed_ms
        behind = now_ms - snapshot.elapsed_ms
        surely = self._left_after_ms.get(link, now_ms) - snapshot.elapsed_ms
        if stream is None:
            stream = self._streams[link, snapshot.publisher] = _Stream(behind, surely)
        stream.beat, stream.heard_ms = snapshot.beat, now_ms
        stream.least_ms = min(stream.least_ms, behind)
        stream.surely_ms = min(behind, max(stream.surely_ms, surely))
        self._forget_old_streams()
        if behind - min(stream.least_ms, stream.surely_ms) > BEHIND_MS:
            return "older"
        if newest is None:
            return ""
        at, before = (snapshot.generation, snapshot.commit), (newest.snapshot.generation, newest.snapshot.commit)
        return "older" if at < before else ""

    def _forget_old_streams(self) -> None:
        """Keep the publishers that were heard last: each start of a server is a new one."""
        while len(self._streams) > 64 * max(1, len(self.keys)):
            del self._streams[next(iter(self._streams))]


async def keep_hearing(hearing: Hearing, redis: Redis) -> None:
    """Read the channels of all links for ever; a lost connection is made again unaided, and counted."""
    tries, lost = 0, False
    while True:
        try:
            async with redis.pubsub() as pubsub:
                await _subscribe(hearing, redis, pubsub, hearing.keys)
                hearing.telemetry.redis_up.set(1)
                if lost:
                    hearing.telemetry.redis_reconnects.inc()
                    _log.info("redis_back")
                tries, lost = 0, False
                await _read_channels(hearing, redis, pubsub)
        except (RedisError, OSError) as error:
            hearing.telemetry.redis_up.set(0)
            if not lost:
                _log.warning("redis_lost", error=f"{type(error).__name__}: {error}"[:200])
            lost = True
            await asyncio.sleep(WAITS_S[min(tries, len(WAITS_S) - 1)])
            tries += 1


async def _read_channels(hearing: Hearing, redis: Redis, pubsub: PubSub) -> None:
    heard_ms = elapsed_ms()
    asked = False
    while True:
        if hearing.changed.is_set():
            hearing.changed.clear()
            await _subscribe(hearing, redis, pubsub, [link for link in hearing.keys if hearing.heard(link) is None])
        message = await pubsub.get_message(timeout=BEAT_S)
        now_ms = elapsed_ms()
        if message is not None:
            heard_ms, asked = now_ms, False
            if message["type"] == "message":
                link, data = _text(message["channel"]).removeprefix(channel("")), message["data"]
                hearing.take(link, _bytes(data), now_ms, live=True)
        elif now_ms - heard_ms > SILENT_S * 1000:
            # Silence is a link that is not published, or a connection that died without a word: a ping tells.
            if asked:
                raise ConnectionError("the channel does not answer")
            await pubsub.ping()
            heard_ms, asked = now_ms, True


async def _subscribe(hearing: Hearing, redis: Redis, pubsub: PubSub, links: Iterable[str]) -> None:
    """Read the channels of links from now on; the retained copies tell where those stand that were not heard yet."""
    wanted = list(links)
    if not wanted:
        await pubsub.subscribe(channel(""))  # a connection needs a channel to be read at all
        return
    for link in wanted:
        hearing.subscribing(link, elapsed_ms())
    await pubsub.subscribe(*[channel(link) for link in wanted])
    for link, data in zip(wanted, await redis.mget([retained(link) for link in wanted]), strict=True):
        if data is not None:
            hearing.take(link, _bytes(data), elapsed_ms(), live=False)


def _text(value: bytes | str) -> str:
    return value.decode() if isinstance(value, bytes) else value


def _bytes(value: bytes | str) -> bytes:
    return value if isinstance(value, bytes) else value.encode()
