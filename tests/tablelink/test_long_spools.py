"""How much of a spool is read for one page of what a table hands in? As much of a long one as of a short one."""

import resource
import sqlite3
from pathlib import Path

import pytest

from jackpot.wire.messages import HandIn
from tablelink.errors import TableError
from tablelink.spool import Spool
from tablelink.spool_file import proof_of

PAGE_BYTES = 4_000
STEPS = 10
"""Of SQLite's own program, between two counts."""


def opened(path: Path) -> Spool:
    """The spool of table T1."""
    return Spool(path, "T1", seal=bytes(32), sign=bytes)


def filled(path: Path, messages: int) -> None:
    """Make a spool with so many answered messages, and not yet with what finds them by their receipts."""
    opened(path).close()
    body, answer = b"x" * 300, b"y" * 100
    rows = []
    for number in range(1, messages + 1):
        of = f"T1/1/2026-11/{number}"
        name, receipt = f"{of}/record/1", (1, 7 * number, "ab")
        proofs = proof_of(name.encode(), body), proof_of(answer, b"1/%d/ab" % receipt[1])
        rows.append((name, of, body, proofs[0], answer, *receipt, proofs[1]))
    db = sqlite3.connect(path)
    db.execute("DROP INDEX message_of_receipt")
    db.executemany(
        "INSERT INTO message (id, round_id, kind, body, proof, at_us, answer, generation, commit_no, digest,"
        " answer_proof) VALUES (?, ?, 'record', ?, ?, 1, ?, ?, ?, ?, ?)",
        rows,
    )
    db.commit()
    db.close()


def steps(spool: Spool, after: int) -> int:
    """How much SQLite does for a page from a commit on, which begins with the next one."""
    counted = 0

    def count() -> None:
        nonlocal counted
        counted += 1

    spool._db.set_progress_handler(count, STEPS)
    held, more = spool.held_after(HandIn(1, after), PAGE_BYTES)
    spool._db.set_progress_handler(None, 0)
    assert (held[0].receipt.commit, len(held), more) == (after + 7, 10, True)
    return counted


def test_a_page_costs_as_much_of_a_long_spool_as_of_a_short_one(tmp_path: Path) -> None:
    """First page, or one in the midst: what is read is what is handed in, of a spool too that an older program made."""
    costs = {}
    for messages in (100, 4_000):
        filled(tmp_path / f"{messages}", messages)
        with opened(tmp_path / f"{messages}") as spool:
            costs[messages] = [steps(spool, 7 * (messages * part // 4)) for part in range(4)]
    assert max(costs[4_000]) <= 2 * min(costs[100]), costs


def test_a_spool_is_opened_though_the_disk_is_full(tmp_path: Path) -> None:
    """What makes pages quick is not needed: the table hands in without, and gains it at a start with room for it."""
    path = tmp_path / "T1.spool"
    filled(path, 4_000)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (40_000, limits[1]))
    try:
        with opened(path) as spool:
            slow = steps(spool, 7 * 2_000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    with opened(path) as spool:
        assert steps(spool, 7 * 2_000) * 20 < slow


def test_what_would_leave_a_message_out_is_found_at_the_start(tmp_path: Path) -> None:
    """A receipt that turned in the table, and not where it is looked up by, is a damaged spool, not a shorter one."""
    path = tmp_path / "T1.spool"
    filled(path, 100)
    opened(path).close()
    db = sqlite3.connect(path)
    db.execute("PRAGMA writable_schema = ON")
    (kept,) = db.execute("SELECT * FROM sqlite_master WHERE name = 'message_of_receipt'").fetchall()
    db.execute("DELETE FROM sqlite_master WHERE name = 'message_of_receipt'")
    db.commit()
    db.close()
    db = sqlite3.connect(path)
    db.execute("UPDATE message SET commit_no = 1 WHERE place = 50")  # no index is known of that would be kept
    db.execute("PRAGMA writable_schema = ON")
    db.execute("INSERT INTO sqlite_master VALUES (?, ?, ?, ?, ?)", kept)
    db.commit()
    db.close()
    with pytest.raises(TableError, match=r"damaged.*message_of_receipt"):
        opened(path)
