"""What goes wrong in a round, and what a supervisor directs, on a Three Card or Four Card Poker felt: 12, 13 and 14.

The felt keeps what follows for the wagers and the moves; who gave a direction and who was notified are kept by
``rules.irregularities`` and ``rules.tables``.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from rules.games.ante_play.book import Book, HandFault, VoidCause
from rules.games.ante_play.felt import F, Felt
from rules.games.ante_play.rounds import VOID_HANDS, Seat
from rules.games.directing import check_empty, keep_out, play_first, speak_english
from rules.play import Move, MoveRefused

ROUND_FAULTS: Final[Mapping[str, VoidCause]] = {
    "misdealt_dealer": "misdeal",
    "void_round": "foreign_card",
    "device_failed": "device_failed",
    "invalidate": "invalidated",
}
"""What the moves that void a whole round void it for."""

HAND_FAULTS: Final[Mapping[str, HandFault]] = {
    "void_hand": "card_count",
    "void_wagers": "prohibited_device",
    "find_invalid": "invalid",
}
"""What the moves about one player's wagers find wrong with them."""

BARS: Final = ("direct_apart", "exclude")
"""The directions after which a player may not wager at the table any more."""


def barred_by(book: Book, name: str) -> str:
    """The clause of a direction after which a player may not wager."""
    return f"{book.clauses.collusion}.2" if name == "direct_apart" else f"{book.clauses.device}.2"


def misdeal(felt: F, move: Move) -> F:
    """Declare a misdeal before any player has handled the cards (TCP 12.1, FCP 12.1)."""
    if felt.handled:  # TCP 12.1, FCP 12.1
        raise MoveRefused(move, felt.BOOK.rule("12.1"), "a player has handled cards")
    return replace(felt, void_by="misdeal")


def void_round(felt: F, move: Move) -> F:
    """Declare the round void: for the dealer's cards (12.2), the deck, the device (13.2), or by a supervisor.

    TCP 12.9, 14.5; FCP 12.10, 14.4.
    """
    cause = ROUND_FAULTS[move.name]  # TCP 12.2, 12.9, 13.2, 14.5; FCP 12.2, 12.10, 13.2, 14.4
    if cause == "device_failed" and felt.device == "shoe":
        raise MoveRefused(move, felt.BOOK.rule("13.2"), "the table deals from a shoe")
    return replace(felt, void_by=cause)


def find_fault(felt: F, move: Move) -> F:
    """Declare a player's wagers void (TCP 12.7, 14.4.1; FCP 12.6, 14.3.1), or find them invalid (TCP 12.16).

    Before the first card an invalid wager goes back at once (TCP 12.16.1). A folded hand may be void too: it is counted
    when it is collected (8.4). Never a hand whose cards were seen, for their number.
    """
    fault, book = HAND_FAULTS[move.name], felt.BOOK
    rule = book.hand_faults[fault]
    if fault == "invalid":
        if not knows_invalid(felt):
            raise MoveRefused(move, rule, "this book has no invalid wagers but by the ruling carded_play")
        if not felt.dealt:  # TCP 12.16.1
            return felt.without(felt.seat(move, book.clauses.invalid_before).seat)
    seat = felt.seat(move, rule)
    if not may_be_found(felt, seat, fault):
        raise MoveRefused(move, rule, f"seat {seat.seat}: its hand was seen, or is found so already")
    decision = "void" if fault in VOID_HANDS else seat.decision
    return felt.with_seat(replace(seat, decision=decision, void_for=fault))


def knows_invalid(felt: Felt) -> bool:
    """Whether the table knows invalid wagers: its book does (TCP 1.1, 12.16), or the ruling on carded play."""
    return felt.BOOK.knows_invalid or felt.settings.carded_play == "all_games"


def may_be_found(felt: Felt, seat: Seat, fault: HandFault) -> bool:
    """Whether a fault can still come to light at a seat."""
    if seat.fault in VOID_HANDS or seat.fault == fault:
        return False
    if fault == "invalid":
        return knows_invalid(felt)
    return fault != "card_count" or (seat.cards is None and seat.seat not in felt.settled)


def discard_hand(felt: F, move: Move) -> F:
    """Count and discard a hand dealt where no wager lies (TCP 12.8, FCP 12.7); before cards were handled: a misdeal."""
    check_empty(felt, move, felt.BOOK.clauses.empty, "a wager")
    if not felt.handled:  # TCP 12.8, FCP 12.7
        raise MoveRefused(move, felt.BOOK.rule("12.1"), "no player has handled cards: it is a misdeal")
    return felt


def direct_first(felt: F, move: Move) -> F:
    """Direct a player to play before the others handle their cards (TCP 12.11.1, FCP 12.12.1)."""
    return play_first(felt, move, f"{felt.BOOK.clauses.collusion}.1")


def direct_english(felt: F, move: Move) -> F:
    """Direct the players to speak English only at all times (TCP 12.11.3, FCP 12.12.3)."""
    return speak_english(felt, move, f"{felt.BOOK.clauses.collusion}.3")  # TCP 12.11.3, FCP 12.12.3


def bar(felt: F, move: Move) -> F:
    """Keep a player from wagering: suspected of collusion (TCP 12.11.2, FCP 12.12.2), or excluded (14.4.2, 14.3.2)."""
    return keep_out(felt, move, barred_by(felt.BOOK, move.name))  # TCP 12.11.2, 14.4.2; FCP 12.12.2, 14.3.2
