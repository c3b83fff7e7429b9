"""How does a database get the ledger's schema? By migrations, each whole or not at all, run by the database's owner.

A revision is a few lines of Python beside its `.sql`. The roles `service` and `auditor` must be there: a cluster of our
own has them from the start; elsewhere they are made if the owner may make roles, or asked for in so many words.
"""

from datetime import UTC, datetime
from typing import Any

import asyncpg
from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from sqlalchemy import Connection as AlchemyConnection
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import NullPool

from jackpot.errors import LedgerError
from jackpot.ledger.connection import CONNECT_WITHIN_S, addressed, in_words
from jackpot.ledger.revisions import MIGRATIONS, pending

MONTHS_BACK = 1
"""A table that was away brings rounds of last month."""
MONTHS_AHEAD = 13
"""Whoever migrates once a year is never without a month."""


async def migrate(owner_url: str, *, now: datetime | None = None) -> list[str]:
    """Bring a database to the newest schema and make the months that are missing; say what was done, a line each.

    **Always** one transaction behind an advisory lock: what fails leaves nothing, and two at once do it once.
    **If repeated** nothing is left to do. One at a time in a process: Alembic keeps what it does in globals. `now` is
    the present moment where it is not to be asked of the clock. A ledger whose time is ahead of it, by the clock of a
    server that was, has the months around that too: it goes on from there, whatever clocks say afterwards.
    Raises LedgerError when the database cannot be reached, a role is missing that the owner may not make, a migration
    fails, or a newer program has migrated it.
    """
    done: list[str] = []
    config = configuration()
    config.attributes.update(done=done, now=now or datetime.now(UTC), months_around=months_around)
    engine = create_async_engine(
        "postgresql+asyncpg://", poolclass=NullPool, async_creator=lambda: _connected(owner_url)
    )
    try:
        async with engine.begin() as connection:
            await connection.run_sync(_upgrade, config)
    except (asyncpg.PostgresError, asyncpg.InterfaceError, SQLAlchemyError, OSError) as error:
        raise _failed(in_words(error)) from error
    except CommandError as error:
        await pending(owner_url)  # says in words that a newer program has migrated it
        raise _failed(str(error)) from error
    finally:
        await engine.dispose()
    return done


def configuration() -> Config:
    """Alembic's configuration: the folder beside this file, no ini file."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config


def months_around(now: datetime) -> list[str]:
    """The gaming months that must have partitions.

    >>> months = months_around(datetime(2026, 11, 27, tzinfo=UTC))
    >>> months[0], months[-1], len(months)
    ('2026-10', '2027-12', 15)
    """
    first = now.year * 12 + now.month - 1 - MONTHS_BACK
    return [
        f"{number // 12:04}-{number % 12 + 1:02}" for number in range(first, first + MONTHS_BACK + MONTHS_AHEAD + 1)
    ]


async def _connected(url: str) -> Any:
    with addressed():
        return await asyncpg.connect(
            url, timeout=CONNECT_WITHIN_S, server_settings={"application_name": "jackpot migrate", "timezone": "UTC"}
        )


def _upgrade(connection: AlchemyConnection, config: Config) -> None:
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def _failed(reason: str) -> LedgerError:
    return LedgerError(
        f"The ledger's schema was not changed: {reason}",
        code="migration_failed",
        retryable=False,
        outcome="not_posted",
    )
