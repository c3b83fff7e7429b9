"""What lies on the layout of a Four Card Poker table, and what each move does on it."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from rules.four_card_hands import best_four, four_card_value
from rules.games.four_card_poker.dealing import deal_order
from rules.games.four_card_poker.rounds import DEALERS_HAND, HAND, HandFault, Seat, VoidCause, four_of
from rules.games.four_card_poker.sign import Area, Limits, play_refused, wager_refused
from rules.play import Move, MoveRefused, area_of, cards_of, cents_of, check_cut, seat_of
from rules.rounds import HIGHEST_SEAT, Device
from rules.settings import FourCardSettings

_PLAIN_WORDS: Final = FourCardSettings()
_NO_SIGN: Final = Limits()

AREAS: Final[tuple[Area, ...]] = ("ante", "aces_up")
"""The areas wagered on before the first card (FCP 5.2)."""

MOST_EXPOSED: Final = 1
"""Two cards exposed in error are a misdeal (FCP 12.3); one is turned over (12.5)."""

GIVEN_UP: Final = frozenset({"fold", "concede", "void"})
"""Decisions after which a player has no hand any more."""


@dataclass(frozen=True, slots=True)
class Felt:
    """What lies on the layout, and what the table plays by."""

    device: Device
    settings: FourCardSettings = _PLAIN_WORDS
    limits: Limits = _NO_SIGN
    seats: tuple[Seat, ...] = ()
    """The seats with a wager, from the dealer's left."""
    dealt: int = 0
    """How many cards of the deal have left the shoe or the device."""
    exposed: int = 0
    """How many cards were exposed in error during the deal."""
    up_card: int | None = None
    """The dealer's sixth card, dealt face up (FCP 7.3.4, 7.4.2)."""
    dealer: tuple[int, ...] | None = None
    dealer_set: tuple[int, ...] | None = None
    """The four cards that the dealer set as the highest (FCP 9.1)."""
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

    def with_seat(self, seat: Seat) -> "Felt":
        """The felt with one seat changed, added, or cleared where nothing lies there any more."""
        others = [each for each in self.seats if each.seat != seat.seat]
        if seat.ante_cents is not None or seat.aces_up_cents is not None:
            others.append(seat)
        return replace(self, seats=tuple(sorted(others, key=lambda each: each.seat)))

    def to_turn(self) -> tuple[Seat, ...]:
        """The seats whose hands have still to be revealed and settled (FCP 9.2)."""
        return tuple([seat for seat in self.seats if seat.seat not in self.settled and self._needs_cards(seat)])

    def _needs_cards(self, seat: Seat) -> bool:
        match seat.decision:
            case "play":
                return True
            case "concede":
                return self.settings.concede_collects == "ante_play"
            case "short" | "absent":
                return seat.aces_up_cents is not None
            case _:
                return False

    def handled(self) -> bool:
        """Whether a player has handled cards (FCP 12.1, 12.7)."""
        return any(seat.decision is not None for seat in self.seats)

    def seen(self, but: int | None = None) -> Iterator[int]:
        """Every card that lies face up, those of one seat left out where it is named."""
        yield from self.dealer or ()
        for seat in self.seats:
            if seat.seat != but:
                yield from seat.cards or ()

    def next_place(self) -> int:
        """Who gets the next card (FCP 7.3, 7.4)."""
        return deal_order(self.device, [seat.seat for seat in self.seats])[self.dealt][0]

    def next_is_last(self) -> bool:
        """Whether the next card is the dealer's sixth, which is dealt face up (FCP 7.3.4, 7.4.2)."""
        return self.dealt == HAND * (len(self.seats) + 1)


def place(felt: Felt, move: Move) -> Felt:
    """Place an ante or an Aces Up wager (FCP 5.2), within the sign (6.1), one on an area (5.6)."""
    number, cents = seat_of(move, "FCP 5.2"), cents_of(move, "FCP 5.2")
    if not 1 <= number <= HIGHEST_SEAT:
        raise MoveRefused(move, "FCP 5.2", f"seat: {number}: seats are numbered 1 to {HIGHEST_SEAT}")
    area = area_of(move, AREAS, "FCP 5.2")
    seat = next((each for each in felt.seats if each.seat == number), Seat(number))
    if getattr(seat, f"{area}_cents") is not None:
        raise MoveRefused(move, "FCP 5.6", f"only one wager is accepted on the {area} area of seat {number}")
    refused = wager_refused(area, cents, felt.limits)
    if refused is not None:
        raise MoveRefused(move, refused.rule, refused.reason)
    if area == "ante":
        return felt.with_seat(replace(seat, ante_cents=cents, ante_tender=move.tender))
    return felt.with_seat(replace(seat, aces_up_cents=cents, aces_up_tender=move.tender))


def take_back(felt: Felt, move: Move) -> Felt:
    """Take a wager off the layout before the first card (FCP 5.4, 14.11)."""
    rule = "FCP 14.11" if move.name == "refuse_wager" else "FCP 5.4"
    seat, area = felt.seat(move, rule), area_of(move, AREAS, "FCP 5.2")
    if getattr(seat, f"{area}_cents") is None:
        raise MoveRefused(move, rule, f"there is no wager on the {area} area of seat {seat.seat}")
    if area == "ante":
        return felt.with_seat(replace(seat, ante_cents=None, ante_tender="chips"))
    return felt.with_seat(replace(seat, aces_up_cents=None, aces_up_tender="chips"))


def ready(felt: Felt, move: Move) -> Felt:
    """Cut the cards into a shoe (FCP 4.2), or place them uncut in a shuffling device (4.4)."""
    check_cut(move, shoe=felt.device == "shoe", cut_rule="FCP 4.2", load_rule="FCP 4.4")
    return felt


def by_device(felt: Felt, move: Move) -> Felt:
    """Answer a shuffling device that jammed (FCP 13.1); raises ``MoveRefused`` where the table deals from a shoe."""
    if felt.device == "shoe":
        raise MoveRefused(move, "FCP 13.1", "the table deals from a shoe")
    return felt


def call(felt: Felt, move: Move) -> Felt:
    """Call no more bets once wagers are placed (FCP 7.2)."""
    if not felt.seats:
        raise MoveRefused(move, "FCP 7.2", "no wager is placed")
    return felt


def deal(felt: Felt, move: Move) -> Felt:
    """Deal the next card from a shoe (FCP 7.3), the next five from a device (7.4), or the dealer's sixth, face up."""
    shoe = felt.device == "shoe"
    rule = "FCP 7.3" if shoe else "FCP 7.4"
    to = call(felt, move).next_place()
    if seat_of(move, rule) != to:
        raise MoveRefused(move, rule, f"seat: {move.seat}: the next card goes to {to or 'the dealer'}")
    if felt.next_is_last():
        (card,) = cards_of(move, 1, (), "FCP 7.3.4" if shoe else "FCP 7.4.2")
        return replace(felt, dealt=felt.dealt + 1, up_card=card)
    return replace(felt, dealt=felt.dealt + (1 if shoe else HAND))


def expose(felt: Felt, move: Move) -> Felt:  # noqa: ARG001 - the form of every act
    """Turn over a card exposed in error (FCP 12.5); the second is a misdeal (12.3)."""
    exposed = felt.exposed + 1
    return replace(felt, exposed=exposed, void_by="misdeal" if exposed > MOST_EXPOSED else None)


def decide(felt: Felt, move: Move) -> Felt:
    """Take a player's decision: play, fold, be short of a play wager, or make none (FCP 8.3, 8.5, 12.11, 12.13)."""
    rule = DECISION_RULES[move.name]
    seat = felt.seat(move, rule)
    if seat.decision is not None:
        raise MoveRefused(move, "FCP 8.4" if seat.decision == "fold" else rule, f"seat {seat.seat} has decided")
    match move.name:
        case "play":
            return felt.with_seat(_played(seat, move, felt.settings))
        case "short":
            if seat.ante_cents is None:
                raise MoveRefused(move, "FCP 12.11", f"seat {seat.seat} has no ante to match")
            return felt.with_seat(replace(seat, decision="short"))
        case "fold":
            return felt.with_seat(replace(seat, decision="fold"))
        case _:
            return felt.with_seat(replace(seat, decision="absent"))


def _played(seat: Seat, move: Move, settings: FourCardSettings) -> Seat:
    """A seat with its play wager on the cards; without an ante there is none (FCP 5.3, 8.5)."""
    if seat.ante_cents is None:
        if move.cents is not None:
            raise MoveRefused(move, "FCP 5.3", f"seat {seat.seat} has an Aces Up wager only")
        return replace(seat, decision="play")
    cents = cents_of(move, "FCP 8.5")
    refused = play_refused(cents, seat.ante_cents, settings)
    if refused is not None:
        raise MoveRefused(move, refused.rule, f"cents: {cents}: {refused.reason}")
    return replace(seat, decision="play", play_cents=cents, play_tender=move.tender)


def turn_dealer(felt: Felt, move: Move) -> Felt:
    """Turn up the dealer's hand, the card dealt face up among it (FCP 8.6); another number of cards is a misdeal."""
    if len(move.cards or ()) != DEALERS_HAND:
        reason = f"cards: {len(move.cards or ())} where the dealer's hand is {DEALERS_HAND}"
        raise MoveRefused(move, "FCP 12.2", reason)
    cards = cards_of(move, DEALERS_HAND, (), "FCP 3.1")
    if felt.up_card not in cards:
        raise MoveRefused(move, "FCP 8.6", "cards: the one dealt face up is not among them")
    return replace(felt, dealer=cards)


def set_dealer(felt: Felt, move: Move) -> Felt:
    """Arrange the dealer's highest four cards (FCP 9.1); once a player's hand is exposed they stand as set (12.8)."""
    if felt.settled:
        raise MoveRefused(move, "FCP 12.8", "a player's hand has been exposed: the dealer's stands as set")
    dealer, cards = felt.dealer or (), move.cards or ()
    if not four_of(cards, dealer):
        raise MoveRefused(move, "FCP 9.1", f"cards: {len(cards)}: not four different ones of the dealer's six")
    wrongly = four_card_value(cards) < best_four(dealer).value
    return replace(felt, dealer_set=cards if wrongly else None)


def concede(felt: Felt, move: Move) -> Felt:
    """Concede a hand that was played and not yet settled (FCP 9.3); it never comes back (9.4)."""
    seat = felt.seat(move, "FCP 9.3")
    if seat.decision == "concede":
        raise MoveRefused(move, "FCP 9.4", f"seat {seat.seat} has conceded")
    if seat.decision != "play" or seat.seat in felt.settled:
        raise MoveRefused(move, "FCP 9.3", f"seat {seat.seat} has no hand to concede")
    return felt.with_seat(replace(seat, decision="concede"))


def settle_hand(felt: Felt, move: Move) -> Felt:
    """Reveal a player's hand and settle it (FCP 9.2, 9.6)."""
    seat = felt.seat(move, "FCP 9.6")
    if seat not in felt.to_turn():
        rule = "FCP 9.4" if seat.decision == "concede" else "FCP 9.6"
        raise MoveRefused(move, rule, f"seat {seat.seat} has no hand left to settle")
    return replace(_with_hand(felt, seat, move), settled=(*felt.settled, seat.seat))


def _with_hand(felt: Felt, seat: Seat, move: Move) -> Felt:
    """The felt with a player's five cards face up; another number of them is a void hand (FCP 12.6)."""
    if len(move.cards or ()) != HAND:
        raise MoveRefused(move, "FCP 12.6", f"cards: {len(move.cards or ())} where a player's hand is {HAND}")
    return felt.with_seat(replace(seat, cards=cards_of(move, HAND, felt.seen(seat.seat), "FCP 3.1")))


def reconstruct(felt: Felt, move: Move) -> Felt:
    """Correct a hand that was arranged wrongly, from its five cards, before the next round (FCP 12.9)."""
    return _with_hand(felt, _settled_seat(felt, move), move)


def lose_track(felt: Felt, move: Move) -> Felt:
    """Declare a wrongly arranged hand void where no reconstruction was possible (FCP 12.9)."""
    seat = _settled_seat(felt, move)
    return felt.with_seat(replace(seat, decision="void", void_for="not_reconstructed", cards=None))


def _settled_seat(felt: Felt, move: Move) -> Seat:
    seat = felt.seat(move, "FCP 12.9")
    if felt.void_by is not None or seat.seat not in felt.settled or seat.decision == "void":
        raise MoveRefused(move, "FCP 12.9", f"no hand of seat {seat.seat} was arranged")
    return seat


def discard_hand(felt: Felt, move: Move) -> Felt:
    """Discard a hand dealt where no wager lies (FCP 12.7); before any cards were handled it is a misdeal (12.1)."""
    number = seat_of(move, "FCP 12.7")
    if not 1 <= number <= HIGHEST_SEAT:
        raise MoveRefused(move, "FCP 12.7", f"seat: {number}: seats are numbered 1 to {HIGHEST_SEAT}")
    if any(seat.seat == number for seat in felt.seats):
        raise MoveRefused(move, "FCP 12.7", f"seat: {number}: there is a wager")
    if not felt.handled():
        raise MoveRefused(move, "FCP 12.1", "no player has handled cards: it is a misdeal")
    return felt


def void_hand(felt: Felt, move: Move) -> Felt:
    """Declare one player's wagers void: for the number of cards (FCP 12.6), or a prohibited device (14.3.1)."""
    rule, fault = _HAND_FAULTS[move.name]
    seat = felt.seat(move, rule)
    if seat.decision in GIVEN_UP or seat.seat in felt.settled:
        raise MoveRefused(move, rule, f"seat {seat.seat} has no hand any more")
    return felt.with_seat(replace(seat, decision="void", void_for=fault))


def misdeal(felt: Felt, move: Move) -> Felt:
    """Declare a misdeal before any player has handled the cards (FCP 12.1)."""
    if felt.handled():
        raise MoveRefused(move, "FCP 12.1", "a player has handled cards")
    return replace(felt, void_by="misdeal")


def void_round(felt: Felt, move: Move) -> Felt:
    """Declare the round void: for the dealer's cards (FCP 12.2), the deck (12.10), the device (13.2) or by 14.4."""
    cause = ROUND_FAULTS[move.name]
    if cause == "device_failed" and felt.device == "shoe":
        raise MoveRefused(move, "FCP 13.2", "the table deals from a shoe")
    return replace(felt, void_by=cause)


DECISION_RULES: Final = {"play": "FCP 8.5", "fold": "FCP 8.3", "short": "FCP 12.11", "absent": "FCP 12.13"}
"""The rule of each decision."""

_HAND_FAULTS: Final[dict[str, tuple[str, HandFault]]] = {
    "void_hand": ("FCP 12.6", "card_count"),
    "void_wagers": ("FCP 14.3.1", "prohibited_device"),
}
ROUND_FAULTS: Final[dict[str, VoidCause]] = {
    "misdealt_dealer": "misdeal",
    "void_round": "foreign_card",
    "device_failed": "device_failed",
    "invalidate": "invalidated",
}
"""What the moves that void a whole round void it for."""
