"""The form of a promotion's document: strict, and without a traceback whatever stands in it."""

import json
import random
from collections.abc import Callable
from copy import deepcopy
from datetime import datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.promotions.checking import check
from rules.promotions.documents import Promotion, PromotionTerms
from rules.records.forms import RecordError
from rules.records.promotions import read_promotion
from rules.strict_json import line_of

Document = Callable[..., bytes]

REFUSED = (
    # what is changed                        | field                    | value | reason
    ("colour = 1", "colour", "", "unknown field"),
    ("terms.colour = 1", "terms.colour", "", "unknown field"),
    ("prizes[1].colour = 1", "prizes[1].colour", "", "unknown field"),
    ("draws[0].winners[0].colour = 1", "draws[0].winners[0].colour", "", "unknown field"),
    ("name = absent", "name", "", "missing"),
    ("prizes[0].kind = absent", "prizes[0].kind", "", "missing"),
    ('prizes[0].kind = "boat"', "prizes[0].kind", "boat", "invalid enum value"),
    ('prizes[0].contents = ["snuff"]', "prizes[0].contents[0]", "snuff", "invalid enum value"),
    ('prizes[2].paid_by = ["gold"]', "prizes[2].paid_by[0]", "gold", "invalid enum value"),
    ("prizes[0].value_cents = 1.5", "prizes[0].value_cents", "1.5", "expected int"),
    ("prizes[0].value_cents = -1", "prizes[0].value_cents", "-1", "not from 0 to"),
    ("prizes[0].value_cents = 9223372036854775808", "prizes[0].value_cents", "9223372036854775808", "not from 0 to"),
    ("prizes[1].details.persons = -2", "prizes[1].details.persons", "-2", "not from 0 to"),
    ('starts = "2026-12-01T18:00:00"', "starts", "2026-12-01T18:00:00", "a time has its offset"),
    ('starts = "tomorrow"', "starts", "tomorrow", "invalid RFC3339"),
    ('ends = "9999-12-31T23:59:59Z"', "ends", "9999-12-31T23:59:59Z", "not in the years 2000 to 2199"),
    ('submission.at = "0001-01-01T00:00:00Z"', "submission.at", "0001-01-01T00:00:00Z", "not in the years"),
    ("terms.place = null", "terms.place", "null", "null"),
    ('promotion_amendment = "perhaps"', "promotion_amendment", "perhaps", "invalid enum value"),
)


@pytest.mark.parametrize(("changes", "field", "value", "reason"), REFUSED)
def test_what_is_no_promotion_is_refused(document: Document, changes: str, field: str, value: str, reason: str) -> None:
    """Unknown fields, amounts and times that are none: each by its field, its value and the reason."""
    with pytest.raises(RecordError) as refused:
        read_promotion(document(changes))
    assert (refused.value.field, refused.value.value) == (field, value)
    assert refused.value.reason.startswith(reason)


@pytest.mark.parametrize(
    ("games", "field", "reason"),
    [
        ((), "games", "missing"),
        (("bingo",), "games[0]", "unknown"),
        (("sic_bo", "casino_war", "sic_bo"), "games[2]", "repeated"),
    ],
)
def test_a_promotion_is_of_games_with_a_book(
    document: Document, games: tuple[str, ...], field: str, reason: str
) -> None:
    """CSP 17.1: promotional prizes go with gaming, at games whose last rule is known, each once."""
    with pytest.raises(RecordError) as refused:
        read_promotion(document("", games))
    assert (refused.value.field, refused.value.reason.split(":")[0].split(";")[0]) == (field, reason)


def test_a_game_without_a_book_is_no_ones() -> None:
    """Whoever builds a promotion past its reader is told so, too."""
    at = datetime.fromisoformat("2026-12-01T18:00:00+11:00")
    with pytest.raises(ValueError, match=r"games: bingo: unknown"):
        check(Promotion("a", ("bingo",), at, at, PromotionTerms(), ()))


def paths(value: Any, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """Every path into a document."""
    inner: list[tuple[str | int, Any]] = []
    if isinstance(value, dict):
        inner = list(value.items())
    elif isinstance(value, list):
        inner = list(enumerate(value))
    return [found for step, below in inner for found in ((*path, step), *paths(below, (*path, step)))]


ODD: tuple[Any, ...] = (
    *(None, True, -1, 0, 10**30, 1.5, "", "\0", "\ud800", "x" * 99),
    *("9999-12-31T23:59:59-23:59", [], {}, [[]], {"a": {}}),
)


def refusal_of(data: bytes) -> RecordError | None:
    """Why a document is refused, if it is."""
    try:
        read_promotion(data)
    except RecordError as refused:
        return refused
    return None


@given(st.integers(0, 2**32), st.integers(1, 4))
def test_no_document_ends_in_a_traceback(gold_draw: dict[str, Any], seed: int, changes: int) -> None:
    """Whatever stands anywhere in it, a document is refused by a field, or checked, and each field has a line."""
    rng = random.Random(seed)
    copy = deepcopy(gold_draw)
    for _ in range(changes):
        *way, last = rng.choice(paths(copy))
        holder: Any = copy
        for step in way:
            holder = holder[step]
        if rng.random() < 0.3:
            del holder[last]
        else:
            holder[last] = deepcopy(rng.choice(ODD))
    data = json.dumps(copy, indent=1).encode()
    if rng.random() < 0.3:
        at = rng.randrange(len(data))
        data = data[:at] + rng.choice([b"", b"\xff", b"}", b'"', b","]) + data[at + 1 :]
    lines = data.count(b"\n") + 1
    refused = refusal_of(data)
    if refused is not None:
        assert 1 <= line_of(data, refused.field) <= lines
        assert refused.reason
        return
    for finding in check(read_promotion(data), datetime.fromisoformat("2026-12-21T00:00:00Z")):
        assert 1 <= line_of(data, finding.field) <= lines
        assert finding.rule
        assert finding.reason
