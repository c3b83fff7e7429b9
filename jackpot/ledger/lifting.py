"""How is a link stopped by hand, and opened again? Stopped by one person; opened by two, after an audit (PROTOCOL 3).

While the stop stands no process posts, so what the audit found holds until it is lifted.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from jackpot.core.behind import LEDGER_BEHIND
from jackpot.ledger.audit import Progress, audit
from jackpot.ledger.clock import SystemClock
from jackpot.ledger.connection import close, connect, translated
from jackpot.ledger.seals import seal
from jackpot.ledger.statements import statement
from jackpot.ledger.store import PostgresStore
from jackpot.wire.written import hold_name, hold_text

BY_HAND = "by hand"
"""The evidence of a stop that a person made: what they saw is in the reason."""


@dataclass(frozen=True, slots=True)
class Lifted:
    """What came of it: why the link had been stopped (empty where it was not), and what the audit found wrong."""

    stopped_for: str
    differences: Sequence[str]
    behind: bool = False
    """Whether it is stopped because its ledger went back: then two people reopen it (`jackpot.ledger.reopening`)."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A stop that nobody has lifted: when it was made, in microseconds since 1970, and why."""

    stopped_us: int
    reason: str

    @property
    def behind(self) -> bool:
        """Whether the link is stopped because its ledger went back."""
        return self.reason.startswith(f"{LEDGER_BEHIND}:")


async def standing_stop(url: str, link: str) -> Standing | None:
    """Return the stop of a link that stands, None where it runs. Raises UnreachableError."""
    connection = await connect(url, f"jackpot stops {link}")
    try:
        with translated():
            row = await connection.fetchrow(statement("standing_stop"), link)
    finally:
        await close(connection)
    return None if row is None else Standing(row["stopped_us"], row["reason"])


async def stop_by_hand(url: str, link: str, *, by: str, reason: str) -> Standing:
    """Stop a link in every process and after every restart, and return the stop that stands now.

    **Always** whole: a batch is wholly before the stop, or refused by it. **If repeated**, or where the link was
    stopped before, the first stop stands. Raises UnreachableError; FrameError for words that are too long.
    """
    hold_name("link", link)
    hold_text("by", by)
    hold_text("reason", reason)
    store = PostgresStore(url, link)
    try:
        while True:
            await store.stop(f"{by.strip()}: {reason.strip()}", BY_HAND)
            found = await standing_stop(url, link)
            if found is not None:  # else two people lifted it in this very moment: it was asked for after that
                return found
    finally:
        await store.close()


async def lift(
    url: str,
    link: str,
    *,
    by: str,
    second: str,
    reason: str,
    progress: Progress = lambda _chain, _done, _of: None,
) -> Lifted:
    """Audit the ledger and, where nothing of this link or the site differs, lift the link's stop.

    **Always** keeps the stop and its evidence, with who lifted it and why, under a seal. **Never** lifts it over a
    difference. **If repeated** there is no stop to lift.
    Raises UnreachableError; FrameError for words that are too long.
    """
    hold_name("link", link)
    for field, text in (("by", by), ("with", second), ("reason", reason)):
        hold_text(field, text)
    connection = await connect(url, f"jackpot lift {link}")
    try:
        with translated():
            standing = await connection.fetchrow(statement("standing_stop"), link)
        if standing is None:
            return Lifted("", ())
        if standing["reason"].startswith(f"{LEDGER_BEHIND}:"):
            return Lifted(standing["reason"], (), behind=True)
        report = await audit(url, progress)
        found = [str(each) for each in report.found if each.chain in {link, "site"}]
        if found:
            return Lifted(standing["reason"], found)
        with translated():
            async with connection.transaction():
                stop = await connection.fetchrow(statement("read_stop"), link)
                if stop is None or stop["stopped_us"] != standing["stopped_us"]:
                    return Lifted("", ())
                at = SystemClock().now_us()
                sealed = seal(stop["digest"], at, by, second, reason)
                row = (link, stop["stopped_us"], at, by, second, reason, sealed)
                await connection.execute(statement("lift_stop"), *row)
        return Lifted(standing["reason"], ())
    finally:
        await close(connection)
