"""How does a link's poster live on the event loop, what ends it, and how does a command line post by itself?

Binds `jackpot.core.posting` to Postgres and the system's clock. An invariant that is broken stops the link: the row is
written that every process's fence reads, and nothing is posted until two people have lifted it.
"""

import traceback
from collections.abc import Callable, Sequence
from typing import Protocol

import structlog

from jackpot.core.accounts import BrokenInvariant
from jackpot.core.commands import Command
from jackpot.core.ports import Clock, Inbox, Reply, Store, UnreachableError
from jackpot.core.posting import BATCH_MAX, Posted, Poster, keep_posting, post
from jackpot.ledger.clock import SystemClock
from jackpot.ledger.failures import LinkStopped
from jackpot.ledger.store import PostgresStore
from jackpot.wire.refusals import Refusal

_log = structlog.get_logger("jackpot.ledger")


class StoppableStore(Store, Protocol):
    """A store whose chain can be stopped."""

    async def stop(self, reason: str, evidence: str) -> None:
        """Stop the link in every process; raises UnreachableError. **If repeated** the first stop stands."""
        ...

    async def stopped(self) -> bool:
        """Whether a stop stands; raises UnreachableError."""
        ...

    async def close(self) -> None:
        """Let go of what it holds. **If repeated** nothing happens."""
        ...


async def run_poster(
    inbox: Inbox, store: StoppableStore, told: Callable[[Posted], None], *, clock: Clock | None = None
) -> None:
    """Post what comes into the inbox, for ever.

    **Always** stops the link when an invariant is broken, and tells all that comes in afterwards `link_stopped`; a stop
    that two people lifted is noticed with the next command. **Never** ends by itself. **If cancelled** nothing that was
    not answered is said to be anything.
    """
    clock = clock or SystemClock()
    poster = Poster(store, clock, told)
    tries = 0
    while True:
        try:
            await keep_posting(inbox, poster)
        except BrokenInvariant as broken:
            await _stop(store, clock, broken)
            await _answer_stopped(inbox, store)
            poster = Poster(store, clock, told)
        except UnreachableError as error:
            # Only where evidence could not be kept: what was taken stays unanswered and is sent again.
            tries += 1
            _log.warning("evidence_not_kept", error=str(error))
            poster = Poster(store, clock, told)
            await clock.pause(tries)


async def post_once(url: str, chain: str, commands: Sequence[Command]) -> list[Reply]:
    """Post commands as a poster of one's own, beside a running server or without one.

    **If repeated** gives the same answers. Raises LedgerError: the ledger cannot be reached, or an invariant was broken
    and the link is stopped now.
    """
    clock = SystemClock()
    store = PostgresStore(url, chain)
    try:
        poster = Poster(store, clock, lambda _posted: None, await store.load())
        return list(await post(poster, commands))
    except BrokenInvariant as broken:
        await _stop(store, clock, broken)
        raise LinkStopped(str(broken)) from broken
    finally:
        await store.close()


async def _stop(store: StoppableStore, clock: Clock, broken: BrokenInvariant) -> None:
    """Write the stop, however long the ledger does not answer: until then nothing is posted by this process."""
    evidence = "".join(traceback.format_exception(broken))
    _log.critical("link_stopped", reason=str(broken), evidence=evidence)
    tries = 0
    while True:
        try:
            await store.stop(str(broken), evidence)
        except UnreachableError as error:
            tries += 1
            _log.error("stop_not_written", error=str(error), tries=tries)
            await clock.pause(tries)
        else:
            return


async def _answer_stopped(inbox: Inbox, store: StoppableStore) -> None:
    while True:
        for submitted in await inbox.take(BATCH_MAX):
            submitted.reply(Reply(submitted.command.id, b"", None, Refusal.LINK_STOPPED))
        try:
            if not await store.stopped():
                return
        except UnreachableError as error:
            _log.warning("stop_not_read", error=str(error))
