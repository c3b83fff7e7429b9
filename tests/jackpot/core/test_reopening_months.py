"""Which gaming month a ledger begins its next life in: never before that of what the lost one had answered or shown."""

from collections.abc import Sequence

import pytest

from jackpot.core.calendar import gaming_month
from jackpot.core.reopening import Choices
from jackpot.wire.snapshots import Snapshot
from tests.support.floor import Floor
from tests.support.lives import Restored

DAY_US = 86_400_000_000
TABLES = ("T1", "T2")
OPENING = 5
"""Batches in which the link is opened and its tables say hello."""
LOST = {
    "wagers that were accepted": ("T1 wagers 1: 1 month=2026-12", "T1 record 1: 1 month=2026-12"),
    "wagers that were refused": ("T1 wagers 1: 1 month=2026-12 terms=abab",),
    "a withdrawal": ("T1 withdraw 1: month=2026-12",),
    "a void": ("T1 void 1: month=2026-12",),
    "a record": ("T1 record 1: 1 month=2026-12",),
}


def restored_from_december(*lines: str, shown: Snapshot | None = None) -> Restored:
    """A ledger of November; the life that it lost was in December, by a clock ten days ahead, and decided this."""
    floor = Floor(tables=TABLES)
    floor.time_us += 10 * DAY_US
    for words in lines:
        floor.line(words.split())
    restored = Restored(floor, OPENING, TABLES, shown)
    floor.time_us -= 10 * DAY_US
    return restored


def month_of(restored: Restored, *, before_us: int = 0) -> str:
    """The gaming month that the ledger is in."""
    assert restored.state.terms is not None
    return gaming_month(restored.state.terms.terms, restored.state.head.time_us - before_us)


@pytest.mark.parametrize("lines", LOST.values(), ids=[name.replace(" ", "_") for name in LOST])
def test_the_next_life_is_in_the_month_that_the_lost_one_was_in(lines: Sequence[str]) -> None:
    """From its first moment, whatever tells of it; and tables, which are told December, play on in it."""
    restored = restored_from_december(*lines)
    assert month_of(restored) == "2026-11"
    restored.reopen(Choices("Ann", "Bob"))
    assert (month_of(restored), month_of(restored, before_us=1)) == ("2026-12", "2026-11")
    floor = restored.floor
    floor.state = restored.state
    assert floor.line(["T2", "wagers", "1:", "1", "month=2026-12"]) == "accepted"


def test_what_was_shown_tells_the_month_too() -> None:
    """Tables were told it, and may have numbered rounds in it that nobody has answered."""
    shown = Snapshot("southern", 1, 97, "running", "", "2026-12", [], [], "one", 1, 1)
    restored = restored_from_december(shown=shown)
    restored.reopen(Choices("Ann", "Bob"))
    assert (month_of(restored), month_of(restored, before_us=1)) == ("2026-12", "2026-11")


def test_a_month_that_was_never_decided_by_tells_nothing() -> None:
    """A second word of a round is refused whatever month it names: that says nothing of when it was."""
    restored = restored_from_december("T1 wagers 1: 1 month=2026-12", "T1 wagers 1: 2 month=2099-01")
    restored.reopen(Choices("Ann", "Bob"))
    assert month_of(restored) == "2026-12"
