"""What boards are told: the link's newest state, as named events. One encoding for all boards, a queue for none.

A reader that falls behind gets the newest state when it reads again, not what it missed (case 31).
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

import msgspec
from msgspec import Struct

from jackpot.core.ports import Heard
from jackpot.web.sign import PaysNow, Sign, pays_now, sign_of
from rules.terms import Terms

__all__ = ["Feed", "State", "event"]


class PoolState(Struct, frozen=True):
    """A pool as shown."""

    pool: str
    epoch: int
    cents: str
    last_fall_commit: int
    last_fall_cause: str


class HitState(Struct, frozen=True):
    """A hit as it stands."""

    hit: str
    table: str
    prize: str
    state: str
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

    def take(self, heard: Heard) -> None:
        """Take what came over Redis and wake every reader."""
        self.heard = heard
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
            pools=[
                PoolState(pool.pool, pool.epoch, str(pool.cents), pool.last_fall_commit, pool.last_fall_cause)
                for pool in snapshot.pools
            ],
            pays=pays_now(terms, {pool.pool: pool.cents for pool in snapshot.pools}) if terms else [],
            hits=[
                HitState(hit.hit, hit.table, hit.prize, hit.state, str(hit.amount_cents), hit.commit)
                for hit in snapshot.hits
            ],
            age_ms=self._age(now_ms),
            sent_ms=now_ms,
            page=self.page,
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
