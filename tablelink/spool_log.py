"""Is the log beside a spool whole, and is it this spool's? Asked before SQLite opens the file, which would not say.

SQLite takes a log up to the first frame that is not what was written and leaves out all that comes after it, as a crash
may leave it; and it writes any log into the file that it lies beside. Neither is known by its form: what a table had
written and acted on would be lost, and overwritten by what it writes next.
"""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from struct import iter_unpack, unpack
from typing import Any

__all__ = ["foreign_log", "log_fault", "log_of"]

HEADER_BYTES, FRAME_BYTES = 32, 24
SALT = slice(8, 16)
COMMIT = slice(4, 8)
"""Where a frame says how many pages the file has, if it ends a write; else nought."""


def log_of(path: Path) -> Path:
    """Where the log of a file is, which SQLite keeps beside the file itself where a link leads to that."""
    return Path(f"{path.resolve()}-wal")


def log_fault(path: Path) -> str:
    """Say what is wrong with the log of a file that nobody writes to; nothing where it is whole, or there is none."""
    log = log_of(path)
    if not log.exists():
        return ""
    if not log.is_file():
        return "its log is no file"
    data = log.read_bytes()
    if len(data) <= HEADER_BYTES:
        return ""
    order = {0x377F0682: "<", 0x377F0683: ">"}.get(unpack(">I", data[:4])[0], "")
    sums = _sums(data[: HEADER_BYTES - 8], (0, 0), order) if order else None
    if sums is None or sums != unpack(">2I", data[HEADER_BYTES - 8 : HEADER_BYTES]):
        return "the beginning of its log is not what was written"
    return _frames_fault(data, sums, order)


def foreign_log(path: Path, asked: str, with_log: tuple[Any, ...], whole: Callable[[sqlite3.Connection], bool]) -> str:
    """Say that a log takes its file back to before, or makes another of it; nothing where it goes on from there.

    `asked` gives what the file is, and then what only rises in it; `with_log` is what it gave with the log. `whole`
    says that the file alone is to be believed: a crash may have left it in the middle of what the log has whole.
    """
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True)) as alone:
            alone.row_factory = sqlite3.Row
            name, *before = alone.execute(asked).fetchone()
            own, *after = with_log
            if name == own and all(then <= now for then, now in zip(before, after, strict=True)):
                return ""
            return "its log is that of another file, or of this one before" if whole(alone) else ""
    except (sqlite3.Error, TypeError, UnicodeDecodeError):
        return ""  # A crash may leave a file that is nothing without its log.


def _frames_fault(data: bytes, sums: tuple[int, int], order: str) -> str:
    """Say so where a write was begun after another that is not found any more.

    A write begins when the one before is on the disk, so no crash has left it so. Frames that do not go on from those
    before them may be what earlier writes left that were cut short.
    """
    size = FRAME_BYTES + unpack(">I", data[8:12])[0]
    salt, turned, ended = data[16:24], False, False
    before = {sums}
    for begin in range(HEADER_BYTES, len(data) - size + 1, size):
        head = data[begin : begin + FRAME_BYTES]
        said, of_log = unpack(">2I", head[16:24]), head[SALT] == salt
        after = {_frame_sums(data[begin : begin + size], each, order) for each in before if of_log or not turned}
        own = of_log and said in after
        if own and turned and ended:
            return "its log is not what was written"
        before = {said} if own or turned else after | {said}  # a turned frame may be one whose sums have turned
        turned, ended = turned or not own, any(head[COMMIT])
    return ""


def _frame_sums(frame: bytes, sums: tuple[int, int], order: str) -> tuple[int, int]:
    return _sums(frame[FRAME_BYTES:], _sums(frame[:8], sums, order), order)


def _sums(data: bytes, sums: tuple[int, int], order: str) -> tuple[int, int]:
    """Go on with SQLite's two running sums."""
    one, two = sums
    for first, second in iter_unpack(f"{order}2I", data):
        one = (one + first + two) & 0xFFFFFFFF
        two = (two + second + one) & 0xFFFFFFFF
    return one, two
