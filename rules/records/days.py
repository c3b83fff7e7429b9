"""What the rounds of a file leave on their tables for the next ones of it, in games whose wagers outlast a round.

A line that says itself what is in play is taken at its word; one that does not goes on from the line before of its
table, by game and table's name. Knows no game: each says with its form how its rounds follow from one another.
"""

from dataclasses import dataclass, field
from typing import Any

from rules.records import FORMS, AnyRecord, game_of
from rules.rounds import Settlement


@dataclass(slots=True)
class Day:
    """The rounds of one file so far."""

    _left: dict[tuple[str, str | None], tuple[int, Any]] = field(default_factory=dict)
    """For each game and table the line of its last round, and what that left."""
    _bad_line: int = 0

    def bad(self, line: int) -> None:
        """Note a line whose round is not known: whose table it was of, nobody can say."""
        self._bad_line = line

    def continued(self, record: AnyRecord) -> tuple[AnyRecord, tuple[str, ...]]:
        """A record with what the line before of its table left, and what people must know of that."""
        form = FORMS[game_of(record)].day
        before = self._left.get((game_of(record), record.table))
        if form is None or before is None:
            return record, ()
        line, left = before
        whole: AnyRecord = form.continued(record, left)
        if whole == record or line > self._bad_line:
            return whole, ()
        reason = f"line {self._bad_line} was not settled: what is in play is as line {line} left it"
        return whole, (reason,)

    def after(self, line: int, record: AnyRecord, round_: Any, settlement: Settlement) -> dict[str, Any]:
        """What a settled round leaves, to be said with its answer, and to go on from."""
        form = FORMS[game_of(record)].day
        if form is None:
            return {}
        left = form.left_by(record, round_, settlement)
        self._left[game_of(record), record.table] = (line, left)
        return form.said(left)
