"""How a spool's file is made, locked, opened and checked. Knows nothing of what is in it."""

import fcntl
import hashlib
import os
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from importlib import resources
from pathlib import Path
from threading import RLock
from typing import Any, Self

from jackpot.wire.signing import NO_HEAD
from tablelink.core.dealing import Dealing
from tablelink.errors import TableError
from tablelink.spool_log import foreign_log, log_fault, log_of
from tablelink.steps import encode_checkpoint

__all__ = [
    "HOSTED_ID",
    "UNREADABLE",
    "OpenSpool",
    "begin",
    "damaged",
    "is_hosted",
    "locked",
    "made",
    "make_spool",
    "open_spool",
    "proof_of",
    "proof_of_checkpoint",
    "proof_of_own",
    "statement",
    "unusable",
]

APPLICATION_ID = 0x4A504C54
HOSTED_ID = 0x4A504C48
KINDS = {APPLICATION_ID: "a table on a link", HOSTED_ID: "a table that plays without one"}
"""The kinds of spools, by the mark in their files."""
FILES = {APPLICATION_ID: "spool.sql", HOSTED_ID: "hosted.sql"}
"""The file of the statements of each kind."""
FORMS = {APPLICATION_ID: 2, HOSTED_ID: 2}
"""The form of each kind that this program knows."""
PROOF_BYTES = 8
OWN = ("id", "table_name", "connection", "head", "generation", "commit_no", "digest")
"""What a linked table's spool says of itself, all of it under one proof."""
HEADER_BYTES = 100
MARK = slice(68, 72)
"""Where SQLite keeps a file's application id."""


@cache
def _statements(file: str) -> dict[str, str]:
    text = resources.files("tablelink").joinpath(file).read_text("utf-8")
    parts = text.split("-- name: ")[1:]
    return {name.strip(): body for name, _, body in (part.partition("\n") for part in parts)}


def statement(name: str, file: str = "spool.sql") -> str:
    """Return the statement of that name in a file of statements."""
    return _statements(file)[name]


def proof_of(*parts: bytes) -> bytes:
    """Return the proof of a row: a digest of its parts, each with its length, by which a turned bit is found.

    >>> proof_of(b"step", b"{}") == proof_of(b"step{", b"}")
    False
    """
    proof = hashlib.blake2b(digest_size=PROOF_BYTES)
    for part in parts:
        proof.update(len(part).to_bytes(8, "big") + part)
    return proof.digest()


def proof_of_own(row: Mapping[str, Any] | sqlite3.Row) -> bytes:
    """Return the proof of the row in which a spool says what it is: all its columns, an empty one told apart.

    >>> own = {"id": b"1", "table_name": "T1", "connection": 1, "head": b"2", "generation": 1, "commit_no": 18}
    >>> proof_of_own(own | {"digest": "a"}) == proof_of_own(own | {"digest": "b"})
    False
    """
    return proof_of(*(repr(row[name]).encode() for name in OWN))


def proof_of_checkpoint(place: int, body: bytes) -> bytes:
    """Return the proof of a checkpoint: after which step it stands as much as how the table was."""
    return proof_of(str(place).encode(), body)


def damaged(path: Path, why: str) -> TableError:
    """Return the error for a spool that cannot be trusted; it is never replaced by a program."""
    alone = is_hosted(path)
    then = "the table begins an empty one" if alone else "a new spool needs a supervisor's word at the server"
    return TableError(
        f"The spool {path} is damaged ({why}). Keep the file: `tablelink spool retire {path}` moves it away and says"
        f" what is to be done; {then}.",
        code="spool_damaged",
    )


UNREADABLE = (sqlite3.DatabaseError, UnicodeDecodeError)
"""What SQLite raises of a file; the second where the words of the first are a part of the file that is no text."""


def unusable(path: Path, error: Exception) -> TableError:
    """Return the error for a spool that SQLite cannot read or write: damaged where its content is the reason."""
    code = getattr(error, "sqlite_errorcode", 0)
    if isinstance(error, UnicodeDecodeError) or (isinstance(error, sqlite3.OperationalError) and not code):
        return damaged(path, "a text in it is none")  # what Python itself says of a column has no code
    if code & 0xFF in {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB} or code == sqlite3.SQLITE_IOERR_SHORT_READ:
        return damaged(path, str(error))
    return _unreachable(path, error)


def _unreachable(path: Path, error: Exception) -> TableError:
    """Return the error for a spool that is no worse than before, as on a full disk: later it is opened."""
    why = error.strerror if isinstance(error, OSError) else error
    return TableError(f"The spool {path} cannot be used: {why}.", code="spool_unreachable")


def locked(path: Path) -> Any:
    """Take a spool's lock, which goes with the process, however it ends; raises TableError where another has it."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = Path(f"{path.resolve()}.lock").open("a", encoding="ascii")  # noqa: SIM115 - held as long as the spool
    except OSError as error:
        raise TableError(f"The spool {path} cannot be opened: {error.strerror}.", code="spool_unreachable") from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        lock.close()
        raise TableError(f"The spool {path} is in use by another agent.", code="spool_in_use") from error
    return lock


class OpenSpool:
    """What an open spool of either kind has: its file and its lock, which it lets go of together."""

    path: Path
    _db: sqlite3.Connection
    _lock: Any
    _sql = "spool.sql"
    """The file of its statements."""

    def __init__(self) -> None:
        """Nobody uses it yet."""
        self._using = RLock()
        """Held while a thread is in the file: a program that ends leaves a write of its own behind."""
        self._files: dict[Path, tuple[int, int] | None] = {}
        """Which files it has open, by where they lay when it was opened."""

    def lies_at(self, path: Path) -> None:
        """Note the files that were opened there."""
        self._files = {each: _file_at(each) for each in (path, log_of(path))}

    def in_place(self) -> None:
        """Raise TableError where they lie there no more: what is written then is lost when they are closed."""
        for path, file in self._files.items():
            try:
                found = _file_at(path)
            except OSError as error:
                raise _unreachable(self.path, error) from error
            if found != file:
                why = f"{path.name} was taken away or replaced in use; put back, it has all that was written"
                raise damaged(self.path, why)

    def __enter__(self) -> Self:
        """Give the spool to a with statement."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close it."""
        self.close()

    def close(self) -> None:
        """Let go of the file, once no thread is in it; **if repeated** nothing more happens."""
        with self._using:
            self._db.close()
        self._lock.close()

    def _do(self, name: str, values: Sequence[Any] = ()) -> sqlite3.Cursor:
        with self._translated():
            return self._db.execute(statement(name, self._sql), values)

    def _rows(self, name: str, values: Sequence[Any] = ()) -> list[sqlite3.Row]:
        with self._translated():
            return self._db.execute(statement(name, self._sql), values).fetchall()

    def _row(self, name: str) -> sqlite3.Row:
        rows = self._rows(name)
        if not rows:
            raise damaged(self.path, "a row that every spool has is missing")
        return rows[0]

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except UNREADABLE as error:
            raise unusable(self.path, error) from error

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with self._using:
            self.in_place()
            self._do("begin")
            try:
                yield
                with self._translated():  # a full disk is told of here: nothing was written to it before
                    self._db.commit()
            except BaseException:
                with suppress(sqlite3.Error):  # what made it fail is told, not what follows from it
                    self._db.rollback()
                raise


def _file_at(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    return found.st_dev, found.st_ino


def make_spool(path: Path, table: str) -> None:
    """Make the spool of a table on a link; raises TableError where the log of another spool lies there."""
    with made(path, "spool.sql") as db:
        db.execute(statement("begin"))
        begin(db, os.urandom(16), table)
        db.commit()


def begin(db: sqlite3.Connection, number: bytes, table: str) -> None:
    """Put in what the spool of a linked table begins with: what it is, and a table before its first round."""
    own = dict.fromkeys(OWN) | {"id": number, "table_name": table, "connection": 0, "head": NO_HEAD}
    body = encode_checkpoint(Dealing())
    db.execute(statement("new_spool"), (number, table, NO_HEAD, proof_of_own(own)))
    db.execute(statement("new_checkpoint"), (body, proof_of_checkpoint(0, body)))


@contextmanager
def made(path: Path, file: str) -> Iterator[sqlite3.Connection]:
    """Make a spool beside, and put it in its place whole: a crash in between leaves no half of one.

    `file` has its mark and its schema; what it begins with is put in within the with statement. Raises TableError where
    the log of another spool lies there, and where it cannot be made, as on a full disk.
    """
    try:
        if any(each.exists() and each.stat().st_size for each in (log_of(path), _journal_of(path))):
            raise damaged(path, "the log of another file lies where it was")  # it would be written into the new one
        place = path.resolve()
        beside = Path(f"{place}.new")
        beside.unlink(missing_ok=True)
        db = sqlite3.connect(beside, isolation_level=None)
        try:
            db.executescript(statement("mark", file))
            db.executescript(statement("schema", file))
            yield db
            db.executescript(statement("settings"))  # what keeps a log is killed at no moment that only a writer mends
        finally:
            db.close()
        beside.chmod(0o600)
        beside.rename(place)
    except (sqlite3.Error, OSError) as error:
        raise _unreachable(path, error) from error


def _journal_of(path: Path) -> Path:
    """Where SQLite keeps the pages that it changes in a file without a log: a new one, and what a kill left of one."""
    return Path(f"{path.resolve()}-journal")


def open_spool(path: Path, *, read_only: bool = False, application: int = APPLICATION_ID) -> sqlite3.Connection:
    """Open a spool of a kind, a linked table's where none is named, and check every page of it.

    Raises TableError for a file that is not there, is damaged, is no spool or of another form. **Never** changes one
    that is: it is only read before it is known to be whole, its log too (`spool_log`). **Never** calls one damaged for
    what is no fault of its content: the agent would stay down (`STAYS_DOWN`).
    """
    if not path.exists():
        raise TableError(f"There is no spool at {path}.", code="no_spool")
    if path.is_dir():
        if not read_only:
            raise damaged(path, "a folder lies where it was")
        raise TableError(f"There is no spool at {path}, which is a folder: name a file in it.", code="no_spool")
    try:
        fault = "" if read_only else log_fault(path)
    except OSError as error:
        raise _unreachable(path, error) from error
    if fault:
        raise damaged(path, fault)
    db = _opened(path, "ro" if read_only or not _journal_of(path).exists() else "rw")
    try:
        _check(db, path, application)
        if read_only:
            return db
        asked = statement("stands", FILES[application])
        if fault := foreign_log(path, asked, tuple(db.execute(asked).fetchone()), _whole):
            raise damaged(path, fault)
        db.close()
        db = _opened(path, "rw")
        db.executescript(statement("settings"))
        if application == APPLICATION_ID:
            with suppress(sqlite3.OperationalError):  # a full disk: it is found without, page by page more slowly
                db.executescript(statement("by_receipt"))
    except (*UNREADABLE, TypeError) as error:
        db.close()
        lacks = isinstance(error, TypeError) or getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_ERROR
        raise (damaged(path, str(error)) if lacks else unusable(path, error)) from error
    except TableError:
        db.close()
        raise
    return db


def _opened(path: Path, mode: str) -> sqlite3.Connection:
    try:
        db = sqlite3.connect(
            f"{path.absolute().as_uri()}?mode={mode}", uri=True, isolation_level=None, check_same_thread=False
        )
    except sqlite3.Error as error:
        raise TableError(f"The spool {path} cannot be opened: {error}.", code="spool_unreachable") from error
    db.row_factory = sqlite3.Row
    return db


def is_hosted(path: Path) -> bool:
    """Whether a file is the spool of a hosted table, by its mark alone; a file that is not there is none."""
    try:
        with path.open("rb") as file:
            header = file.read(HEADER_BYTES)
    except OSError:
        return False
    return header[MARK] == HOSTED_ID.to_bytes(4, "big")


def _check(db: sqlite3.Connection, path: Path, application: int) -> None:
    found_application = _one(db, "application")
    if found_application in KINDS and found_application != application:
        whose = KINDS[found_application]
        raise TableError(f"The spool {path} is of {whose}, not of {KINDS[application]}.", code="spool_of_another_kind")
    if found_application != application:
        raise damaged(path, "it is no spool")
    form = _one(db, "form")
    if form != FORMS[application]:
        known = FORMS[application]
        raise TableError(f"The spool {path} is of form {form}; this program knows form {known}.", code="spool_form")
    found = _checked(db)
    if found != ["ok"]:
        raise damaged(path, " ".join("; ".join(found).split())[:200])


def _checked(db: sqlite3.Connection) -> list[str]:
    return [str(row[0]) for row in db.execute(statement("check"))]


def _whole(db: sqlite3.Connection) -> bool:
    """Whether every page is whole, and what a linked table's spool says of itself is what was written."""
    if _checked(db) != ["ok"]:
        return False
    if _one(db, "application") != APPLICATION_ID:
        return True
    own = db.execute(statement("own")).fetchone()
    return bool(own["proof"] == proof_of_own(own))


def _one(db: sqlite3.Connection, name: str, values: Sequence[Any] = ()) -> Any:
    return db.execute(statement(name), values).fetchone()[0]
