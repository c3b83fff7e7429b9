"""What the server counts and shows Prometheus: every family of `jackpot.telemetry.families`, each fed in one place.

Counts come from what was posted (`jackpot.core.posting.Posted`) and from the edges; where a link stands is worked out
when somebody asks. Strangers make no series (case 36): what is labelled is a link or a table that the ledger has, or a
member of a closed list.
"""

import time
from collections.abc import Callable, Iterable, Mapping
from importlib.metadata import version
from typing import Literal

from prometheus_client import CollectorRegistry

from jackpot.core.decide import VERSION as DECIDE
from jackpot.core.facts import Fact
from jackpot.core.ports import Batch
from jackpot.core.posting import Posted
from jackpot.core.state import LinkState
from jackpot.serving.metrics import Declared, new_registry, request_seconds
from jackpot.telemetry.families import CHANGES, FAMILIES, IGNORED, MESSAGES, STATUSES, TASKS
from jackpot.telemetry.ledger import Audits, Postgres, Posting
from jackpot.telemetry.money import Money
from jackpot.telemetry.standing import Connected, Remembered, Standing, won_now
from jackpot.wire.codec import VERSION as PROTOCOL
from jackpot.wire.ids import HitKey
from jackpot.wire.refusals import Refusal

__all__ = ["MESSAGES", "PROGRAM_VERSION", "STATUSES", "Connected", "Telemetry"]

PROGRAM_VERSION = version("progressive-jackpot")
US = 1_000_000
NOBODY: Mapping[str, Connected] = {}


class Telemetry:
    """All families of one server, on a registry of its own."""

    def __init__(self, registry: CollectorRegistry | None = None, *, now_us: Callable[[], int] | None = None) -> None:
        """Declare the families on a registry, a new one where none is given; `now_us` is the time of day."""
        self.registry = registry or new_registry()
        self._now_us = now_us or (lambda: time.time_ns() // 1_000)
        declared = Declared(FAMILIES, self.registry)
        counter, gauge, spread = declared.counter, declared.gauge, declared.spread
        self.requests = request_seconds("jackpot", self.registry)
        self.money = Money(declared)
        self.standing = Standing(declared)
        self.status = gauge("jackpot_link_status")
        self.changed = gauge("jackpot_last_change_timestamp_seconds")
        self.posting = Posting(declared)
        self.postgres = Postgres(declared)
        self.audits = Audits(declared, self._now_us())
        # --- tables
        self.tables_connected = gauge("jackpot_tables_connected")
        self.tables_ejected = counter("jackpot_tables_ejected_total")
        self.takeovers = counter("jackpot_takeovers_total")
        self.frames = counter("jackpot_frames_total")
        self.frames_bad = counter("jackpot_frames_bad_total")
        self.frames_of = {kind: self.frames.labels(kind) for kind in (*MESSAGES, "other")}
        """The series of each kind of frame, found once and not with each frame."""
        # --- boards and broadcast
        self.boards_connected = gauge("jackpot_boards_connected")
        self.boards_reporting = gauge("jackpot_boards_reporting")
        self.boards_stale = gauge("jackpot_boards_stale")
        self.boards_wrong = gauge("jackpot_boards_wrong")
        self.screen_silent = gauge("jackpot_screen_silent_seconds")
        self.boards_dropped = counter("jackpot_boards_dropped_total")
        self.snapshot_age = gauge("jackpot_snapshot_age_seconds")
        self.publish_seconds = spread("jackpot_publish_seconds")
        self.read_back_seconds = spread("jackpot_read_back_seconds")
        self.display_seconds = spread("jackpot_display_seconds")
        self.redis_up = gauge("jackpot_redis_up")
        self.redis_reconnects = counter("jackpot_redis_reconnects_total")
        self.redis_failures = counter("jackpot_redis_failures_total")
        self.snapshots_published = counter("jackpot_snapshots_published_total")
        self.snapshots_ignored = counter("jackpot_snapshots_ignored_total")
        # --- the process
        self.build_info = gauge("jackpot_build_info")
        self.ready = gauge("jackpot_ready")
        self.loop_lag = spread("jackpot_event_loop_lag_seconds")
        self.certificate_ends_at = gauge("jackpot_tls_certificate_expiry_timestamp_seconds")
        self.task_failures = counter("jackpot_task_failures_total")
        self._links: dict[str, Remembered] = {}
        self._terms: dict[str, str] = {}
        self._status: dict[str, str] = {}
        self._begin()

    def _begin(self) -> None:
        """Show from the start what has one series in each process, at nought."""
        self.certificate_ends_at.set(float("inf"))
        for task in TASKS:
            self.task_failures.labels(task)
        self.build_info.labels(PROGRAM_VERSION, str(DECIDE), str(PROTOCOL)).set(1)
        for kind in (*MESSAGES, "other"):
            self.frames_bad.labels(kind)
        for reason in IGNORED:
            self.snapshots_ignored.labels(reason)

    def opened(self, link: str) -> None:
        """Show a link's series from its first moment, at nought."""
        self._links[link] = Remembered(self._now_us(), {}, {})
        self.money.opened(link)
        self.posting.opened(link)
        for code in ("replaced", "terms_differ", "quarantined", "not_enrolled", "hello_again", "round_amended"):
            self.tables_ejected.labels(link, code)
        for counter in (self.takeovers, self.boards_dropped, self.redis_failures, self.snapshots_published):
            counter.labels(link)
        for gauge in (self.tables_connected, self.boards_connected, self.boards_reporting):
            gauge.labels(link)
        for gauge in (self.boards_stale, self.boards_wrong):
            gauge.labels(link)
        for spread in (self.publish_seconds, self.read_back_seconds, self.display_seconds):
            spread.of(link)
        for change in CHANGES:
            self.changed.labels(link, change)
        self._change(link, "began")
        self.says(link, "")

    def says(self, link: str, status: str) -> None:
        """Show a link's status: 1 for the one it has, 0 for the others."""
        for each in STATUSES:
            self.status.labels(link, each).set(each == status)
        if self._status.get(link) and status:
            self._change(link, "status")
        self._status[link] = status

    def posted(self, link: str, posted: Posted, waiting: int) -> None:
        """Count one turn of the posting coroutine."""
        self.posting.posted(link, posted, waiting)
        if posted.again == "fence":
            self._change(link, "takeover")
        self.facts(link, posted.facts)
        if posted.batch is not None:
            self._wrote(link, posted.batch)
        remembered = self._links.get(link)
        if remembered is not None:
            for fact in posted.facts:
                if fact.kind in {"recorded", "voided"}:
                    remembered.ended_us[fact.table] = posted.ended_us
        self._see_terms(link, posted.state)

    def wrote(self, link: str) -> Callable[[Literal["written", "unknown", "refused", "stopped"], float], None]:
        """Return who counts what became of a link's statements that commit, and how many seconds they took."""
        posting, written = self.posting, self.posting.commit_seconds.of(link)
        counters = {
            "unknown": posting.outcomes_unknown.labels(link),
            "refused": posting.batches_refused.labels(link),
            "stopped": posting.invariant_stops.labels(link),
        }

        def wrote(became: Literal["written", "unknown", "refused", "stopped"], took_s: float) -> None:
            if became == "written":
                written.observe(took_s)
            else:
                counters[became].inc()

        return wrote

    def kept_aside(self, counts: Mapping[str, int]) -> None:
        """Show how many commands each link keeps aside; a link that is not named keeps none."""
        for link in self._links:
            self.posting.kept_aside.labels(link).set(counts.get(link, 0))

    def task_failed(self, name: str) -> None:
        """Count a part of the server that failed and is begun again."""
        self.task_failures.labels(name).inc()

    def facts(self, link: str, facts: Iterable[Fact]) -> None:
        """Count what happened in a batch."""
        self.money.facts(link, facts)

    def put_off(self, link: str, refusal: Refusal) -> None:
        """Count a later refusal that nothing was decided for; a command kept aside is an alarm too."""
        self.money.refusals.labels(link, refusal.code).inc()
        if refusal is Refusal.KEPT_ASIDE:
            self.alarm(link, refusal.code)

    def alarm(self, link: str, kind: str) -> None:
        """Count a fact that somebody must look at; its kind is one of `families.ALARMS`."""
        self.money.alarms.labels(link, kind).inc()

    def overtaken(self, link: str) -> None:
        """Note that another process has posted."""
        self._change(link, "takeover")

    def stands(self, link: str, state: LinkState, connected: Mapping[str, Connected] = NOBODY) -> None:
        """Show where a link stands, and its tables. Called when somebody asks, not at each commit."""
        remembered = self._links.setdefault(link, Remembered(self._now_us(), {}, {}))
        remembered.forget(state)
        self.money.stands(link, state)
        self.standing.show(state, remembered, connected, self._now_us())
        self._see_terms(link, state)

    def displayed(self, link: str, state: LinkState, furthest: tuple[int, int] | None) -> None:
        """Show how long a win is on no board; `furthest` is how far any of them has come, None where none says so."""
        remembered = self._links.setdefault(link, Remembered(self._now_us(), {}, {}))
        self.standing.displayed(state, remembered, furthest, self._now_us())

    def unknown_wins(self, link: str, state: LinkState) -> Mapping[HitKey, int]:
        """Return the hits that wait and of which it is not known here when they were won, with their commits."""
        remembered = self._links.get(link)
        return {} if remembered is None else dict(won_now(state, remembered))

    def won(self, link: str, times_us: Mapping[HitKey, int]) -> None:
        """Take when hits were won, as the ledger has it."""
        self._links[link].won_us.update(times_us)

    def audited(self, outcome: str, took_s: float, differences: int, commits: Mapping[str, int]) -> None:
        """Show how an audit ended (`families.AUDITS`): how far it came on each link, and what it found."""
        here = {link: commit for link, commit in commits.items() if link in self._links}
        self.audits.audited(outcome, took_s, differences, here, self._now_us())

    def refresh(self) -> None:
        """Bring ages up to now that belong to no link."""
        self.audits.refresh(self._now_us())

    def certificate_ends(self, at_s: int) -> None:
        """Show until when (seconds since 1970) the certificate holds that is shown to tables and boards."""
        self.certificate_ends_at.set(at_s)

    def _wrote(self, link: str, batch: Batch) -> None:
        self.money.entries(link, batch.rows.entries)
        if batch.rows.hits and link in self._links:
            self._links[link].posted(batch)

    def _see_terms(self, link: str, state: LinkState) -> None:
        fingerprint = state.terms.fingerprint if state.terms is not None else ""
        before = self._terms.get(link)
        if before != fingerprint:
            self._terms[link] = fingerprint
            if before:
                self._change(link, "terms")

    def _change(self, link: str, change: str) -> None:
        self.changed.labels(link, change).set(self._now_us() / US)
