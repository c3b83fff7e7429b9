"""Notices, month-end lines and kept stakes of every game's settlements, held against the second opinion."""

import json
import random
from collections import Counter
from typing import Any

import pytest

from rules.records import FORMS, RecordError
from tests.oracle import gone_wrong
from tests.oracle.test_irregular_rounds_agree import gone_wrong as stud_gone_wrong
from tests.support.answers import answer_to
from tests.support.lines import round_line

ROUNDS = 150
NOTICE = ("to", "within", "from", "rule", "by")
LISTED = ("what", "seat", "wager", "cents", "rule", "day")
KEPT = ("seat", "wager", "cents", "person", "reason")


def settled(line: dict[str, Any]) -> dict[str, Any] | None:
    """What a round is answered; `None` where it cannot be settled."""
    try:
        return answer_to(line)
    except RecordError:
        return None


def one_round(game: str, chance: random.Random) -> dict[str, Any]:
    """A random round with something wrong in it where its game's own generator has nothing."""
    line = round_line(game, chance)
    if game == "caribbean_stud":
        line = {name: value for name, value in stud_gone_wrong(line, chance).items() if name != "jackpot"}
    if chance.random() < 0.5:
        seats = [
            each if "void_for" in each or each.get("decision") == "void" else each | {"void_for": "invalid"}
            for each in line.get("seats", [])
        ]
        line |= {"seats": seats, "settings": line.get("settings", {}) | {"carded_play": "all_games"}}
    elif game != "sic_bo" and chance.random() < 0.3:
        line = {name: value for name, value in line.items() if name != "forfeits"} | {"void_by": "foreign_card"}
    return line if chance.random() < 0.5 else _in_high_play(line)


def _in_high_play(value: Any) -> Any:
    """A round with every amount a thousand times as high, so that more than $1,000.00 may be paid too little."""
    if isinstance(value, dict):
        return {
            name: 1000 * inner if name.endswith("cents") and isinstance(inner, int) else _in_high_play(inner)
            for name, inner in value.items()
        }
    return [_in_high_play(inner) for inner in value] if isinstance(value, list) else value


@pytest.mark.parametrize("game", list(FORMS))
def test_who_is_told_and_what_is_listed(game: str, chance: random.Random) -> None:
    """Random rounds with random reports: the same people by the same clause and time, the same lines and stakes.

    Never anything else of the settlement changes by a report.
    """
    met: Counter[str] = Counter()
    for _ in range(ROUNDS):
        plain = one_round(game, chance)
        before = settled(plain)
        if before is None:
            continue
        met["settled"] += 1
        lines = before["lines"]
        line = gone_wrong.report(plain, lines, chance, equipment=game == "caribbean_stud")
        said = answer_to(line)
        assert said["lines"] == lines, json.dumps(line)
        dark = any("(SIC 8.7)" in note for note in before["notes"])
        told = {tuple(each.get(name, "") for name in NOTICE) for each in said.get("notices", [])}
        assert told == gone_wrong.notices(line, lines, dark=dark), json.dumps(line)
        listed = [tuple(each.get(name, "") for name in LISTED) for each in said.get("month_end", [])]
        assert listed == gone_wrong.month_end(line, lines), json.dumps(line)
        kept = [tuple(each.get(name) for name in KEPT) for each in said.get("kept", [])]
        assert kept == gone_wrong.kept(line, lines), json.dumps(line)
        met.update(each["within"] for each in said.get("notices", []))
        met.update(each["what"] for each in said.get("month_end", []))
        met["kept"] += len(kept)
    assert met["settled"] > ROUNDS // 2
    expected = ["at_once", "month_end", "overpayment", "underpayment", "kept"]
    assert {kind: met[kind] for kind in expected if not met[kind]} == {}
