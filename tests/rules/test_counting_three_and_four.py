"""Every hand of three and of four cards, counted, and every best four of five found: the two books' rules 11."""

from collections import Counter
from itertools import combinations, pairwise, permutations

import pytest

from rules.cards import DECK, CardError, cards_text, parse_cards
from rules.four_card_hands import FOUR_CARD_CATEGORIES, best_four, four_card_value, four_card_values
from rules.three_card_hands import THREE_CARD_CATEGORIES, three_card_value, three_card_values

THREE_CARD_COUNTS = {
    "straight_flush": 48,
    "three_of_a_kind": 52,
    "straight": 720,
    "flush": 1_096,
    "one_pair": 3_744,
    "three_odd_cards": 16_440,
}
FOUR_CARD_COUNTS = {
    "four_of_a_kind": 13,
    "straight_flush": 44,
    "three_of_a_kind": 2_496,
    "flush": 2_816,
    "straight": 2_772,
    "two_pairs": 2_808,
    "one_pair": 82_368,
    "four_odd_cards": 177_408,
}


def test_every_hand_of_three_is_counted_once() -> None:
    """TCP 11.1: the published 48, 52, 720, 1,096, 3,744 and 16,440 of 22,100; every value is some hand's."""
    found = Counter(map(three_card_value, combinations(DECK, 3)))
    assert set(found) == set(three_card_values())
    counts: Counter[str] = Counter()
    for value, hands in found.items():
        counts[value.category] += hands
    assert counts == THREE_CARD_COUNTS


def test_every_hand_of_four_is_counted_once() -> None:
    """FCP 11.1: each kind as often as combinatorics says, 270,725 hands in all; every value is some hand's."""
    found = Counter(map(four_card_value, combinations(DECK, 4)))
    assert set(found) == set(four_card_values())
    counts: Counter[str] = Counter()
    for value, hands in found.items():
        counts[value.category] += hands
    assert counts == FOUR_CARD_COUNTS
    assert sum(counts.values()) == 270_725


def test_kinds_stand_in_the_order_of_their_book() -> None:
    """TCP 11.1, FCP 11.1: each kind is above all of the kind below it, cites its clause, and no two share a name."""
    for values, categories, book in (
        (three_card_values(), THREE_CARD_CATEGORIES, "TCP"),
        (four_card_values(), FOUR_CARD_CATEGORIES, "FCP"),
    ):
        kinds = [value.category for value in values]
        assert list(dict.fromkeys(kinds)) == list(categories)
        assert [value.rank for value in values] == list(range(1, len(values) + 1))
        assert len({value.name for value in values}) == len(values)
        clauses = {value.category: value.rule for value in values}
        assert clauses == {kind: f"{book} 11.1.{place}" for place, kind in enumerate(reversed(categories), start=1)}


THREE_IN_ORDER = """
2c 3c 5d   the lowest
Ac Kc Jd   the highest three odd cards
2c 2d 3c   the lowest pair
Kc Kd 2c
Kc Kd 3c   the third card decides (11.2.2)
Ac Ad Kc
2c 3c 5c   the lowest flush: above any pair
Ac Kc Jc
Ac 2d 3c   the ace low: the lowest straight (11.1.3, 11.2.1, CASES 43)
2c 3d 4c
Jc Qd Kc   K-Q-J is a straight (CASES 43)
Qc Kd Ac   the highest straight (11.2.1, CASES 43)
2c 2d 2h
Ac Ad Ah
Ac 2c 3c   the lowest straight flush (11.1.1)
Jc Qc Kc
Qc Kc Ac   the highest hand
"""

FOUR_IN_ORDER = """
2c 3c 4c 6d   the lowest
Ac Kc Qc Td   the highest four odd cards
2c 2d 3c 4c   the lowest pair
Ac Ad Kc Qc
2c 2d 3c 3d   the lowest two pairs
Ac Ad Kc Kd
Ac 2d 3c 4c   the ace low: the lowest straight (11.1.5, 11.2.1)
2c 3d 4c 5c
Ac Kd Qc Jc   the highest straight (11.2.1)
2c 3c 4c 6c   a flush is above any straight (11.1.4, CASES 44)
Ac Kc Qc Tc
2c 2d 2h 3c   three of a kind is above any flush (11.1.3, CASES 44)
Ac Ad Ah Kc
Ac 2c 3c 4c   the lowest straight flush (11.1.2)
Ac Kc Qc Jc
2c 2d 2h 2s   four of a kind is the highest kind (11.1.1)
Ac Ad Ah As
"""


def test_hands_stand_in_order() -> None:
    """TCP 11.2, FCP 11.2: each hand of the lists is worth more than the one above it, from first to last."""
    three = [three_card_value(parse_cards(line[:8])) for line in THREE_IN_ORDER.strip().splitlines()]
    assert all(low < high for low, high in pairwise(three))
    assert (three[0].rank, three[-1].rank) == (1, 741)
    four = [four_card_value(parse_cards(line[:11])) for line in FOUR_IN_ORDER.strip().splitlines()]
    assert all(low < high for low, high in pairwise(four))
    assert (four[0].rank, four[-1].rank) == (1, 2_535)


def test_king_ace_two_is_never_consecutive() -> None:
    """CASES 42: a straight does not go round the corner, with three cards or with four."""
    assert three_card_value(parse_cards("Kh As 2s")).category == "three_odd_cards"
    assert three_card_value(parse_cards("Ks As 2s")).category == "flush"
    for ranks in ("QKA2", "KA23"):
        assert four_card_value(parse_cards(" ".join(rank + "s" for rank in ranks))).category == "flush"
        mixed = f"{ranks[0]}h " + " ".join(rank + "s" for rank in ranks[1:])
        assert four_card_value(parse_cards(mixed)).category == "four_odd_cards"


BEST = """
5h 6h 7h 8s Kh    | Kh 7h 6h 5h | 8s    | flush
5h 6h 7h 8h 8s    | 8h 7h 6h 5h | 8s    | straight_flush
5h 5s 5d 6d 7d    | 7d 5s 5h 5d | 6d    | three_of_a_kind
2h 3h 4h 5s Ah    | Ah 4h 3h 2h | 5s    | straight_flush
5h 5s 6h 6s 7d    | 6s 6h 5s 5h | 7d    | two_pairs
5h 5s 6h 6s 7d 7c | 7d 7c 6s 6h | 5s 5h | two_pairs
2c 2d 2h 2s As Ks | 2s 2h 2d 2c | As Ks | four_of_a_kind
"""


@pytest.mark.parametrize("line", BEST.strip().splitlines())
def test_the_best_four_of_five_or_six(line: str) -> None:
    """FCP 9.1, 9.2 and CASES 44: the highest four are found, shown from the highest, and the others set apart."""
    cards, four, rest, kind = (part.strip() for part in line.split("|"))
    best = best_four(parse_cards(cards))
    assert (cards_text(best.cards), cards_text(best.rest), best.value.category) == (four, rest, kind)


def test_the_best_four_is_the_same_in_any_order() -> None:
    """FCP 9.6: the value is the optimal one however a player holds the cards, and no four of them are worth more."""
    for cards in combinations(DECK[::5], 5):
        best = best_four(cards)
        assert best_four(cards[::-1]) == best
        assert best.value == max(four_card_value(four) for four in combinations(cards, 4))
    hand = parse_cards("5h 6h 7h 8s Kh")
    assert {best_four(order) for order in permutations(hand)} == {best_four(hand)}


@pytest.mark.parametrize(
    ("cards", "named"), [("As Ks As", "As"), ("As Ks", "As Ks"), ("As Ks Qs Js", "As Ks Qs Js"), ("As As", "As")]
)
def test_what_is_no_hand_of_three_names_the_card(cards: str, named: str) -> None:
    """CASES 45: the same card twice, or two or four cards, has no value and is named."""
    with pytest.raises(CardError) as caught:
        three_card_value(parse_cards(cards))
    assert caught.value.card == named


@pytest.mark.parametrize(
    ("cards", "named"), [("As Ks Qs As", "As"), ("As Ks Qs", "As Ks Qs"), ("As Ks Qs Js Ts", "As Ks Qs Js Ts")]
)
def test_what_is_no_hand_of_four_names_the_card(cards: str, named: str) -> None:
    """CASES 45: the same card twice, or three or five cards, has no four-card value and is named."""
    with pytest.raises(CardError) as caught:
        four_card_value(parse_cards(cards))
    assert caught.value.card == named
    with pytest.raises(CardError):
        best_four(parse_cards(cards)[:4])


@pytest.mark.parametrize("cards", [(-1, 1, 2), (0, 1, 52), (-52, -51, -50), ()])
def test_numbers_that_are_no_cards_have_no_value(cards: tuple[int, ...]) -> None:
    """No number beside the deck is taken for a card, negative ones neither."""
    with pytest.raises(CardError):
        three_card_value(cards)
    with pytest.raises(CardError):
        four_card_value((*cards, 9))
