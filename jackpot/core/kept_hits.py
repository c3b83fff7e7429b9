"""Which hits does a state keep, and in which order does a decision look at them?"""

from collections.abc import Mapping, Sequence

from jackpot.core.hits import ENDED, Hit
from jackpot.wire.ids import HitKey

ENDED_KEPT = 64
"""So many hits that have ended are kept in a state, for boards and for an act that comes late."""
READ_ANYHOW = 3
"""The first decide version that posts the same in whatever order a process has read the hits of a state."""


def left_out(hits: Mapping[HitKey, Hit]) -> Sequence[HitKey]:
    """Return the hits that a state keeps no longer: ended ones but the 64 last.

    **Never** one of a round in which another hit may still fall away and leave it more (12.3).
    """
    ended = [key for key, hit in hits.items() if hit.state in ENDED]
    if len(ended) <= ENDED_KEPT:
        return ()
    under_way = {key[:3] for key, hit in hits.items() if hit.state not in ENDED}
    oldest = sorted(ended, key=lambda key: (hits[key].moved, key))[:-ENDED_KEPT]
    return [key for key in oldest if key[:3] not in under_way]


def in_paying_order(hits: Mapping[HitKey, Hit]) -> dict[HitKey, Hit]:
    """Return hits one round after the other, each from right to left (12.2)."""
    return dict(sorted(hits.items(), key=lambda item: (item[1].commit, -item[0].seat, item[0])))
