"""Colour checks at a Sic Bo table: chips without denomination, worth what their player set: rules 3.5 to 3.10.

A wager of colour checks is settled like any other, at their value; which player holds which colour stands here.
"""

from collections.abc import Collection
from dataclasses import dataclass, replace

from rules.limits import Refused


@dataclass(frozen=True, slots=True)
class Issue:
    """Colour checks of one colour issued to a player."""

    seat: int
    colour: str
    value_cents: int
    """What each of them is worth (SIC 3.9)."""


@dataclass(frozen=True, slots=True)
class Rack:
    """The set of colour checks of one table, which no other table's is like (SIC 3.5), and who holds them."""

    table: str
    colours: tuple[str, ...]
    issued: tuple[Issue, ...] = ()

    def held_by(self, seat: int) -> tuple[Issue, ...]:
        """The colours a player holds."""
        return tuple([issue for issue in self.issued if issue.seat == seat])

    def issuing(self, issue: Issue) -> "Rack":
        """The rack after colour checks were issued."""
        return replace(self, issued=(*self.issued, issue))

    def redeemed(self, seat: int, colour: str) -> "Rack":
        """The rack after a player has redeemed every colour check of a colour."""
        kept = [issue for issue in self.issued if (issue.seat, issue.colour) != (seat, colour)]
        return replace(self, issued=tuple(kept))


def issue_refused(
    issue: Issue, rack: Rack, *, agreed: Collection[int] = (), supervisor: bool = False, waiting: int = 0
) -> Refused | None:
    """Why colour checks may not be issued, if they may not (SIC 3.5, 3.8 to 3.10).

    ``agreed`` are the players who agree to share their colour; ``supervisor`` says that a casino supervisor allows a
    player a second colour; ``waiting`` is how many others without a colour want one.

    >>> rack = Rack("T1", ("red", "blue")).issuing(Issue(1, "red", 100))
    >>> issue_refused(Issue(2, "red", 100), rack)
    Refused(rule='SIC 3.8', reason='red is issued to seat 1, who has not agreed to share it')
    >>> issue_refused(Issue(2, "red", 100), rack, agreed=[1, 2]) is None
    True
    """
    if issue.value_cents < 1:
        return Refused("SIC 3.9", f"{issue.value_cents} cents are no value")
    if issue.colour not in rack.colours:
        return Refused("SIC 3.5", f"{issue.colour} is no colour of the set at this table")
    for other in rack.issued:
        if other.colour == issue.colour and other.seat != issue.seat:
            for seat in (other.seat, issue.seat):
                if seat not in agreed:
                    held = f"{issue.colour} is issued to seat {other.seat}"
                    return Refused("SIC 3.8", f"{held}, who has not agreed to share it" if seat == other.seat else held)
    return _second_colour_refused(issue, rack, supervisor=supervisor, waiting=waiting)


def _second_colour_refused(issue: Issue, rack: Rack, *, supervisor: bool, waiting: int) -> Refused | None:
    """Why a player may not be issued a further colour, if he may not (SIC 3.10)."""
    held = rack.held_by(issue.seat)
    if not held:
        return None
    if held[0].value_cents != issue.value_cents:
        return Refused("SIC 3.10", f"the other checks of seat {issue.seat} are worth {held[0].value_cents} cents each")
    if issue.colour in [each.colour for each in held]:
        return None
    if not supervisor:
        return Refused("SIC 3.10", "a second colour is at the discretion of a casino supervisor")
    free = set(rack.colours) - {each.colour for each in rack.issued} - {issue.colour}
    if len(free) < waiting:
        return Refused("SIC 3.10", f"{waiting} players without a colour would be left with {len(free)}")
    return None


def needs_marker(value_cents: int, table_minimum_cents: int) -> bool:
    """Whether a marker button denotes the value of a player's colour checks: above the table minimum (SIC 3.9)."""
    return value_cents > table_minimum_cents


def redemption_refused(rack: Rack, presented_at: str, *, table_closed: bool = False) -> Refused | None:
    """Why colour checks of a rack may not be redeemed or exchanged at a place, if they may not (SIC 3.7).

    >>> redemption_refused(Rack("T1", ("red",)), "cashier")
    Refused(rule='SIC 3.7', reason='colour checks of table T1 are redeemed at table T1 while it is open')
    >>> redemption_refused(Rack("T1", ("red",)), "cashier", table_closed=True) is None
    True
    """
    if presented_at == rack.table or table_closed:
        return None
    table = f"table {rack.table}"
    return Refused("SIC 3.7", f"colour checks of {table} are redeemed at {table} while it is open")


def wager_refused_at(rack: Rack, table: str) -> Refused | None:
    """Why colour checks of a rack may not be wagered at a table, if they may not (SIC 3.6)."""
    if table == rack.table:
        return None
    return Refused("SIC 3.6", f"colour checks of table {rack.table} are used for gaming there only")
