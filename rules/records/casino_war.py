"""The JSON form of a round of Casino War."""

from typing import Any, Final, Literal

from rules.cards import cards_text
from rules.games.casino_war import (
    EDITION,
    GAME,
    AreaFault,
    Decision,
    ExtraCard,
    Interim,
    Limits,
    Round,
    Seat,
    Standing,
    VoidCause,
)
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

Wager = Literal["initial", "war", "tie"]
"""What a settlement has lines of (WAR 5.1)."""


class WarLimitsRecord(Part, frozen=True):
    """The table's sign, or a player's own (WAR 6.6), as far as it states something."""

    initial_min_cents: WagerCents | None = None
    initial_max_cents: WagerCents | None = None
    initial_unit_cents: WagerCents | None = None
    tie_min_cents: WagerCents | None = None
    tie_max_cents: WagerCents | None = None
    tie_unit_cents: WagerCents | None = None
    war_max_cents: WagerCents | None = None


class WarSeatRecord(Part, frozen=True):
    """A playing area with an initial wager; ``cards`` are its card and, where it went to war, the additional one."""

    seat: SeatNumber
    initial_cents: WagerCents
    tie_cents: WagerCents | None = None
    decision: Decision | None = None
    war_cents: WagerCents | None = None
    cards: Cards | None = None
    interim: Interim | None = None
    """How far the interim settlement had come when the round, or this area's part in it, became void (WAR 8)."""
    void_for: AreaFault | None = None
    own_limits: WarLimitsRecord | None = None
    initial_tender: Tender | None = None
    tie_tender: Tender | None = None
    war_tender: Tender | None = None


class WarSettledRecord(Part, frozen=True):
    """What the table paid on a wager and gave back of its stake."""

    seat: SeatNumber
    wager: Wager
    paid_cents: Cents
    returned_cents: Cents


class WarSettingsRecord(Part, frozen=True):
    """The table's rulings where they are not the defaults."""

    cap_linked_wager: bool | None = None
    invalid_losing: Literal["kept", "returned"] | None = None
    refund_invalidated: bool | None = None
    token_on_win: Literal["returned", "as_voucher"] | None = None
    carded_play: Literal["as_book", "all_games"] | None = None
    payment_rounds: Literal["up", "down"] | None = None
    over_maximum: Literal["maximum", "wagered"] | None = None
    dealer_extra_card: Literal["repair", "misdeal"] | None = None
    interim_when_void: Literal["undone", "stand"] | None = None


class CasinoWarRecord(GameRecord, frozen=True, kw_only=True):
    """A round as captured and as settled at the table. A bare round to settle needs its game, dealer and seats.

    ``chip_cents`` is the least amount that the chips at hand can pay, where that is more than a cent (WAR 5.10);
    ``dealer`` may be absent only where the round is void, or everybody took their wagers back.
    """

    game: Literal["casino_war"]
    device: Device | None = None
    dealer: Cards | None = None
    dealer_extra: ExtraCard | None = None
    chip_cents: WagerCents | None = None
    seats: tuple[WarSeatRecord, ...]
    void_by: VoidCause | None = None
    forfeits: tuple[ForfeitRecord, ...] | None = None
    found: tuple[Standing, ...] | None = None
    """What went wrong although every wager stands (WAR 11, 12)."""
    settled: tuple[WarSettledRecord, ...] | None = None
    settings: WarSettingsRecord | None = None
    limits: WarLimitsRecord | None = None


FORM: Final = Form(CasinoWarRecord)
"""The form of a Casino War record."""


def casino_war_round(record: CasinoWarRecord) -> Round:
    """The round that a record tells of.

    Never a round that cannot have been: raises ``RecordError`` for a card that is none or is seen too often, a hand
    of too many or no cards, a repeated seat, an own sign that no wager complies with, an unknown edition.
    """
    check_edition(record.edition, EDITION)
    seats = [_seat(place, seat) for place, seat in enumerate(record.seats)]
    try:
        return Round(
            device=record.device or "shoe",
            dealer=_read(record.dealer, "dealer"),
            seats=tuple(seats),
            dealer_extra=record.dealer_extra,
            chip_cents=record.chip_cents or 1,
            void_by=record.void_by,
            forfeits=read_forfeits(record.forfeits),
            found=record.found or (),
        )
    except RoundError as error:
        raise RecordError(error.field, error.value, error.reason) from None


def _seat(place: int, seat: WarSeatRecord) -> Seat:
    own = None if seat.own_limits is None else value_of(Limits, seat.own_limits, f"seats[{place}].own_limits")
    return Seat(
        seat=seat.seat,
        initial_cents=seat.initial_cents,
        tie_cents=seat.tie_cents,
        decision=seat.decision,
        war_cents=seat.war_cents,
        cards=_read(seat.cards, f"seats[{place}].cards"),
        interim=seat.interim or "none",
        void_for=seat.void_for,
        own_limits=own,
        initial_tender=seat.initial_tender or "chips",
        tie_tender=seat.tie_tender or "chips",
        war_tender=seat.war_tender or "chips",
    )


def _read(text: str | None, field: str) -> tuple[int, ...]:
    return () if text is None else read_hand(text, field)


def casino_war_record(round_: Round, settlement: Settlement | None = None, **fields: Any) -> CasinoWarRecord:
    """The record of a round, with what the table settled it to; ``fields`` are any others of it, by name.

    Always what ``casino_war_round`` reads back as the same round.
    """
    return CasinoWarRecord(
        kind="record",
        game=GAME,
        edition=EDITION,
        device=round_.device,
        dealer=_text(round_.dealer),
        dealer_extra=round_.dealer_extra,
        chip_cents=None if round_.chip_cents == 1 else round_.chip_cents,
        seats=tuple([_seat_record(seat) for seat in round_.seats]),
        void_by=round_.void_by,
        forfeits=forfeit_records(round_.forfeits),
        found=round_.found or None,
        settled=None if settlement is None else casino_war_settled(settlement.lines),
        rules_version=RULES_VERSION,
        **fields,
    )


def casino_war_settled(lines: tuple[Line, ...]) -> tuple[WarSettledRecord, ...]:
    """The lines of a settlement as a record carries them: what was paid and given back on each wager."""
    return tuple(
        [WarSettledRecord(line.seat, _WAGERS[line.wager], line.paid_cents, line.returned_cents) for line in lines]
    )


_WAGERS: Final[dict[str, Wager]] = {"initial": "initial", "war": "war", "tie": "tie"}


def _text(cards: tuple[int, ...]) -> str | None:
    return cards_text(cards) if cards else None


def _seat_record(seat: Seat) -> WarSeatRecord:
    def tender(placed_with: Tender) -> Tender | None:
        return None if placed_with == "chips" else placed_with

    return WarSeatRecord(
        seat=seat.seat,
        initial_cents=seat.initial_cents,
        tie_cents=seat.tie_cents,
        decision=seat.decision,
        war_cents=seat.war_cents,
        cards=_text(seat.cards),
        interim=None if seat.interim == "none" else seat.interim,
        void_for=seat.void_for,
        own_limits=None if seat.own_limits is None else part_of(WarLimitsRecord, seat.own_limits),
        initial_tender=tender(seat.initial_tender),
        tie_tender=tender(seat.tie_tender),
        war_tender=tender(seat.war_tender),
    )


def casino_war_shown(round_: Round, settlement: Settlement) -> dict[str, Any]:  # noqa: ARG001 - as every game's
    """What an answer says of the cards: the dealer's, and each area's; no hand here has a value (WAR 3.2)."""
    shown: dict[str, Any] = {}
    if round_.dealer:
        shown["dealer"] = {"cards": cards_text(round_.dealer)}
    in_order = sorted(round_.seats, key=lambda seat: seat.seat)
    shown["hands"] = [{"seat": seat.seat, "cards": cards_text(seat.cards)} for seat in in_order if seat.cards]
    return shown
