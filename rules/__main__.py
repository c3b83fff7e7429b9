"""``python -m rules``: the rules of the games on the command line; each command is a module of ``rules.cli``."""

import argparse
import os
import sys
from collections.abc import Sequence
from typing import Final

from rich.console import Console

from rules.cli import ask, decks, month, odds, promotion, schema, settle, sign
from rules.cli.lines import LONGEST_LINE

__all__ = ["LONGEST_LINE", "main"]

UNREAD: Final = 141
"""The exit code where nobody reads on: what a shell says of a program that SIGPIPE ended."""
_COMMANDS: Final = (settle, month, ask, schema, sign, odds, decks, promotion)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code: 0, 1 where a line was bad, 2 where it was called wrongly.

    Raises BrokenPipeError where whoever read has seen enough.
    """
    parser = argparse.ArgumentParser(prog="python -m rules", description="The rules of the games.")
    commands = parser.add_subparsers(dest="command", required=True)
    for command in _COMMANDS:
        command.add(commands)
    chosen = parser.parse_args(arguments)
    code: int = chosen.run(chosen, Console(stderr=True, highlight=False, soft_wrap=True))
    return code


if __name__ == "__main__":
    try:
        code = main()
        sys.stdout.flush()
    except BrokenPipeError:  # Whoever read the lines has seen enough.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = UNREAD
    except KeyboardInterrupt:
        code = 130
    sys.exit(code)
