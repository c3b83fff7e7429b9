"""The commands of `tablelink`: `shuffle`, what `run` and `swarm` are told alike, errors as objects with `--json`."""

import contextlib
import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from jackpot.cli.app import app as jackpot
from rules.cards import parse_cards
from rules.decks.checks import faults_of_cards
from tablelink.__main__ import app
from tablelink.errors import TableError

SHUFFLES = (
    (("casino_war", "--cut", "100", "--cutting-card", "60"), 6, 252),
    (("casino_war", "--device", "shuffler"), 6, None),
    (("caribbean_stud", "--cut", "20"), 1, 52),
    (("three_card_poker", "--device", "shuffler"), 1, None),
    (("four_card_poker", "--cut", "51"), 1, 52),
)


@pytest.mark.parametrize(("asked", "decks", "cutting_card"), SHUFFLES)
def test_the_command_gives_a_whole_deck(asked: tuple[str, ...], decks: int, cutting_card: int | None) -> None:
    """Every card of the game's decks is there once each, and it is said where the cutting card lies."""
    done = CliRunner().invoke(app, ["shuffle", *asked, "--json"])
    assert done.exit_code == 0, done.output
    said = json.loads(done.output)
    assert not faults_of_cards(parse_cards(said["deck"]), decks)
    assert said.get("cutting_card") == cutting_card
    words = CliRunner().invoke(app, ["shuffle", *asked]).output.splitlines()
    assert len(words[0].split()) == 52 * decks
    lies = f"The cutting card lies behind {cutting_card} of {52 * decks} cards."
    assert words[1:] == ([] if cutting_card is None else [lies])


@pytest.mark.parametrize(
    ("asked", "code", "error"),
    [
        (("run", "--nonsense"), 2, "usage"),
        (("swarm",), 2, "usage"),
        (("supervisor", "play-on", "T1", "--by", "\udcff", "--inspector", "Ines"), 2, "usage"),
        (("shuffle", "bingo"), 2, "no_such_game"),
        (("run", "T1", "--terms", "/nowhere"), 2, "bad_setting"),
    ],
)
def test_with_json_an_error_is_an_object(asked: tuple[str, ...], code: int, error: str) -> None:
    """A program that reads standard output finds one object whatever went wrong, and people their words as before."""
    done = subprocess.run(
        [sys.executable, "-m", "tablelink", *asked, "--json"], capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == code
    told = json.loads(done.stdout)
    assert (told.keys(), told["error"]) == ({"error", "text"}, error)
    assert told["text"].split()[0] in done.stderr


def test_it_is_asked_for_help_and_version_as_jackpot_is() -> None:
    """Whoever knows the one program knows how to ask the other, at each command."""
    said = {asked: CliRunner().invoke(program, ["--version"]) for asked, program in (("t", app), ("j", jackpot))}
    assert said["t"].output == said["j"].output != ""
    for asked in (["-h"], ["run", "-h"], ["spool", "show", "-h"], ["supervisor", "-h"]):
        done = CliRunner().invoke(app, asked)
        assert (done.exit_code, "Usage" in done.output) == (0, True)


@pytest.mark.parametrize("command", ["run", "swarm"])
def test_run_and_swarm_offer_the_same(command: str) -> None:
    """What is declared once is offered by both."""
    words = CliRunner().invoke(app, [command, "--help"], env={"COLUMNS": "200"}).output
    for option in (
        "--config",
        "--server",
        "--redis-url-file",
        "--keys",
        "--spool",
        "--replay",
        "--stack-deck",
        "--json",
    ):
        assert f" {option} " in words


@pytest.mark.parametrize("command", [("run", "T1"), ("swarm", "--tables", "2"), ("run", "--game", "sic_bo")])
@pytest.mark.parametrize(
    ("asked", "words"),
    [
        (("--simulate", "--replay", "rounds.jsonl"), "leave out --simulate or --replay"),
        (("--replay", "rounds.jsonl", "--seed", "3"), "--seed goes with --simulate only"),
        (("--replay", "rounds.jsonl", "--stack-deck"), "--stack-deck goes with --simulate only"),
    ],
    ids=lambda given: given[-1] if isinstance(given, tuple) else "",
)
def test_players_of_two_kinds_are_refused(
    command: tuple[str, ...], asked: tuple[str, ...], words: str, tmp_path: Path
) -> None:
    """Whoever names simulated players and a file of rounds is told so: neither is left out without a word."""
    with contextlib.chdir(tmp_path):
        done = CliRunner().invoke(app, [*command, *asked])
    assert isinstance(done.exception, TableError), done.output
    assert words in str(done.exception)
    assert done.exception.exit_code == 2
