"""The ledger's decisions held against a stranger's model of them, over random histories and their exports."""

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest

from rules.terms import TermsError, parse_terms
from tests.oracle.ledger import differences_in
from tests.oracle.terms import PLAIN_TERMS, random_rulings, share
from tests.support.histories import History, next_version

HISTORIES = 40
TURNS = 30


def honourable_terms(chance: random.Random) -> dict[str, Any]:
    """Terms a casino could honour: any reading of the rules, one pool or two, with limits close by or without."""
    while True:
        tree: dict[str, Any] = json.loads(json.dumps(PLAIN_TERMS))
        tree["rulings"] |= random_rulings(chance)
        for name in ("folded_hand_wins", "conceded_hand_wins", "stake_returned", "void_returns_jackpot"):
            tree["rulings"][name] = chance.choice([True, False])
        tree["rulings"]["void_after_award"] = chance.choice(["reserve", "pool"])
        tree["reserve"]["limit_cents"] = chance.choice([None, 2_000, 10_000])
        tree["pools"][0]["limit_cents"] = chance.choice([None, 5_002_000])
        tree["pools"][0]["overflow_to"] = chance.choice(["next_seed", "reserve"])
        if chance.random() < 0.5:
            tree["pools"][0]["increment_ppm"] = 180_000
            tree["pools"].append({**tree["pools"][0], "name": "minor", "seed_cents": 500_000, "increment_ppm": 40_000})
            tree["pools"][1]["limit_cents"] = chance.choice([None, 501_000])
            tree["pay_table"]["straight_flush"] = share("minor", 200_000, 150_000)
        try:
            parse_terms(json.dumps(tree).encode())
        except TermsError:
            continue
        return tree


def random_history(chance: random.Random) -> History:
    """A link whose tables play on while hits are settled, and whose terms change twice in the middle of open rounds."""
    terms = parse_terms(json.dumps(honourable_terms(chance)).encode())
    history = History(terms, chance.choice([1, 3, 5]), chance)
    for turn in range(TURNS):
        ends = [end for table in history.rounds if (end := history.play(table)) is not None]
        chance.shuffle(ends)
        if turn % 12 == 11:
            # Refused where a pool that holds players' money would be left out.
            history.post()
            history.change_terms(next_version(history.terms, honourable_terms(chance)))
        for end in ends:
            end()
        history.post()
        for _ in range(chance.choice([0, 1, 5])):
            history.settle_hits()
        if chance.random() < 0.3:
            history.decide_orders()
        if turn % 7 == 0:
            history.come_back()
    return history


def test_a_stranger_works_every_export_out_alike(chance: random.Random, tmp_path: Path) -> None:
    """From the files alone: every increment, award, seed, reversal and meter of random histories comes out the same."""
    kinds: dict[str, int] = {}
    for number in range(HISTORIES):
        history = random_history(chance)
        folder = tmp_path / str(number)
        folder.mkdir()
        history.write(folder)
        assert differences_in(folder) == []
        for _, _, body in history.batches:
            for entry in json.loads(body)["entries"]:
                kinds[entry["cause"]] = kinds.get(entry["cause"], 0) + 1
    for cause in ("increment", "seed", "award", "topup", "bonus", "payment", "reversal"):
        assert kinds.get(cause, 0) >= 10, kinds


@pytest.fixture
def export(chance: random.Random, tmp_path: Path) -> Path:
    """An export that agrees."""
    history = random_history(chance)
    history.write(tmp_path)
    assert differences_in(tmp_path) == []
    return tmp_path


@pytest.mark.parametrize(
    ("file", "field"),
    [
        ("ledger.jsonl", '"microcents":"'),
        ("ledger.jsonl", '"balance_after":"'),
        ("ledger.jsonl", '"version":'),
        ("ledger.jsonl", '"commit":'),
        ("ledger.jsonl", '"batch":'),
        ("ledger.jsonl", '"seat":'),
        ("rounds.jsonl", '"meter_before_cents": '),
        ("rounds.jsonl", '"meter_after_cents": '),
        ("rounds.jsonl", '"amount_cents": '),
        ("rounds.jsonl", '"paid_cents": '),
        ("rounds.jsonl", '"returned_cents": '),
        ("rounds.jsonl", '"wagers_commit": '),
        ("terms.json", '"increment_ppm":'),
    ],
)
def test_a_figure_that_is_off_by_one_is_found(export: Path, chance: random.Random, file: str, field: str) -> None:
    """One more of anything, anywhere, is named as a difference."""
    text = (export / file).read_text()
    place = chance.choice(list(re.finditer(re.escape(field) + r"(-?\d+)", text)))
    changed = text[: place.start(1)] + str(int(place[1]) + 1) + text[place.end(1) :]
    (export / file).write_text(changed)
    assert differences_in(export) != []


def test_a_line_that_is_gone_is_found(export: Path) -> None:
    """A round left out of the export is missed by its commit."""
    lines = (export / "rounds.jsonl").read_text().splitlines(keepends=True)
    (export / "rounds.jsonl").write_text("".join(lines[:3] + lines[4:]))
    assert any("is missing" in difference for difference in differences_in(export))
