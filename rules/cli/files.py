"""What commands of ``python -m rules`` read and write: a link's terms, a pay table; tables for people."""

from pathlib import Path
from typing import NoReturn

from rich.console import Console

from rules.schedules import Schedule, ScheduleError, parse_schedule
from rules.terms import Terms, TermsError, parse_terms


class Output(Console):
    """Standard output for people."""

    def on_broken_pipe(self) -> NoReturn:
        """Whoever read has seen enough: **always** raises BrokenPipeError, for the program to end quietly."""
        raise BrokenPipeError


def read_terms(path: Path) -> Terms:
    """The terms in a file; raises ``TermsError`` naming the file and the field, or ``OSError``."""
    try:
        return parse_terms(path.read_bytes())
    except TermsError as error:
        raise TermsError(f"{path}: {error.field}" if error.field else str(path), error.value, error.reason) from None


def read_schedule(path: Path) -> Schedule:
    """The schedule in a file; raises ``ValueError`` naming the file, line and field, or ``OSError``."""
    try:
        return parse_schedule(path.read_text("utf-8"))
    except ScheduleError as error:
        raise ValueError(f"{path}: {error}") from None
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}: not UTF-8 at byte {error.start}") from None


def fault_text(error: OSError | ValueError) -> str:
    """What is wrong with a file or a call, the file before the reason.

    >>> fault_text(FileNotFoundError(2, "No such file or directory", "none.json"))
    'none.json: No such file or directory'
    """
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename}: {error.strerror}"
    return str(error)
