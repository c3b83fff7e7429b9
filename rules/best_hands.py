"""What a hand of any card game is worth, which of its cards make it, and which of two hands is the higher.

Always the values by which rounds are settled. Knows nothing of wagers and dealers.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

from rules.cards import CardError, card_text, cards_text
from rules.four_card_hands import best_four, four_card_value, four_card_values
from rules.hands import RANK_WORDS, Worth, five_card_value, values
from rules.three_card_hands import three_card_value, three_card_values

_ACE: Final = 12
_WHEELS: Final = frozenset({(12, 3, 2, 1, 0), (12, 2, 1, 0), (12, 1, 0)})


@dataclass(frozen=True, slots=True)
class BestHand:
    """What a hand is worth and the cards that make it."""

    value: Worth
    best: tuple[int, ...]
    """The cards that count, the ones that count first in front; an ace counted low last."""
    rest: tuple[int, ...]
    """The cards that are set apart (FCP 9.1)."""


@dataclass(frozen=True, slots=True)
class CardValue:
    """What a single card is worth at Casino War: suits are equal, the ace is the highest (WAR 3.2)."""

    rank: int
    category: str
    name: str
    rule: str = "WAR 3.2"


@dataclass(frozen=True, slots=True)
class Ranking:
    """How the hands of one game are ranked."""

    best_hand: Callable[[Sequence[int]], BestHand]
    """What a hand is worth; raises ``CardError`` where the cards are none."""
    highest: Callable[[], int]
    """The rank of the highest value, counted from 1."""
    rule: str
    """The rule by which two hands are compared."""


def counted(cards: Sequence[int]) -> tuple[int, ...]:
    """The cards of a hand in the order in which they count: more of a rank first, then the higher; a low ace last.

    >>> from rules.cards import parse_cards
    >>> cards_text(counted(parse_cards("2s Kd 2h Kc 9s"))), cards_text(counted(parse_cards("Ah 2c 3d 5s 4s")))
    ('Kd Kc 2s 2h 9s', '5s 4s 3d 2c Ah')
    """
    of_rank = Counter(card >> 2 for card in cards)
    low = tuple(sorted(of_rank, reverse=True)) in _WHEELS

    def order(card: int) -> tuple[int, int, int]:
        rank = card >> 2
        return of_rank[rank], -1 if low and rank == _ACE else rank, card

    return tuple(sorted(cards, key=order, reverse=True))


def _five(cards: Sequence[int]) -> BestHand:
    return BestHand(five_card_value(cards), counted(cards), ())


def _three(cards: Sequence[int]) -> BestHand:
    return BestHand(three_card_value(cards), counted(cards), ())


def _four(cards: Sequence[int]) -> BestHand:
    """What four cards are worth, or the best four of a player's five or the dealer's six (FCP 9.1, 9.2)."""
    if len(cards) == 4:
        return BestHand(four_card_value(cards), counted(cards), ())
    best = best_four(cards)
    return BestHand(best.value, counted(best.cards), best.rest)


def _one(cards: Sequence[int]) -> BestHand:
    """What a card is worth (WAR 3.2)."""
    if len(cards) != 1:
        raise CardError(cards_text(cards), f"{len(cards)} cards: at Casino War one card is compared with one")
    card_text(cards[0])
    rank = cards[0] >> 2
    return BestHand(CardValue(rank + 1, "card", RANK_WORDS[rank].capitalize()), tuple(cards), ())


RANKINGS: Final[Mapping[str, Ranking]] = MappingProxyType(
    {
        "caribbean_stud": Ranking(_five, lambda: values()[-1].rank, "CSP 13"),
        "three_card_poker": Ranking(_three, lambda: three_card_values()[-1].rank, "TCP 11"),
        "four_card_poker": Ranking(_four, lambda: four_card_values()[-1].rank, "FCP 11"),
        "casino_war": Ranking(_one, lambda: len(RANK_WORDS), "WAR 3.2"),
    }
)
"""How the hands of each card game are ranked, by game."""


def higher(one: Worth, other: Worth) -> Literal["first", "second", "tie"]:
    """Which of two values of one game is the higher.

    >>> from rules.cards import parse_cards
    >>> flush, straight = (four_card_value(parse_cards(text)) for text in ("2h 3h 4h 9h", "Ts Jh Qd Kc"))
    >>> higher(flush, straight), higher(straight, flush), higher(flush, flush)
    ('first', 'second', 'tie')
    """
    if one.rank == other.rank:
        return "tie"
    return "first" if one.rank > other.rank else "second"
