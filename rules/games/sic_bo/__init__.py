"""Sic Bo with Super Streak: what every wager of a roll comes to, streaks over a day, and a table's moves one by one.

The rules of The Star Sydney as they stand since 19 August 2024, the only date their text bears, cited as SIC.
"""

from rules.games.sic_bo.felt import Felt
from rules.games.sic_bo.layout import AREAS, Area, Dice, Side, Wager, is_triple, row_won, shows, winning_areas
from rules.games.sic_bo.loss_limits import LossLimit
from rules.games.sic_bo.playing import PLAY, next_round, settlement_of
from rules.games.sic_bo.rounds import EDITION, GAME, TITLE, NoResult, Placed, Round, Seat
from rules.games.sic_bo.settling import SCHEDULES, settle, wrongly_lit
from rules.games.sic_bo.sign import Limits, wager_refused
from rules.games.sic_bo.streaks import Run, Runs, streak_refused, turn

__all__ = [
    "AREAS",
    "EDITION",
    "GAME",
    "PLAY",
    "SCHEDULES",
    "TITLE",
    "Area",
    "Dice",
    "Felt",
    "Limits",
    "LossLimit",
    "NoResult",
    "Placed",
    "Round",
    "Run",
    "Runs",
    "Seat",
    "Side",
    "Wager",
    "is_triple",
    "next_round",
    "row_won",
    "settle",
    "settlement_of",
    "shows",
    "streak_refused",
    "turn",
    "wager_refused",
    "winning_areas",
    "wrongly_lit",
]
