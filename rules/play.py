"""A game at a live table, move by move: which moves are legal now, what each leads to, and which rule refuses another.

Every game is a table of arrows, (state, move) to state with the rule of each, and a felt, its value of what lies on the
layout. Knows no game's rules, and settles nothing.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from rules.cards import CARD_TEXTS, DECK
from rules.decks.cutting import CutRefused, check_poker_cut
from rules.limits import LARGEST_WAGER_CENTS
from rules.rounds import Device
from rules.wagers import Tender

T = TypeVar("T")
"""What lies on a game's layout."""
A = TypeVar("A", bound=str)
"""The name of an area of a layout."""

NO_SUCH_MOVE: Final = ""
"""The rule of a move that no book knows."""


@dataclass(frozen=True, slots=True)
class Move:
    """One move at a table: what is done, and at which seat, with which amount or cards, where the move has them."""

    name: str
    seat: int | None = None
    """The seat it is done at; 0 is the dealer."""
    area: str | None = None
    """The wagering area, where a wager is placed or taken back."""
    cents: int | None = None
    cards: tuple[int, ...] | None = None
    """The cards or dice it turns up."""
    tender: Tender = "chips"


@dataclass(frozen=True, slots=True)
class Arrow:
    """One row of a game's table: a move made in a state leads to another, by a rule."""

    state: str
    move: str
    to: str
    rule: str
    at_last: str | None = None
    """Where it leads instead when the last that had to make it has made it, such as the last card dealt."""


@dataclass(frozen=True, slots=True)
class Position(Generic[T]):
    """How far a round is: its state, and what lies on the felt."""

    state: str
    felt: T


class MoveRefused(ValueError):
    """A move that is not legal now: the rule that refuses it (empty where no book knows the move), and the reason."""

    def __init__(self, move: Move, rule: str, reason: str) -> None:
        self.move = move
        self.rule = rule
        self.reason = reason
        super().__init__(": ".join(part for part in (rule, move.name, reason) if part))


@dataclass(frozen=True, slots=True)
class Play(Generic[T]):
    """A game as a machine of states and moves.

    Always refuses a pair of state and move that has no arrow, with the rule that says when the move has its place.
    """

    start: str
    """The state before the first move."""
    arrows: tuple[Arrow, ...]
    places: Mapping[str, str]
    """For each move the rule that says when it is made; that rule refuses it in any other state."""
    exceptions: Mapping[tuple[str, str], str]
    """The rule that refuses a move in a certain state, where another one than the move's own says so."""
    acts: Mapping[str, Callable[[T, Move], T]]
    """What each move does on the felt; raises ``MoveRefused`` where it cannot be done there."""
    options: Callable[[str, T], tuple[Move, ...]]
    """The moves that the felt allows in a state, each amount or card that people choose left out."""
    complete: Mapping[str, Callable[[T], bool]]
    """For each move with an arrow for the last of its kind: whether that was the last."""

    def arrow(self, state: str, move: str) -> Arrow | None:
        """The row of the table for a move in a state, if it has one."""
        return next((arrow for arrow in self.arrows if (arrow.state, arrow.move) == (state, move)), None)

    def legal_moves(self, at: Position[T]) -> tuple[Move, ...]:
        """The moves that are legal now, each amount or card that people choose left out."""
        here = {arrow.move for arrow in self.arrows if arrow.state == at.state}
        return tuple([move for move in self.options(at.state, at.felt) if move.name in here])

    def step(self, at: Position[T], move: Move) -> Position[T]:
        """The position after a move.

        Never changes the position given. Raises ``MoveRefused`` where the move is not legal in it.
        """
        arrow = self.arrow(at.state, move.name)
        if arrow is None:
            if move.name not in self.places:
                raise MoveRefused(move, NO_SUCH_MOVE, f"no move; known are {', '.join(self.places)}")
            rule = self.exceptions.get((at.state, move.name), self.places[move.name])
            raise MoveRefused(move, rule, f"not while the table is at: {at.state.replace('_', ' ')}")
        felt = self.acts[move.name](at.felt, move)
        last = arrow.at_last is not None and self.complete[move.name](felt)
        return Position(arrow.at_last if last and arrow.at_last else arrow.to, felt)

    def begin(self, felt: T) -> Position[T]:
        """The position before the first move."""
        return Position(self.start, felt)

    @property
    def states(self) -> tuple[str, ...]:
        """Every state, in the order in which the table first names it."""
        return tuple(dict.fromkeys(state for arrow in self.arrows for state in (arrow.state, arrow.to)))


def unmoved(felt: T, move: Move) -> T:  # noqa: ARG001 - the form of every act
    """The act of a move that changes nothing on the felt."""
    return felt


def seat_of(move: Move, rule: str) -> int:
    """The seat a move is made at; raises ``MoveRefused`` by a rule where it names none."""
    if move.seat is None:
        raise MoveRefused(move, rule, "seat: missing")
    return move.seat


def area_of(move: Move, areas: Sequence[A], rule: str) -> A:
    """The area a move is made on; raises ``MoveRefused`` by a rule where it names none of the layout's."""
    for area in areas:
        if move.area == area:
            return area
    raise MoveRefused(move, rule, f"area: {move.area}: not one of {', '.join(areas)}")


def check_cut(move: Move, book: str, device: Device) -> None:
    """Raise ``MoveRefused`` where the cards of a poker table are not cut or loaded as they should be (4.2 to 4.4)."""
    try:
        check_poker_cut(book, device, is_cut=move.name == "cut", seat=move.seat)
    except CutRefused as refused:
        raise MoveRefused(move, refused.rule, refused.reason) from None


def cents_of(move: Move, rule: str) -> int:
    """The amount a move places; raises ``MoveRefused`` by a rule where it names none or one that is no amount."""
    if move.cents is None:
        raise MoveRefused(move, rule, "cents: missing")
    if not 1 <= move.cents <= LARGEST_WAGER_CENTS:
        raise MoveRefused(move, rule, f"cents: {move.cents}: not from 1 to {LARGEST_WAGER_CENTS}")
    return move.cents


def cards_of(move: Move, size: int, already: Iterable[int], rule: str) -> tuple[int, ...]:
    """The cards a move turns up; raises ``MoveRefused`` by a rule for a wrong number of them, or one seen already."""
    cards = move.cards or ()
    if len(cards) != size:
        raise MoveRefused(move, rule, f"cards: {len(cards)} where a hand is {size}")
    seen = set(already)
    for card in cards:
        if not 0 <= card < len(DECK) or card in seen:
            raise MoveRefused(move, rule, f"cards: {CARD_TEXTS[card] if card in seen else card}: no card still unseen")
        seen.add(card)
    return cards
