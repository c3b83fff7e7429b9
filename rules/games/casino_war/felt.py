"""What lies on the layout of a Casino War table, and what each move does on it."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final

from rules.cards import CARD_TEXTS, DECK
from rules.decks.cutting import CutRefused, Cutter, check_cutter
from rules.games.casino_war.cutting import Occasion, offered
from rules.games.casino_war.dealing import DeviceFailure, deal_order
from rules.games.casino_war.rounds import DECKS, ExtraCard, Seat, Standing, VoidCause
from rules.games.casino_war.settling import same_rank
from rules.games.casino_war.sign import Area, Limits, wager_refused, war_refused
from rules.limits import Refused
from rules.play import Move, MoveRefused, area_of, cents_of, seat_of
from rules.rounds import DEALER, HIGHEST_SEAT, Device
from rules.settings import CasinoWarSettings

_PLAIN_WORDS: Final = CasinoWarSettings()
_NO_SIGN: Final = Limits()

AREAS: Final[tuple[Area, ...]] = ("initial", "tie")
"""The areas wagered on before the first card (WAR 5.1)."""


@dataclass(frozen=True, slots=True)
class Felt:
    """What lies on the layout, and what the table plays by."""

    device: Device
    settings: CasinoWarSettings = _PLAIN_WORDS
    limits: Limits = _NO_SIGN
    own_limits: Mapping[int, Limits] = field(default_factory=lambda: MappingProxyType({}))
    """The signs of players who may wager in excess of the stated maximum, by their seats (WAR 6.6)."""
    chip_cents: int = 1
    """Every amount that the chips at hand can pay is a multiple of this (WAR 5.10)."""
    closed: Mapping[int, Refused] = field(default_factory=lambda: MappingProxyType({}))
    """Why nobody may wager on an area this round, as the table says: given up, reserved (WAR 5.6.1, 5.9), excluded."""
    at_table: Mapping[int, str] = field(default_factory=lambda: MappingProxyType({}))
    """The players by their areas, in the order in which they came to the table (WAR 4.3.1)."""
    loaded: bool = False
    """Whether the cards lie in the shoe or device from the round before, and no cutting card has come (WAR 4.1)."""
    occasion: Occasion = "game_begins"
    """Why the cards are shuffled, which says who cuts (WAR 4.3)."""
    cutting_card: int | None = None
    """The place where the cutting card appeared (WAR 4.1.3); nowhere as long as it has not."""
    under: bool = False
    """Whether a card lies under the shoe or device, the first of this round (WAR 11.4)."""
    cut_due: bool = False
    """Whether shuffled cards have still to be cut (WAR 4.3, 11.7, 12.5.3)."""
    declined: tuple[int, ...] = ()
    """The areas whose players refused the cut (WAR 4.4)."""
    returned: bool = False
    """Whether the discards went into the device after the initial deal, or were forgotten (WAR 7.2, 11.14)."""
    check_after: bool = False
    """Whether the cards are checked after this round (WAR 3.5, 11.1.1)."""
    shuffle_after: bool = False
    """Whether the cards are shuffled after this round as a supervisor directed (WAR 4.1.4)."""
    failing: DeviceFailure | None = None
    """What is known of a shuffling device that no longer operates as intended (WAR 12.1)."""
    found: tuple[Standing, ...] = ()
    """What went wrong although every wager stands."""
    seats: tuple[Seat, ...] = ()
    """The areas with a wager, from the dealer's left."""
    dealer: tuple[int, ...] = ()
    dealer_extra: ExtraCard | None = None
    settled: tuple[int, ...] = ()
    """The areas whose wars were settled."""
    choosing: bool = False
    """Whether a device failed so that each player may have the wagers of the round back (WAR 12.5.1)."""
    void_by: VoidCause | None = None

    def seat(self, move: Move, rule: str) -> Seat:
        """The seat a move is made at; raises ``MoveRefused`` by a rule where no wager lies there."""
        number = seat_of(move, rule)
        for seat in self.seats:
            if seat.seat == number and not seat.out:
                return seat
        raise MoveRefused(move, rule, f"seat: {number}: there is no wager")

    def with_seat(self, seat: Seat) -> "Felt":
        """The felt with one seat changed or added."""
        others = [each for each in self.seats if each.seat != seat.seat]
        return replace(self, seats=tuple(sorted((*others, seat), key=lambda each: each.seat)))

    def without(self, number: int) -> "Felt":
        """The felt with one seat cleared."""
        return replace(self, seats=tuple([seat for seat in self.seats if seat.seat != number]))

    @property
    def begun(self) -> bool:
        """Whether the first card of the round was removed (WAR 5.4), also where it is dealt again (11.6)."""
        return any(seat.cards for seat in self.seats) or "reconstructed" in self.found

    def finding(self, kind: Standing) -> "Felt":
        """The felt with one thing more that went wrong although every wager stands."""
        return self if kind in self.found else replace(self, found=(*self.found, kind))

    def cutter(self) -> Cutter:
        """Who is offered the cut now (WAR 4.3, 4.4)."""
        return offered(self.occasion, self.at_table, self.cutting_card)[len(self.declined)]

    def in_play(self) -> tuple[Seat, ...]:
        """The seats whose wagers did not go back."""
        return tuple([seat for seat in self.seats if not seat.out])

    def at_war(self) -> tuple[Seat, ...]:
        """The seats that go to war (WAR 9.1)."""
        return tuple([seat for seat in self.in_play() if seat.decision == "war"])

    def next_place(self) -> int | None:
        """Who gets the next card of the deal that is being dealt (WAR 7.1, 9.2); nobody where it is dealt."""
        seats, size = (self.at_war(), 2) if self.dealer else (self.in_play(), 1)
        had = {seat.seat: len(seat.cards) for seat in seats} | {DEALER: len(self.dealer)}
        order = deal_order(self.device, [seat.seat for seat in seats]) if seats else ()
        return next((place for place, _ in order if had[place] < size), None)

    def seen(self) -> Counter[int]:
        """How often each card lies face up."""
        return Counter(card for hand in (self.dealer, *(seat.cards for seat in self.seats)) for card in hand)

    def ties(self) -> tuple[Seat, ...]:
        """The seats whose tie wagers have still to be acted on, the first last (WAR 8.1)."""
        return tuple([seat for seat in self.in_play() if seat.tie_cents is not None and seat.interim == "none"])

    def hands(self) -> tuple[Seat, ...]:
        """The seats that win or lose by their first card and have still to be acted on, the first last (WAR 8.2)."""
        left = [seat for seat in self.in_play() if seat.interim != "hand" and seat.cards and self.dealer]
        return tuple([seat for seat in left if not same_rank(seat, self.dealer)])

    def options(self) -> tuple[Seat, ...]:
        """The seats of the dealer's rank that have still to be offered war or surrender, in order (WAR 8.2.4)."""
        left = [seat for seat in self.in_play() if seat.interim != "hand" and seat.cards and self.dealer]
        return tuple([seat for seat in left if same_rank(seat, self.dealer)])

    def wars(self) -> tuple[Seat, ...]:
        """The seats whose wars have still to be settled (WAR 10)."""
        return tuple([seat for seat in self.at_war() if seat.seat not in self.settled])


def place(felt: Felt, move: Move) -> Felt:
    """Place an initial wager, or a tie wager beside one (WAR 5.1.3, 5.3), within the sign (6.1), one an area (5.5)."""
    number, cents = seat_of(move, "WAR 5.3"), cents_of(move, "WAR 5.3")
    if not 1 <= number <= HIGHEST_SEAT:
        raise MoveRefused(move, "WAR 5.3", f"seat: {number}: seats are numbered 1 to {HIGHEST_SEAT}")
    area = area_of(move, AREAS, "WAR 5.3")
    seat = next((each for each in felt.seats if each.seat == number), None)
    if area == "tie" and seat is None:
        raise MoveRefused(move, "WAR 5.1.3", f"seat {number} has no initial wager")
    if seat is not None and getattr(seat, f"{area}_cents") is not None:
        raise MoveRefused(move, "WAR 5.5", f"only one wager is accepted on the {area} area of seat {number}")
    closed = felt.closed.get(number)
    if closed is not None:
        raise MoveRefused(move, closed.rule, closed.reason)
    own = felt.own_limits.get(number)
    refused = wager_refused(area, cents, own or felt.limits)
    if refused is not None:
        marked = own is not None and own.initial_max_cents == felt.limits.initial_max_cents
        raise MoveRefused(move, "WAR 6.6" if own and not marked else refused.rule, refused.reason)
    if seat is None:
        return felt.with_seat(Seat(number, cents, own_limits=own, initial_tender=move.tender))
    return felt.with_seat(replace(seat, tie_cents=cents, tie_tender=move.tender))


def take_back(felt: Felt, move: Move) -> Felt:
    """Take a wager off the layout before the first card (WAR 5.4); the initial wager after the tie wager (5.1.3)."""
    seat, area = felt.seat(move, "WAR 5.4"), area_of(move, AREAS, "WAR 5.3")
    if area == "initial":
        if seat.tie_cents is not None:
            raise MoveRefused(move, "WAR 5.1.3", f"the tie wager of seat {seat.seat} needs it")
        return felt.without(seat.seat)
    if seat.tie_cents is None:
        raise MoveRefused(move, "WAR 5.4", f"there is no wager on the tie area of seat {seat.seat}")
    return felt.with_seat(replace(seat, tie_cents=None, tie_tender="chips"))


def shuffle(felt: Felt, move: Move) -> Felt:  # noqa: ARG001 - the form of every act
    """Shuffle the cards by hand or in a multishuffler; into a shoe they are cut then (WAR 4.1, 4.3)."""
    return replace(felt, cut_due=felt.device == "shoe", declined=(), under=False)


def load(felt: Felt, move: Move) -> Felt:
    """Place the cards uncut in a shuffling device (WAR 4.7)."""
    if felt.device == "shoe":
        raise MoveRefused(move, "WAR 4.6", "the table deals from a shoe")
    return replace(felt, under=False)


def cut(felt: Felt, move: Move) -> Felt:
    """Cut the cards, or refuse the cut: who is offered it (WAR 4.3), then clockwise, then a supervisor (4.4).

    A cut without a seat is the Casino Supervisor's.
    """
    _check_due(felt, move)
    if move.name == "refuse_cut" and felt.cutter().seat is None:
        raise MoveRefused(move, "WAR 4.4", "no player accepted the cut: a Casino Supervisor cuts")
    try:
        check_cutter(offered(felt.occasion, felt.at_table, felt.cutting_card), felt.declined, move.seat)
    except CutRefused as refused:
        raise MoveRefused(move, refused.rule, refused.reason) from None
    if move.name == "refuse_cut":
        return replace(felt, declined=(*felt.declined, seat_of(move, "WAR 4.4")))
    return replace(felt, cut_due=False, declined=())


def forget_cut(felt: Felt, move: Move) -> Felt:
    """Go on with uncut cards: the round is completed, then they are shuffled and cut (WAR 11.9)."""
    _check_due(felt, move)
    return replace(felt, cut_due=False, declined=()).finding("not_cut")


def _check_due(felt: Felt, move: Move) -> None:
    """Raise ``MoveRefused`` where no cards are to be cut."""
    if felt.device != "shoe":
        raise MoveRefused(move, "WAR 4.7", "cards from a shuffling device are not cut")
    if not felt.cut_due:
        raise MoveRefused(move, "WAR 4.3", "the cards were not shuffled anew")


def riffle(felt: Felt, move: Move) -> Felt:
    """Riffle shuffle pre-shuffled cards at a player's request, before the multishuffler or the cut (WAR 4.2, 4.2.1)."""
    if seat_of(move, "WAR 4.2") not in felt.at_table:
        raise MoveRefused(move, "WAR 4.2", f"seat: {move.seat}: no player there requests it")
    return felt


def forget_burn(felt: Felt, move: Move) -> Felt:  # noqa: ARG001 - the form of every act
    """Leave the first card unburned: it remains in play (WAR 11.10)."""
    return felt.finding("no_burn_card")


def forget_shuffle(felt: Felt, move: Move) -> Felt:
    """Begin another round after the cutting card came: it is completed, then the cards are shuffled (WAR 11.11)."""
    if felt.cutting_card is None:
        raise MoveRefused(move, "WAR 11.11", "no cutting card came in the round before")
    return felt.finding("not_shuffled")


def draw_cutting_card(felt: Felt, move: Move) -> Felt:
    """Draw the cutting card: after this round, or at once where it comes first, the cards are shuffled (WAR 4.1).

    It appears on the area, or the dealer's place, whose card came next (WAR 4.3.2, 4.3.3).
    """
    if felt.device != "shoe":
        raise MoveRefused(move, "WAR 4.7", "a shuffling device has no cutting card")
    if felt.cutting_card is not None:
        raise MoveRefused(move, "WAR 4.1.3", "it was drawn already")
    if felt.under:
        raise MoveRefused(move, "WAR 11.4", "the first card lies under the shoe, and comes before any in it")
    if not felt.begun:
        return replace(felt, occasion="first_card")  # WAR 4.1.2, 4.3.4
    place_ = felt.next_place()
    if place_ is None:
        raise MoveRefused(move, "WAR 4.1.3", "no card is dealt any more in this round")
    return replace(felt, occasion="cutting_card", cutting_card=place_)


def play_on(felt: Felt, move: Move) -> Felt:
    """Begin a round with the cards that lie in the shoe or device (WAR 4.1)."""
    if not felt.loaded:
        raise MoveRefused(move, "WAR 4.1", "the cards are shuffled before the start of play and after the cutting card")
    return felt


def call(felt: Felt, move: Move) -> Felt:
    """Call no more bets once wagers are placed (WAR 7.1)."""
    if not felt.seats:
        raise MoveRefused(move, "WAR 7.1", "no wager is placed")
    return felt


def burn_empty(felt: Felt, move: Move) -> Felt:
    """Burn the cards of a round that was begun without a wager (WAR 11.5)."""
    if felt.seats:
        raise MoveRefused(move, "WAR 11.5", "wagers are placed")
    return replace(felt, under=False)


def deal(felt: Felt, move: Move) -> Felt:
    """Deal the next card face up: to each area and the dealer (WAR 7.1), then where a war wager was placed (9.2)."""
    rule = "WAR 9.2" if felt.dealer else "WAR 7.1"
    if felt.dealer and not felt.at_war():
        raise MoveRefused(move, "WAR 9.1", "nobody goes to war")
    if felt.failing is not None:
        raise MoveRefused(move, "WAR 12.1.2", "the shuffling device has failed, and was not answered")
    if felt.cut_due:
        raise MoveRefused(move, "WAR 4.3", "the cards were shuffled anew, and are cut first")
    to = call(felt, move).next_place()
    if seat_of(move, rule) != to:
        raise MoveRefused(move, rule, f"seat: {move.seat}: the next card goes to {to or 'the dealer'}")
    card, felt = _card(felt, move), replace(felt, under=False)
    if to == DEALER:
        return replace(felt, dealer=(*felt.dealer, card))
    seat = felt.seat(move, rule)
    return felt.with_seat(replace(seat, cards=(*seat.cards, card)))


def _card(felt: Felt, move: Move) -> int:
    """The one card a move turns up; raises ``MoveRefused`` where six decks have no more of it (WAR 3.1)."""
    cards = move.cards or ()
    if len(cards) != 1:
        raise MoveRefused(move, "WAR 7.1", f"cards: {len(cards)} where one is dealt, face up")
    (card,) = cards
    if card not in DECK:
        raise MoveRefused(move, "WAR 3.1", f"cards: {card}: no card")
    if felt.seen()[card] >= DECKS:
        raise MoveRefused(move, "WAR 3.1", f"cards: {CARD_TEXTS[card]}: all {DECKS} of them lie on the table")
    return card


def settle_tie(felt: Felt, move: Move) -> Felt:
    """Take or pay a tie wager, from the dealer's right (WAR 8.1)."""
    seat = felt.seat(move, "WAR 8.1")
    left = felt.ties()
    if seat not in left:
        raise MoveRefused(move, "WAR 8.1", f"seat {seat.seat} has no tie wager to act on")
    if seat != left[-1]:
        raise MoveRefused(move, "WAR 8.1", f"the next tie wager from the right is at seat {left[-1].seat}")
    return felt.with_seat(replace(seat, interim="tie"))


def settle_hand(felt: Felt, move: Move) -> Felt:
    """Take or pay an initial wager, from the dealer's right, once all tie wagers were acted on (WAR 8.2)."""
    seat = felt.seat(move, "WAR 8.2")
    left = felt.hands()
    if felt.ties():
        raise MoveRefused(move, "WAR 8.2", "a tie wager has still to be acted on")
    if seat not in left:
        raise MoveRefused(move, "WAR 8.2", f"seat {seat.seat} has no hand to win or lose by its first card")
    if seat != left[-1]:
        raise MoveRefused(move, "WAR 8.2", f"the next hand from the right is at seat {left[-1].seat}")
    return felt.with_seat(replace(seat, interim="hand"))


def choose(felt: Felt, move: Move) -> Felt:
    """Take a player's choice of war or surrender, from the dealer's left (WAR 8.2.4); absent, one surrenders (11.8)."""
    rule = CHOICE_RULES[move.name]
    seat = felt.seat(move, rule)
    left = felt.options()
    if seat not in left:
        raise MoveRefused(move, rule, f"seat {seat.seat} has no choice to make")
    if felt.ties() or felt.hands():
        raise MoveRefused(move, "WAR 8.2", "a wager has still to be acted on")
    if seat != left[0]:
        raise MoveRefused(move, "WAR 8.2.4", f"the next choice from the left is at seat {left[0].seat}")
    match move.name:
        case "war":
            cents = cents_of(move, "WAR 5.7")
            refused = war_refused(cents, seat.initial_cents)
            if refused is not None:
                raise MoveRefused(move, refused.rule, f"cents: {cents}: {refused.reason}")
            seat = replace(seat, decision="war", war_cents=cents, war_tender=move.tender)
        case "surrender":
            seat = replace(seat, decision="surrender")
        case _:
            seat = replace(seat, decision="absent")
    return felt.with_seat(replace(seat, interim="hand"))


def settle_war(felt: Felt, move: Move) -> Felt:
    """Settle the wagers of an area that went to war (WAR 10)."""
    seat = felt.seat(move, "WAR 10")
    if seat not in felt.wars():
        raise MoveRefused(move, "WAR 10", f"seat {seat.seat} has no war to settle")
    return replace(felt, settled=(*felt.settled, seat.seat))


def collect(felt: Felt, move: Move) -> Felt:
    """Collect all cards (WAR 10.4), once no war has still to be fought."""
    if felt.void_by is None and felt.wars():
        raise MoveRefused(move, "WAR 9.2", f"seat {felt.wars()[0].seat} goes to war")
    return felt


CHOICE_RULES: Final = {"war": "WAR 5.7", "surrender": "WAR 8.2.4.1", "absent": "WAR 11.8"}
"""The rule of each choice."""


def options_of(felt: Felt) -> Iterator[Move]:
    """The moves at the areas that the felt allows while wagers are settled."""
    ties, hands, choices = felt.ties(), felt.hands(), felt.options()
    if ties:
        yield Move("settle_tie", ties[-1].seat)
    elif hands:
        yield Move("settle_hand", hands[-1].seat)
    elif choices:
        yield Move("war", choices[0].seat, cents=choices[0].initial_cents)
        yield from (Move(name, choices[0].seat) for name in ("surrender", "absent"))
    yield from (Move("settle_war", seat.seat) for seat in felt.wars())
