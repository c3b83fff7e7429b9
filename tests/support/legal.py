"""Holds what a machine lists as legal against what it accepts."""

from collections.abc import Callable, Iterator
from typing import Any

from rules.play import Move, MoveRefused, Play, Position

Fill = Callable[[Move, Any], Move]
"""Gives a move the amount or the cards that people choose, so that it could be made on a felt."""


def disagreements(
    play: Play[Any], at: Position[Any], seated: set[str], areas: tuple[str, ...], fill: Fill
) -> list[Move]:
    """Find the moves that are listed as legal and refused, or accepted and not listed.

    ``seated`` are the moves made at a seat; ``areas`` those on which a wager is placed or taken back.
    """
    listed = {(move.name, move.seat, move.area) for move in play.legal_moves(at)}
    return [
        move
        for move in _candidates(play, seated, areas)
        if accepts(play, at, fill(move, at.felt)) != ((move.name, move.seat, move.area) in listed)
    ]


def _candidates(play: Play[Any], seated: set[str], areas: tuple[str, ...]) -> Iterator[Move]:
    """Every move at every seat it could be made at."""
    for name in play.places:
        if name not in seated:
            yield Move(name)
            continue
        for seat in range(-1, 12):
            if name in {"place", "take_back", "refuse_wager"}:
                yield from (Move(name, seat, area) for area in areas)
            else:
                yield Move(name, seat)


def accepts(play: Play[Any], at: Position[Any], move: Move) -> bool:
    """Tell whether a machine makes a move."""
    try:
        play.step(at, move)
    except MoveRefused:
        return False
    return True
