"""``python -m rules odds`` and ``sign``: one object of rows in the promised form, and bad calls refused by name."""

import json
from fractions import Fraction
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from rules.__main__ import main
from rules.games import GAMES
from rules.terms import fingerprint, parse_terms
from tests.support.schedules import edited

TERMS = resources.files("jackpot").joinpath("demo_terms.json")


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    """What a command answers as JSON."""
    assert main([*arguments, "--json"]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    return json.loads(captured.out)


# Of Caribbean Stud and Four Card Poker a whole count takes long; what they count is held by test_odds_published.
SOON_COUNTED = ["three_card_poker", "casino_war", "sic_bo"]


@pytest.mark.parametrize("game", SOON_COUNTED)
def test_every_row_has_its_form(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The fields of a row, exact numbers as n/d with a decimal beside, and sums that hold."""
    answer = said(capsys, "odds", game)
    assert answer.keys() == {"rows"}
    for row in answer["rows"]:
        assert row.keys() == {
            *("game", "schedule", "settings", "wager", "strategy", "outcomes", "method", "standard_error"),
            *("expected_return", "expected_return_decimal", "house_edge", "house_edge_decimal"),
        }
        assert row["game"] == game
        pays = sum(Fraction(each["pays"]) * Fraction(each["ways"], each["of"]) for each in row["outcomes"])
        assert pays == Fraction(row["expected_return"]) == -Fraction(row["house_edge"])
        assert abs(Fraction(row["house_edge_decimal"]) - Fraction(row["house_edge"])) < Fraction(1, 10**9)
        assert sum(each["ways"] for each in row["outcomes"]) == row["outcomes"][0]["of"]


def test_a_pay_table_of_ones_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """--schedule takes a pay table that is not shipped, also odds to more than one, and shows what it decides."""
    path = tmp_path / "nine.toml"
    path.write_text(edited("war_8_1_2", ('"10 to 1"', '"23 to 2"'), ("war_8_1_2", "nine")), "utf-8")
    (row,) = said(capsys, "odds", "--schedule", str(path))["rows"]
    assert (row["schedule"], row["wager"], row["outcomes"][0]["pays"]) == ("nine", "tie", "23/2")
    assert Fraction(row["house_edge"]) == 1 - Fraction(25, 2) * Fraction(23, 311)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (('"10 to 1"', '"10:1"'), "line 9: odds.tie.win: 10:1: not odds"),
        (("[odds.tie]", "[odds.draw]"), "odds.draw"),
        (('rule = "WAR 8.1.2"', "rule = 8"), "line 5: rule: 8: not a text"),
        (("[odds.tie]", "[odds.tie"), "line 8"),
        (('game = "casino_war"', 'game = "sic_bo"'), "odds.tie"),
    ],
)
def test_a_bad_pay_table_is_refused_with_line_and_field(
    change: tuple[str, str], words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Issue part 4: the file, its line and the field are named, on standard error only."""
    path = tmp_path / "bad.toml"
    path.write_text(edited("war_8_1_2", change), "utf-8")
    assert main(["odds", "--schedule", str(path)]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert f"{path}: " in captured.err
    assert words in captured.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["odds", "sic_bo", "--meter", "500"], "no jackpot is linked to sic_bo"),
        (["odds", "caribbean_stud", "--meter", "-1"], "--meter: -1"),
        (["odds", "sic_bo", "--schedule", "none.toml"], "none.toml"),
        (["sign", "sic_bo", "--meter", "500"], "no jackpot is linked to sic_bo"),
        (["sign", "casino_war", "--table", "none.json"], "none.json"),
    ],
)
def test_what_cannot_be_asked(arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A call that makes no sense is refused by its argument, with exit code 2."""
    assert main(arguments) == 2
    assert words in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[]", "expected object, got array"),
        ("{", "not JSON"),
        ('{"limit": {}}', "limit: {}: unknown field"),
        ('{"limits": {"ante_min": 5}}', "limits.ante_min: 5: unknown field"),
        ('{"limits": {"ante_min_cents": 0}}', "ante_min_cents"),
        ('{"limits": {"ante_min_cents": "5"}}', "ante_min_cents"),
        ('{"settings": {"dealer_qualifies": "never"}}', "dealer_qualifies"),
        ('{"schedules": ["sic_7_1"]}', "sic_7_1"),
    ],
)
def test_a_bad_table_is_refused(text: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A sign is never made of settings that no table could have."""
    path = tmp_path / "table.json"
    path.write_text(text, "utf-8")
    assert main(["sign", "three_card_poker", "--table", str(path)]) == 2
    assert words in capsys.readouterr().err


def test_a_sign_states_the_tables_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """TCP 6.1, 10.2: minimums, the schedule the table names, and the chances under its reading."""
    path = tmp_path / "table.json"
    path.write_text(
        '{"limits": {"ante_min_cents": 1000}, "schedules": ["tcp_ante_bonus_3_2_1"]}',
        "utf-8",
    )
    sign = said(capsys, "sign", "three_card_poker", "--table", str(path))
    assert (sign["limits"]["rule"], sign["limits"]["ante_min_cents"]) == ("TCP 6.1", 1000)
    assert {each["schedule"] for each in sign["odds"] if each["wager"] == "ante_bonus"} == {"tcp_ante_bonus_3_2_1"}
    assert sign["rulings"] == {"dealer_qualifies": "value"}
    assert [each["house_edge_decimal"][:6] for each in sign["chances"] if each["wager"] == "ante"] == ["0.0427"]


@pytest.mark.parametrize(
    ("game", "edition", "reference"),
    [
        ("caribbean_stud", "2024-08-16", "DF24/017426"),
        ("three_card_poker", "2024-08-16", "DF24/017426"),
        ("four_card_poker", "2016-08-17", ""),
        ("casino_war", "2016-08-17", ""),
        ("sic_bo", "2024-08-19", ""),
    ],
)
def test_a_sign_names_the_edition_of_its_rules(
    game: str, edition: str, reference: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Who compares a sign with the approved rules finds their date, and the authority's reference if there is one."""
    sign = said(capsys, "sign", game)
    assert (sign["edition"], sign["reference"]) == (edition, reference)
    assert main(["sign", game]) == 0
    named = f"{edition} ({reference})" if reference else edition
    assert capsys.readouterr().out.splitlines()[0].endswith(f"rules of {named}")


def test_a_sign_of_sic_bo_says_how_even_is_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """SIC 3.3.2: a sign that offers Even names its reading; a bet that is not offered is not on it."""
    path = tmp_path / "table.json"
    path.write_text('{"limits": {"offered": ["even"]}, "settings": {"even_on_10": "win"}}', "utf-8")
    sign = said(capsys, "sign", "sic_bo", "--table", str(path))
    assert sign["rulings"]["even_on_10"] == "win"
    wagers = [each["wager"] for each in sign["chances"]]
    assert wagers.count("even") == 1
    assert not {"odd", "four_numbers", "super_streak_small"} & set(wagers)
    assert not {"odd", "four_numbers", "super_streak"} & {each["wager"] for each in sign["odds"]}


def test_a_sign_carries_the_fingerprint_of_its_terms(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """CASES 49: the prizes on a sign are those of the terms, under their fingerprint, with the chance at a meter."""
    terms = parse_terms(TERMS.read_bytes())
    path = tmp_path / "terms.json"
    path.write_bytes(TERMS.read_bytes())
    sign = said(capsys, "sign", "caribbean_stud", "--terms", str(path), "--meter", "15981053")
    assert sign["jackpot"]["terms"] == fingerprint(terms)
    assert [each["prize"] for each in sign["jackpot"]["prizes"]] == [each.name for each in terms.pay_table]
    (chance,) = [each for each in sign["chances"] if each["wager"] == "jackpot"]
    assert chance["house_edge_decimal"].startswith("-0.00000")
    (ante,) = [each for each in sign["chances"] if each["wager"] == "ante"]
    assert ante["house_edge_decimal"].startswith("0.05199")


def test_a_sign_is_the_notice_of_a_maximum_payout(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """CSP 10.2: the maximum payout of the bet stands on a notice at the table, with what it counts."""
    path = tmp_path / "table.json"
    path.write_text('{"settings": {"max_payout_cents": 5000000, "max_payout_covers": "with_stake"}}', "utf-8")
    sign = said(capsys, "sign", "caribbean_stud", "--table", str(path))
    limited = sign["maximum_payout"].pop("limits")
    assert sign["maximum_payout"] == {
        "rule": "CSP 10.2",
        "wager": "bet",
        "cents": 5000000,
        "covers": "with_stake",
        "chances_count_it": False,
    }
    assert limited[-1] == {"result": "royal_flush", "paid_in_full_up_to_cents": 5000000 // 251}
    assert main(["sign", "caribbean_stud", "--table", str(path)]) == 0
    assert "Maximum payout on a bet: 5000000 cents, the stake counted (CSP 10.2)" in capsys.readouterr().out


def test_a_sign_says_which_results_a_maximum_payout_limits(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """CSP 10.2: only those that a bet this table takes can bring over it; the chances are of wins paid in full."""
    path = tmp_path / "table.json"
    table = {"limits": {"ante_min_cents": 500, "ante_max_cents": 1000}, "settings": {"max_payout_cents": 100_000}}
    path.write_text(json.dumps(table), "utf-8")
    assert main(["sign", "caribbean_stud", "--table", str(path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if "limited by it" in line] == [
        "  royal flush: limited by it on a bet of more than 400 cents"
    ]
    assert "  The chances and house edges above count every win as paid in full." in lines
    path.write_text(json.dumps(table | {"settings": {"max_payout_cents": 500_000}}), "utf-8")
    assert said(capsys, "sign", "caribbean_stud", "--table", str(path))["maximum_payout"]["limits"] == []


def test_a_sign_never_asks_another_jackpot_wager_than_its_terms(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """CSP 11.3, 11.9.3, CASES 49: one amount of the wager, on the table's sign and in the link's terms."""
    table, terms = tmp_path / "table.json", tmp_path / "terms.json"
    table.write_text('{"limits": {"jackpot_cents": 200}}', "utf-8")
    terms.write_bytes(TERMS.read_bytes())
    assert main(["sign", "caribbean_stud", "--table", str(table), "--terms", str(terms)]) == 2
    assert "limits.jackpot_cents: 200: by the terms the wager is 100 cents (CSP 11.3)" in capsys.readouterr().err


@pytest.mark.parametrize("game", SOON_COUNTED)
def test_people_read_it_too(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Without --json the same stands in tables."""
    assert main(["odds", game]) == 0
    assert " %" in capsys.readouterr().out
    assert main(["sign", game]) == 0
    assert GAMES[game].title in capsys.readouterr().out
