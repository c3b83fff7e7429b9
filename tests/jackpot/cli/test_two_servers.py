"""Two servers of one ledger: one paused, a table that moves between them, people beside both, a stop that holds."""

import asyncio
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from jackpot.web.table_connection import HEAR_AGAIN, REPLACED
from jackpot.wire.codec import decode_answer
from jackpot.wire.messages import Answer, ByPeople, Later, RefusedAnswer, RoundNow, Welcome, WithdrawAnswer
from tests.support.chains import NOTHING, SETTINGS, STRAIGHT_FLUSH, Link
from tests.support.served import Floor, floor
from tests.support.serving import run
from tests.support.table import TableEnd
from tests.support.terms_files import terms_file

if TYPE_CHECKING:
    from tests.jackpot.cli.conftest import CommandLine

LOST = {1: NOTHING, 2: "4h 6s 8d Jc Qd", 3: "5h 5d 8c Jd Qs"}
FLUSH = {1: NOTHING, 2: STRAIGHT_FLUSH, 3: "5c 5d 8c Jd Qs"}


@pytest.fixture
def opened(jackpot: "CommandLine", tmp_path: Path) -> "CommandLine":
    """The demonstration's link, open, with tables T1 and T2."""
    settings = tmp_path / "settings.json"
    settings.write_text(SETTINGS)
    for words in (
        ("link", "open", str(terms_file(tmp_path)), "--by", "Olga", "--second", "Petra"),
        ("table", "enrol", "southern", "T1", "T2", "--by", "Olga", "--settings", str(settings)),
    ):
        done = jackpot(*words)
        assert done.code == 0, done.err
    return jackpot


@asynccontextmanager
async def two(jackpot: "CommandLine") -> AsyncIterator[tuple[Floor, Floor]]:
    """Two servers of the ledger."""
    async with floor(jackpot) as first, floor(jackpot) as second:
        yield first, second


async def welcome(on: Floor, table: str, **said: Any) -> TableEnd:
    """A table that is welcomed at a server."""
    end = await on.table(table)
    word = await end.hello(**said)
    assert isinstance(word, Welcome), word
    return end


async def cents(on: Floor) -> str:
    """The meter that a server shows."""
    shown: str = (await on.state())["pools"][0]["cents"]
    return shown


def code_of(answer: Answer) -> str:
    """The code of a refusal."""
    read = decode_answer(answer.answer)
    assert isinstance(read, RefusedAnswer), read
    return read.code


def test_a_paused_server_that_wakes_commits_nothing_a_table_has_withdrawn(opened: "CommandLine") -> None:
    """Case 55: wagers lie at a server that stands still; withdrawn at another, they are refused when it wakes."""
    made = Link(months=opened.months)

    async def play() -> None:
        async with two(opened) as (first, second):
            paused = await welcome(first, "T1", connection=1)
            await first.answer(paused, made.wagers("T1", 1).raw)
            await first.answer(paused, made.record("T1", 1, LOST).raw)
            first.server.send_signal(signal.SIGSTOP)
            try:
                await paused.send(made.wagers("T1", 2).raw)
                table = await welcome(second, "T1", journal=1, connection=2, next_round=3)
                gone = await second.answer(table, made.withdraw("T1", 2).raw)
                withdrawn = decode_answer(gone.answer)
                assert isinstance(withdrawn, WithdrawAnswer)
                assert withdrawn.seats == []
            finally:
                first.server.send_signal(signal.SIGCONT)
            late = await paused.receive()
            assert isinstance(late, Answer), late
            assert code_of(late) == "round_withdrawn"
            assert code_of(await second.answer(table, made.wagers("T1", 2).raw)) == "round_withdrawn"
            await paused.closed()
            record = made.record("T1", 2, {1: NOTHING, 2: STRAIGHT_FLUSH, 3: "5c 5d 8c Jd Qs"}, accepted=())
            recorded = await second.answer(table, record.raw)
            for on in (first, second):
                assert (await on.state_at(recorded.receipt.commit))["pools"][0]["cents"] == "5000066"
            assert (await second.command("audit"))["audit"] == "ok"

    run(play())


def test_a_table_moves_and_people_act_beside_two_servers(opened: "CommandLine") -> None:
    """A newer connection elsewhere is the table; acts posted by commands show at both; one of two at once is first."""
    made = Link(months=opened.months)

    async def play() -> None:
        async with two(opened) as (first, second):
            older = await welcome(first, "T1", connection=1)
            await first.answer(older, made.wagers("T1", 1).raw)
            table = await welcome(second, "T1", journal=1, connection=2, next_round=2)
            recorded = await second.answer(table, made.record("T1", 1, FLUSH).raw)
            await older.closed()
            assert (await first.state_at(recorded.receipt.commit))["hits"][0]["hit"] == "T1/1/1/2/main"
            hit = "T1/1/1/2/main"
            asked = ("hit", "verify", hit, "--json", "--by")
            told = await asyncio.gather(*[opened.beside(*asked, name) for name in ("Ann", "Bob")])
            assert sorted(str(one.object.get("state", one.object.get("refused"))) for one in told) == [
                "illegal_move",
                "verified",
            ]
            commit = (await first.command("link", "show", "southern"))["commit"]
            for on in (first, second):
                assert (await on.state_at(commit))["hits"][0]["state"] == "verified"
            both = await asyncio.gather(
                first.answer(await welcome(first, "T2", connection=1), made.wagers("T2", 1).raw),
                second.answer(table, made.wagers("T1", 1).raw),
            )
            assert both[1].receipt.commit < both[0].receipt.commit
            assert (await second.command("audit"))["audit"] == "ok"

    run(play())


def test_a_new_spool_at_one_server_ends_the_old_one_at_another(opened: "CommandLine") -> None:
    """Its connections are numbered from 1 again; the old agent is not left with wagers that are all refused."""
    made = Link(months=opened.months)

    async def play() -> None:
        async with two(opened) as (first, second):
            old = await welcome(first, "T1", connection=7)
            await first.answer(old, made.wagers("T1", 1).raw)
            await first.answer(old, made.record("T1", 1, FLUSH).raw)
            await first.command("table", "journal", "T1", "--by", "Sue", "--reason", "a new disk")
            new = await second.table("T1")
            word = await new.hello(spool="ee" * 16, connection=1)
            assert isinstance(word, Welcome), word
            assert word.journal == 2
            assert await old.closed() == REPLACED

    run(play())


def test_a_stop_by_hand_holds_in_every_server_and_after_a_restart(opened: "CommandLine") -> None:
    """Stopped: both refuse for now, boards and /readyz say so, a new server too; lifted by two, all take again."""
    made = Link(months=opened.months)

    async def refuses(on: Floor, end: TableEnd) -> None:
        await end.send(made.wagers(end.table, 1).raw)
        later = await end.receive()
        assert isinstance(later, Later), later
        assert later.code == "link_stopped"
        await says(on, "stopped")

    async def says(on: Floor, status: str) -> None:
        while (await on.state())["status"] != status:
            pass
        while ((await ready(on))[0] == 503) != (status == "stopped"):
            pass  # each server says it once it has read the ledger itself
        assert ("the link is stopped" in (await ready(on))[1]) == (status == "stopped")

    async def ready(on: Floor) -> tuple[int, str]:
        async with on.client.get("/readyz") as told:
            return told.status, await told.text()

    async def play() -> None:
        async with floor(opened) as stays:
            at_stays = await welcome(stays, "T1", connection=1)
            async with floor(opened) as goes:
                at_goes = await welcome(goes, "T2", connection=1)
                stopped = await stays.command("link", "stop", "southern", "--by", "Ann", "--reason", "a wrong sign")
                assert stopped["stopped_for"] == "Ann: a wrong sign"
                await refuses(stays, at_stays)
                await refuses(goes, at_goes)
            async with floor(opened) as again:
                word = await (await again.table("T2")).hello(journal=1, connection=2)
                assert getattr(word, "code", "") == "link_stopped", word
                await says(again, "stopped")
                lifted = await again.command(
                    "link", "lift", "southern", "--by", "Ann", "--with", "Bob", "--reason", "the sign is right"
                )
                assert lifted["lifted"]
                await says(again, "running")
                table = await welcome(again, "T2", journal=1, connection=3)
                await again.answer(table, made.wagers("T2", 1).raw)
                answer = await stays.answer(at_stays, made.wagers("T1", 1).raw)
                assert (await stays.state_at(answer.receipt.commit))["status"] == "running"
                assert await cents(stays) == "5000132"

    run(play())


def test_a_table_hears_what_people_did_to_its_round(opened: "CommandLine") -> None:
    """Two people void a seat, then the round: its connection is ended each time, and its next hello tells it."""
    made = Link(months=opened.months)
    people = ("--by", "Ann", "--with", "Ben", "--reason", "film")
    mine: dict[str, Any] = {"journal": 1, "next_round": 2}

    async def play() -> None:
        async with two(opened) as (first, second):
            table = await welcome(first, "T1", connection=1)
            await first.answer(table, made.wagers("T1", 1).raw)
            told = await first.command("round", "void", "T1", "1", "--rule", "14.8", "--seat", "2", *people)
            assert told["seats"] == [2]
            assert await table.closed() == HEAR_AGAIN
            table = await second.table("T1")
            word = await table.hello(connection=2, **mine)
            assert isinstance(word, Welcome)
            seat = ByPeople("void", "CSP 14.8", "Ann", "Ben", [2])
            assert word.round == RoundNow(1, 1, "open", [1, 3], [seat])
            forfeit = ("--forfeit", "3", "--directed-by", "Sue", "--direction", "fraud")
            await first.command("round", "void", "T1", "1", "--rule", "16.6", *forfeit, *people)
            assert await table.closed() == HEAR_AGAIN
            table = await first.table("T1")
            word = await table.hello(connection=3, **mine)
            assert isinstance(word, Welcome)
            assert word.round is not None
            assert (word.round.state, word.round.seats) == ("voided", [])
            assert word.round.people == [seat, ByPeople("void", "CSP 16.6", "Ann", "Ben", [], [3])]
            record = made.record("T1", 1, FLUSH)
            assert code_of(await first.answer(table, record.raw)) == "round_voided"
            await first.answer(table, made.wagers("T1", 2).raw)
            assert (await second.command("audit"))["audit"] == "ok"

    run(play())


async def elsewhere(on: Floor, table: str) -> str:
    """Whether a table is at another server, as this one counts it now."""
    async with on.client.get("/metrics") as told:
        (line,) = [
            each for each in (await told.text()).splitlines() if f'_elsewhere{{link="southern",table="{table}"' in each
        ]
    return line.rpartition(" ")[2]


async def fact(on: Floor, table: str, state: str, said: str) -> None:
    """Wait until `/duty` says so of a table, in that state."""
    while True:
        async with on.client.get("/duty/now") as told:
            answers = (await told.json())["answers"]
        for each in [one for answer in answers for one in answer["facts"]]:
            if (each["what"], each["state"]) == (f"Table {table}", state) and said in each["now"]:
                return
        await asyncio.sleep(0.2)  # the page's own counts are ten seconds apart


def test_a_table_that_plays_at_another_server_is_missed_at_its_own_alone(opened: "CommandLine") -> None:
    """`/duty` warns of no table that went to another server which is up; it does where the table left last."""
    made = Link(months=opened.months)

    async def play() -> None:
        async with floor(opened) as first:
            async with floor(opened) as second:
                older = await welcome(first, "T1", connection=1)
                await first.answer(older, made.wagers("T1", 1).raw)
                assert await elsewhere(first, "T1") == "0.0"
                table = await welcome(second, "T1", journal=1, connection=2, next_round=2)
                await second.answer(table, made.record("T1", 1, LOST).raw)
                await older.closed()
                assert await elsewhere(second, "T1") == "0.0"
                while await elsewhere(first, "T1") != "1.0":
                    pass
                await fact(first, "T1", "ok", "another server is up")
                await table.socket.close()
                await fact(second, "T1", "warn", "not connected here")
            while await elsewhere(first, "T1") != "0.0":  # nobody else beats: who is not here is nowhere
                pass
            await fact(first, "T1", "warn", "not connected here")

    run(play())
