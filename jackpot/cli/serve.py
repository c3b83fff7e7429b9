"""`jackpot serve`: the server as a command."""

import os
from pathlib import Path
from typing import Annotated

import typer

from jackpot.cli.output import Json, command, say, tell
from jackpot.cli.reach import Data, DatabaseUrl, Keys, UrlFile
from jackpot.config import read_config

__all__ = ["serve"]


@command
def serve(
    *,
    data: Data = None,
    database_url: DatabaseUrl = None,
    database_url_file: UrlFile = None,
    redis_url: Annotated[str | None, typer.Option("--redis-url", help="Redis or Valkey.")] = None,
    redis_url_file: Annotated[
        Path | None, typer.Option("--redis-url-file", help="A file that holds it.", dir_okay=False)
    ] = None,
    listen: Annotated[str | None, typer.Option("--listen", help="HOST:PORT, or unix:PATH.")] = None,
    keys: Keys = None,
    checkpoint: Annotated[
        Path | None,
        typer.Option(
            "--checkpoint",
            help="The file that says how far the ledger had come; by default checkpoint.json in the data folder. It is"
            " no part of a backup: after a restore the newer one stays.",
            dir_okay=False,
        ),
    ] = None,
    tls_cert: Annotated[
        Path | None,
        typer.Option("--tls-cert", help="Certificate with its issuers (PEM): serve https and wss.", dir_okay=False),
    ] = None,
    tls_key: Annotated[
        Path | None, typer.Option("--tls-key", help="The certificate's private key (PEM).", dir_okay=False)
    ] = None,
    config: Annotated[Path | None, typer.Option("--config", help="Settings as TOML.", dir_okay=False)] = None,
    log_form: Annotated[str | None, typer.Option("--log-form", help="auto, json or console.")] = None,
    log_level: Annotated[str | None, typer.Option("--log-level", help="debug, info, warning or error.")] = None,
    as_json: Json = False,
) -> None:
    """Serve tables and boards until SIGTERM or Ctrl-C.

    With --data the embedded Postgres and Valkey are started where they do not run; else --database-url and --redis-url.
    SIGHUP takes a renewed certificate up at once.
    """
    flags = {
        "data": data,
        "database_url": database_url,
        "redis_url": redis_url,
        "database_url_file": database_url_file,
        "redis_url_file": redis_url_file,
        "listen": listen,
        "keys": keys,
        "checkpoint": checkpoint,
        "tls_cert": tls_cert,
        "tls_key": tls_key,
        "log_form": log_form,
        "log_level": log_level,
    }
    from jackpot.cli.server import run_server  # noqa: PLC0415 - the other commands need none of it

    settings = read_config(config, os.environ, flags)

    def began(address: str, redis: str) -> None:
        tell({"address": address, "redis": redis, "pid": os.getpid()}, as_json=as_json)
        say(f"serving on {address}; meters go over {redis}", as_json=as_json)

    run_server(settings, began)
