"""`jackpot bench`: measure this machine, on a site of the bench's own that is gone afterwards."""

from pathlib import Path
from typing import Annotated

import typer

from jackpot.bench_results import with_rows
from jackpot.cli.output import Json, UsageError, command


@command
def bench(
    *,
    quick: Annotated[bool, typer.Option("--quick", help="Shorter turns and fewer: under three minutes.")] = False,
    only: Annotated[
        str, typer.Option("--only", help="Rows to measure, by name or its beginning (hands), with commas.")
    ] = "",
    html: Annotated[Path | None, typer.Option("--html", help="Write a chart here too.", dir_okay=False)] = None,
    markdown: Annotated[
        Path | None,
        typer.Option(
            "--markdown", help="Write the rows into this document too, between its marks for them.", dir_okay=False
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Measure speed as ratios to baselines of the same run.

    A table has one open round at a time: wagers_vs_hot_row leaves out the steps of records, which end the rounds.
    """
    from jackpot.bench import UnknownRows, run_bench  # noqa: PLC0415 - the other commands need none of it

    for option, file in (("--html", html), ("--markdown", markdown)):
        if file is not None:
            _hold_writable(option, file)
    names = [name.strip() for name in only.split(",") if name.strip()]
    try:
        code = run_bench(quick=quick, only=names, as_json=as_json, html=html, markdown=markdown)
    except UnknownRows as error:
        raise UsageError(str(error)) from None
    raise typer.Exit(code)


def _hold_writable(option: str, file: Path) -> None:
    """Say before minutes are spent on measuring that what was measured could not be written there."""
    if not file.absolute().parent.is_dir():
        raise UsageError(f"{option} {file}: there is no folder {file.parent}")
    if option == "--markdown" and file.is_file():
        try:
            with_rows(file.read_text(encoding="utf-8"), "")
        except ValueError as error:
            raise UsageError(f"{option} {file}: {error}") from None
