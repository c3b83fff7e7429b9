"""A Casino War table move by move, from new cards to cards collected: its table of states, moves and rules."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from rules.directions import Forfeit
from rules.games.casino_war import felt as acts
from rules.games.casino_war import irregular
from rules.games.casino_war.cutting import Occasion
from rules.games.casino_war.felt import CHOICE_RULES, Felt
from rules.games.casino_war.options import options
from rules.games.casino_war.rounds import Round
from rules.games.casino_war.settling import settle
from rules.play import Arrow, Play, Position, unmoved
from rules.rounds import RoundError, Settlement
from rules.schedules import Schedule

_WHILE_PLAYED: Final = ("dealing", "interim", "interim_settled", "second_deal", "war_dealt", "hands_settled")
_WHILE_DEALT: Final = ("dealing", "second_deal")
_CARDS_TO_COME: Final = (*_WHILE_DEALT, "interim_settled")
_AFTER_THE_DEAL: Final = ("interim", "interim_settled")
_LAST_OF: Final = {
    "dealing": "interim_settled",
    "interim": "interim_settled",
    "second_deal": "hands_settled",
    "war_dealt": "hands_settled",
}


def _irregular_arrows() -> Iterator[Arrow]:
    """The rows of what may go wrong in a round that has begun (WAR 11, 12, 13)."""
    for state in _WHILE_PLAYED:
        yield Arrow(state, "reconstruct", "dealing", "WAR 11.6")
        yield Arrow(state, "not_reconstructed", "round_void", "WAR 11.6")
        yield Arrow(state, "too_many_cards", "round_void", "WAR 11.15")
        yield Arrow(state, "void_round", "round_void", "WAR 11.17.2")
        yield Arrow(state, "invalidate", "round_void", "WAR 13.4")
        yield Arrow(state, "void_wagers", state, "WAR 13.3.1", _LAST_OF.get(state))
        yield Arrow(state, "find_invalid", state, "WAR 1.1")
        yield Arrow(state, "cut", state, "WAR 4.5")
        yield Arrow(state, "refuse_cut", state, "WAR 4.4")
        yield Arrow(state, "forget_cut", state, "WAR 11.9")
        yield from _device_arrows(state)
        if state in _CARDS_TO_COME:
            yield Arrow(state, "burn_faced", state, "WAR 11.1")
            yield Arrow(state, "deal_misplaced", state, "WAR 11.2")
            yield Arrow(state, "reshuffle_discards", state, "WAR 11.7")
            yield Arrow(state, "cutting_card", state, "WAR 4.1.3")
        if state not in _WHILE_DEALT:
            yield Arrow(state, "extra_card", state, "WAR 11.3", "round_void")


def _device_arrows(state: str) -> Iterator[Arrow]:
    """The rows of a shuffling device that fails in a round (WAR 12), and of the discards that belong in it (7.2)."""
    yield Arrow(state, "device_fails", state, "WAR 12.1.2")
    for move, (rule, _, _) in irregular.FAILURE_FACTS.items():
        yield Arrow(state, move, state, rule)
    yield Arrow(state, "transfer", state, "WAR 12.2")
    yield Arrow(state, "replace_damaged", state, "WAR 12.3")
    yield Arrow(state, "device_failed", "round_void", "WAR 12.4")
    yield Arrow(state, "shoe_instead", state, "WAR 12.5")
    yield Arrow(state, "withdraw", state, "WAR 12.5.1", _LAST_OF.get(state))
    if state in _AFTER_THE_DEAL:
        yield Arrow(state, "return_discards", state, "WAR 7.2")
        yield Arrow(state, "forget_discards", state, "WAR 11.14")


ARROWS: Final = (
    Arrow("cards_new", "check_cards", "cards_checked", "WAR 3.3"),
    Arrow("cards_new", "play_on", "wagers_open", "WAR 4.1"),
    Arrow("cards_checked", "shuffle", "cards_shuffled", "WAR 4.1"),
    Arrow("cards_checked", "load", "cards_loaded", "WAR 4.7"),
    Arrow("cards_checked", "riffle", "cards_checked", "WAR 4.2"),
    Arrow("cards_checked", "forget_shuffle", "wagers_open", "WAR 11.11"),
    Arrow("cards_shuffled", "riffle", "cards_shuffled", "WAR 4.2"),
    Arrow("cards_shuffled", "refuse_cut", "cards_shuffled", "WAR 4.4"),
    Arrow("cards_shuffled", "cut", "cards_loaded", "WAR 4.5"),
    Arrow("cards_shuffled", "forget_cut", "cards_loaded", "WAR 11.9"),
    Arrow("cards_shuffled", "load", "cards_loaded", "WAR 4.8"),
    Arrow("cards_loaded", "burn", "wagers_open", "WAR 4.9"),
    Arrow("cards_loaded", "forget_burn", "wagers_open", "WAR 11.10"),
    Arrow("wagers_open", "place", "wagers_open", "WAR 5.3"),
    Arrow("wagers_open", "take_back", "wagers_open", "WAR 5.4"),
    Arrow("wagers_open", "find_invalid", "wagers_open", "WAR 1.1"),
    Arrow("wagers_open", "cutting_card", "cards_checked", "WAR 4.1.2"),
    Arrow("wagers_open", "burn_empty", "wagers_open", "WAR 11.5"),
    Arrow("wagers_open", "no_more_bets", "no_more_bets", "WAR 7.1"),
    Arrow("wagers_open", "deal", "dealing", "WAR 7.1"),
    Arrow("no_more_bets", "find_invalid", "wagers_open", "WAR 1.1"),
    Arrow("no_more_bets", "cutting_card", "cards_checked", "WAR 4.1.2"),
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
    Arrow("cards_collected", "reconstruct", "dealing", "WAR 11.6"),
    Arrow("cards_collected", "not_reconstructed", "cards_collected", "WAR 11.6"),
    Arrow("cards_collected", "direct_check", "cards_collected", "WAR 11.1.1"),
    Arrow("cards_collected", "direct_shuffle", "cards_collected", "WAR 4.1.4"),
    Arrow("cards_collected", "replace_cards", "cards_collected", "WAR 3.5"),
)
"""Every move from new cards to cards collected, with its rule."""

_PLACES: Final[Mapping[str, str]] = {
    "check_cards": "WAR 3.3",
    "play_on": "WAR 4.1",
    "shuffle": "WAR 4.1",
    "load": "WAR 4.7",
    "riffle": "WAR 4.2",
    "refuse_cut": "WAR 4.4",
    "cut": "WAR 4.3",
    "forget_cut": "WAR 11.9",
    "forget_shuffle": "WAR 11.11",
    "cutting_card": "WAR 4.1.3",
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
    "deal_misplaced": "WAR 11.2",
    "reshuffle_discards": "WAR 11.7",
    "void_round": "WAR 11.17",
    "return_discards": "WAR 7.2",
    "forget_discards": "WAR 11.14",
    "direct_check": "WAR 11.1.1",
    "direct_shuffle": "WAR 4.1.4",
    "replace_cards": "WAR 3.5",
    "find_invalid": "WAR 1.1",
    "device_fails": "WAR 12.1.2",
    **{move: rule for move, (rule, _, _) in irregular.FAILURE_FACTS.items()},
    "transfer": "WAR 12.1",
    "replace_damaged": "WAR 12.1",
    "device_failed": "WAR 12.4",
    "shoe_instead": "WAR 12.5",
    "withdraw": "WAR 12.5.1",
    "void_wagers": "WAR 13.3.1",
    "invalidate": "WAR 13.4",
}
_AFTER_THE_FIRST_CARD: Final = (*_WHILE_PLAYED, "round_void", "cards_collected")


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
        **dict.fromkeys(("check_cards", "burn"), unmoved),
        **dict.fromkeys(("cut", "refuse_cut"), acts.cut),
        **dict.fromkeys(CHOICE_RULES, acts.choose),
        **dict.fromkeys(("burn_faced", "deal_misplaced"), irregular.note),
        **dict.fromkeys(("return_discards", "forget_discards"), irregular.return_discards),
        **dict.fromkeys(("withdraw", "void_wagers"), irregular.withdraw),
        **dict.fromkeys(irregular.FAILURE_FACTS, irregular.find_failure),
        **dict.fromkeys(irregular.ANSWERS, irregular.answer_failure),
        **dict.fromkeys(irregular.ROUND_FAULTS, irregular.void_round),
        "play_on": acts.play_on,
        "shuffle": acts.shuffle,
        "riffle": acts.riffle,
        "load": acts.load,
        "forget_cut": acts.forget_cut,
        "forget_burn": acts.forget_burn,
        "forget_shuffle": acts.forget_shuffle,
        "cutting_card": acts.draw_cutting_card,
        "place": acts.place,
        "take_back": acts.take_back,
        "burn_empty": acts.burn_empty,
        "no_more_bets": acts.call,
        "deal": acts.deal,
        "settle_tie": acts.settle_tie,
        "settle_hand": acts.settle_hand,
        "settle_war": acts.settle_war,
        "collect_cards": acts.collect,
        "reconstruct": irregular.reconstruct,
        "extra_card": irregular.extra_card,
        "find_invalid": irregular.find_invalid,
        "reshuffle_discards": irregular.reshuffle_discards,
        "direct_check": irregular.direct_check,
        "direct_shuffle": irregular.direct_shuffle,
        "replace_cards": irregular.replace_cards,
        "device_fails": irregular.device_fails,
    },
    options=options,
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
        seats = tuple([seat if seat.out else replace(seat, interim="none") for seat in seats])
    return Round(
        device=felt.device,
        dealer=felt.dealer,
        seats=seats,
        dealer_extra=felt.dealer_extra,
        chip_cents=felt.chip_cents,
        void_by=felt.void_by,
        forfeits=forfeits,
        found=felt.found,
    )


def next_round(at: Position[Felt]) -> Position[Felt]:
    """The table before its next round: with the cards that remain, with these shuffled, or with cards to be checked.

    They are checked where the round was void for a missing or foreign card (WAR 11.17.3), where a supervisor directed
    so (11.1.1), or replaced (3.5); shuffled where the cutting card came (4.1.3), the cut or the shuffle was forgotten
    (11.9, 11.11), the device failed (12.4) or a supervisor directed so (4.1.4). Otherwise play goes on with the cards
    that remain, also after a void round (11.6.1), first with one that was put under the shoe or device (11.4). Always
    what was settled before stands. Raises ``RoundError`` while the cards are not collected.
    """
    felt = at.felt
    if at.state != "cards_collected":
        raise RoundError("state", at.state, "the round of play has not ended (WAR 1.1, 10.4)")
    check = felt.check_after or felt.void_by == "foreign_card"  # WAR 11.17.3
    came = felt.cutting_card is not None  # WAR 4.1.3
    missed = not {"not_cut", "not_shuffled"}.isdisjoint(felt.found)
    shuffle = came or missed or felt.shuffle_after or felt.void_by == "device_failed"
    occasion: Occasion = "cutting_card" if came and not check else "reshuffled"
    if felt.check_after:
        occasion = felt.occasion
    loaded = not (check or shuffle)  # WAR 11.6.1
    put_away = felt.dealer_extra == "unexposed" and felt.settings.dealer_extra_card == "repair"
    fresh = Felt(
        felt.device,
        felt.settings,
        felt.limits,
        felt.own_limits,
        felt.chip_cents,
        felt.closed,
        felt.at_table,
        loaded=loaded,
        under=put_away and loaded,  # WAR 11.4: else it lies with the others, as if it had never been removed.
        occasion=occasion,
        cutting_card=felt.cutting_card if came and not check else None,
    )
    return Position("cards_checked" if shuffle and not check else "cards_new", fresh)
