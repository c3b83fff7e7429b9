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


ON_ONE_HIT = "nobody acts twice on one hit"
"""Why somebody is refused who has acted on a hit before: it is no matter of two names alike."""


def named_twice(name: str) -> str:
    """Say in a refusal's value that one person stands for two, the name cut so that the sentence is whole.

    >>> named_twice("ANN")
    'ANN is named twice'
    """
    return f"{name.strip()[:24]} is named twice"


def refused(refusal: Refusal, value: str = "") -> RefusedAnswer:
    """Return the stored answer of a final refusal, `value` cut at 40 characters; raises Undecided for a later one."""
    if not refusal.final:
        raise Undecided(refusal)
    return RefusedAnswer(refusal.code, refusal.text, refusal.rule, value[:40])
