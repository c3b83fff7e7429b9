"""The odds of Four Card Poker: ante with play wager and Ante Bonus under best play, the play wager, and Aces Up."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import combinations
from math import comb, lcm, prod
from typing import Final

from rules.four_card_hands import FourCardValue, best_four, four_card_value
from rules.games.four_card_poker import GAME
from rules.games.four_card_poker.sign import MOST_TIMES
from rules.odds.four_card_dealer import COMPLETED, every_hand
from rules.odds.rows import Row, outcomes_of, schedule_names, times
from rules.odds.tallies import counts_of, mixed, rank_hands, suited
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
        by_rank = best_four(mixed(ranks)).value
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


def main_rows(schedules: Mapping[str, Schedule], progress: Callable[[int, int], None]) -> Iterator[Row]:
    """The odds of the ante with all that follows from it, and of the play wager alone (FCP 8.5, 9.2, 10).

    A play wager of between one and three times the ante returns something between the two, so best play makes one.
    """
    bonus = schedules["ante_bonus"].odds["ante_bonus"]
    on_ante, on_play = (times(schedules[each].odds[each]["win"]) for each in ("ante", "play"))
    scale = lcm(on_ante.denominator, on_play.denominator, *[odds.to for odds in bonus.values()])
    at_ante, at_play = int(on_ante * scale), int(on_play * scale)
    at_bonus = {kind: int(times(odds) * scale) for kind, odds in bonus.items()}
    folded = 0
    plays: Counter[tuple[str, int, str]] = Counter()
    for kind, alike, wins in every_hand(progress):
        loses = COMPLETED - wins
        each_time = at_play * wins - scale * loses
        most = MOST_TIMES if each_time > 0 else 1
        if at_ante * wins - scale * loses + most * each_time + at_bonus.get(kind, 0) * COMPLETED <= -scale * COMPLETED:
            folded += alike * COMPLETED
            continue
        paid = kind if kind in bonus else ""
        plays["win", most, paid] += alike * wins
        plays["lose", most, paid] += alike * loses
    ante = Counter({("fold", Fraction(-1)): folded})
    play: Counter[tuple[str, Fraction]] = Counter()
    for (outcome, most, paid), ways in plays.items():
        more = times(bonus[paid]) if paid else Fraction()
        pays = on_ante + most * on_play if outcome == "win" else Fraction(-1 - most)
        ante["_".join(filter(None, (outcome, f"{most}_times", paid))), pays + more] += ways
        # Each unit of a play wager counts, so one of three times the ante counts three times.
        play[outcome, on_play if outcome == "win" else Fraction(-1)] += most * ways
    names = schedule_names(schedules, ("ante", "play", "ante_bonus"))
    strategy = "best play for every hand and every card turned up, at one or three times the ante"
    yield Row(GAME, names, (), "ante", strategy, outcomes_of(ante, HANDS * 47 * COMPLETED))
    if play:
        yield Row(GAME, names, (), "play", strategy, outcomes_of(play, play.total()))
