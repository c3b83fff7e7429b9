"""How often a Four Card Poker hand is at least as high as the dealer's best four of six, with one card turned up.

Hands are counted by their ranks first, as if no suit mattered (``tallies``). A dealer's hand with four cards of a suit
or more was then counted too low where the flush lifts it above the player's: such hands are taken out again, suit by
suit. How many there are depends on the ranks the player holds of that suit, on those held of the others, and on the
player's worth; so each choice of ranks of one suit is gone through once, with every hand that has it.
"""

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from functools import cache
from itertools import accumulate, combinations, combinations_with_replacement, product
from math import comb
from typing import Final, NamedTuple

from rules.four_card_hands import FourCardValue, best_four, four_card_value, four_card_values
from rules.odds.tallies import ALL, FIELD, RANKS, Cards, Hands, Ranks, in_field, key_of, mixed, rank_hands, suited

COMPLETED: Final = comb(46, 5)
"""In how many ways the dealer's six cards are completed, the player's five and the one turned up being known."""

_EVERY_RANK: Final = tuple(range(RANKS))
_OUTSIDE: Final = tuple(outside for size in (0, 1, 2) for outside in combinations_with_replacement(_EVERY_RANK, size))
"""The ranks of a dealer's cards that are not of the suit of which there are four or more."""


class _Lifted(NamedTuple):
    """How many dealer's hands a suit lifts above the player's, packed by the rank of the card turned up."""

    in_suit: int
    """With that card in the suit."""
    elsewhere: int
    """With that card in another suit, and given."""


def every_hand(progress: Callable[[int, int], None]) -> Iterator[tuple[str, int, int]]:
    """Every hand with every card turned up: its kind, how many are alike, and in how many ways it is as high."""
    lifted = _every_lifted(progress)
    for ranks in rank_hands(5):
        distinct = tuple(sorted(set(ranks)))
        by_rank = _by_rank(ranks)
        plain: dict[int, int] = {}
        for places, alike in _suits(tuple([ranks.count(rank) for rank in distinct])):
            masks = tuple([sum(1 << distinct[place] for place in suit) for suit in places])
            value = _worth(by_rank, masks)
            if value not in plain:
                plain[value] = _dealers().plain_below(ranks, (value + 1,))[0]
            found = [lifted[mask, key_of(ranks), value] for mask in masks]
            kind = four_card_values()[value - 1].category
            for count, mask, packed in _as_high(plain[value], masks, found):
                for rank in _EVERY_RANK:
                    if not mask >> rank & 1:
                        yield kind, alike * count, in_field(packed, rank)


def as_high(cards: Cards, turned_up: int) -> int:
    """In how many of the 1,370,754 ways a hand is at least as high as the dealer's, with this card turned up.

    >>> from rules.cards import parse_card, parse_cards
    >>> as_high(parse_cards("As Ad Ah Ac 2c"), parse_card("Kd")) == COMPLETED
    True
    """
    ranks = tuple(sorted(card >> 2 for card in cards))
    masks = tuple([sum(1 << (card >> 2) for card in cards if card & 3 == suit) for suit in range(4)])
    value = best_four(cards).value.rank
    found = [_Suit(mask).lifted(_without(ranks, mask), value) for mask in masks]
    plain = _dealers().plain_below(ranks, (value + 1,))[0]
    suit = turned_up & 3
    elsewhere = sum(each.elsewhere for each in found) - found[suit].elsewhere
    return in_field(plain - found[suit].in_suit - elsewhere, turned_up >> 2)


def _as_high(plain: int, masks: tuple[int, ...], found: list[_Lifted]) -> Iterator[tuple[int, int, int]]:
    """For each choice of the suit of the card turned up: how many are alike, what is held of it, the packed ways."""
    elsewhere = sum(each.elsewhere for each in found)
    for mask, count in Counter(masks).items():
        suit = found[masks.index(mask)]
        yield count, mask, plain - suit.in_suit - (elsewhere - suit.elsewhere)


@cache
def _suits(held: tuple[int, ...]) -> tuple[tuple[tuple[tuple[int, ...], ...], int], ...]:
    """Each way to hold so many cards of each rank in four suits, whichever suits, and how many ways are alike."""
    counts: Counter[tuple[tuple[int, ...], ...]] = Counter()
    for chosen in product(*[tuple(combinations(range(4), count)) for count in held]):
        counts[
            tuple(sorted(tuple([place for place, suits in enumerate(chosen) if suit in suits]) for suit in range(4)))
        ] += 1
    return tuple(counts.items())


def _every_lifted(progress: Callable[[int, int], None]) -> dict[tuple[int, int, int], _Lifted]:
    """What every suit lifts, by the ranks held of it, all the ranks held, and the worth of the hand."""
    found: dict[tuple[int, int, int], _Lifted] = {}
    chosen = [ranks for size in range(6) for ranks in combinations(_EVERY_RANK, size)]
    for done, of_suit in enumerate(chosen):
        progress(done, len(chosen))
        mask = sum(1 << rank for rank in of_suit)
        suit = _Suit(mask)
        for others in combinations_with_replacement(_EVERY_RANK, 5 - len(of_suit)):
            if any(others[place] == others[place + 3] for place in range(len(others) - 3)):
                continue
            ranks = tuple(sorted(of_suit + others))
            for value in _worths(_by_rank(ranks), mask, others):
                found[mask, key_of(ranks), value] = suit.lifted(others, value)
    progress(len(chosen), len(chosen))
    return found


def _worths(by_rank: int, mask: int, others: Ranks) -> set[int]:
    """Everything a hand may be worth with these ranks in one suit: itself a flush, or one of another suit, or none."""
    if mask.bit_count() >= 4:
        return {_worth(by_rank, (mask,))}
    distinct = sorted(set(others))
    flushes = [sum(1 << rank for rank in four) for size in (4, 5) for four in combinations(distinct, size)]
    return {by_rank, *[_worth(by_rank, (each,)) for each in flushes]}


def _worth(by_rank: int, masks: tuple[int, ...]) -> int:
    """What a hand is worth by its ranks, or by a suit with four or more of its cards."""
    return max(by_rank, *[_in_suit(mask) for mask in masks])


@cache
def _in_suit(mask: int) -> int:
    """What the best four of these ranks in one suit are worth; 0 where there are not four."""
    ranks = tuple([rank for rank in _EVERY_RANK if mask >> rank & 1])
    return max((four_card_value(suited(four)).rank for four in combinations(ranks, 4)), default=0)


def _value(cards: Cards) -> FourCardValue:
    return best_four(cards).value


@cache
def _by_rank(ranks: Ranks) -> int:
    """What a hand of five or six is worth if no four of its cards are of a suit."""
    return _value(mixed(ranks)).rank


@cache
def _by_key() -> dict[int, int]:
    """The same of every six, by their ranks as one number."""
    return {key_of(ranks): _by_rank(ranks) for ranks in rank_hands(6)}


@cache
def _dealers() -> Hands:
    return Hands(6, lambda cards: _by_rank(tuple([card >> 2 for card in cards])), seen=5, one_suit=False)


def _without(ranks: Ranks, mask: int) -> Ranks:
    """A hand's ranks without one of each that is held of a suit."""
    left = list(ranks)
    for rank in _EVERY_RANK:
        if mask >> rank & 1:
            left.remove(rank)
    return tuple(left)


@cache
def _in_one_suit() -> dict[int, list[tuple[int, int, int, int]]]:
    """Every four, five and six ranks of a suit: their bits, ranks as one number, fields and worth, by how many."""
    return {
        size: [
            (
                mask := sum(1 << rank for rank in ranks),
                key_of(ranks),
                (1 << FIELD * ALL) + sum(1 << FIELD * rank for rank in ranks),
                _in_suit(mask),
            )
            for ranks in combinations(_EVERY_RANK, size)
        ]
        for size in (4, 5, 6)
    }


class _Suit:
    """A suit of which the player holds some ranks: the dealer's hands with four or more of the others."""

    def __init__(self, held: int) -> None:
        by_key = _by_key()
        self._tables: list[tuple[Ranks, list[int], list[int]]] = []
        free = {size: [each for each in every if not each[0] & held] for size, every in _in_one_suit().items()}
        for outside in _OUTSIDE:
            key = key_of(outside)
            counts: defaultdict[int, int] = defaultdict(int)
            for _, ranks_key, fields, in_suit in free[6 - len(outside)]:
                by_rank = by_key[ranks_key + key]
                if by_rank < in_suit:  # Lifted above whatever lies between the two.
                    counts[by_rank] += fields
                    counts[in_suit] -= fields
            worths = sorted(counts)
            self._tables.append((outside, worths, list(accumulate([counts[each] for each in worths], initial=0))))

    def lifted(self, others: Ranks, value: int) -> _Lifted:
        """What is lifted above a worth, when the player holds these ranks of the other suits."""
        free = [3 - others.count(rank) for rank in _EVERY_RANK]
        in_suit = 0
        elsewhere = [0] * RANKS
        for outside, worths, up_to in self._tables:
            packed = up_to[bisect_right(worths, value)]
            if not packed:
                continue
            if not outside:
                in_suit += packed
                continue
            count = packed >> FIELD * ALL
            first = outside[0]
            if len(outside) == 1:
                in_suit += packed * free[first]
                elsewhere[first] += count
            elif first == outside[1]:
                in_suit += packed * comb(free[first], 2)
                elsewhere[first] += count * max(free[first] - 1, 0)
            else:
                second = outside[1]
                in_suit += packed * free[first] * free[second]
                elsewhere[first] += count * free[second]
                elsewhere[second] += count * free[first]
        return _Lifted(in_suit, sum(count << FIELD * rank for rank, count in enumerate(elsewhere) if free[rank]))
