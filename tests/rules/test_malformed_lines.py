"""Malformed input by the thousand: always an answer that names what is wrong, never a traceback; the rest goes on."""

import json
import random
import re
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from rules.__main__ import main
from rules.cli import odds, sign
from rules.games import GAMES
from rules.records import RecordError
from rules.schedules import parse_schedule
from rules.strict_json import SHOWN
from tests.oracle import gone_wrong
from tests.support.answers import answer_to
from tests.support.lines import question_line, round_line
from tests.support.spoiling import Spoilt, spoilt
from tests.support.terms import demo_tree

LINES = 600
"""Bad lines for each game and command; each run has others, by the seed in its header."""


@pytest.fixture
def chance(request: pytest.FixtureRequest) -> random.Random:
    """Chance from the seed that the run's header prints; shown again where a test fails."""
    seed = f"{request.config.getoption('hypothesis_seed')}/{request.node.name}"
    print(f"chance of this test: {seed}")  # noqa: T201 - pytest shows it where the test fails
    return random.Random(seed)


def one_line(chance: random.Random, good: Any) -> Spoilt:
    """A bad line without a line's end in it."""
    while True:
        bad = spoilt(good, chance)
        if b"\n" not in bad.text and bad.text.strip():
            return bad


def answered(
    command: str, lines: list[bytes], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> dict[int, dict[str, Any]]:
    """What a command answers, by line; it ends as it should and says nothing else."""
    source = tmp_path / "lines.jsonl"
    source.write_bytes(b"".join(line + b"\n" for line in lines))
    code = main([command, str(source)])
    said = capsys.readouterr()
    assert said.err == ""
    answers = [json.loads(line) for line in said.out.splitlines()]
    assert code == int(any("error" in each for each in answers))
    found: dict[int, dict[str, Any]] = {}
    for each in answers:
        found.setdefault(each["line"], each)
    return found


def check_error(error: dict[str, Any], bad: Spoilt) -> None:
    """An error has its four fields and no more, shows little, and names the field where only one can be meant."""
    assert error.keys() == {"line", "field", "value", "error"}, bad
    assert error["error"], bad
    assert len(error["value"]) <= SHOWN, bad
    if bad.field is not None:
        said = error["field"]
        if said.startswith("jackpot.terms."):  # Terms have paths of their own, which name a place as `pools.0`.
            said = re.sub(r"\.(\d+)(?=\.|$)", r"[\1]", said)
        assert said == bad.field, (bad.how, error, bad.text[:600])


def goods(kind: str, chance: random.Random) -> Iterator[Any]:
    """Good lines for a command or a game; of rounds many with what people report of them."""
    while True:
        if kind == "ask":
            yield question_line(chance)
            continue
        line = round_line(kind, chance)
        try:
            yield gone_wrong.report(line, answer_to(line)["lines"], chance, equipment=kind == "caribbean_stud")
        except RecordError:
            yield line


def at_its_table(line: Any, number: int) -> bytes:
    """A line as text; a round is of a table of its own, where no round before it left anything."""
    return json.dumps(line if "ask" in line else line | {"table": f"T{number}"}).encode()


@pytest.mark.parametrize("kind", [*GAMES, "ask"])
def test_lines(kind: str, chance: random.Random, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Between bad lines every good one is answered as it is alone; every bad one is settled or says what is wrong."""
    command = "ask" if kind == "ask" else "settle"
    good = [line for line, _ in zip(goods(kind, chance), range(20), strict=False)]
    alone = answered(command, [at_its_table(line, place) for place, line in enumerate(good)], tmp_path, capsys)
    bad = [one_line(chance, chance.choice(good)) for _ in range(LINES)]
    between = [at_its_table(good[place % len(good)], place) for place in range(LINES)]
    mixed = [text for each, right in zip(bad, between, strict=True) for text in (each.text, right)]
    together = answered(command, mixed, tmp_path, capsys)
    assert together.keys() == set(range(1, len(mixed) + 1))
    errors = 0
    for place, each in enumerate(bad):
        answer = together[2 * place + 1]
        if "error" in answer:
            check_error(answer, each)
            errors += 1
        else:
            assert each.field is None, (each.how, each.text[:600])
        where = {"line": 0, "table": ""}
        assert together[2 * place + 2] | where == alone[place % len(good) + 1] | where
    assert errors > LINES // 2


def called(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    """A call's exit code, standard output and standard error."""
    code = main(arguments)
    said = capsys.readouterr()
    return code, said.out, said.err


@pytest.mark.parametrize("command", ["settle", "odds", "sign"])
def test_terms(command: str, chance: random.Random, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Terms that are none end the call with one sentence that names the file, and exit code 2."""
    path, lines = tmp_path / "terms.json", tmp_path / "none.jsonl"
    lines.write_bytes(b"")
    call = {"settle": [str(lines)], "odds": ["caribbean_stud"], "sign": ["caribbean_stud"]}[command]
    refused = 0
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(odds, "rows", lambda *_: iter(()))
        patch.setattr(sign, "rows_chosen", lambda *_: iter(()))
        for _ in range(LINES // 4):
            bad = spoilt(demo_tree(), chance)
            path.write_bytes(bad.text)
            code, _, err = called([command, *call, "--terms", str(path)], capsys)
            if code == 0:
                continue
            assert (code, err.count("\n")) == (2, 1), (bad.how, err)
            assert str(path) in err
            refused += 1
    assert refused > LINES // 8


TABLES: dict[str, Any] = {
    "caribbean_stud": {"limits": {"ante_min_cents": 500, "ante_max_cents": 50_000}, "settings": {}},
    "three_card_poker": {"settings": {"dealer_qualifies": "card"}, "schedules": ["tcp_ante_bonus_4_3_1"]},
    "casino_war": {"limits": {"initial_min_cents": 500}, "settings": {"payment_rounds": "down"}},
    "sic_bo": {
        "limits": {"min_cents": {"table": 100}, "offered": ["odd", "even"]},
        "settings": {"even_on_10": "win"},
        "schedules": ["sic_7_1", "sic_7_2"],
    },
}


@pytest.mark.parametrize("game", list(TABLES))
def test_a_tables_settings(
    game: str, chance: random.Random, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A table's file that is none ends ``sign`` with one sentence that names the file, and exit code 2."""
    path = tmp_path / "table.json"
    refused = 0
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sign, "rows_chosen", lambda *_: iter(()))
        for _ in range(LINES // 2):
            bad = spoilt(TABLES[game], chance)
            path.write_bytes(bad.text)
            code, _, err = called(["sign", game, "--table", str(path)], capsys)
            if code == 0:
                assert bad.field is None, (bad.how, bad.text[:600])
                continue
            assert (code, err.count("\n")) == (2, 1), (bad.how, err)
            assert str(path) in err
            refused += 1
    assert refused > LINES // 4


SCHEDULES = sorted(each.name for each in resources.files("rules").iterdir() if each.name.endswith(".toml"))


def spoilt_schedule(text: str, chance: random.Random) -> bytes:
    """A pay table's text with one line of it other than it should be."""
    lines = text.splitlines()
    at = chance.randrange(len(lines))
    name, _, _ = lines[at].partition("=")
    junk = ['"0 to 1"', '"1 to 0"', '"x"', "1", "true", "[]", "nan", "9" * 5_000, '"\\ud800"', '"é to 1"', "1979-05-27"]
    match chance.randrange(7):
        case 0:
            del lines[at]
        case 1:
            lines.insert(at, lines[at])
        case 2:
            lines[at] = f"{name}= {chance.choice(junk)}"
        case 3:
            lines.insert(at, f"luck = {chance.choice(junk)}")
        case 4:
            lines[at] = lines[at][: chance.randrange(len(lines[at]) + 1)]
        case 5:
            lines.insert(at, "x = " + "[" * chance.choice([50, 2_000, 100_000]))
        case _:
            raw = "\n".join(lines).encode()
            place = chance.randrange(len(raw))
            return raw[:place] + bytes([chance.choice([0, 0x80, 0xFF, 34, 91])]) + raw[place:]
    return "\n".join(lines).encode()


def test_pay_tables(chance: random.Random, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A pay table that is none ends ``odds`` with one sentence that names the file, and exit code 2."""
    path = tmp_path / "pays.toml"
    refused = 0
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(odds, "rows_under", lambda *_: iter(()))
        for _ in range(LINES):
            text = resources.files("rules").joinpath(chance.choice(SCHEDULES)).read_text("utf-8")
            data = spoilt_schedule(text, chance)
            path.write_bytes(data)
            code, _, err = called(["odds", "--schedule", str(path)], capsys)
            if code == 0:
                parse_schedule(data.decode())
                continue
            assert (code, err.count("\n")) == (2, 1), (data[:600], err)
            assert str(path) in err
            refused += 1
    assert refused > LINES // 4


def test_promotions(chance: random.Random, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A promotion's document that is none says line, field, value and error; the next is checked all the same."""
    good = Path(__file__).with_name("promotions") / "gold_draw.json"
    tree = json.loads(good.read_text("utf-8"))
    path = tmp_path / "promotion.json"
    refused = 0
    for _ in range(LINES // 2):
        bad = spoilt(tree, chance)
        path.write_bytes(bad.text)
        code, out, err = called(["promotion", "--json", str(path), str(good)], capsys)
        assert err == ""
        first, second = json.loads(out)["documents"]
        assert "error" not in second
        if "error" in first:
            assert code == 1
            assert first.keys() == {"file", "line", "field", "value", "error"}, bad.how
            assert first["error"]
            assert len(first["value"]) <= SHOWN
            assert bad.field is None or first["field"] == bad.field, (bad.how, first)
            refused += 1
        else:
            assert bad.field is None, bad.how
    assert refused > LINES // 8


@pytest.mark.parametrize("name", ["k" * 200_000, "\x1b[31m", "a\nb"])
@pytest.mark.parametrize("command", ["settle", "ask"])
def test_a_long_or_strange_name_is_cut_and_escaped(
    command: str, name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An unknown field is named as briefly as a value, in characters that no console stumbles over."""
    good: dict[str, dict[str, object]] = {
        "settle": {"game": "casino_war", "dealer": "8d", "seats": []},
        "ask": {"ask": "hand", "cards": "8d"},
    }
    found = answered(command, [json.dumps(good[command] | {name: 1}).encode()], tmp_path, capsys)
    assert found[1]["field"] == name.encode("unicode_escape").decode()[:SHOWN]
    assert found[1]["error"] == "unknown field"
