"""What can go wrong with a round of Caribbean Stud, beside the round a link knows: rules 14, 15 and 16.

A link voids a round or a hand by a message of its own; its record never holds one. So these stand apart from the round.
"""

from dataclasses import dataclass
from typing import Final, Literal

from rules.directions import Forfeit, forfeits_fault
from rules.rounds import Round, RoundError

VoidCause = Literal["misdeal", "foreign_card", "device_failed", "invalidated"]
"""Why a whole round has no result: a misdeal (CSP 14.1 to 14.3), a missing or foreign card (14.9), a shuffling device
that failed (15.2), or an outcome invalidated by a casino supervisor (16.5)."""

HandFault = Literal["card_count", "prohibited_device", "invalid"]
"""What is wrong with one player's wagers: void for a hand of too few or too many cards (CSP 14.8), declared void for a
prohibited device (16.4.1), or found invalid in the course of the hand (14.20.2, 16.1)."""

VOID_HANDS: Final[frozenset[HandFault]] = frozenset({"card_count", "prohibited_device"})
"""The faults that leave a player without a hand; an invalid wager is played out, and wins nothing (CSP 14.20.2)."""


@dataclass(frozen=True, slots=True)
class Faults:
    """What went wrong in a round: the whole of it, single players' wagers, and what a supervisor directed."""

    void_by: VoidCause | None = None
    hands: tuple[tuple[int, HandFault], ...] = ()
    """Each seat with a fault, and which."""
    forfeits: tuple[Forfeit, ...] = ()
    """The directions that went with an invalidated outcome (CSP 16.6)."""

    def of(self, seat: int) -> HandFault | None:
        """What is wrong with the wagers of a seat, if anything."""
        for number, fault in self.hands:
            if number == seat:
                return fault
        return None

    def check(self, round_: Round) -> None:
        """Refuse what cannot have happened in a round; raises ``RoundError``."""
        seats = [seat.seat for seat in round_.seats]
        left = set(seats)
        for number, fault in self.hands:
            if number not in left:
                raise RoundError("void_for", fault, f"seat {number}: there is no such hand, or it has a fault already")
            left.discard(number)
        if self.forfeits and self.void_by != "invalidated":
            raise RoundError("forfeits", "", "only with an invalidated outcome a wager is forfeited (CSP 16.6)")
        wrong = forfeits_fault(self.forfeits, seats, "CSP 16.6")
        if wrong is not None:
            raise wrong


NOTHING_WRONG: Final = Faults()
"""A round without a fault, as nearly all are."""
