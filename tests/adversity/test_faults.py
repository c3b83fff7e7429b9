"""The quick rows of `make adversity`: real programs are broken one after the other, and nothing is lost or doubled."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.adversity.faults import FAULTS, Fault
from tests.adversity.matrix import run_fault
from tests.adversity.reckoning import NOTHING, Reckoning
from tests.adversity.site import Site, site


@dataclass
class Played:
    """A site, and what it has come to so far."""

    site: Site
    reckoning: Reckoning = NOTHING


@pytest.fixture(scope="module")
def played() -> Iterator[Played]:
    """One site for all rows, in a folder with a short name: sockets are in it."""
    with TemporaryDirectory(prefix="adv-") as folder, site(Path(folder), tables=3, rounds=6) as at:
        yield Played(at)


@pytest.mark.parametrize("fault", [fault for fault in FAULTS if fault.quick], ids=lambda fault: fault.name)
def test_nothing_is_lost_or_doubled(played: Played, fault: Fault) -> None:
    """Wagers sent, answered and stored are the same by id, so are awards, and the audit finds no difference."""
    outcome, played.reckoning = run_fault(played.site, fault, played.reckoning)
    assert outcome.ok, outcome


def test_every_fault_is_there_once() -> None:
    """The matrix has at least forty rows, each with a name of its own; some of them are quick."""
    names = [fault.name for fault in FAULTS]
    assert len(names) == len(set(names)) >= 40
    assert 6 <= sum(fault.quick for fault in FAULTS) <= 10
