"""A driven table as the program is started: lines on standard input, killed at any of them, listed afterwards."""

import contextlib
import io
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from rich.console import Console
from typer.testing import CliRunner

from rules.games import GAMES
from tablelink.__main__ import app
from tablelink.core.floor import ASKS, NotUnderstood, Refused, read_line, take
from tablelink.core.floor.showing import header, next_words, seat_lines
from tablelink.errors import TableError
from tablelink.hosted_console import Heard
from tablelink.hosted_floor import FloorSpool
from tablelink.hosted_output import HostedTelemetry
from tablelink.hosted_screen import Terminal
from tests.support.driven import APPROVED, Driving
from tests.support.driven_sessions import lines_of
from tests.support.running import WITHIN_S

RUN = (sys.executable, "-W", "error", "-m", "tablelink", "run", "--game")
KILLED_AT = frozenset({12, 25})
"""Lines of the session after whose answer the program is killed."""


def refused(folder: Path, *argv: str) -> str:
    """Why a table cannot be begun, asked in this process."""
    with contextlib.chdir(folder):
        done = CliRunner().invoke(app, ["run", *argv])
    assert isinstance(done.exception, TableError), done.output
    return str(done.exception)


def test_what_cannot_be_driven_is_refused_by_name(tmp_path: Path) -> None:
    """A table on a link, two kinds of people, settings that cannot be, Even without a reading, planned rounds."""
    (tmp_path / "bad.json").write_text('{"limits":{"ante_min_cents":"5"}}')
    war = ("--game", "casino_war", "--console")
    assert "on a link has no console" in refused(tmp_path, "--console")
    assert "leave out --replay" in refused(tmp_path, *war, "--simulate")
    assert "joins no jackpot link" in refused(tmp_path, *war, "--terms", "terms.json")
    told = refused(tmp_path, "--game", "three_card_poker", "--console", "--settings", "bad.json")
    assert told == "bad.json: limits.ante_min_cents: 5: expected int, got str"
    assert "settings" in refused(tmp_path, *war, "--settings", "nothing.json")
    assert not (tmp_path / "spool").exists()
    assert "settings.even_on_10: missing" in refused(tmp_path, "--game", "sic_bo", "--console", "--spool", "dice")


def test_nobody_can_type_at_a_closed_input(tmp_path: Path) -> None:
    """Started without a standard input, the program says so and makes nothing."""
    done = subprocess.run(
        ["/bin/sh", "-c", f"{' '.join(RUN)} casino_war --console <&-"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert (done.returncode, done.stderr) == (2, "tablelink: Nobody can type: standard input is closed.\n")
    assert not list(tmp_path.iterdir())


def sessions_of(folder: Path, game: str) -> Iterator[subprocess.Popen[bytes]]:
    """The program, started again and again on one spool."""
    (folder / "table.json").write_text(APPROVED[game])
    while True:
        with subprocess.Popen(
            [*RUN, game, "--no-link", "--console", "--json", "--settings", "table.json"],
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        ) as program:
            yield program


def answer(program: subprocess.Popen[bytes]) -> dict[str, Any]:
    """The program's next line."""
    assert program.stdout is not None
    line = program.stdout.readline()
    assert line, program.stderr.read().decode() if program.stderr else ""
    said: dict[str, Any] = json.loads(line)
    return said


def test_killed_after_any_answer_it_goes_on_there(tmp_path: Path) -> None:
    """SIGKILL once a line is answered, twice: the table stands there again, and no round is stated twice."""
    driving, programs = Driving("four_card_poker"), sessions_of(tmp_path, "four_card_poker")
    program = next(programs)
    assert answer(program)["state"] == "closed"
    settled = []
    for place, line in enumerate(lines_of("four_card_poker")):
        count = len(driving.given)
        driving.line(line)
        assert program.stdin is not None
        program.stdin.write(msgspec.json.encode({"kind": "line", "text": line}) + b"\n")
        program.stdin.flush()
        said = [answer(program) for _ in range(max(1, len(driving.given) - count))][-1]
        settled += [said["settled"]] if "settled" in said else []
        if place in KILLED_AT:
            program.kill()
            program.wait(WITHIN_S)
            program = next(programs)
            said = answer(program)
            assert said["seats"] == list(seat_lines(driving.floor))
        assert (said["next"], said["round"]) == (next_words(driving.floor), driving.floor.number)
    assert program.stdin is not None
    program.stdin.close()
    assert answer(program)["spool"]["rounds"] == 1
    assert program.wait(WITHIN_S) == 0
    programs.close()  # type: ignore[attr-defined]  # a generator
    stated = [
        msgspec.json.decode(msgspec.json.encode(each.statement.said)) for each in driving.changed if each.statement
    ]
    assert settled == stated
    with contextlib.chdir(tmp_path):
        shown = CliRunner().invoke(app, ["spool", "show", "spool/T1.spool", "--json"]).stdout.splitlines()
    kept = [json.loads(line) for line in shown]
    assert [each["statement"] for each in kept if each["became"] == "settled"] == stated
    written = [each["said"]["kind"] for each in kept if each["became"] == "written"]
    assert written == [entry.kind for each in driving.changed for entry in each.written]


def test_what_was_taken_of_a_line_before_the_rest_is_refused_is_shown() -> None:
    """Of three cards two were dealt: the table has them, whatever was wrong with the third."""
    driving, shown = Driving("casino_war"), io.StringIO()
    screen = Terminal(HostedTelemetry("T1", "casino_war"), Console(file=shown, width=80), typed_here=False)
    for line in ("open by Lee", "join ann 1", "check_cards", "load", "burn", "place 1 initial 5", "no_more_bets"):
        driving.line(line)
    screen.begin(driving.floor)
    cards = read_line(driving.floor, "deal 9h 5c 7c")
    for number, each in enumerate(cards, start=1):
        try:
            changed = take(driving.floor, each, driving.now_us)
        except Refused as error:
            screen.heard(Heard(1, each, driving.floor, refused=error))
        else:
            driving.floor = changed.floor
            screen.heard(Heard(1, each, changed.floor, changed, more=number < len(cards)))
    rows = [row.rstrip() for row in shown.getvalue().splitlines()]
    refused = next(place for place, row in enumerate(rows) if row.startswith("no  WAR 7.1: deal"))
    assert " 1 ann           initial $5.00  9h" in rows[refused:]
    assert "   dealer       5c" in rows[refused:]
    assert rows[-1] == f"NEXT  {next_words(driving.floor)}"


def test_help_names_every_area_a_wager_can_lie_on(tmp_path: Path) -> None:
    """Nobody knows fifty names by heart; what is no move and no act is said to be neither."""
    driving, shown = Driving("sic_bo"), io.StringIO()
    screen = Terminal(HostedTelemetry("T1", "sic_bo"), Console(file=shown, width=80), typed_here=False)
    for line in ("open by Lee", "join ann 1 valid", "tumble", "tumble", "tumble", "open_bets"):
        driving.line(line)
    with FloorSpool(tmp_path / "T1.spool", "T1", "sic_bo", seal=bytes(32), now_us=lambda: driving.now_us) as spool:
        for name in ("help place", "help announce", "help bribe", "help"):
            screen.asked(1, name, driving.floor, spool)
    rows = shown.getvalue().splitlines()
    (areas,) = [row for row in rows if row.startswith("areas now: ")]
    assert {"small", "single_die_3", "two_dice_4_5", "total_10"} <= set(areas.removeprefix("areas now: ").split(", "))
    assert "not while the table is at: wagers open" in rows
    assert "no act of this book, and no move of its rounds: bribe" in rows
    told = next(row for row in rows if row.startswith("help NAME"))
    assert len(told) <= 80


def test_a_word_said_alone_is_answered_with_what_is_missing(tmp_path: Path) -> None:
    """What an act needs is named with its whole form; that acts are not undone; what the words are that are neither."""
    driving, shown = Driving("casino_war"), io.StringIO()
    screen = Terminal(HostedTelemetry("T1", "casino_war"), Console(file=shown, width=80), typed_here=False)
    with pytest.raises(NotUnderstood, match=r"^by NAME: missing from open \[SEATS\] \[shoe"):
        read_line(driving.floor, "open")
    with pytest.raises(NotUnderstood, match=r"^player: missing from join PLAYER AREA \[CARD\]$"):
        read_line(driving.floor, "join")
    driving.line("open 3 by Lee")
    (undone,) = driving.line("undo")
    assert "acts are not undone" in undone
    with FloorSpool(tmp_path / "T1.spool", "T1", "casino_war", seal=bytes(32), now_us=lambda: driving.now_us) as spool:
        for name in (*ASKS, "undo", "next"):
            screen.asked(1, f"help {name}", driving.floor, spool)
    rows = shown.getvalue().splitlines()
    assert not [row for row in rows if row.startswith("no act of this book")]
    assert "undo  takes back the last move of the round; an act, which is written down, is not undone" in rows


@pytest.mark.parametrize("game", GAMES)
def test_the_table_fits_a_small_terminal(game: str) -> None:
    """Eighty columns by twenty-four rows: header, seats, dealer and what is next, at every line of a session."""
    driving = Driving(game)
    shown = io.StringIO()
    console = Console(file=shown, width=80, height=24, force_terminal=True, color_system=None, highlight=False)
    screen = Terminal(HostedTelemetry("T1", game), console, typed_here=True)
    for line in lines_of(game):
        count = len(driving.given)
        driving.line(line)
        for (given, _), changed in zip(driving.given[count:], driving.changed[count:], strict=True):
            shown.seek(0)
            shown.truncate()
            screen.heard(Heard(1, given, changed.floor, changed))
            rows = shown.getvalue().splitlines()
            assert len(rows) <= 24
            assert rows[-1] == "> "
            assert f"NEXT  {next_words(changed.floor)}" in rows
        assert len(header(driving.floor)) <= 80
        assert len(next_words(driving.floor)) <= 74
