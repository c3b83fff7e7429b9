"""What a round of Three Card Poker is: its seats, what was wagered and decided there, and the cards that were seen."""

from dataclasses import dataclass
from typing import Final, Literal

from rules.rounds import Device, RoundError, SeenHand, cards_fault, repeated_seat, seat_fault
from rules.wagers import Tender

GAME: Final = "three_card_poker"
TITLE: Final = "Three Card Poker"
EDITION: Final = "2024-08-16"
"""The date of the rule edition."""

HAND: Final = 3
"""Cards of a hand (TCP 1.1)."""

Decision = Literal["play", "fold", "concede", "short", "absent", "void"]
"""What became of a hand: its player played it (TCP 8.5), folded (8.3), played and then conceded it (9.5), was short of
a play wager equal to the ante (12.10) or made no decision (12.12); or it was void for its number of cards (12.7)."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A playing area with an ante, a Pair Plus wager or both: what lay there, what its player did, and the cards."""

    seat: int
    """Counted from 1 at the dealer's left, as the cards are dealt (TCP 7.2)."""
    ante_cents: int | None = None
    pair_plus_cents: int | None = None
    decision: Decision | None = None
    play_cents: int | None = None
    cards: tuple[int, ...] | None = None
    """``None`` where nobody turned them up."""
    warnings: int = 0
    """How often the player was short before and told that it will cost the ante (TCP 12.10)."""
    ante_tender: Tender = "chips"
    play_tender: Tender = "chips"
    pair_plus_tender: Tender = "chips"


@dataclass(frozen=True, slots=True)
class Round:
    """One round of play as captured.

    Always possible: raises ``RoundError`` for a repeated seat, one without a wager, an amount that is none, a hand
    that is not three cards, or a card seen twice.
    """

    device: Device
    dealer: tuple[int, ...]
    seats: tuple[Seat, ...]

    @property
    def game(self) -> str:
        """The game's name."""
        return GAME

    @property
    def edition(self) -> str:
        """The date of the rule edition it is played by."""
        return EDITION

    def __post_init__(self) -> None:
        """Refuse what cannot have happened at a table."""
        if not self.seats:
            raise RoundError("seats", "[]", "a round of play has at least one wager (TCP 5.3)")
        faults = (
            repeated_seat([seat.seat for seat in self.seats]),
            *[_fault_of(place, seat) for place, seat in enumerate(self.seats)],
            cards_fault(self._hands(), HAND, "three cards", "TCP 3.1"),
        )
        for fault in faults:
            if fault is not None:
                raise fault

    def _hands(self) -> list[SeenHand]:
        """Every hand that was seen."""
        hands = [SeenHand("dealer", "the dealer's hand", self.dealer)]
        for place, seat in enumerate(self.seats):
            if seat.cards is not None:
                hands.append(SeenHand(f"seats[{place}].cards", f"the hand of seat {seat.seat}", seat.cards))
        return hands


def _fault_of(place: int, seat: Seat) -> RoundError | None:
    """What of a seat cannot be, if anything."""
    amounts = {
        "ante_cents": seat.ante_cents,
        "pair_plus_cents": seat.pair_plus_cents,
        "play_cents": seat.play_cents,
    }
    fault = seat_fault(place, seat.seat, amounts)
    if fault is not None:
        return fault
    if seat.ante_cents is None and seat.pair_plus_cents is None:
        return RoundError(f"seats[{place}].ante_cents", "", "missing: cards go to an ante or a Pair Plus (TCP 5.3)")
    if seat.play_cents is not None and seat.ante_cents is None:
        reason = "a player with a Pair Plus wager only may not place a play wager (TCP 5.4)"
        return RoundError(f"seats[{place}].play_cents", str(seat.play_cents), reason)
    if seat.warnings < 0:
        return RoundError(f"seats[{place}].warnings", str(seat.warnings), "not a number of warnings (TCP 12.10)")
    return None
