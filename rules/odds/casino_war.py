"""The odds of Casino War with six decks: the initial wager with its war, or surrendered, the war wager, and the tie."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Final

from rules.games.casino_war import GAME
from rules.odds.rows import Outcome, Row, outcomes_of, schedule_names, times
from rules.schedules import Schedule

OF_A_RANK: Final = 4 * 6
"""Cards of each rank in six decks (WAR 3.1)."""
CARDS: Final = 13 * OF_A_RANK

_OTHERS: Final = CARDS - OF_A_RANK
_PAIRS: Final = CARDS * (CARDS - 1)
"""A first card to the player and one to the dealer."""
_SAME: Final = CARDS * (OF_A_RANK - 1)
_LEFT: Final = (CARDS - 2) * (CARDS - 3)
"""Two more cards, after two of one rank."""
_LEFT_SAME: Final = (OF_A_RANK - 2) * (OF_A_RANK - 3) + _OTHERS * (OF_A_RANK - 1)


def war_rows(schedules: Mapping[str, Schedule]) -> Iterator[Row]:
    """The odds of initial and war wagers under these schedules, every amount payable in chips (WAR 5.10)."""
    higher, equal = (times(schedules["war"].odds["war"][row]) for row in ("higher", "equal"))
    win = times(schedules["initial"].odds["initial"]["win"])
    war_wins = (_LEFT - _LEFT_SAME) // 2
    names = schedule_names(schedules, ("initial", "war"))
    # Of two different ranks each is the higher as often as the other.
    one_wins = (_PAIRS - _SAME) // 2
    at_war = {
        ("win", win): one_wins * _LEFT,
        ("lose", Fraction(-1)): one_wins * _LEFT,
        ("war_higher", higher): _SAME * war_wins,
        ("war_equal", equal): _SAME * _LEFT_SAME,
        ("war_lower", Fraction(-2)): _SAME * war_wins,
    }
    yield Row(GAME, names, (), "initial", "always to war", outcomes_of(at_war, _PAIRS * _LEFT))
    surrendered = {
        ("win", win): one_wins,
        ("lose", Fraction(-1)): one_wins,
        ("surrender", Fraction(-1, 2)): _SAME,
    }
    only = schedule_names(schedules, ("initial",))
    yield Row(GAME, only, (), "initial", "always surrendered", outcomes_of(surrendered, _PAIRS))
    war = {("higher", higher): war_wins, ("equal", equal): _LEFT_SAME, ("lower", Fraction(-1)): war_wins}
    yield Row(GAME, schedules["war"].name, (), "war", "", outcomes_of(war, _LEFT))


def tie_row(schedules: Mapping[str, Schedule]) -> Row:
    """The odds of the tie wager (WAR 8.1)."""
    pays = times(schedules["tie"].odds["tie"]["win"])
    outcomes = (
        Outcome("win", pays, _SAME, _PAIRS),
        Outcome("lose", Fraction(-1), _PAIRS - _SAME, _PAIRS),
    )
    return Row(GAME, schedules["tie"].name, (), "tie", "", outcomes)
