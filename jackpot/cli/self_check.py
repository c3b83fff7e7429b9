"""At start: does the ledger still hold what was answered and shown? Looked at before a table may play (case 38, 58).

The checkpoint file says how far each chain had come; the retained copy in Redis is what this link's own key signed, as
read from its ledger. A ledger that ends before either, or says otherwise at the same commit, has lost something that
tables and players were told: the link is stopped as `ledger_behind`, and tables hand in what they hold (PROTOCOL 5).
"""

import asyncio
from collections.abc import Callable, Collection, Iterable, Sequence

import structlog
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from redis.asyncio import Redis
from redis.exceptions import RedisError

from jackpot.core.accounts import MICROCENTS, NOTHING, pool_account
from jackpot.core.behind import GoneBack, Mark, mark_of
from jackpot.core.state import LinkState
from jackpot.ledger.checkpoint import Checkpoint, CheckpointUnreadable
from jackpot.ledger.going_back import GoingBack
from jackpot.wire.codec import FrameError, decode_published, decode_snapshot
from jackpot.wire.snapshots import Snapshot, retained, signed_bytes

__all__ = ["SelfCheck", "contradiction", "furthest", "keep_checkpoint", "leave_checkpoint", "write_checkpoint"]

WRITE_EVERY_S = 1.0

_log = structlog.get_logger(__name__)


def contradiction(state: LinkState, shown: Snapshot | None) -> str:
    """Say what was shown of a link that this ledger does not hold; empty where there is nothing."""
    if shown is None:
        return ""
    head = (state.head.generation, state.head.commit)
    at = (shown.generation, shown.commit)
    if at > head:
        return (
            f"commit {at[1]} of generation {at[0]} was shown, and the ledger ends at commit {head[1]} of"
            f" generation {head[0]}"
        )
    if at < head:
        return ""
    for pool in shown.pools:
        found = state.pools.get(pool.pool)
        cents = state.balances.get(pool_account(pool.pool), NOTHING).microcents // MICROCENTS
        if found is None or (found.epoch, cents) != (pool.epoch, pool.cents):
            held = "no such pool" if found is None else f"{cents} cents in epoch {found.epoch}"
            return (
                f"at commit {at[1]} pool {pool.pool} was shown with {pool.cents} cents in epoch {pool.epoch}, and the"
                f" ledger holds {held}"
            )
    return ""


class SelfCheck:
    """Holds the ledger against what is remembered of it, and raises the alarm where it went back."""

    def __init__(self, redis: Redis, alarm: Callable[[str, str], None], checkpoint: Checkpoint | None = None) -> None:
        """`alarm` is `Telemetry.alarm`; without a checkpoint file only the last snapshot tells."""
        self._redis, self._alarm, self._checkpoint = redis, alarm, checkpoint
        self._told: dict[str, str] = {}

    async def last_shown(self, link: str, key: str) -> Snapshot | None:
        """Return the retained copy that this public key signed, None without one. Read it before the ledger."""
        try:
            data = await self._redis.get(retained(link))
        except (RedisError, OSError):
            _log.warning("self_check_without_redis", link=link)
            return None
        try:
            published = decode_published(data if isinstance(data, bytes) else b"")
            body = bytes(published.body)
            Ed25519PublicKey.from_public_bytes(bytes.fromhex(key)).verify(
                bytes.fromhex(published.signature), signed_bytes(body)
            )
            shown = decode_snapshot(body)
        except (FrameError, ValueError, InvalidSignature):
            return None
        return shown if shown.link == link else None

    async def hold(self, url: str, state: LinkState, shown: Snapshot | None) -> str:
        """Stop a link as `ledger_behind` whose ledger is not what is remembered of it; raises UnreachableError.

        Returns why the link must not even begin: it is stopped for another reason, which is to be lifted first.
        """
        receipts, link = GoingBack(url, state.chain), state.chain
        remembered: list[tuple[str, Mark]] = []
        if self._checkpoint is not None and (mark := self._checkpoint.of(link)) is not None:
            remembered.append(("checkpoint", mark))
        if shown is not None:
            remembered.append(("snapshot", Mark(shown.generation, shown.commit)))
        remembered.sort(key=lambda each: each[1].place, reverse=True)
        try:
            gone = None
            for told_by, mark in remembered:
                gone = gone or await receipts.look(mark, told_by, shown)
            if gone is None and shown is not None and (found := contradiction(state, shown)):
                _log.error("snapshot_ahead", link=link, found=found)
                last = Mark(shown.generation, shown.commit)
                gone = GoneBack("snapshot", mark_of(state.head), last, forked=True, shown=shown)
                await receipts.stop(gone)
            if gone is None:
                return ""
            if self._told.get(link) != gone.reason:
                self._told[link] = gone.reason
                self._alarm(link, "snapshot_ahead")
            other = await receipts.other_stop()
            before = f"link {link}: its ledger went back, and it is stopped for another reason, to be lifted first: "
            return before + other if other else ""
        finally:
            await receipts.close()

    def unknown(self, links: Collection[str]) -> Sequence[str]:
        """Name the links of the checkpoint file that this ledger does not know at all."""
        chains = self._checkpoint.chains if self._checkpoint is not None else {}
        return [
            f"link {chain} had come to commit {mark.commit} of generation {mark.generation}, and this ledger knows no"
            " such link: an older backup was brought back, or another database is named"
            for chain, mark in chains.items()
            if chain not in links
        ]


def furthest(own: Mark | None, file: Mark | None) -> tuple[str, Mark] | None:
    """Return the further of what this process and the checkpoint file know, with the name of who does.

    >>> [furthest(Mark(own, 90), Mark(1, 95))[0] for own in (1, 2)], furthest(None, None)
    (['checkpoint', 'connection'], None)
    """
    known = [(by, mark) for by, mark in (("connection", own), ("checkpoint", file)) if mark is not None]
    return max(known, key=lambda each: each[1].place, default=None)


async def keep_checkpoint(checkpoint: Checkpoint, marks: Callable[[], Iterable[tuple[str, Mark]]]) -> None:
    """Write down once a second, for ever, how far each chain has come. Raises OSError."""
    while True:
        await asyncio.sleep(WRITE_EVERY_S)
        await write_checkpoint(checkpoint, marks())


async def leave_checkpoint(checkpoint: Checkpoint, marks: Iterable[tuple[str, Mark]]) -> None:
    """Write down at the end how far chains have come; a file that cannot be written keeps no server from ending."""
    try:
        await write_checkpoint(checkpoint, marks)
    except (OSError, CheckpointUnreadable) as error:
        _log.error("checkpoint_not_written", path=str(checkpoint.path), error=str(error))


async def write_checkpoint(checkpoint: Checkpoint, marks: Iterable[tuple[str, Mark]]) -> None:
    """Write down how far chains have come, off the event loop. Raises OSError."""
    for chain, mark in marks:
        checkpoint.note(chain, mark)
    await asyncio.to_thread(checkpoint.write)
