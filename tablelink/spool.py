"""Where is it written down? A table's spool: one SQLite file, synced to the disk before a write returns.

Holds the messages to the server with their answers, the steps of the rounds (from which the table is rebuilt after any
crash), the journal's head and the connection number. Cards that a shoe read lie in it sealed, by a key beside the
table's own (case 51). Decides nothing.

**Never** replaces a file that is there: one that is damaged, or another table's, is an error that says so.
"""

import os
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from msgspec import Raw

from jackpot.serving.points import reached
from jackpot.wire.codec import encode
from jackpot.wire.messages import HandIn, Held, Receipt, Signed
from jackpot.wire.signing import next_head, signed_bytes
from tablelink.core.dealing import Dealing, step
from tablelink.core.felt import Felt
from tablelink.core.inputs import Input, Post
from tablelink.core.outbox import Settled
from tablelink.errors import TableError
from tablelink.spool_file import (
    OpenSpool,
    damaged,
    locked,
    make_spool,
    open_spool,
    proof_of,
    proof_of_checkpoint,
    proof_of_own,
    statement,
)
from tablelink.steps import decode_checkpoint, decode_step, encode_checkpoint, encode_step

DAY_US = 86_400_000_000
NONCE_BYTES = 12

Signer = Callable[[bytes], bytes]
"""Signs bytes with the table's key."""


@dataclass(frozen=True, slots=True)
class Write:
    """What one step puts into the spool, all of it or nothing."""

    steps: tuple[Input, ...] = ()
    posts: tuple[Post, ...] = ()
    settled: Settled | None = None
    checkpoint: Dealing | None = None
    """The table before the first of the steps, where no round was under way: a restart begins from here."""


class Spool(OpenSpool):
    """An open spool; nobody else has it open for writing. One caller at a time, from any thread."""

    def __init__(self, path: Path, table: str, *, seal: bytes, sign: Signer) -> None:
        """Open a table's spool, or make one where there is no file.

        `seal` is the key (32 bytes) that cards are sealed with; `sign` signs journal heads. Raises TableError for a
        file that is damaged, no spool, another table's, or in use.
        """
        super().__init__()
        self.path = path
        self._sign = sign
        self._seal = AESGCM(seal)
        self._lock = locked(path)
        try:
            if not path.exists():
                make_spool(path, table)
            self._db = open_spool(path)
        except BaseException:
            self._lock.close()
            raise
        try:
            row = self._own()
            with self._translated():
                hold_contents(path, self._db.execute(statement("contents")))
            self.lies_at(path)
        except BaseException:
            self.close()
            raise
        self.id: str = row["id"].hex()
        self._head: bytes = row["head"]
        if row["table_name"] != table:
            self.close()
            raise TableError(
                f"The spool {path} is of table {row['table_name']}, not {table}.", code="spool_of_another_table"
            )

    def write(self, write: Write, at_us: int) -> list[tuple[bytes, str]]:
        """Put a step's consequences on the disk, and return its messages as they are to be sent, with their ids.

        **Always** all or nothing, and durable when it returns. `at_us` is the time of day, for pruning only.
        """
        sent: list[tuple[bytes, str]] = []
        head = self._head
        reached("step-begun", write)
        with self._transaction():
            if write.checkpoint is not None:
                place, body = self._row("last_step")["place"], encode_checkpoint(write.checkpoint)
                self._do("put_checkpoint", (place, body, proof_of_checkpoint(place, body)))
            for given in write.steps:
                name, body, cards = encode_step(given)
                sealed = self._sealed(cards) if cards else None
                self._do("put_step", (name, body, sealed, _proof_of_step(name, body, sealed), at_us))
            for post in write.posts:
                head = next_head(head, post.body) if post.ends_round else head
                message = self._signed(post.body, head) if post.sign else post.body
                round_id, kind, _revision = post.id.rsplit("/", 2)
                self._do("put_message", (post.id, round_id, kind, message, proof_of(post.id.encode(), message), at_us))
                sent.append((message, post.id))
            if head != self._head:
                self._change_own("put_head", (head,))
            if write.settled is not None:
                self._put_answer(write.settled, at_us)
            reached("step-written", write)
        reached("step-durable", write)
        self._head = head
        return sent

    def next_connection(self) -> int:
        """Return the number for another hello; durable, so that it rises whatever happens next."""
        with self._transaction():
            self._change_own("next_connection")
            number = int(self._own()["connection"])
        reached("hello-numbered")
        return number

    def last_receipt(self) -> Receipt | None:
        """Return the newest receipt the server gave this table."""
        row = self._own()
        return None if row["generation"] is None else Receipt(row["generation"], row["commit_no"], row["digest"])

    def held_after(self, asked: HandIn, most: int) -> tuple[list[Held], bool]:
        """Return answered messages past a place of the ledger, oldest receipt first, and whether there are more.

        As many as fit into so many bytes, and one at least. Raises TableError for one that is not what was written.
        """
        held: list[Held] = []
        with self._using, self._translated():
            for row in self._do("held_after", (asked.generation, asked.commit)):
                hold_message(self.path, row)
                where = (row["generation"], row["commit_no"], row["digest"])
                most -= len(row["body"]) + len(row["answer"])
                if held and most < 0:
                    return held, True
                receipt = Receipt(*where)
                held.append(Held(Raw(row["body"]), Raw(row["answer"]), receipt))
        return held, False

    def unanswered(self) -> list[tuple[bytes, str]]:
        """Return the messages without an answer, oldest first, with their ids.

        Wagers whose round has been withdrawn or voided are not among them: their place is taken. Raises TableError for
        one that is not what was written: it is never sent.
        """
        rows = self._rows("unanswered")
        for row in rows:
            hold_message(self.path, row)
        return [(row["body"], row["id"]) for row in rows]

    def rebuild(self, felt: Felt) -> Dealing:
        """Return the table as its steps left it.

        **Always** what it was when the last write returned, whatever stopped the program (cases 39, 53, 54). Raises
        TableError for a step that is not what was written.
        """
        row = self._row("checkpoint")
        if row["proof"] != proof_of_checkpoint(row["place"], row["body"]):
            raise damaged(self.path, "its checkpoint is not what was written")
        dealing = decode_checkpoint(row["body"])
        for place, name, body, sealed, proof in self._rows("steps_after", (row["place"],)):
            if proof != _proof_of_step(name, body, sealed):
                raise damaged(self.path, f"step {place} is not what was written")
            dealing, _posts = step(dealing, decode_step(name, body, self._unsealed(sealed)), felt)
        return dealing

    def prune(self, now_us: int, keep_days: int, month: str) -> int:
        """Delete what is older than backups reach back, and return how many messages went.

        `month` is the gaming month that the server told last. **Always** old by both: the table's clock may be far
        ahead now, or may have been far behind when it was written, and by months alone much would stay for long.
        **Never** a message that is still to be answered, nor a step that a restart needs.
        """
        if not month:
            return 0
        before = now_us - keep_days * DAY_US
        with self._transaction():
            gone = self._do("prune_messages", (before, oldest_month(month, keep_days))).rowcount
            self._do("prune_steps", (before,))
        return gone

    def _put_answer(self, settled: Settled, at_us: int) -> None:
        receipt = settled.answer.receipt
        where = (receipt.generation, receipt.commit, receipt.digest)
        body = bytes(settled.answer.answer)
        proof = _proof_of_answer(body, *where)
        self._do("put_answer", (body, settled.after_withdrawal, *where, proof, at_us, settled.id))
        self._change_own("put_receipt", where)

    def _signed(self, body: bytes, head: bytes) -> bytes:
        return encode(Signed(head.hex(), self._sign(signed_bytes(head, body)).hex(), Raw(body)))

    def _sealed(self, cards: bytes) -> bytes:
        nonce = os.urandom(NONCE_BYTES)
        return nonce + self._seal.encrypt(nonce, cards, self.id.encode())

    def _unsealed(self, sealed: bytes | None) -> bytes:
        if sealed is None:
            return b""
        try:
            return self._seal.decrypt(sealed[:NONCE_BYTES], sealed[NONCE_BYTES:], self.id.encode())
        except InvalidTag as error:
            raise TableError(
                f"The cards sealed in {self.path} cannot be opened with this table's seal key.", code="wrong_seal"
            ) from error

    def _own(self) -> sqlite3.Row:
        """Return what the spool is: a receipt that nobody gave would stop the link (PROTOCOL 5)."""
        row = self._row("own")
        if row["proof"] != proof_of_own(row):
            raise damaged(self.path, "what it says of itself is not what was written")
        return row

    def _change_own(self, name: str, values: Sequence[Any] = ()) -> None:
        self._own()
        self._do(name, values)
        self._do("put_own_proof", (proof_of_own(self._row("own")),))


def hold_contents(path: Path, messages: Iterable[sqlite3.Row]) -> None:
    """Pass messages that are what was written, each with its answer; raises TableError naming the first that is not."""
    for row in messages:
        hold_message(path, row)
        if row["id"].rpartition("/")[0] != f"{row['round_id']}/{row['kind']}":
            raise damaged(path, f"what the message {row['id']} is looked up by is not what was written")


def hold_message(path: Path, row: sqlite3.Row) -> None:
    """Pass a message that is what was written, and so is its answer, where it is read with it; raises TableError."""
    if row["proof"] != proof_of(row["id"].encode(), row["body"]):
        raise damaged(path, f"the message {row['id']} is not what was written")
    answer = row["answer"] if "answer" in row.keys() else None  # noqa: SIM118 - a row has no other way to be asked
    if answer is not None:
        where = (row["generation"], row["commit_no"], row["digest"])
        if row["answer_proof"] != _proof_of_answer(answer, *where):
            raise damaged(path, f"the answer to {row['id']} is not what was written")


def oldest_month(month: str, keep_days: int) -> str:
    """Return the first gaming month of which something is kept: any before it had ended so many days before this one.

    >>> oldest_month("2026-11", 40), oldest_month("2026-11", 30), oldest_month("2026-01", 1)
    ('2026-09', '2026-10', '2025-12')
    """
    begins = date.fromisoformat(f"{month}-01")
    return (begins - timedelta(days=min(keep_days, (begins - date.min).days))).strftime("%Y-%m")


def _proof_of_answer(answer: bytes, generation: int, commit: int, digest: str) -> bytes:
    return proof_of(answer, f"{generation}/{commit}/{digest}".encode())


def _proof_of_step(name: str, body: bytes, sealed: bytes | None) -> bytes:
    return proof_of(name.encode(), body, sealed or b"")
