"""What the server counted over the last hour, kept in memory: rates, percentiles and lines for the duty page.

It is read off the same families that Prometheus reads, so that both say the same; it works while Prometheus does not.
"""

import math
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise

from prometheus_client import Metric

__all__ = ["EVERY_S", "History", "Sample", "sample_of"]

EVERY_S = 10
"""Between two samples; a line on the page has 360 points."""
KEPT_S = 3600
WINDOW_S = 300
"""Rates and percentiles are those of the last five minutes, as in the recording rules."""
LONG_S = 900
"""What happens seldom is looked for in the last quarter of an hour, as the alerts do."""
COUNTS = ("_total", "_bucket", "_count")
"""How names of series end that only rise: all that is asked of an older sample."""

Labels = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Sample:
    """All values at one moment, by the name of the series and its labels."""

    elapsed_s: float
    at_ms: int
    values: Mapping[str, Mapping[Labels, float]]

    def of(self, name: str, **labels: str) -> list[tuple[dict[str, str], float]]:
        """Return the series of a name that bear these labels, each with its other labels too."""
        return [(dict(key), value) for key, value in self._bearing(name, labels)]

    def _bearing(self, name: str, labels: Mapping[str, str]) -> Iterator[tuple[Labels, float]]:
        bears = frozenset(labels.items()).issubset
        return ((key, value) for key, value in self.values.get(name, {}).items() if bears(key))

    def total(self, name: str, **labels: str) -> float | None:
        """Return the sum of the series; None where there is none: no data is not nought."""
        found = [value for _key, value in self._bearing(name, labels) if not math.isnan(value)]
        return sum(found) if found else None

    def most(self, name: str, **labels: str) -> float | None:
        """Return the greatest of the series; None where there is none."""
        return max((value for _key, value in self._bearing(name, labels) if not math.isnan(value)), default=None)

    def least(self, name: str, **labels: str) -> float | None:
        """Return the smallest of the series; None where there is none."""
        return min((value for _key, value in self._bearing(name, labels) if not math.isnan(value)), default=None)


def sample_of(metrics: Iterable[Metric], elapsed_s: float, at_ms: int) -> Sample:
    """Return what a registry holds, as a sample; the process's own families of Python are left out."""
    values: dict[str, dict[Labels, float]] = {}
    for metric in metrics:
        if metric.name.startswith(("jackpot", "process")):
            for each in metric.samples:
                values.setdefault(each.name, {})[tuple(sorted(each.labels.items()))] = each.value
    return Sample(elapsed_s, at_ms, values)


@dataclass(slots=True)
class History:
    """The newest sample, the counts of the last quarter of an hour, and the lines of the last hour.

    **Always** bounded: 91 samples, of which only the newest holds gauges (of which thousands of tables have some), and
    361 points of each line.
    """

    window: deque[Sample] = field(default_factory=lambda: deque(maxlen=LONG_S // EVERY_S + 1))
    lines: dict[str, deque[tuple[int, float | None]]] = field(default_factory=dict)

    @property
    def now(self) -> Sample | None:
        """The newest sample; None before the first."""
        return self.window[-1] if self.window else None

    def take(self, sample: Sample) -> None:
        """Note a sample; of the one before only its counts are kept."""
        before = self.now
        if before is not None:
            counts = {name: series for name, series in before.values.items() if name.endswith(COUNTS)}
            self.window[-1] = replace(before, values=counts)
        self.window.append(sample)

    def forget_newest(self) -> None:
        """Let go of the newest sample and its points: one of this moment takes their place."""
        newest = self.window.pop()
        for points in self.lines.values():
            if points and points[-1][0] == newest.at_ms:
                points.pop()

    def draw(self, line: str, value: float | None) -> None:
        """Add the newest sample's point to a line; None is a gap."""
        now = self.now
        if now is not None:
            points = self.lines.setdefault(line, deque(maxlen=KEPT_S // EVERY_S + 1))
            points.append((now.at_ms, value))

    def increase(self, name: str, *, seconds: int = WINDOW_S, **labels: str) -> float | None:
        """Return by how much counters rose over the last seconds, a restart of the count included."""
        totals = [total for sample in self._last(seconds) if (total := sample.total(name, **labels)) is not None]
        if not totals:
            return None
        return sum(after - before if after >= before else after for before, after in pairwise(totals))

    def rate(self, name: str, *, samples: int = 7, **labels: str) -> float | None:
        """Return how fast counters rise, a second, over the last minute."""
        recent = list(self.window)[-samples:]
        if len(recent) < 2:
            return None
        first, last = recent[0].total(name, **labels), recent[-1].total(name, **labels)
        seconds = recent[-1].elapsed_s - recent[0].elapsed_s
        if first is None or last is None or seconds <= 0:
            return None
        return max(last - first, 0) / seconds

    def quantile(self, name: str, share: float, **labels: str) -> float | None:
        """Return a percentile of a histogram's observations over the window, as `histogram_quantile` works it out.

        None where nothing was observed. An observation past the last bound counts as the last bound.
        """
        window = self._last(WINDOW_S)
        if len(window) < 2:
            return None
        first, last = window[0], window[-1]
        counts: dict[float, float] = {}
        for sample, sign in ((first, -1), (last, 1)):
            for key, value in sample.of(f"{name}_bucket", **labels):
                bound = float(key["le"])
                counts[bound] = counts.get(bound, 0) + sign * value
        bounds = sorted(counts)
        if not bounds or counts[bounds[-1]] <= 0:
            return None
        rank, below, under = share * counts[bounds[-1]], 0.0, 0.0
        for bound in bounds:
            if counts[bound] >= rank:
                if math.isinf(bound):
                    return below
                within = counts[bound] - under
                return below + (bound - below) * ((rank - under) / within if within else 1)
            below, under = bound, counts[bound]
        return below

    def _last(self, seconds: int) -> list[Sample]:
        return list(self.window)[-(seconds // EVERY_S + 1) :]
