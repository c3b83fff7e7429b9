"""The histories of the golden chains `mended` and `repaid` of a decide version: whose a part of a meter is, once taken.

The one is of two orders, of a share that is kept, of a fund, and of a pool that was left out of the terms for a while;
the other of a link brought back amid what people corrected of prizes that had been paid.
`python -m tests.support.golden_mended FOLDER` writes them. That is done once for a version, before it first posts; what
is there is never written again.
"""

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import msgspec

from jackpot.core.commands import NewTerms
from jackpot.core.ports import Batch
from jackpot.core.reopening import Choices
from jackpot.wire.snapshots import HitShown, Snapshot
from rules.terms import Terms, canonical_bytes
from tests.support.floor import Floor
from tests.support.golden_chain import write
from tests.support.lives import Restored
from tests.support.terms import demo_terms, two_pool_terms, with_prize, with_rulings

RULINGS = with_rulings(meter_includes_this_round=False, order_of_hits="lock", rejected_share="kept").rulings
ORDERS = """
    T1 wagers 1: 1 2                                                       accepted
    T2 wagers 1: 1                                                         accepted
    T2 record 1: 1=royal_flush                                             recorded
    T3 wagers 1: 1 2 3                                                     accepted
    T1 record 1: 1=royal_flush                                             recorded
    decide T1/1/1/1/main order=wagers                                      ordered
    T3 record 1: 1                                                         recorded
    T4 wagers 1: 1 2                                                       accepted
    T3 wagers 2: 1 2                                                       accepted
    T3 record 2: 1=straight_flush 2=straight_flush                         recorded
    T4 record 1: 1=royal_flush                                             recorded
    release T3/1/2/1/main by=Xi with=Yo reason=film rule=16.15             released
    decide T4/1/1/1/main order=wagers by=Qu with=Ru                        ordered
"""
"""Of a jackpot its round's own wagers are left out, in the order that holds; a kept share is kept in either."""
FORFEITED = """
    T5 wagers 1: 1                                                         accepted
    T6 wagers 1: 1 2                                                       accepted
    T6 record 1: 1=straight_flush 2=straight_flush                         recorded
    verify T6/1/1/2/main by=Dee                                            verified
    approve T6/1/1/2/main by=Eve with=Fay manager=Max reason=film          approved
    pay T6/1/1/2/main by=Gus                                               paid
    T5 record 1: 1=royal_flush                                             recorded
    release T6/1/1/1/main by=Xi with=Yo reason=film rule=11.4              released
    reject T6/1/1/2/main by=Ki with=Le reason=minor rule=16.4              rejected
    forfeit T6/1/1/2/main by=Mo with=Ny reason=minor rule=16.4             forfeited
    decide T5/1/1/1/main order=wagers by=Qu with=Ru                        ordered
"""
"""A fund gives no more of a prize than it has of it."""
VOID = """
    T7 wagers 1: 1 2 3                                                     accepted
    T7 record 1: 1=royal_flush 2=royal_flush 3=royal_flush                 recorded
    pay_out T7/1/1/2/main                                                  paid
    pay_out T7/1/1/3/main                                                  paid
    T7 amend 1: 1 rule=16.15                                               void_recorded
    T7 correct 1: 1 2 3=royal_flush revision=3 manager=Max                 corrected
"""
"""The share of a void seat that its pool has is nobody else's."""
LEFT_OUT = """
    T8 wagers 1: 1 2                                                       accepted
    T8 record 1: 1=straight_flush 2                                        recorded
    balance pool/minor                                                     14000000
"""
BACK = "release T8/1/1/1/minor by=Cy with=Dee reason=film rule=11.4  released"
VOID_OF_IT = "T8 amend 1: 2 rule=16.5  void_recorded"
"""What came back to a pool while it was left out of the terms is in it again."""


PAID = """
    T1 wagers 1: 1                                                         accepted
    T1 record 1: 1=straight_flush                                          recorded
    pay_out T1/1/1/1/main                                                  paid
    T2 wagers 1: 1                                                         accepted
    T2 record 1: 1=straight_flush                                          recorded
    T1 correct 1: 1=royal_flush manager=Max                                corrected
"""
LOST = """
    T1 correct 1: 1=straight_flush manager=Max revision=3                  corrected
    T3 wagers 1: 1                                                         accepted
    T3 record 1: 1=straight_flush                                          recorded
    pay_out T3/1/1/1/main                                                  paid
    T3 correct 1: 1=royal_flush manager=Max                                corrected
"""
"""One prize had come to less than was paid of it; of another only people know how much was paid before it rose."""


def terms() -> Terms:
    """One pool, of which a prize has its share: a guaranteed minimum is below it."""
    low = demo_terms()
    for prize in ("royal_flush", "straight_flush"):
        low = with_prize(low, prize, minimum_cents=100)
    return replace(low, rulings=RULINGS)


def enforce(floor: Floor, other: Terms) -> None:
    """Let the pools and prizes of other terms be in force; what is taken whole begins at nought."""
    floor.terms = replace(other, version=floor.terms.version + 1, rulings=replace(RULINGS, reset="none"))
    raw = msgspec.Raw(canonical_bytes(floor.terms))
    assert floor.act(NewTerms(floor.terms.name, floor.terms.version, raw, "Ann", "Bob")).later is None


def batches() -> Sequence[Batch]:
    """The batches of the chain."""
    floor = Floor(terms(), tuple(f"T{number}" for number in range(1, 9)))
    floor.play(ORDERS)
    floor.play(VOID)
    enforce(floor, terms())
    floor.play(FORFEITED)
    two = with_prize(two_pool_terms(), "straight_flush", share_ppm=1_000_000)
    minor = replace(two.pools[1], increment_ppm=70_000)
    two = replace(two, pools=(two.pools[0], minor), retained_ppm=670_000)
    enforce(floor, two)
    floor.play(LEFT_OUT)
    enforce(floor, terms())
    floor.play(BACK)
    enforce(floor, two)
    floor.play(VOID_OF_IT)
    return floor.batches


def repaid_batches() -> Sequence[Batch]:
    """The batches of a link that was brought back to where the first prize had risen."""
    floor = Floor(tables=("T1", "T2", "T3"))
    floor.play(PAID)
    kept = len(floor.batches)
    floor.play(LOST)
    head = floor.state.head
    hits = [
        HitShown(str(hit.key), hit.prize, hit.state, hit.amount_cents, hit.key.table, hit.moved)
        for hit in floor.state.hits.values()
    ]
    shown = Snapshot("southern", 1, head.commit, "running", "", "2026-11", [], hits, "one", 1, 1)
    restored = Restored(floor, kept, ("T1", "T2", "T3"), shown)
    raised = next(str(key) for key in floor.state.hits if key.table == "T3")
    restored.reopen(Choices("Ann", "Bob", paid=(raised,), paid_cents={raised: 500_000}))
    return [*floor.batches[:kept], *restored.posted]


if __name__ == "__main__":
    write(Path(sys.argv[1]), "mended", batches())
    write(Path(sys.argv[1]), "repaid", repaid_batches())
