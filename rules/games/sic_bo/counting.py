"""How much of a player's bets counts: under the sign (SIC 4.2, 4.3, 4.6, 6.7), then within the Loss Limit (8.15)."""

from dataclasses import dataclass

from rules.games.sic_bo.layout import AREAS, Area
from rules.games.sic_bo.rounds import Placed, Seat
from rules.games.sic_bo.sign import Limits
from rules.settings import SicBoSettings
from rules.settling import Sheet, Stake
from rules.wagers import Tender


@dataclass(slots=True)
class _Lying:
    """What lies on one area, as it is counted."""

    area: Area
    tender: Tender
    placed_cents: int = 0
    counts_cents: int = 0
    over_sign: bool = False
    over_loss_limit: bool = False


def counted(
    seat: Seat, bets: tuple[Placed, ...], at_risk_cents: int, limits: Limits, settings: SicBoSettings, sheet: Sheet
) -> list[Stake]:
    """The bets of a player as they count, one stake for each area; ``at_risk_cents`` is what lies open from before.

    Always counts what was placed first first, so that what exceeds a maximum or the Loss Limit goes back from the last
    bet (SIC 4.3, 8.15.1); a bet that crosses the Loss Limit counts in part, or goes back whole, by the ruling.
    """
    areas: dict[str, _Lying] = {}
    room = None if seat.loss_limit is None else seat.loss_limit.room_cents(at_risk_cents)
    lying_cents = exceeding_cents = 0
    for bet in bets:
        lying = areas.setdefault(bet.wager, _Lying(AREAS[bet.wager], bet.tender))
        lying.placed_cents += bet.cents
        by_sign = _within(bet.cents, _most(lying.area, seat, limits), lying.counts_cents)
        by_sign = _within(by_sign, limits.player_max_cents, lying_cents)
        lying_cents += by_sign
        lying.over_sign |= by_sign < bet.cents
        counts = by_sign
        if room is not None and by_sign > room:
            if room:
                sheet.rulings["loss_limit_excess"] = settings.loss_limit_excess
            counts = room if settings.loss_limit_excess == "split" else 0
            exceeding_cents += by_sign - counts
            lying.over_loss_limit = True
            room = 0
        elif room is not None:
            room -= by_sign
        lying.counts_cents += counts
    _tell(seat, bets, exceeding_cents, sheet)
    for lying in areas.values():
        if _is_short(lying, limits):
            words = f"seat {seat.seat}: {lying.area.wager.replace('_', ' ')} counts with {lying.counts_cents} cents"
            required = f"less than the {limits.least(lying.area)} required: the Loss Limit leaves no more"
            sheet.notes.append(f"{words}, {required} (SIC 6.7, 8.15.1)")
    return [
        Stake(seat.seat, wager, each.placed_cents, each.counts_cents, each.tender, _rules(each, seat, limits))
        for wager, each in areas.items()
    ]


def _most(area: Area, seat: Seat, limits: Limits) -> int | None:
    """The maximum of an area for a player (SIC 4.6)."""
    return limits.most(area) if seat.own_max_cents is None or area.side is not None else seat.own_max_cents


def _least(area: Area, seat: Seat, limits: Limits) -> int:
    """The minimum of an area for a player (SIC 4.6)."""
    return limits.least(area) if seat.own_min_cents is None or area.side is not None else seat.own_min_cents


def _within(cents: int, most: int | None, counted_cents: int) -> int:
    """What of an amount a maximum leaves, with so much counted already."""
    return cents if most is None else min(cents, max(0, most - counted_cents))


def _is_short(lying: _Lying, limits: Limits) -> bool:
    """Whether a Loss Limit leaves a Super Streak wager with less than the amount required on the sign (SIC 6.7)."""
    is_streak = lying.area.side is not None
    return is_streak and lying.over_loss_limit and 0 < lying.counts_cents < limits.least(lying.area)


def _rules(lying: _Lying, seat: Seat, limits: Limits) -> tuple[str, ...]:
    """The clauses that say how much of what lies on an area counts, where it is not as it was placed."""
    rules = ("SIC 4.3",) if lying.over_sign else ()
    if lying.placed_cents < _least(lying.area, seat, limits):
        rules = ("SIC 4.2",)
    if not lying.over_loss_limit:
        return rules
    return (*rules, "SIC 8.15.1", "SIC 6.7") if _is_short(lying, limits) else (*rules, "SIC 8.15.1")


def note_sign(stake: Stake, sheet: Sheet) -> None:
    """Say that a wager beside the sign was found after "no more bets" (SIC 4.2, 4.3)."""
    words = f"seat {stake.seat}: {stake.wager.replace('_', ' ')} of {stake.placed_cents} cents"
    if "SIC 4.2" in stake.rules:
        sheet.notes.append(f"{words} is below the minimum, and valid (SIC 4.2)")
    if "SIC 4.3" in stake.rules:
        sheet.notes.append(f"{words} is above the maximum, and counts up to it (SIC 4.3)")


def _tell(seat: Seat, bets: tuple[Placed, ...], exceeding_cents: int, sheet: Sheet) -> None:
    """Say what a player on a Loss Limit must be told."""
    if exceeding_cents:
        reason = f"{exceeding_cents} cents exceed the Loss Limit and go back, the last bet first"
        sheet.notes.append(f"seat {seat.seat}: {reason} (SIC 8.15.1); advise the player of rule 9.2")
    undeclared = 0 if seat.loss_limit is None else seat.loss_limit.undeclared_cents(sum(bet.cents for bet in bets))
    if undeclared:
        words = f"seat {seat.seat}: chips of {undeclared} cents were not declared"
        sheet.notes.append(f"{words} (SIC 9.2.2); advise the player of rule 9.2 (SIC 8.15.1)")
