"""JSON Lines in, a line each out: what the commands that answer every line have in common.

Files or standard input, with their progress where somebody watches; a line without an end never fills memory.
"""

import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, Final

import msgspec
from rich.console import Console
from rich.progress import wrap_file

from rules.readback import Difference
from rules.records import RecordError
from rules.strict_json import SHOWN

LONGEST_LINE: Final = 1_000_000
"""Bytes of a line; a full record of nine seats is under 4 KiB, and a line without an end must not fill memory."""

_encode = msgspec.json.Encoder().encode


@contextmanager
def opened(path: Path, console: Console) -> Iterator[BinaryIO]:
    """A file to read lines from, with its progress where somebody is watching and the output goes elsewhere."""
    if str(path) == "-":
        yield sys.stdin.buffer
        return
    with path.open("rb") as source:
        if not console.is_terminal or sys.stdout.isatty():
            yield source
            return
        size = path.stat().st_size
        with wrap_file(source, size, description=path.name, console=console, transient=True) as watched:
            yield watched


def numbered(source: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """The lines of a file with their numbers, blank ones too, of one that is too long only its beginning."""
    number = 0
    while line := source.readline(LONGEST_LINE + 1):
        rest = line
        while len(rest) > LONGEST_LINE and not rest.endswith(b"\n"):
            rest = source.readline(LONGEST_LINE + 1)
        number += 1
        yield number, line


def place(files: Sequence[Path], path: Path, number: int) -> dict[str, Any]:
    """Where a line stands, as its answer says it: its number, and its file where there are several."""
    return {"line": number} if len(files) < 2 else {"file": str(path), "line": number}


def check_length(line: bytes) -> None:
    """Refuse a line that is too long; raises ``RecordError``."""
    if len(line) > LONGEST_LINE:
        raise RecordError("", line[:SHOWN].decode("utf-8", "replace"), f"longer than {LONGEST_LINE} bytes")


def error_line(error: RecordError | Difference) -> dict[str, Any]:
    """What is wrong with a line, as it is answered."""
    return {"field": error.field, "value": error.value[:SHOWN], "error": error.reason}


def write(answers: Iterable[dict[str, Any]]) -> None:
    """Put answers out, a line each."""
    for each in answers:
        sys.stdout.write(_encode(each).decode() + "\n")
