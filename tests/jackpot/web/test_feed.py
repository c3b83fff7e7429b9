"""What boards are told of a link, worked out from what came over Redis."""

import pytest

from jackpot.core.ports import Heard
from jackpot.web.feed import Feed
from jackpot.wire.snapshots import PoolShown
from tests.support.links import snapshot
from tests.support.terms import demo_terms


@pytest.mark.parametrize(("first_seen", "began"), [(4_500_643, "5000000"), (5_000_066, "5000066")])
def test_a_new_jackpot_is_never_said_to_begin_below_its_seed(first_seen: int, began: str) -> None:
    """While Redis was away a prize may have been taken from a jackpot that no board had shown yet."""
    feed = Feed("southern", "page", lambda _fingerprint: demo_terms())
    for commit, epoch, cents, fell in ((10, 1, 9_000_000, 0), (20, 2, first_seen, 19)):
        pools = [PoolShown("main", epoch, cents, fell, "award" if fell else "")]
        feed.take(Heard(snapshot(cents, commit, pools=pools), commit * 100, live=True))
    (pool,) = feed.state(2_000).pools
    assert (pool.cents, pool.epoch_cents) == (str(first_seen), began)
