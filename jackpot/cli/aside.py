"""`jackpot aside`: which commands could not be decided or stored, what is to be done, and that nothing more is."""

import asyncio
from collections.abc import Sequence
from typing import Annotated

import typer

from jackpot.cli import acts
from jackpot.cli.output import Json, UsageError, command, say, tell, when
from jackpot.cli.people import hold_reason, hold_two
from jackpot.cli.reach import Data, DatabaseUrl, acting, ledger
from jackpot.ledger.aside import KeptAside, kept_aside, settle_aside

app = typer.Typer(help="Commands kept aside with their errors: list them, settle one.", no_args_is_help=True)

LEAST_KEY = 6
"""So many digits of a key name a command, where no other begins alike."""


@app.command("list")
@command
def list_(
    link: Annotated[str, typer.Argument(metavar="[LINK]", help="Without it of all links.")] = "",
    *,
    all_: Annotated[bool, typer.Option("--all", help="Those decided since and those settled, too.")] = False,
    data: Data = None,
    database_url: DatabaseUrl = None,
    as_json: Json = False,
) -> None:
    """List the commands that are kept aside, each with its error and what is to be done about it."""
    with ledger(data, database_url) as reached:
        found = [one for one in asyncio.run(_of(reached.service_url, link)) if one.waits or all_]
    tell({"aside": [_told(one) for one in found]}, as_json=as_json)
    for one in found:
        say(f"{one.key[:12]}  {one.chain}  {one.id}  {one.kind}, since {when(one.aside_us)}", as_json=as_json)
        say(f"  {one.error}", as_json=as_json)
        say(f"  {one.to_do}", as_json=as_json)
    if not found:
        say("nothing is kept aside", as_json=as_json)


@app.command("settle")
@command
def settle(
    key: Annotated[str, typer.Argument(metavar="KEY", help="As `list` shows it; its first digits are enough.")],
    *,
    by: Annotated[str, typer.Option("--by", help="Who says so.")],
    with_: Annotated[str, typer.Option("--with", help="The other person.")],
    reason: Annotated[str, typer.Option("--reason", help="What was done about it.")],
    data: Data = None,
    database_url: DatabaseUrl = None,
    as_json: Json = False,
) -> None:
    """Say that nothing more comes of a command kept aside: it and its error stay, the alarm ends. Two people."""
    hold_two(by, with_)
    hold_reason(reason)
    with acting(data, database_url) as reached:
        one = _named(asyncio.run(kept_aside(reached.service_url)), key)
        if one.waits:
            asyncio.run(
                settle_aside(reached.service_url, one, by=by.strip(), second=with_.strip(), reason=reason.strip())
            )
            one = _named(asyncio.run(kept_aside(reached.service_url)), one.key)
    tell(_told(one), as_json=as_json)
    say(f"{one.id}: {one.to_do}", as_json=as_json)


async def _of(url: str, link: str) -> Sequence[KeptAside]:
    found = await kept_aside(url, link)
    if not found and link not in {"", acts.SITE} and (await acts.read_state(url, link)).terms is None:
        raise UsageError(f"there is no link {link}")
    return found


def _named(found: Sequence[KeptAside], key: str) -> KeptAside:
    meant = [one for one in found if one.key.startswith(key.lower()) and len(key) >= LEAST_KEY]
    if len(meant) != 1:
        raise UsageError(f"KEY {key[:40]!r} names {len(meant)} of the commands kept aside, not one")
    return meant[0]


def _told(one: KeptAside) -> dict[str, object]:
    return {
        "key": one.key,
        "link": one.chain,
        "id": one.id,
        "kind": one.kind,
        "table": one.table,
        "round": one.round,
        "error": one.error,
        "aside_us": one.aside_us,
        "decided": one.decided,
        "settled": None
        if one.settled is None
        else {"by": one.settled.by, "with": one.settled.second, "reason": one.settled.reason},
        "to_do": one.to_do,
    }
