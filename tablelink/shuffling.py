"""Where the chance of a shuffle comes from: the operating system where cards are played with, else a seed.

How a shuffle uses it is `rules.decks.shuffling`'s. A seed is for simulated tables alone, whose rounds come again.
"""

import os
from random import Random
from typing import Final

from rules.cards import cards_text
from rules.decks.cutting import CutRefused
from rules.decks.shoes import Shoe, ShoeRefused, loaded
from rules.decks.shuffling import ByteChance, Chance
from rules.games import GAMES
from rules.rounds import Device
from tablelink.errors import TableError

SYSTEM: Final = ByteChance(os.urandom)
"""The operating system's random source."""


class SeededChance:
    """The numbers of a seeded source: the same seed gives the same shuffles."""

    def __init__(self, rng: Random) -> None:
        """Draw from `rng`, which others may draw from too."""
        self._rng = rng

    def below(self, bound: int) -> int:
        """A number from 0 up to and without `bound`."""
        return self._rng.randrange(bound)


def shuffled_cards(game: str, device: Device, cut: int, cutting_card: int, chance: Chance = SYSTEM) -> Shoe:
    """New cards of a game in a random order, cut into a shoe or uncut in a shuffling device.

    `cut` is how many cards lie in front of where the cut is made, `cutting_card` how many lie behind the cutting card
    (WAR 4.6). Raises TableError for a game without cards, and with the rule for a cut that cannot be.
    """
    if game not in GAMES or GAMES[game].deal_order is None:
        known = ", ".join(name for name, each in GAMES.items() if each.deal_order is not None)
        raise TableError(f"No game with cards: {game[:40]!r}; known are {known}.", code="no_such_game")
    try:
        return loaded(GAMES[game].book, device, chance, cut, cutting_card)
    except (CutRefused, ShoeRefused) as refused:
        raise TableError(f"{refused}.", code="cut_refused") from None


def shown(game: str, shoe: Shoe) -> dict[str, object]:
    """Cards in a shoe or device as JSON has them; the cutting card where there is one."""
    said: dict[str, object] = {"game": game, "device": shoe.device, "deck": cards_text(shoe.cards)}
    return said if shoe.cutting_card is None else said | {"cutting_card": shoe.cutting_card}
