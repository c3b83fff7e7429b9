"""`jackpot hit`: list and show hits, and move them, from verify to pay or to release. Nobody acts twice on one hit.

Until people have accounts, a person is the name given; that is why these commands run on the server's own machine only.
"""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Annotated

import typer

from jackpot.cli import acts
from jackpot.cli.output import Json, Refused, command, money, say, say_table, tell
from jackpot.cli.reach import Data, DatabaseUrl, ledger
from jackpot.core.accounts import MICROCENTS
from jackpot.core.decide_hits import FALL_RULES, OFFERED
from jackpot.core.hits import ENDED, MOVES, OPEN, Hit
from jackpot.core.state import LinkState
from jackpot.ledger.past import overpaid
from jackpot.wire.ids import IdError, parse_hit
from jackpot.wire.messages import RefusedAnswer
from jackpot.wire.refusals import Refusal

app = typer.Typer(
    help="Hits: list, show, verify, approve, pay, resolve, reject, release, forfeit.", no_args_is_help=True
)

HitId = Annotated[str, typer.Argument(metavar="ID", help="As on slip and board: table/journal/round/seat/pool.")]
By = Annotated[str, typer.Option("--by", help="Who does it.")]
With = Annotated[str, typer.Option("--with", help="The other person, where two are asked.")]
Reason = Annotated[str, typer.Option("--reason", help="Why.")]
Rule = Annotated[str, typer.Option("--rule", help=f"Under which rule: {', '.join(FALL_RULES)}.")]


@dataclass(frozen=True, slots=True)
class Found:
    """A hit and the link it is of."""

    link: str
    hit: Hit


@app.command("list")
@command
def list_(
    *,
    every: Annotated[bool, typer.Option("--all", help="Those lately ended too.")] = False,
    link: Annotated[str | None, typer.Option("--link", help="Of this link only.")] = None,
    data: Data = None,
    database_url: DatabaseUrl = None,
    as_json: Json = False,
) -> None:
    """List the open hits of all links, oldest first; those of one round as they are paid, from the highest seat."""
    with ledger(data, database_url) as reached:
        states = asyncio.run(_states(reached.service_url, link))
    found = [each for each in _hits(states) if every or each.hit.state in OPEN]
    tell({"hits": [_told(each) for each in found]}, as_json=as_json)
    if as_json:
        return
    if not found:
        say("no open hits")
        return
    rows = [
        (str(each.hit.key), each.link, each.hit.prize, each.hit.state, money(each.hit.amount_cents), _next(each.hit))
        for each in found
    ]
    say_table("Hits", ("hit", "link", "prize", "state", "amount$", "next"), rows)


@app.command("overpaid")
@command
def overpaid_(
    *,
    data: Data = None,
    database_url: DatabaseUrl = None,
    as_json: Json = False,
) -> None:
    """List prizes that were paid and are to be recovered, for the month-end list (CSP 14.19)."""

    async def listed(url: str) -> dict[str, list[tuple[str, int, int, int]]]:
        return {link: await overpaid(url, link) for link in await acts.links_of(url)}

    with ledger(data, database_url) as reached:
        found = asyncio.run(listed(reached.service_url))
    rows = [
        (hit, link, datetime.fromtimestamp(time_us // 1_000_000, UTC).isoformat(), commit, microcents // MICROCENTS)
        for link, each in found.items()
        for hit, microcents, commit, time_us in each
    ]
    told = [
        {"hit": hit, "link": link, "at": at, "commit": commit, "amount_cents": str(cents)}
        for hit, link, at, commit, cents in rows
    ]
    tell({"overpaid": told}, as_json=as_json)
    for hit, link, at, commit, cents in rows:
        say(f"{at} {link} {hit}, commit {commit}: {money(cents)}", as_json=as_json)
    if not rows:
        say("nothing was overpaid", as_json=as_json)


@app.command("show")
@command
def show(hit: HitId, *, data: Data = None, database_url: DatabaseUrl = None, as_json: Json = False) -> None:
    """Show a hit: its amount and its parts, its cards, and who did what."""
    with ledger(data, database_url) as reached:
        found = _find(asyncio.run(_states(reached.service_url, None)), hit)
    tell(_told(found), as_json=as_json)
    if as_json:
        return
    one = found.hit
    say(f"{one.key}: {one.prize}, {one.state}, {money(one.amount_cents)}")
    say(f"  from the pool {money(one.from_pool_cents)}, added {money(one.topup_cents)}, bonus {money(one.bonus_cents)}")
    say(f"  cards {one.cards or 'not seen'}, capture {one.capture}, epoch {one.epoch}, commit {one.commit}")
    if one.marks:
        say(f"  people must look: {', '.join(one.marks)}")
    for act in one.acts:
        words = [act.move, *([f"by {act.by}"] if act.by else []), *([f"({act.reason})"] if act.reason else [])]
        say(f"  commit {act.commit}: {' '.join(words)}")
    if _next(one):
        say(f"  next: {_next(one)}")


@app.command("verify")
@command
def verify(
    hit: HitId,
    *,
    by: By,
    reason: Reason = "",
    data: Data = None,
    database_url: DatabaseUrl = None,
    as_json: Json = False,
) -> None:
    """Say that the cards and the seat were checked."""
    _move(hit, "verify", by, data=data, database_url=database_url, as_json=as_json, reason=reason)


@app.command("approve")
@command
def approve(
    hit: HitId,
    *,
    by: By,
    with_: With = "",
    manager: Annotated[
        str, typer.Option("--manager", help="The manager who says that an open older round is not waited for.")
    ] = "",
    reason: Reason = "",
    data: Data = None,
    database_url: DatabaseUrl = None,
    as_json: Json = False,
) -> None:
    """Approve a hit; as many people as the terms ask for its amount."""
    _move(
        hit,
        "approve",
        by,
        second=with_,
        manager=manager,
        reason=reason,
        data=data,
        database_url=database_url,
        as_json=as_json,
    )


@app.command("resolve")
@command
def resolve(
    hit: HitId,
    *,
    by: By,
    with_: With,
    reason: Reason,
    data: Data = None,
    database_url: DatabaseUrl = None,
    as_json: Json = False,
) -> None:
    """End a dispute about which of two hits came first: two people say that the amounts as awarded stand."""
    _move(hit, "resolve", by, second=with_, reason=reason, data=data, database_url=database_url, as_json=as_json)


@app.command("reject")
@command
def reject(
    hit: HitId,
    *,
    by: By,
    with_: With,
    rule: Rule,
    reason: Reason,
    data: Data = None,
    database_url: DatabaseUrl = None,
    as_json: Json = False,
) -> None:
    """Say that a hit is not to be paid: its money is held until two others release or forfeit it."""
    _fall(hit, "reject", by, with_, rule, reason, data=data, database_url=database_url, as_json=as_json)


@app.command("release")
@command
def release(
    hit: HitId,
    *,
    by: By,
    with_: With,
    rule: Rule,
    reason: Reason,
    data: Data = None,
    database_url: DatabaseUrl = None,
    as_json: Json = False,
) -> None:
    """Give a hit's money back to where it came from; other winners of its round get what it leaves them (12.3).

    The wager itself goes back by `jackpot round void --seat`, which releases the hit too.
    """
    _fall(hit, "release", by, with_, rule, reason, data=data, database_url=database_url, as_json=as_json)


@app.command("forfeit")
@command
def forfeit(
    hit: HitId,
    *,
    by: By,
    with_: With,
    rule: Rule,
    reason: Reason,
    data: Data = None,
    database_url: DatabaseUrl = None,
    as_json: Json = False,
) -> None:
    """Set a prize aside for the fund the law names: its winner was a minor, or excluded."""
    _fall(hit, "forfeit", by, with_, rule, reason, data=data, database_url=database_url, as_json=as_json)


@app.command("pay")
@command
def pay(
    hit: HitId,
    *,
    by: By,
    reason: Reason = "",
    data: Data = None,
    database_url: DatabaseUrl = None,
    as_json: Json = False,
) -> None:
    """Say that the prize was paid out."""
    _move(hit, "pay", by, data=data, database_url=database_url, as_json=as_json, reason=reason)


def _fall(
    hit: str,
    move: str,
    by: str,
    second: str,
    rule: str,
    reason: str,
    *,
    data: Data,
    database_url: DatabaseUrl,
    as_json: bool,
) -> None:
    named = rule if rule.startswith("CSP ") else f"CSP {rule}"
    where = partial(_move, data=data, database_url=database_url, as_json=as_json)
    where(hit, move, by, second=second, reason=reason, rule=named)


def _move(
    hit: str,
    move: str,
    by: str,
    *,
    data: Data,
    database_url: DatabaseUrl,
    as_json: bool,
    second: str = "",
    manager: str = "",
    reason: str = "",
    rule: str = "",
) -> None:
    async def moving(url: str) -> None:
        found = _find(await _states(url, None), hit)
        answer = await acts.move_hit(
            url,
            found.link,
            hit,
            move,
            by=by,
            second=second,
            reason=reason,
            manager=manager,
            rule=rule,
            nth=len(found.hit.acts),
        )
        others = {
            name: [{"hit": one.hit, "cents": str(one.cents)} for one in getattr(answer, name)]
            for name in ("raised", "later")
            if getattr(answer, name)
        }
        tell(
            {
                "hit": answer.hit,
                "state": answer.state,
                "amount_cents": str(answer.amount_cents),
                "approvals": answer.approvals,
                "approvers": answer.approvers,
                **others,
            },
            as_json=as_json,
        )
        for one in answer.raised:
            say(f"  {one.hit} rises by {money(one.cents)}", as_json=as_json)
        for one in answer.later:
            say(f"  {one.hit} would have come to {money(one.cents)} more: it keeps its amount", as_json=as_json)
        more = answer.approvers - answer.approvals if answer.state == "verified" else 0
        ask = f"; {more} more to approve it" if more > 0 else ""
        say(f"{answer.hit} is {answer.state}, {money(answer.amount_cents)}{ask}", as_json=as_json)

    with ledger(data, database_url) as reached:
        asyncio.run(moving(reached.service_url))


async def _states(url: str, link: str | None) -> dict[str, LinkState]:
    names = [link] if link else await acts.links_of(url)
    return {name: await acts.read_state(url, name) for name in names}


def _hits(states: dict[str, LinkState]) -> Iterator[Found]:
    for link, state in states.items():
        for hit in sorted(state.hits.values(), key=lambda each: (each.commit, -each.key.seat)):
            yield Found(link, hit)


def _find(states: dict[str, LinkState], text: str) -> Found:
    try:
        key = parse_hit(text)
    except IdError as error:
        raise Refused(RefusedAnswer(Refusal.NO_SUCH_HIT.code, str(error))) from None
    for link, state in states.items():
        if key in state.hits:
            return Found(link, state.hits[key])
    raise Refused(RefusedAnswer(Refusal.NO_SUCH_HIT.code, Refusal.NO_SUCH_HIT.text, value=text))


def _next(hit: Hit) -> str:
    if hit.state in ENDED:
        return ""
    moves = [move for move in MOVES[hit.state] if move in OFFERED]
    if hit.state == "verified":
        return f"approve ({hit.approvals} of {hit.approvers})"
    return ", ".join(moves) or "people decide"


def _told(found: Found) -> dict[str, object]:
    hit = found.hit
    return {
        "hit": str(hit.key),
        "link": found.link,
        "prize": hit.prize,
        "state": hit.state,
        "amount_cents": str(hit.amount_cents),
        "from_pool_cents": str(hit.from_pool_cents),
        "topup_cents": str(hit.topup_cents),
        "bonus_cents": str(hit.bonus_cents),
        "epoch": hit.epoch,
        "terms": hit.terms,
        "capture": hit.capture,
        "cards": hit.cards,
        "marks": list(hit.marks),
        "commit": hit.commit,
        "approvals": hit.approvals,
        "approvers": hit.approvers,
        "acts": [{"move": act.move, "by": act.by, "commit": act.commit, "reason": act.reason} for act in hit.acts],
    }
