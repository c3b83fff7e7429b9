"""`jackpot link`: open a link, put new terms in force, show what stands, stop it by hand and lift the stop.

Two people agree on every set of terms and on every lift; one alone may stop a link.
"""

import asyncio
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from jackpot.cli import acts, reopen
from jackpot.cli.ledger import progress
from jackpot.cli.output import Json, Refused, UsageError, command, console, money, say, tell, when
from jackpot.cli.people import hold_named, hold_reason, hold_two, refused_for
from jackpot.cli.reach import Data, DatabaseUrl, Keys, acting, keys_folder, ledger
from jackpot.cli.stops import next_step
from jackpot.cli.terms import read_terms
from jackpot.core.accounts import MICROCENTS, NOTHING, pool_account
from jackpot.core.answers import OpenedAnswer
from jackpot.core.behind import LEDGER_BEHIND
from jackpot.core.state import LinkState
from jackpot.wire.messages import RefusedAnswer
from jackpot.wire.refusals import Refusal
from rules.terms import Terms, fingerprint

if TYPE_CHECKING:
    from jackpot.ledger.audit import Progress
    from jackpot.ledger.lifting import Lifted, Standing

app = typer.Typer(help="Links and their terms.", no_args_is_help=True)
reopen.add_to(app)

TermsFile = Annotated[Path, typer.Argument(metavar="TERMS", help="The terms as JSON.", dir_okay=False)]
By = Annotated[str, typer.Option("--by", help="Who proposes the terms.")]
Second = Annotated[str, typer.Option("--second", help="The other person, who compared them with the approval.")]
Approved = Annotated[
    str | None, typer.Option("--approved", help="The fingerprint on the approval; terms that differ are refused.")
]


@app.command("open")
@command
def open_(
    terms: TermsFile,
    *,
    by: By,
    second: Second,
    approved: Approved = None,
    data: Data = None,
    database_url: DatabaseUrl = None,
    keys: Keys = None,
    as_json: Json = False,
) -> None:
    """Open a link under its first terms: its key is made, its pools take their first seeds."""
    value = _agreed(terms, second, approved, as_json=as_json)
    folder = keys_folder(data, keys)
    acts.hold_opening(value, by=by, second=second)
    with acting(data, database_url, create=True) as reached:
        if reached.made is not None:
            say(f"{reached.made}: no data folder was there; a new one is made", as_json=as_json)
        answer = asyncio.run(acts.open_link(reached.service_url, folder, value, by=by, second=second))
    _told(value, answer, as_json=as_json)


@app.command("terms")
@command
def terms_(
    terms: TermsFile,
    *,
    by: By,
    second: Second,
    approved: Approved = None,
    data: Data = None,
    database_url: DatabaseUrl = None,
    as_json: Json = False,
) -> None:
    """Put the next version of a link's terms in force: no wager under the older ones is accepted afterwards."""
    value = _agreed(terms, second, approved, as_json=as_json)
    with acting(data, database_url) as reached:
        answer = asyncio.run(acts.new_terms(reached.service_url, value, by=by, second=second))
    _told(value, answer, as_json=as_json)


@app.command("show")
@command
def show(
    link: Annotated[str, typer.Argument(metavar="LINK")],
    *,
    data: Data = None,
    database_url: DatabaseUrl = None,
    as_json: Json = False,
) -> None:
    """Show where a link stands: its terms, its meters, its tables and their open rounds."""
    with ledger(data, database_url) as reached:
        state, stop = asyncio.run(_stands(reached.service_url, link))
    if state.terms is None:
        raise UsageError(f"there is no link {link} in this ledger")
    meters = {name: _meter(state, name) for name in state.pools}
    tell(
        {
            "link": link,
            "terms": state.terms.fingerprint,
            "version": state.terms.terms.version,
            "status": "running" if stop is None else LEDGER_BEHIND if stop.behind else "stopped",
            "stopped_for": "" if stop is None else stop.reason,
            "next": "" if stop is None else next_step(link, stop),
            "commit": state.head.commit,
            "generation": state.head.generation,
            "meters_cents": {name: str(cents) for name, cents in meters.items()},
            "tables": {table.name: table.status for table in state.tables.values()},
            "open_rounds": [{"table": table, "journal": journal, "round": nth} for table, journal, nth in state.rounds],
        },
        as_json=as_json,
    )
    say(f"{link}: terms version {state.terms.terms.version}, {state.terms.fingerprint}", as_json=as_json)
    if stop is not None:
        say(f"  stopped since {when(stop.stopped_us)}: {stop.reason}", as_json=as_json)
        say(f"  next: {next_step(link, stop)}", as_json=as_json)
    for name, cents in meters.items():
        say(f"  {name}: {money(cents)} {state.terms.terms.currency}, epoch {state.pools[name].epoch}", as_json=as_json)
    for table in state.tables.values():
        under_way = [f"round {nth} of journal {journal}" for name, journal, nth in state.rounds if name == table.name]
        is_open = f"; open: {', '.join(under_way)}" if under_way else ""
        say(f"  {table.name}: {table.status}, journal {table.journal}{is_open}", as_json=as_json)


@app.command("stop")
@command
def stop_(
    link: Annotated[str, typer.Argument(metavar="LINK")],
    *,
    by: Annotated[str, typer.Option("--by", help="Who stops it.")],
    reason: Annotated[str, typer.Option("--reason", help="What was seen.")],
    data: Data = None,
    database_url: DatabaseUrl = None,
    as_json: Json = False,
) -> None:
    """Stop a link by hand: no process posts to it any more, also after a restart, until two people lift the stop.

    Boards say that the jackpot is suspended, tables take no jackpot wagers; what is in their spools stays there.
    """
    hold_named(by, "by")
    hold_reason(reason)
    with ledger(data, database_url) as reached:
        stop = asyncio.run(_stop(reached.service_url, link, by, reason))
    earlier = stop.reason != f"{by.strip()}: {reason.strip()}"
    tell({"link": link, "stopped": True, "stopped_for": stop.reason, "earlier": earlier}, as_json=as_json)
    how = "was stopped before" if earlier else "is stopped"
    say(f"{link} {how}, since {when(stop.stopped_us)}: {stop.reason}", as_json=as_json)
    say(f"  next: {next_step(link, stop)}", as_json=as_json)


@app.command("lift")
@command
def lift_(
    link: Annotated[str, typer.Argument(metavar="LINK")],
    *,
    by: Annotated[str, typer.Option("--by", help="Who lifts the stop.")],
    with_: Annotated[str, typer.Option("--with", help="The other person.")],
    reason: Annotated[str, typer.Option("--reason", help="What the cause was, and what was done about it.")],
    data: Data = None,
    database_url: DatabaseUrl = None,
    as_json: Json = False,
) -> None:
    """Open a link again that a person or a broken invariant stopped: audits first, lifts nothing over a difference."""
    hold_two(by, with_)
    hold_reason(reason)
    with ledger(data, database_url) as reached, progress() as told:
        done = asyncio.run(_lift(reached.service_url, link, by, with_, reason, told))
    if done.behind:
        raise refused_for(Refusal.LEDGER_BEHIND, "jackpot link behind, jackpot link reopen")
    if done.differences:
        raise Refused(RefusedAnswer("audit_difference", f"the link stays stopped: {done.differences[0]}", value=link))
    if not done.stopped_for:
        raise Refused(RefusedAnswer("not_stopped", "the link is not stopped", value=link))
    tell({"link": link, "lifted": True, "stopped_for": done.stopped_for}, as_json=as_json)
    say(f"{link} runs again; it had been stopped for: {done.stopped_for}", as_json=as_json)


async def _stop(url: str, link: str, by: str, reason: str) -> "Standing":
    from jackpot.ledger.lifting import stop_by_hand  # noqa: PLC0415 - the other commands need none of it

    await _known(url, link)
    return await stop_by_hand(url, link, by=by, reason=reason)


async def _lift(url: str, link: str, by: str, second: str, reason: str, told: "Progress") -> "Lifted":
    from jackpot.ledger.lifting import lift  # noqa: PLC0415 - the other commands need none of it

    done = await lift(url, link, by=by, second=second, reason=reason, progress=told)
    if not done.stopped_for:
        await _known(url, link)
    return done


async def _known(url: str, link: str) -> None:
    if (await acts.read_state(url, link)).terms is None:
        raise UsageError(f"there is no link {link} in this ledger")


async def _stands(url: str, link: str) -> "tuple[LinkState, Standing | None]":
    from jackpot.ledger.lifting import standing_stop  # noqa: PLC0415 - the other commands need none of it

    return await acts.read_state(url, link), await standing_stop(url, link)


def _agreed(file: Path, second: str, approved: str | None, *, as_json: bool) -> Terms:
    terms = read_terms(file)
    found = fingerprint(terms)
    if approved is not None and approved.replace(" ", "").lower() != found:
        raise UsageError(f"{file}: its fingerprint is {found}, not {approved}: these are not the terms approved")
    if approved is None and not as_json and sys.stdin.isatty():
        console.print(f"{terms.name} version {terms.version}, approval: {terms.approval_reference}", markup=False)
        console.print(f"wager {money(terms.qualifying_wager_cents)} {terms.currency}", markup=False)
        for pool in terms.pools:
            rate = f"{pool.increment_ppm / 10_000:g}%"
            console.print(f"pool {pool.name}: seed {money(pool.seed_cents)}, {rate} of each wager", markup=False)
        console.print(f"fingerprint {found}", markup=False)
        if not typer.confirm(f"{second}, are these the terms approved?", err=True):
            raise UsageError("the second person did not agree: nothing was changed")
    return terms


def _told(terms: Terms, answer: OpenedAnswer, *, as_json: bool) -> None:
    tell({"link": terms.name, "version": answer.version, "terms": answer.terms}, as_json=as_json)
    say(f"{terms.name}: terms version {answer.version} hold, fingerprint {answer.terms}", as_json=as_json)


def _meter(state: LinkState, pool: str) -> int:
    return state.balances.get(pool_account(pool), NOTHING).microcents // MICROCENTS
