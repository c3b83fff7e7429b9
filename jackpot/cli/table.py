"""`jackpot table`: enrol tables with their keys and approved settings; give the word on which agent is a table."""

import asyncio
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from jackpot.cli import acts
from jackpot.cli.keys import public_hex
from jackpot.cli.output import Json, UsageError, command, say, tell
from jackpot.cli.reach import Data, DatabaseUrl, Keys, acting, keys_folder
from jackpot.wire.codec import FrameError, encode
from jackpot.wire.settings import TableSettings, parse_settings

app = typer.Typer(help="Tables: enrolment, and the word for a new journal.", no_args_is_help=True)


@app.command("enrol")
@command
def enrol(
    link: Annotated[str, typer.Argument(metavar="LINK")],
    tables: Annotated[list[str], typer.Argument(metavar="TABLE...")],
    *,
    by: Annotated[str, typer.Option("--by", help="Who enrols it.")],
    settings: Annotated[
        Path | None,
        typer.Option("--settings", help="The approved settings as JSON; without it the defaults.", dir_okay=False),
    ] = None,
    public_key: Annotated[
        str | None, typer.Option("--public-key", help="Of a key the agent made itself (hexadecimal); for one table.")
    ] = None,
    data: Data = None,
    database_url: DatabaseUrl = None,
    keys: Keys = None,
    as_json: Json = False,
) -> None:
    """Enrol tables on a link: their keys are made, their settings approved. Again: with other settings or keys."""
    approved = read_settings(settings)
    acts.hold_enrolment(link, tables, by)
    if public_key is not None and len(tables) != 1:
        raise UsageError("--public-key is of one table")
    publics = {tables[0]: _public(public_key)} if public_key is not None else {}
    files: dict[str, str] = {}
    with acting(data, database_url) as reached:
        if not publics:
            made = {table: acts.table_key(keys_folder(data, keys), table) for table in tables}
            publics = {table: public_hex(key) for table, (_, key) in made.items()}
            files = {table: str(path) for table, (path, _) in made.items()}
        asyncio.run(acts.enrol(reached.service_url, link, publics, approved, by=by))
    told = [
        {"table": table, "link": link, "public_key": publics[table], "key_file": files.get(table, "")}
        for table in tables
    ]
    tell({"tables": told, "settings": msgspec.json.decode(encode(approved))}, as_json=as_json)
    for table in tables:
        where = f"; its private key, for the agent: {files[table]}" if table in files else ""
        say(f"{table} is enrolled on {link}{where}", as_json=as_json)


@app.command("journal")
@command
def journal(
    table: Annotated[str, typer.Argument(metavar="TABLE")],
    *,
    by: Annotated[str, typer.Option("--by", help="The supervisor.")],
    reason: Annotated[str, typer.Option("--reason", help="Why: spool replaced, which agent is the table.")],
    spool: Annotated[
        str,
        typer.Option(
            "--spool", help="The spool that is the table (its agent shows it); without it the next that asks."
        ),
    ] = "",
    data: Data = None,
    database_url: DatabaseUrl = None,
    as_json: Json = False,
) -> None:
    """Give a supervisor's word: which agent is the table, and that it may have a new journal."""
    with acting(data, database_url) as reached:
        asyncio.run(acts.give_word(reached.service_url, table, by=by, reason=reason, spool=spool))
    tell({"table": table, "spool": spool or "any"}, as_json=as_json)
    say(f"{table}: the next hello {'of this spool' if spool else 'that asks'} is the table", as_json=as_json)


def read_settings(file: Path | None) -> TableSettings:
    """Read a table's settings from a JSON file; what it leaves out has its default. Raises UsageError."""
    if file is None:
        return TableSettings()
    try:
        return parse_settings(file.read_bytes())
    except OSError as error:
        raise UsageError(f"{file}: {error.strerror or error}") from None
    except FrameError as error:
        raise UsageError(f"{file}: {error}") from None


def _public(text: str) -> str:
    try:
        data = bytes.fromhex(text)
    except ValueError:
        data = b""
    if len(data) != 32:
        raise UsageError(f"--public-key {text[:40]!r}: an Ed25519 public key is 64 hexadecimal digits")
    return text.lower()
