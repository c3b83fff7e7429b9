"""What comes down over Redis: the link's state, absolute, versioned and signed (PROTOCOL 6). Never a delta.

A lost snapshot costs a moment, never a cent. Who receives one trusts it only with the link's signature.
"""

from msgspec import Raw

from jackpot.wire.messages import Frame, Hex, HitNow, Month, Name, Number, Value

NO_CORRECTION = frozenset({"award", "reversal"})
"""Causes of falls that a room is told of in another way: a prize, a wager that went back."""
AFTER = " after "


def fall_cause(cause: str, corrected: int) -> str:
    """Return the cause of a pool's last fall as it is shown, with the last commit that corrected its amount (0: none).

    >>> fall_cause("reversal", 4711), fall_cause("award", 0), fall_cause("release", 4711)
    ('reversal after 4711', 'award', 'release')
    """
    return f"{cause}{AFTER}{corrected}" if corrected and cause in NO_CORRECTION else cause


class PoolShown(Value, frozen=True):
    """One pool as shown: whole cents, its epoch, and its last fall with the cause and the commit of it."""

    pool: Name
    epoch: Number
    cents: Number
    last_fall_commit: Number
    last_fall_cause: str
    """Where the amount was corrected before that, `reversal after 4711` names that commit too: in one text, since a
    table of version 1 takes no field it does not know."""

    @property
    def cause(self) -> str:
        """Why it fell last; empty where it never did."""
        return self.last_fall_cause.partition(AFTER)[0]

    @property
    def corrected(self) -> int:
        """The last commit in which its amount was corrected, whatever fell since; 0 where none did."""
        if self.cause and self.cause not in NO_CORRECTION:
            return self.last_fall_commit
        return int(self.last_fall_cause.partition(AFTER)[2] or "0")


class HitShown(HitNow, frozen=True):
    """A hit by id and state, with the commit it last moved in."""

    table: Name
    commit: Number


class Snapshot(Frame, frozen=True, tag="snapshot"):
    """The state of a link at one commit, as read back from Postgres."""

    link: Name
    generation: Number
    commit: Number
    status: str
    """`running`, `stopped`, `ledger_behind` or `ledger_unreachable`."""
    terms: Hex
    month: Month
    pools: list[PoolShown]
    hits: list[HitShown]
    publisher: str
    beat: Number
    """Rises with every snapshot of this publisher."""
    elapsed_ms: Number
    """The publisher's own elapsed time when it was sent; compared with its earlier ones only, with no other clock."""


class Published(Frame, frozen=True, tag="published"):
    """What goes over the channel: the snapshot's bytes and the signature of them by the link's key."""

    body: Raw
    signature: Hex


def channel(link: str) -> str:
    """Return the pub/sub channel of a link.

    >>> channel("southern")
    'jackpot:southern'
    """
    return f"jackpot:{link}"


def retained(link: str) -> str:
    """Return the key of a link's retained copy: it tells a newcomer where things stood, and never counts as live."""
    return f"jackpot:{link}:last"


def signed_bytes(body: bytes) -> bytes:
    """Return the bytes that the link's key signs, kept apart from all else a key might sign."""
    return b"jackpot snapshot 1\n" + body
