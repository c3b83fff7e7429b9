"""The one JSON form of a round: what goes in comes out, and what is wrong is named by field and value."""

import contextlib
import json
import random
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.games import GAMES
from rules.limits import Limits
from rules.progressive import Winner, award
from rules.records import (
    RecordError,
    RoundRecord,
    award_record,
    decode_record,
    encode_record,
    limits_of,
    limits_record,
    record_of,
    schedule_of,
    settings_of,
    settings_record,
    to_round,
)
from rules.settings import Settings
from tests.support.rounds import random_round
from tests.support.terms import demo_terms

PLAIN = (
    '{"dealer":"As Kd 4h 3c 2c","seats":[{"seat":2,"ante_cents":1000,"decision":"fold"},'
    '{"seat":5,"ante_cents":500,"jackpot_cents":100,"decision":"bet","bet_cents":1000,"cards":"Ks Kh 2s 2h 2d"}]}'
)
WHOLE = (
    b'{"kind":"record","game":"caribbean_stud","edition":"2024-08-16","table":"T1","journal":1,"month":"2026-11",'
    b'"round":17,"revision":1,"terms":"' + b"0a" * 32 + b'","capture":"full","device":"shoe",'
    b'"shown":{"generation":1,"commit":40,"epoch":1,"cents":5000000},"dealer":"As Kd 4h 3c 2c",'
    b'"seats":[{"seat":5,"ante_cents":500,"jackpot_cents":100,"decision":"bet","bet_cents":1000,'
    b'"cards":"Ks Kh 2s 2h 2d","ante_tender":"token"}],"claims":[{"seat":5,"prize":"full_house"}],'
    b'"settled":[{"seat":5,"wager":"ante","paid_cents":500,"returned_cents":500}],'
    b'"settings":{"max_payout_covers":"with_stake","max_payout_cents":100000},"limits":{"ante_min_cents":500},'
    b'"schedules":["csp_10_1"],"rules_version":1,"late":true,"wagers_commit":41,"commit":42,'
    b'"meter_before_cents":5000022,"awards":[{"seat":5,"prize":"full_house","pool":"house","amount_cents":15000,'
    b'"from_pool_cents":0,"topup_cents":0,"bonus_cents":15000}],"meter_after_cents":5000022}'
)


def test_a_whole_record_keeps_every_byte() -> None:
    """What is read is written again byte for byte, fields in their order, so that digests hold."""
    assert encode_record(decode_record(WHOLE, canonical=True)) == WHOLE


def test_a_plain_round_needs_little() -> None:
    """A bare round to settle is Caribbean Stud, dealt from a shoe, paid in chips, under the defaults."""
    record = decode_record(PLAIN.encode())
    round_ = to_round(record)
    assert (round_.game, round_.edition, round_.device) == ("caribbean_stud", "2024-08-16", "shoe")
    assert round_.seats[0].ante_tender == "chips"
    assert settings_of(record) == Settings()
    assert limits_of(record) == Limits()
    assert schedule_of(record) is None


def test_other_spacing_and_order_are_read_but_are_not_canonical() -> None:
    """People write JSON as they like; the wire takes the canonical bytes only."""
    text = json.dumps(json.loads(WHOLE), indent=1, sort_keys=True).encode()
    assert decode_record(text) == decode_record(WHOLE)
    with pytest.raises(RecordError, match="not the canonical form"):
        decode_record(text, canonical=True)


@pytest.mark.parametrize("claims", [False, True])
def test_random_rounds_survive_the_form(claims: bool) -> None:  # noqa: FBT001 - the value under test
    """What a table records is read back as the same round, through as many hands as it goes."""
    rng = random.Random(11)
    for _ in range(300):
        record = random_round(rng, prize_chance=0.3, claims=claims)
        data = encode_record(record)
        assert decode_record(data, canonical=True) == record
        assert encode_record(decode_record(data)) == data
        assert record_of(to_round(record)).seats == record.seats


BAD_AMOUNTS = r"""
-100                      | -100                      | expected int >= 1
0                         | 0                         | expected int >= 1
-0                        | -0                        | expected int >= 1
100.1                     | 100.1                     | expected int, got float
100.0                     | 100.0                     | expected int, got float
1e2                       | 1e2                       | expected int, got float
"NaN"                     | NaN                       | expected int, got str
NaN                       | NaN                       | not a number that JSON has
-Infinity                 | -Infinity                 | not a number that JSON has
1e400                     | 1e400                     | number out of range
true                      | true                      | expected int, got bool
"100"                     | 100                       | expected int, got str
"FULLWIDTH"               | FULLWIDTH                 | expected int, got str
FULLWIDTH                 | FULLWIDTH                 | not JSON: Expecting value
null                      | null                      | null: what is absent is left out
[100]                     | [100]                     | expected int, got array
{"cents":100}             | {"cents":100}             | expected int, got object
9223372036854775808       | 9223372036854775808       | expected int <= 1000000000000
999999999999999999999999999999999999999999 | 9999999999999999999999999999999999999999 | expected int <= 1000000000000
+100                      | +100                      | not JSON: Expecting value
0100                      | 100                       | not JSON: Expecting ',' delimiter
0x64                      | x64                       | not JSON: Expecting ',' delimiter
"\ud800"                  | \ud800                    | a text holds a NUL or half a surrogate pair
""".replace("FULLWIDTH", "\N{FULLWIDTH DIGIT ONE}\N{FULLWIDTH DIGIT ZERO}\N{FULLWIDTH DIGIT ZERO}")


@pytest.mark.parametrize("line", BAD_AMOUNTS.strip().splitlines())
@pytest.mark.parametrize("name", ["ante_cents", "jackpot_cents", "bet_cents"])
def test_bad_amounts_are_refused_and_named(line: str, name: str) -> None:
    """CASES 11: -100, 0, 100.1, "NaN", 1e400, true, "100", full-width digits: the field, the value, the reason."""
    written, value, reason = (part.strip() for part in line.split("|"))
    field = f'"{name}":'
    for text in (PLAIN, json.dumps(json.loads(PLAIN))):
        at = text.rindex(field) + len(field)
        end = min(place for place in (text.find(",", at), text.find("}", at)) if place > 0)
        with pytest.raises(RecordError) as caught:
            decode_record(f"{text[:at]}{written}{text[end:]}".encode())
        assert (caught.value.field, caught.value.value, caught.value.reason) == (f"seats[1].{name}", value, reason)


BAD_RECORDS: list[tuple[str, str, str, str, str]] = [
    ('"seat":5', '"seat":5,"seat":5', "seats[1].seat", "5", "repeated"),
    ('"seats":', '"dealer":"x","seats":', "dealer", "x", "repeated"),
    ('"seat":5', '"seat":5,"name":"x"', "seats[1].name", "x", "unknown field"),
    ('"seats":', '"players":7,"seats":', "players", "7", "unknown field"),
    ('"seat":5,', "", "seats[1].seat", "", "missing"),
    ('"ante_cents":500,', "", "seats[1].ante_cents", "", "missing"),
    ('"bet","bet', '"raise","bet', "seats[1].decision", "raise", "invalid enum value 'raise'"),
    ('"dealer":"As Kd 4h 3c 2c"', '"dealer":null', "dealer", "null", "null: what is absent is left out"),
    ('"seats":', '"table":"T\\u0000","seats":', "table", "T\\x00", "a text holds a NUL or half a surrogate pair"),
    ('"seats":', '"device":"hand","seats":', "device", "hand", "invalid enum value 'hand'"),
    ('"seats":', '"round":-1,"seats":', "round", "-1", "expected int >= 0"),
    (
        '"seats":',
        '"commit":9223372036854775808,"seats":',
        "commit",
        "9223372036854775808",
        "expected int <= 9223372036854775807",
    ),
    ('"seats":', '"meters":[{"pool":"a","pool":"b"}],"seats":', "meters[0].pool", "b", "repeated"),
    ('"seats":', '"shown":{"generation":1},"seats":', "shown.commit", "", "missing"),
    ('"seats":', '"kind":"void","seats":', "kind", "void", "invalid enum value 'void'"),
    ('"seats":', '"seats":3,"x":', "seats", "3", "expected array, got int"),
    ('"seat":5', '"seat":5,', "seats[1]", "", "not JSON: Expecting property name"),
    ("]}", "]", "seats", "", "not JSON: Expecting ',' delimiter"),
    ("]}", "]} x", "", "x", "not JSON: Extra data"),
]


@pytest.mark.parametrize(("old", "new", "field", "value", "reason"), BAD_RECORDS)
def test_bad_records_are_refused_and_named(old: str, new: str, field: str, value: str, reason: str) -> None:
    """Unknown, repeated and missing fields, at every depth, and texts that are no JSON."""
    assert old in PLAIN
    with pytest.raises(RecordError) as caught:
        decode_record(new.join(PLAIN.rsplit(old, 1)).encode())
    assert caught.value.field == field
    assert caught.value.value.startswith(value)
    assert caught.value.reason.startswith(reason)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[]",
        b"7",
        b'"x"',
        b"\xff",
        b'{"seats":"\xff"}',
        b"\xef\xbb\xbf{}",
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b"{}",
    ],
)
def test_what_is_no_record_at_all_is_refused(data: bytes) -> None:
    """Nothing that can be sent ends otherwise than in a record or a RecordError."""
    with pytest.raises(RecordError):
        decode_record(data)


def test_long_values_are_cut() -> None:
    """An error shows forty characters of a value, however long it was."""
    with pytest.raises(RecordError) as caught:
        decode_record(PLAIN.replace('"fold"', '"' + "x" * 1_000_000 + '"').encode())
    assert caught.value.value == "x" * 40


IMPOSSIBLE: list[tuple[str, str, str, str]] = [
    ("Ks Kh 2s 2h 2d", "Ks Kh 2s 2h 10d", "seats[1].cards", "10d"),
    ("Ks Kh 2s 2h 2d", "Ks Kh 2s 2h 1d", "seats[1].cards", "1d"),
    ("Ks Kh 2s 2h 2d", "Ks Kh 2s 2h", "seats[1].cards", "Ks Kh 2s 2h"),
    ("Ks Kh 2s 2h 2d", "Ks Kh 2s 2h 2d 3d", "seats[1].cards", "Ks Kh 2s 2h 2d 3d"),
    ("Ks Kh 2s 2h 2d", "Ks Kh 2s 2h Ks", "seats[1].cards", "Ks"),
    ("Ks Kh 2s 2h 2d", "As Kh 2s 2h 2d", "seats[1].cards", "As"),
    ("Ks Kh 2s 2h 2d", "", "seats[1].cards", ""),
    ("As Kd 4h 3c 2c", "As Kd 4h 3c 3c", "dealer", "3c"),
    ('"dealer":"As Kd 4h 3c 2c",', "", "dealer", ""),
    ('"seats":', '"capture":"claims","seats":', "dealer", "As Kd 4h 3c 2c"),
    ('"seat":5', '"seat":2', "seats[1].seat", "2"),
    ('"seats":', '"game":"faro","seats":', "game", "faro"),
    ('"seats":', '"edition":"1999-01-01","seats":', "edition", "1999-01-01"),
]


@pytest.mark.parametrize(("old", "new", "field", "value"), IMPOSSIBLE)
def test_a_record_of_what_cannot_have_been_is_kept_but_is_no_round(old: str, new: str, field: str, value: str) -> None:
    """CASES 45: the form is read, so that the table's word is kept; as a round it is refused by its card."""
    assert old in PLAIN
    record = decode_record(PLAIN.replace(old, new).encode())
    with pytest.raises(RecordError) as caught:
        to_round(record)
    assert (caught.value.field, caught.value.value) == (field, value)


def test_a_table_s_settings_go_with_its_record() -> None:
    """PROTOCOL 3: the server settles again under what the record carries, not under what is the default today."""
    settings = Settings(cap_linked_wager=False, max_payout_cents=500_000, token_on_win="as_voucher")  # noqa: S106 - no password
    limits = Limits(ante_min_cents=500, ante_max_cents=10_000, jackpot_cents=100)
    record = msgspec.structs.replace(
        decode_record(PLAIN.encode()),
        settings=settings_record(settings),
        limits=limits_record(limits),
        schedules=("csp_10_1",),
    )
    record = decode_record(encode_record(record))
    assert settings_of(record) == settings
    assert limits_of(record) == limits
    schedule = schedule_of(record)
    assert schedule is not None
    assert schedule.name == "csp_10_1"
    written = json.loads(encode_record(record))["settings"]
    assert written["max_payout_covers"] == "winnings"


@pytest.mark.parametrize(
    ("extra", "field", "value"),
    [
        ('"limits":{"ante_min_cents":2000,"ante_max_cents":1000}', "limits.ante_max_cents", "1000"),
        ('"schedules":["none"]', "schedules[0]", "none"),
        ('"schedules":["csp_10_1","csp_10_1"]', "schedules[1]", "csp_10_1"),
    ],
)
def test_settings_that_no_table_has_are_named(extra: str, field: str, value: str) -> None:
    """A sign no wager can comply with, or a schedule that does not exist, is an error of the record."""
    record = decode_record(PLAIN.replace('"seats":', f'{extra},"seats":').encode())
    with pytest.raises(RecordError) as caught:
        (limits_of(record), schedule_of(record))
    assert (caught.value.field, caught.value.value) == (field, value)


def test_awards_are_written_as_the_export_has_them() -> None:
    """Zeros are written: amount = from_pool + topup + bonus for every award, in paying order."""
    awards = award({"main": 5_000_000_000_000}, {}, [Winner(3, "flush"), Winner(5, "royal_flush")], demo_terms()).awards
    record = msgspec.structs.replace(decode_record(PLAIN.encode()), awards=tuple(map(award_record, awards)))
    assert json.loads(encode_record(record))["awards"] == [
        {
            "seat": 5,
            "prize": "royal_flush",
            "pool": "main",
            "amount_cents": 5_000_000,
            "from_pool_cents": 5_000_000,
            "topup_cents": 0,
            "bonus_cents": 0,
        },
        {
            "seat": 3,
            "prize": "flush",
            "pool": "house",
            "amount_cents": 10_000,
            "from_pool_cents": 0,
            "topup_cents": 0,
            "bonus_cents": 10_000,
        },
    ]


def test_nothing_but_a_round_makes_a_record() -> None:
    """``record_of`` takes no field that a record does not have."""
    round_ = to_round(decode_record(PLAIN.encode()))
    with pytest.raises(TypeError, match="player"):
        record_of(round_, player="x")
    record = record_of(round_, GAMES[round_.game].settle(round_), table="T1", late=True)
    assert isinstance(record, RoundRecord)
    assert (record.table, record.late, record.capture) == ("T1", True, "full")


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.just("As Kd 4h 3c 2c"),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["seats", "seat", "ante_cents", "cards", "dealer", "jackpot", "terms"]), inner
        )
    ),
    max_leaves=8,
)


@given(value=json_values)
def test_any_json_is_a_record_or_a_record_error(value: Any) -> None:
    """Malformed input never ends in a traceback."""
    with contextlib.suppress(RecordError):
        to_round(decode_record(json.dumps(value).encode()))


@given(at=st.integers(0, len(WHOLE) - 1), byte=st.integers(0, 255), cut=st.booleans())
def test_any_damaged_record_is_a_record_or_a_record_error(at: int, byte: int, cut: bool) -> None:  # noqa: FBT001 - drawn
    """One byte of a good record changed, or the rest of it missing: still no traceback."""
    damaged = WHOLE[:at] + bytes([byte]) + (b"" if cut else WHOLE[at + 1 :])
    with contextlib.suppress(RecordError):
        record = decode_record(damaged)
        to_round(record)
        (settings_of(record), limits_of(record), schedule_of(record))
