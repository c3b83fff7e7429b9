"""What a check of the cards finds: the missing, the double and the foreign ones, each by its name.

The same check serves before use (CSP 3.4, TCP 3.4, FCP 3.4, WAR 3.3), at any time (CSP 3.8, WAR 3.8) and after a wrong
card was found (CSP 14.9.3, TCP 12.9.3, FCP 12.10.3, WAR 11.17.3). Knows nothing of who checks, nor when (``lives``).
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from rules.cards import CARD_TEXTS


class Found(NamedTuple):
    """A card as it lies before who checks: what its face says, such as ``As``, and the colour of its back."""

    face: str
    back: str


@dataclass(frozen=True, slots=True)
class CardFaults:
    """What is wrong with cards that were checked; a card stands there as often as it is missing or too many."""

    missing: tuple[str, ...] = ()
    double: tuple[str, ...] = ()
    foreign: tuple[Found, ...] = ()
    """No card of these decks: by its face, as a joker, or by its back."""

    def __bool__(self) -> bool:
        """Whether anything is wrong."""
        return bool(self.missing or self.double or self.foreign)

    def __str__(self) -> str:
        """Name every card.

        >>> print(CardFaults(("2c", "2c"), ("As",), (Found("joker", "red"),)))
        missing: 2c, 2c; double: As; foreign: joker (red back)
        """
        foreign = tuple(f"{card.face} ({card.back} back)" for card in self.foreign)
        parts = (("missing", self.missing), ("double", self.double), ("foreign", foreign))
        return "; ".join(f"{word}: {', '.join(cards)}" for word, cards in parts if cards)


def faults_of(found: Iterable[Found], back: str, decks: int = 1) -> CardFaults:
    """What is wrong with the cards found, of decks without jokers and with backs of one colour and design (rule 3.1).

    Always counts a card with another back as foreign, and as one the less of its face: its deck lacks it. Missing and
    double cards stand in the order of a new deck, foreign ones as they were found.

    >>> deck = [Found(text, "red") for text in CARD_TEXTS]
    >>> print(faults_of([*deck[1:], Found("As", "red"), Found("Kd", "blue")], "red"))
    missing: 2c; double: As; foreign: Kd (blue back)
    """
    known = frozenset(CARD_TEXTS)
    own: Counter[str] = Counter()
    foreign = []
    for card in found:
        if card.face in known and card.back == back:
            own[card.face] += 1
        else:
            foreign.append(card)
    return CardFaults(
        missing=tuple([face for face in CARD_TEXTS for _ in range(decks - own[face])]),
        double=tuple([face for face in CARD_TEXTS for _ in range(own[face] - decks)]),
        foreign=tuple(foreign),
    )


def faults_of_cards(cards: Iterable[int], decks: int = 1) -> CardFaults:
    """What is wrong with cards that are known to be of these decks, as a shoe or device reads them.

    >>> from rules.cards import DECK
    >>> print(faults_of_cards([*DECK[1:], 51]))
    missing: 2c; double: As
    """
    return faults_of([Found(CARD_TEXTS[card], "") for card in cards], "", decks)
