"""What the server counts: every family is declared here, once, with labels that are known before anybody connects.

Values come from what was posted (`jackpot.core.posting.Posted`) and from the edges; strangers make no series (case 36).
"""

from collections import Counter as Counts
from collections.abc import Iterable
from dataclasses import dataclass, field

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from jackpot.core.accounts import MICROCENTS, NOTHING, pool_account
from jackpot.core.facts import Fact
from jackpot.core.hits import MOVES
from jackpot.core.posting import Posted
from jackpot.core.state import LinkState
from jackpot.serving.metrics import bounded, new_registry, request_seconds
from jackpot.wire.refusals import REFUSALS, Refusal

__all__ = ["STATUSES", "Telemetry"]

STATUSES = ("running", "stopped", "ledger_unreachable")
"""What a link can be, as snapshots say it."""
ALARMS = ("gap", "disputed", "quarantined", "stale_display", "hello_refused", "id_reused", "kept_aside")
"""Facts somebody must look at."""
IGNORED = ("unreadable", "signature", "replayed", "older")
"""Why a snapshot that came over Redis was not taken."""
PRIZES = ("royal_flush", "straight_flush", "four_of_a_kind", "full_house", "flush")
MESSAGES = ("hello", "ask", "signed", "wagers", "withdraw", "record", "void")
US = 1_000_000


@dataclass(frozen=True, slots=True)
class _Link:
    """The families of one link, whose name was known when the link was opened."""

    meter: Gauge
    epoch: Gauge
    commit: Gauge
    generation: Gauge
    status: Gauge
    wagers: Counter
    refusals: Counter
    hits: Gauge
    awards: Counter
    award_cents: Counter
    rounds: Counter
    alarms: Counter
    batch_commands: Histogram
    batch_bytes: Counter
    batch_seconds: Histogram
    decided_again: Counter
    queue: Gauge


@dataclass(slots=True)
class Telemetry:
    """All families of one server, on a registry of its own."""

    registry: CollectorRegistry = field(default_factory=new_registry)

    requests: Histogram = field(init=False)
    links: _Link = field(init=False)
    tables_connected: Gauge = field(init=False)
    boards_connected: Gauge = field(init=False)
    boards_dropped: Counter = field(init=False)
    frames: Counter = field(init=False)
    frames_of: dict[str, Counter] = field(default_factory=dict)
    """The series of each kind of frame, found once and not with each frame."""
    frames_bad: Counter = field(init=False)
    redis_up: Gauge = field(init=False)
    redis_reconnects: Counter = field(init=False)
    redis_failures: Counter = field(init=False)
    snapshots_published: Counter = field(init=False)
    snapshots_ignored: Counter = field(init=False)

    def __post_init__(self) -> None:
        """Declare the families."""
        registry = self.registry
        self.requests = request_seconds("jackpot", registry)
        self.links = _link_families(registry)
        self.tables_connected = Gauge(
            "jackpot_tables_connected",
            "Tables whose hello was accepted and whose connection is up.",
            ["link"],
            registry=registry,
        )
        self.boards_connected = Gauge(
            "jackpot_boards_connected", "Boards that read the feed.", ["link"], registry=registry
        )
        self.boards_dropped = Counter(
            "jackpot_boards_dropped", "Boards that read too slowly and were dropped.", ["link"], registry=registry
        )
        self.frames = Counter("jackpot_frames", "Frames that tables sent, by kind.", ["kind"], registry=registry)
        self.frames_bad = Counter(
            "jackpot_frames_bad",
            "Frames that could not be read, or were not this table's.",
            ["kind"],
            registry=registry,
        )
        self.redis_up = Gauge("jackpot_redis_up", "Whether the channel of snapshots is read.", registry=registry)
        self.redis_reconnects = Counter(
            "jackpot_redis_reconnects", "Times the channel was lost and read again.", registry=registry
        )
        self.redis_failures = Counter(
            "jackpot_redis_failures", "Snapshots that Redis did not take.", ["link"], registry=registry
        )
        self.snapshots_published = Counter(
            "jackpot_snapshots_published", "Snapshots published, beats too.", ["link"], registry=registry
        )
        self.snapshots_ignored = Counter(
            "jackpot_snapshots_ignored",
            "Snapshots that came over the channel and were not taken.",
            ["reason"],
            registry=registry,
        )
        for kind in (*MESSAGES, "other"):
            self.frames_of[kind] = self.frames.labels(kind)
            self.frames_bad.labels(kind)
        for reason in IGNORED:
            self.snapshots_ignored.labels(reason)

    def opened(self, link: str) -> None:
        """Show a link's series from its first moment, at nought."""
        for code in REFUSALS:
            self.links.refusals.labels(link, code)
        for prize in PRIZES:
            self.links.awards.labels(link, prize)
            self.links.award_cents.labels(link, prize)
        for alarm in ALARMS:
            self.links.alarms.labels(link, alarm)
        for reason in ("fence", "unknown"):
            self.links.decided_again.labels(link, reason)
        for family in (self.links.wagers, self.links.queue, self.snapshots_published):
            family.labels(link)
        for connected in (self.tables_connected, self.boards_connected, self.boards_dropped, self.redis_failures):
            connected.labels(link)
        self.says(link, "")

    def says(self, link: str, status: str) -> None:
        """Show a link's status: 1 for the one it has, 0 for the others."""
        for each in STATUSES:
            self.links.status.labels(link, each).set(each == status)

    def posted(self, link: str, posted: Posted, waiting: int) -> None:
        """Count one turn of the posting coroutine."""
        families = self.links
        families.batch_commands.labels(link).observe(posted.commands)
        families.batch_bytes.labels(link).inc(posted.bytes)
        families.batch_seconds.labels(link).observe((posted.ended_us - posted.started_us) / US)
        families.queue.labels(link).set(waiting)
        if posted.again:
            families.decided_again.labels(link, posted.again).inc()
        self.facts(link, posted.facts)

    def put_off(self, link: str, refusal: Refusal) -> None:
        """Count a later refusal that nothing was decided for; a command kept aside is an alarm too."""
        self.links.refusals.labels(link, refusal.code).inc()
        if refusal is Refusal.KEPT_ASIDE:
            self.links.alarms.labels(link, refusal.code).inc()

    def stands(self, link: str, state: LinkState) -> None:
        """Show where a link stands: meters, epochs, commit, hits. Called when somebody asks, not at each commit."""
        families = self.links
        families.commit.labels(link).set(state.head.commit)
        families.generation.labels(link).set(state.head.generation)
        for pool in state.pools.values():
            balance = state.balances.get(pool_account(pool.pool), NOTHING)
            families.meter.labels(link, pool.pool).set(balance.microcents // MICROCENTS)
            families.epoch.labels(link, pool.pool).set(pool.epoch)
        counts = dict.fromkeys(MOVES, 0)
        for hit in state.hits.values():
            counts[hit.state] += 1
        for name, count in counts.items():
            families.hits.labels(link, name).set(count)

    def facts(self, link: str, facts: Iterable[Fact]) -> None:
        """Count what happened in a batch."""
        families = self.links
        wagers = 0
        ended: Counts[str] = Counts()
        for fact in facts:
            match fact.kind:
                case "accepted":
                    wagers += _figure(fact, "seats")
                case "refused" | "seat_refused":
                    families.refusals.labels(link, bounded(str(fact.figures.get("code")), REFUSALS)).inc()
                case "award":
                    prize = bounded(str(fact.figures.get("prize")), PRIZES)
                    families.awards.labels(link, prize).inc()
                    families.award_cents.labels(link, prize).inc(_figure(fact, "cents"))
                case "recorded" | "withdrawn" | "voided":
                    ended[fact.kind] += 1
                case kind if kind in ALARMS:
                    families.alarms.labels(link, kind).inc()
                case _:
                    pass
        # Hundreds a batch of these: a series is looked up once for all of them.
        if wagers:
            families.wagers.labels(link).inc(wagers)
        for kind, rounds in ended.items():
            families.rounds.labels(link, kind).inc(rounds)


def _figure(fact: Fact, name: str) -> int:
    value = fact.figures.get(name, 0)
    return value if isinstance(value, int) else 0


def _link_families(registry: CollectorRegistry) -> _Link:
    return _Link(
        meter=Gauge("jackpot_meter_cents", "The meter as shown.", ["link", "pool"], registry=registry),
        epoch=Gauge("jackpot_epoch", "How often the pool was seeded.", ["link", "pool"], registry=registry),
        commit=Gauge("jackpot_commit", "The last commit.", ["link"], registry=registry),
        generation=Gauge("jackpot_generation", "The ledger's life.", ["link"], registry=registry),
        status=Gauge("jackpot_link_status", "1 for the status the link has.", ["link", "status"], registry=registry),
        wagers=Counter("jackpot_wagers_accepted", "Qualifying wagers accepted.", ["link"], registry=registry),
        refusals=Counter("jackpot_refusals", "Refusals, final and later.", ["link", "code"], registry=registry),
        hits=Gauge("jackpot_hits", "Hits known here, by state.", ["link", "state"], registry=registry),
        awards=Counter("jackpot_awards", "Prizes awarded.", ["link", "prize"], registry=registry),
        award_cents=Counter("jackpot_award_cents", "Cents awarded.", ["link", "prize"], registry=registry),
        rounds=Counter("jackpot_rounds", "Rounds by how they ended.", ["link", "kind"], registry=registry),
        alarms=Counter("jackpot_alarms", "Facts somebody must look at.", ["link", "kind"], registry=registry),
        batch_commands=Histogram(
            "jackpot_batch_commands",
            "Commands decided together.",
            ["link"],
            registry=registry,
            buckets=(1, 2, 4, 8, 16, 32, 64, 128, 256, 512),
        ),
        batch_bytes=Counter("jackpot_batch_bytes", "Bytes of batches.", ["link"], registry=registry),
        batch_seconds=Histogram(
            "jackpot_batch_seconds",
            "From taking commands to their commit.",
            ["link"],
            registry=registry,
            buckets=(0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 1, 5),
        ),
        decided_again=Counter(
            "jackpot_batches_decided_again",
            "Batches decided again under the lock.",
            ["link", "reason"],
            registry=registry,
        ),
        queue=Gauge("jackpot_queue", "Commands that wait to be decided.", ["link"], registry=registry),
    )
