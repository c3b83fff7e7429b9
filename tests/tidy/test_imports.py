"""Who may import whom: the table of the design, read off every import statement wherever it stands."""

import ast
import fnmatch
import sys
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from tests.support.sources import PACKAGES, ROOT, Breach, Source, assert_none, python

DATABASE = frozenset({"alembic", "asyncpg", "sqlalchemy"})
NONE: frozenset[str] = frozenset()
SHARED = ["jackpot.errors", "jackpot.config", "jackpot.telemetry"]
CORE = ["rules", "jackpot.core", "jackpot.wire"]
PROGRAMS = ["demo*", "bench*", "cli", "__main__"]
EDGE = [*CORE, "jackpot.serving", *SHARED]


@dataclass(frozen=True, slots=True)
class Row:
    """Which modules (patterns, the first row that fits) may import which of ours, and which libraries.

    No set of libraries stands for all of them, those that speak to a database only if `database`.
    """

    modules: str
    ours: list[str]
    libraries: frozenset[str] | None = NONE
    database: bool = False

    def allows(self, library: str) -> bool:
        """Whether these modules may import a library."""
        if self.libraries is None:
            return self.database or library not in DATABASE
        return library in self.libraries


ROWS = [
    Row("rules.records", ["rules"], frozenset({"msgspec"})),
    Row("rules.__main__", ["rules"], frozenset({"msgspec", "rich"})),
    Row("rules.cli", ["rules"], frozenset({"msgspec", "rich"})),
    Row("rules", ["rules"]),
    Row("jackpot", []),
    Row("jackpot.wire", ["rules", "jackpot.wire"], frozenset({"msgspec"})),
    # A batch's body and the acts on a chain are bytes too: their forms stand in core, beside what decides them.
    Row("jackpot.core", CORE, frozenset({"msgspec"})),
    Row("jackpot.serving", ["jackpot.wire", "jackpot.serving"], None),
    *(Row(module, [*CORE, "jackpot.serving", *SHARED], None) for module in SHARED),
    Row("jackpot.ledger", [*EDGE, "jackpot.ledger"], None, database=True),
    Row("jackpot.web", [*EDGE, "jackpot.web"], None),
    Row("jackpot.bus*", [*EDGE, "jackpot.bus*"], None),
    Row("jackpot.embedded*", [*EDGE, "jackpot.embedded*"], None),
    *(Row(f"jackpot.{module}", ["rules", "jackpot"], None, database=True) for module in PROGRAMS),
    Row("tablelink", []),
    Row("tablelink.core", ["rules", "jackpot.wire", "tablelink.core"]),
    Row("tablelink.*", ["rules", "jackpot.wire", "jackpot.serving", "tablelink"], None),
]
EXACT = {"jackpot", "tablelink"}  # these rows are for the package's own __init__


def fits(module: str, pattern: str) -> bool:
    """Whether a module is the one a pattern names, or lies in it."""
    names, parts = module.split("."), pattern.split(".")
    return len(names) >= len(parts) and all(map(fnmatch.fnmatchcase, names, parts))


def row_of(module: str) -> Row | None:
    """The row that says what a module may import."""
    for row in ROWS:
        if module == row.modules if row.modules in EXACT else fits(module, row.modules):
            return row
    return None


def module_of(file: str) -> str:
    """The module a file is ("rules/games/__init__.py" is rules.games)."""
    return file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def imported(source: Source) -> Iterator[tuple[ast.AST, str]]:
    """Every module a file imports, at the top or anywhere else, by its full name."""
    here = module_of(source.file)
    package = here if source.file.endswith("__init__.py") else here.rpartition(".")[0]
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node, alias.name
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            base = ".".join([*above, *filter(None, [node.module])])
            for alias in node.names:
                inner = f"{base}.{alias.name}"
                yield node, inner if _exists(inner) else base


def _exists(module: str) -> bool:
    path = ROOT.joinpath(*module.split("."))
    return path.with_suffix(".py").exists() or (path / "__init__.py").exists()


def forbidden(source: Source) -> Iterator[Breach]:
    """Imports that the row of a module does not allow."""
    module = module_of(source.file)
    row = row_of(module)
    if row is None:
        yield Breach(source.file, 1, f"{module} has no row in the table of imports")
        return
    for node, name in imported(source):
        top = name.partition(".")[0]
        if top in PACKAGES:
            allowed = any(fits(name, pattern) for pattern in row.ours)
        else:
            allowed = top in sys.stdlib_module_names or row.allows(top)
        if not allowed:
            yield source.breach(node, f"{module} may not import {name}")


def test_imports_follow_the_table() -> None:
    """Pure cores know no edge, edges do not know each other, and a table knows no database."""
    assert_none(breach for source in python(*PACKAGES) for breach in forbidden(source))


def test_the_second_settlement_shares_nothing_with_the_first() -> None:
    """The oracle is worth something only as long as it was not written from the rules' own code."""
    assert_none(
        source.breach(node, f"the oracle imports {name}")
        for source in python("tests")
        if source.file.startswith("tests/oracle/") and "/test_" not in source.file
        for node, name in imported(source)
        if name.partition(".")[0] in PACKAGES
    )


@pytest.mark.parametrize(
    ("file", "line", "breaches"),
    [
        ("rules/cards.py", "import msgspec", 1),
        ("rules/records.py", "import msgspec", 0),
        ("rules/records.py", "import rich", 1),
        ("rules/cards.py", "import jackpot.wire", 1),
        ("jackpot/__init__.py", "import rules", 1),
        ("jackpot/core/decide.py", "from jackpot.wire import messages", 0),
        ("jackpot/core/decide.py", "from jackpot import errors", 1),
        ("jackpot/core/decide.py", "def f():\n    import asyncpg", 1),
        ("jackpot/wire/codec.py", "from jackpot.core import accounts", 1),
        ("jackpot/serving/tls.py", "import aiohttp", 0),
        ("jackpot/serving/tls.py", "import sqlalchemy.ext.asyncio", 1),
        ("jackpot/ledger/store.py", "import asyncpg", 0),
        ("jackpot/ledger/store.py", "from jackpot.web import tables", 1),
        ("jackpot/web/tables.py", "from ..ledger import store", 1),
        ("jackpot/bus.py", "import jackpot.embedded", 1),
        ("jackpot/demo.py", "import jackpot.ledger.store", 0),
        ("jackpot/demo.py", "import tablelink.agent", 1),
        ("jackpot/stray.py", "", 1),
        ("tablelink/agent.py", "import jackpot.serving", 0),
        ("tablelink/agent.py", "import jackpot.errors", 1),
        ("tablelink/core/outbox.py", "import jackpot.serving", 1),
        ("tablelink/core/outbox.py", "from . import mirror", 0),
        ("tablelink/spool.py", "import sqlite3", 0),
    ],
)
def test_each_row_is_held(file: str, line: str, breaches: int) -> None:
    """Imports inside functions and relative ones count as any."""
    assert len(list(forbidden(Source(file, line)))) == breaches
