"""The moves that deal the cards of a poker game in its order, whatever the device."""

from collections.abc import Iterable, Iterator, Sequence

from rules.cards import DECK
from rules.play import Move
from rules.rounds import Device, Face


def opened(device: Device) -> tuple[Move, ...]:
    """The moves from new cards to open wagers: into a shoe cut, into a shuffling device uncut (4.1 to 4.4)."""
    return tuple(map(Move, ("check_cards", "shuffle", "cut") if device == "shoe" else ("check_cards", "load")))


def deals(order: Sequence[tuple[int, Face]], packet: int, up_card: int) -> Iterator[Move]:
    """A move for each card, or for each packet of so many; what lies face up is shown in it."""
    place = 0
    while place < len(order):
        to, face = order[place]
        faces = {each for _, each in order[place : place + packet]} if face == "down" else {face}
        taken = 1 if face == "up" else packet
        yield Move("deal", to, cards=(up_card,) if "up" in faces else None)
        place += taken


def unseen(seen: Iterable[int], number: int) -> tuple[int, ...]:
    """So many cards that nobody has seen, where a round does not say which they were."""
    known = set(seen)
    return tuple([card for card in DECK if card not in known][:number])
