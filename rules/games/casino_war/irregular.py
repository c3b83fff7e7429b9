"""What goes wrong in a round of Casino War, and what people direct, on the felt: rules 3.5, 4.1.4, 7.2, 11 to 13.

The felt keeps what follows for the wagers and the moves; who was notified, ``rules.irregularities`` says.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from rules.games.casino_war.dealing import DeviceFailure, remedy
from rules.games.casino_war.felt import Felt
from rules.games.casino_war.rounds import AreaFault, Standing, VoidCause
from rules.play import Move, MoveRefused

ROUND_FAULTS: Final[Mapping[str, VoidCause]] = {
    "too_many_cards": "misdeal",  # WAR 11.15
    "not_reconstructed": "not_reconstructed",  # WAR 11.6
    "void_round": "foreign_card",  # WAR 11.17
    "invalidate": "invalidated",  # WAR 13.4.1
}
"""What the moves that void a whole round void it for; a failed device has a ladder of its own (WAR 12)."""

FAILURE_FACTS: Final[Mapping[str, tuple[str, str, bool]]] = {
    "find_disadvantage": ("WAR 12.1.3", "disadvantaged", True),
    "find_no_other": ("WAR 12.1.4", "another_available", False),
    "find_impracticable": ("WAR 12.1.5", "transfer_practicable", False),
    "find_damage": ("WAR 12.3", "damaged_cards", True),
}
"""What may be found of a failed device, with its rule."""

ANSWERS: Final = ("transfer", "replace_damaged", "device_failed", "shoe_instead")
"""The moves that answer a failed device."""

_WORKING_OTHER: Final = DeviceFailure(
    disadvantaged=False, another_available=True, transfer_practicable=True, damaged_cards=False
)
_AREA_FAULTS: Final[Mapping[str, tuple[str, AreaFault]]] = {
    "withdraw": ("WAR 12.5.1", "device_failed"),
    "void_wagers": ("WAR 13.3.1", "prohibited_device"),
}
_NOTED: Final[Mapping[str, Standing]] = {"burn_faced": "card_faced", "deal_misplaced": "card_in_error"}


def reconstruct(felt: Felt, move: Move) -> Felt:
    """Deal a wrongly dealt round again in the sequence it should have had (WAR 11.6); the war wagers go back first."""
    if felt.void_by is not None:
        raise MoveRefused(move, "WAR 11.6", "the round is void")
    if not felt.in_play():
        raise MoveRefused(move, "WAR 11.6", "no hand is left to deal again")
    if felt.failing is not None or felt.cut_due:
        raise MoveRefused(move, "WAR 11.6", "the device, or the cut, is answered first")
    seats = [
        replace(seat, cards=(), decision=None, war_cents=None, war_tender="chips", interim="none")
        for seat in felt.seats
    ]
    fresh = replace(felt, seats=tuple(seats), dealer=(), dealer_extra=None, settled=())
    return fresh.finding("reconstructed")  # WAR 11.12: excess cards are burned.


def extra_card(felt: Felt, move: Move) -> Felt:
    """Answer a card too many on the dealer's completed hand: put away (WAR 11.3, 11.4), or a misdeal (11.13)."""
    if felt.dealer_extra is not None:
        raise MoveRefused(move, "WAR 11.13", "the dealer's hand had one already")
    felt = replace(felt, dealer_extra="exposed" if move.cards else "unexposed")
    return replace(felt, void_by="misdeal") if felt.settings.dealer_extra_card == "misdeal" else felt


def withdraw(felt: Felt, move: Move) -> Felt:
    """Give one area's wagers back: at the player's choice (WAR 12.5.1), or void for a prohibited device (13.3.1)."""
    rule, fault = _AREA_FAULTS[move.name]
    seat = felt.seat(move, rule)
    if fault == "device_failed" and not felt.choosing:
        raise MoveRefused(move, rule, "no shuffling device failed so that players may choose")
    return felt.with_seat(replace(seat, void_for=fault))


def find_invalid(felt: Felt, move: Move) -> Felt:
    """Find a wager invalid, where the table asks for Player Cards: before the deal it goes back (``carded_play``).

    In the round its hand is played out, and wins nothing.
    """
    if felt.settings.carded_play == "as_book":
        raise MoveRefused(move, "WAR 1.1", "this book has no rule on Player Cards (carded_play)")
    seat = felt.seat(move, "WAR 1.1")
    if seat.void_for is not None:
        raise MoveRefused(move, "WAR 1.1", f"the wagers of seat {seat.seat} were found so already")
    return felt.with_seat(replace(seat, void_for="invalid")) if felt.begun else felt.without(seat.seat)


def note(felt: Felt, move: Move) -> Felt:
    """Note a faced card, which is burned (WAR 11.1), or one dealt or burned in error, dealt as the next (11.2)."""
    return felt.finding(_NOTED[move.name])


def direct_check(felt: Felt, move: Move) -> Felt:
    """Direct that all remaining cards be checked after a round with a faced card (WAR 11.1.1)."""
    if "card_faced" not in felt.found:
        raise MoveRefused(move, "WAR 11.1.1", "no card was found turned face upwards")
    return replace(felt, check_after=True, occasion="reshuffled")


def direct_shuffle(felt: Felt, move: Move) -> Felt:  # noqa: ARG001 - the form of every act
    """Direct a shuffle after the round, with reason to suspect that cards are not randomly intermixed (WAR 4.1.4)."""
    return replace(felt, shuffle_after=True)


def replace_cards(felt: Felt, move: Move) -> Felt:
    """Replace the cards after a round: from a shoe only where the cutting card came (WAR 3.5.1, 3.5.2)."""
    if felt.device == "shoe" and felt.cutting_card is None:
        raise MoveRefused(move, "WAR 3.5.2", "the cutting card was not exposed in this round")
    return replace(felt, check_after=True, occasion="replaced")


def reshuffle_discards(felt: Felt, move: Move) -> Felt:
    """Shuffle the discards, since too few cards remain, and cut them into a shoe (WAR 11.7, 4.3, 4.7)."""
    if felt.cut_due:
        raise MoveRefused(move, "WAR 11.7", "the discards were shuffled, and are cut now")
    again = replace(felt, cut_due=felt.device == "shoe", declined=(), occasion="reshuffled")
    return again.finding("insufficient_cards")


def return_discards(felt: Felt, move: Move) -> Felt:
    """Place the discards in the device after the initial deal (WAR 7.2), or leave them in the rack (11.14); once."""
    rule = "WAR 11.14" if move.name == "forget_discards" else "WAR 7.2"
    if felt.device == "shoe" or felt.returned:
        raise MoveRefused(
            move, rule, "no shuffling device is in use" if felt.device == "shoe" else "that is answered already"
        )
    felt = replace(felt, returned=True)
    return felt.finding("not_returned_to_device") if move.name == "forget_discards" else felt


def device_fails(felt: Felt, move: Move) -> Felt:
    """Find that the device no longer operates as intended: nothing is dealt until it is answered (WAR 12.1.2)."""
    if felt.failing is not None:
        raise MoveRefused(move, "WAR 12.1.2", "that is found already")
    return replace(_in_use(felt, move), failing=_WORKING_OTHER)


def find_failure(felt: Felt, move: Move) -> Felt:
    """Find a disadvantage (WAR 12.1.3), no other device (12.1.4) or way into it (12.1.5), or damaged cards (12.3)."""
    rule, name, value = FAILURE_FACTS[move.name]
    failing = _in_use(felt, move).failing
    if failing is None or getattr(failing, name) == value:
        reason = "no shuffling device failed" if failing is None else "that is found already"
        raise MoveRefused(move, rule, reason)
    return replace(felt, failing=replace(failing, **{name: value}))


def answer_failure(felt: Felt, move: Move) -> Felt:
    """Answer a failed device as rule 12 has it: transfer, replace damaged cards, end the round, or deal from a shoe.

    From a shoe the cards are shuffled and cut first, and each player may have the wagers back (WAR 12.5).
    """
    failing = _in_use(felt, move).failing
    if failing is None:
        raise MoveRefused(move, "WAR 12.1.2", "no shuffling device failed")
    due = remedy(failing)
    if due.move != move.name:
        raise MoveRefused(move, due.rule, due.notes[0].rpartition(" (")[0])
    felt = replace(felt, failing=None)
    match move.name:
        case "transfer":
            return felt.finding("device_undamaged")
        case "replace_damaged":
            return felt.finding("device_damaged_cards")  # WAR 12.3.4
        case "device_failed":
            return replace(felt, void_by="device_failed")
        case _:
            fresh = replace(felt, device="shoe", choosing=True, cut_due=True, declined=(), occasion="reshuffled")
            return fresh.finding("device_no_other")  # WAR 12.5.3, 12.5.4


def _in_use(felt: Felt, move: Move) -> Felt:
    """The felt; raises ``MoveRefused`` where the table deals from a shoe (WAR 12.1.1)."""
    if felt.device == "shoe":
        raise MoveRefused(move, "WAR 12.1.1", "no shuffling device is in use")
    return felt


def void_round(felt: Felt, move: Move) -> Felt:
    """Declare the round void: for a hand of too many cards (WAR 11.15), or by 11.6, 11.17 or 13.4."""
    cause = ROUND_FAULTS[move.name]
    if felt.void_by is not None:
        raise MoveRefused(move, "WAR 11.6", "the round is void")
    return replace(felt, void_by=cause)
