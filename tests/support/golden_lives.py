"""The history of a link that was brought back, as its golden chain holds it: all that a reopening posts.

`python -m tests.support.golden_lives FOLDER` writes it, once; what is there is never written again.
"""

import sys
from pathlib import Path

from jackpot.core.ports import Batch
from jackpot.core.reopening import Choices
from jackpot.wire.snapshots import PoolShown, Snapshot
from tests.support.floor import Floor
from tests.support.golden_chain import terms, write
from tests.support.lives import Restored


def reopened_batches() -> list[Batch]:
    """The batches of a link whose ledger went back: a table's spool is gone, a royal was paid, a journal was new."""
    floor = Floor(terms(), ("T1", "T2", "T3"))
    kept = len(floor.batches)
    floor.play(
        """
        T3 wagers 1: 1 2 3 4 5 6 7                                             accepted
        T3 record 1: 1 2 3 4 5 6 7                                             recorded
        T1 wagers 1: 1 2 3/ante=0                                              accepted,accepted,no_ante
        T1 wagers 1: 1 2 3 revision=2                                          wagers_twice
        T1 record 1: 1=straight_flush 2=flush                                  recorded
        verify T1/1/1/1/minor by=Ann                                           verified
        approve T1/1/1/1/minor by=Bob                                          verified
        approve T1/1/1/1/minor by=Cy                                           approved
        pay T1/1/1/1/minor by=Dee                                              paid
        verify T1/1/1/2/house by=Ann                                           approved
        pay T1/1/1/2/house by=Bob                                              paid
        word T2 spool=aa                                                       word
        T2 hello journal=0 spool=aa                                            connected
        T2 wagers 1: 1 2                                                       accepted
        T2 void 1: 2                                                           voided
        T2 record 1: 1=royal_flush                                             recorded
        T1 wagers 2: 1                                                         accepted
        T1 withdraw 2:                                                         withdrawn
        T1 record 2: 1                                                         recorded
        """
    )
    head, pools = floor.state.head, floor.state.pools
    meters = [
        PoolShown(name, life.epoch, floor.balance(f"pool/{name}") // 1_000_000, 0, "") for name, life in pools.items()
    ]
    shown = Snapshot("southern", 1, head.commit, "running", "", "2026-11", meters, [], "one", 1, 1)
    restored = Restored(floor, kept, ("T1", "T2"), shown)
    restored.reopen(Choices("Ann", "Bob", ("T3",), paid=("T1/1/1/1/minor", "T1/1/1/2/house")))
    return [*floor.batches[:kept], *restored.posted]


if __name__ == "__main__":
    write(Path(sys.argv[1]), "reopened", reopened_batches())
