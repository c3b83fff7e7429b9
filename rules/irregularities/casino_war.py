"""The irregularities of Casino War: rules 11, 12 and 13, its shuffler ladder of 12.1 to 12.5 among them."""

from typing import Final

from rules.irregularities.rows import Irregularity, Notice

ALL: Final = ("initial", "tie", "war")
_NEW_ROUND: Final = ("a new round of play is dealt (WAR 11.16)",)
_SHUFFLE_AFTER: Final = "the round is completed, then the cards are shuffled and cut"

ROWS: Final = (
    Irregularity("card_faced", "WAR 11.1", stands=ALL, then=("the card is burned and play continues (WAR 11.1)",)),
    Irregularity("card_in_error", "WAR 11.2", stands=ALL, then=("it is dealt as the next card (WAR 11.2)",)),
    Irregularity(
        "dealer_extra_exposed",
        "WAR 11.3",
        stands=ALL,
        ruling="dealer_extra_card",
        then=("the dealer's extra card is burned (WAR 11.3)",),
    ),
    Irregularity(
        "dealer_extra_unexposed",
        "WAR 11.4",
        stands=ALL,
        ruling="dealer_extra_card",
        then=("the dealer's extra card is placed under the shoe or device, the first of the next round (WAR 11.4)",),
    ),
    Irregularity("no_wagers", "WAR 11.5", then=("exposed cards are burned and placed in the discard rack (WAR 11.5)",)),
    Irregularity("reconstructed", "WAR 11.6", stands=ALL, then=("excess cards are burned (WAR 11.12)",)),
    Irregularity(
        "not_reconstructed",
        "WAR 11.6",
        "round",
        ALL,
        then=("play goes on with the remaining cards (WAR 11.6.1)",),
    ),
    Irregularity(
        "insufficient_cards",
        "WAR 11.7",
        stands=ALL,
        then=("the discards are shuffled and cut, and the round is completed (WAR 11.7)",),
    ),
    Irregularity("absent", "WAR 11.8", "player", stands=("tie",)),
    Irregularity("not_cut", "WAR 11.9", stands=ALL, then=(f"{_SHUFFLE_AFTER} (WAR 11.9)",)),
    Irregularity("no_burn_card", "WAR 11.10", stands=ALL, then=("the card remains in play (WAR 11.10)",)),
    Irregularity("not_shuffled", "WAR 11.11", stands=ALL, then=(f"{_SHUFFLE_AFTER} (WAR 11.11)",)),
    Irregularity("dealer_card_count", "WAR 11.13", "round", ALL, by="WAR 11.16", then=_NEW_ROUND),
    Irregularity(
        "not_returned_to_device",
        "WAR 11.14",
        stands=ALL,
        then=("the cards remain in the discard rack until the next initial deal is completed (WAR 11.14)",),
    ),
    Irregularity("misdeal", "WAR 11.15", "round", ALL, by="WAR 11.16", then=_NEW_ROUND),
    Irregularity(
        "foreign_card",
        "WAR 11.17",
        "round",
        ALL,
        by="WAR 11.17.2",
        ruling="interim_when_void",
        then=("the deck is checked for further missing or foreign cards (WAR 11.17.3)",),
        notices=(Notice("Surveillance and an inspector", "WAR 11.17.4"),),
    ),
    Irregularity("under_minimum", "WAR 11.18", "player", stands=ALL, by="WAR 11.18.1"),
    Irregularity("over_maximum", "WAR 11.18", "player", stands=ALL, by="WAR 11.18.2", ruling="over_maximum"),
    Irregularity("device_undamaged", "WAR 12.2", stands=ALL, then=("the cards go to another device (WAR 12.2)",)),
    Irregularity(
        "device_damaged_cards",
        "WAR 12.3",
        stands=ALL,
        then=(
            "damaged cards are removed, the others go to another device (WAR 12.3.1, 12.3.2)",
            "damaged cards are replaced from a new deck (WAR 12.3.3)",
        ),
    ),
    Irregularity("device_failed", "WAR 12.4", "round", ALL, ruling="interim_when_void"),
    Irregularity(
        "device_no_other",
        "WAR 12.5",
        "player",
        ALL,
        by="WAR 12.5.1",
        ruling="interim_when_void",
        then=(
            "damaged cards are replaced, all are shuffled and cut (WAR 12.5.2, 12.5.3)",
            "the round is completed from a card shoe for who stays in (WAR 12.5.4)",
        ),
    ),
    Irregularity("invalid", "WAR 1.1", "player", ruling="invalid_losing"),
    Irregularity("prohibited_device", "WAR 13.3", "player", ALL, by="WAR 13.3.1"),
    Irregularity("invalidated", "WAR 13.4", "round", ALL, by="WAR 13.5", ruling="refund_invalidated"),
)
