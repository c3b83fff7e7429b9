"""The one JSON form of a round: strict, compact, and the same in a file, on the wire, in a spool and at a replay.

A record is read in two steps, so that a table's word is kept even where its cards make no sense: ``decode_record``
holds it to its form, ``to_round`` to what can happen at a table. Knows nothing of what it is settled to.
"""

import re
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta

from rules.cards import CardError, cards_text, parse_cards
from rules.games import GAMES, caribbean_stud
from rules.limits import LARGEST_WAGER_CENTS, Limits
from rules.progressive import Award
from rules.rounds import HIGHEST_SEAT, Decision, Device, Line, Round, RoundError, Seat, Settlement, Wager
from rules.schedules import SHIPPED, Schedule, shipped
from rules.settings import Settings
from rules.strict_json import SHOWN, first_fault, value_at
from rules.wagers import Tender

Capture = Literal["full", "claims"]
"""How a round was seen: every card and decision; or the hands claimed, and the dealer's word on the others."""

PrizeName = Literal["royal_flush", "straight_flush", "four_of_a_kind", "full_house", "flush"]
"""The prizes of CSP 11.7 by name."""

_LARGEST: Final = 2**63 - 1  # What the ledger's bigint holds.
_Count = Annotated[int, Meta(ge=0, le=_LARGEST)]
_Cents = Annotated[int, Meta(ge=0, le=_LARGEST)]
_WagerCents = Annotated[int, Meta(ge=1, le=LARGEST_WAGER_CENTS)]
_SeatNumber = Annotated[int, Meta(ge=1, le=HIGHEST_SEAT)]
_Name = Annotated[str, Meta(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}\Z")]
_Month = Annotated[str, Meta(pattern=r"^[0-9]{4}-(0[1-9]|1[0-2])\Z")]
_Edition = Annotated[str, Meta(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}\Z")]
_Fingerprint = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")]
_Cards = Annotated[str, Meta(max_length=80)]  # Longer than any hand, so that a hand of six is named as one (CSP 14.8).
_Person = Annotated[str, Meta(min_length=1, max_length=80)]


class RecordError(ValueError):
    """A record that cannot be read or cannot have been: the field by its path, its value cut short, the reason."""

    def __init__(self, field: str, value: str, reason: str) -> None:
        self.field = field
        self.value = value[:SHOWN]
        self.reason = reason
        super().__init__(": ".join(part for part in (field, self.value, reason) if part))


class _Part(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, gc=False):
    """What a record and its parts share: strict fields in this order, left out where absent."""


class ShownRecord(_Part, frozen=True):
    """The snapshot the table was showing."""

    generation: _Count
    commit: _Count
    epoch: _Count
    cents: _Cents


class SeatRecord(_Part, frozen=True):
    """A seat with an ante; ``jackpot_cents`` absent where not accepted or withdrawn, ``cards`` where not seen."""

    seat: _SeatNumber
    ante_cents: _WagerCents
    jackpot_cents: _WagerCents | None = None
    decision: Decision | None = None
    bet_cents: _WagerCents | None = None
    cards: _Cards | None = None
    ante_tender: Tender | None = None
    bet_tender: Tender | None = None
    jackpot_tender: Tender | None = None


class ClaimRecord(_Part, frozen=True):
    """A prize named at the table."""

    seat: _SeatNumber
    prize: PrizeName


class SettledRecord(_Part, frozen=True):
    """What the table paid on a wager of the base game and gave back of its stake."""

    seat: _SeatNumber
    wager: Wager
    paid_cents: _Cents
    returned_cents: _Cents


class SettingsRecord(_Part, frozen=True):
    """The table's rulings where they are not the defaults."""

    cap_linked_wager: bool | None = None
    invalid_losing: Literal["kept", "returned"] | None = None
    refund_invalidated: bool | None = None
    token_on_win: Literal["returned", "as_voucher"] | None = None
    carded_play: Literal["as_book", "all_games"] | None = None
    dealer_cards_exposed_in_deal: Literal["misdeal", "play_on"] | None = None
    max_payout_covers: Literal["winnings", "with_stake"] | None = None
    max_payout_cents: _WagerCents | None = None


class LimitsRecord(_Part, frozen=True):
    """The table's sign, as far as it states something."""

    ante_min_cents: _WagerCents | None = None
    ante_max_cents: _WagerCents | None = None
    ante_unit_cents: _WagerCents | None = None
    bet_max_cents: _WagerCents | None = None
    jackpot_cents: _WagerCents | None = None


class JackpotRecord(_Part, frozen=True):
    """A meter to award from, and its terms: their JSON form, or their fingerprint where they are given elsewhere."""

    meter_cents: _Cents
    terms: msgspec.Raw


class AwardRecord(_Part, frozen=True, kw_only=True):
    """An award of the link."""

    seat: _SeatNumber
    prize: PrizeName
    pool: _Name | None = None
    amount_cents: _Cents
    from_pool_cents: _Cents
    topup_cents: _Cents
    bonus_cents: _Cents


class MeterRecord(_Part, frozen=True):
    """The meter of one pool before and after the awards of the round, where the link has several.

    ``basis_cents`` is there only where its awards were worked out from another amount than ``before_cents``.
    """

    pool: _Name
    before_cents: _Cents
    after_cents: _Cents
    basis_cents: _Cents | None = None


class RoundRecord(_Part, frozen=True, kw_only=True):
    """A round as captured, as settled at the table, and, in an export, as the link awarded it.

    A bare round to settle needs no more than its seats and dealer. ``meter_basis_cents`` is there only where the
    awards were worked out from another amount than ``meter_before_cents``.
    """

    kind: Literal["record"] | None = None
    game: _Name | None = None
    edition: _Edition | None = None
    table: _Name | None = None
    journal: _Count | None = None
    month: _Month | None = None
    round: _Count | None = None
    revision: _Count | None = None
    terms: _Fingerprint | None = None
    capture: Capture | None = None
    device: Device | None = None
    shown: ShownRecord | None = None
    dealer: _Cards | None = None
    seats: tuple[SeatRecord, ...]
    claims: tuple[ClaimRecord, ...] | None = None
    no_other_hand: bool | None = None
    declared_by: _Person | None = None
    settled: tuple[SettledRecord, ...] | None = None
    settings: SettingsRecord | None = None
    limits: LimitsRecord | None = None
    schedules: tuple[_Name, ...] | None = None
    rules_version: _Count | None = None
    jackpot: JackpotRecord | None = None
    late: bool | None = None
    wagers_commit: _Count | None = None
    commit: _Count | None = None
    meter_before_cents: _Cents | None = None
    awards: tuple[AwardRecord, ...] | None = None
    meter_after_cents: _Cents | None = None
    meters: tuple[MeterRecord, ...] | None = None
    meter_basis_cents: _Cents | None = None


RULES_VERSION: Final = 1
"""The version of this package's settlement; it rises when a round may come to other amounts under the same settings."""

_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(RoundRecord)
_PATH: Final = re.compile(r" - at `(?:key in )?\$\.?([^`]*)`")
_NAMED: Final = re.compile(
    r"Object (?:contains|missing required|contains unknown) (?:unknown )?field `(.*)`", re.DOTALL
)
_TERMS_FORM: Final = "jackpot.terms"  # Read by `rules.terms`, with nulls of its own.
_DEFAULT_GAME: Final = caribbean_stud.GAME


def decode_record(data: bytes | msgspec.Raw, *, canonical: bool = False) -> RoundRecord:
    """The record that a JSON text holds.

    Never takes an unknown or repeated field, a null, or a number in any other form than an integer. With
    ``canonical`` the bytes must be those that ``encode_record`` gives. Does not read the cards (``to_round``). Raises
    ``RecordError``.

    >>> decode_record(b'{"dealer":"As Kd 4h 3c 2c","seats":[{"seat":1,"ante_cents":"100"}]}')
    Traceback (most recent call last):
    rules.records.RecordError: seats[0].ante_cents: 100: expected int, got str
    """
    text = bytes(data)
    try:
        record = _decoder.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise _translated(error, text) from None
    if _encoder.encode(record) != text:
        fault = first_fault(text, _TERMS_FORM)
        if fault:
            raise RecordError(*fault)
        if canonical:
            raise RecordError("", text[:SHOWN].decode("utf-8", "replace"), "not the canonical form of a record")
    return record


def encode_record(record: RoundRecord) -> bytes:
    """A record's canonical bytes: compact, fields in their order, absent ones left out."""
    return _encoder.encode(record)


def encode_part(part: object) -> str:
    """A part of a record as JSON text, to show it."""
    return _encoder.encode(part).decode()


def _translated(error: Exception, text: bytes) -> RecordError:
    """A reader's message as field, value and reason."""
    fault = first_fault(text, _TERMS_FORM)
    if fault:
        return RecordError(*fault)
    message = str(error)
    found = _PATH.search(message)
    path = found[1] if found else ""
    reason = message[: found.start()] if found else message
    named = _NAMED.fullmatch(reason)
    if named:
        path = f"{path}.{named[1]}" if path else named[1]
        reason = "unknown field" if "unknown" in reason else "missing"
    reason = reason.replace("`", "").replace(" | null", "")  # A null is refused as well: what is absent is left out.
    return RecordError(path, value_at(text, path), reason[:1].lower() + reason[1:])


def to_round(record: RoundRecord) -> Round:
    """The round that a record tells of.

    Never a round that cannot have been: raises ``RecordError`` for a card that is none or is seen twice, a hand that
    is not five cards, a repeated seat, a full capture without the dealer's hand, an unknown game or edition.
    """
    game = record.game or _DEFAULT_GAME
    known = GAMES.get(game)
    if known is None:
        raise RecordError("game", game, f"unknown; known are {', '.join(GAMES)}")
    if record.edition is not None and record.edition != known.edition:
        raise RecordError("edition", record.edition, f"not the edition of these rules, {known.edition}")
    if record.capture == "claims" and record.dealer is not None:
        raise RecordError("dealer", record.dealer, "a record of claims holds the claimed hands only")
    if record.capture != "claims" and record.dealer is None:
        raise RecordError("dealer", "", "missing: only a record of claims has no dealer's hand")
    try:
        return Round(
            game=game,
            edition=known.edition,
            device=record.device or "shoe",
            dealer=None if record.dealer is None else _read_hand(record.dealer, "dealer"),
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
        None if seat.cards is None else _read_hand(seat.cards, f"seats[{place}].cards"),
        seat.ante_tender or "chips",
        seat.bet_tender or "chips",
        seat.jackpot_tender or "chips",
    )


def _read_hand(text: str, field: str) -> tuple[int, ...]:
    try:
        return parse_cards(text)
    except CardError as error:
        raise RecordError(field, error.card, error.reason) from None


def settings_of(record: RoundRecord) -> Settings:
    """The table's rulings that a record was settled under."""
    return Settings() if record.settings is None else Settings(**_present(record.settings))


def limits_of(record: RoundRecord) -> Limits:
    """The table's sign that a record was settled under.

    Raises ``RecordError`` where no wager could comply with it.
    """
    if record.limits is None:
        return Limits()
    try:
        return Limits(**_present(record.limits))
    except ValueError as error:
        name, value, reason = str(error).split(": ", 2)
        raise RecordError(f"limits.{name}", value, reason) from None


def schedule_of(record: RoundRecord) -> Schedule | None:
    """The schedule a record names, if it names one.

    Raises ``RecordError`` where there is none of that name, it is another game's, or more than one is named.
    """
    if not record.schedules:
        return None
    for place, name in enumerate(record.schedules):
        if name not in SHIPPED:
            raise RecordError(f"schedules[{place}]", name, f"unknown; known are {', '.join(SHIPPED)}")
        if place > 0:
            raise RecordError(f"schedules[{place}]", name, "this game is paid by one schedule")
    return shipped(record.schedules[0])


def _present(part: _Part) -> dict[str, Any]:
    """The fields of a part that are there."""
    return {name: value for name, value in msgspec.structs.asdict(part).items() if value is not None}


def settings_record(settings: Settings) -> SettingsRecord:
    """A table's rulings as a record carries them: every one written, so that no later default can change it."""
    return SettingsRecord(**{name: getattr(settings, name) for name in SettingsRecord.__struct_fields__})


def limits_record(limits: Limits) -> LimitsRecord:
    """A table's sign as a record carries it."""
    return LimitsRecord(**{name: getattr(limits, name) for name in LimitsRecord.__struct_fields__})


def settled_record(lines: tuple[Line, ...]) -> tuple[SettledRecord, ...]:
    """The base game's lines as a record carries them: what was paid and given back on each wager."""
    base = [line for line in lines if line.wager != "jackpot"]
    return tuple([SettledRecord(line.seat, line.wager, line.paid_cents, line.returned_cents) for line in base])


def award_record(award: Award) -> AwardRecord:
    """An award as an export carries it."""
    return AwardRecord(**{name: getattr(award, name) for name in AwardRecord.__struct_fields__})


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
    )
