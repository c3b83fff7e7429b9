"""Which rows must each table of a chain hold, column by column? Worked out from batches alone.

The values are those that asyncpg reads: integers for `numeric`, lists for arrays, text for JSON.
"""

from collections.abc import Mapping, Sequence

from jackpot.core.hits import Hit
from jackpot.core.meters import PoolLife
from jackpot.core.ports import Batch
from jackpot.core.state import Enrolled, Journal, OpenRound, RegisteredLink, Table
from jackpot.ledger.differences import Columns, Key
from jackpot.ledger.projection import Projection
from jackpot.ledger.rows import HIT_COLUMNS, acts_text, runs_text, terms_row

Rows = dict[Key, Columns]


def command_rows(batch: Batch) -> Rows:
    """The rows of `command` that a batch wrote, by id and month."""
    return {
        (row.id, row.month): {
            "id": row.id,
            "month": row.month,
            "commit": row.commit,
            "batch": batch.batch,
            "position": row.position,
            "sha256": row.sha256,
        }
        for row in batch.rows.commands
    }


def wager_rows(batch: Batch) -> Rows:
    """The rows of `wager` that a batch wrote, by month, table, journal, round and seat."""
    wagers = batch.rows.wagers
    rows: Rows = {}
    for place, month in enumerate(wagers.month):
        table, journal, number = wagers.table[place], wagers.journal[place], wagers.round[place]
        parts = [int(part) for part in _listed(wagers.parts[place])]
        for seat, tender in zip(_listed(wagers.seats[place]), _listed(wagers.tenders[place]), strict=True):
            rows[month, table, journal, number, int(seat)] = {
                "commit": wagers.commit[place],
                "wager_cents": wagers.wager_cents[place],
                "tender": tender,
                "parts": parts,
            }
    return rows


def entry_rows(batch: Batch) -> Rows:
    """The rows of `entry` that a batch wrote, by account and version."""
    return {
        (entry.account, entry.version): {
            "microcents": entry.amount,
            "balance_after": entry.balance_after,
            "cause": entry.cause,
            "commit": entry.commit,
            "ref": entry.ref,
            "batch": batch.batch,
        }
        for entry in batch.rows.entries
    }


def head_row(rows: Projection) -> Columns:
    """The row of `head`."""
    head = rows.head
    return {
        "batch": head.batch,
        "digest": head.digest,
        "commit": head.commit,
        "generation": head.generation,
        "time_us": head.time_us,
        "link_key": rows.link_key,
    }


def changing_rows(rows: Projection) -> Mapping[str, tuple[tuple[str, ...], Rows]]:
    """The tables that batches change: for each its key and all its rows."""
    return {
        "terms": (("version",), {(each.terms.version,): terms_row(each) for each in rows.terms}),
        "account": (
            ("account",),
            {
                (account,): {"version": balance.version, "balance_microcents": balance.microcents}
                for account, balance in rows.balances.items()
            },
        ),
        "pool": (("pool",), {(name,): _columns(pool) for name, pool in rows.pools.items()}),
        "linked_table": (("table",), {(name,): _table_row(table) for name, table in rows.tables.items()}),
        "journal": (("table", "journal"), {key: _columns(journal) for key, journal in rows.journals.items()}),
        "open_round": (
            ("table", "journal", "round"),
            {key: _round_row(opened) for key, opened in rows.rounds.items()},
        ),
        "hit": (
            ("table", "journal", "round", "seat", "pool"),
            {tuple(key): _hit_row(hit) for key, hit in rows.hits.items()},
        ),
        "registered_link": (("link",), {(name,): _columns(link) for name, link in rows.links.items()}),
        "enrolled_table": (("table",), {(name,): _columns(table) for name, table in rows.enrolled.items()}),
    }


def _listed(text: str) -> Sequence[str]:
    return text.strip("{}").split(",")


def _columns(value: PoolLife | Journal | RegisteredLink | Enrolled | Table | OpenRound) -> dict[str, object]:
    return {name: _stored(getattr(value, name)) for name in type(value).__match_args__}


def _stored(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value


def _table_row(table: Table) -> Columns:
    row = _columns(table)
    row["table"] = row.pop("name")
    return row


def _round_row(opened: OpenRound) -> Columns:
    return {**_columns(opened), "runs": runs_text(opened.runs)}


def _hit_row(hit: Hit) -> Columns:
    row = {column: _stored(getattr(hit, column)) for column in HIT_COLUMNS}
    return {**row, "acts": acts_text(hit.acts)}
