"""The JSON form of a round of Sic Bo: the dice, the bets in the order they were placed, and the streaks in play.

What a round leaves in play has the form in which the next round's record takes it, so a file of rolls plays a day.
"""

from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta

from rules.directions import Forfeit
from rules.games.sic_bo import (
    EDITION,
    GAME,
    Limits,
    LossLimit,
    NoResult,
    Placed,
    Round,
    Run,
    Runs,
    Seat,
    Side,
    Wager,
    is_triple,
    wrongly_lit,
)
from rules.games.sic_bo.layout import AREAS, Dice, Optional
from rules.games.sic_bo.rounds import HIGHEST_SEAT, VoidFor, dice_text
from rules.games.sic_bo.streaks import MOST
from rules.records.forms import (
    LARGEST,
    RULES_VERSION,
    Cents,
    Count,
    Form,
    GameRecord,
    Part,
    Person,
    RecordError,
    WagerCents,
    check_edition,
    present,
    value_of,
)
from rules.rounds import Line, OpenWager, RoundError, Settlement
from rules.settings import SicBoSettings
from rules.wagers import Tender

Place = Annotated[int, Meta(ge=1, le=HIGHEST_SEAT)]
_THREE_FACES: Final = {"minItems": 3, "maxItems": 3, "items": {"type": "integer", "minimum": 1, "maximum": 6}}
Faces = Annotated[tuple[int, ...], Meta(extra_json_schema=_THREE_FACES)]
"""Dice; which three faces they can show, the round says."""
Row = Annotated[str, Meta(pattern=r"^[a-z][a-z_0-9]{0,39}\Z")]


class SicBoWagerRecord(Part, frozen=True):
    """A bet as it was placed."""

    wager: Wager
    cents: WagerCents
    tender: Tender | None = None


class LossLimitRecord(Part, frozen=True):
    """A player's Loss Limit, and how far it is used before this round (SIC 8.15, 9.2)."""

    limit_cents: Cents
    net_loss_cents: Annotated[int, Meta(ge=-LARGEST, le=LARGEST)] | None = None
    declared_cents: Cents | None = None


class SicBoSeatRecord(Part, frozen=True):
    """A player: the bets of this round in the order in which they were placed."""

    seat: Place
    wagers: tuple[SicBoWagerRecord, ...] | None = None
    own_min_cents: WagerCents | None = None
    own_max_cents: WagerCents | None = None
    loss_limit: LossLimitRecord | None = None
    void_for: VoidFor | None = None


class SicBoOpenRecord(Part, frozen=True):
    """A Super Streak wager that earlier rounds left in play."""

    seat: Place
    wager: Literal["super_streak_small", "super_streak_big", "super_streak_odd", "super_streak_even"]
    stake_cents: WagerCents
    in_a_row: Annotated[int, Meta(ge=0, le=MOST)]
    tender: Tender | None = None


class RunRecord(Part, frozen=True):
    """How many results in a row were of a side; of none where the last was a total of 10 that is not Even."""

    in_a_row: Count
    side: Side | None = None


class RunsRecord(Part, frozen=True):
    """The runs before a round; empty before the first result of the gaming day."""

    small_big: RunRecord | None = None
    odd_even: RunRecord | None = None


class SicBoForfeitRecord(Part, frozen=True):
    """A direction that a player's wagers be forfeited: at which seat, by whom, why (SIC 9.10)."""

    seat: Place
    person: Person
    reason: Person


class SicBoSettledRecord(Part, frozen=True):
    """What the table paid on a wager and gave back of its stake."""

    seat: Place
    wager: Wager
    paid_cents: Cents
    returned_cents: Cents


class SicBoSettingsRecord(Part, frozen=True):
    """The table's rulings where they are not the defaults; a table that offers Even names ``even_on_10`` itself."""

    cap_linked_wager: bool | None = None
    invalid_losing: Literal["kept", "returned"] | None = None
    refund_invalidated: bool | None = None
    token_on_win: Literal["returned", "as_voucher"] | None = None
    carded_play: Literal["as_book", "all_games"] | None = None
    even_on_10: Literal["lose", "win"] | None = None
    even_on_666: Literal["lose", "win"] | None = None
    streak_basis: Literal["side", "changeover"] | None = None
    pay_12: Literal["at_12", "at_end"] | None = None
    terminated_short: Literal["lose", "void"] | None = None
    loss_limit_excess: Literal["split", "whole"] | None = None


class SicBoLimitsRecord(Part, frozen=True):
    """The table's sign, as far as it states something: amounts by area, by kind of bet, or for the whole table."""

    min_cents: dict[Row, WagerCents] | None = None
    max_cents: dict[Row, WagerCents] | None = None
    unit_cents: dict[Row, WagerCents] | None = None
    player_max_cents: WagerCents | None = None
    streak_cents: WagerCents | None = None
    offered: tuple[Optional, ...] | None = None


class SicBoRecord(GameRecord, frozen=True, kw_only=True):
    """A round as captured and as settled at the table. A bare round to settle needs its game, and dice or no result."""

    game: Literal["sic_bo"]
    dice: Faces | None = None
    seats: tuple[SicBoSeatRecord, ...] | None = None
    still_open: tuple[SicBoOpenRecord, ...] | None = None
    """The streak wagers in play before this round; where it is absent, those the round before it in a file left."""
    runs: RunsRecord | None = None
    """The runs before this round; where it is absent, those the round before it in a file left, or not known."""
    no_result: NoResult | None = None
    lit: tuple[Wager, ...] | None = None
    display: Faces | None = None
    final_call: bool | None = None
    forfeits: tuple[SicBoForfeitRecord, ...] | None = None
    stopped: bool | None = None
    """Whether play was stopped after the round before and the fault not rectified; where it is absent, as that left it.
    """
    settled: tuple[SicBoSettledRecord, ...] | None = None
    settings: SicBoSettingsRecord | None = None
    limits: SicBoLimitsRecord | None = None


FORM: Final = Form(SicBoRecord)
"""The form of a Sic Bo record."""


def sic_bo_round(record: SicBoRecord) -> Round:
    """The round that a record tells of.

    Never a round that cannot have been: raises ``RecordError`` for dice that are none, a repeated seat, a wager twice
    on one streak, an unknown edition; or where Even is wagered on and the table does not name its reading of it.
    """
    check_edition(record.edition, EDITION)
    _check_even(record)
    try:
        return Round(
            dice=_dice(record.dice, "dice"),
            seats=tuple([_seat(seat, f"seats[{place}]") for place, seat in enumerate(record.seats or ())]),
            still_open=tuple([_open(each) for each in record.still_open or ()]),
            runs=read_runs(record.runs),
            no_result=record.no_result,
            lit=record.lit,
            display=_dice(record.display, "display"),
            final_call=record.final_call or False,
            forfeits=tuple([Forfeit(each.seat, each.person, each.reason) for each in record.forfeits or ()]),
            stopped=record.stopped or False,
        )
    except RoundError as error:
        raise RecordError(error.field, error.value, error.reason) from None


def _check_even(record: SicBoRecord) -> None:
    """Refuse a table that offers Even and does not say whether it wins on 10, which the rule's list leaves out."""
    offers = record.limits is not None and "even" in (record.limits.offered or ())
    placed = any(bet.wager in _EVEN for seat in record.seats or () for bet in seat.wagers or ())
    if offers or placed or any(each.wager in _EVEN for each in record.still_open or ()):
        named = record.settings is not None and record.settings.even_on_10 is not None
        if not named:
            raise RecordError("settings.even_on_10", "", EVEN_NAMED)


EVEN_NAMED: Final = "missing: a table that offers Even says whether it wins on 10 (SIC 3.3.2)"
"""Why nothing is said of Even at a table that does not name its reading."""

_EVEN: Final = frozenset({"even", "super_streak_even"})


def _dice(faces: Faces | None, field: str) -> Dice | None:
    if faces is None:
        return None
    if len(faces) != 3:
        raise RecordError(field, dice_text(faces), f"{len(faces)} dice where there are three (SIC 2.5)")
    first, second, third = faces
    return first, second, third


def _seat(seat: SicBoSeatRecord, where: str) -> Seat:
    limit = seat.loss_limit
    return Seat(
        seat=seat.seat,
        wagers=tuple([Placed(bet.wager, bet.cents, bet.tender or "chips") for bet in seat.wagers or ()]),
        own_min_cents=seat.own_min_cents,
        own_max_cents=seat.own_max_cents,
        loss_limit=None if limit is None else value_of(LossLimit, limit, f"{where}.loss_limit"),
        void_for=seat.void_for,
    )


def _open(each: SicBoOpenRecord) -> OpenWager:
    return OpenWager(each.seat, each.wager, each.stake_cents, each.in_a_row, each.tender or "chips")


def read_runs(stated: RunsRecord | None) -> Runs | None:
    """The runs that a part of a record tells of; raises ``RecordError`` where they cannot be."""
    if stated is None:
        return None
    runs = {name: Run(each.side, each.in_a_row) for name, each in present(stated).items()}
    try:
        return Runs(**runs)
    except ValueError as error:
        name, shown, reason = str(error).split(": ", 2)
        raise RecordError(f"runs.{name}", shown, reason) from None


def sic_bo_record(round_: Round, settlement: Settlement | None = None, **fields: Any) -> SicBoRecord:
    """The record of a round, with what the table settled it to; ``fields`` are any others of it, by name.

    Always what ``sic_bo_round`` reads back as the same round.
    """
    return SicBoRecord(
        kind="record",
        game=GAME,
        edition=EDITION,
        dice=round_.dice,
        seats=tuple([_seat_record(seat) for seat in round_.seats]),
        still_open=tuple([_open_record(each) for each in round_.still_open]),
        runs=runs_record(round_.runs),
        no_result=round_.no_result,
        lit=round_.lit,
        display=round_.display,
        final_call=round_.final_call or None,
        forfeits=tuple([SicBoForfeitRecord(each.seat, each.person, each.reason) for each in round_.forfeits]) or None,
        stopped=round_.stopped or None,
        settled=None if settlement is None else sic_bo_settled(settlement.lines),
        rules_version=RULES_VERSION,
        **fields,
    )


def sic_bo_settled(lines: tuple[Line, ...]) -> tuple[SicBoSettledRecord, ...]:
    """The lines of a settlement as a record carries them: what was paid and given back on each wager."""
    return tuple(
        [SicBoSettledRecord(line.seat, AREAS[line.wager].wager, line.paid_cents, line.returned_cents) for line in lines]
    )


def _seat_record(seat: Seat) -> SicBoSeatRecord:
    limit = seat.loss_limit
    return SicBoSeatRecord(
        seat=seat.seat,
        wagers=tuple([SicBoWagerRecord(bet.wager, bet.cents, _tender(bet.tender)) for bet in seat.wagers]) or None,
        own_min_cents=seat.own_min_cents,
        own_max_cents=seat.own_max_cents,
        loss_limit=None
        if limit is None
        else LossLimitRecord(limit.limit_cents, limit.net_loss_cents or None, limit.declared_cents),
        void_for=seat.void_for,
    )


def _open_record(each: OpenWager) -> SicBoOpenRecord:
    form = {"wager": each.wager, "seat": each.seat, "stake_cents": each.stake_cents, "in_a_row": each.in_a_row}
    return msgspec.convert({**form, "tender": each.tender} if each.tender != "chips" else form, SicBoOpenRecord)


def _tender(tender: Tender) -> Tender | None:
    return None if tender == "chips" else tender


def runs_record(runs: Runs | None) -> RunsRecord | None:
    """The runs at a table as a part of a record."""
    if runs is None:
        return None

    def run_record(run: Run | None) -> RunRecord | None:
        return None if run is None else RunRecord(run.in_a_row, run.side)

    return RunsRecord(run_record(runs.small_big), run_record(runs.odd_even))


def sic_bo_shown(round_: Round, settlement: Settlement) -> dict[str, Any]:  # noqa: ARG001 - the form of every game's
    """What an answer says of the dice: as they are called (SIC 5.3), or why there was no result."""
    if round_.dice is None:
        return {"no_result": round_.no_result}
    return {"dice": sorted(round_.dice), "total": sum(round_.dice), "triple": is_triple(round_.dice)}


@dataclass(frozen=True, slots=True)
class Left:
    """What a round leaves on its table for the next one, as that one's record takes it."""

    still_open: tuple[SicBoOpenRecord, ...]
    runs: RunsRecord | None
    stopped: bool = False
    """Whether no play is permitted until a fault of the equipment is rectified (SIC 8.8)."""


def left_by(record: SicBoRecord, round_: Round, settlement: Settlement) -> Left:
    """What a settled round leaves: the streak wagers still in play, the runs, and whether play is stopped (SIC 8.8).

    Where the runs before it were not known, they are counted from its result.
    """
    runs, rulings = round_.runs, value_of(SicBoSettings, record.settings, "settings")
    if round_.dice is not None and not (runs is None and is_triple(round_.dice)):
        runs = (runs or Runs()).after(round_.dice, rulings)
    failed = any(wrongly_lit(round_, rulings, value_of(Limits, record.limits, "limits")))
    return Left(tuple([_open_record(each) for each in settlement.still_open]), runs_record(runs), failed)


def continued(record: SicBoRecord, before: Left) -> SicBoRecord:
    """A record with what the round before left on its table, where it does not say itself what is in play."""
    still_open = before.still_open if record.still_open is None else record.still_open
    runs = before.runs if record.runs is None else record.runs
    stopped = before.stopped or None if record.stopped is None else record.stopped
    return msgspec.structs.replace(record, still_open=still_open, runs=runs, stopped=stopped)


def said(left: Left) -> dict[str, Any]:
    """What a round leaves, as fields of its answer: those that the next round's record takes."""
    fields: dict[str, Any] = {"still_open": left.still_open}
    if left.stopped:
        fields["stopped"] = True
    return fields if left.runs is None else fields | {"runs": left.runs}
