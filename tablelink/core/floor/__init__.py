"""A hosted table that people and devices drive: what is said at it, what becomes of it, and how it is kept.

``take(floor, given, at_us)`` is the whole of it. Limits and people are ``rules.tables``'s, the round is the game's own
machine, and each round's statement is the one that a replay of its record gives (``tablelink.core.hosting``).
"""

from tablelink.core.floor.acts import ACTS
from tablelink.core.floor.effects import Changed
from tablelink.core.floor.given import (
    Act,
    Line,
    Made,
    NotUnderstood,
    Said,
    Tick,
    Undo,
    readable,
)
from tablelink.core.floor.reading import ASKS, read_line
from tablelink.core.floor.taking import Refused, closed_floor, next_due_us, take
from tablelink.core.floor.value import Floor

__all__ = [
    "ACTS",
    "ASKS",
    "Act",
    "Changed",
    "Floor",
    "Line",
    "Made",
    "NotUnderstood",
    "Refused",
    "Said",
    "Tick",
    "Undo",
    "closed_floor",
    "next_due_us",
    "read_line",
    "readable",
    "take",
]
