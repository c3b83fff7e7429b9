"""The JSON form of a round of Three Card Poker."""

from typing import Annotated, Any, Final, Literal, cast

from msgspec import Meta

from rules.cards import cards_text
from rules.games.three_card_poker import EDITION, GAME, Decision, Limits, Round, Seat, VoidCause
from rules.irregularities.poker import ThreeCardStanding
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

Wager = Literal["ante", "play", "pair_plus", "ante_bonus"]
"""What a settlement has lines of (TCP 10)."""

Fault = Literal["card_count", "prohibited_device", "invalid"]
"""What is wrong with the wagers of a seat (TCP 12.7, 14.4.1, 12.16.2)."""


class ThreeCardLimitsRecord(Part, frozen=True):
    """The table's sign, as far as it states something."""

    ante_min_cents: WagerCents | None = None
    ante_max_cents: WagerCents | None = None
    ante_unit_cents: WagerCents | None = None
    play_max_cents: WagerCents | None = None
    pair_plus_min_cents: WagerCents | None = None
    pair_plus_max_cents: WagerCents | None = None
    pair_plus_unit_cents: WagerCents | None = None


class ThreeCardSeatRecord(Part, frozen=True):
    """A seat with an ante, a Pair Plus wager or both; ``cards`` absent where not seen.

    ``own_limits`` are there where its player is not held to the table's sign (TCP 6.5.1, 6.6).
    """

    seat: SeatNumber
    ante_cents: WagerCents | None = None
    pair_plus_cents: WagerCents | None = None
    decision: Decision | None = None
    play_cents: WagerCents | None = None
    cards: Cards | None = None
    warnings: Annotated[int, Meta(ge=1, le=1000)] | None = None
    """How often the player was short of a play wager before (TCP 12.10)."""
    void_for: Fault | None = None
    """What is wrong with the wagers; a void hand that says nothing has a wrong number of cards (TCP 12.7)."""
    ante_tender: Tender | None = None
    play_tender: Tender | None = None
    pair_plus_tender: Tender | None = None
    own_limits: ThreeCardLimitsRecord | None = None


class ThreeCardSettledRecord(Part, frozen=True):
    """What the table paid on a wager and gave back of its stake."""

    seat: SeatNumber
    wager: Wager
    paid_cents: Cents
    returned_cents: Cents


class ThreeCardSettingsRecord(Part, frozen=True):
    """The table's rulings where they are not the defaults."""

    cap_linked_wager: bool | None = None
    invalid_losing: Literal["kept", "returned"] | None = None
    refund_invalidated: bool | None = None
    token_on_win: Literal["returned", "as_voucher"] | None = None
    carded_play: Literal["as_book", "all_games"] | None = None
    dealer_qualifies: Literal["value", "card"] | None = None
    concede_collects: Literal["all", "ante_play"] | None = None
    dealer_cards_exposed_in_deal: Literal["misdeal", "play_on"] | None = None


class ThreeCardRecord(GameRecord, frozen=True, kw_only=True):
    """A round as captured and as settled at the table. A bare round to settle needs its game, dealer and seats.

    ``dealer`` may be absent only where the round is void.
    """

    game: Literal["three_card_poker"]
    device: Device | None = None
    dealer: Cards | None = None
    seats: tuple[ThreeCardSeatRecord, ...]
    void_by: VoidCause | None = None
    forfeits: tuple[ForfeitRecord, ...] | None = None
    found: tuple[ThreeCardStanding, ...] | None = None
    """What went wrong although every wager stands (TCP 12, 13)."""
    settled: tuple[ThreeCardSettledRecord, ...] | None = None
    settings: ThreeCardSettingsRecord | None = None
    limits: ThreeCardLimitsRecord | None = None


FORM: Final = Form(ThreeCardRecord)
"""The form of a Three Card Poker record."""


def three_card_round(record: ThreeCardRecord) -> Round:
    """The round that a record tells of.

    Never a round that cannot have been: raises ``RecordError`` for a card that is none or is seen twice, a hand that
    is not three cards, a repeated seat, one without a wager, an unknown edition.
    """
    check_edition(record.edition, EDITION)
    seats = [
        Seat(
            seat=seat.seat,
            ante_cents=seat.ante_cents,
            side_cents=seat.pair_plus_cents,
            decision=seat.decision,
            play_cents=seat.play_cents,
            cards=None if seat.cards is None else read_hand(seat.cards, f"seats[{place}].cards"),
            warnings=seat.warnings or 0,
            void_for=seat.void_for,
            ante_tender=seat.ante_tender or "chips",
            play_tender=seat.play_tender or "chips",
            side_tender=seat.pair_plus_tender or "chips",
            own_limits=None
            if seat.own_limits is None
            else value_of(Limits, seat.own_limits, f"seats[{place}].own_limits"),
        )
        for place, seat in enumerate(record.seats)
    ]
    try:
        return Round(
            device=record.device or "shoe",
            dealer=None if record.dealer is None else read_hand(record.dealer, "dealer"),
            seats=tuple(seats),
            void_by=record.void_by,
            forfeits=read_forfeits(record.forfeits),
        )
    except RoundError as error:
        raise RecordError(error.field, error.value, error.reason) from None


def three_card_record(round_: Round, settlement: Settlement | None = None, **fields: Any) -> ThreeCardRecord:
    """The record of a round, with what the table settled it to; ``fields`` are any others of it, by name.

    Always what ``three_card_round`` reads back as the same round.
    """
    return ThreeCardRecord(
        kind="record",
        game=GAME,
        edition=EDITION,
        device=round_.device,
        dealer=None if round_.dealer is None else cards_text(round_.dealer),
        seats=tuple([_seat_record(seat) for seat in round_.seats]),
        void_by=round_.void_by,
        forfeits=forfeit_records(round_.forfeits),
        settled=None if settlement is None else three_card_settled(settlement.lines),
        rules_version=RULES_VERSION,
        **fields,
    )


def three_card_settled(lines: tuple[Line, ...]) -> tuple[ThreeCardSettledRecord, ...]:
    """The lines of a settlement as a record carries them: what was paid and given back on each wager."""
    return tuple(
        [ThreeCardSettledRecord(line.seat, _WAGERS[line.wager], line.paid_cents, line.returned_cents) for line in lines]
    )


_WAGERS: Final[dict[str, Wager]] = {
    "ante": "ante",
    "play": "play",
    "pair_plus": "pair_plus",
    "ante_bonus": "ante_bonus",
}


def _seat_record(seat: Seat) -> ThreeCardSeatRecord:
    def tender(placed_with: Tender) -> Tender | None:
        return None if placed_with == "chips" else placed_with

    return ThreeCardSeatRecord(
        seat=seat.seat,
        ante_cents=seat.ante_cents,
        pair_plus_cents=seat.side_cents,
        decision=seat.decision,
        play_cents=seat.play_cents,
        cards=None if seat.cards is None else cards_text(seat.cards),
        warnings=seat.warnings or None,
        void_for=cast("Fault | None", seat.void_for),
        ante_tender=tender(seat.ante_tender),
        play_tender=tender(seat.play_tender),
        pair_plus_tender=tender(seat.side_tender),
        own_limits=None if seat.own_limits is None else part_of(ThreeCardLimitsRecord, seat.own_limits),
    )
