"""What a table hears at its hello of what people did to its round, and which hello counts."""

import asyncio
from typing import Any

import pytest
from msgspec import Raw

from jackpot.core.ports import UnreachableError
from jackpot.web.table_connection import HEAR_AGAIN
from jackpot.wire.codec import encode
from jackpot.wire.messages import ByPeople, Challenge, Hello, Refused, RoundNow, Welcome
from jackpot.wire.signing import hello_bytes
from tests.support.links import ScriptedPeople
from tests.support.serving import eventually, run
from tests.support.table import vanish
from tests.support.tables_scene import scene

BY = ByPeople("void", "CSP 16.5", "Ann", "Ben")
OVER, OPEN = RoundNow(1, 17, "voided"), RoundNow(1, 17, "open", [3, 5])
MINE: dict[str, Any] = {"journal": 1, "next_round": 18}


@pytest.mark.parametrize(
    ("protocols", "next_round", "told"),
    [([1, 2, 3, 4], 18, [BY]), ([1, 2, 3], 18, []), ([1, 2, 3, 4], 17, []), ([1, 2], 18, None)],
)
def test_a_table_is_told_what_people_did(protocols: list[int], next_round: int, told: list[ByPeople] | None) -> None:
    """From version 4 on, of the spool's own last round; an older table is sent no field that it cannot read."""

    async def play() -> None:
        async with scene() as on:
            people = on.link.receipts = ScriptedPeople([BY])
            on.link.hello_round = OVER
            word = await (await on.end()).hello(protocols=protocols, journal=1, next_round=next_round)
            assert isinstance(word, Welcome)
            assert (word.round and word.round.people) == told
            assert people.asked == ([("T1", 1, "2026-11", 17)] if told else [])

    run(play())


def test_a_hello_is_put_off_while_what_people_did_cannot_be_read() -> None:
    """Without that a table would take its round for one whose rows it has lost, and stop."""

    async def play() -> None:
        async with scene() as on:
            on.link.receipts = ScriptedPeople(UnreachableError("away"))
            on.link.hello_round = OVER
            table = await on.end()
            word = await table.hello(**MINE)
            assert isinstance(word, Refused)
            assert (word.code, word.round) == ("ledger_unreachable", None)
            await table.closed()
            assert len(on.tables) == 0

    run(play())


@pytest.mark.parametrize(("protocols", "ended"), [([1, 2, 3, 4], True), ([1, 2, 3], False)])
def test_people_end_the_round_of_a_table_that_is_connected(
    monkeypatch: pytest.MonkeyPatch, protocols: list[int], *, ended: bool
) -> None:
    """Its connection is ended, without an ejection, so that its next hello tells it; an older table goes on."""
    monkeypatch.setattr("jackpot.web.tables.LOOK_EVERY_S", 0.01)

    async def play() -> None:
        async with scene() as on:
            looking = asyncio.create_task(on.tables.keep_looking())
            on.link.receipts = ScriptedPeople([])
            on.link.hello_round = on.link.rounds_now["T1"] = OPEN
            table = await on.end()
            assert isinstance(await table.hello(protocols=protocols, **MINE), Welcome)
            on.link.rounds_now["T1"] = OVER
            if ended:
                assert await table.closed() == HEAR_AGAIN
                assert on.metric("jackpot_tables_ejected_total", link="southern", code="round_amended") == 1
                on.link.hello_round, on.link.receipts = OVER, ScriptedPeople([BY])
                again = await on.end()
                word = await again.hello(connection=2, **MINE)
                assert isinstance(word, Welcome)
                assert word.round == RoundNow(1, 17, "voided", [], [BY])
                table = again
            looked = on.link.looked
            await eventually(lambda: on.link.looked > looked + 2)
            assert not table.socket.closed
            assert len(on.tables) == 1
            looking.cancel()

    run(play())


def test_a_hello_whose_table_has_left_is_not_decided() -> None:
    """One that was long on its way is of before: it uses up no word, and its number quarantines nobody (PROTOCOL 1)."""

    async def play() -> None:
        async with scene() as on:
            table = await on.end()
            challenge = await table.receive()
            assert isinstance(challenge, Challenge)
            body = encode(table.body())
            signature = table.key.sign(hello_bytes(bytes.fromhex(challenge.nonce), body))
            await table.send(encode(Hello(Raw(body), signature.hex())))
            vanish(table.socket)
            await eventually(lambda: len(on.connections) == 0)
            assert on.link.connects == []

    run(play())


def test_a_hello_for_whose_word_no_table_waits_any_more_is_not_decided(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that stood still cannot see that a table left over a network that was down: it knows by the time."""
    monkeypatch.setattr("jackpot.web.tables.WORD_WITHIN_S", -1.0)

    async def play() -> None:
        async with scene() as on:
            word = await (await on.end()).hello(**MINE)
            assert isinstance(word, Refused)
            assert word.code == "busy"
            assert on.link.connects == []

    run(play())
