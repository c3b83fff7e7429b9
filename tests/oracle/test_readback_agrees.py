"""`python -m rules settle` held against the second opinion, and against what the ledger decided in random histories."""

import json
import random
from pathlib import Path

import pytest

from rules.__main__ import main
from rules.terms import canonical_bytes
from tests.oracle.caribbean_stud import settle
from tests.oracle.dealing import random_round
from tests.oracle.progressive import MICRO, resolve
from tests.oracle.test_ledger_agrees import honourable_terms, random_history


def test_the_command_line_reads_every_export_back(
    chance: random.Random, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Under any rulings, pools and limits, only the lines that cannot be settled, on purpose, are called bad."""
    settled = 0
    for number in range(20):
        history = random_history(chance)
        folder = tmp_path / str(number)
        folder.mkdir()
        history.write(folder)
        terms: list[str] = []
        for place, one in enumerate(history.state.older.values()):
            (folder / f"terms-{place}.json").write_bytes(canonical_bytes(one.terms))
            terms += ["--terms", str(folder / f"terms-{place}.json")]
        capsys.readouterr()
        main(["settle", *terms, "--json", str(folder / "rounds.jsonl")])
        count = json.loads(capsys.readouterr().out)
        lines = (folder / "rounds.jsonl").read_text().splitlines()
        unexpected = [error for error in count["errors"] if not error["field"].endswith("].decision")]
        assert unexpected == [], [lines[error["line"] - 1] for error in unexpected[:1]]
        settled += count["settled"]
    assert settled > 500


def test_the_command_line_settles_lines_alike(
    chance: random.Random, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A line with settings, limits, a meter and terms comes to what the second opinion makes of it, jackpot and all."""
    given = []
    for _ in range(400):
        one_round = random_round(chance)
        one_round["settings"] = {"cap_linked_wager": chance.choice([True, False])}
        one_round["limits"] = {"ante_max_cents": chance.choice([5_000, 50_000])}
        terms = honourable_terms(chance)
        if len(terms["pools"]) == 1:
            one_round["jackpot"] = {"meter_cents": chance.randrange(10_000_000), "terms": terms}
        given.append(one_round)
    file = tmp_path / "rounds.jsonl"
    file.write_text("".join(json.dumps(one_round) + "\n" for one_round in given))
    assert main(["settle", str(file)]) == 0
    answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    for one_round, answer in zip(given, answers, strict=True):
        terms = one_round.get("jackpot", {}).get("terms", {"rulings": {}})
        settings = {**one_round["settings"], **terms["rulings"]}
        limits = {**one_round["limits"], "jackpot_cents": terms.get("qualifying_wager_cents")}
        lines, winners = settle({**one_round, "settings": settings, "limits": limits})
        prizes: dict[int, int] = {}
        if "jackpot" in one_round:
            pools = {"main": one_round["jackpot"]["meter_cents"] * MICRO}
            prizes = {one["seat"]: one["amount_cents"] for one in resolve(terms, pools, {}, winners)["awards"]}
        for line in lines:
            if line["wager"] == "jackpot":
                line["paid_cents"] = prizes.get(line["seat"], 0)
        told = [{name: line[name] for name in lines[0]} for line in answer["lines"]]
        assert told == sorted(lines, key=lambda line: line["seat"]), json.dumps(one_round)
