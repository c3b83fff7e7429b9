"""Simulated supervisors: a process of its own that settles the demo's hits through the same calls as `jackpot hit`.

They see hits as the ledger holds them, act one after the other under different names, and ask again where the answer
is that an older round is still open (PROTOCOL 7).
"""

import asyncio
import signal
import sys
from collections.abc import Sequence

from jackpot.cli.acts import read_state
from jackpot.core.answers import HitAnswer, decode_stored
from jackpot.core.commands import MoveHit, of_act
from jackpot.core.hits import APPROVED, DISPUTED, PENDING, VERIFIED, Hit
from jackpot.core.ports import Reply
from jackpot.errors import OperatingError
from jackpot.ledger.runner import post_once

VERIFIER = "Ines (inspector)"
APPROVERS = ("Sol (supervisor)", "Max (manager)", "Gia (manager)", "Lee (manager)", "Kim (manager)")
CASHIER = "Cass (cashier)"
DECIDE = ("Rae (gaming manager)", "Tom (inspector)")
LOOK_EVERY_S = 0.25
"""How often they look. A hit holds its table, and nothing else does."""


def next_act(hit: Hit) -> MoveHit | None:
    """Return what is to be done next about a hit, None where it is not theirs to move.

    **Never** has a person act twice: each name has its own part, and after a dispute another shift goes on.
    """
    name, nth = str(hit.key), len(hit.acts)
    shift = sum(act.move == "dispute" for act in hit.acts)
    if hit.state == PENDING:
        return MoveHit(name, "verify", _on_duty(VERIFIER, shift), nth)
    if hit.state == VERIFIED:
        return MoveHit(name, "approve", _on_duty(APPROVERS[hit.approvals], shift), nth)
    if hit.state == APPROVED:
        return MoveHit(name, "pay", _on_duty(CASHIER, shift), nth)
    if hit.state == DISPUTED:
        first, second = (_on_duty(one, shift) for one in DECIDE)
        return MoveHit(name, "resolve", first, nth, second=second, reason="the order of the records stands")
    return None


def _on_duty(name: str, shift: int) -> str:
    return f"{name}, shift {shift + 1}" if shift else name


async def settle_hits(url: str, link: str) -> int:
    """Move every hit that can be moved by one step; return how many moved."""
    state = await read_state(url, link)
    acts = [act for hit in state.hits.values() if (act := next_act(hit)) is not None]
    if not acts:
        return 0
    replies: Sequence[Reply] = await post_once(url, link, [of_act(act) for act in acts])
    return sum(reply.later is None and isinstance(decode_stored(reply.answer), HitAnswer) for reply in replies)


async def work(url: str, link: str, ended: asyncio.Event) -> None:
    """Settle hits until told to end. A ledger that does not answer is asked again."""
    while not ended.is_set():
        try:
            moved = await settle_hits(url, link)
        except OperatingError as error:
            print(f"supervisors: {error}", file=sys.stderr)  # noqa: T201 - a program's own words
            moved = 0
        if not moved:
            try:
                await asyncio.wait_for(ended.wait(), LOOK_EVERY_S)
            except TimeoutError:
                continue


async def _main(url: str, link: str) -> None:
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, ended.set)
    await work(url, link, ended)


if __name__ == "__main__":
    asyncio.run(_main(sys.argv[1], sys.argv[2]))
