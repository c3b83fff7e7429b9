"""The history that the golden chain `amended` of a decide version holds: records corrected, typed in, orders decided.

`python -m tests.support.golden_amended FOLDER` writes it. That is done once for a version, before it first posts; what
is there is never written again.
"""

import sys
from collections.abc import Sequence
from pathlib import Path

from jackpot.core.ports import Batch
from tests.support.floor import Floor
from tests.support.golden_chain import terms, write


def story(floor: Floor) -> None:
    """Play it all."""
    floor.play(
        """
        T1 wagers 1: 1 2 3 4/tender=token                                      accepted
        T1 record 1: 1=flush 2=straight_flush 3 4=royal_flush                  recorded
        verify T1/1/1/1/house by=Dee                                           approved
        pay T1/1/1/1/house by=Eve                                              paid
        T1 correct 1: 1=full_house 2 3=straight_flush 4=royal_flush            corrected
        T1 correct 1: 1 2 3=straight_flush 4=royal_flush revision=3            corrected
        recover T1/1/1/1/house cents=4000                                      recovered
        recover T1/1/1/1/house cents=6000 part=2                               recovered
        T1 correct 1: 1=flush 2 3=royal_flush 4=straight_flush late revision=4 corrected
        T1 amend 1: 1 rule=14.8 revision=5                                     void_recorded
        T2 wagers 1: 1 2                                                       accepted
        T2 record 1: 1=flush 2 cards=1:Ks,Ks,7s,3s,2s                          disputed
        T2 correct 1: 1=flush 2                                                corrected
        T3 wagers 1: 1 2 3/tender=token                                        accepted
        T3 invalidate 1: forfeit=2,3                                           void_recorded
        T3 wagers 2: 1 2                                                       accepted
        T3 record 2: 1=four_of_a_kind 2                                        recorded
        T3 amend 2: rule=16.6 forfeit=2                                        void_recorded
        T3 wagers 3: 1 2                                                       accepted
        T4 wagers 1: 1 2                                                       accepted
        T4 record 1: 1=straight_flush 2                                        recorded
        T3 record 3: 1=straight_flush 2                                        recorded
        decide T4/1/1/1/minor order=wagers manager=Max                         ordered
        word T4 spool=aa                                                       word
        T4 wagers 2: 1 2                                                       later:hit_open
        T2 wagers 2: 1                                                         table_closed
        admit T5                                                               admitted
        T5 hello journal=0                                                     connected
        T5 wagers 1: 1 2                                                       accepted
        word T5 spool=aa                                                       word
        T5 hello journal=0 spool=aa                                            connected
        T5 type 1: 1=four_of_a_kind 2 journal=1                                recorded
        admit T6                                                               admitted
        T6 hello journal=0                                                     connected
        T6 wagers 1: 1 2                                                       accepted
        T6 record 1: 1 2                                                       recorded
        T3 amend 3: rule=14.4                                                  void_recorded
        T3 wagers 4: 1                                                         accepted
        T3 record 4: 1=royal_flush                                             recorded
        pool main epoch                                                        4
        T3 correct 4: 1                                                        corrected
        T6 amend 1: rule=14.4                                                  void_recorded
        moved pool/main                                                        -32000000
        """
    )


def batches() -> Sequence[Batch]:
    """The batches of the chain."""
    floor = Floor(terms(), ("T1", "T2", "T3", "T4"))
    story(floor)
    return floor.batches


if __name__ == "__main__":
    write(Path(sys.argv[1]), "amended", batches())
