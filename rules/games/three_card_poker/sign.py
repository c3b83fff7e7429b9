"""Which wagers may be placed at a Three Card Poker table: its sign (TCP 6.1), and the play wager's amount (8.5)."""

from dataclasses import dataclass
from typing import Literal

from rules.games.ante_play.book import AreaLimits
from rules.limits import Refused, check_sign, outside_sign
from rules.settings import AntePlaySettings

Area = Literal["ante", "pair_plus"]
"""The areas wagered on before the first card (TCP 5.3)."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The sign at a table (TCP 6.1), amounts in cents; ``None`` is what the sign does not state."""

    ante_min_cents: int = 1
    ante_max_cents: int | None = None
    ante_unit_cents: int = 1
    """The unit in which antes above the minimum are made."""
    play_max_cents: int | None = None
    """A maximum for the play area of its own; otherwise the play wager follows from the ante's."""
    pair_plus_min_cents: int = 1
    pair_plus_max_cents: int | None = None
    pair_plus_unit_cents: int = 1

    def __post_init__(self) -> None:
        """Refuse a sign that no wager could comply with."""
        check_sign("ante", self.ante_min_cents, self.ante_max_cents, self.ante_unit_cents)
        check_sign("play", 1, self.play_max_cents, 1)
        check_sign("pair_plus", self.pair_plus_min_cents, self.pair_plus_max_cents, self.pair_plus_unit_cents)

    def of(self, area: str) -> AreaLimits:
        """What it states for an area; ``side`` is Pair Plus."""
        if area == "ante":
            return AreaLimits(self.ante_min_cents, self.ante_max_cents, self.ante_unit_cents)
        if area == "play":
            return AreaLimits(max_cents=self.play_max_cents)
        return AreaLimits(self.pair_plus_min_cents, self.pair_plus_max_cents, self.pair_plus_unit_cents)


def wager_refused(area: Area, cents: int, limits: Limits) -> Refused | None:
    """Why a wager may not be placed on an area before the first card, if it may not (TCP 6.1).

    >>> sign = Limits(ante_min_cents=1000, pair_plus_min_cents=500, pair_plus_max_cents=10_000)
    >>> wager_refused("pair_plus", 500, sign) is None
    True
    >>> wager_refused("ante", 500, sign)
    Refused(rule='TCP 6.1', reason='500 cents are below the minimum of 1000')
    """
    return outside_sign(cents, *limits.of("ante" if area == "ante" else "side"), "TCP 6.1")


def play_refused(play_cents: int, ante_cents: int, settings: AntePlaySettings | None = None) -> Refused | None:  # noqa: ARG001 - the form of both books
    """Why a play wager may not be placed on an ante, if it may not: it is equal to the ante (TCP 8.5).

    >>> play_refused(1000, 1000) is None
    True
    >>> play_refused(999, 1000)
    Refused(rule='TCP 8.5', reason='not equal to the ante of 1000 cents')
    """
    if play_cents != ante_cents:
        return Refused("TCP 8.5", f"not equal to the ante of {ante_cents} cents")
    return None
