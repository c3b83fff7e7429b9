"""Which hands of Caribbean Stud win a jackpot prize, and in which order they are paid: rules 11 and 12.

Does not know the meter: what a prize is worth is ``rules.progressive``'s.
"""

from collections.abc import Iterable, Mapping
from typing import Final

from rules.hands import Category, HandValue, five_card_value
from rules.progressive import Winner
from rules.rounds import Round, Seat, seat_order
from rules.terms import Rulings, Terms

PRIZES: Final[Mapping[Category, str]] = {
    "royal_flush": "CSP 11.7.1",
    "straight_flush": "CSP 11.7.2",
    "four_of_a_kind": "CSP 11.7.3",
    "full_house": "CSP 11.7.4",
    "flush": "CSP 11.7.5",
}
"""The kinds of hand that win a jackpot prize, best first, with the clause of each."""


def prize_of(value: HandValue) -> Category | None:
    """The jackpot prize a hand qualifies for, if any (CSP 11.7)."""
    return value.category if value.category in PRIZES else None


def qualifying(round_: Round, terms: Terms) -> tuple[Winner, ...]:
    """The hands that win a jackpot prize (CSP 11.4), in seat order, whatever the dealer holds.

    Always asks for the wager of the right amount (5.4) and the cards; a folded, absent or conceded hand wins by the
    terms' rulings. Never counts a hand whose cards are not on the record. A straight flush is not also a flush.
    """
    winners = []
    for seat in seat_order(round_.seats):
        if seat.cards is None or seat.jackpot_cents != terms.qualifying_wager_cents:
            continue
        category = five_card_value(seat.cards).category
        if category in PRIZES and hand_may_win(seat, terms.rulings):
            winners.append(Winner(seat.seat, category))
    return tuple(winners)


def paying_order(winners: Iterable[Winner]) -> tuple[Winner, ...]:
    """Winners in the order in which they are paid: from the dealer's right (CSP 12.2).

    With a royal flush in the round, the straight flushes come first (CSP 12.4).
    """
    right_to_left = sorted(winners, key=lambda winner: -winner.seat)
    if any(winner.prize == "royal_flush" for winner in right_to_left):
        right_to_left.sort(key=lambda winner: winner.prize != "straight_flush")
    return tuple(right_to_left)


def hand_may_win(seat: Seat, rulings: Rulings) -> bool:
    """Whether a hand may win a prize, after what its player did with it (CSP 11.4)."""
    match seat.decision:
        case "fold" | "absent":
            return rulings.folded_hand_wins
        case "concede":
            return rulings.conceded_hand_wins
        case _:
            return True
