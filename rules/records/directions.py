"""The JSON form of what a casino supervisor directed about a player's wagers."""

from rules.directions import Forfeit
from rules.records.forms import Part, Person, SeatNumber


class ForfeitRecord(Part, frozen=True):
    """A direction that a player's wagers be forfeited: at which seat, by whom, why."""

    seat: SeatNumber
    person: Person
    reason: Person


def read_forfeits(stated: tuple[ForfeitRecord, ...] | None) -> tuple[Forfeit, ...]:
    """The directions a record tells of."""
    return tuple([Forfeit(each.seat, each.person, each.reason) for each in stated or ()])


def forfeit_records(forfeits: tuple[Forfeit, ...]) -> tuple[ForfeitRecord, ...] | None:
    """Directions as a record carries them: left out where there are none."""
    return tuple([ForfeitRecord(each.seat, each.person, each.reason) for each in forfeits]) or None
