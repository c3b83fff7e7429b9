"""Every hand there is, counted: rule 13 of Caribbean Stud Poker against the published figures."""

from collections import Counter
from itertools import combinations, pairwise

import pytest

from rules.cards import DECK, RANKS, CardError, cards_text, parse_cards
from rules.games.caribbean_stud import dealer_qualifies, prize_of
from rules.hands import CATEGORIES, HandValue, five_card_value, values

COUNTS = {
    "royal_flush": 4,
    "straight_flush": 36,
    "four_of_a_kind": 624,
    "full_house": 3_744,
    "flush": 5_108,
    "straight": 10_200,
    "three_of_a_kind": 54_912,
    "two_pairs": 123_552,
    "one_pair": 1_098_240,
    "five_odd_cards": 1_302_540,
}


@pytest.fixture(scope="module")
def hands_of_value() -> Counter[HandValue]:
    """How many of the 2,598,960 hands have each value."""
    return Counter(map(five_card_value, combinations(DECK, 5)))


def test_every_hand_is_counted_once(hands_of_value: Counter[HandValue]) -> None:
    """CSP 13.1: 4 royals, 36 straight flushes, down to 1,302,540 hands of five odd cards."""
    counts: Counter[str] = Counter()
    for value, hands in hands_of_value.items():
        counts[value.category] += hands
    assert counts == COUNTS


def test_every_value_is_held_by_some_hand(hands_of_value: Counter[HandValue]) -> None:
    """There are 7,462 different values, and no value that no hand has."""
    assert set(hands_of_value) == set(values())
    assert [value.rank for value in values()] == list(range(1, 7_463))


def test_the_order_of_hands_is_that_of_the_rule(hands_of_value: Counter[HandValue]) -> None:
    """CSP 13.1: each kind of hand is above all of the kind below it, and cites its own clause."""
    kinds = [value.category for value in sorted(hands_of_value)]
    assert list(dict.fromkeys(kinds)) == list(CATEGORIES)
    assert sorted(kinds, key=CATEGORIES.index) == kinds
    assert {value.category: value.rule for value in values()} == {
        kind: f"CSP 13.1.{clause}" for clause, kind in enumerate(reversed(CATEGORIES), start=1)
    }


def test_no_two_values_share_a_name() -> None:
    """What a dealer announces says exactly what the hand is worth."""
    assert len({value.name for value in values()}) == 7_462


def test_the_dealer_has_no_hand_as_often_as_published(hands_of_value: Counter[HandValue]) -> None:
    """CSP 9.1: 1,135,260 of the 2,598,960 dealer's hands are below ace and king (43.68%)."""
    assert sum(hands for value, hands in hands_of_value.items() if not dealer_qualifies(value)) == 1_135_260


def test_prizes_are_those_of_the_rule() -> None:
    """CSP 11.7: five kinds of hand win a jackpot prize, and no other."""
    assert {value.category for value in values() if prize_of(value)} == {
        "royal_flush",
        "straight_flush",
        "four_of_a_kind",
        "full_house",
        "flush",
    }


ORDER = """
2c 3c 4c 5c 7d       seven high is the lowest
2c 3c 4c 6c 7d
Ac Kc Qc Jc 9d       the highest five odd cards
2c 2d 3c 4c 5c       the lowest pair
Ac Ad Kc Qc Jc
2c 2d 3c 3d 4c
Kc Kd 2c 2d 3c
Kc Kd 3c 3d 2c       the second pair decides (13.2.2)
Kc Kd 3c 3d 4c       then the fifth card (13.2.2)
Ac Ad 3c 3d 2c       the higher pair decides before both
2c 2d 2h 3c 4c
Ac Ad Ah Kc Qc
Ac 2d 3c 4c 5c       the ace low: the lowest straight (13.1.6, CASES 42)
2c 3d 4c 5c 6c
Tc Jd Qc Kc Ac       the highest straight (13.2.1)
2c 3c 4c 5c 7c       the lowest flush
Ac Kc Qc Jc 9c
2c 2d 2h 3c 3d
Ac Ad Ah Kc Kd
2c 2d 2h 2s 3c
Ac Ad Ah As Kc
Ac 2c 3c 4c 5c       suited: the lowest straight flush, no flush and no royal (CASES 42)
2c 3c 4c 5c 6c
9c Tc Jc Qc Kc
Tc Jc Qc Kc Ac       the royal flush
"""


def test_hands_stand_in_order() -> None:
    """CSP 13: each hand of the list is worth more than the one above it."""
    hands = [five_card_value(parse_cards(line[:14])) for line in ORDER.strip().splitlines()]
    assert all(low < high for low, high in pairwise(hands))
    assert hands[0].rank == 1
    assert hands[-1].rank == 7_462


def test_king_ace_two_is_never_consecutive() -> None:
    """CASES 42: a straight does not go round the corner."""
    for ranks in ("QKA23", "KA234", "JQKA2"):
        assert five_card_value(parse_cards(f"{ranks[0]}h " + " ".join(rank + "s" for rank in ranks[1:]))).category == (
            "five_odd_cards"
        )
        assert five_card_value(parse_cards(" ".join(rank + "s" for rank in ranks))).category == "flush"


def test_suits_are_equal() -> None:
    """CSP 3.3: the same ranks in other suits are the very same value."""
    for rank in RANKS[1:]:
        assert five_card_value(parse_cards(f"2c 2d 2h 2s {rank}c")) is five_card_value(
            parse_cards(f"2c {rank}s 2h 2d 2s")
        )


@pytest.mark.parametrize(
    ("cards", "named"),
    [
        ("As Ks Qs Js As", "As"),
        ("2c 2d 2h 2s 2c", "2c"),
        ("As Ks Qs Js", "As Ks Qs Js"),
        ("As Ks Qs Js Ts 9s", "As Ks Qs Js Ts 9s"),
        ("As As", "As"),
    ],
)
def test_what_is_no_hand_names_the_card(cards: str, named: str) -> None:
    """CASES 45: the same card twice, or four or six cards, has no value and is named."""
    with pytest.raises(CardError) as caught:
        five_card_value(parse_cards(cards))
    assert caught.value.card == named


def test_a_repeated_card_is_seen_in_any_two_places() -> None:
    """CASES 45: whichever two of the five are the same card, the hand has no value."""
    for first, second in combinations(range(5), 2):
        for rest in (parse_cards("As Kd 4h 3c 2c"), parse_cards("As Ah Ad Ks Kh"), parse_cards("As Qs Js Ts 9s")):
            cards = list(rest)
            cards[second] = cards[first]
            with pytest.raises(CardError) as caught:
                five_card_value(cards)
            assert caught.value.card == cards_text([cards[first]])


@pytest.mark.parametrize("cards", [(-1, 1, 2, 3, 4), (0, 1, 2, 3, 52), (-52, -51, -50, -49, -48), ()])
def test_numbers_that_are_no_cards_have_no_value(cards: tuple[int, ...]) -> None:
    """No number beside the deck is taken for a card, negative ones neither."""
    with pytest.raises(CardError):
        five_card_value(cards)


def test_the_order_of_the_cards_does_not_matter() -> None:
    """Players may hold their cards as they like (CSP 9.9 has the dealer find the value)."""
    for cards in combinations(DECK[::3], 5):
        assert five_card_value(cards) is five_card_value(cards[::-1]), cards_text(cards)
