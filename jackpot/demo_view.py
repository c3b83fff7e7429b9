"""What a visitor sees of the demo while it plays: tables, rounds, wagers a second, the meter and the hits."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field

from rich.console import Console, Group, RenderableType
from rich.panel import Panel
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from jackpot.wire.snapshots import Snapshot

STATES = {
    "pending": ("◐", "being checked"),
    "verified": ("◐", "being checked"),
    "approved": ("◐", "about to be paid"),
    "claimed": ("◐", "cards to be entered"),
    "disputed": ("▲", "two people decide"),
    "paid": ("★", "paid"),
    "rejected": ("■", "rejected"),
    "released": ("○", "no jackpot"),
    "forfeited": ("■", "forfeited"),
}
"""A hit's state as a shape and words, so that nothing hangs on colour alone."""
RATE_OVER_S = 5.0
"""Wagers a second are of the last five seconds: shorter flickers, longer lags."""


@dataclass(frozen=True, slots=True)
class TableNow:
    """A table as the ledger has it: linked or not, its last round, whether one is in play."""

    name: str
    status: str
    rounds: int
    in_play: bool


@dataclass(frozen=True, slots=True)
class Now:
    """The demo at one moment. `at_s` is its own elapsed time; `wagers` counts accepted ones that were not reversed."""

    at_s: float
    tables: Sequence[TableNow]
    wagers: int
    snapshot: Snapshot | None
    live: bool
    board: str
    server: str


@dataclass(slots=True)
class Rate:
    """Wagers a second over the last seconds."""

    seen: deque[tuple[float, int]] = field(default_factory=deque)

    def of(self, now: Now) -> float:
        """Return the rate, given the moment now as well."""
        self.seen.append((now.at_s, now.wagers))
        while len(self.seen) > 2 and now.at_s - self.seen[0][0] > RATE_OVER_S:
            self.seen.popleft()
        (first_s, first), (last_s, last) = self.seen[0], self.seen[-1]
        return (last - first) / (last_s - first_s) if last_s > first_s else 0.0


def dollars(cents: int) -> str:
    """Return an amount as people read it.

    >>> dollars(5_000_000), dollars(9_007_199_254_740_993)
    ('$50,000.00', '$90,071,992,547,409.93')
    """
    sign = "\u2212" if cents < 0 else ""
    return f"{sign}${abs(cents) // 100:,}.{abs(cents) % 100:02d}"


def screen(now: Now, rate: float, rounds: int | None, currency: str) -> RenderableType:
    """Return the screen: meter on top, then a row a table, then the last hits."""
    return Group(_meter(now, rate, currency), _tables(now, rounds), _hits(now))


def line(now: Now) -> str:
    """Return the moment as one line, for a log."""
    rounds = sum(table.rounds for table in now.tables)
    meter = dollars(now.snapshot.pools[0].cents) if now.snapshot is not None and now.snapshot.pools else "no meter yet"
    return f"{now.at_s:5.0f} s: {rounds:,} rounds, {now.wagers:,} wagers, {meter}, board {now.board}"


def _meter(now: Now, rate: float, currency: str) -> RenderableType:
    shown = now.snapshot
    if shown is None or not shown.pools:
        amount = Text("CONNECTING", style="bold")
    else:
        amount = Text(f"{dollars(shown.pools[0].cents)} {currency}", style="bold yellow" if now.live else "dim")
    state = "● LIVE" if now.live else "▲ NOT LIVE"
    words = f"{state} · {now.wagers:,} wagers, {rate:,.0f} a second · server {now.server} · board {now.board}"
    return Panel(Group(amount, Text(words, style="dim")), title="ROYAL FLUSH JACKPOT", title_align="left")


def _tables(now: Now, rounds: int | None) -> RenderableType:
    grid = Table(expand=True, box=None, padding=(0, 1))
    for name, justify in (("Table", "left"), ("Link", "left"), ("Round", "right"), ("", "left")):
        grid.add_column(name, justify=justify)  # type: ignore[arg-type]
    shown = now.tables[:16]
    for table in shown:
        progress: RenderableType = (
            ProgressBar(total=rounds, completed=min(table.rounds, rounds), width=30) if rounds else Text("")
        )
        lamp = "● wagers in play" if table.in_play else "○"
        grid.add_row(table.name, table.status, f"{table.rounds:,}", progress if rounds else lamp)
    if len(now.tables) > len(shown):
        rest = now.tables[len(shown) :]
        grid.add_row(f"+ {len(rest)} more", "", f"{sum(table.rounds for table in rest):,}", "")
    return grid


def _hits(now: Now) -> RenderableType:
    grid = Table(expand=True, box=None, padding=(0, 1))
    for name, justify in (("Hit", "left"), ("Prize", "left"), ("Amount", "right"), ("State", "left")):
        grid.add_column(name, justify=justify)  # type: ignore[arg-type]
    hits = now.snapshot.hits if now.snapshot is not None else []
    for hit in sorted(hits, key=lambda hit: -hit.commit)[:8]:
        shape, words = STATES.get(hit.state, ("?", hit.state))
        grid.add_row(hit.hit, hit.prize.replace("_", " "), dollars(hit.amount_cents), f"{shape} {words}")
    return grid


def console(*, plain: bool) -> Console:
    """Return the console the view is drawn on: standard error, so that standard output is the result's alone.

    In a file a line is never broken: an address in two pieces is none.
    """
    shown = Console(stderr=True, force_terminal=None if not plain else False)
    shown.soft_wrap = not shown.is_terminal
    return shown
