"""Who gets which card of the deck at Four Card Poker: rule 7."""

from collections.abc import Iterable
from typing import Final

from rules.rounds import DEALER, Device, Face

HAND: Final = 5
"""Cards of a player's hand (FCP 1.1)."""

DEALERS_HAND: Final = 6
"""Cards of the dealer's hand (FCP 1.1), of which four count (9.1)."""


def deal_order(device: Device, seats: Iterable[int]) -> tuple[tuple[int, Face], ...]:
    """Who gets each card of the deck, from its top, and how it lies: the dealer is place 0.

    Clockwise from the dealer's left, the dealer last (FCP 7.2): from a shoe one card at a time (7.3), from a shuffling
    device five (7.4). All lie face down (7.1) but the dealer's sixth, the last card dealt (7.3.4, 7.4.2).

    >>> deal_order("shoe", [2, 1])[:4]
    ((1, 'down'), (2, 'down'), (0, 'down'), (1, 'down'))
    >>> [place for place, _ in deal_order("shuffler", [4])], deal_order("shuffler", [4])[-1]
    ([4, 4, 4, 4, 4, 0, 0, 0, 0, 0, 0], (0, 'up'))
    """
    places = (*sorted(seats), DEALER)  # FCP 7.2
    if device == "shoe":
        face_down = [place for _ in range(HAND) for place in places]  # FCP 7.3, 7.3.1, 7.3.2, 7.3.3
    else:
        face_down = [place for place in places for _ in range(HAND)]  # FCP 7.4, 7.4.1
    return (*((place, "down") for place in face_down), (DEALER, "up"))  # FCP 7.1, 7.3.4, 7.4.2
