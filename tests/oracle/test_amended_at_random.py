"""Histories of amendments: falls, voids, corrections, orders and changed terms, one after the other at random.

Longer hunts: `python -m tests.support.at_random FROM TO`.
"""

import pytest

from tests.support.at_random import Disagreed, Told, history

HISTORIES = 40
RARE = (96, 139)
"""In these a prize that rose after it was paid comes to what was paid of it, and a share that the pool keeps is
followed by another's fall."""


@pytest.mark.parametrize("seed", [*range(HISTORIES), *RARE])
def test_a_stranger_works_random_amendments_out(seed: int) -> None:
    """Two pools or one, with limits, a full reserve and tokens: every entry, answer and hit comes out the same."""
    history(seed)


def test_a_difference_is_found_with_its_lines() -> None:
    """A cent in the stranger's head that the ledger has not ends a history, and what was played is told."""
    told = Told(0)
    told.model.balances["pool/main"] += 1
    with pytest.raises(Disagreed, match=r"seed 0: pool/main.*\n  T\d wagers 1: .* accepted"):
        told.play_on(150)
