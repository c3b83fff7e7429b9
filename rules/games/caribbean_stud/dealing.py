"""Who gets which card of the deck at Caribbean Stud: rule 7."""

from collections.abc import Iterable
from typing import Final

from rules.rounds import DEALER, Device, Face

HAND: Final = 5
"""Cards of every hand, the dealer's too (CSP 1.1)."""


def deal_order(device: Device, seats: Iterable[int]) -> tuple[tuple[int, Face], ...]:
    """Who gets each card of the deck, from its top, and how it lies: the dealer is place 0.

    From a shoe one card at a time, the dealer first, then the antes clockwise from the dealer's left (CSP 7.3); from a
    shuffling device five at a time (CSP 7.4). The dealer's last card, of a packet its bottom one, is turned face up.

    >>> deal_order("shoe", [2, 1])[:4]
    ((0, 'down'), (1, 'down'), (2, 'down'), (0, 'down'))
    >>> deal_order("shuffler", [1])[3:7]
    ((0, 'down'), (0, 'up'), (1, 'down'), (1, 'down'))
    """
    places = (DEALER, *sorted(seats))
    if device == "shoe":
        order = [(card, place) for card in range(HAND) for place in places]
    else:
        order = [(card, place) for place in places for card in range(HAND)]
    return tuple([(place, "up" if place == DEALER and card == HAND - 1 else "down") for card, place in order])
