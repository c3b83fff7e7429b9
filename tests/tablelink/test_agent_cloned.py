"""A copy of a spool that runs beside the original: seen at its first hello, and nothing counted twice (PROTOCOL 1)."""

import shutil
import sqlite3
from pathlib import Path

import pytest

from tablelink import client
from tablelink.core.inputs import PlaceWagers
from tablelink.device import DevicePrompt
from tablelink.retiring import retire
from tests.support.casino import Casino
from tests.support.seated import HeldDevice, Seat, agrees, scene


def copied(spool: Path, to: Path) -> None:
    """Copy a spool while its agent runs, with its key and seal, as a copy of the disk would."""
    to.parent.mkdir()
    for file in spool.parent.glob("T1.*"):
        if file.is_file() and not file.name.startswith(spool.name):
            shutil.copy(file, to.parent)
    with sqlite3.connect(spool) as original, sqlite3.connect(to) as copy:
        original.backup(copy)
    original.close()
    copy.close()


def test_a_clone_is_quarantined_until_a_supervisor_says_which_is_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both run: neither wagers until one is out of use and a word was given; then the other plays on in its journal."""
    monkeypatch.setattr(client, "REFUSED_PAUSE_S", 0.2)

    def from_the_third(prompt: DevicePrompt) -> bool:
        return isinstance(prompt, PlaceWagers) and prompt.round >= 3

    async def play(casino: Casino, seat: Seat) -> None:
        other = Seat(casino, seat.url, tmp_path / "clone")
        async with seat.agent(4, device=lambda device: HeldDevice(device, from_the_third)) as running:
            await running.at(PlaceWagers, 3)
            await running.until(lambda: not running.agent.desk.outbox)
            copied(seat.spool, other.spool)
            wagers = casino.wagers
            async with other.agent(4, device=lambda device: HeldDevice(device, from_the_third)) as clone:
                await clone.until(lambda: casino.state.tables["T1"].status == "quarantined")
                await casino.eject("quarantined")  # as a link does with the connection that was the table until then
                await clone.until(lambda: "quarantined" in str(clone.agent.why_closed(0)))
                await running.until(lambda: "quarantined" in str(running.agent.why_closed(0)))
                assert (casino.wagers, len(casino.records())) == (wagers, 2)
        retire(other.spool)
        casino.word("T1")
        await seat.play(2)
        agrees(casino, seat)

    casino = scene(tmp_path, play)
    assert casino.state.tables["T1"].status == "linked"
    assert casino.state.tables["T1"].journal == 1
    assert len(casino.records()) == 4
