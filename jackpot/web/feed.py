"""What boards are told: the link's newest state, as named events. One encoding for all boards, a queue for none.

A reader that falls behind gets the newest state when it reads again, not what it missed (case 31).
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

import msgspec
from msgspec import Struct

from jackpot.core.ports import Heard
from jackpot.web.shown import Told
from jackpot.web.sign import PaysNow, Sign, pays_now, sign_of
from jackpot.wire.snapshots import HitShown, PoolShown
from rules.terms import Terms

__all__ = ["Feed", "State", "event"]


STAGES = {
    "pending": "checking",
    "claimed": "checking",
    "verified": "checking",
    "disputed": "checking",
    "rejected": "checking",  # its money is still held: nothing has been decided for the room
    "approved": "won",
    "paid": "won",
    "released": "released",
}
"""What a room is told of a hit in each state; of others nothing."""


class PoolState(Struct, frozen=True):
    """A pool as shown.

    The ages say how long ago this server saw its last fall and its epoch begin, `epoch_cents` what it then stood at, or
    its seed, where a prize was taken from it before it was seen; they are null where that was before this server began
    to listen. `corrected_commit` is that of the last fall that corrected the amount, whatever fell since, 0 where none
    did.
    """

    pool: str
    epoch: int
    cents: str
    last_fall_commit: int
    last_fall_cause: str
    fall_age_ms: int | None
    corrected_commit: int
    corrected_age_ms: int | None
    epoch_age_ms: int | None
    epoch_cents: str | None


class HitState(Struct, frozen=True):
    """A hit as it stands; `stage_age_ms` is how long ago this server saw its stage begin, null as with pools."""

    hit: str
    table: str
    pool: str
    prize: str
    state: str
    stage: str
    stage_age_ms: int | None
    amount_cents: str
    commit: int


class State(Struct, frozen=True):
    """A link as a board shows it.

    `age_ms` is how long ago it came over Redis; null before the first, and for the retained copy, which was never live.
    `sent_ms` is the server's own elapsed time, compared with its earlier ones only.
    """

    link: str
    status: str
    generation: int
    commit: int
    terms: str
    month: str
    pools: list[PoolState]
    pays: list[PaysNow]
    hits: list[HitState]
    age_ms: int | None
    sent_ms: int
    page: str


class Beat(Struct, frozen=True):
    """The connection is alive; how old the state is that was sent last."""

    age_ms: int | None
    sent_ms: int


def event(name: str, data: Struct) -> bytes:
    r"""Return one server-sent event.

    >>> event("beat", Beat(12, 340))
    b'event: beat\ndata: {"age_ms":12,"sent_ms":340}\n\n'
    """
    return b"event: %s\ndata: %s\n\n" % (name.encode(), msgspec.json.encode(data))


@dataclass(frozen=True, slots=True)
class _Since:
    """When something was first heard of, on the server's elapsed clock, and what its pool stood at."""

    at_ms: int
    cents: int


@dataclass(slots=True)
class Feed:
    """The newest of one link, and who is to be woken when it changes."""

    link: str
    page: str
    """The version of the page's assets: a page that was loaded with another is loaded anew."""
    terms: Callable[[str], Terms | None]
    """The terms of a fingerprint (empty: those in force)."""
    heard: Heard | None = None
    number: int = 0
    state_event: bytes = b""
    beat_number: int = 0
    beat_event: bytes = b""
    sign: Sign | None = None
    sign_event: bytes = b""
    readers: set[asyncio.Event] = field(default_factory=set)
    told: Told = field(default_factory=Told)
    """What boards that show something may be showing."""
    _generation: int | None = None
    """The life of the ledger that is spoken of."""
    _since: dict[str, _Since | None] = field(default_factory=dict)
    """What the newest snapshot speaks of, and since when; None for what the first one spoke of already."""

    def take(self, heard: Heard) -> None:
        """Take what came over Redis and wake every reader."""
        self._remember(heard)
        self.heard = heard
        self.told.take(heard.snapshot, heard.at_ms, live=heard.live)
        self._see_terms(heard.snapshot.terms)
        self.number += 1
        self.state_event = event("state", self.state(heard.at_ms))
        self._wake()

    def beat(self, now_ms: int) -> None:
        """Tell every reader that its connection is alive."""
        self.beat_number += 1
        self.beat_event = event("beat", Beat(self._age(now_ms), now_ms))
        self._wake()

    def first(self, now_ms: int) -> bytes:
        """Return what a new reader is told at once: the sign, and the current state."""
        if self.sign is None:
            self._see_terms("")
        return b"retry: 1000\n\n" + self.sign_event + event("state", self.state(now_ms))

    def state(self, now_ms: int) -> State:
        """Return the current state; before the first snapshot there is none, and no amounts."""
        if self.heard is None:
            return State(self.link, "unknown", 0, 0, "", "", [], [], [], None, now_ms, self.page)
        snapshot = self.heard.snapshot
        terms = self.terms(snapshot.terms)
        return State(
            link=self.link,
            status=snapshot.status,
            generation=snapshot.generation,
            commit=snapshot.commit,
            terms=snapshot.terms,
            month=snapshot.month,
            pools=[self._pool(pool, now_ms, terms) for pool in snapshot.pools],
            pays=pays_now(terms, {pool.pool: pool.cents for pool in snapshot.pools}) if terms else [],
            hits=[self._hit(hit, now_ms) for hit in snapshot.hits],
            age_ms=self._age(now_ms),
            sent_ms=now_ms,
            page=self.page,
        )

    def _remember(self, heard: Heard) -> None:
        """Note since when each fall, epoch and stage stands, for as long as the link speaks of it."""
        snapshot = heard.snapshot
        if not snapshot.pools:
            return  # the ledger is away, or has gone back: it speaks of nothing, what is remembered stands
        spoken = {name(pool): pool.cents for pool in snapshot.pools for name in (_fall_of, _correction_of, _epoch_of)}
        spoken |= {_stage_of(hit): 0 for hit in snapshot.hits}
        begun = self._generation == snapshot.generation  # another life of the ledger is news, but nothing in it is
        self._generation = snapshot.generation
        self._since = {
            name: self._since[name] if name in self._since else _Since(heard.at_ms, cents) if begun else None
            for name, cents in spoken.items()
        }

    def _pool(self, pool: PoolShown, now_ms: int, terms: Terms | None) -> PoolState:
        fall, epoch = self._since.get(_fall_of(pool)), self._since.get(_epoch_of(pool))
        corrected = self._since.get(_correction_of(pool)) if pool.corrected else None
        seed_cents = next((one.seed_cents for one in terms.pools if one.name == pool.pool), 0) if terms else 0
        return PoolState(
            pool=pool.pool,
            epoch=pool.epoch,
            cents=str(pool.cents),
            last_fall_commit=pool.last_fall_commit,
            last_fall_cause=pool.cause,
            fall_age_ms=now_ms - fall.at_ms if fall else None,
            corrected_commit=pool.corrected,
            corrected_age_ms=now_ms - corrected.at_ms if corrected else None,
            epoch_age_ms=now_ms - epoch.at_ms if epoch else None,
            epoch_cents=str(max(epoch.cents, seed_cents)) if epoch else None,
        )

    def _hit(self, hit: HitShown, now_ms: int) -> HitState:
        stage = self._since.get(_stage_of(hit))
        return HitState(
            hit=hit.hit,
            table=hit.table,
            pool=hit.hit.rpartition("/")[2],
            prize=hit.prize,
            state=hit.state,
            stage=STAGES.get(hit.state, ""),
            stage_age_ms=now_ms - stage.at_ms if stage else None,
            amount_cents=str(hit.amount_cents),
            commit=hit.commit,
        )

    def _age(self, now_ms: int) -> int | None:
        return now_ms - self.heard.at_ms if self.heard is not None and self.heard.live else None

    def _see_terms(self, fingerprint: str) -> None:
        if self.sign is not None and self.sign.terms == fingerprint:
            return
        terms = self.terms(fingerprint)
        if terms is not None:
            self.sign = sign_of(terms)
            self.sign_event = event("terms", self.sign)

    def _wake(self) -> None:
        for reader in self.readers:
            reader.set()


def _fall_of(pool: PoolShown) -> str:
    return f"{pool.pool} fall {pool.last_fall_commit}"


def _correction_of(pool: PoolShown) -> str:
    return f"{pool.pool} correction {pool.corrected}"


def _epoch_of(pool: PoolShown) -> str:
    return f"{pool.pool} epoch {pool.epoch}"


def _stage_of(hit: HitShown) -> str:
    return f"{hit.hit} {STAGES.get(hit.state, '')}"
