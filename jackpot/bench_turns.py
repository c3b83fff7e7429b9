"""How long is measured, and how often do load and baseline take turns?"""

from collections.abc import Callable
from dataclasses import dataclass

Told = Callable[[], None]
"""Called after each turn, for the progress bar."""


@dataclass(frozen=True, slots=True)
class Turns:
    """Repeats of one row, each a turn of the load and one of its baseline."""

    repeats: int
    load_s: float
    baseline_s: float
