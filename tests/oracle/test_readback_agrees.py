"""`python -m rules settle --terms` held against what the ledger decided, over exports of random histories."""

import json
import random
from pathlib import Path

import pytest

from rules.__main__ import main
from rules.terms import canonical_bytes
from tests.oracle.test_ledger_agrees import random_history


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
