"""Casino War tables for the tests: wagered, dealt, and at named moments of a round."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from rules.cards import parse_cards
from rules.games.casino_war import PLAY, Felt, Limits, Seat
from rules.limits import Refused
from rules.play import Move, MoveRefused, Position
from rules.settings import CasinoWarSettings


def played(at: Position[Felt], *moves: Move) -> Position[Felt]:
    """The same table after these moves."""
    for move in moves:
        at = PLAY.step(at, move)
    return at


def table(device: str = "shoe", **changes: Any) -> Position[Felt]:
    """A table with checked and burned cards, open for wagers."""
    cutter = next(iter(changes.get("at_table", {})), None)
    ready = (Move("shuffle"), Move("cut", cutter)) if device == "shoe" else (Move("load"),)
    at = PLAY.begin(Felt(device, **changes))  # type: ignore[arg-type]
    return played(at, Move("check_cards"), *ready, Move("burn"))


def wagered(*wagers: str, device: str = "shoe", **changes: Any) -> Position[Felt]:
    """A table with these wagers, each as ``seat area cents``."""
    moves = [wager.split() for wager in wagers]
    placed = [Move("place", int(seat), area, int(cents)) for seat, area, cents in moves]
    return played(table(device, **changes), *placed)


def dealt(at: Position[Felt], cards: str) -> Position[Felt]:
    """The same table with these cards dealt, each to whom it goes."""
    for card in parse_cards(cards):
        (move,) = [move for move in PLAY.legal_moves(at) if move.name == "deal"]
        at = PLAY.step(at, replace(move, cards=(card,)))
    return at


BEGUN = ("2 initial 1000", "2 tie 500", "4 initial 1000", "6 initial 1000", "6 tie 500")


def staged(where: str) -> Position[Felt]:
    """A table at a named moment of the same round: seat 2 of the dealer's rank, 4 loses, 6 wins."""
    own = {9: Limits(initial_max_cents=40)}
    if where == "dealing":
        seats = [f"{number} initial 1000" for number in range(2, 8)]
        return dealt(wagered(*seats), "8c 8c 8c 8c 8c 8c")
    if where in ELSEWHERE:
        return ELSEWHERE[where]()
    at = wagered(*BEGUN, limits=Limits(initial_min_cents=100), own_limits=own)
    stages: dict[str, tuple[str, list[Move]]] = {
        "wagers": ("", []),
        "interim": ("8c 7c 9c 8s", []),
        "ties": ("", [Move("settle_tie", 6), Move("settle_tie", 2)]),
        "hands": ("", [Move("settle_hand", 6), Move("settle_hand", 4)]),
        "at_war": ("", [Move("war", 2, cents=1000)]),
        "second": ("9h 9d", []),
        "over": ("", [Move("settle_war", 2)]),
    }
    for name, (cards, moves) in stages.items():
        at = played(dealt(at, cards) if cards else at, *moves)
        if name == where:
            break
    return at


def one_dealt(device: str = "shuffler", **changes: Any) -> Position[Felt]:
    """A table with one of two cards dealt."""
    return dealt(wagered("2 initial 1000", device=device, **changes), "8c")


def offered() -> Position[Felt]:
    """A table with three players, of whom the one at area 4 came first, before the cut."""
    return played(
        PLAY.begin(Felt("shoe", at_table={4: "Ann", 1: "Bob", 7: "Cyd"})), Move("check_cards"), Move("shuffle")
    )


ELSEWHERE: dict[str, Callable[[], Position[Felt]]] = {
    "working": one_dealt,
    "failing": lambda: played(one_dealt(), Move("device_fails"), Move("find_damage")),
    "shuffled": offered,
    "declined": lambda: PLAY.step(offered(), Move("refuse_cut", 4)),
    "everyone": lambda: played(offered(), *(Move("refuse_cut", area) for area in (4, 7, 1))),
    "reserved": lambda: table(closed={3: Refused("WAR 5.9", "area 3 is reserved for Ann")}),
    "too_few": lambda: PLAY.step(one_dealt("shoe"), Move("reshuffle_discards")),
    "cutting": lambda: PLAY.step(one_dealt("shoe"), Move("cutting_card")),
    "collected": lambda: PLAY.step(staged("over"), Move("collect_cards")),
    "again": lambda: PLAY.step(one_dealt(settings=CasinoWarSettings(carded_play="all_games")), Move("find_invalid", 2)),
}


def refusal(at: Position[Felt], move: Move) -> str | None:
    """The rule that refuses a move, if it is refused."""
    try:
        PLAY.step(at, move)
    except MoveRefused as refused:
        return refused.rule
    return None


def placed(seats: tuple[Seat, ...]) -> dict[tuple[int, str], int]:
    """Every wager that lies on the layout."""
    return {
        (seat.seat, wager): cents
        for seat in seats
        for wager, cents in (("initial", seat.initial_cents), ("war", seat.war_cents), ("tie", seat.tie_cents))
        if cents is not None
    }
