"""What a hosted table has to know of a game beside its machine: how a round begins, is told as moves, and ends."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rules.play import Move, Play, Position


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
