"""How a spool's file is made, locked, opened and checked. Knows nothing of what is in it."""

import fcntl
import os
import sqlite3
from collections.abc import Sequence
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from jackpot.wire.signing import NO_HEAD
from tablelink.core.dealing import Dealing
from tablelink.errors import TableError
from tablelink.steps import encode_checkpoint

__all__ = ["damaged", "locked", "make_spool", "open_spool", "statement"]

APPLICATION_ID = 0x4A504C54
FORM = 1


@cache
def _statements() -> dict[str, str]:
    text = resources.files("tablelink").joinpath("spool.sql").read_text("utf-8")
    parts = text.split("-- name: ")[1:]
    return {name.strip(): body for name, _, body in (part.partition("\n") for part in parts)}


def statement(name: str) -> str:
    """Return the statement of that name in `spool.sql`."""
    return _statements()[name]


def damaged(path: Path, why: str) -> TableError:
    """Return the error for a spool that cannot be trusted; it is never replaced by a program."""
    return TableError(
        f"The spool {path} is damaged ({why}). Keep the file; a new spool needs a supervisor's word at the server.",
        code="spool_damaged",
    )


def locked(path: Path) -> Any:
    """Take a spool's lock, which goes with the process, however it ends; raises TableError where another has it."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = Path(f"{path}.lock").open("a", encoding="ascii")  # noqa: SIM115 - held as long as the spool
    except OSError as error:
        raise TableError(f"The spool {path} cannot be opened: {error.strerror}.", code="spool_unreachable") from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        lock.close()
        raise TableError(f"The spool {path} is in use by another agent.", code="spool_in_use") from error
    return lock


def make_spool(path: Path, table: str) -> None:
    """Make a spool beside, and put it in its place whole: a crash in between leaves no half of one."""
    beside = Path(f"{path}.new")
    beside.unlink(missing_ok=True)
    db = sqlite3.connect(beside, isolation_level=None)
    try:
        db.executescript(statement("mark"))
        db.executescript(statement("schema"))
        db.execute(statement("begin"))
        db.execute(statement("new_spool"), (os.urandom(16), table, NO_HEAD))
        db.execute(statement("new_checkpoint"), (encode_checkpoint(Dealing()),))
        db.commit()
    finally:
        db.close()
    beside.chmod(0o600)
    beside.rename(path)


def open_spool(path: Path, *, read_only: bool = False) -> sqlite3.Connection:
    """Open a spool and check every page of it.

    Raises TableError for a file that is not there, is damaged, is no spool or of another form.
    """
    if not path.exists():
        raise TableError(f"There is no spool at {path}.", code="no_spool")
    uri = f"{path.absolute().as_uri()}?mode={'ro' if read_only else 'rw'}"
    try:
        db = sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False)
    except sqlite3.Error as error:
        raise TableError(f"The spool {path} cannot be opened: {error}.", code="spool_unreachable") from error
    try:
        db.row_factory = sqlite3.Row
        _check(db, path)
        if not read_only:
            db.executescript(statement("settings"))
    except sqlite3.DatabaseError as error:
        db.close()
        raise damaged(path, str(error)) from error
    except TableError:
        db.close()
        raise
    return db


def _check(db: sqlite3.Connection, path: Path) -> None:
    if _one(db, "application") != APPLICATION_ID:
        raise damaged(path, "it is no spool")
    form = _one(db, "form")
    if form != FORM:
        raise TableError(f"The spool {path} is of form {form}; this program knows form {FORM}.", code="spool_form")
    found = [str(row[0]) for row in db.execute(statement("check"))]
    if found != ["ok"]:
        raise damaged(path, " ".join("; ".join(found).split())[:200])


def _one(db: sqlite3.Connection, name: str, values: Sequence[Any] = ()) -> Any:
    return db.execute(statement(name), values).fetchone()[0]
