"""What four cards are worth, and the best four of five or six: rule 11 of Four Card Poker.

A flush is above a straight, and three of a kind above both; four of a kind is the highest. The 270,725 hands of four
have 2,535 different values, each made once. Knows nothing of wagers, dealers and bonuses.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations
from typing import Final, Literal, get_args

from rules.cards import CARD_TEXTS, CardError, card_text, cards_text, repeated_card
from rules.hands import RANK_PLURALS, RANK_WORDS

FourCardCategory = Literal[
    "four_odd_cards",
    "one_pair",
    "two_pairs",
    "straight",
    "flush",
    "three_of_a_kind",
    "straight_flush",
    "four_of_a_kind",
]
"""The eight kinds of hand of FCP 11.1, from the lowest to the highest."""

FOUR_CARD_CATEGORIES: Final[tuple[FourCardCategory, ...]] = get_args(FourCardCategory)
"""The kinds of hand from the lowest to the highest."""

FOUR_CARD_RULES: Final[dict[FourCardCategory, str]] = {
    category: f"FCP 11.1.{8 - place}" for place, category in enumerate(FOUR_CARD_CATEGORIES)
}
"""The clause of each kind of hand."""


@dataclass(frozen=True, slots=True, order=True)
class FourCardValue:
    """What four cards are worth.

    Always one object per value, so that hands of one worth share it; values compare and hash by ``rank``.
    """

    rank: int
    """1 for the lowest of the 2,535 values (six high), 2,535 for four aces."""
    category: FourCardCategory = field(compare=False)
    """The kind of hand (FCP 11.1)."""
    name: str = field(compare=False)
    """The value as it is called at the table, such as ``Two Pairs, kings and twos``; no two values share a name."""
    rule: str = field(compare=False)
    """The clause that names the kind of hand, such as ``FCP 11.1.6``."""


@dataclass(frozen=True, slots=True)
class BestFour:
    """The highest four-card hand among a player's five cards or the dealer's six (FCP 9.1, 9.2)."""

    value: FourCardValue
    cards: tuple[int, ...]
    """The four cards, from the highest to the lowest (FCP 9.1)."""
    rest: tuple[int, ...]
    """The cards that are set apart (FCP 9.1)."""


_LOW_STRAIGHT: Final = (12, 2, 1, 0)  # Ace, four, three, two: the ace counted low (FCP 11.1.2, 11.1.5, 11.2.1).


def _groups() -> Iterator[tuple[FourCardCategory, tuple[int, ...]]]:
    """Every value from the lowest to the highest, as its kind and its ranks, the ones that count first in front."""
    ranks = range(13)
    straights = [_LOW_STRAIGHT, *[tuple(range(high, high - 4, -1)) for high in range(3, 13)]]
    odd = sorted(tuple(sorted(four, reverse=True)) for four in combinations(ranks, 4))
    odd = [four for four in odd if four not in straights]
    yield from (("four_odd_cards", four) for four in odd)
    for pair in ranks:
        for rest in sorted(tuple(sorted(two, reverse=True)) for two in combinations(ranks, 2)):
            if pair not in rest:
                yield "one_pair", (pair, pair, *rest)
    yield from (("two_pairs", (high, high, low, low)) for high in ranks for low in range(high))
    yield from (("straight", four) for four in straights)
    yield from (("flush", four) for four in odd)
    yield from (("three_of_a_kind", (three, three, three, last)) for three in ranks for last in ranks if last != three)
    yield from (("straight_flush", four) for four in straights)
    yield from (("four_of_a_kind", (rank, rank, rank, rank)) for rank in ranks)


def _name(category: FourCardCategory, ranks: tuple[int, ...]) -> str:
    """The name of a value in the words of rule 11."""
    words = [RANK_WORDS[rank] for rank in ranks]
    plurals = [RANK_PLURALS[rank] for rank in ranks]
    high = "four" if ranks == _LOW_STRAIGHT else words[0]
    match category:
        case "four_of_a_kind":
            return f"Four of a Kind, {plurals[0]}"
        case "straight_flush":
            return f"Straight Flush, {high} high"
        case "three_of_a_kind":
            return f"Three of a Kind, {plurals[0]} with {words[3]}"
        case "flush":
            return f"Flush, {' '.join(words)}"
        case "straight":
            return f"Straight, {high} high"
        case "two_pairs":
            return f"Two Pairs, {plurals[0]} and {plurals[2]}"
        case "one_pair":
            return f"One Pair, {plurals[0]} with {' '.join(words[2:])}"
        case "four_odd_cards":
            return f"Four Odd Cards, {' '.join(words)}"


def _ranks_key(ranks: Sequence[int]) -> int:
    """The ranks of four cards as one number, whatever their order: each counted in three bits, for there are four."""
    return sum(1 << 3 * rank for rank in ranks)


def _made() -> tuple[dict[int, FourCardValue], dict[int, FourCardValue]]:
    """Every value by its ranks: hands of more than one suit, and hands of one suit."""
    mixed: dict[int, FourCardValue] = {}
    suited: dict[int, FourCardValue] = {}
    for rank, (category, ranks) in enumerate(_groups(), start=1):
        table = suited if category in {"flush", "straight_flush"} else mixed
        table[_ranks_key(ranks)] = FourCardValue(rank, category, _name(category, ranks), FOUR_CARD_RULES[category])
    return mixed, suited


_MIXED, _SUITED = _made()


def four_card_value(cards: Sequence[int]) -> FourCardValue:
    """What four cards are worth (FCP 11), in whatever order they lie.

    Always the same object for the same worth. An ace may be counted high or low, never both ways at once.
    Raises ``CardError`` where there are not four cards, one is there twice or one is no card, and names it.

    >>> from rules.cards import parse_cards
    >>> four_card_value(parse_cards("Ks 2d Kh 2c"))
    FourCardValue(rank=1618, category='two_pairs', name='Two Pairs, kings and twos', rule='FCP 11.1.6')
    >>> four_card_value(parse_cards("Qs Ks Ad 2h")).category
    'four_odd_cards'
    """
    _refuse(cards, {4}, "a hand is valued by four cards")
    return _value(cards)


def best_four(cards: Sequence[int]) -> BestFour:
    """The highest four-card hand among five or six cards (FCP 9.1, 9.2, 9.6).

    Always the same cards whatever the order given: of equal suits, the hand is made from the later in the deck.
    Raises ``CardError`` where there are not five or six cards, one is there twice or one is no card, and names it.

    >>> from rules.cards import parse_cards
    >>> best = best_four(parse_cards("5h 6h 7h 8s Kh"))
    >>> best.value.name, cards_text(best.cards), cards_text(best.rest)
    ('Flush, king seven six five', 'Kh 7h 6h 5h', '8s')
    """
    _refuse(cards, {5, 6}, "a player's hand is five cards, the dealer's six")
    from_the_top = sorted(cards, reverse=True)
    # Combinations come in the order of the cards given, so that of equal ones the first is of the later cards.
    best = max(combinations(from_the_top, 4), key=_value)
    return BestFour(_value(best), best, tuple([card for card in from_the_top if card not in best]))


def _value(cards: Sequence[int]) -> FourCardValue:
    """What four different cards are worth."""
    one_suit = len({card & 3 for card in cards}) == 1
    return (_SUITED if one_suit else _MIXED)[_ranks_key([card >> 2 for card in cards])]


def _refuse(cards: Sequence[int], sizes: set[int], reason: str) -> None:
    """Raise ``CardError`` where these are not so many different cards."""
    for card in cards:
        card_text(card)
    repeated = repeated_card(cards)
    if repeated is not None:
        raise CardError(CARD_TEXTS[repeated], "twice in one hand")
    if len(cards) not in sizes:
        raise CardError(cards_text(cards), f"{len(cards)} cards are no hand: {reason}")


@cache
def four_card_values() -> tuple[FourCardValue, ...]:
    """All 2,535 values from the lowest to the highest."""
    return tuple(sorted((*_MIXED.values(), *_SUITED.values())))
