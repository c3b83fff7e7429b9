"""Which wagers may be placed at a Three Card Poker table before the first card: its sign (TCP 6.1)."""

from dataclasses import dataclass
from typing import Literal

from rules.limits import Refused, check_sign, outside_sign

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


def wager_refused(area: Area, cents: int, limits: Limits) -> Refused | None:
    """Why a wager may not be placed on an area before the first card, if it may not (TCP 6.1).

    >>> sign = Limits(ante_min_cents=1000, pair_plus_min_cents=500, pair_plus_max_cents=10_000)
    >>> wager_refused("pair_plus", 500, sign) is None
    True
    >>> wager_refused("ante", 500, sign)
    Refused(rule='TCP 6.1', reason='500 cents are below the minimum of 1000')
    """
    if area == "ante":
        return outside_sign(cents, limits.ante_min_cents, limits.ante_max_cents, limits.ante_unit_cents, "TCP 6.1")
    return outside_sign(
        cents, limits.pair_plus_min_cents, limits.pair_plus_max_cents, limits.pair_plus_unit_cents, "TCP 6.1"
    )
