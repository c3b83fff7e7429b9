"""What a round of Sic Bo is: the dice, what lay on the layout, what was still open, and what went wrong."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from rules.directions import Forfeit, forfeits_fault
from rules.games.sic_bo.layout import AREAS, Dice, Wager, dice_fault
from rules.games.sic_bo.loss_limits import LossLimit
from rules.games.sic_bo.streaks import MOST, Runs
from rules.limits import LARGEST_WAGER_CENTS, check_sign
from rules.rounds import OpenWager, RoundError, repeated_seat
from rules.wagers import Tender

GAME: Final = "sic_bo"
TITLE: Final = "Sic Bo"
EDITION: Final = "2024-08-19"
"""The date of the rule edition: the only one its text bears (SIC 9.1)."""

HIGHEST_SEAT: Final = 99
"""No rule numbers the places at a dice table; a supervisor may limit the players (SIC 3.15)."""

NoResult = Literal[
    "die_not_flat", "tumbler_failed", "not_activated", "dice_exposed", "button_not_pressed", "broken", "invalidated"
]
"""Why a round has no result: a die not flat (SIC 8.1), a tumbler that failed (8.2) or was not activated by the rules
(8.3), dice exposed before "no more bets" (8.3), its button not pressed (8.4), dice or tumbler broken (8.5); or an
outcome invalidated by a casino supervisor (9.9)."""

VoidFor = Literal["invalid", "prohibited_device"]
"""Why a player's wagers are void: no valid Player Card of his own, or a wager for another (SIC 9.1), found during the
round (8.14.2); or declared void for a prohibited device (9.8.1)."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A bet as it was placed: on which area, how much, and with what."""

    wager: Wager
    cents: int
    tender: Tender = "chips"


@dataclass(frozen=True, slots=True)
class Seat:
    """A player: the bets placed this round in the order in which they were placed, and the limits that are his alone.

    Bets on one area add up; they are placed with one tender.
    """

    seat: int
    wagers: tuple[Placed, ...] = ()
    own_min_cents: int | None = None
    own_max_cents: int | None = None
    """The minimum and maximum on a sign for this player alone (SIC 4.6)."""
    loss_limit: LossLimit | None = None
    void_for: VoidFor | None = None

    @property
    def placed_cents(self) -> int:
        """What the player placed this round."""
        return sum(bet.cents for bet in self.wagers)


@dataclass(frozen=True, slots=True)
class Round:
    """One round of play as captured.

    Always possible: raises ``RoundError`` for dice that are none, a repeated seat, an amount that is none, two tenders
    on one area, a second wager on a streak that is in play, or a direction about nobody.
    """

    dice: Dice | None
    """``None`` where there was no result."""
    seats: tuple[Seat, ...] = ()
    still_open: tuple[OpenWager, ...] = ()
    """The Super Streak wagers that earlier rounds left in play (SIC 6.2)."""
    runs: Runs | None = None
    """The runs before this round; ``None`` where they are not known: then every streak wager was placed in time."""
    no_result: NoResult | None = None
    lit: tuple[Wager, ...] | None = None
    """The areas that the equipment illuminated; ``None`` where they were the winning ones (SIC 5.5, 8.7)."""
    display: Dice | None = None
    """The numbers on the winning number display, where somebody compared them (SIC 8.9)."""
    final_call: bool = False
    """Whether Super Streak wagers were called for the last time before this round (SIC 6.6)."""
    forfeits: tuple[Forfeit, ...] = ()
    """The directions that went with an invalidated outcome (SIC 9.10)."""
    stopped: bool = False
    """Whether play was stopped after the round before, and nothing says that the fault was rectified (SIC 8.8)."""

    @property
    def game(self) -> str:
        """The game's name."""
        return GAME

    @property
    def edition(self) -> str:
        """The date of the rule edition it is played by."""
        return EDITION

    def __post_init__(self) -> None:
        """Refuse what cannot have happened at a table."""
        for fault in (*self._faults(), repeated_seat([seat.seat for seat in self.seats])):
            if fault is not None:
                raise fault

    def _faults(self) -> Iterator[RoundError | None]:
        """What of the round cannot be."""
        yield from self._dice_faults()
        for place, wager in enumerate(self.still_open):
            yield from self._open_faults(place, wager)
        for place, seat in enumerate(self.seats):
            yield from self._seat_faults(place, seat)
        if self.forfeits and self.no_result != "invalidated":
            yield RoundError("forfeits", "", "only with an invalidated outcome a wager is forfeited (SIC 9.10)")
        yield forfeits_fault(self.forfeits, [seat.seat for seat in self.seats], "SIC 9.10")

    def _dice_faults(self) -> Iterator[RoundError]:
        for name, dice in (("dice", self.dice), ("display", self.display)):
            reason = None if dice is None else dice_fault(dice)
            if reason is not None:
                yield RoundError(name, dice_text(dice or ()), reason)
        if self.dice is None and self.no_result is None:
            yield RoundError("dice", "", 'missing: the result is announced, or "no result" (SIC 5.3, 8.6)')
        if self.no_result is not None:
            if self.dice is not None:
                yield RoundError("dice", dice_text(self.dice), "a round of no result has none (SIC 8.6)")
            if self.lit is not None:
                yield RoundError("lit", "", "without a result nothing is illuminated (SIC 5.4, 8.6)")
        for place, wager in enumerate(self.lit or ()):
            if wager not in AREAS or AREAS[wager].side is not None:
                yield RoundError(f"lit[{place}]", wager, "no area that a result illuminates (SIC 2.3)")

    def _open_faults(self, place: int, wager: OpenWager) -> Iterator[RoundError]:
        where = f"still_open[{place}]"
        yield from _bounds(where, wager.seat, "stake_cents", wager.stake_cents)
        if wager.wager not in AREAS or AREAS[wager.wager].side is None:
            yield RoundError(f"{where}.wager", wager.wager, "only a Super Streak wager stays in play (SIC 6.2)")
        if not 0 <= wager.in_a_row <= MOST:
            yield RoundError(f"{where}.in_a_row", str(wager.in_a_row), f"not from 0 to {MOST} (SIC 6.3)")
        if any((each.seat, each.wager) == (wager.seat, wager.wager) for each in self.still_open[:place]):
            yield RoundError(f"{where}.wager", wager.wager, "a streak wager is there twice (SIC 6.2)")

    def _seat_faults(self, place: int, seat: Seat) -> Iterator[RoundError]:
        where = f"seats[{place}]"
        open_here = {each.wager for each in self.still_open if each.seat == seat.seat}
        if not 1 <= seat.seat <= HIGHEST_SEAT:
            yield RoundError(f"{where}.seat", str(seat.seat), f"seats are numbered 1 to {HIGHEST_SEAT}")
        if not seat.wagers and not open_here:
            yield RoundError(f"{where}.wagers", "[]", "a player has placed a wager, or has one open (SIC 3.4)")
        tenders: dict[str, Tender] = {}
        for number, bet in enumerate(seat.wagers):
            at = f"{where}.wagers[{number}]"
            yield from _bounds(at, seat.seat, "cents", bet.cents)
            if bet.wager not in AREAS:
                yield RoundError(f"{at}.wager", bet.wager, "no area of the layout (SIC 3.2, 3.3)")
            if bet.wager in open_here:
                yield RoundError(f"{at}.wager", bet.wager, "the streak wager in play there remains (SIC 6.2)")
            if tenders.setdefault(bet.wager, bet.tender) != bet.tender:
                yield RoundError(f"{at}.tender", bet.tender, "bets on one area have one tender (SIC 3.4)")
            lying = sum(each.cents for each in seat.wagers[: number + 1] if each.wager == bet.wager)
            if lying > LARGEST_WAGER_CENTS:
                yield RoundError(f"{at}.cents", str(bet.cents), f"more than {LARGEST_WAGER_CENTS} cents on one area")
        try:
            check_sign("own", seat.own_min_cents or 1, seat.own_max_cents, 1)
        except ValueError as error:
            name, value, reason = str(error).split(": ", 2)
            yield RoundError(f"{where}.{name}", value, f"{reason} (SIC 4.6)")


def _bounds(where: str, seat: int, name: str, cents: int) -> Iterator[RoundError]:
    """What of a wager's seat and amount is out of bounds."""
    if not 1 <= seat <= HIGHEST_SEAT:
        yield RoundError(f"{where}.seat", str(seat), f"seats are numbered 1 to {HIGHEST_SEAT}")
    if not 1 <= cents <= LARGEST_WAGER_CENTS:
        yield RoundError(f"{where}.{name}", str(cents), f"not from 1 to {LARGEST_WAGER_CENTS} cents")


def dice_text(dice: tuple[int, ...]) -> str:
    """Dice as they are called: from the lowest number to the highest (SIC 5.3).

    >>> dice_text((6, 1, 3))
    '1 3 6'
    """
    return " ".join(map(str, sorted(dice)))
