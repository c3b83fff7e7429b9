"""How does a batch become the arguments of `post_batch`, and how do stored rows become a state again?

Only forms change here: no decision, no look at a database. Values go in as the database compares them, so that the
audit can hold a row against what it worked out.
"""

from collections.abc import Iterable, Sequence
from dataclasses import fields
from functools import lru_cache
from operator import attrgetter
from typing import Any, Protocol

import msgspec

from jackpot.core.accounts import Balance
from jackpot.core.chain import Head
from jackpot.core.hits import Act, Hit
from jackpot.core.meters import PoolLife
from jackpot.core.ports import Batch
from jackpot.core.state import Enrolled, Journal, OpenRound, RegisteredLink, Run, Table, TermsInForce
from jackpot.wire.ids import HitKey
from rules.terms import parse_terms


class Row(Protocol):
    """A stored row, by column."""

    def __getitem__(self, column: str, /) -> Any:
        """The value of a column."""
        ...


NO_MONTH = "0000-00"
"""The month of commands that are of no round."""
_ROUND_ID_PARTS = 6

_json = msgspec.json.Encoder()
HIT_COLUMNS = tuple(field.name for field in fields(Hit) if field.name != "key")
"""A hit's columns beside its key."""
HIT_MICROCENTS = ("meter_microcents", "own_microcents")

_runs = msgspec.json.Decoder(tuple[Run, ...])
_acts = msgspec.json.Decoder(tuple[Act, ...])

_command = attrgetter("id", "month", "commit", "position", "sha256")
_entry = attrgetter("account", "version", "amount", "balance_after", "cause", "commit", "ref")
_journal = attrgetter("table", "journal", "spool", "highest", "month", "ended", "ended_as")


def month_of(command_id: str) -> str:
    """The gaming month an id names, by which its row is found.

    >>> month_of("T1/1/2026-11/17/record/1"), month_of("T1/1/17/3/main/verify/1")
    ('2026-11', '0000-00')
    """
    parts = command_id.split("/")
    return parts[2] if len(parts) == _ROUND_ID_PARTS else NO_MONTH


def batch_arguments(batch: Batch) -> list[Any]:
    """The arguments of `post_batch`, in order.

    A column with a value for each message is one array text, and digests are one text of bytes: asyncpg looks at every
    value of an array several times, at a text once.
    """
    rows = batch.rows
    wagers = rows.wagers
    accounts = rows.balances
    *commands, digests = _columns(5, map(_command, rows.commands))
    rounds = _columns(11, map(_round_row, rows.rounds))
    return [
        batch.chain,
        batch.batch,
        batch.time_us,
        batch.generation,
        batch.decide,
        batch.first_commit,
        batch.last_commit,
        batch.previous,
        batch.digest,
        batch.body,
        rows.link_key,
        *map(_array_text, commands),
        b"".join(digests),
        _array_text(wagers.month),
        _array_text(wagers.commit),
        _array_text(wagers.table),
        _array_text(wagers.journal),
        _array_text(wagers.round),
        _array_text(wagers.wager_cents),
        _array_text(wagers.seats),
        _array_text(wagers.tenders),
        _array_text(wagers.parts),
        *_columns(7, map(_entry, rows.entries)),
        list(accounts),
        [balance.version for balance in accounts.values()],
        [balance.microcents for balance in accounts.values()],
        *map(_array_text, _columns(7, map(_journal, rows.journals))),
        *map(_array_text, rounds[:7]),
        rounds[7],
        *map(_array_text, rounds[8:]),
        *map(_array_text, _columns(3, rows.ended)),
        _rare(rows.pools),
        _rare(rows.tables),
        _text(list(map(hit_row, rows.hits))),
        _text(list(map(terms_row, rows.terms))),
        _rare(rows.links),
        _rare(rows.enrolled),
    ]


def hit_row(hit: Hit) -> dict[str, Any]:
    """A hit's row, by column. Microcents are text: JSON's numbers end at 2**64 of them."""
    row = {column: getattr(hit, column) for column in HIT_COLUMNS}
    for column in HIT_MICROCENTS:
        row[column] = str(row[column])
    return {**hit.key._asdict(), **row}


def terms_row(terms: TermsInForce) -> dict[str, Any]:
    """The row of terms, by column."""
    return {
        "version": terms.terms.version,
        "fingerprint": terms.fingerprint,
        "raw": terms.raw,
        "since": terms.since,
    }


def runs_text(runs: tuple[Run, ...]) -> str:
    """Runs as JSON text."""
    return _json.encode(runs).decode()


def acts_text(acts: tuple[Act, ...]) -> str:
    """Acts as JSON text."""
    return _json.encode(acts).decode()


def _round_row(opened: OpenRound) -> tuple[Any, ...]:
    return (
        opened.table,
        opened.journal,
        opened.round,
        opened.month,
        opened.terms,
        opened.commit,
        opened.time_us,
        runs_text(opened.runs),
        _array(opened.epochs),
        opened.withdrawn,
        opened.stale_display,
    )


@lru_cache(maxsize=256)
def _array(values: tuple[int, ...]) -> str:
    return "{" + ",".join(map(str, values)) + "}"


def _array_text(values: Sequence[Any]) -> str:
    r"""Values as the text of a Postgres array; texts are quoted, since one of them may be `null`.

    >>> print(_array_text([7, 8]), _array_text(["T1", "null", ""]), _array_text(['a "b"', "\\"]), _array_text([]))
    {7,8} {"T1","null",""} {"a \"b\"","\\"} {}
    """
    if not values:
        return "{}"
    if not isinstance(values[0], str):
        return "{" + _json.encode(values).decode()[1:-1] + "}"  # numbers as JSON has them
    text = '","'.join(values)
    if "\\" in text or text.count('"') > 2 * len(values) - 2:
        text = '","'.join([value.replace("\\", r"\\").replace('"', r"\"") for value in values])
    return '{"' + text + '"}'


def _columns(count: int, rows: Iterable[tuple[Any, ...]]) -> Sequence[Sequence[Any]]:
    return list(zip(*rows, strict=True)) or [()] * count


def _rare(rows: Sequence[PoolLife | Table | RegisteredLink | Enrolled]) -> str:
    return _text(list(rows)) if rows else "[]"


def _text(rows: list[Any]) -> str:
    return _json.encode(rows).decode()


# --- from stored rows -----------------------------------------------------------------------------------------------


def head_of(row: Row | None) -> tuple[Head, str]:
    """Where a chain stands, and its link's public key; a chain without a row has not begun."""
    if row is None:
        return Head(), ""
    return Head(row["batch"], row["digest"], row["commit"], row["generation"], row["time_us"]), row["link_key"]


def balances_of(rows: Iterable[Row]) -> dict[str, Balance]:
    """Balances by account."""
    return {row["account"]: Balance(row["version"], int(row["balance_microcents"])) for row in rows}


def terms_of(rows: Iterable[Row]) -> list[TermsInForce]:
    """Terms in the order in which they came into force; raises TermsError if they cannot be read any more."""
    return [
        TermsInForce(parse_terms(row["raw"].encode()), row["fingerprint"], row["raw"], row["since"]) for row in rows
    ]


def pool_of(row: Row) -> PoolLife:
    """A pool's life."""
    fall = row["last_fall_commit"], row["last_fall_cause"]
    return PoolLife(row["pool"], row["epoch"], *fall, row["began"], row["corrected"], tuple(row["taken"]))


def table_of(row: Row) -> Table:
    """A linked table."""
    return Table(
        row["table"],
        row["key"],
        row["settings"],
        row["status"],
        row["journal"],
        row["connection"],
        row["word"],
        tuple(row["takeovers"]),
    )


def journal_of(row: Row) -> Journal:
    """A life of a table's spool."""
    return Journal(*(row[column] for column in ("table", "journal", "spool", "highest", "month", "ended", "ended_as")))


def round_of(row: Row) -> OpenRound:
    """An open round."""
    return OpenRound(
        row["table"],
        row["journal"],
        row["round"],
        row["month"],
        row["terms"],
        row["commit"],
        row["time_us"],
        _runs.decode(row["runs"]),
        tuple(row["epochs"]),
        row["withdrawn"],
        row["stale_display"],
    )


def hit_of(row: Row) -> Hit:
    """A hit with its acts."""
    read: dict[str, Any] = {column: row[column] for column in HIT_COLUMNS}
    read["marks"] = tuple(read["marks"])
    read["acts"] = _acts.decode(read["acts"])
    for column in HIT_MICROCENTS:
        read[column] = int(read[column])
    return Hit(HitKey(*(row[column] for column in HitKey._fields)), **read)
