"""``rules/COVERAGE.md`` says of every clause of the five books where it is enforced, and says it truly."""

import ast
import re

import pytest

from tests.support.coverage import BOOKS, NUMBER, Row, Section, cited, clauses, definition, line_meant, sections
from tests.support.sources import Breach, assert_none, python, sources

SECTIONS = sections()
ENFORCED = [row for section in SECTIONS for row in section.rows if row.is_enforced]
_COUNTS = re.compile(r"(\d+) clauses: (\d+) enforced, (\d+) the casino's")
_WHERE = re.compile(r"`(rules|jackpot|tablelink)/[\w/]+\.(py|toml)::[\w.]+`")
_TEST = re.compile(r"`tests/[\w/]+\.py::(\w+::)?test_\w+`")

by_book = pytest.mark.parametrize("section", SECTIONS, ids=lambda section: str(section.book))


def breach(row: Row, rule: str) -> Breach:
    """What is wrong with a row."""
    return Breach("rules/COVERAGE.md", row.line, f"{row.book} {row.clause}: {rule}")


def test_every_book_has_its_section() -> None:
    """The five books, each under its name."""
    assert {section.book: section.heading for section in SECTIONS} == BOOKS
    assert set(clauses()) == set(BOOKS)


@by_book
def test_the_rows_are_the_clauses_of_the_book(section: Section) -> None:
    """Every clause of the text is a row, in its order, and there is no other; nothing is left open."""
    assert_none(breach(row, "open") for row in section.rows if row.is_open)
    assert [row.clause for row in section.rows] == list(clauses()[section.book])


@by_book
def test_every_row_has_its_form(section: Section) -> None:
    """A row says in its own words what the clause says, and names a line and a test; or the casino's reason."""
    for row in section.rows:
        assert row.words, row
        if row.is_the_casinos:
            assert row.where == "-", row
            assert len(row.test.removeprefix("casino's: ")) > 3, row
        elif row.is_enforced:
            assert _WHERE.fullmatch(row.where), row
            assert _TEST.fullmatch(row.test), row


@by_book
def test_every_claimed_line_and_test_exists(section: Section) -> None:
    """The symbol a row names is defined in its file, and its test in its."""
    files = {source.file: source for source in sources(".py", ".toml")}
    for row in section.rows:
        if not row.is_enforced:
            continue
        assert row.path in files, f"{row}: no file {row.path}"
        line_meant(files[row.path], row)
        file, *names = row.test_id.split("::")
        assert file in files, f"{row}: no file {file}"
        assert isinstance(definition(files[file], ".".join(names)), ast.FunctionDef), f"{row}: no {row.test_id}"


@by_book
def test_the_counts_are_right(section: Section) -> None:
    """What stands under a book's heading is what its rows come to."""
    counts = _COUNTS.search(section.counts)
    assert counts, section.counts
    enforced = sum(row.is_enforced for row in section.rows)
    casinos = sum(row.is_the_casinos for row in section.rows)
    assert tuple(map(int, counts.groups())) == (len(section.rows), enforced, casinos)


def test_every_clause_cited_in_code_is_one() -> None:
    """A citation by its book, in code, comment, docstring or schedule, names a clause or a whole rule of that book."""
    known = {(book, clause) for book, numbers in clauses().items() for clause in numbers}
    known |= {(book, clause.partition(".")[0]) for book, clause in known}
    packages = ("rules", "jackpot", "tablelink")
    assert_none(
        Breach(source.file, number, f"{book} {clause} is no clause")
        for source in sources(".py", ".toml", ".sql", ".js", ".html")
        if source.package in packages
        for number, line in enumerate(source.text.splitlines(), start=1)
        for book, clause in cited(line)
        if (book, clause) not in known
    )


def test_every_bare_number_of_a_rule_is_one() -> None:
    """A clause that code of several books cites without its book, or its rule's number too, stands in one of them."""
    known = {clause for numbers in clauses().values() for clause in numbers}
    known |= {clause.partition(".")[2] for clause in known}
    assert_none(
        source.breach(node, f"{node.value} is no clause of any book")
        for source in python("rules")
        for node in ast.walk(source.tree)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and re.fullmatch(NUMBER, node.value)
        and node.value not in known
    )
