"""Which book the rules of Four Card Poker stand in, and which of its clauses says what.

Player Cards and invalid wagers are not in this book: a table whose ruling ``carded_play`` holds them in every game
settles an invalid wager as TCP 12.16 says, citing what this book says of what is invalid (FCP 1.1).
"""

from typing import Final

from rules.games.ante_play.book import Book, Clauses
from rules.games.four_card_poker.dealing import DEALERS_HAND, HAND, deal_order
from rules.games.four_card_poker.sign import play_refused

GAME: Final = "four_card_poker"
TITLE: Final = "Four Card Poker"
EDITION: Final = "2016-08-17"
"""The date of the rule edition."""

CLAUSES: Final = Clauses(
    place="FCP 5.2",
    side_only="FCP 5.3",
    untouched="FCP 5.4",
    one_wager="FCP 5.6",
    refuse="FCP 14.11",
    up_card_shoe="FCP 7.3.4",
    up_card_device="FCP 7.4.2",
    concede="FCP 9.3",
    conceded="FCP 9.4",
    settle_hand="FCP 9.6",
    collect="FCP 9.2.2",
    dealer_exposed="FCP 12.5",
    card_count="FCP 12.6",
    empty="FCP 12.7",
    foreign_card="FCP 12.10",
    short="FCP 12.11",
    collusion="FCP 12.12",
    absent="FCP 12.13",
    invalid_found="FCP 1.1",
    invalid_before="FCP 1.1",
    invalid="FCP 1.1",
    invalid_earlier="FCP 1.1",
    own_card="FCP 1.1",
    device="FCP 14.3",
    outcome="FCP 14.4",
    forfeit="FCP 14.5",
)
"""Which clause says what."""

BOOK: Final = Book(
    code="FCP",
    game=GAME,
    title=TITLE,
    edition=EDITION,
    side="aces_up",
    side_title="Aces Up",
    hand=HAND,
    hand_words="five cards",
    dealers_hand=DEALERS_HAND,
    clauses=CLAUSES,
    hand_faults={
        "card_count": "FCP 12.6",
        "not_reconstructed": "FCP 12.9",
        "prohibited_device": "FCP 14.3.1",
        "invalid": "FCP 1.1",
    },
    knows_invalid=False,
    deal_order=deal_order,
    play_refused=play_refused,
)
"""The book as the rules that it shares with Three Card Poker read it."""
