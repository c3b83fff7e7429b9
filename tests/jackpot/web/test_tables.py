"""A table's connection: what is answered, what is refused, and who is the table."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import aiohttp
import pytest
from aiohttp import web
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec import Raw
from prometheus_client import generate_latest

from jackpot.core.answers import HelloRefusedAnswer
from jackpot.core.commands import MoveHit, OpenSite
from jackpot.core.ports import Reply
from jackpot.serving.application import new_application
from jackpot.serving.running import Connections
from jackpot.telemetry import Telemetry
from jackpot.web.tables import REPLACED, Tables
from jackpot.wire.codec import encode
from jackpot.wire.messages import (
    Answer,
    Ask,
    BadFrame,
    FieldDifference,
    HitNow,
    Hits,
    Later,
    Refused,
    SeatAnswer,
    Signed,
    WagersAnswer,
    Welcome,
)
from jackpot.wire.refusals import Refusal
from jackpot.wire.signing import signed_bytes
from tests.support.links import RECEIPT, ScriptedDirectory, ScriptedLink
from tests.support.serving import asking, run
from tests.support.table import TableEnd, table_end, vanish, wagers

HIT = HitNow("T1/1/17/3/main", "royal_flush", "pending", 6_000_000)
ACCEPTED = WagersAnswer([SeatAnswer(1, True)])


@dataclass
class Scene:
    """A server of tables with one scripted link, and a client."""

    link: ScriptedLink
    directory: ScriptedDirectory
    tables: Tables
    telemetry: Telemetry
    client: aiohttp.ClientSession
    connections: Connections

    async def end(self, table: str = "T1") -> TableEnd:
        """Another connection of a table."""
        return await table_end(self.client, table, self.directory.tables[table])

    async def arrived(self, count: int = 1) -> None:
        """Wait until so many commands are in the inbox."""
        came = asyncio.Event()
        self.link.arrived = lambda: came.set() if len(self.link.inbox) >= count else None
        self.link.arrived()
        await came.wait()

    def metric(self, name: str, **labels: str) -> float | None:
        """A series' value."""
        return self.telemetry.registry.get_sample_value(name, labels)


@asynccontextmanager
async def scene() -> AsyncIterator[Scene]:
    """Serve tables T1 and T2 of a scripted link."""
    directory = ScriptedDirectory(tables={name: Ed25519PrivateKey.generate() for name in ("T1", "T2")})
    telemetry, connections = Telemetry(), Connections()
    telemetry.opened("southern")
    tables = Tables(directory, connections, telemetry)
    app: web.Application = new_application(telemetry.requests)
    tables.add_to(app)
    app.on_shutdown.append(connections.close_all)
    async with asking(app) as client:
        yield Scene(directory.scripted, directory, tables, telemetry, client, connections)


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


def test_a_message_is_submitted_as_it_came_and_its_answer_carries_the_receipt() -> None:
    """The bytes of a frame are the command's bytes; the answer names its id, receipt, month and the hits as they are now."""

    async def play() -> None:
        async with scene() as on:
            table = await on.end()
            await table.hello()
            raw = encode(wagers())
            await table.send(raw)
            await on.arrived()
            assert on.link.inbox[0].command.raw == raw
            on.link.answer(ACCEPTED, hits=(HIT,))
            answer = await table.receive()
            assert answer == Answer("T1/1/2026-11/1/wagers/1", Raw(encode(ACCEPTED)), RECEIPT, "2026-11", [HIT])

    run(play())


def test_a_later_refusal_is_told_with_its_code() -> None:
    """A refusal that is not stored is told as `later` with its code, and the table may ask again."""

    async def play() -> None:
        async with scene() as on:
            table = await on.end()
            await table.hello()
            await table.send(encode(wagers()))
            await on.arrived()
            submitted = on.link.inbox.pop()
            submitted.reply(Reply(submitted.command.id, b"", None, Refusal.LINK_STOPPED))
            later = await table.receive()
            assert isinstance(later, Later)
            assert (later.id, later.code) == ("T1/1/2026-11/1/wagers/1", "link_stopped")

    run(play())


def test_ask_is_answered_at_once_with_the_hits_as_they_are_now() -> None:
    """`ask` reaches no poster: the open hits are told as they were last read."""

    async def play() -> None:
        async with scene() as on:
            on.link.hits_now = (HIT,)
            table = await on.end()
            await table.hello()
            await table.send(encode(Ask()))
            assert await table.receive() == Hits("2026-11", [HIT])
            assert on.link.inbox == []

    run(play())


GOOD = encode(wagers()).decode()


@pytest.mark.parametrize(
    ("frame", "field"),
    [
        ("{", "frame"),
        ("", "frame"),
        ('{"kind":"wagers"}', "frame"),
        (GOOD.replace('"ante_cents":1000', '"ante_cents":"1000"', 1), "seats[0].ante_cents"),
        (GOOD.replace('"ante_cents":1000', '"ante_cents":100.1', 1), "seats[0].ante_cents"),
        (GOOD.replace('"ante_cents":1000', '"ante_cents":true', 1), "seats[0].ante_cents"),
        (GOOD.replace('"ante_cents":1000', '"ante_cents":1e400', 1), "seats[0].ante_cents"),
        (GOOD.replace('"round":1', '"round":1,"round":2', 1), "frame"),
        (GOOD.replace('"round":1', '"round": 1', 1), "frame"),
        (GOOD.replace('"table":"T1"', '"table":"T2"', 1), "table"),
        (GOOD.replace('"kind":"wagers"', '"kind":"hello"', 1), "frame"),
        (encode(MoveHit("T1/1/17/3/main", "pay", "Kim", 1)).decode(), "kind"),
        (encode(OpenSite("ab" * 32, "Kim")).decode(), "kind"),
        ('{"kind":"record","seats":[],"nope":1}', "nope"),
        ('{"kind":"record","table":"T1","seats":[{"seat":1,"ante_cents":100}]}', "journal"),
        ('{"kind":"record", "seats":[{"seat":1,"ante_cents":100}]}', ""),
        ('{"kind":"record","seats":[{"seat":1,"ante_cents":100}],"declared_by":"K\\u0000"}', ""),
    ],
)
def test_a_frame_that_cannot_be_read_changes_nothing(frame: str, field: str) -> None:
    """What is no message of this table is answered with field, value and reason, counted, and the connection stays (case 11)."""

    async def play() -> None:
        async with scene() as on:
            table = await on.end()
            await table.hello()
            await table.send(frame.encode())
            bad = await table.receive()
            assert isinstance(bad, BadFrame), bad
            assert field in {bad.field, ""}, bad
            assert bad.reason
            assert on.link.inbox == []
            await table.send(encode(Ask()))
            assert isinstance(await table.receive(), Hits)
            total = sum(
                sample.value
                for family in on.telemetry.registry.collect()
                for sample in family.samples
                if sample.name == "jackpot_frames_bad_total"
            )
            assert total == 1

    run(play())


def test_a_signed_message_needs_the_tables_own_signature() -> None:
    """A signed message is submitted whole where the signature holds, and named where it does not; an act of people never passes in it."""

    async def play() -> None:
        async with scene() as on:
            table = await on.end()
            await table.hello()
            head, message = bytes(32), encode(wagers())
            good = table.key.sign(signed_bytes(head, message)).hex()
            other = Ed25519PrivateKey.generate().sign(signed_bytes(head, message)).hex()
            await table.send(encode(Signed(head.hex(), other, Raw(message))))
            bad = await table.receive()
            assert isinstance(bad, BadFrame)
            assert bad.field == "signature"
            act = encode(MoveHit("T1/1/17/3/main", "pay", "Kim", 1))
            await table.send(encode(Signed(head.hex(), table.key.sign(signed_bytes(head, act)).hex(), Raw(act))))
            assert isinstance(await table.receive(), BadFrame)
            frame = encode(Signed(head.hex(), good, Raw(message)))
            twice = encode(Signed(head.hex(), table.key.sign(signed_bytes(head, frame)).hex(), Raw(frame)))
            await table.send(twice)
            assert isinstance(await table.receive(), BadFrame)
            assert on.link.inbox == []
            await table.send(frame)
            await on.arrived()
            command = on.link.inbox[0].command
            assert (command.raw, command.id) == (frame, "T1/1/2026-11/1/wagers/1")

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


def test_a_hello_while_the_ledger_is_away_is_put_off() -> None:
    """A hello that cannot be decided is refused with the later code, and the connection ends so that the table asks again."""

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


def test_a_table_that_sends_without_waiting_is_told_busy() -> None:
    """So many messages of one table wait at most; the next is `busy` and not submitted."""

    async def play() -> None:
        async with scene() as on:
            table = await on.end()
            await table.hello()
            for number in range(1, 6):
                await table.send(encode(wagers(round_no=number)))
            later = await table.receive()
            assert isinstance(later, Later)
            assert (later.id, later.code) == ("T1/1/2026-11/5/wagers/1", "busy")
            assert len(on.link.inbox) == 4

    run(play())


def test_the_server_ends_with_everything_connected() -> None:
    """All connections are told that the server goes, in bounded time (case 34)."""

    async def play() -> None:
        async with scene() as on:
            first, second = await on.end("T1"), await on.end("T2")
            await first.hello()
            await second.hello()
            ends = [asyncio.create_task(end.closed()) for end in (first, second)]
            async with asyncio.timeout(5):
                await on.connections.close_all()
            assert [await end for end in ends] == [1001, 1001]
            assert len(on.connections) == 0 or await asyncio.sleep(0) is None

    run(play())


def test_large_answers_are_framed_right() -> None:
    """Answers of every size class of RFC 6455 arrive whole."""

    async def play() -> None:
        async with scene() as on:
            table = await on.end()
            await table.hello()
            for count in (0, 3, 700):
                on.link.hits_now = tuple([HIT] * count)
                await table.send(encode(Ask()))
                assert await table.receive() == Hits("2026-11", [HIT] * count)

    run(play())
