"""Which files let a stranger work the link's money out again? Terms, rounds, and the chain byte for byte.

terms.json      the terms in force, canonical; older ones beside it as terms-1.json and so on
rounds.jsonl    a line a record, withdrawal, void or release, in commit order
ledger.jsonl    a line a batch: {"digest": hex, "previous": hex, "body": the stored bytes}
"""

import asyncio
import os
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from jackpot.core.chain import decode_body
from jackpot.ledger.audit import CHUNK, Progress
from jackpot.ledger.connection import Connection, close, connect, translated
from jackpot.ledger.failures import LedgerUnreachable
from jackpot.ledger.replay import StoredBatch
from jackpot.ledger.round_lines import RoundLines
from jackpot.ledger.statements import statement

LEDGER, ROUNDS, TERMS = "ledger.jsonl", "rounds.jsonl", "terms.json"


async def export(url: str, link: str, folder: Path, progress: Progress = lambda _chain, _done, _of: None) -> None:
    """Write a link's export up to the head that is noted first; files that were there are replaced when it is whole.

    Reads in chunks with short transactions. Raises UnreachableError, also for a link that is not open.
    """
    await asyncio.to_thread(folder.mkdir, parents=True, exist_ok=True)
    connection = await connect(url, f"jackpot export {link}")
    try:
        with translated():
            head = await connection.fetchrow(statement("load_head"), link)
            terms = await connection.fetch(statement("load_terms"), link)
        if head is None or not terms:
            raise LedgerUnreachable(f"the link {link} is not open")
        *older, newest = [row for row in terms if row["since"] <= head["commit"]]
        with _replaced(folder / LEDGER) as ledger, _replaced(folder / ROUNDS) as rounds:
            lines = RoundLines()
            async for stored in _batches(connection, link, head["batch"]):
                ledger.write(ledger_line(stored.digest, stored.previous_digest, stored.body))
                rounds.writelines(line + b"\n" for line in lines.take(decode_body(stored.body)))
                progress(link, stored.last_commit, head["commit"])
        for row in older:
            (folder / f"terms-{row['version']}.json").write_bytes(row["raw"].encode())
        (folder / TERMS).write_bytes(newest["raw"].encode())
    finally:
        await close(connection)


async def open_links(url: str, site: str) -> list[str]:
    """Return the links that a site's chain opened, read as the role that audits may; raises UnreachableError."""
    connection = await connect(url, "jackpot export")
    try:
        with translated():
            return [row["link"] for row in await connection.fetch(statement("load_links"), site)]
    finally:
        await close(connection)


def ledger_line(digest: bytes, previous: bytes, body: bytes) -> bytes:
    """A line of `ledger.jsonl`: the body's bytes as they are stored, last."""
    return b'{"digest":"%b","previous":"%b","body":%b}\n' % (digest.hex().encode(), previous.hex().encode(), body)


async def _batches(connection: Connection, link: str, last: int) -> AsyncIterator[StoredBatch]:
    at = 0
    while at < last:
        with translated():
            rows = await connection.fetch(statement("audit_batches"), link, at, last, CHUNK)
        if not rows:
            raise LedgerUnreachable(f"{link}: batch {at + 1} is missing; `jackpot audit` says more")
        for row in rows:
            yield StoredBatch(**row)
        at = rows[-1]["batch"]


@contextmanager
def _replaced(path: Path) -> Iterator[BinaryIO]:
    """A file that is there whole, or as it was."""
    new = path.with_suffix(path.suffix + ".new")
    try:
        with new.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)
    finally:
        new.unlink(missing_ok=True)
