"""How the ledger does: how batches become durable, what Postgres says of itself, what the last audit found."""

from collections.abc import Mapping
from typing import Final

from jackpot.core.posting import Posted
from jackpot.serving.metrics import Declared
from jackpot.telemetry.families import AUDITS

__all__ = ["Audits", "Postgres", "Posting"]

US: Final = 1_000_000


class Posting:
    """The families of posting."""

    def __init__(self, declared: Declared) -> None:
        """Put them on the registry."""
        counter, gauge, spread = declared.counter, declared.gauge, declared.spread
        self.queue = gauge("jackpot_queue")
        self.queue_age = gauge("jackpot_queue_oldest_age_seconds")
        self.under_way = gauge("jackpot_batch_under_way_seconds")
        self.batch_commands = spread("jackpot_batch_commands")
        self.batch_seconds = spread("jackpot_batch_seconds")
        self.commit_seconds = spread("jackpot_commit_seconds")
        self.batch_bytes = counter("jackpot_batch_bytes_total")
        self.decided_again = counter("jackpot_batches_decided_again_total")
        self.outcomes_unknown = counter("jackpot_outcomes_unknown_total")
        self.batches_refused = counter("jackpot_batches_refused_total")
        self.kept_aside = gauge("jackpot_kept_aside")
        self.invariant_stops = counter("jackpot_invariant_stops_total")
        self.answer_seconds = spread("jackpot_answer_seconds")

    def opened(self, link: str) -> None:
        """Show a link's series from its first moment, at nought."""
        for reason in ("fence", "unknown"):
            self.decided_again.labels(link, reason)
        for counter in (self.batch_bytes, self.outcomes_unknown, self.batches_refused, self.invariant_stops):
            counter.labels(link)
        for gauge in (self.queue, self.queue_age, self.under_way, self.kept_aside):
            gauge.labels(link)
        for spread in (self.batch_commands, self.batch_seconds, self.commit_seconds, self.answer_seconds):
            spread.of(link)

    def posted(self, link: str, posted: Posted, waiting: int) -> None:
        """Count one turn of the posting coroutine, after which so many commands wait."""
        self.batch_commands.of(link).observe(posted.commands)
        self.batch_seconds.of(link).observe((posted.ended_us - posted.started_us) / US)
        self.batch_bytes.labels(link).inc(posted.bytes)
        self.queue.labels(link).set(waiting)
        if posted.again:
            self.decided_again.labels(link, posted.again).inc()

    def stands(self, link: str, waiting: int, oldest_s: float, under_way_s: float) -> None:
        """Show what waits now, how long the oldest of it does, and for how long a batch is in hand."""
        self.queue.labels(link).set(waiting)
        self.queue_age.labels(link).set(oldest_s)
        self.under_way.labels(link).set(under_way_s)


class Postgres:
    """What Postgres says of itself; sizes and numbers are of the whole database."""

    def __init__(self, declared: Declared) -> None:
        """Put the families on the registry."""
        gauge = declared.gauge
        self.up = gauge("jackpot_postgres_up")
        self.durable = gauge("jackpot_postgres_durable")
        self._connections = declared.shown("jackpot_postgres_connections")
        self._connections_limit = declared.shown("jackpot_postgres_connections_limit")
        self._database_bytes = declared.shown("jackpot_postgres_database_bytes")
        self._disk_free = declared.shown("jackpot_disk_free_bytes")
        self._disk = declared.shown("jackpot_disk_bytes")

    def seen(self, size: int, connections: int, limit: int) -> None:
        """Show how large the database is, how many connections it has, and how many it may have."""
        self._database_bytes.show("", [((), size)])
        self._connections.show("", [((), connections)])
        self._connections_limit.show("", [((), limit)])

    def unseen(self) -> None:
        """Show nothing of the database, since it was not seen: an old figure would be taken for how it stands."""
        for family in (self._database_bytes, self._connections, self._connections_limit):
            family.show("", [])

    def disk(self, free: int, size: int) -> None:
        """Show how much is free on the disk of the data folder."""
        self._disk_free.show("", [((), free)])
        self._disk.show("", [((), size)])


class Audits:
    """What the server's own audits found."""

    def __init__(self, declared: Declared, now_us: int) -> None:
        """Put the families on the registry; until the first audit their age counts from now."""
        self.age = declared.gauge("jackpot_audit_age_seconds")
        self.interval = declared.gauge("jackpot_audit_interval_seconds")
        self.took = declared.gauge("jackpot_audit_seconds")
        self.differences = declared.gauge("jackpot_audit_differences")
        self.commit = declared.gauge("jackpot_audit_commit")
        self.ended = declared.counter("jackpot_audits_total")
        self._succeeded_us = now_us
        for outcome in AUDITS:
            self.ended.labels(outcome)

    def audited(self, outcome: str, took_s: float, differences: int, commits: Mapping[str, int], now_us: int) -> None:
        """Show how an audit ended (`families.AUDITS`): how far it came on each link, and what it found."""
        self.ended.labels(outcome).inc()
        self.took.set(took_s)
        if outcome == "failed":
            return
        self.differences.set(differences)
        for link, commit in commits.items():
            self.commit.labels(link).set(commit)
        if outcome == "ok":
            self._succeeded_us = now_us

    def refresh(self, now_us: int) -> None:
        """Bring the age up to now."""
        self.age.set((now_us - self._succeeded_us) / US)
