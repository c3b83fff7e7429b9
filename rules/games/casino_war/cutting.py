"""Why the cards of a Casino War table are cut as a round goes on, and to whom the cut is then offered: 4.3 and 4.4.

The order itself, and where the cutting card may lie (4.5, 4.6), is ``rules.decks.cutting``'s.
"""

from collections.abc import Mapping
from typing import Literal

from rules.decks.cutting import Cutter, cut_order

Occasion = Literal["game_begins", "cutting_card", "first_card", "replaced", "reshuffled"]
"""Why cards are shuffled and cut: the game is just commencing; the cutting card appeared during the last round; it was
exposed or drawn as the first card of a new one; the cards were replaced; or they are shuffled for any other reason (WAR
4.1.4, 11.7, 11.9, 12.5.3), for which no rule designates a player."""


def offered(occasion: Occasion, at_table: Mapping[int, str], cutting_card: int | None = None) -> tuple[Cutter, ...]:
    """To whom the cut is offered, one after the other (WAR 4.3, 4.4).

    ``at_table`` are the players by their areas, in the order in which they came; ``cutting_card`` is the place where
    the cutting card appeared. Where no rule designates a player, or the one designated has left, it begins at the
    dealer's right, as with replaced cards.

    >>> [each.seat for each in offered("game_begins", {5: "Ann", 2: "Bob", 7: "Cyd"})]
    [5, 7, 2, None]
    >>> [each.seat for each in offered("cutting_card", {5: "Ann", 2: "Bob", 7: "Cyd"}, 0)]
    [7, 2, 5, None]
    """
    if occasion == "game_begins":
        return cut_order("game_commencing", at_table, next(iter(at_table), None))  # WAR 4.3.1
    if occasion == "cutting_card" and cutting_card in at_table:
        return cut_order("cutting_card_on_player", at_table, cutting_card)  # WAR 4.3.2
    if occasion == "cutting_card":
        return cut_order("cutting_card_on_dealer", at_table)  # WAR 4.3.3
    if occasion == "first_card":
        return cut_order("cutting_card_first", at_table)  # WAR 4.3.4
    return cut_order("cards_replaced", at_table)  # WAR 4.3.5
