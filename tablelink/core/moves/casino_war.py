"""A round of Casino War as the moves of its table: each move brings the felt nearer to the round that is told.

Cards go face up one by one, and wagers may go back at any time; so the moves are found by playing towards the round.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

from rules.games.casino_war import PLAY, Felt, Round, Seat, Standing, next_round, round_of, settlement_of
from rules.play import Move, Position
from rules.records import rulings_of, sign_of
from rules.records.casino_war import CasinoWarRecord, casino_war_record, casino_war_round
from rules.rounds import DEALER
from tablelink.core.moves.dealing import unseen
from tablelink.core.moves.told import Told

MOST_MOVES: Final = 400
"""More than any round has: a round that is not reached by so many is not reached."""
_DEALING: Final = frozenset({"dealing", "second_deal", "interim_settled"})
_NOT_DEALING: Final = frozenset({"interim", "interim_settled", "war_dealt", "hands_settled"})
_PLAYED: Final = _DEALING | _NOT_DEALING
_FINDING: Final[dict[Standing, tuple[frozenset[str], tuple[str, ...]]]] = {
    "card_faced": (_DEALING, ("burn_faced",)),
    "card_in_error": (_DEALING, ("deal_misplaced",)),
    "reconstructed": (_PLAYED, ("reconstruct",)),
    "insufficient_cards": (_DEALING, ("reshuffle_discards",)),
    "not_returned_to_device": (frozenset({"interim", "interim_settled"}), ("forget_discards",)),
    "device_undamaged": (_PLAYED, ("device_fails", "transfer")),
    "device_damaged_cards": (_PLAYED, ("device_fails", "find_damage", "replace_damaged")),
    "device_no_other": (_PLAYED, ("device_fails", "find_no_other", "shoe_instead")),
}
"""In which states what went wrong comes to light, and by which moves; the rest belongs to the cut, burn and shuffle."""
_VOID_MOVES: Final = {
    "misdeal": ("too_many_cards",),
    "not_reconstructed": ("not_reconstructed",),
    "foreign_card": ("void_round",),
    "invalidated": ("invalidate",),
    "device_failed": ("device_fails", "find_disadvantage", "device_failed"),
}


def begin(record: CasinoWarRecord) -> Position[Felt]:
    """The table with new cards, and each player's own sign; raises ``RecordError`` where that cannot be.

    Where a device failed so that a shoe was dealt from, it began with the device (WAR 12.5).
    """
    round_ = casino_war_round(record)
    return PLAY.begin(
        Felt(
            "shuffler" if "device_no_other" in round_.found else round_.device,
            settings=rulings_of(record),  # type: ignore[arg-type]  # those of the record's game
            limits=sign_of(record),
            own_limits=MappingProxyType({seat.seat: seat.own_limits for seat in round_.seats if seat.own_limits}),
            chip_cents=round_.chip_cents,
        )
    )


def moves_of(record: CasinoWarRecord) -> tuple[Move, ...]:
    """The moves of a round; raises ``RecordError`` where there is none, ``MoveRefused`` as the table does."""
    at, round_ = begin(record), casino_war_round(record)
    if round_.dealer_extra is not None and at.felt.settings.dealer_extra_card == "misdeal":
        round_ = replace(round_, void_by=round_.void_by or "misdeal")  # WAR 11.13
    told = _Told(round_)
    moves: list[Move] = []
    while at.state != "cards_collected" and len(moves) < MOST_MOVES:
        for move in told.next_moves(at):
            at = PLAY.step(at, move)
            moves.append(move)
    return tuple(moves)


@dataclass(frozen=True, slots=True)
class _Told:
    """A round that moves lead to."""

    round: Round

    def seat(self, number: int) -> Seat:
        """A seat as it is in the end; how far its interim settlement came matters only where wagers went back."""
        seat = next(each for each in self.round.seats if each.seat == number)
        return seat if seat.out or self.round.void_by is not None else replace(seat, interim="hand")

    def next_moves(self, at: Position[Felt]) -> tuple[Move, ...]:
        """What is done next at a table on the way to this round."""
        felt, state = at.felt, at.state
        match state:
            case "cards_new":
                return (Move("check_cards"),)
            case "cards_checked" if felt.cutting_card is not None:
                return (Move("forget_shuffle"),)
            case "cards_checked":
                return (Move("shuffle" if felt.device == "shoe" else "load"),)
            case "cards_shuffled":
                return (self._cut(felt),)
            case "cards_loaded":
                return (Move("forget_burn" if "no_burn_card" in self.round.found else "burn"),)
            case "wagers_open":
                return (self._wager(felt),)
            case "round_void" | "hands_settled" if felt.void_by is not None or not self._ends_void():
                return next(self._found(state, felt), None) or (Move("collect_cards"),)
            case _:
                return self._played(state, felt)

    def _cut(self, felt: Felt) -> Move:
        forgotten = "not_cut" in self.round.found and "not_cut" not in felt.found
        return Move("forget_cut") if forgotten else Move("cut", felt.cutter().seat)

    def _wager(self, felt: Felt) -> Move:
        """Place the next wager, or deal the first card."""
        if "not_shuffled" in self.round.found and felt.cutting_card is None:
            return Move("cutting_card")
        lying = {seat.seat: seat for seat in felt.seats}
        for seat in self.round.seats:
            if seat.seat not in lying:
                return Move("place", seat.seat, "initial", seat.initial_cents, tender=seat.initial_tender)
            if seat.tie_cents is not None and lying[seat.seat].tie_cents is None:
                return Move("place", seat.seat, "tie", seat.tie_cents, tender=seat.tie_tender)
        return self._deal(felt) or self._any_card(felt)

    def _played(self, state: str, felt: Felt) -> tuple[Move, ...]:
        """What comes next in a round that has begun."""
        if felt.cut_due:
            return (self._cut(felt),)
        found = next(self._found(state, felt), None)
        if found is not None:
            return found
        if self._rack_first(felt) and state in _DEALING and felt.next_place() is not None:
            return (self._deal(felt) or self._any_card(felt),)
        if self._ends_void() and self._reached(felt):
            return self._void(felt)
        dealt = self._deal(felt) if state in _DEALING else None
        next_move = self._acted(felt) or dealt or self._withdrawn(felt) or self._war(felt)
        return (next_move or Move("collect_cards"),)

    def _found(self, state: str, felt: Felt) -> Iterator[tuple[Move, ...]]:
        """What has still to come to light, and can now."""
        for kind in self.round.found:
            if kind == "reconstructed" and self._rack_first(felt):
                continue
            if kind not in felt.found and kind in _FINDING and state in _FINDING[kind][0]:
                yield tuple(map(Move, _FINDING[kind][1]))
        for seat in felt.in_play():
            told = self.seat(seat.seat)
            if told.void_for == "invalid" and seat.void_for is None:
                yield (Move("find_invalid", seat.seat),)
        missing = self.round.dealer_extra is not None and felt.dealer_extra is None
        if missing and state in _NOT_DEALING and felt.settings.dealer_extra_card == "repair":
            yield (self._extra(),)

    def _rack_first(self, felt: Felt) -> bool:
        """Whether discards stay in the rack (WAR 11.14) before the hands are dealt anew, which nothing tells of."""
        return (
            "reconstructed" in self.round.found
            and "not_returned_to_device" in self.round.found
            and "not_returned_to_device" not in felt.found
        )

    def _extra(self) -> Move:
        shown = unseen(self.round.dealer, 1) if self.round.dealer_extra == "exposed" else None
        return Move("extra_card", cards=shown)

    def _ends_void(self) -> bool:
        return self.round.void_by is not None

    def _void(self, felt: Felt) -> tuple[Move, ...]:
        if self.round.void_by == "misdeal" and self.round.dealer_extra != felt.dealer_extra:
            return (self._extra(),)
        return tuple(map(Move, _VOID_MOVES[self.round.void_by or "misdeal"]))

    def _reached(self, felt: Felt) -> bool:
        """Whether everything that the round tells has happened, but that it is void."""
        told = [(seat, self.seat(seat.seat)) for seat in felt.in_play()]
        seats = all(self._same(seat, each) and not each.out for seat, each in told)
        return seats and felt.dealer == self.round.dealer

    def _same(self, seat: Seat, told: Seat) -> bool:
        """Whether a seat is as it is told, but for what is found wrong with it."""
        return replace(seat, void_for=None) == replace(told, void_for=None)

    def _acted(self, felt: Felt) -> Move | None:
        """The next move of the interim settlement, as far as it came (WAR 8)."""
        if not felt.dealer:
            return None
        for name, left, enough in (
            ("settle_tie", felt.ties(), {"tie", "hand"}),
            ("settle_hand", felt.hands(), {"hand"}),
        ):
            if left:
                return Move(name, left[-1].seat) if self.seat(left[-1].seat).interim in enough else None
        if felt.options():
            told = self.seat(felt.options()[0].seat)
            if told.interim == "hand" and told.decision is not None:
                return Move(told.decision, told.seat, cents=told.war_cents, tender=told.war_tender)
        return None

    def _withdrawn(self, felt: Felt) -> Move | None:
        """The next area whose wagers go back, once nothing more was dealt or settled there (WAR 12.5.1, 13.3.1)."""
        for seat in felt.in_play():
            told = self.seat(seat.seat)
            if told.out and self._same(seat, told):
                return Move("withdraw" if told.void_for == "device_failed" else "void_wagers", seat.seat)
        return None

    def _deal(self, felt: Felt) -> Move | None:
        """The next card, where the round tells it."""
        to = felt.next_place()
        if to is None:
            return None
        told = self.round.dealer if to == DEALER else self.seat(to).cards
        had = felt.dealer if to == DEALER else next(seat.cards for seat in felt.seats if seat.seat == to)
        return Move("deal", to, cards=(told[len(had)],)) if len(told) > len(had) else None

    def _any_card(self, felt: Felt) -> Move:
        """The first card of a round that was void before any is told of."""
        return Move("deal", felt.next_place(), cards=(0,))

    def _war(self, felt: Felt) -> Move | None:
        """The next war that is settled (WAR 10), where all its cards lie there."""
        wars = [seat for seat in felt.wars() if len(seat.cards) == 2]
        return Move("settle_war", wars[0].seat) if wars and len(felt.dealer) == 2 else None


CASINO_WAR: Final = Told(
    play=PLAY,
    begin=begin,
    moves_of=moves_of,
    round_of=lambda at: round_of(at.felt),
    record_of=lambda at, settlement, **fields: casino_war_record(round_of(at.felt), settlement, **fields),
    settlement_of=settlement_of,
    over=frozenset({"cards_collected"}),
    next_of=lambda at, _left, _schedules, _forfeits: next_round(at),
)
"""Casino War at a hosted table."""
