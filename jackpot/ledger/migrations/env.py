"""Runs migrations on the connection that `jackpot.ledger.migrate` opened, in its one transaction.

The advisory lock is taken through SQLAlchemy, which begins the transaction; a `.sql` file is then run on the raw
asyncpg connection, the only way to run many statements at once, and so inside it. Raw alone would run outside any.
"""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from alembic import context
from sqlalchemy import Connection

from jackpot.errors import LedgerError

LOCK = 7305805  # a number of our own, the same in every release
ROLES = ("service", "auditor")


def _make_roles(connection: Connection) -> None:
    """Make the roles that privileges are granted to, where the site has not made them."""
    there = set(connection.exec_driver_sql("SELECT rolname FROM pg_roles").scalars())
    missing = [role for role in ROLES if role not in there]
    if not missing:
        return
    may = "SELECT rolsuper OR rolcreaterole FROM pg_roles WHERE rolname = current_user"
    if not connection.exec_driver_sql(may).scalar_one():
        wanted = " ".join(f"CREATE ROLE {role} LOGIN;" for role in missing)
        raise LedgerError(
            f"The role {missing[0]} is missing and this role may not make it. Let an administrator of the database run:"
            f" {wanted}",
            code="role_missing",
            retryable=False,
            outcome="not_posted",
        )
    for role in missing:
        connection.exec_driver_sql(f"CREATE ROLE {role} LOGIN")
        context.config.attributes["done"].append(f"role {role} made; it has no password yet")


def _months(connection: Connection) -> Iterator[str]:
    """The months that must be there: around now, and around the last batch, which no later one is dated before."""
    around, now = context.config.attributes["months_around"], context.config.attributes["now"]
    yield from around(now)
    last_us = connection.exec_driver_sql("SELECT coalesce(max(time_us), 0) FROM head").scalar_one()
    last = datetime.fromtimestamp(0, UTC) + timedelta(microseconds=last_us)
    if last > now:
        yield from around(last)


def _run() -> None:
    connection: Connection = context.config.attributes["connection"]
    done: list[str] = context.config.attributes["done"]
    connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({LOCK})")
    _make_roles(connection)
    context.configure(
        connection=connection,
        on_version_apply=lambda **applied: done.append(f"revision {applied['step'].up_revision_id}"),
    )
    context.run_migrations()
    for month in _months(connection):
        made = connection.exec_driver_sql("SELECT add_month($1)", (month,)).scalar_one()
        done += [f"month {month}"] if made else []


_run()
