"""What an act leads to at a hosted table, and where the acts of its limits and people meet its felt."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from rules.games.sic_bo import Felt as DiceFelt
from rules.games.sic_bo.layout import AREAS
from rules.play import Move, MoveRefused, Position
from rules.tables import ActRefused, Due, Entry, Player, Step, Table, wagered
from tablelink.core.floor.given import Act, NotUnderstood
from tablelink.core.floor.value import Floor
from tablelink.core.hosting import Statement


@dataclass(frozen=True, slots=True)
class Changed:
    """A table after something was said at it: what people are told, what is written down, and a round's statement."""

    floor: Floor
    told: tuple[Due, ...] = ()
    written: tuple[Entry, ...] = ()
    statement: Statement | None = None
    record: Any = None
    revised: Statement | None = None
    """What an earlier round's statement is from now on, with its ``record``, where something was found about it."""


def stepped(floor: Floor, step: Step[Any]) -> Changed:
    """The table after a step of its limits and people, with the moves that the round in progress makes for it.

    Always only where the player has a wager: a move about wagers that are none is not made.
    """
    at, lying = floor.at, in_play(floor)
    for move in step.moves:
        if move.name in {"void_wagers", "find_invalid"} and move.seat not in lying:
            continue
        try:
            at = floor.play.step(at, move)
        except MoveRefused:
            if move.name not in {"direct_first", "direct_english"}:
                raise
            continue  # It comes too late for this round: from the next on the table's own directions hold.
    return Changed(replace(floor, around=step.table, at=at), step.told, step.written)


def in_play(floor: Floor) -> frozenset[int]:
    """The areas with a wager in play, those that earlier rounds left among them."""
    felt = floor.at.felt
    lying = frozenset() if floor.stated and not isinstance(felt, DiceFelt) else wagered(felt)
    return lying | {each.seat for each in felt.still_open} if isinstance(felt, DiceFelt) else lying


def cleared(floor: Floor, areas: tuple[int, ...]) -> Floor:
    """The table with every wager of some areas taken off the layout; before the round of play alone."""
    at = floor.at
    for move in _offs(floor, areas):
        at = floor.play.step(at, move)
    return replace(floor, at=at)


def _offs(floor: Floor, areas: tuple[int, ...]) -> Iterator[Move]:
    """The moves that take the wagers of some areas off."""
    felt = floor.at.felt
    name = "refuse_wager" if "refuse_wager" in floor.play.places else "take_back"
    if isinstance(felt, DiceFelt):
        for player in felt.players:
            if player.seat in areas:
                yield from (Move(name, player.seat, each) for each in dict.fromkeys(bet.wager for bet in player.wagers))
        return
    for seat in felt.seats:
        if seat.seat in areas:
            for area in ("tie", "initial", "pair_plus", "aces_up", "ante"):
                field = "side_cents" if area in {"pair_plus", "aces_up"} else f"{area}_cents"
                if getattr(seat, field, None) is not None and area in _areas(felt):
                    yield Move(name, seat.seat, area)


def _areas(felt: Any) -> tuple[str, ...]:
    book = getattr(felt, "BOOK", None)
    return ("tie", "initial", "ante") if book is None else tuple(book.areas)


def staked_cents(floor: Floor, area: int, wager: str) -> int:
    """How much lies on an area of the layout; raises ``ActRefused`` where nothing does."""
    felt, row = floor.at.felt, floor.around.provisions
    cents: int | None = None
    if isinstance(felt, DiceFelt):
        if wager in AREAS:
            cents = sum(bet.cents for bet in felt.player(area).wagers if bet.wager == wager)
    else:
        side = wager in {"pair_plus", "aces_up"}
        for seat in felt.seats:
            if seat.seat == area:
                cents = getattr(seat, "side_cents" if side else f"{wager}_cents", None)
    if not cents:
        raise ActRefused(row.refuse or row.sign, f"there is no wager on the {wager} area of seat {area}")
    return cents


def player_of(table: Table[Any], name: str) -> Player[Any] | None:
    """A player of a table by name."""
    return next((each for each in table.players if each.player == name), None)


def one_of(act: Act, place: int, *known: str) -> str:
    """A word of an act, where it is one of those known; raises ``NotUnderstood``."""
    word = act.words[place] if len(act.words) > place else ""
    if word not in known:
        raise NotUnderstood("words", word, f"not one of {', '.join(known)}")
    return word


def only(act: Act, *known: str) -> frozenset[str]:
    """The words of an act, where all are known; raises ``NotUnderstood`` naming the first that is not."""
    for word in act.words:
        if word not in known:
            raise NotUnderstood("words", word, f"not one of {', '.join(known)}")
    return frozenset(act.words)


def area_of(act: Act) -> int:
    """The area an act is about; raises ``NotUnderstood`` where it names none."""
    if len(act.areas) != 1:
        raise NotUnderstood("areas", " ".join(map(str, act.areas)), "one area, or seat, is named")
    return act.areas[0]


def fresh(floor: Floor) -> Position[Any]:
    """Where a table stands with new cards, or covered dice."""
    return floor.play.begin(floor.at.felt)
