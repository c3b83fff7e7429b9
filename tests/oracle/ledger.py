"""Works an export's money out anew, as a stranger would who has its three files and the rule text.

`terms.json`, `rounds.jsonl` and `ledger.jsonl` (each line `{"digest", "previous", "body"}`). It holds the chain's
digests against the bytes as they stand, each entry against the one before it, and the money of every command against a
model of its own (`link_model.py`). It does not know who signed what, and believes the answers on one thing only: which
seats' wagers were accepted.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tests.oracle.caribbean_stud import settle
from tests.oracle.link_model import LinkModel
from tests.oracle.lives_model import LivesModel

BEGINNING = hashlib.sha256(b"jackpot chain 1").hexdigest()
AMOUNTS = ("seat", "prize", "amount_cents", "from_pool_cents", "topup_cents", "bonus_cents")
MAY_BE_NEGATIVE = ("wagers", "house", "retained", "paid", "recoverable", "forfeited")


def differences_in(folder: Path) -> list[str]:
    """Name every difference found in an export; empty where all of it agrees."""
    return list(_all_differences(folder))


def _all_differences(folder: Path) -> Iterator[str]:
    model = LivesModel()
    previous, batch_before, commit_before, time_before = BEGINNING, 0, 0, 0
    last: dict[str, tuple[int, int]] = {}
    for number, line in enumerate((folder / "ledger.jsonl").read_bytes().splitlines(), start=1):
        at = f"ledger.jsonl line {number}"
        read = json.loads(line)
        if read["previous"] != previous:
            yield f"{at}: previous is {read['previous']}, the line before has {previous}"
        if read["digest"] != digest_of(read["previous"], body_bytes(line)):
            yield f"{at}: the digest is not that of the body's bytes"
        previous, body = read["digest"], read["body"]
        if body["batch"] != batch_before + 1 or body["time_us"] < time_before:
            yield f"{at}: batch {body['batch']} at {body['time_us']} follows {batch_before} at {time_before}"
        batch_before, time_before = body["batch"], body["time_us"]
        yield from (f"{at}: {difference}" for difference in entry_faults(body["entries"], last))
        for command in body["commands"]:
            if command["commit"] != commit_before + 1:
                yield f"{at}: commit {command['commit']} follows {commit_before}"
            commit_before = command["commit"]
            yield from (f"{at}: {difference}" for difference in model.command(command))
        yield from (f"{at}: {difference}" for difference in model.end_of_batch(body["entries"]))
    yield from model.balance_faults({account: balance for account, (_, balance) in last.items()})
    yield from round_differences(folder, model)


def body_bytes(line: bytes) -> bytes:
    """Give the bytes of the body exactly as they stand in a line, in which it comes last."""
    return line[line.index(b'"body":') + len(b'"body":') : line.rindex(b"}")].strip()


def digest_of(previous: str, body: bytes) -> str:
    """Give the SHA-256 of the previous digest's bytes and the body's."""
    return hashlib.sha256(bytes.fromhex(previous) + body).hexdigest()


def entry_faults(entries: list[dict[str, Any]], last: dict[str, tuple[int, int]]) -> Iterator[str]:
    """Name entries that do not go on from the account's last one, and a batch that does not sum to nought."""
    for entry in entries:
        account = entry["account"]
        version, balance = last.get(account, (0, 0))
        after = int(entry["balance_after"])
        if entry["version"] != version + 1:
            yield f"{account}: version {entry['version']} follows {version}"
        if after != balance + int(entry["microcents"]):
            yield f"{account}: {balance} and {entry['microcents']} do not make {after}"
        if after < 0 and account not in MAY_BE_NEGATIVE:
            yield f"{account}: holds players' money and stands at {after}"
        last[account] = (entry["version"], after)
    total = sum(int(entry["microcents"]) for entry in entries)
    if total:
        yield f"the entries sum to {total}"


def round_differences(folder: Path, model: LinkModel) -> Iterator[str]:
    """Name what `rounds.jsonl` says otherwise than the ledger's own commands, worked out anew."""
    terms = json.loads((folder / "terms.json").read_bytes())
    if terms != model.terms:
        yield "terms.json: not the terms that the ledger's commands put in force last"
    seen = []
    for number, line in enumerate((folder / "rounds.jsonl").read_bytes().splitlines(), start=1):
        told = json.loads(line)
        seen.append(told["commit"])
        known = model.told.get(told["commit"])
        at = f"rounds.jsonl line {number}"
        if known is None:
            yield f"{at}: commit {told['commit']} is no record, withdrawal or void of the ledger"
            continue
        for field, value in known.items():
            if found_in(told, field) != value:
                yield f"{at}: {field} is {found_in(told, field)}, worked out {value}"
        if told["kind"] == "record":
            yield from (f"{at}: {difference}" for difference in base_differences(told))
    if seen != sorted(seen):
        yield "rounds.jsonl: not in commit order"
    for commit in sorted(model.told.keys() - set(seen)):
        yield f"rounds.jsonl: commit {commit} is missing"
    for commit, times in Counter(seen).items():
        if times > 1:
            yield f"rounds.jsonl: commit {commit} is there {times} times"


def found_in(told: Mapping[str, Any], field: str) -> Any:
    """Give what a line of `rounds.jsonl` says, in the words in which the model says it."""
    if field == "awards":
        return [{name: award[name] for name in AMOUNTS} for award in told.get("awards", []) if award["amount_cents"]]
    if field == "jackpot seats":
        return sorted(seat["seat"] for seat in told["seats"] if "jackpot_cents" in seat)
    return told.get(field)


def base_differences(told: Mapping[str, Any]) -> Iterator[str]:
    """Name the lines of the base game that the table settled otherwise, where every card was seen."""
    if told["capture"] != "full" or "settled" not in told:
        return
    try:
        lines, _ = settle(told)
    except KeyError as missing:
        yield f"{missing} is missing"
        return
    worked_out = {
        (line["seat"], line["wager"]): (line["paid_cents"], line["returned_cents"])
        for line in lines
        if line["wager"] != "jackpot"
    }
    at_the_table = {
        (line["seat"], line["wager"]): (line["paid_cents"], line["returned_cents"]) for line in told["settled"]
    }
    for key in sorted(worked_out.keys() | at_the_table.keys()):
        if worked_out.get(key) != at_the_table.get(key):
            yield f"seat {key[0]} {key[1]}: settled {at_the_table.get(key)}, worked out {worked_out.get(key)}"
