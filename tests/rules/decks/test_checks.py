"""A check names every missing, double and foreign card, whatever the number of decks."""

from collections import Counter
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.cards import CARD_TEXTS, DECK
from rules.decks.checks import CardFaults, Found, faults_of, faults_of_cards

JOKER, BLUE, RED = Found("joker", "red"), Found("Kd", "blue"), Found("Kd", "red")

CHECKS = (
    # decks | without    | besides        | what the check says
    (1, "", (), ""),
    (6, "", (), ""),
    (1, "2c", (), "missing: 2c"),
    (1, "As 2c", (), "missing: 2c, As"),
    (1, "", (RED,), "double: Kd"),
    (1, "", (RED, RED), "double: Kd, Kd"),
    (1, "", (JOKER,), "foreign: joker (red back)"),
    (1, "", (BLUE,), "foreign: Kd (blue back)"),
    (1, "Kd", (BLUE,), "missing: Kd; foreign: Kd (blue back)"),
    (1, "2c", (RED, JOKER), "missing: 2c; double: Kd; foreign: joker (red back)"),
    (6, "Ah Ah", (RED,), "missing: Ah, Ah; double: Kd"),
    (6, "", (Found("", "red"), Found("10h", "red")), "foreign:  (red back), 10h (red back)"),
)


@pytest.mark.parametrize(("decks", "without", "besides", "says"), CHECKS)
def test_a_check_names_each_card(
    laid_out: Callable[..., list[Found]], decks: int, without: str, besides: tuple[Found, ...], says: str
) -> None:
    """CSP 3.1, 3.4, 14.9; WAR 3.1, 3.3, 11.17: missing, double and foreign cards, each by its name."""
    faults = faults_of(laid_out("red", decks, without, besides), "red", decks)
    assert str(faults) == says
    assert bool(faults) == bool(says)


@given(st.lists(st.sampled_from([*CARD_TEXTS, "joker", "blank"]), max_size=120), st.integers(1, 6))
def test_faults_account_for_every_card(faces: list[str], decks: int) -> None:
    """What was found, without double and foreign cards and with the missing ones, is the decks, card for card."""
    faults = faults_of([Found(face, "red") for face in faces], "red", decks)
    counted = Counter(faces)
    counted.subtract(faults.double)
    counted.subtract(card.face for card in faults.foreign)
    counted.update(faults.missing)
    assert {face: number for face, number in counted.items() if number} == dict.fromkeys(CARD_TEXTS, decks)
    assert not set(faults.missing) & set(faults.double)


def test_cards_a_shoe_reads_are_checked_alike() -> None:
    """A shoe or a device knows no backs; a card too many and one too few are named all the same (CSP 14.9)."""
    assert faults_of_cards(DECK) == faults_of_cards(DECK * 6, 6) == CardFaults()
    assert str(faults_of_cards([*DECK[1:], 51])) == "missing: 2c; double: As"
