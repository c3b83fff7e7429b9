"""Four Card Poker: who gets which card, what every wager of a round comes to, and a table's moves one by one.

The rules of The Star Sydney in the edition of 17 August 2016, cited as FCP. No jackpot is linked to it.
"""

from rules.games.ante_play import Decision, HandFault, Seat, VoidCause
from rules.games.four_card_poker.book import BOOK, EDITION, GAME, TITLE
from rules.games.four_card_poker.dealing import deal_order
from rules.games.four_card_poker.felt import Felt
from rules.games.four_card_poker.playing import PLAY, next_round, round_of, settlement_of
from rules.games.four_card_poker.rounds import Round
from rules.games.four_card_poker.settling import SCHEDULES, settle
from rules.games.four_card_poker.sign import Limits, play_refused, wager_refused

__all__ = [
    "BOOK",
    "EDITION",
    "GAME",
    "PLAY",
    "SCHEDULES",
    "TITLE",
    "Decision",
    "Felt",
    "HandFault",
    "Limits",
    "Round",
    "Seat",
    "VoidCause",
    "deal_order",
    "next_round",
    "play_refused",
    "round_of",
    "settle",
    "settlement_of",
    "wager_refused",
]
