"""How a decision says no: a final refusal is an answer like any other; what is not to be stored is raised and told."""

import msgspec

from jackpot.wire.messages import RefusedAnswer
from jackpot.wire.refusals import Refusal


class Undecided(Exception):
    """Nothing is stored: a later refusal, or an answer (`answer`) that changes nothing and is made anew each time."""

    def __init__(self, refusal: Refusal, answer: msgspec.Struct | None = None) -> None:
        """Keep the refusal, and the answer where one is given."""
        super().__init__(refusal.code)
        self.refusal = refusal
        self.answer = answer


def refused(refusal: Refusal, value: str = "") -> RefusedAnswer:
    """Return the stored answer of a final refusal, `value` cut at 40 characters; raises Undecided for a later one."""
    if not refusal.final:
        raise Undecided(refusal)
    return RefusedAnswer(refusal.code, refusal.text, refusal.rule, value[:40])
