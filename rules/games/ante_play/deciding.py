"""What deciding and settling do on the felt of a Three Card or Four Card Poker table: rules 8, 9 and 12."""

from dataclasses import replace

from rules.games.ante_play.book import Book
from rules.games.ante_play.felt import F, Felt
from rules.games.ante_play.rounds import Seat
from rules.play import Move, MoveRefused, cards_of, cents_of

DECISIONS = ("play", "fold", "short", "absent")
"""What a player may do with a hand, or fail to do."""


def decision_rule(book: Book, name: str) -> str:
    """The rule of a decision."""
    clauses = book.clauses
    return {"play": book.rule("8.5"), "fold": book.rule("8.3"), "short": clauses.short, "absent": clauses.absent}[name]


def decide(felt: F, move: Move) -> F:
    """Take a player's decision: play (8.5), fold (8.3), be short of a play wager, or make none.

    TCP 12.10, 12.12; FCP 12.11, 12.13. Never another than first that of who was directed to play first (TCP 12.11.1).
    """
    book, name = felt.BOOK, move.name
    rule = decision_rule(book, name)
    seat = felt.seat(move, rule)
    if seat.decision is not None:  # TCP 8.1, FCP 8.1
        raise MoveRefused(move, book.rule("8.4") if seat.decision == "fold" else rule, f"seat {seat.seat} has decided")
    waited = waited_for(felt)
    # TCP 12.11.1, FCP 12.12.1
    if waited and name != "absent" and seat.seat not in waited:
        raise MoveRefused(move, f"{book.clauses.collusion}.1", f"seat {waited[0]} was directed to play first")
    handled = replace(felt, handled=felt.handled or name != "absent")
    match name:
        case "play":
            return handled.with_seat(_played(felt, seat, move))
        case "short":
            if seat.ante_cents is None:
                raise MoveRefused(move, rule, f"seat {seat.seat} has no ante to match")
            return handled.with_seat(replace(seat, decision="short"))
        case "fold":  # TCP 8.3, FCP 8.3
            return handled.with_seat(replace(seat, decision="fold"))
        case _:
            return handled.with_seat(replace(seat, decision="absent"))


def waited_for(felt: Felt) -> tuple[int, ...]:
    """The seats that were directed to play before the others, and have not decided (TCP 12.11.1, FCP 12.12.1)."""
    return tuple([seat.seat for seat in felt.in_hand() if seat.seat in felt.first and seat.decision is None])


def _played(felt: Felt, seat: Seat, move: Move) -> Seat:
    """A seat with its play wager on the cards (8.5); without an ante there is none (TCP 5.4, FCP 5.3)."""
    book = felt.BOOK
    if seat.ante_cents is None:
        if move.cents is not None:  # TCP 5.4, FCP 5.3
            raise MoveRefused(move, book.clauses.side_only, f"seat {seat.seat} wagers on {book.side_title} only")
        return replace(seat, decision="play")
    cents = cents_of(move, book.rule("8.5"))
    refused = book.play_refused(cents, seat.ante_cents, felt.settings)
    if refused is not None:
        raise MoveRefused(move, refused.rule, f"cents: {cents}: {refused.reason}")
    return replace(seat, decision="play", play_cents=cents, play_tender=move.tender)


def turn_dealer(felt: F, move: Move) -> F:
    """Turn up the dealer's hand, what was seen of it among it (8.6); another number of cards is a misdeal (12.2)."""
    book = felt.BOOK
    number = len(move.cards or ())
    if number != book.dealers_hand:  # TCP 12.2, FCP 12.2
        reason = f"cards: {number} where the dealer's hand is {book.dealers_hand}"
        raise MoveRefused(move, book.rule("12.2"), reason)
    cards = cards_of(move, book.dealers_hand, (), book.rule("3.1"))
    if not set(felt.known) <= set(cards):  # TCP 8.6, FCP 8.6
        raise MoveRefused(move, book.rule("8.6"), "cards: one that was seen is not among them")
    return replace(felt, dealer=cards)


def concede(felt: F, move: Move) -> F:
    """Concede a hand that was played and not yet settled (TCP 9.5, FCP 9.3); it never comes back (TCP 9.6, FCP 9.4)."""
    clauses = felt.BOOK.clauses
    seat = felt.seat(move, clauses.concede)
    if seat.decision == "concede":  # TCP 9.6, FCP 9.4
        raise MoveRefused(move, clauses.conceded, f"seat {seat.seat} has conceded")
    if seat.decision != "play" or seat.seat in felt.settled:
        raise MoveRefused(move, clauses.concede, f"seat {seat.seat} has no hand to concede")
    return felt.with_seat(replace(seat, decision="concede"))


def settle_hand(felt: F, move: Move) -> F:
    """Turn up a player's hand and settle it by its optimal value (TCP 9.8, FCP 9.6)."""
    clauses = felt.BOOK.clauses
    seat = felt.seat(move, clauses.settle_hand)
    if seat not in felt.to_turn():  # TCP 9.8, FCP 9.6
        rule = clauses.conceded if seat.decision == "concede" else clauses.settle_hand
        raise MoveRefused(move, rule, f"seat {seat.seat} has no hand left to settle")
    return replace(with_hand(felt, seat, move), settled=(*felt.settled, seat.seat))


def with_hand(felt: F, seat: Seat, move: Move) -> F:
    """The felt with a player's hand face up; another number of cards is a void hand (TCP 12.7, FCP 12.6)."""
    book = felt.BOOK
    if len(move.cards or ()) != book.hand:
        reason = f"cards: {len(move.cards or ())} where a player's hand is {book.hand}"
        raise MoveRefused(move, book.clauses.card_count, reason)
    return felt.with_seat(replace(seat, cards=cards_of(move, book.hand, felt.seen(seat.seat), book.rule("3.1"))))
