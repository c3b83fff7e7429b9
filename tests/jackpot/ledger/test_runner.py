"""A link's poster on the event loop: what it answers, when it stops the link; and how a command line posts."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from jackpot.core import posting
from jackpot.core.accounts import BrokenInvariant
from jackpot.core.commands import Command
from jackpot.core.decide import decide_all
from jackpot.core.ports import Reply, SetAside, Submitted, UnreachableError
from jackpot.core.posting import Posted
from jackpot.ledger.audit import audit
from jackpot.ledger.inbox import AsyncInbox
from jackpot.ledger.runner import StoppableStore, post_once, run_poster
from jackpot.ledger.store import PostgresStore
from jackpot.wire.refusals import Refusal
from tests.jackpot.ledger.conftest import Stores
from tests.support.chains import Link
from tests.support.embedded_fixture import Database
from tests.support.memory_store import Fault, MemoryLedger
from tests.support.running import run


class Worked:
    """A running poster, and where its commands go in."""

    def __init__(self, store: StoppableStore) -> None:
        """Begin with an empty inbox."""
        self.inbox = AsyncInbox(busy_after_s=3_600)
        self.told: list[Posted] = []
        self.task = asyncio.ensure_future(run_poster(self.inbox, store, self.told.append))

    async def submit(self, command: Command, replies: list[Reply]) -> None:
        """Submit a command and wait until it is taken."""
        self.inbox.submit(Submitted(command, replies.append))
        while len(self.inbox):  # noqa: ASYNC110 - an inbox tells nobody but its poster
            await asyncio.sleep(0)

    async def ask(self, command: Command) -> Reply:
        """Submit a command and wait for its reply."""
        reply: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self.inbox.submit(Submitted(command, reply.set_result))
        return await reply


@asynccontextmanager
async def working(store: StoppableStore) -> AsyncIterator[Worked]:
    """Let a poster run."""
    worked = Worked(store)
    try:
        yield worked
    finally:
        worked.task.cancel()
        await asyncio.gather(worked.task, return_exceptions=True)


def break_on(monkeypatch: pytest.MonkeyPatch, table: str) -> None:
    """Let an invariant be broken whenever something of a table is decided."""

    def decide(*arguments: object) -> object:
        if any(command.table == table for command in arguments[1]):  # type: ignore[attr-defined]
            raise BrokenInvariant(f"{table} moved more than there is")
        return decide_all(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(posting, "decide_all", decide)


def test_commands_are_answered_and_told_of(stores: Stores) -> None:
    """Each command gets its reply; what was posted is told after it is durable."""
    link = Link()

    async def scene() -> None:
        async with stores.closing(), working(stores.store()) as worked:
            replies = [await worked.ask(command) for command in link.opening_commands()]
            assert all(reply.receipt is not None for reply in replies)
            assert worked.told[-1].state.head.commit == 5
            assert (await stores.store().load()) == worked.told[-1].state

    run(scene())


def test_a_broken_invariant_stops_the_link_everywhere(stores: Stores, monkeypatch: pytest.MonkeyPatch) -> None:
    """The stop is written, every later command is told so, and another process cannot post either."""
    link = Link()

    async def scene() -> None:
        async with stores.closing(), working(stores.store()) as worked:
            for command in link.opening_commands():
                await worked.ask(command)
            break_on(monkeypatch, "T2")
            bad: list[Reply] = []
            await worked.submit(link.wagers("T2", 1), bad)
            reply = await worked.ask(link.wagers("T1", 1))
            assert reply.later is Refusal.LINK_STOPPED
            assert await stores.store().stopped()
            async with working(stores.store()) as other:
                assert (await other.ask(link.wagers("T1", 1))).later is Refusal.LINK_STOPPED
            assert all(one.later is not None for one in bad)

    run(scene())


def test_a_lifted_stop_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """When people have lifted the stop, the next command after it is posted."""
    link = Link()
    ledger = MemoryLedger(link.chain)

    async def scene() -> None:
        async with working(ledger.store()) as worked:
            for command in link.opening_commands():
                await worked.ask(command)
            with monkeypatch.context() as broken:
                break_on(broken, "T2")
                await worked.submit(link.wagers("T2", 1), [])
                assert (await worked.ask(link.wagers("T1", 1))).later is Refusal.LINK_STOPPED
            ledger.stop_reason = ""
            replies = [await worked.ask(link.wagers("T1", 1)) for _ in range(2)]
            assert replies[-1].later is None

    run(scene())


def test_a_stop_is_written_however_long_it_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    """While the ledger is away the stop is tried again, and nothing is posted meanwhile."""
    link = Link()
    tries: list[str] = []

    def fault(place: str) -> Fault:
        if place == "stop" and len(tries) < 3:
            tries.append(place)
            return Fault.AWAY
        return Fault.NONE

    ledger = MemoryLedger(link.chain, fault=fault)

    async def scene() -> None:
        async with working(ledger.store()) as worked:
            for command in link.opening_commands():
                await worked.ask(command)
            break_on(monkeypatch, "T2")
            await worked.submit(link.wagers("T2", 1), [])
            assert (await worked.ask(link.wagers("T1", 1))).later is Refusal.LINK_STOPPED
            assert len(ledger.batches) == 5

    run(scene())
    assert len(tries) == 3
    assert "moved more than there is" in ledger.stop_reason


def test_evidence_that_cannot_be_kept_ends_nothing() -> None:
    """A set-aside that fails leaves the poster running."""
    link = Link()
    ledger = MemoryLedger(link.chain, fault=lambda place: Fault.AWAY if place == "aside" else Fault.NONE)
    bad = link.wagers("T1", 1)
    unread = Command(bad.id, bad.raw, None, bad.month, "T1", 1, 1)  # type: ignore[arg-type]

    async def scene() -> None:
        async with working(ledger.store()) as worked:
            for command in link.opening_commands():
                await worked.ask(command)
            await worked.submit(unread, [])
            assert (await worked.ask(link.wagers("T2", 1))).later is None

    run(scene())


def test_post_once_posts_beside_a_running_poster(ledger: Database) -> None:
    """A command line's act and a server's commands interleave; a repeated act gets its first answer."""
    link = Link()
    first, *others = link.opening_commands()

    async def scene() -> None:
        (opened,) = await post_once(ledger.service_url, link.chain, [first])
        replies = await post_once(ledger.service_url, link.chain, [first, *others])
        assert (replies[0].answer, replies[0].receipt) == (opened.answer, opened.receipt)
        assert len(replies) == 5

    run(scene())


def test_post_once_says_that_the_ledger_is_away(tmp_path: object) -> None:
    """Nothing was posted, and the reason is said."""
    with pytest.raises(UnreachableError, match="does not answer"):
        run(post_once(f"postgresql://service@/jackpot?host={tmp_path}", "southern", []))


def test_post_once_stops_the_link_too(ledger: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """A broken invariant is the same whoever posts."""
    link = Link()
    run(post_once(ledger.service_url, link.chain, link.opening_commands()))
    break_on(monkeypatch, "T1")
    with pytest.raises(Exception, match="T1 moved more than there is"):
        run(post_once(ledger.service_url, link.chain, [link.wagers("T1", 1)]))
    monkeypatch.undo()
    (reply,) = run(post_once(ledger.service_url, link.chain, [link.wagers("T1", 1)]))
    assert reply.later is Refusal.LINK_STOPPED


def test_an_inbox_gives_the_oldest_first_and_no_more_than_asked() -> None:
    """Commands are taken in the order in which they came."""
    link = Link()

    async def scene() -> None:
        inbox = AsyncInbox()
        commands = [link.wagers("T1", number) for number in range(1, 6)]
        taking = asyncio.ensure_future(inbox.take(3))
        await asyncio.sleep(0)
        for command in commands:
            inbox.submit(Submitted(command, lambda _reply: None))
        assert len(inbox) == 5
        assert [one.command for one in await taking] == commands[:3]
        assert [one.command for one in await inbox.take(3)] == commands[3:]
        cancelled = asyncio.ensure_future(inbox.take(3))
        await asyncio.sleep(0)
        cancelled.cancel()
        inbox.submit(Submitted(commands[0], lambda _reply: None))
        assert [one.command for one in await inbox.take(3)] == commands[:1]

    run(scene())


def test_what_waits_too_long_is_told_busy() -> None:
    """Only a command that was not taken is told `busy`; a later one waits its own time."""
    link = Link()

    async def scene() -> None:
        inbox = AsyncInbox(busy_after_s=0.05)
        loop = asyncio.get_running_loop()
        first, second = loop.create_future(), loop.create_future()
        inbox.submit(Submitted(link.wagers("T1", 1), first.set_result))
        inbox.submit(Submitted(link.wagers("T2", 1), second.set_result))
        (taken,) = await inbox.take(1)
        assert taken.command.table == "T1"
        assert (await second).later is Refusal.BUSY
        assert not first.done()
        assert len(inbox) == 0

    run(scene())


def test_a_full_inbox_says_busy_at_once() -> None:
    """There is a bound, and it is never waited at."""
    link = Link()

    async def scene() -> None:
        inbox = AsyncInbox(room=1)
        replies: list[Reply] = []
        for number in (1, 2):
            inbox.submit(Submitted(link.wagers("T1", number), replies.append))
        assert [reply.later for reply in replies] == [Refusal.BUSY]

    run(scene())


def test_an_inbox_knows_when_another_process_is_ahead() -> None:
    """The batch that a reading found tells the poster to read again before it decides."""
    inbox = AsyncInbox()
    inbox.saw(7)
    inbox.saw(5)
    assert inbox.behind(6)
    assert not inbox.behind(7)


def test_set_aside_keeps_its_seal(ledger: Database) -> None:
    """What is set aside twice is there once, sealed; the audit finds it whole."""
    link = Link()

    async def scene() -> None:
        store = PostgresStore(ledger.service_url, link.chain, now_us=lambda: 5)
        for error in ("first", "second"):
            await store.set_aside([SetAside(link.wagers("T1", 1), error)])
        await store.close()
        assert (await audit(ledger.auditor_url)).ok

    run(scene())
