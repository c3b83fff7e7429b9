"""The irregularities of Three Card and Four Card Poker: rules 12, 13 and 14 of both books."""

from typing import Final, Literal

from rules.irregularities.rows import Irregularity, Notice

ThreeCardStanding = Literal["card_exposed", "dealer_cards_exposed", "hand_at_an_empty_area", "shuffle_failed"]
"""What goes wrong in a round although every wager stands (TCP 12.5, 12.6, 12.8, 13.1)."""

FourCardStanding = Literal["card_exposed", "hand_at_an_empty_area", "shuffle_failed"]
"""What goes wrong in a round although every wager stands (FCP 12.5, 12.7, 13.1)."""

_THREE: Final = ("ante", "play", "pair_plus")
_FOUR: Final = ("ante", "play", "aces_up")


def _shared(book: str, every: tuple[str, ...], cited: dict[str, str]) -> tuple[Irregularity, ...]:
    """The rows that both books have in the same words, by the clauses of one of them."""
    side = every[2]
    rule = {kind: f"{book} {number}" for kind, number in cited.items()}
    new_round = (f"a new round of play is dealt ({rule['misdeal_void']})",)
    warned = f"any further instance costs the ante ({rule['short']})"
    return (
        Irregularity("misdeal", rule["misdeal"], "round", every, by=rule["misdeal_void"], then=new_round),
        Irregularity("dealer_card_count", f"{book} 12.2", "round", every, by=rule["misdeal_void"], then=new_round),
        Irregularity("two_cards_exposed", f"{book} 12.3", "round", every, by=rule["misdeal_void"], then=new_round),
        Irregularity(
            "card_exposed",
            f"{book} 12.5",
            stands=every,
            then=(f"the card is turned over and the deal goes on ({book} 12.5)",),
        ),
        Irregularity("card_count", rule["card_count"], "player", every),
        Irregularity(
            "hand_at_an_empty_area",
            rule["empty"],
            stands=every,
            then=(f"the cards of that hand are counted and placed in the discard rack ({rule['empty']})",),
        ),
        Irregularity(
            "foreign_card",
            rule["deck"],
            "round",
            every,
            by=f"{rule['deck']}.2",
            then=(f"the deck is checked for further missing or foreign cards ({rule['deck']}.3)",),
            notices=(Notice("Surveillance and an Inspector", f"{rule['deck']}.4"),),
        ),
        Irregularity("short", rule["short"], "player", ("ante",), stands=(side,), then=(warned,)),
        Irregularity("short_again", rule["short"], "player", stands=(side,), collects=("ante",)),
        Irregularity("collusion", rule["collusion"], stands=every),
        Irregularity("absent", rule["absent"], "player", ("ante",), stands=(side,)),
        Irregularity("shuffle_failed", f"{book} 13.1", stands=every, then=(f"the cards are reshuffled ({book} 13.1)",)),
        Irregularity(
            "device_failed",
            f"{book} 13.2",
            "round",
            every,
            by=f"{book} 13.2.1",
            then=(f"the game goes on with another shuffling device or a card shoe, and new cards ({book} 13.2.3)",),
        ),
        Irregularity("prohibited_device", rule["device"], "player", every, by=f"{rule['device']}.1"),
        Irregularity("invalidated", rule["outcome"], "round", every, by=rule["refund"], ruling="refund_invalidated"),
    )


_MONTH_END: Final = Notice(
    "the NICC", "TCP 12.15.2", "month_end", "the NICC is informed at the end of the month", "awareness"
)

THREE_CARD: Final = (
    *_shared(
        "TCP",
        _THREE,
        {
            "misdeal": "12.1",
            "misdeal_void": "12.4",
            "card_count": "12.7",
            "empty": "12.8",
            "deck": "12.9",
            "short": "12.10",
            "collusion": "12.11",
            "absent": "12.12",
            "device": "14.4",
            "outcome": "14.5",
            "refund": "14.6",
        },
    ),
    Irregularity(
        "dealer_cards_exposed",
        "TCP 12.6",
        stands=_THREE,
        ruling="dealer_cards_exposed_in_deal",
        then=("the players may still play or fold (TCP 12.6)",),
    ),
    Irregularity("payment_error", "TCP 12.13", "player", stands=_THREE, notices=(_MONTH_END,), listed="TCP 12.15.2"),
    Irregularity(
        "payment_error_suspected", "TCP 12.14", "player", stands=_THREE, notices=(_MONTH_END,), listed="TCP 12.15.2"
    ),
    Irregularity("invalid_before_the_hand", "TCP 12.16.1", "player", _THREE),
    Irregularity("invalid", "TCP 12.16.2", "player", ruling="invalid_losing"),
    Irregularity("invalid_before", "TCP 12.16.3", "player", stands=_THREE),
)

FOUR_CARD: Final = (
    *_shared(
        "FCP",
        _FOUR,
        {
            "misdeal": "12.1",
            "misdeal_void": "12.4",
            "card_count": "12.6",
            "empty": "12.7",
            "deck": "12.10",
            "short": "12.11",
            "collusion": "12.12",
            "absent": "12.13",
            "device": "14.3",
            "outcome": "14.4",
            "refund": "14.5",
        },
    ),
    Irregularity("dealer_set_wrongly", "FCP 12.8", stands=_FOUR, then=("the dealer's hand stands as set (FCP 12.8)",)),
    Irregularity("reconstructed", "FCP 12.9", "player", stands=_FOUR),
    Irregularity("not_reconstructed", "FCP 12.9", "player", _FOUR),
)
