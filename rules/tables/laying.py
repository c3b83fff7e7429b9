"""A table's limits and people put on a game's felt, for the round that comes."""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, TypeVar

from rules.games.ante_play.felt import Felt as AntePlayFelt
from rules.games.caribbean_stud.felt import Felt as StudFelt
from rules.games.casino_war.felt import Felt as WarFelt
from rules.games.sic_bo.felt import Felt as SicBoFelt
from rules.games.sic_bo.sign import TABLE
from rules.games.sic_bo.sign import Limits as SicBoLimits
from rules.tables.table import Table
from rules.tables.wagers import Coming

F = TypeVar("F")
"""What lies on a game's layout."""


def lay(coming: Coming[Any], felt: F) -> F:
    """The felt with the limits that each seat plays by in the coming round, the seats that may not wager, and what was
    directed.

    Always for wagers placed from now on: what lies on the felt already was placed under the limits of its moment.
    """
    card_felt: Any = felt
    if isinstance(felt, SicBoFelt):
        dice_felt: Any = _lay_sic_bo(coming, felt)
        laid: F = dice_felt
        return laid
    laid = replace(
        card_felt,
        limits=coming.sign,
        own_limits=MappingProxyType(dict(coming.own_limits)),
        closed=MappingProxyType(dict(coming.closed)),
    )
    if isinstance(laid, StudFelt | AntePlayFelt):
        # CSP 14.13.1, 14.13.3; TCP 12.11.1, 12.11.3; FCP 12.12.1, 12.12.3: what was directed holds from round to round.
        directed: Any = replace(laid, first=laid.first | coming.play_first, english=laid.english or coming.english)
        laid = directed
    elif isinstance(laid, WarFelt):
        war_felt: Any = replace(laid, at_table=MappingProxyType(dict(coming.at_table)))  # WAR 4.3
        laid = war_felt
    return laid


def lay_around(coming: Coming[Any], table: Table[Any], felt: F) -> F:
    """The felt as ``lay`` has it, where wagers may lie on it: those keep the limits by which they were placed.

    Always one sign in a round, the one of its first wager; whoever wagers after it was altered is held to limits of the
    seat's own, so that a newcomer plays by the sign as it stands (CSP 6.5.4).
    """
    now: Any = felt
    lying = wagered(felt)
    if not lying:
        return lay(coming, felt)
    own = {area: table.limits_of(area) for area in range(1, table.places + 1) if area not in lying}
    own = {area: limits for area, limits in own.items() if limits != now.limits}
    own |= {area: limits for area, limits in _own_limits(felt).items() if area in lying}
    return lay(replace(coming, sign=now.limits, own_limits=own), felt)


def wagered(felt: Any) -> frozenset[int]:
    """The seats with a wager of this round on a felt."""
    if isinstance(felt, SicBoFelt):
        return frozenset(each.seat for each in felt.players if each.wagers)
    return frozenset(each.seat for each in felt.seats)


def _own_limits(felt: Any) -> Mapping[int, Any]:
    """The limits of each seat on a felt that does not play by its sign."""
    if not isinstance(felt, SicBoFelt):
        own: Mapping[int, Any] = felt.own_limits
        return own
    return {
        each.seat: SicBoLimits(_row(each.own_min_cents), _row(each.own_max_cents))
        for each in felt.players
        if (each.own_min_cents, each.own_max_cents) != (None, None)
    }


def _row(cents: int | None) -> Mapping[str, int]:
    return {} if cents is None else {TABLE: cents}


def _lay_sic_bo(coming: Coming[Any], felt: SicBoFelt) -> SicBoFelt:
    """A Sic Bo felt: its players carry the minimum and maximum of their own signs (SIC 4.6)."""
    felt = replace(
        felt,
        limits=coming.sign,
        closed=MappingProxyType(dict(coming.closed)),
        final_call=coming.final_call,  # SIC 6.6: the sign of closing is the final call.
    )
    for number in range(1, felt.places + 1):
        own = coming.own_limits.get(number)
        least = None if own is None else own.min_cents.get(TABLE)
        most = None if own is None else own.max_cents.get(TABLE)
        felt = felt.with_player(replace(felt.player(number), own_min_cents=least, own_max_cents=most))
    return felt
