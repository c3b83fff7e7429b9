"""`jackpot hit overpaid` and `recovered`: what is to be recovered, and what of it came back (CSP 14.16-14.19)."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Annotated

import msgspec
import typer

from jackpot.cli import acts, amending
from jackpot.cli.output import Json, command, money, say, tell
from jackpot.cli.reach import Data, DatabaseUrl, acting, ledger
from jackpot.core.accounts import MICROCENTS
from jackpot.core.calendar import gaming_day
from jackpot.ledger.past import find_round, overpaid, paid_out
from jackpot.wire.ids import HitKey, parse_hit
from rules.irregularities.payments import OVER_CENTS

MONTH_END = "CSP 14.19"
"""The rule under which an individual overpayment is told to the authority at the end of the month."""


@dataclass(slots=True)
class Owed:
    """What was paid of a hit and is to be recovered: since when, each part that came back, in cents."""

    hit: str
    link: str
    at: str
    commit: int
    time_us: int
    amount_cents: int = 0
    back: list[tuple[str, int, int]] = field(default_factory=list)

    @property
    def left_cents(self) -> int:
        """What has not come back."""
        return self.amount_cents - sum(cents for _, _, cents in self.back)

    @property
    def answered(self) -> str:
        """What was done about it, in the words of the list (14.16.2)."""
        if not self.back:
            return "not answered yet"
        return "rectified" if not self.left_cents else f"{self.amount_cents - self.left_cents} cents of it came back"

    @property
    def listed(self) -> bool:
        """Whether it goes on the month-end list, come back or not: an individual overpayment of over $1,000."""
        return self.amount_cents > OVER_CENTS  # CSP 14.19


@command
def list_(
    *,
    lines: Annotated[
        bool, typer.Option("--lines", help="Lines that `python -m rules month` makes the month-end list of.")
    ] = False,
    data: Data = None,
    database_url: DatabaseUrl = None,
    as_json: Json = False,
) -> None:
    """List prizes that were paid and are to be recovered, what came back, and what the month-end list takes (14.19)."""
    with ledger(data, database_url) as reached:
        found = asyncio.run(_owed(reached.service_url))
        if lines:
            for line in asyncio.run(_month_end(reached.service_url, found)):
                say(line)
            return
    told = [
        {
            "hit": one.hit,
            "link": one.link,
            "at": one.at,
            "commit": one.commit,
            "amount_cents": str(one.amount_cents),
            "left_cents": str(one.left_cents),
            "month_end": MONTH_END if one.listed else None,
            "recovered": [{"at": at, "commit": commit, "cents": str(cents)} for at, commit, cents in one.back],
        }
        for one in found
    ]
    tell({"overpaid": told}, as_json=as_json)
    for one in found:
        listed = f"; on the month-end list ({MONTH_END})" if one.listed else ""
        amounts = f"{money(one.amount_cents)}, {money(one.left_cents)} of it to be recovered"
        say(f"{_for_people(one.at)} {one.link} {one.hit}, commit {one.commit}: {amounts}{listed}", as_json=as_json)
        for at, commit, cents in one.back:
            say(f"  {_for_people(at)} {money(cents)} came back, commit {commit}", as_json=as_json)
    if not found:
        say("nothing was overpaid", as_json=as_json)


def _cents(text: str) -> int:
    """Read whole cents. **Never** a number with a point: who types 3000.00 means dollars."""
    if not (text.isascii() and text.isdigit() and int(text)):
        raise typer.BadParameter(f"{text[:40]!r} is no number of cents: $3,000.00 are 300000")
    return int(text)


@command
def recovered(
    hit: Annotated[str, typer.Argument(metavar="ID", help="The hit that was overpaid.")],
    *,
    cents: Annotated[
        int, typer.Option("--cents", parser=_cents, metavar="CENTS", help="How much came back, in cents.")
    ],
    by: Annotated[str, typer.Option("--by", help="Who does it.")],
    with_: Annotated[str, typer.Option("--with", help="The other person.")],
    reason: Annotated[str, typer.Option("--reason", help="How it was rectified (14.18.1).")],
    part: Annotated[
        int | None, typer.Option("--part", min=1, help="Which part it is: again, it is answered as the first time.")
    ] = None,
    data: Data = None,
    database_url: DatabaseUrl = None,
    as_json: Json = False,
) -> None:
    """Post that an overpayment, or a part of one, came back; never more than is owed."""
    people = amending.People(by, reason, with_)
    with acting(data, database_url) as reached:
        answer = asyncio.run(amending.recover(reached.service_url, hit, cents, part, people))
    tell(
        {
            "hit": answer.hit,
            "recovered_cents": str(answer.recovered_cents),
            "left_cents": str(answer.left_cents),
        },
        as_json=as_json,
    )
    left = f"{money(answer.left_cents)} is left" if answer.left_cents else "nothing is left"
    say(f"{answer.hit}: {money(answer.recovered_cents)} came back in all, {left}", as_json=as_json)


def _for_people(at: str) -> str:
    """Return a time as every other command shows it to people.

    >>> _for_people("2026-11-28T23:28:01+00:00")
    '2026-11-28 23:28:01 UTC'
    """
    return at.replace("T", " ").replace("+00:00", " UTC")


async def _month_end(url: str, found: Sequence[Owed]) -> Sequence[str]:
    """A line for each round with an overpayment that is listed, as a settlement says it; the day the ledger knew."""
    rounds: dict[tuple[str, HitKey], list[dict[str, object]]] = {}
    for one in found:
        if not one.listed:
            continue
        key = parse_hit(one.hit)
        terms = (await acts.read_state(url, one.link)).terms
        paid = (await paid_out(url, one.link, [one.hit])).get(one.hit, 0)
        about = rounds.setdefault((one.link, key._replace(seat=0, pool="")), [])
        about.append(
            {
                "what": "overpayment",
                "seat": key.seat,
                "wager": "jackpot",
                "cents": one.amount_cents,
                "owed_cents": max(paid - one.amount_cents, 0),
                "paid_cents": paid,
                "rule": MONTH_END,
                "why": one.answered,
                **({} if terms is None else {"day": gaming_day(terms.terms, one.time_us)}),
            }
        )
    told = []
    for number, ((link, key), errors) in enumerate(rounds.items(), start=1):
        of_round = await find_round(url, link, key[:3])
        at = {"line": number, "table": key.table, "journal": key.journal, "round": key.round, "game": "caribbean_stud"}
        month = {} if of_round is None else {"month": of_round.month}
        told.append(msgspec.json.encode({**at, **month, "lines": [], "month_end": errors}).decode())
    return told


async def _owed(url: str) -> list[Owed]:
    found: dict[str, Owed] = {}
    for link in await acts.links_of(url):
        for hit, microcents, commit, time_us in await overpaid(url, link):
            at = datetime.fromtimestamp(time_us // 1_000_000, UTC).isoformat()
            one = found.setdefault(hit, Owed(hit, link, at, commit, time_us))
            if microcents > 0:
                one.amount_cents += microcents // MICROCENTS
            else:
                one.back.append((at, commit, -microcents // MICROCENTS))
    return list(found.values())
