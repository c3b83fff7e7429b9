"""Can a stored batch be worked out anew from nothing but its commands? One batch after the other, from the first.

Knows neither Postgres nor files: an audit of the ledger and one of an export begin here.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import msgspec

from jackpot.core.accounts import BrokenInvariant
from jackpot.core.chain import Body, decode_body, digest
from jackpot.core.commands import Command, command_of
from jackpot.core.ports import Batch
from jackpot.core.replay import VERSIONS
from jackpot.core.state import LinkState
from jackpot.ledger.differences import Difference, shown
from jackpot.ledger.projection import Projection
from jackpot.wire.codec import FrameError
from rules.records import RecordError


@dataclass(frozen=True, slots=True)
class StoredBatch:
    """A row of the table `batch`."""

    batch: int
    time_us: int
    generation: int
    decide: int
    first_commit: int
    last_commit: int
    previous_digest: bytes
    digest: bytes
    body: bytes


@dataclass(slots=True)
class Replay:
    """A chain worked out anew, as far as it has been read."""

    chain: str
    state: LinkState = field(init=False)
    rows: Projection = field(init=False)

    def __post_init__(self) -> None:
        """Begin before the first batch."""
        self.state = LinkState(self.chain)
        self.rows = Projection(self.chain)

    def take(self, stored: StoredBatch, follower: bytes | None) -> Batch | Difference:
        """Work a batch out anew and take it in; or say what in it is not what it must be.

        `follower` is the previous digest that the next batch, or the head, names: it tells whether bytes or digest
        were changed.
        """
        head = self.state.head
        if stored.batch != head.batch + 1:
            return Difference(self.chain, "batch", str(head.batch + 1), "", "a row", "nothing")
        if stored.previous_digest != head.digest:
            return self._wrong(stored, "previous_digest", head.digest, stored.previous_digest)
        found = digest(head.digest, stored.body)
        if found != stored.digest:
            column = "body" if follower == stored.digest else "digest"
            return self._wrong(stored, column, f"digest {found.hex()}", f"digest {stored.digest.hex()}")
        try:
            body = decode_body(stored.body)
            commands = [command_of(bytes(each.command)) for each in body.commands]
        except (msgspec.DecodeError, FrameError, RecordError) as error:
            return self._wrong(stored, "body", "commands that can be read", str(error))
        return self._columns(stored, body) or self._again(stored, body, commands)

    def _columns(self, stored: StoredBatch, body: Body) -> Difference | None:
        commits = [each.commit for each in body.commands] or [0]
        expected = {
            "time_us": body.time_us,
            "generation": body.generation,
            "decide": body.decide,
            "first_commit": commits[0],
            "last_commit": commits[-1],
        }
        for column, value in expected.items():
            if getattr(stored, column) != value:
                return self._wrong(stored, column, value, getattr(stored, column))
        if body.decide not in VERSIONS:
            return self._wrong(stored, "body", f"a decide version of {sorted(VERSIONS)}", body.decide)
        return None

    def _again(self, stored: StoredBatch, body: Body, commands: Sequence[Command]) -> Batch | Difference:
        try:
            decision = VERSIONS[body.decide](self.state, commands, {}, body.time_us)
        except BrokenInvariant as broken:
            return self._wrong(stored, "body", "commands that break no invariant", str(broken))
        batch = decision.batch
        if batch is None or decision.aside:
            why = next(iter(decision.aside.values()), "none")
            return self._wrong(stored, "body", "commands that can be decided", why)
        if batch.body != stored.body:
            return self._body(stored, body, decode_body(batch.body))
        self.state = decision.state
        self.rows.apply(batch)
        return batch

    def _body(self, stored: StoredBatch, found: Body, own: Body) -> Difference:
        """Name the first part of a body that does not follow from its commands."""
        for part in ("commands", "entries", "hits"):
            mine, theirs = getattr(own, part), getattr(found, part)
            for place, (left, right) in enumerate(zip(mine, theirs, strict=False)):
                if left != right:
                    return self._wrong(stored, f"body.{part}[{place}]", left, right)
            if len(mine) != len(theirs):
                return self._wrong(stored, f"body.{part}", f"{len(mine)} of them", f"{len(theirs)}")
        return self._wrong(stored, "body", own, found)

    def _wrong(self, stored: StoredBatch, column: str, expected: object, found: object) -> Difference:
        return Difference(self.chain, "batch", str(stored.batch), column, shown(expected), shown(found))
