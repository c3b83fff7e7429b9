"""How does a command reach the ledger? By the data folder of embedded servers, or by the address of Postgres.

With `--data` the embedded Postgres is started for the command where none runs, and used where one does.
"""

import asyncio
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from jackpot.cli.output import UsageError
from jackpot.cli.stops import hold_remembered
from jackpot.config import Config
from jackpot.embedded import Servers, attach, holds_ledger, running
from jackpot.ledger.revisions import hold_schema

__all__ = [
    "Data",
    "DatabaseUrl",
    "Keys",
    "Ledger",
    "UrlFile",
    "acting",
    "embedded_servers",
    "keys_folder",
    "ledger",
    "no_folder",
    "url_from",
]

Data = Annotated[
    Path | None,
    typer.Option("--data", envvar="JACKPOT_DATA", help="Data folder: embedded Postgres and the keys.", file_okay=False),
]


URL_FILE = "JACKPOT_DATABASE_URL_FILE"
CHECKPOINT = "JACKPOT_CHECKPOINT"


def url_from(file: Path | None, said: str) -> str | None:
    """Return the address that a file holds: so it is on no command line. None gives None.

    Raises BadParameter with `said`, which named the file.
    """
    if file is None:
        return None
    try:
        url = file.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        reason = (error.strerror or str(error)) if isinstance(error, OSError) else "not UTF-8"
        raise typer.BadParameter(f"{file}: {reason}", param_hint=said) from None
    if not url:
        raise typer.BadParameter(f"{file}: empty; wanted the address of a server", param_hint=said)
    return url


def _or_from_file(url: str | None) -> str | None:
    named = os.environ.get(URL_FILE)
    return url if url or not named else url_from(Path(named), URL_FILE)


DatabaseUrl = Annotated[
    str | None,
    typer.Option(
        "--database-url",
        envvar="JACKPOT_DATABASE_URL",
        help="Postgres, as the role `service`; else the address in the file named by JACKPOT_DATABASE_URL_FILE.",
        callback=_or_from_file,
    ),
]
UrlFile = Annotated[
    Path | None, typer.Option("--database-url-file", help="A file that holds it, with its password.", dir_okay=False)
]
Keys = Annotated[
    Path | None,
    typer.Option("--keys", envvar="JACKPOT_KEYS", help="Folder of private keys; by default `keys` in the data folder."),
]


@dataclass(frozen=True, slots=True)
class Ledger:
    """The ledger's addresses: for posting, and for audit and export."""

    service_url: str
    auditor_url: str
    made: Path | None = None
    """The data folder, where it was made for this command."""


@contextmanager
def ledger(data: Path | None, database_url: str | None, *, create: bool = False) -> Iterator[Ledger]:
    """Reach the ledger while the context lasts. **Never** makes a data folder that is not there, unless to `create`.

    Raises UsageError where neither way is given or no folder is there, what `jackpot.embedded` raises, and what
    `hold_schema` raises.
    """
    if database_url:
        asyncio.run(hold_schema(database_url))
        yield Ledger(database_url, database_url)
        return
    if data is None:
        raise UsageError("say where the ledger is: --data DIR or --database-url URL")
    found = holds_ledger(data)
    if not found and not create:
        raise no_folder(data)
    with embedded_servers(data, valkey=False) as servers:
        yield Ledger(servers.service_url, servers.auditor_url, None if found else data)


@contextmanager
def acting(data: Path | None, database_url: str | None, *, create: bool = False) -> Iterator[Ledger]:
    """Reach the ledger for acts of people, as `ledger` does. **Never** one that ends before the checkpoint file.

    That is the server's own: `JACKPOT_CHECKPOINT`, or the one in the data folder. Raises Refused, CheckpointUnreadable.
    """
    with ledger(data, database_url, create=create) as reached:
        named = os.environ.get(CHECKPOINT)
        file = Config(data=data, checkpoint=Path(named) if named else None).checkpoint_file
        if file is not None:
            asyncio.run(hold_remembered(reached.service_url, file))
        yield reached


def no_folder(data: Path) -> UsageError:
    """Return what is said of a data folder that is not there: a name mistyped makes no second ledger."""
    return UsageError(f"{data}: no data folder here; `jackpot link open`, `serve` and `demo` make one")


@contextmanager
def embedded_servers(data: Path, *, valkey: bool) -> Iterator[Servers]:
    """Reach or run the embedded servers of a data folder; a ledger started here is brought to the newest schema.

    One that another process runs is left to it; raises SchemaDiffers where its schema is not this program's.
    """
    from jackpot.ledger.migrate import migrate  # noqa: PLC0415 - most commands reach a ledger that is there

    found = attach(data, valkey=valkey)
    with running(data, valkey=valkey) as servers:
        if found is None:
            asyncio.run(migrate(servers.owner_url))
        else:
            asyncio.run(hold_schema(servers.service_url, f"jackpot migrate --data {data}"))
        yield servers


def keys_folder(data: Path | None, keys: Path | None) -> Path:
    """Return the folder of private keys; raises UsageError where none is named."""
    folder = keys or (data / "keys" if data is not None else None)
    if folder is None:
        raise UsageError("say where private keys are: --keys DIR, or --data DIR")
    return Path(os.path.abspath(folder))  # noqa: PTH100 - `resolve` would follow a link that stands for it
