"""What a hosted table has to know of a game beside its machine: how a round begins, is told as moves, and ends."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from rules.directions import Forfeit
from rules.play import Move, Play, Position
from rules.schedules import Schedule


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
    record_of: Callable[..., Any]
    """The record of a position's round with its settlement; the record's other fields are given by name."""
    settlement_of: Any
    """The game's own ``settlement_of``."""
    over: frozenset[str]
    """The states in which nothing of the round is left to do."""
    next_of: "NextRound"
    """The table before the round after one that is over."""


class NextRound(Protocol):
    """How a table of a game comes to its next round."""

    def __call__(
        self,
        at: Position[Any],
        left: Collection[int],
        schedules: Mapping[str, Schedule],
        forfeits: tuple[Forfeit, ...],
    ) -> Position[Any]:
        """The table then; ``left`` are the seats whose players have left. Raises ``RoundError`` before it can be."""
