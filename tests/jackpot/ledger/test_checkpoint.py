"""The file that says how far the ledger had come: never back, whole at any moment, shared, and never guessed at."""

import os
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import structlog

from jackpot.cli.self_check import leave_checkpoint
from jackpot.core.behind import Mark
from jackpot.ledger.checkpoint import Checkpoint, CheckpointUnreadable
from tests.support.running import WITHIN_S, run

AT = Mark(1, 90, "aa", 30)


def test_it_says_how_far_each_chain_had_come(tmp_path: Path) -> None:
    """What was written is read by the next process, chain by chain; nothing is said of one that is not in it."""
    file = tmp_path / "checkpoint.json"
    checkpoint = Checkpoint(file)
    checkpoint.note("southern", AT)
    assert checkpoint.write()
    assert not checkpoint.write(), "nothing new, nothing written"
    again = Checkpoint(file)
    assert (again.of("southern"), again.of("northern")) == (AT, None)
    assert [path.name for path in tmp_path.iterdir()] == ["checkpoint.json"], "nothing is left beside it"


@pytest.mark.parametrize(
    ("mark", "stays"),
    [(Mark(1, 89, "bb"), AT), (Mark(1, 0), AT), (Mark(1, 91, "cc"), Mark(1, 91, "cc")), (Mark(2, 5), Mark(2, 5))],
)
def test_it_never_goes_back(tmp_path: Path, mark: Mark, stays: Mark) -> None:
    """A restored ledger does not talk its own past into it; generation stands before commit."""
    checkpoint = Checkpoint(tmp_path / "checkpoint.json")
    checkpoint.note("southern", AT)
    checkpoint.note("southern", mark)
    assert checkpoint.of("southern") == stays


def test_two_servers_share_it(tmp_path: Path) -> None:
    """Of each chain the furthest place stays, whoever writes last."""
    file = tmp_path / "checkpoint.json"
    one, other = Checkpoint(file), Checkpoint(file)
    one.note("southern", AT)
    one.write()
    other.note("southern", Mark(1, 80))
    other.note("northern", Mark(1, 3))
    other.write()
    assert Checkpoint(file).chains == {"southern": AT, "northern": Mark(1, 3)}


def test_what_another_server_has_written_since_is_known(tmp_path: Path) -> None:
    """Of what is noted here and what the file says now the further; a file that turned bad takes nothing back."""
    file = tmp_path / "checkpoint.json"
    one, other = Checkpoint(file), Checkpoint(file)
    assert one.furthest("southern") is None
    one.note("southern", Mark(1, 80))
    other.note("southern", AT)
    other.write()
    assert (one.of("southern"), one.furthest("southern")) == (Mark(1, 80), AT)
    one.note("southern", Mark(1, 95))
    assert one.furthest("southern") == Mark(1, 95)
    file.write_bytes(b"{")
    assert one.furthest("southern") == Mark(1, 95)


def test_one_thread_writes_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A slow disk holds the write of this second while the server ends and writes for the last time: both are whole."""
    checkpoint = Checkpoint(tmp_path / "checkpoint.json")
    syncing, go_on = threading.Event(), threading.Event()
    sync = os.fsync

    def slow(file: int) -> None:
        if not syncing.is_set():
            syncing.set()
            assert go_on.wait(WITHIN_S)
        sync(file)

    monkeypatch.setattr(os, "fsync", slow)
    with ThreadPoolExecutor(2) as threads:
        checkpoint.note("southern", AT)
        first = threads.submit(checkpoint.write)
        assert syncing.wait(WITHIN_S)
        checkpoint.note("southern", Mark(1, 95))
        last = threads.submit(checkpoint.write)
        with pytest.raises(TimeoutError):
            last.result(0.2)
        go_on.set()
        assert (first.result(WITHIN_S), last.result(WITHIN_S)) == (True, True)
    assert Checkpoint(checkpoint.path).of("southern") == Mark(1, 95)


def test_a_server_ends_though_it_cannot_be_written(tmp_path: Path) -> None:
    """The folder is gone, or somebody has put nonsense there: that is said, and the server ends as it should."""
    folder = tmp_path / "gone"
    folder.mkdir()
    checkpoint = Checkpoint(folder / "checkpoint.json")
    checkpoint.path.write_text("{")
    with structlog.testing.capture_logs() as logs:
        run(leave_checkpoint(checkpoint, [("southern", AT)]))
        checkpoint.path.unlink()
        folder.rmdir()
        run(leave_checkpoint(checkpoint, [("southern", AT)]))
    said = ("checkpoint_not_written", "error", str(checkpoint.path))
    assert [(each["event"], each["log_level"], each["path"]) for each in logs] == [said, said]
    assert ["cannot be read" in logs[0]["error"], "No such file" in logs[1]["error"]] == [True, True]


@pytest.mark.parametrize("body", [b"", b"{", b'{"southern":{"generation":1}}', b'{"southern":{"commit":"9"}}', b"\xff"])
def test_one_that_cannot_be_read_is_not_taken_for_an_empty_one(tmp_path: Path, body: bytes) -> None:
    """A server does not begin on a file that says nothing: it might be the only witness."""
    file = tmp_path / "checkpoint.json"
    file.write_bytes(body)
    with pytest.raises(CheckpointUnreadable, match=r"checkpoint\.json cannot be read"):
        Checkpoint(file)
