"""Histories of amendments on a ledger that goes back now and then, and takes back what its tables hold (PROTOCOL 5).

Longer hunts: `python -m tests.support.lives_at_random FROM TO`.
"""

import pytest

from tests.support.lives_at_random import history

HISTORIES = 12
RARE = (43, 118)
"""In these a prize is corrected up after it was paid, the ledger goes back to there, and it had come to less than was
paid of it; and what goes back into a meter takes it past a limit that is lower than what it held."""


@pytest.mark.parametrize("seed", [*range(HISTORIES), *RARE])
def test_a_stranger_works_a_ledger_out_that_goes_back(seed: int) -> None:
    """Every entry, answer and hit of each life comes out the same, from the first batch on."""
    history(seed)
