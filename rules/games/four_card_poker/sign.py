"""Which wagers may be placed at a Four Card Poker table: its sign (FCP 6.1), and the play wager's bounds (8.5)."""

from dataclasses import dataclass
from typing import Final, Literal

from rules.games.ante_play.book import AreaLimits
from rules.limits import Refused, check_sign, outside_sign
from rules.settings import AntePlaySettings, FourCardSettings

Area = Literal["ante", "aces_up"]
"""The areas wagered on before the first card (FCP 5.2)."""

MOST_TIMES: Final = 3
"""A play wager is at most three times the ante (FCP 8.5)."""

_PLAIN_WORDS: Final = FourCardSettings()


@dataclass(frozen=True, slots=True)
class Limits:
    """The sign at a table (FCP 6.1), amounts in cents; ``None`` is what the sign does not state."""

    ante_min_cents: int = 1
    ante_max_cents: int | None = None
    ante_unit_cents: int = 1
    """The unit in which antes above the minimum are made."""
    play_max_cents: int | None = None
    """A maximum for the play area of its own; otherwise the play wager follows from the ante's."""
    aces_up_min_cents: int = 1
    aces_up_max_cents: int | None = None
    aces_up_unit_cents: int = 1

    def __post_init__(self) -> None:
        """Refuse a sign that no wager could comply with."""
        check_sign("ante", self.ante_min_cents, self.ante_max_cents, self.ante_unit_cents)
        check_sign("play", 1, self.play_max_cents, 1)
        check_sign("aces_up", self.aces_up_min_cents, self.aces_up_max_cents, self.aces_up_unit_cents)

    def of(self, area: str) -> AreaLimits:
        """What it states for an area; ``side`` is Aces Up."""
        if area == "ante":
            return AreaLimits(self.ante_min_cents, self.ante_max_cents, self.ante_unit_cents)
        if area == "play":
            return AreaLimits(max_cents=self.play_max_cents)
        return AreaLimits(self.aces_up_min_cents, self.aces_up_max_cents, self.aces_up_unit_cents)


def wager_refused(area: Area, cents: int, limits: Limits) -> Refused | None:
    """Why a wager may not be placed on an area before the first card, if it may not (FCP 6.1).

    >>> sign = Limits(ante_min_cents=1000, aces_up_min_cents=500, aces_up_max_cents=10_000)
    >>> wager_refused("aces_up", 500, sign) is None
    True
    >>> wager_refused("ante", 500, sign)
    Refused(rule='FCP 6.1', reason='500 cents are below the minimum of 1000')
    """
    return outside_sign(cents, *limits.of("ante" if area == "ante" else "side"), "FCP 6.1")


def play_refused(play_cents: int, ante_cents: int, settings: AntePlaySettings = _PLAIN_WORDS) -> Refused | None:
    """Why a play wager may not be placed on an ante, if it may not: from one to three times the ante (FCP 8.5).

    Whether any amount between will do or only whole multiples is the table's ruling.

    >>> play_refused(2500, 1000) is None
    True
    >>> play_refused(3001, 1000)
    Refused(rule='FCP 8.5', reason='not from one to three times the ante of 1000 cents')
    >>> play_refused(2500, 1000, FourCardSettings(play_multiples="whole"))
    Refused(rule='FCP 8.5', reason='not a whole multiple of the ante of 1000 cents')
    """
    if not ante_cents <= play_cents <= MOST_TIMES * ante_cents:
        return Refused("FCP 8.5", f"not from one to three times the ante of {ante_cents} cents")
    if isinstance(settings, FourCardSettings) and settings.play_multiples == "whole" and play_cents % ante_cents:
        return Refused("FCP 8.5", f"not a whole multiple of the ante of {ante_cents} cents")
    return None
