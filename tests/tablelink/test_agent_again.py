"""A table agent that begins again: stopped in mid round, with a new spool, and with one from a backup."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from rules.records import decode_record
from tablelink.core.dealing import lamps
from tablelink.core.felt import lay_felt
from tablelink.core.inputs import Deal, Decide, GoOn, TurnHands
from tablelink.device import Device, DevicePrompt
from tablelink.errors import TableError
from tablelink.keys import seal_for
from tablelink.retiring import retire
from tablelink.spool import Spool
from tests.support.casino import Casino
from tests.support.seated import HeldDevice, Seat, agrees, scene


@pytest.mark.parametrize("kind", [Deal, Decide, TurnHands])
def test_stopped_in_mid_round(tmp_path: Path, kind: type[DevicePrompt]) -> None:
    """SIGTERM between two steps: the round goes on after the next start, its seats still lit, its cards the same."""

    async def play(casino: Casino, seat: Seat) -> None:
        held: list[HeldDevice] = []

        def holding(device: Device) -> Device:
            held.append(HeldDevice(device, lambda wanted: isinstance(wanted, kind) and wanted.round == 2))
            return held[0]

        async with seat.agent(3, device=holding) as running:
            await running.until(lambda: bool(held and held[0].reached.is_set()))
            before = running.agent.desk.dealing
        async with seat.agent(2) as running:
            assert running.agent.desk.dealing == before
            assert lamps(before) == lamps(running.agent.desk.dealing)
            await running.task
        agrees(casino, seat)

    casino = scene(tmp_path, play)
    assert [decode_record(record).round for record in casino.records()] == [1, 2, 3]


def test_a_new_spool_needs_the_word(tmp_path: Path) -> None:
    """The disk is replaced: refused until the supervisor's word, then journal 2 from round 1 (case 53, PROTOCOL 1)."""

    async def play(casino: Casino, seat: Seat) -> None:
        await seat.play(2)
        seat.spool.unlink()
        played = await seat.play(2)
        assert played.refusal is not None
        assert played.refusal["code"] == "no_word"
        casino.word("T1")
        await seat.play(2)

    casino = scene(tmp_path, play)
    ids = [(decode_record(r).journal, decode_record(r).round) for r in casino.records()]
    assert ids == [(1, 1), (1, 2), (2, 1), (2, 2)]


def test_a_spool_older_than_the_ledger_says_what_to_do(tmp_path: Path) -> None:
    """A spool from a backup that got a word for itself: the table ends with the steps to take, path and command."""

    async def play(casino: Casino, seat: Seat) -> None:
        await seat.play(1)
        older = seat.spool.read_bytes()
        await seat.play(2)
        seat.spool.write_bytes(older)
        casino.word("T1")
        with pytest.raises(TableError) as stopped:
            await seat.play(1)
        assert stopped.value.code == "other_journal"
        words = str(stopped.value)
        assert f"Move {seat.spool}" in words
        assert "jackpot table journal T1 --by NAME --reason" in words
        seat.spool.unlink()
        casino.word("T1", revision=2)
        await seat.play(1)

    casino = scene(tmp_path, play)
    ids = [(decode_record(r).journal, decode_record(r).round) for r in casino.records()]
    assert ids == [(1, 1), (1, 2), (1, 3), (3, 1)]


def test_a_spool_that_lost_its_withdrawal_lights_nothing(tmp_path: Path) -> None:
    """The last rows are lost, and the stored answer would light a seat: the table stops first, and says what to do."""
    withdrawn = tmp_path / "withdrawn"
    withdrawn.mkdir()

    async def play(casino: Casino, seat: Seat) -> None:
        casino.mute = lambda command: command.id.endswith("/wagers/1")
        async with seat.agent(1) as running:
            await running.until(lambda: casino.wagers > 0)
            with closing(sqlite3.connect(seat.spool)) as now, closing(sqlite3.connect(withdrawn / "T1.spool")) as kept:
                now.backup(kept)
            running.agent.tell(GoOn("the dealer goes on"))
            await running.until(lambda: casino.wagers == 0)
        casino.mute = lambda _command: False
        seat.spool.unlink()
        (withdrawn / "T1.spool").rename(seat.spool)
        with pytest.raises(TableError) as stopped:
            await seat.play(1)
        assert stopped.value.code == "older_spool"
        assert "round 1 is withdrawn, and goes on here" in str(stopped.value)
        assert f"tablelink spool retire {seat.spool}" in str(stopped.value)
        with Spool(seat.spool, "T1", seal=seal_for(tmp_path / "T1.key"), sign=bytes) as spool:
            assert "accepted" not in lamps(spool.rebuild(lay_felt("T1", casino.link_terms, casino.settings))).values()
        retire(seat.spool)
        casino.word("T1")
        await seat.play(1)

    casino = scene(tmp_path, play)
    assert [(decode_record(one).journal, decode_record(one).round) for one in casino.records()] == [(2, 1)]
