"""The life of a hit: its states, the legal moves between them, and who made each (DESIGN 5)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from jackpot.core.meters import Inside
from jackpot.wire.ids import HitKey

PENDING, VERIFIED, APPROVED, PAID = "pending", "verified", "approved", "paid"
CLAIMED, DISPUTED, REJECTED, RELEASED, FORFEITED = "claimed", "disputed", "rejected", "released", "forfeited"

MOVES: dict[str, dict[str, str]] = {
    PENDING: {"verify": VERIFIED, "dispute": DISPUTED, "reject": REJECTED, "release": RELEASED, "forfeit": FORFEITED},
    CLAIMED: {"award": PENDING, "dispute": DISPUTED, "reject": REJECTED},
    DISPUTED: {"resolve": PENDING, "reject": REJECTED, "release": RELEASED},
    VERIFIED: {
        "approve": VERIFIED,
        "threshold": APPROVED,
        "dispute": DISPUTED,
        "reject": REJECTED,
        "release": RELEASED,
    },
    APPROVED: {"pay": PAID, "dispute": DISPUTED, "reject": REJECTED, "release": RELEASED, "forfeit": FORFEITED},
    REJECTED: {"release": RELEASED, "forfeit": FORFEITED},
    PAID: {},
    RELEASED: {},
    FORFEITED: {},
}
"""The table of legal moves: state -> move -> the state it leads to. `threshold` is posted by the terms themselves."""

OPEN = frozenset({PENDING, CLAIMED, DISPUTED, VERIFIED, APPROVED})
"""States in which the winning table cannot start its next round (9.5)."""
ENDED = frozenset(state for state, moves in MOVES.items() if not moves)
"""States that no move leads out of."""


STALE_DISPLAY, TOO_SOON, LATE, CORRECTED, UNCLAIMED = "stale_display", "too_soon", "late", "corrected", "unclaimed"
DIFFERS, ORDER, NEEDS_CAPTURE, SHARE = "differs", "order", "needs_capture", "share"
MANUAL, REPRICED = "manual", "repriced"
"""Marks: why people must look at a hit, whatever its amount. `differs`: the table and the server do not agree;
`order`: two tables' prizes from one meter, and which came first is for people to say (PROTOCOL 7); `share`: its amount
rose when another winner of its round fell away (12.3); `manual`: its record was typed in by two people; `repriced`: it
had been paid, and its amount is another since."""


@dataclass(frozen=True, slots=True)
class Act:
    """Who made a move, in which commit, and the reason where one was asked.

    `award`, `dispute`, `about` of nobody are the ledger's own; `with` is the second of two people, `go_on` a manager.
    """

    move: str
    by: str
    commit: int
    reason: str = ""


LAST = 1 << 62
"""After every commit."""


class Wagered(NamedTuple):
    """What a round's own wagers put into a pool, and their commit."""

    microcents: int
    commit: int


class Placed(NamedTuple):
    """A prize's place in the order of its meter, and the wagers in that meter, since people have said which came first.

    The place is the commit of a prize and those of the decisions that put this one before that, one before the other.
    """

    place: tuple[int, ...]
    those: Inside

    @property
    def in_order(self) -> tuple[int, ...]:
        """The place as places are compared: what is put before a prize comes right before it, after all others."""
        return (*self.place, LAST)


@dataclass(frozen=True, slots=True)
class Hit:
    """A prize of one hand. Amounts are frozen at the commit that resolved it, in cents; `amount` is their sum.

    `meter_microcents` is what its pool held before the awards of its round, `own_microcents` what of the round's own
    wagers was in that: with them the round can be resolved again, without a rejected seat (12.3) or in the other
    order (PROTOCOL 7). Both are nought for a bonus of the house.
    """

    key: HitKey
    month: str
    prize: str
    state: str
    amount_cents: int
    from_pool_cents: int
    topup_cents: int
    bonus_cents: int
    epoch: int
    terms: str
    capture: str
    cards: str
    marks: tuple[str, ...]
    commit: int
    moved: int
    approvers: int
    acts: tuple[Act, ...] = ()
    meter_microcents: int = 0
    own_microcents: int = 0

    @property
    def people(self) -> frozenset[str]:
        """The people who have acted on it, as `person` tells them apart."""
        return frozenset(person(act.by) for act in self.acts if act.by)

    @property
    def approvals(self) -> int:
        """How many people have approved it."""
        return sum(act.move == "approve" for act in self.acts)

    @property
    def overpaid(self) -> bool:
        """Whether it was paid and its hand voided afterwards: it stays paid, and is no winner of its round any more."""
        ends = [act.move for act in self.acts if act.move in {"award", "overpaid"}]
        return ends[-1:] == ["overpaid"]

    @property
    def out(self) -> bool:
        """Whether its wager is void and its share still counts: its fund keeps that, or the pool, and gets no more.

        Its round is never resolved without it, however long ago that was.
        """
        return any(act.move == "out" for act in self.acts)

    @property
    def paid_of_forfeited_cents(self) -> int:
        """What had been paid of it when the rest was forfeited: the fund has so much less of its amount."""
        told = [act.reason for act in self.acts if act.move == "paid_before_forfeit"]
        return int(told[-1].partition(" ")[0]) if told else 0

    @property
    def wagered(self) -> Wagered | None:
        """What its round's own wagers put into its pool, whoever has it now; None where no terms leave it out."""
        told = [act.reason.split() for act in self.acts if act.move == "wagered"]
        return Wagered(int(told[-1][0]), int(told[-1][-1])) if told else None

    @property
    def placed(self) -> Placed | None:
        """Where people's word on an order has put it, if not at its commit, or what else is in its meter since."""
        told: str | None = None
        for act in self.acts:
            if act.move in {"award", "placed"}:
                told = act.reason if act.move == "placed" else None
        if told is None:
            return None
        place, began, upto, noted, *alone = [word for word in told.split() if word[0].isdigit()]
        those = Inside(int(began), int(upto), int(noted), tuple(map(int, alone)), named=" named " in f" {told} ")
        return Placed(tuple(map(int, place.split("."))), those)

    @property
    def place(self) -> tuple[int, ...]:
        """Its place in the order in which prizes draw on their meter: by its commit, but where people said otherwise.

        >>> first = Placed((20, 40), Inside(1, 20, 19)).in_order
        >>> sorted([Placed((20,), Inside(1, 20, 19)).in_order, first, (19, LAST)]) == [(19, LAST), first, (20, LAST)]
        True
        """
        placed = self.placed
        return placed.in_order if placed else (self.commit, LAST)

    @property
    def awarded_in(self) -> frozenset[int]:
        """The commits that awarded it: several, where it fell away by one corrected record and came by the next."""
        return frozenset(act.commit for act in self.acts if act.move == "award") | {self.commit}

    @property
    def from_meter(self) -> bool:
        """Whether it is a prize from a meter, not a fixed bonus."""
        return self.from_pool_cents > 0 or self.topup_cents > 0


def paid_of_forfeited(cents: int, commit: int) -> Act:
    """Return what tells of a forfeited prize that so much of it had been paid (`paid_of_forfeited_cents`)."""
    return Act("paid_before_forfeit", "", commit, f"{cents} cents")


def noted_wagered(microcents: int, wagered: int, commit: int) -> Act:
    """Return what tells of a prize what its round's own wagers put into its pool in which commit (`wagered`)."""
    return Act("wagered", "", commit, f"{microcents} microcents in commit {wagered}")


def noted_placed(placed: Placed, commit: int) -> Act:
    """Return what tells of a prize where people's word on an order has put it (`placed`).

    >>> noted_placed(Placed((20, 40), Inside(1, 20, 19)), 40).reason
    'at 20.40 with 1 - 20 as of 19'
    """
    (began, upto, noted, alone, named), place = placed.those, ".".join(map(str, placed.place))
    more = " ".join(["", "named", *map(str, alone)]) if named else ""
    return Act("placed", "", commit, f"at {place} with {began} - {upto} as of {noted}{more}")


def noted_about(wagered: int, commit: int) -> Act:
    """Return what tells of a dispute whom it is about: all that other rounds drew since these wagers were accepted.

    >>> noted_about(4, 6).reason
    'all that other rounds drew since commit 4'
    """
    return Act("about", "", commit, f"all that other rounds drew since commit {wagered}")


def about(hit: Hit) -> Mapping[int, int]:
    """Return the disputes that a hit tells of: by the commits that began them, since when prizes are in each."""
    return {act.commit: int(act.reason.rpartition(" ")[2]) for act in hit.acts if act.move == "about"}


def undecided(hit: Hit, *, apart: bool = True) -> Sequence[int]:
    """Return the commits whose disputes about the order are not decided yet; the last is decided first.

    A prize that fell away and came again is another: what was in dispute before is not, unless they are not told apart.
    """
    awarded = [place for place, act in enumerate(hit.acts) if act.move == "award" and apart]
    acts = hit.acts[awarded[-1] if awarded else 0 :]
    disputes = sorted({act.commit for act in acts if act.move == "dispute"})
    orders = [act for act in acts if act.move == "order"]
    if not apart:
        return disputes[: len(disputes) - len(orders)]
    # Each decision says of which commit the dispute is: in which order they were decided makes no difference.
    decided = {int(act.reason.partition(":")[0].rpartition(" ")[2]) for act in orders}
    return [since for since in disputes if since not in decided]


def person(name: str) -> str:
    """Return a name as people are told apart by it: small and capital letters and spaces make no other person.

    >>> person(" Ann  Lee") == person("ann lee"), person("  ")
    (True, '')
    """
    return " ".join(name.casefold().split())


def moved(hit: Hit, move: str, by: str, commit: int, reason: str = "") -> Hit | None:
    """Return the hit after a move, or None where the move is not legal from its state.

    The last approval the terms ask for is followed by `threshold` in the same commit.
    """
    target = MOVES[hit.state].get(move)
    if target is None:
        return None
    after = replace(hit, state=target, moved=commit, acts=(*hit.acts, Act(move, by, commit, reason)))
    if after.state == VERIFIED and after.approvals >= after.approvers:
        return moved(after, "threshold", "", commit)
    return after
