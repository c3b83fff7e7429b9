"""`jackpot link behind` and `jackpot link reopen`: after a restore, for the person who restored (PROTOCOL 5).

The first shows what a restored ledger has lost, who holds it and what nobody holds; the second has it posted again when
two people agree, and the ledger's next life begins.
"""

import asyncio
import sys
from collections.abc import Coroutine, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from jackpot.cli.acts import read_state
from jackpot.cli.output import Json, Refused, UsageError, command, console, money, say, tell
from jackpot.cli.people import hold_two
from jackpot.cli.reach import Data, DatabaseUrl, acting
from jackpot.cli.terms import read_terms
from jackpot.core.behind import known_to_nobody
from jackpot.core.decide_tables import JOURNALS_OF_A_LIFE
from jackpot.core.reopening import Choices, HeldMessage
from jackpot.ledger.reopening import Behind, NotBehindError, NotReadyError, look_behind, reopen
from jackpot.wire.codec import decode_answer
from jackpot.wire.messages import AwardLine, RecordAnswer, RefusedAnswer

__all__ = ["add_to"]

MOST_CENTS = 10**15
"""So much is no prize: a slip of the pen is refused before two people are shown it."""

Link = Annotated[str, typer.Argument(metavar="LINK")]
Without = Annotated[
    list[str] | None, typer.Option("--without", metavar="TABLE", help="Do not wait for this table; once a table.")
]
LeaveOut = Annotated[
    list[str] | None, typer.Option("--leave-out", metavar="ID", help="Keep this message aside; once a message.")
]
Paid = Annotated[
    list[str] | None,
    typer.Option(
        "--paid",
        metavar="HIT[=CENTS]",
        help="This hit was paid, at the amount shown or so many cents; once a hit.",
    ),
]
Open = Annotated[list[str] | None, typer.Option("--open", metavar="HIT", help="This hit is open; once a hit.")]
TermsFiles = Annotated[
    list[Path] | None,
    typer.Option("--terms", metavar="FILE", help="Terms that were put in force and are lost.", dir_okay=False),
]


def add_to(app: typer.Typer) -> None:
    """Add both commands."""
    app.command("behind")(behind_)
    app.command("reopen")(reopen_)


@command
def behind_(
    link: Link,
    *,
    without: Without = None,
    leave_out: LeaveOut = None,
    paid: Paid = None,
    open_hits: Open = None,
    terms: TermsFiles = None,
    data: Data = None,
    database_url: DatabaseUrl = None,
    as_json: Json = False,
) -> None:
    """Show what a ledger that went back has lost: what tables hand in, what nobody holds, what would be corrected.

    Changes nothing. `list` in the answer names the list that `reopen --list` then holds two people to; where nothing
    was lost there is none, and all else is empty.

    With --data a restore brings back the folder `embedded` alone: the newer `checkpoint.json` beside it stays.
    """
    choices = _choices("A", "B", without, leave_out, paid, open_hits, terms)
    with acting(data, database_url) as reached:
        found = asyncio.run(_looked(reached.service_url, link, choices))
    if isinstance(found, str):
        tell({"link": link, "why": "", **_NOTHING, "text": found}, as_json=as_json)
        say(f"{link}: {found}", as_json=as_json)
        return
    tell({"link": link, **_figures(found)}, as_json=as_json)
    for line in _lines(link, found):
        say(line, as_json=as_json)


@command
def reopen_(
    link: Link,
    *,
    by: Annotated[str, typer.Option("--by", help="Who restored, and has seen the list.")],
    with_: Annotated[str, typer.Option("--with", help="The other person, who has seen it too.")],
    seen: Annotated[
        str, typer.Option("--list", help="The list both have seen; another one is refused. At a terminal it is shown.")
    ] = "",
    without: Without = None,
    leave_out: LeaveOut = None,
    paid: Paid = None,
    open_hits: Open = None,
    terms: TermsFiles = None,
    data: Data = None,
    database_url: DatabaseUrl = None,
    as_json: Json = False,
) -> None:
    """Post again what tables handed in, in its old order, and open the link as the ledger's next generation."""
    hold_two(by, with_)
    choices = _choices(by, with_, without, leave_out, paid, open_hits, terms)
    if not seen and (as_json or not sys.stdin.isatty()):
        raise UsageError("--list: name the list that both have seen; `jackpot link behind` shows it and its name")
    with acting(data, database_url) as reached:
        if not seen:
            shown = asyncio.run(_asked(reached.service_url, link, look_behind(reached.service_url, link, choices)))
            for line in _lines(link, shown):
                console.print(line, markup=False)
            if not typer.confirm(f"{by} and {with_}, is this what is to be posted?", err=True):
                raise UsageError("the two people did not agree: nothing was changed")
            seen = shown.plan.fingerprint
        done = asyncio.run(_asked(reached.service_url, link, reopen(reached.service_url, link, choices, seen)))
    tell({"link": link, "reopened": True, **_figures(done)}, as_json=as_json)
    taken, lost = _many(len(done.plan.taken_back), "message"), _many(len(done.plan.missing), "gap")
    say(
        f"{link} runs as generation {done.plan.generation}: {taken} taken back, {lost} that nobody holds",
        as_json=as_json,
    )


_NOTHING: Mapping[str, object] = {
    "taken_back": [],
    "missing": [],
    "void_again": [],
    "corrections": [],
    "paid": [],
    "do_again": [],
    "waiting": [],
    "unknown": [],
    "obstacles": [],
    "tables": {},
    "journals_not_handed_in": {},
}
"""The figures of a link that has lost nothing."""


def _choices(
    by: str,
    second: str,
    without: list[str] | None,
    leave_out: list[str] | None,
    paid: list[str] | None,
    open_hits: list[str] | None,
    terms: list[Path] | None,
) -> Choices:
    said = [_paid(words) for words in paid or ()]
    cents = {hit: amount for hit, amount in said if amount is not None}
    for hit, amount in said:
        if amount != cents.get(hit):
            raise UsageError(f"--paid {hit}: named twice, with two amounts")
    return Choices(
        by,
        second,
        tuple(without or ()),
        tuple(leave_out or ()),
        tuple(hit for hit, _ in said),
        tuple(open_hits or ()),
        tuple(read_terms(file) for file in terms or ()),
        cents,
    )


def _paid(words: str) -> tuple[str, int | None]:
    """Read a hit that was paid, and how much of it where that is said; raises UsageError.

    >>> _paid("T1/1/1/1/main"), _paid("T1/1/1/1/main=500002")
    (('T1/1/1/1/main', None), ('T1/1/1/1/main', 500002))
    """
    hit, said, amount = words.partition("=")
    if not said:
        return hit, None
    if not (amount.isascii() and amount.isdigit() and len(amount) <= len(str(MOST_CENTS))):
        raise UsageError(f"--paid {hit}: {amount[:40]!r} is no number of cents: $3,000.00 are 300000")
    if not 1 <= int(amount) <= MOST_CENTS:
        raise UsageError(f"--paid {hit}: {amount} cents is not from 1 to {MOST_CENTS}")
    return hit, int(amount)


async def _looked(url: str, link: str, choices: Choices) -> Behind | str:
    """What a link has lost, or in words that it has lost nothing; raises UsageError where there is no such link."""
    try:
        return await look_behind(url, link, choices)
    except NotBehindError as error:
        await _known(url, link)
        return _not_behind(error)


async def _known(url: str, link: str) -> None:
    if (await read_state(url, link)).terms is None:
        raise UsageError(f"there is no link {link} in this ledger")


def _not_behind(error: NotBehindError) -> str:
    return "nothing of this link is to be taken back" + (f": it is stopped for {error}" if str(error) else "")


async def _asked(url: str, link: str, looking: Coroutine[Any, Any, Behind]) -> Behind:
    try:
        return await looking
    except NotBehindError as error:
        await _known(url, link)
        raise Refused(RefusedAnswer("not_behind", _not_behind(error))) from None
    except NotReadyError as error:
        raise Refused(RefusedAnswer("not_ready", "; ".join(error.reasons))) from None


def _figures(behind: Behind) -> dict[str, object]:
    plan = behind.plan
    evidence = None if behind.stop is None else behind.stop.gone
    return {
        "why": "" if evidence is None else evidence.reason,
        "head": {"generation": behind.state.head.generation, "commit": behind.state.head.commit},
        "last": {"generation": plan.last.generation, "commit": plan.last.commit},
        "generation": plan.generation,
        "list": plan.fingerprint,
        "taken_back": [
            {
                "id": one.id,
                "generation": one.receipt.generation,
                "commit": one.receipt.commit,
                "awards": [
                    {"hit": line.hit, "prize": line.prize, "cents": str(line.amount_cents)} for line in _awards(one)
                ],
            }
            for one in plan.taken_back
        ],
        "missing": list(plan.missing),
        "void_again": list(plan.voided),
        "corrections": [dict(fact.figures) for fact in plan.corrections],
        "paid": [{"hit": hit.hit, "cents": str(hit.amount_cents)} for hit in plan.paid],
        "do_again": list(plan.office),
        "waiting": list(plan.waiting),
        "unknown": list(behind.unknown),
        "obstacles": list(plan.obstacles),
        "tables": {
            name: all(one.complete for one in behind.holders if one.table == name)
            for name in dict.fromkeys(one.table for one in behind.holders)
        },
        "journals_not_handed_in": _journals_not_handed_in(behind),
    }


def _journals_not_handed_in(behind: Behind) -> Mapping[str, Sequence[int]]:
    """Return the journals of tables of which no spool has handed in, though another spool of the table has.

    A table is waited for until one of its spools has: of others the ledger that went back may know nothing. **Never**
    one before the table's own where the ledger ends: what was played in that is in it.
    """
    spools = {(one.table, one.spool) for one in behind.holders}
    handed: dict[str, set[int]] = {table: set() for table, _ in sorted(spools)}
    for one in (*behind.plan.taken_back, *behind.plan.left_out):
        handed.setdefault(one.table, set()).add(int(one.id.split("/")[1]))
    found: dict[str, Sequence[int]] = {}
    for table, journals in handed.items():
        own = behind.state.tables.get(table)
        first = own.journal if own is not None else 0
        granted = behind.state.journals.get((table, first))
        if granted is None or (table, granted.spool) in spools:
            journals.add(first)
        lives: dict[int, int] = {}
        for journal in sorted({first, *journals} - {0}):
            lives[(journal - 1) // JOURNALS_OF_A_LIFE] = journal
        lost = [
            journal
            for life, newest in lives.items()
            for journal in range(max(first, life * JOURNALS_OF_A_LIFE + 1), newest + 1)
            if journal not in journals
        ]
        if lost:
            found[table] = lost
    return found


def _awards(one: HeldMessage) -> Sequence[AwardLine]:
    """Return the prizes that a table was told of: people hold them against slips."""
    answer = decode_answer(one.answer)
    return answer.awards if isinstance(answer, RecordAnswer) else ()


def _numbers(journals: Sequence[int]) -> str:
    """Name journals.

    >>> _numbers([2]), _numbers([1, 2, 4])
    ('journal 2', 'journal 1, 2 or 4')
    """
    *first, last = map(str, journals)
    return f"journal {', '.join(first)} or {last}" if first else f"journal {last}"


def _many(number: int, what: str) -> str:
    """Return how many.

    >>> _many(1, "gap"), _many(2, "gap")
    ('1 gap', '2 gaps')
    """
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _won(one: HeldMessage) -> str:
    return "".join(f"  seat {line.seat} {line.prize} {money(line.amount_cents)}" for line in _awards(one))


def _lines(link: str, behind: Behind) -> Sequence[str]:
    plan, head = behind.plan, behind.state.head
    came = f"commit {plan.last.commit} of generation {plan.last.generation}"
    ends = f"commit {head.commit} of generation {head.generation}"
    lines = [
        f"{link}: the ledger ends at {ends}; it had come to {came}",
        f"  {_many(len(plan.taken_back), 'message')} that tables hold: to be posted again",
        *(f"    commit {one.receipt.commit}  {one.id}{_won(one)}" for one in plan.taken_back),
    ]
    if plan.missing:
        lines.append(f"  nobody holds (hellos, acts of the office, tables that are gone): {', '.join(plan.missing)}")
    lines += [
        f"  {table} has handed in by another spool, and by none that {_numbers(journals)} was played in: let its agent"
        " connect on that too, where it is still there"
        for table, journals in _journals_not_handed_in(behind).items()
    ]
    lines += [f"  void again: {what}" for what in plan.voided]
    lines += [
        f"  correction, {fact.figures['why']}: {fact.figures['what']} {money(int(str(fact.figures['cents'])))}"
        for fact in plan.corrections
    ]
    lines += [f"  stays paid: {hit.hit} {money(hit.amount_cents)}" for hit in plan.paid]
    lines += [f"  to be done again by people: {what}" for what in plan.office]
    lines += [f"  not ready: {why}" for why in plan.obstacles]
    lines += [f"  {words}" for words in known_to_nobody(behind.unknown)]
    lines.append(f"  list {plan.fingerprint}, generation {plan.generation}")
    return lines
