"""Every case from the field is defended by tests that are there: `tests/data/cases.toml` names them by its number."""

import ast
import tomllib
from functools import lru_cache
from typing import Any

import pytest

from tests.adversity.faults import FAULTS
from tests.support.sources import ROOT

CASES = 62
NAMED: dict[str, dict[str, Any]] = tomllib.loads((ROOT / "tests" / "data" / "cases.toml").read_text())


@lru_cache
def names_in(file: str) -> frozenset[str]:
    """The functions of a test file, and what it assigns at its top: a state machine becomes a test so."""
    path = ROOT / file
    tree = ast.parse(path.read_text()) if path.is_file() else ast.Module([], [])
    functions = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}
    assigned = {
        target.id
        for node in tree.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    return frozenset(name for name in functions | assigned if name.lower().startswith("test"))


def test_every_case_is_named() -> None:
    """All of them, by number, in order, each once and with a test."""
    assert list(NAMED) == [str(number) for number in range(1, CASES + 1)]
    assert [number for number, named in NAMED.items() if not named["tests"]] == []


@pytest.mark.parametrize("number", NAMED)
def test_what_defends_a_case_is_there(number: str) -> None:
    """Each test named is in its file, with the row that is meant; each fault is a row of the matrix."""
    missing = []
    for named in NAMED[number]["tests"]:
        test, _, row = named.partition(": ")
        file, _, function = test.partition("::")
        if function not in names_in(file) or row not in (ROOT / file).read_text():
            missing.append(named)
    rows = {fault.name for fault in FAULTS}
    assert missing + [fault for fault in NAMED[number].get("faults", []) if fault not in rows] == []
    assert NAMED[number].keys() <= {"tests", "faults"}
