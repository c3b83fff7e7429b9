"""``python -m rules schema``: the JSON Schemas of all that is read and answered line by line, as one object.

``{GAME: {"round", "settlement"}, "ask", "error", "deck": {"act", "answer"}, "promotion": {"document", "answer"},
"month": {"answer"}}``; the answers to questions are the definition ``answer`` of ``ask``.
"""

from argparse import Namespace
from typing import Any

import msgspec
from rich.console import Console

from rules.records.schemas import schemas


def add(commands: Any) -> None:
    """Declare the command; it has no arguments."""
    commands.add_parser("schema", help="the JSON Schemas of all lines", description=__doc__).set_defaults(run=run)


def run(chosen: Namespace, console: Console) -> int:  # noqa: ARG001 - the form of every command
    """Print the schemas; returns the exit code 0."""
    print(msgspec.json.format(msgspec.json.encode(schemas())).decode())
    return 0
