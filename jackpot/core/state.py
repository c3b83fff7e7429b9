"""What a link is between two batches: all that a decision may look at, and nothing a database would be needed for.

Values are frozen; a batch is decided on a `Draft`, and what it changed is what is written. So an attempt that is
refused, or lost, has changed nothing.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

import msgspec

from jackpot.core.accounts import Balance, Book, Entry, payable_account, pool_account
from jackpot.core.chain import BodyHit, Head
from jackpot.core.hits import OPEN, Hit
from jackpot.core.kept_hits import READ_ANYHOW, ended_before, left_out, looked_at
from jackpot.core.meters import PoolLife, begun_again, given_back
from jackpot.wire.ids import HitKey
from jackpot.wire.snapshots import NO_CORRECTION
from rules.terms import Terms

NEWEST = 3
"""The decide version that posts now (`decide`)."""
NOTES_FALLS = KEEPS_SHARES = KEEPS_FORFEITED = OWN_IN_METERS = 3
"""From which version on falls are noted, a share stays whose it is, a jackpot leaves out what its own meter has."""
RUNNING, STOPPED = "running", "stopped"
LINKED, DIFFERS, QUARANTINED, ADMITTED = "linked", "differs", "quarantined", "admitted"


class Run(msgspec.Struct, frozen=True, gc=False):
    """Seats of a round whose wagers were split alike: `parts` in microcents, in the order of `part_accounts`."""

    seats: tuple[int, ...]
    wager_cents: int
    parts: tuple[int, ...]
    tenders: tuple[str, ...]


class OpenRound(msgspec.Struct, frozen=True, gc=False):
    """A round without record or void yet: its accepted seats in `runs`, the epochs of the pools at its commit."""

    table: str
    journal: int
    round: int
    month: str
    terms: str
    commit: int
    time_us: int
    runs: tuple[Run, ...]
    epochs: tuple[int, ...]
    withdrawn: bool = False
    stale_display: bool = False

    @property
    def accepted(self) -> frozenset[int]:
        """The seats whose jackpot wager is in play."""
        return frozenset().union(*[run.seats for run in self.runs])


class Journal(msgspec.Struct, frozen=True, gc=False):
    """One life of a table's spool: its highest round and how its last ended round ended."""

    table: str
    journal: int
    spool: str
    highest: int = 0
    month: str = ""
    ended: int = 0
    ended_as: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """An admitted table: the journal that is its own now, the connection that is it, and whether it is linked."""

    name: str
    key: str
    settings: str
    status: str
    journal: int = 0
    connection: int = 0
    word: str = ""
    """`any`, or the spool a supervisor named, while a word for a new journal is outstanding."""
    takeovers: tuple[int, ...] = ()
    """Times (microseconds) of the last takeovers between two connections."""


@dataclass(frozen=True, slots=True)
class TermsInForce:
    """Terms and the commit from which they hold."""

    terms: Terms
    fingerprint: str
    raw: str
    since: int


@dataclass(frozen=True, slots=True)
class RegisteredLink:
    """A link the site knows, and the public key its snapshots are signed with."""

    link: str
    link_key: str
    commit: int


@dataclass(frozen=True, slots=True)
class Enrolled:
    """A table the site knows: its link, its public key, how often it was enrolled."""

    table: str
    link: str
    key: str
    revision: int
    commit: int


@dataclass(frozen=True, slots=True)
class LinkState:
    """A chain after a batch: a link, or the site (which has `links` and `enrolled` and nothing else)."""

    chain: str
    head: Head = field(default_factory=Head)
    link_key: str = ""
    terms: TermsInForce | None = None
    older: Mapping[str, TermsInForce] = field(default_factory=dict)
    """All terms by fingerprint, those in force too: an open round settles under its own."""
    balances: Mapping[str, Balance] = field(default_factory=dict)
    pools: Mapping[str, PoolLife] = field(default_factory=dict)
    tables: Mapping[str, Table] = field(default_factory=dict)
    journals: Mapping[tuple[str, int], Journal] = field(default_factory=dict)
    rounds: Mapping[tuple[str, int, int], OpenRound] = field(default_factory=dict)
    hits: Mapping[HitKey, Hit] = field(default_factory=dict)
    """Hits that are not at their end, those of the same rounds, and the 64 that ended last (by `moved`, then by key).

    With them prizes of a pool that came since another order of them may be argued for, and those of each journal's
    last round (`kept_hits`).
    `balances` holds the payable accounts of these hits only: one that has ended is never moved on again.
    """
    links: Mapping[str, RegisteredLink] = field(default_factory=dict)
    enrolled: Mapping[str, Enrolled] = field(default_factory=dict)


def wagered_in(rounds: Mapping[tuple[str, int, int], OpenRound]) -> Iterator[int]:
    """Return the commits of the wagers of open rounds, but of those that have none in play."""
    return (opened.commit for opened in rounds.values() if opened.runs)


@dataclass(slots=True)
class WagerRows:
    """Accepted wagers, a column each: one line a run, of which the ledger makes one row a seat.

    `seats`, `tenders` and `parts` are the run's own as array text (`{1,2}`): runs of one batch are mostly alike, so
    that their text is made once.
    """

    month: list[str] = field(default_factory=list)
    commit: list[int] = field(default_factory=list)
    table: list[str] = field(default_factory=list)
    journal: list[int] = field(default_factory=list)
    round: list[int] = field(default_factory=list)
    wager_cents: list[int] = field(default_factory=list)
    seats: list[str] = field(default_factory=list)
    tenders: list[str] = field(default_factory=list)
    parts: list[str] = field(default_factory=list)

    def add(self, opened: OpenRound) -> None:
        """Add the accepted wagers of a round that was just opened."""
        for run in opened.runs:
            self.month.append(opened.month)
            self.commit.append(opened.commit)
            self.table.append(opened.table)
            self.journal.append(opened.journal)
            self.round.append(opened.round)
            self.wager_cents.append(run.wager_cents)
            self.seats.append(_array(run.seats))
            self.tenders.append(_array(run.tenders))
            self.parts.append(_array(run.parts))


@lru_cache(maxsize=4096)
def _array(values: tuple[object, ...]) -> str:
    return "{" + ",".join(map(str, values)) + "}"


class CommandRow(msgspec.Struct, frozen=True, gc=False):
    """A command by its id, so that its answer can be looked up: that stands in the batch at `position`."""

    id: str
    month: str
    commit: int
    position: int
    sha256: bytes


@dataclass(frozen=True, slots=True)
class Rows:
    """All that a batch writes beside its own body; every value is worked out anew by the audit."""

    commands: tuple[CommandRow, ...]
    wagers: WagerRows
    entries: tuple[Entry, ...]
    balances: Mapping[str, Balance]
    pools: tuple[PoolLife, ...]
    tables: tuple[Table, ...]
    journals: tuple[Journal, ...]
    rounds: tuple[OpenRound, ...]
    ended: tuple[tuple[str, int, int], ...]
    hits: tuple[Hit, ...]
    terms: tuple[TermsInForce, ...]
    links: tuple[RegisteredLink, ...]
    enrolled: tuple[Enrolled, ...]
    link_key: str


class Draft:
    """A link while a batch is decided: reads see what this batch changed, which is kept apart for writing."""

    def __init__(self, state: LinkState, time_us: int, version: int = NEWEST) -> None:
        """Begin from a state; the state itself is never changed. What is decided is what this decide version does."""
        self.state = state
        self.version = version
        self.time_us = time_us
        self.commit = state.head.commit
        self.generation = state.head.generation
        """Which life of the ledger this is; a `reopened` act raises it."""
        self.book = Book(state.balances)
        self.link_key = state.link_key
        self.terms = state.terms
        self.older = dict(state.older)
        self.pools = dict(state.pools)
        self.tables = dict(state.tables)
        self.journals = dict(state.journals)
        self.rounds = dict(state.rounds)
        if version >= READ_ANYHOW:
            self.hits = looked_at(state.hits, wagered_in(state.rounds), state.journals)
        else:
            before = frozenset(ended_before(state.hits))
            self.hits = {key: hit for key, hit in state.hits.items() if key not in before}
        self.links = dict(state.links)
        self.enrolled = dict(state.enrolled)
        self.new_links: list[RegisteredLink] = []
        self.new_enrolled: list[Enrolled] = []
        self.month = ""
        self.split: tuple[int, ...] = ()
        """How a wager is split while `room` is above nought: microcents in the order of `part_accounts`."""
        self.room = 0
        """For how many wagers more `split` holds; set to nought by whatever moves a pool or the reserve otherwise."""
        self.credits: dict[tuple[int, int], Mapping[str, int]] = {}
        """What a run moves on each account under `split`, by its seats and how many of them wagered a token."""
        self.resolved: dict[tuple[object, ...], tuple[int, Sequence[int]]] = {}
        """What a round's prizes come to on a meter in another order, by all that they depend on (`orders`)."""
        self.wagers = WagerRows()
        self.new_terms: list[TermsInForce] = []
        self.changed_pools: set[str] = set()
        self.changed_tables: set[str] = set()
        self.changed_journals: set[tuple[str, int]] = set()
        self.changed_rounds: set[tuple[str, int, int]] = set()
        self.changed_hits: dict[HitKey, None] = {}
        self.in_play: dict[str, set[tuple[str, int, int]]] = {}
        """The open rounds of each table that have accepted seats.

        One at most, but where a ledger went back (PROTOCOL 5): what had ended a round of a lost spool is lost, and what
        the table played after it stands.
        """
        for key, opened in state.rounds.items():
            if opened.runs:
                self.in_play.setdefault(key[0], set()).add(key)
        self.open_hits: dict[str, set[HitKey]] = {}
        for hit in state.hits.values():
            if hit.state in OPEN:
                self.open_hits.setdefault(hit.key.table, set()).add(hit.key)

    def put_pool(self, pool: PoolLife) -> None:
        """Change a pool's life."""
        self.pools[pool.pool] = pool
        self.changed_pools.add(pool.pool)

    def begin_pool(self, pool: str, award: int = 0) -> None:
        """Let a pool's next epoch begin in this commit, after an award took it whole or without one: what it has."""
        on = not award and self.book.balance(pool_account(pool)) > 0
        self.put_pool(begun_again(self.pools[pool], self.commit, award, told=self.version >= NOTES_FALLS, runs_on=on))

    def give_pool_back(self, pool: str, award: int) -> None:
        """Note that a pool has back what the prizes of a commit took of it."""
        self.put_pool(given_back(self.pools[pool], award, self.commit))

    def put_table(self, table: Table) -> None:
        """Change a table."""
        self.tables[table.name] = table
        self.changed_tables.add(table.name)

    def put_journal(self, journal: Journal) -> None:
        """Change a journal."""
        key = (journal.table, journal.journal)
        self.journals[key] = journal
        self.changed_journals.add(key)

    def put_round(self, opened: OpenRound) -> None:
        """Open a round, or change one that is open."""
        key = (opened.table, opened.journal, opened.round)
        self.rounds[key] = opened
        self.changed_rounds.add(key)
        in_play = self.in_play.setdefault(key[0], set())
        (in_play.add if opened.runs else in_play.discard)(key)

    def end_round(self, key: tuple[str, int, int], how: str, month: str) -> None:
        """End an open round: recorded or voided. Its journal remembers the highest that has ended."""
        del self.rounds[key]
        self.changed_rounds.add(key)
        self.in_play.get(key[0], set()).discard(key)
        journal = self.journals[key[:2]]
        if key[2] > journal.ended:
            month = max(journal.month, month)
            self.put_journal(msgspec.structs.replace(journal, month=month, ended=key[2], ended_as=how))

    def fell(self, pool: str, cause: str) -> None:
        """Note that a pool's meter fell, and why: the cause its snapshots name (case 23).

        A correction is noted by itself: a wager that goes back right after it does not hide it from a room.
        """
        life = self.pools[pool]
        corrected = life.corrected if cause in NO_CORRECTION else self.commit
        self.put_pool(replace(life, last_fall_commit=self.commit, last_fall_cause=cause, corrected=corrected))

    def put_hit(self, hit: Hit) -> None:
        """Write a hit, or move it."""
        self.hits[hit.key] = hit
        self.changed_hits[hit.key] = None
        table = self.open_hits.setdefault(hit.key.table, set())
        if hit.state in OPEN:
            table.add(hit.key)
        else:
            table.discard(hit.key)

    def put_terms(self, terms: TermsInForce) -> None:
        """Put terms in force."""
        self.terms = terms
        self.older[terms.fingerprint] = terms
        self.new_terms.append(terms)

    def body_hits(self) -> list[BodyHit]:
        """Return the hits this batch changed, as the body tells them."""
        return [
            BodyHit(
                str(hit.key),
                hit.prize,
                hit.state,
                hit.amount_cents,
                hit.from_pool_cents,
                hit.topup_cents,
                hit.bonus_cents,
                hit.commit,
            )
            for hit in (self.hits[key] for key in self.changed_hits)
        ]

    def rows(self, commands: tuple[CommandRow, ...]) -> Rows:
        """Return what is to be written."""
        self.book.close_run()
        return Rows(
            commands=commands,
            wagers=self.wagers,
            entries=tuple(self.book.entries),
            balances={account: self.book.balances[account] for account in sorted(self.book.touched)},
            pools=tuple(self.pools[name] for name in sorted(self.changed_pools)),
            tables=tuple(self.tables[name] for name in sorted(self.changed_tables)),
            journals=tuple(self.journals[key] for key in sorted(self.changed_journals)),
            rounds=tuple(self.rounds[key] for key in sorted(self.changed_rounds) if key in self.rounds),
            ended=tuple(key for key in sorted(self.changed_rounds) if key not in self.rounds),
            hits=tuple(self.hits[key] for key in self.changed_hits),
            terms=tuple(self.new_terms),
            links=tuple(self.new_links),
            enrolled=tuple(self.new_enrolled),
            link_key=self.link_key,
        )

    def after(self, head: Head) -> LinkState:
        """Return the state after the batch; of hits that have ended the last are kept, and their accounts."""
        hits = {**self.state.hits, **self.hits}
        for key in left_out(hits, wagered_in(self.rounds), self.journals):
            del hits[key]
            self.book.balances.pop(payable_account(str(key)), None)
        return LinkState(
            chain=self.state.chain,
            head=head,
            link_key=self.link_key,
            terms=self.terms,
            older=self.older,
            balances=self.book.balances,
            pools=self.pools,
            tables=self.tables,
            journals=self.journals,
            rounds=self.rounds,
            hits=hits,
            links=self.links,
            enrolled=self.enrolled,
        )
