"""Which hits does a state keep, and in which order does a decision look at them?"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from jackpot.core.accounts import HOUSE
from jackpot.core.hits import ENDED, LAST, Hit, about, undecided
from jackpot.wire.ids import HitKey

ENDED_KEPT = 64
"""So many hits that have ended are kept in a state, for boards and for an act that comes late."""
READ_ANYHOW = 3
"""The first decide version that posts the same in whatever order a process has read the hits of a state."""
_PAYS = frozenset({"pay", "paid_before"})


class _Ended(Protocol):
    """What a journal tells here: the highest round of it that has ended."""

    @property
    def ended(self) -> int:
        """The round's number."""


Journals = Mapping[tuple[str, int], _Ended]
"""A link's journals, by table and number."""


def left_out(hits: Mapping[HitKey, Hit], wagered: Iterable[int], journals: Journals) -> Sequence[HitKey]:
    """Return the hits that a state keeps no longer: ended ones but the 64 last. `wagered` as `argued_since` has it.

    **Never** one of a round in which another hit may still fall away and leave it more (12.3); never a prize from a
    meter while another order may be argued for against it, or a prize before it may fall away; never one of a journal's
    last round, since its table may still tell of that.
    """
    ended = ended_before(hits)
    since = argued_since(hits.values(), wagered) if ended else LAST
    return [key for key in ended if not _of_last(key, journals) and (key.pool == HOUSE or hits[key].commit <= since)]


def _of_last(key: HitKey, journals: Journals) -> bool:
    """Say whether a hit is of the last round of its journal that has ended."""
    journal = journals.get((key.table, key.journal))
    return journal is not None and journal.ended == key.round


def ended_before(hits: Mapping[HitKey, Hit]) -> Sequence[HitKey]:
    """Return the ended hits but the 64 last, and but those of rounds in which another is under way."""
    ended = [key for key, hit in hits.items() if hit.state in ENDED]
    if len(ended) <= ENDED_KEPT:
        return ()
    under_way = {key[:3] for key, hit in hits.items() if hit.state not in ENDED}
    oldest = sorted(ended, key=lambda key: (hits[key].moved, key))[:-ENDED_KEPT]
    return [key for key in oldest if key[:3] not in under_way]


def argued_since(hits: Iterable[Hit], wagered: Iterable[int]) -> int:
    """Return the commit after which another order of prizes may be argued for, now or by a record that is outstanding.

    `wagered` are the commits of the wagers of open rounds; of disputes that nobody has decided their prizes tell it. A
    prize that may fall away, too, was before others that would have come to more then (`releases.later_amounts`).
    **Never** goes back, so that what was left out once is not missed: what was paid once tells of none any more.
    """
    since = [LAST, *wagered]
    for hit in hits:
        if hit.state not in ENDED and not any(act.move in _PAYS for act in hit.acts):
            told = about(hit)
            since += [told[commit] for commit in undecided(hit) if commit in told]
            since += [hit.commit] if hit.from_meter else []
    return min(since)


def looked_at(hits: Mapping[HitKey, Hit], wagered: Iterable[int], journals: Journals) -> dict[HitKey, Hit]:
    """Return the hits of a state that a decision looks at, one round after the other, each from right to left (12.2).

    **Always** the same, however a process came by the state. Which of all hits moved last no process sees otherwise:
    whatever moves comes before all others. Of those that ended last one that is not at its end any more makes room,
    where there is room for one more only in the ledger.
    """
    found = list(hits.values())
    if len(hits) > ENDED_KEPT:
        last = set(sorted(hits, key=lambda key: (hits[key].moved, key))[-ENDED_KEPT:])
        under_way = {hit.key[:3] for hit in found if hit.state not in ENDED}
        since = argued_since(found, wagered)
        found = [
            hit
            for hit in found
            if hit.key in last
            or hit.key[:3] in under_way
            or (hit.key.pool != HOUSE and hit.commit > since)
            or _of_last(hit.key, journals)
        ]
    return {hit.key: hit for hit in sorted(found, key=lambda hit: (hit.commit, -hit.key.seat, hit.key))}
