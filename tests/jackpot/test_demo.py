"""The main job as a visitor runs it: real programs, real servers, and what they leave behind."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.oracle.ledger import differences_in

TABLES, ROUNDS, SEED = 3, 24, 7
BOUND_S = 600.0
LINKED = ("month", "commit", "wagers_commit", "meter_before_cents", "meter_after_cents", "awards", "shown", "terms")
"""What the same seed need not give again: it hangs on the moment and on what other tables did."""


@dataclass(frozen=True)
class Ended:
    """How a demo ended."""

    code: int
    last: dict[str, Any]
    errors: str


def started(folder: Path, *more: str) -> subprocess.Popen[str]:
    """Start a demo."""
    argv = ["demo", "--tables", str(TABLES), "--rounds", str(ROUNDS), "--seed", str(SEED), "--stack-deck", "--json"]
    return subprocess.Popen(
        [sys.executable, "-m", "jackpot", *argv, "--data", str(folder), *more],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def ended(demo: subprocess.Popen[str]) -> Ended:
    """Wait for a demo's end, in bounded time."""
    try:
        output, errors = demo.communicate(timeout=BOUND_S)
    finally:
        demo.kill()
    return Ended(demo.returncode, json.loads(output.splitlines()[-1]), errors)


def records(export: Path) -> list[dict[str, Any]]:
    """The records of an export, without what the link and the moment gave them, by table and round."""
    lines = [json.loads(line) for line in (export / "rounds.jsonl").read_text().splitlines()]
    kept = [line for line in lines if line["kind"] == "record"]
    for line in kept:
        for name in LINKED:
            line.pop(name, None)
    return sorted(kept, key=lambda line: (line["table"], line["journal"], line["round"]))


def until(condition: Any, what: str) -> None:
    """Wait for a condition, in bounded time."""
    ends = time.monotonic() + BOUND_S
    while not condition():
        assert time.monotonic() < ends, f"{what}: not within {BOUND_S:.0f} s"
        time.sleep(0.02)


def child_of(demo: subprocess.Popen[str], word: bytes) -> int | None:
    """The number of the program a demo has started with this word on its command line, once it has."""
    for child in Path(f"/proc/{demo.pid}/task/{demo.pid}/children").read_text().split():
        if word in Path(f"/proc/{child}/cmdline").read_bytes().split(b"\0"):
            return int(child)
    return None


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, Ended]:
    """A demo whose server and one table are killed in mid-play, with its folder and export."""
    folder = tmp_path_factory.mktemp("demo")
    data, export = folder / "data", folder / "export"
    demo = started(data, "--export", str(export))
    spool = data / "spools" / "T1.spool"
    until(spool.exists, "a table's spool")
    before = spool.stat().st_size + sum(path.stat().st_size for path in spool.parent.glob("T1.spool-wal"))
    until(lambda: _grown(spool, before), "play")
    for word in (b"serve", b"T2"):
        program = child_of(demo, word)
        assert program is not None
        os.kill(program, signal.SIGKILL)
    return data, export, ended(demo)


def _grown(spool: Path, before: int) -> bool:
    wal = spool.with_name(f"{spool.name}-wal")
    return spool.stat().st_size + (wal.stat().st_size if wal.exists() else 0) > before + 50_000


def test_a_killed_server_loses_and_doubles_nothing(first: tuple[Path, Path, Ended]) -> None:
    """Kill -9 of server and table in mid-play: both resume, no round more or less, spools and ledger agree."""
    data, _export, how = first
    assert how.code == 0, how.errors
    assert data.joinpath("checkpoint.json").exists(), "a restored ledger would be noticed here too"
    assert "no_checkpoint_file" not in data.joinpath("logs", "server.log").read_text()
    assert "the server ended with -9 and was started again" in how.errors
    assert "table-T2 was killed by signal 9" in how.errors
    assert re.findall(r"^(board|duty|metrics): http://127\.0\.0\.1:\d+(/.+)$", how.errors, re.MULTILINE) == [
        ("board", "/boards/southern"),
        ("duty", "/duty"),
        ("metrics", "/metrics"),
    ]
    assert how.last["audit"] == "ok"
    assert how.last["rounds"] == TABLES * ROUNDS
    assert how.last["wagers_cents"] == 100 * how.last["wagers"] > 0
    assert how.last["increments_microcents"] == 22_000_000 * how.last["wagers"]
    assert sum(how.last["hits"].values()) > 0


def test_a_stranger_works_the_export_out_again(first: tuple[Path, Path, Ended]) -> None:
    """From the three files alone every meter, award, entry and digest comes out as it stands."""
    _data, export, how = first
    assert differences_in(export) == []
    lines = [json.loads(line) for line in (export / "rounds.jsonl").read_text().splitlines()]
    awarded = sum(award["amount_cents"] for line in lines for award in line.get("awards", []))
    assert awarded == how.last["awards_cents"]


def test_the_rules_read_the_export_back(first: tuple[Path, Path, Ended]) -> None:
    """`python -m rules settle` settles every record of the export again and agrees with every award."""
    _data, export, how = first
    command = [sys.executable, "-m", "rules", "settle", "--terms", str(export / "terms.json"), "--json"]
    done = subprocess.run([*command, str(export / "rounds.jsonl")], capture_output=True, check=False, timeout=BOUND_S)
    assert done.returncode == 0, done.stdout[-2000:]
    assert json.loads(done.stdout)["settled"] == how.last["rounds"]


def test_the_same_seed_gives_the_same_rounds(first: tuple[Path, Path, Ended], tmp_path: Path) -> None:
    """Another demo of the same seed deals the same cards to players who decide alike, a killed server or not."""
    _data, export, _how = first
    again = ended(started(tmp_path / "data", "--export", str(tmp_path / "export")))
    assert again.code == 0, again.errors
    assert records(tmp_path / "export") == records(export)


def test_a_second_demo_goes_on_from_the_first(first: tuple[Path, Path, Ended]) -> None:
    """On the same data the tables go on in their journals, and the ledger of both is audited whole."""
    data, _export, how = first
    second = ended(started(data))
    assert second.code == 0, second.errors
    assert second.last["rounds"] == 2 * how.last["rounds"]
    assert second.last["wagers"] > how.last["wagers"]
    assert second.last["audit"] == "ok"


def test_what_cannot_be_played_is_said_at_once(tmp_path: Path) -> None:
    """A capture that is none and a number of tables that is none are named, as are wrong files; exit 2."""
    command = [sys.executable, "-m", "jackpot", "demo", "--tables", "0", "--capture", "guess"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=BOUND_S)
    assert done.returncode == 2
    assert "--tables 0" in done.stderr
    assert "--capture guess" in done.stderr
    assert "Traceback" not in done.stderr
    file = tmp_path / "README.md"
    file.write_text("# no terms\n")
    for option in ("--terms", "--export", "--data"):
        command = [sys.executable, "-m", "jackpot", "demo", "--rounds", "1", option, str(file)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=BOUND_S, cwd=tmp_path)
        told = "".join(done.stderr.replace("│", "").split())  # a long path is broken where the line ends
        assert (done.returncode, "README.md" in told) == (2, True), done.stderr
    assert list(tmp_path.iterdir()) == [file], "nothing is left behind"


def test_ctrl_c_before_the_first_round_ends_it_cleanly(tmp_path: Path) -> None:
    """A demo stopped while its server is still starting says what there is, nothing, audits it, and exits 0."""
    demo = started(tmp_path / "data")
    until(lambda: child_of(demo, b"serve") is not None, "the server's start")
    demo.send_signal(signal.SIGINT)
    how = ended(demo)
    assert how.code == 0, how.errors
    assert (how.last["rounds"], how.last["wagers"], how.last["audit"]) == (0, 0, "ok")
