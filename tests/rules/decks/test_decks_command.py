"""``python -m rules decks``: the lives of decks from lines, and an answer for every line, whatever it holds."""

import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.__main__ import main
from rules.cards import CARD_TEXTS
from rules.cli.decks import answered
from rules.decks.lives import Deck

WHOLE = " ".join(CARD_TEXTS)
SHORT = " ".join(CARD_TEXTS[1:])


def line(act: str, hour: int, **fields: Any) -> dict[str, Any]:
    """A line about the deck D7 at an hour."""
    return {"act": act, "deck": "D7", "at": f"2026-11-28T{hour:02}:00:00+11:00", "by": "J. Ho"} | fields


LIFE = (
    # the line | the state after it, or what it is refused by
    (line("deliver", 6, game="caribbean_stud", back="red"), "new", "CSP 3.1"),
    (line("put_in", 6, table="T4"), "!not while it is new and not checked", "CSP 3.4"),
    (line("check", 7, how="deck_checking_device", found=SHORT + " joker"), "held", "CSP 3.4"),
    (line("set_right", 7, cards="2c joker", new_deck="D9"), "out", "CSP 14.9"),
    (line("check", 8, how="dealer", found=WHOLE), "checked", "CSP 3.4"),
    (line("secure", 8), "secured", "CSP 3.5"),
    (line("put_in", 18, table="T4"), "in", "CSP 3.4"),
    (line("count", 19, ordered_by="inspector", found=WHOLE), "in", "CSP 3.8"),
    (line("shift", 19, to="the second device"), "in", "CSP 3.6"),
    (
        line("change", 20, why="worn", between_rounds=False, device="shoe"),
        "!cards are changed after a round",
        "CSP 3.7",
    ),
    (line("change", 21, why="worn", between_rounds=True, device="shoe"), "out", "CSP 3.7"),
    (line("retire", 22, why="worn"), "retired", "CSP 3.7"),
    (line("check", 23, how="dealer", found=WHOLE), "!not while it is retired", "CSP 3.4"),
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The life of a deck in a file."""
    path = tmp_path / "decks.jsonl"
    path.write_text("".join(json.dumps(each) + "\n" for each, _, _ in LIFE))
    return path


def test_each_act_is_answered(capsys: pytest.CaptureFixture[str], file: Path) -> None:
    """CSP 3.1 to 3.8: where the deck stands since and by which rule; a refused act leaves it where it stood."""
    assert main(["decks", str(file)]) == 1
    said = [json.loads(each) for each in capsys.readouterr().out.splitlines()]
    assert len(said) == len(LIFE)
    for number, (answer, (_, state, rule)) in enumerate(zip(said, LIFE, strict=True), start=1):
        assert (answer["line"], answer["rule"]) == (number, rule)
        if state.startswith("!"):
            assert state[1:] in answer["error"]
        else:
            assert answer["state"] == state
    assert said[2]["faults"] == {"missing": ["2c"], "double": [], "foreign": [{"face": "joker", "back": "red"}]}
    assert said[4]["faults"] == {"missing": [], "double": [], "foreign": []}


def test_whole_lives(capsys: pytest.CaptureFixture[str], file: Path) -> None:
    """``--lives`` gives each deck with every entry of its life, and only the lines that were refused besides."""
    assert main(["decks", "--lives", str(file)]) == 1
    *refused, deck = [json.loads(each) for each in capsys.readouterr().out.splitlines()]
    assert [each["line"] for each in refused] == [2, 10, 13]
    assert (deck["id"], deck["state"], deck["back"]) == ("D7", "retired", "red")
    assert [each["state"] for each in deck["life"]] == [state for _, state, _ in LIFE if not state.startswith("!")]
    assert deck["life"][9]["words"] == "worn"


def test_other_backs_and_six_decks() -> None:
    """WAR 3.1, 3.3, 3.8: six decks as one; a card with another back is foreign, and its own is missing."""
    decks: dict[str, Deck] = {}
    six = " ".join([WHOLE] * 6)
    for each in (
        line("deliver", 6, game="casino_war", back="red"),
        line("check", 7, how="casino_supervisor", found=six),
        line("put_in", 8, table="W1"),
    ):
        answered(json.dumps(each).encode(), decks)
    found = six.removeprefix("2c ")
    said = line("count", 9, ordered_by="casino_supervisor", found=found, other_backs=[{"face": "2c", "back": "blue"}])
    answer = answered(json.dumps(said).encode(), decks)
    assert (answer["state"], answer["rule"]) == ("held", "WAR 3.8")
    assert answer["faults"] == {"missing": ("2c",), "double": (), "foreign": [{"face": "2c", "back": "blue"}]}


BAD = (
    (b"{", "", "not JSON"),
    (b'{"act":"burn"}', "act", "unknown; known are deliver, check"),
    (b"{}", "act", "unknown"),
    (json.dumps(line("deliver", 6, game="sic_bo", back="red")).encode(), "game", "invalid enum value"),
    (json.dumps(line("retire", 6)).encode(), "why", "missing"),
    (json.dumps(line("retire", 6, why="worn", colour=1)).encode(), "colour", "unknown field"),
    (json.dumps(line("retire", 6, why="worn")).encode(), "deck", "unknown: it was never delivered"),
    (
        json.dumps(line("retire", 6, why="worn") | {"at": "2026-11-28T06:00:00"}).encode(),
        "at",
        "expected datetime with a timezone",
    ),
    (b" " * 1_000_001, "", "longer than"),
)


@pytest.mark.parametrize(("data", "field", "error"), BAD)
def test_a_bad_line_is_named_by_its_field(data: bytes, field: str, error: str) -> None:
    """What is no act on a known deck is refused with field and reason, and changes no deck."""
    decks: dict[str, Deck] = {}
    answer = answered(data, decks)
    assert not decks
    assert answer["error"].lower().startswith(error.lower()), answer
    assert answer["field"] == field


def test_a_deck_is_delivered_once() -> None:
    """Every deck has an id of its own."""
    decks: dict[str, Deck] = {}
    data = json.dumps(LIFE[0][0]).encode()
    assert answered(data, decks)["state"] == "new"
    assert answered(data, decks)["error"].startswith("delivered already")


def test_no_such_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Exit code 2, and nothing on standard output."""
    assert main(["decks", str(tmp_path / "none.jsonl")]) == 2
    said = capsys.readouterr()
    assert (said.out, "none.jsonl" in said.err) == ("", True)


ODD: tuple[Any, ...] = (
    None,
    True,
    -1,
    10**30,
    1.5,
    "",
    "\0",
    "\ud800",
    "x" * 5000,
    "0001-01-01T00:00:00+14:00",
    [],
    {},
)


@given(st.integers(0, 2**32))
def test_no_line_ends_in_a_traceback(seed: int) -> None:
    """Whatever stands in its lines, every one is answered, and no deck stands where no row of the table leads."""
    rng = random.Random(seed)
    decks: dict[str, Deck] = {}
    for _ in range(rng.randrange(30)):
        stated = dict(rng.choice(LIFE)[0]) | {"at": "2026-11-28T06:00:00Z"}
        if rng.random() < 0.4:
            stated[rng.choice([*stated, "more"])] = rng.choice(ODD)
        before = dict(decks)
        answer = answered(json.dumps(stated).encode(), decks)
        if "error" in answer:
            assert decks == before
            assert answer["error"]
        else:
            assert answer["state"] == decks["D7"].state
