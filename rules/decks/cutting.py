"""Who cuts the cards, in which order it is offered, and where the cutting card may lie.

In the three poker games the dealer alone cuts (CSP 4.3, TCP 4.3, FCP 4.3). At Casino War a player does, and by rules
4.3 and 4.4 it is told which, and who is next where one refuses. Seats are numbered from 1 at the dealer's left, so that
clockwise is upwards and the highest is at the dealer's right.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeVar

from rules.cards import DECK
from rules.decks.books import BOOKS
from rules.rounds import Device

C = TypeVar("C")
"""Whatever is cut."""

Occasion = Literal[
    "game_commencing", "cutting_card_on_player", "cutting_card_on_dealer", "cutting_card_first", "cards_replaced"
]
"""Why the cards of a Casino War table are cut (WAR 4.3.1 to 4.3.5)."""

_AT_THE_RIGHT: Final[Mapping[str, str]] = {
    "cutting_card_on_dealer": "WAR 4.3.3",
    "cutting_card_first": "WAR 4.3.4",
    "cards_replaced": "WAR 4.3.5",
}
"""The occasions on which the player at the farthest point to the dealer's right cuts."""


class CutRefused(ValueError):
    """A cut that is not made so: the rule that refuses it, and the reason."""

    def __init__(self, rule: str, reason: str) -> None:
        self.rule = rule
        self.reason = reason
        super().__init__(f"{rule}: {reason}")


@dataclass(frozen=True, slots=True)
class Cutter:
    """Somebody the cut is offered to, and by which rule."""

    seat: int | None
    """The seat of a player; ``None`` is a casino supervisor, who cuts where no player accepts (WAR 4.4)."""
    rule: str


def check_poker_cut(book: str, device: Device, *, is_cut: bool, seat: int | None = None) -> None:
    """Refuse a cut that a poker table does not make, or cards that go uncut where they are cut.

    Into a shoe they are cut (CSP 4.2, TCP 4.2, FCP 4.2), by nobody but the dealer (4.3); into a device they go uncut
    (4.4). The dealer is seat 0, and meant if none is said. Raises ``CutRefused``.

    >>> check_poker_cut("CSP", "shoe", is_cut=True, seat=3)
    Traceback (most recent call last):
    rules.decks.cutting.CutRefused: CSP 4.3: seat: 3: no person other than the dealer cuts the cards
    """
    rule = BOOKS[book].rule
    if not is_cut and device == "shoe":  # CSP 4.2, TCP 4.2, FCP 4.2
        raise CutRefused(rule("cut"), "the table deals from a shoe")
    if is_cut and device == "shuffler":  # CSP 4.4, TCP 4.4, FCP 4.4
        raise CutRefused(rule("uncut"), "cards from a shuffling device are not cut")
    if is_cut and seat:  # CSP 4.3, TCP 4.3, FCP 4.3
        raise CutRefused(rule("cutter"), f"seat: {seat}: no person other than the dealer cuts the cards")


def cut_order(occasion: Occasion, players: Mapping[int, str], seat: int | None = None) -> tuple[Cutter, ...]:
    """To whom the cut is offered at Casino War, one after the other: who refuses it hands it on (WAR 4.3, 4.4).

    ``players`` are the players at the table by their seats; one with several is asked once, at the first of them.
    ``seat`` is that of the first player to the table (WAR 4.3.1), or the area on which the cutting card appeared
    (4.3.2). Always ends with a casino supervisor. Raises ``CutRefused`` where the occasion does not name such a seat.

    >>> at_table = {1: "Ann", 3: "Bob", 4: "Ann"}
    >>> [(each.seat, each.rule) for each in cut_order("cutting_card_on_dealer", at_table)]
    [(4, 'WAR 4.3.3'), (3, 'WAR 4.4'), (None, 'WAR 4.4')]
    """
    first, rule = _designated(occasion, players, seat)
    seats = sorted(players)
    turned = seats[seats.index(first) :] + seats[: seats.index(first)] if first is not None else []
    asked: dict[str, int] = {}
    for each in turned:
        asked.setdefault(players[each], each)
    by_players = [Cutter(each, rule if each == first else "WAR 4.4") for each in asked.values()]
    return (*by_players, Cutter(None, "WAR 4.4"))


def _designated(occasion: Occasion, players: Mapping[int, str], seat: int | None) -> tuple[int | None, str]:
    """The seat of the player who is to cut, and the rule; no seat where nobody sits at the table."""
    at_the_right = _AT_THE_RIGHT.get(occasion)
    if at_the_right is not None:
        return max(players, default=None), at_the_right
    rule = "WAR 4.3.1" if occasion == "game_commencing" else "WAR 4.3.2"
    if not players:
        return None, rule
    if seat not in players:
        raise CutRefused(rule, f"seat: {seat}: {_WHOSE[occasion]}")
    return seat, rule


_WHOSE: Final[Mapping[str, str]] = {
    "game_commencing": "not the seat of the first player to the table",
    "cutting_card_on_player": "not the area of a player on which the cutting card appeared",
}


def check_cutter(order: Sequence[Cutter], refused: Sequence[int], cutter: int | None) -> Cutter:
    """The one who cuts, after those who refused; ``None`` is a casino supervisor.

    Raises ``CutRefused`` where the cut was not refused in its order, or is another's now (WAR 4.4).

    >>> order = cut_order("cutting_card_first", {1: "Ann", 5: "Bob"})
    >>> check_cutter(order, [5], 1).rule
    'WAR 4.4'
    >>> check_cutter(order, [], None)
    Traceback (most recent call last):
    rules.decks.cutting.CutRefused: WAR 4.3.4: the cut is offered to the player at seat 5
    """
    for place, seat in enumerate(refused):
        if order[min(place, len(order) - 1)].seat != seat:
            raise CutRefused("WAR 4.4", f"seat: {seat}: the cut was not offered there next")
    to = order[len(refused)]
    if to.seat != cutter:
        whom = "a casino supervisor, since no player accepts" if to.seat is None else f"the player at seat {to.seat}"
        raise CutRefused(to.rule, f"the cut is offered to {whom}")
    return to


def cut(cards: Sequence[C], place: int, back: int) -> tuple[tuple[C, ...], int]:
    """The stack of a Casino War table after the cut, and how many cards lie before its cutting card.

    ``place`` is how many cards lie in front of where the cutter placed the cutting card: at least one deck in from
    either end (WAR 4.5). Those go to the back; then the dealer inserts the cutting card ``back`` cards in from the
    back, up to half way (4.6). Raises ``CutRefused``.

    >>> stack, cutting_card = cut(range(312), 100, 60)
    >>> stack[0], stack[-1], cutting_card
    (100, 99, 252)
    """
    deepest = len(cards) - len(DECK)
    if not len(DECK) <= place <= deepest:
        reason = f"not at least one deck in from either end: {len(DECK)} to {deepest} cards"
        raise CutRefused("WAR 4.5", f"the cutting card lies behind {place} cards: {reason}")
    if not 1 <= back <= len(cards) // 2:
        reason = f"not up to half way in from the back: 1 to {len(cards) // 2} cards"
        raise CutRefused("WAR 4.6", f"the cutting card lies before {back} cards: {reason}")
    return (*cards[place:], *cards[:place]), len(cards) - back


def cut_by_dealer(book: str, cards: Sequence[C], place: int) -> tuple[tuple[C, ...], int]:
    """The deck of a poker table after the dealer's cut, placed on its cutting card (CSP 4.2, TCP 4.2, FCP 4.2).

    Always one card at least is lifted, and one left; the cutting card lies beneath them all. Raises ``CutRefused``.

    >>> cut_by_dealer("CSP", "abcd", 1)
    (('b', 'c', 'd', 'a'), 4)
    """
    if not 1 <= place < len(cards):
        raise CutRefused(BOOKS[book].rule("cut"), f"{place} cards of {len(cards)} are lifted: that is no cut")
    return (*cards[place:], *cards[:place]), len(cards)
