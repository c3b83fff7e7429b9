"""Where a link stands, worked out when somebody asks: meters, what is owed, how old hits, rounds and tables are."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from jackpot.core.accounts import MICROCENTS, NOTHING, RESERVE, pool_account
from jackpot.core.hits import ENDED, MOVES
from jackpot.core.ports import Batch
from jackpot.core.state import ADMITTED, DIFFERS, LINKED, QUARANTINED, LinkState
from jackpot.serving.metrics import Declared
from jackpot.wire.ids import HitKey

__all__ = ["Connected", "Remembered", "Standing"]

PARTS: Final[Mapping[str, str]] = {"pool/": "pools", "overflow/": "overflow", "payable/": "payable", RESERVE: "reserve"}
"""Accounts that hold what is owed to players, by how their names begin."""
WAITING: Final = tuple(state for state in MOVES if state not in ENDED)
"""States in which a winner, or the pool, still waits for something."""
US: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Connected:
    """A table's connection to this process."""

    skew_s: float | None
    """Its time of day less the server's; None where it has not told its own."""
    same_program: bool
    """Whether it runs the server's own version of the program."""


@dataclass(slots=True)
class Remembered:
    """What this process remembers of one link, since the ledger's state does not tell times of day."""

    began_us: int
    """When this process took the link up."""
    won_us: dict[HitKey, int]
    """When hits were won."""
    ended_us: dict[str, int]
    """When each table's last round ended."""

    def posted(self, batch: Batch) -> None:
        """Note when the hits of a batch were won."""
        for hit in batch.rows.hits:
            self.won_us.setdefault(hit.key, batch.time_us)

    def forget(self, state: LinkState) -> None:
        """Forget hits that the link keeps no more, and tables that it has no more."""
        for key in self.won_us.keys() - state.hits.keys():
            del self.won_us[key]
        for table in self.ended_us.keys() - state.tables.keys():
            del self.ended_us[table]


class Standing:
    """The gauges of all links. What a link has no more, a pool, a table, old terms, has no series any more."""

    def __init__(self, declared: Declared) -> None:
        """Put them on the registry."""
        gauge, shown = declared.gauge, declared.shown
        self.commit = gauge("jackpot_commit")
        self.generation = gauge("jackpot_generation")
        self.time_ahead = gauge("jackpot_ledger_time_ahead_seconds")
        self.reserve = gauge("jackpot_reserve_cents")
        self.liability = gauge("jackpot_liability_cents")
        self.terms_version = gauge("jackpot_terms_version")
        self.hits = gauge("jackpot_hits")
        self.hit_age = gauge("jackpot_hit_oldest_age_seconds")
        self.win_unshown = gauge("jackpot_win_unshown_seconds")
        self.enrolled = gauge("jackpot_tables_enrolled")
        self.tables = gauge("jackpot_tables")
        self.meter = shown("jackpot_meter_cents")
        self.seed = shown("jackpot_meter_seed_cents")
        self.limit = shown("jackpot_meter_limit_cents")
        self.reserve_limit = shown("jackpot_reserve_limit_cents")
        self.epoch = shown("jackpot_epoch")
        self.terms_info = shown("jackpot_terms_info")
        self.table_connected = shown("jackpot_table_connected")
        self.table_elsewhere = shown("jackpot_table_elsewhere")
        self.table_linked = shown("jackpot_table_linked")
        self.table_last_round = shown("jackpot_table_last_round_age_seconds")
        self.table_open_round = shown("jackpot_table_open_round")
        self.table_round_open = shown("jackpot_table_round_open_seconds")
        self.table_skew = shown("jackpot_table_clock_skew_seconds")
        self.table_program = shown("jackpot_table_program_differs")

    def show(self, state: LinkState, remembered: Remembered, connected: Mapping[str, Connected], now_us: int) -> None:
        """Show where a link stands now, and its tables, of which some are connected to this process."""
        link = state.chain
        self.commit.labels(link).set(state.head.commit)
        self.generation.labels(link).set(state.head.generation)
        self.time_ahead.labels(link).set(max(state.head.time_us - now_us, 0) / US)
        self._money(link, state)
        self._terms(link, state)
        self._hits(link, state, remembered, now_us)
        self._tables(link, state, remembered, connected, now_us)

    def displayed(
        self, state: LinkState, remembered: Remembered, furthest: tuple[int, int] | None, now_us: int
    ) -> None:
        """Show how long a win is on no board; `furthest` is the newest generation and commit that any board shows."""
        oldest_us = now_us
        if furthest is not None:
            for key, hit in state.hits.items():
                if hit.state in WAITING and (state.head.generation, hit.commit) > furthest:
                    oldest_us = min(oldest_us, remembered.won_us.get(key, now_us))
        self.win_unshown.labels(state.chain).set((now_us - oldest_us) / US)

    def others(self, state: LinkState, welcomed: Mapping[str, int], *, another: bool) -> None:
        """Show which tables said hello last to another server, where there is `another`; the rest are missed here."""
        link, tables = state.chain, state.tables.items()
        away = {name: another and welcomed.get(name) != table.connection for name, table in tables}
        self.table_elsewhere.show(link, (((link, name), value) for name, value in away.items()))

    def _money(self, link: str, state: LinkState) -> None:
        shown = {pool: _cents(state, pool_account(pool)) for pool in state.pools}
        self.meter.show(link, (((link, pool), cents) for pool, cents in shown.items()))
        self.epoch.show(link, (((link, pool.pool), pool.epoch) for pool in state.pools.values()))
        self.reserve.labels(link).set(_cents(state, RESERVE))
        owed = dict.fromkeys(PARTS.values(), 0)
        for account, balance in state.balances.items():
            for begins, part in PARTS.items():
                if account.startswith(begins):
                    owed[part] += balance.microcents
        for part, microcents in owed.items():
            self.liability.labels(link, part).set(microcents // MICROCENTS)

    def _terms(self, link: str, state: LinkState) -> None:
        if state.terms is None:
            return
        terms = state.terms.terms
        self.terms_info.show(link, [((link, state.terms.fingerprint), 1)])
        self.terms_version.labels(link).set(terms.version)
        self.seed.show(link, (((link, pool.name), pool.seed_cents) for pool in terms.pools))
        limits = {pool.name: pool.limit_cents for pool in terms.pools}
        self.limit.show(link, (((link, pool), cents) for pool, cents in limits.items() if cents is not None))
        most = terms.reserve.limit_cents
        self.reserve_limit.show(link, [] if most is None else [((link,), most)])

    def _hits(self, link: str, state: LinkState, remembered: Remembered, now_us: int) -> None:
        counts = dict.fromkeys(MOVES, 0)
        oldest = dict.fromkeys(WAITING, now_us)
        for key, hit in state.hits.items():
            counts[hit.state] += 1
            if hit.state in oldest:
                oldest[hit.state] = min(oldest[hit.state], remembered.won_us.get(key, remembered.began_us))
        for name, count in counts.items():
            self.hits.labels(link, name).set(count)
        for name, won_us in oldest.items():
            self.hit_age.labels(link, name).set((now_us - won_us) / US)

    def _tables(
        self,
        link: str,
        state: LinkState,
        remembered: Remembered,
        connected: Mapping[str, Connected],
        now_us: int,
    ) -> None:
        counts = dict.fromkeys((LINKED, DIFFERS, QUARANTINED, ADMITTED), 0)
        for table in state.tables.values():
            counts[table.status] += 1
        self.enrolled.labels(link).set(len(state.tables))
        for status, count in counts.items():
            self.tables.labels(link, status).set(count)
        here = {name: connected[name] for name in state.tables if name in connected}
        opened = dict.fromkeys(state.tables, now_us)
        oldest: dict[str, int] = {}
        for one_round in state.rounds.values():
            if one_round.table in opened and one_round.time_us <= opened[one_round.table]:
                opened[one_round.table], oldest[one_round.table] = one_round.time_us, one_round.round
        played = {table for (table, _), journal in state.journals.items() if journal.highest}
        ended = ((name, remembered.ended_us.get(name, remembered.began_us)) for name in state.tables if name in played)
        self.table_connected.show(link, (((link, name), name in here) for name in state.tables))
        self.table_linked.show(link, (((link, name), table.status == LINKED) for name, table in state.tables.items()))
        self.table_last_round.show(link, (((link, name), (now_us - at_us) / US) for name, at_us in ended))
        self.table_round_open.show(link, (((link, name), (now_us - at_us) / US) for name, at_us in opened.items()))
        self.table_open_round.show(link, (((link, name), number) for name, number in oldest.items()))
        self.table_program.show(link, (((link, name), not one.same_program) for name, one in here.items()))
        self.table_skew.show(link, (((link, name), one.skew_s) for name, one in here.items() if one.skew_s is not None))


def _cents(state: LinkState, account: str) -> int:
    return state.balances.get(account, NOTHING).microcents // MICROCENTS


def won_now(state: LinkState, remembered: Remembered) -> Iterable[tuple[HitKey, int]]:
    """Return the hits that wait and of which it is not known here when they were won, with their commits."""
    return (
        (key, hit.commit) for key, hit in state.hits.items() if hit.state not in ENDED and key not in remembered.won_us
    )
