"""What the bench promises: rows judged by their goals, a load that plays by the protocol, wagers counted as rows."""

import asyncio
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from jackpot import bench, bench_answers, bench_hot_row, bench_socket
from jackpot.bench_load import LoadFailed, Order, Tally, count, own
from jackpot.bench_results import (
    Better,
    Goal,
    Measured,
    html_text,
    json_text,
    markdown_text,
    result_of,
    table_of,
    with_rows,
)
from jackpot.bench_round import SEATS, record_bytes, record_template
from jackpot.bench_site import BenchFailed, BenchSite, bench_site
from jackpot.bench_socket import Connection, LoadTable, frame_alone, frames
from jackpot.bench_turns import Told, Turns
from rules.games.caribbean_stud import qualifying, settle
from rules.records import decode_record, settled_record, to_round
from tests.support.serving import eventually
from tests.support.terms import demo_terms

JUDGED = """
better reach  values      baselines   ratio  ok
higher 10     100 100 100 10 10 10    10     yes
higher 10     99 99 99    10 10 10    9.9    no
higher 10     50 200 120  10 10 10    12     yes
lower  5      5 5 5       1 1 1       5      yes
lower  5      6 6 6       1 1 1       6      no
lower  250    240 260 250 -           -      yes
lower  250    260 260 250 -           -      no
higher 1      -           -           -      no
"""


def _series(text: str) -> list[float]:
    return [] if text == "-" else [float(one) for one in text.split()]


def _goal(better: Better = "higher", reach: float = 10) -> Goal:
    return Goal("row", "wagers/s", better, reach, "What it says.", "a commit each")


@pytest.mark.parametrize("line", JUDGED.strip().splitlines()[1:])
def test_a_row_is_judged_by_its_ratio_or_its_value(line: str) -> None:
    """Medians count; a row is ok exactly when it reaches its goal, and one without a figure never is."""
    better, reach, values, baselines, ratio, ok = (
        line[at:to].strip() for at, to in ((0, 7), (7, 14), (14, 26), (26, 38), (38, 45), (45, None))
    )
    assert better in {"higher", "lower"}
    goal = _goal("higher" if better == "higher" else "lower", float(reach))
    one = result_of(goal, Measured(_series(values), _series(baselines)))
    assert (one.ratio, one.ok) == (None if ratio == "-" else float(ratio), ok == "yes")


def test_what_could_not_be_measured_is_said_so() -> None:
    """No figure is made up: null in JSON, `ok` false, and words on the page."""
    one = result_of(_goal(), None)
    assert json.loads(json_text([one]))["rows"] == [
        {
            "name": "row",
            "value": None,
            "unit": "wagers/s",
            "better": "higher",
            "baseline": None,
            "ratio": None,
            "reach": 10,
            "ok": False,
            "repeats": 0,
            "spread": None,
        }
    ]
    assert "not measured" in html_text([one], [_goal()], "a machine")
    assert table_of([one], [_goal()]).row_count == 1


def test_the_page_needs_nothing_else_and_trusts_no_text() -> None:
    """The chart loads no resource, names the machine, and shows text as text."""
    goal = Goal("row", "ms", "lower", 5, "A <b>wait</b>.", "a commit")
    page = html_text([result_of(goal, Measured([4.0], [1.0]))], [goal], "2 x <cpu>")
    assert "A &lt;b&gt;wait&lt;/b&gt;." in page
    assert "2 x &lt;cpu&gt;" in page
    assert "src=" not in page
    assert "http" not in page


def test_a_document_gets_its_rows_and_keeps_its_words() -> None:
    """The rows between the marks are those of the run, however often; a document without marks is left alone."""
    goal = _goal()
    results = [result_of(goal, Measured([99.0], [10.0])), result_of(_goal("lower", 5), None)]
    text = markdown_text(results, [goal], "a machine", "2026-11-28", "jackpot bench")
    assert "| row | 99 wagers/s | 10 | 9.9 | ≥ 10 | no | 1 | 0% |" in text
    assert "| row | - wagers/s | - | - | ≤ 5 | no | 0 | - |" in text
    document = "# Speed\n<!-- rows -->\nold\n<!-- end of rows -->\nLimits.\n"
    once = with_rows(document, text)
    assert with_rows(once, text) == once == document.replace("old\n", text)
    new = with_rows("", text)
    assert text in new
    assert with_rows(new, text) == new
    with pytest.raises(ValueError, match="<!-- rows -->"):
        with_rows("# A document of somebody's own\n", text)


def test_rows_are_chosen_by_name() -> None:
    """Rows come in their own order, all where none is named; an unknown one is named together with those there are."""
    assert [goal.name for goal in bench.chosen([])] == list(bench.GOALS)
    assert [goal.name for goal in bench.chosen(["answer_p99", "wagers_vs_hot_row"])] == [
        "wagers_vs_hot_row",
        "answer_p99",
    ]
    with pytest.raises(bench.UnknownRows, match="no row nonesuch; rows are wagers_vs_hot_row"):
        bench.chosen(["nonesuch"])


def test_a_trial_that_fails_leaves_the_others(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A row without a figure is reported with its reason, the exit code says so, and the other rows stand."""

    @contextmanager
    def no_site(_tables: int) -> Iterator[None]:
        yield None

    def fails(_site: BenchSite, _turns: Turns, _told: Told) -> Mapping[str, Measured]:
        raise BenchFailed("the server refused 3 of the load's messages or seats")

    def stands(_site: BenchSite, _turns: Turns, told: Told) -> Mapping[str, Measured]:
        told()
        return {"answer_p99": Measured([3.0], [1.0])}

    def absent(_turns: Turns, _told: Told) -> Mapping[str, Measured]:
        return {}

    def cut_short(_turns: Turns, _told: Told) -> Mapping[str, Measured]:
        return {"growth": Measured([1.0], [1.0], "measured at 7 stored wagers"), "ready_s": Measured([1.0])}

    monkeypatch.setattr(bench, "bench_site", no_site)
    first, second, *_, growth, _size, hands = bench.TRIALS
    monkeypatch.setattr(
        bench,
        "TRIALS",
        (
            replace(first, measure=fails),
            replace(second, measure=stands),
            replace(growth, alone=cut_short),
            replace(hands, alone=absent),
        ),
    )
    monkeypatch.setattr(bench, "GOALS", {goal.name: goal for trial in bench.TRIALS for goal in trial.goals})
    assert bench.run_bench(quick=True, only=[], as_json=True, html=None) == bench.NOT_MEASURED
    out, err = capsys.readouterr()
    assert [(row["name"], row["ok"]) for row in json.loads(out)["rows"]] == [
        ("wagers_vs_hot_row", False),
        ("rounds_vs_hot_row", False),
        ("wagers_vs_batched_sql", False),
        ("answer_p99", True),
        ("growth", False),
        ("ready_s", True),
        ("hands_vs_treys", False),
        ("hands_vs_phevaluator", False),
        ("hands_vs_pokerkit", False),
    ]
    for reason in ("refused 3", "growth: measured at 7 stored wagers", "hands_vs_treys: what it is compared with"):
        assert reason in err


def test_the_round_of_the_load_is_a_round() -> None:
    """Its record is canonical, settles to what it says, and wins no prize: a hit would close the table."""
    record = decode_record(record_bytes(record_template("ab" * 32, 100), "T7", 2, "2026-11", 31), canonical=True)
    assert (record.table, record.journal, record.month, record.round) == ("T7", 2, "2026-11", 31)
    seen = to_round(record)
    assert len(seen.seats) == SEATS
    assert settled_record(settle(seen).lines) == record.settled
    assert not qualifying(seen, demo_terms())


def test_answers_are_counted_by_what_they_say() -> None:
    """A seat that was not accepted, and a message refused whole, are never counted as accepted."""
    tally = Tally()
    count(b'{"kind":"answer","id":"a","answer":{"kind":"wagers","seats":[{"seat":1,"accepted":true}]}}', tally)
    count(b'{"kind":"answer","id":"b","answer":{"kind":"wagers","seats":[{"seat":1,"accepted":false}]}}', tally)
    count(b'{"kind":"answer","id":"c","answer":{"kind":"refused","code":"too_old"}}', tally)
    assert (tally.accepted, tally.refused) == (1, 2)


@pytest.mark.parametrize("size", [0, 1, 125, 126, 4000])
def test_frames_come_whole_however_they_arrive(size: int) -> None:
    """A frame is given once all its bytes are there, at every length of its head, and leaves nothing behind."""
    payload = bytes(size)
    head = bytes([0x81, size]) if size < 126 else bytes([0x81, 126]) + size.to_bytes(2, "big")
    buffer = bytearray()
    got = []
    for byte in (head + payload) * 2:
        buffer.append(byte)
        got += list(frames(buffer))
    assert got == [(1, payload)] * 2
    assert not buffer


@pytest.mark.parametrize("size", [2, 3, 125, 126, 4000])
def test_a_frame_alone_is_what_it_is_among_others(size: int) -> None:
    """The short way of a load gives what the long one gives, and leaves to that one whatever is not a frame alone."""
    payload = bytes(size)
    whole = bytes([0x81, size]) + payload if size < 126 else bytes([0x81, 126]) + size.to_bytes(2, "big") + payload
    assert [(1, frame_alone(whole))] == list(frames(bytearray(whole)))
    others = [whole[:-1], whole + whole, whole + b"\x81", b"", bytes([0x89]) + whole[1:], bytes([0x01]) + whole[1:]]
    assert [frame_alone(other) for other in others] == [None] * len(others)


def test_an_answer_to_another_message_ends_the_load() -> None:
    """Each answer is held against what its table asked last: kind, round and table."""
    table = LoadTable("B7", b"", b"", b"", 100)
    connection = Connection(table, "", lambda _connection: None)
    connection.journal, connection.month, connection.round = 2, "2026-11", 31
    connection.expects("wagers")
    own(connection, b'{"kind":"answer","id":"B7/2/2026-11/31/wagers/1","answer":{}}')
    for name in ("B7/2/2026-11/31/record/1", "B7/2/2026-11/30/wagers/1", "B8/2/2026-11/31/wagers/1"):
        with pytest.raises(LoadFailed, match="B7 was answered"):
            own(connection, b'{"kind":"answer","id":"' + name.encode() + b'","answer":{}}')


def test_hundredth_slowest_is_the_99th_percentile() -> None:
    """One slow answer in a hundred does not move it; two do."""
    assert bench_answers.percentile_99([1.0] * 99 + [9.0]) == 1.0
    assert bench_answers.percentile_99([1.0] * 98 + [9.0, 9.0]) == 9.0


def test_a_small_site_is_measured_whole() -> None:
    """Every row comes from real processes, and Postgres holds each wager that was accepted, once."""
    turns = Turns(repeats=1, load_s=1.0, baseline_s=1.0)
    turned = []
    with bench_site(3) as site:
        rates = bench_hot_row.measure(site, turns, lambda: turned.append("rates"))
        waits = bench_answers.measure(site, turns, lambda: turned.append("waits"))
        assert site.load.accepted == site.wagers_stored() > 0
        site.load.accepted += 1
        with pytest.raises(BenchFailed, match="were accepted and Postgres holds"):
            bench_hot_row.measure(site, turns, lambda: None)
    for found in (*rates.values(), *waits.values()):
        assert len(found.values) == len(found.baselines) == 1
        assert found.values[0] > 0
        assert found.baselines[0] > 0
    assert turned == ["rates", "rates", "waits", "waits"]


def test_a_load_that_loses_its_server_says_so(tmp_path: Path) -> None:
    """A load is never silently smaller: it ends, and whoever asked is told what happened."""
    with bench_site(1) as site:
        # B2 alone: a second B1 would be a clone of the first, and the link would rightly quarantine both.
        setting = msgspec.structs.replace(site.load.setting, tables=["B2"])
        with pytest.raises(BenchFailed, match="B2"):
            type(site.load)(setting, tmp_path / "load.log")
        assert site.load.play(Order("paced", 1.0)).accepted == SEATS


class Written(asyncio.Transport):
    """A transport that keeps what is written to it."""

    def __init__(self) -> None:
        super().__init__()
        self.frames: list[bytes] = []

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Keep it."""
        self.frames.append(bytes(data))


def test_a_table_of_the_load_says_that_it_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table that waits for its turn says what time it is again and again, as an agent does, or it is let go."""
    monkeypatch.setattr(bench_socket, "TIME_EVERY_S", 0.001)

    async def wait() -> None:
        table, written = Connection(LoadTable("B1", b"", b"", b"", 100), "here", lambda _: None), Written()
        table.connection_made(written)
        table.say_time()
        await eventually(lambda: len([one for one in written.frames if one[0] & 15 == bench_socket.PING]) >= 3)
        table.connection_lost(None)

    asyncio.run(wait())
