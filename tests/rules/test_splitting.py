"""Where each microcent of a qualifying wager goes, near a limit and far from any."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.splitting import UNLIMITED, Split, headroom, plain_split, split_wager
from rules.terms import Pool, Terms
from tests.support.terms import demo_terms, two_pool_terms

CENT = 1_000_000


def limited(
    main_limit: int | None, overflow_to: str = "next_seed", *, reserve_limit: int | None = None, excess_to: str = "main"
) -> Terms:
    """Two pools at 18 and 4 cents a wager, the first with a limit, and a reserve at 8 cents."""
    terms = two_pool_terms()
    main = Pool("main", 0, 180_000, main_limit, "reserve" if overflow_to == "reserve" else "next_seed")
    reserve = replace(terms.reserve, limit_cents=reserve_limit, excess_to=excess_to)
    return replace(terms, pools=(main, terms.pools[1]), reserve=reserve)


def test_a_dollar_of_the_demonstration() -> None:
    """22 cents to the meter, 8 to the reserve, 70 retained, at any meter under the reserve's limit."""
    plain = Split(pools=(22 * CENT,), overflow=(0,), reserve=8 * CENT, retained=70 * CENT)
    assert plain_split(demo_terms()) == plain
    assert split_wager(demo_terms(), {"main": 10**18}, 0) == plain
    assert split_wager(demo_terms(), {"main": 0}, 249_999_92 * CENT) == plain


def test_a_full_reserve_feeds_the_meter() -> None:
    """What the reserve can not hold goes to the meter, to the microcent (11.5, 11.6)."""
    last = split_wager(demo_terms(), {"main": 0}, 249_999_97 * CENT)
    assert last == Split(pools=(27 * CENT,), overflow=(0,), reserve=3 * CENT, retained=70 * CENT)
    full = split_wager(demo_terms(), {"main": 0}, 250_000_00 * CENT)
    assert full == Split(pools=(30 * CENT,), overflow=(0,), reserve=0, retained=70 * CENT)


# main's limit, overflow, reserve's limit, excess | main, reserve held -> main minor | overflow | reserve, in cents
NEAR_A_LIMIT = """
100 next_seed - main    | 82 0   | 18 4 | 0 0  | 8
100 next_seed - main    | 90 0   | 10 4 | 8 0  | 8
100 next_seed - main    | 100 0  | 0 4  | 18 0 | 8
100 next_seed - main    | 250 0  | 0 4  | 18 0 | 8
100 reserve   - main    | 90 0   | 10 4 | 0 0  | 16
100 reserve   20 main   | 90 10  | 10 4 | 6 0  | 10
100 reserve   20 minor  | 90 10  | 10 10 | 0 0 | 10
100 reserve   0 main    | 100 0  | 0 4  | 26 0 | 0
100 next_seed 10 main   | 80 8   | 20 4 | 4 0  | 2
100 next_seed 10 minor  | 95 10  | 5 12 | 13 0 | 0
- next_seed 10 main     | 95 30  | 26 4 | 0 0  | 0
"""


@pytest.mark.parametrize("line", NEAR_A_LIMIT.strip().splitlines())
def test_near_a_limit(line: str) -> None:
    """What passes a pool's limit goes to its overflow or the reserve, what passes the reserve's to the pool named."""
    given_terms, held, pools, overflow, reserve = (part.split() for part in line.split("|"))
    main_limit, overflow_to, reserve_limit, excess_to = given_terms
    terms = limited(
        None if main_limit == "-" else int(main_limit),
        overflow_to,
        reserve_limit=None if reserve_limit == "-" else int(reserve_limit),
        excess_to=excess_to,
    )
    split = split_wager(terms, {"main": int(held[0]) * CENT, "minor": 7}, int(held[1]) * CENT)
    assert split == Split(
        tuple(int(cents) * CENT for cents in pools),
        tuple(int(cents) * CENT for cents in overflow),
        int(reserve[0]) * CENT,
        70 * CENT,
    )


def test_headroom_counts_the_wagers_before_the_first_limit() -> None:
    """The nearest limit counts; one that is reached exactly is not passed; without a limit there is no end."""
    assert headroom(demo_terms(), {"main": 0}, 0) == 3_125_000
    assert headroom(limited(100), {"main": 0, "minor": 0}, 0) == 5
    assert headroom(limited(90), {"main": 0, "minor": 0}, 0) == 5
    assert headroom(limited(89), {"main": 0, "minor": 0}, 0) == 4
    assert headroom(limited(100), {"main": 101 * CENT, "minor": 0}, 0) == 0
    assert headroom(limited(100, reserve_limit=16), {"main": 0, "minor": 0}, 0) == 2
    assert headroom(limited(None), {"main": 10**30, "minor": 0}, 10**30) == UNLIMITED


def test_a_pool_that_takes_nothing_has_no_end_of_headroom() -> None:
    """A pool without an increment never reaches its limit by wagers."""
    terms = limited(100)
    still = replace(terms, pools=(replace(terms.pools[0], increment_ppm=0), terms.pools[1]))
    assert headroom(still, {"main": 100 * CENT, "minor": 0}, 0) == UNLIMITED


limits = st.none() | st.integers(0, 300)


@st.composite
def any_limits(draw: st.DrawFn) -> Terms:
    """Terms with a low limit, or none, on each pool and the reserve."""
    terms = limited(draw(limits), draw(st.sampled_from(["next_seed", "reserve"])), reserve_limit=draw(limits))
    minor = replace(
        terms.pools[1], limit_cents=draw(limits), overflow_to=draw(st.sampled_from(["next_seed", "reserve"]))
    )
    reserve = replace(terms.reserve, excess_to=draw(st.sampled_from(["main", "minor"])))
    return replace(terms, pools=(terms.pools[0], minor), reserve=reserve)


holdings = st.integers(0, 320 * CENT)


@given(any_limits(), holdings, holdings, holdings)
def test_every_microcent_goes_somewhere_and_no_limit_is_passed(
    terms: Terms, main: int, minor: int, reserve: int
) -> None:
    """The parts add up to the wager, none negative; none lifts an account above its limit; the house gets its own."""
    split = split_wager(terms, {"main": main, "minor": minor}, reserve)
    parts = [*split.pools, *split.overflow, split.reserve, split.retained]
    assert min(parts) >= 0
    assert sum(parts) == 100 * CENT
    assert split.retained == 70 * CENT
    accounts = [
        (terms.pools[0].limit_cents, main, split.pools[0]),
        (terms.pools[1].limit_cents, minor, split.pools[1]),
        (terms.reserve.limit_cents, reserve, split.reserve),
    ]
    for limit, held, more in accounts:
        assert limit is None or more == 0 or held + more <= limit * CENT


@given(any_limits(), holdings, holdings, holdings)
def test_within_the_headroom_every_split_is_the_plain_one(terms: Terms, main: int, minor: int, reserve: int) -> None:
    """Posting `headroom` wagers by the plain split gives what working out each one would; the next may differ."""
    plain = plain_split(terms)
    pools = {"main": main, "minor": minor}
    for _ in range(min(headroom(terms, pools, reserve), 50)):
        assert split_wager(terms, pools, reserve) == plain
        pools = {"main": pools["main"] + plain.pools[0], "minor": pools["minor"] + plain.pools[1]}
        reserve += plain.reserve
    if headroom(terms, pools, reserve) == 0:
        assert split_wager(terms, pools, reserve) != plain


def test_case_7_a_million_wagers() -> None:
    """1,000,000 wagers of $1 at 1.25% grow the pool by exactly $12,500.00, whichever way they are split."""
    demo = demo_terms()
    terms = replace(demo, pools=(replace(demo.pools[0], increment_ppm=12_500),), retained_ppm=907_500)
    assert plain_split(terms).pools[0] * 1_000_000 == 12_500_00 * CENT
    assert split_wager(terms, {"main": 0}, 0) == plain_split(terms)
