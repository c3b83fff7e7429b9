"""A round of Three Card or Four Card Poker as the moves of its table: wagers, the deal, decisions, hands, faults."""

from collections.abc import Callable, Iterator
from types import MappingProxyType
from typing import Any, Final

from rules.four_card_hands import best_four
from rules.games import four_card_poker, three_card_poker
from rules.games.ante_play import Seat
from rules.play import Move, Play, Position
from rules.records import FORMS, game_of, rulings_of, sign_of
from rules.records.four_card_poker import four_card_record
from rules.records.three_card_poker import three_card_record
from tablelink.core.moves.dealing import deals, opened, unseen
from tablelink.core.moves.told import Told

VOID_MOVES: Final = {
    "misdeal": "misdealt_dealer",
    "foreign_card": "void_round",
    "device_failed": "device_failed",
    "invalidated": "invalidate",
}
"""The move that declares a round void, by the cause."""
HAND_MOVES: Final = {"card_count": "void_hand", "prohibited_device": "void_wagers", "invalid": "find_invalid"}
"""The move that finds a fault with one player's wagers."""


def begin(play: Play[Any], felt: Callable[..., Any], record: Any) -> Position[Any]:
    """The table with new cards, and what is known of its seats; raises ``RecordError`` where that cannot be."""
    round_ = FORMS[game_of(record)].to_round(record)
    return play.begin(
        felt(
            device=round_.device,
            settings=rulings_of(record),
            limits=sign_of(record),
            own_limits=MappingProxyType({seat.seat: seat.own_limits for seat in round_.seats if seat.own_limits}),
            warned=MappingProxyType({seat.seat: seat.warnings for seat in round_.seats if seat.warnings}),
        )
    )


def moves_of(record: Any) -> tuple[Move, ...]:
    """The moves of a round; raises ``RecordError`` where the record tells of none."""
    return tuple(_moves(FORMS[game_of(record)].to_round(record)))


def _moves(round_: Any) -> Iterator[Move]:
    book, seats = round_.BOOK, sorted(round_.seats, key=lambda seat: seat.seat)
    yield from opened(round_.device)
    for seat in seats:
        for area, cents, tender in (
            ("ante", seat.ante_cents, seat.ante_tender),
            (book.side, seat.side_cents, seat.side_tender),
        ):
            if cents is not None:
                yield Move("place", seat.seat, area, cents, tender=tender)
    yield Move("no_more_bets")
    dealt = tuple(_deals(round_, [seat.seat for seat in seats]))
    known = round_.dealer is not None or any(seat.decision or seat.fault or seat.play_cents for seat in seats)
    yield from dealt if known or round_.void_by is None else dealt[:1]
    for seat in seats:
        yield from _decided(seat)
    for seat in seats:
        if seat.fault is not None and seat.cards is None and seat.fault != "not_reconstructed":
            yield Move(HAND_MOVES[seat.fault], seat.seat)
    if round_.dealer is not None or round_.void_by is None:
        yield from _settled(round_, seats)
    if round_.void_by is not None:
        yield Move(VOID_MOVES[round_.void_by])
    yield Move("collect_cards")


def _deals(round_: Any, seats: list[int]) -> Iterator[Move]:
    order = round_.BOOK.deal_order(round_.device, seats)
    dealer = round_.dealer or unseen([card for seat in round_.seats for card in seat.cards or ()], 1)
    return deals(order, 1 if round_.device == "shoe" else round_.BOOK.hand, dealer[-1])


def _decided(seat: Seat) -> Iterator[Move]:
    """What the player did with the hand before the dealer's was turned."""
    match seat.decision:
        case "play" | "concede":
            yield _played(seat)
        case None if seat.play_cents is not None:  # What lies on the cards was placed there (TCP 8.5, FCP 8.5).
            yield _played(seat)
        case "fold" | "short" | "absent":
            yield Move(seat.decision, seat.seat)
        case "void" if seat.play_cents is not None or (seat.ante_cents is None and _was_turned(seat)):
            yield _played(seat)
        case "void" if _was_turned(seat):
            yield Move("absent", seat.seat)


def _was_turned(seat: Seat) -> bool:
    """Whether the hand of a void seat was turned up before it was found so."""
    return seat.cards is not None or seat.fault == "not_reconstructed"


def _played(seat: Seat) -> Move:
    return Move("play", seat.seat, cents=seat.play_cents, tender=seat.play_tender)


def _settled(round_: Any, seats: list[Seat]) -> Iterator[Move]:
    """From the dealer's hand to the last player's, and what was found then."""
    dealer = round_.dealer or ()
    yield Move("turn_dealer", cards=dealer)
    for seat in seats:
        if seat.decision == "concede":
            yield Move("concede", seat.seat)
    if round_.BOOK.game == four_card_poker.GAME and (round_.void_by is None or any(map(_was_turned, seats))):
        yield Move("set_dealer", cards=round_.dealer_set or best_four(dealer).cards)
    seen = [*dealer, *(card for seat in seats for card in seat.cards or ())]
    for seat in seats:
        if _turns(seat, concedes=seat.cards is not None) and (round_.void_by is None or _was_turned(seat)):
            yield Move("settle_hand", seat.seat, cards=seat.cards or _lost(seat, seen))
        if seat.fault == "not_reconstructed":
            yield Move("lose_track", seat.seat)
        elif seat.fault is not None and seat.cards is not None:
            yield Move(HAND_MOVES[seat.fault], seat.seat)


def _turns(seat: Seat, *, concedes: bool) -> bool:
    """Whether a hand is turned up to be settled."""
    match seat.decision:
        case "play":
            return True
        case "short" | "absent":
            return seat.side_cents is not None
        case "void":
            return _was_turned(seat)
        case "concede":
            return concedes
        case _:
            return False


def _lost(seat: Seat, seen: list[int]) -> tuple[int, ...]:
    """The cards of a hand that nobody could reconstruct (FCP 12.9): which they were, no record says."""
    return unseen(seen, 5) if seat.fault == "not_reconstructed" else ()


def _told(game: Any, record_of: Callable[..., Any]) -> Told:
    return Told(
        play=game.PLAY,
        begin=lambda record: begin(game.PLAY, game.Felt, record),
        moves_of=moves_of,
        round_of=game.round_of,
        record_of=lambda at, settlement, **fields: record_of(game.round_of(at), settlement, **fields),
        settlement_of=game.settlement_of,
        over=frozenset({"cards_collected"}),
        next_of=lambda at, left, _schedules, _forfeits: game.next_round(at, left=tuple(left)),
    )


THREE_CARD: Final = _told(three_card_poker, three_card_record)
"""Three Card Poker at a hosted table."""
FOUR_CARD: Final = _told(four_card_poker, four_card_record)
"""Four Card Poker at a hosted table."""
