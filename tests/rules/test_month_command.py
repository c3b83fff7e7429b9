"""`python -m rules month`: settlements in, the lists of a month out; what is missing is named, with exit code 1."""

import json
import random
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from rules.__main__ import main
from tests.support.spoiling import spoilt

STUD: dict[str, Any] = {
    "game": "caribbean_stud",
    "table": "T1",
    "journal": 1,
    "month": "2026-11",
    "round": 7,
    "dealer": "As Kd 9h 5c 3d",
    "seats": [{"seat": 1, "ante_cents": 1000, "decision": "bet", "bet_cents": 2000, "cards": "2s 2d 7h 9c Jd"}],
    "payment_errors": [{"seat": 1, "wager": "bet", "paid_cents": 104_001}],
}
SIC: dict[str, Any] = {
    "game": "sic_bo",
    "table": "S1",
    "month": "2026-11",
    "round": 9,
    "dice": [4, 5, 6],
    "seats": [{"seat": 3, "wagers": [{"wager": "small", "cents": 700}], "void_for": "invalid"}],
    "invalid_wagers": [{"seat": 3, "person": "A. Player", "reason": "another's [Player] Card"}],
    "payment_errors": [{"seat": 3, "wager": "colour_change", "paid_cents": 0, "owed_cents": 250_000}],
}


@pytest.fixture
def month(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    """Settle rounds, then make a month's lists from the answers; gives the exit code and what came out."""

    def run(*rounds: Any, asked: str = "2026-11", people: bool = False) -> tuple[int, Any]:
        source, settled = tmp_path / "rounds.jsonl", tmp_path / "settled.jsonl"
        source.write_text("".join(f"{json.dumps(line)}\n" for line in rounds))
        main(["settle", str(source)])
        settled.write_text(capsys.readouterr().out)
        code = main(["month", "--month", asked, *([] if people else ["--json"]), str(settled)])
        said = capsys.readouterr().out
        return code, said if people else json.loads(said)

    return run


def test_the_lists_of_a_month(month: Any) -> None:
    """CSP 14.19, SIC 8.13, 8.14.2: each line with its round, rule and amount; totals for each book."""
    code, made = month(STUD, SIC)
    assert code == 0
    assert (made["month"], made["due"], made["rounds"], made["errors"]) == ("2026-11", "2026-11-30", 2, [])
    stud, sic = made["payment_errors"]
    assert stud == {
        "book": "CSP",
        "table": "T1",
        "round": 7,
        "what": "overpayment",
        "seat": 1,
        "wager": "bet",
        "cents": 100_001,
        "owed_cents": 4000,
        "paid_cents": 104_001,
        "rule": "CSP 14.19",
        "why": "not answered yet",
    }
    assert (sic["book"], sic["what"], sic["cents"], sic["rule"]) == ("SIC", "underpayment", 250_000, "SIC 8.13")
    assert made["kept"] == [
        {
            "book": "SIC",
            "table": "S1",
            "round": 9,
            "seat": 3,
            "wager": "small",
            "cents": 700,
            "rule": "SIC 8.14.2",
            "person": "A. Player",
            "reason": "another's [Player] Card",
        }
    ]
    names = ("book", "overpaid_cents", "underpaid_cents", "kept_cents")
    totals = [tuple(each[name] for name in names) for each in made["books"]]
    assert totals == [("CSP", 100_001, 0, 0), ("SIC", 0, 250_000, 700)]


def test_an_error_of_1000_dollars_exactly_is_in_no_list(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """CSP 14.19: over $1,000, whoever wrote the line into a settlement."""
    line = {"what": "overpayment", "seat": 1, "wager": "bet", "owed_cents": 0, "rule": "CSP 14.19", "why": ""}
    lines = [line | {"day": "2026-11-03", "cents": cents, "paid_cents": cents} for cents in (100_000, 100_001)]
    source = tmp_path / "settled.jsonl"
    source.write_text(json.dumps({"game": "caribbean_stud", "lines": [], "month_end": lines}))
    assert main(["month", "--month", "2026-11", "--json", str(source)]) == 0
    assert [each["cents"] for each in json.loads(capsys.readouterr().out)["payment_errors"]] == [100_001]


def test_another_month_has_none_of_it(month: Any) -> None:
    """CSP 14.19: a line is of the month in which the casino became aware of it, and of no other."""
    assert month(STUD, SIC, asked="2026-12")[1]["payment_errors"] == []
    later = STUD | {"payment_errors": [STUD["payment_errors"][0] | {"day": "2026-12-02"}]}
    assert month(later)[1]["payment_errors"] == []
    assert month(later, asked="2026-12")[1]["payment_errors"][0]["day"] == "2026-12-02"


def test_a_corrected_round_replaces_what_it_said_before(month: Any) -> None:
    """Whichever comes first: the higher revision holds. The same settlement twice counts once; two do not agree."""
    corrected = {name: value for name, value in STUD.items() if name != "payment_errors"} | {"revision": 2}
    for lines in ([STUD | {"revision": 1}, corrected], [corrected, STUD | {"revision": 1}]):
        code, made = month(*lines)
        assert (code, made["payment_errors"], made["rounds"]) == (0, [], 1)
    code, made = month(STUD, STUD)
    assert (code, len(made["payment_errors"]), made["rounds"]) == (0, 1, 1)
    other = STUD | {"payment_errors": [STUD["payment_errors"][0] | {"paid_cents": 900_000}]}
    code, made = month(STUD, other)
    assert (code, [each["field"] for each in made["errors"]]) == (1, ["round"])
    unnamed = {name: value for name, value in STUD.items() if name not in {"table", "round"}}
    assert len(month(unnamed, unnamed)[1]["payment_errors"]) == 2


def test_what_is_missing_is_named(month: Any) -> None:
    """A round that was not settled, a line of no month, a kept stake of nobody: each an error, and exit code 1."""
    nobody = {name: value for name, value in SIC.items() if name not in {"invalid_wagers", "month"}}
    code, made = month(STUD, {"game": "faro"}, nobody)
    assert code == 1
    assert [(each["line"], each["field"]) for each in made["errors"]] == [
        (2, ""),
        (3, "month"),
        (3, "kept[0].person"),
        (3, "kept[0].reason"),
    ]
    assert [each["book"] for each in made["payment_errors"]] == ["CSP"]


def test_people_read_two_lists_and_totals(month: Any) -> None:
    """Amounts in dollars, each side in its own column; nothing where there is nothing; names as they were given."""
    code, said = month(STUD, SIC, people=True)
    assert code == 0
    lines = said.splitlines()
    assert lines[0] == "Payment errors over $1,000.00, November 2026: the NICC is informed by 30 November 2026"
    assert " ".join(lines[2].split()) == "CSP - T1 7 1 bet $1,000.01 CSP 14.19 not answered yet"
    assert lines[3].index("$2,500.00") > lines[2].index("$1,000.01")
    assert any("A. Player" in line and "another's [Player] Card" in line and "$7.00" in line for line in lines)
    assert "Sic Bo: overpaid $0.00, underpaid $2,500.00 (1); kept $7.00 (1)" in lines
    assert "none" in month(STUD, asked="2027-01", people=True)[1]
    bad = month({"game": "faro"}, people=True)[1].splitlines()
    assert bad[-1].startswith("line 1: a round that was not settled is in no list: ")


def test_nothing_is_cut_on_a_narrow_terminal(month: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Eighty columns: what was done, persons and reasons are there in full, and no line of the lists is wider."""
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr("rules.cli.month.Output", partial(Console, force_terminal=True, color_system=None))
    suspected = STUD["payment_errors"][0] | {"suspected": True, "answer": "brought_to_nicc", "paid_cents": 1_250_000_00}
    code, said = month(STUD | {"payment_errors": [suspected]}, SIC, people=True)
    assert code == 0
    assert "…" not in said
    words = " ".join(said.split())
    for told in (
        "CSP - table T1 round 7 seat 1 wager bet over $1,249,960.00 rule CSP 14.19",
        "suspected to be intentional, brought to the attention of the NICC",
        "SIC - table S1 round 9 seat 3 wager small kept $7.00 rule SIC 8.14.2 person A. Player another's [Player] Card",
    ):
        assert told in words
    lists, _, _ = said.partition("Caribbean Stud Poker: overpaid")
    assert max(map(len, lists.splitlines())) <= 80


def test_a_spool_of_a_table_without_a_link_is_read_too(
    month: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What `tablelink spool show --json` shows of a round has its settlement within; totals are passed over."""
    month(STUD)
    (line,) = (tmp_path / "settled.jsonl").read_text().splitlines()
    refused = '{"number":2,"became":"refused","statement":[{"field":"game","value":"","error":"unknown"}]}'
    spool = tmp_path / "spool.jsonl"
    spool.write_text(f'{{"number":1,"became":"settled","statement":{line}}}\n{refused}\n\n{{"rounds":2}}\n')
    assert main(["month", "--month", "2026-11", "--json", str(spool)]) == 0
    made = json.loads(capsys.readouterr().out)
    assert (len(made["payment_errors"]), made["rounds"], made["passed_over"]) == (1, 1, 2)


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("[1]", ""),
        ("nonsense", ""),
        ('{"lines":[]}', "game"),
        ('{"game":"faro","lines":[]}', "game"),
        ('{"game":"sic_bo","lines":[],"month":"2026-13"}', "month"),
        ('{"game":"sic_bo","lines":[],"kept":[{"seat":1}]}', "kept[0].wager"),
        (
            '{"game":"sic_bo","lines":[],"kept":[{"seat":1,"wager":"big","cents":5,"rule":"","day":"2026-11-31"}]}',
            "kept[0].day",
        ),
    ],
)
def test_a_line_that_is_no_settlement_is_named(
    text: str, field: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The field that is wrong, and the line; the rest goes on."""
    source = tmp_path / "settled.jsonl"
    source.write_text(f'{text}\n{{"game":"sic_bo","lines":[]}}\n')
    assert main(["month", "--month", "2026-11", "--json", str(source)]) == 1
    made = json.loads(capsys.readouterr().out)
    assert [(each["line"], each["field"]) for each in made["errors"]] == [(1, field)]
    assert made["rounds"] == 1


def test_a_call_that_cannot_be(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file that is not there, a month that is none: exit code 2 and a word of why."""
    assert main(["month", "--month", "2026-11", str(tmp_path / "absent")]) == 2
    assert "absent" in capsys.readouterr().err
    for text in ("2026-13", "2026", "soon", "9999-12"):
        with pytest.raises(SystemExit, match="2"):
            main(["month", "--month", text])
        assert "no month such as 2026-11" in capsys.readouterr().err


def test_spoilt_settlements_never_end_in_a_traceback(
    month: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """By the hundred: each spoilt line is taken, passed over or named, and the good one is in the list all the same."""
    month(STUD)
    (good,) = (tmp_path / "settled.jsonl").read_text().splitlines()
    source, chance = tmp_path / "spoilt.jsonl", random.Random(7)
    named = 0
    for number in range(300):
        bad = spoilt(json.loads(good) | {"round": 1000 + number}, chance)
        source.write_bytes(bad.text.replace(b"\n", b" ") + b"\n" + good.encode() + b"\n")
        code = main(["month", "--month", "2026-11", "--json", str(source)])
        said = capsys.readouterr()
        made = json.loads(said.out)
        assert (code, said.err) == (int(bool(made["errors"])), ""), bad
        assert any(each.get("round") == 7 for each in made["payment_errors"]), bad
        assert all(each.keys() == {"line", "field", "value", "error"} and each["error"] for each in made["errors"])
        named += len(made["errors"])
    assert named > 60
