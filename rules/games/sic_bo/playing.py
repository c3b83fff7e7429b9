"""A Sic Bo table move by move, from the covered dice to wagers paid: its table of states, moves and rules."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from rules.directions import Forfeit
from rules.games.sic_bo import felt as acts
from rules.games.sic_bo import irregular, racks
from rules.games.sic_bo.felt import Felt
from rules.games.sic_bo.options import IN_PLAY, NO_RESULTS, move_of, options
from rules.games.sic_bo.rounds import Seat
from rules.games.sic_bo.settling import NO_RESULT_RULES, settle
from rules.play import Arrow, Play, Position, unmoved
from rules.rounds import RoundError, Settlement
from rules.schedules import Schedule

_BEFORE: Final = ("dice_covered", "wagers_open")
_SHOWN: Final = ("announced", "entered", "lit", "lit_wrongly")

ARROWS: Final = (
    Arrow("dice_covered", "declare", "dice_covered", "SIC 9.2.1"),
    Arrow("dice_covered", "declare_remaining", "dice_covered", "SIC 9.2.3"),
    Arrow("dice_covered", "find_invalid", "dice_covered", "SIC 8.14.1"),
    Arrow("dice_covered", "place_streak", "dice_covered", "SIC 6.1"),
    Arrow("dice_covered", "take_back", "dice_covered", "SIC 3.11"),
    Arrow("dice_covered", "refuse_wager", "dice_covered", "SIC 9.16"),
    Arrow("dice_covered", "final_call", "dice_covered", "SIC 6.6"),
    Arrow("dice_covered", "close_table", "table_closed", "SIC 9.13"),
    Arrow("dice_covered", "tumble", "tumbling", "SIC 5.1"),
    Arrow("tumbling", "tumble", "tumbling", "SIC 5.1"),
    Arrow("tumbling", "open_bets", "wagers_open", "SIC 5.1"),
    Arrow("wagers_open", "place", "wagers_open", "SIC 3.4"),
    Arrow("wagers_open", "call_bet", "wagers_open", "SIC 3.12"),
    Arrow("wagers_open", "take_back", "wagers_open", "SIC 3.11"),
    Arrow("wagers_open", "refuse_wager", "wagers_open", "SIC 9.16"),
    Arrow("wagers_open", "no_more_bets", "no_more_bets", "SIC 5.2"),
    Arrow("no_more_bets", "press", "no_more_bets", "SIC 5.2"),
    Arrow("no_more_bets", "uncover", "uncovered", "SIC 5.2"),
    Arrow("uncovered", "announce", "announced", "SIC 5.3"),
    Arrow("announced", "enter", "entered", "SIC 5.4"),
    Arrow("entered", "light", "lit", "SIC 5.5"),
    Arrow("entered", "light_wrongly", "lit_wrongly", "SIC 8.7"),
    Arrow("lit", "collect", "losers_collected", "SIC 5.5"),
    Arrow("losers_collected", "pay", "wagers_paid", "SIC 5.5"),
    Arrow("lit_wrongly", "light_wrongly", "lit_wrongly", "SIC 8.7"),
    Arrow("lit_wrongly", "collect", "collected_by_dice", "SIC 8.7"),
    Arrow("collected_by_dice", "pay", "play_stopped", "SIC 8.7"),
    Arrow("play_stopped", "notify_inspector", "inspector_notified", "SIC 8.8"),
    Arrow("inspector_notified", "rectify", "wagers_paid", "SIC 8.8"),
    *(
        Arrow(state, move_of(cause), "no_result", NO_RESULT_RULES[cause])
        for cause, states in NO_RESULTS
        for state in states
    ),
    *(
        Arrow(state, move, state, rule)
        for state in _BEFORE
        for move, rule in (
            ("restrict", "SIC 9.4"),
            ("end_restriction", "SIC 9.4"),
            ("issue_checks", "SIC 3.9"),
            ("share_checks", "SIC 3.8"),
            ("second_colour", "SIC 3.10"),
            ("redeem_checks", "SIC 3.7"),
        )
    ),
    *(Arrow(state, "find_invalid", state, "SIC 8.14.2") for state in IN_PLAY),
    *(Arrow(state, "void_wagers", state, "SIC 9.8.1") for state in IN_PLAY),
    *(Arrow(state, "find_loss_limit", state, "SIC 8.15") for state in IN_PLAY),
    *(Arrow(state, "disregard_display", state, "SIC 8.9") for state in _SHOWN),
    Arrow("no_result", "return_wagers", "wagers_paid", "SIC 8.6"),
)
"""Every move from the covered dice to wagers paid, with its rule."""

_PLACES: Final[Mapping[str, str]] = {
    "declare": "SIC 9.2.1",
    "declare_remaining": "SIC 9.2.3",
    "restrict": "SIC 9.4",
    "end_restriction": "SIC 9.4",
    "issue_checks": "SIC 3.9",
    "share_checks": "SIC 3.8",
    "second_colour": "SIC 3.10",
    "redeem_checks": "SIC 3.7",
    "place_streak": "SIC 6.1",
    "take_back": "SIC 3.11",
    "refuse_wager": "SIC 9.16",
    "final_call": "SIC 6.6",
    "close_table": "SIC 9.13",
    "tumble": "SIC 5.1",
    "open_bets": "SIC 5.1",
    "place": "SIC 3.11",
    "call_bet": "SIC 3.12",
    "no_more_bets": "SIC 5.2",
    "press": "SIC 5.2",
    "uncover": "SIC 5.2",
    "announce": "SIC 5.3",
    "enter": "SIC 5.4",
    "light": "SIC 5.5",
    "light_wrongly": "SIC 8.7",
    "collect": "SIC 5.5",
    "pay": "SIC 5.5",
    "notify_inspector": "SIC 8.8",
    "rectify": "SIC 8.8",
    "return_wagers": "SIC 8.6",
    "find_invalid": "SIC 8.14.2",
    "void_wagers": "SIC 9.8.1",
    "find_loss_limit": "SIC 8.15",
    "disregard_display": "SIC 8.9",
    **{move_of(cause): NO_RESULT_RULES[cause] for cause, _ in NO_RESULTS},
}
_STOPPED: Final = ("play_stopped", "inspector_notified")


PLAY: Final = Play(
    start="dice_covered",
    arrows=ARROWS,
    places=_PLACES,
    exceptions={("dice_covered", "place"): "SIC 5.1", ("tumbling", "place"): "SIC 5.1"}
    | {(state, "tumble"): "SIC 8.8" for state in _STOPPED},
    acts={
        **dict.fromkeys(("no_more_bets", "light", "collect", "pay"), unmoved),
        **dict.fromkeys(("notify_inspector", "rectify", "return_wagers"), unmoved),
        **dict.fromkeys(("take_back", "refuse_wager"), acts.take_back),
        **{move_of(cause): irregular.call_no_result(cause) for cause, _ in NO_RESULTS},
        **dict.fromkeys(("find_invalid", "void_wagers"), irregular.void_player),
        **dict.fromkeys(("restrict", "end_restriction"), acts.restrict),
        **dict.fromkeys(("issue_checks", "share_checks", "second_colour"), racks.issue),
        "redeem_checks": racks.redeem,
        "find_loss_limit": irregular.find_loss_limit,
        "disregard_display": irregular.disregard_display,
        "declare_remaining": acts.declare_remaining,
        "declare": acts.declare,
        "place_streak": acts.place_streak,
        "final_call": acts.call_last,
        "close_table": acts.close,
        "tumble": acts.tumble,
        "open_bets": acts.open_bets,
        "place": acts.place,
        "call_bet": acts.call_bet,
        "press": acts.press,
        "button_not_pressed": irregular.find_unpressed,
        "uncover": acts.uncover,
        "announce": acts.announce,
        "enter": acts.enter,
        "light_wrongly": irregular.light_wrongly,
    },
    options=options,
    complete={},
)
"""The game as a machine, one roll of the dice."""

_PAYABLE: Final = ("lit", "lit_wrongly", "losers_collected", "collected_by_dice", *_STOPPED, "no_result", "wagers_paid")


def settlement_of(
    at: Position[Felt], schedules: Mapping[str, Schedule] | None = None, forfeits: tuple[Forfeit, ...] = ()
) -> Settlement:
    """What the wagers of a roll that was played move by move come to.

    Always as ``settle`` has it for the whole round. ``forfeits`` are the directions that went with an invalidated
    outcome (SIC 9.10). Raises ``RoundError`` before the winning areas are lit, or "no result" is announced.
    """
    if at.state not in _PAYABLE:
        raise RoundError("state", at.state, "the winning areas are not illuminated yet (SIC 5.5)")
    felt = at.felt
    return settle(replace(felt.round(), forfeits=forfeits), felt.settings, felt.limits, schedules)


def next_round(
    at: Position[Felt], schedules: Mapping[str, Schedule] | None = None, forfeits: tuple[Forfeit, ...] = ()
) -> Position[Felt]:
    """The table before its next roll: what stays in play, the runs, and how far each Loss Limit is used.

    Raises ``RoundError`` while wagers are not paid, or a fault of the equipment is not rectified (SIC 8.8).
    """
    if at.state != "wagers_paid":
        raise RoundError("state", at.state, "the round of play has not ended (SIC 1.1, 8.8)")
    felt, settlement = at.felt, settlement_of(at, schedules, forfeits)
    return PLAY.begin(
        Felt(
            felt.settings,
            felt.limits,
            felt.places,
            felt.touch_screen,
            tuple([player for player in _after(felt, settlement) if player != Seat(player.seat)]),
            settlement.still_open,
            felt.runs if felt.dice is None else felt.runs.after(felt.dice, felt.settings),
            final_call=felt.final_call,
            closed=felt.closed,
            resting=felt.resting,
            rack=felt.rack,
        )
    )


def _after(felt: Felt, settlement: Settlement) -> Iterator[Seat]:
    """The players as they stand after a round."""
    for player in felt.players:
        limit = player.loss_limit
        if limit is not None:
            lines = [line for line in settlement.lines if line.seat == player.seat]
            limit = limit.after_round(player.placed_cents, lines)  # SIC 8.15.2
        yield replace(player, wagers=(), loss_limit=limit, void_for=None)  # SIC 8.14.3
