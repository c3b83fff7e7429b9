"""``python -m rules ask``: answer single questions about the rules, one JSON line each.

Each line of the files, or of standard input, is a question; ``ask`` says which: ``hand`` (what a hand is worth and its
best cards), ``higher`` (which of two hands), ``qualifies`` (a dealer's hand), ``deal`` (who gets which card of a deck),
``streak`` (whether a Super Streak wager may be placed now). Every line is answered: with its answer, or with ``{line,
field, value, error}``. Their exact forms: ``python -m rules schema``.
"""

from argparse import Namespace
from pathlib import Path
from typing import Any

import msgspec
from rich.console import Console

from rules.cli.files import fault_text
from rules.cli.lines import check_length, error_line, numbered, opened, place, write
from rules.records import RecordError
from rules.records.asking import answer_to
from rules.records.questions import decode_question


def add(commands: Any) -> None:
    """Declare the command and its arguments."""
    ask = commands.add_parser("ask", help="answer questions, one JSON line each", description=__doc__)
    ask.add_argument("files", nargs="*", type=Path, metavar="FILE", help="JSON Lines; - or none: standard input")
    ask.set_defaults(run=run)


def run(chosen: Namespace, console: Console) -> int:
    """Answer every line; returns the exit code: 0, 1 where a line was bad, 2 where a file cannot be read."""
    bad = False
    try:
        for path in chosen.files or [Path("-")]:
            with opened(path, console) as source:
                for number, line in numbered(source):
                    if not line.strip():
                        continue
                    answer = answered(line)
                    bad = bad or "error" in answer
                    write([place(chosen.files, path, number) | answer])
    except BrokenPipeError:
        raise
    except OSError as error:
        console.print(f"rules ask: {fault_text(error)}", markup=False)
        return 2
    return 1 if bad else 0


def answered(line: bytes) -> dict[str, Any]:
    """What a line is answered: its answer, or what is wrong with it."""
    try:
        check_length(line)
        question = decode_question(line.strip())
        answer: dict[str, Any] = msgspec.to_builtins(answer_to(question))
    except RecordError as error:
        return error_line(error)
    return {"ask": question.ask} | answer
