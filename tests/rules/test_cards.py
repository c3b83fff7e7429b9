"""Cards as players write them."""

import pytest

from rules.cards import CARD_TEXTS, DECK, CardError, card_text, cards_text, deck_faults, parse_card, parse_cards


def test_every_card_of_the_deck_reads_back() -> None:
    """A card's text names that card and no other: fifty-two of them (CSP 3.1)."""
    assert [parse_card(card_text(card)) for card in DECK] == list(range(52))
    assert len(set(CARD_TEXTS)) == 52
    assert parse_cards(cards_text(DECK)) == DECK


@pytest.mark.parametrize(
    "text",
    ["10h", "1h", "", "th", "TH", "Xs", "A", "Ass", " As", "As ", "A\N{BLACK SPADE SUIT}", "\N{FULLWIDTH DIGIT ONE}h"],
)
def test_what_is_no_card_is_named(text: str) -> None:
    """CASES 45: "10h" for "Th", "1h" and their like are errors that name the card."""
    with pytest.raises(CardError) as caught:
        parse_card(text)
    assert caught.value.card == text
    assert repr(text) in str(caught.value)


@pytest.mark.parametrize(
    ("text", "named"), [("As 10h Ks", "10h"), ("As,Ks", "As,Ks"), ("As  Ks", ""), ("", ""), ("As\tKs", "As\tKs")]
)
def test_a_hand_with_no_card_in_it_is_refused_by_that_card(text: str, named: str) -> None:
    """One space stands between two cards, and the first that is no card is named."""
    with pytest.raises(CardError) as caught:
        parse_cards(text)
    assert caught.value.card == named


def test_a_long_text_is_cut_in_the_error() -> None:
    """A megabyte of nonsense is named by its first forty characters."""
    with pytest.raises(CardError) as caught:
        parse_card("x" * 1_000_000)
    assert caught.value.card == "x" * 40


@pytest.mark.parametrize("card", [-1, 52, 1000])
def test_a_number_beside_the_deck_is_no_card(card: int) -> None:
    """Python reads -1 as the last place of a list; here it is refused."""
    with pytest.raises(CardError):
        card_text(card)


def test_a_deck_check_finds_missing_and_double_cards() -> None:
    """CSP 3.4: what is missing and what is there twice, however often."""
    cards = [card for card in DECK if card != parse_card("7h")] + list(parse_cards("As As 2c"))
    missing, repeated = deck_faults(cards)
    assert cards_text(missing) == "7h"
    assert cards_text(repeated) == "2c As"
    assert deck_faults(reversed(DECK)) == ((), ())
