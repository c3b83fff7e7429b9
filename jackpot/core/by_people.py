"""What did people do to a round that its table had not ended? Under which ids it stands, and how its table is told.

A table is told at its hello (PROTOCOL 1): a void of two people is an order like its own, and lost rows are not.
"""

from collections.abc import Sequence
from itertools import combinations

from jackpot.core.amendments import RecordTyped, VoidOpen
from jackpot.core.answers import VoidRecordedAnswer, decode_stored
from jackpot.core.commands import FIRST_REVISION, command_of
from jackpot.wire.ids import VOID_OF_TWO, message_id, void_kind
from jackpot.wire.messages import ByPeople, RecordAnswer, Void, VoidAnswer

__all__ = ["told_of", "under_ids"]

RoundPlace = tuple[str, int, str, int]
"""A round: its table, journal, gaming month and number."""


def under_ids(place: RoundPlace, seats: int) -> Sequence[str]:
    """Return the ids under which people void an open round of so many seats, or type its record in.

    A void of seats names them in its id: each that can be is asked for, and under the revision of the program before
    too, which its table may not have heard of before an upgrade. Those that forfeit (16.6) amend the round, and are
    found by their beginning.

    >>> [name.split("/", 4)[4] for name in under_ids(("T1", 1, "2026-11", 17), 1)]
    ['void/1', 'void/3', 'void.1/1', 'void.1/3', 'typed/1']
    """
    every = [each for count in range(seats + 1) for each in combinations(range(1, seats + 1), count)]
    revisions = (FIRST_REVISION, VOID_OF_TWO)
    voids = [message_id(*place, void_kind(seats_of), revision) for seats_of in every for revision in revisions]
    return [*voids, message_id(*place, "typed", FIRST_REVISION)]


def told_of(raw: bytes, answer: bytes) -> ByPeople | None:
    """Return what a table is told of a command that was decided so; None where it is its own, or changed nothing."""
    said, decided = command_of(raw).message, decode_stored(answer)
    match said, decided:
        case Void(), VoidAnswer() if said.second:
            return ByPeople("void", said.rule, said.by, said.second, said.seats)
        case VoidOpen(), VoidRecordedAnswer():
            return ByPeople("void", said.rule, said.by, said.second, [], list(decided.forfeited))
        case RecordTyped(), RecordAnswer():
            return ByPeople("record", "", said.by, said.second)
        case _:
            return None
