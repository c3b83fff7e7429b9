"""What a meter is said to have of a wager is what its pool would not have, had the wager never been made.

Longer hunts: `python -m tests.support.never_made FROM TO`.
"""

import pytest

from tests.support.never_made import history

HISTORIES = (*range(8), 10, 11, 13, 21)
"""In the later of them the wagers are those that the jackpot of their own round leaves out."""
RARE = (327, 454)
"""In these minimums had taken of such wagers too, and they are the pool's again as one of the winners falls away."""


@pytest.mark.parametrize("seed", [*HISTORIES, *RARE])
def test_a_wager_is_where_its_money_is(seed: int) -> None:
    """Royals, tenths, what falls away of them, and orders: played again without the wager, the same account differs."""
    history(seed)
