"""How do the programs say which version they are? `--version`, the same for each of them."""

from importlib.metadata import PackageNotFoundError, version
from typing import Annotated, Final

import typer

__all__ = ["HELP_OPTIONS", "Version"]

HELP_OPTIONS: Final = {"help_option_names": ["-h", "--help"]}
"""How every command of a program is asked for help."""


def _show(*, asked: bool) -> None:
    if asked:
        try:
            typer.echo(version("progressive-jackpot"))
        except PackageNotFoundError:
            typer.echo("not installed")
        raise typer.Exit


Version = Annotated[bool, typer.Option("--version", help="Show the version.", callback=_show, is_eager=True)]
"""The option of a program that shows its version and ends."""
