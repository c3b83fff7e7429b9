"""The areas of a Sic Bo layout, and which result of three dice each of them wins on: rules 3.2 and 3.3.

What a win is paid is the schedule's. The Super Streak areas win on a run of results, which ``streaks`` follows.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal, get_args

from rules.charts import CHARTS
from rules.settings import SicBoSettings

Dice = tuple[int, int, int]
"""The uppermost faces of the three dice (SIC 5.3), in any order."""

Wager = Literal[
    "small",
    "big",
    "specific_triple_1",
    "specific_triple_2",
    "specific_triple_3",
    "specific_triple_4",
    "specific_triple_5",
    "specific_triple_6",
    "specific_double_1",
    "specific_double_2",
    "specific_double_3",
    "specific_double_4",
    "specific_double_5",
    "specific_double_6",
    "any_triple",
    "total_4",
    "total_5",
    "total_6",
    "total_7",
    "total_8",
    "total_9",
    "total_10",
    "total_11",
    "total_12",
    "total_13",
    "total_14",
    "total_15",
    "total_16",
    "total_17",
    "two_dice_1_2",
    "two_dice_1_3",
    "two_dice_1_4",
    "two_dice_1_5",
    "two_dice_1_6",
    "two_dice_2_3",
    "two_dice_2_4",
    "two_dice_2_5",
    "two_dice_2_6",
    "two_dice_3_4",
    "two_dice_3_5",
    "two_dice_3_6",
    "two_dice_4_5",
    "two_dice_4_6",
    "two_dice_5_6",
    "single_die_1",
    "single_die_2",
    "single_die_3",
    "single_die_4",
    "single_die_5",
    "single_die_6",
    "odd",
    "even",
    "four_numbers_1_2_3_4",
    "four_numbers_2_3_4_5",
    "four_numbers_2_3_5_6",
    "four_numbers_3_4_5_6",
    "super_streak_small",
    "super_streak_big",
    "super_streak_odd",
    "super_streak_even",
]
"""The areas of the layout, in the order in which the book names the wagers (SIC 3.2, 3.3, 6.3)."""

Side = Literal["small", "big", "odd", "even"]
"""What a result can be of which a Super Streak is made (SIC 6.3)."""

Optional = Literal["odd", "even", "four_numbers", "super_streak"]
"""The bets that a casino may offer or not (SIC 3.3, 6.1)."""

FAMILIES: Final = tuple(family for chart in CHARTS["sic_bo"] for family in chart)
"""The kinds of bet, as the charts of odds name them (SIC 7.1, 7.2)."""


@dataclass(frozen=True, slots=True)
class Area:
    """An area of the layout."""

    wager: Wager
    family: str
    """The kind of bet, by which it is paid."""
    place: int
    """Where it stands in the book's order."""
    numbers: tuple[int, ...] = ()
    """The numbers it names: of dice, or a total."""
    side: Side | None = None
    """The side of a Super Streak area."""

    @property
    def optional(self) -> Optional | None:
        """The bet a casino may offer or not that it belongs to; ``None`` for one that every table has (SIC 3.2)."""
        return next((name for name in OPTIONAL if name == self.family), None)


OPTIONAL: Final[tuple[Optional, ...]] = get_args(Optional)


def _area(place: int, wager: Wager) -> Area:
    family = next(name for name in FAMILIES if wager == name or wager.startswith(f"{name}_"))
    words = wager.removeprefix(family).split("_")[1:]
    if family == "super_streak":
        side: Side = next(name for name in SIDES if name == words[0])
        return Area(wager, family, place, side=side)
    return Area(wager, family, place, tuple(map(int, words)))


SIDES: Final[tuple[Side, ...]] = get_args(Side)
AREAS: Final[Mapping[str, Area]] = MappingProxyType(
    {wager: _area(place, wager) for place, wager in enumerate(get_args(Wager))}
)
"""Every area of the layout by the name of its wager, in the book's order."""

_RULES: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        "small": ("SIC 3.2.1.1", "SIC 3.2.1.2"),
        "big": ("SIC 3.2.2.1", "SIC 3.2.2.2"),
        "specific_triple": ("SIC 3.2.3", "SIC 3.2.3"),
        "specific_double": ("SIC 3.2.4", "SIC 3.2.4"),
        "any_triple": ("SIC 3.2.5", "SIC 3.2.5"),
        "total": ("SIC 3.2.6", "SIC 3.2.6"),
        "two_dice": ("SIC 3.2.7", "SIC 3.2.7"),
        "single_die": ("SIC 3.2.8", "SIC 3.2.8"),
        "odd": ("SIC 3.3.1.1", "SIC 3.3.1.2"),
        "even": ("SIC 3.3.2.1", "SIC 3.3.2.2"),
        "four_numbers": ("SIC 3.3.3", "SIC 3.3.3"),
    }
)
_PLAIN_WORDS: Final = SicBoSettings()


def is_triple(dice: Dice) -> bool:
    """Whether the three dice are of the same value (SIC 1.1)."""
    return dice[0] == dice[1] == dice[2]


def shows(side: Side, dice: Dice, settings: SicBoSettings = _PLAIN_WORDS) -> bool:
    """Whether a result is Small, Big, Odd or Even; never a triple (SIC 3.2.1, 3.2.2, 3.3.1, 3.3.2).

    >>> shows("even", (1, 3, 6)), shows("even", (1, 3, 6), SicBoSettings(even_on_10="win"))
    (False, True)
    """
    total = sum(dice)
    if is_triple(dice):
        return False  # SIC 3.2.1.2, 3.2.2.2, 3.3.1.2, 3.3.2.2
    match side:
        case "small":
            return total <= 10  # SIC 3.2.1, 3.2.1.1
        case "big":
            return total > 10  # SIC 3.2.2, 3.2.2.1
        case "odd":
            return total % 2 == 1  # SIC 3.3.1, 3.3.1.1
        case _:
            # SIC 3.3.2, 3.3.2.1
            return total % 2 == 0 and (total != 10 or settings.even_on_10 == "win")


def row_won(wager: str, dice: Dice, settings: SicBoSettings = _PLAIN_WORDS) -> str | None:
    """Which row of its chart an area is paid by on a result; ``None`` where it loses.

    Never asked of a Super Streak area.

    >>> row_won("single_die_2", (2, 5, 2)), row_won("two_dice_2_5", (2, 5, 2)), row_won("total_6", (2, 2, 2))
    ('two_dice', 'win', '6')
    >>> row_won("four_numbers_2_3_5_6", (2, 5, 5)) is None
    True
    """
    area = AREAS[wager]
    match area.family:
        case "small" | "big" | "odd" | "even":
            side: Side = next(name for name in SIDES if name == wager)
            won = shows(side, dice, settings) or (wager == "even" and sum(dice) == 18 and even_wins_on_666(settings))
        case "any_triple":
            won = is_triple(dice)  # SIC 3.2.5
        case "specific_triple":
            won = dice.count(area.numbers[0]) == 3  # SIC 3.2.3
        case "specific_double":
            won = dice.count(area.numbers[0]) >= 2  # SIC 3.2.4
        case "two_dice":
            won = set(area.numbers) <= set(dice)  # SIC 3.2.7
        case "four_numbers":
            won = len(set(dice)) == 3 and set(dice) <= set(area.numbers)  # SIC 3.3.3
        case "total":
            return str(area.numbers[0]) if sum(dice) == area.numbers[0] else None  # SIC 3.2.6
        case _:
            return (None, "one_die", "two_dice", "three_dice")[dice.count(area.numbers[0])]  # SIC 3.2.8
    return "win" if won else None


def even_wins_on_666(settings: SicBoSettings) -> bool:
    """Whether Even wins on the 18 of its list, which only a triple makes (SIC 3.3.2.1 against 3.3.2.2)."""
    return settings.even_on_666 == "win"


def rule_of(wager: str, *, won: bool) -> str:
    """The clause by which an area wins or loses."""
    win, lose = _RULES[AREAS[wager].family]
    return win if won else lose


def winning_areas(
    dice: Dice, settings: SicBoSettings = _PLAIN_WORDS, offered: Iterable[Optional] = OPTIONAL
) -> tuple[Wager, ...]:
    """The areas that a result illuminates (SIC 2.3), of a layout with these optional bets.

    >>> winning_areas((6, 6, 6))
    ('specific_triple_6', 'specific_double_6', 'any_triple', 'single_die_6')
    """
    without = set(OPTIONAL) - set(offered) | {"super_streak"}
    return tuple(
        [
            area.wager
            for area in AREAS.values()
            if area.optional not in without and row_won(area.wager, dice, settings) is not None
        ]
    )


def dice_fault(dice: Sequence[int]) -> str | None:
    """Why these are not three dice, if they are not.

    >>> dice_fault([1, 2]), dice_fault([1, 2, 7]), dice_fault([6, 6, 6])
    ('2 dice where there are three (SIC 2.5)', '7: no face of a die (SIC 2.5)', None)
    """
    if len(dice) != 3:
        return f"{len(dice)} dice where there are three (SIC 2.5)"
    wrong = next((face for face in dice if not 1 <= face <= 6), None)
    return None if wrong is None else f"{wrong}: no face of a die (SIC 2.5)"
