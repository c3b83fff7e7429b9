"""Rounds of every game played by random legal moves, whatever goes wrong in them, with their records."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any

from rules.games.sic_bo import PLAY as DICE
from rules.games.sic_bo import Felt as DiceFelt
from rules.games.sic_bo import Limits, LossLimit, Run, Runs, Seat
from rules.play import Move, Position
from rules.records import decode_any
from rules.records.sic_bo import SicBoLimitsRecord, SicBoSettingsRecord
from rules.rounds import OpenWager
from rules.settings import SicBoSettings
from tablelink.core.moves import TOLD
from tablelink.hosted_simulation import play_round

ODD = 12_000
"""How likely it is that something goes wrong: about as likely as what is usual."""
RULINGS: Mapping[str, Sequence[Mapping[str, Any]]] = {
    "caribbean_stud": ({}, {"dealer_cards_exposed_in_deal": "play_on"}),
    "three_card_poker": ({}, {"concede_collects": "ante_play"}),
    "four_card_poker": ({}, {"concede_collects": "ante_play", "carded_play": "all_games"}),
    "casino_war": ({}, {"dealer_extra_card": "misdeal"}, {"carded_play": "all_games", "interim_when_void": "stand"}),
}


def random_round(game: str, seed: int) -> tuple[Position[Any], Any, tuple[Move, ...]]:
    """The end of a round, its record, and the moves that were tried in it."""
    rng = Random(seed)
    if game == "sic_bo":
        at, fields = _dice_table(rng)
    else:
        shown = {"device": rng.choice(("shoe", "shuffler")), "settings": rng.choice(RULINGS[game])}
        stated: Any = decode_any(json.dumps({"game": game, **shown, **_plain(game)}).encode())
        at, fields = TOLD[game].begin(stated), {"settings": stated.settings, "limits": stated.limits}
    at, moves = play_round(game, at, rng, odd=rng.choice((1, ODD)))
    settlement = TOLD[game].settlement_of(at)
    return at, TOLD[game].record_of(at, settlement, **fields), moves


def _plain(game: str) -> dict[str, Any]:
    """A round that came to nothing, as a table's record before its next one."""
    wager = {"initial_cents": 500} if game == "casino_war" else {"ante_cents": 500}
    return {"void_by": "misdeal", "seats": [{"seat": 1, **wager}]}


def _dice_table(rng: Random) -> tuple[Position[Any], dict[str, Any]]:
    """A Sic Bo table in the middle of a day, with players who have limits of their own."""
    felt = DiceFelt(
        SicBoSettings(even_on_10="win"),
        Limits(streak_cents=500),
        4,
        touch_screen=rng.random() < 0.3,
        players=(Seat(2, loss_limit=LossLimit(4_000, 500, 3_000)), Seat(3, own_min_cents=1_000)),
        still_open=(OpenWager(1, "super_streak_small", 500, 3),),
        runs=Runs(Run("small", 4), Run("even", 1)),
    )
    fields = {
        "settings": SicBoSettingsRecord(even_on_10="win"),
        "limits": SicBoLimitsRecord(streak_cents=500),
    }
    return DICE.begin(felt), fields


def same_round(game: str, at: Position[Any]) -> Any:
    """The round of a position, with what has no order of its own put in one."""
    played = TOLD[game].round_of(at)
    return replace(played, found=tuple(sorted(played.found))) if game == "casino_war" else played
