"""Which wagers may be placed at a Casino War table: its sign (WAR 6.1), and what a war wager is (5.7)."""

from dataclasses import dataclass
from typing import Literal

from rules.limits import Refused, check_sign, outside_sign

Area = Literal["initial", "tie"]
"""The areas wagered on before the first card (WAR 5.1.1, 5.1.3)."""


@dataclass(frozen=True, slots=True)
class Limits:
    """A sign at a table (WAR 6.1), or a player's own (6.6), amounts in cents; ``None`` is what it does not state."""

    initial_min_cents: int = 1
    initial_max_cents: int | None = None
    initial_unit_cents: int = 1
    """The unit in which initial wagers above the minimum are made."""
    tie_min_cents: int = 1
    tie_max_cents: int | None = None
    tie_unit_cents: int = 1
    war_max_cents: int | None = None
    """A maximum for war wagers of its own; otherwise the war wager follows from the initial's."""

    def __post_init__(self) -> None:
        """Refuse a sign that no wager could comply with."""
        check_sign("initial", self.initial_min_cents, self.initial_max_cents, self.initial_unit_cents)
        check_sign("tie", self.tie_min_cents, self.tie_max_cents, self.tie_unit_cents)
        check_sign("war", 1, self.war_max_cents, 1)


def wager_refused(area: Area, cents: int, limits: Limits) -> Refused | None:
    """Why a wager may not be placed on an area before the first card, if it may not (WAR 6.1).

    >>> sign = Limits(initial_min_cents=1000, tie_min_cents=500, tie_max_cents=10_000)
    >>> wager_refused("tie", 500, sign) is None
    True
    >>> wager_refused("initial", 500, sign)
    Refused(rule='WAR 6.1', reason='500 cents are below the minimum of 1000')
    """
    if area == "initial":
        return outside_sign(
            cents, limits.initial_min_cents, limits.initial_max_cents, limits.initial_unit_cents, "WAR 6.1"
        )
    return outside_sign(cents, limits.tie_min_cents, limits.tie_max_cents, limits.tie_unit_cents, "WAR 6.1")


def war_refused(war_cents: int, initial_cents: int) -> Refused | None:
    """Why a war wager may not be placed, if it may not: who does not place one of the initial's amount surrenders.

    >>> war_refused(2000, 2500)
    Refused(rule='WAR 5.7', reason='not equal to the initial wager of 2500 cents')
    """
    if war_cents != initial_cents:
        return Refused("WAR 5.7", f"not equal to the initial wager of {initial_cents} cents")
    return None
