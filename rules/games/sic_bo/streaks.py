"""Super Streak: the runs of results at a table, when a wager on one may be placed, and what a result makes of it.

Rule 6. A wager names a side, and its count starts with the next result (the table's ``streak_basis``). Small and Big
are one pair, Odd and Even the other, and independent of each other (SIC 6.5).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal

from rules.games.sic_bo.layout import SIDES, Dice, Side, is_triple, shows
from rules.limits import Refused
from rules.settings import SicBoSettings

MOST: Final = 12
"""Results of the longest streak (SIC 6.3)."""

FEWEST: Final = 4
"""Results of the shortest streak that wins (SIC 6.3, 6.4.2)."""

_PLAIN_WORDS: Final = SicBoSettings()


@dataclass(frozen=True, slots=True)
class Run:
    """How many results in a row were of a side; of no side where the last was a total of 10 that is not Even."""

    side: Side | None
    in_a_row: int


@dataclass(frozen=True, slots=True)
class Runs:
    """The runs at a table, one of each pair; ``None`` before the first result of the gaming day."""

    small_big: Run | None = None
    odd_even: Run | None = None

    def __post_init__(self) -> None:
        """Refuse a run of a side of the other pair, or one without its length.

        Raises ``ValueError`` as ``field: value: reason``.
        """
        for name, run, pair in (("small_big", self.small_big, SIDES[:2]), ("odd_even", self.odd_even, SIDES[2:])):
            if run is None:
                continue
            if run.side is None and (name, run.in_a_row) != ("odd_even", 0):
                raise ValueError(f"{name}.in_a_row: {run.in_a_row}: a run of no side, which only a total of 10 makes")
            if run.side is not None and run.side not in pair:
                raise ValueError(f"{name}.side: {run.side}: not one of {', '.join(pair)}")
            if run.side is not None and run.in_a_row < 1:
                raise ValueError(f"{name}.in_a_row: {run.in_a_row}: not the length of a run")

    def of(self, side: Side) -> Run | None:
        """The run of the pair that a side belongs to."""
        return self.small_big if side in {"small", "big"} else self.odd_even  # SIC 6.5

    def after(self, dice: Dice, settings: SicBoSettings = _PLAIN_WORDS) -> "Runs":
        """The runs after a result. Always unchanged by a triple (SIC 6.4).

        >>> runs = Runs().after((1, 2, 3)).after((1, 2, 4))
        >>> runs.small_big, runs.odd_even
        (Run(side='small', in_a_row=2), Run(side='odd', in_a_row=1))
        """
        if is_triple(dice):
            return self
        return Runs(
            _longer(self.small_big, _shown(("small", "big"), dice, settings)),
            _longer(self.odd_even, _shown(("odd", "even"), dice, settings)),
        )


def _shown(pair: Iterable[Side], dice: Dice, settings: SicBoSettings) -> Side | None:
    return next((side for side in pair if shows(side, dice, settings)), None)


def _longer(run: Run | None, side: Side | None) -> Run:
    if side is None:
        return Run(None, 0)
    return Run(side, run.in_a_row + 1 if run is not None and run.side == side else 1)


def streak_refused(side: Side, runs: Runs | None, *, final_call: bool = False) -> Refused | None:
    """Why a Super Streak wager on a side may not be placed now, if it may not (SIC 6.2, 6.6).

    After the first result of the gaming day, or the one that ended a run. A triple, or no result, leaves it as it was.
    Never refused for runs that are not known.

    >>> day = Runs().after((1, 2, 3))
    >>> streak_refused("big", day) is None
    True
    >>> streak_refused("big", day.after((1, 1, 2)))
    Refused(rule='SIC 6.2', reason='a streak of small is in progress, 2 in a row')
    """
    if final_call:
        return Refused("SIC 6.6", "after the final call no Super Streak wager is accepted")
    if runs is None:
        return None
    run = runs.of(side)
    if run is None:
        return Refused("SIC 6.2", "before the first result of the gaming day, triples not counted")
    if run.in_a_row > 1:
        return Refused("SIC 6.2", f"a streak of {run.side} is in progress, {run.in_a_row} in a row")
    return None


@dataclass(frozen=True, slots=True)
class Turn:
    """What a result makes of a streak wager: it stays open, or it ends with a count, by these rules."""

    outcome: Literal["open", "win", "lose", "void"]
    in_a_row: int
    rules: tuple[str, ...] = ()
    rulings: tuple[tuple[str, str], ...] = ()
    """The rulings it hangs on, each with the value it used."""


def turn(
    side: Side, in_a_row: int, dice: Dice | None, settings: SicBoSettings = _PLAIN_WORDS, *, ends_here: bool = False
) -> Turn:
    """What a result makes of a wager on a side that has so many in a row; without dice there was none (SIC 6.4, 8.6).

    With ``ends_here`` an equipment failure ends the wager on this result (SIC 8.7.1).

    >>> turn("small", 4, (6, 6, 5)).outcome, turn("small", 3, (6, 6, 5)).outcome, turn("small", 3, (2, 2, 2)).outcome
    ('win', 'lose', 'open')
    """
    if dice is None:
        return Turn("open", in_a_row)
    rulings: dict[str, str] = {}
    if not is_triple(dice):
        if side == "even" and sum(dice) == 10:
            rulings["even_on_10"] = settings.even_on_10
        if not shows(side, dice, settings):  # SIC 6.3.1, 6.3.2, 6.3.3, 6.3.4
            return _ended(in_a_row, (), rulings, settings)
        in_a_row = min(in_a_row + 1, MOST)
        if in_a_row == MOST and settings.pay_12 == "at_12":
            return _ended(in_a_row, ("SIC 6.3",), rulings, settings)
    if not ends_here:
        if in_a_row == MOST:
            rulings["pay_12"] = settings.pay_12
        return Turn("open", in_a_row, rulings=tuple(rulings.items()))
    if in_a_row < FEWEST:
        rulings["terminated_short"] = settings.terminated_short
        if settings.terminated_short == "void":
            return Turn("void", in_a_row, rulings=tuple(rulings.items()))
    return _ended(in_a_row, (), rulings, settings)


def _ended(in_a_row: int, rules: tuple[str, ...], rulings: dict[str, str], settings: SicBoSettings) -> Turn:
    """A wager that ended: it wins by the chart from four in a row (SIC 6.4.2), and loses at three or fewer (6.4.1)."""
    if in_a_row == MOST:
        rulings["pay_12"] = settings.pay_12
    if in_a_row >= FEWEST:
        return Turn("win", in_a_row, (*rules, "SIC 6.4.2"), tuple(rulings.items()))
    return Turn("lose", in_a_row, (*rules, "SIC 6.4.1"), tuple(rulings.items()))
