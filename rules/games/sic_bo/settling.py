"""What every wager of a round of Sic Bo comes to: rules 3.2, 3.3, 4.2, 4.3, 6, 7, 8 and 9.8 to 9.10."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from rules.directions import Forfeit, by_seat
from rules.games.sic_bo.counting import counted, note_sign
from rules.games.sic_bo.layout import AREAS, Area, Dice, row_won, rule_of, winning_areas
from rules.games.sic_bo.rounds import GAME, NoResult, Placed, Round, Seat, dice_text
from rules.games.sic_bo.sign import Limits
from rules.games.sic_bo.streaks import MOST, streak_refused, turn
from rules.irregularities import irregularity
from rules.limits import Refused
from rules.rounds import OpenWager, RoundError, Settlement
from rules.schedules import Schedule, chosen
from rules.settings import SicBoSettings
from rules.settling import Sheet, Stake
from rules.wagers import Outcome, Tender

SCHEDULES: Final = ("sic_7_1", "sic_7_2")
"""What a table is paid by where it names nothing else: the odds the text prints."""

NO_RESULT_RULES: Final[Mapping[NoResult, str]] = {
    "die_not_flat": "SIC 8.1",
    "tumbler_failed": "SIC 8.2",
    "not_activated": "SIC 8.3",
    "dice_exposed": "SIC 8.3",
    "button_not_pressed": "SIC 8.4",
    "broken": "SIC 8.5",
    "invalidated": "SIC 9.9",
}
"""The clause by which a round has no result."""

_PLAIN_WORDS: Final = SicBoSettings()
_NO_SIGN: Final = Limits()
_NOBODY: Final = Seat(0)


def settle(
    round_: Round,
    settings: SicBoSettings = _PLAIN_WORDS,
    limits: Limits = _NO_SIGN,
    schedules: Mapping[str, Schedule] | None = None,
) -> Settlement:
    """What every wager of a round comes to, and which Super Streak wagers stay in play (``still_open``).

    Always one line for each area a player wagered on, but for a streak wager that stays in play in full. ``schedules``
    are those of each kind of bet (``rules.schedules.chosen``). Raises ``RoundError`` where a wager lies on an area that
    the table does not offer, or a streak is open that was paid; then nothing is settled.
    """
    by_wager = chosen(GAME, SCHEDULES) if schedules is None else schedules
    return _Settling(round_, settings, limits, by_wager, Sheet("SIC", settings)).settle()


def wrongly_lit(
    round_: Round, settings: SicBoSettings = _PLAIN_WORDS, limits: Limits = _NO_SIGN
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The winning areas that stayed dark, and the areas that were lit and do not win (SIC 8.7), in the book's order.

    >>> dark, lit = wrongly_lit(Round((6, 6, 6), lit=("any_triple", "big")))
    >>> dark, lit
    (('specific_triple_6', 'specific_double_6', 'single_die_6'), ('big',))
    """
    if round_.lit is None or round_.dice is None:
        return (), ()
    winning = winning_areas(round_.dice, settings, limits.offered)
    dark = tuple([wager for wager in winning if wager not in round_.lit])
    return dark, tuple([wager for wager in AREAS if wager in round_.lit and wager not in winning])


@dataclass(frozen=True, slots=True)
class _Lying:
    """What lies on one area of one seat: a bet of this round, or a streak wager open from before."""

    area: Area
    stake: Stake
    in_a_row: int = 0
    refused: Refused | None = None
    """Why it should not have been placed, which makes it void (SIC 1.1)."""


@dataclass(slots=True)
class _Settling:
    """One settlement being worked out: what it is worked out from, and what has been found so far."""

    round: Round
    settings: SicBoSettings
    limits: Limits
    schedules: Mapping[str, Schedule]
    sheet: Sheet
    still_open: list[OpenWager] = field(default_factory=list)
    failed: bool = False
    """Whether the equipment failed to illuminate the winning areas (SIC 8.7)."""
    forfeits: Mapping[int, Forfeit] = field(default_factory=dict)

    def settle(self) -> Settlement:
        """Settle seat by seat, and each seat in the book's order of wagers."""
        self.check()
        self.note_result()
        self.forfeits = by_seat(self.round.forfeits)
        seats = {seat.seat: seat for seat in self.round.seats}
        for number in sorted({*seats, *(wager.seat for wager in self.round.still_open)}):
            seat = seats.get(number, _NOBODY)
            for lying in sorted(self.lying(number, seat), key=lambda each: each.area.place):
                self.settle_area(lying, seat)
        return Settlement(
            lines=tuple(self.sheet.lines),
            rulings=tuple(sorted(self.sheet.rulings.items())),
            notes=tuple(self.sheet.notes),
            notices=tuple(self.sheet.notices),
            kept=tuple(self.sheet.kept),
            still_open=tuple(self.still_open),
        )

    def check(self) -> None:
        """Refuse a wager on an area that the table has not, and a streak still open that was paid at twelve."""
        for place, seat in enumerate(self.round.seats):
            for number, bet in enumerate(seat.wagers):
                area = AREAS[bet.wager]
                if not self.limits.offers(area):
                    rule = "SIC 3.3" if area.side is None else "SIC 6.1"
                    where = f"seats[{place}].wagers[{number}].wager"
                    raise RoundError(where, bet.wager, f"the table does not offer it ({rule})")
        for place, wager in enumerate(self.round.still_open):
            if wager.in_a_row == MOST and self.settings.pay_12 == "at_12":
                raise RoundError(f"still_open[{place}].in_a_row", str(MOST), "twelve in a row are paid (SIC 6.3)")

    def note_result(self) -> None:
        """Say what people must know of the result and of how it was shown."""
        if self.round.stopped:
            self.sheet.notes.append("no play was permitted until the fault of the round before was rectified (SIC 8.8)")
        dark, lit = wrongly_lit(self.round, self.settings, self.limits)
        self.failed = bool(dark or lit)
        if self.failed:
            words = [f"{name} {', '.join(areas)}" for name, areas in (("dark", dark), ("wrongly lit", lit)) if areas]
            self.sheet.notes.append(f"settled by the dice: {'; '.join(words)} (SIC 8.7)")
            self.sheet.follow(irregularity("SIC", "wrongly_lit"))  # SIC 8.8
        shown = self.round.display
        if shown is not None and self.round.dice is not None and sorted(shown) != sorted(self.round.dice):
            self.sheet.notes.append(f"the display shows {dice_text(shown)} and is disregarded (SIC 8.9)")

    def lying(self, number: int, seat: Seat) -> list[_Lying]:
        """What lies on each area of a seat: what is open from before, what was placed out of its time, what counts."""
        lying = [
            _Lying(AREAS[wager.wager], _whole(number, wager.wager, wager.stake_cents, wager.tender), wager.in_a_row)
            for wager in self.round.still_open
            if wager.seat == number
        ]
        at_risk = sum(each.stake.at_risk_cents for each in lying)
        refused = {bet.wager: self.refused(AREAS[bet.wager]) for bet in seat.wagers}
        for wager, why in refused.items():
            if why is not None:
                bets = [bet for bet in seat.wagers if bet.wager == wager]
                stake = _whole(number, wager, sum(bet.cents for bet in bets), bets[0].tender)
                lying.append(_Lying(AREAS[wager], stake, refused=why))
        accepted = tuple([bet for bet in seat.wagers if refused[bet.wager] is None])
        self.note_unknown_runs(number, accepted)
        stakes = counted(seat, accepted, at_risk, self.limits, self.settings, self.sheet)
        return lying + [_Lying(AREAS[stake.wager], stake) for stake in stakes]

    def note_unknown_runs(self, number: int, accepted: tuple[Placed, ...]) -> None:
        """Say of each streak wager that it was taken to be in time where nobody knows the runs before it (SIC 6.2)."""
        if self.round.runs is not None:
            return
        for wager in dict.fromkeys(bet.wager for bet in accepted if AREAS[bet.wager].side is not None):
            words = f"seat {number}: {wager.replace('_', ' ')} is taken as placed in time"
            self.sheet.notes.append(f"{words}: the runs before this round are not known (SIC 6.2)")

    def refused(self, area: Area) -> Refused | None:
        """Why a bet of this round should not have been placed: a Super Streak out of its time (SIC 6.2, 6.6)."""
        if area.side is None:
            return None
        return streak_refused(area.side, self.round.runs, final_call=self.round.final_call)

    def settle_area(self, lying: _Lying, seat: Seat) -> None:
        """Settle what lies on one area."""
        stake = lying.stake
        if lying.refused is not None:
            self.sheet.add(stake, "void", 0, lying.refused.rule, "SIC 1.1")
            words = f"seat {stake.seat}: {stake.wager.replace('_', ' ')}"
            self.sheet.notes.append(f"{words} is void: {lying.refused.reason} ({lying.refused.rule})")
        elif seat.void_for == "prohibited_device" and not self.forfeited(stake, lying.area):
            self.sheet.add(_as_placed(stake), "void", 0, "SIC 9.8.1")
        elif lying.area.side is not None:
            self.settle_streak(lying, seat)
        elif self.round.dice is None:
            self.settle_without_result(stake)
        elif not stake.at_risk_cents:
            self.sheet.add(stake, "returned", 0)
        else:
            note_sign(stake, self.sheet)
            self.settle_by_dice(lying.area, stake, self.round.dice, seat)

    def settle_by_dice(self, area: Area, stake: Stake, dice: Dice, seat: Seat) -> None:
        """Settle a bet that this result decides (SIC 3.2, 3.3, 7.1)."""
        self.note_even(area, dice)
        row = row_won(area.wager, dice, self.settings)
        rules = (*(("SIC 8.7",) if self.failed else ()), rule_of(area.wager, won=row is not None))
        if seat.void_for == "invalid":
            outcome: Outcome = "lose" if row is None else "win"
            self.sheet.add_invalid(stake, outcome, "SIC 8.14.2", *rules, because="SIC 9.1")
        elif row is None:
            self.sheet.add(stake, "lose", 0, *rules)
        else:
            schedule = self.schedules[area.family]
            paid = schedule.odds[area.family][row].winnings_cents(stake.at_risk_cents)
            self.sheet.add(stake, "win", paid, *rules, schedule.rule)

    def note_even(self, area: Area, dice: Dice) -> None:
        """Name the ruling where a bet on Even hangs on one (SIC 3.3.2)."""
        if area.wager == "even" and sum(dice) == 10:
            self.sheet.rulings["even_on_10"] = self.settings.even_on_10
        if area.wager == "even" and sum(dice) == 18:
            self.sheet.rulings["even_on_666"] = self.settings.even_on_666

    def settle_without_result(self, stake: Stake) -> None:
        """Give a bet back after "no result" (SIC 8.6), or as ruled and directed after an invalidated one (9.10)."""
        cause = self.round.no_result or "invalidated"
        if cause != "invalidated":
            self.sheet.add(_as_placed(stake), "void", 0, NO_RESULT_RULES[cause], "SIC 8.6")
            return
        forfeit = self.forfeits.get(stake.seat)
        if forfeit is not None:
            words = f"seat {stake.seat}: {stake.wager.replace('_', ' ')} is forfeited, directed by {forfeit.person}"
            self.sheet.notes.append(f"{words}: {forfeit.reason} (SIC 9.10)")
        else:
            self.sheet.rulings["refund_invalidated"] = self.settings.refund_invalidated
        if forfeit is None and self.settings.refund_invalidated:
            self.sheet.add(_as_placed(stake), "void", 0, NO_RESULT_RULES[cause], "SIC 9.10")
        else:
            outcome: Outcome = "lose" if stake.at_risk_cents else "returned"
            self.sheet.add(stake, outcome, 0, NO_RESULT_RULES[cause], "SIC 9.10")

    def forfeited(self, stake: Stake, area: Area) -> bool:
        """Whether a supervisor directed that a bet on this result be forfeited, which is more than void (SIC 9.10)."""
        return area.side is None and stake.seat in self.forfeits

    def settle_streak(self, lying: _Lying, seat: Seat) -> None:
        """Settle a Super Streak wager, or leave it in play (SIC 6.4, 7.2, 8.6, 8.7.1)."""
        stake, side = lying.stake, lying.area.side
        if not stake.at_risk_cents or side is None:
            self.sheet.add(stake, "returned", 0)
            return
        note_sign(stake, self.sheet)
        now = turn(side, lying.in_a_row, self.round.dice, self.settings, ends_here=self.failed)
        self.sheet.rulings.update(now.rulings)
        rules = (*(("SIC 8.7.1",) if self.failed else ()), *now.rules)
        if seat.void_for == "invalid":
            outcome: Outcome = "lose" if now.outcome == "lose" else "void"
            self.sheet.add_invalid(stake, outcome, "SIC 8.14.2", *rules, because="SIC 9.1")
        elif now.outcome == "open":
            self.leave_open(stake, now.in_a_row)
        elif now.outcome == "win":
            schedule = self.schedules["super_streak"]
            odds = schedule.odds["super_streak"][str(now.in_a_row)]
            self.sheet.add(stake, "win", odds.winnings_cents(stake.at_risk_cents), *rules, schedule.rule)
        else:
            self.sheet.add(stake, now.outcome, 0, *rules)

    def leave_open(self, stake: Stake, in_a_row: int) -> None:
        """Leave a streak wager in play (SIC 6.2); what of a new one does not count goes back at once."""
        over = stake.placed_cents - stake.at_risk_cents
        if over:
            self.sheet.add(Stake(stake.seat, stake.wager, over, 0, stake.tender, stake.rules), "returned", 0)
        self.still_open.append(OpenWager(stake.seat, stake.wager, stake.at_risk_cents, in_a_row, stake.tender))


def _whole(seat: int, wager: str, cents: int, tender: Tender) -> Stake:
    """A stake that counts as it lies there."""
    return Stake(seat, wager, cents, cents, tender)


def _as_placed(stake: Stake) -> Stake:
    """A stake that goes back as it was placed, whatever of it would have counted."""
    return _whole(stake.seat, stake.wager, stake.placed_cents, stake.tender)
