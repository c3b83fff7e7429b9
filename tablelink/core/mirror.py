"""What do the meters stand at, how sure is the table of it, and may it take jackpot wagers now (PROTOCOL 6)?

A mirror takes what comes over the channel and believes only what the link's key has signed, in the order of
(generation, commit). It compares no wall clocks: the sender's elapsed time with its own, and beats with its own clock.
Times are microseconds of the receiver's own clock, given as arguments. Knows no Redis.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Final

from jackpot.wire.codec import FrameError, decode_published, decode_snapshot
from jackpot.wire.messages import Shown
from jackpot.wire.snapshots import PoolShown, Snapshot, signed_bytes

PUBLISHERS_KEPT: Final = 64
"""So many publishers' beats are remembered: a link has a few processes, and each restart is another publisher."""
DRIFT_PPM: Final = 200
"""How far two machines' clocks may drift apart; else a stream watched for a day would look late for it alone."""

Verify = Callable[[bytes, bytes], bool]
"""Whether a signature (second) of these bytes (first) is by the link's key."""


class Verdict(Enum):
    """What became of something that came over the channel: `value` is its name in metrics."""

    TAKEN = "taken"
    """It is the state now, or a beat of the state that stands."""
    OUT_OF_ORDER = "out_of_order"
    REPLAYED = "replayed"
    WRONG_SIGNATURE = "wrong_signature"
    UNREADABLE = "unreadable"
    OTHER_LINK = "other_link"
    UNEXPLAINED_FALL = "unexplained_fall"
    """A meter lower than before without a cause of that moment: a shown meter never goes back so (case 29)."""


@dataclass(slots=True)
class _Stream:
    """One publisher's stream: its last beat, and the least that own time was ahead of its elapsed time, at a moment."""

    beat: int
    best_us: int | None = None
    """None while nothing is known of it but beats that came by a way that was late."""
    best_at_us: int = 0

    def behind_us(self, elapsed_ms: int, now_us: int) -> int:
        """How far behind its own best the stream is with this beat; a better one becomes the best."""
        ahead = now_us - elapsed_ms * 1000
        if self.best_us is not None:
            allowed = self.best_us + (now_us - self.best_at_us) * DRIFT_PPM // 1_000_000
            if ahead > allowed:
                return ahead - allowed
        self.best_us, self.best_at_us = ahead, now_us
        return 0


@dataclass(frozen=True, slots=True)
class _Meter:
    """What a pool was shown at, and in which state of the ledger."""

    cents: int
    generation: int
    commit: int


class Mirror:
    """The state of one link as a table or board may show it."""

    def __init__(self, link: str, verify: Verify, stale_after_us: int = 5_000_000) -> None:
        """Begin knowing nothing; `verify` checks signatures by the key that the server's welcome named."""
        self.snapshot: Snapshot | None = None
        self.counts: dict[Verdict, int] = dict.fromkeys(Verdict, 0)
        self.missed = 0
        """Snapshots of known publishers that never arrived: each is absolute, so a gap costs a moment, never a cent."""
        self._link = link
        self._verify = verify
        self._stale_after_us = stale_after_us
        self._streams: dict[str, _Stream] = {}
        self._fresh_until_us: int | None = None
        self._late_us: int | None = None
        """When a beat last came late of a stream whose best is known, while none has come in time since."""
        self._meters: dict[str, _Meter] = {}

    def receive(self, data: bytes, now_us: int, *, live: bool = True) -> Verdict:
        """Take what came over the channel, or (`live` false) the retained copy, which never counts as live.

        **Never** lets the state go back in (generation, commit), nor a meter but with the cause its snapshot names.
        """
        verdict = self._judge(data, now_us, live=live)
        self.counts[verdict] += 1
        return verdict

    def fresh(self, now_us: int) -> bool:
        """Whether a beat not seen before arrived live within the last 5 s, from a stream that is not late itself."""
        return self._fresh_until_us is not None and now_us <= self._fresh_until_us

    def fresh_within(self, within_us: int, now_us: int) -> bool:
        """Whether it was fresh at some time in the last so many microseconds."""
        return self._fresh_until_us is not None and now_us - within_us <= self._fresh_until_us

    def age_us(self, now_us: int) -> int | None:
        """How long ago the last beat came from a stream that is not late; None before the first."""
        return None if self._fresh_until_us is None else now_us - self._fresh_until_us + self._stale_after_us

    def shown(self) -> Shown | None:
        """The main pool as it is shown, for a wager's message; None before the first snapshot."""
        snapshot = self.snapshot
        if snapshot is None or not snapshot.pools:
            return None
        main = snapshot.pools[0]
        return Shown(snapshot.generation, snapshot.commit, main.epoch, main.cents)

    def _judge(self, data: bytes, now_us: int, *, live: bool) -> Verdict:
        try:
            published = decode_published(data)
            body = bytes(published.body)
            snapshot = decode_snapshot(body)
        except FrameError:
            return Verdict.UNREADABLE
        # Asked after reading only because the signature lies inside; nothing read is believed before it holds.
        if not self._verify(signed_bytes(body), bytes.fromhex(published.signature)):
            return Verdict.WRONG_SIGNATURE
        if snapshot.link != self._link:
            return Verdict.OTHER_LINK
        stream = self._streams.get(snapshot.publisher)
        if live and stream is not None and snapshot.beat <= stream.beat:
            return Verdict.REPLAYED
        held = self.snapshot
        if held is not None and _place(snapshot) < _place(held):
            return Verdict.OUT_OF_ORDER
        if not all(self._explained(pool, snapshot.generation) for pool in snapshot.pools):
            return Verdict.UNEXPLAINED_FALL
        if live or held is None or _place(snapshot) > _place(held):
            self.snapshot = snapshot
            for pool in snapshot.pools:  # A publisher that cannot read the ledger tells of none; what was shown stands.
                self._meters[pool.pool] = _Meter(pool.cents, snapshot.generation, snapshot.commit)
        if live:
            self._beat(snapshot, stream, now_us)
        return Verdict.TAKEN

    def _explained(self, pool: PoolShown, generation: int) -> bool:
        """Whether a meter is not lower than it was shown, or names a fall that came after that."""
        before = self._meters.get(pool.pool)
        if before is None or pool.cents >= before.cents or generation != before.generation:
            return True  # Another life of the ledger has been reconciled by people (PROTOCOL 5).
        return pool.last_fall_commit > before.commit and bool(pool.last_fall_cause)

    def _beat(self, snapshot: Snapshot, stream: _Stream | None, now_us: int) -> None:
        if stream is None:
            if len(self._streams) >= PUBLISHERS_KEPT:
                del self._streams[next(iter(self._streams))]
            stream = self._streams[snapshot.publisher] = _Stream(snapshot.beat)
        self.missed += max(0, snapshot.beat - stream.beat - 1)
        stream.beat = snapshot.beat
        late_us = self._late_us
        if stream.best_us is None and late_us is not None and now_us - late_us <= self._stale_after_us:
            return  # By a way that is late just now: taken for its best, a new publisher's would pass for fresh.
        if stream.behind_us(snapshot.elapsed_ms, now_us) <= self._stale_after_us:
            self._fresh_until_us, self._late_us = now_us + self._stale_after_us, None
        else:
            self._late_us = now_us


def _place(snapshot: Snapshot) -> tuple[int, int]:
    return snapshot.generation, snapshot.commit


@dataclass(frozen=True, slots=True)
class Standing:
    """What a table knows beside the mirror, when it asks whether its jackpot is open."""

    session_up: bool
    refusal: str = ""
    """Why the server refused the hello or ejected the table, in words."""
    generation: int = 0
    """The ledger's life in the table's last receipt."""
    fingerprint: str = ""
    unanswered: str = ""
    """The oldest message of this table that has no answer: while there is one, a round is open."""
    hits: tuple[str, ...] = ()
    """The table's open hits."""
    put_off: str = ""
    """Why the server put the oldest message off, in words; empty where it did not."""


REASONS: Final = (
    "refused",
    "no_session",
    "unanswered",
    "hit_open",
    "no_meter",
    "meter_stale",
    "generation",
    "terms",
    "link_status",
)
"""What may keep the jackpot closed at a table, each by the name metrics have for it."""
IN_PLAY: Final = frozenset({"unanswered", "hit_open"})
"""Reasons that belong to play: nothing is out of order because of them."""


def reasons_closed(mirror: Mirror | None, standing: Standing, now_us: int, close_after_us: int) -> Mapping[str, str]:
    """Why the jackpot is closed at this table, each reason in words under its name; open only where there is none.

    **Always** asks for all of: session up, mirror fresh at some time in the last 30 s, generation and terms the table's
    own, link running, no open round or hit here.
    """
    reasons = {}
    if standing.refusal:
        reasons["refused"] = standing.refusal
    if not standing.session_up:
        reasons["no_session"] = "no session with the server"
    if standing.unanswered:
        put_off = f": the server puts it off, {standing.put_off}" if standing.put_off else ""
        reasons["unanswered"] = f"{standing.unanswered} has no answer yet{put_off}"
    if standing.hits:
        reasons["hit_open"] = f"not yet paid out: {', '.join(standing.hits)}"
    snapshot = None if mirror is None else mirror.snapshot
    if mirror is None or snapshot is None:
        return reasons | {"no_meter": "no meter has been seen yet"}
    if not mirror.fresh_within(close_after_us, now_us):
        reasons["meter_stale"] = "the meter has been stale for too long"
    if snapshot.generation != standing.generation:
        own = standing.generation
        reasons["generation"] = f"the meter is of generation {snapshot.generation}, the table's of {own}"
    if snapshot.terms != standing.fingerprint:
        reasons["terms"] = "the link's terms are not those on this table's felt (CSP 11.9)"
    if snapshot.status != "running":
        reasons["link_status"] = f"the link is {snapshot.status.replace('_', ' ')}"
    return reasons


def why_closed(mirror: Mirror | None, standing: Standing, now_us: int, close_after_us: int) -> tuple[str, ...]:
    """Why the jackpot is closed at this table, in words; see `reasons_closed`."""
    return tuple(reasons_closed(mirror, standing, now_us, close_after_us).values())
