"""What a table agent counts, for Prometheus. Labels are the tables of this process: strangers cannot add to them.

**Never** holds a card or a seat (case 51).
"""

from collections.abc import Sequence

from aiohttp import web
from prometheus_client import CollectorRegistry, Counter, Gauge

from jackpot.serving.application import new_application
from jackpot.serving.metrics import exposition, new_registry, request_seconds
from tablelink.core.dealing import Dealing
from tablelink.core.inputs import Post

__all__ = ["Telemetry", "application", "count_step"]


class Telemetry:
    """The families of the tables of one process."""

    def __init__(self, registry: CollectorRegistry | None = None) -> None:
        """Declare them in a registry, a new one where none is given."""
        self.registry = new_registry() if registry is None else registry
        self.rounds = self._counter("rounds", "Rounds that ended, by how.", "ended")
        self.seats = self._counter("jackpot_seats", "Jackpot wagers, by what became of them at the table.", "became")
        self.put_off = self._counter("put_off", "Messages that the server put off, by its code.", "code")
        self.hellos = self._counter("hellos", "Hellos that the server heard, by its word.", "word")
        self.late_answers = self._counter("late_answers", "Answers that came after a withdrawal.")
        self.open = self._gauge("jackpot_open", "1 while the table's jackpot is open.")
        self.session_up = self._gauge("session_up", "1 while the server has welcomed this table.")
        self.unanswered = self._gauge("messages_unanswered", "Messages in the spool without an answer.")
        self.open_hits = self._gauge("open_hits", "Hits of this table that are not paid out.")
        self.snapshots = Counter(
            "tablelink_snapshots",
            "Snapshots that came, by what became of them.",
            ("link", "became"),
            registry=self.registry,
        )
        self.snapshots_missed = Counter(
            "tablelink_snapshots_missed", "Snapshots that were sent and never came.", ("link",), registry=self.registry
        )
        self.subscriptions_lost = Counter(
            "tablelink_subscriptions_lost",
            "Subscriptions that ended and were made again.",
            ("link",),
            registry=self.registry,
        )

    def _counter(self, name: str, words: str, *labels: str) -> Counter:
        return Counter(f"tablelink_{name}", words, ("table", *labels), registry=self.registry)

    def _gauge(self, name: str, words: str) -> Gauge:
        return Gauge(f"tablelink_{name}", words, ("table",), registry=self.registry)


def count_step(telemetry: Telemetry, table: str, before: Dealing, after: Dealing, posts: Sequence[Post]) -> None:
    """Count what a step has brought about."""
    for post in posts:
        kind = post.id.rsplit("/", 2)[1]
        if post.ends_round:
            telemetry.rounds.labels(table, "voided" if kind == "void" else "recorded").inc()
        if kind == "withdraw" and before.round is not None:
            placed = sum(seat.plays_jackpot for seat in before.round.seats)
            telemetry.seats.labels(table, "withdrawn").inc(placed)
    if before.round is not None and after.round is not None and after.round.answered and not before.round.answered:
        telemetry.seats.labels(table, "accepted").inc(len(after.round.accepted))
        telemetry.seats.labels(table, "refused").inc(len(after.round.refused))


def application(telemetry: Telemetry) -> web.Application:
    """Return what an agent serves beside its console: `/metrics` and `/healthz`."""
    app = new_application(request_seconds("tablelink", telemetry.registry), quiet=lambda _route: True)

    async def metrics(_request: web.Request) -> web.Response:
        return await exposition(telemetry.registry)

    async def healthz(_request: web.Request) -> web.Response:
        return web.Response(text="ok\n", headers={"Cache-Control": "no-store"})

    app.router.add_get("/metrics", metrics)
    app.router.add_get("/healthz", healthz)
    return app
