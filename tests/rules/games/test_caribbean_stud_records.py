"""Rounds of Caribbean Stud in which something went wrong, as a file tells of them."""

import json
from typing import Any

import pytest

from rules.limits import Limits
from rules.readback import settle_record
from rules.records import (
    RecordError,
    RoundRecord,
    decode_any,
    decode_record,
    encode_any,
    encode_record,
    faults_of,
    record_of,
    to_round,
)

SEAT = {"seat": 3, "ante_cents": 1000, "jackpot_cents": 100, "decision": "bet", "bet_cents": 2000}
ROUND = {"dealer": "As Kd 9h 7c 3c", "seats": [{**SEAT, "cards": "Ah Kh Qh Jh Th"}]}


def outcomes(record: dict[str, Any]) -> list[tuple[str, str, int, int]]:
    """What each wager of a record comes to."""
    found = decode_any(json.dumps(record).encode())
    assert isinstance(found, RoundRecord)
    lines = settle_record(found)[1].lines
    return [(line.wager, line.outcome, line.paid_cents, line.returned_cents) for line in lines]


@pytest.mark.parametrize("cause", ["misdeal", "foreign_card", "device_failed", "invalidated"])
def test_a_void_round_needs_no_dealers_hand(cause: str) -> None:
    """CSP 14.4, 14.9.2, 15.2.1, 16.6: a record of a void round gives every wager back, whatever was seen."""
    assert outcomes({"seats": [SEAT], "void_by": cause}) == [
        ("ante", "void", 0, 1000),
        ("bet", "void", 0, 2000),
        ("jackpot", "void", 0, 100),
    ]
    assert outcomes({**ROUND, "void_by": cause}) == outcomes({"seats": [SEAT], "void_by": cause})


@pytest.mark.parametrize("fault", ["card_count", "prohibited_device", "invalid"])
def test_a_seat_says_what_is_wrong_with_its_wagers(fault: str) -> None:
    """CSP 14.8, 14.20.2, 16.4.1: a winning hand with a fault wins nothing, and its stakes go back."""
    seat = {**ROUND["seats"][0], "void_for": fault}  # type: ignore[dict-item]
    assert {(outcome, paid) for _, outcome, paid, _ in outcomes({**ROUND, "seats": [seat]})} == {("void", 0)}


def test_a_forfeit_is_read() -> None:
    """CSP 16.6: a direction in a record collects the wagers it is about."""
    forfeits = [{"seat": 3, "person": "A. Lee", "reason": "marked cards"}]
    lost = outcomes({**ROUND, "void_by": "invalidated", "forfeits": forfeits})
    assert {outcome for _, outcome, _, _ in lost} == {"lose"}
    with pytest.raises(RecordError, match="forfeits"):
        outcomes({**ROUND, "forfeits": forfeits})


def test_a_table_never_sends_one() -> None:
    """The record that a link takes has none of these fields, and its bytes are the same in both forms."""
    for wrong in ({**ROUND, "void_by": "misdeal"}, {**ROUND, "seats": [{**SEAT, "void_for": "invalid"}]}):
        with pytest.raises(RecordError, match="unknown field"):
            decode_record(json.dumps(wrong).encode())
    plain = encode_record(decode_record(json.dumps({**ROUND, "capture": "full", "table": "T1", "round": 3}).encode()))
    assert encode_any(decode_any(plain)) == plain
    assert faults_of(decode_record(plain)).void_by is None


def test_a_seat_says_by_which_limits_its_player_plays() -> None:
    """CSP 6.5.1, 6.6: a record keeps a seat's own limits, and is settled by them; impossible ones are named."""
    seat = {**ROUND["seats"][0], "own_limits": {"ante_max_cents": 1000}}  # type: ignore[dict-item]
    over = {**ROUND, "limits": {"ante_max_cents": 500}}
    assert outcomes({**over, "seats": [seat]})[:2] == outcomes(ROUND)[:2]
    assert outcomes(over)[0] == ("ante", "win", 500, 1000)
    record = decode_record(json.dumps({**over, "seats": [seat]}).encode())
    assert to_round(record).seats[0].own_limits == Limits(ante_max_cents=1000)
    again = record_of(to_round(record))
    assert to_round(again) == to_round(decode_record(encode_record(again)))
    with pytest.raises(RecordError, match=r"seats\[0\]\.own_limits\.ante_max_cents: 1: below the minimum"):
        outcomes({**ROUND, "seats": [{**seat, "own_limits": {"ante_min_cents": 2, "ante_max_cents": 1}}]})
