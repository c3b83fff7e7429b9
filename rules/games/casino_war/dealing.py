"""Who gets which card at Casino War: rules 7.1 and 9.2, and what is done when a shuffling device fails (12)."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from rules.rounds import DEALER, Device, Face


def deal_order(device: Device, seats: Iterable[int]) -> tuple[tuple[int, Face], ...]:  # noqa: ARG001 - as every game's
    """Who gets each card of the initial deal, and how it lies: the dealer is place 0.

    One card face up to each area, clockwise from the dealer's left, then one to the dealer (WAR 7.1), from a shoe and
    from a device alike. Always the order of the subsequent deal too, among the areas that went to war (9.2): no card
    is burned between the two.

    >>> deal_order("shoe", [5, 2])
    ((2, 'up'), (5, 'up'), (0, 'up'))
    """
    return tuple([(place, "up") for place in (*sorted(seats), DEALER)])


@dataclass(frozen=True, slots=True)
class DeviceFailure:
    """A shuffling device that fails in a round of which a card has been dealt (WAR 12.1.2), as people found it."""

    disadvantaged: bool
    """Whether the failure operated to the disadvantage of the casino operator or a player (WAR 12.1.3)."""
    another_available: bool
    """Whether another device is readily available (WAR 12.1.4)."""
    transfer_practicable: bool
    """Whether cards can practicably be transferred to it (WAR 12.1.5)."""
    damaged_cards: bool
    """Whether any card in it was damaged (WAR 12.3)."""


@dataclass(frozen=True, slots=True)
class Remedy:
    """What is to be done about it, the move that does it, and the clause."""

    move: Literal["transfer", "replace_damaged", "device_failed", "shoe_instead"]
    rule: str
    notes: tuple[str, ...]


def remedy(failure: DeviceFailure) -> Remedy:
    """What rule 12 has done about a device that failed in a round.

    Always asks first who was disadvantaged: then the round ends whatever else could be done (WAR 12.4).

    >>> remedy(DeviceFailure(False, True, True, False)).rule
    'WAR 12.2'
    >>> remedy(DeviceFailure(False, False, True, False)).move
    'shoe_instead'
    """
    if failure.disadvantaged:
        return Remedy("device_failed", "WAR 12.4", ("the amount wagered by each player is returned (WAR 12.4)",))
    if not (failure.another_available and failure.transfer_practicable):
        replaced = ("damaged cards are replaced from a new deck (WAR 12.5.2)",) if failure.damaged_cards else ()
        return Remedy(
            "shoe_instead",
            "WAR 12.5",
            (
                "each player may have each amount wagered in the round returned (WAR 12.5.1)",
                *replaced,
                "the cards are shuffled and cut, and the round is completed from a card shoe (WAR 12.5.3, 12.5.4)",
            ),
        )
    if failure.damaged_cards:
        return Remedy(
            "replace_damaged",
            "WAR 12.3",
            ("damaged cards are replaced from a new deck, the others transferred to another device (WAR 12.3)",),
        )
    return Remedy("transfer", "WAR 12.2", ("the cards are transferred to another device (WAR 12.2)",))
