"""What does the ledger hold of a round that is over? Read for an act that amends it, and again by the audit.

Everything here was written once: rows of wagers, hits, and the bytes of the batches that reversed and resolved them.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import msgspec

from jackpot.core.answers import VoidRecordedAnswer, decode_stored
from jackpot.core.chain import Body, BodyCommand, BodyEntry, decode_body
from jackpot.core.commands import MoveHit, VoidRecorded, command_of
from jackpot.core.hits import ENDED, Hit
from jackpot.core.past import PastEntry, PastRound, PastWager, past_hit, told_of
from jackpot.core.ports import Batch
from jackpot.ledger.connection import Connection, close, connect, translated
from jackpot.ledger.rows import hit_of
from jackpot.ledger.statements import statement
from jackpot.ledger.store import find_answers
from jackpot.wire.ids import message_id, parse_hit
from jackpot.wire.messages import VoidAnswer, WithdrawAnswer

RoundKey = tuple[str, int, int]
EVER = 2**62
"""A commit that is never reached."""


@dataclass(frozen=True, slots=True)
class Found:
    """A recorded round: its gaming month, what an act carries of it, and what has amended it, by revision."""

    month: str
    past: PastRound
    amended: Mapping[int, VoidRecordedAnswer]

    @property
    def next_revision(self) -> int:
        """The revision of the next act that amends it."""
        return max(self.amended, default=1) + 1


async def overpaid(url: str, chain: str) -> list[tuple[str, int, int, int]]:
    """List overpayments, oldest first: hit, microcents, commit, time in microseconds. Raises UnreachableError."""
    connection = await connect(url, f"jackpot overpaid {chain}")
    try:
        with translated():
            rows = await connection.fetch(statement("overpaid"), chain)
    finally:
        await close(connection)
    return [(row["ref"], int(row["microcents"]), row["commit"], row["time_us"]) for row in rows]


async def find_round(url: str, chain: str, key: RoundKey) -> Found | None:
    """Find a round by its wagers; None for one that had none. Raises UnreachableError."""
    connection = await connect(url, f"jackpot round {chain}")
    try:
        with translated():
            return await read_round(connection, chain, key)
    finally:
        await close(connection)


async def read_round(connection: Connection, chain: str, key: RoundKey, before: int = EVER) -> Found | None:
    """Read a round as it was before a commit; hits as they stand now."""
    rows = await connection.fetch(statement("past_wagers"), chain, *key)
    if not rows:
        return None
    month = rows[0]["month"]
    gone: set[int] = set()
    ref = "/".join(map(str, key))
    for row in await connection.fetch(statement("past_reversals"), chain, ref, before):
        body = decode_body(await connection.fetchval(statement("batch_body"), chain, row["batch"]))
        gone |= _reversed(body, row["commit"])
    amended = await _amended(connection, chain, key, month, before)
    gone |= {seat for answer in amended.values() for seat in answer.out}
    hits = [hit_of(row) for row in await connection.fetch(statement("past_hits"), chain, *key)]
    hits = [hit for hit in hits if hit.commit < before and hit.key.seat not in gone]
    posted: list[PastEntry] = []
    for commit in sorted({hit.commit for hit in hits}):
        batch = await connection.fetchval(statement("batch_of_commit"), chain, commit)
        body = decode_body(await connection.fetchval(statement("batch_body"), chain, batch))
        posted += _posted(body.entries, commit, hits)
    wagers = [
        PastWager(row["seat"], row["wager_cents"], row["tender"], tuple(row["parts"]))
        for row in rows
        if row["seat"] not in gone
    ]
    return Found(month, PastRound(rows[0]["commit"], tuple(wagers), tuple(map(past_hit, hits)), tuple(posted)), amended)


async def _amended(
    connection: Connection, chain: str, key: RoundKey, month: str, before: int
) -> Mapping[int, VoidRecordedAnswer]:
    found: dict[int, VoidRecordedAnswer] = {}
    revision = 2
    while True:
        name = message_id(key[0], key[1], month, key[2], "amend", revision)
        known = (await find_answers(connection, chain, [name])).get(name)
        if known is None or known.receipt.commit >= before:
            return found
        answer = decode_stored(known.answer)
        if isinstance(answer, VoidRecordedAnswer):
            found[revision] = answer
        revision += 1


def _reversed(body: Body, commit: int) -> set[int]:
    """The seats whose wagers a command before the record gave back."""
    return {
        seat
        for each in body.commands
        if each.commit == commit and isinstance(answer := decode_stored(each.answer), VoidAnswer | WithdrawAnswer)
        for seat in answer.seats
    }


def _posted(entries: Iterable[BodyEntry], commit: int, hits: Sequence[Hit]) -> Iterator[PastEntry]:
    told = [msgspec.structs.asdict(entry) for entry in entries if entry.commit == commit]
    mine = [hit for hit in hits if hit.commit == commit]
    return told_of(told, {hit.key.pool for hit in mine}, {str(hit.key) for hit in mine})


def amendments(batch: Batch) -> Iterator[tuple[int, RoundKey, VoidRecorded | MoveHit]]:
    """The acts of a batch that carry what the ledger holds of a round, by their commits."""
    if not any("/amend/" in row.id or "/release/" in row.id for row in batch.rows.commands):
        return
    for each in decode_body(batch.body).commands:
        if (found := _amendment(each)) is not None:
            yield found


def _amendment(each: BodyCommand) -> tuple[int, RoundKey, VoidRecorded | MoveHit] | None:
    raw = bytes(each.command)
    if not raw.startswith((b'{"kind":"void_recorded"', b'{"kind":"hit"')):
        return None
    act = command_of(raw).message
    if isinstance(act, VoidRecorded):
        return each.commit, (act.table, act.journal, act.round), act
    if isinstance(act, MoveHit) and (act.posted or act.move == "release"):
        key = parse_hit(act.hit)
        return each.commit, (key.table, key.journal, key.round), act
    return None


def amends(body: bytes) -> Iterator[RoundKey]:
    """The rounds that the acts of a stored body bring back; a body that holds none is not read."""
    if b'"kind":"void_recorded"' in body or b'"move":"release"' in body:
        for each in decode_body(body).commands:
            if (found := _amendment(each)) is not None:
                yield found[1]


def misstated(act: VoidRecorded | MoveHit, own: PastRound) -> str:
    """Name the first part in which an act says of its round what the ledger does not; empty where all agrees.

    A hit that was open when it was looked at may have moved since: the act is decided on the state.
    """
    if isinstance(act, MoveHit):
        return "" if act.posted == posted_of(own, act.hit) else "posted"
    ended = {hit.hit for hit in act.past.hits if hit.state in ENDED}
    for name in ("commit", "wagers", "posted"):
        if getattr(act.past, name) != getattr(own, name):
            return name
    told = [msgspec.structs.replace(hit, state=hit.state if hit.hit in ended else "") for hit in act.past.hits]
    mine_hits = [msgspec.structs.replace(hit, state=hit.state if hit.hit in ended else "") for hit in own.hits]
    return "" if told == mine_hits else "hits"


def posted_of(past: PastRound, hit: str) -> tuple[PastEntry, ...]:
    """What an act on one hit carries of what its round's commit moved."""
    return tuple(each for each in past.posted if _is_of(each, parse_hit(hit).pool, hit))


def _is_of(entry: PastEntry, pool: str, hit: str) -> bool:
    return entry.ref == hit if entry.cause == "stake" else entry.ref.startswith(f"{pool}/")


class PastRounds:
    """Gathers what acts may carry of the rounds named, batch by batch from the first: for an audit without Postgres."""

    def __init__(self, only: Collection[RoundKey] | None = None) -> None:
        """Begin before the first batch; without names every round is kept."""
        self._only = only
        self._rounds: dict[RoundKey, _Gathered] = {}

    def take(self, batch: Batch) -> None:
        """Take a batch in."""
        wagers = batch.rows.wagers
        for place, table in enumerate(wagers.table):
            key = (table, wagers.journal[place], wagers.round[place])
            if self._kept(key):
                self._wagered(key, batch, place)
        hits = {hit.key: hit for hit in batch.rows.hits if self._kept(hit.key[:3])}
        for hit in hits.values():
            gathered = self._rounds.setdefault(hit.key[:3], _Gathered())
            gathered.hits[hit.key] = hit
        body: Body | None = None
        for hit in hits.values():
            if batch.first_commit <= hit.commit <= batch.last_commit:
                body = body or decode_body(batch.body)
                gathered = self._rounds[hit.key[:3]]
                mine = [each for each in gathered.hits.values() if each.commit == hit.commit]
                gathered.posted[hit.commit] = list(_posted(body.entries, hit.commit, mine))
        if any(f"/{kind}" in row.id for row in batch.rows.commands for kind in ("withdraw", "void", "amend/")):
            self._reversals(body or decode_body(batch.body))

    def of(self, key: RoundKey) -> PastRound:
        """Give what an act carries of a round."""
        gathered = self._rounds.get(key, _Gathered())
        hits = sorted(gathered.hits.values(), key=lambda hit: (hit.key.seat, hit.key.pool))
        hits = [hit for hit in hits if hit.key.seat not in gathered.gone]
        posted: list[PastEntry] = []
        for commit in sorted({hit.commit for hit in hits}):
            pools = {hit.key.pool for hit in hits if hit.commit == commit}
            names = {str(hit.key) for hit in hits if hit.commit == commit}
            posted += [
                each
                for each in gathered.posted.get(commit, [])
                if (each.ref in names if each.cause == "stake" else each.ref.partition("/")[0] in pools)
            ]
        wagers = [wager for wager in gathered.wagers if wager.seat not in gathered.gone]
        wagers.sort(key=lambda wager: wager.seat)
        return PastRound(gathered.commit, tuple(wagers), tuple(map(past_hit, hits)), tuple(posted))

    def _kept(self, key: RoundKey) -> bool:
        return self._only is None or key in self._only

    def _wagered(self, key: RoundKey, batch: Batch, place: int) -> None:
        wagers = batch.rows.wagers
        gathered = self._rounds.setdefault(key, _Gathered())
        gathered.commit = wagers.commit[place]
        parts = tuple(map(int, wagers.parts[place].strip("{}").split(",")))
        tenders = wagers.tenders[place].strip("{}").split(",")
        for seat, tender in zip(wagers.seats[place].strip("{}").split(","), tenders, strict=True):
            gathered.wagers.append(PastWager(int(seat), wagers.wager_cents[place], tender, parts))

    def _reversals(self, body: Body) -> None:
        for each in body.commands:
            answer = decode_stored(each.answer)
            if not isinstance(answer, VoidAnswer | WithdrawAnswer | VoidRecordedAnswer):
                continue
            command = command_of(bytes(each.command))
            said = command.message
            key = (command.table, command.journal, command.round)
            if isinstance(said, VoidRecorded):
                key = (said.table, said.journal, said.round)
            gone = answer.out if isinstance(answer, VoidRecordedAnswer) else answer.seats
            if key in self._rounds:
                self._rounds[key].gone.update(gone)


@dataclass(slots=True)
class _Gathered:
    commit: int = 0
    wagers: list[PastWager] = field(default_factory=list)
    gone: set[int] = field(default_factory=set)
    hits: dict[object, Hit] = field(default_factory=dict)
    posted: dict[int, list[PastEntry]] = field(default_factory=dict)
