"""A round that was open when new terms came into force is awarded by its own terms, whatever pools there are then."""

from rules.progressive import Winner, award
from tests.support.terms import demo_terms, two_pool_terms


def test_a_pool_of_later_terms_is_left_alone() -> None:
    """The round's terms know one pool; the other, opened since, neither stops the award nor gives anything."""
    pools = {"main": 10_000_000_000_000, "minor": 500_000_000_000}
    resolution = award(pools, {}, [Winner(3, "straight_flush")], demo_terms())
    assert [one.amount_cents for one in resolution.awards] == [1_000_000]
    assert resolution.pool_after_microcents["main"] == 9_000_000_000_000
    assert resolution.lowered == ("main",)


def test_a_pool_of_the_rounds_terms_pays_though_newer_terms_lack_it() -> None:
    """What a pool still holds is there for the rounds that were wagered on it."""
    pools = {"main": 10_000_000_000_000, "minor": 500_000_000_000}
    resolution = award(pools, {}, [Winner(3, "straight_flush")], two_pool_terms())
    assert resolution.awards[0].pool == "minor"
    assert resolution.pool_after_microcents["main"] == pools["main"]
