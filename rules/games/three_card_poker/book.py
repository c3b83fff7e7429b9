"""Which book the rules of Three Card Poker stand in, and which of its clauses says what."""

from typing import Final

from rules.games.ante_play.book import Book, Clauses
from rules.games.three_card_poker.dealing import HAND, deal_order
from rules.games.three_card_poker.sign import play_refused

GAME: Final = "three_card_poker"
TITLE: Final = "Three Card Poker"
EDITION: Final = "2024-08-16"
"""The date of the rule edition."""

CLAUSES: Final = Clauses(
    place="TCP 5.3",
    side_only="TCP 5.4",
    untouched="TCP 5.5",
    one_wager="TCP 5.7",
    refuse="TCP 14.12",
    up_card_shoe="TCP 7.1",
    up_card_device="TCP 7.1",
    concede="TCP 9.5",
    conceded="TCP 9.6",
    settle_hand="TCP 9.8",
    collect="TCP 9.4.2",
    dealer_exposed="TCP 12.6",
    card_count="TCP 12.7",
    empty="TCP 12.8",
    foreign_card="TCP 12.9",
    short="TCP 12.10",
    collusion="TCP 12.11",
    absent="TCP 12.12",
    invalid_found="TCP 12.16",
    invalid_before="TCP 12.16.1",
    invalid="TCP 12.16.2",
    invalid_earlier="TCP 12.16.3",
    own_card="TCP 14.1",
    device="TCP 14.4",
    outcome="TCP 14.5",
    forfeit="TCP 14.6",
)
"""Which clause says what."""

BOOK: Final = Book(
    code="TCP",
    game=GAME,
    title=TITLE,
    edition=EDITION,
    side="pair_plus",
    side_title="Pair Plus",
    hand=HAND,
    hand_words="three cards",
    dealers_hand=HAND,
    clauses=CLAUSES,
    hand_faults={"card_count": "TCP 12.7", "prohibited_device": "TCP 14.4.1", "invalid": "TCP 12.16.2"},
    knows_invalid=True,
    deal_order=deal_order,
    play_refused=play_refused,
)
"""The book as the rules that it shares with Four Card Poker read it."""
