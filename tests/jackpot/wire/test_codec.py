"""Frames that are not: each is refused with the field, the value and the reason, and nothing else happens (case 11)."""

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jackpot.core.commands import command_from_table, command_of
from jackpot.wire.codec import FRAME_BYTES, FrameError, decode_from_table, decode_hello, decode_to_table, encode
from jackpot.wire.ids import HitKey, IdError, parse_hit
from jackpot.wire.messages import Signed
from jackpot.wire.refusals import REFUSALS, Refusal
from rules.records import RecordError
from tests.support.frames import ACTS, FRAMES

WAGERS = encode(FRAMES["wagers"])
RECORD = command_of(msgspec.json.encode(FRAMES["record"])).raw

# What stands for the amount of seat 3's jackpot wager, and how the refusal names it.
AMOUNTS = [
    ("100.1", "100.1", "Expected `int`"),
    ('"NaN"', '"NaN"', "Expected `int`"),
    ("NaN", "NaN", "JSON is malformed"),
    ("1e400", "1e400", "Number out of range"),
    ("true", "true", "Expected `int`"),
    ('"100"', '"100"', "Expected `int`"),
    ('"\uff11\uff10\uff10"', '"\\uff11\\uff10\\uff10"', "Expected `int`"),
    ("\uff11\uff10\uff10", "{", "JSON is malformed"),
    ("null", "null", "Expected `int`"),
    ("[100]", "[100]", "Expected `int`"),
    ("9223372036854775808", "9223372036854775808", "Expected `int` <= 9223372036854775807"),
    ("-9223372036854775809", "-9223372036854775809", "Expected `int` >= -9223372036854775808"),
    ("100.0", "100.0", "Expected `int`"),
    ("1e2", "1e2", "Expected `int`"),
    ("-0", "{", "canonical form"),
]


@pytest.mark.parametrize(("amount", "value", "reason"), AMOUNTS)
def test_an_amount_that_is_none(amount: str, value: str, reason: str) -> None:
    """Nothing but an integer is an amount; the field and what stood there are named."""
    frame = WAGERS.replace(b'"jackpot_cents":100', f'"jackpot_cents":{amount}'.encode(), 1)
    assert frame != WAGERS
    with pytest.raises(FrameError) as refused:
        decode_from_table(frame)
    assert reason in refused.value.reason
    if reason.startswith("Expected"):
        assert (refused.value.field, refused.value.value) == ("seats[0].jackpot_cents", value)
    assert len(refused.value.value) <= 40


@pytest.mark.parametrize(
    ("was", "becomes", "field"),
    [
        (b'"table":"T1"', b'"table":"T 1"', "table"),
        (b'"table":"T1"', b'"table":"' + b"T" * 25 + b'"', "table"),
        (b'"journal":1', b'"journal":-1', "journal"),
        (b'"month":"2026-11"', b'"month":"2026-13"', "month"),
        (b'"terms":"7e', b'"terms":"7E', "terms"),
        (b'"tender":"token"', b'"tender":"shells"', "seats[1].tender"),
        (b'"round":17', b'"rounds":17', ""),
        (b'"round":17,', b"", ""),
        (b'"round":17', b'"round":17,"extra":1', ""),
    ],
)
def test_a_field_that_is_not_of_its_form(was: bytes, becomes: bytes, field: str) -> None:
    """A field of another form, one too many, one too few: refused by name."""
    assert WAGERS.count(was) == 1
    with pytest.raises(FrameError) as refused:
        decode_from_table(WAGERS.replace(was, becomes))
    assert refused.value.field == (field or "frame")


@pytest.mark.parametrize(
    "frame",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b'{"kind":"ask"} ',
        b' {"kind":"ask"}',
        b'{"kind":"ask","kind":"ask"}',
        b'{"kind":"\\u0061sk"}',
        b'{"kind":"nothing"}',
        b'{"kind":1}',
        b"\xff\xfe",
        b'{"kind":"withdraw","table":"T1","journal":1,"month":"2026-11","round":1,"revision":1,"reason":"\\u0000"}',
        b'{"kind":"withdraw","table":"T1","journal":1,"month":"2026-11","round":1,"revision":1,"reason":"\\ud800"}',
        b"[" * 60_000,
        b'{"kind":"hello","body":{"settings":{"device":"\xff"}},"signature":""}',
        b'{"kind":"signed","head":"","signature":"","message":' + b"[" * 30_000 + b"]" * 30_000 + b"}",
        b'{"kind":"hello","body":' + b'{"a":' * 9_000 + b"1" + b"}" * 9_000 + b',"signature":""}',
    ],
)
def test_a_frame_that_is_none(frame: bytes) -> None:
    """What is not a frame's own canonical bytes is refused, whatever a JSON reader would let pass."""
    with pytest.raises(FrameError):
        decode_from_table(frame)
    with pytest.raises((FrameError, RecordError)):
        command_from_table(frame)


def test_an_escaped_backslash_before_a_u_is_a_text() -> None:
    """Words that only look like an escape are words."""
    words = msgspec.structs.replace(FRAMES["withdraw"], reason="\\u0000 and \\\\ud800")
    assert decode_from_table(encode(words)) == words


def test_a_void_names_no_more_seats_than_a_layout_has() -> None:
    """The seats are in the id, which is stored as a key: nine at most."""
    void = msgspec.structs.replace(FRAMES["void"], seats=list(range(9)))
    assert decode_from_table(encode(void)) == void
    with pytest.raises(FrameError, match="seats: Expected `array` of length <= 9"):
        decode_from_table(encode(msgspec.structs.replace(void, seats=list(range(10)))))


def test_a_frame_has_a_size() -> None:
    """64 KiB and not a byte more, however well formed."""
    shell = len(encode(FRAMES["withdraw"]))
    reason = "x" * 400
    long = msgspec.structs.replace(FRAMES["void"], seats=[10**15] * 4000, cards_seen=reason)
    data = encode(long)
    assert shell < FRAME_BYTES < len(data)
    with pytest.raises(FrameError, match=r"at most 65536 bytes \(got \d+ bytes\)"):
        decode_from_table(data)


@given(st.binary(max_size=200))
def test_any_bytes(data: bytes) -> None:
    """Whatever comes, it is a frame or refused: nothing else is raised."""
    for read in (decode_from_table, decode_to_table, decode_hello, command_from_table, command_of):
        try:
            read(data)
        except (FrameError, RecordError):
            continue


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=10,
)


@given(st.sampled_from(["wagers", "withdraw", "void", "signed", "record", "hello"]), st.data())
def test_any_field_may_hold_anything(name: str, data: st.DataObject) -> None:
    """One field of a good frame holds anything at all: a frame or refused, with a value cut at 40 characters."""
    tree: dict[str, Any] = json.loads(msgspec.json.encode(FRAMES[name]))
    tree[data.draw(st.sampled_from(sorted(tree)))] = data.draw(JSON)
    refused = refusal(json.dumps(tree, separators=(",", ":")).encode())
    assert refused is None or (len(refused.value) <= 40 and refused.reason)


def refusal(frame: bytes) -> FrameError | RecordError | None:
    """Why a frame is not taken, if it is not."""
    try:
        command_from_table(frame)
    except (FrameError, RecordError) as refused:
        return refused
    return None


@pytest.mark.parametrize("name", ACTS)
def test_a_table_can_never_send_an_act(name: str) -> None:
    """What people do at the server is no frame of a table, bare or under a table's signature."""
    act = encode(ACTS[name])
    command = command_of(act)
    assert (command.handed_in or command.message) == ACTS[name]
    with pytest.raises(FrameError):
        command_from_table(act)
    for read in (command_from_table, command_of):
        with pytest.raises(FrameError):
            read(encode(Signed("ab", "cd", msgspec.Raw(act))))


@pytest.mark.parametrize("name", ["ask", "hello"])
def test_what_says_nothing_to_decide(name: str) -> None:
    """A hello or a question is no message, signed or not."""
    frame = encode(FRAMES[name])
    for data in (frame, encode(Signed("ab", "cd", msgspec.Raw(frame)))):
        with pytest.raises(FrameError, match="not a message that is decided"):
            command_from_table(data)


def test_a_message_is_signed_once() -> None:
    """A signature under a signature is nobody's."""
    once = encode(Signed("ab", "cd", msgspec.Raw(WAGERS)))
    assert command_from_table(once).id == command_from_table(WAGERS).id
    with pytest.raises(FrameError, match="signed once"):
        command_from_table(encode(Signed("ab", "cd", msgspec.Raw(once))))


@pytest.mark.parametrize(
    ("more", "field"),
    [
        (b',"awards":[]', "awards"),
        (b',"commit":5', "commit"),
        (b',"wagers_commit":5', "wagers_commit"),
        (b',"meter_before_cents":5', "meter_before_cents"),
        (b',"meter_after_cents":5', "meter_after_cents"),
        (b',"meters":[]', "meters"),
        (b',"meter_basis_cents":5', "meter_basis_cents"),
    ],
)
def test_a_table_never_says_what_a_prize_is_worth(more: bytes, field: str) -> None:
    """What the link adds to a record in an export is refused on the wire."""
    record = RECORD.replace(b',"late":true', more if field != "late" else b"")
    with pytest.raises(RecordError) as refused:
        command_from_table(record[:-1] + b"}" if record.endswith(b"}") else record)
    assert refused.value.field == field


@pytest.mark.parametrize("field", ["table", "journal", "month", "round", "revision", "terms", "capture"])
def test_a_record_on_the_wire_has_an_id(field: str) -> None:
    """A bare round is settled from a file; on the wire a record needs all that its id is made of."""
    tree = json.loads(RECORD)
    del tree[field]
    with pytest.raises(RecordError) as refused:
        command_from_table(json.dumps(tree, separators=(",", ":")).encode())
    assert refused.value.field == field


def test_a_record_holds_no_nul() -> None:
    """A text that the ledger could not hold is refused before it is decided (case 56)."""
    with pytest.raises(RecordError, match="declared_by"):
        command_from_table(RECORD.replace(b"D. Ealer", b"D.\\u0000Ealer"))


def test_refusals_have_codes_of_their_own() -> None:
    """Codes are told apart; the ones that are not stored are those of PROTOCOL 3 and of ids without a place."""
    assert len(REFUSALS) == len(Refusal)
    assert {refusal.code for refusal in Refusal if not refusal.final} == {
        *("link_stopped", "hit_open", "round_open", "busy", "ledger_unreachable", "kept_aside"),
        *("not_enrolled", "unknown_journal", "month_ahead", "ledger_behind"),
    }


@given(
    st.builds(
        HitKey,
        st.from_regex(r"[A-Za-z0-9][A-Za-z0-9_-]{0,5}", fullmatch=True),
        st.integers(0, 2**63 - 1),
        st.integers(0, 2**63 - 1),
        st.integers(1, 9),
        st.sampled_from(["main", "house", "minor_2"]),
    )
)
def test_a_hits_key_is_read_back(key: HitKey) -> None:
    """The text on a slip is the key."""
    assert parse_hit(str(key)) == key


@pytest.mark.parametrize(
    "text", ["", "T1/1/17/3", "T1/1/17/3/main/x", "T1/1/x/3/main", "T1/1/\uff11/3/main", "T1/-1/1/3/main"]
)
def test_a_text_that_is_no_hit(text: str) -> None:
    """What is no key says so, with the form that was wanted."""
    with pytest.raises(IdError, match="T1/1/17/3/main"):
        parse_hit(text)
