"""Histories in which two people end what is under way, and the ledger goes back to before that (PROTOCOL 5).

Longer hunts: `python -m tests.support.seats_at_random FROM TO`.
"""

import pytest

from tests.support.seats_at_random import history

HISTORIES = range(7, 14)
"""In all but one of these a table had not heard of it, and recorded, withdrew or voided the round then."""


@pytest.mark.parametrize("seed", HISTORIES)
def test_seats_that_people_had_ended_are_out_of_play_in_the_next_life(seed: int) -> None:
    """Heard of by their table or not: every answer that stands tells of the seats that are in play, and of no other."""
    history(seed)
