"""At start: does the ledger still hold what was last shown of a link? Looked at before a table may play (case 38).

The retained copy in Redis is what this link's own key signed, as read from its ledger. A ledger that stands behind it,
or says otherwise at the same commit, has lost something that tables and players were told: the link does not begin.
Without Redis, or without a copy that this key signed, there is nothing to compare with.
"""

from collections.abc import Callable

import structlog
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from redis.asyncio import Redis
from redis.exceptions import RedisError

from jackpot.core.accounts import MICROCENTS, NOTHING, pool_account
from jackpot.core.state import LinkState
from jackpot.wire.codec import FrameError, decode_published, decode_snapshot
from jackpot.wire.snapshots import Snapshot, retained, signed_bytes

__all__ = ["SelfCheck", "contradiction"]

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
    """Reads what was last shown, and raises the alarm where the ledger contradicts it."""

    def __init__(self, redis: Redis, alarm: Callable[[str, str], None]) -> None:
        """`alarm` is `Telemetry.alarm`."""
        self._redis, self._alarm = redis, alarm
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

    def problem(self, state: LinkState, shown: Snapshot | None) -> str:
        """Say why the link must not begin, empty where it may; what is new is logged and counted as an alarm."""
        link, found = state.chain, contradiction(state, shown)
        if found and self._told.get(link) != found:
            _log.error("snapshot_ahead", link=link, found=found)
            self._alarm(link, "snapshot_ahead")
        self._told[link] = found
        return (
            f"link {link}: {found}; it does not begin before people have looked (key {retained(link)})" if found else ""
        )
