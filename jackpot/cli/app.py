"""`jackpot`: the command line of the server."""

import typer

from jackpot.cli import aside, hit, ledger, link, round, table  # noqa: A004 - the command's own name
from jackpot.cli.bench import bench
from jackpot.cli.demo import demo
from jackpot.cli.serve import serve
from jackpot.serving.asked import AskedAsJson
from jackpot.serving.version import HELP_OPTIONS, Version

__all__ = ["app"]

app = typer.Typer(
    cls=AskedAsJson,
    help="Links Caribbean Stud tables to one progressive jackpot whose money lives in Postgres.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings=HELP_OPTIONS,
)


@app.callback()
def main(*, show_version: Version = False) -> None:
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
