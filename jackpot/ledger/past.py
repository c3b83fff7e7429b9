"""What does the ledger hold of a round that is over? Read for an act that amends it, and again by the audit.

Everything here was written once: rows of wagers, hits, and the bytes of the batches that reversed and resolved them.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain as one_by_one
from itertools import combinations

import msgspec

from jackpot.core.accounts import MICROCENTS, payable_account
from jackpot.core.amending import RoundKey
from jackpot.core.amendments import CorrectRecorded, DecideOrder, RecordTyped, Recovered, VoidRecorded
from jackpot.core.answers import CorrectedAnswer, VoidRecordedAnswer, decode_stored
from jackpot.core.chain import Body, BodyCommand, BodyEntry, decode_body
from jackpot.core.commands import MoveHit, command_of, typed_record
from jackpot.core.decide_wagers import SEATS
from jackpot.core.hits import ENDED, Hit
from jackpot.core.past import UNTOLD, PastEntry, PastRound, PastWager, past_hit, told_of
from jackpot.core.ports import Batch
from jackpot.ledger.connection import Connection, close, connect, translated
from jackpot.ledger.rows import hit_of
from jackpot.ledger.statements import statement
from jackpot.ledger.stored_answers import find_answers
from jackpot.wire.ids import VOID_AGAIN, VOID_OF_TWO, HitKey, message_id, parse_hit, void_kind
from jackpot.wire.messages import RecordAnswer, VoidAnswer, WithdrawAnswer
from rules.records import RoundRecord

Amending = VoidRecorded | CorrectRecorded | MoveHit | DecideOrder | Recovered
"""The acts that carry what the ledger holds of a round."""
EVER = 2**62
"""A commit that is never reached."""
VOID_WORDS = (1, 2, VOID_OF_TWO, VOID_AGAIN)
"""The revisions of a void: the first word, a second that tells what a seat had held, and those of two people."""
REVISIONS = 3
"""A table's own record may be of any revision; it never came with a higher one than this."""


@dataclass(frozen=True, slots=True)
class HitsThen:
    """The hits of a round as they stood at some moment, and the versions of their accounts."""

    hits: Sequence[Hit]
    versions: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Held:
    """What the ledger holds of a round: all that an act carries, the commit of its record, what was overpaid."""

    past: PastRound = field(default_factory=lambda: PastRound(0))
    recorded: int = 0
    owed_cents: Mapping[str, int] = field(default_factory=dict)
    """All that was ever to be recovered, by hit."""


@dataclass(frozen=True, slots=True)
class Found:
    """A round with accepted wagers: its gaming month, what the ledger holds, and what amended it, by revision."""

    month: str
    held: Held
    amended: Mapping[int, VoidRecordedAnswer | CorrectedAnswer]
    """In the order of the commits; a number may be left out."""

    @property
    def past(self) -> PastRound:
        """What an act carries of it."""
        return self.held.past

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


async def paid_out(url: str, chain: str, hits: Sequence[str]) -> Mapping[str, int]:
    """Read what was paid out of hits in all, by hit, in cents. Raises UnreachableError."""
    connection = await connect(url, f"jackpot paid {chain}")
    try:
        with translated():
            rows = await connection.fetch(statement("past_paid"), chain, list(hits))
    finally:
        await close(connection)
    return {row["ref"]: int(row["microcents"]) // MICROCENTS for row in rows}


async def find_round(url: str, chain: str, key: RoundKey) -> Found | None:
    """Find a round by its wagers; None for one that had none. Raises UnreachableError."""
    connection = await connect(url, f"jackpot round {chain}")
    try:
        with translated():
            return await read_round(connection, chain, key)
    finally:
        await close(connection)


async def find_hit(url: str, chain: str, key: HitKey) -> Hit | None:
    """Find a hit of any age, also one that no state keeps any more. Raises UnreachableError."""
    connection = await connect(url, f"jackpot hit {chain}")
    try:
        with translated():
            rows = await connection.fetch(statement("past_hits"), chain, key.table, key.journal, key.round)
    finally:
        await close(connection)
    return next((hit for hit in map(hit_of, rows) if hit.key == key), None)


async def find_record(url: str, chain: str, commit: int) -> RoundRecord | None:
    """Read the record that a commit brought, a table's or people's; None where it brought none."""
    connection = await connect(url, f"jackpot record {chain}")
    try:
        with translated():
            batch = await connection.fetchval(statement("batch_of_commit"), chain, commit)
            if batch is None:
                return None
            body = decode_body(await connection.fetchval(statement("batch_body"), chain, batch))
    finally:
        await close(connection)
    (raw,) = [bytes(each.command) for each in body.commands if each.commit == commit]
    said = command_of(raw).message
    if isinstance(said, CorrectRecorded | RecordTyped):
        return typed_record(said)
    return said if isinstance(said, RoundRecord) else None


async def read_round(
    connection: Connection, chain: str, key: RoundKey, before: int = EVER, then: HitsThen | None = None
) -> Found | None:
    """Read a round as it was before a commit; its hits as they stood `then`, without that as they stand now."""
    rows = await connection.fetch(statement("past_wagers"), chain, *key)
    if not rows:
        return None
    month = rows[0]["month"]
    gone: set[int] = set()
    wagered = frozenset(row["seat"] for row in rows)
    ref = "/".join(map(str, key))
    for row in await connection.fetch(statement("past_reversals"), chain, ref, before):
        body = decode_body(await connection.fetchval(statement("batch_body"), chain, row["batch"]))
        gone |= _reversed(body, row["commit"], wagered)
    gone |= await _voided(connection, chain, key, month, before, wagered)
    commits, amended = await _amended(connection, chain, key, month, before)
    gone |= {seat for answer in amended.values() if isinstance(answer, VoidRecordedAnswer) for seat in answer.out}
    if then is None:
        hits = [hit_of(row) for row in await connection.fetch(statement("past_hits"), chain, *key)]
        accounts = [payable_account(str(hit.key)) for hit in hits]
        versions = await connection.fetch(statement("past_payables"), chain, accounts)
        then = HitsThen(hits, {row["account"]: row["version"] for row in versions})
    hits = [hit for hit in then.hits if _began(hit) < before and hit.key.seat not in gone]
    posted: list[PastEntry] = []
    for commit in award_commits(hits, before):
        batch = await connection.fetchval(statement("batch_of_commit"), chain, commit)
        body = decode_body(await connection.fetchval(statement("batch_body"), chain, batch))
        posted += posted_in(body.entries, commit, hits)
    wagers = [
        PastWager(row["seat"], row["wager_cents"], row["tender"], tuple(row["parts"]))
        for row in rows
        if row["seat"] not in gone
    ]
    # Of a seat that is void a fund may have the prize, or its pool the share: those count for ever.
    counted = [hit for hit in then.hits if hit in hits or (_began(hit) < before and hit.out)]
    told = tuple([past_hit(hit, then.versions.get(payable_account(str(hit.key)), 0)) for hit in counted])
    past = PastRound(rows[0]["commit"], tuple(wagers), told, tuple(posted))
    recorded = [await _recorded(connection, chain, key, month, before)]
    recorded += [commits[revision] for revision, answer in amended.items() if isinstance(answer, CorrectedAnswer)]
    # Of each hit, also at a seat that is void: what was paid of it is owed and comes back.
    owed = {str(hit.key): await read_owed(connection, chain, str(hit.key), before) for hit in then.hits}
    return Found(month, Held(past, max(recorded), owed), amended)


async def read_owed(connection: Connection, chain: str, hit: str, before: int = EVER) -> int:
    """Read all that was ever to be recovered of a hit before a commit, in cents."""
    microcents = await connection.fetchval(statement("past_owed"), chain, hit, before)
    return int(microcents) // MICROCENTS


def _began(hit: Hit) -> int:
    return min([hit.commit, *[act.commit for act in hit.acts[:1]]])


def award_commits(hits: Iterable[Hit], before: int) -> Sequence[int]:
    """The commits before another in which any of these hits was awarded."""
    return sorted({commit for hit in hits for commit in hit.awarded_in if commit < before})


async def _amended(
    connection: Connection, chain: str, key: RoundKey, month: str, before: int
) -> tuple[Mapping[int, int], Mapping[int, VoidRecordedAnswer | CorrectedAnswer]]:
    """The commits and answers of all that amended a round before a commit, by revision, in the order of the commits."""
    found: dict[int, VoidRecordedAnswer | CorrectedAnswer] = {}
    commits: dict[int, int] = {}
    first = message_id(key[0], key[1], month, key[2], "amend", 1).removesuffix("1")
    rows = await connection.fetch(statement("past_amendments"), chain, month, first)
    for name, known in (await find_answers(connection, chain, [row["id"] for row in rows])).items():
        answer = decode_stored(known.answer)
        if known.receipt.commit < before and isinstance(answer, VoidRecordedAnswer | CorrectedAnswer):
            revision = int(name.removeprefix(first))
            found[revision], commits[revision] = answer, known.receipt.commit
    return commits, found


async def _recorded(connection: Connection, chain: str, key: RoundKey, month: str, before: int) -> int:
    """The commit of the record that ended a round, its table's or one typed in; nought where none did."""
    names = [message_id(key[0], key[1], month, key[2], "record", revision + 1) for revision in range(REVISIONS)]
    names.append(message_id(key[0], key[1], month, key[2], "typed", 1))
    found = (await find_answers(connection, chain, names)).values()
    ended = [known.receipt.commit for known in found if isinstance(decode_stored(known.answer), RecordAnswer)]
    return max([commit for commit in ended if commit < before], default=0)


def _reversed(body: Body, commit: int, wagered: frozenset[int]) -> set[int]:
    """The seats whose wagers a command before the record gave back.

    A withdrawal takes them all: where its answer is that of a lost life it names those that were still in play there.
    """
    return {
        seat
        for each in body.commands
        if each.commit == commit and isinstance(answer := decode_stored(each.answer), VoidAnswer | WithdrawAnswer)
        for seat in (wagered if isinstance(answer, WithdrawAnswer) else answer.seats)
    }


async def _voided(
    connection: Connection, chain: str, key: RoundKey, month: str, before: int, wagered: frozenset[int]
) -> frozenset[int]:
    """The seats that voids before a commit took out of play, also where the terms gave no wager back for it.

    Such a void moved nothing, so no entry tells of it. A void of seats names them in its id: each that can be is asked.
    """
    places = range(1, SEATS + 1)
    sets = one_by_one.from_iterable(combinations(places, count) for count in range(SEATS + 1))
    names = {
        message_id(key[0], key[1], month, key[2], void_kind(seats), word): frozenset(seats) or wagered
        for seats in sets
        for word in VOID_WORDS
    }
    found = await find_answers(connection, chain, list(names))
    voids = {
        name
        for name, known in found.items()
        if isinstance(decode_stored(known.answer), VoidAnswer)
        if known.receipt.commit < before
    }
    return frozenset().union(*[names[name] for name in voids])


def posted_in(entries: Iterable[BodyEntry], commit: int, hits: Sequence[Hit]) -> Iterator[PastEntry]:
    """What a commit moved that acts on the hits awarded in it must carry."""
    told = [msgspec.structs.asdict(entry) for entry in entries if entry.commit == commit]
    mine = [hit for hit in hits if commit in hit.awarded_in]
    return told_of(told, {hit.key.pool for hit in mine}, {str(hit.key) for hit in mine})


_CARRYING = ("/amend/", "/release/", "/order/", "/recovered/")
"""What the ids hold of acts that carry what the ledger holds."""
_KINDS = (b'"kind":"void_recorded"', b'"kind":"correct_recorded"', b'"kind":"decide_order"', b'"kind":"recovered"')


def amendments(batch: Batch) -> Iterator[tuple[int, RoundKey, Amending]]:
    """The acts of a batch that carry what the ledger holds of a round, by their commits."""
    if not any(part in row.id for row in batch.rows.commands for part in _CARRYING):
        return
    for each in decode_body(batch.body).commands:
        if (found := _amendment(each)) is not None:
            yield found


def _amendment(each: BodyCommand) -> tuple[int, RoundKey, Amending] | None:
    raw = bytes(each.command)
    if not raw.startswith((b'{"kind":"hit"', *[b"{" + kind for kind in _KINDS])):
        return None
    act = command_of(raw).message
    if isinstance(act, VoidRecorded | CorrectRecorded):
        return each.commit, (act.table, act.journal, act.round), act
    if isinstance(act, DecideOrder):
        return each.commit, _last_of(act), act
    if isinstance(act, Recovered) or (isinstance(act, MoveHit) and (act.posted or act.move == "release")):
        return each.commit, parse_hit(act.hit)[:3], act
    return None


def _last_of(act: DecideOrder) -> RoundKey:
    """The round of a dispute that was recorded last: the one whose wagers the act carries."""
    return (act.table, act.journal, act.round)


def amends(body: bytes) -> Iterator[RoundKey]:
    """The rounds that the acts of a stored body bring back; a body that holds none is not read."""
    if b'"move":"release"' in body or any(kind in body for kind in _KINDS):
        for each in decode_body(body).commands:
            if (found := _amendment(each)) is not None:
                yield found[1]


def misstated(act: Amending, own: Held) -> str:
    """Name the first part in which an act says of its round what the ledger does not; empty where all agrees.

    A hit that was open when it was looked at may have moved since: the act is decided on the state.
    """
    match act:
        case Recovered():
            return "" if act.owed_cents == own.owed_cents.get(act.hit, 0) else "owed_cents"
        case MoveHit():
            return "" if _alike(act.posted, posted_of(own.past, act.hit)) else "posted"
        case DecideOrder():
            return "" if act.wagers_commit == own.past.commit else "wagers_commit"
        case CorrectRecorded() if act.corrects != own.recorded:
            return "corrects"
    for name in ("commit", "wagers"):
        if getattr(act.past, name) != getattr(own.past, name):
            return name
    if not _alike(act.past.posted, own.past.posted):
        return "posted"
    told, mine = ({hit.hit: hit for hit in past.hits} for past in (act.past, own.past))
    ended = [name for name in told.keys() & mine.keys() if told[name].state in ENDED and mine[name].state in ENDED]
    moved = [name for name in ended if told[name].acts and told[name] != mine[name]]
    return "hits" if moved or told.keys() != mine.keys() else ""


def _alike(told: Sequence[PastEntry], own: Sequence[PastEntry]) -> bool:
    """Whether entries are the same; acts of a ledger's first days did not say which commit moved them."""
    if all(each.commit == UNTOLD for each in told):
        own = [msgspec.structs.replace(each, commit=UNTOLD) for each in own]
    return list(told) == list(own)


def posted_of(past: PastRound, hit: str) -> tuple[PastEntry, ...]:
    """What an act on one hit carries of what its round's commit moved."""
    return tuple(each for each in past.posted if _is_of(each, parse_hit(hit).pool, hit))


def _is_of(entry: PastEntry, pool: str, hit: str) -> bool:
    return entry.ref == hit if entry.cause == "stake" else entry.ref.startswith(f"{pool}/")
