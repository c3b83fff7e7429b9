"""Which moves the felt of a Three Card or Four Card Poker table allows, what people choose left out."""

from collections.abc import Iterator
from typing import Final

from rules.games.ante_play.deciding import DECISIONS, waited_for
from rules.games.ante_play.felt import Felt
from rules.games.ante_play.irregular import BARS, HAND_FAULTS, knows_invalid, may_be_found
from rules.games.ante_play.rounds import Seat
from rules.play import Move
from rules.rounds import DEALER, HIGHEST_SEAT

SEATS: Final = range(1, HIGHEST_SEAT + 1)
_BEFORE_THE_FIRST_CARD: Final = ("wagers_open", "no_more_bets")


def moves(state: str, felt: Felt) -> Iterator[Move]:
    """The moves that the felt allows in a state."""
    yield from map(Move, ("check_cards", "shuffle", "turn_dealer", "collect_cards"))
    yield from map(Move, ("void_round", "invalidate", "misdealt_dealer"))
    yield from map(Move, ("cut",) if felt.device == "shoe" else ("load", "reshuffle", "device_failed"))
    if state in {*_BEFORE_THE_FIRST_CARD, "dealing"}:
        yield from _dealing(felt)
    if state in _BEFORE_THE_FIRST_CARD:
        yield from _wagering(felt)
    else:
        yield from _faults(felt)
    if not felt.handled:
        yield Move("misdeal")
    if felt.cards_at(DEALER) > len(felt.known):
        yield Move("expose_dealer")
    yield from _directions(felt)
    yield from _decisions(felt)
    yield from (Move("settle_hand", seat.seat) for seat in felt.to_turn())


def _wagering(felt: Felt) -> Iterator[Move]:
    """The moves about wagers before the first card."""
    ante, side = felt.BOOK.areas
    lying = {seat.seat: seat for seat in felt.seats}
    may_not = {*(seat for seat, _ in felt.barred), *felt.closed}
    for number in SEATS:
        seat = lying.get(number, Seat(number))
        for area, cents in ((ante, seat.ante_cents), (side, seat.side_cents)):
            if cents is not None:
                yield from (Move(name, number, area) for name in ("take_back", "refuse_wager"))
            elif number not in may_not:
                yield Move("place", number, area)
        if number in lying and knows_invalid(felt):
            yield Move("find_invalid", number)
    if felt.seats:
        yield Move("no_more_bets")


def _dealing(felt: Felt) -> Iterator[Move]:
    """The moves about cards up to the last one dealt."""
    if felt.seats:
        yield Move("deal", felt.next_place())
    yield from (Move("expose", seat.seat) for seat in felt.seats if felt.cards_at(seat.seat))


def _faults(felt: Felt) -> Iterator[Move]:
    """What may be found wrong with the hands once cards are dealt."""
    wagered = {seat.seat for seat in felt.seats}
    if felt.handled:
        yield from (Move("discard_hand", seat) for seat in SEATS if seat not in wagered)
    for name, fault in HAND_FAULTS.items():
        yield from (Move(name, seat.seat) for seat in felt.seats if may_be_found(felt, seat, fault))


def _directions(felt: Felt) -> Iterator[Move]:
    """What a casino supervisor may direct (TCP 12.11, 14.4.2; FCP 12.12, 14.3.2)."""
    if not felt.english:
        yield Move("direct_english")
    barred = {seat for seat, _ in felt.barred}
    decided = {seat.seat for seat in felt.seats if seat.decision is not None}
    for number in SEATS:
        if number not in barred:
            yield from (Move(name, number) for name in BARS)
        if number not in felt.first | decided:
            yield Move("direct_first", number)


def _decisions(felt: Felt) -> Iterator[Move]:
    """The moves of the players: before the dealer's hand is turned to decide, after it to concede."""
    waited = waited_for(felt)
    for seat in felt.seats:
        if seat.decision is None:
            for name in DECISIONS:
                waits = waited and name != "absent" and seat.seat not in waited
                if not waits and (name != "short" or seat.ante_cents is not None):
                    yield Move(name, seat.seat)
        elif seat.decision == "play" and seat.seat not in felt.settled:
            yield Move("concede", seat.seat)
