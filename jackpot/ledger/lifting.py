"""How is a link opened again that was stopped? By two people, after an audit without difference (PROTOCOL 3).

While the stop stands no process posts, so what the audit found holds until it is lifted.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from jackpot.ledger.audit import Progress, audit
from jackpot.ledger.clock import SystemClock
from jackpot.ledger.connection import close, connect, translated
from jackpot.ledger.seals import seal
from jackpot.ledger.statements import statement


@dataclass(frozen=True, slots=True)
class Lifted:
    """What came of it: why the link had been stopped (empty where it was not), and what the audit found wrong."""

    stopped_for: str
    differences: Sequence[str]


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
    difference. **If repeated** there is no stop to lift. Raises UnreachableError.
    """
    connection = await connect(url, f"jackpot lift {link}")
    try:
        with translated():
            standing = await connection.fetchrow(statement("standing_stop"), link)
        if standing is None:
            return Lifted("", ())
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
