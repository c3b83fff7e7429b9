"""What people are told to type is what the programs take: each command line of runbook, guide and README."""

import argparse
import importlib
import re
import shlex
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
import typer
import typer.main

from jackpot.cli.app import app as jackpot
from tablelink.__main__ import app as tablelink
from tests.support.sources import ROOT

PAGES = ("deploy/runbook.md", "deploy/INSTALL.md", "README.md")
PROGRAMS = {"jackpot": jackpot, "tablelink": tablelink}
TYPED = {"ROUND": "17", "N": "300000", "ID": "T1/1/17/3/main", "HIT": "T1/1/17/3/main", "GAME": "sic_bo"}
"""What stands for a word in capitals that is not simply a text."""
FILES = ("record.json", "table.json", "rolls.jsonl", "jackpot/demo_terms.json")
"""Files that command lines name as being there."""
COMMAND = r"(?:jackpot|tablelink|python -m rules) [-a-z]"
BLOCK = re.compile(r"^```\w*\n.*?^```$", re.MULTILINE | re.DOTALL)
LINE = re.compile(rf"^(?:\$ )?({COMMAND}.*?)(?: +# .*| <<'\w+')?$", re.MULTILINE)
INDENTED = re.compile(rf"^    ({COMMAND}.*?)(?: +# .*)?$", re.MULTILINE)
SPAN = re.compile(r"`([^`]+)`")


def spans(page: str) -> Iterator[str]:
    """What a page shows as code within its sentences, a line break taken for a space."""
    for span in SPAN.findall(BLOCK.sub("", (ROOT / page).read_text(encoding="utf-8"))):
        yield re.sub(r"\s+", " ", span.replace("\\|", "|"))


def command_lines() -> Iterator[tuple[str, str]]:
    """Each page with each command line in it, one that is piped into another by itself."""
    for page in PAGES:
        text = (ROOT / page).read_text(encoding="utf-8")
        shown = [*INDENTED.findall(text), *(line for block in BLOCK.findall(text) for line in LINE.findall(block))]
        for line in (*spans(page), *shown):
            for part in line.split(" | "):
                if re.match(COMMAND, part):
                    yield page, part


LINES = sorted(set(command_lines()))


def read(command: Any, words: list[str], asked: str) -> Any:
    """Let a program's own parser read the words, without doing anything; returns the command they name.

    Raises what the parser raises for words that it does not take. A command that is only named asks for nothing yet.
    """
    if not words and asked:
        return command
    if not hasattr(command, "commands"):
        command.make_context(asked, words)
        return command
    name, *rest = words
    assert name in command.commands, f"{asked} has no command {name}"
    return read(command.commands[name], rest, f"{asked} {name}".strip())


def options_of(command: Any) -> Iterator[str]:
    """Every option of a program, of whichever command."""
    for each in command.params:
        yield from (*each.opts, *each.secondary_opts)
    for each in getattr(command, "commands", {}).values():
        yield from options_of(each)


@pytest.mark.parametrize("line", sorted({line for _, line in LINES}))
def test_a_command_line_is_taken_as_it_stands(line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Command, arguments and options are there, none that must be given is missing, and values are of their kind."""
    monkeypatch.chdir(tmp_path)
    for file in FILES:
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).write_text("{}", encoding="utf-8")
    words = [TYPED.get(word, word) for word in shlex.split(line)]
    if words[0] == "python":
        name, *given = words[3:]
        commands = argparse.ArgumentParser().add_subparsers()
        importlib.import_module(f"rules.cli.{name}").add(commands)
        if given:
            commands.choices[name].parse_args(given)
        return
    program = typer.main.get_command(PROGRAMS[words[0]])
    with pytest.raises(typer.Exit) if words[-1] == "--help" else nullcontext():
        read(program, words[1:], "")


@pytest.mark.parametrize("page", PAGES)
def test_an_option_that_is_named_alone_is_one_of_a_command(page: str) -> None:
    """What is to be added to a command line before it ("with `--with B`") begins with an option that there is."""
    known = {"--help", *(one for app in PROGRAMS.values() for one in options_of(typer.main.get_command(app)))}
    named = {span.split(" ")[0] for span in spans(page) if span.startswith("--")}
    assert named - known == set()


def test_the_pages_have_command_lines() -> None:
    """They are found: the runbook alone has more than forty."""
    assert sum(page == "deploy/runbook.md" for page, _ in LINES) > 40
