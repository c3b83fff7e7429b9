"""Every public name says what it is for."""

import ast
from collections.abc import Iterator

import pytest

from tests.support.sources import Breach, Source, assert_none, python

Documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def undocumented(source: Source) -> Iterator[Breach]:
    """Modules, and public classes, functions and methods at any level but inside functions, without a docstring."""
    yield from _undocumented(source, source.tree, "the module")


def _undocumented(source: Source, node: Documented, name: str) -> Iterator[Breach]:
    if not (ast.get_docstring(node) or "").strip():
        yield source.breach(node, f"{name} has no docstring")
    if isinstance(node, ast.Module | ast.ClassDef):
        for inner in _members(node):
            yield from _undocumented(source, inner, inner.name)


def _members(node: ast.AST) -> Iterator[ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef]:
    """The public definitions in a module or class, those under an `if` or `try` too."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            if not child.name.startswith("_") and not any(_says_nothing_new(mark) for mark in child.decorator_list):
                yield child
        elif isinstance(child, ast.If | ast.Try | ast.With):
            yield from _members(child)


def _says_nothing_new(decorator: ast.expr) -> bool:
    """An overload repeats a signature; a setter repeats its property."""
    return ast.unparse(decorator).rpartition(".")[2] in {"overload", "setter", "deleter"}


def test_every_public_name_has_a_docstring() -> None:
    """Modules, classes, functions and methods, of the tests too."""
    assert_none(breach for source in python() for breach in undocumented(source))


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("x = 1", ["the module"]),
        ('"""M."""\ndef f(): ...', ["f"]),
        ('"""M."""\nasync def f(): ...', ["f"]),
        ('"""M."""\ndef _f(): ...', []),
        ('"""M."""\nclass C:\n    def m(self): ...', ["C", "m"]),
        ('"""M."""\nclass _C:\n    def m(self): ...', []),
        ('"""M."""\nclass C:\n    """C."""\n    def __lt__(self): ...', []),
        ('"""M."""\nif True:\n    def f(): ...', ["f"]),
        ('"""M."""\ndef f():\n    """F."""\n    def g(): ...', []),
        ('"""M."""\ndef f():\n    """ """', ["f"]),
    ],
)
def test_what_is_missed_is_named(text: str, names: list[str]) -> None:
    """Public names at every level are seen; private and inner ones are not asked for."""
    assert [breach.rule for breach in undocumented(Source("a.py", text))] == [f"{n} has no docstring" for n in names]
