"""A table agent that begins again: stopped in mid round, with a new spool, and with one from a backup."""

from pathlib import Path

import pytest

from rules.records import decode_record
from tablelink.core.dealing import lamps
from tablelink.core.inputs import Deal, Decide, TurnHands
from tablelink.device import Device, DevicePrompt
from tablelink.errors import TableError
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
