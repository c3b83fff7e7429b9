"""The JSON form of a Three Card Poker round, and the settle command on it: as strict as that of the linked game."""

import contextlib
import json
import random
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.__main__ import main
from rules.games.three_card_poker import Limits, Round, Seat, settle
from rules.readback import settle_any
from rules.records import (
    FORMS,
    RecordError,
    RoundRecord,
    decode_any,
    decode_record,
    encode_any,
    rulings_of,
    schedules_of,
    sign_of,
)
from rules.records.three_card_poker import ThreeCardRecord, three_card_record, three_card_round
from rules.settings import ThreeCardSettings
from tests.oracle.test_three_card_agrees import as_round, random_round

PLAIN: dict[str, Any] = {
    "game": "three_card_poker",
    "dealer": "Qs 7d 4h",
    "seats": [
        {"seat": 2, "ante_cents": 1000, "decision": "fold"},
        {
            "seat": 5,
            "ante_cents": 500,
            "pair_plus_cents": 200,
            "decision": "play",
            "play_cents": 500,
            "cards": "Kc Kd 2h",
        },
    ],
}
WHOLE = (
    b'{"kind":"record","game":"three_card_poker","edition":"2024-08-16","table":"T9","journal":1,"month":"2026-11",'
    b'"round":17,"revision":1,"schedules":["tcp_ante_bonus_3_2_1"],"rules_version":1,"device":"shuffler",'
    b'"dealer":"Qs 7d 4h","seats":[{"seat":5,"ante_cents":500,"pair_plus_cents":200,"decision":"play",'
    b'"play_cents":500,"cards":"Kc Kd 2h","ante_tender":"token"},{"seat":6,"ante_cents":500,"decision":"short",'
    b'"warnings":1}],"settled":[{"seat":5,"wager":"ante","paid_cents":500,"returned_cents":500}],'
    b'"settings":{"concede_collects":"ante_play"},"limits":{"pair_plus_min_cents":100}}'
)


def text(**changes: Any) -> bytes:
    """The plain round with fields changed."""
    return json.dumps({**PLAIN, **changes}).encode()


def seat_text(**changes: Any) -> bytes:
    """The plain round with fields of its second seat changed."""
    first, second = PLAIN["seats"]
    changed = {name: value for name, value in {**second, **changes}.items() if value != "absent!"}
    return text(seats=[first, changed])


def test_a_whole_record_keeps_every_byte() -> None:
    """What is read is written again byte for byte, fields in their order, so that digests hold."""
    record = decode_any(WHOLE)
    assert isinstance(record, ThreeCardRecord)
    assert encode_any(record) == WHOLE
    assert rulings_of(record) == ThreeCardSettings(concede_collects="ante_play")
    assert sign_of(record) == Limits(pair_plus_min_cents=100)
    assert schedules_of(record)["ante_bonus"].name == "tcp_ante_bonus_3_2_1"


def test_a_plain_round_needs_little() -> None:
    """A bare round is dealt from a shoe, paid in chips, under the defaults."""
    round_, settlement = settle_any(decode_any(text()))
    assert (round_.device, round_.seats[0].ante_tender, round_.game) == ("shoe", "chips", "three_card_poker")
    assert [line.net_cents for line in settlement.lines] == [-1000, 500, 500, 200]


def test_random_rounds_survive_the_form() -> None:
    """What a table records is read back as the same round, and settles to what the table settled it to."""
    chance = random.Random(17)
    for _ in range(300):
        round_ = as_round(random_round(chance))
        record = three_card_record(round_, settle(round_), table="T9")
        data = encode_any(record)
        again = decode_any(data)
        assert again == record
        assert three_card_round(record) == round_
        assert FORMS["three_card_poker"].form.decode(data, canonical=True) == record


def test_a_record_without_a_game_is_of_the_linked_one() -> None:
    """The form that a link takes names its game or not; no other game's form is taken for it."""
    linked = b'{"dealer":"As Kd 4h 3c 2c","seats":[{"seat":1,"ante_cents":100,"decision":"fold"}]}'
    assert isinstance(decode_any(linked), RoundRecord)
    with pytest.raises(RecordError):
        decode_record(WHOLE)
    with pytest.raises(RecordError) as caught:
        decode_any(b'{"game":"three_card_poker","game":"caribbean_stud","dealer":"As Kd 4h 3c 2c","seats":[]}')
    assert (caught.value.field, caught.value.reason) == ("game", "repeated")


BAD = [
    (text(seats=[]), "seats", "[]"),
    (text(dealer="Qs 7d"), "dealer", "Qs 7d"),
    (text(dealer="Qs 7d 10h"), "dealer", "10h"),
    (text(dealer="Qs 7d Kc"), "seats[1].cards", "Kc"),
    (text(edition="2016-08-17"), "edition", "2016-08-17"),
    (text(device="hand"), "device", "hand"),
    (text(jackpot={"meter_cents": 1}), "jackpot", ""),
    (text(capture="claims"), "capture", "claims"),
    (text(game="faro"), "game", "faro"),
    (text(game=3), "game", "3"),
    (text(schedules=["csp_10_1"]), "schedules[0]", "csp_10_1"),
    (text(schedules=["tcp_10_1", "none"]), "schedules[1]", "none"),
    (text(limits={"ante_min_cents": 500, "ante_max_cents": 100}), "limits.ante_max_cents", "100"),
    (text(limits={"bet_max_cents": 500}), "limits.bet_max_cents", "500"),
    (text(settings={"dealer_qualifies": "always"}), "settings.dealer_qualifies", "always"),
    (text(settings={"max_payout_cents": 5}), "settings.max_payout_cents", "5"),
    (seat_text(seat=2), "seats[1].seat", "2"),
    (seat_text(seat=10), "seats[1].seat", "10"),
    (seat_text(ante_cents="500"), "seats[1].ante_cents", "500"),
    (seat_text(ante_cents=0), "seats[1].ante_cents", "0"),
    (seat_text(ante_cents=None), "seats[1].ante_cents", "null"),
    (seat_text(ante_cents=500.0), "seats[1].ante_cents", "500.0"),
    (seat_text(pair_plus_cents=True), "seats[1].pair_plus_cents", "true"),
    (seat_text(play_cents=501), "seats[1].play_cents", "501"),
    (seat_text(ante_cents="absent!"), "seats[1].play_cents", "500"),
    (seat_text(ante_cents="absent!", play_cents="absent!", pair_plus_cents="absent!"), "seats[1].ante_cents", ""),
    (seat_text(decision="bet"), "seats[1].decision", "bet"),
    (seat_text(decision="absent!"), "seats[1].decision", ""),
    (seat_text(cards="Kc Kd"), "seats[1].cards", "Kc Kd"),
    (seat_text(cards="Kc Kd 2h 3h"), "seats[1].cards", "Kc Kd 2h 3h"),
    (seat_text(cards="Kc Kd Kc"), "seats[1].cards", "Kc"),
    (seat_text(cards="Kc Kd 1h"), "seats[1].cards", "1h"),
    (seat_text(cards="absent!"), "seats[1].cards", ""),
    (seat_text(jackpot_cents=100), "seats[1].jackpot_cents", "100"),
    (seat_text(warnings=0), "seats[1].warnings", "0"),
    (b'{"game":"three_card_poker"}', "seats", ""),
    (text(dealer=None), "dealer", "null"),
    (text(void_by="flood"), "void_by", "flood"),
    (text(forfeits=[{"seat": 5, "person": "A. Lee", "reason": "marked cards"}]), "forfeits", ""),
    (text(void_by="invalidated", forfeits=[{"seat": 6, "person": "A", "reason": "b"}]), "forfeits[0].seat", "6"),
    (text(void_by="invalidated", forfeits=[{"seat": 5, "person": "", "reason": "b"}]), "forfeits[0].person", ""),
    (seat_text(void_for="not_reconstructed"), "seats[1].void_for", "not_reconstructed"),
    (seat_text(void_for="card_count"), "seats[1].void_for", "card_count"),
    (seat_text(void_for="invalid", decision="void"), "seats[1].void_for", "invalid"),
    (seat_text(own_limits={"ante_min_cents": 9, "ante_max_cents": 5}), "seats[1].own_limits.ante_max_cents", "5"),
    (seat_text(own_limits={"bet_max_cents": 5}), "seats[1].own_limits.bet_max_cents", "5"),
]


@pytest.mark.parametrize(("data", "field", "value"), BAD)
def test_a_bad_record_is_named_by_field_and_value(data: bytes, field: str, value: str) -> None:
    """CASES 45: whatever is wrong in form, in the cards or in the wagers is named, and nothing is settled."""
    with pytest.raises(RecordError) as caught:
        settle_any(decode_any(data))
    if field != "jackpot":
        assert caught.value.value == value
    assert caught.value.field == field


@given(
    cut=st.integers(0, len(WHOLE)),
    put=st.sampled_from([b"", b"{", b'"', b"null", b"-1", b"1e9", b"\xff", b"[]", b",", b'"seat":1,', b"\x00", b"}"]),
    gone=st.integers(0, 30),
)
def test_a_mangled_record_never_ends_in_a_traceback(cut: int, put: bytes, gone: int) -> None:
    """Any text is a record or a record's error."""
    data = WHOLE[:cut] + put + WHOLE[cut + gone :]
    with contextlib.suppress(RecordError):
        settle_any(decode_any(data))


def run(tmp_path: Path, capsys: pytest.CaptureFixture[str], *lines: bytes) -> tuple[int, list[dict[str, Any]]]:
    """The exit code and answers of the settle command on these lines."""
    path = tmp_path / "rounds.jsonl"
    path.write_bytes(b"\n".join(lines) + b"\n")
    code = main(["settle", str(path)])
    return code, [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_rounds_of_several_games_are_settled_in_one_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each line is settled by its own game's rules; a bad one is an error line and the rest goes on."""
    linked = b'{"dealer":"As Kd 4h 3c 2c","seats":[{"seat":1,"ante_cents":100,"decision":"fold"}]}'
    code, answers = run(tmp_path, capsys, linked, WHOLE.replace(b'"settled"', b'"sold"'), text(table="T9"))
    assert code == 1
    assert [answer.get("game") for answer in answers] == ["caribbean_stud", None, "three_card_poker"]
    assert answers[1] == {"line": 2, "field": "sold", "value": answers[1]["value"], "error": "unknown field"}
    assert answers[2] == {
        "line": 3,
        "table": "T9",
        "game": "three_card_poker",
        "edition": "2024-08-16",
        "dealer": {
            "cards": "Qs 7d 4h",
            "hand": "Three Odd Cards, queen seven four",
            "category": "three_odd_cards",
            "rule": "TCP 11.1.6",
            "qualifies": True,
        },
        "hands": [{"seat": 5, "hand": "One Pair, kings with two", "category": "one_pair", "rule": "TCP 11.1.5"}],
        "lines": [
            line_of(2, "ante", 1000, "lose", 0, 0, "TCP 8.4"),
            line_of(5, "ante", 500, "win", 500, 500, "TCP 9.4.1.5", "TCP 10.1"),
            line_of(5, "play", 500, "win", 500, 500, "TCP 9.4.1.5", "TCP 10.3"),
            line_of(5, "pair_plus", 200, "win", 200, 200, "TCP 9.4.1.6", "TCP 10.4"),
        ],
        "net": [{"seat": 2, "net_cents": -1000}, {"seat": 5, "net_cents": 1200}],
        "rulings": {"pair_plus": "tcp_pair_plus_40_30_6_4_1"},
        "notes": [],
    }


def line_of(seat: int, wager: str, stake: int, outcome: str, paid: int, returned: int, *rules: str) -> dict[str, Any]:
    """A line of an answer, paid in chips."""
    return {
        "seat": seat,
        "wager": wager,
        "stake_cents": stake,
        "outcome": outcome,
        "paid_cents": paid,
        "returned_cents": returned,
        "rules": list(rules),
        "tender": "chips",
    }


def test_what_the_table_paid_is_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A record says how its table settled it; a cent more is an error line with its field."""
    seat = Seat(5, 500, 200, "play", 500, (44, 45, 2))
    round_ = Round("shoe", (43, 21, 10), (seat,))
    record = three_card_record(round_, settle(round_))
    assert run(tmp_path, capsys, encode_any(record))[0] == 0
    assert record.settled is not None
    paid = msgspec.structs.replace(record.settled[2], paid_cents=201)
    wrong = msgspec.structs.replace(record, settled=(*record.settled[:2], paid))
    code, (answer,) = run(tmp_path, capsys, encode_any(wrong))
    assert (code, answer["field"], answer["value"]) == (1, "settled[2].paid_cents", "201")
