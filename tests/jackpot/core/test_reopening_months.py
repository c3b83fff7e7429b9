"""Which gaming month a ledger begins its next life in: never before that of what the lost one had answered."""

from jackpot.core.calendar import gaming_month
from jackpot.core.reopening import Choices
from tests.support.floor import Floor
from tests.support.lives import Restored

DAY_US = 86_400_000_000
TABLES = ("T1", "T2")
OPENING = 5
"""Batches in which the link is opened and its tables say hello."""


def test_the_next_life_is_in_the_month_that_the_lost_one_was_in() -> None:
    """A server whose clock ran ahead took wagers of December and was lost: its tables play on in December."""
    floor = Floor(tables=TABLES)
    floor.time_us += 10 * DAY_US
    for words in ("T1 wagers 1: 1 month=2026-12", "T1 record 1: 1 month=2026-12"):
        floor.line(words.split())
    restored = Restored(floor, OPENING, TABLES)
    floor.time_us -= 10 * DAY_US
    restored.reopen(Choices("Ann", "Bob"))
    terms, head = restored.state.terms, restored.state.head
    assert terms is not None
    assert gaming_month(terms.terms, floor.time_us) == "2026-11"
    assert gaming_month(terms.terms, head.time_us) == "2026-12"
    assert gaming_month(terms.terms, head.time_us - 1) == "2026-11"
