"""What five cards are worth: rule 13 of Caribbean Stud Poker.

All suits have the same rank (CSP 3.3), so the 2,598,960 hands have 7,462 different values. Each value is made once, and
five cards are looked up. Knows nothing of wagers, dealers and prizes.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations
from typing import Final, Literal, Protocol, get_args

from rules.cards import CARD_TEXTS, DECK, CardError, card_text, repeated_card

Category = Literal[
    "five_odd_cards",
    "one_pair",
    "two_pairs",
    "three_of_a_kind",
    "straight",
    "flush",
    "full_house",
    "four_of_a_kind",
    "straight_flush",
    "royal_flush",
]
"""The ten kinds of hand of CSP 13.1, from the lowest to the highest."""

CATEGORIES: Final[tuple[Category, ...]] = get_args(Category)
"""The kinds of hand from the lowest to the highest."""

RULES: Final[dict[Category, str]] = {category: f"CSP 13.1.{10 - place}" for place, category in enumerate(CATEGORIES)}
"""The clause of each kind of hand."""


class Worth(Protocol):
    """What a hand is worth in any game. Values of one game compare; those of two games never do."""

    @property
    def rank(self) -> int:
        """Its place among the game's values, 1 the lowest."""

    @property
    def category(self) -> str:
        """The kind of hand, such as ``one_pair``."""

    @property
    def name(self) -> str:
        """The value as it is called at the table."""

    @property
    def rule(self) -> str:
        """The clause that names the kind of hand."""


@dataclass(frozen=True, slots=True, order=True)
class HandValue:
    """What a hand of five cards is worth.

    Always one object per value, so that hands of one worth share it; values compare and hash by ``rank``.
    """

    rank: int
    """1 for the lowest of the 7,462 values (seven high), 7,462 for the royal flush."""
    category: Category = field(compare=False)
    """The kind of hand (CSP 13.1)."""
    name: str = field(compare=False)
    """The value as it is called at the table, such as ``Full House, kings over twos``; no two values share a name."""
    rule: str = field(compare=False)
    """The clause that names the kind of hand, such as ``CSP 13.1.4``."""


RANK_WORDS: Final = (
    *("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("jack", "queen", "king", "ace"),
)
"""Each rank as it is called at the table."""

RANK_PLURALS: Final = tuple("sixes" if word == "six" else word + "s" for word in RANK_WORDS)
"""Several cards of each rank as they are called."""

# The ranks of a hand as one number. The thirteen summands are the smallest known for which no two hands of five cards,
# at most four of a rank, have the same sum; so the sum can be looked up where sorting or multiplying would take longer.
_RANK_SUMMANDS: Final = (0, 1, 5, 22, 94, 312, 992, 2422, 5624, 12522, 19998, 43258, 79415)
_NO_CARD: Final = 1_000_000  # No hand's sum reaches it. Python reads -1 as the last place; there stands no card.
_SUMMANDS: Final = tuple([_RANK_SUMMANDS[card >> 2] for card in DECK] + [_NO_CARD] * len(DECK))

_WHEEL: Final = (12, 3, 2, 1, 0)  # Ace, five, four, three, two: the ace counted low (CSP 13.1.2, 13.1.6).
_BROADWAY: Final = (12, 11, 10, 9, 8)


def _groups() -> Iterator[tuple[Category, tuple[int, ...]]]:
    """Every value from the lowest to the highest, as its kind and its ranks, the ones that count first in front."""
    ranks = range(13)
    odd = sorted(tuple(sorted(five, reverse=True)) for five in combinations(ranks, 5))
    straights = [_WHEEL, *[tuple(range(high, high - 5, -1)) for high in range(4, 13)]]
    odd = [five for five in odd if five not in straights]
    yield from (("five_odd_cards", five) for five in odd)
    for pair in ranks:
        for rest in sorted(tuple(sorted(three, reverse=True)) for three in combinations(ranks, 3)):
            if pair not in rest:
                yield "one_pair", (pair, pair, *rest)
    for high in ranks:
        for low in range(high):
            yield from (("two_pairs", (high, high, low, low, last)) for last in ranks if last not in {high, low})
    for three in ranks:
        for rest in sorted(tuple(sorted(two, reverse=True)) for two in combinations(ranks, 2)):
            if three not in rest:
                yield "three_of_a_kind", (three, three, three, *rest)
    yield from (("straight", five) for five in straights)
    yield from (("flush", five) for five in odd)
    for three in ranks:
        yield from (("full_house", (three, three, three, pair, pair)) for pair in ranks if pair != three)
    for four in ranks:
        yield from (("four_of_a_kind", (four, four, four, four, last)) for last in ranks if last != four)
    yield from (("straight_flush", five) for five in straights[:-1])
    yield "royal_flush", _BROADWAY


def _name(category: Category, ranks: tuple[int, ...]) -> str:
    """The name of a value in the words of rule 13."""
    words = [RANK_WORDS[rank] for rank in ranks]
    plurals = [RANK_PLURALS[rank] for rank in ranks]
    high = "five" if ranks == _WHEEL else words[0]
    match category:
        case "royal_flush":
            return "Royal Flush"
        case "straight_flush":
            return f"Straight Flush, {high} high"
        case "four_of_a_kind":
            return f"Four of a Kind, {plurals[0]} with {words[4]}"
        case "full_house":
            return f"Full House, {plurals[0]} over {plurals[3]}"
        case "flush":
            return f"Flush, {' '.join(words)}"
        case "straight":
            return f"Straight, {high} high"
        case "three_of_a_kind":
            return f"Three of a Kind, {plurals[0]} with {' '.join(words[3:])}"
        case "two_pairs":
            return f"Two Pairs, {plurals[0]} and {plurals[2]} with {words[4]}"
        case "one_pair":
            return f"One Pair, {plurals[0]} with {' '.join(words[2:])}"
        case "five_odd_cards":
            return f"Five Odd Cards, {' '.join(words)}"


def _made() -> tuple[dict[int, HandValue], dict[int, HandValue]]:
    """Every value by the sum of its ranks: hands of more than one suit, and hands of one suit."""
    mixed: dict[int, HandValue] = {}
    suited: dict[int, HandValue] = {}
    for rank, (category, ranks) in enumerate(_groups(), start=1):
        value = HandValue(rank, category, _name(category, ranks), RULES[category])
        table = suited if category in {"flush", "straight_flush", "royal_flush"} else mixed
        table[sum(_RANK_SUMMANDS[each] for each in ranks)] = value
    return mixed, suited


_MIXED, _SUITED = _made()


def five_card_value(
    cards: Sequence[int],
    _summands: tuple[int, ...] = _SUMMANDS,
    _mixed: dict[int, HandValue] = _MIXED,
    _suited: dict[int, HandValue] = _SUITED,
) -> HandValue:
    """What five cards are worth (CSP 13), in whatever order they lie.

    Always the same object for the same worth. An ace may be counted low (13.1.2, 13.1.6). The tables are arguments with
    defaults only because Python finds an argument faster than a global.
    Raises ``CardError`` where there are not five cards, one is there twice or one is no card, and names it.

    >>> from rules.cards import parse_cards
    >>> five_card_value(parse_cards("Ks Kd 2h Kc 2s"))
    HandValue(rank=7273, category='full_house', name='Full House, kings over twos', rule='CSP 13.1.4')
    >>> five_card_value(parse_cards("As 2s 3s 4s 5s")).name
    'Straight Flush, five high'
    >>> five_card_value(parse_cards("As 2s 3s 4s 5h")) < five_card_value(parse_cards("2s 3s 4s 5s 6h"))
    True
    >>> five_card_value(parse_cards("As Ks Ad Kd As"))
    Traceback (most recent call last):
    rules.cards.CardError: 'As': twice in one hand
    """
    try:
        a, b, c, d, e = cards
        # Five different cards, all ten pairs of them: twice as fast as a set of five.
        if a != b != c != d != e != a != c != e != b != d != a:
            ranks = _summands[a] + _summands[b] + _summands[c] + _summands[d] + _summands[e]
            if (a ^ b) & 3 or (a ^ c) & 3 or (a ^ d) & 3 or (a ^ e) & 3:
                return _mixed[ranks]
            return _suited[ranks]
    except (IndexError, KeyError, ValueError):
        pass
    raise _no_hand(cards)


def _no_hand(cards: Sequence[int]) -> CardError:
    """Why these cards have no value."""
    for card in cards:
        card_text(card)
    repeated = repeated_card(cards)
    if repeated is not None:
        return CardError(CARD_TEXTS[repeated], "twice in one hand")
    text = " ".join(CARD_TEXTS[card] for card in cards)
    return CardError(text, f"{len(cards)} cards are no hand: a hand is five cards")


@cache
def values() -> tuple[HandValue, ...]:
    """All 7,462 values from the lowest to the highest."""
    return tuple(sorted((*_MIXED.values(), *_SUITED.values())))
