"""The demo's last word: totals read from the ledger, held against every spool, and the audit's verdict."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rich.console import Console
from rich.table import Table

from jackpot.core.accounts import MICROCENTS
from jackpot.demo_plan import Plan
from jackpot.demo_spools import spool_totals
from jackpot.demo_view import dollars
from jackpot.embedded import Servers
from jackpot.ledger.audit import audit
from jackpot.ledger.export import export
from jackpot.ledger.totals import Totals, read_totals
from rules.terms import Terms


@dataclass(frozen=True, slots=True)
class Reckoning:
    """What a demo came to: the totals for the last line, and every difference found, as sentences."""

    totals: Mapping[str, Any]
    differences: Sequence[str]

    def table(self) -> Table:
        """Return the totals for people."""
        grid = Table(show_header=False, box=None)
        for name, value in self.totals.items():
            grid.add_row(WORDS.get(name, name), _shown(name, value))
        return grid


WORDS = {
    "wagers": "wagers accepted",
    "wagers_cents": "wagered",
    "increments_microcents": "into pools",
    "awards_cents": "awarded",
    "seeds_cents": "seeds",
    "topups_cents": "top-ups",
    "bonuses_cents": "bonuses",
    "meter_cents": "meter",
}
"""What the totals are called on the screen, where not by their names."""


def _shown(name: str, value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{count} {prize.replace('_', ' ')}" for prize, count in value.items() if count) or "none"
    if name.endswith("_microcents") and isinstance(value, int):
        return dollars(value // MICROCENTS)
    return dollars(value) if name.endswith("_cents") and isinstance(value, int) else str(value)


async def reckon(plan: Plan, servers: Servers, terms: Terms, say: Console) -> Reckoning:
    """Read the totals, compare them with the spools, audit the ledger, and write the export where one is asked for."""
    totals = await read_totals(servers.auditor_url, terms.name)
    differences = _compare(totals, spool_totals(plan))
    say.print("audit: everything is worked out anew from the stored commands")
    report = await audit(servers.auditor_url)
    differences += report.differences
    if plan.export is not None:
        await export(servers.auditor_url, terms.name, plan.export)
    return Reckoning(
        {
            "tables": totals.tables,
            "rounds": totals.rounds,
            "wagers": totals.wagers,
            "wagers_cents": totals.wagers_cents,
            "increments_microcents": totals.increments_microcents,
            "hits": dict(totals.hits),
            "awards_cents": totals.awards_cents,
            "seeds_cents": totals.seeds_cents,
            "topups_cents": totals.topups_cents,
            "bonuses_cents": totals.bonuses_cents,
            "meter_cents": totals.meter_cents,
            "audit": "ok" if report.ok else report.differences[0],
            "data": str(plan.data),
        },
        differences,
    )


def _compare(totals: Totals, spools: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Say where the tables remember something else than the ledger holds, and what is unanswered."""
    differences = []
    for name in ("rounds", "wagers", "wagers_cents", "awards_cents"):
        there = sum(spool[name] for spool in spools.values())
        here = getattr(totals, name)
        if there != here:
            differences.append(f"{name}: the ledger holds {here}, the spools {there}")
    awards = {hit: cents for spool in spools.values() for hit, cents in spool["awards"].items()}
    differences += [
        f"{hit}: the ledger holds {totals.awards.get(hit)} cents, its spool {awards.get(hit)}"
        for hit in sorted(awards.keys() | totals.awards.keys())
        if awards.get(hit) != totals.awards.get(hit)
    ]
    unanswered = {table: spool["unanswered"] for table, spool in spools.items() if spool["unanswered"]}
    return differences + [f"{table}: {count} messages unanswered" for table, count in unanswered.items()]
