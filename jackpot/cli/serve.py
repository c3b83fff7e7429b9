"""`jackpot serve`: the server as a command."""

import os
from pathlib import Path
from typing import Annotated

import typer

from jackpot.cli.output import Json, command, say, tell
from jackpot.cli.reach import Data, DatabaseUrl, Keys
from jackpot.config import read_config

__all__ = ["serve"]


@command
def serve(
    *,
    data: Data = None,
    database_url: DatabaseUrl = None,
    redis_url: Annotated[str | None, typer.Option("--redis-url", help="Redis or Valkey.")] = None,
    listen: Annotated[str | None, typer.Option("--listen", help="HOST:PORT, or unix:PATH.")] = None,
    keys: Keys = None,
    config: Annotated[Path | None, typer.Option("--config", help="Settings as TOML.", dir_okay=False)] = None,
    log_form: Annotated[str | None, typer.Option("--log-form", help="auto, json or console.")] = None,
    log_level: Annotated[str | None, typer.Option("--log-level", help="debug, info, warning or error.")] = None,
    as_json: Json = False,
) -> None:
    """Serve tables and boards until SIGTERM or Ctrl-C.

    With --data the embedded Postgres and Valkey are started where they do not run; else --database-url and --redis-url.
    """
    flags = {
        "data": data,
        "database_url": database_url,
        "redis_url": redis_url,
        "listen": listen,
        "keys": keys,
        "log_form": log_form,
        "log_level": log_level,
    }
    from jackpot.cli.server import run_server  # noqa: PLC0415 - the other commands need none of it

    settings = read_config(config, os.environ, flags)

    def began(address: str) -> None:
        tell({"address": address, "pid": os.getpid()}, as_json=as_json)
        say(f"serving on {address}", as_json=as_json)

    run_server(settings, began)
