"""What a table is told of a round: that people did it, and nothing that it did itself or that was refused."""

from typing import Any

import msgspec
import pytest

from jackpot.core.by_people import told_of, under_ids
from jackpot.core.commands import command_of
from jackpot.wire.codec import encode
from jackpot.wire.ids import VOID_OF_TWO
from jackpot.wire.messages import ByPeople, RefusedAnswer, VoidAnswer
from tests.support.frames import ACTS, ANSWERS, FRAMES

MINE = msgspec.structs.replace(FRAMES["void"], second="")
TOLD = [
    (FRAMES["void"], VoidAnswer([3]), ByPeople("void", "CSP 14.8", "S. Upervisor", "M. Anager", [5, 3])),
    (MINE, VoidAnswer([3]), None),
    (FRAMES["void"], RefusedAnswer("round_voided", "void"), None),
    (FRAMES["withdraw"], ANSWERS["withdrawn"], None),
    (FRAMES["record"], ANSWERS["recorded"], None),
]


@pytest.mark.parametrize(("said", "answer", "told"), TOLD)
def test_what_a_command_tells_a_table(said: msgspec.Struct, answer: msgspec.Struct, told: ByPeople | None) -> None:
    """A void of two people names them, its rule and its seats."""
    raw = encode(said)
    assert told_of(raw, encode(answer)) == told


@pytest.mark.parametrize("name", ["void_open", "record_typed"])
def test_acts_of_people_are_told_where_they_were_accepted(name: str) -> None:
    """With the seats whose wager is kept; a refused one changed nothing."""
    act: Any = ACTS[name]
    answers: dict[str, Any] = {"void_open": ANSWERS["void_recorded"], "record_typed": ANSWERS["recorded"]}
    told = told_of(encode(act), encode(answers[name]))
    assert told is not None
    assert (told.by, told.second) == (act.by, act.second)
    assert told.forfeited == (list(answers[name].forfeited) if name == "void_open" else [])
    assert told_of(encode(act), encode(RefusedAnswer("round_voided", "void"))) is None


@pytest.mark.parametrize("revision", [1, VOID_OF_TWO])
def test_it_stands_under_these_ids(revision: int) -> None:
    """Each set of seats has a void of its own; a command's own id is among them, and that of the program before."""
    void = command_of(encode(msgspec.structs.replace(FRAMES["void"], seats=[5, 3], revision=revision)))
    ids = under_ids(("T1", 1, "2026-11", 18), 7)
    assert void.id in ids
    assert len(set(ids)) == len(ids) == 2 * 2**7 + 1
    assert command_of(encode(ACTS["record_typed"])).id in under_ids(_place(ACTS["record_typed"]), 7)


def _place(act: msgspec.Struct) -> tuple[str, int, str, int]:
    return act.table, act.journal, act.month, act.round  # type: ignore[attr-defined]
