"""The files that commands of ``python -m rules`` are given: a link's terms, a pay table."""

from pathlib import Path

from rules.schedules import Schedule, ScheduleError, parse_schedule
from rules.terms import Terms, TermsError, parse_terms


def read_terms(path: Path) -> Terms:
    """The terms in a file; raises ``TermsError`` naming the file and the field, or ``OSError``."""
    try:
        return parse_terms(path.read_bytes())
    except TermsError as error:
        raise TermsError(f"{path}: {error.field}", error.value, error.reason) from None


def read_schedule(path: Path) -> Schedule:
    """The schedule in a file; raises ``ValueError`` naming the file, line and field, or ``OSError``."""
    try:
        return parse_schedule(path.read_text("utf-8"))
    except ScheduleError as error:
        raise ValueError(f"{path}: {error}") from None
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}: not UTF-8 at byte {error.start}") from None
