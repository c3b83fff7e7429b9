"""Casino War: who gets which card, what every wager of a round comes to, and a table's moves one by one.

The rules of The Star Sydney in the edition of 17 August 2016, cited as WAR. No jackpot is linked to it.
"""

from rules.games.casino_war.dealing import DeviceFailure, Remedy, deal_order, remedy
from rules.games.casino_war.felt import Felt
from rules.games.casino_war.playing import PLAY, next_round, round_of, settlement_of
from rules.games.casino_war.rounds import (
    EDITION,
    GAME,
    TITLE,
    AreaFault,
    Decision,
    ExtraCard,
    Interim,
    Round,
    Seat,
    Standing,
    VoidCause,
)
from rules.games.casino_war.settling import SCHEDULES, payable_cents, settle
from rules.games.casino_war.sign import Limits, wager_refused, war_refused

__all__ = [
    "EDITION",
    "GAME",
    "PLAY",
    "SCHEDULES",
    "TITLE",
    "AreaFault",
    "Decision",
    "DeviceFailure",
    "ExtraCard",
    "Felt",
    "Interim",
    "Limits",
    "Remedy",
    "Round",
    "Seat",
    "Standing",
    "VoidCause",
    "deal_order",
    "next_round",
    "payable_cents",
    "remedy",
    "round_of",
    "settle",
    "settlement_of",
    "wager_refused",
    "war_refused",
]
