"""A simulator is worth what it notices: each way to break the product is found, and its history made short."""

import pytest

from tests.sim.mutants import MUTANTS, Mutant, hunt


@pytest.mark.parametrize("mutant", MUTANTS, ids=[mutant.name.replace(" ", "_") for mutant in MUTANTS])
def test_each_way_to_break_it_is_found(mutant: Mutant, capsys: pytest.CaptureFixture[str]) -> None:
    """Within as many histories as its row states; the short history is printed."""
    found = hunt(mutant, tries=8)
    assert found is not None, f"{mutant.name} was not found in {mutant.within} histories"
    with capsys.disabled():
        print(f"\n{mutant.name}: found in history {found.histories}\n{found.history}")  # noqa: T201 - it is to be seen
