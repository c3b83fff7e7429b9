"""How a program says that it was asked wrongly: what was wrong with which value of which option."""

from collections.abc import Iterator
from typing import Any, Literal, get_args

import pytest
import typer
import typer.main
from typer.testing import CliRunner

from jackpot.cli.app import app as jackpot
from jackpot.serving.asked import AskedAsJson
from tablelink.__main__ import app as tablelink

PROGRAMS = {"jackpot": jackpot, "tablelink": tablelink}
NO_NUMBER = "12x7"


def numbers(command: Any, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str, int | None]]:
    """Each number that a command and those below it take: a command line that ends before it, its name, its least."""
    for name, below in getattr(command, "commands", {}).items():
        yield from numbers(below, (*path, name))
    before: tuple[str, ...] = path
    for each in command.params:
        kind = each.type_descriptor.annotation
        named = each.opts[0].startswith("-")
        if {int, float} & {kind, *get_args(kind)}:
            least = None if each.min is None else int(each.min)
            yield ((*before, each.opts[0]), each.opts[0], least) if named else (before, each.metavar, least)
        before = before if named else (*before, "T1")


ASKED = [
    pytest.param(program, line, name, value, id=f"{program} {' '.join(line)} {value}")
    for program, app in PROGRAMS.items()
    for line, name, least in numbers(typer.main.get_command(app), ())
    for value in (NO_NUMBER, *([] if least is None else [str(least - 1)]))
]


@pytest.mark.parametrize(("program", "line", "name", "value"), ASKED)
def test_a_number_that_is_none_is_named_with_its_value(
    program: str, line: tuple[str, ...], name: str, value: str
) -> None:
    """Every number of every command: the option or argument, what was given for it, and what it should be."""
    before = ("--",) if value.startswith("-") and not line[-1].startswith("-") else ()
    done = CliRunner().invoke(PROGRAMS[program], [*line, *before, value], env={"COLUMNS": "250", "NO_COLOR": "1"})
    assert done.exit_code == 2
    assert f"Invalid value for '{name}': " in done.output
    assert f"'{value}'" in done.output


def test_both_programs_take_numbers() -> None:
    """The walk over the commands finds them."""
    assert {each.values[0] for each in ASKED} == set(PROGRAMS)


def test_a_long_value_is_cut_and_one_that_is_named_already_is_named_once() -> None:
    """Forty characters are enough to find it by, and none of them moves the cursor of a terminal."""
    app = typer.Typer(cls=AskedAsJson)
    app.callback()(lambda: None)

    @app.command()
    def count(*, number: int = 0, game: Literal["bingo"] = "bingo") -> None:
        """Count."""

    def told(*asked: str) -> str:
        return CliRunner().invoke(app, asked, env={"COLUMNS": "250", "NO_COLOR": "1"}).output

    assert f"(got '{'9' * 39}x')" in told("count", "--number", "9" * 39 + "xyz")
    assert r"(got '1\x1b2')" in told("count", "--number", "1\x1b2")
    assert told("count", "--game", "chess").count("'chess'") == 1
