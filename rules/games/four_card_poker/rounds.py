"""What a round of Four Card Poker is: its seats, what was wagered and decided there, and the cards that were seen."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from rules.cards import cards_text
from rules.directions import Forfeit, forfeits_fault
from rules.rounds import Device, RoundError, SeenHand, repeated_seat, repeats_fault, seat_fault, size_fault
from rules.wagers import Tender

GAME: Final = "four_card_poker"
TITLE: Final = "Four Card Poker"
EDITION: Final = "2016-08-17"
"""The date of the rule edition."""

HAND: Final = 5
"""Cards of a player's hand (FCP 1.1)."""

DEALERS_HAND: Final = 6
"""Cards of the dealer's hand (FCP 1.1), of which four count (9.1)."""

Decision = Literal["play", "fold", "concede", "short", "absent", "void"]
"""What became of a hand: its player played it (FCP 8.5), folded (8.3), played and then conceded it (9.3), was short of
a play wager of at least the ante (12.11) or made no decision (12.13); or the hand was declared void."""

HandFault = Literal["card_count", "not_reconstructed", "prohibited_device"]
"""Why one player's wagers were declared void: too few or too many cards (FCP 12.6), a hand the dealer arranged wrongly
that could not be reconstructed (12.9), or a prohibited device (14.3.1)."""

VoidCause = Literal["misdeal", "foreign_card", "device_failed", "invalidated"]
"""Why a whole round has no result: a misdeal (FCP 12.4), a missing or foreign card (12.10), a shuffling device that
failed (13.2), or an outcome invalidated by a casino supervisor (14.4)."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A playing area with an ante, an Aces Up wager or both: what lay there, what its player did, and the cards."""

    seat: int
    """Counted from 1 at the dealer's left, as the cards are dealt (FCP 7.2)."""
    ante_cents: int | None = None
    aces_up_cents: int | None = None
    decision: Decision | None = None
    play_cents: int | None = None
    cards: tuple[int, ...] | None = None
    """``None`` where nobody turned them up."""
    warnings: int = 0
    """How often the player was short before and told that it will cost the ante (FCP 12.11)."""
    void_for: HandFault = "card_count"
    """Why the hand is void, where it is."""
    ante_tender: Tender = "chips"
    play_tender: Tender = "chips"
    aces_up_tender: Tender = "chips"


@dataclass(frozen=True, slots=True)
class Round:
    """One round of play as captured.

    Always possible: raises ``RoundError`` for a repeated seat, one without a wager, an amount that is none, a player's
    hand that is not five cards, a dealer's that is not six, a card seen twice, or a direction about nobody.
    """

    device: Device
    dealer: tuple[int, ...] | None
    """``None`` only where the round is void."""
    seats: tuple[Seat, ...]
    dealer_set: tuple[int, ...] | None = None
    """The four cards the dealer set, where they were set wrongly and a player's hand was turned up (FCP 12.8)."""
    void_by: VoidCause | None = None
    forfeits: tuple[Forfeit, ...] = ()
    """The directions that went with an invalidated outcome (FCP 14.5)."""

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
            raise RoundError("seats", "[]", "a round of play has at least one wager (FCP 5.2)")
        for fault in self._faults():
            if fault is not None:
                raise fault

    def _faults(self) -> Iterator[RoundError | None]:
        """What of the round cannot be."""
        yield repeated_seat([seat.seat for seat in self.seats])
        yield from (_fault_of(place, seat) for place, seat in enumerate(self.seats))
        if self.dealer is None:
            if self.void_by is None:
                yield RoundError("dealer", "", "missing: the dealer always plays (FCP 2.2.2, 8.6)")
        else:
            yield size_fault(SeenHand("dealer", "", self.dealer), DEALERS_HAND, "six cards, the dealer's (FCP 12.2)")
        players = list(self._players_hands())
        yield from (size_fault(hand, HAND, "five cards (FCP 12.6)") for hand in players)
        yield repeats_fault([SeenHand("dealer", "the dealer's hand", self.dealer or ()), *players], "FCP 3.1")
        if self.dealer_set is not None and not four_of(self.dealer_set, self.dealer or ()):
            yield RoundError("dealer_set", cards_text(self.dealer_set), "not four of the dealer's cards (FCP 9.1)")
        if self.forfeits and self.void_by != "invalidated":
            yield RoundError("forfeits", "", "only with an invalidated outcome a wager is forfeited (FCP 14.5)")
        yield forfeits_fault(self.forfeits, [seat.seat for seat in self.seats], "FCP 14.5")

    def _players_hands(self) -> Iterator[SeenHand]:
        """Every player's hand that was seen."""
        for place, seat in enumerate(self.seats):
            if seat.cards is not None:
                yield SeenHand(f"seats[{place}].cards", f"the hand of seat {seat.seat}", seat.cards)


def four_of(cards: tuple[int, ...], dealer: tuple[int, ...]) -> bool:
    """Whether these are four different ones of the dealer's cards."""
    return len(cards) == len(set(cards)) == 4 and set(cards) <= set(dealer)


def _fault_of(place: int, seat: Seat) -> RoundError | None:
    """What of a seat cannot be, if anything."""
    amounts = {"ante_cents": seat.ante_cents, "aces_up_cents": seat.aces_up_cents, "play_cents": seat.play_cents}
    fault = seat_fault(place, seat.seat, amounts)
    if fault is not None:
        return fault
    if seat.ante_cents is None and seat.aces_up_cents is None:
        return RoundError(f"seats[{place}].ante_cents", "", "missing: cards go to an ante or an Aces Up (FCP 5.2, 7.3)")
    if seat.play_cents is not None and seat.ante_cents is None:
        reason = "a player with an Aces Up wager only may not place a play wager (FCP 5.3)"
        return RoundError(f"seats[{place}].play_cents", str(seat.play_cents), reason)
    if seat.warnings < 0:
        return RoundError(f"seats[{place}].warnings", str(seat.warnings), "not a number of warnings (FCP 12.11)")
    if seat.void_for != "card_count" and seat.decision != "void":
        return RoundError(f"seats[{place}].void_for", seat.void_for, "the hand is not void (FCP 12.9, 14.3.1)")
    return None
