"""`tablelink supervisor`: how a table that runs here stands, and the approval that it plays on without the jackpot."""

import json
import os
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from tablelink.config import read_config
from tablelink.errors import TableError
from tablelink.supervising import PlayOn, Show, Stands, ask

__all__ = ["app"]

app = typer.Typer(help="What a supervisor asks of a table that runs on this machine.", no_args_is_help=True)

RUNGS = {
    "normal": "the jackpot is open",
    "meter_old": "the jackpot is open, the meter shown is old",
    "closed": "the jackpot is closed; the table waits for a supervisor",
    "playing_on": "base game without the jackpot",
    "stopped": "stopped: no game while the jackpot is lost",
}
"""The rungs of the ladder in words."""

IN_PLAY = {
    "normal": "the jackpot is closed until this is done",
    "meter_old": "the jackpot is closed until this is done; the meter shown is old",
}
"""The rungs on which only play keeps the jackpot closed: a prize to be paid, a message without an answer."""

Table = Annotated[str | None, typer.Argument(help="The table's name. [T1]")]
ConfigFile = Annotated[Path | None, typer.Option("--config", help="Settings as TOML.", envvar="TABLELINK_CONFIG")]
SpoolFolder = Annotated[Path | None, typer.Option("--spool", help="Folder of the tables' spools: T1.spool.")]
Json = Annotated[bool, typer.Option("--json", help="One JSON object on standard output.")]


@app.command("show")
def show(table: Table = None, *, config: ConfigFile = None, spool: SpoolFolder = None, as_json: Json = False) -> None:
    """Show how a table stands: its rung, why its jackpot is closed, its round, who approved what."""
    _say(ask(_spool_of(table, config, spool), Show()), as_json=as_json)


@app.command("play-on")
def play_on(
    table: Table = None,
    *,
    by: Annotated[str, typer.Option("--by", help="The gaming supervisor who approves it.")],
    inspector: Annotated[str, typer.Option("--inspector", help="The inspector who was notified.")],
    config: ConfigFile = None,
    spool: SpoolFolder = None,
    as_json: Json = False,
) -> None:
    """Let a table play on without its jackpot, which is lost (CSP 14.15). Ends by itself once the jackpot is back."""
    stands = ask(_spool_of(table, config, spool), PlayOn(by, inspector))
    if stands.refused:
        raise TableError(f"{stands.table}: {stands.refused}.", code="not_approved")
    _say(stands, as_json=as_json)


def _spool_of(table: str | None, config: Path | None, spool: Path | None) -> Path:
    settings = read_config(config, os.environ, {"table": table, "spool": spool})
    return settings.spool / f"{settings.table}.spool"


def _in_words(stands: Stands) -> str:
    """Say how the table stands: open means that a jackpot wager placed now is taken."""
    if stands.closed and stands.rung in IN_PLAY:
        return IN_PLAY[stands.rung]
    return RUNGS[stands.rung]


def _say(stands: Stands, *, as_json: bool) -> None:
    if as_json:
        typer.echo(json.dumps(msgspec.to_builtins(stands)))
        return
    typer.echo(f"{stands.table}: {_in_words(stands)}")
    for why in stands.closed:
        typer.echo(f"  {why}")
    if stands.approved is not None:
        typer.echo(f"  approved by {stands.approved.by}; inspector notified: {stands.approved.inspector} (CSP 14.15)")
    under_way = f"round {stands.round} under way" if stands.round is not None else f"next round {stands.next_round}"
    typer.echo(
        f"  {under_way}, journal {stands.journal}, spool {stands.spool}, {stands.unanswered} messages unanswered"
    )
    for words in stands.told:
        typer.echo(f"  {words}")
