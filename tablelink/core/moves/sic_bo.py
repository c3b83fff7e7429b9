"""A round of Sic Bo as the moves of its table: streak wagers, tumbles, bets, what was found, dice, payment."""

from collections.abc import Iterator
from typing import Final

from rules.games.sic_bo import PLAY, Felt, Round, Run, Runs, Seat, next_round, settlement_of, winning_areas
from rules.games.sic_bo.felt import TUMBLES
from rules.games.sic_bo.layout import AREAS
from rules.games.sic_bo.options import move_of
from rules.games.sic_bo.rounds import HIGHEST_SEAT
from rules.play import Move, Position
from rules.records import sign_of
from rules.records.forms import value_of
from rules.records.sic_bo import SicBoRecord, sic_bo_record, sic_bo_round
from rules.settings import SicBoSettings
from tablelink.core.moves.told import Told

UNKNOWN_RUNS: Final = Runs(Run("small", 1), Run("odd", 1))
"""The runs where nobody knows them: then every streak wager was placed in time (SIC 6.2)."""
STOPPED: Final = "inspector_notified"
"""Where a table stands whose fault was not rectified (SIC 8.8)."""


def begin(record: SicBoRecord) -> Position[Felt]:
    """The table before the dice tumble: what is in play, the runs, each player's own limits.

    A Loss Limit that the bets of the round exceed was found during the round (SIC 8.15), and is not there yet. Raises
    ``RecordError`` where the sign or the rulings cannot be.
    """
    settings = value_of(SicBoSettings, record.settings, "settings")
    limits = sign_of(record)
    round_ = sic_bo_round(record)
    felt = Felt(
        settings,
        limits,
        HIGHEST_SEAT,
        touch_screen=record.no_result == "button_not_pressed",
        players=tuple([each for seat in round_.seats if (each := _before(seat, round_)) != Seat(seat.seat)]),
        still_open=round_.still_open,
        runs=UNKNOWN_RUNS if round_.runs is None else round_.runs,
        final_call=round_.final_call,
    )
    return Position(STOPPED, felt) if round_.stopped else PLAY.begin(felt)


def moves_of(record: SicBoRecord) -> tuple[Move, ...]:
    """The moves of a round; raises ``RecordError`` where the record tells of none."""
    return tuple(_moves(sic_bo_round(record), record))


def _before(seat: Seat, round_: Round) -> Seat:
    """A player as known before the round."""
    limit = None if _found_in_round(seat, round_) else seat.loss_limit
    return Seat(seat.seat, (), seat.own_min_cents, seat.own_max_cents, limit)


def _found_in_round(seat: Seat, round_: Round) -> bool:
    """Whether a player's Loss Limit came to light in the round: its bets exceed it, and nothing was counted before."""
    limit = seat.loss_limit
    if limit is None or limit.net_loss_cents or limit.declared_cents is not None:
        return False
    at_risk = sum(each.stake_cents for each in round_.still_open if each.seat == seat.seat)
    return bool(seat.wagers) and seat.placed_cents > limit.room_cents(at_risk)


def _moves(round_: Round, record: SicBoRecord) -> Iterator[Move]:
    for name, streaks in (("place_streak", True), ("place", False)):
        if not streaks:
            yield from (Move("tumble") for _ in range(TUMBLES))
            yield Move("open_bets")
        for seat in round_.seats:
            for bet in seat.wagers:
                if (AREAS[bet.wager].side is not None) == streaks:
                    yield Move(name, seat.seat, bet.wager, bet.cents, tender=bet.tender)
    for seat in round_.seats:
        if seat.loss_limit is not None and _found_in_round(seat, round_):
            yield Move("find_loss_limit", seat.seat, cents=seat.loss_limit.limit_cents)
        if seat.void_for is not None:
            yield Move("find_invalid" if seat.void_for == "invalid" else "void_wagers", seat.seat)
    if round_.no_result is not None:
        yield from _no_result(round_)
    elif round_.dice is not None:
        yield from _result(round_, tuple(sorted(round_.dice)), record)


def _no_result(round_: Round) -> Iterator[Move]:
    """From the last bet to wagers returned, where there was no result (SIC 8.1 to 8.6)."""
    cause = round_.no_result
    if cause is None:
        return
    if cause != "dice_exposed":
        yield Move("no_more_bets")
    if cause not in {"dice_exposed", "button_not_pressed"}:
        yield Move("uncover")
    yield Move(move_of(cause))
    yield Move("return_wagers")


def _result(round_: Round, called: tuple[int, ...], record: SicBoRecord) -> Iterator[Move]:
    """From the last bet to wagers paid (SIC 5.2 to 5.5), and to the inspector's notice after wrong lights (8.8)."""
    yield from (Move("no_more_bets"), Move("uncover"), Move("announce", cards=called), Move("enter", cards=called))
    if round_.display is not None and sorted(round_.display) != list(called):
        yield Move("disregard_display", cards=tuple(sorted(round_.display)))
    settings = value_of(SicBoSettings, record.settings, "settings")
    winning = () if round_.dice is None else winning_areas(round_.dice, settings, sign_of(record).offered)
    wrong = set() if round_.lit is None else set(winning) ^ set(round_.lit)
    if not wrong:
        yield from map(Move, ("light", "collect", "pay"))
        return
    if round_.lit:
        yield from (Move("light_wrongly", area=area) for area in AREAS if area in wrong)
    else:
        yield Move("light_wrongly")
    yield from map(Move, ("collect", "pay", "notify_inspector"))


SIC_BO: Final = Told(
    play=PLAY,
    begin=begin,
    moves_of=moves_of,
    round_of=lambda at: at.felt.round(),
    record_of=lambda at, settlement, **fields: sic_bo_record(at.felt.round(), settlement, **fields),
    settlement_of=settlement_of,
    over=frozenset({"wagers_paid", STOPPED}),
    next_of=lambda at, _left, schedules, forfeits: next_round(at, schedules, forfeits),
)
"""Sic Bo at a hosted table."""
