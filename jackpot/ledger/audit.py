"""Is the ledger what its own commands make of it? Everything is worked out anew and held against every stored row.

Begins at the stored bytes of each command and decides them again; reads in chunks with short transactions, so that a
server goes on meanwhile, and ends with one short look at what batches change. Writes nothing: the role `auditor`
will do.
"""

import hashlib
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import asyncpg
import msgspec

from jackpot.core.accounts import payable_account
from jackpot.core.amending import RoundKey
from jackpot.core.ports import Batch
from jackpot.ledger.connection import Connection, close, connect, translated
from jackpot.ledger.differences import Columns, Difference, compare_columns, compare_rows
from jackpot.ledger.expected import changing_rows, command_rows, entry_rows, head_row, wager_rows
from jackpot.ledger.past import Held, HitsThen, amendments, amends, misstated, read_round
from jackpot.ledger.replay import Replay, StoredBatch
from jackpot.ledger.seals import seal
from jackpot.ledger.statements import statement
from jackpot.wire.codec import FrameError
from rules.records import RecordError

CHUNK = 32
"""Batches in memory at once: 20 MB of bodies at most."""
ASIDE_CHUNK = 500

Progress = Callable[[str, int, int], None]
"""Told the chain, the commits done, and the commits there are."""

CHANGING: Mapping[str, str] = {
    "terms": "load_terms",
    "account": "audit_accounts",
    "pool": "load_pools",
    "linked_table": "load_tables",
    "journal": "load_journals",
    "open_round": "load_rounds",
    "hit": "audit_hits",
    "registered_link": "load_links",
    "enrolled_table": "load_enrolled",
}
"""The statements that read whole tables, by table."""

LIFTED = ("lifted_us", "lifted_by", "lifted_with", "lifted_reason")
SETTLED = ("settled_us", "settled_by", "settled_with", "settled_reason")

BY_KEY = {"enable_seqscan": "off", "enable_hashjoin": "off", "enable_mergejoin": "off", "jit": "off"}
"""Rows are looked up by their keys, a chunk at a time, however little the planner knows of new tables."""


@dataclass(frozen=True, slots=True)
class ChainAudited:
    """How far a chain was worked out anew."""

    chain: str
    batches: int
    commits: int
    digest: str


@dataclass(frozen=True, slots=True)
class AuditReport:
    """What an audit found: the chains it worked out, and the first difference of each that has one."""

    chains: Sequence[ChainAudited]
    found: Sequence[Difference]

    @property
    def ok(self) -> bool:
        """Whether all is as it must be."""
        return not self.found

    @property
    def differences(self) -> list[str]:
        """The differences, each as a sentence that names table, row and column."""
        return list(map(str, self.found))


async def audit(url: str, progress: Progress = lambda _chain, _done, _of: None) -> AuditReport:
    """Work every chain out anew, up to its head.

    **Never** writes, nor keeps a snapshot while it decides. Raises UnreachableError.
    """
    chains: list[ChainAudited] = []
    found: list[Difference] = []
    async with _connected(url, "jackpot audit", BY_KEY) as lookups, _connected(url, "jackpot audit", {}) as counts:
        with translated():
            noted = await counts.fetch(statement("audit_chains"))
        for row in noted:
            one = _ChainAudit(row["chain"], lookups, counts, progress)
            with translated():
                difference = await one.run(row["last_batch"], row["last_commit"])
            chains.append(one.done())
            found += [] if difference is None else [difference]
        with translated():
            found += await _sealed(counts)
    return AuditReport(chains, found)


@asynccontextmanager
async def _connected(url: str, name: str, settings: Mapping[str, str]) -> AsyncIterator[Connection]:
    connection = await connect(url, name, settings)
    try:
        yield connection
    finally:
        await close(connection)


@dataclass(frozen=True, slots=True)
class _Look:
    """A chain's head, its newest batches and the tables that batches change, as they were at one moment."""

    head: asyncpg.Record | None
    newest: Sequence[StoredBatch]
    tables: Mapping[str, Sequence[asyncpg.Record]]


@dataclass(slots=True)
class _ChainAudit:
    """The audit of one chain."""

    chain: str
    lookups: Connection
    counts: Connection
    progress: Progress
    replay: Replay = field(init=False)
    held: Counter[tuple[str, str]] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.replay = Replay(self.chain)

    def done(self) -> ChainAudited:
        head = self.replay.state.head
        return ChainAudited(self.chain, head.batch, head.commit, head.digest.hex())

    async def run(self, last_batch: int, last_commit: int) -> Difference | None:
        """Work the chain out up to its last batch as noted, then on to wherever it is by then."""
        while True:
            difference = await self._up_to(last_batch, last_commit)
            if difference is not None:
                return difference
            look = await self._last_look(last_batch)
            if len(look.newest) < CHUNK:
                break
            last_batch, last_commit = look.newest[-1].batch, look.newest[-1].last_commit
        difference = await self._take(look.newest)
        if difference is not None:
            return difference
        if look.head is not None:
            difference = compare_columns(self.chain, "head", self.chain, head_row(self.replay.rows), look.head)
        elif self.replay.state.head.batch:
            difference = Difference(self.chain, "head", self.chain, "", "a row", "nothing")
        for table, (keys, expected) in changing_rows(self.replay.rows).items():
            difference = difference or compare_rows(self.chain, table, keys, expected, look.tables[table])
        return difference or await self._counted()

    async def _last_look(self, after: int) -> "_Look":
        """All that batches change, and the batches after one: of one moment."""
        async with self.lookups.transaction(isolation="repeatable_read", readonly=True):
            return _Look(
                await self.lookups.fetchrow(statement("load_head"), self.chain),
                await self._batches(after, after + CHUNK),
                {table: await self.lookups.fetch(statement(name), self.chain) for table, name in CHANGING.items()},
            )

    async def _up_to(self, last_batch: int, last_commit: int) -> Difference | None:
        while (at := self.replay.state.head).batch < last_batch:
            chunk = await self._batches(at.batch, last_batch)
            if not chunk:
                return Difference(self.chain, "batch", str(at.batch + 1), "", "a row", "nothing")
            difference = await self._take(chunk)
            if difference is not None:
                return difference
            self.progress(self.chain, self.replay.state.head.commit, last_commit)
        return None

    async def _batches(self, after: int, up_to: int) -> list[StoredBatch]:
        rows = await self.lookups.fetch(statement("audit_batches"), self.chain, after, up_to, CHUNK)
        return [StoredBatch(**row) for row in rows]

    async def _take(self, chunk: Sequence[StoredBatch]) -> Difference | None:
        """Work batches out and hold what they wrote for ever against its tables."""
        taken: list[Batch] = []
        then: dict[tuple[int, RoundKey], HitsThen] = {}
        wrong: Difference | None = None
        for place, stored in enumerate(chunk):
            follower = chunk[place + 1].previous_digest if place + 1 < len(chunk) else await self._follower(stored)
            then |= self._then(stored)
            batch = self.replay.take(stored, follower)
            if isinstance(batch, Difference):
                wrong = batch
                break
            taken.append(batch)
        return await self._written(taken) or await self._brought(taken, then) or wrong

    def _then(self, stored: StoredBatch) -> Mapping[tuple[int, RoundKey], HitsThen]:
        """The hits of the rounds that a batch's acts bring back, as they stand before it; of an unreadable one none."""
        try:
            return {(stored.batch, key): self._hits(key) for key in amends(stored.body)}
        except (msgspec.DecodeError, FrameError, RecordError):
            return {}

    def _hits(self, key: RoundKey) -> HitsThen:
        rows = self.replay.rows
        hits = sorted([hit for name, hit in rows.hits.items() if name[:3] == key], key=lambda hit: hit.key[3:])
        accounts = [payable_account(str(hit.key)) for hit in hits]
        return HitsThen(hits, {name: rows.balances[name].version for name in accounts if name in rows.balances})

    async def _follower(self, stored: StoredBatch) -> bytes | None:
        follower: bytes | None = await self.lookups.fetchval(statement("audit_follower"), self.chain, stored.batch)
        return follower

    async def _written(self, batches: Sequence[Batch]) -> Difference | None:
        if not batches:
            return None
        commands = {key: row for batch in batches for key, row in command_rows(batch).items()}
        entries = {key: row for batch in batches for key, row in entry_rows(batch).items()}
        wagers = {key: row for batch in batches for key, row in wager_rows(batch).items()}
        self.held.update(("command", month) for _, month in commands)
        self.held.update(("wager", f"{table} {month}") for month, table, *_ in wagers)
        self.held["entry", "all"] += len(entries)
        found = await self.lookups.fetch(statement("audit_commands"), self.chain, *_asked(commands, 2))
        difference = compare_rows(self.chain, "command", ("id", "month"), commands, found)
        if difference is None:
            rounds = dict.fromkeys(key[:4] for key in wagers)
            found = await self.lookups.fetch(statement("audit_wagers"), self.chain, *_asked(rounds, 4))
            keys = ("month", "table", "journal", "round", "seat")
            difference = compare_rows(self.chain, "wager", keys, wagers, found)
        if difference is None:
            first, last = batches[0].batch - 1, batches[-1].batch
            found = await self.lookups.fetch(statement("audit_entries"), self.chain, first, last)
            difference = compare_rows(self.chain, "entry", ("account", "version"), entries, found)
        return difference

    async def _brought(
        self, batches: Sequence[Batch], then: Mapping[tuple[int, RoundKey], HitsThen]
    ) -> Difference | None:
        """Hold what people's acts say of a round that was over against its rows, which were held just before."""
        for batch in batches:
            for commit, key, act in amendments(batch):
                found = await read_round(self.lookups, self.chain, key, commit, then[batch.batch, key])
                wrong = misstated(act, found.held if found else Held())
                if wrong:
                    return Difference(
                        self.chain, "batch", str(batch.batch), f"commit {commit}", f"its {wrong}", "other"
                    )
        return None

    async def _counted(self) -> Difference | None:
        """Find rows that stand for no command: no look-up by key has seen them."""
        head = self.replay.state.head
        for row in await self.counts.fetch(statement("audit_counts"), self.chain, head.commit, head.batch):
            expected = self.held.get((row["table"], row["part"]), 0)
            if row["held"] != expected or row["beyond"]:
                told = f"{row['held'] + row['beyond']} rows"
                return Difference(self.chain, row["table"], f"({row['part']})", "", f"{expected} rows", told)
        return None


def _asked(keys: Mapping[tuple[object, ...], object], count: int) -> Sequence[Sequence[object]]:
    return [[key[place] for key in keys] for place in range(count)]


async def _sealed(connection: Connection) -> list[Difference]:
    """Hold the rows that no batch holds against their own seals; the first difference of each table."""
    found: list[Difference] = []
    for row in await connection.fetch(statement("audit_stops")):
        sealed = seal(row["chain"], row["stopped_us"], row["reason"], row["evidence"])
        lifted = [row[name] for name in LIFTED]
        expected: Columns = {
            "digest": sealed,
            **({} if any(lifted) else dict.fromkeys(LIFTED)),
            "lifted_digest": seal(sealed, *lifted) if any(lifted) else None,
        }
        difference = compare_columns(row["chain"], "link_stop", str(row["stopped_us"]), expected, row)
        if difference is not None:
            found.append(difference)
            break
    return found + await _aside(connection) + await _settled(connection)


async def _aside(connection: Connection) -> list[Difference]:
    after: tuple[str, bytes] = ("", b"")
    while rows := await connection.fetch(statement("audit_aside"), *after, ASIDE_CHUNK):
        for row in rows:
            after = (row["chain"], row["sha256"])
            columns = [row[name] for name in ("chain", "id", "sha256", "raw", "error", "aside_us")]
            expected = {"sha256": hashlib.sha256(row["raw"]).digest(), "digest": seal(*columns)}
            difference = compare_columns(row["chain"], "set_aside", row["id"], expected, row)
            if difference is not None:
                return [difference]
    return []


async def _settled(connection: Connection) -> list[Difference]:
    for row in await connection.fetch(statement("audit_settled")):
        expected = {"digest": seal(row["kept"], *[row[name] for name in SETTLED])}
        difference = compare_columns(row["chain"], "aside_settled", str(row["settled_us"]), expected, row)
        if difference is not None:
            return [difference]
    return []
