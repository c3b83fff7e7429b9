"""Which rows each game's prize schedules have: for each wager the results it is paid on, in the order of the rule text.

A game is paid by one schedule of each of its charts. What each row pays is ``schedules``', from files.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

Rows = Mapping[str, tuple[str, ...]]
"""The rows of one schedule: for each wager in it the results it pays on."""

CHARTS: Final[Mapping[str, tuple[Rows, ...]]] = MappingProxyType(
    {
        "caribbean_stud": (
            MappingProxyType(
                {
                    "ante": ("win",),
                    "bet": (
                        *("one_pair_or_less", "two_pairs", "three_of_a_kind", "straight", "flush"),
                        *("full_house", "four_of_a_kind", "straight_flush", "royal_flush"),
                    ),
                }
            ),
        ),
        "three_card_poker": (
            MappingProxyType({"ante": ("win",)}),
            MappingProxyType({"play": ("win",)}),
            MappingProxyType({"ante_bonus": ("straight", "three_of_a_kind", "straight_flush")}),
            MappingProxyType({"pair_plus": ("one_pair", "flush", "straight", "three_of_a_kind", "straight_flush")}),
        ),
        "four_card_poker": (
            MappingProxyType({"ante": ("win",)}),
            MappingProxyType({"play": ("win",)}),
            MappingProxyType({"ante_bonus": ("three_of_a_kind", "straight_flush", "four_of_a_kind")}),
            MappingProxyType(
                {
                    "aces_up": (
                        *("pair_of_aces", "two_pairs", "straight", "flush"),
                        *("three_of_a_kind", "straight_flush", "four_of_a_kind"),
                    )
                }
            ),
        ),
        "casino_war": (
            MappingProxyType({"tie": ("win",)}),
            MappingProxyType({"initial": ("win",)}),
            MappingProxyType({"war": ("higher", "equal")}),
        ),
        "sic_bo": (
            MappingProxyType(
                {
                    "small": ("win",),
                    "big": ("win",),
                    "odd": ("win",),
                    "even": ("win",),
                    "specific_triple": ("win",),
                    "specific_double": ("win",),
                    "any_triple": ("win",),
                    "total": tuple(map(str, range(4, 18))),
                    "four_numbers": ("win",),
                    "two_dice": ("win",),
                    "single_die": ("one_die", "two_dice", "three_dice"),
                }
            ),
            MappingProxyType({"super_streak": tuple(map(str, range(4, 13)))}),
        ),
    }
)
"""The charts of each game: CSP 10.1; TCP 10.1-10.4; FCP 10.1-10.5; WAR 8.1.2, 8.2.2, 10.1-10.2; SIC 7.1, 7.2."""
