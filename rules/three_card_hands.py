"""What three cards are worth: rule 11 of Three Card Poker.

The 22,100 hands have 741 different values, each made once. Knows nothing of wagers, dealers and bonuses.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations
from typing import Final, Literal, get_args

from rules.cards import CARD_TEXTS, CardError, card_text, cards_text, repeated_card
from rules.hands import RANK_PLURALS, RANK_WORDS

ThreeCardCategory = Literal["three_odd_cards", "one_pair", "flush", "straight", "three_of_a_kind", "straight_flush"]
"""The six kinds of hand of TCP 11.1, from the lowest to the highest."""

THREE_CARD_CATEGORIES: Final[tuple[ThreeCardCategory, ...]] = get_args(ThreeCardCategory)
"""The kinds of hand from the lowest to the highest."""

THREE_CARD_RULES: Final[dict[ThreeCardCategory, str]] = {
    category: f"TCP 11.1.{6 - place}" for place, category in enumerate(THREE_CARD_CATEGORIES)
}
"""The clause of each kind of hand."""


@dataclass(frozen=True, slots=True, order=True)
class ThreeCardValue:
    """What a hand of three cards is worth.

    Always one object per value, so that hands of one worth share it; values compare and hash by ``rank``.
    """

    rank: int
    """1 for the lowest of the 741 values (five high), 741 for ace, king and queen of one suit."""
    category: ThreeCardCategory = field(compare=False)
    """The kind of hand (TCP 11.1)."""
    name: str = field(compare=False)
    """The value as it is called at the table, such as ``One Pair, twos with jack``; no two values share a name."""
    rule: str = field(compare=False)
    """The clause that names the kind of hand, such as ``TCP 11.1.5``."""


_LOW_STRAIGHT: Final = (12, 1, 0)  # Ace, three, two: the ace counted low (TCP 11.1.1, 11.1.3, 11.2.1).


def _groups() -> Iterator[tuple[ThreeCardCategory, tuple[int, ...]]]:
    """Every value from the lowest to the highest, as its kind and its ranks, the ones that count first in front."""
    ranks = range(13)
    straights = [_LOW_STRAIGHT, *[(high, high - 1, high - 2) for high in range(2, 13)]]
    odd = sorted(tuple(sorted(three, reverse=True)) for three in combinations(ranks, 3))
    odd = [three for three in odd if three not in straights]
    yield from (("three_odd_cards", three) for three in odd)
    yield from (("one_pair", (pair, pair, last)) for pair in ranks for last in ranks if last != pair)
    yield from (("flush", three) for three in odd)
    yield from (("straight", three) for three in straights)
    yield from (("three_of_a_kind", (rank, rank, rank)) for rank in ranks)
    yield from (("straight_flush", three) for three in straights)


def _name(category: ThreeCardCategory, ranks: tuple[int, ...]) -> str:
    """The name of a value in the words of rule 11."""
    words = [RANK_WORDS[rank] for rank in ranks]
    high = "three" if ranks == _LOW_STRAIGHT else words[0]
    match category:
        case "straight_flush":
            return f"Straight Flush, {high} high"
        case "three_of_a_kind":
            return f"Three of a Kind, {RANK_PLURALS[ranks[0]]}"
        case "straight":
            return f"Straight, {high} high"
        case "flush":
            return f"Flush, {' '.join(words)}"
        case "one_pair":
            return f"One Pair, {RANK_PLURALS[ranks[0]]} with {words[2]}"
        case "three_odd_cards":
            return f"Three Odd Cards, {' '.join(words)}"


def _ranks_key(ranks: Sequence[int]) -> int:
    """The ranks of three cards as one number, whatever their order: each counted in two bits, for there are three."""
    return sum(1 << 2 * rank for rank in ranks)


def _made() -> tuple[dict[int, ThreeCardValue], dict[int, ThreeCardValue]]:
    """Every value by its ranks: hands of more than one suit, and hands of one suit."""
    mixed: dict[int, ThreeCardValue] = {}
    suited: dict[int, ThreeCardValue] = {}
    for rank, (category, ranks) in enumerate(_groups(), start=1):
        table = suited if category in {"flush", "straight_flush"} else mixed
        table[_ranks_key(ranks)] = ThreeCardValue(rank, category, _name(category, ranks), THREE_CARD_RULES[category])
    return mixed, suited


_MIXED, _SUITED = _made()


def three_card_value(cards: Sequence[int]) -> ThreeCardValue:
    """What three cards are worth (TCP 11), in whatever order they lie.

    Always the same object for the same worth. An ace may be counted high or low, never both ways at once.
    Raises ``CardError`` where there are not three cards, one is there twice or one is no card, and names it.

    >>> from rules.cards import parse_cards
    >>> three_card_value(parse_cards("2s Jd 2h"))
    ThreeCardValue(rank=283, category='one_pair', name='One Pair, twos with jack', rule='TCP 11.1.5')
    >>> three_card_value(parse_cards("As 2s 3s")).name
    'Straight Flush, three high'
    >>> three_card_value(parse_cards("Ks As 2d")).category
    'three_odd_cards'
    """
    for card in cards:
        card_text(card)
    repeated = repeated_card(cards)
    if repeated is not None:
        raise CardError(CARD_TEXTS[repeated], "twice in one hand")
    if len(cards) != 3:
        raise CardError(cards_text(cards), f"{len(cards)} cards are no hand: a hand is three cards")
    one_suit = len({card & 3 for card in cards}) == 1
    return (_SUITED if one_suit else _MIXED)[_ranks_key([card >> 2 for card in cards])]


@cache
def three_card_values() -> tuple[ThreeCardValue, ...]:
    """All 741 values from the lowest to the highest."""
    return tuple(sorted((*_MIXED.values(), *_SUITED.values())))
