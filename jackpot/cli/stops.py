"""What are people told whose act meets a link that stands, or a ledger that went back before any server saw it?

The checkpoint file is read here and never written, and no link is stopped: that is the server's, which keeps with the
stop what was shown of the link, as evidence of its meters.
"""

from pathlib import Path
from typing import TYPE_CHECKING

from jackpot.cli.output import Refused
from jackpot.cli.people import refused_for
from jackpot.core.behind import GoneBack
from jackpot.ledger.checkpoint import Checkpoint
from jackpot.ledger.connection import close, connect
from jackpot.ledger.going_back import gone_back, standing
from jackpot.wire.refusals import Refusal

if TYPE_CHECKING:
    from jackpot.ledger.lifting import Standing

__all__ = ["hold_remembered", "next_step", "refused_stopped"]


async def hold_remembered(url: str, file: Path) -> None:
    """Refuse to act where the ledger does not hold a place that the checkpoint file remembers of any of its links.

    A backup brings back all links at once, so that no act on any of them is taken. A link that is stopped for it is
    passed: its own stop refuses what is posted on it, and two people open it again. Raises Refused, UnreachableError,
    CheckpointUnreadable.
    """
    marks = Checkpoint(file).chains  # read before the ledger: a server that goes on writes there what is here already
    if not marks:
        return
    connection = await connect(url, "jackpot checkpoint")
    try:
        for link, mark in marks.items():
            gone = await gone_back(connection, link, mark, "checkpoint")
            if gone is not None and await standing(connection, link) is None:
                raise refused_for(Refusal.LEDGER_BEHIND, _not_taken(link, gone, file))
    finally:
        await close(connection)


async def refused_stopped(url: str, link: str) -> Refused:
    """Return what says no to an act on a link that is stopped: why it is, and what is to be done next."""
    from jackpot.ledger.lifting import standing_stop  # noqa: PLC0415 - most commands meet no stop

    stop = await standing_stop(url, link)
    if stop is None:  # two people lifted it in this very moment
        return refused_for(Refusal.LINK_STOPPED, link)
    refusal = Refusal.LEDGER_BEHIND if stop.behind else Refusal.LINK_STOPPED
    return refused_for(refusal, f"{link}: {stop.reason}; next: {next_step(link, stop)}")


def next_step(link: str, stop: "Standing") -> str:
    """Say what people do about a link that is stopped."""
    if stop.behind:
        return f"let every table connect and hand in; jackpot link behind {link} shows who has, and what was lost"
    return f"find the cause; two people open it again: jackpot link lift {link}"


def _not_taken(link: str, gone: GoneBack, file: Path) -> str:
    if not gone.head.commit:
        then = (
            "an older backup was brought back, or another database is named: bring back or name the right one; where"
            f" that link is gone for good, move {file} away"
        )
    else:
        then = (
            "start the server (`jackpot serve`), which stops the link; let every table connect and hand in;"
            f" jackpot link behind {link} shows who has, and what was lost"
        )
    return f"{link}: {gone.reason}; next: {then}"
