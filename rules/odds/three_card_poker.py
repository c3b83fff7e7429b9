"""The odds of Three Card Poker: ante with its play wager and Ante Bonus, the play wager alone, and Pair Plus."""

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb
from types import MappingProxyType
from typing import Final

from rules.cards import DECK
from rules.games.three_card_poker import GAME, dealer_qualifies
from rules.odds.rows import Row, outcomes_of, schedule_names, times
from rules.odds.tallies import ALL, HIGHEST, Cards, Hands, in_field
from rules.schedules import Schedule
from rules.settings import ThreeCardSettings
from rules.three_card_hands import ThreeCardValue, three_card_value

HANDS: Final = comb(52, 3)
DEALERS: Final = comb(49, 3)
"""Hands the dealer may hold against one of a player's."""

READINGS: Final = (ThreeCardSettings(), ThreeCardSettings(dealer_qualifies="card"))
"""The readings of TCP 9.1, the default first."""

_EVERY = "every hand is played as pays best"


def pair_plus_row(schedules: Mapping[str, Schedule]) -> Row:
    """The odds of the Pair Plus wager: by the player's hand alone (TCP 10.4)."""
    odds = schedules["pair_plus"].odds["pair_plus"]
    counts: Counter[tuple[str, Fraction]] = Counter()
    for cards in combinations(DECK, 3):
        kind = three_card_value(cards).category
        counts[(kind, times(odds[kind])) if kind in odds else ("lose", Fraction(-1))] += 1
    return Row(GAME, schedules["pair_plus"].name, (), "pair_plus", "", outcomes_of(counts, HANDS))


def main_rows(schedules: Mapping[str, Schedule], settings: ThreeCardSettings) -> Iterator[Row]:
    """The odds of the ante with all that follows from it, and of the play wager on its own."""
    bonus = schedules["ante_bonus"].odds["ante_bonus"]
    ante_win, play_win = (times(schedules[each].odds[each]["win"]) for each in ("ante", "play"))
    ante: Counter[tuple[str, Fraction]] = Counter()
    play: Counter[tuple[str, Fraction]] = Counter()
    played: Counter[ThreeCardValue] = Counter()
    for cards, alike in _alike().items():
        value = three_card_value(cards)
        more = times(bonus[value.category]) if value.category in bonus else Fraction()
        pays = {
            "dealer_does_not_qualify": ante_win,
            "win": ante_win + play_win,
            "stand_off": Fraction(),
            "lose": Fraction(-2),
        }
        ways = {name: alike * count for name, count in against_dealer(cards, settings).items()}
        if sum((pays[name] + more) * ways[name] for name in pays) <= -DEALERS * alike:
            ante["fold", Fraction(-1)] += DEALERS * alike
            continue
        played[value] += alike
        suffix = f"_{value.category}" if more else ""
        for name, paid in pays.items():
            ante[name + suffix, paid + more] += ways[name]
        play["win", play_win] += ways["win"]
        play["lose", Fraction(-1)] += ways["lose"]
        play["stand_off", Fraction()] += ways["stand_off"] + ways["dealer_does_not_qualify"]
    strategy = f"{_EVERY}: from {min(played).name} up" if played else "no hand is played"
    ruling = (("dealer_qualifies", settings.dealer_qualifies),)
    names = schedule_names(schedules, ("ante", "play", "ante_bonus"))
    yield Row(GAME, names, ruling, "ante", strategy, outcomes_of(ante, HANDS * DEALERS))
    if played:
        yield Row(GAME, names, ruling, "play", strategy, outcomes_of(play, played.total() * DEALERS))


@cache
def _alike() -> Mapping[Cards, int]:
    """A hand for each way to hold ranks in suits, whichever suits they are, and how many hands are alike."""
    counts: Counter[tuple[int, ...]] = Counter()
    first: dict[tuple[int, ...], Cards] = {}
    for cards in combinations(DECK, 3):
        masks = tuple(sorted(sum(1 << (card >> 2) for card in cards if card & 3 == suit) for suit in range(4)))
        counts[masks] += 1
        first.setdefault(masks, cards)
    return MappingProxyType({first[masks]: alike for masks, alike in counts.items()})


@cache
def against_dealer(cards: Cards, settings: ThreeCardSettings) -> Mapping[str, int]:
    """In how many of the 18,424 ways a hand that is played comes to each result (TCP 9.2, 9.4.1).

    >>> from rules.cards import parse_cards
    >>> against_dealer(parse_cards("As Ks Qs"), ThreeCardSettings())["lose"]
    0
    """
    mine = three_card_value(cards).rank
    below, up_to = _below(_dealers(None), cards, (mine, mine + 1))
    no_below, no_up_to, none = _below(_dealers(settings.dealer_qualifies), cards, (mine, mine + 1, HIGHEST))
    win = below - no_below
    stand_off = up_to - below - (no_up_to - no_below)
    return {
        "dealer_does_not_qualify": none,
        "win": win,
        "stand_off": stand_off,
        "lose": DEALERS - none - win - stand_off,
    }


@cache
def _dealers(not_qualifying_by: str | None) -> Hands:
    """Every dealer's hand, or those that do not qualify by a reading."""
    if not_qualifying_by is None:
        return Hands(3, _worth)
    reading = next(each for each in READINGS if each.dealer_qualifies == not_qualifying_by)
    return Hands(3, _worth, lambda cards: not dealer_qualifies(cards, reading))


def _worth(cards: Cards) -> int:
    return three_card_value(cards).rank


def _below(dealers: Hands, cards: Cards, worths: tuple[int, ...]) -> list[int]:
    """How many dealer's hands without these cards are below each worth."""
    counts = dealers.plain_below(tuple(sorted(card >> 2 for card in cards)), worths)
    for suit in range(4):
        blocked = sum(1 << (card >> 2) for card in cards if card & 3 == suit)
        counts = [count + more for count, more in zip(counts, dealers.suited_below(blocked, worths), strict=True)]
    return [in_field(count, ALL) for count in counts]
