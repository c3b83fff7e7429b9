"""The JSON form of a Casino War round, and the settle command on it: as strict as that of the linked game."""

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
from rules.games.casino_war import Limits, settle
from rules.readback import settle_any
from rules.records import FORMS, RecordError, decode_any, encode_any, rulings_of, schedules_of, sign_of
from rules.records.casino_war import CasinoWarRecord, casino_war_record, casino_war_round
from rules.settings import CasinoWarSettings
from tests.oracle.test_casino_war_agrees import as_round, random_round

PLAIN: dict[str, Any] = {
    "game": "casino_war",
    "dealer": "8s 9d",
    "seats": [
        {"seat": 2, "initial_cents": 1000, "tie_cents": 200, "cards": "7c"},
        {
            "seat": 5,
            "initial_cents": 2500,
            "tie_cents": 500,
            "decision": "war",
            "war_cents": 2500,
            "cards": "8c 9h",
        },
    ],
}
WHOLE = (
    b'{"kind":"record","game":"casino_war","edition":"2016-08-17","table":"T9","journal":1,"month":"2026-11",'
    b'"round":17,"revision":1,"schedules":["war_10"],"rules_version":1,"device":"shuffler","dealer":"8s 9d",'
    b'"dealer_extra":"unexposed","chip_cents":100,"seats":[{"seat":5,"initial_cents":2500,"tie_cents":500,'
    b'"decision":"war","war_cents":2500,"cards":"8c 9h","interim":"hand","initial_tender":"token"},'
    b'{"seat":6,"initial_cents":90000,"cards":"8d","void_for":"device_failed","own_limits":{"initial_max_cents":99900}}],'
    b'"void_by":"invalidated","forfeits":[{"seat":6,"person":"A. Lee","reason":"marked cards"}],'
    b'"settled":[{"seat":5,"wager":"war","paid_cents":0,"returned_cents":2500}],'
    b'"settings":{"payment_rounds":"down"},"limits":{"tie_min_cents":100}}'
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
    assert isinstance(record, CasinoWarRecord)
    assert encode_any(record) == WHOLE
    assert rulings_of(record) == CasinoWarSettings(payment_rounds="down")
    assert sign_of(record) == Limits(tie_min_cents=100)
    assert schedules_of(record)["war"].name == "war_10"
    assert casino_war_round(record).seats[1].own_limits == Limits(initial_max_cents=99900)


def test_a_plain_round_needs_little() -> None:
    """A bare round is dealt from a shoe and paid in chips to the cent; CASES 47: a second tie pays the war 2 to 1."""
    round_, settlement = settle_any(decode_any(text()))
    assert (round_.device, round_.chip_cents, round_.game) == ("shoe", 1, "casino_war")
    assert [line.net_cents for line in settlement.lines] == [-1000, -200, 0, 5000, 5000]


def test_a_void_round_needs_no_cards() -> None:
    """WAR 11.16: a misdeal is on record although not every area had its card."""
    bare = [{"seat": 2, "initial_cents": 1000, "cards": "7c"}, {"seat": 5, "initial_cents": 2500}]
    _, settlement = settle_any(decode_any(text(void_by="misdeal", dealer="absent!", seats=bare)))
    assert {line.outcome for line in settlement.lines} == {"void"}
    assert sum(line.net_cents for line in settlement.lines) == 0


def test_random_rounds_survive_the_form() -> None:
    """What a table records is read back as the same round, and settles to what the table settled it to."""
    chance = random.Random(17)
    for _ in range(300):
        one_round = random_round(chance)
        round_ = as_round(one_round)
        record = casino_war_record(round_, settle(round_, CasinoWarSettings(**one_round["settings"])), table="T9")
        data = encode_any(record)
        again = decode_any(data)
        assert casino_war_round(again) == casino_war_round(record) == round_  # type: ignore[arg-type]
        assert FORMS["casino_war"].form.decode(data, canonical=True) == again


BAD = [
    (text(seats=[]), "seats", "[]"),
    (text(dealer="absent!"), "dealer", ""),
    (text(dealer="8s"), "dealer", "8s"),
    (text(dealer="8s 9d 9c"), "dealer", "8s 9d 9c"),
    (text(dealer="8s 10d"), "dealer", "10d"),
    (text(dealer=""), "dealer", ""),
    (text(dealer_extra="folded"), "dealer_extra", "folded"),
    (text(chip_cents=0), "chip_cents", "0"),
    (text(edition="2024-08-16"), "edition", "2024-08-16"),
    (text(device="hand"), "device", "hand"),
    (text(void_by="rain"), "void_by", "rain"),
    (text(forfeits=[{"seat": 2, "person": "A. Lee", "reason": "marked cards"}]), "forfeits", ""),
    (text(void_by="invalidated", forfeits=[{"seat": 3, "person": "A", "reason": "b"}]), "forfeits[0].seat", "3"),
    (text(schedules=["csp_10_1"]), "schedules[0]", "csp_10_1"),
    (text(schedules=["war_10", "none"]), "schedules[1]", "none"),
    (text(limits={"initial_min_cents": 500, "initial_max_cents": 100}), "limits.initial_max_cents", "100"),
    (text(limits={"ante_max_cents": 500}), "limits.ante_max_cents", "500"),
    (text(settings={"over_maximum": "half"}), "settings.over_maximum", "half"),
    (text(settings={"dealer_qualifies": "card"}), "settings.dealer_qualifies", "card"),
    (seat_text(seat=2), "seats[1].seat", "2"),
    (seat_text(seat=10), "seats[1].seat", "10"),
    (seat_text(initial_cents="absent!"), "seats[1].initial_cents", ""),
    (seat_text(initial_cents="2500"), "seats[1].initial_cents", "2500"),
    (seat_text(initial_cents=0), "seats[1].initial_cents", "0"),
    (seat_text(initial_cents=None), "seats[1].initial_cents", "null"),
    (seat_text(tie_cents=True), "seats[1].tie_cents", "true"),
    (seat_text(war_cents=2499), "seats[1].war_cents", "2499"),
    (seat_text(war_cents="absent!"), "seats[1].war_cents", ""),
    (seat_text(decision="fight"), "seats[1].decision", "fight"),
    (seat_text(decision="absent!", war_cents="absent!", cards="8c"), "dealer", "8s 9d"),
    (seat_text(decision="surrender"), "dealer", "8s 9d"),
    (seat_text(cards="8c"), "seats[1].cards", "8c"),
    (seat_text(cards="8c 9h Th"), "seats[1].cards", "8c 9h Th"),
    (seat_text(cards="8c 1h"), "seats[1].cards", "1h"),
    (seat_text(cards="absent!"), "seats[1].cards", ""),
    (seat_text(interim="half"), "seats[1].interim", "half"),
    (seat_text(void_for="rain"), "seats[1].void_for", "rain"),
    (seat_text(own_limits={"tie_min_cents": 5, "tie_max_cents": 4}), "seats[1].own_limits.tie_max_cents", "4"),
]


@pytest.mark.parametrize(("data", "field", "value"), BAD)
def test_a_bad_record_is_named_by_field_and_value(data: bytes, field: str, value: str) -> None:
    """CASES 45: whatever is wrong in form, in the cards or in the wagers is named, and nothing is settled."""
    with pytest.raises(RecordError) as caught:
        settle_any(decode_any(data))
    assert (caught.value.field, caught.value.value) == (field, value)


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
    """The cards, every wager with its rules, the net, rulings and notes; a bad line is an error, the rest goes on."""
    surrender = {"seat": 1, "initial_cents": 25, "decision": "surrender", "cards": "8c"}
    lines = (text(table="T9"), text(dealer="8s 9d 9c"), text(dealer="8s", seats=[surrender]))
    code, answers = run(tmp_path, capsys, *lines)
    assert code == 1
    assert answers[0] == {
        "line": 1,
        "table": "T9",
        "game": "casino_war",
        "edition": "2016-08-17",
        "dealer": {"cards": "8s 9d"},
        "hands": [{"seat": 2, "cards": "7c"}, {"seat": 5, "cards": "8c 9h"}],
        "lines": [
            line_of(2, "initial", 1000, "lose", 0, 0, "WAR 5.1.1.2", "WAR 8.2.1"),
            line_of(2, "tie", 200, "lose", 0, 0, "WAR 5.1.3.2", "WAR 8.1.1"),
            line_of(5, "initial", 2500, "stand_off", 0, 2500, "WAR 5.1.1.5", "WAR 10.2"),
            line_of(5, "war", 2500, "win", 5000, 2500, "WAR 5.1.2.1", "WAR 10.2"),
            line_of(5, "tie", 500, "win", 5000, 500, "WAR 5.1.3.1", "WAR 8.1.2"),
        ],
        "net": [{"seat": 2, "net_cents": -1200}, {"seat": 5, "net_cents": 10000}],
        "rulings": {},
        "notes": [],
    }
    assert (answers[1]["line"], answers[1]["field"], answers[1]["value"]) == (2, "dealer", "8s 9d 9c")
    rules = ("WAR 5.1.1.3", "WAR 8.2.4.1", "WAR 5.10")
    assert answers[2]["lines"] == [line_of(1, "initial", 25, "lose", 0, 13, *rules)]
    assert answers[2]["rulings"] == {"payment_rounds": "up"}


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
    record = casino_war_record(round_, settlement)
    assert run(tmp_path, capsys, encode_any(record))[0] == 0
    assert record.settled is not None
    paid = msgspec.structs.replace(record.settled[3], paid_cents=2500)
    wrong = msgspec.structs.replace(record, settled=(*record.settled[:3], paid, *record.settled[4:]))
    code, (answer,) = run(tmp_path, capsys, encode_any(wrong))
    assert (code, answer["field"], answer["value"]) == (1, "settled[3].paid_cents", "2500")
