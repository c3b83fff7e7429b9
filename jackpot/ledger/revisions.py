"""Has a database the schema that this program needs? Asked before the ledger is used; what brings it is `migrate`.

Read from the names of the migrations, without Alembic: every command asks.
"""

from collections.abc import Sequence
from pathlib import Path

import asyncpg

from jackpot.errors import LedgerError
from jackpot.ledger.connection import close, connect, translated
from jackpot.ledger.statements import statement

__all__ = ["MIGRATIONS", "SchemaDiffers", "hold_schema", "pending", "revisions"]

MIGRATIONS = Path(__file__).with_name("migrations")
UPGRADE = "jackpot migrate --database-url OWNER_URL"


class SchemaDiffers(LedgerError):
    """The ledger's schema is not this program's: it lacks revisions, or has one of a newer program."""


def revisions() -> Sequence[str]:
    """Return the revisions this program knows, oldest first."""
    return sorted(path.stem.partition("_")[0] for path in (MIGRATIONS / "versions").glob("r*.py"))


async def pending(url: str) -> list[str]:
    """Return the revisions a database has not had, oldest first.

    Raises LedgerUnreachable; SchemaDiffers where the database had one that this program does not know.
    """
    connection = await connect(url, "jackpot schema")
    try:
        with translated():
            try:
                at = await connection.fetchval(statement("schema_revision"))
            except asyncpg.UndefinedTableError:
                at = None
    finally:
        await close(connection)
    known = revisions()
    if at is not None and at not in known:
        raise SchemaDiffers(
            f"The ledger's schema is at revision {at}, and this program knows {known[0]} to {known[-1]}: a newer one"
            " has migrated it. Nothing was changed; run that one here too.",
            code="schema_newer",
            retryable=False,
            outcome="not_posted",
        )
    return list(known if at is None else known[known.index(at) + 1 :])


async def hold_schema(url: str, upgrade: str = UPGRADE) -> None:
    """Refuse a database whose schema is not this program's; `upgrade` is the command that brings it.

    Asked at the start and not again: who runs while the schema rises goes on (migrations see to that). Raises what
    `pending` raises, and SchemaDiffers for revisions that are pending.
    """
    missing = await pending(url)
    if missing:
        has = "lacks" if len(missing) < len(revisions()) else "is not there: it lacks"
        raise SchemaDiffers(
            f"The ledger's schema {has} {', '.join(missing)}. Nothing was changed; first run: {upgrade}",
            code="schema_pending",
            retryable=False,
            outcome="not_posted",
        )
