"""How many of the hands a dealer may hold are below a given worth, when the player's cards are seen.

A hand's worth comes from its ranks alone, unless all its cards are of one suit. So hands are counted by their ranks
first, as if no suit mattered, and those of one suit are then counted anew at what they are worth. Cards that lie
elsewhere are left out by inclusion and exclusion: from all hands those with this card, those with that one, and back
those with both.

Each count is one whole number with a field for every rank, and one more: how many of the hands hold one given card of
that rank, which is what a card turned up asks; and how many there are. Adding two such numbers adds every field, so a
question is answered for all thirteen ranks at once. Knows no wager and no game.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, combinations, combinations_with_replacement, product
from math import comb, prod
from typing import Final

RANKS: Final = 13
FIELD: Final = 32
"""Bits of a field: no count of hands of up to six cards comes to 2**32."""
ALL: Final = RANKS
"""The field of all hands, after those of the thirteen ranks."""
HIGHEST: Final = 1 << 20
"""Above the worth of any hand: below it are all of them."""

_MASK: Final = (1 << FIELD) - 1

Cards = tuple[int, ...]
Ranks = tuple[int, ...]
"""The ranks of a hand from the lowest to the highest, one for each card."""


def in_field(packed: int, field: int) -> int:
    """The count in one field."""
    return packed >> FIELD * field & _MASK


@dataclass(frozen=True, slots=True)
class Tally:
    """Counts by worth: how many there are below any."""

    worths: Sequence[int]
    """Ascending."""
    below_each: Sequence[int]
    """What lies below each of these, and last of all everything."""

    def below(self, worth: int) -> int:
        """The packed count of what is worth less."""
        return self.below_each[bisect_left(self.worths, worth)]


NOTHING: Final = Tally((), (0,))


def tally(counts: Mapping[int, int]) -> Tally:
    """A tally of packed counts by worth.

    >>> tally({7: 1, 3: 2}).below(7), tally({7: 1, 3: 2}).below(8)
    (2, 3)
    """
    worths = sorted(counts)
    return Tally(worths, list(accumulate([counts[worth] for worth in worths], initial=0)))


def rank_hands(size: int) -> Iterator[Ranks]:
    """The ranks of every hand of so many cards of one deck, each combination once."""
    for ranks in combinations_with_replacement(range(RANKS), size):
        if all(ranks[place] != ranks[place + 4] for place in range(size - 4)):
            yield ranks


def mixed(ranks: Ranks) -> Cards:
    """A hand of these ranks, from the lowest, of which no more than two cards in six are of one suit.

    >>> from rules.cards import cards_text
    >>> cards_text(mixed((0, 0, 12))), cards_text(mixed((0, 1, 2, 3, 4)))
    ('2c 2d Ah', '2c 3d 4h 5s 6c')
    """
    return tuple([rank << 2 | place & 3 for place, rank in enumerate(ranks)])


def suited(ranks: Ranks) -> Cards:
    """The hand of these different ranks in one suit."""
    return tuple([rank << 2 for rank in ranks])


def counts_of(ranks: Iterable[int]) -> tuple[int, ...]:
    """How many cards of each of the thirteen ranks there are."""
    counts = [0] * RANKS
    for rank in ranks:
        counts[rank] += 1
    return tuple(counts)


def key_of(ranks: Iterable[int]) -> int:
    """Ranks as one number, whatever their order."""
    return sum(1 << 3 * rank for rank in ranks)


def subsets(ranks: Ranks) -> Iterator[tuple[Ranks, int]]:
    """Each choice of ranks among a hand's cards, and how often it counts in inclusion and exclusion, with its sign.

    >>> list(subsets((5, 5)))
    [((), 1), ((5,), -2), ((5, 5), 1)]
    """
    distinct = sorted(set(ranks))
    held = [ranks.count(rank) for rank in distinct]
    for taken in product(*[range(count + 1) for count in held]):
        chosen = tuple([rank for rank, count in zip(distinct, taken, strict=True) for _ in range(count)])
        yield chosen, (-1) ** len(chosen) * prod(map(comb, held, taken))


class Hands:
    """Every hand of so many cards that a dealer may hold, by worth.

    ``worth`` values cards; ``only`` keeps those hands that it is true of, all where it is ``None``. ``seen`` is how
    many cards of a player's hand may be in a dealer's at most: one fewer than its size where one is turned up.
    Without ``one_suit`` hands are only counted by their ranks.
    """

    def __init__(
        self,
        size: int,
        worth: Callable[[Cards], int],
        only: Callable[[Cards], bool] | None = None,
        seen: int = 5,
        *,
        one_suit: bool = True,
    ) -> None:
        self.size = size
        self._plain: dict[int, Tally] = {}
        self._suited: dict[int, Tally] = {}
        self._count_plain(worth, only, min(seen, size))
        self._ranks_in_suit: list[tuple[int, int, int]] = []
        for ranks in combinations(range(RANKS), size) if one_suit else ():
            fields = (1 << FIELD * ALL) + sum(1 << FIELD * rank for rank in ranks)
            mask = sum(1 << rank for rank in ranks)
            for cards, sign in ((suited(ranks), 1), (mixed(ranks), -1)):
                if only is None or only(cards):
                    self._ranks_in_suit.append((mask, worth(cards), sign * fields))

    def _count_plain(self, worth: Callable[[Cards], int], only: Callable[[Cards], bool] | None, seen: int) -> None:
        counts: dict[int, defaultdict[int, int]] = defaultdict(lambda: defaultdict(int))
        for ranks in rank_hands(self.size):
            cards = mixed(ranks)
            if only is not None and not only(cards):
                continue
            held = counts_of(ranks)
            value = worth(cards)
            for taken, _ in subsets(ranks):
                if len(taken) <= seen:
                    counts[key_of(taken)][value] += _ways(held, counts_of(taken))
        self._plain = {key: tally(by_worth) for key, by_worth in counts.items()}

    def plain_below(self, ranks: Ranks, worths: Sequence[int]) -> list[int]:
        """How many hands without a player's cards of these ranks are below each worth, as if no suit mattered."""
        below = [0] * len(worths)
        for taken, sign in subsets(ranks):
            found = self._plain.get(key_of(taken))
            if found is not None:
                for place, worth in enumerate(worths):
                    below[place] += sign * found.below(worth)
        return below

    def suited_below(self, blocked: int, worths: Sequence[int]) -> list[int]:
        """What the hands of one suit add to that below each worth: their count, less what they counted as mixed.

        ``blocked`` has the bit of each rank of this suit that the player holds.
        """
        found = self._suited.get(blocked)
        if found is None:
            counts: defaultdict[int, int] = defaultdict(int)
            for mask, worth, fields in self._ranks_in_suit:
                if not mask & blocked:
                    counts[worth] += fields
            found = self._suited[blocked] = tally(counts)
        return [found.below(worth) for worth in worths]


def _ways(held: tuple[int, ...], taken: tuple[int, ...]) -> int:
    """In how many suits a hand with so many cards of each rank comes that has the cards taken: every field of it."""
    ways = prod([comb(4 - has, holds - has) for holds, has in zip(held, taken, strict=True)])
    packed = ways << FIELD * ALL
    for rank in range(RANKS):
        if held[rank] > taken[rank]:
            packed += ways * (held[rank] - taken[rank]) // (4 - taken[rank]) << FIELD * rank
    return packed
