"""What accounts a link has, and how balanced entries are posted to them. It knows no rule of any game.

Amounts are integer microcents (1e-6 cent). The entries of each batch sum to nought. Accounts that hold money owed to
players are never negative; where money comes from or has gone to may be.
"""

from collections.abc import Mapping
from dataclasses import dataclass

MICROCENTS = 1_000_000
"""Microcents in a cent."""

WAGERS = "wagers"
"""Where accepted jackpot wagers come in (its balance is what was taken, below nought)."""
RESERVE = "reserve"
"""A pool without a meter: players' money, spent on seeds, minimums and reversals only."""
RETAINED = "retained"
"""The casino operator's approved share (11.6)."""
HOUSE = "house"
"""What the house has funded: seeds, minimum top-ups, bonuses (below nought)."""
PAID = "paid"
"""Prizes paid out."""
RECOVERABLE = "recoverable"
"""Overpayments to get back (14.16-14.19)."""
FORFEITED = "forfeited"
"""Prizes the law gives to a fund."""

NEVER_NEGATIVE = ("pool/", "overflow/", "payable/", RESERVE)
"""Accounts, or beginnings of their names, that hold money owed to players."""

CAUSES = frozenset(
    {
        "increment",  # accepted wagers: into pools, overflow, reserve and retained
        "seed",  # first seed and reseed
        "overflow",  # overflow that joins a pool when it is reseeded
        "award",  # a pool's part of a prize
        "topup",  # what lifts a prize to its guaranteed minimum
        "bonus",  # a fixed bonus
        "lift",  # a pool raised to its seed
        "stake",  # a winning jackpot wager returned
        "payment",  # a prize paid out
        "reversal",  # a withdrawn or voided wager
        "release",  # a hit that fell away
        "transfer",  # an approved transfer
        "correction",  # a documented malfunction correction
        "limit",  # a pool cut to its limit
        "forfeit",  # a prize given to the fund the law names, a wager forfeited by a supervisor's direction (16.6)
        "recovery",  # an overpayment that came back
    }
)
"""Why money may move: the closed list (DESIGN 4)."""


class BrokenInvariant(Exception):
    """Something that cannot be true is: never caught and mended, the link stops and keeps the evidence."""


def pool_account(pool: str) -> str:
    """Return the account of a pool.

    >>> pool_account("main")
    'pool/main'
    """
    return f"pool/{pool}"


def overflow_account(pool: str) -> str:
    """Return the account of what a pool took in beyond its limit."""
    return f"overflow/{pool}"


def recovered_account(hit: str) -> str:
    """Return the account of what came back of a hit that was overpaid."""
    return f"recovered/{hit}"


def payable_account(hit: str) -> str:
    """Return the account of a hit not yet paid."""
    return f"payable/{hit}"


@dataclass(frozen=True, slots=True)
class Balance:
    """An account's last entry: its version (1, 2, 3 ... without gaps) and the balance after it, in microcents."""

    version: int
    microcents: int


NOTHING = Balance(0, 0)
"""An account without entries."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the journal: the amount moved on an account, why, and on whose account (`ref`, `commit`)."""

    account: str
    version: int
    amount: int
    balance_after: int
    cause: str
    commit: int
    ref: str


class Book:
    """The accounts of a chain while a batch is decided: balances move at once, entries are gathered.

    **Always**: a run of increments is one entry per account; every other movement has its own entry.
    **Never**: a balance of money owed to players below nought.
    """

    def __init__(self, balances: Mapping[str, Balance]) -> None:
        """Begin from the balances after the last batch."""
        self.balances = dict(balances)
        self.entries: list[Entry] = []
        self.touched: set[str] = set()
        self._run: dict[str, int] = {}
        self._run_commit = 0

    def balance(self, account: str) -> int:
        """Return the balance now, increments of this batch included, in microcents."""
        return self.balances.get(account, NOTHING).microcents + self._run.get(account, 0)

    def run(self, parts: Mapping[str, int], commit: int) -> None:
        """Add the increments of accepted wagers to the run that is open."""
        run = self._run
        for account, amount in parts.items():
            run[account] = run.get(account, 0) + amount
        self._run_commit = commit

    def move(self, source: str, target: str, amount: int, cause: str, commit: int, ref: str) -> None:
        """Move an amount of microcents from one account to another; nothing is written for nought."""
        if amount == 0:
            return
        if amount < 0:
            message = f"{cause} {ref}: an amount of {amount} microcents cannot be moved from {source} to {target}"
            raise BrokenInvariant(message)
        self.close_run()
        self._enter(source, -amount, cause, commit, ref)
        self._enter(target, amount, cause, commit, ref)

    def close_run(self) -> None:
        """Write the open run of increments as one entry per account."""
        for account, amount in self._run.items():
            if amount:
                self._enter(account, amount, "increment", self._run_commit, "")
        self._run = {}

    def _enter(self, account: str, amount: int, cause: str, commit: int, ref: str) -> None:
        if cause not in CAUSES:
            message = f"{cause!r} is not a cause money moves for"
            raise BrokenInvariant(message)
        last = self.balances.get(account, NOTHING)
        after = Balance(last.version + 1, last.microcents + amount)
        if after.microcents < 0 and account.startswith(NEVER_NEGATIVE):
            message = f"{cause} {ref}: {account} would fall to {after.microcents} microcents"
            raise BrokenInvariant(message)
        self.balances[account] = after
        self.touched.add(account)
        self.entries.append(Entry(account, after.version, amount, after.microcents, cause, commit, ref))
