"""What a session does with a frame: what is to be decided is submitted as it came, what is not is named."""

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec import Raw

from jackpot.core.commands import MoveHit, OpenSite
from jackpot.core.ports import Reply
from jackpot.wire.codec import encode
from jackpot.wire.messages import (
    Answer,
    Ask,
    BadFrame,
    HitNow,
    Hits,
    Later,
    SeatAnswer,
    Signed,
    WagersAnswer,
)
from jackpot.wire.refusals import Refusal
from jackpot.wire.signing import signed_bytes
from tests.support.links import RECEIPT
from tests.support.serving import run
from tests.support.table import wagers
from tests.support.tables_scene import scene

HIT = HitNow("T1/1/17/3/main", "royal_flush", "pending", 6_000_000)
ACCEPTED = WagersAnswer([SeatAnswer(1, True)])
GOOD = encode(wagers()).decode()


def test_a_message_is_submitted_as_it_came_and_its_answer_carries_the_receipt() -> None:
    """The bytes of a frame are the command's; the answer has its id, receipt, month and the hits as they are now."""

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


@pytest.mark.parametrize("refusal", [Refusal.LINK_STOPPED, Refusal.BUSY, Refusal.KEPT_ASIDE])
def test_a_later_refusal_is_told_with_its_code(refusal: Refusal) -> None:
    """A refusal that is not stored is told as `later` with its code and counted; what is kept aside is an alarm."""

    async def play() -> None:
        async with scene() as on:
            table = await on.end()
            await table.hello()
            await table.send(encode(wagers()))
            await on.arrived()
            submitted = on.link.inbox.pop()
            submitted.reply(Reply(submitted.command.id, b"", None, refusal))
            later = await table.receive()
            assert isinstance(later, Later)
            assert (later.id, later.code) == ("T1/1/2026-11/1/wagers/1", refusal.code)
            assert on.metric("jackpot_refusals_total", link="southern", code=refusal.code) == 1
            alarms = on.metric("jackpot_alarms_total", link="southern", kind="kept_aside")
            assert alarms == (refusal is Refusal.KEPT_ASIDE)

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
    """What is no message of this table is answered with field, value, reason; the connection stays (case 11)."""

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
    """A signed message is submitted whole where its signature holds; an act of people never passes in one."""

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
