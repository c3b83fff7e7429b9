"""Which moves a Sic Bo table lists as legal now; amounts and dice that people choose are left out."""

from collections.abc import Iterator
from typing import Final

from rules.games.sic_bo import felt as acts
from rules.games.sic_bo import racks
from rules.games.sic_bo.felt import Felt
from rules.games.sic_bo.layout import AREAS
from rules.games.sic_bo.rounds import NoResult
from rules.games.sic_bo.streaks import streak_refused
from rules.play import Move

IN_PLAY: Final = ("tumbling", "wagers_open", "no_more_bets", "uncovered", "announced", "entered", "lit", "lit_wrongly")
"""The states of a round of play that has begun and is not paid."""

NO_RESULTS: Final[tuple[tuple[NoResult, tuple[str, ...]], ...]] = (
    ("die_not_flat", ("uncovered",)),
    ("tumbler_failed", ("tumbling", "wagers_open", "no_more_bets", "uncovered")),
    ("not_activated", ("wagers_open", "no_more_bets", "uncovered")),
    ("dice_exposed", ("tumbling", "wagers_open")),
    ("button_not_pressed", ("no_more_bets",)),
    ("broken", ("tumbling", "wagers_open", "no_more_bets", "uncovered", "announced")),
    ("invalidated", IN_PLAY),
)
"""In which states each cause of "no result" can come to light."""


def move_of(cause: NoResult) -> str:
    """The move that announces "no result" for a cause."""
    return "invalidate" if cause == "invalidated" else cause


def options(state: str, felt: Felt) -> tuple[Move, ...]:
    """The moves that the felt allows in a state."""
    return tuple(_moves(state, felt))


def _moves(state: str, felt: Felt) -> Iterator[Move]:
    yield from map(Move, ("tumble", "no_more_bets", "announce", "enter", "light", "light_wrongly", "collect", "pay"))
    yield from map(Move, ("notify_inspector", "rectify", "return_wagers"))
    yield from (Move(move_of(cause)) for cause, _ in NO_RESULTS if cause != "button_not_pressed")
    if felt.tumbles >= acts.TUMBLES:
        yield Move("open_bets")
    if felt.touch_screen and not felt.pressed:
        yield from map(Move, ("press", "button_not_pressed"))
    else:
        yield Move("uncover")
    if not felt.final_call and "super_streak" in felt.limits.offered:
        yield Move("final_call")
    elif not felt.still_open and not any(each.wagers for each in felt.players):
        yield Move("close_table")
    if state in {"dice_covered", "wagers_open"}:
        yield from _wagering(state, felt)
        yield from racks.options(felt)
    lying = {each.seat for each in felt.players if each.wagers} | {wager.seat for wager in felt.still_open}
    for number in sorted(lying):
        if felt.player(number).void_for is None:
            yield from (Move(name, number) for name in ("find_invalid", "void_wagers"))
    for player in felt.players:
        if player.wagers and player.loss_limit is None:
            yield Move("find_loss_limit", player.seat)
    if felt.dice is not None:
        yield Move("disregard_display")


def _wagering(state: str, felt: Felt) -> Iterator[Move]:
    """The moves before "no more bets"."""
    remaining = {(wager.seat, wager.wager) for wager in felt.still_open}
    remaining |= {(each.seat, bet.wager) for each in felt.players for bet in each.wagers if AREAS[bet.wager].side}
    allowed = [number for number in range(1, felt.places + 1) if acts.may_not_wager(felt, number) is None]
    for area in AREAS.values():
        name = "place" if area.side is None else "place_streak"
        timely = area.side is None or streak_refused(area.side, felt.runs, final_call=felt.final_call) is None
        if felt.limits.offers(area) and timely:
            for number in allowed:
                if (number, area.wager) not in remaining:
                    yield Move(name, number, area.wager)
                if area.side is None:
                    yield Move("call_bet", number, area.wager)
    for player in felt.players:
        if player.loss_limit is not None:
            yield Move("declare", player.seat)
            if not player.wagers and not felt.at_risk_cents(player.seat):
                yield Move("declare_remaining", player.seat)
            yield Move("end_restriction" if player.seat in felt.resting else "restrict", player.seat)
        for wager in dict.fromkeys(bet.wager for bet in player.wagers):
            yield Move("refuse_wager", player.seat, wager)
            if AREAS[wager].side is None or state == "dice_covered":
                yield Move("take_back", player.seat, wager)
