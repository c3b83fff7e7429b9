"""Nothing is left for later."""

import re
from collections.abc import Iterator

import pytest

from tests.support.sources import Breach, Source, assert_none, sources

# The words are put together here so that this file does not hold them.
LATER = [
    re.compile(rf"\b({'TO'}DO|{'FIX'}ME|{'XX'}X|{'HA'}CK|{'NotImplemented'}Error)\b"),
    re.compile(rf"{'type:'} ignore(?!\[)"),
    re.compile(rf"#\s*{'no'}qa(?!: [A-Z]+\d+)", re.IGNORECASE),
    re.compile(rf"{'@pytest'}\.mark\.(xfail|skip)\b"),
]


def leftovers(source: Source) -> Iterator[Breach]:
    """Lines that put something off, or silence a check without naming it."""
    for number, line in enumerate(source.text.splitlines(), start=1):
        for pattern in LATER:
            found = pattern.search(line)
            if found:
                yield Breach(source.file, number, f"left for later: {found[0]}")


def test_nothing_is_left_for_later() -> None:
    """What is here is finished; what is not finished is not here."""
    assert_none(breach for source in sources() for breach in leftovers(source))


@pytest.mark.parametrize(
    "line",
    [
        f"# {'TO'}DO: the rest",
        f"raise {'NotImplemented'}Error",
        f"x = y  # {'type:'} ignore",
        f"x = y  # {'no'}qa",
        f"{'@pytest'}.mark.xfail",
        f"/* {'FIX'}ME */",
    ],
)
def test_each_kind_is_seen(line: str) -> None:
    """In every file type, in code and comment."""
    assert len(list(leftovers(Source("a", line)))) == 1


def test_a_named_exception_is_not_left_for_later() -> None:
    """A check silenced by its name was thought about."""
    assert not list(leftovers(Source("a", f"x  # {'no'}qa: S311  because\ny  # {'type:'} ignore[arg-type]\n")))
