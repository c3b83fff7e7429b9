"""What do the tables of a chain hold, worked out from its batches alone? The audit holds the stored rows against this.

Grows with what is open and with hits, not with wagers: rows that are written once are compared batch by batch.
"""

from dataclasses import dataclass, field

from jackpot.core.accounts import Balance, payable_account
from jackpot.core.chain import Head
from jackpot.core.hits import Hit
from jackpot.core.kept_hits import left_out
from jackpot.core.meters import PoolLife
from jackpot.core.ports import Batch
from jackpot.core.state import (
    Enrolled,
    Journal,
    LinkState,
    OpenRound,
    RegisteredLink,
    Table,
    TermsInForce,
    wagered_in,
)
from jackpot.wire.ids import HitKey


@dataclass(slots=True)
class Projection:
    """Every row of a chain's tables that batches change, by its key."""

    chain: str
    head: Head = field(default_factory=Head)
    link_key: str = ""
    terms: list[TermsInForce] = field(default_factory=list)
    balances: dict[str, Balance] = field(default_factory=dict)
    pools: dict[str, PoolLife] = field(default_factory=dict)
    tables: dict[str, Table] = field(default_factory=dict)
    journals: dict[tuple[str, int], Journal] = field(default_factory=dict)
    rounds: dict[tuple[str, int, int], OpenRound] = field(default_factory=dict)
    hits: dict[HitKey, Hit] = field(default_factory=dict)
    links: dict[str, RegisteredLink] = field(default_factory=dict)
    enrolled: dict[str, Enrolled] = field(default_factory=dict)

    def apply(self, batch: Batch) -> None:
        """Take a batch's rows in, as the statement that posts it does."""
        rows = batch.rows
        self.head = Head(batch.batch, batch.digest, batch.last_commit, batch.generation, batch.time_us)
        self.link_key = rows.link_key
        self.terms += rows.terms
        self.balances.update(rows.balances)
        self.pools.update({each.pool: each for each in rows.pools})
        self.tables.update({each.name: each for each in rows.tables})
        self.journals.update({(each.table, each.journal): each for each in rows.journals})
        self.rounds.update({(each.table, each.journal, each.round): each for each in rows.rounds})
        for key in rows.ended:
            self.rounds.pop(key, None)
        self.hits.update({each.key: each for each in rows.hits})
        self.links.update({each.link: each for each in rows.links})
        self.enrolled.update({each.table: each for each in rows.enrolled})

    def state(self) -> LinkState:
        """The state that a process reads at this head."""
        without = set(left_out(self.hits, wagered_in(self.rounds), self.journals))
        accounts_left_out = {payable_account(str(key)) for key in without}
        return LinkState(
            chain=self.chain,
            head=self.head,
            link_key=self.link_key,
            terms=self.terms[-1] if self.terms else None,
            older={each.fingerprint: each for each in self.terms},
            balances={name: held for name, held in self.balances.items() if name not in accounts_left_out},
            pools=dict(self.pools),
            tables=dict(self.tables),
            journals=dict(self.journals),
            rounds=dict(sorted(self.rounds.items(), key=lambda item: (item[1].commit, item[0]))),
            hits={key: hit for key, hit in self.hits.items() if key not in without},
            links=dict(self.links),
            enrolled=dict(self.enrolled),
        )
