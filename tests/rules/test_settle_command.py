"""`python -m rules settle`: a line in, a line out, and the exit code says whether all were good."""

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from rules.__main__ import LONGEST_LINE, main
from rules.progressive import award
from rules.readback import settle_record
from rules.records import award_record, encode_record
from rules.terms import MILLION, fingerprint
from tests.support.rounds import random_round
from tests.support.terms import demo_bytes, demo_terms, demo_tree

GOOD = {
    "dealer": "As Kd 4h 3c 2c",
    "seats": [
        {"seat": 2, "ante_cents": 1000, "decision": "fold"},
        {
            "seat": 5,
            "ante_cents": 500,
            "jackpot_cents": 100,
            "decision": "bet",
            "bet_cents": 1000,
            "cards": "Ah 2h 3h 4d 5h",
        },
    ],
}
ROYAL = json.loads(json.dumps(GOOD).replace("Ah 2h 3h 4d 5h", "Ah Kh Qh Jh Th"))


@pytest.fixture
def settle(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    """Settle these lines from a file; gives the exit code and the lines that came out."""

    def run(*lines: Any, arguments: tuple[str, ...] = ()) -> tuple[int, list[dict[str, Any]]]:
        source = tmp_path / "rounds.jsonl"
        texts = [line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines]
        source.write_bytes(b"".join(text + b"\n" for text in texts))
        code = main(["settle", str(source), *arguments])
        return code, [json.loads(line) for line in capsys.readouterr().out.splitlines()]

    return run


def test_a_settlement_says_all_that_a_player_may_ask(settle: Any) -> None:
    """Per seat and wager: stake, outcome, paid, returned, rules; the player's net; the rulings it hangs on."""
    code, (line,) = settle(GOOD)
    assert code == 0
    assert line["line"] == 1
    assert line["dealer"]["qualifies"] is True
    assert line["lines"][1] == {
        "seat": 5,
        "wager": "ante",
        "stake_cents": 500,
        "outcome": "win",
        "paid_cents": 500,
        "returned_cents": 500,
        "rules": ["CSP 9.4.1.1", "CSP 10.1"],
        "tender": "chips",
    }
    assert line["lines"][2]["paid_cents"] == 4000
    assert line["net"] == [{"seat": 2, "net_cents": -1000}, {"seat": 5, "net_cents": 4400}]
    assert "awards" not in line


def test_a_meter_brings_awards(settle: Any) -> None:
    """With `jackpot` on the line the award is in it, on the jackpot's own line, and in the player's net."""
    code, (line,) = settle({**ROYAL, "jackpot": {"meter_cents": 6_000_000, "terms": demo_tree()}})
    assert code == 0
    assert line["awards"] == [
        {
            "seat": 5,
            "prize": "royal_flush",
            "pool": "main",
            "amount_cents": 6_000_000,
            "from_pool_cents": 6_000_000,
            "topup_cents": 0,
            "bonus_cents": 0,
            "rules": ["CSP 12.1.1"],
        }
    ]
    jackpot = line["lines"][3]
    assert (jackpot["wager"], jackpot["paid_cents"], jackpot["outcome"]) == ("jackpot", 6_000_000, "win")
    assert "CSP 12.1.1" in jackpot["rules"]
    assert line["net"][1]["net_cents"] == 500 + 250 * 1000 + 6_000_000 - 100


def test_a_meter_of_more_than_2_to_the_53_loses_no_digit(settle: Any) -> None:
    """CASES 40: $90,071,992,547,409.93 is paid to the cent."""
    meter = 2**53 + 1
    _, (line,) = settle({**ROYAL, "jackpot": {"meter_cents": meter, "terms": demo_tree()}})
    assert line["awards"][0]["amount_cents"] == meter


def test_terms_may_be_named_by_their_fingerprint(settle: Any, tmp_path: Path) -> None:
    """A line names terms given with --terms; terms nobody gave are an error of the line."""
    terms = tmp_path / "terms.json"
    terms.write_bytes(demo_bytes())
    line = {**ROYAL, "jackpot": {"meter_cents": 6_000_000, "terms": fingerprint(demo_terms())}}
    code, (out,) = settle(line, arguments=("--terms", str(terms)))
    assert (code, out["awards"][0]["amount_cents"]) == (0, 6_000_000)
    line["jackpot"]["terms"] = "0" * 64
    code, (out,) = settle(line, arguments=("--terms", str(terms)))
    assert (code, out["field"], out["value"]) == (1, "jackpot.terms", "0" * 40)


def test_a_bad_line_gives_an_error_and_the_rest_goes_on(settle: Any) -> None:
    """Each error line says line, field, value and error, and nothing else; the exit code is 1."""
    bad = json.loads(json.dumps(GOOD).replace('"ante_cents": 500', '"ante_cents": "100"'))
    missing = json.loads(json.dumps(GOOD).replace(', "bet_cents": 1000', ""))
    code, lines = settle(GOOD, bad, b"", b"nonsense", missing, b"\xff\xfe", GOOD)
    assert code == 1
    assert [line["line"] for line in lines] == [1, 2, 4, 5, 6, 7]
    assert lines[1] == {"line": 2, "field": "seats[1].ante_cents", "value": "100", "error": "expected int, got str"}
    assert lines[2] == {"line": 4, "field": "", "value": "nonsense", "error": "not JSON: Expecting value"}
    assert lines[3]["field"] == "seats[1].bet_cents"
    assert set(lines[4]) == {"line", "field", "value", "error"}
    assert "lines" in lines[5]


@pytest.mark.parametrize(
    ("cards", "value"),
    [
        ("Ah 2h 3h 6h 10h", "10h"),
        ("Ah 2h 3h 6h 1h", "1h"),
        ("Ah 2h 3h 6h Ah", "Ah"),
        ("As 2h 3h 6h 5h", "As"),
        ("Ah 2h", "Ah 2h"),
    ],
)
def test_an_impossible_card_is_never_paid(settle: Any, cards: str, value: str) -> None:
    """CASES 45: the card is named, and there is no settlement."""
    code, (line,) = settle(json.loads(json.dumps(GOOD).replace("Ah 2h 3h 4d 5h", cards)))
    assert code == 1
    assert (line["field"], line["value"]) == ("seats[1].cards", value)


def test_the_wheel(settle: Any) -> None:
    """CASES 42: A-2-3-4-5 suited pays 50 to 1 and the 10% prize; unsuited 4 to 1 and none."""
    suited = json.loads(json.dumps(GOOD).replace("4d", "4h").replace("4h 3c 2c", "6h 3c 2c"))
    _, (line,) = settle({**suited, "jackpot": {"meter_cents": 6_000_000, "terms": demo_tree()}})
    assert line["lines"][2]["paid_cents"] == 50 * 1000
    assert [(each["prize"], each["amount_cents"]) for each in line["awards"]] == [("straight_flush", 600_000)]
    _, (line,) = settle({**GOOD, "jackpot": {"meter_cents": 6_000_000, "terms": demo_tree()}})
    assert line["lines"][2]["paid_cents"] == 4 * 1000
    assert line["awards"] == []


def export(folder: Path, rounds: int) -> list[bytes]:
    """The lines of an export of a link's first rounds, and its terms in the folder."""
    (folder / "terms.json").write_bytes(demo_bytes())
    terms = demo_terms()
    rng = random.Random(3)
    meter, lines = 5_000_000, []
    for number in range(1, rounds + 1):
        record = random_round(rng, prize_chance=0.2)
        winners = settle_record(record, terms)[1].qualifying
        resolution = award({"main": meter * MILLION}, {}, winners, terms)
        after = resolution.pool_after_microcents["main"] // MILLION + (5_000_000 if resolution.falls else 0)
        record = msgspec.structs.replace(
            record,
            table="T1",
            round=number,
            terms=fingerprint(terms),
            meter_before_cents=meter,
            meter_after_cents=after,
            awards=tuple(map(award_record, resolution.awards)),
        )
        lines += [encode_record(record), b'{"kind":"withdraw","commit":7,"moved":[{"seat":1}]}']
        meter = after + 154
    return lines


def test_an_export_reads_back_and_agrees(settle: Any, tmp_path: Path) -> None:
    """From rounds.jsonl and terms.json alone every award is worked out again; other kinds are passed over."""
    lines = export(tmp_path, 100)
    code, out = settle(*lines, arguments=("--terms", str(tmp_path / "terms.json")))
    assert code == 0
    assert len(out) == 100
    assert [line["round"] for line in out] == list(range(1, 101))


def test_a_false_award_in_an_export_is_an_error_line(settle: Any, tmp_path: Path) -> None:
    """One cent more on one award is found, in its line, by its field."""
    lines = export(tmp_path, 100)
    place = next(
        place for place, line in enumerate(lines) if b'"awards":[{' in line and b'"amount_cents":10000,' in line
    )
    lines[place] = lines[place].replace(b'"amount_cents":10000,', b'"amount_cents":10001,', 1)
    code, out = settle(*lines, arguments=("--terms", str(tmp_path / "terms.json")))
    assert code == 1
    (error,) = [line for line in out if "error" in line]
    assert error["line"] == place + 1
    assert error["field"].endswith("].amount_cents")
    assert (error["value"], error["error"]) == ("10001", "the terms say 10000")


def test_a_false_payment_of_the_base_game_is_an_error_line(settle: Any) -> None:
    """What the table says it paid is compared with what the rules pay."""
    paid = [
        {"seat": 2, "wager": "ante", "paid_cents": 0, "returned_cents": 0},
        {"seat": 5, "wager": "ante", "paid_cents": 500, "returned_cents": 500},
        {"seat": 5, "wager": "bet", "paid_cents": 4000, "returned_cents": 1000},
    ]
    assert settle({**GOOD, "settled": paid})[0] == 0
    code, (line,) = settle({**GOOD, "settled": [*paid[:2], {**paid[2], "paid_cents": 5000}]})
    assert (code, line["field"], line["value"]) == (1, "settled[2].paid_cents", "5000")


def test_an_export_under_unknown_terms_does_not_agree(settle: Any, tmp_path: Path) -> None:
    """A record names its terms; without them nothing can be said of its awards."""
    lines = export(tmp_path, 1)
    (tmp_path / "terms.json").write_bytes(
        demo_bytes().replace(b'"version":1', b'"version":2').replace(b'"version": 1', b'"version": 2')
    )
    code, (line,) = settle(lines[0], arguments=("--terms", str(tmp_path / "terms.json")))
    assert (code, line["field"]) == (1, "terms")


def test_counts_alone(settle: Any) -> None:
    """`--json` gives one object: how many were settled, passed over, and what was wrong."""
    code, (counts,) = settle(GOOD, b"", b"x", arguments=("--json",))
    assert code == 1
    assert (counts["settled"], counts["passed_over"]) == (1, 1)
    assert counts["errors"] == [{"line": 3, "field": "", "value": "x", "error": "not JSON: Expecting value"}]


def test_a_line_without_an_end_is_refused_once(settle: Any) -> None:
    """A line longer than any record is one error, and the next line is settled."""
    code, lines = settle(b"x" * (3 * LONGEST_LINE + 7), GOOD)
    assert code == 1
    assert [line["line"] for line in lines] == [1, 2]
    assert lines[0]["error"] == f"longer than {LONGEST_LINE} bytes"
    assert "lines" in lines[1]


def test_what_cannot_be_opened_or_is_no_terms_is_said(
    settle: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Called wrongly: exit code 2, one sentence on standard error, no traceback."""
    assert main(["settle", str(tmp_path / "none.jsonl")]) == 2
    assert "none.jsonl" in capsys.readouterr().err
    bad = tmp_path / "terms.json"
    bad.write_text('{"form":1}')
    assert settle(GOOD, arguments=("--terms", str(bad)))[0] == 2


def test_two_files_say_which(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With several files each line says its file."""
    for name in ("a", "b"):
        (tmp_path / name).write_text(json.dumps(GOOD) + "\n")
    assert main(["settle", str(tmp_path / "a"), str(tmp_path / "b")]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(Path(line["file"]).name, line["line"]) for line in lines] == [("a", 1), ("b", 1)]


def test_from_standard_input_as_a_program() -> None:
    """The program reads standard input, writes JSON Lines only, and its exit code is the answer."""
    source = json.dumps(GOOD) + '\n{"seats":[{"seat":1,"ante_cents":1e400}]}\n'
    done = subprocess.run(
        [sys.executable, "-m", "rules", "settle"], input=source.encode(), capture_output=True, timeout=300, check=False
    )
    assert done.returncode == 1
    assert done.stderr == b""
    good, bad = [json.loads(line) for line in done.stdout.splitlines()]
    assert "lines" in good
    assert bad == {"line": 2, "field": "seats[0].ante_cents", "value": "1e400", "error": "number out of range"}


def test_whoever_stops_reading_sees_no_traceback() -> None:
    """`| head -1`: the reader closes the pipe and the program ends quietly, as a shell says of SIGPIPE."""
    source = (json.dumps(GOOD) + "\n") * 5_000
    with subprocess.Popen(
        [sys.executable, "-m", "rules", "settle"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as program:
        assert program.stdin
        assert program.stdout
        assert program.stderr
        program.stdin.write(source[:1000].encode())
        program.stdout.close()
        try:
            program.stdin.write(source.encode())
            program.stdin.close()
        except BrokenPipeError:
            pass
        assert program.stderr.read() == b""
        assert program.wait(timeout=300) == 141


@pytest.mark.parametrize("asked", [("odds", "--schedule"), ("sign", "sic_bo", "--table"), ("settle",), ("ask",)])
def test_a_file_that_is_not_there_is_named_first(asked: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    """The file, then the reason, as every other fault of a file is said; no number of the system's."""
    assert main([*asked, "nowhere"]) == 2
    assert capsys.readouterr().err == f"rules {asked[0]}: nowhere: No such file or directory\n"


@pytest.mark.parametrize("asked", [("odds", "casino_war"), ("schema",)])
def test_a_table_that_nobody_reads_ends_quietly(asked: tuple[str, ...]) -> None:
    """`| head` of a table as of lines: no traceback, no words, what a shell says of SIGPIPE."""
    with subprocess.Popen(
        [sys.executable, "-m", "rules", *asked], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as program:
        assert program.stdout
        assert program.stderr
        program.stdout.close()
        assert program.stderr.read() == b""
        assert program.wait(timeout=300) == 141


@pytest.mark.parametrize(("owed", "fault"), [(None, True), (5_199_999, True), (5_200_000, False)])
def test_what_was_owed_on_a_jackpot_wager_is_its_award(settle: Any, owed: int | None, *, fault: bool) -> None:
    """CSP 14.16: a report of a prize paid wrongly says what was owed, and where the meter is given it is the award."""
    told = {"seat": 5, "wager": "jackpot", "paid_cents": 5_400_000}
    told |= {} if owed is None else {"owed_cents": owed}
    line = ROYAL | {"jackpot": {"meter_cents": 5_200_000, "terms": demo_tree()}, "payment_errors": [told]}
    code, (said,) = settle(line)
    assert (code == 1) is fault
    if fault:
        assert said["field"] == "payment_errors[0].owed_cents"
    else:
        assert (said["month_end"][0]["cents"], said["month_end"][0]["rule"]) == (200_000, "CSP 14.19")
