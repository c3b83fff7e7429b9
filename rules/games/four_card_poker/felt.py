"""What lies on the layout of a Four Card Poker table, and the moves that Three Card Poker has not: rules 9.1, 12.9."""

from dataclasses import dataclass, replace
from typing import ClassVar

from rules.four_card_hands import best_four, four_card_value
from rules.games import ante_play
from rules.games.ante_play.deciding import with_hand
from rules.games.four_card_poker.book import BOOK
from rules.games.four_card_poker.rounds import four_of
from rules.games.four_card_poker.sign import Limits
from rules.play import Move, MoveRefused
from rules.settings import FourCardSettings


@dataclass(frozen=True, slots=True)
class Felt(ante_play.Felt):
    """What lies on the layout of a Four Card Poker table, and what it plays by."""

    BOOK: ClassVar[ante_play.Book] = BOOK

    settings: FourCardSettings = FourCardSettings()  # noqa: RUF009 - a frozen value
    limits: Limits = Limits()  # noqa: RUF009 - a frozen value
    dealer_set: tuple[int, ...] | None = None
    """The four cards that the dealer set, where they are not the highest (FCP 9.1, 12.8)."""


def set_dealer(felt: Felt, move: Move) -> Felt:
    """Arrange the dealer's highest four cards (FCP 9.1); once a player's hand is exposed they stand as set (12.8)."""
    if felt.settled:
        raise MoveRefused(move, "FCP 12.8", "a player's hand has been exposed: the dealer's stands as set")
    dealer, cards = felt.dealer or (), move.cards or ()
    if not four_of(cards, dealer):
        raise MoveRefused(move, "FCP 9.1", f"cards: {len(cards)}: not four different ones of the dealer's six")
    wrongly = four_card_value(cards) < best_four(dealer).value
    return replace(felt, dealer_set=cards if wrongly else None)


def reconstruct(felt: Felt, move: Move) -> Felt:
    """Correct a hand that was arranged wrongly, from its five cards, before the next round (FCP 12.9)."""
    return with_hand(felt, _arranged(felt, move), move)


def lose_track(felt: Felt, move: Move) -> Felt:
    """Declare a wrongly arranged hand void where no reconstruction was possible (FCP 12.9)."""
    seat = _arranged(felt, move)
    return felt.with_seat(replace(seat, decision="void", void_for="not_reconstructed", cards=None))


def _arranged(felt: Felt, move: Move) -> ante_play.Seat:
    seat = felt.seat(move, "FCP 12.9")
    if felt.void_by is not None or seat.seat not in felt.settled or seat.decision == "void":
        raise MoveRefused(move, "FCP 12.9", f"no hand of seat {seat.seat} was arranged")
    return seat
