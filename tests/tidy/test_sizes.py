"""Files and functions stay small enough to be read in one go."""

import ast
from collections.abc import Iterator

from tests.support.sources import Breach, Source, assert_none, python, sources

FILE_LINES = 400
FUNCTION_LINES = 60


def long_files(source: Source) -> Iterator[Breach]:
    """A file over 400 lines."""
    lines = source.text.count("\n")
    if lines > FILE_LINES:
        yield Breach(source.file, FILE_LINES + 1, f"the file has {lines} lines, more than {FILE_LINES}")


def long_functions(source: Source) -> Iterator[Breach]:
    """Functions over 60 lines, signature and docstring not counted."""
    for node in ast.walk(source.tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            body = node.body[1:] if ast.get_docstring(node) is not None else node.body
            lines = (body[-1].end_lineno or 0) - body[0].lineno + 1 if body else 0
            if lines > FUNCTION_LINES:
                yield source.breach(node, f"{node.name} has {lines} lines, more than {FUNCTION_LINES}")


def test_no_file_is_too_long() -> None:
    """No Python, JavaScript or style sheet file is over 400 lines."""
    assert_none(breach for source in sources(".py", ".js", ".css") for breach in long_files(source))


def test_no_function_is_too_long() -> None:
    """No function is over 60 lines."""
    assert_none(breach for source in python() for breach in long_functions(source))


def test_the_limits_bite() -> None:
    """Exactly the limit passes, one line more does not; signature and docstring are free."""
    assert not list(long_files(Source("a.py", "x\n" * 400)))
    assert list(long_files(Source("a.py", "x\n" * 401)))
    head = 'def f(\n    a,\n):\n    """Do.\n\n    Much.\n    """\n'
    assert not list(long_functions(Source("a.py", head + "    a = 1\n" * 60)))
    assert list(long_functions(Source("a.py", head + "    a = 1\n" * 61)))
