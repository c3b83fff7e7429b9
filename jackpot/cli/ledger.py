"""`jackpot migrate`, `jackpot audit`, `jackpot export`: the ledger's schema, its proof, and files for a stranger."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from jackpot.cli import acts
from jackpot.cli.output import REFUSED, Json, UsageError, command, console, say, tell
from jackpot.cli.reach import Data, DatabaseUrl, Ledger, ledger, no_folder, url_from
from jackpot.embedded import holds_ledger, running

if TYPE_CHECKING:
    from jackpot.ledger.audit import AuditReport

__all__ = ["audit", "export", "migrate"]


@command
def migrate(
    *,
    data: Data = None,
    database_url: Annotated[
        str | None, typer.Option("--database-url", envvar="JACKPOT_OWNER_URL", help="Postgres, as the role `owner`.")
    ] = None,
    database_url_file: Annotated[
        Path | None,
        typer.Option(
            "--database-url-file", envvar="JACKPOT_OWNER_URL_FILE", help="A file that holds it.", dir_okay=False
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Bring the ledger's schema to the newest, and make the months that are missing; all of it or nothing."""
    from jackpot.ledger import migrate as migrations  # noqa: PLC0415 - the other commands need none of it

    owner_url = database_url or url_from(database_url_file, "--database-url-file")
    if owner_url:
        done = asyncio.run(migrations.migrate(owner_url))
    elif data is not None:
        if not holds_ledger(data):
            raise no_folder(data)
        with running(data, valkey=False) as servers:
            done = asyncio.run(migrations.migrate(servers.owner_url))
    else:
        raise UsageError("say where the ledger is: --data DIR or --database-url URL")
    tell({"done": done}, as_json=as_json)
    for line in done or ["nothing to do"]:
        say(line, as_json=as_json)


@command
def audit(
    *,
    data: Data = None,
    database_url: DatabaseUrl = None,
    export_folder: Annotated[
        Path | None, typer.Option("--export", help="Audit the files of an export instead; needs no ledger.")
    ] = None,
    background: Annotated[
        bool, typer.Option("--background", hidden=True, help="As the server runs it: last of all, and ends with it.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Work every answer, wager, entry, balance and digest out anew, and name table and row of the first difference.

    Exit code 0 where everything agrees, 1 where something does not. A server may run on meanwhile.
    """
    from jackpot.ledger import audit as auditing  # noqa: PLC0415 - the other commands need none of it
    from jackpot.ledger import audit_files  # noqa: PLC0415

    if background:
        from jackpot.cli.watching import be_in_the_background  # noqa: PLC0415 - needed by the server's own audit only

        be_in_the_background()
    with progress() as told:
        if export_folder is not None:
            report = audit_files.audit_export(export_folder, told)
        else:
            with ledger(data, database_url) as reached:
                report = asyncio.run(auditing.audit(reached.auditor_url, told))
    _report(report, as_json=as_json)
    if not report.ok:
        raise typer.Exit(REFUSED)


@command
def export(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Where to write.", file_okay=False)],
    *,
    link: Annotated[str | None, typer.Option("--link", help="Which link, where there are several.")] = None,
    data: Data = None,
    database_url: DatabaseUrl = None,
    as_json: Json = False,
) -> None:
    """Write a link's terms, rounds and ledger as files from which a stranger can work out every meter and award."""
    from jackpot.ledger import export as exporting  # noqa: PLC0415 - the other commands need none of it

    async def write(reached: Ledger, told: Callable[[str, int, int], None]) -> str:
        name = await _link(reached.auditor_url, link)
        await exporting.export(reached.auditor_url, name, folder, told)
        return name

    with ledger(data, database_url) as reached, progress() as told:
        name = asyncio.run(write(reached, told))
    tell({"link": name, "export": folder}, as_json=as_json)
    say(f"{name} is written to {folder}", as_json=as_json)


async def _link(url: str, named: str | None) -> str:
    from jackpot.ledger.export import open_links  # noqa: PLC0415 - the other commands need none of it

    links = await open_links(url, acts.SITE)
    if named is not None:
        if named not in links:
            raise UsageError(f"there is no link {named} in this ledger")
        return named
    if len(links) != 1:
        raise UsageError(f"say which link: --link {' | '.join(links)}" if links else "there is no link yet")
    return links[0]


def _report(report: "AuditReport", *, as_json: bool) -> None:
    chains = [
        {"chain": chain.chain, "batches": chain.batches, "commits": chain.commits, "digest": chain.digest}
        for chain in report.chains
    ]
    result = {"audit": "ok" if report.ok else "differences", "chains": chains, "differences": report.differences}
    tell(result, as_json=as_json)
    for chain in report.chains:
        say(f"{chain.chain}: {chain.commits:,} commits in {chain.batches:,} batches, {chain.digest}", as_json=as_json)
    for difference in report.differences:
        say(difference, as_json=as_json)
    say("audit: ok" if report.ok else f"audit: {len(report.differences)} differences", as_json=as_json)


@contextmanager
def progress() -> Iterator[Callable[[str, int, int], None]]:
    """Show on a terminal how far long work has come, chain by chain."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bars:
        tasks = {}

        def told(chain: str, done: int, of: int) -> None:
            if chain not in tasks:
                tasks[chain] = bars.add_task(chain, total=of)
            bars.update(tasks[chain], completed=done, total=of)

        yield told
