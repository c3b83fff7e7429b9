"""The JSON form of a round of Caribbean Stud: the one a link takes, with what an export says of its awards."""

from functools import lru_cache
from typing import Any, Final, Literal, cast

import msgspec

from rules.cards import cards_text
from rules.games import GAMES, caribbean_stud
from rules.games.caribbean_stud import NOTHING_WRONG, Faults, HandFault, VoidCause
from rules.irregularities.caribbean_stud import Standing as CaribbeanStudStanding
from rules.limits import Limits
from rules.progressive import Award
from rules.records.directions import ForfeitRecord, read_forfeits
from rules.records.forms import (
    RULES_VERSION,
    Cards,
    Cents,
    Count,
    Edition,
    Fingerprint,
    Form,
    InvalidWagersRecord,
    Moment,
    Month,
    Name,
    Part,
    PaymentErrorRecord,
    Person,
    RecordError,
    SeatNumber,
    WagerCents,
    check_edition,
    part_of,
    read_hand,
    value_of,
)
from rules.rounds import Decision, Device, Line, Round, RoundError, Seat, Settlement, Wager
from rules.schedules import BadChoice, Schedule, chosen
from rules.settings import Settings
from rules.wagers import Tender

Capture = Literal["full", "claims"]
"""How a round was seen: every card and decision; or the hands claimed, and the dealer's word on the others."""

PrizeName = Literal["royal_flush", "straight_flush", "four_of_a_kind", "full_house", "flush"]
"""The prizes of CSP 11.7 by name."""


class ShownRecord(Part, frozen=True):
    """The snapshot the table was showing."""

    generation: Count
    commit: Count
    epoch: Count
    cents: Cents


class LimitsRecord(Part, frozen=True):
    """The table's sign, as far as it states something."""

    ante_min_cents: WagerCents | None = None
    ante_max_cents: WagerCents | None = None
    ante_unit_cents: WagerCents | None = None
    bet_max_cents: WagerCents | None = None
    jackpot_cents: WagerCents | None = None


class SeatRecord(Part, frozen=True):
    """A seat with an ante; ``jackpot_cents`` absent where not accepted or withdrawn, ``cards`` where not seen.

    ``own_limits`` are there where its player is not held to the table's sign (CSP 6.5.1, 6.6).
    """

    seat: SeatNumber
    ante_cents: WagerCents
    jackpot_cents: WagerCents | None = None
    decision: Decision | None = None
    bet_cents: WagerCents | None = None
    cards: Cards | None = None
    ante_tender: Tender | None = None
    bet_tender: Tender | None = None
    jackpot_tender: Tender | None = None
    own_limits: LimitsRecord | None = None


class ClaimRecord(Part, frozen=True):
    """A prize named at the table."""

    seat: SeatNumber
    prize: PrizeName


class SettledRecord(Part, frozen=True):
    """What the table paid on a wager of the base game and gave back of its stake."""

    seat: SeatNumber
    wager: Wager
    paid_cents: Cents
    returned_cents: Cents


class SettingsRecord(Part, frozen=True):
    """The table's rulings where they are not the defaults."""

    cap_linked_wager: bool | None = None
    invalid_losing: Literal["kept", "returned"] | None = None
    refund_invalidated: bool | None = None
    token_on_win: Literal["returned", "as_voucher"] | None = None
    carded_play: Literal["as_book", "all_games"] | None = None
    dealer_cards_exposed_in_deal: Literal["misdeal", "play_on"] | None = None
    max_payout_covers: Literal["winnings", "with_stake"] | None = None
    max_payout_cents: WagerCents | None = None


class JackpotRecord(Part, frozen=True):
    """A meter to award from, and its terms: their JSON form, or their fingerprint where they are given elsewhere."""

    meter_cents: Cents
    terms: msgspec.Raw


class AwardRecord(Part, frozen=True, kw_only=True):
    """An award of the link."""

    seat: SeatNumber
    prize: PrizeName
    pool: Name | None = None
    amount_cents: Cents
    from_pool_cents: Cents
    topup_cents: Cents
    bonus_cents: Cents


class MeterRecord(Part, frozen=True):
    """The meter of one pool before and after the awards of the round, where the link has several.

    ``basis_cents`` is there only where its awards were worked out from another amount than ``before_cents``.
    """

    pool: Name
    before_cents: Cents
    after_cents: Cents
    basis_cents: Cents | None = None


class RoundRecord(Part, frozen=True, kw_only=True):
    """A round as captured, as settled at the table, and, in an export, as the link awarded it.

    A bare round to settle needs no more than its seats and dealer. ``meter_basis_cents`` is there only where the
    awards were worked out from another amount than ``meter_before_cents``.
    """

    kind: Literal["record"] | None = None
    game: Name | None = None
    edition: Edition | None = None
    table: Name | None = None
    journal: Count | None = None
    month: Month | None = None
    round: Count | None = None
    revision: Count | None = None
    terms: Fingerprint | None = None
    capture: Capture | None = None
    device: Device | None = None
    shown: ShownRecord | None = None
    dealer: Cards | None = None
    seats: tuple[SeatRecord, ...]
    claims: tuple[ClaimRecord, ...] | None = None
    no_other_hand: bool | None = None
    declared_by: Person | None = None
    settled: tuple[SettledRecord, ...] | None = None
    settings: SettingsRecord | None = None
    limits: LimitsRecord | None = None
    schedules: tuple[Name, ...] | None = None
    rules_version: Count | None = None
    jackpot: JackpotRecord | None = None
    late: bool | None = None
    wagers_commit: Count | None = None
    commit: Count | None = None
    meter_before_cents: Cents | None = None
    awards: tuple[AwardRecord, ...] | None = None
    meter_after_cents: Cents | None = None
    meters: tuple[MeterRecord, ...] | None = None
    meter_basis_cents: Cents | None = None


class IrregularSeatRecord(SeatRecord, frozen=True):
    """A seat whose wagers may have a fault: void, or invalid (CSP 14.8, 14.20, 16.4.1)."""

    void_for: HandFault | None = None


class IrregularRecord(RoundRecord, frozen=True, kw_only=True):
    """A round in which something may have gone wrong, to be settled from a file.

    A table never sends one: it tells a link of a void by a message of its own.
    """

    seats: tuple[IrregularSeatRecord, ...]
    void_by: VoidCause | None = None
    forfeits: tuple[ForfeitRecord, ...] | None = None
    found: tuple[CaribbeanStudStanding, ...] | None = None
    """What went wrong although every wager stands (CSP 14, 15)."""
    found_at: Moment | None = None
    payment_errors: tuple[PaymentErrorRecord, ...] | None = None
    invalid_wagers: tuple[InvalidWagersRecord, ...] | None = None


_DEFAULT_GAME: Final = caribbean_stud.GAME

FORM: Final = Form(RoundRecord, "jackpot.terms")
"""The form of a Caribbean Stud record; the terms in it are read by ``rules.terms``, with nulls of their own."""

IRREGULAR_FORM: Final = Form(IrregularRecord, "jackpot.terms")
"""The form in which a file tells of rounds, whatever went wrong in them; the same bytes where nothing did."""


def decode_record(data: bytes | msgspec.Raw, *, canonical: bool = False) -> RoundRecord:
    """The record that a JSON text holds.

    Never takes an unknown or repeated field, a null, or a number in any other form than an integer. With
    ``canonical`` the bytes must be those that ``encode_record`` gives. Does not read the cards (``to_round``). Raises
    ``RecordError``.

    >>> decode_record(b'{"dealer":"As Kd 4h 3c 2c","seats":[{"seat":1,"ante_cents":"100"}]}')
    Traceback (most recent call last):
    rules.records.forms.RecordError: seats[0].ante_cents: 100: expected int, got str
    """
    return FORM.decode(data, canonical=canonical)


def encode_record(record: RoundRecord) -> bytes:
    """A record's canonical bytes: compact, fields in their order, absent ones left out."""
    return FORM.encode(record)


def to_round(record: RoundRecord) -> Round:
    """The round that a record tells of.

    Never a round that cannot have been: raises ``RecordError`` for a card that is none or is seen twice, a hand that
    is not five cards, a repeated seat, a full capture without the dealer's hand, an unknown game or edition.
    """
    game = record.game or _DEFAULT_GAME
    known = GAMES.get(game)
    if known is None:
        raise RecordError("game", game, f"unknown; known are {', '.join(GAMES)}")
    if game != _DEFAULT_GAME:
        raise RecordError("game", game, f"this is the record of {_DEFAULT_GAME}")
    check_edition(record.edition, known.edition)
    if record.capture == "claims" and record.dealer is not None:
        raise RecordError("dealer", record.dealer, "a record of claims holds the claimed hands only")
    if record.capture != "claims" and record.dealer is None and faults_of(record).void_by is None:
        raise RecordError("dealer", "", "missing: only a record of claims has no dealer's hand")
    try:
        return Round(
            game=game,
            edition=known.edition,
            device=record.device or "shoe",
            dealer=None if record.dealer is None else read_hand(record.dealer, "dealer"),
            seats=tuple([_to_seat(seat, place) for place, seat in enumerate(record.seats)]),
        )
    except RoundError as error:
        raise RecordError(error.field, error.value, error.reason) from None


def _to_seat(seat: SeatRecord, place: int) -> Seat:
    return Seat(
        seat.seat,
        seat.ante_cents,
        seat.jackpot_cents,
        seat.decision,
        seat.bet_cents,
        None if seat.cards is None else read_hand(seat.cards, f"seats[{place}].cards"),
        seat.ante_tender or "chips",
        seat.bet_tender or "chips",
        seat.jackpot_tender or "chips",
        None if seat.own_limits is None else value_of(Limits, seat.own_limits, f"seats[{place}].own_limits"),
    )


def faults_of(record: RoundRecord) -> Faults:
    """What a record says went wrong in its round; nothing, on one that a table sends."""
    if not isinstance(record, IrregularRecord):
        return NOTHING_WRONG
    hands = tuple([(seat.seat, seat.void_for) for seat in record.seats if seat.void_for is not None])
    if record.void_by is None and not hands and record.forfeits is None:
        return NOTHING_WRONG
    return Faults(record.void_by, hands, read_forfeits(record.forfeits))


def settings_of(record: RoundRecord) -> Settings:
    """The table's rulings that a record was settled under."""
    return _settings(record.settings)


def limits_of(record: RoundRecord) -> Limits:
    """The table's sign that a record was settled under.

    Raises ``RecordError`` where no wager could comply with it.
    """
    return _limits(record.limits)


# A table states the same on every record, so what it states is read once.


@lru_cache(maxsize=1024)
def _settings(stated: SettingsRecord | None) -> Settings:
    return value_of(Settings, stated, "settings")


@lru_cache(maxsize=1024)
def _limits(stated: LimitsRecord | None) -> Limits:
    return value_of(Limits, stated, "limits")


def schedule_of(record: RoundRecord) -> Schedule | None:
    """The schedule a record names, if it names one.

    Raises ``RecordError`` where there is none of that name, it is another game's, or more than one is named.
    """
    if not record.schedules:
        return None
    try:
        return chosen(caribbean_stud.GAME, (caribbean_stud.SCHEDULE,), record.schedules)["bet"]
    except BadChoice as error:
        raise RecordError(f"schedules[{error.place}]", error.name, error.reason) from None


def settings_record(settings: Settings) -> SettingsRecord:
    """A table's rulings as a record carries them: every one written, so that no later default can change it."""
    return part_of(SettingsRecord, settings)


def limits_record(limits: Limits) -> LimitsRecord:
    """A table's sign as a record carries it."""
    return part_of(LimitsRecord, limits)


def settled_record(lines: tuple[Line, ...]) -> tuple[SettledRecord, ...]:
    """The base game's lines as a record carries them: what was paid and given back on each wager."""
    base = [line for line in lines if line.wager != "jackpot"]
    return tuple(
        [SettledRecord(line.seat, cast("Wager", line.wager), line.paid_cents, line.returned_cents) for line in base]
    )


def award_record(award: Award) -> AwardRecord:
    """An award as an export carries it."""
    return part_of(AwardRecord, award)


def record_of(round_: Round, settlement: Settlement | None = None, **fields: Any) -> RoundRecord:
    """The record of a round, with what the table settled it to; ``fields`` are any others of ``RoundRecord``, by name.

    Always what ``to_round`` reads back as the same round. The capture is ``full`` where the dealer's hand is there,
    ``claims`` where it is not.
    """
    return RoundRecord(
        kind="record",
        game=round_.game,
        edition=round_.edition,
        capture="claims" if round_.dealer is None else "full",
        device=round_.device,
        dealer=None if round_.dealer is None else cards_text(round_.dealer),
        seats=tuple([_seat_record(seat) for seat in round_.seats]),
        settled=settled_record(settlement.lines) if settlement is not None and settlement.lines else None,
        rules_version=RULES_VERSION,
        **fields,
    )


def _seat_record(seat: Seat) -> SeatRecord:
    return SeatRecord(
        seat=seat.seat,
        ante_cents=seat.ante_cents,
        jackpot_cents=seat.jackpot_cents,
        decision=seat.decision,
        bet_cents=seat.bet_cents,
        cards=None if seat.cards is None else cards_text(seat.cards),
        ante_tender=None if seat.ante_tender == "chips" else seat.ante_tender,
        bet_tender=None if seat.bet_tender == "chips" else seat.bet_tender,
        jackpot_tender=None if seat.jackpot_tender == "chips" else seat.jackpot_tender,
        own_limits=None if seat.own_limits is None else limits_record(seat.own_limits),
    )
