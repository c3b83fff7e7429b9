"""Every order of the cards is equally likely, whatever the size, and a bad source moves no card."""

import os
from collections import Counter
from collections.abc import Sequence
from itertools import permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.cards import DECK
from rules.decks.shuffling import MOST_DRAWS, ByteChance, ChanceError, shuffled


class Told:
    """A source that gives the numbers it was told, and remembers the bounds it was asked for."""

    def __init__(self, numbers: Sequence[int]) -> None:
        """Give these numbers, one after the other."""
        self._numbers = iter(numbers)
        self.bounds: list[int] = []

    def below(self, bound: int) -> int:
        """The next number told."""
        self.bounds.append(bound)
        return next(self._numbers)


@pytest.mark.parametrize("size", range(8))
def test_every_permutation_is_reached_by_exactly_one_row_of_numbers(size: int) -> None:
    """Rule 4.1: as many rows of equally likely numbers as permutations, and each permutation by one of them."""
    rows = list(product(*[range(bound) for bound in range(size, 1, -1)]))
    reached = Counter(shuffled(range(size), Told(row)) for row in rows)
    assert reached == Counter(permutations(range(size)))


def test_a_deck_is_shuffled_with_fifty_one_numbers() -> None:
    """One number a card but the last, each of what is left: 52! rows of numbers for 52! orders."""
    told = Told([0] * 51)
    shuffled(DECK, told)
    assert told.bounds == list(range(52, 1, -1))


class Bytes:
    """A source of bytes that gives those told, and knows which are left."""

    def __init__(self, *values: int) -> None:
        """Give these bytes, one after the other."""
        self.left = list(values)

    def __call__(self, size: int) -> bytes:
        """The next ``size`` bytes."""
        return bytes([self.left.pop(0) for _ in range(size)])


@pytest.mark.parametrize("bound", range(1, 257))
def test_each_number_comes_of_as_many_bytes(bound: int) -> None:
    """A byte either gives a number, each as often as any other, or is thrown away; fewer than half are."""
    taken: Counter[int] = Counter()
    for value in range(256):
        source = Bytes(value, 0)
        number = ByteChance(source).below(bound)
        if source.left:
            taken[number] += 1
        else:
            assert number == 0
    assert set(taken) == set(range(bound))
    assert len(set(taken.values())) == 1
    assert sum(taken.values()) > 128


def test_large_bounds_take_as_many_bytes_as_they_need() -> None:
    """A bound of more than 256 is drawn from two bytes, and so on; the same holds for six decks."""
    asked: list[int] = []

    def source(size: int) -> bytes:
        asked.append(size)
        return bytes(size)

    for bound in (256, 257, 312, 65_536, 65_537):
        ByteChance(source).below(bound)
    assert asked == [1, 2, 2, 2, 3]


@pytest.mark.parametrize("bound", [0, -1])
def test_there_is_no_number_below_nothing(bound: int) -> None:
    """A bound below 1 is refused, not answered."""
    with pytest.raises(ValueError, match=r"no number below it"):
        ByteChance(bytes).below(bound)


def test_a_source_that_cannot_be_right_is_refused() -> None:
    """Numbers outside what was asked for, too few bytes, or bytes that never change are no chance."""
    for number in (-1, 3):
        with pytest.raises(ChanceError, match=f"gave {number} where a number below 3"):
            shuffled("abc", Told([number]))
    with pytest.raises(ChanceError, match="1 bytes where 2"):
        ByteChance(lambda _size: b"x").below(312)
    with pytest.raises(ChanceError, match=f"{MOST_DRAWS} numbers in a row"):
        ByteChance(lambda size: b"\xff" * size).below(52)


@given(st.lists(st.integers(), max_size=60), st.data())
def test_a_shuffle_keeps_the_cards(cards: list[int], data: st.DataObject) -> None:
    """What goes in comes out, and nothing else, whatever the numbers."""
    numbers = [data.draw(st.integers(0, last)) for last in range(len(cards) - 1, 0, -1)]
    assert Counter(shuffled(cards, Told(numbers))) == Counter(cards)


def test_the_operating_systems_bytes_serve() -> None:
    """With the operating system's bytes each of six orders of three cards comes about as often (eight sigma)."""
    chance, tries = ByteChance(os.urandom), 6000
    seen = Counter(shuffled("abc", chance) for _ in range(tries))
    assert len(seen) == 6
    assert all(abs(times - 1000) < 8 * 29 for times in seen.values())
