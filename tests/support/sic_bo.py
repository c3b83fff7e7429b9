"""Sic Bo tables for the tests: moves written as words, and rolls played from end to end."""

from rules.games.sic_bo import PLAY, Felt, Run, Runs
from rules.play import Move, MoveRefused, Position


def moved(at: Position[Felt], *moves: str) -> Position[Felt]:
    """A table after moves written ``name seat area cents dice``, each left out from its end, or ``-``."""
    for text in moves:
        name, seat, area, cents, *dice = [*text.split(), "-", "-", "-"][: max(4, len(text.split()))]
        at = PLAY.step(at, move_of(name, seat, area, cents, *dice))
    return at


def move_of(name: str, seat: str, area: str, cents: str, *dice: str) -> Move:
    """A move from its words."""
    return Move(
        name,
        None if seat == "-" else int(seat),
        None if area == "-" else area,
        None if cents == "-" else int(cents),
        tuple(map(int, dice)) if dice else None,
    )


OPENED = ("tumble", "tumble", "tumble", "open_bets")
SHOWN = ("no_more_bets", "uncover")


def rolled(
    at: Position[Felt], *wagers: str, dice: str = "1 1 2", ended: tuple[str, ...] = ("light", "collect", "pay")
) -> Position[Felt]:
    """A table after a roll of these dice with these wagers, each ``seat area cents``."""
    at = moved(at, *OPENED, *(f"place {wager}" for wager in wagers), *SHOWN)
    return moved(at, f"announce - - - {dice}", f"enter - - - {dice}", *ended)


DAY = Runs(Run("small", 1), Run("even", 1))
"""A day that began with one result, small and even."""


def refusal(at: Position[Felt], move: Move) -> str | None:
    """The rule that refuses a move, if it is refused."""
    try:
        PLAY.step(at, move)
    except MoveRefused as refused:
        return refused.rule
    return None
