"""What does a spool hold, added up: rounds, wagers, withdrawals, awards. To be held against the ledger, to the cent."""

import sqlite3
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from jackpot.wire.codec import decode_answer, decode_from_table
from jackpot.wire.messages import RecordAnswer, Void, Wagers, WagersAnswer
from tablelink.core.inputs import WithoutJackpot
from tablelink.spool import hold_contents
from tablelink.spool_file import UNREADABLE, open_spool, statement, unusable
from tablelink.steps import decode_step

__all__ = ["spool_approvals", "spool_messages", "spool_totals"]


def spool_messages(path: Path) -> tuple[str, list[sqlite3.Row]]:
    """Return a spool's table, and its messages in the order they were written.

    Raises TableError where it is none, or damaged.
    """
    db = open_spool(path, read_only=True)
    try:
        table = db.execute(statement("own")).fetchone()["table_name"]
        messages = db.execute(statement("messages")).fetchall()
    except UNREADABLE as error:
        raise unusable(path, error) from error
    finally:
        db.close()
    hold_contents(path, messages)
    return table, messages


def spool_approvals(path: Path) -> list[dict[str, Any]]:
    """Return when play went on without the jackpot, by whom and who was notified, and when it was back (CSP 14.15)."""
    db = open_spool(path, read_only=True)
    try:
        rows = db.execute(statement("approvals")).fetchall()
    finally:
        db.close()
    return [_approval(row) for row in rows]


def _approval(row: sqlite3.Row) -> dict[str, Any]:
    at = datetime.fromtimestamp(row["at_us"] // 1_000_000, UTC).isoformat()
    given = decode_step(row["name"], row["body"], b"")
    if not isinstance(given, WithoutJackpot):
        return {"at": at, "jackpot": "back"}
    return {"at": at, "jackpot": "lost", "by": given.by, "inspector": given.inspector, "why": list(given.why)}


def spool_totals(path: Path) -> tuple[str, dict[str, Any]]:
    """Return a spool's table and its totals; an agent may be writing to it.

    `wagers` counts seats whose jackpot wager the server accepted and no withdrawal or void took out again.
    """
    table, messages = spool_messages(path)
    out_whole = {row["round_id"] for row in messages if row["kind"] in {"withdraw", "void"}}
    out_seats = _voided_seats(messages)
    kinds = Counter(row["kind"].partition(".")[0] for row in messages)
    hits: Counter[str] = Counter()
    awards: dict[str, int] = {}
    wagers = wagers_cents = 0
    for row in messages:
        if row["answer"] is None or row["after_withdrawal"]:
            continue
        answer = decode_answer(row["answer"])
        if isinstance(answer, WagersAnswer) and row["round_id"] not in out_whole:
            placed = _placed(row["body"])
            kept = {seat.seat for seat in answer.seats if seat.accepted} - out_seats.get(row["round_id"], set())
            wagers += len(kept)
            wagers_cents += sum(placed[seat] for seat in kept)
        elif isinstance(answer, RecordAnswer):
            hits.update(line.prize for line in answer.awards)
            awards |= {line.hit: line.amount_cents for line in answer.awards}
    return table, {
        "rounds": kinds["record"],
        "voids": kinds["void"],
        "withdrawn": kinds["withdraw"],
        "wagers": wagers,
        "wagers_cents": wagers_cents,
        "hits": dict(sorted(hits.items())),
        "awards": dict(sorted(awards.items())),
        "awards_cents": sum(awards.values()),
        "unanswered": sum(row["answer"] is None and not _superseded(row, out_whole) for row in messages),
        "last_commit": max((row["commit_no"] or 0 for row in messages), default=0),
    }


def _superseded(row: sqlite3.Row, out_whole: set[str]) -> bool:
    return row["kind"] == "wagers" and row["round_id"] in out_whole


def _placed(body: bytes) -> dict[int, int]:
    message = decode_from_table(body)
    return {seat.seat: seat.jackpot_cents for seat in message.seats} if isinstance(message, Wagers) else {}


def _voided_seats(messages: list[sqlite3.Row]) -> dict[str, set[int]]:
    """Seats taken out of their rounds by a void of those seats alone."""
    voided: dict[str, set[int]] = {}
    for row in messages:
        if row["kind"].startswith("void."):
            message = decode_from_table(row["body"])
            if isinstance(message, Void):
                voided.setdefault(row["round_id"], set()).update(message.seats)
    return voided
