"""What goes wrong in a round, and what a supervisor directs, on the felt of a Caribbean Stud table: rules 14, 15, 16.

The felt keeps what follows for the wagers and the moves; who gave a direction and who was notified are kept by
``rules.irregularities``.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from rules.games.caribbean_stud.faults import VOID_HANDS, HandFault, VoidCause
from rules.games.caribbean_stud.felt import Felt
from rules.games.directing import check_empty, keep_out, play_first, speak_english
from rules.play import Move, MoveRefused

ROUND_FAULTS: Final[Mapping[str, VoidCause]] = {
    "misdealt_dealer": "misdeal",
    "void_round": "foreign_card",
    "device_failed": "device_failed",
    "invalidate": "invalidated",
}
"""What the moves that void a whole round void it for."""

HAND_FAULTS: Final[Mapping[str, tuple[str, HandFault]]] = {
    "void_hand": ("CSP 14.8", "card_count"),
    "void_wagers": ("CSP 16.4.1", "prohibited_device"),
    "find_invalid": ("CSP 14.20.2", "invalid"),
}
"""What the moves about one player's wagers find wrong with them, and by which rule."""

BARRED_BY: Final[Mapping[str, str]] = {"direct_apart": "CSP 14.13.2", "exclude": "CSP 16.4.2"}
"""The directions after which a player may not wager at the table any more, with their rules."""


def misdeal(felt: Felt, move: Move) -> Felt:
    """Declare a misdeal before any player has handled the cards (CSP 14.1)."""
    if felt.handled():
        raise MoveRefused(move, "CSP 14.1", "a player has handled cards")
    return replace(felt, faults=replace(felt.faults, void_by="misdeal"))


def void_round(felt: Felt, move: Move) -> Felt:
    """Declare the round void: for the dealer's cards (CSP 14.2), the deck (14.9), the device (15.2), or by 16.5."""
    cause = ROUND_FAULTS[move.name]
    if cause == "device_failed" and felt.device == "shoe":  # CSP 15.2
        raise MoveRefused(move, "CSP 15.2", "the table deals from a shoe")
    return replace(felt, faults=replace(felt.faults, void_by=cause))


def find_fault(felt: Felt, move: Move) -> Felt:
    """Declare a player's wagers void (CSP 14.8, 16.4.1), or find them invalid (14.20).

    Before the first card an invalid wager goes back at once (CSP 14.20.1). A folded hand may be void too: it is counted
    when it is collected (8.4). Never a hand whose five cards were seen, for their number; nor one whose prize is paid.
    """
    rule, fault = HAND_FAULTS[move.name]
    if move.name == "find_invalid" and not felt.dealt:
        return felt.without(felt.seat(move, "CSP 14.20.1").seat)
    seat = felt.hand(move, rule)
    if not may_be_found(felt, seat.seat, fault):
        raise MoveRefused(move, rule, f"seat {seat.seat}: its hand was seen and settled, or is found so already")
    others = tuple([each for each in felt.faults.hands if each[0] != seat.seat])
    return replace(felt, faults=replace(felt.faults, hands=(*others, (seat.seat, fault))))


def may_be_found(felt: Felt, number: int, fault: HandFault) -> bool:
    """Whether a fault can still come to light at a seat."""
    has = felt.faults.of(number)
    if has in VOID_HANDS or has == fault or number in felt.paid_out:
        return False
    seen = any(seat.seat == number and seat.cards is not None for seat in felt.seats)
    return fault != "card_count" or not (seen or number in felt.settled)


def discard_hand(felt: Felt, move: Move) -> Felt:
    """Count and discard a hand dealt where no ante lies (CSP 14.10); before cards were handled it is a misdeal."""
    check_empty(felt, move, "CSP 14.10", "an ante")
    if not felt.handled():
        raise MoveRefused(move, "CSP 14.1", "no player has handled cards: it is a misdeal")
    return felt


def direct_first(felt: Felt, move: Move) -> Felt:
    """Direct a player to play before the others handle their cards (CSP 14.13.1)."""
    return play_first(felt, move, "CSP 14.13.1")


def direct_english(felt: Felt, move: Move) -> Felt:
    """Direct the players to speak English only at all times (CSP 14.13.3)."""
    return speak_english(felt, move, "CSP 14.13.3")


def bar(felt: Felt, move: Move) -> Felt:
    """Keep a player from wagering at the table: suspected of collusion (CSP 14.13.2), or excluded (16.4.2)."""
    return keep_out(felt, move, BARRED_BY[move.name])


def link_down(felt: Felt, move: Move) -> Felt:
    """Find the jackpot's equipment to have failed (CSP 14.15); what was accepted by then stays in the jackpot."""
    if felt.jackpot != "open":
        raise MoveRefused(move, "CSP 14.15", "it is known that the equipment failed")
    return replace(felt, jackpot="failed")


def play_without(felt: Felt, move: Move) -> Felt:
    """Go on without the jackpot, with the approval of the Gaming Supervisor (CSP 14.15)."""
    if felt.jackpot != "failed":  # CSP 14.15
        raise MoveRefused(move, "CSP 14.15", "the equipment did not fail, or this is approved already")
    return replace(felt, jackpot="closed")


def reopen_jackpot(felt: Felt, move: Move) -> Felt:
    """Take wagers on the jackpot again, once its equipment records them (CSP 2.3)."""
    if felt.jackpot == "open":
        raise MoveRefused(move, "CSP 2.3", "the jackpot is open")
    return replace(felt, jackpot="open")
