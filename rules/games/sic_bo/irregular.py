"""What goes wrong in a round of Sic Bo, and what people find about a player's wagers, on the felt: rules 8 and 9.

The felt keeps what follows for the wagers and the moves; who was notified, ``rules.irregularities`` says.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from rules.games.sic_bo.felt import Felt, area_named, called, number_of
from rules.games.sic_bo.layout import AREAS, winning_areas
from rules.games.sic_bo.loss_limits import LossLimit
from rules.games.sic_bo.rounds import NoResult, VoidFor
from rules.limits import LARGEST_WAGER_CENTS
from rules.play import Move, MoveRefused


def find_unpressed(felt: Felt, move: Move) -> Felt:
    """Announce "no result" because "no more bets" was not pressed (SIC 8.4)."""
    if felt.pressed or not felt.touch_screen:
        raise MoveRefused(move, "SIC 8.4", "it was pressed" if felt.pressed else "the table has no touch screen")
    return call_no_result("button_not_pressed")(felt, move)


def light_wrongly(felt: Felt, move: Move) -> Felt:
    """Note an area that is dark and wins, or lit and does not; without an area that none is lit (SIC 8.7)."""
    if felt.dice is None:
        raise MoveRefused(move, "SIC 8.7", "no result is known")
    winning = winning_areas(felt.dice, felt.settings, felt.limits.offered)
    if move.area is None:
        return replace(felt, lit=())
    area = area_named(move, "SIC 8.7")
    if area.side is not None or not felt.limits.offers(area):
        raise MoveRefused(move, "SIC 8.7", f"area: {area.wager}: none that a result illuminates")
    wrong = {area.wager} ^ set(winning if felt.lit is None else felt.lit)
    lit = tuple([each.wager for each in AREAS.values() if each.wager in wrong])
    if lit == winning:
        raise MoveRefused(move, "SIC 8.7", "the areas lit would be the winning ones")
    return replace(felt, lit=lit)


def call_no_result(cause: NoResult) -> Callable[[Felt, Move], Felt]:
    """The act that announces "no result" for a cause (SIC 8.6), or invalidates the outcome (9.9)."""

    def call(felt: Felt, move: Move) -> Felt:  # noqa: ARG001 - the form of every act
        return replace(felt, dice=None, lit=None, no_result=cause)

    return call


def void_player(felt: Felt, move: Move) -> Felt:
    """Find a player's wagers invalid (SIC 8.14.2), or declare them void for a prohibited device (9.8.1)."""
    if move.name == "find_invalid" and not felt.tumbles:
        return find_invalid_before(felt, move)
    rule, void_for = _PLAYER_FAULTS[move.name]
    number = number_of(felt, move, rule)
    player = felt.player(number)
    if not player.wagers and not felt.at_risk_cents(number):
        raise MoveRefused(move, rule, f"seat {number} has no wager")
    if player.void_for is not None:
        raise MoveRefused(move, rule, f"the wagers of seat {number} are void already")
    return felt.with_player(replace(player, void_for=void_for))


def find_invalid_before(felt: Felt, move: Move) -> Felt:
    """Return what a player placed, found invalid before the round of play commences (SIC 8.14.1).

    A Super Streak wager of an earlier round is in the course of its play: it is settled as invalid (8.14.2).
    """
    number = number_of(felt, move, "SIC 8.14.1")
    player = felt.player(number)
    open_ = felt.at_risk_cents(number) > 0
    if player.void_for is not None or not (player.wagers or open_):
        raise MoveRefused(move, "SIC 8.14.1", f"seat {number} has no wager that is not void already")
    return felt.with_player(replace(player, wagers=(), void_for="invalid" if open_ else None))


def find_loss_limit(felt: Felt, move: Move) -> Felt:
    """Find during the round that a player has a Loss Limit, of which so much was left before it (SIC 8.15).

    What exceeds it goes back when the round is settled, the last bet first (8.15.1).
    """
    number = number_of(felt, move, "SIC 8.15")
    player = felt.player(number)
    if player.loss_limit is not None or not player.wagers:
        reason = "is followed already" if player.loss_limit is not None else "has no wager that could exceed it"
        raise MoveRefused(move, "SIC 8.15", f"seat {number}: the Loss Limit {reason}")
    if move.cents is None or not 0 <= move.cents <= LARGEST_WAGER_CENTS:
        raise MoveRefused(move, "SIC 8.15", f"cents: {move.cents}: not from 0 to {LARGEST_WAGER_CENTS}")
    return felt.with_player(replace(player, loss_limit=LossLimit(move.cents)))


def disregard_display(felt: Felt, move: Move) -> Felt:
    """Disregard a winning number display that shows another result than the dice (SIC 8.9)."""
    shown = called(move, "SIC 8.9")
    if felt.dice is None or sorted(shown) == sorted(felt.dice):
        raise MoveRefused(move, "SIC 8.9", "the display shows the actual outcome")
    return replace(felt, display=shown)


_PLAYER_FAULTS: Final[dict[str, tuple[str, VoidFor]]] = {
    "find_invalid": ("SIC 8.14.2", "invalid"),
    "void_wagers": ("SIC 9.8.1", "prohibited_device"),
}
