"""What people were told at a hosted table, and what was written down of it: each line as its spool keeps it."""

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

import msgspec

from rules.money import money
from rules.tables import Due, Entry
from tablelink.core.floor import readable
from tablelink.hosted_spool import SQL
from tablelink.spool_file import HOSTED_ID, damaged, open_spool, proof_of, statement

__all__ = ["Notice", "entry_words", "notice_of", "notices"]

ALL = -1
"""As many as there are, to SQLite."""


@dataclass(frozen=True, slots=True)
class Notice:
    """What people were told, or what was written down, and when."""

    number: int
    """Of the round in which it was, or before which."""
    at_us: int
    kind: Literal["told", "written"]
    body: bytes

    @property
    def words(self) -> str:
        """The notice as people read it, with its moment in UTC."""
        moment = datetime.fromtimestamp(self.at_us // 1_000_000, UTC).strftime("%Y-%m-%d %H:%M:%S")
        if self.kind == "told":
            text = readable(str(msgspec.json.decode(self.body, type=Due)))
        else:
            text = entry_words(msgspec.json.decode(self.body, type=Entry))
        return f"{self.number:>6}  {self.kind:<7}  {moment}Z  {text}"

    @property
    def said(self) -> dict[str, Any]:
        """The notice as programs read it."""
        return {"number": self.number, "became": self.kind, "at_us": self.at_us, "said": msgspec.Raw(self.body)}


def entry_words(entry: Entry) -> str:
    """A line of what is written down, as people read it."""
    where = "" if entry.seat is None else f"seat {entry.seat} "
    amount = "" if entry.cents is None else f"{entry.area} {money(entry.cents)} ".lstrip()
    about = f"{entry.player} " if entry.player else ""
    by = f" by {entry.person}" if entry.person else ""
    rule = f" ({entry.rule})" if entry.rule else ""
    return readable(f"{entry.kind.replace('_', ' ')}: {about}{where}{amount}{entry.reason}{by}{rule}")


def notices(path: Path) -> Iterator[Notice]:
    """Every notice that a hosted spool holds, the oldest first; an agent may be writing to it."""
    db = open_spool(path, read_only=True, application=HOSTED_ID)
    try:
        for row in db.execute(statement("last_notices", SQL), (ALL,)):
            yield notice_of(path, row)
    finally:
        db.close()


def notice_of(path: Path, row: sqlite3.Row) -> Notice:
    """A notice out of its row; raises TableError where that is not what was written."""
    if row["proof"] != proof_of(row["kind"].encode(), row["body"]):
        raise damaged(path, f"a notice of round {row['number']} is not what was written")
    return Notice(row["number"], row["at_us"], row["kind"], row["body"])
