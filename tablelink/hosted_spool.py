"""Where does a hosted table stand, whatever stopped the program? Its spool: one SQLite file, synced at every move.

Holds the rounds' moves and their statements. What devices know of a round and nobody turned yet lies in it sealed
(`tablelink.keys`). Decides nothing; `tablelink.core.hosting` says what a step leads to.

**Never** replaces a file that is there: one that is damaged, or another table's, is an error that says so.
"""

import os
import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from rules.play import Move, MoveRefused
from rules.records import RecordError, decode_any, encode_any
from tablelink.core.hosting import Hosted, HostingError, Refusal, Statement, begun, moved
from tablelink.errors import TableError
from tablelink.spool_file import HOSTED_ID, OpenSpool, damaged, locked, made, open_spool, proof_of, statement

__all__ = ["HostedSpool", "hosted_statements", "hosted_totals", "revised_row", "statement_row"]

SQL = "hosted.sql"
NONCE_BYTES = 12
DAY_US = 86_400_000_000

_encode = msgspec.json.Encoder().encode
_moves = msgspec.json.Decoder(Move)


class _Begun(msgspec.Struct):
    """The readable part of a round's beginning."""

    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Kept:
    """What a spool holds of a round that is done with."""

    number: int
    became: str
    body: bytes
    record: bytes | None


class HostedSpool(OpenSpool):
    """An open spool of a hosted table; nobody else has it open for writing. One caller at a time, from any thread."""

    _sql = SQL

    def __init__(self, path: Path, table: str, game: str, *, seal: bytes, now_us: Callable[[], int]) -> None:
        """Open a table's spool, or make one where there is no file; `now_us` is the time of day, for pruning only.

        Raises TableError for a file that is damaged, no spool, of another table, game or kind, or in use.
        """
        super().__init__()
        self.path = path
        self._seal = AESGCM(seal)
        self._now_us = now_us
        self._lock = locked(path)
        try:
            if not path.exists():
                _make(path, table, game)
            self._db = open_spool(path, application=HOSTED_ID)
        except BaseException:
            self._lock.close()
            raise
        try:
            row = self._row("own")
            self.lies_at(path)
        except BaseException:
            self.close()
            raise
        self._id: str = row["id"].hex()
        self._game = game
        if (row["table_name"], row["game"]) != (table, game):
            self.close()
            raise TableError(
                f"The spool {path} is of {row['table_name']}, a table of {row['game']}, not of {table} and {game}.",
                code="spool_of_another_table",
            )

    def rebuild(self) -> Hosted:
        """Return the table as its steps left it.

        **Always** what it was when the last write returned. Raises TableError for steps that lead nowhere.
        """
        table = Hosted(self._game, self._row("last")["number"])
        try:
            for number, name, body, sealed, proof in self._rows("steps_after", (table.last,)):
                self._check(f"a step of round {number}", proof, name.encode(), body, sealed or b"")
                if name == "begun":
                    record = decode_any(self._unsealed(sealed, number))
                    table = begun(table, number, record, msgspec.json.decode(body, type=_Begun).notes)
                else:
                    table = moved(table, _moves.decode(body))
        except (HostingError, MoveRefused, RecordError, msgspec.DecodeError) as error:
            raise damaged(self.path, f"its steps cannot be taken again: {error}") from error
        return table

    def begin(self, number: int, record: Any, notes: tuple[str, ...]) -> None:
        """Put the beginning of a round on the disk; the round itself is sealed until its cards are turned."""
        self._put_step(number, "begun", _encode(_Begun(notes)), self._sealed(record, number))

    def move(self, number: int, move: Move) -> None:
        """Put an accepted move on the disk; it is durable when this returns."""
        self._put_step(number, "moved", _encode(move), None)

    def _put_step(self, number: int, name: str, body: bytes, sealed: bytes | None) -> None:
        proof = proof_of(name.encode(), body, sealed or b"")
        self._write("put_step", (number, name, body, sealed, proof, self._now_us()))

    def end(self, edition: str, record: Any, done: Statement) -> None:
        """Put a round's statement on the disk; **never** a second one of the same round."""
        self._write("put_statement", statement_row(edition, record, done, self._now_us()))

    def refuse(self, edition: str, refusal: Refusal) -> None:
        """Put on the disk that a round was refused, and why."""
        body = _encode(refusal.faults)
        said = (None, body, proof_of(b"", body), 0, 0, 0, self._now_us())
        self._write("put_statement", (refusal.number, "refused", int(refusal.by_rule), edition, *said))

    def kept(self, number: int) -> Kept | None:
        """Return what became of a round, None where it is not done with."""
        rows = self._rows("statement_of", (number,))
        return _kept(self.path, rows[0]) if rows else None

    def _check(self, what: str, proof: bytes, *parts: bytes) -> None:
        """Raise TableError for a row that is not what was written."""
        if proof != proof_of(*parts):
            raise damaged(self.path, f"{what} is not what was written")

    def moves(self, number: int) -> list[Move]:
        """Return the moves of a round as far as they are kept."""
        rows = self._rows("moves_of", (number,))
        for body, proof in rows:
            self._check(f"a step of round {number}", proof, b"moved", body, b"")
        return [_moves.decode(body) for body, _ in rows]

    def totals(self) -> dict[str, int]:
        """Return the rounds and the money of the whole spool, added up."""
        return dict(self._row("totals"))

    def prune(self, keep_days: int) -> int:
        """Delete the moves of rounds that ended so many days ago, and return how many went; statements stay."""
        with self._transaction():
            return self._do("prune_steps", (self._now_us() - keep_days * DAY_US,)).rowcount

    def _sealed(self, record: Any, number: int) -> bytes:
        nonce = os.urandom(NONCE_BYTES)
        return nonce + self._seal.encrypt(nonce, encode_any(record), self._bound(number))

    def _unsealed(self, sealed: bytes, number: int) -> bytes:
        try:
            return self._seal.decrypt(sealed[:NONCE_BYTES], sealed[NONCE_BYTES:], self._bound(number))
        except InvalidTag as error:
            raise TableError(
                f"The cards sealed in {self.path} cannot be opened with this table's seal key.", code="wrong_seal"
            ) from error

    def _bound(self, number: int) -> bytes:
        """What a sealed round is bound to: this spool and its number."""
        return f"{self._id}/{number}".encode()

    def _write(self, name: str, values: Sequence[Any]) -> None:
        self._write_all([(name, values)])

    def _write_all(self, writes: Sequence[tuple[str, Sequence[Any]]]) -> None:
        """Put several rows on the disk, all of them or none."""
        with self._transaction():
            for name, values in writes:
                self._do(name, values)


def hosted_totals(path: Path) -> tuple[str, dict[str, Any]]:
    """Return a hosted spool's table and its totals; an agent may be writing to it."""
    db = open_spool(path, read_only=True, application=HOSTED_ID)
    try:
        own = db.execute(statement("own", SQL)).fetchone()
        return own["table_name"], {"game": own["game"], **dict(db.execute(statement("totals", SQL)).fetchone())}
    finally:
        db.close()


def hosted_statements(path: Path) -> list[Kept]:
    """Return what a hosted spool holds of each round that is done with, in their order."""
    db = open_spool(path, read_only=True, application=HOSTED_ID)
    try:
        return [_kept(path, row) for row in db.execute(statement("statements", SQL)).fetchall()]
    finally:
        db.close()


def statement_row(edition: str, record: Any, done: Statement, at_us: int) -> tuple[Any, ...]:
    """The row of a round's statement, with the digest of what it says."""
    round_, said = encode_any(record), _encode(done.said)
    money = (done.staked_cents, done.paid_cents, done.returned_cents)
    return (done.number, "settled", 0, edition, round_, said, proof_of(round_, said), *money, at_us)


def revised_row(record: Any, done: Statement) -> tuple[Any, ...]:
    """What a round's row says once something was found later, with its digest, and the round's number."""
    round_, said = encode_any(record), _encode(done.said)
    return round_, said, proof_of(round_, said), done.number


def _kept(path: Path, row: sqlite3.Row) -> Kept:
    """A round out of its row; raises TableError where that is not what was written."""
    if row["proof"] != proof_of(row["record"] or b"", row["body"]):
        raise damaged(path, f"the statement of round {row['number']} is not what was written")
    return Kept(row["number"], row["became"], row["body"], row["record"])


def _make(path: Path, table: str, game: str) -> None:
    """Make the spool of a hosted table; raises TableError where the log of another spool lies there."""
    with made(path, SQL) as db:
        db.execute(statement("new", SQL), (os.urandom(16), table, game))
