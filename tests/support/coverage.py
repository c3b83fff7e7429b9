"""``rules/COVERAGE.md`` as rows, and which line of the code a row means.

A row names a symbol (``path.py::name``). The line meant is the first within it that names the clause, in a string or a
comment, but not in a docstring; else the first statement of the function after its docstring.
"""

import ast
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from tests.support.sources import ROOT, Source

COVERAGE = ROOT / "rules" / "COVERAGE.md"
CLAUSES = ROOT / "tests" / "data" / "clauses.toml"

BOOKS = {
    "CSP": "Caribbean Stud Poker",
    "TCP": "Three Card Poker",
    "FCP": "Four Card Poker",
    "WAR": "Casino War",
    "SIC": "Sic Bo",
}
"""How each book is cited, and its heading."""

NUMBER = r"\d+(?:\.\d+)+"
_CITED = re.compile(rf"\b({'|'.join(BOOKS)}) (\d+(?:\.\d+)*(?:(?:, | and | or |-| to ){NUMBER})*)(?![\d.]*\d)")
_BARE = re.compile(rf"(?:\}}[ .]|[\"'])({NUMBER})(?=[\"' ,):])")
_NAMED = re.compile(r"`([^`]+)`")

_BY_NAME = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Assign | ast.AnnAssign


@dataclass(frozen=True, slots=True)
class Row:
    """A clause, where it is enforced and by which test; or why it is the casino's."""

    book: str
    clause: str
    words: str
    where: str
    test: str
    line: int

    @property
    def is_open(self) -> bool:
        """Whether nothing enforces it yet."""
        return "open" in {self.where, self.test}

    @property
    def is_the_casinos(self) -> bool:
        """Whether it is left to the casino, with a reason."""
        return self.test.startswith("casino's: ")

    @property
    def is_enforced(self) -> bool:
        """Whether a line of the code enforces it."""
        return not self.is_open and not self.is_the_casinos

    @property
    def path(self) -> str:
        """The file of the line meant."""
        return _bare(self.where).partition("::")[0]

    @property
    def symbol(self) -> str:
        """The function, method, class or table that holds the line meant."""
        return _bare(self.where).partition("::")[2]

    @property
    def test_id(self) -> str:
        """The test as pytest takes it."""
        return _bare(self.test)

    def __str__(self) -> str:
        return f"{self.book} {self.clause} (rules/COVERAGE.md:{self.line})"


@dataclass(frozen=True, slots=True)
class Section:
    """What stands in the file about one book."""

    book: str
    heading: str
    counts: str
    """The line under the heading."""
    rows: tuple[Row, ...]


def _bare(cell: str) -> str:
    return cell.strip("`")


def sections(text: str | None = None) -> tuple[Section, ...]:
    """The sections of the file, by their headings of the second level, in its order."""
    lines = list(enumerate((COVERAGE.read_text("utf-8") if text is None else text).splitlines(), start=1))
    books = {heading: book for book, heading in BOOKS.items()}
    starts = [place for place, (_, line) in enumerate(lines) if line.startswith("## ")] + [len(lines)]
    found = []
    for start, end in pairwise(starts):
        heading = lines[start][1].removeprefix("## ").strip()
        book = books.get(heading, heading)
        below = lines[start + 1 : end]
        counts = " ".join([line for _, line in below if line.strip() and not line.startswith("|")])
        found.append(Section(book, heading, counts, tuple(_rows(book, below))))
    return tuple(found)


def _rows(book: str, lines: list[tuple[int, str]]) -> Iterator[Row]:
    for number, line in lines:
        if not line.startswith("|") or line.startswith(("| clause |", "| ---", "|---")):
            continue
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        clause, words, where, test = (*cells, "", "", "", "")[:4]
        yield Row(book, clause, words, where, test, number)


@cache
def clauses() -> Mapping[str, tuple[str, ...]]:
    """The number of every clause of each book's text, in its order, those without a number in the text too."""
    tables = tomllib.loads(CLAUSES.read_text("utf-8"))
    return {book: tuple(table["clauses"].split()) for book, table in tables.items()}


def cited(line: str) -> Iterator[tuple[str, str]]:
    """The clauses a line of text names, as book and number; of a whole rule its one number.

    >>> list(cited("cut (CSP 6.3, 5.6; TCP 6.3), as CSP 14.16-14.19 and 9"))
    [('CSP', '6.3'), ('CSP', '5.6'), ('TCP', '6.3'), ('CSP', '14.16'), ('CSP', '14.19')]
    """
    for book, numbers in _CITED.findall(line):
        for number in re.findall(r"\d+(?:\.\d+)*", numbers):
            yield book, number


def names(line: str, book: str, clause: str) -> bool:
    """Whether a line names a clause: by its book, or barely in a text of rules that several books share.

    >>> names('x = Refused("CSP 6.3", "")', "CSP", "6.3"), names('"CSP 6.3.1"', "CSP", "6.3")
    (True, False)
    >>> names('f"{self.book} 6.3"', "TCP", "6.3"), names('("6.3", "6.4")', "TCP", "6.4")
    (True, True)
    """
    if any(each == (book, clause) for each in cited(line)):
        return True
    return clause in _BARE.findall(line)


def definition(source: Source, symbol: str) -> Definition | None:
    """Where a symbol is defined in a file: ``name``, ``Class.name``, or a method by its own name if no other has it."""
    *outer, name = symbol.split(".")
    scope: ast.AST | None = source.tree
    for each in outer:
        scope = None if scope is None else _definition(scope, each)
    return None if scope is None else _definition(scope, name)


def _definition(scope: ast.AST, name: str) -> Definition | None:
    """The definition of a name: that of the scope itself, else the only one below; no function's variables."""
    for inner in ((scope,), tuple(ast.walk(scope))):
        found: list[Definition] = []
        for block in inner:
            found += [each for each in _definitions(block) if _name(each) == name]
        if len(found) == 1:
            return found[0]
    return None


def _definitions(block: ast.AST) -> Iterator[Definition]:
    """What a block defines itself; no variables of a function."""
    below = getattr(block, "body", [])
    kinds = _BY_NAME | ast.Assign | ast.AnnAssign if isinstance(block, ast.Module | ast.ClassDef) else _BY_NAME
    # A lambda's body is an expression.
    yield from (node for node in below if isinstance(node, kinds)) if isinstance(below, list) else ()


def _name(node: Definition) -> str:
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return name
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
            return name
    return ""


def line_meant(source: Source, row: Row) -> tuple[Definition, int | None]:
    """The definition a row names, and the line in it that names the clause, if one does; raises ``LookupError``."""
    found = definition(source, row.symbol)
    if found is None:
        raise LookupError(f"{row}: {row.path} has no {row.symbol}, or several")
    docstrings = {
        line
        for node in ast.walk(found)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }
    lines = source.text.splitlines()
    # The books' rules on promotions differ in their number alone: code cites what follows it.
    bare = row.clause.partition(".")[2] if "/promotions/" in row.path else row.clause
    for number in range(found.lineno, (found.end_lineno or found.lineno) + 1):
        line = lines[number - 1]
        if number not in docstrings and (names(line, row.book, row.clause) or bare in _BARE.findall(line)):
            return found, number
    return found, None
