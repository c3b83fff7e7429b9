"""Which disputes about the order a prize is in, and which of them are undecided (PROTOCOL 7).

A dispute is of one pool and of the commit of the record that began it. A prize that was on its way then tells of it,
and so does each of that record. One that another dispute held already, or that was paid, tells of it as soon as it
would go on: until then those of the record say alone whom it is about.
"""

from collections.abc import Iterator
from dataclasses import replace

from jackpot.core.hits import (
    APPROVED,
    CLAIMED,
    DISPUTED,
    ORDER,
    PENDING,
    RELEASED,
    VERIFIED,
    Act,
    Hit,
    about,
    undecided,
)
from jackpot.core.state import Draft

HOLDS_ALL = 3
"""The first decide version in which a dispute holds all that it is about, also what another one holds already."""

_GOES_ON = frozenset({PENDING, VERIFIED, APPROVED})
"""States in which the next move of a prize brings it nearer to its payment."""


def has_its_money(hit: Hit) -> bool:
    """Say whether a prize from a meter has not gone back to it: neither released nor voided after it was paid."""
    return hit.from_meter and not hit.overpaid and hit.state not in {CLAIMED, RELEASED}


def held_still(draft: Draft, hit: Hit, before: Hit) -> Hit:
    """Return a prize that goes on as each undecided dispute about it holds it.

    Those that it does not tell of yet are told with it from here on, so that they can be decided whatever becomes of
    the others in them. Where two people had resolved one their word was of the amount `before`, and is of no other.
    """
    if hit.state not in _GOES_ON or not hit.from_meter or draft.version < HOLDS_ALL:
        return hit
    told = {act.commit for act in hit.acts if act.move == "dispute"}
    untold = {act.commit: act for act in _about(draft, hit) if act.commit not in told}
    if not untold and (hit.amount_cents == before.amount_cents or not undecided(hit)):
        return hit
    marks = hit.marks if ORDER in hit.marks else (*hit.marks, ORDER)
    return replace(hit, state=DISPUTED, marks=marks, acts=(*hit.acts, *[untold[since] for since in sorted(untold)]))


def _about(draft: Draft, hit: Hit) -> Iterator[Act]:
    """The acts that began undecided disputes about a prize, of the records that began them."""
    for other in draft.hits.values():
        if other.key.pool != hit.key.pool or other.key[:3] == hit.key[:3] or not other.commit > hit.commit:
            continue
        since = about(other).get(other.commit)
        if since is not None and since < hit.commit and other.commit in undecided(other) and has_its_money(other):
            yield next(act for act in other.acts if act.move == "dispute" and act.commit == other.commit)
