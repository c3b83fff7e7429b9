"""A hosted table of players who exist only as numbers: the same seed, table and game give the same rounds in every run.

Cards are shuffled before each round, so that a round depends on its number alone, but for what earlier rolls of the
dice left in play. Nothing here knows the time.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from random import Random
from typing import Any, Final

import msgspec

from rules.cards import DECK
from rules.decks.shuffling import shuffled
from rules.games.sic_bo import Felt as DiceFelt
from rules.play import Move, MoveRefused, Position
from rules.records import FORMS, decode_any, encode_any
from tablelink.core.hosting import settled
from tablelink.core.moves import TOLD
from tablelink.hosted_people import PEOPLE
from tablelink.hosted_replay import KeptOf, Planned, other_rounds
from tablelink.shuffling import SeededChance

__all__ = ["play_round", "simulated_rounds", "table_before"]

_SIGN: Final = {"ante_min_cents": 500, "ante_max_cents": 10_000, "ante_unit_cents": 100}
_ONE: Final = {"void_by": "misdeal", "seats": [{"seat": 1, "ante_cents": 500}]}
_TABLES: Final[Mapping[str, Mapping[str, Any]]] = {
    "caribbean_stud": {"limits": _SIGN, **_ONE},
    "three_card_poker": {"limits": {**_SIGN, "pair_plus_max_cents": 10_000}, **_ONE},
    "four_card_poker": {"limits": {**_SIGN, "aces_up_max_cents": 10_000}, **_ONE},
    "casino_war": {
        "limits": {"initial_min_cents": 500, "initial_max_cents": 10_000, "tie_max_cents": 10_000},
        "void_by": "misdeal",
        "seats": [{"seat": 1, "initial_cents": 500}],
    },
    "sic_bo": {
        "limits": {"min_cents": {"table": 500}, "max_cents": {"table": 10_000}, "streak_cents": 500},
        "settings": {"even_on_10": "lose"},
        "no_result": "not_activated",
        "runs": {},
    },
}
"""What each game's simulated table shows and rules, as the record of a round that came to nothing."""
PLAYERS: Final = 6
"""Who play at a simulated Sic Bo table (SIC 3.15)."""
MOST_MOVES: Final = 5_000
"""More than any round takes that ends."""


def simulated_rounds(
    seed: int, table: str, game: str, kept: KeptOf, last: int = 0, *, odd: int = 1
) -> Iterator[Planned]:
    """The rounds of a simulated table after the last that it is done with, without end.

    `odd` is how likely it is that something goes wrong. Raises TableError where the last round is not one of this seed.
    """
    before = _record_of(kept, last - 1)
    number = max(1, last)
    while True:
        record, moves = planned_round(seed, table, game, number, before, odd=odd)
        done = kept(number)
        if done is None:
            yield Planned(number, record, (), moves)
        elif done.record != encode_any(record):
            raise other_rounds(number, f"the simulation with seed {seed}")
        before, number = record, number + 1


def _record_of(kept: KeptOf, number: int) -> Any:
    done = kept(number) if number > 0 else None
    return None if done is None or done.record is None else decode_any(done.record)


def planned_round(
    seed: int, table: str, game: str, number: int, before: Any, *, odd: int = 1
) -> tuple[Any, tuple[Move, ...]]:
    """The record of a round and the moves that will be tried in it; `before` is the record of the round before."""
    rng = Random(f"{seed}/{table}/{game}/{number}")  # noqa: S311 - the same rounds for the same seed, not a lottery
    bare = table_before(game, before)
    at = TOLD[game].begin(bare)
    if isinstance(at.felt, DiceFelt):
        at = Position(at.state, replace(at.felt, places=PLAYERS))
    at, moves = play_round(game, at, rng, odd=odd)
    told = TOLD[game]
    fields = {name: getattr(bare, name) for name in ("settings", "limits")}
    settlement = told.settlement_of(at)
    return told.record_of(at, settlement, table=table, round=number, **fields), moves


def table_before(game: str, before: Any = None) -> Any:
    """A simulated table between two rounds, as the record of a round that came to nothing."""
    bare = decode_any(msgspec.json.encode({"game": game, **_TABLES[game]}))
    day = FORMS[game].day
    if day is None or before is None:
        return bare
    left = day.left_by(before, *settled(before))
    return msgspec.structs.replace(day.continued(msgspec.structs.replace(bare, runs=None), left), stopped=None)


def play_round(game: str, at: Position[Any], rng: Random, *, odd: int = 1) -> tuple[Position[Any], tuple[Move, ...]]:
    """Play a round to its end by legal moves; returns the table then, and every move that was tried, also in vain."""
    people, told = PEOPLE[game], TOLD[game]
    deck = shuffled(DECK * people.decks, SeededChance(rng))
    tried: list[Move] = []
    while at.state not in told.over - {"inspector_notified"} and len(tried) < MOST_MOVES:
        move = people.choose(told.play.legal_moves(at), at.felt, rng, deck, odd)
        tried.append(move)
        try:
            at = told.play.step(at, move)
        except MoveRefused:
            continue
    return at, tuple(tried)
