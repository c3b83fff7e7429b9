"""What two people had done to a round by no word of its table, once the ledger has gone back: they are told of it."""

import pytest

from jackpot.core.reopening import Choices
from tests.support.floor import Floor
from tests.support.lives import Restored

TABLES = ("T1", "T2", "T3")
OPENING = 7
TWO = Choices("Ann", "Bob")
NAMED = ["round T1/1/1 open, and T1 is done with it: void it or type its record in"]


@pytest.mark.parametrize(
    ("after", "named"),
    [
        ("T1 invalidate 1: forfeit=1    void_recorded\nT1 wagers 2: 1    accepted\nT1 record 2: 1    recorded", NAMED),
        ("T1 invalidate 1: forfeit=1    void_recorded\nT1 record 1: 1    round_voided", NAMED),
        ("T1 invalidate 1: forfeit=1    void_recorded\nT1 void 1:        round_voided", NAMED),
        ("T1 invalidate 1: forfeit=1    void_recorded\nT1 withdraw 1:    round_voided", NAMED),
        ("T1 invalidate 1: forfeit=1    void_recorded\nT1 void 1: 2      round_voided", NAMED),
        ("T1 type 1: 1 2 manager=Max    recorded\nT1 withdraw 1:    round_recorded", NAMED),
        ("T1 void 1: 2    voided\nT1 void 1: 2 rule=16.5    id_reused", []),
        ("T1 invalidate 1: forfeit=1    void_recorded\nT1 void 1: 0 revision=2    round_voided", NAMED),
        ("T1 type 1: 1 2 manager=Max    recorded\nT1 void 1: 0 revision=2    too_old", NAMED),
        ("T1 void 1: 0 revision=2    voided", NAMED),
        ("T1 void 1: 2    voided\nT1 void 1: 2 revision=2    voided", []),
        ("T1 record 1: 1    recorded", []),
        ("T1 void 1:        voided", []),
        ("T2 wagers 1: 1    accepted", []),
    ],
)
def test_a_round_that_its_table_is_done_with_is_named(after: str, named: list[str]) -> None:
    """One with a later round, of which a later word was refused, or whose hands were told when its end was heard of.

    Never one that is played still, nor one that is over.
    """
    floor = Floor(tables=TABLES)
    floor.play(f"T1 wagers 1: 1 2    accepted\n{after}")
    made = Restored(floor, OPENING, TABLES).planned(TWO)
    assert not made.obstacles
    assert list(made.office) == named
