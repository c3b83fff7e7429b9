"""`jackpot hit`: list and show hits, and move them, from verify to pay or to release. Nobody acts twice on one hit.

Until people have accounts, a person is the name given; that is why these commands run on the server's own machine only.
"""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from functools import partial
from typing import Annotated

import msgspec
import typer

from jackpot.cli import acts, amending, overpaid
from jackpot.cli.output import Json, Refused, command, money, say, say_table, tell
from jackpot.cli.people import refused_for
from jackpot.cli.reach import Data, DatabaseUrl, acting, ledger
from jackpot.core.decide_hits import FALL_RULES, OFFERED
from jackpot.core.hits import CLAIMED, DIFFERS, DISPUTED, ENDED, MOVES, NEEDS_CAPTURE, OPEN, ORDER, Hit
from jackpot.core.state import LinkState
from jackpot.ledger.past import find_hit
from jackpot.wire.ids import IdError, parse_hit
from jackpot.wire.refusals import Refusal
from jackpot.wire.written import hold_text

app = typer.Typer(
    help="Hits: list, show, verify, approve, pay, resolve, decide, reject, release, forfeit; overpaid, recovered.",
    no_args_is_help=True,
)
app.command("overpaid")(overpaid.list_)
app.command("recovered")(overpaid.recovered)

HitId = Annotated[str, typer.Argument(metavar="ID", help="As on slip and board: table/journal/round/seat/pool.")]
By = Annotated[str, typer.Option("--by", help="Who does it.")]
With = Annotated[str, typer.Option("--with", help="The other person, where two are asked.")]
Reason = Annotated[str, typer.Option("--reason", help="Why.")]
Rule = Annotated[str, typer.Option("--rule", help=f"Under which rule: {', '.join(FALL_RULES)}.")]


class Order(Enum):
    """Which of two tables' prizes came first."""

    COMMIT = "commit"
    WAGERS = "wagers"


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
    links = sorted({each.link for each in found})
    say_table(
        f"Hits of {', '.join(links)}",
        ("hit", *(["link"] if links[1:] else []), "prize", "state", "amount$", "next"),
        [
            (
                str(each.hit.key),
                *([each.link] if links[1:] else []),
                each.hit.prize,
                each.hit.state,
                money(each.hit.amount_cents),
                _next(each.hit),
            )
            for each in found
        ],
    )


@app.command("show")
@command
def show(hit: HitId, *, data: Data = None, database_url: DatabaseUrl = None, as_json: Json = False) -> None:
    """Show a hit: its amount and its parts, its cards, and who did what."""
    with ledger(data, database_url) as reached:
        found = asyncio.run(_find(reached.service_url, hit))
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


_FALLS = {
    "reject": "Say that a hit is not to be paid: its money is held until two others release or forfeit it.",
    "release": "Give a hit's money back to where it came from; its round's other winners get what it leaves (12.3). "
    "The wager itself goes back by `jackpot round void --seat`, which releases the hit too.",
    "forfeit": "Set a prize aside for the fund the law names: its winner was a minor, or excluded.",
}
"""The moves by which two people let a hit fall away, with what they do."""


def _falls(move: str, words: str) -> None:
    @app.command(move, help=words)
    @command
    def fall(
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
        named = rule if rule.startswith("CSP ") else f"CSP {rule}"
        hold_text("rule", named)
        if named not in FALL_RULES:
            words = f"no hit falls away under this rule, only under {', '.join(FALL_RULES)}"
            raise refused_for(Refusal.NO_SUCH_RULE, named, words=words)
        where = partial(_move, data=data, database_url=database_url, as_json=as_json)
        where(hit, move, by, second=with_, reason=reason, rule=named)


for _name, _words in _FALLS.items():
    _falls(_name, _words)


@app.command("decide")
@command
def decide(
    hit: HitId,
    *,
    order: Annotated[
        Order, typer.Option("--order", help="Which came first: by the commit of the records, or of the wagers.")
    ],
    by: By,
    with_: With = "",
    manager: Annotated[str, typer.Option("--manager", help="The manager, where the terms name the other order.")] = "",
    reason: Reason = "",
    show_only: Annotated[bool, typer.Option("--show", help="Post nothing: show what either order comes to.")] = False,
    data: Data = None,
    database_url: DatabaseUrl = None,
    as_json: Json = False,
) -> None:
    """End a dispute about which of two tables' hits came first: all its hits get their amounts in that order.

    Without --with, or with --show, nothing is posted: both amounts of each are shown.
    """
    people = amending.People(by, reason, with_, manager, show_only or not with_.strip())
    with acting(data, database_url) as reached:
        answer = asyncio.run(amending.decide_order(reached.service_url, hit, order.value, people))
    tell(
        {
            "order": answer.order,
            "posted": not people.only_asked,
            "hits": [
                {
                    "hit": one.hit,
                    "state": one.state,
                    "by_commit_cents": str(one.by_commit_cents),
                    "by_wagers_cents": str(one.by_wagers_cents),
                }
                for one in answer.hits
            ],
            "overpaid": [{"hit": one.hit, "cents": str(one.cents)} for one in answer.overpaid],
            "raised": [{"hit": one.hit, "cents": str(one.cents)} for one in answer.raised],
        },
        as_json=as_json,
    )
    for one in answer.hits:
        amounts = f"by commit {money(one.by_commit_cents)}, by wagers {money(one.by_wagers_cents)}"
        say(f"  {one.hit}: {amounts}; {'is' if not people.only_asked else 'would be'} {one.state}", as_json=as_json)
    for kind, told in (("was paid and is to be recovered", answer.overpaid), ("is owed more", answer.raised)):
        for each in told:
            say(f"  {each.hit} {kind}: {money(each.cents)}", as_json=as_json)
    say(f"the order {'holds' if not people.only_asked else 'asked for'}: {answer.order}", as_json=as_json)
    if people.only_asked:
        say("nothing was posted: say --by, --with and --reason to post it", as_json=as_json)


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
        found = await _find(url, hit)
        names = {"by": by, "second": second, "reason": reason, "manager": manager, "rule": rule}
        nth = acts.looked_at(found.hit, move, by, second, reason)
        try:
            answer = await acts.move_hit(url, found.link, hit, move, **names, nth=nth)
        except Refused as no:
            now = (await _find(url, hit)).hit
            words = _paid_words(now) if move == "pay" else ""
            if no.answer.code == Refusal.NO_SUCH_HIT.code:  # No state keeps it any more.
                raise refused_for(Refusal.ILLEGAL_MOVE, f"{move} from {now.state}", words) from None
            raise Refused(msgspec.structs.replace(no.answer, text=words or no.answer.text)) from None
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
        if move == "resolve" and answer.state == DISPUTED:
            ask = "; another dispute holds it still, which it tells of now (`jackpot hit show`)"
        say(f"{answer.hit} is {answer.state}, {money(answer.amount_cents)}{ask}", as_json=as_json)

    with acting(data, database_url) as reached:
        asyncio.run(moving(reached.service_url))


async def _states(url: str, link: str | None) -> dict[str, LinkState]:
    names = [link] if link else await acts.links_of(url)
    return {name: await acts.read_state(url, name) for name in names}


def _hits(states: dict[str, LinkState]) -> Iterator[Found]:
    for link, state in states.items():
        for hit in sorted(state.hits.values(), key=lambda each: (each.commit, -each.key.seat)):
            yield Found(link, hit)


async def _find(url: str, text: str) -> Found:
    try:
        key = parse_hit(text)
    except IdError as error:
        raise refused_for(Refusal.NO_SUCH_HIT, words=str(error)) from None
    for link in await acts.links_of(url):
        hit = await find_hit(url, link, key)
        if hit is not None:
            return Found(link, hit)
    raise refused_for(Refusal.NO_SUCH_HIT, text)


def _next(hit: Hit) -> str:
    if hit.state in ENDED:
        return ""
    moves = [move for move in MOVES[hit.state] if move in OFFERED]
    if hit.state == "verified":
        return f"approve ({hit.approvals} of {hit.approvers})"
    if hit.state == CLAIMED or ({DIFFERS, NEEDS_CAPTURE} & set(hit.marks) and hit.state == DISPUTED):
        # Its amount, or whether it is one, hangs on the cards.
        moves = ["round correct", *[move for move in moves if move != "resolve"]]
    elif hit.state == DISPUTED and ORDER in hit.marks:
        moves = ["decide", *moves]
    return ", ".join(moves)


def _paid_words(hit: Hit) -> str:
    """Say what was paid before, to who would pay it again (case 20); nothing where nobody did."""
    first = next((act for act in hit.acts if act.move in {"pay", "paid_before"}), None)
    return f"{money(hit.amount_cents)} was paid, as {first.by} said in commit {first.commit}" if first else ""


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
