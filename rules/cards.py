"""Which card is meant: fifty-two cards (rule 3.1 of the card games) as players write them, ``As`` the ace of spades.

A card is a plain ``int`` from 0 to 51, four to a rank from the twos up, because five of them are valued a million times
a second. Knows nothing of what cards are worth together (``hands``) nor whose they are (``rounds``).
"""

from collections.abc import Iterable, Sequence
from typing import Final

RANKS: Final = "23456789TJQKA"
"""The ranks from the lowest to the highest (CSP 3.3)."""

SUITS: Final = "cdhs"
"""Clubs, diamonds, hearts, spades; all suits have the same rank (CSP 3.3)."""

DECK: Final = tuple(range(52))
"""One deck without jokers (CSP 3.1), from the two of clubs to the ace of spades."""

CARD_TEXTS: Final = tuple(rank + suit for rank in RANKS for suit in SUITS)
"""The text of each card, by card."""

_CARD_OF_TEXT: Final = {text: card for card, text in enumerate(CARD_TEXTS)}

_LONGEST_SHOWN: Final = 40  # A message that repeats a megabyte of nonsense hides what is wrong with it.


class CardError(ValueError):
    """Something is no card, or is there twice; ``card`` is the text that shows which, cut at 40 characters."""

    def __init__(self, card: str, reason: str) -> None:
        self.card = card[:_LONGEST_SHOWN]
        self.reason = reason
        super().__init__(f"{self.card!r}: {reason}")


def parse_card(text: str) -> int:
    """The card that a text names.

    Raises ``CardError`` where the text is not exactly one of the fifty-two.

    >>> parse_card("2c"), parse_card("As")
    (0, 51)
    >>> parse_card("10h")
    Traceback (most recent call last):
    rules.cards.CardError: '10h': not a card: a rank of 23456789TJQKA and a suit of cdhs, such as Th
    """
    card = _CARD_OF_TEXT.get(text)
    if card is None:
        raise CardError(text, f"not a card: a rank of {RANKS} and a suit of {SUITS}, such as Th")
    return card


def parse_cards(text: str) -> tuple[int, ...]:
    """The cards that a text names, one space between two of them, in its order.

    Never refuses a card that is there twice: whether that can be is the hand's and the round's to say.
    Raises ``CardError`` naming the first that is no card.

    >>> cards_text(parse_cards("As Ks Qs Js Ts"))
    'As Ks Qs Js Ts'
    >>> parse_cards("As  Ks")
    Traceback (most recent call last):
    rules.cards.CardError: '': not a card: a rank of 23456789TJQKA and a suit of cdhs, such as Th
    """
    try:
        return tuple(map(_CARD_OF_TEXT.__getitem__, text.split(" ")))
    except KeyError:
        return tuple([parse_card(card) for card in text.split(" ")])


def card_text(card: int) -> str:
    """The text of a card.

    Raises ``CardError`` where the number is none of the fifty-two.

    >>> card_text(51)
    'As'
    """
    if not 0 <= card < len(CARD_TEXTS):
        raise CardError(str(card), "not a card: cards are numbered 0 to 51")
    return CARD_TEXTS[card]


def cards_text(cards: Iterable[int]) -> str:
    """The texts of cards, one space between two of them.

    Always what ``parse_cards`` reads back as the same cards. Raises ``CardError`` as ``card_text`` does.
    """
    return " ".join([card_text(card) for card in cards])


def repeated_card(cards: Sequence[int]) -> int | None:
    """The first card that is there a second time, if one is.

    >>> repeated_card(parse_cards("As Kd As"))
    51
    >>> repeated_card(parse_cards("As Kd")) is None
    True
    """
    if len(set(cards)) == len(cards):
        return None
    seen: set[int] = set()
    for card in cards:
        if card in seen:
            return card
        seen.add(card)
    return None


def deck_faults(cards: Iterable[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The cards missing from a deck and those in it more than once (CSP 3.4, 14.9), each in the order of the deck.

    >>> missing, repeated = deck_faults([*DECK[1:], 51])
    >>> cards_text(missing), cards_text(repeated)
    ('2c', 'As')
    """
    counts = [0] * len(DECK)
    for card in cards:
        card_text(card)
        counts[card] += 1
    missing = tuple(card for card in DECK if counts[card] == 0)
    return missing, tuple(card for card in DECK if counts[card] > 1)
