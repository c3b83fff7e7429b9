"""What a winning wager pays: the approved prize schedules, as data with their rule, edition and approval reference.

The shipped ones lie beside this module as ``.toml``. Knows which rows a game needs only as it is told (``games``).
"""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import Final

from rules.wagers import Odds

Rows = Mapping[str, tuple[str, ...]]
"""The rows a game's schedule has: for each wager the results it pays on."""

CARIBBEAN_STUD_ROWS: Final[Rows] = MappingProxyType(
    {
        "ante": ("win",),
        "bet": (
            *("one_pair_or_less", "two_pairs", "three_of_a_kind", "straight", "flush"),
            *("full_house", "four_of_a_kind", "straight_flush", "royal_flush"),
        ),
    }
)
"""The rows of CSP 10.1."""

ROWS: Final[Mapping[str, Rows]] = MappingProxyType({"caribbean_stud": CARIBBEAN_STUD_ROWS})
"""The rows of each game's schedules, by game."""

SHIPPED: Final = ("csp_10_1",)
"""The names of the schedules that lie beside this module."""

MOST_ODDS: Final = 1_000_000
"""A million to one: no schedule pays more, and an amount of any sign times this stays a number people can check."""

_HEADINGS: Final = ("name", "game", "edition", "rule", "approval")
_ODDS: Final = re.compile(r"([1-9][0-9]{0,6}) to ([1-9][0-9]{0,6})")
_LONGEST_SHOWN: Final = 40


class ScheduleError(ValueError):
    """A schedule that cannot be read: the line of its text (0 where one is missing), field, value and reason."""

    def __init__(self, line: int, field: str, value: str, reason: str) -> None:
        self.line = line
        self.field = field
        self.value = value[:_LONGEST_SHOWN]
        self.reason = reason
        super().__init__(f"line {line}: {field}: {self.value}: {reason}")


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
    try:
        stated = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = re.search(r"at line (\d+)", str(error))
        line = int(found[1]) if found else text.count("\n") + 1
        raise ScheduleError(line, "", _line_text(text, line), f"not TOML: {error}") from error
    except RecursionError as error:
        raise ScheduleError(0, "", "", "not TOML that a schedule could be: nested too deep") from error
    headings = {name: _heading(stated, name, text) for name in _HEADINGS}
    rows = ROWS.get(headings["game"])
    if rows is None:
        reason = f"no game that has schedules: {', '.join(ROWS)}"
        raise ScheduleError(_line_of(text, "game"), "game", headings["game"], reason)
    _same_names(stated, (*_HEADINGS, "odds"), "", text)
    wagers = _table(stated["odds"], "odds", text)
    _same_names(wagers, tuple(rows), "odds", text)
    odds: dict[str, Mapping[str, Odds]] = {}
    for wager, results in rows.items():
        table = _table(wagers[wager], f"odds.{wager}", text)
        _same_names(table, results, f"odds.{wager}", text)
        odds[wager] = MappingProxyType(
            {result: _read_odds(table[result], f"odds.{wager}.{result}", text) for result in results}
        )
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


def _heading(stated: Mapping[str, object], name: str, text: str) -> str:
    """One of the texts at the head of a schedule."""
    if name not in stated:
        raise ScheduleError(0, name, "", "missing")
    value = stated[name]
    if not isinstance(value, str) or not value.isprintable() or not 1 <= len(value) <= 80:
        raise ScheduleError(_line_of(text, name), name, str(value), "not a text of 1 to 80 printable characters")
    return value


def _table(value: object, field: str, text: str) -> Mapping[str, object]:
    """A value that is a table."""
    if not isinstance(value, dict):
        raise ScheduleError(_line_of(text, field), field, str(value), "not a table")
    return value


def _same_names(stated: Mapping[str, object], names: tuple[str, ...], field: str, text: str) -> None:
    """Refuse names too many and too few."""
    for name, value in stated.items():
        if name not in names:
            path = f"{field}.{name}" if field else name
            raise ScheduleError(_line_of(text, path), path, str(value), f"unknown; known are {', '.join(names)}")
    for name in names:
        if name not in stated:
            raise ScheduleError(0, f"{field}.{name}" if field else name, "", "missing")


def _read_odds(value: object, field: str, text: str) -> Odds:
    """Odds as the rule text prints them."""
    found = _ODDS.fullmatch(value) if isinstance(value, str) else None
    if found is None or int(found[1]) > MOST_ODDS or int(found[2]) > MOST_ODDS:
        raise ScheduleError(_line_of(text, field), field, str(value), 'not odds like "3 to 1"')
    return Odds(int(found[1]), int(found[2]))


def _line_of(text: str, field: str) -> int:
    """The line on which a field stands, 0 where it cannot be told (a table written in one line, a quoted name)."""
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
