"""People end a round that a running table plays, and a table whose lost rows made it play on (PROTOCOL 1, 2)."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from jackpot.core.amendments import Forfeited, VoidOpen
from jackpot.core.commands import Command, command_of, of_act
from jackpot.wire.codec import encode
from jackpot.wire.ids import VOID_OF_TWO
from jackpot.wire.messages import Void
from jackpot.wire.refusals import Refusal
from rules.records import decode_record
from tablelink.core.dealing import lamps
from tablelink.core.inputs import Decide, PlaceWagers, TurnHands, Voided
from tablelink.device import Device
from tablelink.retiring import retire
from tablelink.spool_file import statement
from tablelink.supervising import told_of
from tests.support.casino import Casino
from tests.support.seated import HeldDevice, Running, Seat, scene

PEOPLE: dict[str, Any] = {"rule": "CSP 16.5", "by": "Ann", "second": "Ben"}


def void(**changes: Any) -> Command:
    """Two people void round 2."""
    at = {"table": "T1", "journal": 1, "month": "2026-11", "round": 2, "revision": VOID_OF_TWO}
    return command_of(encode(Void(**{**at, **PEOPLE, **changes})))


def forfeit(seat: int) -> Command:
    """Two people void round 2, and the wager of a seat is forfeited."""
    people = {**PEOPLE, "rule": "CSP 16.6", "reason": "film"}
    return of_act(VoidOpen("T1", 1, "2026-11", 2, 2, **people, forfeits=(Forfeited(seat, "Sue", "fraud"),)))


def stays_at(round_no: int, held: list[HeldDevice], kind: type = TurnHands) -> Callable[[Device], Device]:
    """A device that waits in a round until the test lets it go on."""

    def holding(device: Device) -> Device:
        held.append(HeldDevice(device, lambda wanted: isinstance(wanted, kind) and wanted.round == round_no))
        return held[0]

    return holding


def recorded(casino: Casino) -> list[int]:
    """The rounds whose record was accepted."""
    records = {name: known for name, known in casino.known.items() if "/record/" in name}
    return [int(name.split("/")[3]) for name, known in records.items() if b'"kind":"recorded"' in known.answer]


async def playing(running: Running, held: list[HeldDevice]) -> frozenset[int]:
    """Wait until the round is held; the seats that are lit."""
    await running.until(lambda: bool(held and held[0].reached.is_set()))
    under_way = running.agent.desk.dealing.round
    assert under_way is not None
    assert under_way.accepted
    return under_way.accepted


@pytest.mark.parametrize("how", ["void", "forfeit"])
def test_a_round_that_two_people_voided_ends_at_its_table(tmp_path: Path, how: str) -> None:
    """At the next hello its lamps are out, its words name who and why, and the next round is played; nothing stops."""

    async def play(casino: Casino, seat: Seat) -> None:
        held: list[HeldDevice] = []
        async with seat.agent(4, device=stays_at(2, held)) as running:
            lit = await playing(running, held)
            reply = casino.post(void() if how == "void" else forfeit(min(lit)))
            assert reply.receipt is not None
            casino.cut()
            await running.until(lambda: running.agent.desk.dealing.next_round > 3)
            played = await running.task
        assert (played.rounds, played.withdrawn) == (4, 0)
        assert seat.totals()["unanswered"] == 0
        with closing(sqlite3.connect(seat.spool)) as spool:
            assert spool.execute(statement("amended")).fetchall() != []
        assert retire(seat.spool).open_rounds == []

    casino = scene(tmp_path, play)
    assert [decode_record(one).round for one in casino.records()] == [1, 3, 4]


def test_what_is_said_of_it(tmp_path: Path) -> None:
    """To who asks at the table: which round, by whom, under which rule; until the next round has ended."""

    async def play(casino: Casino, seat: Seat) -> None:
        held: list[HeldDevice] = []
        async with seat.agent(2, device=stays_at(2, held)) as running:
            await playing(running, held)
            casino.post(void())
            casino.cut()
            await running.task
            dealing = running.agent.desk.dealing
            assert lamps(dealing) == {}
            assert told_of(dealing) == ("round 2 is void, by Ann and Ben at the server (CSP 16.5); wagers go back",)

    scene(tmp_path, play)


def test_a_seat_that_two_people_voided_goes_dark(tmp_path: Path) -> None:
    """The round goes on with the others; its record has them alone, and settles as the server's."""

    async def play(casino: Casino, seat: Seat) -> None:
        held: list[HeldDevice] = []
        async with seat.agent(2, device=stays_at(2, held, Decide)) as running:
            lit = await playing(running, held)
            out = min(lit)
            casino.post(void(rule="CSP 14.8", seats=[out]))
            casino.cut()
            desk = running.agent.desk
            await running.until(lambda: desk.dealing.round is not None and bool(desk.dealing.round.voided))
            assert lamps(running.agent.desk.dealing)[out] == "dark"
            held[0].go_on.set()
            await running.task
        record = decode_record(casino.records()[1])
        assert out not in {one.seat for one in record.seats}
        assert casino.state.tables["T1"].status == "linked", "table and server settle alike"

    scene(tmp_path, play)


def test_a_void_that_comes_after_the_tables_own_record_is_answered(tmp_path: Path) -> None:
    """The record waits in the spool while two people void the round: it is refused, the table says so and plays on."""

    async def play(casino: Casino, seat: Seat) -> None:
        casino.put_off = lambda command: Refusal.LEDGER_UNREACHABLE if command.id.endswith("/2/record/1") else None
        async with seat.agent(3) as running:
            await running.until(lambda: casino.heard["T1/1/2026-11/2/record/1"] > 0)
            casino.post(void())
            casino.put_off = lambda _command: None
            await running.until(lambda: bool(told_of(running.agent.desk.dealing)))
            assert "refused by the server (round_voided)" in told_of(running.agent.desk.dealing)[0]
            await running.task
        assert seat.totals()["unanswered"] == 0

    casino = scene(tmp_path, play)
    assert recorded(casino) == [1, 3]


def test_a_table_that_lost_its_void_and_played_on_is_refused_its_record(tmp_path: Path) -> None:
    """The ledger is away when it comes back, so nothing tells it (case 54): a round ends once, by the first word there.

    Its wagers went back by the table's own void; a record after it is refused for good, and said aloud at the table.
    """
    kept = tmp_path / "kept"
    kept.mkdir()

    async def play(casino: Casino, seat: Seat) -> None:
        held: list[HeldDevice] = []
        async with seat.agent(2, device=stays_at(2, held)) as running:
            await playing(running, held)
            with closing(sqlite3.connect(seat.spool)) as now, closing(sqlite3.connect(kept / "T1.spool")) as copy:
                now.backup(copy)
            running.agent.tell(Voided("CSP 14.4", "Cy"))
            await running.until(lambda: "T1/1/2026-11/2/void/1" in casino.known)
        seat.spool.unlink()
        (kept / "T1.spool").rename(seat.spool)
        honest, casino.submit = casino.submit, lambda submitted: submitted.reply(casino.later(submitted))  # type: ignore[method-assign]
        async with seat.agent(2) as running:
            await running.at(PlaceWagers, 3)
            casino.submit = honest  # type: ignore[method-assign]
            await running.until(lambda: bool(told_of(running.agent.desk.dealing)))
            (words,) = told_of(running.agent.desk.dealing)
            assert words.startswith("round 2 was refused by the server (round_voided)")
            assert "no prize of it is due before people have looked" in words
            await running.task

    casino = scene(tmp_path, play)
    assert recorded(casino) == [1, 3]
    assert msgspec.json.decode(casino.known["T1/1/2026-11/2/record/1"].answer)["code"] == "round_voided"
