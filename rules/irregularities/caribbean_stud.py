"""The irregularities of Caribbean Stud: rules 14, 15 and 16.

The jackpot wager goes back with the others by the ruling ``void_returns_jackpot`` of the link's terms, and its
increment comes out of its pool again.
"""

from typing import Final, Literal

from rules.irregularities.rows import Irregularity, Notice

ALL: Final = ("ante", "bet", "jackpot")
_NEW_ROUND: Final = ("a new round of play is dealt (CSP 14.4)",)
Standing = Literal[
    "card_exposed",
    "dealer_card_exposed_in_deal",
    "dealer_cards_exposed",
    "hand_at_an_empty_area",
    "equipment_failed",
    "shuffle_failed",
]
"""What goes wrong in a round although every wager stands (CSP 14.5 to 14.7, 14.10, 14.15, 15.1)."""

_MONTH_END: Final = Notice("NICC", "CSP 14.19", "month_end", "NICC is informed at the end of the month", "awareness")
_JACKPOT: Final = "void_returns_jackpot"

ROWS: Final = (
    Irregularity("misdeal", "CSP 14.1", "round", ALL, by="CSP 14.4", ruling=_JACKPOT, then=_NEW_ROUND),
    Irregularity("dealer_card_count", "CSP 14.2", "round", ALL, by="CSP 14.4", ruling=_JACKPOT, then=_NEW_ROUND),
    Irregularity("two_cards_exposed", "CSP 14.3", "round", ALL, by="CSP 14.4", ruling=_JACKPOT, then=_NEW_ROUND),
    Irregularity(
        "card_exposed",
        "CSP 14.5",
        stands=ALL,
        then=("the card is turned over and the deal goes on (CSP 14.5)",),
    ),
    Irregularity(
        "dealer_card_exposed_in_deal",
        "CSP 14.6",
        stands=ALL,
        ruling="dealer_cards_exposed_in_deal",
        then=("the card stays face upwards and all others are dealt face downwards (CSP 14.6)",),
    ),
    Irregularity(
        "dealer_cards_exposed",
        "CSP 14.7",
        stands=ALL,
        then=("the players may still bet or fold (CSP 14.7)",),
    ),
    Irregularity("card_count", "CSP 14.8", "player", ALL, ruling=_JACKPOT),
    Irregularity(
        "foreign_card",
        "CSP 14.9",
        "round",
        ALL,
        by="CSP 14.9.2",
        ruling=_JACKPOT,
        then=("the deck is checked for further missing or foreign cards (CSP 14.9.3)",),
        notices=(Notice("Surveillance and an Inspector", "CSP 14.9.4"),),
    ),
    Irregularity(
        "hand_at_an_empty_area",
        "CSP 14.10",
        stands=ALL,
        then=("the cards of that hand are counted and placed in the discard rack (CSP 14.10)",),
    ),
    Irregularity("bet_not_corrected", "CSP 14.11", "player", ("bet",), collects=("ante",), by="CSP 14.11.2"),
    Irregularity("bet_too_small", "CSP 14.12", "player", stands=ALL, by="CSP 14.12.1"),
    Irregularity("bet_too_large", "CSP 14.12", "player", stands=ALL, by="CSP 14.12.2"),
    Irregularity("collusion", "CSP 14.13", stands=ALL),
    Irregularity("absent", "CSP 14.14", "player", stands=("jackpot",), collects=("ante",)),
    Irregularity(
        "equipment_failed",
        "CSP 14.15",
        stands=ALL,
        then=("with the Gaming Supervisor's approval the game goes on without the jackpot (CSP 14.15)",),
        notices=(Notice("an inspector", "CSP 14.15", since="malfunction"),),
    ),
    Irregularity("payment_error", "CSP 14.16", "player", stands=ALL, notices=(_MONTH_END,), listed="CSP 14.19"),
    Irregularity(
        "payment_error_suspected", "CSP 14.17", "player", stands=ALL, notices=(_MONTH_END,), listed="CSP 14.19"
    ),
    Irregularity("invalid_before_the_hand", "CSP 14.20.1", "player", ALL),
    Irregularity("invalid", "CSP 14.20.2", "player", ruling="invalid_losing"),
    Irregularity("invalid_before", "CSP 14.20.3", "player", stands=ALL),
    Irregularity("shuffle_failed", "CSP 15.1", stands=ALL, then=("the cards are reshuffled (CSP 15.1)",)),
    Irregularity(
        "device_failed",
        "CSP 15.2",
        "round",
        ALL,
        by="CSP 15.2.1",
        ruling=_JACKPOT,
        then=("the game goes on with another shuffling device or a card shoe, and new cards (CSP 15.2.3)",),
    ),
    Irregularity("prohibited_device", "CSP 16.4", "player", ALL, by="CSP 16.4.1", ruling=_JACKPOT),
    Irregularity("invalidated", "CSP 16.5", "round", ALL, by="CSP 16.6", ruling="refund_invalidated"),
)
