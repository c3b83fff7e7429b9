"""``python -m rules decks``: follow the lives of decks, one JSON line an act: checked, in play, changed, counted.

Each line of the files, or of standard input, is an act on a deck (``rules/records/deck_lines.py``). Every line is
answered: with where the deck stands since, the rule, and each missing, double or foreign card by name; or with what
refuses it. A deck that was refused an act stands where it stood. ``--lives`` gives each deck's whole life at the end.
"""

from argparse import Namespace
from pathlib import Path
from typing import Any

import msgspec
from rich.console import Console

from rules.cli.files import fault_text
from rules.cli.lines import check_length, error_line, numbered, opened, place, write
from rules.decks.lives import Deck, DeckRefused
from rules.records.deck_lines import after, decode_deck_line, refusal, stands
from rules.records.forms import RecordError


def add(commands: Any) -> None:
    """Declare the command and its arguments."""
    decks = commands.add_parser("decks", help="follow the lives of decks, one JSON line each", description=__doc__)
    decks.add_argument("files", nargs="*", type=Path, metavar="FILE", help="JSON Lines; - or none: standard input")
    decks.add_argument("--lives", action="store_true", help="only the decks' whole lives, one JSON line each")
    decks.set_defaults(run=run)


def run(chosen: Namespace, console: Console) -> int:
    """Answer every line; returns the exit code: 0, 1 where a line was bad or refused, 2 where a file cannot be read."""
    bad, decks = False, dict[str, Deck]()
    try:
        for path in chosen.files or [Path("-")]:
            with opened(path, console) as source:
                for number, line in numbered(source):
                    if not line.strip():
                        continue
                    answer = answered(line, decks)
                    bad = bad or "error" in answer
                    if "error" in answer or not chosen.lives:
                        write([place(chosen.files, path, number) | answer])
    except BrokenPipeError:
        raise
    except OSError as error:
        console.print(f"rules decks: {fault_text(error)}", markup=False)
        return 2
    if chosen.lives:
        write(msgspec.to_builtins(deck) | {"state": deck.state} for deck in decks.values())
    return 1 if bad else 0


def answered(line: bytes, decks: dict[str, Deck]) -> dict[str, Any]:
    """What a line is answered; the deck it is about goes on in ``decks``."""
    try:
        check_length(line)
        act = decode_deck_line(line.strip())
        try:
            decks[act.deck] = after(decks, act)
        except DeckRefused as refused:
            return refusal(refused, act)
    except RecordError as error:
        return error_line(error)
    return stands(decks[act.deck])
