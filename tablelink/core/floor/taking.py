"""What becomes of a hosted table that people drive, when something is said at it.

``take`` leads from one table to the next and is all that a spool keeps the story of; what is refused changes nothing.
Always the same from the same words at the same moments. Knows no clock: moments are told.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final, assert_never

from rules.games import GAMES
from rules.games.caribbean_stud import Felt as StudFelt
from rules.games.three_card_poker import Felt as ThreeCardFelt
from rules.play import Move, MoveRefused, Position
from rules.tables import (
    ActRefused,
    Due,
    Entry,
    Placing,
    Table,
    advance,
    begin_round,
    coming,
    lay_around,
    placing_refused,
)
from rules.tables.wagers import DEALER
from tablelink.core.floor.acts import ACTS, act
from tablelink.core.floor.colour_checks import buttons, check_issued, check_second
from tablelink.core.floor.effects import Changed
from tablelink.core.floor.given import Act, Made, NotUnderstood, Said, Tick, Undo
from tablelink.core.floor.reports import reported, told_when_found
from tablelink.core.floor.supervising import go_on
from tablelink.core.floor.value import Floor, Opened, approved_of, new_felt, shared
from tablelink.core.hosting import words
from tablelink.core.moves import TOLD

SUPERVISED: Final = {
    "void_wagers": "find_device",
    "exclude": "find_device",
    "direct_first": "direct",
    "direct_apart": "direct",
    "direct_english": "direct",
    "final_call": "closing",
    "close_table": "close",
}
"""The moves that follow from an act, which says who decided it, and why."""
PLACES: Final = frozenset({"place", "place_streak", "call_bet"})
"""The moves that put a wager on the layout."""
NAMED: Final = frozenset({"invalidate"})
"""The moves of a casino supervisor that nobody makes without a name and a reason (CSP 16.5)."""

Refused = (ActRefused, MoveRefused, NotUnderstood)
"""What ``take`` raises for what cannot be."""


def take(floor: Floor, given: Said, at_us: int) -> Changed:
    """The table after something was said at it at a moment, what people are told, and what is written down.

    Never changes anything where it is refused: raises ``ActRefused``, ``MoveRefused`` or ``NotUnderstood``.
    """
    at_us = max(at_us, floor.around.now_us)
    aged, told = _aged(floor, at_us)
    match given:
        case Tick():
            changed = Changed(_laid(replace(aged, before=None if told else aged.before), at_us))
        case Undo():
            changed = _undone(aged, at_us)
        case Made():
            changed = _made(_laid(aged, at_us), given, at_us)
            kept = aged if changed.statement is None and not told else None
            changed = replace(changed, floor=replace(changed.floor, before=kept))
        case Act():
            if given.name not in ACTS:
                raise NotUnderstood("name", given.name, f"no act; known are {', '.join(ACTS)}")
            changed = act(aged, given, at_us)
            changed = replace(changed, floor=_laid(replace(changed.floor, before=None), at_us))
        case _:
            assert_never(given)
    return replace(changed, told=(*told, *changed.told))


def closed_floor(game: str, name: str, approved: str, at_us: int, last: int = 0) -> Floor:
    """A table nobody has opened yet; raises ``RecordError`` for a file that states what cannot be."""
    terms = approved_of(game, approved)
    around = Table(GAMES[game].book, terms.limits, at_us, state="closed", settings=shared(terms.settings))
    at = TOLD[game].play.begin(new_felt(game, terms, Opened()))
    return laid_out(Floor(game, name, around, at, approved, last=last))


def next_due_us(floor: Floor) -> int | None:
    """When something is due at the table next, by the signs on display; ``None`` where nothing is."""
    times = [each.at_us for each in floor.around.posted if each.at_us > floor.around.now_us]
    return min(times, default=None)


def _aged(floor: Floor, at_us: int) -> tuple[Floor, tuple[Due, ...]]:
    """The table at a later moment, and what is told of the signs whose time has come."""
    before = floor.around
    step = advance(before, at_us)
    row, told = before.provisions, list(step.told)
    for posted in before.posted:
        if not before.now_us < posted.at_us <= at_us:
            continue
        if posted.what == "closing":
            told.append(Due("casino supervisor", row.close, "may close the table: the proposed time has come"))
        elif posted.what == "minimum":
            told.append(Due("dealer", row.alter, "the limits on the sign hold from now on"))
        else:
            told.append(
                Due("dealer", row.old_minimum or row.alter, "the new old minimum on its sign holds from now on")
            )
    return replace(floor, around=step.table), tuple(told)


def laid_out(floor: Floor) -> Floor:
    """The table with its limits and people on the felt, as of its last moment."""
    return _laid(floor, floor.around.now_us)


def _laid(floor: Floor, at_us: int) -> Floor:
    """The table with its limits and people on the felt."""
    if floor.stated:
        return floor
    now = coming(floor.around, floor.port, at_us)
    return replace(floor, at=Position(floor.at.state, lay_around(now, floor.around, floor.at.felt)))


def _undone(floor: Floor, at_us: int) -> Changed:
    """The table as it was before the last move of the round; what was said around it since stands for good."""
    if floor.before is None:
        raise ActRefused(
            f"{floor.around.book} 1.1", "the last that was said is no move of this round, and acts are not undone"
        )
    before = floor.before
    around = replace(before.around, now_us=floor.around.now_us)
    entry = Entry("undone", at_us, "", floor.dealer, f"the table was at {floor.at.state.replace('_', ' ')}")
    return Changed(_laid(replace(before, around=around), at_us), (), (entry,))


def _made(floor: Floor, given: Made, at_us: int) -> Changed:
    """The table after a move of the round."""
    row = floor.around.provisions
    move = filled(floor, given.move)
    if floor.around.state == "closed" and not (floor.stated and move.name == "rectify"):
        raise MoveRefused(move, row.close, "the table is closed: open")
    if move.name in SUPERVISED:
        rule = floor.play.places.get(move.name, row.sign)
        raise MoveRefused(move, rule, f"that is somebody's word: say it as {SUPERVISED[move.name]} ... by NAME")
    _check_named(floor, given, move)
    if move.name in PLACES:
        _check_placing(floor, given, move, at_us)
        check_issued(floor, given, move)
    check_second(floor, move)
    at, around = floor.play.step(floor.at, move), floor.around
    after = replace(floor, at=at, reports=reported(floor, given, move, at_us))
    reports, dues = told_when_found(after, move, at_us)
    after = replace(after, reports=reports)
    if after.begun and around.state == "open" and not floor.begun:
        around = begin_round(around, at_us).table
    elif not after.begun and around.state == "in_round" and not floor.stated:
        around = replace(around, state="open")
    written: tuple[Entry, ...] = ()
    if given.person and move.name not in PLACES:
        arrow = floor.play.arrow(floor.at.state, move.name)
        rule = "" if arrow is None else arrow.rule
        reason = given.reason or words(move)
        written = (Entry(move.name, at_us, rule, given.person, reason, "", move.seat, move.area or "", move.cents),)
    told = (*dues, *buttons(floor.at.felt, at.felt))
    return Changed(go_on(replace(after, around=around)), told, written)


def _check_named(floor: Floor, given: Made, move: Move) -> None:
    """Raise ``MoveRefused`` for a casino supervisor's move without a name and a reason."""
    if move.name not in NAMED:
        return
    for name in ("person", "reason"):
        if not getattr(given, name).strip():
            said = "by NAME because WHY"
            raise MoveRefused(move, floor.play.places[move.name], f"{name}: missing: {move.name} {said}")


def _check_placing(floor: Floor, given: Made, move: Move, at_us: int) -> None:
    """Raise ``MoveRefused`` for a wager that is not the player's own to place there (5.8, 5.9, 16.1, 14.13)."""
    if move.seat is None:
        return  # The machine says that the seat is missing.
    player = given.player or floor.player_at(move.seat)
    by = given.person or player or DEALER
    placing = Placing(move.seat, player, by, given.claim, given.stake_of, only_helped=given.only_helped)
    refused = placing_refused(floor.around, placing, floor.port, at_us)
    if refused is not None:
        raise MoveRefused(move, refused.rule, refused.reason)


def filled(floor: Floor, move: Move) -> Move:
    """A move with the seat, area and amount that it can only have, where it names none.

    Always the amount of a bet or play wager that the rules ask for: another one is placed by naming it.
    """
    legal: Sequence[Move] = floor.play.legal_moves(floor.at)
    same = [each for each in legal if each.name == move.name]
    if move.seat is not None:
        same = [each for each in same if each.seat == move.seat]
    if move.area is not None:
        same = [each for each in same if each.area == move.area]
    if len(same) == 1:
        (only,) = same
        move = replace(
            move,
            seat=only.seat if move.seat is None else move.seat,
            area=only.area if move.area is None else move.area,
            cents=only.cents if move.cents is None else move.cents,
        )
    return replace(move, cents=_usual_cents(floor.at.felt, move)) if move.cents is None else move


def _usual_cents(felt: Any, move: Move) -> int | None:
    """What a bet (CSP 5.6) or play wager (TCP 8.5) must be."""
    times = 0
    if isinstance(felt, StudFelt) and move.name in {"bet", "correct_bet"}:
        times = 2
    elif isinstance(felt, ThreeCardFelt) and move.name == "play":
        times = 1
    ante = next((seat.ante_cents for seat in felt.seats if seat.seat == move.seat), None) if times else None
    return None if ante is None else times * ante
