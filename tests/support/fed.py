"""Who writes to a family of metrics? Noted while a test plays, but for the noughts with which a part begins."""

from typing import Any

import pytest
from prometheus_client import Counter, Gauge

from jackpot.serving.metrics import Shown, Spread, Tally

__all__ = ["families_written"]


def families_written(monkeypatch: pytest.MonkeyPatch, telemetry: type, *beginnings: str) -> set[str]:
    """The names of families that somebody writes to from now on.

    What the methods `beginnings` of `telemetry` write does not count: a series that stands at nought from its first
    moment is fed by nobody yet. Nor does a count that rises by nought.
    """
    names, beginning = set[str](), [False]
    spreads: dict[int, tuple[Tally, str]] = {}

    def noted(kind: type, method: str, suffix: str = "") -> None:
        plain = getattr(kind, method)

        def write(self: Any, *arguments: Any) -> None:
            plain(self, *arguments)
            if not beginning[0] and not (kind is Counter and arguments[:1] == (0,)):
                names.add(f"{self._name}{suffix}")

        monkeypatch.setattr(kind, method, write)

    def begun(method: str) -> None:
        plain = getattr(telemetry, method)

        def begin(self: Any, *arguments: Any) -> None:
            beginning[0] = True
            plain(self, *arguments)
            beginning[0] = False

        monkeypatch.setattr(telemetry, method, begin)

    noted(Counter, "inc", "_total")
    noted(Gauge, "set")
    noted(Gauge, "inc")
    for method in beginnings:
        begun(method)
    of, observe, show = Spread.of, Tally.observe, Shown.show

    def found(self: Spread, *labels: str) -> Tally:
        tally = of(self, *labels)
        spreads[id(tally)] = (tally, self._family.name)
        return tally

    def observed(self: Tally, number: float) -> None:
        observe(self, number)
        names.add(spreads[id(self)][1])

    def shown(self: Shown, part: str, rows: Any) -> None:
        kept = tuple(rows)
        show(self, part, kept)
        if kept:
            names.add(self._family.name)

    monkeypatch.setattr(Spread, "of", found)
    monkeypatch.setattr(Tally, "observe", observed)
    monkeypatch.setattr(Shown, "show", shown)
    return names
