"""A table's disk: the shipped spool with its own statements, in a database that lives in memory.

What was committed is there after a crash; a copy can be taken of it, and it can be torn.
"""

import hashlib
import sqlite3
from pathlib import Path
from typing import Any, cast

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from tablelink.errors import TableError
from tablelink.spool import Signer, Spool
from tablelink.spool_file import OpenSpool, begin, statement

SEAL = bytes(32)


class Disk:
    """What lies on one table's disk."""

    def __init__(self, table: str, life: int) -> None:
        """An empty spool, the `life`-th of its table."""
        self.table = table
        self.torn = False
        self.full = False
        self._place = 0
        self.db = _database()
        self.db.executescript(statement("schema"))
        begin(self.db, _spool_id(table, life), table)
        self.db.commit()

    def ask(self) -> None:
        """Raise TableError where the disk takes nothing."""
        if self.full:
            raise TableError("The disk is full.", code="spool_unreachable")

    def copy(self) -> "Disk":
        """The same, byte for byte."""
        other = object.__new__(Disk)
        other.table, other.torn, other.full, other.db = self.table, False, False, _database()
        other._place = self._place
        self.db.backup(other.db)
        return other

    def spool(self, sign: Signer) -> Spool:
        """Open it; raises TableError where it is torn."""
        if self.torn:
            raise TableError("The spool is damaged.", code="spool_damaged")
        return _OnDisk(self, sign)

    def answered(self, name: str) -> bool:
        """Whether the answer to a message is on the disk."""
        row = self.db.execute("SELECT answer IS NOT NULL FROM message WHERE id = ?", (name,)).fetchone()
        return bool(row and row[0])

    def messages(self) -> list[tuple[str, bytes, bytes | None]]:
        """Every message that was ever written, with its answer where it has one."""
        return [(row["id"], row["body"], row["answer"]) for row in self.db.execute(statement("messages"))]

    def new_messages(self) -> list[tuple[str, bytes]]:
        """The messages that were written since this was asked last."""
        rows = self.db.execute("SELECT place, id, body FROM message WHERE place > ?", (self._place,)).fetchall()
        self._place = max([row["place"] for row in rows], default=self._place)
        return [(row["id"], row["body"]) for row in rows]

    def unanswered(self) -> list[str]:
        """The messages that are still to be answered."""
        return [row["id"] for row in self.db.execute(statement("unanswered"))]


class _OnDisk(Spool):
    """The shipped spool; only how its file is opened and let go is ours."""

    def __init__(self, disk: Disk, sign: Signer) -> None:
        OpenSpool.__init__(self)
        self.path = Path(f"{disk.table}.spool")
        self._sign = sign
        self._seal = AESGCM(SEAL)
        self._lock = cast("Any", None)
        self._db = disk.db
        row = self._row("own")
        self.id = row["id"].hex()
        self._head = row["head"]

    def close(self) -> None:
        """Leave the database where it is: it is the disk."""


def _database() -> sqlite3.Connection:
    db = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    db.row_factory = sqlite3.Row
    return db


def _spool_id(table: str, life: int) -> bytes:
    return hashlib.sha256(f"{table}/{life}".encode()).digest()[:16]
