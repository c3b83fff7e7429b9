"""The odds of Four Card Poker: Aces Up by the best four of a player's five cards."""

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from itertools import combinations
from math import comb, prod
from typing import Final

from rules.four_card_hands import FourCardValue, best_four, four_card_value
from rules.games.four_card_poker import GAME
from rules.odds.rows import Row, outcomes_of, times
from rules.odds.tallies import Ranks, counts_of, rank_hands, suited
from rules.schedules import Schedule

HANDS: Final = comb(52, 5)

_ACES: Final = four_card_value((48, 49, 4, 0))  # Ac Ad 3c 2c: the lowest hand with a pair of aces.


def aces_up_row(schedules: Mapping[str, Schedule]) -> Row:
    """The odds of the Aces Up wager: by the player's hand alone (FCP 10.5), which is not folded when it wins."""
    odds = schedules["aces_up"].odds["aces_up"]
    counts: Counter[tuple[str, Fraction]] = Counter()
    for value, ways in best_fours().items():
        name = "pair_of_aces" if value.category == "one_pair" else value.category
        counts[("lose", Fraction(-1)) if value < _ACES else (name, times(odds[name]))] += ways
    return Row(GAME, schedules["aces_up"].name, (), "aces_up", "", outcomes_of(counts, HANDS))


def best_fours() -> Mapping[FourCardValue, int]:
    """How many of the 2,598,960 hands of five are worth each value by their best four (FCP 9.2)."""
    counts: Counter[FourCardValue] = Counter()
    for ranks in rank_hands(5):
        held = counts_of(ranks)
        left = prod(comb(4, count) for count in held)
        by_rank = best_four(unsuited(ranks)).value
        distinct = sorted(set(ranks))
        for size in (4, 5):
            for of_suit in combinations(distinct, size):
                # One suit in four has these; every other card has one of the three others.
                ways = 4 * prod(comb(3, held[rank] - (rank in of_suit)) for rank in distinct)
                in_suit = max(four_card_value(four) for four in combinations(suited(of_suit), 4))
                counts[max(by_rank, in_suit)] += ways
                left -= ways
        counts[by_rank] += left
    return counts


def unsuited(ranks: Ranks) -> tuple[int, ...]:
    """A hand of these ranks of which no four cards are of one suit.

    >>> from rules.cards import cards_text
    >>> cards_text(unsuited((0, 0, 1, 2, 3)))
    '2c 2d 3h 4s 5c'
    """
    return tuple([rank << 2 | place & 3 for place, rank in enumerate(ranks)])
