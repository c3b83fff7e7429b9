"""`jackpot`: the command line of the server."""

from importlib.metadata import PackageNotFoundError, version
from typing import Annotated

import typer

from jackpot.cli import aside, hit, ledger, link, round, table  # noqa: A004 - the command's own name
from jackpot.cli.bench import bench
from jackpot.cli.demo import demo
from jackpot.cli.serve import serve
from jackpot.serving.asked import AskedAsJson

__all__ = ["app"]

app = typer.Typer(
    cls=AskedAsJson,
    help="Links Caribbean Stud tables to one progressive jackpot whose money lives in Postgres.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(*, asked: bool) -> None:
    if asked:
        try:
            typer.echo(version("progressive-jackpot"))
        except PackageNotFoundError:
            typer.echo("not installed")
        raise typer.Exit


@app.callback()
def main(
    *,
    show_version: Annotated[
        bool, typer.Option("--version", help="Show the version.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    """Links Caribbean Stud tables to one progressive jackpot whose money lives in Postgres."""


app.command("demo")(demo)
app.command("serve")(serve)
app.add_typer(link.app, name="link")
app.add_typer(table.app, name="table")
app.add_typer(hit.app, name="hit")
app.add_typer(round.app, name="round")
app.add_typer(aside.app, name="aside")
app.command("audit")(ledger.audit)
app.command("export")(ledger.export)
app.command("migrate")(ledger.migrate)
app.command("bench")(bench)
