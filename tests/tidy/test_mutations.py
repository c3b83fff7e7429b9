"""What ``make mutate`` takes away is the line that a row means, and every row has one."""

import ast

import pytest

from tests.support.coverage import Row, line_meant, sections
from tests.support.mutations import RAISED, mutated
from tests.support.sources import Source, sources

TEXT = '''
"""A module."""

TABLE = {
    "a": "CSP 1.1",
    "b": ("CSP 2.1", "CSP 2.2"),
}
ROWS = (
    make("x", rule="CSP 3.1"),
    make("y", rule="CSP 3.2", other=1),
)


def first(x):
    """Do a thing (CSP 4.1)."""
    return x


def lines(x):
    """Do things."""
    # CSP 5.1
    y = x + 1
    if y:  # CSP 5.2
        return refused("CSP 5.3", y)
    match x:
        case 1:  # CSP 5.4
            return "one"
    return f"{book} 5.5"


class Thing:
    """A thing."""

    def act(self):
        """Act."""
        return rule("5.6")
'''


@pytest.mark.parametrize(
    ("clause", "symbol", "gone"),
    [
        ("1.1", "TABLE", "'CSP 1.1'"),
        ("2.2", "TABLE", "('CSP 2.1', 'CSP 2.2')"),
        ("3.2", "ROWS", "make('y'"),
        ("4.1", "first", "return x"),
        ("5.1", "lines", "y = x + 1"),
        ("5.2", "lines", "if y"),
        ("5.3", "lines", "'CSP 5.3'"),
        ("5.4", "lines", "return 'one'"),
        ("5.5", "lines", "{book}"),
        ("5.6", "Thing.act", "'5.6'"),
        ("5.6", "act", "'5.6'"),
    ],
)
def test_the_line_that_names_the_clause_is_taken_away(clause: str, symbol: str, gone: str) -> None:
    """A statement becomes a raise, an entry of a table a value that raises; all else stays."""
    row = Row("CSP", clause, "", f"`rules/x.py::{symbol}`", "", 1)
    left = mutated(Source("rules/x.py", TEXT), row)
    whole = ast.unparse(ast.parse(TEXT))
    assert RAISED in left
    assert gone in whole
    assert gone not in left
    kept = [line for line in whole.splitlines() if line not in left]
    assert len(kept) <= 2, kept


def test_a_symbol_that_is_not_there_or_twice_is_no_claim() -> None:
    """A row may name only what one thing bears."""
    twice = Source("rules/x.py", TEXT + "\nclass Other:\n    def act(self):\n        return 1\n")
    for symbol in ("act", "nothing"):
        with pytest.raises(LookupError):
            mutated(twice, Row("CSP", "5.6", "", f"`rules/x.py::{symbol}`", "", 1))


def test_every_row_has_a_line_that_can_be_taken_away() -> None:
    """Of every enforced row the line is found, and something can be left without it."""
    files = {source.file: source for source in sources(".py")}
    rows = [row for section in sections() for row in section.rows if row.is_enforced and row.path in files]
    lines = {(row.where, line_meant(files[row.path], row)[1]): row for row in rows}
    for row in lines.values():
        assert RAISED in mutated(files[row.path], row)
