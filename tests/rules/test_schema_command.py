"""``python -m rules schema``: what the schemas say is what is read and answered."""

import json
import random
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator, ValidationError  # type: ignore[import-untyped]

from rules.__main__ import main
from rules.records import FORMS, RecordError, decode_any
from tests.oracle import gone_wrong
from tests.support.lines import question_line, round_line


@pytest.fixture(scope="module")
def schemas() -> Any:
    """What the command prints, read back."""
    from rules.records.schemas import schemas  # noqa: PLC0415 - the name is the fixture's

    return json.loads(json.dumps(schemas()))


def answers(tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str, lines: list[Any]) -> list[Any]:
    """What a command answers to these lines."""
    source = tmp_path / "lines.jsonl"
    source.write_text("".join(json.dumps(line) + "\n" for line in lines))
    main([command, str(source)])
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_one_object_of_schemas(schemas: Any, capsys: pytest.CaptureFixture[str]) -> None:
    """The command prints ``{game: {round, settlement}, ask, error}`` and what the other commands read and answer.

    Always a valid schema each, with an id of its own.
    """
    assert main(["schema"]) == 0
    assert json.loads(capsys.readouterr().out) == schemas
    assert schemas.keys() == {*FORMS, "ask", "error", "deck", "promotion", "month"}
    parts = [schemas["ask"], schemas["error"]]
    for name, kinds in (("deck", {"act", "answer"}), ("promotion", {"document", "answer"}), ("month", {"answer"})):
        assert schemas[name].keys() == kinds
        parts += schemas[name].values()
    for game in FORMS:
        assert schemas[game].keys() == {"round", "settlement"}
        parts += schemas[game].values()
    for part in parts:
        Draft202012Validator.check_schema(part)
        assert part["$schema"] == Draft202012Validator.META_SCHEMA["$id"]
    assert len({part["$id"] for part in parts}) == len(parts)
    assert "\\\\Z" not in json.dumps(parts)


@pytest.mark.parametrize("game", list(FORMS))
def test_what_is_read_and_what_is_answered_is_what_the_schemas_say(
    schemas: Any, game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Random rounds, also gone wrong, are of the round's schema, their answers of the settlement's or an error's."""
    chance = random.Random(9)
    rounds = [round_line(game, chance) for _ in range(150)]
    of_round, of_settlement, of_error = (
        Draft202012Validator(schema)
        for schema in (schemas[game]["round"], schemas[game]["settlement"], schemas["error"])
    )
    settled = 0
    for line, answer in zip(rounds, answers(tmp_path, capsys, "settle", rounds), strict=True):
        of_round.validate(line)
        (of_error if "error" in answer else of_settlement).validate(answer)
        settled += "error" not in answer
    assert settled > 80


@pytest.mark.parametrize("game", list(FORMS))
def test_what_people_report_and_what_follows_is_what_the_schemas_say(
    schemas: Any, game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Payment errors, people, moments in a round; notices, month-end lines and kept stakes in its settlement."""
    chance = random.Random(12)
    plain = [round_line(game, chance) | {"table": f"T{number}"} for number in range(60)]
    settled = answers(tmp_path, capsys, "settle", plain)
    rounds = [
        gone_wrong.report(line, said["lines"], chance)
        for line, said in zip(plain, settled, strict=True)
        if "error" not in said
    ]
    of_round, of_settlement = (Draft202012Validator(schemas[game][kind]) for kind in ("round", "settlement"))
    named = set()
    for line, said in zip(rounds, answers(tmp_path, capsys, "settle", rounds), strict=True):
        of_round.validate(line)
        of_settlement.validate(said)
        named |= said.keys() & {"notices", "month_end", "kept"}
    assert {"notices", "month_end"} <= named


@pytest.mark.parametrize("game", list(FORMS))
def test_a_round_that_its_schema_refuses_is_refused_and_the_other_way_round(schemas: Any, game: str) -> None:
    """One field changed, taken away or added at a time: what the form refuses the schema refuses, and no more."""
    chance = random.Random(10)
    of_round = Draft202012Validator(schemas[game]["round"])
    refused = 0
    for _ in range(20):
        for line in _changed(round_line(game, chance), chance):
            try:
                record = decode_any(json.dumps(line).encode())
            except RecordError:
                refused += 1
                with pytest.raises(ValidationError):
                    of_round.validate(line)
                continue
            if not of_round.is_valid(line):
                with pytest.raises(RecordError):  # Its cards or its dice are none.
                    FORMS[game].to_round(record)
    assert refused > 50


def _changed(line: dict[str, Any], chance: random.Random) -> list[dict[str, Any]]:
    """Copies of a line with one thing different each; nothing in its terms, which have a reader of their own."""
    changed = []
    values: tuple[Any, ...] = (None, "x", 0, -1, 2**63, True, [], {}, "2026-13")
    for value in values:
        copy: Any = json.loads(json.dumps(line))
        at = chance.choice([each for each in _objects(copy) if each])
        at[chance.choice([name for name in at if name != "jackpot"])] = value
        changed.append(copy)
    copy = json.loads(json.dumps(line))
    at = chance.choice(list(_objects(copy)))
    at["luck"] = 1
    changed.append(copy)
    return [each for each in changed if each.get("game") == line["game"]]


def _objects(value: Any) -> list[dict[str, Any]]:
    if isinstance(value, dict):
        return [value] * (value.keys() != {"jackpot"}) + [
            each for name, inner in value.items() if name != "jackpot" for each in _objects(inner)
        ]
    return [each for inner in value for each in _objects(inner)] if isinstance(value, list) else []


def test_questions_and_answers_are_what_the_schema_says(
    schemas: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every kind of question is of the schema ``ask``, and its answer of the definition ``answer`` in it."""
    chance = random.Random(11)
    questions = [question_line(chance) for _ in range(150)]
    of_question = Draft202012Validator(schemas["ask"])
    of_answer = of_question.evolve(schema=schemas["ask"]["$defs"]["answer"])
    kinds = set()
    for question, answer in zip(questions, answers(tmp_path, capsys, "ask", questions), strict=True):
        of_question.validate(question)
        assert "error" not in answer, (question, answer)
        of_answer.validate(answer)
        kinds.add(answer["ask"])
    assert len(kinds) == 5
    with pytest.raises(ValidationError):
        of_question.validate({"ask": "luck"})
