"""What two people bring to a round that is over: all that the ledger holds of it, as its rows and batches say.

A link's state keeps open rounds only, so an act that amends a recorded one carries this. It is read from the ledger by
whoever posts the act, it never changes once the round is recorded, and the audit holds it against what the stored
commands make of it.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any

from msgspec import Meta
from msgspec.structs import replace

from jackpot.core.accounts import HOUSE, RESERVE
from jackpot.core.hits import ENDED, Act, Hit
from jackpot.core.state import Run
from jackpot.wire.ids import parse_hit
from jackpot.wire.messages import Hex, Int64, Number, Value

Microcents = Annotated[str, Meta(pattern=r"^-?[0-9]{1,38}\Z")]
"""Microcents as decimal text: a meter of $92 billion passes 2**63 of them."""


UNTOLD = 0
"""The commit of what an act carries without saying so."""


class PastWager(Value, frozen=True):
    """The row of a wager that is still in play: which microcents went to which account, in the order of its terms."""

    seat: Int64
    wager_cents: Number
    tender: str
    parts: tuple[Int64, ...]


class PastEntry(Value, frozen=True):
    """What the commit that resolved the round moved beside its awards: seeds, lifts, stakes returned."""

    account: str
    microcents: Microcents
    cause: str
    ref: str
    commit: Number = UNTOLD
    """The commit that moved it: a round whose record was corrected has been resolved in several."""


class PastHit(Value, frozen=True):
    """A hit of the round, as it stood when it was looked at; one that had ended is told whole.

    `payable` is the version of its account: no state keeps either, once others have ended since.
    """

    hit: str
    prize: str
    state: str
    amount_cents: Number
    from_pool_cents: Number
    topup_cents: Number
    bonus_cents: Number
    epoch: Number
    terms: Hex
    commit: Number
    meter_microcents: Microcents
    own_microcents: Microcents
    month: str = ""
    capture: str = ""
    cards: str = ""
    marks: tuple[str, ...] = ()
    moved: Number = 0
    approvers: Number = 0
    acts: tuple[Act, ...] = ()
    payable: Number = 0


class PastRound(Value, frozen=True):
    """A recorded round: the commit of its accepted wagers, the rows of those in play, its hits, what it moved."""

    commit: Number
    wagers: tuple[PastWager, ...] = ()
    hits: tuple[PastHit, ...] = ()
    posted: tuple[PastEntry, ...] = ()

    @property
    def seats(self) -> frozenset[int]:
        """The seats whose wager is in play."""
        return frozenset(wager.seat for wager in self.wagers)

    @property
    def runs(self) -> tuple[Run, ...]:
        """The wagers as a round's runs, a seat each."""
        return tuple(Run((each.seat,), each.wager_cents, each.parts, (each.tender,)) for each in self.wagers)


def past_hit(hit: Hit, payable: int = 0) -> PastHit:
    """Return a hit as an act carries it, whole with the version of its account where it has ended."""
    past = PastHit(
        str(hit.key),
        hit.prize,
        hit.state,
        hit.amount_cents,
        hit.from_pool_cents,
        hit.topup_cents,
        hit.bonus_cents,
        hit.epoch,
        hit.terms,
        hit.commit,
        str(hit.meter_microcents),
        str(hit.own_microcents),
    )
    if hit.state not in ENDED:
        return past
    whole = {name: getattr(hit, name) for name in ("month", "capture", "cards", "marks", "moved", "approvers", "acts")}
    return replace(past, **whole, payable=payable)


def hit_of_past(past: PastHit) -> Hit:
    """Return a hit that no state keeps any more, from what an act carries of it."""
    return Hit(
        key=parse_hit(past.hit),
        month=past.month,
        prize=past.prize,
        state=past.state,
        amount_cents=past.amount_cents,
        from_pool_cents=past.from_pool_cents,
        topup_cents=past.topup_cents,
        bonus_cents=past.bonus_cents,
        epoch=past.epoch,
        terms=past.terms,
        capture=past.capture,
        cards=past.cards,
        marks=past.marks,
        commit=past.commit,
        moved=past.moved or past.commit,
        approvers=past.approvers,
        acts=past.acts,
        meter_microcents=int(past.meter_microcents),
        own_microcents=int(past.own_microcents),
    )


def told_of(entries: Iterable[Mapping[str, Any]], pools: Iterable[str], hits: Iterable[str]) -> Iterator[PastEntry]:
    """Pick from the entries of a commit what an act must carry: what filled these pools, stakes of these hits."""
    named = set(hits)
    filled = tuple(f"{pool}/" for pool in pools)
    for entry in entries:
        fills = entry["cause"] in {"seed", "lift"} and entry["account"] in {RESERVE, HOUSE}
        stake = entry["cause"] == "stake" and entry["account"] == HOUSE
        if (fills and entry["ref"].startswith(filled)) or (stake and entry["ref"] in named):
            yield PastEntry(entry["account"], entry["microcents"], entry["cause"], entry["ref"], entry["commit"])
