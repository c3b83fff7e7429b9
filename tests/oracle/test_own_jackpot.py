"""The second opinion on rule 12, held against amounts worked out by hand (the cases of the field)."""

from typing import Any

import pytest

from tests.oracle.progressive import MICRO, paying_order, resolve

SHORT = {"R": "royal_flush", "S": "straight_flush", "4": "four_of_a_kind", "H": "full_house", "F": "flush"}


def terms_with(**rulings: Any) -> dict[str, Any]:
    """Terms of one pool with the prizes of 12.1, seed 50,000.00, and the rulings given."""
    return {
        "pay_table": {
            "royal_flush": {"kind": "share", "share_ppm": 1_000_000, "pool": "main", "minimum_cents": 5_000_000},
            "straight_flush": {"kind": "share", "share_ppm": 100_000, "pool": "main", "minimum_cents": 500_000},
            "four_of_a_kind": {"kind": "bonus", "amount_cents": 50_000, "paid_by": "house", "pool": None},
            "full_house": {"kind": "bonus", "amount_cents": 15_000, "paid_by": "house", "pool": None},
            "flush": {"kind": "bonus", "amount_cents": 10_000, "paid_by": "house", "pool": None},
        },
        "pools": [{"name": "main", "seed_cents": 5_000_000}],
        "rulings": rulings,
    }


# meter | winners in paying order | amounts | added by the house | meter after, before any seed
TABLE = """
    10000000 | S2          | 1000000                  | 0        | 9000000   # 13: one straight flush
    10000000 | S2 S1       | 950000 950000            | 0        | 8100000   # 13: two
    10000000 | S3 S2 S1    | 903333 903333 903333     | 0        | 7290001   # 13: one cent stays
     5000000 | S2 S1       | 500000 500000            | 50000    | 4050000   # 13: 500.00 added in all
    10000000 | S1 R4       | 1000000 9000000          | 0        | 0         # 14: the straight flush first (12.4)
     5200000 | S1 R4       | 520000 5000000           | 320000   | 0         # 14
    20000000 | S4 S1 R3 R2 | 1900000 1900000 8100000 8100000 | 0 | 0         # 15
    10000001 | R2 R1       | 5000000 5000000          | 0        | 1         # 16: shares and what stays add up
    18000000 | R3 R2 R1    | 6000000 6000000 6000000  | 0        | 0         # 16
     5000000 | R4 R3 R2 R1 | 5000000 5000000 5000000 5000000 | 15000000 | 0  # 17
     5010000 | S1          | 501000                   | 0        | 4509000   # 10
     4509000 | S1          | 500000                   | 49100    | 4058100   # 10
     4058100 | S1          | 500000                   | 94190    | 3652290   # 10
    10000000 | F7 46 H3 F1 | 10000 50000 15000 10000  | 85000    | 10000000  # 12.1.3 to 12.1.5
    10000000 | F5 S4 H1    | 10000 1000000 15000      | 25000    | 9000000   # 12.2: strictly right to left
    10000000 | S1 F5 R4 H2 | 1000000 10000 9000000 15000 | 25000 | 0         # 12.4
"""


@pytest.mark.parametrize("row", TABLE.strip().splitlines())
def test_awards_of_one_round(row: str) -> None:
    """Amounts, what the house adds and what the pool keeps are those of the table, in any order of the winners."""
    meter, seats, amounts, added, after = (part.strip() for part in row.split("#", maxsplit=1)[0].split("|"))
    winners = [(int(word[1:]), SHORT[word[0]]) for word in seats.split()]
    for given in (winners, winners[::-1], sorted(winners)):
        result = resolve(terms_with(reset="none"), {"main": int(meter) * MICRO + 7}, {}, given)
        assert [(award["seat"], award["prize"]) for award in result["awards"]] == winners
        assert [award["amount_cents"] for award in result["awards"]] == [int(amount) for amount in amounts.split()]
        assert sum(award["topup_cents"] + award["bonus_cents"] for award in result["awards"]) == int(added)
        assert result["pools"] == {"main": int(after) * MICRO + 7}


@pytest.mark.parametrize(
    ("rulings", "meter", "winners", "amounts", "after"),
    [
        ({"odd_cents": "up"}, 10_000_000, "S3 S2 S1", [903_334] * 3, 7_290_001),
        ({"odd_cents": "spread"}, 10_000_000, "S3 S2 S1", [903_334, 903_333, 903_333], 7_290_000),
        ({"odd_cents": "spread"}, 10_000_001, "R2 R1", [5_000_001, 5_000_000], 0),
        ({"takes": "exact"}, 10_000_095, "S2 S1", [950_009, 950_009], 8_100_077),
        ({"takes": "each"}, 10_000_095, "S2 S1", [950_008, 950_008], 8_100_079),
        ({"topup_paid_by": "pool"}, 5_000_000, "S2 S1", [500_000, 500_000], 4_000_000),
        ({"topup_paid_by": "pool"}, 5_200_000, "S1 R4", [520_000, 5_000_000], 0),
        ({"topup_paid_by": "pool"}, 700_000, "S2 S1", [500_000, 500_000], 0),
    ],
)
def test_the_switches_of_rule_12(
    rulings: dict[str, Any], meter: int, winners: str, amounts: list[int], after: int
) -> None:
    """Each ruling changes exactly what it names."""
    given = [(int(word[1:]), SHORT[word[0]]) for word in winners.split()]
    result = resolve(terms_with(reset="none", **rulings), {"main": meter * MICRO}, {}, given)
    assert [award["amount_cents"] for award in result["awards"]] == amounts
    assert result["pools"] == {"main": after * MICRO}


def test_the_rounds_own_wagers_are_in_the_jackpot_or_not() -> None:
    """100% of the meter is with this round's wagers in, or without them: then they stay in the pool (12.1.1)."""
    with_own = resolve(terms_with(), {"main": 6_000_000 * MICRO}, {"main": 44 * MICRO}, [(1, "royal_flush")])
    assert with_own["awards"][0]["amount_cents"] == 6_000_000
    rulings = {"meter_includes_this_round": False}
    without = resolve(terms_with(**rulings), {"main": 6_000_000 * MICRO}, {"main": 44 * MICRO}, [(1, "royal_flush")])
    assert without["awards"][0]["amount_cents"] == 5_999_956
    assert without["pools"] == {"main": 5_000_044 * MICRO}


def test_after_a_royal_the_reserve_seeds_first() -> None:
    """What is left plus the seed plus the overflow; the house pays only what the reserve lacks (11.9.2)."""
    pool = {"main": 6_000_000 * MICRO + 5}
    result = resolve(terms_with(), pool, {}, [(1, "royal_flush")], reserve=2_000_000 * MICRO, overflow={"main": 9})
    assert result["pools"] == {"main": 5_000_000 * MICRO + 5 + 9}
    assert result["reserve"] == 0
    assert result["overflow"] == {}
    assert result["reseeds"] == {
        "main": {"from_reserve": 2_000_000 * MICRO, "from_house": 3_000_000 * MICRO, "from_overflow": 9}
    }


def test_never_below_the_seed_lifts_after_a_straight_flush() -> None:
    """A straight flush leaves the meter below the seed, or the seed is made whole, as the terms rule."""
    pool = {"main": 5_010_000 * MICRO}
    assert resolve(terms_with(), pool, {}, [(1, "straight_flush")])["pools"] == {"main": 4_509_000 * MICRO}
    lifted = resolve(terms_with(never_below_seed=True), pool, {}, [(1, "straight_flush")], reserve=91_000 * MICRO)
    assert lifted["pools"] == {"main": 5_000_000 * MICRO}
    assert lifted["reseeds"]["main"]["from_house"] == 400_000 * MICRO


def test_a_pool_may_pay_a_bonus() -> None:
    """A fixed bonus the terms put on the pool is taken from what the shares left; the house pays the rest."""
    terms = terms_with(reset="none")
    terms["pay_table"]["flush"] |= {"paid_by": "pool", "pool": "main"}
    result = resolve(terms, {"main": 6_000_000 * MICRO}, {}, [(1, "flush")])
    assert result["awards"][0]["from_pool_cents"] == 10_000
    result = resolve(terms, {"main": 6_000_000 * MICRO}, {}, [(1, "flush"), (3, "royal_flush")])
    assert [award["topup_cents"] for award in result["awards"]] == [0, 10_000]


def test_paying_order() -> None:
    """Right to left (12.2), straight flushes first only when there is a royal (12.4)."""
    assert paying_order([(2, "flush"), (5, "straight_flush"), (7, "full_house")]) == [
        (7, "full_house"),
        (5, "straight_flush"),
        (2, "flush"),
    ]
    assert paying_order([(2, "straight_flush"), (5, "royal_flush"), (7, "full_house")])[0] == (2, "straight_flush")
