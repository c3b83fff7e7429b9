"""The JSON form of a Sic Bo round, and the settle command on files of rolls: strict, and a day long."""

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
from rules.games.sic_bo import Limits, LossLimit, Placed, Round, Run, Runs, Seat, settle
from rules.readback import settle_any
from rules.records import FORMS, RecordError, decode_any, encode_any, rulings_of, schedules_of, sign_of
from rules.records.sic_bo import SicBoRecord, sic_bo_record, sic_bo_round
from rules.settings import SicBoSettings
from tests.oracle.test_sic_bo_agrees import as_round, random_round

PLAIN: dict[str, Any] = {
    "game": "sic_bo",
    "dice": [2, 1, 6],
    "seats": [
        {"seat": 2, "wagers": [{"wager": "total_9", "cents": 500}]},
        {"seat": 12, "wagers": [{"wager": "super_streak_odd", "cents": 200}, {"wager": "big", "cents": 100}]},
    ],
    "still_open": [{"seat": 3, "wager": "super_streak_small", "stake_cents": 500, "in_a_row": 4}],
}
WHOLE = (
    b'{"kind":"record","game":"sic_bo","edition":"2024-08-19","table":"T9","journal":1,"month":"2026-11","round":17,'
    b'"revision":1,"schedules":["sic_7_1"],"rules_version":1,"dice":[2,1,6],"seats":[{"seat":2,"wagers":[{"wager":'
    b'"total_9","cents":500,"tender":"token"},{"wager":"even","cents":100}],"own_min_cents":50,"own_max_cents":1000,'
    b'"loss_limit":{"limit_cents":5000,"net_loss_cents":-100,"declared_cents":800},"void_for":"invalid"}],'
    b'"still_open":[{"seat":3,"wager":"super_streak_small","stake_cents":500,"in_a_row":4,"tender":"token_once"}],'
    b'"runs":{"small_big":{"in_a_row":5,"side":"small"},"odd_even":{"in_a_row":0}},"lit":["small","odd"],'
    b'"display":[2,1,5],"final_call":true,"settled":[{"seat":2,"wager":"even","paid_cents":0,"returned_cents":0}],'
    b'"settings":{"even_on_10":"win","pay_12":"at_end"},"limits":{"min_cents":{"table":100,"total":50},"max_cents":'
    b'{"total_4":500},"unit_cents":{"table":5},"player_max_cents":9000,"streak_cents":500,"offered":["odd","even",'
    b'"super_streak"]}}'
)


def text(**changes: Any) -> bytes:
    """The plain round with fields changed; those that are "absent!" are left out."""
    return json.dumps({name: value for name, value in {**PLAIN, **changes}.items() if value != "absent!"}).encode()


def bet_text(seat: dict[str, Any] | None = None, **changes: Any) -> bytes:
    """The plain round with one bet of one player, with fields changed."""
    return text(seats=[{"seat": 2, "wagers": [{"wager": "total_9", "cents": 500, **changes}], **(seat or {})}])


def test_a_whole_record_keeps_every_byte() -> None:
    """What is read is written again byte for byte, fields in their order, so that digests hold."""
    record = decode_any(WHOLE)
    assert isinstance(record, SicBoRecord)
    assert encode_any(record) == WHOLE
    assert FORMS["sic_bo"].form.decode(WHOLE, canonical=True) == record
    assert rulings_of(record) == SicBoSettings(even_on_10="win", pay_12="at_end")
    offered = ("odd", "even", "super_streak")
    sign = Limits({"table": 100, "total": 50}, {"total_4": 500}, {"table": 5}, 9000, 500, offered)  # type: ignore[arg-type]
    assert sign_of(record) == sign
    assert schedules_of(record)["super_streak"].name == "sic_7_2"
    round_ = sic_bo_round(record)
    assert round_.runs == Runs(Run("small", 5), Run(None, 0))
    assert round_.seats[0].loss_limit == LossLimit(5000, -100, 800)
    assert (round_.display, round_.final_call, round_.lit) == ((2, 1, 5), True, ("small", "odd"))


def test_a_plain_round_needs_little() -> None:
    """A bare roll needs its dice; bets are of chips, under the defaults, and streaks were placed in time."""
    round_, settlement = settle_any(decode_any(text()))
    assert (round_.game, round_.edition, round_.runs) == ("sic_bo", "2024-08-19", None)
    assert [(line.seat, line.wager, line.net_cents) for line in settlement.lines] == [
        (2, "total_9", 3500),
        (12, "big", -100),
    ]
    assert [(each.seat, each.in_a_row) for each in settlement.still_open] == [(3, 5), (12, 1)]
    assert settle_any(decode_any(b'{"game":"sic_bo","dice":[1,2,3]}'))[1].lines == ()


def test_random_rounds_survive_the_form() -> None:
    """What a table records is read back as the same round, and settles to what the table settled it to."""
    chance = random.Random(19)
    for _ in range(300):
        one_round = random_round(chance)
        sign = (
            dict.fromkeys(["min_cents", "max_cents", "streak_cents", "player_max_cents", "offered"])
            | one_round["limits"]
        )
        fields = {"settings": one_round["settings"], "limits": {k: v for k, v in sign.items() if v is not None}}
        round_ = as_round(one_round, chance.choice([None, Runs(), Runs(Run("big", 3), Run(None, 0))]))
        settlement = settle(
            round_,
            SicBoSettings(**fields["settings"]),
            Limits(**{**fields["limits"], "offered": tuple(sign["offered"])}),
        )
        parts = {name: decoded(name, part) for name, part in fields.items()}
        data = encode_any(sic_bo_record(round_, settlement, table="T9", **parts))
        again = FORMS["sic_bo"].form.decode(data, canonical=True)
        assert sic_bo_round(again) == round_
        assert settle_any(again) == (round_, settlement)


def decoded(name: str, part: dict[str, Any]) -> Any:
    """A part of a record."""
    return getattr(FORMS["sic_bo"].form.decode(json.dumps({"game": "sic_bo", name: part}).encode()), name)


BAD = [
    (text(dice="absent!"), "dice", ""),
    (text(dice=[1, 2]), "dice", "1 2"),
    (text(dice=[1, 2, 3, 4]), "dice", "1 2 3 4"),
    (text(dice=[1, 2, 7]), "dice", "1 2 7"),
    (text(dice=["1", 2, 3]), "dice[0]", "1"),
    (text(dice=[1, 2, 3.0]), "dice[2]", "3.0"),
    (text(dice=None), "dice", "null"),
    (text(no_result="broken"), "dice", "1 2 6"),
    (text(no_result="tilted", dice="absent!"), "no_result", "tilted"),
    (text(display=[0, 1, 1]), "display", "0 1 1"),
    (text(display=[1]), "display", "1"),
    (text(lit=["small", "tie"]), "lit[1]", "tie"),
    (text(lit=["super_streak_big"]), "lit[0]", "super_streak_big"),
    (text(edition="2016-08-17"), "edition", "2016-08-17"),
    (text(dealer="As"), "dealer", "As"),
    (text(final_call="yes"), "final_call", "yes"),
    (text(schedules=["csp_10_1"]), "schedules[0]", "csp_10_1"),
    (text(schedules=["sic_7_2", "sic_7_2"]), "schedules[1]", "sic_7_2"),
    (text(limits={"min_cents": {"table": 500}, "max_cents": {"total_4": 100}}), "limits.max_cents.total_4", "100"),
    (text(limits={"min_cents": {"tie": 500}}), "limits.min_cents.tie", "tie"),
    (text(limits={"min_cents": {"super_streak": 500}}), "limits.min_cents.super_streak", "super_streak"),
    (text(limits={"offered": ["tie"]}), "limits.offered[0]", "tie"),
    (text(limits={"offered": []}), "seats[1].wagers[0].wager", "super_streak_odd"),
    (text(limits={"offered": ["odd", "even"]}), "settings.even_on_10", ""),
    (text(settings={"streak_basis": "changeover"}), "settings.streak_basis", "changeover"),
    (text(settings={"even_on_10": "sometimes"}), "settings.even_on_10", "sometimes"),
    (text(settings={"dealer_qualifies": "card"}), "settings.dealer_qualifies", "card"),
    (text(runs={"small_big": {"side": "odd", "in_a_row": 1}}), "runs.small_big.side", "odd"),
    (text(runs={"odd_even": {"in_a_row": 3}}), "runs.odd_even.in_a_row", "3"),
    (text(runs={"odd_even": {"side": "odd"}}), "runs.odd_even.in_a_row", ""),
    (text(still_open=[{**PLAIN["still_open"][0], "wager": "small"}]), "still_open[0].wager", "small"),
    (text(still_open=[{**PLAIN["still_open"][0], "in_a_row": 13}]), "still_open[0].in_a_row", "13"),
    (text(still_open=[{**PLAIN["still_open"][0], "in_a_row": 12}]), "still_open[0].in_a_row", "12"),
    (text(still_open=PLAIN["still_open"] * 2), "still_open[1].wager", "super_streak_small"),
    (text(forfeits=[{"seat": 2, "person": "A. Lee", "reason": "fraud"}]), "forfeits", ""),
    (bet_text(wager="total_3"), "seats[0].wagers[0].wager", "total_3"),
    (bet_text(wager="even"), "settings.even_on_10", ""),
    (bet_text(wager="super_streak_even"), "settings.even_on_10", ""),
    (bet_text(cents=0), "seats[0].wagers[0].cents", "0"),
    (bet_text(cents="500"), "seats[0].wagers[0].cents", "500"),
    (bet_text(cents=10**12 + 1), "seats[0].wagers[0].cents", "1000000000001"),
    (bet_text(tender="coins"), "seats[0].wagers[0].tender", "coins"),
    (bet_text(odds=5), "seats[0].wagers[0].odds", "5"),
    (bet_text({"seat": 100}), "seats[0].seat", "100"),
    (bet_text({"wagers": []}), "seats[0].wagers", "[]"),
    (bet_text({"own_max_cents": 5, "own_min_cents": 6}), "seats[0].own_max_cents", "5"),
    (bet_text({"loss_limit": {}}), "seats[0].loss_limit.limit_cents", ""),
    (bet_text({"loss_limit": {"limit_cents": -1}}), "seats[0].loss_limit.limit_cents", "-1"),
    (bet_text({"void_for": "mood"}), "seats[0].void_for", "mood"),
    (text(seats=[PLAIN["seats"][0]] * 2), "seats[1].seat", "2"),
]


@pytest.mark.parametrize(("data", "field", "value"), BAD)
def test_a_bad_record_is_named_by_field_and_value(data: bytes, field: str, value: str) -> None:
    """CASES 45: whatever is wrong in form, in the dice or in the bets is named, and nothing is settled."""
    with pytest.raises(RecordError) as caught:
        settle_any(decode_any(data))
    assert (caught.value.field, caught.value.value) == (field, value)


def test_a_table_with_even_names_its_reading_of_it() -> None:
    """SIC 3.3.2: 10 is missing in the list of Even, so no table settles an Even bet without saying what that means."""
    for reading, outcome in (("lose", "lose"), ("win", "win")):
        data = json.loads(bet_text(wager="even")) | {"dice": [1, 3, 6], "settings": {"even_on_10": reading}}
        _, settlement = settle_any(decode_any(json.dumps(data).encode()))
        assert settlement.lines[0].outcome == outcome
        assert settlement.rulings == (("even_on_10", reading),)


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


Answers = list[dict[str, Any]]


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    """Settle these lines from a file; gives the exit code and the answers."""

    def settle_lines(*lines: bytes, files: int = 1) -> tuple[int, Answers]:
        path = tmp_path / "rolls.jsonl"
        path.write_bytes(b"\n".join(lines) + b"\n")
        code = main(["settle", *[str(path)] * files])
        return code, [json.loads(line) for line in capsys.readouterr().out.splitlines()]

    return settle_lines


def test_a_settlement_says_all_that_a_player_may_ask(run: Any) -> None:
    """The dice as called, each wager's line, what stays in play and the runs, as the next line takes them."""
    code, (answer,) = run(text(table="T9"))
    line = {"outcome": "win", "paid_cents": 3500, "returned_cents": 500, "tender": "chips"}
    lost = {"outcome": "lose", "paid_cents": 0, "returned_cents": 0, "tender": "chips"}
    assert code == 0
    assert answer == {
        "line": 1,
        "table": "T9",
        "game": "sic_bo",
        "edition": "2024-08-19",
        "dice": [1, 2, 6],
        "total": 9,
        "triple": False,
        "lines": [
            {"seat": 2, "wager": "total_9", "stake_cents": 500, "rules": ["SIC 3.2.6", "SIC 7.1"], **line},
            {"seat": 12, "wager": "big", "stake_cents": 100, "rules": ["SIC 3.2.2.2"], **lost},
        ],
        "net": [{"seat": 2, "net_cents": 3500}, {"seat": 12, "net_cents": -100}],
        "still_open": [
            {"seat": 3, "wager": "super_streak_small", "stake_cents": 500, "in_a_row": 5},
            {"seat": 12, "wager": "super_streak_odd", "stake_cents": 200, "in_a_row": 1},
        ],
        "runs": {"small_big": {"in_a_row": 1, "side": "small"}, "odd_even": {"in_a_row": 1, "side": "odd"}},
        "rulings": {},
        "notes": [
            "seat 12: super streak odd is taken as placed in time: the runs before this round are not known (SIC 6.2)"
        ],
    }
    assert run(b'{"game":"sic_bo","no_result":"broken"}')[1][0]["no_result"] == "broken"


def roll(*dice: int, **fields: Any) -> bytes:
    """A line with only dice, and what else is given."""
    return json.dumps({"game": "sic_bo", "dice": dice, **fields}).encode()


STREAK = [{"seat": 1, "wagers": [{"wager": "super_streak_small", "cents": 500}]}]


def test_a_file_of_rolls_plays_a_day(run: Any) -> None:
    """SIC 6.2, 6.4: a streak wager placed on one line is counted on the next ones, and paid where its streak ends."""
    rolls = [roll(1, 1, 2, runs={}), roll(1, 2, 2, seats=STREAK), *[roll(1, 1, 2)] * 3, roll(2, 2, 2), roll(5, 6, 6)]
    code, answers = run(*rolls)
    assert code == 0
    assert [[each["in_a_row"] for each in answer["still_open"]] for answer in answers] == [
        [],
        [1],
        [2],
        [3],
        [4],
        [4],
        [],
    ]
    assert answers[-1]["lines"][0]["paid_cents"] == 3000
    assert answers[-1]["runs"]["small_big"] == {"in_a_row": 1, "side": "big"}


def test_the_same_day_one_line_at_a_time(run: Any) -> None:
    """What an answer leaves in play is what the next line takes, in the same words."""
    rolls = [roll(1, 1, 2, runs={}), roll(1, 2, 2, seats=STREAK), *[roll(1, 1, 2)] * 3, roll(2, 2, 2), roll(5, 6, 6)]
    _, together = run(*rolls)
    left: dict[str, Any] = {}
    for line, wanted in zip(rolls, together, strict=True):
        _, (answer,) = run(json.dumps({**json.loads(line), **left}).encode())
        assert answer | {"line": 0} == wanted | {"line": 0}
        left = {"still_open": answer["still_open"], "runs": answer["runs"]}


def test_a_streak_wager_out_of_its_time_is_void_in_a_file(run: Any) -> None:
    """SIC 6.2: a file knows its runs; a wager placed while a streak is in progress is void and goes back."""
    _, answers = run(roll(1, 1, 2, runs={}), roll(1, 1, 2), roll(1, 1, 2, seats=STREAK))
    assert [(line["outcome"], line["rules"]) for line in answers[-1]["lines"]] == [("void", ["SIC 6.2", "SIC 1.1"])]
    _, answers = run(roll(1, 1, 2, runs={}, seats=STREAK))
    assert answers[0]["lines"][0]["outcome"] == "void"


def test_a_streak_wager_whose_runs_nobody_knows_is_taken_with_a_note(run: Any) -> None:
    """SIC 6.2: a first line that does not say its runs has the wager in time, and says that nobody knows."""
    unknown = (
        "seat 1: super streak small is taken as placed in time: the runs before this round are not known (SIC 6.2)"
    )
    _, (first, second) = run(roll(1, 1, 2, seats=STREAK), roll(1, 1, 2))
    assert (first["notes"], second["notes"]) == ([unknown], [])
    assert [each["in_a_row"] for each in first["still_open"]] == [1]
    _, answers = run(roll(1, 1, 2), roll(5, 6, 6), roll(1, 1, 2, seats=STREAK))
    assert answers[-1]["notes"] == []
    _, answers = run(roll(1, 1, 2, seats=[{"seat": 1, "wagers": [{"wager": "small", "cents": 500}]}]))
    assert answers[0]["notes"] == []


def test_tables_and_files_have_their_own_day(run: Any) -> None:
    """What is in play at one table, or in one file, is not in play at another."""
    first, second = roll(1, 1, 2, table="A", seats=STREAK), roll(1, 1, 2, table="B")
    _, answers = run(first, second, roll(1, 1, 2, table="A"), files=2)
    assert [len(answer["still_open"]) for answer in answers[:3]] == [1, 0, 1]
    assert answers[2]["still_open"][0]["in_a_row"] == 2
    assert answers[3]["still_open"][0]["in_a_row"] == 1
    assert [answer["file"] for answer in answers] == [answers[0]["file"]] * 6


def test_a_line_that_says_what_is_in_play_is_taken_at_its_word(run: Any) -> None:
    """A line's own word comes first, also where it says that nothing is in play."""
    _, answers = run(roll(1, 1, 2, seats=STREAK), roll(1, 1, 2, still_open=[]), roll(1, 1, 2))
    assert [answer["still_open"] for answer in answers[1:]] == [[], []]


def test_a_bad_line_is_told_to_those_after_it(run: Any) -> None:
    """A roll that could not be read may have ended a streak: the next line that goes on from before it says so."""
    bad = roll(1, 1, 7)
    code, answers = run(
        roll(1, 1, 2, seats=STREAK), bad, roll(1, 1, 2), roll(1, 1, 2), roll(1, 1, 2, still_open=[], runs={})
    )
    assert (code, answers[1]["field"]) == (1, "dice")
    assert answers[2]["notes"] == ["line 2 was not settled: what is in play is as line 1 left it"]
    assert answers[2]["still_open"][0]["in_a_row"] == 2
    assert [answer["notes"] for answer in answers[3:]] == [[], []]


def test_what_the_table_paid_is_compared(run: Any) -> None:
    """A record says how its table settled it; a cent more is an error line with its field, and the day goes on."""
    round_ = Round((1, 1, 2), (Seat(1, (Placed("small", 500), Placed("super_streak_small", 500))),))
    record = sic_bo_record(round_, settle(round_))
    assert run(encode_any(record))[0] == 0
    assert record.settled is not None
    wrong = msgspec.structs.replace(record, settled=(msgspec.structs.replace(record.settled[0], paid_cents=501),))
    code, (answer, after) = run(encode_any(wrong), roll(1, 1, 2))
    assert (code, answer["field"], answer["value"]) == (1, "settled[0].paid_cents", "501")
    assert after["still_open"][0]["in_a_row"] == 2
    streak = Round((1, 1, 2), (Seat(1, (Placed("super_streak_small", 500),)),))
    claimed = sic_bo_record(streak, settle(streak))
    claimed = msgspec.structs.replace(claimed, settled=record.settled)
    assert run(encode_any(claimed))[1][0]["field"] == "settled"


def test_no_line_goes_on_unnoticed_before_a_fault_is_rectified(run: Any) -> None:
    """SIC 8.7, 8.8: wrong lights stop the play; the next line says so, unless it says that the fault is rectified."""
    wrong = roll(1, 1, 2, lit=["big"])
    for after, noticed in ((roll(4, 5, 6), True), (roll(4, 5, 6, stopped=False), False)):
        code, answers = run(wrong, after, roll(1, 2, 3))
        assert code == 0
        assert answers[0]["stopped"] is True
        said = [any("SIC 8.8" in note for note in answer.get("notes", [])) for answer in answers]
        assert said == [True, noticed, False]
        assert "stopped" not in answers[1]
