"""The repository's own files, as the tests in tests/tidy read them."""

import ast
import gc
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = ("jackpot", "rules", "tablelink")


@dataclass(frozen=True, slots=True, order=True)
class Breach:
    """A line that breaks a rule of the house."""

    file: str
    line: int
    rule: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.rule}"


@dataclass(frozen=True, slots=True)
class Source:
    """A file by its path from the root ("rules/cards.py"), and its text."""

    file: str
    text: str

    @property
    def package(self) -> str:
        """The top-level folder."""
        return self.file.partition("/")[0]

    @property
    def tree(self) -> ast.Module:
        """The text as Python reads it."""
        return _parsed(self.text, self.file)

    def breach(self, node: ast.AST, rule: str) -> Breach:
        """The breach of a rule where a node begins."""
        return Breach(self.file, getattr(node, "lineno", 1), rule)


@cache
def _parsed(text: str, file: str) -> ast.Module:
    # A collection of cycles in the middle of a parse can run other code and upset the parser's count of its own depth.
    gc.disable()
    try:
        return ast.parse(text, file)
    finally:
        gc.enable()


@cache
def sources(*suffixes: str) -> tuple[Source, ...]:
    """All files of the repository, or those whose names end so; not what git ignores, nor what is no text."""
    found = []
    for file in _listed():
        if suffixes and not file.endswith(suffixes):
            continue
        try:
            found.append(Source(file, (ROOT / file).read_text(encoding="utf-8")))
        except (FileNotFoundError, IsADirectoryError, UnicodeDecodeError):
            continue  # removed but not yet committed; or a picture
    return tuple(found)


@cache
def _listed() -> tuple[str, ...]:
    """What git holds or would take; where there is no git, all but hidden folders."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0")
    except (FileNotFoundError, subprocess.CalledProcessError):
        below = (path.relative_to(ROOT) for path in ROOT.rglob("*") if path.is_file())
        listed = [str(path) for path in below if "__pycache__" not in path.parts and _is_shown(path.parts[0])]
    return tuple(sorted(filter(None, listed)))


def _is_shown(top: str) -> bool:
    return not top.startswith(".") or top in {".ci", ".gitignore"}


def python(*packages: str) -> tuple[Source, ...]:
    """The Python files of these packages; of all, tests too, if none is named."""
    return tuple(source for source in sources(".py") if not packages or source.package in packages)


def assert_none(breaches: Iterable[Breach]) -> None:
    """Fail with every breach on a line of its own."""
    found = sorted(set(breaches))
    assert not found, f"{len(found)} breaches\n" + "\n".join(map(str, found))
