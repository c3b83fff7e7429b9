"""A table that plays one game by itself, on no link: rounds one after another, each move by move, each settled once.

A hosted table is a value; ``begun``, ``moved`` and ``ended`` lead from one to the next and are all that a spool keeps.
Knows no file, no time and no device.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from rules.games import GAMES
from rules.play import Move, MoveRefused, Position
from rules.readback import settle_any, settle_record, settled_differences
from rules.records import FORMS, RecordError, RoundRecord, faults_of, game_of, schedules_of
from rules.records.answers import answer
from rules.rounds import RoundError, Settlement
from tablelink.core.moves import TOLD


class HostingError(ValueError):
    """A step that the table as it stands cannot take, such as a second round before the first has ended."""


@dataclass(frozen=True, slots=True)
class UnderWay:
    """A round that is played: its number, what the devices know of it, how far it is, and by how many moves."""

    number: int
    record: Any
    """The whole round as devices have it; what of it is not turned yet nobody at the table knows."""
    notes: tuple[str, ...]
    at: Position[Any]
    moves: int = 0


@dataclass(frozen=True, slots=True)
class Hosted:
    """A hosted table: its game, the last number that is done with, and the round under way."""

    game: str
    last: int = 0
    under_way: UnderWay | None = None

    @property
    def edition(self) -> str:
        """The edition of the rules it plays by."""
        return GAMES[self.game].edition


@dataclass(frozen=True, slots=True)
class Statement:
    """What a round came to: the answer that ``python -m rules settle`` gives, and its money added up."""

    number: int
    said: Mapping[str, Any]
    staked_cents: int
    paid_cents: int
    returned_cents: int


@dataclass(frozen=True, slots=True)
class Refusal:
    """A round that was never begun: what is wrong with it, each fault as ``settle`` says one."""

    number: int
    faults: tuple[Mapping[str, Any], ...]
    by_rule: bool = False
    """Whether the machine refused one of its moves."""


def begun(table: Hosted, number: int, record: Any, notes: tuple[str, ...] = ()) -> Hosted:
    """The table with a round begun; raises ``HostingError`` for a number that is done with, or a round under way."""
    if table.under_way is not None or number <= table.last:
        raise HostingError(f"round {number} cannot begin: {table.last} is done, {_under_way(table)} is played")
    return replace(table, under_way=UnderWay(number, record, notes, TOLD[table.game].begin(record)))


def moved(table: Hosted, move: Move) -> Hosted:
    """The table after a move.

    Never changes anything where the move is refused: raises ``MoveRefused`` with its rule, ``HostingError`` where no
    round is played.
    """
    now = _played(table)
    at = TOLD[table.game].play.step(now.at, move)
    return replace(table, under_way=replace(now, at=at, moves=now.moves + 1))


def ended(table: Hosted) -> tuple[Hosted, Statement]:
    """The table once its round is over, and the round's statement.

    Always a statement that the moves came to: raises ``HostingError`` before the round is over, or where the round that
    was played settles otherwise than its record.
    """
    now, told = _played(table), TOLD[table.game]
    if now.at.state not in told.over:
        raise HostingError(f"round {now.number} is not over: the table is at {now.at.state.replace('_', ' ')}")
    statement, settlement = stated(now.number, now.record, now.notes)
    own = told.settlement_of(now.at, schedules_of(now.record), _forfeits(now.record))
    if _money(own) != _money(settlement):
        raise HostingError(f"round {now.number} as played settles otherwise than its record")
    return replace(table, last=now.number, under_way=None), statement


def refused(table: Hosted, refusal: Refusal) -> Hosted:
    """The table that is done with a round it never began; raises ``HostingError`` as ``begun`` does."""
    if table.under_way is not None or refusal.number <= table.last:
        raise HostingError(f"round {refusal.number} cannot be refused: {table.last} is done")
    return replace(table, last=refusal.number)


def rehearsed(table: Hosted, number: int, record: Any) -> Refusal | None:
    """Why a recorded round cannot be played at this table, if it cannot: nothing of such a round is done.

    The faults are those that ``settle`` finds, then the first move that the machine refuses, with its rule.
    """
    try:
        _check_hosted(table, record)
        _, settlement = settled(record)
        differences = tuple(settled_differences(record, settlement))
        if differences:
            return Refusal(number, tuple([_fault(each.field, each.value, each.reason) for each in differences]))
        after = begun(replace(table, last=0, under_way=None), number, record)
        for move in TOLD[table.game].moves_of(record):
            after = moved(after, move)
        ended(after)
    except RecordError as error:
        return Refusal(number, (_fault(error.field, error.value, error.reason),))
    except MoveRefused as error:
        said = _fault("moves", words(error.move), ": ".join(part for part in (error.rule, error.reason) if part))
        return Refusal(number, (said | {"rule": error.rule},), by_rule=True)
    except (HostingError, RoundError) as error:
        return Refusal(number, (_fault("moves", "", str(error)),))
    return None


def stated(number: int, record: Any, notes: tuple[str, ...] = ()) -> tuple[Statement, Settlement]:
    """The statement of a record and its settlement; raises ``RecordError`` where it cannot be settled."""
    round_, settlement = settled(record)
    form = FORMS[game_of(record)]
    said = answer(record, round_, settlement, form.shown(round_, settlement))
    if form.day is not None:
        said |= form.day.said(form.day.left_by(record, round_, settlement))
    if isinstance(record, RoundRecord):
        said |= {"qualifying": settlement.qualifying, "left_face_up": settlement.left_face_up}
    said |= {"rulings": dict(settlement.rulings), "notes": (*notes, *settlement.notes)}
    lines = settlement.lines
    return Statement(
        number,
        said,
        sum(line.stake_cents for line in lines),
        sum(line.paid_cents for line in lines),
        sum(line.returned_cents for line in lines),
    ), settlement


def settled(record: Any) -> tuple[Any, Settlement]:
    """The round of a record and its settlement, whatever went wrong in it; raises ``RecordError``."""
    return settle_record(record) if isinstance(record, RoundRecord) else settle_any(record)


def words(move: Move) -> str:
    """A move in words, cards and amounts too.

    >>> words(Move("place", 1, "small", 500))
    'place seat 1 small 500'
    """
    seat = None if move.seat is None else f"seat {move.seat}"
    cards = None if move.cards is None else "cards " + " ".join(map(str, move.cards))
    parts = (move.name, seat, move.area, move.cents, cards)
    return " ".join(str(part) for part in parts if part is not None)


def _check_hosted(table: Hosted, record: Any) -> None:
    if game_of(record) != table.game:
        raise RecordError("game", game_of(record), f"this table plays {table.game}")
    if isinstance(record, RoundRecord) and record.jackpot is not None:
        raise RecordError("jackpot", "", "a table without a link has none")


def _played(table: Hosted) -> UnderWay:
    if table.under_way is None:
        raise HostingError("no round is played")
    return table.under_way


def _under_way(table: Hosted) -> str:
    return "none" if table.under_way is None else str(table.under_way.number)


def _money(settlement: Settlement) -> tuple[Any, ...]:
    """What two settlements of one round have to agree on: a record may name a rule more, as of an absent player."""
    return tuple([replace(line, rules=()) for line in settlement.lines]), settlement.still_open


def _forfeits(record: Any) -> tuple[Any, ...]:
    if isinstance(record, RoundRecord):
        return faults_of(record).forfeits
    return tuple(getattr(FORMS[game_of(record)].to_round(record), "forfeits", ()))


def _fault(field: str, value: str, reason: str) -> dict[str, Any]:
    return {"field": field, "value": value, "error": reason}
