"""A table's limits and people put on a game's felt, for the round that comes."""

from dataclasses import fields, replace
from types import MappingProxyType
from typing import Any, TypeVar

from rules.games.sic_bo.felt import Felt as SicBoFelt
from rules.games.sic_bo.sign import TABLE
from rules.tables.wagers import Coming

F = TypeVar("F")
"""What lies on a game's layout."""


def lay(coming: Coming[Any], felt: F) -> F:
    """The felt with the limits that each seat plays by in the coming round, and the seats that may not wager.

    Always for wagers placed from now on: what lies on the felt already was placed under the limits of its moment.
    """
    card_felt: Any = felt
    laid: F = (
        _lay_sic_bo(coming, felt)
        if isinstance(felt, SicBoFelt)
        else replace(
            card_felt,
            limits=coming.sign,
            own_limits=MappingProxyType(dict(coming.own_limits)),
            closed=MappingProxyType(dict(coming.closed)),
        )
    )
    return laid


def _lay_sic_bo(coming: Coming[Any], felt: SicBoFelt) -> Any:
    """A Sic Bo felt: its players carry the minimum and maximum of their own signs (SIC 4.6)."""
    changes: dict[str, Any] = {"limits": coming.sign}
    if any(each.name == "closed" for each in fields(felt)):
        changes["closed"] = MappingProxyType(dict(coming.closed))
    felt = replace(felt, **changes)
    for number in range(1, felt.places + 1):
        own = coming.own_limits.get(number)
        least = None if own is None else own.min_cents.get(TABLE)
        most = None if own is None else own.max_cents.get(TABLE)
        felt = felt.with_player(replace(felt.player(number), own_min_cents=least, own_max_cents=most))
    return felt
