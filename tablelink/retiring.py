"""How is a spool taken out of use that is damaged, or older than the ledger? Moved away whole; what it owes is named.

Nothing of it is changed or deleted: it is evidence. The table then begins an empty spool, which needs a supervisor's
word at the server (PROTOCOL 1). What can still be read says which rounds people have to end.
"""

import contextlib
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from tablelink.core.inputs import Amended
from tablelink.errors import TableError
from tablelink.spool_file import is_hosted, locked, statement

__all__ = ["Retired", "retire", "what_to_do"]

BESIDE = ("", "-wal", "-shm", "-journal")
"""What SQLite keeps of a database: the file, its log, the index of that, and what it kept before there was a log."""


@dataclass(frozen=True, slots=True)
class Retired:
    """A spool that was moved away: whose it was, where it is now, and what it had not brought to an end.

    `table` is empty and `readable` false where the file could not be read; then only the server knows what is open.
    """

    table: str
    kept: Path
    readable: bool
    open_rounds: Sequence[str] = ()
    """Rounds whose wagers were written, with no end that is known of: `T1/1/2026-11/17`."""
    unanswered: Sequence[str] = ()
    """Messages that had no answer: the server may have them or not."""


def retire(path: Path) -> Retired:
    """Move a spool away, under a name that no other has. Raises TableError where it is in use, or there is none."""
    lock = locked(path)
    try:
        if not any(Path(f"{path}{part}").exists() for part in BESIDE):
            raise TableError(f"There is no spool at {path}.", code="no_spool")
        number = 1
        while any(Path(f"{path}.retired-{number}{part}").exists() for part in BESIDE):
            number += 1
        owed: tuple[str, Sequence[str], Sequence[str]] | None = None
        with contextlib.suppress(sqlite3.Error, TypeError, ValueError, LookupError, AttributeError):
            owed = _owed(path)  # of a damaged one anything may be otherwise than it was written
        kept = Path(f"{path}.retired-{number}")
        for part in BESIDE:  # a crash in between leaves a log without a file, beside which none is made (`make_spool`)
            with contextlib.suppress(FileNotFoundError):
                Path(f"{path}{part}").rename(f"{kept}{part}")
    except OSError as error:
        raise TableError(
            f"The spool {path} cannot be moved away: {error.strerror}.", code="spool_unreachable"
        ) from error
    finally:
        lock.close()
    table, open_rounds, unanswered = owed or ("", (), ())
    return Retired(table, kept, owed is not None, open_rounds, unanswered)


def what_to_do(retired: Retired, path: Path) -> Sequence[str]:
    """Say step by step what people have to do now, at the table and on the server."""
    table = retired.table or path.name.removesuffix(".spool")
    if is_hosted(retired.kept):
        return (
            f"The spool of {table} is kept as {retired.kept}. Never delete it: it is evidence.",
            "1. Start the table again: it is on no link, and begins an empty spool with round 1.",
            f"2. `tablelink spool show {retired.kept}` says which rounds were stated, as far as it can be read.",
        )
    lines = [
        f"The spool of {table} is kept as {retired.kept}. Never delete it: it is evidence.",
        "1. Start the table again: it begins an empty spool.",
        f"2. A supervisor gives the word on the server: jackpot table journal {table} --by NAME --reason 'new spool'.",
    ]
    if not retired.readable:
        lines.append(
            f"3. It cannot be read: on the server, end every round of {table} that is open (JackpotRoundOpen)."
        )
    for place, one in enumerate(retired.open_rounds, start=3):
        _table, journal, _month, number = one.split("/")
        at = f"{table} {number} --journal {journal}"
        lines.append(
            f"{place}. Where `jackpot link show LINK` says that it is open, two people end round {number} of journal"
            f" {journal} on the server: jackpot round record {at}, or jackpot round void {at}."
        )
    if retired.unanswered:
        lines.append(f"Without an answer, so that the server may have them or not: {', '.join(retired.unanswered)}.")
    return lines


def _owed(path: Path) -> tuple[str, list[str], list[str]]:
    db = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
    try:
        (table,) = db.execute(statement("own_table")).fetchone()
        over = {_round_of(row[0]) for row in db.execute(statement("amended"))}
        rows = [row[0] for row in db.execute(statement("open_rounds"))]
        open_rounds = [row for row in rows if (row.split("/")[1], row.split("/")[3]) not in over]
        unanswered = [row[0] for row in db.execute(statement("unanswered_ids"))]
        return str(table), open_rounds, unanswered
    finally:
        db.close()


def _round_of(body: bytes) -> tuple[str, str]:
    """Return the round, by journal and number, that people ended at the server; nothing for a void of seats.

    Nor for what cannot be read: then the round is named, and people look.
    """
    try:
        did = msgspec.json.decode(body, type=Amended)
    except msgspec.DecodeError:
        return "", ""
    return ("", "") if did.seats else (str(did.journal), str(did.round))
