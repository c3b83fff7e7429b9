"""Schedules of odds as data: the shipped one is the rule text's, and a bad one is refused with line and field."""

from importlib import resources

import pytest

from rules.games import GAMES
from rules.schedules import ROWS, SHIPPED, ScheduleError, parse_schedule, shipped
from rules.wagers import Odds

TEXT = resources.files("rules").joinpath("csp_10_1.toml").read_text("utf-8")


def test_the_shipped_odds_are_those_of_the_rule_text() -> None:
    """CSP 10.1, row by row."""
    schedule = shipped("csp_10_1")
    assert (schedule.edition, schedule.rule, schedule.approval) == ("2024-08-16", "CSP 10.1", "DF24/017426")
    assert {row: str(odds) for row, odds in schedule.odds["bet"].items()} == {
        "one_pair_or_less": "1 to 1",
        "two_pairs": "2 to 1",
        "three_of_a_kind": "3 to 1",
        "straight": "4 to 1",
        "flush": "5 to 1",
        "full_house": "7 to 1",
        "four_of_a_kind": "20 to 1",
        "straight_flush": "50 to 1",
        "royal_flush": "250 to 1",
    }
    assert schedule.odds["ante"] == {"win": Odds(1, 1)}


def test_every_shipped_schedule_reads_and_bears_its_name() -> None:
    """A table names a schedule that exists, of its game and edition."""
    for name in SHIPPED:
        schedule = shipped(name)
        assert schedule.name == name
        assert schedule.edition == GAMES[schedule.game].edition
        assert {wager: tuple(rows) for wager, rows in schedule.odds.items()} == ROWS[schedule.game]
    assert {game.schedule for game in GAMES.values()} <= set(SHIPPED)
    with pytest.raises(KeyError):
        shipped("none")


BAD = [
    ('royal_flush = "250 to 1"', 'royal_flush = "250:1"', 20, "odds.bet.royal_flush", "250:1"),
    ('royal_flush = "250 to 1"', "royal_flush = 250", 20, "odds.bet.royal_flush", "250"),
    ('royal_flush = "250 to 1"', "royal_flush = 2.5", 20, "odds.bet.royal_flush", "2.5"),
    ('royal_flush = "250 to 1"', 'royal_flush = "0 to 1"', 20, "odds.bet.royal_flush", "0 to 1"),
    ('royal_flush = "250 to 1"', 'royal_flush = "5 to 0"', 20, "odds.bet.royal_flush", "5 to 0"),
    ('royal_flush = "250 to 1"', 'royal_flush = "9999999 to 1"', 20, "odds.bet.royal_flush", "9999999 to 1"),
    (
        'royal_flush = "250 to 1"',
        'royal_flush = "\N{FULLWIDTH DIGIT ONE} to 1"',
        20,
        "odds.bet.royal_flush",
        "\N{FULLWIDTH DIGIT ONE} to 1",
    ),
    ('royal_flush = "250 to 1"', "", 0, "odds.bet.royal_flush", ""),
    ('royal_flush = "250 to 1"', 'royal = "250 to 1"', 20, "odds.bet.royal", "250 to 1"),
    ("[odds.ante]", "[odds.tie]", 8, "odds.tie", "{'win': '1 to 1'}"),
    ('[odds.ante]\nwin = "1 to 1"', "", 0, "odds.ante", ""),
    ('game = "caribbean_stud"', 'game = "faro"', 3, "game", "faro"),
    ('game = "caribbean_stud"', "", 0, "game", ""),
    ('name = "csp_10_1"', 'name = ""', 2, "name", ""),
    ('approval = "DF24/017426"', "approval = true", 6, "approval", "True"),
    ('approval = "DF24/017426"', 'approval = "x"\nnote = "y"', 7, "note", "y"),
    ('rule = "CSP 10.1"', 'rule = "CSP 10.1', 5, "", 'rule = "CSP 10.1'),
    ('rule = "CSP 10.1"', 'rule = "a"\nrule = "b"', 6, "", 'rule = "b"'),
]


@pytest.mark.parametrize(("old", "new", "line", "field", "value"), BAD)
def test_a_bad_schedule_names_line_and_field(old: str, new: str, line: int, field: str, value: str) -> None:
    """A field too many, too few, twice or of another form is refused where it stands."""
    assert old in TEXT
    with pytest.raises(ScheduleError) as caught:
        parse_schedule(TEXT.replace(old, new))
    assert (caught.value.line, caught.value.field, caught.value.value) == (line, field, value)


def test_deep_nesting_is_refused() -> None:
    """A text made to exhaust the reader is refused like any other."""
    with pytest.raises(ScheduleError):
        parse_schedule("x = " + "[" * 100_000)
