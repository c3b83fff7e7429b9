"""What each decide version once posted it posts for ever: their golden chains are decided anew, byte for byte."""

import hashlib
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from jackpot.core.accounts import CAUSES
from jackpot.core.chain import GENESIS, decode_body, digest
from jackpot.core.commands import Act
from jackpot.core.decide import VERSION
from jackpot.core.hits import MOVES
from jackpot.core.replay import VERSIONS, UnknownVersionError, decide_again
from jackpot.core.state import LinkState

GOLDEN = Path(__file__).parent / "golden"
CHAINS = [
    *("link_1", "site_1", "link_2", "site_2", "amended_2", "reopened_2"),
    *("link_3", "site_3", "amended_3", "mended_3", "repaid_3"),
]
NOT_MADE_YET = {"transfer"}
"""Causes whose acts come with transfers; each will bring a chain of its own version."""


class Line(msgspec.Struct):
    """A line of an export."""

    digest: str
    previous: str
    body: msgspec.Raw


def lines(name: str) -> list[Line]:
    """The batches of a golden chain, their bodies as they stand in the file."""
    return [msgspec.json.decode(line, type=Line) for line in (GOLDEN / f"{name}.jsonl").read_bytes().splitlines()]


@pytest.mark.parametrize("name", CHAINS)
def test_a_golden_chain_is_decided_anew(name: str) -> None:
    """From the commands of each batch come its entries, answers, hits and digest, to the last byte."""
    batches = lines(name)
    state = LinkState(decode_body(bytes(batches[0].body)).chain)
    for line in batches:
        decision = decide_again(state, decode_body(bytes(line.body)))
        assert decision.batch is not None
        assert decision.batch.body == bytes(line.body)
        assert decision.batch.digest.hex() == line.digest
        state = decision.state
    assert state.head.batch == len(batches)


@pytest.mark.parametrize("name", CHAINS)
def test_a_golden_chain_hangs_together(name: str) -> None:
    """Each digest is that of the one before and its own bytes; the first hangs on the chain's beginning."""
    previous = GENESIS
    assert hashlib.sha256(b"jackpot chain 1").digest() == GENESIS
    for line in lines(name):
        assert line.previous == previous.hex()
        previous = digest(previous, bytes(line.body))
        assert (
            line.digest == previous.hex() == hashlib.sha256(bytes.fromhex(line.previous) + bytes(line.body)).hexdigest()
        )


def test_the_golden_chain_shows_everything() -> None:
    """Every kind of message and act, every kind of answer, and money of every cause that this version moves."""
    bodies: list[dict[str, Any]] = [json.loads(bytes(line.body)) for name in CHAINS for line in lines(name)]
    assert {body["decide"] for body in bodies} == {*VERSIONS}
    commands = [command for body in bodies for command in body["commands"]]
    acts = {act.__struct_config__.tag for act in Act.__args__}
    assert {command["command"]["kind"] for command in commands} == acts | {
        *("wagers", "withdraw", "void", "record", "signed"),
    }
    answers = {command["answer"]["kind"] for command in commands}
    assert answers == {
        *("wagers", "withdrawn", "voided", "recorded", "refused"),
        *("opened", "admitted", "word", "connected", "hello_refused", "moved", "site", "void_recorded"),
        *("corrected", "ordered", "recovered", "reopened", "stood"),
    }
    assert {entry["cause"] for body in bodies for entry in body["entries"]} == CAUSES - NOT_MADE_YET
    states = {hit["state"] for body in bodies for hit in body["hits"]}
    assert states == {*MOVES}


def test_a_version_nobody_released_is_not_guessed() -> None:
    """A batch of another decide version is not decided by this one."""
    assert VERSION in VERSIONS
    body = msgspec.structs.replace(decode_body(bytes(lines("site_1")[0].body)), decide=99)
    with pytest.raises(UnknownVersionError, match="decide version 99"):
        decide_again(LinkState("site"), body)


def test_a_changed_command_shows() -> None:
    """One digit in one stored command, and what is decided from it is not what stands in the batch."""
    state = LinkState("southern")
    for line in lines("link_1"):
        body = bytes(line.body)
        changed = body.replace(b'"jackpot_cents":100', b'"jackpot_cents":101', 1)
        if changed != body:
            decision = decide_again(state, decode_body(changed))
            assert decision.batch is not None
            assert decision.batch.body not in {changed, body}
            return
        state = decide_again(state, decode_body(body)).state
    pytest.fail("no wager in the chain")
