"""A server killed where it hurts, and a Redis that forgets everything: what tables are told (CASES 3, 30)."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from redis.asyncio import Redis

from jackpot.wire.codec import decode_answer, decode_published, decode_snapshot
from jackpot.wire.messages import RecordAnswer, Welcome
from jackpot.wire.snapshots import Snapshot, channel
from rules.terms import canonical_bytes
from tablelink.core.mirror import Mirror, Verdict
from tests.support.chains import NOTHING, ROYAL, SETTINGS, Link
from tests.support.served import floor
from tests.support.serving import run
from tests.support.terms import demo_terms

if TYPE_CHECKING:
    from tests.jackpot.cli.conftest import CommandLine

HIT = "T1/1/1/3/main"
PAUSED_MS = 600_000


@pytest.fixture
def opened(jackpot: "CommandLine", tmp_path: Path) -> "CommandLine":
    """The demonstration's link, open, with table T1."""
    terms, settings = tmp_path / "terms.json", tmp_path / "settings.json"
    terms.write_bytes(canonical_bytes(demo_terms()))
    settings.write_text(SETTINGS)
    for words in (
        ("link", "open", str(terms), "--by", "Olga", "--second", "Petra"),
        ("table", "enrol", "southern", "T1", "--by", "Olga", "--settings", str(settings)),
    ):
        done = jackpot(*words)
        assert done.code == 0, done.err
    return jackpot


def test_a_message_again_after_a_restart_and_a_redis_that_was_emptied(opened: "CommandLine") -> None:
    """Case 3: wagers twice, a restart and a Redis flush in between: one answer, and the meter moves once."""
    made = Link(months=opened.months)

    async def play() -> None:
        redis = Redis.from_url(opened.redis_url)
        async with floor(opened) as on:
            table = await on.table("T1")
            assert isinstance(await table.hello(connection=1), Welcome)
            wagers = made.wagers("T1", 1).raw
            first = await on.answer(table, wagers)
            await on.state_at(first.receipt.commit)
        await redis.flushall()
        async with floor(opened) as on:
            table = await on.table("T1")
            assert isinstance(await table.hello(journal=1, connection=2, next_round=2), Welcome)
            again = await on.answer(table, wagers)
            assert (again.answer, again.receipt) == (first.answer, first.receipt)
            state = await on.state_at(first.receipt.commit + 1)
            assert state["pools"][0]["cents"] == "5000066"
            assert (await on.command("audit"))["audit"] == "ok"
        await redis.aclose()

    run(play())


class Listener:
    """Who hears every snapshot of the link that comes over Redis, and judges it as a table does."""

    def __init__(self, redis: Redis) -> None:
        """Hear nothing yet."""
        self.pubsub = redis.pubsub()
        self.snapshots: list[Snapshot] = []
        self.verdicts: list[Verdict] = []
        self.mirror: Mirror | None = None

    async def listen(self) -> None:
        """Hear for ever."""
        async for message in self.pubsub.listen():
            if message["type"] == "message":
                self.snapshots.append(decode_snapshot(bytes(decode_published(message["data"]).body)))
                if self.mirror is not None:
                    self.verdicts.append(self.mirror.receive(message["data"], len(self.snapshots)))

    def believe(self, link_key: str) -> None:
        """Judge what comes from now on by the link's key."""
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(link_key))

        def verify(data: bytes, signature: bytes) -> bool:
            key.verify(signature, data)
            return True

        self.mirror = Mirror("southern", verify)

    async def until_commit(self, commit: int) -> Snapshot:
        """Wait for a snapshot of that commit or a later one."""
        while not self.snapshots or self.snapshots[-1].commit < commit:  # noqa: ASYNC110 - Redis tells the listener
            await asyncio.sleep(0.01)
        return self.snapshots[-1]


def test_an_award_whose_publisher_was_killed_is_announced_once(opened: "CommandLine") -> None:
    """Case 30: killed between COMMIT and publish: after the restart hit and fall are told, always as the same one."""
    made = Link(months=opened.months)

    async def play() -> None:
        redis, hand = Redis.from_url(opened.redis_url), Redis.from_url(opened.redis_url)
        heard = Listener(redis)
        await heard.pubsub.subscribe(channel("southern"))
        listening = asyncio.create_task(heard.listen())
        try:
            async with floor(opened) as on:
                table = await on.table("T1")
                welcome = await table.hello(connection=1)
                assert isinstance(welcome, Welcome)
                heard.believe(welcome.link_key)
                wagered = await on.answer(table, made.wagers("T1", 1).raw)
                await heard.until_commit(wagered.receipt.commit)
                await hand.client_pause(PAUSED_MS, all=False)
                recorded = await on.answer(table, made.record("T1", 1, {1: NOTHING, 2: "5h 5d 8c Jd Qd", 3: ROYAL}).raw)
                on.server.kill()
                await on.server.wait()
            await hand.client_unpause()
            assert heard.snapshots[-1].commit == wagered.receipt.commit, "the award was not told before the kill"
            told = len(heard.snapshots)
            async with floor(opened):
                await heard.until_commit(recorded.receipt.commit)
                while len(heard.snapshots) < told + 3:  # noqa: ASYNC110 - Redis tells the listener
                    await asyncio.sleep(0.01)
            answer = decode_answer(recorded.answer)
            assert isinstance(answer, RecordAnswer)
            for snapshot in heard.snapshots[told:]:
                assert [(hit.hit, hit.commit) for hit in snapshot.hits] == [(HIT, recorded.receipt.commit)]
                (pool,) = snapshot.pools
                assert (pool.cents, pool.epoch) == (5_000_000, 2)
                assert (pool.last_fall_commit, pool.last_fall_cause) == (recorded.receipt.commit, "award")
            assert set(heard.verdicts) == {Verdict.TAKEN}
            assert len({hit.commit for snapshot in heard.snapshots for hit in snapshot.hits}) == 1
        finally:
            await hand.client_unpause()
            listening.cancel()
            await asyncio.gather(listening, return_exceptions=True)
            await heard.pubsub.aclose()  # type: ignore[no-untyped-call]
            await redis.aclose()
            await hand.aclose()

    run(play())
