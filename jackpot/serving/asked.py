"""How is a program told that it was asked wrongly? In words on standard error, and with `--json` as one object too."""

import os
import sys
from inspect import cleandoc
from typing import Any, Final

import msgspec
from typer import BadParameter, Exit, TyperException
from typer.core import TyperGroup

__all__ = ["JSON", "AskedAsJson", "error_object"]

JSON: Final = "--json"
ASKED_WRONGLY: Final = 2
"""The exit code of a wrong command line."""
LONGEST_VALUE: Final = 40
"""So many characters of a value that was refused are enough to find it by."""
UNREAD: Final = 141
"""The exit code where nobody reads on: what a shell says of a program that SIGPIPE ended."""


def error_object(code: str, text: str) -> str:
    """Return the one line that says what went wrong, for a program that reads.

    >>> error_object("usage", "No such option: --nonsense")
    '{"error":"usage","text":"No such option: --nonsense"}'
    """
    return msgspec.json.encode({"error": code, "text": text}).decode()


def in_paragraphs(command: Any) -> None:
    """Break the words of a command, and of all below it, where the terminal ends, not where they were typed."""
    if command.help:
        command.help = "\n\n".join(" ".join(part.split()) for part in cleandoc(command.help).split("\n\n"))
    for below in getattr(command, "commands", {}).values():
        in_paragraphs(below)


def refused_value(error: TyperException) -> str:
    """Return the value that was refused, to stand after the words; empty where those name it, or no value was read.

    Whoever checks values (pydantic, below typer) keeps them in what it raised, and says in words only what is wrong.
    """
    faults = getattr(error.__cause__, "errors", None)
    if not isinstance(error, BadParameter) or faults is None:
        return ""
    value = repr(str(faults()[0]["input"])[:LONGEST_VALUE])
    return "" if value in error.message else f" (got {value})"


class AskedAsJson(TyperGroup):
    """The commands of a program: a value that is refused is named, and with `--json` the refusal is an object as well.

    **Never** changes the exit code.
    """

    _as_json = False

    def __init__(self, **given: Any) -> None:
        """Take what typer gives a group."""
        super().__init__(**given)
        in_paragraphs(self)

    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> Any:
        """Read the command line as far as the command's name; raises TyperException."""
        self._as_json = JSON in args
        try:
            for place, word in enumerate(args, start=1):
                if not word.isascii() and word.encode(errors="replace").decode() != word:
                    raise BadParameter(f"Word {place} of the command line is no UTF-8: {word!a}")
            return super().make_context(info_name, args, parent, **extra)
        except TyperException as error:
            self._tell(error)
            raise

    def invoke(self, ctx: Any) -> Any:
        """Read the rest and run the command; raises TyperException."""
        try:
            done = super().invoke(ctx)
            sys.stdout.flush()
        except TyperException as error:
            self._tell(error)
            raise
        except BrokenPipeError:  # Whoever read has seen enough; what is left must not be a fault when the program ends.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise Exit(UNREAD) from None
        return done

    def _tell(self, error: TyperException) -> None:
        error.message += refused_value(error)
        if self._as_json and error.exit_code == ASKED_WRONGLY:
            sys.stdout.write(error_object("usage", error.format_message()) + "\n")
            sys.stdout.flush()
