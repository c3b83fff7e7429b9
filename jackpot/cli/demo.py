"""`jackpot demo`: the main job on one machine."""

from pathlib import Path
from typing import Annotated

import typer

from jackpot.cli.output import Json, UsageError, command
from jackpot.cli.terms import read_terms
from jackpot.demo_plan import TERMS, Plan, new_folder, unplayable

__all__ = ["demo"]


@command
def demo(
    *,
    tables: Annotated[int, typer.Option(help="How many tables; above 8 one process runs them all.")] = 4,
    rounds: Annotated[
        int | None, typer.Option(min=1, help="Rounds a table, as fast as answers come; without it until Ctrl-C.")
    ] = None,
    seed: Annotated[int, typer.Option(help="The same seed gives the same rounds.")] = 1,
    stack_deck: Annotated[
        bool, typer.Option("--stack-deck", help="Choose the order of the simulated decks now and then, nothing else.")
    ] = False,
    capture: Annotated[str, typer.Option(help="How tables see cards: full or claims.")] = "full",
    data: Annotated[
        Path | None,
        typer.Option(
            "--data", help="Ledger, keys and spools; without it a new folder, printed and kept.", file_okay=False
        ),
    ] = None,
    export: Annotated[
        Path | None, typer.Option("--export", help="Write an export into this folder.", file_okay=False)
    ] = None,
    terms: Annotated[
        Path, typer.Option("--terms", help="The link's first terms.", exists=True, dir_okay=False)
    ] = TERMS,
    as_json: Json = False,
) -> None:
    """Play linked tables against a server of their own, with simulated players and supervisors, and audit it all."""
    from jackpot import demo as stage  # noqa: PLC0415 - the other commands need none of it

    wrong = unplayable(capture, tables)
    if wrong:
        raise UsageError("; ".join(wrong))
    read_terms(terms)
    folder = data.absolute() if data is not None else new_folder()
    plan = Plan(folder, tables, rounds, seed, stack_deck, capture, as_json, export, terms)
    code = stage.run(plan)
    if code:
        raise typer.Exit(code)
