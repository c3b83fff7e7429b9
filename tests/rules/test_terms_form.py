"""The strict reading of terms: what is not the form is refused by field, value and reason, and nothing else happens."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.terms import Terms, TermsError, leaves, parse_form, parse_terms
from tests.support.terms import demo_bytes, demo_terms, demo_tree, tree_with


def refusal(data: bytes) -> TermsError:
    """The error that reading these bytes as terms raises."""
    with pytest.raises(TermsError) as caught:
        parse_terms(data)
    return caught.value


# field | what stands there, as JSON | value shown | reason
REFUSED = r"""
qualifying_wager_cents                   | true       | true       | not a whole number
qualifying_wager_cents                   | 1.0        | 1.0        | not a whole number
qualifying_wager_cents                   | 100.1      | 100.1      | not a whole number
qualifying_wager_cents                   | 1e2        | 1e2        | not a whole number
qualifying_wager_cents                   | 1e400      | 1e400      | not a whole number
qualifying_wager_cents                   | NaN        | NaN        | not a whole number
qualifying_wager_cents                   | -Infinity  | -Infinity  | not a whole number
qualifying_wager_cents                   | "100"      | 100        | not a whole number
qualifying_wager_cents                   | "\uff11\uff10"  | FULL1FULL0 | not a whole number
qualifying_wager_cents                   | "NaN"      | NaN        | not a whole number
qualifying_wager_cents                   | null       | none       | not a whole number
qualifying_wager_cents                   | [100]      | a list     | not a whole number
qualifying_wager_cents                   | 0          | 0          | not from 1 to 9223372036854775807
qualifying_wager_cents                   | -100       | -100       | not from 1 to 9223372036854775807
qualifying_wager_cents  | 9223372036854775808    | 9223372036854775808    | not from 1 to 9223372036854775807
qualifying_wager_cents                   | 100000000000000000000  | 100000000000000000000  | not a whole number
pools.0.seed_cents                       | -1         | -1         | not from 0 to 9223372036854775807
pools.0.limit_cents                      | false      | false      | not a whole number
pools.0.overflow_to                      | "house"    | house      | not one of next_seed, reserve
pools.0.name                             | "Main"     | Main       | not a name of small letters, digits, - and _
pools.0.name                             | "a/b"      | a/b        | not a name of small letters, digits, - and _
pools.0.name                             | "ma\u0000" | ma\x00     | not a name of small letters, digits, - and _
pools.0                                  | null       | none       | not an object
pools                                    | {}         | an object  | not a list
pools                                    | []         | 0 entries  | not from 1 to 8 entries
retained_ppm                             | 1000001    | 1000001    | not from 0 to 1000000
pay_table.straight_flush.minimum_cents   | "5,000"    | 5,000      | not a whole number
pay_table.straight_flush.kind            | "part"     | part       | not one of share, bonus
pay_table.straight_flush.kind            | 1          | 1          | not one of share, bonus
pay_table.straight_flush.kind            | {}         | an object  | not one of share, bonus
pay_table.straight_flush.least_capture   | "seen"     | seen       | not one of keyed, claims, full
pay_table.flush                          | []         | a list     | not an object
pay_table                                | null       | none       | not an object
rulings.folded_hand_wins                 | 1          | 1          | neither true nor false
rulings.folded_hand_wins                 | "true"     | true       | neither true nor false
rulings.folded_hand_wins                 | null       | none       | neither true nor false
rulings.odd_cents                        | "nearest"  | nearest    | not one of down, up, spread
rulings.takes                            | null       | none       | not one of exact, each
approvals.1.approvers                    | 6          | 6          | not from 0 to 5
timers.stale_after_s                     | 0          | 0          | not from 1 to 86400
form                                     | 2          | 2          | not from 1 to 1
form                                     | true       | true       | not a whole number
currency                                 | "aud"      | aud        | not a currency code of three capital letters
currency                                 | 36         | 36         | not a currency code of three capital letters
edition                                  | "16/8/24"  | 16/8/24    | not the date of a rule edition, like 2024-08-16
edition                       | "\uff112024-08-1" | FULL12024-08-1 | not the date of a rule edition, like 2024-08-16
time_zone                                | "Sydney time" | Sydney time | not a time zone like Australia/Sydney
day_start                                | "6:00"     | 6:00       | not a time of day like 06:00
day_start                                | "24:00"    | 24:00      | not a time of day like 06:00
approval_reference                       | ""         |            | not a text of 1 to 200 characters
approval_reference                       | "\ud800"   | \ud800     | not a text of 1 to 200 characters
approval_reference                       | "a\nb"     | a\nb       | not a text of 1 to 200 characters
approval_reference                       | "L2024 "   | L2024      | not a text of 1 to 200 characters
"""


@pytest.mark.parametrize("line", REFUSED.strip().splitlines())
def test_a_field_that_holds_something_else(line: str) -> None:
    """Case 11: no amount, word or text of another kind is taken for one; field, value and reason are named."""
    path, written, shown, reason = (part.strip() for part in line.split("|"))
    shown = shown.replace("FULL1", "\N{FULLWIDTH DIGIT ONE}").replace("FULL0", "\N{FULLWIDTH DIGIT ZERO}")
    data = tree_with(path, "@").decode().replace('"@"', written).encode()
    error = refusal(data)
    assert (error.field, error.value.rstrip(), error.reason) == (path, shown, reason)


def every_object(tree: Any, at: str = "") -> list[tuple[str, dict[str, Any]]]:
    """Every object in a JSON tree, by its path."""
    if isinstance(tree, list):
        return [found for n, inner in enumerate(tree) for found in every_object(inner, f"{at}.{n}")]
    if not isinstance(tree, dict):
        return []
    inside = [found for name, inner in tree.items() for found in every_object(inner, f"{at}.{name}")]
    return [(at, tree), *inside]


FIELDS = [(at, name) for at, tree in every_object(demo_tree()) for name in tree]


@pytest.mark.parametrize(("at", "name"), FIELDS)
def test_a_field_that_is_missing_repeated_or_unknown(at: str, name: str) -> None:
    """A form leaves nothing out, says nothing twice and nothing else; the field is named by its whole path."""
    path = f"{at}.{name}".removeprefix(".")
    tree = demo_tree()
    place = dict(every_object(tree))[at]
    value = place.pop(name)
    error = refusal(json.dumps(tree).encode())
    assert (error.field, error.reason) == (path, "missing field")
    place["@"] = value
    error = refusal(json.dumps(tree).encode())
    assert (error.field, error.reason) == (f"{at}.@".removeprefix("."), "unknown field")
    place[name] = value
    twice = json.dumps(tree).replace('"@"', json.dumps(name))
    error = refusal(twice.encode())
    assert (error.field, error.reason) == (path, "repeated field")


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "not JSON at character 0: Expecting value"),
        (b"{", "not JSON at character 1: Expecting property name enclosed in double quotes"),
        (b"\xef\xbb\xbf{}", "not JSON at character 0: Unexpected UTF-8 BOM (decode using utf-8-sig)"),
        (b'{"name": "\xff"}', "not UTF-8 at byte 10"),
        (b"[" * 60_000, "nested too deep for terms"),
        (b"null", "not an object"),
        (b"[]", "not an object"),
        (demo_bytes() + b"}", "not JSON at character"),
        (demo_bytes() + b" " * 65_536, "longer than 65536 bytes"),
    ],
)
def test_bytes_that_are_no_form(data: bytes, reason: str) -> None:
    """Bytes that are no JSON object in UTF-8 are refused as a whole, long ones unread."""
    error = refusal(data)
    assert error.field == ""
    assert error.reason.startswith(reason)


def test_an_endless_number_is_refused_without_being_worked_out() -> None:
    """Ten thousand digits are no amount; they are refused as written and shown cut at 40 characters."""
    error = refusal(tree_with("version", "@").decode().replace('"@"', "9" * 10_000).encode())
    assert (error.field, error.value, error.reason) == ("version", "9" * 40, "not a whole number")


def test_a_long_or_strange_value_is_shown_short_and_plain() -> None:
    """What a stranger wrote is cut at 40 characters and shown without control characters, in names of fields too."""
    error = refusal(tree_with("name", "\x1b[2J" + "x" * 100))
    assert error.value == "\\x1b[2J" + "x" * 33
    tree = demo_tree() | {"\x00" * 50: 1}
    error = refusal(json.dumps(tree).encode())
    assert error.field == "\\x00" * 40
    assert str(error) == f"{error.field}: 1: unknown field"


def test_parse_form_reads_terms_that_make_no_sense() -> None:
    """A table's terms that drifted in one rate are still read, so that the field can be named (11.9), not used."""
    drifted = tree_with("pools.0.increment_ppm", 210_000)
    assert parse_form(drifted).pools[0].increment_ppm == 210_000
    assert refusal(drifted).field == "retained_ppm"


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.sampled_from(["main", "share", "house"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)


@given(st.sampled_from(sorted(leaves(demo_terms()))), json_values)
def test_any_value_in_any_field_is_read_or_refused_by_name(path: str, value: object) -> None:
    """Whatever stands in one field, the terms hold just that value, or the refusal names that field; nothing else."""
    refused = None
    try:
        found = leaves(parse_form(tree_with(path, value)))[path]
    except TermsError as error:
        refused = error
        found = None
    if refused is None:
        assert (type(found), found) == (type(value), value)
    else:
        assert refused.field == path
        assert len(refused.value) <= 40


@given(st.binary(max_size=200) | json_values.map(lambda value: json.dumps(value).encode()))
def test_any_bytes_are_refused_as_terms(data: bytes) -> None:
    """Whatever arrives, the outcome is terms or a `TermsError`."""
    with pytest.raises(TermsError):
        parse_terms(data)


def test_what_is_read_is_what_was_written() -> None:
    """Every leaf of the demonstration's file is the leaf of its terms."""
    assert isinstance(demo_terms(), Terms)
    assert {path: value for path, value in leaves(demo_terms()).items() if path.startswith("timers")} == {
        "timers.stale_after_s": 5,
        "timers.close_after_s": 30,
        "timers.round_open_alarm_s": 600,
    }
