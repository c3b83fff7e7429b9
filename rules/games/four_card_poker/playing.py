"""A Four Card Poker table move by move, from new cards to cards collected: its table of states, moves and rules."""

from collections.abc import Iterator, Mapping
from typing import Final

from rules.directions import Forfeit
from rules.games.four_card_poker import felt as acts
from rules.games.four_card_poker.felt import AREAS, DECISION_RULES, GIVEN_UP, MOST_EXPOSED, Felt
from rules.games.four_card_poker.rounds import Round
from rules.games.four_card_poker.settling import settle
from rules.play import Arrow, Move, Play, Position, unmoved
from rules.rounds import HIGHEST_SEAT, RoundError, Settlement
from rules.schedules import Schedule


def _void_arrows(*states: str) -> tuple[Arrow, ...]:
    """The rows by which a round that has begun may come to no result (FCP 12.10, 13.2, 14.4)."""
    moves = (("void_round", "FCP 12.10.2"), ("device_failed", "FCP 13.2.1"), ("invalidate", "FCP 14.4"))
    return tuple([Arrow(state, move, "round_void", rule) for state in states for move, rule in moves])


ARROWS: Final = (
    Arrow("cards_new", "check_cards", "cards_checked", "FCP 3.4"),
    Arrow("cards_checked", "shuffle", "cards_shuffled", "FCP 4.1"),
    Arrow("cards_checked", "load", "wagers_open", "FCP 4.4"),
    Arrow("cards_shuffled", "cut", "wagers_open", "FCP 4.2"),
    Arrow("cards_shuffled", "load", "wagers_open", "FCP 4.5"),
    Arrow("wagers_open", "reshuffle", "wagers_open", "FCP 13.1"),
    Arrow("wagers_open", "place", "wagers_open", "FCP 5.2"),
    Arrow("wagers_open", "take_back", "wagers_open", "FCP 5.4"),
    Arrow("wagers_open", "refuse_wager", "wagers_open", "FCP 14.11"),
    Arrow("wagers_open", "no_more_bets", "no_more_bets", "FCP 7.2"),
    Arrow("wagers_open", "deal", "dealing", "FCP 7.2", "cards_dealt"),
    Arrow("no_more_bets", "reshuffle", "no_more_bets", "FCP 13.1"),
    Arrow("no_more_bets", "refuse_wager", "wagers_open", "FCP 14.11"),
    Arrow("no_more_bets", "deal", "dealing", "FCP 7.2", "cards_dealt"),
    Arrow("dealing", "deal", "dealing", "FCP 7.3", "cards_dealt"),
    Arrow("dealing", "expose", "dealing", "FCP 12.5", "round_void"),
    Arrow("dealing", "misdeal", "round_void", "FCP 12.1"),
    Arrow("dealing", "misdealt_dealer", "round_void", "FCP 12.2"),
    Arrow("cards_dealt", "play", "cards_dealt", "FCP 8.5", "hands_decided"),
    Arrow("cards_dealt", "fold", "cards_dealt", "FCP 8.3", "hands_decided"),
    Arrow("cards_dealt", "short", "cards_dealt", "FCP 12.11", "hands_decided"),
    Arrow("cards_dealt", "absent", "cards_dealt", "FCP 12.13", "hands_decided"),
    Arrow("cards_dealt", "void_hand", "cards_dealt", "FCP 12.6", "hands_decided"),
    Arrow("cards_dealt", "void_wagers", "cards_dealt", "FCP 14.3.1", "hands_decided"),
    Arrow("cards_dealt", "discard_hand", "cards_dealt", "FCP 12.7"),
    Arrow("cards_dealt", "misdeal", "round_void", "FCP 12.1"),
    Arrow("cards_dealt", "misdealt_dealer", "round_void", "FCP 12.2"),
    Arrow("hands_decided", "turn_dealer", "dealer_turned", "FCP 8.6"),
    Arrow("hands_decided", "void_hand", "hands_decided", "FCP 12.6"),
    Arrow("hands_decided", "void_wagers", "hands_decided", "FCP 14.3.1"),
    Arrow("hands_decided", "discard_hand", "hands_decided", "FCP 12.7"),
    Arrow("hands_decided", "misdealt_dealer", "round_void", "FCP 12.2"),
    Arrow("dealer_turned", "set_dealer", "dealer_set", "FCP 9.1", "hands_settled"),
    Arrow("dealer_turned", "concede", "dealer_turned", "FCP 9.3"),
    Arrow("dealer_turned", "void_hand", "dealer_turned", "FCP 12.6"),
    Arrow("dealer_turned", "void_wagers", "dealer_turned", "FCP 14.3.1"),
    Arrow("dealer_turned", "discard_hand", "dealer_turned", "FCP 12.7"),
    Arrow("dealer_set", "set_dealer", "dealer_set", "FCP 9.1"),
    Arrow("dealer_set", "settle_hand", "dealer_set", "FCP 9.6", "hands_settled"),
    Arrow("dealer_set", "concede", "dealer_set", "FCP 9.3", "hands_settled"),
    Arrow("dealer_set", "void_hand", "dealer_set", "FCP 12.6", "hands_settled"),
    Arrow("dealer_set", "void_wagers", "dealer_set", "FCP 14.3.1", "hands_settled"),
    Arrow("dealer_set", "discard_hand", "dealer_set", "FCP 12.7"),
    Arrow("dealer_set", "reconstruct", "dealer_set", "FCP 12.9"),
    Arrow("dealer_set", "lose_track", "dealer_set", "FCP 12.9"),
    Arrow("hands_settled", "reconstruct", "hands_settled", "FCP 12.9"),
    Arrow("hands_settled", "lose_track", "hands_settled", "FCP 12.9"),
    Arrow("hands_settled", "collect_cards", "cards_collected", "FCP 9.2.2"),
    *_void_arrows("dealing", "cards_dealt", "hands_decided", "dealer_turned", "dealer_set", "hands_settled"),
    Arrow("round_void", "collect_cards", "cards_collected", "FCP 12.4"),
    Arrow("cards_collected", "reconstruct", "cards_collected", "FCP 12.9"),
    Arrow("cards_collected", "lose_track", "cards_collected", "FCP 12.9"),
)
"""Every move from new cards to cards collected, with its rule."""

_PLACES: Final[Mapping[str, str]] = {
    "check_cards": "FCP 3.4",
    "shuffle": "FCP 4.1",
    "load": "FCP 4.4",
    "cut": "FCP 4.2",
    "reshuffle": "FCP 13.1",
    "place": "FCP 5.2",
    "take_back": "FCP 5.4",
    "refuse_wager": "FCP 14.11",
    "no_more_bets": "FCP 7.2",
    "deal": "FCP 7.2",
    "expose": "FCP 12.3",
    "play": "FCP 8.5",
    "fold": "FCP 8.1",
    "short": "FCP 12.11",
    "absent": "FCP 12.13",
    "turn_dealer": "FCP 8.6",
    "set_dealer": "FCP 9.1",
    "concede": "FCP 9.3",
    "settle_hand": "FCP 9.2",
    "reconstruct": "FCP 12.9",
    "lose_track": "FCP 12.9",
    "discard_hand": "FCP 12.7",
    "void_hand": "FCP 12.6",
    "void_wagers": "FCP 14.3.1",
    "misdeal": "FCP 12.1",
    "misdealt_dealer": "FCP 12.2",
    "void_round": "FCP 12.10",
    "device_failed": "FCP 13.2",
    "invalidate": "FCP 14.4",
    "collect_cards": "FCP 9.2.2",
}
_AFTER_THE_FIRST_CARD: Final = (
    *("dealing", "cards_dealt", "hands_decided", "dealer_turned", "dealer_set", "hands_settled"),
    *("round_void", "cards_collected"),
)


def _options(state: str, felt: Felt) -> tuple[Move, ...]:
    """The moves that the felt allows in a state."""
    return tuple(_moves(state, felt))


def _moves(state: str, felt: Felt) -> Iterator[Move]:
    yield from map(Move, ("check_cards", "shuffle", "turn_dealer", "collect_cards", "expose"))
    yield from map(Move, ("void_round", "invalidate", "misdealt_dealer"))
    if felt.device == "shoe":
        yield Move("cut")
    else:
        yield from map(Move, ("load", "reshuffle", "device_failed"))
    if state in {"wagers_open", "no_more_bets", "dealing"}:
        yield from _wagering(felt)
    if not felt.settled:
        yield Move("set_dealer")
    if felt.handled():
        wagered = {seat.seat for seat in felt.seats}
        yield from (Move("discard_hand", seat) for seat in range(1, HIGHEST_SEAT + 1) if seat not in wagered)
    else:
        yield Move("misdeal")
    yield from _at_seats(felt)


def _at_seats(felt: Felt) -> Iterator[Move]:
    """The moves made at a seat once the cards are dealt."""
    for seat in felt.seats:
        if seat.decision is None:
            yield Move("play", seat.seat)
            yield from (Move(name, seat.seat) for name in ("fold", "absent"))
            if seat.ante_cents is not None:
                yield Move("short", seat.seat)
        if seat.seat not in felt.settled:
            if seat.decision not in GIVEN_UP:
                yield from (Move(name, seat.seat) for name in ("void_hand", "void_wagers"))
            if seat.decision == "play":
                yield Move("concede", seat.seat)
        elif seat.decision != "void" and felt.void_by is None:
            yield from (Move(name, seat.seat) for name in ("reconstruct", "lose_track"))
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
        yield Move("deal", felt.next_place())


def _decided(felt: Felt) -> bool:
    """Whether every hand has its decision."""
    return all(seat.decision is not None for seat in felt.seats)


def _settled(felt: Felt) -> bool:
    """Whether no hand has still to be settled."""
    return not felt.to_turn()


def _over(felt: Felt) -> bool:
    """Whether a void hand was the last that had to be decided, or settled."""
    return _decided(felt) if felt.dealer is None else _settled(felt)


PLAY: Final = Play(
    start="cards_new",
    arrows=ARROWS,
    places=_PLACES,
    exceptions={(state, move): "FCP 5.4" for state in _AFTER_THE_FIRST_CARD for move in ("place", "take_back")}
    | {("no_more_bets", "place"): "FCP 7.2", ("no_more_bets", "take_back"): "FCP 7.2"}
    | {(state, "set_dealer"): "FCP 12.8" for state in ("hands_settled", "cards_collected")},
    acts={
        **dict.fromkeys(("check_cards", "shuffle", "collect_cards"), unmoved),
        **dict.fromkeys(("cut", "load"), acts.ready),
        **dict.fromkeys(("take_back", "refuse_wager"), acts.take_back),
        **dict.fromkeys(DECISION_RULES, acts.decide),
        **dict.fromkeys(("void_hand", "void_wagers"), acts.void_hand),
        **dict.fromkeys(acts.ROUND_FAULTS, acts.void_round),
        "reshuffle": acts.by_device,
        "place": acts.place,
        "no_more_bets": acts.call,
        "deal": acts.deal,
        "expose": acts.expose,
        "turn_dealer": acts.turn_dealer,
        "set_dealer": acts.set_dealer,
        "concede": acts.concede,
        "settle_hand": acts.settle_hand,
        "reconstruct": acts.reconstruct,
        "lose_track": acts.lose_track,
        "discard_hand": acts.discard_hand,
        "misdeal": acts.misdeal,
    },
    options=_options,
    complete={
        **dict.fromkeys(DECISION_RULES, _decided),
        **dict.fromkeys(("set_dealer", "concede", "settle_hand"), _settled),
        **dict.fromkeys(("void_hand", "void_wagers"), _over),
        "deal": lambda felt: felt.up_card is not None,
        "expose": lambda felt: felt.exposed > MOST_EXPOSED,
    },
)
"""The game as a machine. A hand that was arranged wrongly may be corrected until the next round begins (FCP 12.9), so
that after the cards are collected there are still moves."""


def settlement_of(
    at: Position[Felt], schedules: Mapping[str, Schedule] | None = None, forfeits: tuple[Forfeit, ...] = ()
) -> Settlement:
    """What the wagers of a round that was played move by move come to.

    Always as ``settle`` has it for the whole round. ``forfeits`` are the directions that went with an invalidated
    outcome. Raises ``RoundError`` where a hand has still to be settled.
    """
    felt = at.felt
    if felt.void_by is None and at.state not in {"hands_settled", "cards_collected"}:
        raise RoundError("state", at.state, "a hand has still to be settled (FCP 9.6)")
    round_ = Round(felt.device, felt.dealer, felt.seats, felt.dealer_set, felt.void_by, forfeits)
    return settle(round_, felt.settings, felt.limits, schedules)
