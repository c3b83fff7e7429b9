"""SQL stands in .sql files, where each statement has a name and an explanation."""

import ast
import re
from collections.abc import Iterator

import pytest

from tests.support.sources import PACKAGES, Breach, Source, assert_none, python

MIGRATIONS = "jackpot/ledger/migrations/"
SHOUTED = re.compile(
    r"\b(SELECT\s+[\w*(]|INSERT\s+INTO\s|UPDATE\s+[\w.\"]+\s+SET\s|DELETE\s+FROM\s|TRUNCATE\s|PRAGMA\s|LOCK\s+TABLE\s"
    r"|(CREATE|ALTER|DROP)\s+(OR\s+REPLACE\s+)?(TABLE|ROLE|INDEX|UNIQUE|VIEW|TRIGGER|FUNCTION|SCHEMA|DATABASE)\s"
    r"|(GRANT|REVOKE)\s.*\sON\s|SET\s+LOCAL\s|pg_advisory_\w+\()"
)
SPOKEN = re.compile(
    r"^\s*(select\s.*\sfrom\s|insert\s+into\s+\w+\s*(\(|values|select)|update\s+\w+\s+set\s+\w+\s*=|delete\s+from\s+\w+"
    r"|create\s+(table|index|view|role)\s+\w+|drop\s+(table|index|view|role)\s+\w+|pragma\s+\w+)",
    re.IGNORECASE | re.DOTALL,
)


def sql_strings(source: Source) -> Iterator[Breach]:
    """Strings that are SQL; docstrings may show it."""
    shown = {id(node.value) for node in ast.walk(source.tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in shown:
            found = SHOUTED.search(node.value) or SPOKEN.search(node.value)
            if found:
                yield source.breach(node, f"SQL in a Python string: {found[0].strip()!r}; put it into a .sql file")


def test_no_sql_in_python() -> None:
    """Only migrations hold SQL in Python, a few lines each."""
    assert_none(
        breach
        for source in python(*PACKAGES)
        if not source.file.startswith(MIGRATIONS)
        for breach in sql_strings(source)
    )


@pytest.mark.parametrize(
    ("line", "breaches"),
    [
        ('a = "SELECT 1"', 1),
        ('a = "select a from b"', 1),
        ('a = f"INSERT INTO {table} VALUES ($1)"', 1),
        ('a = "insert into wager (a) values (1)"', 1),
        ('a = "UPDATE head SET batch = 1"', 1),
        ('a = "PRAGMA journal_mode = WAL"', 1),
        ('a = "CREATE ROLE owner"', 1),
        ('a = "GRANT INSERT ON entry TO service"', 1),
        ('"""SELECT 1 is what it asks."""', 0),
        ('a = "Select a table, then choose a seat from the list."', 1),
        ('a = "Delete the folder from the disk."', 0),
        ('a = "the meter is set to its seed; update it"', 0),
        ('a = "between COMMIT and publish"', 0),
    ],
)
def test_sql_is_told_from_prose(line: str, breaches: int) -> None:
    """Statements are seen in either case; a sentence that begins like one has to be put differently."""
    assert len(list(sql_strings(Source("jackpot/a.py", line)))) == breaches
