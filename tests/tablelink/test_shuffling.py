"""Cards shuffled by the operating system's chance at a table, and by a seed in a simulation."""

import os
from random import Random

import pytest

from rules.cards import DECK
from rules.decks.shuffling import ByteChance, shuffled
from tablelink.errors import TableError
from tablelink.shuffling import SYSTEM, SeededChance, shuffled_cards


def test_a_table_shuffles_by_the_operating_systems_chance() -> None:
    """Nothing else decides the order of cards that are played with: two shuffles differ, and each byte is its."""
    assert shuffled_cards("casino_war", "shuffler", 0, 0) != shuffled_cards("casino_war", "shuffler", 0, 0)
    assert isinstance(SYSTEM, ByteChance)
    assert SYSTEM._source is os.urandom


@pytest.mark.parametrize("seed", range(5))
def test_a_seed_gives_the_same_shuffles_as_ever(seed: int) -> None:
    """The simulated tables play the rounds that the same seed gave before: the demo and its figures hang on them."""
    cards = list(DECK)
    Random(seed).shuffle(cards)
    assert shuffled(DECK, SeededChance(Random(seed))) == tuple(cards)


REFUSED = (
    ("casino_war", "shoe", 51, 60, "WAR 4.5"),
    ("casino_war", "shoe", 100, 157, "WAR 4.6"),
    ("casino_war", "shuffler", 100, 0, "WAR 4.7"),
    ("caribbean_stud", "shoe", 0, 0, "CSP 4.2"),
    ("three_card_poker", "shuffler", 20, 0, "TCP 4.4"),
    ("sic_bo", "shoe", 0, 0, "No game with cards: 'sic_bo'"),
    ("bingo", "shoe", 0, 0, "No game with cards: 'bingo'"),
)


@pytest.mark.parametrize(("game", "device", "cut", "cutting_card", "why"), REFUSED)
def test_a_cut_that_cannot_be_is_refused(game: str, device: str, cut: int, cutting_card: int, why: str) -> None:
    """A cut that the rules do not know is refused in one line that names the rule."""
    with pytest.raises(TableError, match=why.replace(".", r"\.")):
        shuffled_cards(game, "shoe" if device == "shoe" else "shuffler", cut, cutting_card)
