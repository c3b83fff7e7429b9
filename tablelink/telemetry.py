"""What a table agent counts, for Prometheus: the families of `tablelink.families`, each fed in one place.

Labels are the tables of this process and closed lists: neither strangers nor a server can add to them.
**Never** holds a card or a seat (case 51).
"""

import os
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Final, Protocol

from aiohttp import web
from prometheus_client import CollectorRegistry

from jackpot.serving.application import new_application
from jackpot.serving.metrics import Declared, bounded, exposition, new_registry, request_seconds
from jackpot.wire.codec import VERSION as PROTOCOL
from jackpot.wire.refusals import REFUSALS
from tablelink.core.dealing import Dealing
from tablelink.core.inputs import Post
from tablelink.core.ladder import RUNGS, Rung
from tablelink.core.mirror import REASONS, Mirror, Verdict
from tablelink.families import FAMILIES

__all__ = ["TableNow", "Telemetry", "application", "count_step"]

CODES: Final = frozenset({*REFUSALS, "wrong_key", "no_protocol", "bad_frame", "hello_again"})
"""What a server may say no with."""
NOUGHT: Final = (
    ("tablelink_rounds_total", ("recorded", "voided")),
    ("tablelink_jackpot_seats_total", ("accepted", "refused", "withdrawn")),
    ("tablelink_hellos_total", ("welcome", "refused")),
    ("tablelink_hellos_refused_total", ("terms_differ", "settings_differ", "quarantined", "no_word", "wrong_key")),
    ("tablelink_ejections_total", ("terms_differ", "quarantined", "not_enrolled", "hello_again")),
    ("tablelink_put_off_total", ("busy", "ledger_unreachable", "link_stopped", "kept_aside", "bad_frame")),
)
"""Series of each table that are there before anything happened: what was never counted is not absent."""
SECOND_US: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class TableNow:
    """A table as it stands."""

    session_up: bool
    closed: Collection[str]
    """Why its jackpot is closed, by the names of `tablelink.core.mirror.REASONS`."""
    step: Rung
    """How far it is from all being well."""
    unanswered: int
    oldest: str
    """The message that is first in line; nothing where none waits."""
    open_hits: int
    spool: Path


class Telemetry:
    """The families of the tables of one process."""

    def __init__(self, registry: CollectorRegistry | None = None, now: Callable[[], float] = time.monotonic) -> None:
        """Put them on a registry, a new one where none is given; `now` is elapsed time in seconds."""
        self.registry = new_registry() if registry is None else registry
        self._now = now
        declared = Declared(FAMILIES, self.registry)
        counter, gauge = declared.counter, declared.gauge
        self._nought = {name: counter(name) for name, _values in NOUGHT}
        self.rounds = self._nought["tablelink_rounds_total"]
        self.seats = self._nought["tablelink_jackpot_seats_total"]
        self.hellos = self._nought["tablelink_hellos_total"]
        self._hellos_refused = self._nought["tablelink_hellos_refused_total"]
        self._ejections = self._nought["tablelink_ejections_total"]
        self._put_off = self._nought["tablelink_put_off_total"]
        self.played_on = counter("tablelink_played_on_total")
        self.approvals = counter("tablelink_approvals_total")
        self.sessions_lost = counter("tablelink_sessions_lost_total")
        self.late_answers = counter("tablelink_late_answers_total")
        self.answer_seconds = declared.spread("tablelink_answer_seconds").of()
        self.running = gauge("tablelink_table_running")
        self.open = gauge("tablelink_jackpot_open")
        self.closed = gauge("tablelink_jackpot_closed")
        self.degraded = gauge("tablelink_degraded")
        self.session_up = gauge("tablelink_session_up")
        self.unanswered = gauge("tablelink_messages_unanswered")
        self.oldest_age = gauge("tablelink_unanswered_oldest_age_seconds")
        self.open_hits = gauge("tablelink_open_hits")
        self.spool_bytes = gauge("tablelink_spool_bytes")
        self.disk_free = gauge("tablelink_disk_free_bytes")
        self.mirror_fresh = gauge("tablelink_mirror_fresh")
        self.mirror_age = declared.shown("tablelink_mirror_age_seconds")
        self.snapshots = counter("tablelink_snapshots_total")
        self.snapshots_missed = counter("tablelink_snapshots_missed_total")
        self.subscriptions_lost = counter("tablelink_subscriptions_lost_total")
        self.loop_lag = declared.spread("tablelink_event_loop_lag_seconds").of()
        gauge("tablelink_build_info").labels(version("progressive-jackpot"), str(PROTOCOL)).set(1)
        self._looks: dict[str, Callable[[], TableNow]] = {}
        self._mirrors: dict[str, tuple[Mirror, Callable[[], int]]] = {}
        self._first: dict[str, tuple[str, float]] = {}
        self._asked: dict[str, float] = {}

    def runs(self, table: str, look: Callable[[], TableNow]) -> None:
        """Show a table from now on; `look` says how it stands whenever somebody asks."""
        for name, values in NOUGHT:
            for value in values:
                self._nought[name].labels(table, value)
        for family in (self.played_on, self.approvals, self.sessions_lost, self.late_answers):
            family.labels(table)
        self.running.labels(table).set(1)
        self._looks[table] = look

    def ended(self, table: str, *, failed: bool = False) -> None:
        """Look at a table no more; one that failed is shown as not running, and keeps what was shown last."""
        self._looks.pop(table, None)
        if failed:
            self.running.labels(table).set(0)

    def mirrors(self, link: str, mirror: Mirror, now_us: Callable[[], int]) -> None:
        """Show how fresh a link's meter is, from now on, by the clock that its mirror is given."""
        self._mirrors[link] = (mirror, now_us)
        for verdict in Verdict:
            self.snapshots.labels(link, verdict.value)
        self.snapshots_missed.labels(link)
        self.subscriptions_lost.labels(link)

    def stands(self, table: str, now: TableNow) -> None:
        """Show how a table stands, as far as it changes with what happens."""
        self.session_up.labels(table).set(now.session_up)
        self.open.labels(table).set(not now.closed)
        self.unanswered.labels(table).set(now.unanswered)
        self.open_hits.labels(table).set(now.open_hits)
        if self._first.get(table, ("", 0.0))[0] != now.oldest:
            self._first[table] = (now.oldest, self._now())

    def refresh(self) -> None:
        """Bring every gauge up to now that is worked out when somebody asks."""
        for table, look in tuple(self._looks.items()):
            now = look()
            self.stands(table, now)
            for reason in REASONS:
                self.closed.labels(table, reason).set(reason in now.closed)
            for step in RUNGS:
                self.degraded.labels(table, step).set(step == now.step)
            oldest, since = self._first.get(table, ("", 0.0))  # nothing has waited yet
            self.oldest_age.labels(table).set(self._now() - since if oldest else 0)
            self._disk(table, now.spool)
        for link, (mirror, now_us) in self._mirrors.items():
            at_us = now_us()
            age_us = mirror.age_us(at_us)
            self.mirror_fresh.labels(link).set(mirror.fresh(at_us))
            self.mirror_age.show(link, [] if age_us is None else [((link,), age_us / SECOND_US)])

    def refused(self, table: str, code: str) -> None:
        """Count a hello that was refused."""
        self._hellos_refused.labels(table, bounded(code, CODES)).inc()

    def ejected(self, table: str, code: str) -> None:
        """Count that the server says the table is linked no more."""
        self._ejections.labels(table, bounded(code, CODES)).inc()

    def put_off(self, table: str, code: str) -> None:
        """Count a message that the server put off."""
        self._put_off.labels(table, bounded(code, CODES)).inc()

    def asked(self, table: str) -> None:
        """Note that wagers are in the spool."""
        self._asked[table] = self._now()

    def answered(self, table: str) -> None:
        """Count how long the answer to the wagers took, until it was in the spool."""
        since = self._asked.pop(table, None)
        if since is not None:
            self.answer_seconds.observe(self._now() - since)

    def _disk(self, table: str, spool: Path) -> None:
        """Show the spool's size, and what is free for it; a spool that is gone is told by what the table then says."""
        size = sum(part.stat().st_size for part in spool.parent.glob(f"{spool.name}*") if part.is_file())
        self.spool_bytes.labels(table).set(size)
        free = os.statvfs(spool.parent)
        self.disk_free.labels(table).set(free.f_bavail * free.f_frsize)


def count_step(telemetry: Telemetry, table: str, before: Dealing, after: Dealing, posts: Sequence[Post]) -> None:
    """Count what a step has brought about."""
    for post in posts:
        kind = post.id.rsplit("/", 2)[1]
        if kind == "wagers":
            telemetry.asked(table)
        if post.ends_round:
            telemetry.rounds.labels(table, "voided" if kind == "void" else "recorded").inc()
        if kind == "withdraw" and before.round is not None:
            placed = sum(seat.plays_jackpot for seat in before.round.seats)
            telemetry.seats.labels(table, "withdrawn").inc(placed)
    by_people = after.last.amended if after.last is not None else ()
    if by_people and before.round is not None and after.round is None and not any(post.ends_round for post in posts):
        telemetry.rounds.labels(table, "recorded" if by_people[-1].act == "record" else "voided").inc()
    if after.without is not None and before.without is None:
        telemetry.approvals.labels(table).inc()
    if before.round is not None and after.round is not None and after.round.answered and not before.round.answered:
        telemetry.answered(table)
        telemetry.seats.labels(table, "accepted").inc(len(after.round.accepted))
        telemetry.seats.labels(table, "refused").inc(len(after.round.refused))


class Shown(Protocol):
    """What is counted, on its registry."""

    registry: CollectorRegistry

    def refresh(self) -> None:
        """Bring every gauge up to now that is worked out when somebody asks."""


def application(telemetry: Shown) -> web.Application:
    """Return what an agent serves beside its console: `/metrics` and `/healthz`."""
    app = new_application(request_seconds("tablelink", telemetry.registry), quiet=lambda _route: True)

    async def metrics(_request: web.Request) -> web.Response:
        telemetry.refresh()
        return await exposition(telemetry.registry)

    async def healthz(_request: web.Request) -> web.Response:
        return web.Response(text="ok\n", headers={"Cache-Control": "no-store"})

    app.router.add_get("/metrics", metrics)
    app.router.add_get("/healthz", healthz)
    return app
