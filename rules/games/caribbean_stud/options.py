"""Which moves the felt of a Caribbean Stud table allows, each amount or card that people choose left out."""

from collections.abc import Iterator
from typing import Final

from rules.games.caribbean_stud.dealing import HAND
from rules.games.caribbean_stud.deciding import DECISION_RULES, may_be_revealed, prizes_due, waited_for
from rules.games.caribbean_stud.felt import AREAS, Felt
from rules.games.caribbean_stud.irregular import BARRED_BY, HAND_FAULTS, may_be_found
from rules.play import Move
from rules.rounds import DEALER, HIGHEST_SEAT, Seat

_SEATS: Final = range(1, HIGHEST_SEAT + 1)
_BEFORE_THE_FIRST_CARD: Final = ("wagers_open", "no_more_bets")


def options(state: str, felt: Felt) -> tuple[Move, ...]:
    """The moves that the felt allows in a state."""
    return tuple(_moves(state, felt))


def _moves(state: str, felt: Felt) -> Iterator[Move]:
    yield from map(Move, ("check_cards", "shuffle", "void_round", "invalidate", "misdealt_dealer"))
    yield from map(Move, ("cut",) if felt.device == "shoe" else ("load", "reshuffle", "device_failed"))
    if state in {*_BEFORE_THE_FIRST_CARD, "dealing"}:
        yield from _dealing(felt)
    if state in _BEFORE_THE_FIRST_CARD:
        yield from _wagering(felt)
    else:
        yield from _faults(felt)
    if not felt.handled():
        yield Move("misdeal")
    if not felt.to_correct & {seat.seat for seat in felt.in_hand()}:
        yield Move("turn_dealer")
    yield from _directions(felt)
    yield from _decisions(felt)
    if felt.dealer is not None:
        yield from _settling(felt)
    due = prizes_due(felt)
    if not due:
        yield Move("collect_cards")
    else:
        yield Move("pay_jackpot", due[0])
        if felt.rulings.table_after_hit == "sealed":
            yield from (Move("seal_hand", seat) for seat in due)


def _wagering(felt: Felt) -> Iterator[Move]:
    """The moves about wagers before the first card."""
    lying = {seat.seat: seat for seat in felt.seats}
    barred = {*(seat for seat, _ in felt.barred), *felt.closed}
    for number in _SEATS:
        seat = lying.get(number)
        if seat is None:
            if number not in barred:
                yield Move("place", number, AREAS[0])
            continue
        yield Move("find_invalid", number)
        if seat.jackpot_cents is not None:
            yield from _with_jackpot(felt, seat)
            continue
        yield from (Move(name, number, AREAS[0]) for name in ("take_back", "refuse_wager"))
        if felt.jackpot == "open" and felt.price_cents is not None and number not in barred:
            yield Move("place", number, AREAS[1])
    if felt.seats:
        yield Move("no_more_bets")
    if felt.jackpot != "open":
        yield Move("reopen_jackpot")


def _with_jackpot(felt: Felt, seat: Seat) -> Iterator[Move]:
    """The moves about a wager on the jackpot before the first card."""
    yield Move("return_jackpot", seat.seat)
    yield Move("refuse_wager", seat.seat, AREAS[1])
    if not felt.is_in(seat):
        yield Move("take_back", seat.seat, AREAS[1])
        if felt.jackpot == "open":
            yield Move("take_jackpot", seat.seat)


def _dealing(felt: Felt) -> Iterator[Move]:
    """The moves about cards up to the last one dealt."""
    if not felt.seats:
        return
    if felt.dealt or not (felt.pending() or felt.jackpot == "failed"):
        yield Move("deal", felt.next_cards()[0])
    yield from (Move("expose", seat.seat) for seat in felt.seats if felt.cards_at(seat.seat))
    if felt.cards_at(DEALER) > len(felt.up_cards):
        yield Move("expose_dealer")


def _faults(felt: Felt) -> Iterator[Move]:
    """What may be found wrong with the hands once cards are dealt."""
    wagered = {seat.seat for seat in felt.seats}
    if felt.handled():
        yield from (Move("discard_hand", seat) for seat in _SEATS if seat not in wagered)
    for name, (_, fault) in HAND_FAULTS.items():
        yield from (Move(name, seat) for seat in sorted(wagered) if may_be_found(felt, seat, fault))


def _directions(felt: Felt) -> Iterator[Move]:
    """What a casino supervisor may direct (CSP 14.13, 14.15, 16.4.2)."""
    if not felt.english:
        yield Move("direct_english")
    if felt.jackpot == "open":
        yield Move("link_down")
    elif felt.jackpot == "failed":
        yield Move("play_without")
    barred = {seat for seat, _ in felt.barred}
    decided = {seat.seat for seat in felt.seats if seat.decision is not None}
    for number in _SEATS:
        if number not in barred:
            yield from (Move(name, number) for name in BARRED_BY)
        if number not in felt.first | decided:
            yield Move("direct_first", number)


def _decisions(felt: Felt) -> Iterator[Move]:
    """The moves of the players before the dealer's hand is turned."""
    waited = waited_for(felt)
    for seat in felt.in_hand():
        if seat.decision is None:
            yield from (Move(name, seat.seat) for name in DECISION_RULES if not _waits(name, seat, waited))
        if seat.seat in felt.to_correct:
            yield from (Move(name, seat.seat) for name in ("correct_bet", "fold_bet"))
    yield from (Move("find_bet", seat.seat) for seat in felt.to_settle())
    if felt.dealer is None and len(felt.up_cards) < felt.cards_at(DEALER) == HAND:
        yield Move("expose_dealer")


def _waits(name: str, seat: Seat, waited: tuple[int, ...]) -> bool:
    """Whether a decision waits for a player who was directed to play first (CSP 14.13.1)."""
    return bool(waited) and name != "absent" and seat.seat not in waited


def _settling(felt: Felt) -> Iterator[Move]:
    """The moves once the dealer's hand is turned, from the dealer's right."""
    name = "compare" if felt.dealer_plays() else "pay_ante"
    for seat in reversed(felt.to_settle()):
        yield from (Move(each, seat.seat) for each in (name, "concede"))
    yield from (Move("reveal", seat.seat) for seat in reversed(felt.seats) if may_be_revealed(felt, seat))
