"""The odds of every wager: exact chances, what it returns on average, and the house edge.

Each game's module counts with the functions that settle it: hands are valued, dealers qualify and bets win by the
same code. ``rows`` is every row of a game under its shipped schedules, ``rows_under`` those a single schedule decides.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from rules.charts import CHARTS
from rules.games import GAMES
from rules.odds import caribbean_stud, casino_war, four_card_poker, sic_bo, three_card_poker
from rules.odds.rows import Outcome, Row, decimal_text, exact_text
from rules.schedules import SHIPPED, Schedule, chosen, shipped
from rules.settings import SicBoSettings

__all__ = [
    "Outcome",
    "Progress",
    "Row",
    "decimal_text",
    "exact_text",
    "no_progress",
    "rows",
    "rows_chosen",
    "rows_under",
]

Progress = Callable[[int, int], None]
"""Told how far a long count has come, and how far it goes."""

ByWager = Mapping[str, Schedule]


def no_progress(done: int, of: int) -> None:
    """Tell nobody."""


@dataclass(frozen=True, slots=True)
class _Part:
    """Some rows of a game: the wagers whose schedules decide them, and how they are made."""

    wagers: frozenset[str]
    rows: Callable[[ByWager, Progress], Iterator[Row]]


def _three_card(schedules: ByWager, progress: Progress) -> Iterator[Row]:
    for place, reading in enumerate(three_card_poker.READINGS):
        progress(place, len(three_card_poker.READINGS))
        yield from three_card_poker.main_rows(schedules, reading)


def _sic_bo(schedules: ByWager, progress: Progress) -> Iterator[Row]:  # noqa: ARG001 - counted at once
    return sic_bo.rows(schedules, SicBoSettings())


def _war(schedules: ByWager, progress: Progress) -> Iterator[Row]:  # noqa: ARG001 - counted at once
    return casino_war.war_rows(schedules)


_PARTS: Final[Mapping[str, tuple[_Part, ...]]] = MappingProxyType(
    {
        "caribbean_stud": (_Part(frozenset({"ante", "bet"}), caribbean_stud.rows),),
        "three_card_poker": (
            _Part(frozenset({"ante", "play", "ante_bonus"}), _three_card),
            _Part(frozenset({"pair_plus"}), lambda by_wager, _: iter([three_card_poker.pair_plus_row(by_wager)])),
        ),
        "four_card_poker": (
            _Part(frozenset({"ante", "play", "ante_bonus"}), four_card_poker.main_rows),
            _Part(frozenset({"aces_up"}), lambda by_wager, _: iter([four_card_poker.aces_up_row(by_wager)])),
        ),
        "casino_war": (
            _Part(frozenset({"initial", "war"}), _war),
            _Part(frozenset({"tie"}), lambda by_wager, _: iter([casino_war.tie_row(by_wager)])),
        ),
        "sic_bo": tuple(_Part(frozenset(chart), _sic_bo) for chart in CHARTS["sic_bo"]),
    }
)


def rows(game: str, progress: Progress = no_progress) -> Iterator[Row]:
    """The odds of every wager of a game, the jackpot's excepted, under each of its shipped schedules.

    Raises ``KeyError`` where there is no such game.

    >>> [row.wager for row in rows("casino_war")]
    ['initial', 'initial', 'war', 'tie']
    """
    defaults = GAMES[game].schedules
    by_wager = chosen(game, defaults)
    for part in _PARTS[game]:
        yield from _kept(part, by_wager, progress)
        for name in SHIPPED:
            other = shipped(name)
            if other.game == game and name not in defaults and part.wagers & other.odds.keys():
                yield from _kept(part, _with(by_wager, other), progress)


def rows_chosen(game: str, by_wager: ByWager, progress: Progress = no_progress) -> Iterator[Row]:
    """The odds of every wager of a game, the jackpot's excepted, paid by the schedules of one table."""
    for part in _PARTS[game]:
        yield from _kept(part, by_wager, progress)


def rows_under(schedule: Schedule, progress: Progress = no_progress) -> Iterator[Row]:
    """The odds of every wager that a schedule decides, shipped or not; its game's other schedules are the defaults.

    >>> from rules.schedules import shipped
    >>> [(row.wager, decimal_text(row.house_edge)) for row in rows_under(shipped("war_8_1_2"))]
    [('tie', '0.186495')]
    """
    by_wager = _with(chosen(schedule.game, GAMES[schedule.game].schedules), schedule)
    for part in _PARTS[schedule.game]:
        if part.wagers & schedule.odds.keys():
            yield from _kept(part, by_wager, progress)


def _with(by_wager: ByWager, schedule: Schedule) -> ByWager:
    """A game's schedules with this one in its place."""
    return MappingProxyType({**by_wager, **dict.fromkeys(schedule.odds, schedule)})


def _kept(part: _Part, by_wager: ByWager, progress: Progress) -> Iterator[Row]:
    """The rows of a part under these schedules."""
    only = MappingProxyType({wager: schedule for wager, schedule in by_wager.items() if wager in part.wagers})
    return part.rows(only, progress)
