"""A table agent against a whole link: what it plays, what it survives, and that the ledger and its spool agree."""

import asyncio
from contextlib import AsyncExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest
import structlog

from jackpot.core.commands import Command, command_of
from jackpot.wire.messages import Void, Wagers, Withdraw
from rules.records import RoundRecord, decode_record
from tablelink.core.dealing import lamps, prompt
from tablelink.core.inputs import AwaitPayout, Deal, PlaceWagers, Voided
from tablelink.device import DeviceInput, DevicePrompt
from tablelink.errors import TableError
from tests.support.casino import SETTINGS, Casino
from tests.support.ports import free_port
from tests.support.seated import HeldDevice, Running, Seat, agrees, bare, scene
from tests.support.serving import run


def test_a_table_plays_its_rounds(tmp_path: Path) -> None:
    """Wagers accepted, rounds recorded, prizes awarded and paid out before the next round; ledger and spool agree."""

    async def play(casino: Casino, seat: Seat) -> None:
        played = await seat.play(25)
        assert played.rounds == 25
        assert played.awards == casino.awards
        assert {hit.state for hit in casino.state.hits.values()} == {"paid"}
        agrees(casino, seat)

    casino = scene(tmp_path, play)
    assert casino.wagers > 50
    assert len(casino.awards) >= 5
    assert [decode_record(record).round for record in casino.records()] == list(range(1, 26))
    assert set(casino.heard.values()) == {1}, "nothing had to be sent twice"


def test_a_second_run_goes_on_from_there(tmp_path: Path) -> None:
    """The next rounds, the same journal, a higher connection number."""

    async def play(casino: Casino, seat: Seat) -> None:
        await seat.play(3)
        await seat.play(4)
        agrees(casino, seat)

    casino = scene(tmp_path, play)
    assert [decode_record(record).round for record in casino.records()] == list(range(1, 8))
    assert casino.state.tables["T1"].journal == 1
    assert casino.state.tables["T1"].connection == 2


def test_timing_never_changes_the_rounds(tmp_path: Path) -> None:
    """Answers lost, connections cut, `busy`, restarts: the same rounds, each wager counted once (cases 3, 25)."""

    async def calm(_casino: Casino, seat: Seat) -> None:
        await seat.play(20)

    async def rough(casino: Casino, seat: Seat) -> None:
        count = 0

        def trouble(command: Command) -> bool:
            nonlocal count
            count += 1
            if count % 5 == 0 and casino.heard[command.id] == 1:
                asyncio.get_running_loop().call_soon(casino.cut)
                return True
            return False

        casino.mute = trouble
        casino.swallow = lambda command: casino.heard[command.id] == 1 and trouble(command)
        while (rounds := len(casino.records())) < 20:
            async with seat.agent(20 - rounds) as running:
                await running.until(lambda: len(casino.records()) >= min(20, rounds + 6) or running.task.done())
        casino.mute = casino.swallow = lambda _command: False
        await seat.play(0)
        agrees(casino, seat)
        assert max(casino.heard.values()) > 1

    first, second = scene(tmp_path / "calm", calm), scene(tmp_path / "rough", rough)
    assert [bare(record) for record in second.records()[:20]] == [bare(record) for record in first.records()]


def test_a_server_that_is_away_is_waited_for(tmp_path: Path) -> None:
    """The server goes in mid-play and comes back at its address: no wager lost or doubled."""

    async def whole() -> None:
        casino, port = Casino(), free_port()
        async with AsyncExitStack() as table:
            async with casino.serving(port) as url:
                seat = Seat(casino, url, tmp_path)
                running = await table.enter_async_context(seat.agent(12))
                await running.until(lambda: len(casino.records()) >= 4)
            await running.until(lambda: "no session with the server" in running.agent.why_closed(0))
            async with casino.serving(port):
                await running.task
        agrees(casino, seat)
        assert [decode_record(record).round for record in casino.records()] == list(range(1, 13))

    run(whole())


def test_a_link_cut_with_a_prize_dealt(tmp_path: Path) -> None:
    """The record waits in the spool; when the link is back the hit stands, with the meter last shown (case 26)."""

    async def play(casino: Casino, seat: Seat) -> None:
        casino.swallow = lambda command: command.id.endswith("/4/record/1")
        async with seat.agent(4) as running:
            await running.until(lambda: bool(casino.held))
            shown = running.agent.desk.dealing
            assert isinstance(prompt(shown, running.agent.desk.felt), AwaitPayout)
        assert casino.awards == {}
        casino.held.clear()
        casino.swallow = lambda _command: False
        await seat.play(0)
        assert len(casino.awards) == 1
        agrees(casino, seat)

    casino = scene(tmp_path, play)
    record = next(r for r in map(decode_record, casino.records()) if r.round == 4)
    assert [claim.prize for claim in record.claims or ()] == ["straight_flush"]
    assert record.shown is not None


def test_no_answer_in_time(tmp_path: Path) -> None:
    """The dealer goes on; a later answer lights nothing and is reversed: nothing stays in the pool (case 55)."""
    quick = msgspec.structs.replace(SETTINGS, answer_within_s=0)

    async def play(casino: Casino, seat: Seat) -> None:
        casino.swallow = lambda command: isinstance(command.message, Wagers)
        before = casino.meter_cents
        async with seat.agent(1) as running:
            await running.until(lambda: len(running.agent.desk.outbox) == 2)  # withdraw and record, in this order
            dealing = running.agent.desk.dealing
            assert set(lamps(dealing).values()) <= {"dark"}
            casino.release()
            await running.task
        assert casino.meter_cents == before
        assert casino.wagers == 0
        agrees(casino, seat)
        assert seat.totals()["withdrawn"] == 1

    casino = scene(tmp_path, play, settings=quick)
    kinds = [type(command_of(raw).message) for raw in casino.messages]
    assert kinds == [Wagers, Withdraw, RoundRecord]
    assert all(seat.jackpot_cents is None for seat in decode_record(casino.records()[0]).seats)


def test_a_withdrawal_goes_on_another_connection(tmp_path: Path) -> None:
    """The wagers' connection is gone: the withdrawal goes first on the next, and late wagers are refused (case 55)."""
    quick = msgspec.structs.replace(SETTINGS, answer_within_s=0)

    async def play(casino: Casino, seat: Seat) -> None:
        casino.swallow = lambda command: isinstance(command.message, Wagers)
        async with seat.agent(1) as running:
            await running.until(lambda: len(running.agent.desk.outbox) == 2)
            casino.cut()
            await running.task
        casino.release()
        assert casino.wagers == 0
        agrees(casino, seat)

    scene(tmp_path, play, settings=quick)


def test_other_terms_on_the_felt(tmp_path: Path) -> None:
    """One prize differs: refused with the field named, and nothing is dealt without a journal (11.9)."""

    async def play(casino: Casino, seat: Seat) -> None:
        first, *others = casino.link_terms.pay_table
        seat.terms = replace(casino.link_terms, pay_table=(replace(first, minimum_cents=4_000_000), *others))
        played = await seat.play(5)
        assert played.rounds == 0
        assert played.refusal is not None
        assert played.refusal["code"] == "terms_differ"
        assert [d["field"] for d in played.refusal["differences"]] == ["pay_table.royal_flush.minimum_cents"]

    assert scene(tmp_path, play).records() == []


def test_a_refused_table_hands_its_spool_in(tmp_path: Path) -> None:
    """Refusal closes wagers, never the spool: the record of a round already wagered is taken (PROTOCOL 3)."""

    async def play(casino: Casino, seat: Seat) -> None:
        casino.swallow = lambda command: command.id.endswith("/2/record/1")
        async with seat.agent(2) as running:
            await running.until(lambda: bool(casino.held))
        casino.held.clear()
        casino.swallow = lambda _command: False
        seat.terms = replace(casino.link_terms, retained_ppm=casino.link_terms.retained_ppm - 1)
        played = await seat.play(3)
        assert played.rounds == 3, "the base game plays on"
        assert played.refusal is not None
        agrees(casino, seat)

    casino = scene(tmp_path, play)
    later = [decode_record(record) for record in casino.records()][2:]
    assert [record.round for record in later] == [3, 4, 5]
    assert all(seat.jackpot_cents is None for record in later for seat in record.seats)


def test_an_open_hit_holds_its_table(tmp_path: Path) -> None:
    """No next round while the winning cards lie face up; paid out, play goes on by itself (9.5)."""

    async def play(casino: Casino, seat: Seat) -> None:
        casino.settles_hits = False
        async with seat.agent(6) as running:
            await running.at(AwaitPayout)
            await running.until(lambda: bool(running.agent.desk.dealing.hits))
            number = running.agent.desk.dealing.next_round
            for state in ("pending", "verified", "approved"):
                await running.until(partial(_all_in, running, state))
                assert running.agent.desk.dealing.next_round == number
                assert any("paid out" in reason for reason in running.agent.why_closed(0))
                while casino.settle_hits() and _states_of(casino) == {state}:
                    pass
            casino.settles_hits = True
            await running.task
        agrees(casino, seat)

    with structlog.testing.capture_logs() as logs:
        scene(tmp_path, play)
    waits = [line for line in logs if line["event"] == "waits_for_payout"]
    assert [set(line["hits"].values()) for line in waits[:3]] == [{"pending"}, {"verified"}, {"approved"}]
    for line in (*waits, *(line for line in logs if line["event"] == "payout_over")):
        assert (line["table"], line["link"]) == ("T1", "southern")
        assert line["round"] > 0
        assert line["commit"] > 0
    assert [line["event"] for line in logs if line["event"] in {"waits_for_payout", "payout_over"}][-1] == "payout_over"


def _all_in(running: Running, state: str) -> bool:
    return {hit.state for hit in running.agent.desk.dealing.hits} == {state}


def _states_of(casino: Casino) -> set[str]:
    return {hit.state for hit in casino.state.hits.values()}


def test_a_closed_jackpot_is_waited_for(tmp_path: Path) -> None:
    """A stopped link closes the side bet; a run of so many rounds waits, and plays the same rounds when it is open."""

    async def play(casino: Casino, seat: Seat) -> None:
        casino.status = "stopped"
        async with seat.agent(3) as running:
            await running.at(PlaceWagers, 1)
            await running.until(lambda: "the link is stopped" in running.agent.why_closed(0))
            assert casino.messages == []
            casino.status = "running"
            await running.task
        agrees(casino, seat)

    assert scene(tmp_path, play).wagers > 0


def test_play_goes_on_without_the_jackpot(tmp_path: Path) -> None:
    """A supervisor lets play go on: coins go back, rounds are recorded; once open, wagers are taken again (14.15)."""

    async def play(casino: Casino, seat: Seat) -> None:
        casino.status = "stopped"
        async with seat.agent(None, ends=False, play_on_after_s=0) as running:
            await running.until(lambda: len(casino.records()) >= 3)
            assert casino.wagers == 0
            casino.status = "running"
            await running.until(lambda: casino.wagers > 0)

    scene(tmp_path, play)


def test_offline_rounds_are_handed_in_in_order(tmp_path: Path) -> None:
    """Forty rounds without a link: no jackpot wager; back, the spool drains in order, under its ids (case 25)."""

    async def play(casino: Casino, seat: Seat) -> None:
        await seat.play(1)
        wagers = casino.wagers
        there, seat.url = seat.url, "ws://127.0.0.1:9"
        async with seat.agent(None, ends=False, play_on_after_s=0) as running:
            await running.until(lambda: len(running.agent.desk.outbox) >= 40)
        assert len(casino.records()) == 1
        offline = seat.totals()["unanswered"]
        seat.url = there
        await seat.play(0)
        assert casino.wagers == wagers
        assert len(casino.records()) == 1 + offline
        agrees(casino, seat)

    casino = scene(tmp_path, play)
    numbers = [decode_record(record).round or 0 for record in casino.records()]
    assert numbers == sorted(numbers)
    assert set(casino.heard.values()) == {1}


def test_a_device_that_fails_ends_the_run(tmp_path: Path) -> None:
    """What the shoe's driver raises is raised, not swallowed; the spool stays whole."""

    class Broken(HeldDevice):
        async def respond(self, prompt: DevicePrompt, dealing: Any) -> DeviceInput:
            if isinstance(prompt, Deal):
                raise TableError("The shoe does not answer.", code="shoe")
            return await super().respond(prompt, dealing)

    async def play(_casino: Casino, seat: Seat) -> None:
        with pytest.raises(TableError, match="shoe"):
            await seat.play(1, device=lambda device: Broken(device, lambda _prompt: False))
        await seat.play(1)

    assert len(scene(tmp_path, play).records()) == 1


def test_a_round_voided_while_its_wagers_are_under_way(tmp_path: Path) -> None:
    """The supervisor voids it before the answer: the void takes the wagers' place, nothing is in the pool (14.9)."""

    async def play(casino: Casino, seat: Seat) -> None:
        before = casino.meter_cents
        casino.swallow = lambda command: isinstance(command.message, Wagers) and command.round == 1
        async with seat.agent(2) as running:
            await running.until(lambda: bool(casino.held))
            running.agent.tell(Voided("CSP 15.2", "Sue"))
            await running.until(lambda: running.agent.desk.dealing.next_round == 2)
            casino.cut()
            await running.at(PlaceWagers, 2)
            assert casino.meter_cents == before
            await running.task
        casino.release()
        assert seat.totals()["unanswered"] == 0
        assert seat.totals()["wagers"] == casino.wagers

    casino = scene(tmp_path, play)
    assert [type(command_of(raw).message) for raw in casino.messages][:3] == [Wagers, Void, Wagers]


def test_a_void_under_no_rule_is_not_taken(tmp_path: Path) -> None:
    """A supervisor names a rule that voids nothing: the log says which could, and the round plays on to its record."""

    async def play(casino: Casino, seat: Seat) -> None:
        casino.swallow = lambda command: isinstance(command.message, Wagers) and command.round == 1
        with structlog.testing.capture_logs() as logs:
            async with seat.agent(1) as running:
                await running.until(lambda: bool(casino.held))
                running.agent.tell(Voided("CSP 17.1", "Sue"))
                await running.until(lambda: any(line["event"] == "not_now" for line in logs))
                casino.release()
                await running.task
        (why,) = [line["why"] for line in logs if line["event"] == "not_now"]
        assert why.startswith("CSP 17.1 voids nothing; the whole round is void under CSP 14.1, ")

    casino = scene(tmp_path, play)
    assert [type(command_of(raw).message) for raw in casino.messages] == [Wagers, RoundRecord]
