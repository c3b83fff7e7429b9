"""A round of Caribbean Stud without a link as the moves of its table: antes, the deal, decisions, hands, faults."""

from collections.abc import Collection, Iterator
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Final

from rules.games.caribbean_stud import PLAY, Faults, Felt, deal_order, dealer_qualifies, next_round, settlement_of
from rules.games.caribbean_stud.dealing import HAND
from rules.games.caribbean_stud.rounds import played
from rules.hands import five_card_value
from rules.play import Move, Position
from rules.records import RoundRecord, faults_of, limits_of, record_of, settings_of, to_round
from rules.records.caribbean_stud import IrregularRecord, IrregularSeatRecord
from rules.rounds import Round, Seat, Settlement
from rules.terms import Rulings
from tablelink.core.moves.ante_play import HAND_MOVES, VOID_MOVES
from tablelink.core.moves.dealing import deals, opened, unseen
from tablelink.core.moves.told import Told


def begin(record: RoundRecord) -> Position[Felt]:
    """The table with new cards, dealt without the jackpot; raises ``RecordError`` where that cannot be.

    Always closed to wagers on a jackpot, as with the approval that CSP 14.15 asks for: there is no link.
    """
    round_ = to_round(record)
    return PLAY.begin(
        Felt(
            round_.device,
            settings_of(record),
            limits_of(record),
            MappingProxyType({seat.seat: seat.own_limits for seat in round_.seats if seat.own_limits is not None}),
            jackpot="closed",
        )
    )


def moves_of(record: RoundRecord) -> tuple[Move, ...]:
    """The moves of a round; raises ``RecordError`` where the record tells of none."""
    return tuple(_moves(to_round(record), faults_of(record)))


def _moves(round_: Round, faults: Faults) -> Iterator[Move]:
    seats = sorted(round_.seats, key=lambda seat: seat.seat)
    yield from opened(round_.device)
    for seat in seats:
        yield Move("place", seat.seat, "ante", seat.ante_cents, tender=seat.ante_tender)
        if seat.jackpot_cents is not None:
            yield Move("place", seat.seat, "jackpot", seat.jackpot_cents, tender=seat.jackpot_tender)
    yield Move("no_more_bets")
    dealt = tuple(_deals(round_, [seat.seat for seat in seats]))
    known = round_.dealer is not None or faults.hands or any(seat.decision or seat.bet_cents for seat in seats)
    yield from dealt if known or faults.void_by is None else dealt[:1]
    for seat in seats:
        yield from _decided(seat, turned=round_.dealer is not None)
    for number, fault in faults.hands:
        if not any(seat.seat == number and seat.cards is not None for seat in seats):
            yield Move(HAND_MOVES[fault], number)
    if round_.dealer is not None:
        yield from _settled(round_.dealer, seats, faults)
    if faults.void_by is not None:
        yield Move(VOID_MOVES[faults.void_by])
    yield Move("collect_cards")


def _deals(round_: Round, seats: list[int]) -> Iterator[Move]:
    order = deal_order(round_.device, seats)
    dealer = round_.dealer or unseen([card for seat in round_.seats for card in seat.cards or ()], 1)
    return deals(order, 1 if round_.device == "shoe" else HAND, dealer[-1])


def _decided(seat: Seat, *, turned: bool) -> Iterator[Move]:
    """What the player did before the dealer's hand was turned, and what was found of a bet then (CSP 14.11)."""
    twice = 2 * seat.ante_cents
    if seat.decision in {"bet", "concede"} or (seat.decision is None and seat.bet_cents is not None):
        yield Move("bet", seat.seat, cents=twice if _wrong(seat) else seat.bet_cents, tender=seat.bet_tender)
        if _wrong(seat) and not turned:
            yield Move("find_bet", seat.seat, cents=seat.bet_cents)
    elif seat.decision == "fold" and seat.bet_cents is not None:
        yield Move("bet", seat.seat, cents=twice, tender=seat.bet_tender)
        yield Move("find_bet", seat.seat, cents=seat.bet_cents)
        yield Move("fold_bet", seat.seat)
    elif seat.decision is not None:
        yield Move(seat.decision, seat.seat)


def _wrong(seat: Seat) -> bool:
    """Whether a bet is not exactly twice its ante (CSP 5.6)."""
    return seat.bet_cents is not None and seat.bet_cents != 2 * seat.ante_cents


def _settled(dealer: tuple[int, ...], seats: list[Seat], faults: Faults) -> Iterator[Move]:
    """From the dealer's hand to the last player's, and what was found then."""
    yield Move("turn_dealer", cards=dealer)
    for seat in seats:
        if seat.decision in {"bet", "concede"} and _wrong(seat) and _has_hand(seat, faults):
            yield Move("find_bet", seat.seat, cents=seat.bet_cents)
        if seat.decision == "concede" and _has_hand(seat, faults):
            yield Move("concede", seat.seat)
    name = "compare" if dealer_qualifies(five_card_value(dealer)) else "pay_ante"
    for seat in reversed(seats):
        if seat.decision == "bet" and _has_hand(seat, faults) and (faults.void_by is None or seat.cards is not None):
            yield Move(name, seat.seat, cards=seat.cards)
    for seat in reversed(seats):
        if seat.decision in {"fold", "absent"} and seat.cards is not None and Rulings().reveal_folded != "none":
            yield Move("reveal", seat.seat, cards=seat.cards)
        fault = faults.of(seat.seat)
        if fault is not None and seat.cards is not None:
            yield Move(HAND_MOVES[fault], seat.seat)


def _has_hand(seat: Seat, faults: Faults) -> bool:
    """Whether a seat has a hand when the dealer's is turned: no fault voided it before."""
    return faults.of(seat.seat) in {None, "invalid"} or seat.cards is not None


def round_of(at: Position[Felt]) -> tuple[Round, Any, tuple[Any, ...]]:
    """The round that was played, why it is void, and each fault found with a player's wagers."""
    faults = at.felt.faults
    return played(at.felt), faults.void_by, tuple(sorted(faults.hands))


def irregular_record(at: Position[Felt], settlement: Settlement, **fields: Any) -> IrregularRecord:
    """The record of the round that was played, and of what went wrong in it."""
    faults, record = at.felt.faults, record_of(played(at.felt), settlement, **fields)
    seats = [IrregularSeatRecord(**_fields(seat), void_for=faults.of(seat.seat)) for seat in record.seats]
    whole = {**_fields(record), "seats": tuple(seats), "void_by": faults.void_by}
    return IrregularRecord(**(whole | {"capture": None if faults.void_by else record.capture}))


def _fields(part: Any) -> dict[str, Any]:
    return {name: getattr(part, name) for name in part.__struct_fields__}


def _next_of(at: Position[Felt], left: Collection[int]) -> Position[Felt]:
    """The table before its next round; a direction is not handed on to who comes after a player that has left."""
    coming = next_round(at)
    barred = tuple([each for each in coming.felt.barred if each[0] not in left])
    return Position(coming.state, replace(coming.felt, barred=barred))


CARIBBEAN_STUD: Final = Told(
    play=PLAY,
    begin=begin,
    moves_of=moves_of,
    round_of=round_of,
    record_of=irregular_record,
    settlement_of=settlement_of,
    over=frozenset({"cards_collected"}),
    next_of=lambda at, left, _schedules, _forfeits: _next_of(at, left),
)
"""Caribbean Stud without a link at a hosted table."""
