"""What a winning wager pays: the approved prize schedules, as data with their rule, edition and approval reference.

The shipped ones lie beside this module as ``.toml``. Which rows a game's schedules have, ``charts`` says.
"""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import Final

from rules.charts import CHARTS, Rows
from rules.strict_json import shown
from rules.wagers import Odds

SHIPPED: Final = (
    "csp_10_1",
    "tcp_10_1",
    "tcp_10_3",
    "tcp_ante_bonus_5_4_1",
    "tcp_ante_bonus_4_3_1",
    "tcp_ante_bonus_3_2_1",
    "tcp_pair_plus_40_30_6_4_1",
    "tcp_pair_plus_40_30_6_3_1",
    "fcp_10_1",
    "fcp_10_4",
    "fcp_ante_bonus_25_20_2",
    "fcp_aces_up_50_40_8_5_4_3_1",
    "fcp_aces_up_50_40_9_6_4_2_1",
    "war_8_1_2",
    "war_8_2_2",
    "war_10",
    "sic_7_1",
    "sic_7_2",
)
"""The names of the schedules that lie beside this module."""

MOST_ODDS: Final = 1_000_000
"""A million to one: no schedule pays more, and an amount of any sign times this stays a number people can check."""

_HEADINGS: Final = ("name", "game", "edition", "rule", "approval")
_BOOKS: Final = MappingProxyType(
    {"caribbean_stud": "CSP", "three_card_poker": "TCP", "four_card_poker": "FCP", "casino_war": "WAR", "sic_bo": "SIC"}
)
"""Of which book each game's clauses are."""

_CLAUSE: Final = re.compile(r"[1-9][0-9]?(\.[1-9][0-9]?){0,4}")
_EDITION: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_ODDS: Final = re.compile(r"([1-9][0-9]{0,6}) to ([1-9][0-9]{0,6})")
_TOO_MANY_DIGITS: Final = re.compile(r"[0-9_]{1000,}")


class ScheduleError(ValueError):
    """A schedule that cannot be read: the line of its text, field, value and reason.

    The line is 0 where none can be named, and that of the table where a field of it is missing.
    """

    def __init__(self, line: int, field: str, value: str, reason: str) -> None:
        self.line = line
        self.field = ".".join(map(shown, field.split(".")))
        self.value = shown(value)
        self.reason = reason
        super().__init__(": ".join(part for part in (f"line {line}", self.field, self.value, reason) if part))


@dataclass(frozen=True, slots=True)
class Schedule:
    """An approved schedule of odds."""

    name: str
    game: str
    edition: str
    """The rule edition it belongs to, by its date."""
    rule: str
    """The clause that prints the odds or leaves them to a sign."""
    approval: str
    """The reference under which it was approved."""
    odds: Mapping[str, Mapping[str, Odds]]
    """The odds by wager and result."""


def parse_schedule(text: str) -> Schedule:
    """The schedule that a TOML text states.

    Never takes a text with a field too many, too few or of another form. Raises ``ScheduleError`` with its line and
    field.

    >>> parse_schedule('name = 7')
    Traceback (most recent call last):
    rules.schedules.ScheduleError: line 1: name: 7: not a text of 1 to 80 printable characters
    """
    if text.startswith("\ufeff"):
        raise ScheduleError(1, "", text.splitlines()[0], "begins with a byte order mark, which TOML does not have")
    try:
        stated = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = re.search(r"at line (\d+)", str(error))
        line = int(found[1]) if found else text.count("\n") + 1
        raise ScheduleError(line, "", _line_text(text, line), f"not TOML: {error}") from error
    except ValueError as error:  # A number of more digits than Python makes one of.
        digits = _TOO_MANY_DIGITS.search(text)
        line = text.count("\n", 0, digits.start() if digits else 0) + 1
        raise ScheduleError(line, "", _line_text(text, line), "not TOML that a schedule could be: a number") from error
    except RecursionError as error:
        raise ScheduleError(0, "", "", "not TOML that a schedule could be: nested too deep") from error
    headings = {name: _heading(stated, name, text) for name in _HEADINGS}
    charts = CHARTS.get(headings["game"])
    if charts is None:
        reason = f"no game that has schedules: {', '.join(CHARTS)}"
        raise ScheduleError(_line_of(text, "game"), "game", headings["game"], reason)
    _same_names(stated, (*_HEADINGS, "odds"), "", text)
    wagers = _table(stated["odds"], "odds", text)
    rows = _chart(charts, wagers, text)
    _same_names(wagers, tuple(rows), "odds", text)
    odds: dict[str, Mapping[str, Odds]] = {}
    for wager, results in rows.items():
        table = _table(wagers[wager], f"odds.{wager}", text)
        _same_names(table, results, f"odds.{wager}", text)
        odds[wager] = MappingProxyType(
            {result: _read_odds(table[result], f"odds.{wager}.{result}", text) for result in results}
        )
    _check_edition(headings["edition"], text)
    _check_rule(headings["rule"], headings["game"], text)
    return Schedule(odds=MappingProxyType(odds), **headings)


@cache
def shipped(name: str) -> Schedule:
    """The shipped schedule of that name.

    Raises ``KeyError`` where none has it.

    >>> print(shipped("csp_10_1").odds["bet"]["royal_flush"])
    250 to 1
    """
    if name not in SHIPPED:
        raise KeyError(name)
    return parse_schedule(resources.files("rules").joinpath(f"{name}.toml").read_text("utf-8"))


class BadChoice(ValueError):
    """A choice of schedules that cannot be: its place among those named, the name, the reason."""

    def __init__(self, place: int, name: str, reason: str) -> None:
        self.place = place
        self.name = name
        self.reason = reason
        super().__init__(f"{name}: {reason}")


def chosen(game: str, defaults: tuple[str, ...], names: tuple[str, ...] = ()) -> Mapping[str, Schedule]:
    """The schedule that each wager of a game is paid by: those named, for the rest of the wagers the defaults.

    Raises ``BadChoice`` where there is none of a name, it is another game's, or two of them pay one wager.

    >>> by_wager = chosen("three_card_poker", ("tcp_10_1", "tcp_ante_bonus_5_4_1"), ("tcp_ante_bonus_3_2_1",))
    >>> {wager: schedule.name for wager, schedule in by_wager.items()}
    {'ante': 'tcp_10_1', 'ante_bonus': 'tcp_ante_bonus_3_2_1'}
    """
    named: dict[str, Schedule] = {}
    for place, name in enumerate(names):
        if name not in SHIPPED:
            raise BadChoice(place, name, f"unknown; known are {', '.join(SHIPPED)}")
        schedule = shipped(name)
        if schedule.game != game:
            raise BadChoice(place, name, f"a schedule of {schedule.game}, not of {game}")
        for wager in schedule.odds:
            if wager in named:
                raise BadChoice(place, name, f"{wager} is paid by {named[wager].name} already")
            named[wager] = schedule
    by_wager = {wager: schedule for schedule in map(shipped, defaults) for wager in schedule.odds}
    return MappingProxyType(by_wager | named)


def _heading(stated: Mapping[str, object], name: str, text: str) -> str:
    """One of the texts at the head of a schedule."""
    if name not in stated:
        raise ScheduleError(1, name, "", "missing")
    value = stated[name]
    if not isinstance(value, str) or not value.isprintable() or not 1 <= len(value) <= 80:
        raise ScheduleError(_line_of(text, name), name, str(value), "not a text of 1 to 80 printable characters")
    return value


def _check_edition(edition: str, text: str) -> None:
    """Refuse an edition that is no date of the calendar."""
    try:
        known = _EDITION.fullmatch(edition) is not None and bool(date.fromisoformat(edition))
    except ValueError:
        known = False
    if not known:
        raise ScheduleError(_line_of(text, "edition"), "edition", edition, "not a date like 2024-08-16")


def _check_rule(rule: str, game: str, text: str) -> None:
    """Refuse a rule that is no clause of the game's book."""
    book, _, clause = rule.partition(" ")
    if book != _BOOKS[game] or _CLAUSE.fullmatch(clause) is None:
        raise ScheduleError(
            _line_of(text, "rule"), "rule", rule, f'not a clause of its book like "{_BOOKS[game]} 10.1"'
        )


def _table(value: object, field: str, text: str) -> Mapping[str, object]:
    """A value that is a table."""
    if not isinstance(value, dict):
        raise ScheduleError(_line_of(text, field), field, str(value), "not a table")
    return value


def _chart(charts: tuple[Rows, ...], wagers: Mapping[str, object], text: str) -> Rows:
    """Which of its game's charts a schedule is of: the one that has its wagers; of a game with one, that one."""
    if len(charts) == 1:
        return charts[0]
    for chart in charts:
        if not wagers.keys().isdisjoint(chart):
            return chart
    known = ", ".join(wager for chart in charts for wager in chart)
    for wager, value in wagers.items():
        path = f"odds.{wager}"
        raise ScheduleError(_line_of(text, path), path, str(value), f"unknown; known are {known}")
    raise ScheduleError(_line_of(text, "odds"), "odds", "", f"missing: one or more of {known}")


def _same_names(stated: Mapping[str, object], names: tuple[str, ...], field: str, text: str) -> None:
    """Refuse names too many and too few."""
    for name, value in stated.items():
        if name not in names:
            path = f"{field}.{name}" if field else name
            raise ScheduleError(_line_of(text, path), path, str(value), f"unknown; known are {', '.join(names)}")
    for name in names:
        if name not in stated:
            raise ScheduleError(_line_of(text, field), f"{field}.{name}" if field else name, "", "missing")


def _read_odds(value: object, field: str, text: str) -> Odds:
    """Odds as the rule text prints them."""
    found = _ODDS.fullmatch(value) if isinstance(value, str) else None
    if found is None or int(found[1]) > MOST_ODDS or int(found[2]) > MOST_ODDS:
        raise ScheduleError(_line_of(text, field), field, str(value), 'not odds like "3 to 1"')
    return Odds(int(found[1]), int(found[2]))


def _line_of(text: str, field: str) -> int:
    """The line on which a field stands, or else the table it is in: 1 where that is the whole text."""
    while field:
        line = _named_line(text, field)
        if line:
            return line
        field = field.rpartition(".")[0]
    return 1


def _named_line(text: str, field: str) -> int:
    """The line on which a field is named, 0 where none is (a quoted name, one that is missing)."""
    section = ""
    for number, line in enumerate(text.splitlines(), start=1):
        heading = re.match(r"\s*\[\s*([^\]]+?)\s*\]", line)
        if heading:
            section = re.sub(r"\s", "", heading[1])
            if section == field or section.startswith(f"{field}."):
                return number
            continue
        named = re.match(r"\s*([A-Za-z0-9_.-]+)\s*=", line)
        if named:
            path = f"{section}.{named[1]}" if section else named[1]
            if path == field or field.startswith(f"{path}.") or path.startswith(f"{field}."):
                return number
    return 0


def _line_text(text: str, line: int) -> str:
    """What stands on a line."""
    lines = text.splitlines()
    return lines[line - 1].strip() if 1 <= line <= len(lines) else ""
