"""When do answers leave? After the poster's next statement is under way, a few in each turn of the event loop.

A batch answers hundreds of tables at once, and each answer is a call of the kernel's. Were they all made before the
poster goes on, Postgres would have nothing to do meanwhile, and then the server nothing while Postgres writes.
"""

import asyncio
from collections import deque
from collections.abc import Callable

from jackpot.core.ports import Reply

__all__ = ["Outgoing"]

AT_ONCE = 128
"""So many answers leave in a turn: some three milliseconds. A statement's next piece waits so long for its socket."""


class Outgoing:
    """The answers of one process that are on their way to its tables.

    **Always** in the order in which they were put; **never** before the caller of `put` has had its turn.
    """

    def __init__(self) -> None:
        """Begin with nothing on its way."""
        self._due: deque[tuple[Callable[[Reply], None], Reply]] = deque()

    def put(self, tell: Callable[[Reply], None], reply: Reply) -> None:
        """Have a reply told by `tell`, which never raises and never waits, in one of the next turns of the loop."""
        if not self._due:
            # Two turns later: in the first the statement is sent, which the poster is about to begin.
            loop = asyncio.get_running_loop()
            loop.call_soon(loop.call_soon, self._go)
        self._due.append((tell, reply))

    def _go(self) -> None:
        due = self._due
        for _ in range(min(AT_ONCE, len(due))):
            tell, reply = due.popleft()
            tell(reply)
        if due:
            asyncio.get_running_loop().call_soon(self._go)
