"""A link at work in this process: inbox, poster and publisher bound together; and which links and tables there are.

This is where the edges meet: they know each other only as the Protocols of `jackpot.core.ports`.
"""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path

import structlog
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from redis.asyncio import Redis

from jackpot.bus import Hearing, Publisher, elapsed_ms
from jackpot.cli.acts import SITE, read_state
from jackpot.cli.keys import KeyRefused, key_file, public_hex, read_key
from jackpot.cli.self_check import SelfCheck, furthest
from jackpot.core.behind import LEDGER_BEHIND, Mark, mark_of
from jackpot.core.calendar import gaming_month
from jackpot.core.decide import round_now
from jackpot.core.hits import OPEN
from jackpot.core.ports import Heard, Reply, Submitted, UnreachableError
from jackpot.core.posting import Posted
from jackpot.core.state import ADMITTED, DIFFERS, QUARANTINED, Enrolled, LinkState
from jackpot.ledger.going_back import GoingBack
from jackpot.ledger.reading import PostgresLinkReader
from jackpot.ledger.revisions import SchemaDiffers, hold_schema
from jackpot.ledger.runner import run_poster
from jackpot.ledger.watched import WatchedInbox, WatchedStore, times_of_commits
from jackpot.serving.points import reached
from jackpot.telemetry import Connected, Telemetry
from jackpot.wire.messages import HitNow, RoundNow
from jackpot.wire.refusals import Refusal
from jackpot.wire.snapshots import Snapshot
from rules.terms import Terms

__all__ = ["LinkAtWork", "Site", "ended", "kept_running"]

URGENT = frozenset({"award", "fall", "hit"})
"""Facts that boards and tables are told of at once."""
LOOK_EVERY_S = 5.0
"""How often the site is read for new links, tables and keys."""
LOOK_AGAIN_S = 1.0
"""How soon it is read again for a table that is not known: strangers cost one read a second at most."""
READ_WITHIN_MS = 3_000
AGAIN_AFTER_S = 1.0
ASK_AGAIN_S = 0.25

_log = structlog.get_logger(__name__)


class LinkAtWork:
    """One link of this process. Tables submit to it; boards and tables ask it for its terms."""

    def __init__(
        self,
        url: str,
        state: LinkState,
        key: Ed25519PrivateKey,
        redis: Redis,
        telemetry: Telemetry,
        *,
        publisher: str,
        least_s: float,
        standby: bool,
        checkpoint: Callable[[], Mark | None] = lambda: None,
    ) -> None:
        """`state` is the link as it was read; `publisher` names this process's beats; `checkpoint` gives the file's."""
        self.name = state.chain
        self.link_key = state.link_key
        self.state = state
        self.closing = False
        """Whether nothing is taken any more, because the server stops."""
        self._url = url
        self._telemetry = telemetry
        self._inbox = WatchedInbox()
        self._store = WatchedStore(url, self.name, telemetry.wrote(self.name), standby_expected=standby)
        self._store.shown = self._shown
        self._reader = PostgresLinkReader(
            url, self.name, saw=self._inbox.saw, standby_expected=standby, shown=self._shown
        )
        self._reader.remembered = self._store.remembered = lambda: furthest(self.mark(), checkpoint())
        self._publisher = Publisher(
            self.name, key, self._reader, redis, telemetry, name=publisher, month=self.month, least_s=least_s
        )
        self.receipts = GoingBack(
            url, self.name, stopped=lambda: self._publisher.committed(urgent=True), shown=self._shown
        )
        self._tasks: list[asyncio.Task[None]] = []
        self._heard: Snapshot | None = None
        self._began_ms = elapsed_ms()
        telemetry.opened(self.name)

    def start(self) -> None:
        """Begin to post and to publish."""
        self._tasks = [
            asyncio.create_task(kept_running(name, work, self._telemetry.task_failed))
            for name, work in (
                ("poster", lambda: run_poster(self._inbox, self._store, self._told)),
                ("publisher", self._publisher.run),
                ("state", self._keep_up),
            )
        ]

    async def stop(self) -> None:
        """End; what is being committed is left to its outcome, and nobody is told anything any more."""
        await ended(*self._tasks)
        closing = (self._store.close(), self._reader.close(), self.receipts.close())
        await asyncio.gather(*closing, return_exceptions=True)

    def submit(self, submitted: Submitted) -> None:
        """Put a command into the inbox."""
        if self.closing:
            submitted.reply(Reply(submitted.command.id, b"", None, Refusal.BUSY))
        elif self.behind:
            submitted.reply(Reply(submitted.command.id, b"", None, Refusal.LEDGER_BEHIND))
        else:
            self._inbox.submit(submitted)

    @property
    def behind(self) -> bool:
        """Whether its ledger went back, as it was read last: tables hand in, and nothing else is taken."""
        last = self._publisher.last
        return last is not None and last.status == LEDGER_BEHIND

    def mark(self) -> Mark | None:
        """Return how far the ledger has come, for the checkpoint file; None while it is behind."""
        seen = self._reader.seen
        return None if seen is None or self.behind else max(mark_of(self.state.head), seen, key=lambda mark: mark.place)

    def month(self) -> str:
        """Return the gaming month that the ledger is in, by the clock of who posted last.

        **Never** one that no batch stands in, by this machine's own clock: a round numbered in it would be put off by
        every process whose clock is right, and its table stay without the jackpot, until that month began.
        """
        terms = self.terms()
        return gaming_month(terms, self.state.head.time_us) if terms is not None else ""

    def hits(self, table: str) -> tuple[HitNow, ...]:
        """Return a table's open hits: as this process left them, or as they were last read where that is newer."""
        last = self._publisher.last
        if last is not None and last.commit >= self.state.head.commit and not self.behind:
            return tuple(
                HitNow(hit.hit, hit.prize, hit.state, hit.amount_cents)
                for hit in last.hits
                if hit.table == table and hit.state in OPEN
            )
        return tuple(
            HitNow(str(key), hit.prize, hit.state, hit.amount_cents)
            for key, hit in self.state.hits.items()
            if key.table == table and hit.state in OPEN
        )

    def round_now(self, table: str) -> RoundNow | None:
        """Return how the last round of a table's journal stands, as this process knows it; None before its first."""
        return round_now(self.state, table)

    def standing(self, table: str, journal: int, connection: int, terms: str) -> str:
        """Say why this connection of a table, welcomed in this journal under these terms, is the table no more.

        Empty where it is. **Always** `replaced` where any other is: numbers rise within a spool only, so that the one
        which a supervisor's word has let in may have the lower one, or the same in another journal.
        """
        found, now = self.state.tables.get(table), self.state.terms
        if self.behind:
            return Refusal.LEDGER_BEHIND.code
        if found is None:
            return Refusal.NOT_ENROLLED.code
        if (found.journal, found.connection) != (journal, connection):
            return "replaced"
        if now is not None and now.fingerprint != terms:
            return Refusal.TERMS_DIFFER.code
        return _STANDING.get(found.status, "")

    def terms(self, fingerprint: str = "") -> Terms | None:
        """Return the terms of that fingerprint, or those in force as last read."""
        last = self._publisher.last
        name = fingerprint or (last.terms if last is not None else "")
        found = self.state.older.get(name) or (None if fingerprint else self.state.terms)
        return found.terms if found is not None else None

    def problems(self) -> Mapping[str, str]:
        """Say why the link is not ready, thing by thing; empty where it is."""
        last, read_ms = self._publisher.last, self._publisher.last_read_ms
        fresh = last is not None and elapsed_ms() - read_ms < READ_WITHIN_MS
        away = self._reader.problem or ("" if fresh else "the ledger was not read in the last seconds")
        status = "" if last is None or last.status == "running" else f"the link is {last.status}"
        return {f"ledger/{self.name}": away, f"link/{self.name}": status}

    def heard(self, link: str, heard: Heard) -> None:
        """Take a snapshot that came back over Redis: of this process's own it is counted how long that took.

        What another process showed is remembered like its own: a ledger that ends before it went back (PROTOCOL 5).
        """
        if link == self.name:
            self._publisher.came_back(heard)
            if heard.snapshot.status == "running":
                self._heard = _further(self._heard, heard.snapshot)

    def show(self, connected: Mapping[str, Connected], heard: Heard | None) -> None:
        """Bring the link's gauges up to now: its tables, of which these are connected here, and what was heard last."""
        name, telemetry = self.name, self._telemetry
        telemetry.stands(name, self.state, connected)
        oldest_s = self._inbox.oldest_s(asyncio.get_running_loop().time())
        telemetry.posting.stands(name, len(self._inbox), oldest_s, self._store.under_way_s)
        last = self._publisher.last
        up = last is not None and elapsed_ms() - self._publisher.last_read_ms < READ_WITHIN_MS
        telemetry.postgres.up.labels(name).set(up)
        telemetry.postgres.durable.labels(name).set(self._reader.durable)
        came_ms = heard.at_ms if heard is not None and heard.live else self._began_ms
        telemetry.snapshot_age.labels(name).set((elapsed_ms() - came_ms) / 1000)

    def _shown(self) -> Snapshot | None:
        return _further(self._publisher.shown(), self._heard)

    def _told(self, posted: Posted) -> None:
        self.state = posted.state
        self._telemetry.posted(self.name, posted, len(self._inbox))
        for fact in posted.facts:
            if fact.kind in _LOGGED:
                _log.info(
                    f"link_{fact.kind}",
                    link=self.name,
                    table=fact.table,
                    round=fact.round,
                    commit=posted.state.head.commit,
                    **fact.figures,
                )
        reached("answers-due")
        if posted.bytes:
            self._publisher.committed(urgent=any(fact.kind in URGENT for fact in posted.facts))

    async def _keep_up(self) -> None:
        """Read the link again when another process has moved it on and nothing is posted here that would tell."""
        behind_at = -1
        while True:
            await asyncio.sleep(LOOK_AGAIN_S)
            await self._date_hits()
            last, commit = self._publisher.last, self.state.head.commit
            if last is None or last.commit <= commit or self.behind:
                behind_at = -1
            elif behind_at != commit:
                behind_at = commit
            else:
                with contextlib.suppress(UnreachableError):
                    read = await read_state(self._url, self.name)
                    if read.head.batch > self.state.head.batch:
                        self.state = read
                        self._telemetry.overtaken(self.name)

    async def _date_hits(self) -> None:
        """Read when those hits were won that this process has not posted itself: how old they are is an alarm."""
        commits = self._telemetry.unknown_wins(self.name, self.state)
        if commits:
            with contextlib.suppress(UnreachableError):
                times_us = await times_of_commits(self._url, self.name, commits.values())
                self._telemetry.won(
                    self.name, {key: times_us[commit] for key, commit in commits.items() if commit in times_us}
                )


def _further(one: Snapshot | None, other: Snapshot | None) -> Snapshot | None:
    """Return the snapshot of the later place, the first of two at the same."""
    found = [each for each in (one, other) if each is not None]
    return max(found, key=lambda each: (each.generation, each.commit), default=None)


_STANDING = {
    ADMITTED: "hello_again",
    DIFFERS: Refusal.TERMS_DIFFER.code,
    QUARANTINED: Refusal.QUARANTINED.code,
}
_LOGGED = frozenset(
    {
        *("award", "fall", "hit", "gap", "disputed", "prize_voided", "quarantined", "stale_display", "hello_refused"),
        *("id_reused", "voided"),
    }
)
"""Facts a person may want to read of; the others are counted."""


class Site:
    """The links and tables the site knows, read from the ledger; links that appear begin to work."""

    def __init__(
        self,
        url: str,
        keys: Path,
        begin: Callable[[LinkState, Ed25519PrivateKey], LinkAtWork],
        hearing: Hearing,
        check: SelfCheck,
    ) -> None:
        """`begin` makes a link at work."""
        self.links: dict[str, LinkAtWork] = {}
        self.problem = "the site was not read yet"
        """Why the site could not be read, or a link does not work here; empty while all is well."""
        self._url, self._keys, self._begin, self._hearing, self._check = url, keys, begin, hearing, check
        self._enrolled: Mapping[str, Enrolled] = {}
        self._looking = asyncio.Lock()
        self._looked_at = float("-inf")
        self._schema_held = False
        """Whether the ledger once had this program's schema: it may rise while a server runs (a newer program's)."""

    async def enrolled(self, table: str) -> Enrolled | None:
        """Return a table's enrolment; one that is not known is looked for once a second at most."""
        found = self._enrolled.get(table)
        if found is None and asyncio.get_running_loop().time() - self._looked_at >= LOOK_AGAIN_S:
            await self.look()
            found = self._enrolled.get(table)
        return found

    def link(self, name: str) -> LinkAtWork | None:
        """Return a link this process serves."""
        return self.links.get(name)

    async def keep_looking(self) -> None:
        """Read the site every few seconds, for ever."""
        while True:
            await self.look()
            await asyncio.sleep(LOOK_EVERY_S if not self.problem else LOOK_AGAIN_S)

    async def look(self) -> None:
        """Read the site; begin with the links that are new."""
        async with self._looking:
            now = asyncio.get_running_loop().time()
            if now - self._looked_at < LOOK_AGAIN_S:
                return
            try:
                await self._hold_schema()
                state = await read_state(self._url, SITE)
                self._enrolled = state.enrolled
                problems = [await self._begin_with(link.link) for link in state.links.values()]
                problems += self._check.unknown(state.links)
                self.problem = next((problem for problem in problems if problem), "")
            except (UnreachableError, SchemaDiffers) as error:
                self.problem = str(error)
            finally:
                self._looked_at = asyncio.get_running_loop().time()

    def marks(self) -> list[tuple[str, Mark]]:
        """Return how far each link has come that is not behind."""
        return [(name, mark) for name, link in self.links.items() if (mark := link.mark()) is not None]

    async def stop(self) -> None:
        """End all links."""
        await asyncio.gather(*(link.stop() for link in self.links.values()))

    async def _hold_schema(self) -> None:
        if not self._schema_held:
            await hold_schema(self._url)
            self._schema_held = True

    async def _begin_with(self, name: str) -> str:
        if name in self.links:
            return ""
        try:
            key = read_key(key_file(self._keys, "link", name))
        except KeyRefused as error:
            return str(error)
        shown = await self._check.last_shown(name, public_hex(key))
        state = await read_state(self._url, name)
        if state.terms is None:
            return ""  # registered, and about to be opened
        if state.link_key != public_hex(key):
            return f"link {name}: the key in {self._keys} is not the one it was opened with"
        problem = await self._check.hold(self._url, state, shown)
        if problem:
            return problem
        link = self._begin(state, key)
        self.links[name] = link
        self._hearing.add(name, state.link_key)
        self._hearing.watch(link.heard)
        link.start()
        _log.info("link_begins", link=name, commit=state.head.commit, terms=state.terms.fingerprint)
        return ""


async def ended(*tasks: asyncio.Task[None]) -> None:
    """End tasks, asking again those that did not hear it: a library may take a cancel for a time-out of its own."""
    waiting = set(tasks)
    while waiting:
        for task in waiting:
            task.cancel()
        _done, waiting = await asyncio.wait(waiting, timeout=ASK_AGAIN_S)


async def kept_running(
    name: str, work: Callable[[], Awaitable[None]], failed: Callable[[str], None] = lambda _name: None
) -> None:
    """Run what must never end; should it fail, say so loudly and begin again from what the ledger holds."""
    while True:
        try:
            await work()
        except Exception:  # noqa: BLE001 - whatever it is, the ledger holds what is true
            _log.exception("task_failed", task=name)
            failed(name)
        await asyncio.sleep(AGAIN_AFTER_S)
