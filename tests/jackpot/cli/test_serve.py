"""The server as a program: a table, a board and the people at work on one link, and what a kill leaves behind."""

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from msgspec import Raw

from jackpot.wire.codec import decode_answer, encode
from jackpot.wire.messages import Ask, Eject, Hits, RecordAnswer, Refused, WagersAnswer, Welcome
from rules.terms import canonical_bytes, fingerprint
from tests.support.chains import NOTHING, ROYAL, SETTINGS, STRAIGHT_FLUSH, Link
from tests.support.own_time import own_time
from tests.support.served import Floor, floor
from tests.support.serving import LONGEST_S, run
from tests.support.table import TableEnd, vanish
from tests.support.terms import demo_tree
from tests.support.terms_files import terms_file

if TYPE_CHECKING:
    from tests.jackpot.cli.conftest import CommandLine


@pytest.fixture
def opened(jackpot: "CommandLine", tmp_path: Path) -> "CommandLine":
    """The demonstration's link, open, with tables T1 and T2."""
    done = jackpot("link", "open", str(terms_file(tmp_path)), "--by", "Olga", "--second", "Petra")
    assert done.code == 0, done.err
    settings = tmp_path / "settings.json"
    settings.write_text(SETTINGS)
    done = jackpot("table", "enrol", "southern", "T1", "T2", "--by", "Olga", "--settings", str(settings))
    assert done.code == 0, done.err
    return jackpot


def test_a_round_goes_from_the_table_to_the_ledger_and_back_to_the_board(opened: "CommandLine", tmp_path: Path) -> None:
    """Wagers grow the meter, a royal is resolved at once and reseeds it, people settle the hits beside the server."""
    made = Link(months=opened.months)

    async def play() -> None:
        async with floor(opened) as on:
            table = await on.table("T1")
            welcome = await table.hello()
            assert isinstance(welcome, Welcome)
            assert (welcome.journal, welcome.terms) == (1, fingerprint(made.terms))
            accepted = await on.answer(table, made.wagers("T1", 1).raw)
            wagers = decode_answer(accepted.answer)
            assert isinstance(wagers, WagersAnswer)
            assert [seat.accepted for seat in wagers.seats] == [True, True, True]
            state = await on.state_at(accepted.receipt.commit)
            assert state["pools"][0]["cents"] == "5000066"
            recorded = await on.answer(table, made.record("T1", 1, {1: ROYAL, 2: NOTHING, 3: STRAIGHT_FLUSH}).raw)
            record = decode_answer(recorded.answer)
            assert isinstance(record, RecordAnswer)
            amounts = [(line.seat, line.prize, line.amount_cents) for line in record.awards]
            assert amounts == [(3, "straight_flush", 500_006), (1, "royal_flush", 5_000_000)]
            state = await on.state_at(recorded.receipt.commit)
            assert (state["pools"][0]["cents"], state["pools"][0]["epoch"]) == ("5000000", 2)
            assert {hit["state"] for hit in state["hits"]} == {"pending"}
            await settle(on, table)
            found = await on.command("audit")
            assert found["audit"] == "ok", found
            folder = str(tmp_path / "export")
            assert (await on.command("export", folder))["link"] == "southern"
            offline = await on.command("audit", "--export", folder)
            assert (offline["audit"], offline["chains"]) == ("ok", [found["chains"][1]])

    run(play())


async def settle(on: Floor, table: TableEnd) -> None:
    """Have the hits verified, approved and paid by different people, and see the table told."""
    hits = (await on.command("hit", "list"))["hits"]
    assert [hit["hit"] for hit in hits] == ["T1/1/1/3/main", "T1/1/1/1/main"]
    for hit in (each["hit"] for each in hits):
        assert (await on.command("hit", "approve", hit, "--by", "Ann"))["refused"] == "illegal_move"
        assert (await on.command("hit", "verify", hit, "--by", "Ann"))["state"] == "verified"
        assert (await on.command("hit", "approve", hit, "--by", "Ann"))["refused"] == "same_person"
        assert (await on.command("hit", "approve", hit, "--by", "Bob", "--with", "Cy"))["state"] == "approved"
        assert (await on.command("hit", "pay", hit, "--by", "Di"))["state"] == "paid"
        shown = await on.command("hit", "show", hit)
        assert [act["by"] for act in shown["acts"] if act["by"]] == ["Ann", "Bob", "Cy", "Di"]
    assert (await on.command("hit", "list"))["hits"] == []
    commit = (await on.command("link", "show", "southern"))["commit"]
    await on.state_at(commit)
    await table.send(encode(Ask()))
    told = await table.receive()
    assert isinstance(told, Hits)
    assert told.hits == []


def test_a_killed_server_loses_and_doubles_nothing(opened: "CommandLine") -> None:
    """Kill -9 with one message answered and one perhaps not: after the restart each has one answer, counted once."""
    made = Link(months=opened.months)

    async def play() -> None:
        async with floor(opened) as on:
            table = await on.table("T1")
            await table.hello(connection=1)
            first = await on.answer(table, made.wagers("T1", 1).raw)
            second = made.record("T1", 1, {1: NOTHING, 2: "5h 5d 8c Jd Qs", 3: "4h 6s 8d Jc Qd"}).raw
            await table.send(second)
            on.server.kill()
            await on.server.wait()
        async with floor(opened) as on:
            table = await on.table("T1")
            welcome = await table.hello(journal=1, connection=2, next_round=2)
            assert isinstance(welcome, Welcome), welcome
            again = await on.answer(table, made.wagers("T1", 1).raw)
            assert (again.answer, again.receipt) == (first.answer, first.receipt)
            answer = await on.answer(table, second)
            assert (await on.answer(table, second)).receipt == answer.receipt
            state = await on.state_at(answer.receipt.commit)
            assert state["pools"][0]["cents"] == "5000066"
            assert (await on.command("audit"))["audit"] == "ok"

    run(play())


def test_a_table_of_other_terms_is_refused_with_the_prize_named_and_the_others_play_on(opened: "CommandLine") -> None:
    """A pay table that differs in one prize is refused with that prize; another table plays on (case 24)."""
    made = Link(months=opened.months)
    other = canonical_bytes(made.terms).replace(b'"amount_cents":10000', b'"amount_cents":10001')

    async def play() -> None:
        async with floor(opened) as on:
            wrong, right = await on.table("T1"), await on.table("T2")
            refused = await wrong.hello(terms=Raw(other))
            assert isinstance(refused, Refused)
            fields = [(each.field, each.table, each.link) for each in refused.differences]
            assert fields == [("pay_table.flush.amount_cents", "10001", "10000")]
            assert isinstance(await right.hello(), Welcome)
            await on.answer(right, made.wagers("T2", 1).raw)

    run(play())


def test_the_later_of_two_rounds_makes_a_dispute_that_two_people_end(opened: "CommandLine") -> None:
    """A prize of a round accepted earlier and recorded later disputes both hits; two people with a reason end it."""
    made = Link(months=opened.months)

    async def play() -> None:
        async with floor(opened) as on:
            first, second = await on.table("T1"), await on.table("T2")
            await first.hello()
            await second.hello()
            await on.answer(first, made.wagers("T1", 1).raw)
            await on.answer(second, made.wagers("T2", 1).raw)
            dealt = {1: NOTHING, 2: STRAIGHT_FLUSH, 3: "5c 5d 8c Jd Qs"}
            await on.answer(second, made.record("T2", 1, dealt).raw)
            hit = "T2/1/1/2/main"
            assert (await on.command("hit", "verify", hit, "--by", "Ann"))["state"] == "verified"
            waits = await on.command("hit", "approve", hit, "--by", "Bob", "--with", "Cy")
            assert (waits["refused"], waits["value"]) == ("round_open", "T1/1/1")
            await on.answer(first, made.record("T1", 1, dealt).raw)
            listed = (await on.command("hit", "list"))["hits"]
            assert {each["state"] for each in listed} == {"disputed"}
            ended = await on.command(
                "hit", "resolve", hit, "--by", "Di", "--with", "Ed", "--reason", "the order of commits holds"
            )
            assert ended["state"] == "pending"

    run(play())


def test_new_terms_eject_the_tables_of_the_old(opened: "CommandLine", tmp_path: Path) -> None:
    """When new terms hold, a table that shows the old ones is ejected and refused with every field named (11.9)."""

    async def play() -> None:
        async with floor(opened) as on:
            table = await on.table("T1")
            await table.hello(connection=1)
            prizes = demo_tree()["pay_table"]
            prizes["flush"]["amount_cents"] = 10_100
            newer = terms_file(tmp_path, "2.json", version=2, pay_table=prizes)
            await on.command("link", "terms", str(newer), "--by", "Olga", "--second", "Petra")
            ejected = await table.receive()
            assert isinstance(ejected, Eject)
            assert ejected.code == "terms_differ"
            again = await on.table("T1")
            refused = await again.hello(connection=2, journal=1, next_round=1)
            assert isinstance(refused, Refused)
            fields = {each.field for each in refused.differences}
            assert fields == {"version", "pay_table.flush.amount_cents"}

    run(play())


def test_the_server_ends_in_time_with_boards_and_tables_connected(opened: "CommandLine") -> None:
    """SIGTERM with boards and tables connected: everyone is told, exit code 0 within five seconds (case 34)."""

    async def play() -> None:
        async with floor(opened) as on:
            table = await on.table("T1")
            await table.hello()
            silent = await on.table("T2")
            vanish(silent.socket)
            feeds = [await on.client.get("/boards/southern/feed") for _ in range(20)]
            on.server.send_signal(signal.SIGTERM)
            assert await table.closed() == 1001
            for feed in feeds:
                await feed.content.read()
            with own_time() as passed:
                assert await on.server.wait() == 0
                assert passed() < 5

    run(play())


def test_ready_says_what_is_not(jackpot: "CommandLine", servers: Any) -> None:
    """Without a Postgres the server runs, says that it is not ready and why, and is alive."""
    away = type(jackpot)(f"postgresql://service@/none?host={servers.socket_dir}", servers.redis_url, jackpot.keys)

    async def play() -> None:
        async with floor(away) as on:
            async with on.client.get("/healthz") as answer:
                assert answer.status == 200
            async with on.client.get("/readyz") as answer:
                assert answer.status == 503
                told = await answer.json()
            assert told["ready"] is False
            assert "none" in told["checks"]["site"]
            async with on.client.get("/metrics") as answer:
                assert "jackpot_redis_up" in await answer.text()

    run(play())


def test_a_link_opened_while_the_server_runs_begins_by_itself(jackpot: "CommandLine", tmp_path: Path) -> None:
    """A link and a table that appear later are served without a restart."""

    async def play() -> None:
        async with floor(jackpot) as on:
            async with on.client.get("/boards/southern") as answer:
                assert answer.status == 404
            await on.command("link", "open", str(terms_file(tmp_path)), "--by", "Olga", "--second", "Petra")
            await on.command("table", "enrol", "southern", "T1", "--by", "Olga")
            while True:
                async with on.client.get("/readyz") as answer:
                    if "link/southern" in (await answer.json())["checks"] and answer.status == 200:
                        return
                await asyncio.sleep(0.05)

    run(play())


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("--listen", "nowhere"), "nowhere"),
        (("--log-form", "xml"), "xml"),
        (("--config", "/nowhere.toml"), "/nowhere.toml"),
    ],
)
def test_a_wrong_setting_ends_the_server_with_its_name(
    jackpot: "CommandLine", arguments: tuple[str, ...], named: str
) -> None:
    """A setting that cannot be used is named, exit code 2."""
    done = jackpot.program("serve", *arguments)
    assert (done.code, named in done.err) == (2, True)


def test_a_port_in_use_is_said_before_a_ledger_is_started(tmp_path: Path) -> None:
    """Exit code 2 names address and option, and no folder was made for a Postgres that nobody will reach."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        done = subprocess.run(
            [sys.executable, "-m", "jackpot", "serve", "--data", str(tmp_path / "d"), "--listen", address],
            capture_output=True, text=True, check=False, timeout=300,
        )  # fmt: skip
    assert done.returncode == 2
    assert f"cannot listen on {address}: " in done.stderr
    assert "name another address, --listen HOST:PORT" in done.stderr
    assert not (tmp_path / "d").exists()


def test_the_embedded_servers_of_a_data_folder_are_enough(tmp_path: Path) -> None:
    """`--data` alone opens a link, serves it, and ends with nothing left running."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("JACKPOT_")}
    data = tmp_path / "d"

    def program(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "jackpot", *arguments, "--data", str(data), "--json"]
        return subprocess.run(command, capture_output=True, text=True, check=False, timeout=300, env=environment)

    done = program("link", "open", str(terms_file(tmp_path)), "--by", "Olga", "--second", "Petra")
    assert done.returncode == 0, done.stderr
    command = [sys.executable, "-m", "jackpot", "serve", "--data", str(data), "--listen", "127.0.0.1:0", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment) as server:
        assert server.stdout is not None
        assert json.loads(server.stdout.readline())["pid"] == server.pid
        found = program("audit")
        assert json.loads(found.stdout)["audit"] == "ok", found.stderr
        server.send_signal(signal.SIGTERM)
        assert server.wait(LONGEST_S) == 0
    assert not (data / "embedded" / "state.json").exists()
