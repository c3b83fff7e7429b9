"""Who gets which card of the deck at Three Card Poker: rule 7."""

from collections.abc import Iterable
from typing import Final

from rules.rounds import DEALER, Device, Face

HAND: Final = 3
"""Cards of a hand (TCP 1.1)."""


def deal_order(device: Device, seats: Iterable[int]) -> tuple[tuple[int, Face], ...]:
    """Who gets each card of the deck, from its top, and how it lies: the dealer is place 0.

    The dealer first, then clockwise from the dealer's left (TCP 7.2): from a shoe one card at a time (7.3), from a
    shuffling device three (7.4). All cards lie face down (7.1).

    >>> deal_order("shoe", [2, 1])[:4]
    ((0, 'down'), (1, 'down'), (2, 'down'), (0, 'down'))
    >>> [place for place, _ in deal_order("shuffler", [4])]
    [0, 0, 0, 4, 4, 4]
    """
    places = (DEALER, *sorted(seats))  # TCP 7.2
    if device == "shoe":  # TCP 7.3, 7.3.1, 7.3.2, 7.3.3
        return tuple([(place, "down") for _ in range(HAND) for place in places])
    return tuple([(place, "down") for place in places for _ in range(HAND)])  # TCP 7.1, 7.4, 7.4.1, 7.4.2
