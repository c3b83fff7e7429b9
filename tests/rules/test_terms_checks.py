"""Terms that contradict themselves, or promise what their rates can not pay, are refused with the field to look at."""

import json
from typing import Any

import pytest

from rules.terms import Terms, TermsError, fingerprint, parse_form, parse_terms
from tests.support.terms import demo_tree


def parse_tree(tree: dict[str, Any]) -> Terms:
    """Terms from a JSON tree."""
    return parse_terms(json.dumps(tree).encode())


def changed(*changes: str) -> dict[str, Any]:
    """The demonstration's terms with fields set, each written `path=JSON`."""
    tree = demo_tree()
    for change in changes:
        path, value = change.split("=", 1)
        *way, last = path.split(".")
        at: Any = tree
        for step in way:
            at = at[int(step)] if isinstance(at, list) else at[step]
        if isinstance(at, list) and int(last) == len(at):
            at.append(json.loads(value))
        else:
            at[int(last) if isinstance(at, list) else last] = json.loads(value)
    return tree


MINOR = 'pools.1={"name":"minor","seed_cents":500000,"increment_ppm":0,"limit_cents":null,"overflow_to":"next_seed"}'
LOW_MAIN = ("pools.0.increment_ppm=69000", "retained_ppm=851000")
BONUS_OF_POOL = ('pay_table.flush.pool="main"', 'pay_table.flush.paid_by="pool"')
NO_RESET = ('rulings.reset="none"', "reserve.increment_ppm=0")

REFUSED = [
    # what is changed, the field named, the value shown, words of the reason
    (['game="sic_bo"'], "game", "sic_bo", "no rules here"),
    (['edition="2023-08-16"'], "edition", "2023-08-16", "not the edition"),
    (["approvals.0.from_cents=1"], "approvals.0.from_cents", "1", "starts at 0"),
    (["approvals.2.from_cents=50000"], "approvals.2.from_cents", "50000", "not above"),
    (["approvals.2.approvers=0"], "approvals.2.approvers", "0", "fewer people"),
    (['pools.0.name="house"'], "pools.0.name", "house", "another account"),
    ([MINOR, 'pools.1.name="main"'], "pools.1.name", "main", "another account"),
    (["pools.0.limit_cents=5000000"], "pools.0.limit_cents", "5000000", "not above the seed"),
    (['reserve.excess_to="minor"'], "reserve.excess_to", "minor", "no pool"),
    ([MINOR], "pools.1.name", "minor", "could not be won"),
    (["pay_table.royal_flush.pool=null"], "pay_table.royal_flush.pool", "none", "needs it"),
    (["pay_table.royal_flush.share_ppm=null"], "pay_table.royal_flush.share_ppm", "none", "needs it"),
    (["pay_table.straight_flush.minimum_cents=null"], "pay_table.straight_flush.minimum_cents", "none", "needs it"),
    (["pay_table.straight_flush.amount_cents=500000"], "pay_table.straight_flush.amount_cents", "500000", "has none"),
    (['pay_table.straight_flush.paid_by="house"'], "pay_table.straight_flush.paid_by", "house", "paid by the pool"),
    (['pay_table.straight_flush.pool="grand"'], "pay_table.straight_flush.pool", "grand", "no pool"),
    (["pay_table.straight_flush.share_ppm=0"], "pay_table.straight_flush.share_ppm", "0", "a prize of nothing"),
    (
        ["pay_table.straight_flush.share_ppm=1000000"],
        "pay_table.straight_flush.share_ppm",
        "1000000",
        "royal_flush takes the same pool whole",
    ),
    (["pay_table.flush.amount_cents=null"], "pay_table.flush.amount_cents", "none", "needs it"),
    (["pay_table.flush.amount_cents=0"], "pay_table.flush.amount_cents", "0", "a prize of nothing"),
    (['pay_table.flush.pool="main"'], "pay_table.flush.pool", "main", "has none"),
    (['pay_table.flush.paid_by="pool"'], "pay_table.flush.pool", "none", "needs it"),
    (["pay_table.flush.share_ppm=1"], "pay_table.flush.share_ppm", "1", "has none"),
    (["pay_table.flush.minimum_cents=0"], "pay_table.flush.minimum_cents", "0", "has none"),
    (["retained_ppm=700001"], "retained_ppm", "700001", "add up to 1000001, not 1000000"),
    (["pools.0.increment_ppm=219999"], "retained_ppm", "700000", "add up to 999999, not 1000000"),
    (["reserve.increment_ppm=0"], "retained_ppm", "700000", "add up to 920000, not 1000000"),
    (
        ['rulings.reset="none"', "rulings.never_below_seed=true"],
        "rulings.never_below_seed",
        "true",
        "cannot be kept at its seed",
    ),
    (
        LOW_MAIN,
        "pools.0.increment_ppm",
        "69000",
        "main shrinks at its seed: a wager brings 6.9000 cents, its prizes take 6.9258",
    ),
    # Case 18: a seed typed ten times too large.
    (["pools.0.seed_cents=50000000"], "pools.0.increment_ppm", "220000", "its prizes take 69.2584"),
    (BONUS_OF_POOL, "pools.0.increment_ppm", "220000", "its prizes take 26.5798"),
    (
        ['rulings.topup_paid_by="pool"', "pay_table.straight_flush.minimum_cents=1600000"],
        "pools.0.increment_ppm",
        "220000",
        "its prizes take 22.1627",
    ),
    (
        ['rulings.reset="none"', "pools.0.increment_ppm=146000", "retained_ppm=774000"],
        "pools.0.increment_ppm",
        "146000",
        "its prizes take 14.6212",
    ),
    (
        ["retained_ppm=532000", "pools.0.increment_ppm=388000"],
        "retained_ppm",
        "532000",
        "the house keeps 53.2000 cents of a wager and pays 53.2674",
    ),
    (["pay_table.flush.amount_cents=20000"], "retained_ppm", "700000", "pays 72.9214"),
    (
        ["reserve.increment_ppm=0", "pools.0.increment_ppm=400000", "retained_ppm=600000"],
        "retained_ppm",
        "600000",
        "60.9",
    ),
    (["pay_table.straight_flush.minimum_cents=2000000"], "retained_ppm", "700000", "pays 74.0450"),
    (["pay_table.royal_flush.minimum_cents=20000000"], "retained_ppm", "700000", "pays 76.3536"),
    (
        ["rulings.stake_returned=true", "retained_ppm=535000", "pools.0.increment_ppm=385000"],
        "retained_ppm",
        "535000",
        "pays 53.6336",
    ),
    (
        ["rulings.never_below_seed=true", "retained_ppm=590000", "pools.0.increment_ppm=330000"],
        "retained_ppm",
        "590000",
        "pays 59.8886",
    ),
]


@pytest.mark.parametrize(
    ("changes", "field", "value", "reason"), REFUSED, ids=[" ".join(row[0])[:60] for row in REFUSED]
)
def test_terms_no_casino_could_honour(changes: list[str], field: str, value: str, reason: str) -> None:
    """Each contradiction is refused at once, with the field to look at, what stands there, and why."""
    tree = changed(*changes)
    parse_form(json.dumps(tree).encode())
    with pytest.raises(TermsError) as caught:
        parse_tree(tree)
    assert (caught.value.field, caught.value.value) == (field, value)
    assert reason in caught.value.reason


ACCEPTED = [
    ["pools.0.increment_ppm=70000", "retained_ppm=850000"],
    ["rulings.never_below_seed=true", "retained_ppm=600000", "pools.0.increment_ppm=320000"],
    ["rulings.never_below_seed=true", "pools.0.increment_ppm=0", "retained_ppm=920000"],
    ["retained_ppm=533000", "pools.0.increment_ppm=387000"],
    ["rulings.stake_returned=true", "retained_ppm=537000", "pools.0.increment_ppm=383000"],
    ["reserve.increment_ppm=0", "pools.0.increment_ppm=300000", "retained_ppm=700000"],
    [*NO_RESET, "pools.0.increment_ppm=147000", "retained_ppm=853000"],
    [*BONUS_OF_POOL, "pools.0.increment_ppm=270000", "retained_ppm=650000"],
    ['rulings.topup_paid_by="pool"', "pay_table.straight_flush.minimum_cents=1500000"],
    [*BONUS_OF_POOL, "pools.0.seed_cents=5000", "pools.0.increment_ppm=100000", "retained_ppm=820000"],
    ["pools.0.limit_cents=5000001", 'pools.0.overflow_to="reserve"'],
    ["reserve.limit_cents=0"],
    ["reserve.limit_cents=null"],
    [
        MINOR,
        "pools.1.increment_ppm=40000",
        "pools.0.increment_ppm=180000",
        'pay_table.straight_flush.pool="minor"',
        "pay_table.straight_flush.share_ppm=1000000",
    ],
]


@pytest.mark.parametrize("changes", ACCEPTED, ids=" ".join)
def test_terms_a_casino_could_honour(changes: list[str]) -> None:
    """Terms just within the bounds are accepted: none of the checks refuses more than its reason says."""
    assert fingerprint(parse_tree(changed(*changes)))


def test_case_7_a_rate_of_one_and_a_quarter_percent_carries_a_smaller_seed() -> None:
    """At $1 and 1.25% a pool of $9,000 grows and one of $10,000 shrinks: 10% of it goes with each straight flush."""
    rates = ["pools.0.increment_ppm=12500", "retained_ppm=907500", "pay_table.straight_flush.minimum_cents=0"]
    carried = changed(*rates, "pools.0.seed_cents=900000", "pay_table.royal_flush.minimum_cents=900000")
    assert parse_tree(carried).pools[0].seed_cents == 900_000
    with pytest.raises(TermsError, match=r"a wager brings 1\.2500 cents, its prizes take 1\.38"):
        parse_tree(changed(*rates, "pools.0.seed_cents=1000000", "pay_table.royal_flush.minimum_cents=1000000"))
