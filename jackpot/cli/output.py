"""How a command ends: one object on standard output with `--json`, all else on standard error, and an exit code.

| code | meaning |
| --- | --- |
| 0 | done |
| 1 | refused, or differences were found; nothing was changed by what was refused |
| 2 | the command line or a file it names is wrong |
| 3 | a server is not reachable, or its outcome is not known; ask again |
| 4 | a fault of the program itself |
| 130 | stopped by Ctrl-C |
| 141 | nobody read on, as in `| head` |
"""

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from functools import wraps
from pathlib import Path
from typing import Annotated, ParamSpec

import msgspec
import typer
from rich import box
from rich.console import Console
from rich.table import Table

from jackpot.core.accounts import BrokenInvariant
from jackpot.core.ports import OutcomeUnknownError, UnreachableError
from jackpot.errors import LedgerError, OperatingError
from jackpot.serving.asked import error_object
from jackpot.wire.codec import FrameError
from jackpot.wire.messages import RefusedAnswer
from rules.records import RecordError
from rules.terms import TermsError

__all__ = ["Json", "Refused", "UsageError", "command", "console", "money", "say", "tell", "when"]

ERRORS: Mapping[int, str] = {1: "ledger", 2: "usage", 3: "unreachable", 4: "fault"}
"""What went wrong, by exit code, in the object that `--json` gives then: `{"error", "text"}`."""
REFUSED, USAGE, UNREACHABLE, FAULT, STOPPED = 1, 2, 3, 4, 130
TRACEBACK = "JACKPOT_TRACEBACK"
"""Set in the environment, a fault of the program shows where it is."""

P = ParamSpec("P")
Json = Annotated[bool, typer.Option("--json", help="One JSON object on standard output, all else on standard error.")]

console = Console(stderr=True, highlight=False, soft_wrap=True)
"""For everything that is not the result."""


class UsageError(Exception):
    """The command line, or a file it names, is wrong; the message names it."""


class Refused(Exception):
    """The ledger said no: the answer, which is for ever where it is final."""

    def __init__(self, answer: RefusedAnswer) -> None:
        """Keep the answer."""
        super().__init__(answer.text)
        self.answer = answer


def command(function: Callable[P, None]) -> Callable[P, None]:
    """Let a command end with an exit code and one clear sentence, never with a traceback."""

    @wraps(function)
    def ended(*args: P.args, **kwargs: P.kwargs) -> None:
        as_json = bool(kwargs.get("as_json"))
        try:
            function(*args, **kwargs)
        except Refused as refused:
            answer = refused.answer
            tell(
                {"refused": answer.code, "text": answer.text, "rule": answer.rule, "value": answer.value},
                as_json=as_json,
            )
            _fail(": ".join(part for part in (answer.text, answer.value, answer.rule) if part), REFUSED)
        except (UsageError, TermsError, FrameError, RecordError) as error:
            _fail(str(error), USAGE, as_json=as_json)
        except OperatingError as error:
            final = REFUSED if isinstance(error, LedgerError) else USAGE
            _fail(str(error), UNREACHABLE if error.retryable else final, as_json=as_json)
        except (UnreachableError, OutcomeUnknownError) as error:
            _fail(f"The ledger does not answer: {error}", UNREACHABLE, as_json=as_json)
        except BrokenInvariant as broken:
            _fail(f"An invariant of the ledger is broken: {broken}", REFUSED, as_json=as_json)
        except (typer.Exit, typer.Abort, typer.TyperException, BrokenPipeError):
            raise
        except KeyboardInterrupt:
            raise typer.Exit(STOPPED) from None
        except Exception as error:
            if os.environ.get(TRACEBACK):
                raise
            words = f"This is a fault of the program: {type(error).__name__}: {error} ({TRACEBACK}=1 shows where)."
            _fail(words, FAULT, as_json=as_json)

    return ended


def tell(result: Mapping[str, object], *, as_json: bool) -> None:
    """Write the result as one JSON object where that was asked for."""
    if as_json:
        sys.stdout.write(msgspec.json.encode(result, enc_hook=_plain).decode() + "\n")
        sys.stdout.flush()


def say(text: str, *, as_json: bool = False) -> None:
    """Write a sentence for people: the result on standard output, but on standard error where that is for JSON."""
    if as_json:
        console.print(text, markup=False)
    else:
        sys.stdout.write(text + "\n")
        sys.stdout.flush()


def say_table(title: str, columns: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> None:
    """Write a table for people: lines are broken between words; a column whose name ends in `$` is of amounts.

    The first column and amounts are never broken; a word is where the terminal is too narrow for all that are longest.
    """
    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), show_edge=False)
    for place, column in enumerate(columns):
        right, name = column.endswith("$"), column.rstrip("$")
        table.add_column(
            name,
            justify="right" if right else "left",
            overflow="fold",
            no_wrap=right or not place,
            min_width=max(map(len, " ".join([name, *(row[place] for row in rows)]).split())),
        )
    for row in rows:
        table.add_row(*row)
    Console(highlight=False).print(table)


def money(cents: int) -> str:
    """Return an amount as people write it.

    >>> money(123456789), money(-5)
    ('1,234,567.89', '-0.05')
    """
    sign, digits = ("-" if cents < 0 else ""), f"{abs(cents):03}"
    return f"{sign}{int(digits[:-2]):,}.{digits[-2:]}"


def when(at_us: int) -> str:
    """Return a time, microseconds since 1970, as people read it.

    >>> when(1_764_340_201_999_999)
    '2025-11-28 14:30:01 UTC'
    """
    return datetime.fromtimestamp(at_us // 1_000_000, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


def _fail(sentence: str, code: int, *, as_json: bool = False) -> None:
    if as_json:
        sys.stdout.write(error_object(ERRORS[code], sentence) + "\n")
        sys.stdout.flush()
    console.print(sentence, style="red", markup=False)
    raise typer.Exit(code)


def _plain(value: object) -> object:
    if isinstance(value, Path):
        return str(value)
    raise TypeError(f"{type(value).__name__} has no JSON form")
