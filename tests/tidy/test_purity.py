"""The pure packages know no clock, no randomness, no network, and no inexact number."""

import ast
from collections.abc import Iterator

import pytest

from tests.support.sources import Breach, Source, assert_none, python

PURE = ("rules/", "jackpot/core/", "jackpot/wire/", "tablelink/core/")
PROGRAMS = ("rules/__main__.py",)  # an edge: it opens files by their paths; `/` joins paths there
IMPURE_MODULES = {"time", "random", "secrets", "uuid", "asyncio", "socket", "threading", "subprocess"}
CLOCK_CALLS = {"now", "utcnow", "today"}


def impurities(source: Source) -> Iterator[Breach]:
    """What a pure module may not do.

    The word float is allowed where a value is asked whether it is one, since that is how one is refused.
    """
    asked = {id(name) for node in ast.walk(source.tree) for name in _asked_for(node)}
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            for name in _modules(node):
                if name.partition(".")[0] in IMPURE_MODULES:
                    yield source.breach(node, f"a pure module imports {name}")
        elif isinstance(node, ast.Constant) and isinstance(node.value, float | complex):
            yield source.breach(node, f"a pure module holds the float {node.value}")
        elif isinstance(node, ast.Name) and node.id == "float" and id(node) not in asked:
            yield source.breach(node, "a pure module uses float")
        elif isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.Div):
            yield source.breach(node, "a pure module divides with / (use //, divmod or Fraction)")
        elif isinstance(node, ast.Call):
            yield from _calls(source, node)


def _calls(source: Source, node: ast.Call) -> Iterator[Breach]:
    if isinstance(node.func, ast.Name) and node.func.id == "round":
        yield source.breach(node, "a pure module calls round(); say who gets the fraction")
    if isinstance(node.func, ast.Attribute) and node.func.attr in CLOCK_CALLS:
        yield source.breach(node, f"a pure module reads the clock ({node.func.attr})")


def _asked_for(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in {"isinstance", "issubclass"}:
        yield from (name for argument in node.args[1:] for name in ast.walk(argument))
    elif isinstance(node, ast.Compare):
        yield from node.comparators


def _modules(node: ast.Import | ast.ImportFrom) -> list[str]:
    return [alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module or ""]


def waits(source: Source) -> Iterator[Breach]:
    """Where a module of `rules` waits: nothing there may."""
    for node in ast.walk(source.tree):
        if isinstance(node, ast.AsyncFunctionDef | ast.Await | ast.AsyncFor | ast.AsyncWith):
            yield source.breach(node, "rules waits for nothing")


def test_pure_packages_are_pure() -> None:
    """Time, randomness and identifiers enter at the edge, as arguments; money is never inexact."""
    assert_none(
        breach
        for source in python("rules", "jackpot", "tablelink")
        if source.file.startswith(PURE) and source.file not in PROGRAMS
        for breach in impurities(source)
    )


def test_rules_waits_for_nothing() -> None:
    """A settlement is a value, worked out at once."""
    assert_none(breach for source in python("rules") for breach in waits(source))


@pytest.mark.parametrize(
    ("line", "breaches"),
    [
        ("import time", 1),
        ("from random import Random", 1),
        ("import os.path, asyncio", 1),
        ("def f():\n    import uuid", 1),
        ("a = 1.5", 1),
        ("a = 2j", 1),
        ("a = float(b)", 1),
        ("a: float = 1", 1),
        ("isinstance(a, int | float)", 0),
        ("type(a) is float", 0),
        ("a = b / c", 1),
        ("a /= b", 1),
        ("a = b // c", 0),
        ("round(a)", 1),
        ("datetime.now(tz)", 1),
        ("from datetime import datetime", 0),
        ("from fractions import Fraction", 0),
    ],
)
def test_each_impurity_is_seen(line: str, breaches: int) -> None:
    """Every way in is watched, and what is exact is let through."""
    assert len(list(impurities(Source("rules/a.py", line)))) == breaches


def test_waiting_is_seen() -> None:
    """A coroutine in rules is one breach, what it awaits another."""
    assert len(list(waits(Source("rules/a.py", "async def f():\n    await g()")))) == 2
