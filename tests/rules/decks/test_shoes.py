"""The cards in a shoe or a device: none is lost or made, whatever is done with them."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.cards import DECK, cards_text, parse_cards
from rules.decks.books import BOOKS
from rules.decks.cutting import CutRefused
from rules.decks.shoes import Shoe, ShoeRefused, loaded
from rules.rounds import Device


class Seeded:
    """A random source with a seed."""

    def __init__(self, seed: int) -> None:
        """The same seed gives the same numbers."""
        self._rng = Random(seed)

    def below(self, bound: int) -> int:
        """A number below a bound."""
        return self._rng.randrange(bound)


class Last:
    """A random source under which a shuffle leaves every card where it is."""

    def below(self, bound: int) -> int:
        """The largest number below a bound."""
        return bound - 1


POKER = ("CSP", "TCP", "FCP")


@pytest.mark.parametrize("book", POKER)
def test_a_deck_is_shuffled_cut_and_put_into_the_shoe(book: str) -> None:
    """Rules 4.1 and 4.2: the dealer lifts some cards; those beneath come first, the cutting card last of all."""
    shoe = loaded(book, "shoe", Last(), 20)
    assert (shoe.cards, shoe.cutting_card) == ((*DECK[20:], *DECK[:20]), 52)
    with pytest.raises(CutRefused, match=rf"{book} 4\.2"):
        loaded(book, "shoe", Last())


@pytest.mark.parametrize("book", BOOKS)
def test_cards_in_a_device_are_not_cut(book: str) -> None:
    """CSP 4.4, TCP 4.4, FCP 4.4, WAR 4.7: shuffled, and not cut."""
    assert loaded(book, "shuffler", Last()) == Shoe(book, "shuffler", DECK * BOOKS[book].decks)
    for place, back in ((100, 0), (0, 60)):
        with pytest.raises(ShoeRefused, match=BOOKS[book].rule("uncut").replace(".", r"\.")):
            loaded(book, "shuffler", Last(), place, back)
    with pytest.raises(ShoeRefused, match="not cut"):
        Shoe(book, "shuffler", DECK * BOOKS[book].decks, 52)


def test_six_decks_are_cut_and_one_card_is_burned() -> None:
    """WAR 4.5, 4.6, 4.9: the first card goes face down into the discard rack; the next is the first dealt."""
    shoe = loaded("WAR", "shoe", Last(), 100, 60)
    assert (shoe.cards[0], shoe.cutting_card) == (DECK[100 % 52], 252)
    burned = shoe.burned()
    assert (burned.rack, burned.layout, burned.cutting_card) == (shoe.cards[:1], (), 251)
    assert burned.draw().card == shoe.cards[1]


def test_when_the_cutting_card_comes() -> None:
    """WAR 4.1.2, 4.1.3: it comes with the card it lies in front of, once."""
    shoe = loaded("WAR", "shoe", Last(), 100, 60)
    came = []
    for number in range(312):
        drawn = shoe.draw()
        shoe = drawn.shoe
        if drawn.cutting_card_came:
            came.append(number)
    assert came == [252]


@pytest.mark.parametrize("device", ["shoe", "shuffler"])
def test_a_card_dealt_in_error_and_not_exposed_is_the_next_one(device: Device) -> None:
    """WAR 11.4: it is put under the shoe or device as if it had not been removed; its cut stays."""
    place, back = (100, 60) if device == "shoe" else (0, 0)
    shoe = loaded("WAR", device, Last(), place, back).draw().shoe
    error = shoe.draw()
    again = error.shoe.put_under()
    assert again == shoe
    assert again.collected().draw().card == error.card
    for none in (shoe.collected(), loaded("CSP", "shoe", Last(), 20).draw().shoe):
        with pytest.raises(ShoeRefused, match=r"WAR 11\.4"):
            none.put_under()


WRONG = (
    ("CSP", DECK[1:], "CSP 3.1", "missing: 2c"),
    ("TCP", (*DECK, 51), "TCP 3.1", "double: As"),
    ("FCP", (*DECK[1:], 51), "FCP 3.1", "missing: 2c; double: As"),
    ("WAR", DECK * 5, "WAR 3.1", f"missing: {cards_text(DECK).replace(' ', ', ')}"),
)


@pytest.mark.parametrize(("book", "cards", "rule", "names"), WRONG)
def test_a_shoe_holds_the_cards_of_its_book(book: str, cards: tuple[int, ...], rule: str, names: str) -> None:
    """Rule 3.1: one deck, or six; each card missing or too many is named."""
    with pytest.raises(ShoeRefused) as refused:
        Shoe(book, "shoe", cards)
    assert (refused.value.rule, refused.value.reason) == (rule, names)


@pytest.mark.parametrize(("book", "rule"), [("CSP", "14.9"), ("TCP", "12.9"), ("FCP", "12.10"), ("WAR", "11.7")])
def test_nothing_is_dealt_from_an_empty_shoe(book: str, rule: str) -> None:
    """Too few cards: at Casino War the discards serve (11.7); a deck of which none is left had one missing."""
    shoe = Shoe(book, "shoe", (), None, DECK * BOOKS[book].decks)
    with pytest.raises(ShoeRefused) as refused:
        shoe.draw()
    assert refused.value.rule == f"{book} {rule}"


def test_the_discards_are_shuffled_and_cut_for_the_rest_of_the_round() -> None:
    """WAR 11.7: what was still to be dealt comes first, then the discards, cut as by rule 4."""
    left = parse_cards("2c 3c")
    rest = list(DECK * 6)
    for card in left:
        rest.remove(card)
    shoe = Shoe("WAR", "shoe", left, None, rack=tuple(rest))
    filled = shoe.refilled(Last(), 60, 100)
    assert filled.cards == (*left, *rest[60:], *rest[:60])
    assert (filled.cutting_card, filled.rack) == (2 + 310 - 100, ())
    device = Shoe("WAR", "shuffler", left, None, rack=tuple(rest)).refilled(Last(), 0, 0)
    assert (device.cards, device.cutting_card) == ((*left, *rest), None)
    few = Shoe("WAR", "shoe", tuple(rest), None, rack=left)
    with pytest.raises(CutRefused, match=r"WAR 4\.5"):
        few.refilled(Last(), 1, 1)


def test_a_device_takes_the_discards_back() -> None:
    """WAR 7.2: after the initial deal the cards of the rack go into the device; a shoe takes none."""
    shoe = loaded("WAR", "shuffler", Seeded(1)).burned()
    back = shoe.returned(Seeded(2))
    assert (len(back.cards), back.rack) == (312, ())
    with pytest.raises(ShoeRefused, match=r"WAR 7\.2"):
        loaded("WAR", "shoe", Seeded(1), 100, 60).returned(Seeded(2))


@settings(deadline=None)
@given(st.sampled_from(list(BOOKS)), st.integers(), st.lists(st.sampled_from(["draw", "burn", "collect"]), max_size=40))
def test_no_card_is_lost_or_made(book: str, seed: int, acts: list[str]) -> None:
    """Drawn, burned and collected in any order, the cards are those of the book's decks."""
    shoe = loaded(book, "shuffler", Seeded(seed))
    for act in acts:
        shoe = {"draw": lambda at: at.draw().shoe, "burn": Shoe.burned, "collect": Shoe.collected}[act](shoe)
    everywhere = Counter((*shoe.cards, *shoe.layout, *shoe.rack))
    assert everywhere == Counter(DECK * BOOKS[book].decks)
