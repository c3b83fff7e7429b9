"""Who cuts the cards of Casino War, and where: rules 4.3 to 4.6.

Knows no cards: what a cut does to a stack, and whether it may lie where it does, is said in places of the stack.
"""

from collections.abc import Collection, Sequence
from typing import Final, Literal, TypeVar

from rules.games.casino_war.rounds import DECKS
from rules.limits import Refused
from rules.rounds import DEALER

C = TypeVar("C")
"""A card, or whatever stands for one."""

DECK_SIZE: Final = 52
STACK: Final = DECKS * DECK_SIZE
"""Cards of a whole stack (WAR 3.1)."""

Occasion = Literal["game_begins", "cutting_card", "first_card", "replaced", "reshuffled"]
"""Why cards are shuffled and cut: the game is just commencing; the cutting card appeared during the last round; it was
exposed or drawn as the first card of a new one; the cards were replaced; or they are shuffled for any other reason (WAR
4.1.4, 11.7, 11.9, 12.5.3), for which no rule designates a player."""


def offers(occasion: Occasion, at_table: Sequence[int], cutting_card: int | None = None) -> tuple[int, ...]:
    """The areas whose players are offered the cut, one after the other (WAR 4.3, 4.4).

    ``at_table`` are the areas with a player, in the order in which they came; ``cutting_card`` is the place where the
    cutting card appeared. Always clockwise from the player designated; nobody where no player is at the table. Where
    no rule designates one, or the designated player has left, it begins at the dealer's right, or with the next.

    >>> offers("game_begins", [5, 2, 7])
    (5, 7, 2)
    >>> offers("cutting_card", [5, 2, 7], 2), offers("cutting_card", [5, 2, 7], DEALER)
    ((2, 5, 7), (7, 2, 5))
    """
    if not at_table:
        return ()
    first = max(at_table)  # WAR 4.3.3, 4.3.4, 4.3.5: the farthest point to the right of the dealer.
    if occasion == "game_begins":
        first = at_table[0]  # WAR 4.3.1: the first player to the table.
    elif occasion == "cutting_card" and cutting_card not in {None, DEALER}:
        first = cutting_card or first  # WAR 4.3.2: the player on whose area it appeared.
    return tuple(sorted(at_table, key=lambda area: (area < first, area)))


def designation(occasion: Occasion, cutting_card: int | None = None) -> str:
    """The rule that says who is offered the cut first."""
    if occasion == "cutting_card":
        return "WAR 4.3.3" if cutting_card in {None, DEALER} else "WAR 4.3.2"
    return {"game_begins": "WAR 4.3.1", "first_card": "WAR 4.3.4", "replaced": "WAR 4.3.5"}.get(occasion, "WAR 4.3")


def who_cuts(offered: Sequence[int], declined: Collection[int]) -> int | None:
    """The area whose player is offered the cut now; nobody where all refused, and a Casino Supervisor cuts (WAR 4.4).

    >>> who_cuts((7, 2, 5), {7}), who_cuts((7, 2, 5), {7, 2, 5})
    (2, None)
    """
    return next((area for area in offered if area not in declined), None)  # WAR 4.4


def cut_refused(in_front: int, size: int = STACK) -> Refused | None:
    """Why the cutting card may not lie so many cards in, if it may not: a deck at least from either end (WAR 4.5).

    >>> cut_refused(52) is None, cut_refused(260) is None
    (True, True)
    >>> cut_refused(51)
    Refused(rule='WAR 4.5', reason='51 cards lie in front of the cutting card and 261 behind it: a deck is 52')
    """
    behind = size - in_front
    if min(in_front, behind) >= DECK_SIZE:
        return None
    words = f"{in_front} cards lie in front of the cutting card and {behind} behind it"
    return Refused("WAR 4.5", f"{words}: a deck is {DECK_SIZE}")


def after_cut(stack: Sequence[C], in_front: int) -> tuple[C, ...]:
    """The stack with the cards in front of the cutting card at its back (WAR 4.6).

    >>> after_cut("abcdef", 2)
    ('c', 'd', 'e', 'f', 'a', 'b')
    """
    return (*stack[in_front:], *stack[:in_front])


def reserve_refused(behind: int, size: int = STACK) -> Refused | None:
    """Why the dealer may not insert the cutting card so many cards from the back, if not: half way at most (WAR 4.6).

    >>> reserve_refused(156) is None
    True
    >>> reserve_refused(157)
    Refused(rule='WAR 4.6', reason='157 cards behind the cutting card are more than half of 312')
    """
    if 0 <= behind <= size // 2:
        return None
    return Refused("WAR 4.6", f"{behind} cards behind the cutting card are more than half of {size}")
