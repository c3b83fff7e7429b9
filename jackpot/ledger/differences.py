"""How is a stored row held against what was worked out, and how is the first difference told?"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from jackpot.ledger.rows import Row

SHOWN = 60
"""Characters of a value that are shown."""

Key = tuple[Any, ...]
Columns = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Difference:
    """Where the ledger is not what it must be: chain, table, row (its key as text), column, and both values.

    `column` is empty where a whole row is missing or too many.

    >>> print(Difference("southern", "wager", "T1/1/17/3", "wager_cents", "100", "200"))
    southern: wager T1/1/17/3, wager_cents: 100 was worked out, 200 is stored
    >>> print(Difference("southern", "entry", "pool/main/7", "", "a row", "nothing"))
    southern: entry pool/main/7: a row was worked out, nothing is stored
    """

    chain: str
    table: str
    row: str
    column: str
    expected: str
    found: str

    def __str__(self) -> str:
        column = f", {self.column}" if self.column else ""
        return f"{self.chain}: {self.table} {self.row}{column}: {self.expected} was worked out, {self.found} is stored"


def compare_rows(
    chain: str, table: str, keys: tuple[str, ...], expected: Mapping[Key, Columns], found: Iterable[Row]
) -> Difference | None:
    """The first difference between rows worked out and rows stored, by the columns that are their key."""
    stored = {tuple(row[column] for column in keys): row for row in found}
    for key, columns in expected.items():
        row = stored.pop(key, None)
        if row is None:
            return Difference(chain, table, row_name(key), "", "a row", "nothing")
        difference = compare_columns(chain, table, row_name(key), columns, row)
        if difference is not None:
            return difference
    if stored:
        return Difference(chain, table, row_name(min(stored)), "", "nothing", "a row")
    return None


def compare_columns(chain: str, table: str, name: str, columns: Columns, row: Row) -> Difference | None:
    """The first column in which a row differs."""
    for column, value in columns.items():
        found = _plain(row[column])
        if found != value:
            return Difference(chain, table, name, column, shown(value), shown(found))
    return None


def row_name(key: Key) -> str:
    """A row's key as text."""
    return "/".join(map(str, key))


def shown(value: Any) -> str:
    """A value as text, cut."""
    text = value.hex() if isinstance(value, bytes) else str(value)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}..."


def _plain(value: Any) -> Any:
    return int(value) if isinstance(value, Decimal) else value
