"""The spool of a hosted table that people drive: what was said at it, what they were told, what was written down.

**Always** on the disk, with the statement it led to, before anybody is told of it: all of it or nothing. A restart
takes what was said again, from the last round's end on, at the moments at which it was said.
"""

from typing import Any

import msgspec

from rules.play import MoveRefused
from rules.records import RecordError, decode_any
from rules.tables import wagered
from tablelink.core.floor import (
    Changed,
    Floor,
    Refused,
    Said,
    closed_floor,
    take,
)
from tablelink.core.floor.value import Reports
from tablelink.hosted_forms import decode_floor, decode_given, encode_floor, encode_given
from tablelink.hosted_notices import Notice, notice_of
from tablelink.hosted_replay import other_rounds
from tablelink.hosted_spool import DAY_US, HostedSpool, revised_row, statement_row
from tablelink.spool_file import damaged, proof_of

__all__ = ["FloorSpool"]

Write = tuple[str, tuple[Any, ...]]
"""A statement by its name, and its values."""

_encode = msgspec.json.Encoder().encode


class FloorSpool(HostedSpool):
    """An open spool of a table that people drive. One caller at a time, from any thread."""

    def floor(self, approved: str, at_us: int) -> Floor:
        """Return the table as it was left, or as nobody has opened it yet.

        **Always** what it was when the last write returned. Raises TableError for a spool that leads nowhere, or holds
        a round of planned people that is under way; RecordError for approved settings that cannot be.
        """
        if self._row("under_way")["steps"]:
            raise other_rounds(self._row("last")["number"] + 1, "people: it is under way")
        stand = self._rows("stand")
        if not stand:
            floor = closed_floor(
                self._game, self._row("own")["table_name"], approved, at_us, self._row("last")["number"]
            )
            self._write_all([_stand(floor)])
            return floor
        kept = stand[0]
        self._check("the table between two rounds", kept["proof"], kept["body"])
        try:
            floor = decode_floor(kept["body"])
            for row in self._rows("given_after", (kept["place"],)):
                self._check("something that was said", row["proof"], _moment(row["at_us"]), row["body"])
                floor = take(floor, decode_given(row["body"]), row["at_us"]).floor
        except (*Refused, MoveRefused, RecordError, msgspec.DecodeError, ValueError) as error:
            raise damaged(self.path, f"what was said cannot be taken again: {error}") from error
        return floor

    def put(self, number: int, given: Said, at_us: int, changed: Changed) -> None:
        """Put what was said on the disk, with all that it led to; it is durable when this returns."""
        body = encode_given(given)
        writes: list[Write] = [("put_given", (number, at_us, body, proof_of(_moment(at_us), body)))]
        for kind, notices in (("told", changed.told), ("written", changed.written)):
            bodies = map(_encode, notices)
            writes += [("put_notice", (number, at_us, kind, each, proof_of(kind.encode(), each))) for each in bodies]
        if changed.statement is not None:
            row = statement_row(changed.record.edition, changed.record, changed.statement, at_us)
            writes.append(("put_statement", row))
        if changed.revised is not None:
            writes.append(("revise_statement", revised_row(changed.record, changed.revised)))
        if between_rounds(changed.floor):
            writes.append(_stand(changed.floor))
        self._write_all(writes)

    def record(self, number: int) -> Any:
        """Return a round as it was stated; ``None`` where it has no statement, or was refused."""
        kept = self.kept(number)
        return None if kept is None or kept.record is None else decode_any(kept.record)

    def set_approved(self, floor: Floor) -> None:
        """Put on the disk that a closed table has other approved settings."""
        self._write_all([_stand(floor)])

    def notices(self, most: int) -> list[Notice]:
        """Return the last notices, the newest last."""
        return [notice_of(self.path, row) for row in self._rows("last_notices", (most,))]

    def prune(self, keep_days: int) -> int:
        """Delete what was said in rounds that ended so many days ago; statements and notices stay."""
        self._write_all([("prune_given", (self._now_us() - keep_days * DAY_US,))])
        return super().prune(keep_days)


def _stand(floor: Floor) -> Write:
    body = encode_floor(floor)
    return "put_stand", (body, proof_of(body))


def _moment(at_us: int) -> bytes:
    return str(at_us).encode()


def between_rounds(floor: Floor) -> bool:
    """Whether a table stands between two rounds as its bytes can tell: nothing lies on the felt of a round to come."""
    here = floor.before is None and not (floor.begun or floor.stated or floor.left or floor.reports != Reports())
    return here and not wagered(floor.at.felt)
