"""Three Card Poker: who gets which card, what every wager of a round comes to, and a table's moves one by one.

The rules of The Star Sydney in the edition of 16 August 2024 (DF24/017426), cited as TCP. No jackpot is linked to it.
"""

from rules.games.three_card_poker.dealing import deal_order
from rules.games.three_card_poker.playing import PLAY, Felt, settlement_of
from rules.games.three_card_poker.rounds import EDITION, GAME, TITLE, Decision, Round, Seat
from rules.games.three_card_poker.settling import SCHEDULES, dealer_qualifies, settle, void
from rules.games.three_card_poker.sign import Limits, wager_refused

__all__ = [
    "EDITION",
    "GAME",
    "PLAY",
    "SCHEDULES",
    "TITLE",
    "Decision",
    "Felt",
    "Limits",
    "Round",
    "Seat",
    "deal_order",
    "dealer_qualifies",
    "settle",
    "settlement_of",
    "void",
    "wager_refused",
]
