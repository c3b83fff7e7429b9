"""What a hosted table has to know of a game beside its machine: how a round begins, is told as moves, and ends."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from rules.directions import Forfeit
from rules.play import Move, Play, Position
from rules.rounds import Settlement
from rules.schedules import Schedule


class SettlementOf(Protocol):
    """What the wagers of a round that was played move by move come to."""

    def __call__(
        self, at: Position[Any], schedules: dict[str, Schedule] | None = ..., forfeits: tuple[Forfeit, ...] = ...
    ) -> Settlement:
        """Settle it; raises ``RoundError`` where a hand has still to be settled."""


@dataclass(frozen=True, slots=True)
class Told:
    """One game at a hosted table."""

    play: Play[Any]
    begin: Callable[[Any], Position[Any]]
    """The table before the first move of a record's round, by what the record says of sign, rulings and seats. Reads
    no wager, decision or card but to tell a limit known before the round from one found in it."""
    moves_of: Callable[[Any], tuple[Move, ...]]
    """The moves that a record's round was made of, from that table to its end."""
    round_of: Callable[[Position[Any]], Any]
    """The round that was played."""
    settlement_of: Any
    """The game's own ``settlement_of``."""
    over: frozenset[str]
    """The states in which nothing of the round is left to do."""
