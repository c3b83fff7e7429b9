"""`jackpot round`: show a round that is over, and void it: two people, with the rule. Nothing is edited, all is posted.

An open round is voided by its table, or here, where its table's journal is lost.
"""

import asyncio
from typing import Annotated

import msgspec
import typer

from jackpot.cli import acts
from jackpot.cli.output import Json, Refused, command, money, say, tell
from jackpot.cli.reach import Data, DatabaseUrl, ledger
from jackpot.core.accounts import MICROCENTS
from jackpot.core.answers import VoidRecordedAnswer
from jackpot.core.decide_amends import VOID_RULES
from jackpot.wire.messages import Moved, RefusedAnswer
from jackpot.wire.refusals import Refusal

app = typer.Typer(help="Rounds: show one that is over, void one.", no_args_is_help=True)

Table = Annotated[str, typer.Argument(metavar="TABLE")]
Number = Annotated[int, typer.Argument(metavar="ROUND", min=1)]
Journal = Annotated[int | None, typer.Option("--journal", min=1, help="Without it the table's own now.")]


@app.command("show")
@command
def show(
    table: Table,
    number: Number,
    *,
    journal: Journal = None,
    data: Data = None,
    database_url: DatabaseUrl = None,
    as_json: Json = False,
) -> None:
    """Show the wagers of a round that are in play, the accounts they went to, and its hits."""
    with ledger(data, database_url) as reached:
        link, found = asyncio.run(acts.past_round(reached.service_url, table, number, journal))
    if found is None:
        raise Refused(RefusedAnswer(Refusal.NO_SUCH_ROUND.code, "no wager of this round was accepted", value=table))
    past = found.past
    tell(
        {
            "link": link,
            "month": found.month,
            "commit": past.commit,
            "wagers": [msgspec.structs.asdict(each) for each in past.wagers],
            "hits": [{"hit": each.hit, "prize": each.prize, "state": each.state} for each in past.hits],
            "next_revision": found.next_revision,
        },
        as_json=as_json,
    )
    say(f"{table} round {number} of {link}, {found.month}, wagers in commit {past.commit}", as_json=as_json)
    for wager in past.wagers:
        say(f"  seat {wager.seat}: {money(wager.wager_cents)} in {wager.tender}", as_json=as_json)
    for hit in past.hits:
        say(f"  {hit.hit}: {hit.prize}, {hit.state}, {money(hit.amount_cents)}", as_json=as_json)


@app.command("void")
@command
def void(
    table: Table,
    number: Number,
    *,
    rule: Annotated[str, typer.Option("--rule", help=f"Under which rule: {', '.join(VOID_RULES)}.")],
    by: Annotated[str, typer.Option("--by", help="Who does it.")],
    with_: Annotated[str, typer.Option("--with", help="The other person.")],
    reason: Annotated[str, typer.Option("--reason", help="What was found.")],
    seat: Annotated[list[int] | None, typer.Option("--seat", help="This seat only; may be given again.")] = None,
    journal: Journal = None,
    data: Data = None,
    database_url: DatabaseUrl = None,
    as_json: Json = False,
) -> None:
    """Void a round, or seats of it, before or after its record, of whichever day: its hits and wagers go back.

    Open hits are released; a prize that was paid stays paid and is to be recovered. Again: answered as the first time.
    """
    with ledger(data, database_url) as reached:
        answer = asyncio.run(
            acts.void_round(
                reached.service_url,
                table,
                number,
                journal,
                rule=rule if rule.startswith("CSP ") else f"CSP {rule}",
                seats=sorted(set(seat or [])),
                by=by,
                second=with_,
                reason=reason,
            )
        )
    after = (
        answer
        if isinstance(answer, VoidRecordedAnswer)
        else VoidRecordedAnswer(tuple(answer.seats), tuple(answer.moved))
    )
    tell({"table": table, "round": number, **_told(after)}, as_json=as_json)
    seats = ", ".join(map(str, after.seats)) or "none"
    say(f"{table} round {number} is void; wagers back at seats: {seats}", as_json=as_json)
    for hit in after.released:
        say(f"  {hit} is released", as_json=as_json)
    for kind, amounts in (
        ("was paid and is to be recovered", after.overpaid),
        ("rises by", after.raised),
        ("is owed more, to be paid by hand", after.underpaid),
    ):
        for one in amounts:
            say(f"  {one.hit} {kind}: {money(one.cents)}", as_json=as_json)


def _told(answer: VoidRecordedAnswer) -> dict[str, object]:
    return {
        "seats": list(answer.seats),
        "moved": [_moved(one) for one in answer.moved],
        "released": list(answer.released),
        **{
            name: [{"hit": one.hit, "cents": str(one.cents)} for one in getattr(answer, name)]
            for name in ("overpaid", "raised", "underpaid")
        },
    }


def _moved(one: Moved) -> dict[str, str]:
    return {"account": one.account, "microcents": one.microcents, "cents": str(int(one.microcents) // MICROCENTS)}
