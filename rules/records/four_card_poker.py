"""The JSON form of a round of Four Card Poker."""

from typing import Annotated, Any, Final, Literal

from msgspec import Meta

from rules.cards import cards_text
from rules.four_card_hands import best_four
from rules.games.four_card_poker import EDITION, GAME, Decision, HandFault, Limits, Round, Seat, VoidCause
from rules.irregularities.poker import FourCardStanding
from rules.records.answers import poker_shown
from rules.records.directions import ForfeitRecord, forfeit_records, read_forfeits
from rules.records.forms import (
    RULES_VERSION,
    Cards,
    Cents,
    Form,
    GameRecord,
    Part,
    RecordError,
    SeatNumber,
    WagerCents,
    check_edition,
    part_of,
    read_hand,
    value_of,
)
from rules.rounds import Device, Line, RoundError, Settlement
from rules.wagers import Tender

Wager = Literal["ante", "play", "aces_up", "ante_bonus"]
"""What a settlement has lines of (FCP 10)."""


class FourCardLimitsRecord(Part, frozen=True):
    """The table's sign, as far as it states something."""

    ante_min_cents: WagerCents | None = None
    ante_max_cents: WagerCents | None = None
    ante_unit_cents: WagerCents | None = None
    play_max_cents: WagerCents | None = None
    aces_up_min_cents: WagerCents | None = None
    aces_up_max_cents: WagerCents | None = None
    aces_up_unit_cents: WagerCents | None = None


class FourCardSeatRecord(Part, frozen=True):
    """A seat with an ante, an Aces Up wager or both; ``cards`` absent where not seen.

    ``own_limits`` are there where its player plays by a pre-existing minimum (FCP 6.5.1).
    """

    seat: SeatNumber
    ante_cents: WagerCents | None = None
    aces_up_cents: WagerCents | None = None
    decision: Decision | None = None
    play_cents: WagerCents | None = None
    cards: Cards | None = None
    warnings: Annotated[int, Meta(ge=1, le=1000)] | None = None
    """How often the player was short of a play wager before (FCP 12.11)."""
    void_for: HandFault | None = None
    """What is wrong with the wagers; a void hand that says nothing has a wrong number of cards (FCP 12.6)."""
    ante_tender: Tender | None = None
    play_tender: Tender | None = None
    aces_up_tender: Tender | None = None
    own_limits: FourCardLimitsRecord | None = None


class FourCardSettledRecord(Part, frozen=True):
    """What the table paid on a wager and gave back of its stake."""

    seat: SeatNumber
    wager: Wager
    paid_cents: Cents
    returned_cents: Cents


class FourCardSettingsRecord(Part, frozen=True):
    """The table's rulings where they are not the defaults."""

    cap_linked_wager: bool | None = None
    invalid_losing: Literal["kept", "returned"] | None = None
    refund_invalidated: bool | None = None
    token_on_win: Literal["returned", "as_voucher"] | None = None
    carded_play: Literal["as_book", "all_games"] | None = None
    concede_collects: Literal["all", "ante_play"] | None = None
    play_multiples: Literal["any", "whole"] | None = None


class FourCardRecord(GameRecord, frozen=True, kw_only=True):
    """A round as captured and as settled at the table. A bare round to settle needs its game, dealer and seats.

    ``dealer_set`` is there only where the dealer's four cards were set wrongly and stand (FCP 12.8); ``dealer`` may be
    absent only where the round is void.
    """

    game: Literal["four_card_poker"]
    device: Device | None = None
    dealer: Cards | None = None
    dealer_set: Cards | None = None
    seats: tuple[FourCardSeatRecord, ...]
    void_by: VoidCause | None = None
    forfeits: tuple[ForfeitRecord, ...] | None = None
    found: tuple[FourCardStanding, ...] | None = None
    """What went wrong although every wager stands (FCP 12, 13)."""
    settled: tuple[FourCardSettledRecord, ...] | None = None
    settings: FourCardSettingsRecord | None = None
    limits: FourCardLimitsRecord | None = None


FORM: Final = Form(FourCardRecord)
"""The form of a Four Card Poker record."""


def four_card_round(record: FourCardRecord) -> Round:
    """The round that a record tells of.

    Never a round that cannot have been: raises ``RecordError`` for a card that is none or is seen twice, a hand of a
    wrong number of cards, a repeated seat, one without a wager, an unknown edition.
    """
    check_edition(record.edition, EDITION)
    seats = [
        Seat(
            seat=seat.seat,
            ante_cents=seat.ante_cents,
            side_cents=seat.aces_up_cents,
            decision=seat.decision,
            play_cents=seat.play_cents,
            cards=_read(seat.cards, f"seats[{place}].cards"),
            warnings=seat.warnings or 0,
            void_for=seat.void_for,
            ante_tender=seat.ante_tender or "chips",
            play_tender=seat.play_tender or "chips",
            side_tender=seat.aces_up_tender or "chips",
            own_limits=None
            if seat.own_limits is None
            else value_of(Limits, seat.own_limits, f"seats[{place}].own_limits"),
        )
        for place, seat in enumerate(record.seats)
    ]
    try:
        return Round(
            device=record.device or "shoe",
            dealer=_read(record.dealer, "dealer"),
            seats=tuple(seats),
            dealer_set=_read(record.dealer_set, "dealer_set"),
            void_by=record.void_by,
            forfeits=read_forfeits(record.forfeits),
        )
    except RoundError as error:
        raise RecordError(error.field, error.value, error.reason) from None


def _read(text: str | None, field: str) -> tuple[int, ...] | None:
    return None if text is None else read_hand(text, field)


def four_card_record(round_: Round, settlement: Settlement | None = None, **fields: Any) -> FourCardRecord:
    """The record of a round, with what the table settled it to; ``fields`` are any others of it, by name.

    Always what ``four_card_round`` reads back as the same round.
    """
    return FourCardRecord(
        kind="record",
        game=GAME,
        edition=EDITION,
        device=round_.device,
        dealer=_text(round_.dealer),
        dealer_set=_text(round_.dealer_set),
        seats=tuple([_seat_record(seat) for seat in round_.seats]),
        void_by=round_.void_by,
        forfeits=forfeit_records(round_.forfeits),
        settled=None if settlement is None else four_card_settled(settlement.lines),
        rules_version=RULES_VERSION,
        **fields,
    )


def four_card_settled(lines: tuple[Line, ...]) -> tuple[FourCardSettledRecord, ...]:
    """The lines of a settlement as a record carries them: what was paid and given back on each wager."""
    return tuple(
        [FourCardSettledRecord(line.seat, _WAGERS[line.wager], line.paid_cents, line.returned_cents) for line in lines]
    )


_WAGERS: Final[dict[str, Wager]] = {"ante": "ante", "play": "play", "aces_up": "aces_up", "ante_bonus": "ante_bonus"}


def _text(cards: tuple[int, ...] | None) -> str | None:
    return None if cards is None else cards_text(cards)


def _seat_record(seat: Seat) -> FourCardSeatRecord:
    def tender(placed_with: Tender) -> Tender | None:
        return None if placed_with == "chips" else placed_with

    return FourCardSeatRecord(
        seat=seat.seat,
        ante_cents=seat.ante_cents,
        aces_up_cents=seat.side_cents,
        decision=seat.decision,
        play_cents=seat.play_cents,
        cards=_text(seat.cards),
        warnings=seat.warnings or None,
        void_for=seat.void_for,
        ante_tender=tender(seat.ante_tender),
        play_tender=tender(seat.play_tender),
        aces_up_tender=tender(seat.side_tender),
        own_limits=None if seat.own_limits is None else part_of(FourCardLimitsRecord, seat.own_limits),
    )


def four_card_shown(round_: Round, settlement: Settlement) -> dict[str, Any]:
    """What an answer says of the hands: the dealer's and each that was seen, with the four cards that count (FCP 9)."""
    shown = poker_shown(round_, settlement)
    if "dealer" in shown and round_.dealer is not None:
        shown["dealer"]["best"] = cards_text(round_.dealer_set or best_four(round_.dealer).cards)
    cards_at = {seat.seat: seat.cards for seat in round_.seats}
    for hand in shown["hands"]:
        hand["best"] = cards_text(best_four(cards_at[hand["seat"]] or ()).cards)
    return shown
