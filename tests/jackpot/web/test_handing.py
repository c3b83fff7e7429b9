"""A table whose ledger went back: refused by name, asked for what it holds, page after page, until all is kept."""

import asyncio
from dataclasses import dataclass, field

import pytest
import structlog
from msgspec import Raw

from jackpot.core.commands import command_from_table
from jackpot.core.ports import UnreachableError
from jackpot.wire.codec import FrameError, encode
from jackpot.wire.messages import BadFrame, HandIn, HandingIn, Held, Later, Receipt, Refused, VoidAnswer, Welcome
from tests.support.serving import run
from tests.support.table import wagers
from tests.support.tables_scene import scene

RECEIPT = Receipt(1, 95, "aa")
PAGE = [Held(Raw(encode(wagers())), Raw(encode(VoidAnswer([]))), RECEIPT)]


@dataclass
class Receipts:
    """What the ledger says to a table's receipt, as the test has it."""

    says: tuple[bool, HandIn | None] = (True, HandIn(1, 90))
    pages: list[HandIn | Exception | None] = field(default_factory=list)
    asked: list[tuple[str, Receipt | None, bool]] = field(default_factory=list)
    kept: list[HandingIn] = field(default_factory=list)
    taken: asyncio.Event = field(default_factory=asyncio.Event)
    away: bool = False
    bad: FrameError | None = None

    async def wanted(
        self, table: str, spool: str, receipt: Receipt | None, *, stopped: bool
    ) -> tuple[bool, HandIn | None]:
        """Say what the test wants said."""
        assert spool == "00" * 16
        self.asked.append((table, receipt, stopped))
        if self.bad is not None:
            raise self.bad
        if self.away:
            raise UnreachableError("away")
        return self.says

    async def keep(self, table: str, spool: str, receipt: Receipt | None, frame: HandingIn) -> HandIn | None:
        """Keep a page and ask for the next that the test has."""
        assert (table, spool, receipt) == ("T1", "00" * 16, RECEIPT)
        self.kept.append(frame)
        self.taken.set()
        said = self.pages.pop(0)
        if isinstance(said, Exception):
            raise said
        return said


def test_a_table_hands_in_page_after_page() -> None:
    """Refused as `ledger_behind`, asked past the ledger's end, asked again from the last receipt, then left alone."""

    async def play() -> None:
        async with scene() as on:
            receipts = on.link.receipts = Receipts(pages=[HandIn(1, 93), None])  # type: ignore[assignment]
            table = await on.end()
            refused = await table.hello(last_receipt=RECEIPT)
            assert isinstance(refused, Refused)
            assert (refused.code, receipts.asked) == ("ledger_behind", [("T1", RECEIPT, False)])
            assert on.link.connects == [], "the hello is not decided"
            assert await table.receive() == HandIn(1, 90)
            await table.send(encode(HandingIn("T1", PAGE, more=True)))
            assert await table.receive() == HandIn(1, 93)
            receipts.taken.clear()
            await table.send(encode(HandingIn("T1", PAGE)))
            await receipts.taken.wait()
            assert [frame.more for frame in receipts.kept] == [True, False]
            assert on.metric("jackpot_frames_total", kind="handing_in") == 2

    run(play())


@pytest.mark.parametrize("wanted", [HandIn(1, 90), None])
def test_a_table_that_is_to_hand_in_has_nothing_decided_before_that(wanted: HandIn | None) -> None:
    """The link goes on, and the table's spool holds an unanswered record: posted now it would overtake what was lost.

    So too while what it has handed in waits for two people.
    """

    async def play() -> None:
        async with scene() as on:
            on.link.receipts = Receipts(says=(True, wanted))  # type: ignore[assignment]
            table = await on.end()
            await table.hello(last_receipt=RECEIPT)
            if wanted is not None:
                assert await table.receive() == wanted
            await table.send(encode(wagers()))
            later = await table.receive()
            assert isinstance(later, Later)
            assert (later.id, later.code) == (command_from_table(encode(wagers())).id, "ledger_behind")
            assert on.link.inbox == []

    run(play())


def test_a_receipt_that_no_ledger_gave_is_a_bad_frame() -> None:
    """Named with its value, to the table and in the log; the hello is not decided, and the connection ends."""

    async def play() -> None:
        async with scene() as on:
            bad = FrameError("body.last_receipt.generation", "4611686018427387904", "no ledger has begun so many lives")
            on.link.receipts = Receipts(bad=bad)  # type: ignore[assignment]
            table = await on.end()
            with structlog.testing.capture_logs() as logs:
                assert await table.hello(last_receipt=RECEIPT) == BadFrame(bad.field, bad.value, bad.reason)
                await table.closed()
            assert on.link.connects == []
            assert on.metric("jackpot_frames_bad_total", kind="hello") == 1
            (line,) = [line for line in logs if line["event"] == "hello_refused"]
            assert (line["table"], line["link"], line["code"]) == (table.table, on.link.name, "bad_frame")
            assert (line["field"], line["value"], line["why"]) == (bad.field, bad.value, bad.reason)

    run(play())


def test_a_table_of_version_1_is_refused_and_not_asked() -> None:
    """It has no such frame: it keeps what it holds, and people are told that it has not handed in."""

    async def play() -> None:
        async with scene() as on:
            on.link.receipts = Receipts()  # type: ignore[assignment]
            table = await on.end()
            refused = await table.hello(last_receipt=RECEIPT, protocols=[1])
            assert isinstance(refused, Refused)
            assert refused.code == "ledger_behind"
            await table.send(b'{"kind":"ask"}')
            assert (await table.receive()).__class__.__name__ == "Hits", "nothing came in between"

    run(play())


def test_a_receipt_that_is_held_is_welcomed() -> None:
    """Nothing is in the way of an honest table of a ledger that is whole, or of one that cannot be asked just now."""

    async def play() -> None:
        async with scene() as on:
            receipts = on.link.receipts = Receipts(says=(False, None))  # type: ignore[assignment]
            assert isinstance(await (await on.end()).hello(last_receipt=RECEIPT), Welcome)
            receipts.away = True
            assert isinstance(await (await on.end()).hello(last_receipt=RECEIPT, connection=2), Welcome)

    run(play())


def test_what_cannot_be_kept_is_asked_for_at_the_next_hello() -> None:
    """The ledger does not answer, or what was handed in is no message: nothing is answered, the connection stands."""

    async def play() -> None:
        async with scene() as on:
            fault = FrameError("message", "{}", "no message")
            receipts = on.link.receipts = Receipts(pages=[UnreachableError("away"), fault])  # type: ignore[assignment]
            table = await on.end()
            await table.hello(last_receipt=RECEIPT)
            assert await table.receive() == HandIn(1, 90)
            for count in (1, 2):
                receipts.taken.clear()
                await table.send(encode(HandingIn("T1", PAGE)))
                await receipts.taken.wait()
                assert len(receipts.kept) == count
                await asyncio.sleep(0)
            await table.send(b'{"kind":"ask"}')
            assert (await table.receive()).__class__.__name__ == "Hits"

    run(play())


def test_who_was_not_asked_hands_nothing_in() -> None:
    """A welcomed table that sends such a frame is told that it is none to be decided."""

    async def play() -> None:
        async with scene() as on:
            table = await on.end()
            assert isinstance(await table.hello(), Welcome)
            await table.send(encode(HandingIn("T1", [])))
            assert (await table.receive()).__class__.__name__ == "BadFrame"

    run(play())
