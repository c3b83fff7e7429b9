"""What a supervisor directs at any poker table, and hands dealt where no wager lies, on its felt.

CSP 14.10, 14.13, 16.4.2; TCP 12.8, 12.11, 14.4.2; FCP 12.7, 12.12, 14.3.2.

The felt keeps what follows for the moves; who gave a direction is kept by ``rules.tables``.
"""

from collections.abc import Sequence
from dataclasses import Field, replace
from typing import Any, ClassVar, Protocol, Self, TypeVar

from rules.play import Move, MoveRefused, seat_of
from rules.rounds import HIGHEST_SEAT


class PlayedSeat(Protocol):
    """A seat with a wager: its number, and what its player did."""

    @property
    def seat(self) -> int:
        """Counted from 1 at the dealer's left."""

    @property
    def decision(self) -> str | None:
        """What its player did, if anything yet."""


class DirectedFelt(Protocol):
    """The felt of a poker table, as far as a direction changes it: a frozen dataclass."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    @property
    def seats(self) -> Sequence[PlayedSeat]:
        """The seats with a wager."""

    @property
    def dealt(self) -> int:
        """How many cards have been dealt."""

    @property
    def first(self) -> frozenset[int]:
        """The seats whose players were directed to play before others handle their cards."""

    @property
    def english(self) -> bool:
        """Whether the players were directed to speak English only."""

    @property
    def barred(self) -> tuple[tuple[int, str], ...]:
        """The seats whose players may not wager any more, each with the clause by which it was directed."""

    def without(self, number: int) -> Self:
        """The felt with every wager of a seat taken off, before the first card."""


D = TypeVar("D", bound=DirectedFelt)
"""The felt of one poker game."""


def number_of(move: Move, rule: str) -> int:
    """The seat a move names; raises ``MoveRefused`` by a rule for one that no layout has."""
    number = seat_of(move, rule)
    if not 1 <= number <= HIGHEST_SEAT:
        raise MoveRefused(move, rule, f"seat: {number}: seats are numbered 1 to {HIGHEST_SEAT}")
    return number


def play_first(felt: D, move: Move, rule: str) -> D:
    """Direct a player to play before the others handle their cards; raises ``MoveRefused`` for one who has decided."""
    number = number_of(move, rule)
    if number in felt.first or any(seat.seat == number and seat.decision is not None for seat in felt.seats):
        raise MoveRefused(move, rule, f"seat {number} was directed so already, or has decided")
    return replace(felt, first=felt.first | {number})


def speak_english(felt: D, move: Move, rule: str) -> D:
    """Direct the players to speak English only at all times."""
    if felt.english:
        raise MoveRefused(move, rule, "the players were directed so already")
    return replace(felt, english=True)


def keep_out(felt: D, move: Move, rule: str) -> D:
    """Keep a player from wagering at the table.

    Before the first card what the player placed goes back; after it, it is settled, unless it is declared void.
    """
    number = number_of(move, rule)
    if any(seat == number for seat, _ in felt.barred):
        raise MoveRefused(move, rule, f"seat {number} may not wager already")
    felt = replace(felt, barred=(*felt.barred, (number, rule)))
    return felt if felt.dealt else felt.without(number)


def check_empty(felt: D, move: Move, rule: str, wager: str) -> None:
    """Raise ``MoveRefused`` where a wager lies at the place to which a hand was dealt in error; ``wager`` names it."""
    number = number_of(move, rule)
    if any(seat.seat == number for seat in felt.seats):
        raise MoveRefused(move, rule, f"seat: {number}: there is {wager}")
