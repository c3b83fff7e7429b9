"""A Casino War table move by move, from new cards to cards collected: its table of states, moves and rules."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from rules.directions import Forfeit
from rules.games.casino_war import felt as acts
from rules.games.casino_war.felt import AREAS, CHOICE_RULES, Felt, options_of
from rules.games.casino_war.rounds import Round
from rules.games.casino_war.settling import settle
from rules.play import Arrow, Move, Play, Position, unmoved
from rules.rounds import HIGHEST_SEAT, RoundError, Settlement
from rules.schedules import Schedule

_WHILE_PLAYED: Final = ("dealing", "interim", "interim_settled", "second_deal", "war_dealt", "hands_settled")
_WHILE_DEALT: Final = ("dealing", "second_deal")
_LAST_OF: Final = {
    "dealing": "interim_settled",
    "interim": "interim_settled",
    "second_deal": "hands_settled",
    "war_dealt": "hands_settled",
}


def _irregular_arrows() -> Iterator[Arrow]:
    """The rows of what may go wrong in a round that has begun (WAR 11, 12, 13)."""
    for state in _WHILE_PLAYED:
        yield Arrow(state, "reconstruct", "no_more_bets", "WAR 11.6")
        yield Arrow(state, "not_reconstructed", "round_void", "WAR 11.6")
        yield Arrow(state, "too_many_cards", "round_void", "WAR 11.15")
        yield Arrow(state, "void_round", "round_void", "WAR 11.17.2")
        yield Arrow(state, "device_failed", "round_void", "WAR 12.4")
        yield Arrow(state, "invalidate", "round_void", "WAR 13.4")
        yield Arrow(state, "withdraw", state, "WAR 12.5.1", _LAST_OF.get(state))
        yield Arrow(state, "void_wagers", state, "WAR 13.3.1", _LAST_OF.get(state))
        yield Arrow(state, "transfer", state, "WAR 12.2")
        yield Arrow(state, "replace_damaged", state, "WAR 12.3")
        yield Arrow(state, "shoe_instead", state, "WAR 12.5")
        if state in _WHILE_DEALT:
            yield Arrow(state, "burn_faced", state, "WAR 11.1")
            yield Arrow(state, "reshuffle_discards", state, "WAR 11.7")
        else:
            yield Arrow(state, "extra_card", state, "WAR 11.3", "round_void")


ARROWS: Final = (
    Arrow("cards_new", "check_cards", "cards_checked", "WAR 3.3"),
    Arrow("cards_new", "play_on", "wagers_open", "WAR 4.1"),
    Arrow("cards_checked", "shuffle", "cards_shuffled", "WAR 4.1"),
    Arrow("cards_checked", "load", "cards_loaded", "WAR 4.7"),
    Arrow("cards_shuffled", "cut", "cards_loaded", "WAR 4.5"),
    Arrow("cards_shuffled", "forget_cut", "cards_loaded", "WAR 11.9"),
    Arrow("cards_shuffled", "load", "cards_loaded", "WAR 4.8"),
    Arrow("cards_loaded", "burn", "wagers_open", "WAR 4.9"),
    Arrow("cards_loaded", "forget_burn", "wagers_open", "WAR 11.10"),
    Arrow("wagers_open", "place", "wagers_open", "WAR 5.3"),
    Arrow("wagers_open", "take_back", "wagers_open", "WAR 5.4"),
    Arrow("wagers_open", "burn_empty", "wagers_open", "WAR 11.5"),
    Arrow("wagers_open", "no_more_bets", "no_more_bets", "WAR 7.1"),
    Arrow("wagers_open", "deal", "dealing", "WAR 7.1"),
    Arrow("no_more_bets", "deal", "dealing", "WAR 7.1"),
    Arrow("dealing", "deal", "dealing", "WAR 7.1", "interim"),
    Arrow("interim", "settle_tie", "interim", "WAR 8.1"),
    Arrow("interim", "settle_hand", "interim", "WAR 8.2", "interim_settled"),
    Arrow("interim", "war", "interim", "WAR 9.1", "interim_settled"),
    Arrow("interim", "surrender", "interim", "WAR 8.2.4.1", "interim_settled"),
    Arrow("interim", "absent", "interim", "WAR 11.8", "interim_settled"),
    Arrow("interim_settled", "deal", "second_deal", "WAR 9.2"),
    Arrow("interim_settled", "collect_cards", "cards_collected", "WAR 10.4"),
    Arrow("second_deal", "deal", "second_deal", "WAR 9.2", "war_dealt"),
    Arrow("war_dealt", "settle_war", "war_dealt", "WAR 10", "hands_settled"),
    Arrow("hands_settled", "collect_cards", "cards_collected", "WAR 10.4"),
    *_irregular_arrows(),
    Arrow("round_void", "collect_cards", "cards_collected", "WAR 10.4"),
    Arrow("cards_collected", "reconstruct", "no_more_bets", "WAR 11.6"),
    Arrow("cards_collected", "not_reconstructed", "cards_collected", "WAR 11.6"),
)
"""Every move from new cards to cards collected, with its rule."""

_PLACES: Final[Mapping[str, str]] = {
    "check_cards": "WAR 3.3",
    "play_on": "WAR 4.1",
    "shuffle": "WAR 4.1",
    "load": "WAR 4.7",
    "cut": "WAR 4.3",
    "forget_cut": "WAR 11.9",
    "burn": "WAR 4.9",
    "forget_burn": "WAR 11.10",
    "place": "WAR 5.3",
    "take_back": "WAR 5.4",
    "burn_empty": "WAR 11.5",
    "no_more_bets": "WAR 7.1",
    "deal": "WAR 7.1",
    "settle_tie": "WAR 8.1",
    "settle_hand": "WAR 8.2",
    "war": "WAR 9.1",
    "surrender": "WAR 8.2.4",
    "absent": "WAR 11.8",
    "settle_war": "WAR 10",
    "collect_cards": "WAR 10.4",
    "reconstruct": "WAR 11.6",
    "not_reconstructed": "WAR 11.6",
    "too_many_cards": "WAR 11.15",
    "extra_card": "WAR 11.13",
    "burn_faced": "WAR 11.1",
    "reshuffle_discards": "WAR 11.7",
    "void_round": "WAR 11.17",
    "transfer": "WAR 12.1",
    "replace_damaged": "WAR 12.1",
    "device_failed": "WAR 12.4",
    "shoe_instead": "WAR 12.5",
    "withdraw": "WAR 12.5.1",
    "void_wagers": "WAR 13.3.1",
    "invalidate": "WAR 13.4",
}
_AFTER_THE_FIRST_CARD: Final = (*_WHILE_PLAYED, "round_void", "cards_collected")


def _options(state: str, felt: Felt) -> tuple[Move, ...]:
    """The moves that the felt allows in a state."""
    return tuple(_moves(state, felt))


def _moves(state: str, felt: Felt) -> Iterator[Move]:
    yield from map(Move, ("check_cards", "shuffle", "burn", "forget_burn", "burn_faced", "reshuffle_discards"))
    if felt.loaded:
        yield Move("play_on")
    if felt.device == "shoe":
        yield from map(Move, ("cut", "forget_cut"))
    else:
        yield from map(Move, ("load", "transfer", "replace_damaged", "device_failed", "shoe_instead"))
    if state in {"wagers_open", "no_more_bets"}:
        yield from _wagering(felt)
    if state in {"wagers_open", "no_more_bets", "dealing", "interim_settled", "second_deal"}:
        to = felt.next_place()
        if to is not None:
            yield Move("deal", to)
    yield from options_of(felt)
    if felt.void_by is not None or not felt.wars():
        yield Move("collect_cards")
    if felt.void_by is None:
        yield from map(Move, ("not_reconstructed", "too_many_cards", "void_round", "invalidate"))
        if felt.in_play():
            yield Move("reconstruct")
    if felt.dealer_extra is None:
        yield Move("extra_card")
    for seat in felt.in_play():
        yield Move("void_wagers", seat.seat)
        if felt.choosing:
            yield Move("withdraw", seat.seat)


def _wagering(felt: Felt) -> Iterator[Move]:
    """The moves before the first card."""
    lying = {seat.seat: seat for seat in felt.seats}
    for number in range(1, HIGHEST_SEAT + 1):
        if number not in lying:
            yield Move("place", number, AREAS[0])
        elif lying[number].tie_cents is None:
            yield Move("place", number, AREAS[1])
            yield Move("take_back", number, AREAS[0])
        else:
            yield Move("take_back", number, AREAS[1])
    yield Move("no_more_bets" if felt.seats else "burn_empty")


def _acted_on(felt: Felt) -> bool:
    """Whether the interim settlement is made (WAR 8)."""
    return not (felt.ties() or felt.hands() or felt.options())


def _nothing_left(felt: Felt) -> bool:
    """Whether after one area's wagers went back nothing is left to deal or settle where the round stands."""
    if not felt.dealer:
        return not felt.in_play()
    if any(len(seat.cards) == 2 for seat in felt.seats):
        return not felt.wars()
    return _acted_on(felt)


PLAY: Final = Play(
    start="cards_new",
    arrows=ARROWS,
    places=_PLACES,
    exceptions={(state, move): "WAR 5.4" for state in _AFTER_THE_FIRST_CARD for move in ("place", "take_back")}
    | {("no_more_bets", "place"): "WAR 7.1", ("no_more_bets", "take_back"): "WAR 7.1"},
    acts={
        **dict.fromkeys(("check_cards", "shuffle", "burn", "forget_burn", "burn_faced", "reshuffle_discards"), unmoved),
        **dict.fromkeys(("cut", "forget_cut", "load"), acts.ready),
        **dict.fromkeys(CHOICE_RULES, acts.choose),
        **dict.fromkeys(("withdraw", "void_wagers"), acts.withdraw),
        **dict.fromkeys(("transfer", "replace_damaged"), acts.on_device),
        **dict.fromkeys(acts.ROUND_FAULTS, acts.void_round),
        "play_on": acts.play_on,
        "place": acts.place,
        "take_back": acts.take_back,
        "burn_empty": acts.burn_empty,
        "no_more_bets": acts.call,
        "deal": acts.deal,
        "settle_tie": acts.settle_tie,
        "settle_hand": acts.settle_hand,
        "settle_war": acts.settle_war,
        "collect_cards": acts.collect,
        "reconstruct": acts.reconstruct,
        "extra_card": acts.extra_card,
        "shoe_instead": acts.shoe_instead,
    },
    options=_options,
    complete={
        **dict.fromkeys(("settle_hand", *CHOICE_RULES), _acted_on),
        **dict.fromkeys(("withdraw", "void_wagers"), _nothing_left),
        "deal": lambda felt: felt.next_place() is None,
        "settle_war": lambda felt: not felt.wars(),
        "extra_card": lambda felt: felt.void_by is not None,
    },
)
"""The game as a machine. A round that was dealt wrongly may be dealt again until the next one begins (WAR 11.6), so
that after the cards are collected there are still moves."""


def settlement_of(
    at: Position[Felt], schedules: Mapping[str, Schedule] | None = None, forfeits: tuple[Forfeit, ...] = ()
) -> Settlement:
    """What the wagers of a round that was played move by move come to.

    Always as ``settle`` has it for the whole round. ``forfeits`` are the directions that went with an invalidated
    outcome. Raises ``RoundError`` where a hand has still to be settled.
    """
    felt = at.felt
    over = at.state in {"interim_settled", "hands_settled", "cards_collected"} and not felt.wars()
    if felt.void_by is None and not over:
        raise RoundError("state", at.state, "a hand has still to be settled (WAR 8, 10)")
    return settle(round_of(felt, forfeits), felt.settings, felt.limits, schedules)


def round_of(felt: Felt, forfeits: tuple[Forfeit, ...] = ()) -> Round:
    """The round that was played on a felt; how far its interim settlement had come only where wagers went back."""
    seats = felt.seats
    if felt.void_by is None:
        seats = tuple([seat if seat.void_for is not None else replace(seat, interim="none") for seat in seats])
    return Round(
        device=felt.device,
        dealer=felt.dealer,
        seats=seats,
        dealer_extra=felt.dealer_extra,
        chip_cents=felt.chip_cents,
        void_by=felt.void_by,
        forfeits=forfeits,
    )
