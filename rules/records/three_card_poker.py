"""The JSON form of a round of Three Card Poker."""

from typing import Annotated, Any, Final, Literal

from msgspec import Meta

from rules.cards import cards_text
from rules.games.three_card_poker import EDITION, GAME, Decision, Round, Seat
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
    read_hand,
)
from rules.rounds import Device, Line, RoundError, Settlement
from rules.wagers import Tender

Wager = Literal["ante", "play", "pair_plus", "ante_bonus"]
"""What a settlement has lines of (TCP 10)."""


class ThreeCardSeatRecord(Part, frozen=True):
    """A seat with an ante, a Pair Plus wager or both; ``cards`` absent where not seen."""

    seat: SeatNumber
    ante_cents: WagerCents | None = None
    pair_plus_cents: WagerCents | None = None
    decision: Decision | None = None
    play_cents: WagerCents | None = None
    cards: Cards | None = None
    warnings: Annotated[int, Meta(ge=1, le=1000)] | None = None
    """How often the player was short of a play wager before (TCP 12.10)."""
    ante_tender: Tender | None = None
    play_tender: Tender | None = None
    pair_plus_tender: Tender | None = None


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


class ThreeCardLimitsRecord(Part, frozen=True):
    """The table's sign, as far as it states something."""

    ante_min_cents: WagerCents | None = None
    ante_max_cents: WagerCents | None = None
    ante_unit_cents: WagerCents | None = None
    play_max_cents: WagerCents | None = None
    pair_plus_min_cents: WagerCents | None = None
    pair_plus_max_cents: WagerCents | None = None
    pair_plus_unit_cents: WagerCents | None = None


class ThreeCardRecord(GameRecord, frozen=True, kw_only=True):
    """A round as captured and as settled at the table. A bare round to settle needs its game, dealer and seats."""

    game: Literal["three_card_poker"]
    device: Device | None = None
    dealer: Cards
    seats: tuple[ThreeCardSeatRecord, ...]
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
            pair_plus_cents=seat.pair_plus_cents,
            decision=seat.decision,
            play_cents=seat.play_cents,
            cards=None if seat.cards is None else read_hand(seat.cards, f"seats[{place}].cards"),
            warnings=seat.warnings or 0,
            ante_tender=seat.ante_tender or "chips",
            play_tender=seat.play_tender or "chips",
            pair_plus_tender=seat.pair_plus_tender or "chips",
        )
        for place, seat in enumerate(record.seats)
    ]
    try:
        return Round(record.device or "shoe", read_hand(record.dealer, "dealer"), tuple(seats))
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
        dealer=cards_text(round_.dealer),
        seats=tuple([_seat_record(seat) for seat in round_.seats]),
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
        pair_plus_cents=seat.pair_plus_cents,
        decision=seat.decision,
        play_cents=seat.play_cents,
        cards=None if seat.cards is None else cards_text(seat.cards),
        warnings=seat.warnings or None,
        ante_tender=tender(seat.ante_tender),
        play_tender=tender(seat.play_tender),
        pair_plus_tender=tender(seat.pair_plus_tender),
    )
