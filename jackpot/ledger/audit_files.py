"""Is an export what its own commands make of it? The same audit without a database, on the three files alone."""

import re
from collections.abc import Iterator
from itertools import tee, zip_longest
from pathlib import Path
from typing import BinaryIO, TypeVar

import msgspec

from jackpot.core.amending import RoundKey
from jackpot.core.chain import Body, decode_body
from jackpot.core.ports import Batch
from jackpot.errors import OperatingError
from jackpot.ledger.audit import AuditReport, ChainAudited, Progress
from jackpot.ledger.differences import Difference, shown
from jackpot.ledger.export import LEDGER, ROUNDS, TERMS
from jackpot.ledger.past import amendments, amends, misstated
from jackpot.ledger.past_rounds import PastRounds
from jackpot.ledger.replay import Replay, StoredBatch
from jackpot.ledger.round_lines import RoundLines

_LINE = re.compile(rb'\{"digest":"([0-9a-f]{64})","previous":"([0-9a-f]{64})","body":(\{.*\})\}', re.DOTALL)
T = TypeVar("T")


class ExportUnreadable(OperatingError):
    """A file of an export is missing, or a line of it has not its form."""

    def __init__(self, message: str) -> None:
        super().__init__(message, code="export_unreadable", retryable=False)


def audit_export(folder: Path, progress: Progress = lambda _chain, _done, _of: None) -> AuditReport:
    """Work an export's chain out anew, and write its rounds and terms again; name the first line that differs.

    `progress` is told the commits done twice: how many there are is known at the end. Cannot tell whether batches are
    missing at the end: a receipt or a checkpoint tells that. Raises ExportUnreadable.
    """
    for name in (LEDGER, ROUNDS, TERMS):
        if not (folder / name).is_file():
            raise ExportUnreadable(f"{folder / name} is missing")
    replay: Replay | None = None
    past = PastRounds(_amended(folder / LEDGER))
    with (folder / ROUNDS).open("rb") as rounds:
        check = _Rounds(rounds)
        found: Difference | None = None
        for (chain, batch), after in _pairs(_batches(folder / LEDGER)):
            replay = replay or Replay(chain)
            taken = replay.take(batch, after[1].previous_digest if after else None)
            if isinstance(taken, Difference):
                found = taken
            else:
                found = _brought(replay.chain, taken, past) or check.batch(replay.chain, decode_body(taken.body))
                past.take(taken)
            if found is not None:
                break
            progress(chain, batch.last_commit, batch.last_commit)
        if replay is None:
            raise ExportUnreadable(f"{folder / LEDGER} holds no batch")
        found = found or check.end(replay.chain) or _terms(replay, folder / TERMS)
    head = replay.state.head
    audited = ChainAudited(replay.chain, head.batch, head.commit, head.digest.hex())
    return AuditReport([audited], [] if found is None else [found])


def _amended(path: Path) -> set[RoundKey]:
    """The rounds that people's acts bring back: found first, so that of no other anything need be kept."""
    return {key for _, batch in _batches(path) for key in amends(batch.body)}


def _brought(chain: str, batch: Batch, past: PastRounds) -> Difference | None:
    """Hold what acts say of a round that was over against what the batches before made of it."""
    for commit, key, act in amendments(batch):
        wrong = misstated(act, past.held(key))
        if wrong:
            return Difference(chain, "batch", str(batch.batch), f"commit {commit}", f"its {wrong}", "other")
    return None


class _Rounds:
    """Holds each line of `rounds.jsonl` against the one its chain makes."""

    def __init__(self, told: BinaryIO) -> None:
        self._told = told
        self._lines = RoundLines()
        self._number = 0

    def batch(self, chain: str, body: Body) -> Difference | None:
        """The first difference in the lines of a batch."""
        for own in self._lines.take(body):
            self._number += 1
            told = self._told.readline().rstrip(b"\n")
            if own != told:
                return Difference(chain, ROUNDS, f"line {self._number}", "", _around(own, told), _around(told, own))
        return None

    def end(self, chain: str) -> Difference | None:
        """A line too many."""
        if not self._told.readline():
            return None
        return Difference(chain, ROUNDS, f"line {self._number + 1}", "", "nothing", "a line")


def _pairs(items: Iterator[T]) -> Iterator[tuple[T, T | None]]:
    """Each item with the one after it."""
    ahead, after = tee(items)
    next(after, None)
    return zip_longest(ahead, after)


def _batches(path: Path) -> Iterator[tuple[str, StoredBatch]]:
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            whole = _LINE.fullmatch(line.rstrip(b"\n"))
            if whole is None:
                raise ExportUnreadable(f"{path} line {number}: {shown(line)} has not the form of a batch")
            try:
                body = decode_body(whole[3])
            except msgspec.DecodeError as error:
                raise ExportUnreadable(f"{path} line {number}: {error}") from error
            commits = [each.commit for each in body.commands] or [0]
            digest, previous = (bytes.fromhex(whole[place].decode()) for place in (1, 2))
            where = (body.batch, body.time_us, body.generation, body.decide, commits[0], commits[-1])
            yield body.chain, StoredBatch(*where, previous, digest, whole[3])


def _around(text: bytes, other: bytes) -> str:
    """The place where a line differs from the other."""
    place = next((at for at, (left, right) in enumerate(zip(text, other, strict=False)) if left != right), len(other))
    return text[max(place - 20, 0) : place + 40].decode("utf-8", "replace") or "nothing"


def _terms(replay: Replay, path: Path) -> Difference | None:
    told = path.read_bytes().decode("utf-8", "replace")
    own = replay.state.terms.raw if replay.state.terms is not None else ""
    return None if own == told else Difference(replay.chain, TERMS, "", "", shown(own), shown(told))
