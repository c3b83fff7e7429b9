"""The odds of Caribbean Stud: ante with its bet under best play, the bet alone, and the jackpot wager at a meter.

Every hand of the player is met with every card turned up, and each with all 163,185 ways to complete the dealer's
hand; none is sampled. What a bet comes to depends on the ranks the player holds, on which of them are of the suit of
the card turned up, and on its rank: two million questions in place of two hundred billion deals.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import cache, lru_cache
from itertools import combinations
from math import comb, lcm, prod
from typing import Final, NamedTuple

from rules.games.caribbean_stud import GAME, dealer_qualifies
from rules.hands import HandValue, five_card_value
from rules.odds.rows import Row, outcomes_of, times
from rules.odds.tallies import HIGHEST, RANKS, Cards, Hands, Ranks, counts_of, in_field, mixed, rank_hands, suited
from rules.schedules import Schedule

HANDS: Final = comb(52, 5)
COMPLETED: Final = comb(46, 4)
"""In how many ways a dealer's hand is completed, when the player's five cards and the one turned up are known."""
DEALS: Final = HANDS * 47 * COMPLETED

Progress = Callable[[int, int], None]
"""Told how far a count has come, and how far it goes."""

_EVERY: Final = "best play for every hand and every card turned up"


def no_progress(done: int, of: int) -> None:
    """Tell nobody."""


class Results(NamedTuple):
    """In how many ways a bet comes to each result (CSP 9.2, 9.4.1)."""

    dealer_does_not_qualify: int
    win: int
    stand_off: int
    lose: int


class _Held(NamedTuple):
    """What matters of a player's hand and a suit: how many hands and suits are alike in it, and their packed results.

    ``below`` and ``up_to`` count dealer's hands below the player's and up to it, ``no_hand`` those that do not
    qualify, ``no_below`` and ``no_up_to`` those that do not and are below or up to it.
    """

    value: HandValue
    alike: int
    blocked: int
    below: int
    up_to: int
    no_below: int
    no_up_to: int
    no_hand: int

    def results(self, rank: int) -> Results:
        """The results with a card of this rank, in this suit, turned up."""
        none = in_field(self.no_hand, rank)
        win = in_field(self.below - self.no_below, rank)
        not_higher = in_field(self.up_to - self.no_up_to, rank)
        return Results(none, win, not_higher - win, COMPLETED - none - not_higher)


def rows(schedules: Mapping[str, Schedule], progress: Progress = no_progress) -> Iterator[Row]:
    """The odds of ante and bet (CSP 10.1) when each hand is bet or folded as pays best."""
    schedule = schedules["bet"]
    on_ante, on_bet = times(schedule.odds["ante"]["win"]), schedule.odds["bet"]
    folded, bets = _best_play(schedule, progress)
    ante = Counter({("fold", Fraction(-1)): folded})
    bet: Counter[tuple[str, Fraction]] = Counter()
    for row, (none, win, stand_off, lose) in bets.items():
        pays = times(on_bet[row])
        ante["dealer_does_not_qualify", on_ante] += none
        ante[row, on_ante + 2 * pays] += win
        ante["stand_off", Fraction()] += stand_off
        ante["lose", Fraction(-3)] += lose
        bet["dealer_does_not_qualify", Fraction()] += none
        bet[row, pays] += win
        bet["stand_off", Fraction()] += stand_off
        bet["lose", Fraction(-1)] += lose
    yield Row(GAME, schedule.name, (), "ante", _EVERY, outcomes_of(ante, DEALS))
    if bet:
        yield Row(GAME, schedule.name, (), "bet", _EVERY, outcomes_of(bet, bet.total()))


def _best_play(schedule: Schedule, progress: Progress) -> tuple[int, Mapping[str, list[int]]]:
    """In how many deals a hand is folded, and by the row of its odds what the deals that are bet on come to."""
    on_ante, on_bet = times(schedule.odds["ante"]["win"]), schedule.odds["bet"]
    # Whole numbers, for a fraction in each of a million comparisons would take minutes.
    scale = lcm(on_ante.denominator, *[odds.to for odds in on_bet.values()])
    at_ante = int(on_ante * scale)
    at_row = {row: at_ante + 2 * int(times(odds) * scale) for row, odds in on_bet.items()}
    folded = 0
    bets: dict[str, list[int]] = {}
    for row, alike, results in _every_hand(progress):
        none, win, stand_off, lose = results
        if at_ante * none + at_row[row] * win - 3 * scale * lose <= -COMPLETED * scale:
            folded += alike * COMPLETED
            continue
        sums = bets.setdefault(row, [0, 0, 0, 0])
        sums[0] += alike * none
        sums[1] += alike * win
        sums[2] += alike * stand_off
        sums[3] += alike * lose
    return folded, bets


def bet_results(cards: Cards, turned_up: int) -> Results:
    """In how many of the 163,185 ways a bet on a hand comes to each result, with this card of the dealer's turned up.

    >>> from rules.cards import parse_card, parse_cards
    >>> bet_results(parse_cards("As Ks Qs Js Ts"), parse_card("2c")).lose
    0
    """
    blocked = sum(1 << (card >> 2) for card in cards if card & 3 == turned_up & 3)
    held = _alike(tuple(sorted(card >> 2 for card in cards)), five_card_value(cards), blocked, 1)
    return held.results(turned_up >> 2)


def _every_hand(progress: Progress) -> Iterator[tuple[str, int, Results]]:
    """The row a hand's bet is paid by, how many hands and cards turned up are alike, and what its bet comes to."""
    every = tuple(rank_hands(5))
    for done, ranks in enumerate(every):
        if done % 64 == 0:
            progress(done, len(every))
        held = counts_of(ranks)
        for hand in _suits_of(ranks):
            row = "one_pair_or_less" if hand.value.category in {"one_pair", "five_odd_cards"} else hand.value.category
            for rank in range(RANKS):
                if held[rank] < 4 and not hand.blocked >> rank & 1:
                    yield row, hand.alike, hand.results(rank)
    progress(len(every), len(every))


def _suits_of(ranks: Ranks) -> Iterator[_Held]:
    """Each choice of a player's ranks that are of the suit of the card turned up, with how many hands are alike."""
    held = counts_of(ranks)
    distinct = sorted(set(ranks))
    flush = len(distinct) == 5
    for size in range(len(distinct) + 1):
        for of_suit in combinations(distinct, size):
            # The suit is one of four; a rank in it leaves its other cards three suits, one not in it all of its cards.
            alike = 4 * prod([comb(3, held[rank] - (rank in of_suit)) for rank in distinct])
            blocked = sum(1 << rank for rank in of_suit)
            of_one_suit = 0
            if flush:
                of_one_suit = {0: 4 * 3, 5: 4}.get(size, 0)
            if of_one_suit:
                yield _alike(ranks, five_card_value(suited(ranks)), blocked, of_one_suit)
            if alike > of_one_suit:
                yield _alike(ranks, five_card_value(mixed(ranks)), blocked, alike - of_one_suit)


def _alike(ranks: Ranks, value: HandValue, blocked: int, alike: int) -> _Held:
    worths = (value.rank, value.rank + 1, HIGHEST)
    below, up_to, _ = _sums(_every_dealer(), ranks, worths, blocked)
    no_below, no_up_to, no_hand = _sums(_not_qualifying(), ranks, worths, blocked)
    return _Held(value, alike, blocked, below, up_to, no_below, no_up_to, no_hand)


def _sums(dealers: Hands, ranks: Ranks, worths: tuple[int, ...], blocked: int) -> list[int]:
    """How many dealer's hands are below each worth, with a card of the suit turned up of which these are blocked."""
    of_suit = dealers.suited_below(blocked, worths)
    return [plain + more for plain, more in zip(_plain(dealers, ranks, worths), of_suit, strict=True)]


@lru_cache(maxsize=8)  # The choices of suits of one hand's ranks follow each other and ask the same.
def _plain(dealers: Hands, ranks: Ranks, worths: tuple[int, ...]) -> list[int]:
    return dealers.plain_below(ranks, worths)


@cache
def _every_dealer() -> Hands:
    return Hands(5, _worth, seen=4)


@cache
def _not_qualifying() -> Hands:
    return Hands(5, _worth, lambda cards: not dealer_qualifies(five_card_value(cards)), seen=4)


def _worth(cards: Cards) -> int:
    return five_card_value(cards).rank
