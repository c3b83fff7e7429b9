"""A whole link in one process, for tests of table agents: the server's own web edge and decisions, a ledger in memory.

What a test may do to it: swallow commands, answer `later`, cut every connection, go away and come back, leave hits
unsettled. Snapshots come from the state as it is, signed, without a Redis.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
from aiohttp import web
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from jackpot.core.accounts import MICROCENTS, WAGERS, pool_account
from jackpot.core.answers import decode_stored
from jackpot.core.by_people import RoundPlace, told_of, under_ids
from jackpot.core.commands import Admit, Command, Connect, MoveHit, OpenLink, Word, command_of, of_act
from jackpot.core.decide import decide_all, hits_now, round_now
from jackpot.core.hits import OPEN
from jackpot.core.ports import Known, Reply, Submitted
from jackpot.core.state import Draft, Enrolled, LinkState
from jackpot.serving.running import Connections, Listen, listening
from jackpot.telemetry import Telemetry
from jackpot.web.table_connection import TableConnection
from jackpot.web.tables import Tables
from jackpot.wire.codec import encode
from jackpot.wire.messages import ByPeople, HitNow, RecordAnswer, RefusedAnswer, RoundNow
from jackpot.wire.refusals import Refusal
from jackpot.wire.settings import TableSettings, settings_text
from jackpot.wire.snapshots import HitShown, PoolShown, Published, Snapshot, signed_bytes
from rules.records import LimitsRecord, RoundRecord
from rules.terms import Terms, canonical_bytes
from rules.terms import fingerprint as fingerprint_of
from tablelink.core.mirror import Mirror
from tablelink.subscriber import own_clock_us
from tests.support.terms import demo_terms

NOW_US = 1_795_777_200_000_000
"""27 November 2026."""
SETTINGS = TableSettings(
    least_round_s=0,
    answer_within_s=20,
    limits=LimitsRecord(ante_min_cents=1000, ante_max_cents=20_000, ante_unit_cents=500, jackpot_cents=100),
)
MOVES = {"pending": "verify", "verified": "approve", "approved": "pay"}


@dataclass
class HandFed:
    """A feed whose snapshots the casino hands over; what an agent reads of one."""

    mirror: Mirror
    watching: list[Callable[[], None]] = field(default_factory=list)

    def watch(self, changed: Callable[[], None]) -> None:
        """Keep who is to be told."""
        self.watching.append(changed)

    def hand(self, data: bytes, *, live: bool = True) -> None:
        """Hand a snapshot over."""
        self.mirror.receive(data, own_clock_us(), live=live)
        for changed in self.watching:
            changed()


class Casino:
    """One link, its tables, and the server they speak to."""

    def __init__(self, tables: int = 1, *, terms: Terms | None = None, settings: TableSettings = SETTINGS) -> None:
        """Open the link and admit its tables."""
        self.link_terms = terms or demo_terms()
        self.settings = settings
        self.name = self.link_terms.name
        self.state = LinkState(self.name)
        self.known: dict[str, Known] = {}
        self.said: dict[str, tuple[bytes, bytes]] = {}
        """Every command that was stored, with its answer."""
        self.keys = {f"T{number}": Ed25519PrivateKey.generate() for number in range(1, tables + 1)}
        self.swallow: Callable[[Command], bool] = lambda _command: False
        """Which commands are neither decided nor answered."""
        self.put_off: Callable[[Command], Refusal | None] = lambda _command: None
        self.mute: Callable[[Command], bool] = lambda _command: False
        """Which commands are decided, and their answer lost."""
        self.settles_hits = True
        self.status = "running"
        self.silent = False
        """Whether no snapshot is published."""
        self.carriers: list[Callable[[bytes], None]] = []
        self.heard: Counter[str] = Counter()
        self.messages: list[bytes] = []
        """Table messages as they came, in order, repeats too."""
        self.feeds: dict[str, HandFed] = {}
        self.time_us = NOW_US
        self.held: list[Submitted] = []
        """Commands that were swallowed, to be decided when the test says so (`release`)."""
        self._connections = Connections()
        self._key = Ed25519PrivateKey.generate()
        self._beat = 0
        self._nth: Counter[str] = Counter()
        self.act(OpenLink(self.name, self._raw(canonical_bytes(self.link_terms)), self.link_key, "Ann", "Bob"))
        for table, key in self.keys.items():
            public = key.public_key().public_bytes_raw().hex()
            self.act(Admit(table, 1, public, self._raw(settings_text(settings).encode()), "Ann"))

    @staticmethod
    def _raw(data: bytes) -> msgspec.Raw:
        return msgspec.Raw(data)

    # --- what the web edge asks of a link and a directory ----------------------------------------------------------

    @property
    def link_key(self) -> str:
        """The public key of the snapshots."""
        return self._key.public_key().public_bytes_raw().hex()

    async def enrolled(self, table: str) -> Enrolled | None:
        """The enrolment of a table that was given a key."""
        key = self.keys.get(table)
        return None if key is None else Enrolled(table, self.name, key.public_key().public_bytes_raw().hex(), 1, 1)

    def link(self, name: str) -> "Casino | None":
        """The one link."""
        return self if name == self.name else None

    def month(self) -> str:
        """The gaming month."""
        return "2026-11"

    def hits(self, table: str) -> tuple[HitNow, ...]:
        """A table's open hits."""
        return hits_now(Draft(self.state, self.time_us), table)

    behind = False

    @property
    def receipts(self) -> "Casino":
        """The ledger itself: it has lost nothing."""
        return self

    async def wanted(self, *_hello: Any, stopped: bool) -> tuple[bool, None]:  # noqa: ARG002 - as the port has it
        """Nothing is lost."""
        return False, None

    async def keep(self, *_handed: Any) -> None:
        """Nothing is asked for."""

    async def by_people(self, place: RoundPlace, seats: int) -> list[ByPeople]:
        """What people did to a round that its table had not ended."""
        names = [*under_ids(place, seats), *(name for name in self.said if "/amend/" in name)]
        told = [told_of(*self.said[name]) for name in self.said if name in names]
        return [one for one in told if one is not None]

    def round_now(self, table: str) -> RoundNow | None:
        """How the last round of a table's journal stands."""
        return round_now(self.state, table)

    def standing(self, table: str, journal: int, connection: int, terms: str) -> str:  # noqa: ARG002 - as the port has it
        """This link ejects nobody of itself."""
        return ""

    def terms(self, fingerprint: str = "") -> Terms | None:
        """The terms in force."""
        return self.link_terms if fingerprint in {"", fingerprint_of(self.link_terms)} else None

    def submit(self, submitted: Submitted) -> None:
        """Decide a table's command at once, unless the test has other plans."""
        command = submitted.command
        if not isinstance(command.message, Connect):
            self.heard[command.id] += 1
            self.messages.append(command.raw)
            later = self.put_off(command)
            if later is not None:
                submitted.reply(Reply(command.id, b"", None, later, self.hits(command.table)))
                return
            if self.swallow(command):
                self.held.append(submitted)
                return
        self._decide(submitted)

    def _decide(self, submitted: Submitted) -> None:
        reply = self.post(submitted.command)
        if not self.mute(submitted.command):
            submitted.reply(reply)
        self.publish()

    @staticmethod
    def later(submitted: Submitted) -> Reply:
        """What is said while the ledger is away."""
        return Reply(submitted.command.id, b"", None, Refusal.LEDGER_UNREACHABLE)

    def release(self) -> None:
        """Decide what was swallowed, as a process that was paused and wakes."""
        held, self.held = self.held, []
        for submitted in held:
            self._decide(submitted)

    def cut(self) -> None:
        """Break every connection without a word; what was on it is lost."""
        for connection in list(self._connections._open):
            assert isinstance(connection, TableConnection)
            connection._transport.abort()

    async def eject(self, why: str) -> None:
        """Tell every table that it is linked no more, and why."""
        for connection in list(self._connections._open):
            assert isinstance(connection, TableConnection)
            await connection.eject(why)

    # --- what people do --------------------------------------------------------------------------------------------

    def act(self, act: Any) -> Reply:
        """Let a person act on the server's own machine."""
        return self.post(of_act(act))

    def word(self, table: str, revision: int = 1, spool: str = "") -> None:
        """Give the supervisor's word for a new journal."""
        self.act(Word(table, revision, "Sue", "new disk", spool))

    def settle_hits(self) -> bool:
        """Move every open hit one step on; say whether anything moved."""
        moved = False
        for key, hit in list(self.state.hits.items()):
            move = MOVES.get(hit.state)
            if move is not None:
                self._nth[str(key)] += 1
                nth = self._nth[str(key)]
                reply = self.act(MoveHit(str(key), move, f"person {nth}", nth))
                moved = moved or (reply.later is None and not isinstance(decode_stored(reply.answer), RefusedAnswer))
        if moved:
            self.publish()
        return moved

    # --- the ledger, in memory -------------------------------------------------------------------------------------

    def post(self, command: Command) -> Reply:
        """Decide one command and keep what is to be kept."""
        self.time_us += 1000
        decision = decide_all(self.state, [command], self.known, self.time_us)
        assert not decision.aside, decision.aside
        self.state = decision.state
        reply = decision.replies[0]
        if decision.batch is not None and reply.receipt is not None:
            row = decision.batch.rows.commands[0]
            self.known[command.id] = Known(row.sha256, reply.answer, reply.receipt)
            self.said[command.id] = (command.raw, reply.answer)
        return reply

    def snapshot(self, **changes: Any) -> bytes:
        """The link's state as it goes over the channel."""
        self._beat += 1
        pools = [
            PoolShown(
                life.pool,
                life.epoch,
                self.state.balances[pool_account(life.pool)].microcents // MICROCENTS,
                life.last_fall_commit,
                life.last_fall_cause,
            )
            for life in self.state.pools.values()
        ]
        hits = [
            HitShown(str(hit.key), hit.prize, hit.state, hit.amount_cents, hit.key.table, hit.moved)
            for hit in self.state.hits.values()
        ]
        snapshot = Snapshot(
            link=self.name,
            generation=self.state.head.generation,
            commit=self.state.head.commit,
            status=self.status,
            terms=fingerprint_of(self.link_terms),
            month=self.month(),
            pools=pools,
            hits=hits,
            publisher="casino",
            beat=self._beat,
            elapsed_ms=own_clock_us() // 1000,
        )
        body = encode(msgspec.structs.replace(snapshot, **changes))
        return encode(Published(self._raw(body), self._key.sign(signed_bytes(body)).hex()))

    def publish(self) -> None:
        """Hand a snapshot to every feed, and to whoever carries it further."""
        if not self.silent:
            data = self.snapshot()
            for carry in (*(feed.hand for feed in self.feeds.values()), *self.carriers):
                carry(data)

    def of(self, link: str, _link_key: str, stale_after_s: int) -> HandFed:
        """A feed, as an agent asks for one; tables share it."""
        if link not in self.feeds:
            mirror = Mirror(link, self._signed, stale_after_s * 1_000_000)
            self.feeds[link] = HandFed(mirror)
            self.feeds[link].hand(self.snapshot())
        return self.feeds[link]

    def _signed(self, data: bytes, signature: bytes) -> bool:
        try:
            self._key.public_key().verify(signature, data)
        except InvalidSignature:
            return False
        return True

    async def beat(self) -> None:
        """Publish ten times a second, and settle hits where people do."""
        while True:
            self.publish()
            if self.settles_hits and any(hit.state in OPEN for hit in self.state.hits.values()):
                self.settle_hits()
            await asyncio.sleep(0.02)

    # --- the server ------------------------------------------------------------------------------------------------

    @asynccontextmanager
    async def serving(self, port: int = 0) -> AsyncIterator[str]:
        """Serve tables on a port while the context lasts; give the address for agents."""
        app, connections = web.Application(), Connections()
        self._connections = connections
        telemetry = Telemetry()
        telemetry.opened(self.name)
        Tables(self, connections, telemetry).add_to(app)
        app.on_shutdown.append(connections.close_all)
        async with AsyncExitStack() as stack:
            address = await stack.enter_async_context(listening(app, Listen("127.0.0.1", port)))
            beating = asyncio.create_task(self.beat())
            try:
                yield address.replace("http", "ws", 1)
            finally:
                beating.cancel()
                await asyncio.gather(beating, return_exceptions=True)

    def write_keys(self, folder: Path) -> None:
        """Put the tables' keys where agents look for them."""
        folder.mkdir(parents=True, exist_ok=True)
        for table, key in self.keys.items():
            pem = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
            (folder / f"{table}.key").write_bytes(pem)

    # --- what is looked at afterwards ------------------------------------------------------------------------------

    @property
    def meter_cents(self) -> int:
        """The main pool as shown."""
        return self.state.balances[pool_account("main")].microcents // MICROCENTS

    @property
    def wagers(self) -> int:
        """Accepted qualifying wagers that were not reversed: what the retained account holds of them."""
        price = self.link_terms.qualifying_wager_cents * MICROCENTS
        paid_in = -self.state.balances[WAGERS].microcents if WAGERS in self.state.balances else 0
        assert paid_in % price == 0
        return paid_in // price

    @property
    def awards(self) -> dict[str, int]:
        """Every award by its hit."""
        return {
            line.hit: line.amount_cents
            for known in self.known.values()
            if isinstance(answer := decode_stored(known.answer), RecordAnswer)
            for line in answer.awards
        }

    def records(self) -> list[bytes]:
        """The records that were decided, each once, in the order in which they came first."""
        found: dict[str, bytes] = {}
        for raw in self.messages:
            command = command_of(raw)
            if isinstance(command.message, RoundRecord):
                found.setdefault(command.id, bytes(command.signed.message) if command.signed else raw)
        return [raw for name, raw in found.items() if name in self.known]
