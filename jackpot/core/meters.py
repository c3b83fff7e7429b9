"""A pool's life, meter by meter: which prize took each one whole, and whether it gave it back.

So the pool knows of a wager of any age where the part is that went into it: in its meter, or with a winner who took
that meter whole. A meter given back is in the one that runs at that moment, and goes where that one goes.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
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


class Inside(NamedTuple):
    """Which wagers are in a meter that a prize was resolved on: those that came to it after one commit, up to another.

    With them those that are `alone` in it. What has gone its own way (`PoolLife.alone`) by the commit `noted` is one of
    them only so where they are `named`.
    """

    began: int
    upto: int
    noted: int
    alone: tuple[int, ...] = ()
    named: bool = False


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
    """Its falls, one after the other, then what went alone; those before decide version 3 are not told."""

    @property
    def falls(self) -> Iterator[Fall]:
        """The meters that were taken whole, by their commits."""
        return (fall for fall in self._told if fall.began >= 0)

    @property
    def alone(self) -> Iterator[Fall]:
        """The wagers that did not go where the rest of their meter went: a jackpot left its round's own out.

        `began` is the commit of such a wager below nought, `ended` the one since which it goes its own way, `award` who
        has it then (0: nobody), and `back` since when it is in the pool.
        """
        return (fall for fall in self._told if fall.began < 0)

    @property
    def _told(self) -> Iterator[Fall]:
        size = len(Fall._fields)
        return (Fall(*self.taken[place : place + size]) for place in range(0, len(self.taken), size))


def begun_again(life: PoolLife, commit: int, award: int, *, told: bool, runs_on: bool = False) -> PoolLife:
    """Return a pool whose next epoch begins; `told` where its falls are to be told, `runs_on` with what is in it."""
    fall = Fall(life.began, commit, award, commit if runs_on else 0)
    begun = replace(life, epoch=life.epoch + 1, began=commit)
    return _with(begun, [*life.falls, fall, *life.alone]) if told else begun


def given_back(life: PoolLife, award: int, commit: int) -> PoolLife:
    """Return a pool that has back what the prizes of a commit had taken of it."""
    held = (award, 0)
    told = (*life.falls, *life.alone)
    return _with(life, [fall._replace(back=commit) if (fall.award, fall.back) == held else fall for fall in told])


def left_out(life: PoolLife, wagered: int, commit: int) -> PoolLife:
    """Return a pool whose meter the prizes of a commit took whole, but for what was wagered in one: it runs on.

    >>> life = PoolLife("main", 3, began=30, taken=(1, 20, 20, 0, 20, 30, 30, 0))
    >>> life = left_out(life, 15, 20)
    >>> [holds(life, 15), holds(given_back(life, 30, 40), 15)], [holds(life, 14), holds(given_back(life, 30, 40), 14)]
    ([False, True], [False, False])
    """
    return replace(life, taken=(*life.taken, *Fall(-wagered, commit, 0, commit + 1)))


def kept_after_all(life: PoolLife, wagered: int, commit: int) -> PoolLife:
    """Return a pool that has what was wagered in one commit again, as of another, of a meter somebody else has."""
    return replace(life, taken=(*life.taken, *Fall(-wagered, commit, 0, commit)))


def taken_by(life: PoolLife, wagered: int) -> int:
    """Return the commit of the prizes that have the part of a wager of that commit; 0 where the pool has it.

    >>> life = PoolLife("main", 3, began=30, taken=(1, 20, 20, 25, 20, 30, 30, 0))
    >>> taken_by(life, 5), taken_by(life, 31)
    (30, 0)
    """
    return sum(stop.award for stop in _stops(life, wagered) if not stop.back)


def inside(life: PoolLife, commit: int) -> Inside:
    """Return which wagers were in the meter that the prizes of a commit found."""
    began = [*(fall.began for fall in life.falls if fall.ended >= commit), life.began][0]
    return Inside(began, commit, commit - 1)


def is_in(life: PoolLife, those: Inside, wagered: int) -> bool | None:
    """Say whether the part of a wager of that commit is one of those; None where no fall tells.

    >>> life = PoolLife("main", 3, began=30, taken=(1, 20, 20, 25, 20, 30, 30, 0))
    >>> [is_in(life, inside(life, commit), 5) for commit in (20, 21, 25, 26, 30)], is_in(life, inside(life, 20), 20)
    ([True, False, True, True, True], True)
    """
    if not _is_told(life, wagered):
        return None
    then = [one for one in life.alone if -one.began == wagered and one.ended <= those.noted]
    if then and those.named:
        return wagered in those.alone
    since = then[-1].back if then else wagered
    return since > 0 and _comes_to(life, those, since)


def without(life: PoolLife, those: Inside, gone: Inside, own: int, commit: int) -> Inside:
    """Return what is left of those where a prize put first has these, all but its round's `own`, as of a commit."""
    met = gone.began < min(gone.upto, those.upto) and those.began < gone.upto
    began = min(gone.upto, those.upto) if met else those.began
    alone = {-one.began for one in life.alone} | ({own} if own else set())
    left = [one for one in alone if is_in(life, those, one) and (one == own or not is_in(life, gone, one))]
    return Inside(began, those.upto, commit, tuple(sorted(left)), named=True)


def put_first(life: PoolLife, those: Inside, award: int, own: int, commit: int) -> PoolLife:
    """Return a pool whose meter with those wagers the prizes of commit `award` took after all, not their own one.

    That one is in the pool again, as of this commit; who had those wagers has them no more. What the winner's round
    itself wagered in commit `own` (0: nothing is left out) stays where it is.

    >>> life = PoolLife("main", 3, began=30, taken=(1, 20, 20, 0, 20, 30, 30, 0))
    >>> put_first(life, inside(life, 20), 30, 0, 40).taken
    (1, 20, 30, 0, 20, 30, 30, 40)
    >>> put_first(life, inside(life, 15), 30, 0, 40).taken
    (1, 15, 30, 0, 15, 20, 20, 0, 20, 30, 30, 40)
    """
    has = taken_by(life, own) if own else 0
    alone = [one for one in dict.fromkeys(-each.began for each in life.alone) if is_in(life, those, one)]
    falls, after = list[Fall](), given_back(life, award, commit)
    for fall in after.falls:
        cuts = [cut for cut in (those.began, those.upto) if fall.began < cut < fall.ended]
        for began, ended in pairwise((fall.began, *dict.fromkeys(cuts), fall.ended)):
            taken = those.began <= began and ended <= those.upto
            falls.append(Fall(began, ended, award) if taken else fall._replace(began=began, ended=ended))
    told = [*after.alone, *(Fall(-one, commit, award) for one in alone if one != own)]
    if own:
        told.append(Fall(-own, commit, has) if has not in {0, award} else Fall(-own, commit, 0, commit))
    return _with(life, [*falls, *told])


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
    return all(stop.back for stop in _stops(life, wagered)) if _is_told(life, wagered) else None


def _is_told(life: PoolLife, wagered: int) -> bool:
    """Say whether every meter since that commit is told of."""
    falls = [fall for fall in life.falls if fall.ended >= wagered]
    begins = [*(fall.began for fall in falls), life.began]
    return wagered > begins[0] and begins[1:] == [fall.ended for fall in falls]


def _stops(life: PoolLife, wagered: int) -> Iterator[Fall]:
    """Follow the part of a wager: through whose hands it has gone, the last of whom may have it still."""
    since = wagered
    for one in [each for each in life.alone if -each.began == wagered][-1:]:
        yield one
        since = one.back
    for fall in life.falls if since else ():
        if fall.ended >= since:
            yield fall
            if not fall.back:
                return
            since = fall.back


def _comes_to(life: PoolLife, those: Inside, since: int) -> bool:
    """Say whether what was in the pool at a commit is of those, there or wherever it went back to."""
    for fall in [*life.falls, None]:
        if those.began < since <= those.upto:
            return True
        if fall is not None and fall.ended >= since:
            if not fall.back:
                return False
            since = fall.back
    return False


def _with(life: PoolLife, falls: Sequence[Fall]) -> PoolLife:
    return replace(life, taken=tuple(number for fall in falls for number in fall))
