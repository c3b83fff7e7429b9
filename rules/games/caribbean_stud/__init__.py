"""Caribbean Stud Poker: who gets which card, what every wager comes to, who wins the jackpot, and a table's moves.

The rules of The Star Sydney in the edition of 16 August 2024 (DF24/017426), cited as CSP. Does not know the meter:
what a prize is worth is ``rules.progressive``'s.
"""

from rules.games.caribbean_stud.book import EDITION, GAME, TITLE
from rules.games.caribbean_stud.dealing import deal_order
from rules.games.caribbean_stud.faults import NOTHING_WRONG, Faults, HandFault, VoidCause
from rules.games.caribbean_stud.felt import Felt
from rules.games.caribbean_stud.playing import PLAY, next_round, settlement_of
from rules.games.caribbean_stud.prizes import PRIZES, paying_order, prize_of, qualifying
from rules.games.caribbean_stud.settling import (
    SCHEDULE,
    Amounts,
    base_amounts,
    dealer_qualifies,
    legal_decisions,
    settle,
)

__all__ = [
    "EDITION",
    "GAME",
    "NOTHING_WRONG",
    "PLAY",
    "PRIZES",
    "SCHEDULE",
    "TITLE",
    "Amounts",
    "Faults",
    "Felt",
    "HandFault",
    "VoidCause",
    "base_amounts",
    "deal_order",
    "dealer_qualifies",
    "legal_decisions",
    "next_round",
    "paying_order",
    "prize_of",
    "qualifying",
    "settle",
    "settlement_of",
]
