"""A pool's life, meter by meter: which prize took each one whole, and whether it gave it back.

So the pool knows of a wager of any age where the part is that went into it: in its meter, or with a winner who took
that meter whole. A meter given back is in the one that runs at that moment, and goes where that one goes.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple


class Fall(NamedTuple):
    """A meter that was taken whole: the commits in which it began and ended, the award that has it, when it went back.

    `award` is the commit of the prizes that took it, 0 where it ended without one; `back` is 0 while somebody has it.
    One that ended without an award, with something in it, is in the next at once.
    """

    began: int
    ended: int
    award: int
    back: int = 0


@dataclass(frozen=True, slots=True)
class PoolLife:
    """A pool's epoch (how often it has been reseeded), and its last fall with the cause."""

    pool: str
    epoch: int = 1
    last_fall_commit: int = 0
    last_fall_cause: str = ""
    began: int = 0
    """The commit in which this epoch began: what was wagered after it is in the meter as it stands."""
    corrected: int = 0
    """The last commit in which the meter fell for anything but a prize or a wager that went back; 0 for never."""
    taken: tuple[int, ...] = ()
    """Its falls, one after the other (`falls`); those before decide version 3 are not told."""

    @property
    def falls(self) -> Iterator[Fall]:
        """The meters that were taken whole, by their commits."""
        size = len(Fall._fields)
        return (Fall(*self.taken[place : place + size]) for place in range(0, len(self.taken), size))


def begun_again(life: PoolLife, commit: int, award: int, *, told: bool, runs_on: bool = False) -> PoolLife:
    """Return a pool whose next epoch begins; `told` where its falls are to be told, `runs_on` with what is in it."""
    taken = (*life.taken, *Fall(life.began, commit, award, commit if runs_on else 0)) if told else life.taken
    return replace(life, epoch=life.epoch + 1, began=commit, taken=taken)


def given_back(life: PoolLife, award: int, commit: int) -> PoolLife:
    """Return a pool that has back what the prizes of a commit had taken of it."""
    held = (award, 0)
    return _with(life, [fall._replace(back=commit) if (fall.award, fall.back) == held else fall for fall in life.falls])


def put_first(life: PoolLife, first: int, takers: Collection[int], last: int, commit: int) -> PoolLife:
    """Return a pool whose meter just before `first` the prizes of commit `last` took after all, not their own one.

    That one is in the pool again, as of this commit; of `takers`, whose meter it was, each has what was wagered since.

    >>> life = PoolLife("main", 3, began=30, taken=(1, 20, 20, 0, 20, 30, 30, 0))
    >>> put_first(life, 20, (20, 30), 30, 40).taken
    (1, 20, 30, 0, 20, 30, 0, 40)
    >>> put_first(life, 15, (20, 30), 30, 40).taken
    (1, 15, 30, 0, 15, 20, 20, 0, 20, 30, 0, 40)
    """
    falls: list[Fall] = []
    for fall in life.falls:
        after = fall._replace(award=0, back=commit) if fall.award == last else fall
        if fall.began < first <= fall.ended and (fall.award in takers or fall.back):
            falls.append(Fall(fall.began, first, last))
            after = after._replace(began=first)
        if after.began < after.ended:
            falls.append(after)
    return _with(life, falls)


def as_of(life: PoolLife, commit: int) -> PoolLife:
    """Return a pool's meters as the prizes of a commit found them: what goes back in it does so before they are paid.

    >>> life = PoolLife("main", 3, began=30, taken=(1, 20, 20, 25, 20, 30, 30, 0))
    >>> [holds(as_of(life, commit), 5) for commit in (20, 21, 24, 25, 30)], holds(as_of(life, 20), 19)
    ([True, False, False, True, True], True)
    """
    falls = [fall._replace(back=fall.back if fall.back <= commit else 0) for fall in life.falls if fall.ended < commit]
    began = [*[fall.began for fall in life.falls if fall.ended >= commit], life.began][0]
    return _with(replace(life, began=began), falls)


def holds(life: PoolLife, wagered: int) -> bool | None:
    """Say whether the part of a wager of that commit is in the meter that runs now; None where no fall tells.

    >>> life = PoolLife("main", 3, began=30, taken=(1, 20, 20, 25, 20, 30, 30, 0))
    >>> holds(life, 31), holds(life, 21), holds(life, 5), holds(replace(life, began=0, taken=()), 5)
    (True, False, False, True)
    >>> holds(given_back(life, 30, 40), 5), holds(replace(life, taken=()), 5)
    (True, None)

    Nor where one is left out: an older program that ran beside this one posted it, and told of none.

    >>> gap = replace(life, taken=(1, 20, 20, 25, 25, 30, 30, 0))
    >>> holds(gap, 31), holds(gap, 21), holds(gap, 5), holds(replace(life, began=35), 31)
    (True, None, None, None)
    """
    falls = [fall for fall in life.falls if fall.ended >= wagered]
    begins = [*(fall.began for fall in falls), life.began]
    if wagered <= begins[0] or begins[1:] != [fall.ended for fall in falls]:
        return None
    since = wagered
    for fall in falls:
        if fall.ended >= since:
            if not fall.back:
                return False
            since = fall.back
    return True


def _with(life: PoolLife, falls: list[Fall]) -> PoolLife:
    return replace(life, taken=tuple(number for fall in falls for number in fall))
