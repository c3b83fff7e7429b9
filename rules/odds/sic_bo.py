"""The odds of Sic Bo: each bet by all 216 results of three dice, Super Streak by the chance of one more in a row."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Final

from rules.games.sic_bo import AREAS, GAME, Area, Dice, Side, is_triple, row_won, shows
from rules.games.sic_bo.streaks import FEWEST, MOST
from rules.odds.rows import Row, outcomes_of, times
from rules.schedules import Schedule
from rules.settings import SicBoSettings

_FACES: Final = range(1, 7)
RESULTS: Final[tuple[Dice, ...]] = tuple([(one, two, three) for one in _FACES for two in _FACES for three in _FACES])
"""The 216 equally likely results."""

_LOSE: Final = ("lose", Fraction(-1))


def rows(schedules: Mapping[str, Schedule], settings: SicBoSettings) -> Iterator[Row]:
    """The odds of every kind of bet that these schedules pay.

    A kind whose areas differ in nothing but their number stands once.

    Even, whose list is disputed (SIC 3.3.2), stands once for each reading, the given one first.
    """
    seen: set[str] = set()
    for area in AREAS.values():
        kind = area.wager if area.family in {"total", "super_streak"} else area.family
        if kind in seen or area.family not in schedules:
            continue
        seen.add(kind)
        for reading in _readings(area, settings):
            make = _bet_row if area.side is None else _streak_row
            yield make(kind, area, schedules[area.family], reading)


def _readings(area: Area, settings: SicBoSettings) -> list[SicBoSettings]:
    """The readings of the rules that an area hangs on, the given one first."""
    readings = [settings]
    if area.wager in {"even", "super_streak_even"}:
        other = replace(settings, even_on_10="lose" if settings.even_on_10 == "win" else "win")
        readings.append(other)
    if area.wager == "even":
        readings += [
            replace(each, even_on_666="lose" if each.even_on_666 == "win" else "win") for each in tuple(readings)
        ]
    return readings


def _bet_row(kind: str, area: Area, schedule: Schedule, settings: SicBoSettings) -> Row:
    """The odds of a bet that one result decides (SIC 3.2, 3.3, 7.1)."""
    counts: Counter[tuple[str, Fraction]] = Counter()
    odds = schedule.odds[area.family]
    for dice in RESULTS:
        row = row_won(area.wager, dice, settings)
        counts[_LOSE if row is None else (_won(area, row), times(odds[row]))] += 1
    read = (("even_on_10", settings.even_on_10), ("even_on_666", settings.even_on_666)) if kind == "even" else ()
    return Row(GAME, schedule.name, read, kind, "", outcomes_of(counts, len(RESULTS)))


def _won(area: Area, row: str) -> str:
    """The outcome of a bet paid by a row of its chart."""
    return row if area.family == "single_die" else "win"


def _streak_row(kind: str, area: Area, schedule: Schedule, settings: SicBoSettings) -> Row:
    """The odds of a Super Streak wager: it goes on with each result of its side, triples left out (SIC 6.3, 6.4)."""
    side: Side = area.side or "small"
    results = [dice for dice in RESULTS if not is_triple(dice)]
    chance = Fraction(sum(shows(side, dice, settings) for dice in results), len(results))
    goes_on, of = chance.numerator, chance.denominator
    counts: Counter[tuple[str, Fraction]] = Counter()
    for in_a_row in range(MOST + 1):
        ends = 1 if in_a_row == MOST else (of - goes_on) * of ** (MOST - in_a_row - 1)
        odds = schedule.odds["super_streak"].get(str(in_a_row))
        name = _LOSE if in_a_row < FEWEST or odds is None else (f"{in_a_row}_in_a_row", times(odds))
        counts[name] += goes_on**in_a_row * ends
    read = (("even_on_10", settings.even_on_10),) if side == "even" else ()
    return Row(GAME, schedule.name, read, kind, "", outcomes_of(counts, of**MOST))
