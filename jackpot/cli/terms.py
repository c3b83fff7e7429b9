"""Which terms does a command line name? Read from their file, and refused with its name."""

from pathlib import Path

from jackpot.cli.output import UsageError
from rules.terms import Terms, TermsError, parse_terms

__all__ = ["read_terms"]


def read_terms(file: Path) -> Terms:
    """Return the terms of a file; raises UsageError naming the file, and the field and value that are wrong."""
    try:
        return parse_terms(file.read_bytes())
    except OSError as error:
        raise UsageError(f"{file}: {error.strerror or error}") from None
    except TermsError as error:
        raise UsageError(f"{file}: {error}") from None
