"""What lies on the layout of a Three Card or Four Card Poker table, and what wagering and dealing do on it: 4 to 7."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import ClassVar, Final, Self, TypeVar

from rules.games.ante_play.book import NO_SIGN, Book, Sign, VoidCause
from rules.games.ante_play.rounds import VOID_HANDS, Seat
from rules.games.directing import number_of
from rules.limits import Refused, outside_sign
from rules.play import Move, MoveRefused, area_of, cards_of, cents_of, check_cut, seat_of
from rules.rounds import DEALER, Device
from rules.settings import AntePlaySettings, ThreeCardSettings

_PLAIN_WORDS: Final = AntePlaySettings()

MOST_EXPOSED: Final = 1
"""Two cards exposed in error during the deal are a misdeal (TCP 12.3, FCP 12.3); one is turned over (12.5)."""


@dataclass(frozen=True, slots=True)
class Felt:
    """What lies on the layout, and what the table plays by."""

    BOOK: ClassVar[Book]
    """Which book the table plays by; each game's own."""

    device: Device
    settings: AntePlaySettings = _PLAIN_WORDS
    limits: Sign = NO_SIGN
    own_limits: Mapping[int, Sign] = field(default_factory=lambda: MappingProxyType({}))
    """The limits of seats whose players have some of their own, on a sign or marker (TCP 6.5.1, 6.6; FCP 6.5.1)."""
    closed: Mapping[int, Refused] = field(default_factory=lambda: MappingProxyType({}))
    """The seats that may not wager in this round, each with the reason: no valid own card, nobody there (TCP 14.1)."""
    barred: tuple[tuple[int, str], ...] = ()
    """The seats whose players may not wager any more, each with the clause by which it was directed."""
    english: bool = False
    """Whether the players were directed to speak English only (TCP 12.11.3, FCP 12.12.3)."""
    warned: Mapping[int, int] = field(default_factory=lambda: MappingProxyType({}))
    """How often the player at a seat was told that being short of a play wager will cost the ante (TCP 12.10)."""
    seats: tuple[Seat, ...] = ()
    """The seats with a wager, from the dealer's left."""
    first: frozenset[int] = frozenset()
    """The seats whose players were directed to play before others handle their cards (TCP 12.11.1, FCP 12.12.1)."""
    dealt: int = 0
    """How many cards of the deal have left the shoe or the device."""
    exposed: tuple[int, ...] = ()
    """Where a card was exposed in error during the deal, each time."""
    known: tuple[int, ...] = ()
    """The dealer's cards that were seen before the hand is turned: dealt face up, or exposed in error."""
    handled: bool = False
    """Whether a player has handled cards (TCP 12.1, FCP 12.1)."""
    dealer: tuple[int, ...] | None = None
    settled: tuple[int, ...] = ()
    """The seats whose hands were turned up and settled."""
    void_by: VoidCause | None = None

    def seat(self, move: Move, rule: str) -> Seat:
        """The seat a move is made at; raises ``MoveRefused`` by a rule where no wager lies there."""
        number = seat_of(move, rule)
        for seat in self.seats:
            if seat.seat == number:
                return seat
        raise MoveRefused(move, rule, f"seat: {number}: there is no wager")

    def with_seat(self, seat: Seat) -> Self:
        """The felt with one seat changed, added, or cleared where nothing lies there any more."""
        others = [each for each in self.seats if each.seat != seat.seat]
        if seat.ante_cents is not None or seat.side_cents is not None:
            others.append(seat)
        return replace(self, seats=tuple(sorted(others, key=lambda each: each.seat)))

    def without(self, number: int) -> Self:
        """The felt with every wager of a seat taken off, before the first card."""
        return replace(self, seats=tuple([each for each in self.seats if each.seat != number]))

    def limits_of(self, number: int) -> Sign:
        """The limits that a seat plays by."""
        return self.own_limits.get(number, self.limits)

    def in_hand(self) -> tuple[Seat, ...]:
        """The seats whose hands are not void."""
        return tuple([seat for seat in self.seats if seat.fault not in VOID_HANDS])

    def to_turn(self) -> tuple[Seat, ...]:
        """The seats whose hands have still to be turned up and settled (TCP 9.3, 9.4; FCP 9.2)."""
        return tuple([seat for seat in self.seats if seat.seat not in self.settled and self._needs_cards(seat)])

    def _needs_cards(self, seat: Seat) -> bool:
        match seat.decision:
            case "play":
                return True
            case "concede":
                return self.settings.concede_collects == "ante_play"
            case "short" | "absent":
                return seat.side_cents is not None
            case _:
                return False

    def seen(self, but: int | None = None) -> Iterator[int]:
        """Every card that lies face up since the dealer's hand was turned, those of one seat left out if named."""
        yield from self.dealer or ()
        for seat in self.seats:
            if seat.seat != but:
                yield from seat.cards or ()

    def order_of_deal(self) -> tuple[tuple[int, str], ...]:
        """Who gets each card, and how it lies (TCP 7.3, 7.4; FCP 7.3, 7.4)."""
        return self.BOOK.deal_order(self.device, [seat.seat for seat in self.seats])

    def next_place(self) -> int:
        """Who gets the next card, or the next packet."""
        return self.order_of_deal()[self.dealt][0]

    def next_is_up(self) -> bool:
        """Whether the next card is dealt face up: the dealer's sixth (FCP 7.3.4, 7.4.2)."""
        return self.order_of_deal()[self.dealt][1] == "up"

    def all_dealt(self) -> bool:
        """Whether the last card was dealt."""
        return self.dealt == len(self.order_of_deal())

    def cards_at(self, place: int) -> int:
        """How many cards a place has by now, the dealer's being 0."""
        return sum(to == place for to, _ in self.order_of_deal()[: self.dealt])


F = TypeVar("F", bound=Felt)
"""The felt of one of the games."""


def place(felt: F, move: Move) -> F:
    """Place an ante or a side wager (TCP 5.3, FCP 5.2), within the limits of the seat (6.1), one on an area."""
    book, clauses = felt.BOOK, felt.BOOK.clauses
    # TCP 5.3, FCP 5.2
    cents, number = cents_of(move, clauses.place), number_of(move, clauses.place)
    area = area_of(move, book.areas, clauses.place)
    by = next((rule for each, rule in felt.barred if each == number), None)
    if by is not None:
        raise MoveRefused(move, by, f"the player at seat {number} was directed not to take part")
    if number in felt.closed:
        raise MoveRefused(move, felt.closed[number].rule, f"seat {number}: {felt.closed[number].reason}")
    seat = next((each for each in felt.seats if each.seat == number), None)
    if seat is None:
        seat = Seat(number, warnings=felt.warned.get(number, 0), own_limits=felt.own_limits.get(number))
    side = area == book.side
    if (seat.side_cents if side else seat.ante_cents) is not None:  # TCP 5.7, FCP 5.6
        raise MoveRefused(move, clauses.one_wager, f"only one wager is accepted on the {area} area of seat {number}")
    # TCP 6.1, FCP 6.1
    refused = outside_sign(cents, *felt.limits_of(number).of("side" if side else "ante"), book.rule("6.1"))
    if refused is not None:
        raise MoveRefused(move, refused.rule, refused.reason)
    if side:
        return felt.with_seat(replace(seat, side_cents=cents, side_tender=move.tender))
    return felt.with_seat(replace(seat, ante_cents=cents, ante_tender=move.tender))


def take_back(felt: F, move: Move) -> F:
    """Take a wager off the layout before the first card (TCP 5.5, 14.12; FCP 5.4, 14.11)."""
    clauses = felt.BOOK.clauses
    rule = clauses.refuse if move.name == "refuse_wager" else clauses.untouched
    seat, area = felt.seat(move, rule), area_of(move, felt.BOOK.areas, clauses.place)
    side = area == felt.BOOK.side
    if (seat.side_cents if side else seat.ante_cents) is None:  # TCP 14.12, FCP 14.11
        raise MoveRefused(move, rule, f"there is no wager on the {area} area of seat {seat.seat}")
    if side:
        return felt.with_seat(replace(seat, side_cents=None, side_tender="chips"))
    return felt.with_seat(replace(seat, ante_cents=None, ante_tender="chips"))


def ready(felt: F, move: Move) -> F:
    """Cut the cards into a shoe (4.2), which the dealer alone does (4.3), or place them uncut in a device (4.4)."""
    check_cut(move, felt.BOOK.code, felt.device)
    return felt


def by_device(felt: F, move: Move) -> F:
    """Answer a shuffling device that jammed (13.1); raises ``MoveRefused`` where the table deals from a shoe."""
    if felt.device == "shoe":
        raise MoveRefused(move, felt.BOOK.rule("13.1"), "the table deals from a shoe")
    return felt


def call(felt: F, move: Move) -> F:
    """Call no more bets once wagers are placed (7.2)."""
    if not felt.seats:
        raise MoveRefused(move, felt.BOOK.rule("7.2"), "no wager is placed")
    return felt


def deal(felt: F, move: Move) -> F:
    """Deal the next card from a shoe (7.3), or the next packet from a device (7.4), and face up only as the book says.

    Never a card to a place without a wager, nor out of turn (7.2).
    """
    shoe, book = felt.device == "shoe", felt.BOOK
    rule = book.rule("7.3" if shoe else "7.4")
    to = call(felt, move).next_place()  # TCP 7.2, 3.6; FCP 7.2, 3.6
    if seat_of(move, rule) != to:
        raise MoveRefused(move, rule, f"seat: {move.seat}: the next card goes to {to or 'the dealer'}")
    if felt.next_is_up():
        up = cards_of(move, 1, felt.known, book.clauses.up_card_shoe if shoe else book.clauses.up_card_device)
        return replace(felt, dealt=felt.dealt + 1, known=(*felt.known, *up))
    if move.cards:  # TCP 7.1, FCP 7.1
        raise MoveRefused(move, book.rule("7.1"), "cards: this one is dealt face down")
    return replace(felt, dealt=felt.dealt + (1 if shoe else book.hand))


def expose(felt: F, move: Move) -> F:
    """Turn over a player's card exposed in error during the deal (12.5); the second exposed is a misdeal (12.3)."""
    rule = felt.BOOK.rule("12.5")
    seat = felt.seat(move, rule).seat
    if not felt.cards_at(seat):
        raise MoveRefused(move, rule, f"seat {seat} has no card yet")
    return exposed_at(felt, seat)  # TCP 12.5, FCP 12.5


def expose_dealer(felt: F, move: Move) -> F:
    """Answer a card of the dealer's exposed in error (TCP 12.6, FCP 12.5); of two in the deal the ruling says what.

    Once every card is dealt the players who have not decided may still play or fold (TCP 12.6).
    """
    rule = felt.BOOK.clauses.dealer_exposed
    if felt.cards_at(DEALER) <= len(felt.known):  # TCP 12.6
        raise MoveRefused(move, rule, "the dealer has no card that lies face down")
    found = replace(felt, known=(*felt.known, *cards_of(move, 1, felt.known, rule)))
    return found if felt.all_dealt() else exposed_at(found, DEALER)


def exposed_at(felt: F, place_: int) -> F:
    """The felt once a card of a place was exposed in error during the deal: void where that is a misdeal (12.3)."""
    exposed = (*felt.exposed, place_)
    ruled = isinstance(felt.settings, ThreeCardSettings) and felt.settings.dealer_cards_exposed_in_deal == "play_on"
    play_on = ruled and all(each == DEALER for each in exposed)
    misdeal = len(exposed) > MOST_EXPOSED and not play_on  # TCP 12.3, FCP 12.3
    return replace(felt, exposed=exposed, void_by="misdeal" if misdeal else None)
