"""Who sits down, moves, waits and leaves at a hosted table that people drive."""

from dataclasses import replace
from typing import Any, Final, get_args

from rules.games.ante_play.felt import Felt as AntePlayFelt
from rules.games.caribbean_stud import Felt as StudFelt
from rules.games.sic_bo import Felt as DiceFelt
from rules.tables import (
    ActRefused,
    Answer,
    ask_for_seat,
    change_seat,
    give_up_area,
    join,
    leave,
    limit_players,
    reserve,
    take_area,
    wait_for_seat,
)
from tablelink.core.floor.colour_checks import carried, check_redeemed
from tablelink.core.floor.effects import Changed, area_of, in_play, one_of, player_of, stepped
from tablelink.core.floor.given import Act
from tablelink.core.floor.value import Floor

ANSWERS: Final[tuple[Answer, ...]] = get_args(Answer)
"""What the card system can say of a card."""


def join_(floor: Floor, act: Act, at_us: int) -> Changed:
    """Let a player sit down, with what the card system says of the card where it is said with it."""
    area = area_of(act)
    if act.words:
        floor = _told(floor, act)
    _check_free(floor, area)
    return stepped(floor, join(floor.around, act.player, area, floor.port, at_us))


def card(floor: Floor, act: Act, at_us: int) -> Changed:
    """Note what the card system says of a player's card: valid, not_own, suspended, excluded and so on."""
    del at_us
    return Changed(_told(floor, act))


def _told(floor: Floor, act: Act) -> Floor:
    answer: Any = one_of(act, 0, *ANSWERS)
    return replace(floor, cards={**floor.cards, act.player: answer})


def _check_free(floor: Floor, area: int) -> None:
    """Raise ``ActRefused`` where a wager of who was there before is still in play."""
    row = floor.around.provisions
    if area in in_play(floor) and floor.around.at(area) is None:
        raise ActRefused(row.one_wager or row.sign, f"area: {area}: a wager is in play there")


def leave_(floor: Floor, act: Act, at_us: int) -> Changed:
    """Let a player leave.

    In Sic Bo one with a Loss Limit declares the chips that remain first (SIC 9.2.3), and colour checks are redeemed
    (3.7): who comes next would have them.
    """
    areas = _to_leave(floor, act.player)
    changed = stepped(floor, leave(floor.around, act.player, at_us))
    return replace(changed, floor=_gone(changed.floor, areas))


def _to_leave(floor: Floor, player: str) -> tuple[int, ...]:
    """The areas of a player who is to leave; raises ``ActRefused`` for one who has something to declare or redeem."""
    who = player_of(floor.around, player)
    areas = () if who is None else who.areas
    _check_declared(floor, areas)
    check_redeemed(floor, areas)
    return areas


def _check_declared(floor: Floor, areas: tuple[int, ...]) -> None:
    felt = floor.at.felt
    if isinstance(felt, DiceFelt) and any(felt.player(area).loss_limit is not None for area in areas):
        raise ActRefused("SIC 9.2.3", "a player with a Loss Limit declares the chips that remain: declare_remaining")


def _gone(floor: Floor, areas: tuple[int, ...]) -> Floor:
    """The table after players left areas: no warning and no direction is handed on to who comes."""
    left = frozenset(areas)
    if left & in_play(floor):
        return replace(floor, left=floor.left | left)
    return replace(floor, at=replace(floor.at, felt=without_directions(floor.at.felt, left)))


def without_directions(felt: Any, left: frozenset[int]) -> Any:
    """A felt without what was directed about players who have left, and without their warnings."""
    if isinstance(felt, StudFelt | AntePlayFelt):
        felt = replace(
            felt, barred=tuple([each for each in felt.barred if each[0] not in left]), first=felt.first - left
        )
    if isinstance(felt, AntePlayFelt):
        felt = replace(felt, warned={seat: times for seat, times in felt.warned.items() if seat not in left})
    return felt


def change(floor: Floor, act: Act, at_us: int) -> Changed:
    """Let a player change to a free seat."""
    area, who = area_of(act), player_of(floor.around, act.player)
    _check_free(floor, area)
    if who is not None and who.box in in_play(floor):
        row = floor.around.provisions
        raise ActRefused(row.one_wager or row.sign, f"area: {who.box}: a wager is in play there")
    _check_declared(floor, () if who is None else (who.box,))
    changed = stepped(floor, change_seat(floor.around, act.player, area, at_us))
    gone = _gone(changed.floor, () if who is None else (who.box,))
    felt = gone.at.felt if who is None else carried(gone.at.felt, who.box, area)
    return replace(changed, floor=replace(gone, at=replace(gone.at, felt=felt)))


def take_(floor: Floor, act: Act, at_us: int) -> Changed:
    """Let a player have one more area."""
    _check_free(floor, area_of(act))
    return stepped(floor, take_area(floor.around, act.player, area_of(act), at_us))


def give_up(floor: Floor, act: Act, at_us: int) -> Changed:
    """Let a player give up one of several areas, on which no wager of his lies."""
    area, row = area_of(act), floor.around.provisions
    if area in in_play(floor):
        raise ActRefused(row.give_up or row.sign, f"area: {area}: a wager is in play there")
    return stepped(floor, give_up_area(floor.around, act.player, area, at_us))


def wait(floor: Floor, act: Act, at_us: int) -> Changed:
    """Note that somebody waits for a seat."""
    return stepped(floor, wait_for_seat(floor.around, act.player, at_us))


def reserve_(floor: Floor, act: Act, at_us: int) -> Changed:
    """Reserve areas for the sole use of a player."""
    return stepped(floor, reserve(floor.around, act.player, act.areas, act.person, at_us))


def players(floor: Floor, act: Act, at_us: int) -> Changed:
    """Limit how many may play."""
    return stepped(floor, limit_players(floor.around, area_of(act), act.person, at_us))


def ask(floor: Floor, act: Act, at_us: int) -> Changed:
    """Require who abstained for three rounds at a full table to vacate."""
    areas = _to_leave(floor, act.player)
    changed = stepped(floor, ask_for_seat(floor.around, act.player, act.person, at_us))
    return replace(changed, floor=_gone(changed.floor, areas))
