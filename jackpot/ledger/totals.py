"""What did a link come to? Totals from its first commit to its last, for the demo's last word and for whoever asks."""

import json
from collections.abc import Mapping
from dataclasses import dataclass

from jackpot.core.accounts import MICROCENTS
from jackpot.ledger.connection import close, connect, translated
from jackpot.ledger.failures import LedgerUnreachable
from jackpot.ledger.statements import statement


@dataclass(frozen=True, slots=True)
class Totals:
    """`wagers` are accepted ones that were not reversed; `hits` counts by prize, `awards` gives cents by hit."""

    tables: int
    rounds: int
    wagers: int
    wagers_cents: int
    increments_microcents: int
    hits: Mapping[str, int]
    awards: Mapping[str, int]
    awards_cents: int
    seeds_cents: int
    topups_cents: int
    bonuses_cents: int
    meter_cents: int


PRIZES = ("royal_flush", "straight_flush", "four_of_a_kind", "full_house", "flush")


async def read_totals(url: str, link: str) -> Totals:
    """Read a link's totals; raises UnreachableError, also for a link that is not open."""
    connection = await connect(url, f"jackpot totals {link}")
    try:
        with translated():
            row = await connection.fetchrow(statement("totals"), link)
    finally:
        await close(connection)
    if row is None:
        raise LedgerUnreachable(f"the link {link} is not open")
    hits = json.loads(row["hits"])
    return Totals(
        tables=row["tables"],
        rounds=row["rounds"],
        wagers=row["wagers"],
        wagers_cents=int(row["wagers_cents"]),
        increments_microcents=int(row["increments_microcents"]),
        hits={prize: hits.get(prize, 0) for prize in PRIZES},
        awards=json.loads(row["awards"]),
        awards_cents=int(row["awards_cents"]),
        seeds_cents=int(row["seeds_microcents"]) // MICROCENTS,
        topups_cents=int(row["topups_cents"]),
        bonuses_cents=int(row["bonuses_cents"]),
        meter_cents=int(row["meter_microcents"]) // MICROCENTS,
    )
