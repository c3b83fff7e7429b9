"""What a casino supervisor directs about a player's wagers: always somebody's word, with a name and a reason.

No program decides that a person defrauded; it keeps who said so, and settles by it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from rules.rounds import RoundError


@dataclass(frozen=True, slots=True)
class Forfeit:
    """A direction that the wagers of a player whose fraud invalidated an outcome be forfeited (FCP 14.5, WAR 13.5)."""

    seat: int
    person: str
    """Who directed it."""
    reason: str


def forfeits_fault(forfeits: Iterable[Forfeit], seats: Iterable[int], rule: str) -> RoundError | None:
    """Which direction cannot be: one about a seat without a wager, a second about one, or one without a name or reason.

    >>> forfeits_fault([Forfeit(3, "A. Lee", "marked cards")], [1, 2], "FCP 14.5")
    RoundError('forfeits[0].seat: 3: no wager lies there to be forfeited (FCP 14.5)')
    """
    left = set(seats)
    for place, forfeit in enumerate(forfeits):
        if forfeit.seat not in left:
            reason = f"no wager lies there to be forfeited ({rule})"
            return RoundError(f"forfeits[{place}].seat", str(forfeit.seat), reason)
        left.discard(forfeit.seat)
        for name in ("person", "reason"):
            if not getattr(forfeit, name).strip():
                return RoundError(f"forfeits[{place}].{name}", "", f"missing: a direction has a {name} ({rule})")
    return None


def by_seat(forfeits: Iterable[Forfeit]) -> Mapping[int, Forfeit]:
    """Directions by the seat they are about."""
    return {forfeit.seat: forfeit for forfeit in forfeits}
