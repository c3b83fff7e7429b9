"""``python -m rules schema``: what it says of decks, promotions and a month is what their commands read and answer."""

import json
import random
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from rules.__main__ import main
from rules.cards import CARD_TEXTS
from rules.cli.decks import answered
from rules.decks.lives import Deck
from rules.records import RecordError
from rules.records.deck_lines import decode_deck_line
from rules.records.promotions import read_promotion
from rules.records.schemas import schemas
from tests.support.sources import ROOT

GOLD_DRAW = json.loads((ROOT / "tests/rules/promotions/gold_draw.json").read_text("utf-8"))
WHOLE = " ".join(CARD_TEXTS)
ACTS: tuple[dict[str, Any], ...] = (
    {"act": "deliver", "game": "caribbean_stud", "back": "red"},
    {"act": "put_in", "table": "T4"},
    {"act": "check", "how": "dealer", "found": WHOLE, "other_backs": [{"face": "2c", "back": "blue"}]},
    {"act": "check", "how": "deck_checking_device", "found": WHOLE},
    {"act": "secure", "pre_shuffled": False},
    {"act": "put_in", "table": "T4"},
    {"act": "count", "ordered_by": "inspector", "found": WHOLE},
    {"act": "shift", "to": "the second device"},
    {"act": "change", "why": "worn", "between_rounds": True, "device": "shoe"},
    {"act": "set_right", "cards": "2c joker", "new_deck": "D9"},
    {"act": "retire", "why": "worn"},
)


VALUES: tuple[Any, ...] = (None, 7, [], "")


@pytest.fixture(scope="module")
def every() -> Any:
    """What the command prints, read back."""
    return json.loads(json.dumps(schemas()))


def validator(schema: Any) -> Any:
    """Who holds values to a schema."""
    return Draft202012Validator(schema)


def test_acts_on_decks_and_their_answers(every: Any) -> None:
    """CSP 3.1 to 3.8: every act is of its schema, and its answer of the answers' or, of a bad line, of the error's."""
    decks: dict[str, Deck] = {}
    kinds = set()
    for act in ACTS:
        line = {"deck": "D7", "at": "2026-11-28T06:00:00+11:00", "by": "J. Ho"} | act
        validator(every["deck"]["act"]).validate(line)
        said = json.loads(json.dumps({"line": 1} | answered(json.dumps(line).encode(), decks)))
        validator(every["deck"]["answer"]).validate(said)
        kinds.add("error" in said)
    assert kinds == {True, False}
    validator(every["error"]).validate({"line": 1} | answered(b'{"act":"burn"}', decks))


def test_what_an_act_may_not_be(every: Any) -> None:
    """A field more, less, or of another kind: what the reader refuses the schema refuses too."""
    of_act = validator(every["deck"]["act"])
    refused = 0
    for act in ACTS:
        line = {"deck": "D7", "at": "2026-11-28T06:00:00+11:00", "by": "J. Ho"} | act
        changed = [line | {name: value} for name in [*line, "luck"] for value in VALUES]
        changed += [{name: line[name] for name in line if name != left} for left in line]
        for each in changed:
            try:
                decode_deck_line(json.dumps(each).encode())
            except RecordError:
                refused += 1
                assert each.get("at") == "" or not of_act.is_valid(each), each
    assert refused > 200


def test_a_promotion_and_what_a_check_says(every: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """CSP 17: the document is of its schema; findings, a document that is none, and kept claims of the answer's."""
    validator(every["promotion"]["document"]).validate(GOLD_DRAW)
    bad, breach = tmp_path / "bad.json", tmp_path / "breach.json"
    bad.write_text('{"name":"Gold Draw"}')
    breach.write_text(json.dumps(GOLD_DRAW | {"scrutineer": ""}))
    main(["promotion", "--json", str(ROOT / "tests/rules/promotions/gold_draw.json"), str(bad), str(breach)])
    said = json.loads(capsys.readouterr().out)
    assert [("error" in each, len(each.get("findings", []))) for each in said["documents"]] == [
        (False, 0),
        (True, 0),
        (False, 3),
    ]
    validator(every["promotion"]["answer"]).validate(said)


def test_what_a_promotion_may_not_be(every: Any) -> None:
    """One value at a time made something else: what the reader refuses the schema refuses too."""
    chance, of_document = random.Random(4), validator(every["promotion"]["document"])
    refused = 0
    for _ in range(400):
        document = json.loads(json.dumps(GOLD_DRAW))
        at = chance.choice([each for each in _objects(document) if each])
        at[chance.choice([*at, "luck"])] = chance.choice([None, -1, [], {}, "2026-13", 2**63, True])
        try:
            read_promotion(json.dumps(document).encode())
        except RecordError:
            refused += 1
            assert not of_document.is_valid(document), document
    assert refused > 200


def _objects(value: Any) -> list[dict[str, Any]]:
    if isinstance(value, dict):
        return [value, *(each for inner in value.values() for each in _objects(inner))]
    return [each for inner in value for each in _objects(inner)] if isinstance(value, list) else []


def test_the_lists_of_a_month(every: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """CSP 14.19: what the command answers, errors and kept stakes of nobody with it, is of its schema."""
    told = {"payment_errors": [{"seat": 1, "wager": "cash_change", "paid_cents": 0, "owed_cents": 900_000}]}
    seat = {"seat": 1, "wagers": [{"wager": "small", "cents": 700}], "void_for": "invalid"}
    line = {"game": "sic_bo", "dice": [4, 5, 6], "seats": [seat]} | told
    rounds, settled = tmp_path / "rounds.jsonl", tmp_path / "settled.jsonl"
    named = line | {"table": "S1", "round": 1, "found_at": "2026-11-03T00:00:00Z"}
    rounds.write_text(f"{json.dumps(line)}\n{json.dumps(named)}\n{{}}\n")
    main(["settle", str(rounds)])
    settled.write_text(capsys.readouterr().out)
    main(["month", "--month", "2026-11", "--json", str(settled)])
    said = json.loads(capsys.readouterr().out)
    assert (len(said["payment_errors"]), len(said["kept"]), len(said["errors"])) == (1, 1, 6)
    validator(every["month"]["answer"]).validate(said)
