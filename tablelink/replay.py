"""A file of recorded rounds (`rounds.jsonl`) as a device: line after line, as the records say (`rules.records`)."""

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import msgspec

from jackpot.wire.settings import TableSettings
from rules.records import RecordError, decode_record, to_round
from rules.rounds import Round
from tablelink.core.inputs import Placed
from tablelink.errors import TableError
from tablelink.scripted import Plan, PlannedSeat, ScriptedTable

ROUNDS: Literal["record"] = "record"
"""The kind of line that is a round; an export has others, which are passed over."""


class _Kind(msgspec.Struct):
    kind: str = ROUNDS


_kind = msgspec.json.Decoder(_Kind)


def recorded_table(path: Path, table: str, approved: TableSettings) -> ScriptedTable:
    """A device that plays the rounds of a file, the first line that is a round as round 1.

    Raises TableError naming the line where one cannot be read, and where a round lacks cards that the table's own
    capture needs.
    """
    plans = tuple(_plans(path, approved))
    if not plans:
        raise TableError(f"There is no round in {path}.", code="no_rounds")

    def plan_of(number: int) -> Plan:
        if not 1 <= number <= len(plans):
            raise TableError(f"{path} has {len(plans)} rounds, not {number}.", code="no_rounds")
        return plans[number - 1]

    return ScriptedTable(
        plan_of,
        device=approved.device,
        capture=approved.capture,
        last_round=len(plans),
        dealer=f"dealer of {table}",
    )


def _plans(path: Path, approved: TableSettings) -> Iterator[Plan]:
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise TableError(f"{path} cannot be read: {error.strerror}.", code="no_rounds") from error
    for number, line in enumerate(lines, start=1):
        try:
            if not line.strip() or _kind.decode(line).kind != ROUNDS:
                continue
            played = to_round(decode_record(line))
        except (RecordError, msgspec.DecodeError) as error:
            raise TableError(f"{path}, line {number}: {error}", code="record_unreadable") from error
        if approved.capture == "full" and not _all_seen(played):
            raise TableError(
                f"{path}, line {number}: not every card is on the record, and this table reads every card.",
                code="cards_not_seen",
            )
        yield _plan(played)


def _all_seen(played: Round) -> bool:
    return played.dealer is not None and all(seat.cards is not None and seat.decision for seat in played.seats)


def _plan(played: Round) -> Plan:
    return Plan(
        played.dealer,
        tuple(
            PlannedSeat(
                Placed(seat.seat, seat.ante_cents, seat.jackpot_cents or 0, seat.jackpot_cents or 0),
                seat.cards,
                seat.decision,
                seat.bet_cents,
            )
            for seat in sorted(played.seats, key=lambda seat: seat.seat)
        ),
    )
