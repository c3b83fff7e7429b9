"""The cards in a shoe or a shuffling device, in their order: drawn one by one, burned, collected, shuffled again.

A value for whoever knows the order of the cards: a simulation, a shoe that reads its cards, the question who gets which
card of a given deck. Knows no game's deal (``games/*/dealing``) and no wager.
"""

from dataclasses import dataclass, replace

from rules.cards import DECK
from rules.decks.books import BOOKS
from rules.decks.checks import faults_of_cards
from rules.decks.cutting import cut, cut_by_dealer
from rules.decks.shuffling import Chance, shuffled
from rules.rounds import Device


class ShoeRefused(ValueError):
    """What cannot be done with the cards: the rule that refuses it, and the reason."""

    def __init__(self, rule: str, reason: str) -> None:
        self.rule = rule
        self.reason = reason
        super().__init__(f"{rule}: {reason}")


@dataclass(frozen=True, slots=True)
class Shoe:
    """The cards of a table: still to be dealt, on the layout, in the discard rack.

    Always the cards of its book's decks, none more and none less, wherever they lie.
    """

    book: str
    device: Device
    cards: tuple[int, ...]
    """Those still to be dealt, the next one first."""
    cutting_card: int | None = None
    """How many cards are dealt before the cutting card; ``None`` in a device, or once it is out."""
    layout: tuple[int, ...] = ()
    rack: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        """Refuse cards that are not those of the book (3.1)."""
        book = BOOKS[self.book]
        faults = faults_of_cards((*self.cards, *self.layout, *self.rack), book.decks)
        if faults:
            raise ShoeRefused(book.rule("cards"), str(faults))
        if self.device == "shuffler" and self.cutting_card is not None:
            raise ShoeRefused(book.rule("uncut"), "cards in a shuffling device are not cut")

    def draw(self) -> "Drawn":
        """The next card, and the shoe without it.

        Raises ``ShoeRefused`` where none is left (WAR 11.7, CSP 14.9, TCP 12.9, FCP 12.10).
        """
        if not self.cards:
            rule = "WAR 11.7" if self.book == "WAR" else BOOKS[self.book].rule("wrong_card")
            raise ShoeRefused(rule, "no card is left to deal")
        card, *rest = self.cards
        came = self.cutting_card == 0
        left = None if came or self.cutting_card is None else self.cutting_card - 1
        return Drawn(card, replace(self, cards=tuple(rest), cutting_card=left, layout=(*self.layout, card)), came)

    def put_under(self) -> "Shoe":
        """The shoe after the card drawn last, dealt in error and not exposed, was placed under it (WAR 11.4).

        Always as if that card had not been removed: it is the next one, and the cutting card lies where it lay, unless
        it came. Raises ``ShoeRefused`` where no card lies on the layout, or in another game.
        """
        if self.book != "WAR" or not self.layout:
            raise ShoeRefused("WAR 11.4", "no card dealt in error is put under the shoe or device")
        *layout, card = self.layout
        before = None if self.cutting_card is None else self.cutting_card + 1
        return replace(self, cards=(card, *self.cards), cutting_card=before, layout=tuple(layout))

    def burned(self) -> "Shoe":
        """The shoe after its next card was burned: face down into the discard rack, not exposed (WAR 4.9)."""
        drawn = self.draw()
        return replace(drawn.shoe, layout=self.layout, rack=(*self.rack, drawn.card))

    def collected(self) -> "Shoe":
        """The shoe after the cards on the layout were put into the discard rack (WAR 10.4, CSP 9.4.2)."""
        return replace(self, layout=(), rack=(*self.rack, *self.layout))

    def returned(self, chance: Chance) -> "Shoe":
        """The device after the cards of the discard rack were placed into it (WAR 7.2) and intermixed.

        Raises ``ShoeRefused`` at a shoe.
        """
        if self.device == "shoe":
            raise ShoeRefused("WAR 7.2", "only a shuffling device takes cards back during play")
        return replace(self, cards=shuffled((*self.cards, *self.rack), chance), rack=())

    def refilled(self, chance: Chance, place: int, back: int) -> "Shoe":
        """The shoe after the discards were shuffled and cut, since too few cards were left for the round (WAR 11.7).

        Always keeps what was still to be dealt in front of them, so that the round goes on with it. The cutting card
        lies where the cut has it; fewer cards than three decks cannot be cut by WAR 4.5, and are refused by it.
        """
        discards = shuffled(self.rack, chance)
        if self.device == "shuffler":
            return replace(self, cards=(*self.cards, *discards), rack=())
        stack, before = cut(discards, place, back)
        return replace(self, cards=(*self.cards, *stack), cutting_card=len(self.cards) + before, rack=())


@dataclass(frozen=True, slots=True)
class Drawn:
    """A card that was drawn."""

    card: int
    shoe: Shoe
    cutting_card_came: bool
    """Whether the cutting card lay in front of it (WAR 4.1.2, 4.1.3)."""


def loaded(book: str, device: Device, chance: Chance, place: int = 0, back: int = 0) -> Shoe:
    """New cards of a book, shuffled (rule 4.1), then cut into a shoe or placed uncut in a shuffling device.

    ``place`` and ``back`` are the cut's: at a poker table ``place`` alone, chosen by the dealer (CSP 4.2); in a device
    neither (CSP 4.4, TCP 4.4, FCP 4.4, WAR 4.7). Raises ``CutRefused`` where the cut cannot be, ``ShoeRefused`` for one
    in a device.
    """
    cards = shuffled(DECK * BOOKS[book].decks, chance)
    if device == "shuffler":
        if place or back:
            raise ShoeRefused(BOOKS[book].rule("uncut"), "cards in a shuffling device are not cut")
        return Shoe(book, device, cards)
    stack, before = cut(cards, place, back) if book == "WAR" else cut_by_dealer(book, cards, place)
    return Shoe(book, device, stack, before)
