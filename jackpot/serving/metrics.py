"""What a program counts, and how Prometheus reads it: families declared in a table, on a registry of their own.

**Never** takes a label's value from outside as it came: it is one of a known set, or `other` (case 36).
"""

import asyncio
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from aiohttp import web
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Gauge,
    GCCollector,
    Histogram,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.core import GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.platform_collector import PlatformCollector
from prometheus_client.process_collector import ProcessCollector
from prometheus_client.registry import Collector

__all__ = [
    "METHODS",
    "Declared",
    "Family",
    "Shown",
    "Spread",
    "bounded",
    "exposition",
    "keep_measuring_lag",
    "new_registry",
    "request_seconds",
]

METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
"""Methods that are counted under their own name."""
LAG_EVERY_S: Final = 0.25
"""How often the event loop is asked how late it is."""


@dataclass(frozen=True, slots=True)
class Family:
    """One family as Prometheus names it: a counter with its `_total`, a histogram without `_bucket`."""

    name: str
    kind: Literal["counter", "gauge", "histogram"]
    labels: tuple[str, ...]
    words: str
    unit: str = ""
    buckets: tuple[float, ...] = ()


class Declared:
    """The families of one program on its registry: each is asked for by the name it is declared under, and once."""

    def __init__(self, families: Iterable[Family], registry: CollectorRegistry) -> None:
        """Take the table of families; what of it nobody asks for is not on the registry."""
        self.registry = registry
        self._families = {family.name: family for family in families}

    def counter(self, name: str) -> Counter:
        """Put a counter on the registry; raises KeyError for a family that is not declared."""
        family = self._family(name, "counter")
        return Counter(name.removesuffix("_total"), family.words, family.labels, registry=self.registry)

    def gauge(self, name: str) -> Gauge:
        """Put a gauge on the registry; raises KeyError for a family that is not declared."""
        family = self._family(name, "gauge")
        return Gauge(name, family.words, family.labels, registry=self.registry)

    def histogram(self, name: str) -> Histogram:
        """Put a histogram on the registry; raises KeyError for a family that is not declared."""
        family = self._family(name, "histogram")
        return Histogram(name, family.words, family.labels, registry=self.registry, buckets=family.buckets)

    def shown(self, name: str) -> "Shown":
        """Put a gauge on the registry whose series are shown anew each time; raises KeyError as the others."""
        return Shown(self._family(name, "gauge"), self.registry)

    def spread(self, name: str) -> "Spread":
        """Put a histogram on the registry that costs its writer next to nothing; raises KeyError as the others."""
        return Spread(self._family(name, "histogram"), self.registry)

    def _family(self, name: str, kind: str) -> Family:
        family = self._families[name]
        if family.kind != kind:
            raise KeyError(f"{name} is declared as a {family.kind}, not as a {kind}")
        return family


class Shown(Collector):
    """A gauge worked out when somebody asks: what is not shown any more has no series any more.

    Its series are kept as plain rows, part by part (a link), so that thousands of tables cost memory only while they
    are read.
    """

    def __init__(self, family: Family, registry: CollectorRegistry) -> None:
        """Begin without series."""
        self._family = family
        self._rows: dict[str, Sequence[tuple[tuple[str, ...], float]]] = {}
        registry.register(self)

    def show(self, part: str, rows: Iterable[tuple[tuple[str, ...], float]]) -> None:
        """Show these series (values of the labels in their order, and the number) as all there are of a part."""
        self._rows[part] = tuple(rows)

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Give the series to whoever reads the registry."""
        metric = GaugeMetricFamily(self._family.name, self._family.words, labels=self._family.labels)
        for rows in tuple(self._rows.values()):
            for labels, number in rows:
                metric.add_metric(labels, number)
        yield metric


class Tally:
    """One series of a `Spread`."""

    __slots__ = ("_bounds", "counts", "total")

    def __init__(self, bounds: Sequence[float]) -> None:
        """Begin at nought."""
        self._bounds = bounds
        self.counts = [0] * (len(bounds) + 1)
        self.total = 0.0

    def observe(self, number: float) -> None:
        """Count a number."""
        self.counts[bisect_left(self._bounds, number)] += 1
        self.total += number


class Spread(Collector):
    """A histogram for the way of a wager: one search in a short list and two sums, written by one thread.

    >>> from prometheus_client import CollectorRegistry
    >>> registry = CollectorRegistry()
    >>> answers = Spread(Family("answer_seconds", "histogram", ("link",), "Answers.", "seconds", (0.1, 1)), registry)
    >>> answers.of("southern").observe(0.1), answers.of("southern").observe(3)
    (None, None)
    >>> [registry.get_sample_value("answer_seconds_bucket", {"link": "southern", "le": le}) for le in ("0.1", "+Inf")]
    [1, 2]
    """

    def __init__(self, family: Family, registry: CollectorRegistry) -> None:
        """Begin without series; one without labels is there at once."""
        self._family = family
        self._bounds = tuple(map(float, family.buckets))
        self._tallies: dict[tuple[str, ...], Tally] = {}
        if not family.labels:
            self.of()
        registry.register(self)

    def of(self, *labels: str) -> Tally:
        """Return the series of these labels, which is there from now on."""
        tally = self._tallies.get(labels)
        if tally is None:
            tally = self._tallies[labels] = Tally(self._bounds)
        return tally

    def collect(self) -> Iterator[HistogramMetricFamily]:
        """Give the series to whoever reads the registry."""
        metric = HistogramMetricFamily(self._family.name, self._family.words, labels=self._family.labels)
        for labels, tally in tuple(self._tallies.items()):
            counts, below = tuple(tally.counts), 0
            buckets: list[tuple[str, float]] = []
            for bound, count in zip((*map(str, self._bounds), "+Inf"), counts, strict=True):
                below += count
                buckets.append((bound, below))
            metric.add_metric(labels, buckets, tally.total)
        yield metric


def new_registry() -> CollectorRegistry:
    """Return a registry that already tells the process's own memory, files and garbage collections."""
    disable_created_metrics()  # type: ignore[no-untyped-call]  # when a series began is a question nobody asks
    registry = CollectorRegistry()
    ProcessCollector(registry=registry)
    PlatformCollector(registry=registry)
    GCCollector(registry=registry)
    return registry


def bounded(value: str, known: Collection[str]) -> str:
    """Return the value where it is a known one, else `other`.

    >>> bounded("T1", {"T1", "T2"}), bounded("T9999", {"T1", "T2"})
    ('T1', 'other')
    """
    return value if value in known else "other"


def request_seconds(prefix: str, registry: CollectorRegistry) -> Histogram:
    """Declare the family of requests answered, by route pattern, method and class of status."""
    return Histogram(
        f"{prefix}_http_request_seconds",
        "Time from a request to its answer.",
        ("route", "method", "status"),
        registry=registry,
        buckets=(0.001, 0.005, 0.025, 0.1, 0.5, 2.5),
    )


async def keep_measuring_lag(lag: Tally) -> None:
    """Count, four times a second and for ever, how late the event loop wakes what is due."""
    loop = asyncio.get_running_loop()
    while True:
        due = loop.time() + LAG_EVERY_S
        await asyncio.sleep(LAG_EVERY_S)
        lag.observe(max(0.0, loop.time() - due))


async def exposition(registry: CollectorRegistry) -> web.Response:
    """Return all families in the text form that Prometheus reads; thousands of series are not written on the loop."""
    body = await asyncio.to_thread(generate_latest, registry)
    response = web.Response(body=body, headers={"Cache-Control": "no-store"})
    response.headers["Content-Type"] = CONTENT_TYPE_LATEST
    return response
