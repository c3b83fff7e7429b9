"""A table's connection: what is answered, what is refused, and who is the table."""

import asyncio

import pytest
from aiohttp import WSCloseCode
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from prometheus_client import generate_latest

from jackpot.core.answers import ConnectedAnswer, HelloRefusedAnswer
from jackpot.core.ports import Reply
from jackpot.web.table_connection import REPLACED
from jackpot.wire.codec import encode
from jackpot.wire.messages import (
    Answer,
    Ask,
    Eject,
    FieldDifference,
    HitNow,
    Hits,
    Refused,
    RoundNow,
    SeatAnswer,
    WagersAnswer,
    Welcome,
)
from jackpot.wire.refusals import Refusal
from tests.support.links import RECEIPT
from tests.support.own_time import own_time
from tests.support.serving import eventually, run
from tests.support.table import table_end, vanish, wagers
from tests.support.tables_scene import scene

HIT = HitNow("T1/1/17/3/main", "royal_flush", "pending", 6_000_000)
ACCEPTED = WagersAnswer([SeatAnswer(1, True)])


def test_a_hello_is_submitted_and_welcomed() -> None:
    """A hello signed by the enrolled key is decided with the gaming month, and welcomed with what a table needs."""

    async def play() -> None:
        async with scene() as on:
            table = await on.end()
            welcome = await table.hello(connection=3)
            assert isinstance(welcome, Welcome)
            assert (welcome.table, welcome.link, welcome.journal, welcome.connection) == ("T1", "southern", 1, 3)
            assert welcome.link_key == on.link.link_key
            assert welcome.receipt == RECEIPT
            assert [(hello.month, hello.alive) for hello in on.link.connects] == [("2026-11", False)]
            assert on.metric("jackpot_tables_connected", link="southern") == 1

    run(play())


def test_a_hello_of_a_strangers_key_reaches_no_inbox() -> None:
    """A hello that the enrolled key did not sign is refused and the connection ends."""

    async def play() -> None:
        async with scene() as on:
            table = await on.end()
            refused = await table.hello(key=Ed25519PrivateKey.generate())
            assert isinstance(refused, Refused)
            assert refused.code == "wrong_key"
            await table.closed()
            assert on.link.connects == []

    run(play())


def test_a_challenge_is_never_used_twice() -> None:
    """A hello recorded from one connection is refused on another: it signed another challenge."""

    async def play() -> None:
        async with scene() as on:
            first = await on.end()
            await first.hello()
            second = await on.end()
            await second.receive()
            await second.send(first.sent[0])
            refused = await second.receive()
            assert isinstance(refused, Refused)
            assert refused.code == "wrong_key"

    run(play())


def test_bogus_tables_are_refused_and_make_no_series() -> None:
    """Any number of tables the site does not know is refused, and the metrics do not grow (case 36)."""

    async def play() -> None:
        async with scene() as on:

            async def knock(number: int) -> None:
                table = await table_end(on.client, f"bogus{number}", Ed25519PrivateKey.generate())
                refused = await table.hello()
                assert isinstance(refused, Refused)
                assert refused.code == "not_enrolled"

            await knock(0)
            before = generate_latest(on.telemetry.registry).count(b"\n")
            for number in range(200):
                await knock(number)
            assert generate_latest(on.telemetry.registry).count(b"\n") == before
            assert len(on.tables) == 0

    run(play())


def test_a_refused_table_is_told_every_difference_and_may_still_hand_in() -> None:
    """Refusal at hello closes wagers, never the spool: differences are named, and what is sent is still submitted."""
    differences = [FieldDifference("pay_table.flush.amount_cents", "10001", "10000")]

    async def play() -> None:
        async with scene() as on:
            refusal = HelloRefusedAnswer("terms_differ", "the terms differ", "CSP 11.9", differences, 4)
            on.link.hello_reply = lambda _: Reply("", encode(refusal), RECEIPT)
            table = await on.end()
            refused = await table.hello()
            assert refused == Refused("terms_differ", "the terms differ", differences, 4, "2026-11")
            assert on.metric("jackpot_tables_connected", link="southern") == 0
            await table.send(encode(wagers()))
            await on.arrived()

    run(play())


@pytest.mark.parametrize(
    ("answer", "word"),
    [
        (ConnectedAnswer(1, 1, 17, "7e"), Welcome),
        (HelloRefusedAnswer("terms_differ", "the terms differ"), Refused),
    ],
)
def test_the_word_on_a_hello_tells_how_the_last_round_stands(
    answer: ConnectedAnswer | HelloRefusedAnswer, word: type[Welcome | Refused]
) -> None:
    """In version 3, welcomed and refused; an older table is sent no field that it cannot read."""
    now = RoundNow(1, 17, "withdrawn")

    async def play() -> None:
        async with scene() as on:
            on.link.hello_reply = lambda _: Reply("", encode(answer), RECEIPT, round=now)
            for protocols, told in (([1, 2, 3], now), ([1, 2], None)):
                said = await (await on.end()).hello(protocols=protocols)
                assert isinstance(said, word)
                assert said.round == told

    run(play())


def test_a_hello_while_the_ledger_is_away_is_put_off() -> None:
    """A hello that cannot be decided is refused with the later code, and the connection ends: the table asks again."""

    async def play() -> None:
        async with scene() as on:
            on.link.hello_reply = lambda _: Reply("", b"", None, Refusal.LEDGER_UNREACHABLE)
            table = await on.end()
            refused = await table.hello()
            assert isinstance(refused, Refused)
            assert refused.code == "ledger_unreachable"
            await table.closed()

    run(play())


def test_a_newer_connection_ends_the_older() -> None:
    """The newer connection of a table is the table; the older is ended with its own code, and was seen alive."""

    async def play() -> None:
        async with scene() as on:
            older, newer = await on.end(), await on.end()
            await older.hello(connection=1)
            ended = asyncio.create_task(older.closed())
            assert isinstance(await newer.hello(connection=2), Welcome)
            assert await ended == REPLACED
            assert [hello.alive for hello in on.link.connects] == [False, True]
            assert on.metric("jackpot_tables_connected", link="southern") == 1
            await newer.send(encode(wagers()))
            await on.arrived()

    run(play())


def test_a_connection_that_vanished_is_not_called_alive() -> None:
    """A table that lost its connection and comes again is no second agent: the older one is not alive."""

    async def play() -> None:
        async with scene() as on:
            older = await on.end()
            await older.hello(connection=1)
            vanish(older.socket)
            newer = await on.end()
            assert isinstance(await newer.hello(connection=2), Welcome)
            assert [hello.alive for hello in on.link.connects] == [False, False]

    run(play())


def test_an_answer_to_a_lost_connection_is_nobodys() -> None:
    """A reply for a connection that ended goes nowhere and harms nothing; the table asks again (case 32)."""

    async def play() -> None:
        async with scene() as on:
            table = await on.end()
            await table.hello()
            await table.send(encode(wagers()))
            await on.arrived()
            vanish(table.socket)
            again = await on.end()
            await again.hello(connection=2)
            on.link.answer(ACCEPTED)
            await again.send(encode(wagers()))
            await on.arrived()
            on.link.answer(ACCEPTED)
            assert isinstance(await again.receive(), Answer)

    run(play())


def test_the_server_ends_with_everything_connected() -> None:
    """All connections are told that the server goes, in bounded time (case 34)."""

    async def play() -> None:
        async with scene() as on:
            first, second = await on.end("T1"), await on.end("T2")
            await first.hello()
            await second.hello()
            ends = [asyncio.create_task(end.closed()) for end in (first, second)]
            with own_time() as passed:
                await on.connections.close_all()
                assert passed() < 5
            assert [await end for end in ends] == [1001, 1001]
            await eventually(lambda: len(on.connections) == 0)

    run(play())


@pytest.mark.parametrize("why", ["terms_differ", "quarantined", "hello_again"])
def test_a_table_that_is_no_longer_linked_is_ejected(monkeypatch: pytest.MonkeyPatch, why: str) -> None:
    """A connection that is the table no more is told why and ended; the others play on (case 24)."""
    monkeypatch.setattr("jackpot.web.tables.LOOK_EVERY_S", 0.01)

    async def play() -> None:
        async with scene() as on:
            looking = asyncio.create_task(on.tables.keep_looking())
            first, second = await on.end("T1"), await on.end("T2")
            await first.hello(connection=3)
            await second.hello(connection=3)
            on.link.standings["T1", 3] = why
            ejected = await first.receive()
            assert isinstance(ejected, Eject)
            assert ejected.code == why
            assert await first.closed() == REPLACED
            await second.send(encode(Ask()))
            assert isinstance(await second.receive(), Hits)
            looking.cancel()

    run(play())


def test_a_table_of_which_nothing_is_heard_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that hangs, or is cut off behind a proxy, is not called connected; one that speaks is."""
    monkeypatch.setattr("jackpot.web.tables.LOOK_EVERY_S", 0.01)
    monkeypatch.setattr("jackpot.web.tables.SILENT_AFTER_S", 1.0)

    async def play() -> None:
        async with scene() as on:
            looking = asyncio.create_task(on.tables.keep_looking())
            hangs, speaks = await on.end("T1"), await on.end("T2")
            await hangs.hello(connection=3)
            await speaks.hello(connection=3)
            while "T1" in on.tables.connected():
                await speaks.send(encode(Ask()))
                assert isinstance(await speaks.receive(), Hits)
            assert await hangs.closed() == WSCloseCode.GOING_AWAY
            assert on.tables.connected().keys() == {"T2"}
            looking.cancel()

    run(play())


def test_a_connection_replaced_at_another_process_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    """A newer connection that another process accepted ends the older one here without an ejection (PROTOCOL 1)."""
    monkeypatch.setattr("jackpot.web.tables.LOOK_EVERY_S", 0.01)

    async def play() -> None:
        async with scene() as on:
            looking = asyncio.create_task(on.tables.keep_looking())
            table = await on.end("T1")
            await table.hello(connection=3)
            on.link.standings["T1", 3] = "replaced"
            assert await table.closed() == REPLACED
            looking.cancel()

    run(play())


def test_two_agents_that_fight_from_two_processes_are_seen_to(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who was alive when another process replaced it, and comes back at once, is told as a takeover (PROTOCOL 1)."""
    monkeypatch.setattr("jackpot.web.tables.LOOK_EVERY_S", 0.01)

    async def play() -> None:
        async with scene() as on:
            looking = asyncio.create_task(on.tables.keep_looking())
            original = await on.end("T1")
            await original.hello(connection=3)
            on.link.standings["T1", 3] = "replaced"
            assert await original.closed() == REPLACED
            back = await on.end("T1")
            await back.hello(connection=5)
            assert [hello.alive for hello in on.link.connects] == [False, True]
            vanish(back.socket)
            on.link.standings["T1", 5] = "replaced"
            await eventually(lambda: on.tables.connected() == {})
            await (await on.end("T1")).hello(connection=7)
            assert on.link.connects[-1].alive is False, "one whose network went is no second agent"
            looking.cancel()

    run(play())
