"""What a casino supervisor may direct where players are suspected of collusion, and what follows from it.

CSP 14.13, TCP 12.11, FCP 12.12; the two other books have no such rule. A direction is always somebody's word, with a
name and a reason.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from rules.limits import Refused

Kind = Literal["play_first", "apart", "english_only"]
"""To play before other players handle their cards; not to play together at one table; to speak English only."""

RULES: Final[Mapping[str, str]] = {"CSP": "CSP 14.13", "TCP": "TCP 12.11", "FCP": "FCP 12.12"}
_PARTS: Final[Mapping[Kind, int]] = {"play_first": 1, "apart": 2, "english_only": 3}


@dataclass(frozen=True, slots=True)
class Direction:
    """A direction against collusion: about whom, by whom, and why.

    Always possible: raises ``ValueError`` in a book without the rule, without a name or reason, or for fewer players
    than it needs.
    """

    book: str
    kind: Kind
    players: frozenset[str]
    person: str
    reason: str

    def __post_init__(self) -> None:
        """Refuse a direction that nobody could give."""
        if self.book not in RULES:
            raise ValueError(f"book: {self.book}: it has no rule against collusion; {', '.join(RULES)} have")
        least = {"play_first": 1, "apart": 2, "english_only": 0}[self.kind]
        if len(self.players) < least:
            raise ValueError(f"players: {len(self.players)}: {self.kind} is about {least} at least ({self.rule})")
        for name in ("person", "reason"):
            if not getattr(self, name).strip():
                raise ValueError(f"{name}: : missing: a direction has a {name} ({self.rule})")

    @property
    def rule(self) -> str:
        """The clause by which it is given."""
        return f"{RULES[self.book]}.{_PARTS[self.kind]}"


def joining_refused(player: str, at_table: Iterable[str], directions: Iterable[Direction]) -> Refused | None:
    """Why a player may not join those at a table, if a direction keeps them apart (CSP 14.13.2).

    >>> apart = Direction("CSP", "apart", frozenset({"Ann", "Ben"}), "A. Lee", "signals")
    >>> joining_refused("Ben", ["Ann"], [apart])
    Refused(rule='CSP 14.13.2', reason='directed not to play together with Ann')
    """
    seated = set(at_table) - {player}
    for direction in directions:
        if direction.kind == "apart" and player in direction.players:
            met = sorted(seated & direction.players)
            if met:
                return Refused(direction.rule, f"directed not to play together with {', '.join(met)}")
    return None
