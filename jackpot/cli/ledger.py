"""`jackpot migrate`, `jackpot audit`, `jackpot export`: the ledger's schema, its proof, and files for a stranger."""

import asyncio
from typing import Annotated

import typer

from jackpot.cli.output import Json, UsageError, command, say, tell
from jackpot.cli.reach import Data
from jackpot.embedded import running
from jackpot.ledger import migrate as migrations

__all__ = ["migrate"]


@command
def migrate(
    *,
    data: Data = None,
    database_url: Annotated[
        str | None, typer.Option("--database-url", envvar="JACKPOT_OWNER_URL", help="Postgres, as the role `owner`.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Bring the ledger's schema to the newest, and make the months that are missing; all of it or nothing."""
    if database_url:
        done = asyncio.run(migrations.migrate(database_url))
    elif data is not None:
        with running(data, valkey=False) as servers:
            done = asyncio.run(migrations.migrate(servers.owner_url))
    else:
        raise UsageError("say where the ledger is: --data DIR or --database-url URL")
    tell({"done": done}, as_json=as_json)
    for line in done or ["nothing to do"]:
        say(line, as_json=as_json)
