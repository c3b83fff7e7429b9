"""Schedules of odds as data: the shipped one is the rule text's, and a bad one is refused with line and field."""

from importlib import resources

import pytest

from rules.charts import CHARTS
from rules.games import GAMES
from rules.schedules import SHIPPED, BadChoice, ScheduleError, chosen, parse_schedule, shipped
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
        assert schedule.game not in GAMES or schedule.edition == GAMES[schedule.game].edition
        assert {wager: tuple(rows) for wager, rows in schedule.odds.items()} in CHARTS[schedule.game]
    with pytest.raises(KeyError):
        shipped("none")


def test_each_game_is_paid_by_one_schedule_of_each_chart() -> None:
    """A game's own schedules pay each of its wagers, and none twice."""
    for game in GAMES.values():
        paid = [wager for name in game.schedules for wager in shipped(name).odds]
        assert sorted(paid) == sorted(wager for chart in CHARTS[game.name] for wager in chart)
        assert set(chosen(game.name, game.schedules)) == set(paid)


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
    ('royal_flush = "250 to 1"', "", 11, "odds.bet.royal_flush", ""),
    ('royal_flush = "250 to 1"', '"royal flush" = "250 to 1"', 11, "odds.bet.royal flush", "250 to 1"),
    ('royal_flush = "250 to 1"', f'{"k" * 50_000} = "250 to 1"', 20, f"odds.bet.{'k' * 40}", "250 to 1"),
    ('royal_flush = "250 to 1"', '"\\u001b[31m" = "250 to 1"', 11, "odds.bet.\\x1b[31m", "250 to 1"),
    ("# Rule 10.1", "\ufeff# Rule 10.1", 1, "", "\\ufeff# Rule 10.1 of Caribbean Stud Poker as "[:40]),
    ('royal_flush = "250 to 1"', 'royal = "250 to 1"', 20, "odds.bet.royal", "250 to 1"),
    ("[odds.ante]", "[odds.tie]", 8, "odds.tie", "{'win': '1 to 1'}"),
    ('[odds.ante]\nwin = "1 to 1"', "", 10, "odds.ante", ""),
    ('game = "caribbean_stud"', 'game = "faro"', 3, "game", "faro"),
    ('game = "caribbean_stud"', "", 1, "game", ""),
    ('name = "csp_10_1"', 'name = ""', 2, "name", ""),
    ('approval = "DF24/017426"', "approval = true", 6, "approval", "True"),
    ('approval = "DF24/017426"', 'approval = "x"\nnote = "y"', 7, "note", "y"),
    ('edition = "2024-08-16"', 'edition = "2024-13-45"', 4, "edition", "2024-13-45"),
    ('edition = "2024-08-16"', 'edition = "2023-02-29"', 4, "edition", "2023-02-29"),
    ('edition = "2024-08-16"', 'edition = "20240816"', 4, "edition", "20240816"),
    ('edition = "2024-08-16"', 'edition = "2024-W33-5"', 4, "edition", "2024-W33-5"),
    ('rule = "CSP 10.1"', 'rule = "XX"', 5, "rule", "XX"),
    ('rule = "CSP 10.1"', 'rule = "XX 10.1"', 5, "rule", "XX 10.1"),
    ('rule = "CSP 10.1"', 'rule = "SIC 7.1"', 5, "rule", "SIC 7.1"),
    ('rule = "CSP 10.1"', 'rule = "CSP"', 5, "rule", "CSP"),
    ('rule = "CSP 10.1"', 'rule = "CSP 10."', 5, "rule", "CSP 10."),
    ('rule = "CSP 10.1"', 'rule = "CSP ten"', 5, "rule", "CSP ten"),
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


PAIR_PLUS = resources.files("rules").joinpath("tcp_pair_plus_40_30_6_4_1.toml").read_text("utf-8")


@pytest.mark.parametrize(
    ("old", "new", "line", "field"),
    [
        ("[odds.pair_plus]", "[odds.pair_minus]", 8, "odds.pair_minus"),
        ("[odds.pair_plus]", "[odds]", 9, "odds.one_pair"),
        ("[odds.pair_plus]", '[odds.ante]\nwin = "1 to 1"\n[odds.pair_plus]', 10, "odds.pair_plus"),
        ('flush = "4 to 1"\n', "", 8, "odds.pair_plus.flush"),
    ],
)
def test_a_schedule_is_of_one_chart(old: str, new: str, line: int, field: str) -> None:
    """A schedule has the rows of one chart of its game, all of them and no others."""
    assert old in PAIR_PLUS
    with pytest.raises(ScheduleError) as caught:
        parse_schedule(PAIR_PLUS.replace(old, new))
    assert (caught.value.line, caught.value.field) == (line, field)


@pytest.mark.parametrize(
    ("names", "place"),
    [
        (("none",), 0),
        (("tcp_10_1", "csp_10_1"), 1),
        (("tcp_ante_bonus_5_4_1", "tcp_ante_bonus_3_2_1"), 1),
        (("tcp_10_1", "tcp_10_1"), 1),
    ],
)
def test_a_choice_that_cannot_be_is_refused(names: tuple[str, ...], place: int) -> None:
    """A table names schedules that exist, of its game, and one for each wager."""
    with pytest.raises(BadChoice) as caught:
        chosen("three_card_poker", GAMES["three_card_poker"].schedules, names)
    assert (caught.value.place, caught.value.name) == (place, names[place])
