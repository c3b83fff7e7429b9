"""A table without a link as the program is started: a Sic Bo day, what it prints, its spool, what it refuses."""

import asyncio
import contextlib
import json
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from prometheus_client.parser import text_string_to_metric_families
from prometheus_client.samples import Sample
from typer.testing import CliRunner

from rules.games import GAMES
from tablelink.__main__ import app
from tablelink.errors import TableError

DAY = """
{"game":"sic_bo","dice":[1,1,2],"runs":{},"seats":[{"seat":5,"wagers":[{"wager":"big","cents":500},{"wager":"odd","cents":500}]}]}
{"game":"sic_bo","dice":[1,2,1],"seats":[{"seat":5,"wagers":[{"wager":"super_streak_small","cents":500}]}]}
{"game":"sic_bo","dice":[6,6,6],"seats":[{"seat":5,"wagers":[{"wager":"small","cents":500}]}]}
{"game":"faro"}
{"game":"sic_bo","dice":[1,2,2]}
{"game":"sic_bo","no_result":"die_not_flat","seats":[{"seat":2,"wagers":[{"wager":"small","cents":500}]}]}
{"game":"sic_bo","dice":[2,2,1],"seats":[{"seat":5,"wagers":[{"wager":"super_streak_small","cents":500}]}]}

{"game":"sic_bo","dice":[2,2,1],"lit":["small"],"seats":[{"seat":3,"wagers":[{"wager":"small","cents":700}]}]}
{"game":"sic_bo","dice":[6,2,1],"stopped":false,"seats":[{"seat":3,"wagers":[{"wager":"small","cents":700}]}]}
""".lstrip()


@pytest.fixture
def rolls(tmp_path: Path) -> Path:
    """The file of a day's rolls."""
    (tmp_path / "rolls.jsonl").write_text(DAY, "utf-8")
    return tmp_path / "rolls.jsonl"


def ran(folder: Path, *argv: str, module: str = "tablelink", code: int = 0) -> tuple[list[str], str]:
    """What a program prints when it is run in a folder."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", module, *argv],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout.splitlines(), done.stderr


def asked(folder: Path, *argv: str, code: int = 0, env: dict[str, str] | None = None) -> tuple[list[str], str]:
    """What the table's command prints when it is asked in this process, and why it could not go on."""
    with contextlib.chdir(folder):
        done = CliRunner().invoke(app, argv, env=env)
    foreseen = done.exception if isinstance(done.exception, TableError) else None
    assert foreseen is not None or isinstance(done.exception, SystemExit | None), done.exception
    assert (done.exit_code if foreseen is None else foreseen.exit_code) == code, done.output
    return done.stdout.splitlines(), str(foreseen or "")


def test_each_round_is_stated_as_settle_answers_it(tmp_path: Path, rolls: Path) -> None:
    """Line by line the same object as `python -m rules settle` gives, streaks going on; then the totals; exit 1."""
    lines, _ = ran(tmp_path, "run", "--game", "sic_bo", "--replay", str(rolls), "--json", code=1)
    settled, _ = ran(tmp_path, "settle", str(rolls), module="rules", code=1)
    assert lines[:-1] == settled
    totals = json.loads(lines[-1])
    assert (totals["rounds"], totals["refused"], totals["spool"]["staked_cents"]) == (7, 2, 3900)


def test_a_second_run_plays_nothing_twice(tmp_path: Path, rolls: Path) -> None:
    """What is settled in the spool is settled; another file at the same spool is an error that says so."""
    asked(tmp_path, "run", "--game", "sic_bo", "--replay", str(rolls), "--json", code=1)
    lines, _ = asked(tmp_path, "run", "--game", "sic_bo", "--replay", str(rolls), "--json", code=1)
    assert [json.loads(line)["rounds"] for line in lines] == [0]
    rolls.write_text(DAY.replace("[1,1,2]", "[1,1,3]"), "utf-8")
    _, errors = asked(tmp_path, "run", "--game", "sic_bo", "--replay", str(rolls), code=1)
    assert "Round 1 of the spool is not the one of line 1" in errors


def test_a_line_that_the_machine_refuses_is_named_with_its_rule(tmp_path: Path) -> None:
    """Nothing of it is done: no streak wager is in play after it, and the next roll goes on without it."""
    (tmp_path / "rolls.jsonl").write_text(
        '{"game":"sic_bo","dice":[1,1,2],"runs":{},"seats":[{"seat":1,"wagers":'
        '[{"wager":"super_streak_big","cents":500}]}]}\n{"game":"sic_bo","dice":[1,2,3]}\n'
    )
    lines, _ = asked(tmp_path, "run", "--game", "sic_bo", "--replay", "rolls.jsonl", "--json", code=1)
    first, second, totals = map(json.loads, lines)
    assert (first["line"], first["rule"]) == (1, "SIC 6.2")
    assert "super_streak_big" in first["value"]
    assert (second["still_open"], second["lines"]) == ([], [])
    assert totals["spool"]["refused_by_rule"] == 1


def test_people_read_a_line_a_round(tmp_path: Path, rolls: Path) -> None:
    """Dice, money and why a line was refused; the spool's own commands read it as well."""
    lines, _ = asked(tmp_path, "run", "--game", "sic_bo", "--replay", str(rolls), code=1)
    assert "1 1 2 = 4" in lines[0]
    assert "$10.00" in lines[0]
    assert "refused" in lines[3]
    assert "7 rounds settled here, 2 refused" in lines[-1]
    shown, _ = asked(tmp_path, "spool", "show", "spool/T1.spool", "--json")
    rounds: list[dict[str, Any]] = [json.loads(line) for line in shown]
    assert [each["became"] for each in rounds].count("settled") == 7
    totals, _ = asked(tmp_path, "spool", "totals", "spool/T1.spool", "--json")
    assert json.loads(totals[0])["T1"]["rounds"] == 7


@pytest.mark.parametrize("game", GAMES)
def test_every_game_is_simulated_and_its_records_replayed(game: str, tmp_path: Path) -> None:
    """Without server, Redis, key or terms: the same seed gives the same rounds, and their records come to the same."""
    run = ("run", "--game", game, "--no-link", "--json")
    lines, _ = asked(tmp_path, *run, "--simulate", "--seed", "9", "--rounds", "3")
    totals = json.loads(lines[-1])
    assert (totals["game"], totals["rounds"], totals["edition"]) == (game, 3, GAMES[game].edition)
    again, _ = asked(tmp_path, *run, "--simulate", "--seed", "9", "--rounds", "3", "--spool", "other")
    assert again == lines
    shown, _ = asked(tmp_path, "spool", "show", "spool/T1.spool", "--json")
    (tmp_path / "records").write_text("".join(f"{json.dumps(json.loads(line)['record'])}\n" for line in shown))
    replayed, _ = asked(tmp_path, *run, "--replay", "records", "--spool", "replayed")
    settled, _ = ran(tmp_path, "settle", "records", module="rules")
    assert replayed[:-1] == settled
    assert [json.loads(line)["lines"] for line in replayed[:-1]] == [json.loads(line)["lines"] for line in lines[:-1]]


def test_killed_again_and_again_it_comes_to_the_same(tmp_path: Path) -> None:
    """SIGKILL while it plays, and once more, and again: no round is played or settled twice, the money is the same."""
    run = ("run", "--game", "casino_war", "--simulate", "--seed", "4", "--json")
    whole, _ = asked(tmp_path, *run, "--rounds", "12", "--spool", "whole")
    for _ in range(3):
        with subprocess.Popen(
            [sys.executable, "-m", "tablelink", *run, "--rounds", "12"], cwd=tmp_path, stdout=subprocess.PIPE
        ) as table:
            assert table.stdout is not None
            table.stdout.readline()
            table.kill()
    done = json.loads(asked(tmp_path, "spool", "totals", "spool/T1.spool", "--json")[0][0])["T1"]["rounds"]
    assert done >= 3
    if done < 12:
        asked(tmp_path, *run, "--rounds", str(12 - done))
    totals, _ = asked(tmp_path, "spool", "totals", "spool/T1.spool", "whole/T1.spool", "--json")
    shown = [asked(tmp_path, "spool", "show", f"{folder}/T1.spool", "--json")[0] for folder in ("spool", "whole")]
    assert shown[0][:12] == shown[1]
    assert json.loads(whole[-1])["spool"]["rounds"] == 12
    assert json.loads(totals[0])["T1"]["game"] == "casino_war"


def test_metrics_tell_rounds_moves_and_money(tmp_path: Path) -> None:
    """Of a table without a link: rounds, accepted and refused moves, and cents, by table and game."""
    command = [
        *(sys.executable, "-m", "tablelink", "run", "--game", "sic_bo", "--simulate", "--seed", "3", "--json"),
        *("--rounds", "100000", "--listen", "unix:listening"),
    ]
    with (
        subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE) as table,
        ThreadPoolExecutor(1) as beside,
    ):
        try:
            assert table.stdout is not None
            for _ in range(3):
                table.stdout.readline()
            beside.submit(table.stdout.read)  # a table whose lines nobody reads stands still
            text = asyncio.run(_scraped(tmp_path / "listening"))
        finally:
            table.kill()
    samples = {(each.name, frozenset(each.labels.values())): each.value for each in samples_of(text)}

    def counted(what: str, became: str) -> float:
        return samples[f"tablelink_hosted_{what}_total", frozenset(("T1", "sic_bo", became))]

    assert counted("rounds", "settled") >= 3
    assert counted("moves", "accepted") > 20
    assert counted("moves", "refused") >= 0
    assert counted("cents", "staked") > 0


async def _scraped(socket: Path) -> str:
    connector = aiohttp.UnixConnector(path=str(socket))
    async with aiohttp.ClientSession(connector=connector) as session, session.get("http://table/metrics") as answer:
        return await answer.text()


def samples_of(text: str) -> Iterator[Sample]:
    """The samples of an exposition."""
    for family in text_string_to_metric_families(text):
        yield from family.samples


def test_settings_of_a_link_are_refused_wherever_they_stand(tmp_path: Path, rolls: Path) -> None:
    """In the environment and in a file as on the command line; a stacked deck, and a game that is none of the five."""
    (tmp_path / "table.toml").write_text('server = "ws://127.0.0.1:9"\n')
    run = ("run", "--game", "sic_bo", "--replay", str(rolls))
    assert "joins no jackpot link" in asked(tmp_path, *run, "--config", "table.toml", code=2)[1]
    assert "joins no jackpot link" in asked(tmp_path, *run[:3], "--simulate", "--stack-deck", code=2)[1]
    environment = {"TABLELINK_TERMS": "terms.json"}
    assert "(from the environment)" in asked(tmp_path, *run, code=2, env=environment)[1]
    assert "No such game: 'faro'" in asked(tmp_path, "run", "--game", "faro", "--simulate", code=2)[1]
    assert "Nobody is at the table" in asked(tmp_path, "run", "--game", "sic_bo", code=2)[1]
    told = asked(tmp_path, "run", "--no-link", "--simulate", "--server", "ws://x", code=2)[1]
    assert "this table was told --no-link" in told


@pytest.mark.parametrize("flag", [("--server", "ws://127.0.0.1:1"), ("--redis-url", "redis://x"), ("--terms", "t")])
def test_a_setting_of_a_link_is_refused_by_name(tmp_path: Path, rolls: Path, flag: tuple[str, str]) -> None:
    """Only Caribbean Stud joins a jackpot link: whoever gives its settings to another game is told which, and why."""
    _, errors = asked(tmp_path, "run", "--game", "sic_bo", "--replay", str(rolls), *flag, code=2)
    assert flag[0].removeprefix("--").replace("-", "_") in errors
    assert "a Sic Bo table joins no jackpot link" in errors
    assert not (tmp_path / "spool").exists()
