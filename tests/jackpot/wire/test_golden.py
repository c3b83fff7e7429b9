"""The bytes of each version: what spools and ledgers hold must be read for ever as it was written.

A file here is never changed. What a later version writes otherwise, or has that no earlier one had, is in a folder of
its own beside `golden/1`.
"""

from pathlib import Path
from typing import get_args

import msgspec
import pytest

from jackpot.core.answers import Stored, decode_stored
from jackpot.core.commands import Act, command_of
from jackpot.wire.codec import (
    VERSIONS,
    decode_answer,
    decode_from_table,
    decode_hello,
    decode_published,
    decode_snapshot,
    decode_to_table,
    encode,
)
from jackpot.wire.messages import FromTable, StoredAnswer, ToTable
from jackpot.wire.settings import table_settings
from rules.records import RoundRecord, decode_record, encode_record
from tests.support.frames import ACTS, ANSWERS, FRAMES, SINCE

GOLDEN = Path(__file__).parent / "golden"
FROM_TABLE, TO_TABLE = get_args(FromTable), get_args(ToTable)


def golden(folder: str, name: str) -> bytes:
    """The bytes of a file, without the line's end that editors want."""
    return (GOLDEN / since(folder, name) / folder / f"{name}.json").read_bytes().removesuffix(b"\n")


def since(folder: str, name: str) -> str:
    """The version that had it first."""
    return SINCE.get(name, "1") if folder == "frames" else "1"


def read_frame(name: str, data: bytes) -> msgspec.Struct:
    """Read a frame as whoever receives it does."""
    match name:
        case "hello_body":
            return decode_hello(data)
        case "settings":
            return table_settings(data.decode())
        case "record":
            return decode_record(data, canonical=True)
        case "snapshot":
            return decode_snapshot(data)
        case "published":
            return decode_published(data)
        case _ if isinstance(FRAMES[name], FROM_TABLE):
            return decode_from_table(data)
        case _:
            return decode_to_table(data)


def written(frame: msgspec.Struct) -> bytes:
    """Write a frame as whoever sends it does."""
    return encode_record(frame) if isinstance(frame, RoundRecord) else encode(frame)


@pytest.mark.parametrize("name", FRAMES)
def test_a_frame_is_written_and_read_as_ever(name: str) -> None:
    """Today's program writes these bytes, and reads them as the same frame."""
    data = golden("frames", name)
    assert written(FRAMES[name]) == data
    assert written(read_frame(name, data)) == data


@pytest.mark.parametrize("name", ANSWERS)
def test_an_answer_is_written_and_read_as_ever(name: str) -> None:
    """What stands under an id for ever is written so, and read as the same answer."""
    data = golden("answers", name)
    assert encode(ANSWERS[name]) == data
    assert decode_stored(data) == ANSWERS[name]


@pytest.mark.parametrize("name", ACTS)
def test_an_act_is_written_and_read_as_ever(name: str) -> None:
    """An act of people is stored so, and is the same command when the audit reads it."""
    data = golden("acts", name)
    assert encode(ACTS[name]) == data
    command = command_of(data)
    assert (command.raw, type(command.handed_in or command.message)) == (data, type(ACTS[name]))


@pytest.mark.parametrize("name", ["wagers", "withdraw", "void", "record", "signed"])
def test_a_message_is_a_command_by_its_bytes(name: str) -> None:
    """What a table sends is decided under the id its own fields make, with its bytes as they came."""
    data = golden("frames", name)
    command = command_of(data)
    kind, number = {"void": ("void.3.5", 18), "signed": ("void.3.5", 18)}.get(name, (name, 17))
    assert command.id == f"T1/1/2026-11/{number}/{kind}/1"
    assert (command.raw, command.table, command.journal, command.month) == (data, "T1", 1, "2026-11")
    assert (command.signed is not None) == (name == "signed")


def test_nothing_is_missing() -> None:
    """Every frame, every answer and every act of this version has its bytes here, and no file is left over."""
    assert VERSIONS == (1, 2, 3, 4)
    kinds = {type(frame) for frame in FRAMES.values()}
    assert kinds >= {*FROM_TABLE, *TO_TABLE}
    assert {type(answer) for answer in ANSWERS.values()} == set(get_args(Stored))
    assert set(get_args(Stored)) >= set(get_args(StoredAnswer))
    assert {type(act) for act in ACTS.values()} == set(get_args(Act))
    files = {str(path.relative_to(GOLDEN).with_suffix("")) for path in GOLDEN.glob("*/*/*.json")}
    named = {"frames": FRAMES, "answers": ANSWERS, "acts": ACTS}
    assert files == {f"{since(folder, name)}/{folder}/{name}" for folder, names in named.items() for name in names}


@pytest.mark.parametrize("name", [name for name in ANSWERS if type(ANSWERS[name]) in get_args(StoredAnswer)])
def test_a_table_reads_every_answer_to_its_messages(name: str) -> None:
    """What is stored under a message's id can be read by the table that sent it."""
    assert decode_answer(golden("answers", name)) == ANSWERS[name]


@pytest.mark.parametrize("kind", dict.fromkeys(type(frame) for frame in FRAMES.values()))
def test_every_field_is_shown_once(kind: type[msgspec.Struct]) -> None:
    """The examples hold every field, so that none can change without a golden file saying so."""
    frames = [frame for frame in FRAMES.values() if type(frame) is kind]
    empty = {
        field
        for field in kind.__struct_fields__
        if all(getattr(frame, field) in (None, [], "") for frame in frames) and field not in LINKS_OWN
    }
    assert empty == set()


LINKS_OWN = {
    "jackpot",
    "wagers_commit",
    "commit",
    "meter_before_cents",
    "awards",
    "meter_after_cents",
    "meters",
    "meter_basis_cents",
}
