"""The JSON form of a Four Card Poker round, and the settle command on it: as strict as that of the linked game."""

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
from rules.games.four_card_poker import Limits, settle
from rules.readback import settle_any
from rules.records import FORMS, RecordError, decode_any, encode_any, rulings_of, schedules_of, sign_of
from rules.records.four_card_poker import FourCardRecord, four_card_record, four_card_round
from rules.settings import FourCardSettings
from tests.oracle.test_four_card_agrees import as_round, random_round

PLAIN: dict[str, Any] = {
    "game": "four_card_poker",
    "dealer": "Ks Kd 7h 4h 3c 2s",
    "seats": [
        {"seat": 2, "ante_cents": 1000, "decision": "fold"},
        {
            "seat": 5,
            "ante_cents": 500,
            "aces_up_cents": 200,
            "decision": "play",
            "play_cents": 1500,
            "cards": "Ac Ah 3d 5c 9s",
        },
    ],
}
WHOLE = (
    b'{"kind":"record","game":"four_card_poker","edition":"2016-08-17","table":"T9","journal":1,"month":"2026-11",'
    b'"round":17,"revision":1,"schedules":["fcp_aces_up_50_40_9_6_4_2_1"],"rules_version":1,"device":"shuffler",'
    b'"dealer":"Ks Kd 7h 4h 3c 2s","dealer_set":"Ks 7h 4h 3c","seats":[{"seat":5,"ante_cents":500,'
    b'"aces_up_cents":200,"decision":"play","play_cents":500,"cards":"Ac Ah 3d 5c 9s","ante_tender":"token"},'
    b'{"seat":6,"ante_cents":500,"decision":"short","warnings":1},'
    b'{"seat":7,"ante_cents":500,"decision":"void","void_for":"not_reconstructed"}],'
    b'"void_by":"invalidated","forfeits":[{"seat":6,"person":"A. Lee","reason":"marked cards"}],'
    b'"settled":[{"seat":5,"wager":"ante","paid_cents":0,"returned_cents":500}],'
    b'"settings":{"concede_collects":"ante_play"},"limits":{"aces_up_min_cents":100}}'
)


def text(**changes: Any) -> bytes:
    """The plain round with fields changed, or left out."""
    return json.dumps({name: value for name, value in {**PLAIN, **changes}.items() if value != "absent!"}).encode()


def seat_text(**changes: Any) -> bytes:
    """The plain round with fields of its second seat changed."""
    first, second = PLAIN["seats"]
    changed = {name: value for name, value in {**second, **changes}.items() if value != "absent!"}
    return text(seats=[first, changed])


def test_a_whole_record_keeps_every_byte() -> None:
    """What is read is written again byte for byte, fields in their order, so that digests hold."""
    record = decode_any(WHOLE)
    assert isinstance(record, FourCardRecord)
    assert encode_any(record) == WHOLE
    assert rulings_of(record) == FourCardSettings(concede_collects="ante_play")
    assert sign_of(record) == Limits(aces_up_min_cents=100)
    assert schedules_of(record)["aces_up"].name == "fcp_aces_up_50_40_9_6_4_2_1"


def test_a_plain_round_needs_little() -> None:
    """A bare round is dealt from a shoe, paid in chips, under the defaults."""
    round_, settlement = settle_any(decode_any(text()))
    assert (round_.device, round_.seats[0].ante_tender, round_.game) == ("shoe", "chips", "four_card_poker")
    assert [line.net_cents for line in settlement.lines] == [-1000, 500, 1500, 200]


def test_a_void_round_needs_no_dealer() -> None:
    """FCP 12.4: a misdeal is on record although the dealer's hand was never turned."""
    _, settlement = settle_any(decode_any(text(void_by="misdeal", dealer="absent!")))
    assert {line.outcome for line in settlement.lines} == {"void"}
    assert sum(line.net_cents for line in settlement.lines) == 0


def test_random_rounds_survive_the_form() -> None:
    """What a table records is read back as the same round, and settles to what the table settled it to."""
    chance = random.Random(17)
    for _ in range(300):
        round_ = as_round(random_round(chance))
        settlement = settle(round_, FourCardSettings(carded_play="all_games"))
        record = four_card_record(round_, settlement, table="T9")
        data = encode_any(record)
        assert decode_any(data) == record
        assert four_card_round(record) == round_
        assert FORMS["four_card_poker"].form.decode(data, canonical=True) == record


BAD = [
    (text(seats=[]), "seats", "[]"),
    (text(dealer="absent!"), "dealer", ""),
    (text(dealer="Ks Kd 7h 4h 3c"), "dealer", "Ks Kd 7h 4h 3c"),
    (text(dealer="Ks Kd 7h 4h 3c 10h"), "dealer", "10h"),
    (text(dealer="Ks Kd 7h 4h 3c Ac"), "seats[1].cards", "Ac"),
    (text(dealer_set="Ks Kd 7h Qh"), "dealer_set", "Ks Kd 7h Qh"),
    (text(edition="2024-08-16"), "edition", "2024-08-16"),
    (text(device="hand"), "device", "hand"),
    (text(void_by="rain"), "void_by", "rain"),
    (text(forfeits=[{"seat": 2, "person": "A. Lee", "reason": "marked cards"}]), "forfeits", ""),
    (text(void_by="invalidated", forfeits=[{"seat": 3, "person": "A", "reason": "b"}]), "forfeits[0].seat", "3"),
    (text(void_by="invalidated", forfeits=[{"seat": 2, "person": "", "reason": "b"}]), "forfeits[0].person", ""),
    (text(jackpot={"meter_cents": 1}), "jackpot", '{"meter_cents":1}'),
    (text(schedules=["csp_10_1"]), "schedules[0]", "csp_10_1"),
    (text(schedules=["fcp_10_1", "none"]), "schedules[1]", "none"),
    (text(limits={"ante_min_cents": 500, "ante_max_cents": 100}), "limits.ante_max_cents", "100"),
    (text(limits={"pair_plus_max_cents": 500}), "limits.pair_plus_max_cents", "500"),
    (text(settings={"play_multiples": "half"}), "settings.play_multiples", "half"),
    (text(settings={"dealer_qualifies": "card"}), "settings.dealer_qualifies", "card"),
    (seat_text(seat=2), "seats[1].seat", "2"),
    (seat_text(seat=10), "seats[1].seat", "10"),
    (seat_text(ante_cents="500"), "seats[1].ante_cents", "500"),
    (seat_text(ante_cents=0), "seats[1].ante_cents", "0"),
    (seat_text(ante_cents=None), "seats[1].ante_cents", "null"),
    (seat_text(ante_cents=500.0), "seats[1].ante_cents", "500.0"),
    (seat_text(aces_up_cents=True), "seats[1].aces_up_cents", "true"),
    (seat_text(play_cents=1501), "seats[1].play_cents", "1501"),
    (seat_text(play_cents=499), "seats[1].play_cents", "499"),
    (seat_text(ante_cents="absent!"), "seats[1].play_cents", "1500"),
    (seat_text(ante_cents="absent!", play_cents="absent!", aces_up_cents="absent!"), "seats[1].ante_cents", ""),
    (seat_text(decision="bet"), "seats[1].decision", "bet"),
    (seat_text(decision="absent!"), "seats[1].decision", ""),
    (seat_text(void_for="prohibited_device"), "seats[1].void_for", "prohibited_device"),
    (seat_text(void_for="invalid"), "seats[1].void_for", "invalid"),
    (seat_text(void_for="invalid", decision="void"), "seats[1].void_for", "invalid"),
    (seat_text(own_limits={"ante_min_cents": 9, "ante_max_cents": 5}), "seats[1].own_limits.ante_max_cents", "5"),
    (seat_text(cards="Ac Ah 3d 5c"), "seats[1].cards", "Ac Ah 3d 5c"),
    (seat_text(cards="Ac Ah 3d 5c 9s 9c"), "seats[1].cards", "Ac Ah 3d 5c 9s 9c"),
    (seat_text(cards="Ac Ah 3d 5c Ac"), "seats[1].cards", "Ac"),
    (seat_text(cards="Ac Ah 3d 5c 1h"), "seats[1].cards", "1h"),
    (seat_text(cards="absent!"), "seats[1].cards", ""),
    (seat_text(warnings=0), "seats[1].warnings", "0"),
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


def test_a_line_is_settled_with_all_a_player_may_ask(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The hands with the four cards that count, every wager with its rules, the net, rulings and notes."""
    code, answers = run(tmp_path, capsys, text(table="T9"), text(dealer_set="Ks 7h 4h 3c"), text(dealer="Ks Kd"))
    assert code == 1
    assert answers[0] == {
        "line": 1,
        "table": "T9",
        "game": "four_card_poker",
        "edition": "2016-08-17",
        "dealer": {
            "cards": "Ks Kd 7h 4h 3c 2s",
            "hand": "One Pair, kings with seven four",
            "category": "one_pair",
            "rule": "FCP 11.1.7",
            "best": "Ks Kd 7h 4h",
        },
        "hands": [
            {
                "seat": 5,
                "hand": "One Pair, aces with nine five",
                "category": "one_pair",
                "rule": "FCP 11.1.7",
                "best": "Ah Ac 9s 5c",
            }
        ],
        "lines": [
            line_of(2, "ante", 1000, "lose", 0, 0, "FCP 8.4"),
            line_of(5, "ante", 500, "win", 500, 500, "FCP 9.2.1.4", "FCP 10.1"),
            line_of(5, "play", 1500, "win", 1500, 1500, "FCP 9.2.1.4", "FCP 10.4"),
            line_of(5, "aces_up", 200, "win", 200, 200, "FCP 9.2.1.5", "FCP 10.5"),
        ],
        "net": [{"seat": 2, "net_cents": -1000}, {"seat": 5, "net_cents": 2200}],
        "rulings": {"aces_up": "fcp_aces_up_50_40_8_5_4_3_1"},
        "notes": [],
    }
    assert (answers[1]["dealer"]["best"], len(answers[1]["notes"])) == ("Ks 7h 4h 3c", 1)
    assert answers[1]["dealer"]["category"] == "four_odd_cards"
    assert (answers[2]["line"], answers[2]["field"], answers[2]["value"]) == (3, "dealer", "Ks Kd")


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
    round_, settlement = settle_any(decode_any(text()))
    record = four_card_record(round_, settlement)
    assert run(tmp_path, capsys, encode_any(record))[0] == 0
    assert record.settled is not None
    paid = msgspec.structs.replace(record.settled[2], paid_cents=1501)
    wrong = msgspec.structs.replace(record, settled=(*record.settled[:2], paid, *record.settled[3:]))
    code, (answer,) = run(tmp_path, capsys, encode_any(wrong))
    assert (code, answer["field"], answer["value"]) == (1, "settled[2].paid_cents", "1501")
