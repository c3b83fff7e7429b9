"""What lies on the layout of a Caribbean Stud table, and what wagering and dealing do on it: rules 4 to 7."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final, Literal

from rules.games.caribbean_stud.dealing import HAND, deal_order
from rules.games.caribbean_stud.faults import NOTHING_WRONG, VOID_HANDS, Faults
from rules.games.caribbean_stud.settling import dealer_qualifies
from rules.hands import five_card_value
from rules.limits import Limits, Refused, ante_refused, jackpot_refused, second_wager_refused
from rules.play import Move, MoveRefused, area_of, cards_of, cents_of, check_cut, seat_of
from rules.rounds import DEALER, HIGHEST_SEAT, Device, Seat
from rules.settings import Settings
from rules.terms import Rulings, Terms

Area = Literal["ante", "jackpot"]
"""The areas wagered on before the first card (CSP 5.3)."""

AREAS: Final[tuple[Area, ...]] = ("ante", "jackpot")

JackpotState = Literal["open", "failed", "closed"]
"""Whether the jackpot's equipment works, has failed, or the game is dealt without it with approval (CSP 14.15)."""

_NO_NOTICE: Final = Settings()
_NO_SIGN: Final = Limits()
_PLAIN_WORDS: Final = Rulings()


@dataclass(frozen=True, slots=True)
class Felt:
    """What lies on the layout, and what the table plays by."""

    device: Device
    settings: Settings = _NO_NOTICE
    limits: Limits = _NO_SIGN
    own_limits: Mapping[int, Limits] = field(default_factory=lambda: MappingProxyType({}))
    """The limits of seats whose players are not held to the table's sign: marked ones, and those with a sign of their
    own (CSP 6.5.1, 6.6)."""
    closed: Mapping[int, Refused] = field(default_factory=lambda: MappingProxyType({}))
    """The seats that may not wager in this round, each with the reason: no valid own card, nobody there (CSP 16.1)."""
    terms: Terms | None = None
    """The terms of the link, where the table is on one."""
    jackpot: JackpotState = "open"
    barred: tuple[tuple[int, str], ...] = ()
    """The seats whose players may not wager any more, each with the clause by which it was directed."""
    english: bool = False
    """Whether the players were directed to speak English only (CSP 14.13.3)."""
    seats: tuple[Seat, ...] = ()
    """The seats with an ante, from the dealer's left."""
    accepted: frozenset[int] = frozenset()
    """The seats whose wager on the jackpot was accepted (CSP 11.2)."""
    first: frozenset[int] = frozenset()
    """The seats whose players were directed to play before the others handle their cards (CSP 14.13.1)."""
    dealt: int = 0
    """How many cards of the deal have left the shoe or the device."""
    exposed: tuple[int, ...] = ()
    """Where a card was exposed in error during the deal, each time."""
    up_cards: tuple[int, ...] = ()
    """The dealer's cards that lie face up before the hand is turned (CSP 7.1, 14.6, 14.7)."""
    dealer: tuple[int, ...] | None = None
    to_correct: frozenset[int] = frozenset()
    """The seats whose bet was found not to be twice the ante, and is not corrected yet (CSP 14.11)."""
    settled: tuple[int, ...] = ()
    """The seats whose ante and bet were paid, collected or given back after the dealer's hand was turned."""
    paid_out: tuple[int, ...] = ()
    """The seats whose jackpot prize was paid out (CSP 9.5)."""
    sealed: tuple[int, ...] = ()
    """The seats whose winning hand was set aside under seal until it is paid out, by the link's ruling on 9.5."""
    faults: Faults = NOTHING_WRONG

    @property
    def rulings(self) -> Rulings:
        """How the jackpot's rules are read."""
        return _PLAIN_WORDS if self.terms is None else self.terms.rulings

    @property
    def price_cents(self) -> int | None:
        """The one amount of a wager on the jackpot (CSP 5.4, 11.3); ``None`` at a table without one."""
        return self.limits.jackpot_cents if self.terms is None else self.terms.qualifying_wager_cents

    def seat(self, move: Move, rule: str) -> Seat:
        """The seat a move is made at; raises ``MoveRefused`` by a rule where no ante lies there."""
        number = seat_of(move, rule)
        for seat in self.seats:
            if seat.seat == number:
                return seat
        raise MoveRefused(move, rule, f"seat: {number}: there is no ante")

    def hand(self, move: Move, rule: str) -> Seat:
        """The seat a move is made at; raises ``MoveRefused`` by a rule where it has no ante, or its hand is void."""
        seat = self.seat(move, rule)
        if self.is_void(seat):
            raise MoveRefused(move, rule, f"seat {seat.seat} has no hand any more")
        return seat

    def is_void(self, seat: Seat) -> bool:
        """Whether the wagers of a seat are void (CSP 14.8, 16.4.1)."""
        return self.faults.of(seat.seat) in VOID_HANDS

    def with_seat(self, seat: Seat) -> "Felt":
        """The felt with one seat changed or added."""
        others = [each for each in self.seats if each.seat != seat.seat]
        return replace(self, seats=tuple(sorted((*others, seat), key=lambda each: each.seat)))

    def without(self, number: int) -> "Felt":
        """The felt with every wager of a seat taken off, before the first card."""
        seats = tuple([each for each in self.seats if each.seat != number])
        return replace(self, seats=seats, accepted=self.accepted - {number})

    def pending(self) -> tuple[int, ...]:
        """The seats whose wager on the jackpot is neither accepted nor handed back (CSP 11.2)."""
        return tuple([each.seat for each in self.seats if each.jackpot_cents is not None and not self.is_in(each)])

    def is_in(self, seat: Seat) -> bool:
        """Whether the wager on the jackpot of a seat was accepted (CSP 11.2)."""
        return seat.seat in self.accepted

    def in_hand(self) -> tuple[Seat, ...]:
        """The seats whose hands are not void."""
        return tuple([seat for seat in self.seats if not self.is_void(seat)])

    def handled(self) -> bool:
        """Whether a player has handled cards (CSP 14.1, 14.10)."""
        return any(seat.decision is not None for seat in self.seats)

    def dealer_plays(self) -> bool:
        """Whether the dealer's hand, once turned, has a value of ace and king or higher (CSP 9.1)."""
        return self.dealer is not None and dealer_qualifies(five_card_value(self.dealer))

    def to_settle(self) -> tuple[Seat, ...]:
        """The seats that stayed in and whose wagers have still to be settled (CSP 9.3, 9.4)."""
        return tuple([seat for seat in self.in_hand() if seat.decision == "bet" and seat.seat not in self.settled])

    def to_reveal(self) -> tuple[Seat, ...]:
        """The seats out of the round whose hands are turned up all the same, since they may win a prize (CSP 11.4)."""
        return tuple([seat for seat in self.in_hand() if self._must_be_seen(seat)])

    def _must_be_seen(self, seat: Seat) -> bool:
        if seat.cards is not None or seat.jackpot_cents is None or self.faults.of(seat.seat) is not None:
            return False
        match seat.decision:
            case "concede":
                return self.rulings.conceded_hand_wins
            case "absent":
                return self.rulings.folded_hand_wins and self.rulings.reveal_folded != "none"
            case "fold":
                return self.rulings.folded_hand_wins and self.rulings.reveal_folded == "all"
            case _:
                return False

    def seen(self) -> Iterator[int]:
        """Every card that lies face up since the dealer's hand was turned."""
        yield from self.dealer or ()
        for seat in self.seats:
            yield from seat.cards or ()

    def next_cards(self) -> tuple[int, bool]:
        """Who gets the next card, or the next five, and whether one of them is turned face up (CSP 7.3, 7.4).

        Never once a card was exposed in error on the dealer's hand: then all others are dealt face down (CSP 14.6).
        """
        order = deal_order(self.device, [seat.seat for seat in self.seats])[self.dealt :]
        faces = {face for _, face in order[: 1 if self.device == "shoe" else HAND]}
        return order[0][0], "up" in faces and not self.up_cards

    def cards_at(self, place: int) -> int:
        """How many cards a place has by now, the dealer's being 0."""
        order = deal_order(self.device, [seat.seat for seat in self.seats])
        return sum(to == place for to, _ in order[: self.dealt])


def place(felt: Felt, move: Move) -> Felt:
    """Place an ante (CSP 5.3.1) or a wager on the jackpot (5.4): within the sign, and one on an area (5.9).

    Always by the seat's own limits where it has them (6.5.1, 6.6). Never at a seat that may not wager (16.1, 14.13.2).
    """
    number, cents, area = seat_of(move, "CSP 5.3"), cents_of(move, "CSP 5.3"), area_of(move, AREAS, "CSP 5.3")
    if not 1 <= number <= HIGHEST_SEAT:
        raise MoveRefused(move, "CSP 5.3", f"seat: {number}: seats are numbered 1 to {HIGHEST_SEAT}")
    by = next((rule for seat, rule in felt.barred if seat == number), None)
    if by is not None:
        raise MoveRefused(move, by, f"the player at seat {number} was directed not to take part")
    if number in felt.closed:
        raise MoveRefused(move, felt.closed[number].rule, f"seat {number}: {felt.closed[number].reason}")
    seat = next((each for each in felt.seats if each.seat == number), None)
    if seat is not None and getattr(seat, f"{area}_cents") is not None:
        second = second_wager_refused(area)
        raise MoveRefused(move, second.rule, f"{second.reason} of seat {number}")
    if area == "ante":
        own = felt.own_limits.get(number)
        refused = ante_refused(cents, own or felt.limits)
        if refused is not None:
            raise MoveRefused(move, refused.rule, refused.reason)
        return felt.with_seat(Seat(number, cents, ante_tender=move.tender, own_limits=own))
    return felt.with_seat(_with_jackpot(felt, move, seat, cents))


def _with_jackpot(felt: Felt, move: Move, seat: Seat | None, cents: int) -> Seat:
    """A seat with a wager on the jackpot, neither accepted nor handed back yet (CSP 5.4, 11.1, 11.3, 14.15)."""
    if felt.jackpot != "open":
        raise MoveRefused(move, "CSP 14.15", "the game is dealt without the jackpot")
    if felt.price_cents is None:
        raise MoveRefused(move, "CSP 11.3", "the sign names no amount for the jackpot")
    refused = jackpot_refused(cents, None if seat is None else seat.ante_cents, felt.price_cents)
    if refused is not None or seat is None:
        rule, reason = ("CSP 11.1", "there is no ante") if refused is None else (refused.rule, refused.reason)
        raise MoveRefused(move, rule, reason)
    return replace(seat, jackpot_cents=cents, jackpot_tender=move.tender)


def take_back(felt: Felt, move: Move) -> Felt:
    """Take a wager off the layout before the first card (CSP 5.7, 16.12); the one on the jackpot before its ante."""
    rule = "CSP 16.12" if move.name == "refuse_wager" else "CSP 5.7"
    seat, area = felt.seat(move, rule), area_of(move, AREAS, "CSP 5.3")
    if area == "jackpot":
        if seat.jackpot_cents is None:
            raise MoveRefused(move, rule, f"there is no wager on the jackpot area of seat {seat.seat}")
        if felt.is_in(seat) and move.name == "take_back":
            raise MoveRefused(move, "CSP 11.2", f"the wager of seat {seat.seat} is accepted: it is handed back first")
        return _handed_back(felt, seat)
    if seat.jackpot_cents is not None:
        raise MoveRefused(move, "CSP 11.1", f"a wager on the jackpot lies at seat {seat.seat} and needs the ante")
    return felt.without(seat.seat)


def take_jackpot(felt: Felt, move: Move) -> Felt:
    """Accept a wager on the jackpot and take its chips (CSP 2.3, 11.2); never while the equipment fails (14.15)."""
    seat = _with_jackpot_wager(felt, move, "CSP 11.2")
    if felt.is_in(seat):
        raise MoveRefused(move, "CSP 11.2", f"the wager of seat {seat.seat} is accepted already")
    if felt.jackpot != "open":
        raise MoveRefused(move, "CSP 14.15", "the game is dealt without the jackpot")
    return replace(felt, accepted=felt.accepted | {seat.seat})


def return_jackpot(felt: Felt, move: Move) -> Felt:
    """Hand back a wager on the jackpot that takes no part in this round (CSP 5.4, 11.2)."""
    return _handed_back(felt, _with_jackpot_wager(felt, move, "CSP 5.4"))


def _with_jackpot_wager(felt: Felt, move: Move, rule: str) -> Seat:
    seat = felt.seat(move, rule)
    if seat.jackpot_cents is None:
        raise MoveRefused(move, rule, f"there is no wager on the jackpot area of seat {seat.seat}")
    return seat


def _handed_back(felt: Felt, seat: Seat) -> Felt:
    seat = replace(seat, jackpot_cents=None, jackpot_tender="chips")
    return replace(felt.with_seat(seat), accepted=felt.accepted - {seat.seat})


def ready(felt: Felt, move: Move) -> Felt:
    """Cut the cards into a shoe (CSP 4.2), which the dealer alone does (4.3), or place them uncut in a device (4.4)."""
    check_cut(move, "CSP", felt.device)
    return felt


def by_device(felt: Felt, move: Move) -> Felt:
    """Answer a shuffling device that jammed (CSP 15.1); raises ``MoveRefused`` where the table deals from a shoe."""
    if felt.device == "shoe":  # CSP 15.1
        raise MoveRefused(move, "CSP 15.1", "the table deals from a shoe")
    return felt


def call(felt: Felt, move: Move) -> Felt:
    """Call no more bets once antes are placed (CSP 7.2)."""
    if not felt.seats:
        raise MoveRefused(move, "CSP 7.2", "no ante is placed")
    return felt


def deal(felt: Felt, move: Move) -> Felt:
    """Deal the next card from a shoe (CSP 7.3), or the next five from a device (7.4); the dealer's last is face up.

    Never the first card while a wager on the jackpot is neither accepted nor handed back (CSP 11.2), nor with failed
    equipment before a Gaming Supervisor approved of going on without the jackpot (14.15).
    """
    shoe = felt.device == "shoe"
    call(felt, move)
    if not felt.dealt and felt.pending():
        raise MoveRefused(move, "CSP 11.2", f"the jackpot wager of seat {felt.pending()[0]} waits for its acceptance")
    if not felt.dealt and felt.jackpot == "failed":
        raise MoveRefused(move, "CSP 14.15", "a Gaming Supervisor approves first of going on without the jackpot")
    rule = "CSP 7.3" if shoe else "CSP 7.4"
    to, face_up = felt.next_cards()
    if seat_of(move, rule) != to:
        raise MoveRefused(move, rule, f"seat: {move.seat}: the next card goes to {to or 'the dealer'}")
    up_cards = felt.up_cards
    if face_up:
        up_cards = cards_of(move, 1, (), "CSP 7.3.3" if shoe else "CSP 7.4.1")
    elif move.cards:
        raise MoveRefused(
            move,
            "CSP 14.6" if to == DEALER and DEALER in felt.exposed else "CSP 7.1",
            "cards: this one is dealt face down",
        )
    return replace(felt, dealt=felt.dealt + (1 if shoe else HAND), up_cards=up_cards)


def expose(felt: Felt, move: Move) -> Felt:
    """Answer a card exposed in error during the deal: turned over (CSP 14.5), on the dealer's hand left so (14.6).

    The second is a misdeal (CSP 14.3); of two on the dealer's hand alone the table's ruling says whether.
    """
    if move.name == "expose":
        seat = felt.seat(move, "CSP 14.5").seat
        if not felt.cards_at(seat):
            raise MoveRefused(move, "CSP 14.5", f"seat {seat} has no card yet")
        return _exposed(felt, seat)
    if felt.dealt < HAND * (len(felt.seats) + 1):
        if felt.cards_at(DEALER) <= len(felt.up_cards):
            raise MoveRefused(move, "CSP 14.6", "the dealer has no card that lies face down")
        return _exposed(_turned_up(felt, move, "CSP 14.6"), DEALER)
    if len(felt.up_cards) == HAND:  # CSP 14.7
        raise MoveRefused(move, "CSP 14.7", "every card of the dealer lies face up")
    return _turned_up(felt, move, "CSP 14.7")


def _turned_up(felt: Felt, move: Move, rule: str) -> Felt:
    return replace(felt, up_cards=(*felt.up_cards, *cards_of(move, 1, felt.up_cards, rule)))


def _exposed(felt: Felt, where: int) -> Felt:
    exposed = (*felt.exposed, where)
    alone = all(each == DEALER for each in exposed)
    play_on = alone and felt.settings.dealer_cards_exposed_in_deal == "play_on"
    faults = replace(felt.faults, void_by="misdeal") if len(exposed) > 1 and not play_on else felt.faults
    return replace(felt, exposed=exposed, faults=faults)
