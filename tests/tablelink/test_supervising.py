"""A supervisor at a table that runs: how it stands, and the approval by which it plays on without its jackpot."""

import asyncio
import json
import socket
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tablelink import supervising, supervisor
from tablelink.core.felt import lay_felt
from tablelink.core.inputs import NoMoreBets, Placed, PlaceWagers
from tablelink.device import Device
from tablelink.errors import TableError
from tablelink.standing import SECOND_US, Session, Sidebet
from tablelink.subscriber import own_clock_us
from tablelink.supervising import PlayOn, Show, Stands, ask, supervised
from tablelink.totals import spool_approvals
from tests.support.casino import SETTINGS, Casino
from tests.support.seated import HeldDevice, Running, Seat, agrees, scene
from tests.support.serving import LONGEST_S
from tests.support.terms import demo_terms

HARD = msgspec.structs.replace(SETTINGS, without_jackpot="stop")


async def asked(seat: Seat, what: Show | PlayOn) -> Stands:
    """Ask from outside the loop, as the command does."""
    return await asyncio.to_thread(ask, seat.spool, what)


async def until_rung(running: Running, seat: Seat, rung: str) -> Stands:
    """Ask until the table stands on a rung."""
    while (stands := await asked(seat, Show())).rung != rung:
        assert not running.task.done()
    return stands


def test_play_goes_on_by_a_persons_approval_that_outlives_the_program(tmp_path: Path) -> None:
    """No round before it; base game after it, after a restart too; once back, the next loss needs its own (14.15)."""

    async def play(casino: Casino, seat: Seat) -> None:
        casino.status = "stopped"
        async with seat.agent(None, ends=False) as running, supervised(running.agent, seat.spool):
            await running.until(lambda: "the link is stopped" in running.agent.why_closed(own_clock_us()))
            assert "the link is stopped" in (await until_rung(running, seat, "closed")).closed
            for by, inspector in (("", "Ines"), ("Sue", " ")):
                assert "named (CSP 14.15)" in (await asked(seat, PlayOn(by, inspector))).refused
            await running.at(PlaceWagers, 1)
            assert casino.records() == []
            stands = await asked(seat, PlayOn("Sue", "Ines"))
            assert (stands.refused, stands.rung) == ("", "playing_on")
            await running.until(lambda: len(casino.records()) >= 2)
            assert "already, approved by Sue" in (await asked(seat, PlayOn("Tom", "Ines"))).refused
        recorded = len(casino.records())
        async with seat.agent(None, ends=False) as running, supervised(running.agent, seat.spool):
            await running.until(lambda: len(casino.records()) > recorded + 1)
            stands = await asked(seat, Show())
            assert stands.approved is not None
            assert stands.approved.inspector == "Ines"
            assert casino.wagers == 0
            casino.status = "running"
            await running.until(lambda: casino.wagers > 0)
            stands = await asked(seat, Show())
            assert stands.approved is None
            assert "there is nothing to approve" in (await asked(seat, PlayOn("Sue", "Ines"))).refused
            casino.status = "stopped"
            await until_rung(running, seat, "closed")

    casino = scene(tmp_path, play)
    lost, back = spool_approvals(tmp_path / "T1.spool")[:2]
    assert (lost["by"], lost["inspector"], lost["jackpot"], back["jackpot"]) == ("Sue", "Ines", "lost", "back")
    assert "the link is stopped" in lost["why"]
    assert casino.wagers > 0


def test_an_approval_that_was_given_up_is_not_taken_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An agent that stood still comes to it when who asked was told that its outcome is not known: it is too late."""

    async def play(casino: Casino, seat: Seat) -> None:
        casino.status = "stopped"
        async with seat.agent(None, ends=False) as running, supervised(running.agent, seat.spool):
            await until_rung(running, seat, "closed")
            monkeypatch.setattr(supervising, "ASKED_WITHIN_S", 0.05)
            with pytest.raises(TableError, match="not known") as given_up:
                ask(seat.spool, PlayOn("Sue", "Ines"))  # in the agent's own loop, which stands still meanwhile
            monkeypatch.undo()
            assert given_up.value.code == "not_known"
            stands = await asked(seat, PlayOn("Tom", "Ines"))
            assert stands.approved is not None, stands.refused
            assert stands.approved.by == "Tom"

    scene(tmp_path, play)
    assert [said["by"] for said in spool_approvals(tmp_path / "T1.spool")] == ["Tom"]


def test_an_agent_is_asked_by_the_program_before_and_the_other_way_round(tmp_path: Path) -> None:
    """An upgrade replaces the program first and the agents one by one, while the jackpot is lost (CSP 14.15)."""
    spool, heard = tmp_path / "T1.spool", []
    words = b'{"ask":"play_on","by":"Sue","inspector":"Ines"}\n'

    def older(server: socket.socket) -> None:
        stands = Stands("T1", "playing_on", (), 1, "ab", None, 2, 0, None)
        for _ in range(2):
            line, _ = server.accept()
            with line, line.makefile("rb") as question:
                heard.append(question.readline())
                why = "not a question to a table: Object contains unknown field `until_us`"
                refused = why if b"until_us" in heard[-1] else ""
                line.sendall(msgspec.json.encode(msgspec.structs.replace(stands, refused=refused)) + b"\n")

    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(spool.with_suffix(".supervisor")))
        server.listen()
        server.settimeout(LONGEST_S)
        agent = threading.Thread(target=older, args=(server,))
        agent.start()
        stands = ask(spool, PlayOn("Sue", "Ines"))
        agent.join()
    spool.with_suffix(".supervisor").unlink()
    assert (stands.refused, stands.rung, heard[1:]) == ("", "playing_on", [words])

    async def play(casino: Casino, seat: Seat) -> None:
        casino.status = "stopped"
        async with seat.agent(None, ends=False) as running, supervised(running.agent, seat.spool):
            await until_rung(running, seat, "closed")
            reader, writer = await asyncio.open_unix_connection(str(seat.spool.with_suffix(".supervisor")))
            writer.write(words)
            assert msgspec.json.decode(await reader.readline(), type=Stands).refused == ""
            writer.close()

    scene(tmp_path, play)
    assert [said["by"] for said in spool_approvals(spool)] == ["Sue"]


def test_an_agent_that_dies_with_an_approval_leaves_it_unknown(tmp_path: Path) -> None:
    """It may have written it down before: the command does not say that it was not approved; show asks for nothing."""
    spool = tmp_path / "T1.spool"

    def hang_up(server: socket.socket) -> None:
        line, _ = server.accept()
        line.recv(1)
        line.close()

    for what, code in ((PlayOn("Sue", "Ines"), "not_known"), (Show(), "no_agent")):
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(str(spool.with_suffix(".supervisor")))
            server.listen()
            agent = threading.Thread(target=hang_up, args=(server,))
            agent.start()
            with pytest.raises(TableError) as told:
                ask(spool, what)
            agent.join()
        spool.with_suffix(".supervisor").unlink()
        assert told.value.code == code


def test_a_hard_stop_deals_nothing_while_the_jackpot_is_lost(tmp_path: Path) -> None:
    """Neither approval nor simulated supervisor gets a round out of it; it plays on when the jackpot is back."""

    async def play(casino: Casino, seat: Seat) -> None:
        casino.status = "stopped"
        async with seat.agent(2, ends=False, play_on_after_s=0) as running, supervised(running.agent, seat.spool):
            await until_rung(running, seat, "stopped")
            assert "hard stop" in (await asked(seat, PlayOn("Sue", "Ines"))).refused
            assert casino.records() == []
            casino.status = "running"
            await running.task
        agrees(casino, seat)

    scene(tmp_path, play, settings=HARD)
    assert spool_approvals(tmp_path / "T1.spool") == []


def test_an_approval_is_over_once_the_jackpot_was_back(tmp_path: Path) -> None:
    """Also where nobody bet meanwhile: the next loss is another, and waits for its own approval (CSP 14.15)."""
    slow: list[HeldDevice] = []

    def held(device: Device) -> Device:
        slow.append(HeldDevice(device, lambda wanted: isinstance(wanted, PlaceWagers) and wanted.round == 2))
        return slow[0]

    async def play(casino: Casino, seat: Seat) -> None:
        casino.status = "stopped"
        async with seat.agent(None, ends=False, device=held) as running, supervised(running.agent, seat.spool):
            await until_rung(running, seat, "closed")
            assert (await asked(seat, PlayOn("Sue", "Ines"))).refused == ""
            await running.until(lambda: slow[0].reached.is_set() and len(casino.records()) == 1)
            casino.status = "running"
            casino.publish()
            while (await asked(seat, Show())).approved is not None:
                assert not running.task.done()
            casino.status = "stopped"
            casino.publish()
            await until_rung(running, seat, "closed")
            slow[0].go_on.set()
            await running.until(lambda: running.agent._bets is not None or len(casino.records()) > 1)
            await until_rung(running, seat, "closed")
            assert len(casino.records()) == 1

    scene(tmp_path, play)
    assert [said["jackpot"] for said in spool_approvals(tmp_path / "T1.spool")] == ["lost", "back"]


@pytest.mark.parametrize(
    ("rung", "closed", "words"),
    [
        ("normal", (), "the jackpot is open"),
        ("normal", ("not yet paid out: T1/1/4/5/main",), "the jackpot is closed until this is done"),
        ("meter_old", ("T1/1/2026-11/5/wagers/1 has no answer yet",), "closed until this is done; the meter shown is"),
        ("closed", ("the link is stopped",), "the jackpot is closed; the table waits for a supervisor"),
    ],
)
def test_open_is_said_of_a_table_only_that_takes_jackpot_wagers(
    capsys: pytest.CaptureFixture[str], rung: str, closed: tuple[str, ...], words: str
) -> None:
    """A prize that is to be paid, or a message that was put off, keeps it closed, though nothing is out of order."""
    supervisor._say(Stands("T1", rung, closed, 1, "ab", None, 5, 0, None), as_json=False)
    first, *rest = capsys.readouterr().out.splitlines()
    assert first.startswith("T1: ")
    assert words in first
    assert rest[: len(closed)] == [f"  {why}" for why in closed]


def test_nobody_is_simulated_who_approves_at_a_hard_stop() -> None:
    """An answer that is awaited for long brings no round without its jackpot either, where none may be approved."""
    bets = NoMoreBets((Placed(1, 1000, 100, 100),))
    for settings, found in ((SETTINGS, "approve"), (HARD, "wait")):
        at_table = Sidebet(lay_felt("T1", demo_terms(), settings), 0)
        turns = [at_table.turn(bets, "normal", {"unanswered"}, Session(up=True), at) for at in (0, 20 * SECOND_US)]
        assert turns == ["wait", found]


@pytest.mark.parametrize(
    ("by", "inspector", "why"),
    [
        ("Sue Lee", " SUE  lee", "is another person"),
        ("x" * 300, "Ines", "not a question"),
        ("S\0", "Ines", "not a question"),
    ],
)
def test_who_approves_and_who_was_notified_are_two_people(tmp_path: Path, by: str, inspector: str, why: str) -> None:
    """One name twice is one person, however it is written; what is no name is refused in words (CSP 14.15)."""

    async def play(casino: Casino, seat: Seat) -> None:
        casino.status = "stopped"
        async with seat.agent(None, ends=False) as running, supervised(running.agent, seat.spool):
            await until_rung(running, seat, "closed")
            assert why in (await asked(seat, PlayOn(by, inspector))).refused
            with pytest.raises(TableError, match="too long to be asked"):
                await asked(seat, PlayOn("x" * 20_000, inspector))

    scene(tmp_path, play)
    assert spool_approvals(tmp_path / "T1.spool") == []


def test_a_refused_hard_stop_table_ends_a_run_of_so_many_rounds(tmp_path: Path) -> None:
    """Nobody waits there for a person: the run ends with the refusal, and no round was dealt without the jackpot."""

    async def play(casino: Casino, seat: Seat) -> None:
        await seat.play(1)
        seat.settings = msgspec.structs.replace(HARD, seats=5)
        played = await seat.play(1)
        assert (played.rounds, played.refusal["code"] if played.refusal else "") == (0, "settings_differ")
        assert len(casino.records()) == 1

    scene(tmp_path, play, settings=HARD)


def test_what_is_asked_wrongly_changes_nothing(tmp_path: Path) -> None:
    """A line that is no question is answered with why; a supervisor who hangs up harms nobody."""

    async def play(casino: Casino, seat: Seat) -> None:
        async with seat.agent(None, ends=False) as running, supervised(running.agent, seat.spool):
            await running.until(lambda: len(casino.records()) >= 1)

            def nonsense() -> Any:
                with socket.socket(socket.AF_UNIX) as line:
                    line.connect(str(seat.spool.with_suffix(".supervisor")))
                    line.sendall(b'{"ask":"dance"}\n')
                    return json.loads(line.makefile("rb").readline())

            said = await asyncio.to_thread(nonsense)
            assert "not a question to a table" in said["refused"]
            assert said["table"] == "T1"

    scene(tmp_path, play)


def test_the_commands(tmp_path: Path) -> None:
    """As people use them: show, approve, list; without an agent an error that names the spool; a long path too."""
    folder = tmp_path / ("a-folder-with-a-long-name-" * 4)
    folder.mkdir()
    where = ("T1", "--spool", str(folder))

    def command(*words: str) -> "subprocess.CompletedProcess[str]":
        """As the program it is: in this one it would take the agent's standard output while it runs."""
        program = (sys.executable, "-W", "error", "-m", "tablelink")
        done = subprocess.run([*program, *words], capture_output=True, text=True, timeout=LONGEST_S, check=False)
        assert "Traceback" not in done.stderr, done.stderr
        return done

    with pytest.raises(TableError, match="No agent answers"):
        ask(folder / "T1.spool", Show())

    async def play(casino: Casino, seat: Seat) -> None:
        seat.folder = folder
        casino.status = "stopped"
        async with seat.agent(None, ends=False) as running, supervised(running.agent, seat.spool):
            await until_rung(running, seat, "closed")
            shown = await asyncio.to_thread(command, "supervisor", "show", *where)
            assert "waits for a supervisor" in shown.stdout
            refused = await asyncio.to_thread(
                command, "supervisor", "play-on", *where, "--by", " ", "--inspector", "Ines"
            )
            assert (refused.returncode, "named (CSP 14.15)" in refused.stderr) == (1, True), refused.stderr
            done = await asyncio.to_thread(
                command, "supervisor", "play-on", *where, "--by", "Sue", "--inspector", "Ines", "--json"
            )
            assert done.returncode == 0, done.stderr
            assert json.loads(done.stdout)["approved"]["by"] == "Sue"
            await running.until(lambda: len(casino.records()) >= 1)

    scene(tmp_path, play)
    listed = command("spool", "approvals", str(folder / "T1.spool"))
    assert "approved by Sue, inspector notified Ines" in listed.stdout
    assert json.loads(command("spool", "approvals", str(folder / "T1.spool"), "--json").stdout)["by"] == "Sue"
