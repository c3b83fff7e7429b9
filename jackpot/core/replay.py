"""Does a stored batch follow from its own commands? It is decided again, by the version that made it (DESIGN 4).

The audit holds every row against what comes out of here; so do the tests of old versions' golden chains.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from jackpot.core.chain import Body
from jackpot.core.commands import Command, command_of
from jackpot.core.decide import VERSION, Decision, decide_all
from jackpot.core.ports import Known
from jackpot.core.state import LinkState

Decide = Callable[[LinkState, Sequence[Command], Mapping[str, Known], int], Decision]

VERSIONS: Mapping[int, Decide] = {
    1: partial(decide_all, version=1),
    2: partial(decide_all, version=2),
    VERSION: decide_all,
}
"""The decide versions that have ever posted: each stays here, so that what it made can be worked out anew."""


class UnknownVersionError(Exception):
    """A batch names a decide version that was never released."""


def decide_again(state: LinkState, body: Body) -> Decision:
    """Decide the commands of a stored batch again, on the state before it.

    **Always** gives the very bytes and digest it was stored with, where nothing was changed since: what was answered
    without being stored has left no trace in it. Raises UnknownVersionError, and FrameError or RecordError for a
    command that cannot be read any more.
    """
    decide = VERSIONS.get(body.decide)
    if decide is None:
        raise UnknownVersionError(f"batch {body.batch} of {body.chain} was made by decide version {body.decide}")
    return decide(state, [command_of(bytes(one.command)) for one in body.commands], {}, body.time_us)
