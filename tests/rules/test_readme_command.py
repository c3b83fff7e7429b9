"""The README's examples of ``python -m rules`` are what the programs answer, and what the schemas say."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from rules.records import FORMS
from rules.records.schemas import schemas
from tests.support.sources import ROOT

_BLOCKS = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_HERE = re.compile(r"<<'(\w+)'$")


def examples() -> Iterator[tuple[str, str]]:
    """Each command of the README's console blocks with what stands below it."""
    for block in _BLOCKS.findall((ROOT / "README.md").read_text("utf-8")):
        for example in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            first, rest = example.split("\n", 1)
            here = _HERE.search(first)
            if here:
                given, rest = rest.split(f"{here[1]}\n", 1)
                first = f"{first}\n{given}{here[1]}\n"
            if "-m rules" in first:
                yield first, rest.removesuffix("\n")


EXAMPLES = list(examples())


@pytest.mark.parametrize(("command", "answer"), EXAMPLES, ids=[command.split("\n")[0][:40] for command, _ in EXAMPLES])
def test_it_answers_what_the_readme_says(command: str, answer: str) -> None:
    """Every example, run as it stands, prints what stands below it."""
    here = {"PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin", "COLUMNS": "120"}
    done = subprocess.run(
        ["/bin/bash", "-c", command], cwd=ROOT, env=here, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.stderr == ""
    assert [line.rstrip() for line in done.stdout.splitlines()] == answer.splitlines()


def _lines(command: str) -> list[Any]:
    return [json.loads(line) for line in command.splitlines() if line.startswith("{")]


def test_there_is_an_example_of_every_game_and_question() -> None:
    """One round of each game with its settlement, one question of each kind, a bad line; all of their schemas."""
    every = schemas()
    (rounds, settlements), (questions, answers) = (
        next((_lines(given), _lines(answer)) for given, answer in EXAMPLES if f"rules {name}" in given)
        for name in ("settle", "ask")
    )
    assert [each["game"] for each in rounds] == list(FORMS)
    for line, settlement in zip(rounds, settlements, strict=True):
        of_game = every[line["game"]]
        Draft202012Validator(of_game["round"]).validate(line)
        Draft202012Validator(of_game["settlement"]).validate(settlement)
    of_question = Draft202012Validator(every["ask"])
    of_answer = of_question.evolve(schema=every["ask"]["$defs"]["answer"])
    assert {each["ask"] for each in questions} == {"hand", "higher", "qualifies", "deal", "streak"}
    for question, answer in zip(questions[:-1], answers[:-1], strict=True):
        of_question.validate(question)
        of_answer.validate(answer)
    Draft202012Validator(every["error"]).validate(answers[-1])
    assert {"schema", "odds"} <= {command.split()[3] for command, _ in EXAMPLES}
