"""What a round of Four Card Poker is: its seats, what was wagered and decided there, and the cards that were seen."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from rules.cards import cards_text
from rules.games import ante_play
from rules.games.four_card_poker.book import BOOK
from rules.rounds import RoundError


@dataclass(frozen=True, slots=True)
class Round(ante_play.Round):
    """One round of Four Card Poker as captured.

    Always possible: raises ``RoundError`` for a repeated seat, one without a wager, an amount that is none, a player's
    hand that is not five cards, a dealer's that is not six, a card seen twice, or a direction about nobody.
    """

    BOOK: ClassVar[ante_play.Book] = BOOK

    dealer_set: tuple[int, ...] | None = None
    """The four cards the dealer set, where they were set wrongly and a player's hand was turned up (FCP 12.8)."""

    def faults(self) -> Iterator[RoundError | None]:
        """What of the round cannot be."""
        yield from super(Round, self).faults()
        if self.dealer_set is not None and not four_of(self.dealer_set, self.dealer or ()):
            yield RoundError("dealer_set", cards_text(self.dealer_set), "not four of the dealer's cards (FCP 9.1)")


def four_of(cards: tuple[int, ...], dealer: tuple[int, ...]) -> bool:
    """Whether these are four different ones of the dealer's cards."""
    return len(cards) == len(set(cards)) == 4 and set(cards) <= set(dealer)
