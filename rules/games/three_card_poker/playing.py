"""A Three Card Poker table move by move, from new cards to cards collected: its table of states, moves and rules."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from rules.games.three_card_poker.dealing import deal_order
from rules.games.three_card_poker.rounds import HAND, Round, Seat
from rules.games.three_card_poker.settling import settle, void
from rules.games.three_card_poker.sign import Area, Limits, wager_refused
from rules.play import (
    Arrow,
    Move,
    MoveRefused,
    Play,
    Position,
    area_of,
    cards_of,
    cents_of,
    check_cut,
    seat_of,
    unmoved,
)
from rules.rounds import HIGHEST_SEAT, Device, RoundError, Settlement
from rules.schedules import Schedule
from rules.settings import ThreeCardSettings

_PLAIN_WORDS: Final = ThreeCardSettings()
_NO_SIGN: Final = Limits()

AREAS: Final[tuple[Area, ...]] = ("ante", "pair_plus")
"""The areas wagered on before the first card (TCP 5.3)."""


@dataclass(frozen=True, slots=True)
class Felt:
    """What lies on the layout, and what the table plays by."""

    device: Device
    settings: ThreeCardSettings = _PLAIN_WORDS
    limits: Limits = _NO_SIGN
    seats: tuple[Seat, ...] = ()
    """The seats with a wager, from the dealer's left."""
    dealt: int = 0
    """How many cards of the deal have left the shoe or the device."""
    dealer: tuple[int, ...] | None = None
    settled: tuple[int, ...] = ()
    """The seats whose hands were turned up and settled."""
    void_by: str | None = None
    """The rule by which the whole round is void, if it is."""

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
        if seat.ante_cents is not None or seat.pair_plus_cents is not None:
            others.append(seat)
        return replace(self, seats=tuple(sorted(others, key=lambda each: each.seat)))

    def to_turn(self) -> tuple[Seat, ...]:
        """The seats whose hands have still to be turned up and settled (TCP 9.3, 9.4)."""
        return tuple([seat for seat in self.seats if seat.seat not in self.settled and self._needs_cards(seat)])

    def _needs_cards(self, seat: Seat) -> bool:
        match seat.decision:
            case "play":
                return True
            case "concede":
                return self.settings.concede_collects == "ante_play"
            case "short" | "absent":
                return seat.pair_plus_cents is not None
            case _:
                return False

    def seen(self) -> Iterator[int]:
        """Every card that lies face up."""
        yield from self.dealer or ()
        for seat in self.seats:
            yield from seat.cards or ()


def _place(felt: Felt, move: Move) -> Felt:
    """Place an ante or a Pair Plus wager (TCP 5.3), within the sign (6.1), one on an area (5.7)."""
    number, cents = seat_of(move, "TCP 5.3"), cents_of(move, "TCP 5.3")
    if not 1 <= number <= HIGHEST_SEAT:
        raise MoveRefused(move, "TCP 5.3", f"seat: {number}: seats are numbered 1 to {HIGHEST_SEAT}")
    area = area_of(move, AREAS, "TCP 5.3")
    seat = next((each for each in felt.seats if each.seat == number), Seat(number))
    if getattr(seat, f"{area}_cents") is not None:
        raise MoveRefused(move, "TCP 5.7", f"only one wager is accepted on the {area} area of seat {number}")
    refused = wager_refused(area, cents, felt.limits)
    if refused is not None:
        raise MoveRefused(move, refused.rule, refused.reason)
    if area == "ante":
        return felt.with_seat(replace(seat, ante_cents=cents, ante_tender=move.tender))
    return felt.with_seat(replace(seat, pair_plus_cents=cents, pair_plus_tender=move.tender))


def _take_back(felt: Felt, move: Move) -> Felt:
    """Take a wager off the layout before the first card (TCP 5.5, 14.12)."""
    rule = "TCP 14.12" if move.name == "refuse_wager" else "TCP 5.5"
    seat, area = felt.seat(move, rule), area_of(move, AREAS, "TCP 5.3")
    if getattr(seat, f"{area}_cents") is None:
        raise MoveRefused(move, rule, f"there is no wager on the {area} area of seat {seat.seat}")
    if area == "ante":
        return felt.with_seat(replace(seat, ante_cents=None, ante_tender="chips"))
    return felt.with_seat(replace(seat, pair_plus_cents=None, pair_plus_tender="chips"))


def _ready(felt: Felt, move: Move) -> Felt:
    """Cut the cards into a shoe (TCP 4.2), or place them uncut in a shuffling device (4.4)."""
    check_cut(move, shoe=felt.device == "shoe", cut_rule="TCP 4.2", load_rule="TCP 4.4")
    return felt


def _call(felt: Felt, move: Move) -> Felt:
    """Call no more bets once wagers are placed (TCP 7.2)."""
    if not felt.seats:
        raise MoveRefused(move, "TCP 7.2", "no wager is placed")
    return felt


def _deal(felt: Felt, move: Move) -> Felt:
    """Deal the next card from a shoe (TCP 7.3) or the next three from a device (7.4)."""
    rule = "TCP 7.3" if felt.device == "shoe" else "TCP 7.4"
    _call(felt, move)
    place, _ = deal_order(felt.device, [seat.seat for seat in felt.seats])[felt.dealt]
    if seat_of(move, rule) != place:
        raise MoveRefused(move, rule, f"seat: {move.seat}: the next card goes to {place or 'the dealer'}")
    return replace(felt, dealt=felt.dealt + (1 if felt.device == "shoe" else HAND))


def _decide(felt: Felt, move: Move) -> Felt:
    """Take a player's decision: play, fold, be short of the play wager, or make none (TCP 8.3, 8.5, 12.10, 12.12)."""
    rule = _DECISION_RULES[move.name]
    seat = felt.seat(move, rule)
    if seat.decision is not None:
        raise MoveRefused(move, "TCP 8.4" if seat.decision == "fold" else rule, f"seat {seat.seat} has decided")
    match move.name:
        case "play":
            if move.cents is not None and seat.ante_cents is None:
                raise MoveRefused(move, "TCP 5.4", f"seat {seat.seat} has a Pair Plus wager only")
            if move.cents != seat.ante_cents:
                reason = f"cents: {move.cents}: not equal to the ante of {seat.ante_cents}"
                raise MoveRefused(move, "TCP 8.5", reason)
            return felt.with_seat(replace(seat, decision="play", play_cents=move.cents, play_tender=move.tender))
        case "short":
            if seat.ante_cents is None:
                raise MoveRefused(move, "TCP 12.10", f"seat {seat.seat} has no ante to match")
            return felt.with_seat(replace(seat, decision="short"))
        case "fold":
            return felt.with_seat(replace(seat, decision="fold"))
        case _:
            return felt.with_seat(replace(seat, decision="absent"))


def _turn_dealer(felt: Felt, move: Move) -> Felt:
    """Turn up the dealer's hand (TCP 8.6)."""
    return replace(felt, dealer=cards_of(move, HAND, felt.seen(), "TCP 8.6"))


def _concede(felt: Felt, move: Move) -> Felt:
    """Concede a hand that was played and not yet settled (TCP 9.5); it never comes back (9.6)."""
    seat = felt.seat(move, "TCP 9.5")
    if seat.decision == "concede":
        raise MoveRefused(move, "TCP 9.6", f"seat {seat.seat} has conceded")
    if seat.decision != "play" or seat.seat in felt.settled:
        raise MoveRefused(move, "TCP 9.5", f"seat {seat.seat} has no hand to concede")
    return felt.with_seat(replace(seat, decision="concede"))


def _settle_hand(felt: Felt, move: Move) -> Felt:
    """Turn up a player's hand and settle it (TCP 9.8)."""
    seat = felt.seat(move, "TCP 9.8")
    if seat not in felt.to_turn():
        rule = "TCP 9.6" if seat.decision == "concede" else "TCP 9.8"
        raise MoveRefused(move, rule, f"seat {seat.seat} has no hand left to settle")
    cards = cards_of(move, HAND, felt.seen(), "TCP 3.1")
    return replace(felt.with_seat(replace(seat, cards=cards)), settled=(*felt.settled, seat.seat))


def _void_hand(felt: Felt, move: Move) -> Felt:
    """Declare a hand of too few or too many cards void (TCP 12.7)."""
    seat = felt.seat(move, "TCP 12.7")
    if seat.decision in {"fold", "concede", "void"} or seat.seat in felt.settled:
        raise MoveRefused(move, "TCP 12.7", f"seat {seat.seat} has no hand any more")
    return felt.with_seat(replace(seat, decision="void"))


def _misdeal(felt: Felt, move: Move) -> Felt:
    """Declare a misdeal before any player has handled the cards (TCP 12.1); every wager is void (12.4)."""
    if any(seat.decision is not None for seat in felt.seats):
        raise MoveRefused(move, "TCP 12.1", "a player has handled cards")
    return replace(felt, void_by="TCP 12.4")


def _void_round(felt: Felt, move: Move) -> Felt:  # noqa: ARG001 - the form of every act
    """Declare the round void for a missing or foreign card (TCP 12.9.2)."""
    return replace(felt, void_by="TCP 12.9.2")


_DECISION_RULES: Final = {"play": "TCP 8.5", "fold": "TCP 8.3", "short": "TCP 12.10", "absent": "TCP 12.12"}

ARROWS: Final = (
    Arrow("cards_new", "check_cards", "cards_checked", "TCP 3.4"),
    Arrow("cards_checked", "shuffle", "cards_shuffled", "TCP 4.1"),
    Arrow("cards_checked", "load", "wagers_open", "TCP 4.4"),
    Arrow("cards_shuffled", "cut", "wagers_open", "TCP 4.2"),
    Arrow("cards_shuffled", "load", "wagers_open", "TCP 4.5"),
    Arrow("wagers_open", "place", "wagers_open", "TCP 5.3"),
    Arrow("wagers_open", "take_back", "wagers_open", "TCP 5.5"),
    Arrow("wagers_open", "refuse_wager", "wagers_open", "TCP 14.12"),
    Arrow("wagers_open", "no_more_bets", "no_more_bets", "TCP 7.2"),
    Arrow("wagers_open", "deal", "dealing", "TCP 7.2", "cards_dealt"),
    Arrow("no_more_bets", "refuse_wager", "wagers_open", "TCP 14.12"),
    Arrow("no_more_bets", "deal", "dealing", "TCP 7.2", "cards_dealt"),
    Arrow("dealing", "deal", "dealing", "TCP 7.3", "cards_dealt"),
    Arrow("dealing", "misdeal", "round_void", "TCP 12.1"),
    Arrow("dealing", "void_round", "round_void", "TCP 12.9.2"),
    Arrow("cards_dealt", "misdeal", "round_void", "TCP 12.1"),
    Arrow("cards_dealt", "void_round", "round_void", "TCP 12.9.2"),
    Arrow("cards_dealt", "void_hand", "cards_dealt", "TCP 12.7", "hands_decided"),
    Arrow("cards_dealt", "play", "cards_dealt", "TCP 8.5", "hands_decided"),
    Arrow("cards_dealt", "fold", "cards_dealt", "TCP 8.3", "hands_decided"),
    Arrow("cards_dealt", "short", "cards_dealt", "TCP 12.10", "hands_decided"),
    Arrow("cards_dealt", "absent", "cards_dealt", "TCP 12.12", "hands_decided"),
    Arrow("hands_decided", "void_round", "round_void", "TCP 12.9.2"),
    Arrow("hands_decided", "void_hand", "hands_decided", "TCP 12.7"),
    Arrow("hands_decided", "turn_dealer", "dealer_turned", "TCP 8.6", "hands_settled"),
    Arrow("dealer_turned", "void_round", "round_void", "TCP 12.9.2"),
    Arrow("dealer_turned", "void_hand", "dealer_turned", "TCP 12.7", "hands_settled"),
    Arrow("dealer_turned", "concede", "dealer_turned", "TCP 9.5", "hands_settled"),
    Arrow("dealer_turned", "settle_hand", "dealer_turned", "TCP 9.8", "hands_settled"),
    Arrow("hands_settled", "void_round", "round_void", "TCP 12.9.2"),
    Arrow("hands_settled", "collect_cards", "cards_collected", "TCP 9.4.2"),
    Arrow("round_void", "collect_cards", "cards_collected", "TCP 12.4"),
)
"""Every move from new cards to cards collected, with its rule."""

_PLACES: Final[Mapping[str, str]] = {
    "check_cards": "TCP 3.4",
    "shuffle": "TCP 4.1",
    "load": "TCP 4.4",
    "cut": "TCP 4.2",
    "place": "TCP 5.3",
    "take_back": "TCP 5.5",
    "refuse_wager": "TCP 14.12",
    "no_more_bets": "TCP 7.2",
    "deal": "TCP 7.2",
    "play": "TCP 8.5",
    "fold": "TCP 8.1",
    "short": "TCP 12.10",
    "absent": "TCP 12.12",
    "turn_dealer": "TCP 8.6",
    "concede": "TCP 9.5",
    "settle_hand": "TCP 9.8",
    "void_hand": "TCP 12.7",
    "misdeal": "TCP 12.1",
    "void_round": "TCP 12.9",
    "collect_cards": "TCP 9.4.2",
}
_AFTER_THE_FIRST_CARD: Final = (
    *("dealing", "cards_dealt", "hands_decided", "dealer_turned", "hands_settled"),
    *("round_void", "cards_collected"),
)


def _options(state: str, felt: Felt) -> tuple[Move, ...]:
    """The moves that the felt allows in a state."""
    return tuple(_moves(state, felt))


def _moves(state: str, felt: Felt) -> Iterator[Move]:
    yield from map(Move, ("check_cards", "shuffle", "turn_dealer", "collect_cards", "void_round"))
    yield Move("cut" if felt.device == "shoe" else "load")
    if state in {"wagers_open", "no_more_bets", "dealing"}:
        yield from _wagering(felt)
    if all(seat.decision is None for seat in felt.seats):
        yield Move("misdeal")
    for seat in felt.seats:
        if seat.decision is None:
            yield Move("play", seat.seat, cents=seat.ante_cents)
            yield from (Move(name, seat.seat) for name in ("fold", "absent"))
            if seat.ante_cents is not None:
                yield Move("short", seat.seat)
        if seat.decision not in {"fold", "concede", "void"} and seat.seat not in felt.settled:
            yield Move("void_hand", seat.seat)
        if seat.decision == "play" and seat.seat not in felt.settled:
            yield Move("concede", seat.seat)
    yield from (Move("settle_hand", seat.seat) for seat in felt.to_turn())


def _wagering(felt: Felt) -> Iterator[Move]:
    """The moves up to the last card dealt."""
    lying = {(seat.seat, area) for seat in felt.seats for area in AREAS if getattr(seat, f"{area}_cents") is not None}
    for number in range(1, HIGHEST_SEAT + 1):
        for area in AREAS:
            if (number, area) in lying:
                yield Move("take_back", number, area)
                yield Move("refuse_wager", number, area)
            else:
                yield Move("place", number, area)
    if felt.seats:
        yield Move("no_more_bets")
        yield Move("deal", deal_order(felt.device, [seat.seat for seat in felt.seats])[felt.dealt][0])


def _decided(felt: Felt) -> bool:
    """Whether every hand has its decision."""
    return all(seat.decision is not None for seat in felt.seats)


PLAY: Final = Play(
    start="cards_new",
    arrows=ARROWS,
    places=_PLACES,
    exceptions={(state, move): "TCP 5.5" for state in _AFTER_THE_FIRST_CARD for move in ("place", "take_back")}
    | {("no_more_bets", "place"): "TCP 7.2", ("no_more_bets", "take_back"): "TCP 7.2"},
    acts={
        **dict.fromkeys(("check_cards", "shuffle", "collect_cards"), unmoved),
        **dict.fromkeys(("cut", "load"), _ready),
        **dict.fromkeys(("take_back", "refuse_wager"), _take_back),
        **dict.fromkeys(("play", "fold", "short", "absent"), _decide),
        "place": _place,
        "no_more_bets": _call,
        "deal": _deal,
        "turn_dealer": _turn_dealer,
        "concede": _concede,
        "settle_hand": _settle_hand,
        "void_hand": _void_hand,
        "misdeal": _misdeal,
        "void_round": _void_round,
    },
    options=_options,
    complete={
        **dict.fromkeys(("play", "fold", "short", "absent"), _decided),
        **dict.fromkeys(("turn_dealer", "concede", "settle_hand"), lambda felt: not felt.to_turn()),
        "void_hand": lambda felt: _decided(felt) if felt.dealer is None else not felt.to_turn(),
        "deal": lambda felt: felt.dealt == HAND * (len(felt.seats) + 1),
    },
)
"""The game as a machine."""


def settlement_of(at: Position[Felt], schedules: Mapping[str, Schedule] | None = None) -> Settlement:
    """What the wagers of a round that was played move by move come to.

    Always as ``settle`` has it for the whole round. Raises ``RoundError`` where a hand has still to be settled.
    """
    felt = at.felt
    if felt.void_by is not None:
        return void(felt.seats, felt.settings, felt.void_by)
    if at.state not in {"hands_settled", "cards_collected"} or felt.dealer is None:
        raise RoundError("state", at.state, "a hand has still to be settled (TCP 9.8)")
    return settle(Round(felt.device, felt.dealer, felt.seats), felt.settings, felt.limits, schedules)
