"""The terms of a link as a value: one canonical form, one fingerprint, and every difference named."""

import json
from dataclasses import FrozenInstanceError, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.terms import (
    PRIZES,
    Difference,
    Terms,
    approvers_for,
    canonical_bytes,
    differences,
    fingerprint,
    increment_microcents,
    leaves,
    parse_form,
    parse_terms,
    pool_named,
    prize_named,
)
from tests.support.terms import demo_terms, demo_tree, tree_with, two_pool_terms

DEMO_FINGERPRINT = "adad21fe9c3fbb43ccb8cac5b923bc194ef19669d39b41b11885ae28b769256a"

OTHER_VALUES: dict[str, object] = {
    "form": 1,
    "game": "sic_bo",
    "edition": "2025-01-31",
    "currency": "NZD",
    "time_zone": "Australia/Perth",
    "day_start": "05:59",
    "reserve.excess_to": "minor",
    "pools.0.name": "grand",
}


def another(path: str, value: object) -> object:
    """Some other value that the form allows in this field."""
    words = {
        "kind": ["share", "bonus"],
        "paid_by": ["house", "pool"],
        "least_capture": ["claims", "full"],
        "overflow_to": ["next_seed", "reserve"],
        "reveal_folded": ["unseen", "all"],
        "topup_paid_by": ["house", "pool"],
        "odd_cents": ["down", "spread"],
        "takes": ["exact", "each"],
        "reset": ["seed", "none"],
        "void_after_award": ["reserve", "pool"],
        "rejected_share": ["recomputed", "kept"],
        "employee_hit": ["rejected", "paid"],
        "order_of_hits": ["commit", "lock"],
        "payout_made": ["slip", "money"],
        "table_after_hit": ["held", "sealed"],
    }.get(path.rsplit(".", 1)[-1])
    if words:
        return words[1 - words.index(str(value))]
    if path in OTHER_VALUES:
        return OTHER_VALUES[path]
    if isinstance(value, bool):
        return not value
    if value is None:
        return "main" if path.endswith(".pool") else 7
    if isinstance(value, int):
        return value - 1 if value == 1_000_000 else value + 1
    return f"{value}x"


CHANGEABLE = [path for path in leaves(demo_terms()) if path != "form"]


@pytest.mark.parametrize("path", CHANGEABLE)
def test_each_leaf_changed_alone_is_the_one_difference(path: str) -> None:
    """Rule 11.9: terms that differ in one field differ in fingerprint, and just that field is named, both ways."""
    demo = demo_terms()
    mine = leaves(demo)[path]
    changed = parse_form(tree_with(path, another(path, mine)))
    theirs = leaves(changed)[path]
    assert theirs != mine
    (difference,) = differences(demo, changed)
    assert difference.field == path
    assert difference.mine != difference.theirs
    assert differences(changed, demo) == (Difference(path, difference.theirs, difference.mine),)
    assert fingerprint(changed) != fingerprint(demo)


def test_the_number_of_the_form_is_a_difference_too() -> None:
    """Terms in another form are other terms, though no form but 1 can be read here."""
    other = replace(demo_terms(), form=2)
    assert differences(demo_terms(), other) == (Difference("form", "1", "2"),)


def test_a_difference_is_shown_as_people_say_it() -> None:
    """Both values stand in the refusal, an open one as `none`, a yes as `true`."""
    demo = demo_terms()
    other = replace(
        demo,
        reserve=replace(demo.reserve, limit_cents=None),
        rulings=replace(demo.rulings, stake_returned=True),
        pools=(replace(demo.pools[0], seed_cents=500_000),),
    )
    assert differences(demo, other) == (
        Difference("pools.0.seed_cents", "5000000", "500000"),
        Difference("reserve.limit_cents", "25000000", "none"),
        Difference("rulings.stake_returned", "false", "true"),
    )


def test_a_pool_that_one_of_them_lacks_is_named_field_by_field() -> None:
    """A second pool is a difference in each of its fields: `absent` on the side that has none."""
    found = {one.field: (one.mine, one.theirs) for one in differences(demo_terms(), two_pool_terms())}
    assert found["pools.1.seed_cents"] == ("absent", "500000")
    assert found["pools.1.limit_cents"] == ("absent", "none")
    back = {one.field: (one.mine, one.theirs) for one in differences(two_pool_terms(), demo_terms())}
    assert back["pools.1.limit_cents"] == ("none", "absent")
    assert len([field for field in found if field.startswith("pools.1.")]) == 5


def test_equal_terms_have_no_difference() -> None:
    """The same terms, written by another hand in another order, have the same bytes and nothing to name."""
    tree = demo_tree()
    turned = {name: tree[name] for name in reversed(tree)}
    turned["pay_table"] = {name: tree["pay_table"][name] for name in reversed(PRIZES)}
    turned["rulings"] = dict(sorted(tree["rulings"].items()))
    other = parse_terms(json.dumps(turned, indent=3).encode())
    assert other == demo_terms()
    assert canonical_bytes(other) == canonical_bytes(demo_terms())
    assert differences(other, demo_terms()) == ()


def test_the_canonical_bytes_of_form_1_never_change() -> None:
    """The fingerprint of the demonstration's terms is what it was: a field added, renamed or moved would change it."""
    assert fingerprint(demo_terms()) == DEMO_FINGERPRINT


def test_the_canonical_form_is_compact_and_complete() -> None:
    """No blank, no line end; the fields of form 1 in their order, each open value written as null."""
    data = canonical_bytes(demo_terms())
    assert data.startswith(b'{"form":1,"name":"southern","version":1,"game":"caribbean_stud","edition":"2024-08-16",')
    assert b'"flush":{"kind":"bonus","pool":null,"share_ppm":null,"minimum_cents":null,"amount_cents":10000,' in data
    assert json.loads(data) == demo_tree()
    assert list(json.loads(data)["pay_table"]) == list(PRIZES)


def test_letters_of_any_alphabet_survive() -> None:
    """A fund's name keeps its letters through the canonical form, as UTF-8."""
    terms = parse_terms(tree_with("forfeit_fund", "Fondation Été 賭博"))
    assert "Fondation Été 賭博".encode() in canonical_bytes(terms)
    assert parse_terms(canonical_bytes(terms)) == terms


@st.composite
def any_form(draw: st.DrawFn) -> Terms:
    """Terms of the form, with up to a dozen leaves other than the demonstration's."""
    base = draw(st.sampled_from([demo_terms(), two_pool_terms()]))
    tree: Any = json.loads(canonical_bytes(base))
    found = {path: value for path, value in leaves(base).items() if path != "form"}
    for path in draw(st.lists(st.sampled_from(sorted(found)), max_size=12)):
        *way, last = path.split(".")
        at = tree
        for step in way:
            at = at[int(step)] if isinstance(at, list) else at[step]
        at[last] = another(path, found[path]) if path != "pools.1.name" else "other"
    return parse_form(json.dumps(tree).encode())


@given(any_form(), any_form())
def test_form_value_and_differences_agree(mine: Terms, theirs: Terms) -> None:
    """Reading what was written gives the same terms and bytes; no difference means one fingerprint, and the reverse."""
    for terms in (mine, theirs):
        assert parse_form(canonical_bytes(terms)) == terms
        assert canonical_bytes(parse_form(canonical_bytes(terms))) == canonical_bytes(terms)
    found = {one.field for one in differences(mine, theirs)}
    left, right = leaves(mine), leaves(theirs)
    assert found == {path for path in {**left, **right} if left.get(path, "absent") != right.get(path, "absent")}
    assert (not found) == (fingerprint(mine) == fingerprint(theirs)) == (mine == theirs)


def test_terms_can_not_be_changed() -> None:
    """Terms are immutable: neither a field nor the view of their leaves takes another value."""
    terms = demo_terms()
    with pytest.raises(FrozenInstanceError):
        terms.version = 2  # type: ignore[misc]
    with pytest.raises(TypeError):
        leaves(terms)["version"] = 2  # type: ignore[index]


def test_the_demonstrations_terms() -> None:
    """The demonstration plays the terms of the rulings: price, seed, rates, reserve, zone and day."""
    terms = demo_terms()
    main = pool_named(terms, "main")
    assert (terms.qualifying_wager_cents, main.seed_cents, main.increment_ppm) == (100, 50_000_00, 220_000)
    assert (terms.reserve.increment_ppm, terms.reserve.limit_cents) == (80_000, 250_000_00)
    assert (terms.reserve.excess_to, terms.retained_ppm) == ("main", 700_000)
    assert (terms.currency, terms.time_zone, terms.day_start) == ("AUD", "Australia/Sydney", "06:00")
    assert increment_microcents(terms, main) == 22_000_000
    assert [prize_named(terms, name).minimum_cents for name in PRIZES[:2]] == [50_000_00, 5_000_00]
    assert [prize_named(terms, name).amount_cents for name in PRIZES[2:]] == [500_00, 150_00, 100_00]


@pytest.mark.parametrize(
    ("amount_cents", "approvers"),
    [(0, 0), (499_99, 0), (500_00, 1), (4_999_99, 1), (5_000_00, 2), (50_000_00, 2)],
)
def test_approvers(amount_cents: int, approvers: int) -> None:
    """None approves under $500, one person from $500, two from $5,000."""
    assert approvers_for(demo_terms(), amount_cents) == approvers


def test_names_that_the_terms_do_not_have() -> None:
    """A pool or prize of another name is a `KeyError`, never a neighbour's money."""
    with pytest.raises(KeyError, match="grand"):
        pool_named(demo_terms(), "grand")
    with pytest.raises(KeyError, match="straight"):
        prize_named(demo_terms(), "straight")


def test_case_7_seven_and_a_half_cents_are_not_truncated() -> None:
    """An increment of 7.5 cents is 7,500,000 microcents, and a million wagers at 1.25% are exactly $12,500.00."""
    demo = demo_terms()
    assert increment_microcents(demo, replace(demo.pools[0], increment_ppm=75_000)) == 7_500_000
    assert increment_microcents(demo, replace(demo.pools[0], increment_ppm=12_500)) * 1_000_000 == 12_500_00 * 1_000_000
