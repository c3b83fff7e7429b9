"""Which wagers may be placed at a Sic Bo table: its sign, and rules 3.3, 4 and 6.7."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from rules.games.sic_bo.layout import AREAS, FAMILIES, OPTIONAL, Area, Optional
from rules.limits import LARGEST_WAGER_CENTS, Refused, check_sign, outside_sign
from rules.strict_json import shown

TABLE: Final = "table"
"""The row of a sign that holds for every area without one of its own."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The sign at a table (SIC 4.1), amounts in cents.

    Minimum, maximum and unit stand by row: ``total_4`` is one area, ``total`` a kind of bet, ``table`` all the rest.
    """

    min_cents: Mapping[str, int] = field(default_factory=dict)
    max_cents: Mapping[str, int] = field(default_factory=dict)
    unit_cents: Mapping[str, int] = field(default_factory=dict)
    """The unit in which wagers above the minimum are made."""
    player_max_cents: int | None = None
    """The most one player may have on the layout in a round, Super Streak counted with it."""
    streak_cents: int | None = None
    """The amount required to make a Super Streak wager (SIC 6.7)."""
    offered: tuple[Optional, ...] = OPTIONAL
    """The bets that a casino may offer or not which this table has (SIC 3.3, 6.1)."""

    def __post_init__(self) -> None:
        """Refuse a sign that no wager could comply with."""
        for name in ("min_cents", "max_cents", "unit_cents"):
            for row in getattr(self, name):
                if row not in _ROWS:
                    raise ValueError(f"{name}.{shown(row)}: {shown(row)}: no area, no kind of bet and not the table")
        for area in _PLAYED:
            self._check(area)
        for name in ("player_max_cents", "streak_cents"):
            cents = getattr(self, name)
            if cents is not None and not 1 <= cents <= LARGEST_WAGER_CENTS:
                raise ValueError(f"{name}: {cents}: not from 1 to {LARGEST_WAGER_CENTS} cents")
        for name in self.offered:
            if name not in OPTIONAL:
                raise ValueError(f"offered: {name}: not one of {', '.join(OPTIONAL)}")

    def _check(self, area: Area) -> None:
        try:
            check_sign("", self.least(area), self.most(area), self.unit(area))
        except ValueError as error:
            which, shown, reason = str(error).split(": ", 2)
            name = which.removeprefix("_")
            raise ValueError(f"{name}.{self._row(name, area)}: {shown}: {reason}") from None

    def _row(self, name: str, area: Area) -> str:
        """The row of a column of the sign that holds for an area."""
        column: Mapping[str, int] = getattr(self, name)
        return next((row for row in (area.wager, area.family) if row in column), TABLE)

    def least(self, area: Area) -> int:
        """The minimum of an area; of a Super Streak the amount required."""
        if area.side is not None:
            return self.streak_cents or 1
        return self.min_cents.get(self._row("min_cents", area), 1)

    def most(self, area: Area) -> int | None:
        """The maximum of an area, if it has one; of a Super Streak the amount required."""
        if area.side is not None:
            return self.streak_cents
        return self.max_cents.get(self._row("max_cents", area))

    def unit(self, area: Area) -> int:
        """The unit of an area above its minimum."""
        return self.unit_cents.get(self._row("unit_cents", area), 1)

    def offers(self, area: Area) -> bool:
        """Whether the layout has an area (SIC 3.3, 6.1)."""
        return area.optional is None or area.optional in self.offered


_PLAYED: Final = tuple(area for area in AREAS.values() if area.side is None)
_ROWS: Final = frozenset({TABLE, *(area.wager for area in _PLAYED), *FAMILIES} - {"super_streak"})


def wager_refused(
    wager: str, cents: int, limits: Limits, own_min_cents: int | None = None, own_max_cents: int | None = None
) -> Refused | None:
    """Why a wager may not lie on an area with so much in all, if it may not (SIC 3.3, 4.1, 6.7).

    ``own_min_cents`` and ``own_max_cents`` are the limits on a sign for this player alone (SIC 4.6).

    >>> sign = Limits({"table": 500, "total": 200}, {"total_4": 2_000}, streak_cents=1_000)
    >>> wager_refused("total_4", 200, sign) is None
    True
    >>> wager_refused("total_4", 2_500, sign)
    Refused(rule='SIC 4.1', reason='2500 cents are above the maximum of 2000')
    >>> wager_refused("super_streak_big", 900, sign)
    Refused(rule='SIC 6.7', reason='900 cents are not the amount required of 1000')
    """
    area = AREAS[wager]
    if not limits.offers(area):
        rule = "SIC 3.3" if area.side is None else "SIC 6.1"
        return Refused(rule, f"{str(area.optional).replace('_', ' ')} is not offered at this table")
    if area.side is not None:
        if limits.streak_cents is not None and cents != limits.streak_cents:
            return Refused("SIC 6.7", f"{cents} cents are not the amount required of {limits.streak_cents}")
        return None
    if own_min_cents is None and own_max_cents is None:
        return outside_sign(cents, limits.least(area), limits.most(area), limits.unit(area), "SIC 4.1")
    least = limits.least(area) if own_min_cents is None else own_min_cents
    most = limits.most(area) if own_max_cents is None else own_max_cents
    return outside_sign(cents, least, most, limits.unit(area), "SIC 4.6")
