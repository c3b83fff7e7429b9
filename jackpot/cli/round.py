"""`jackpot round`: show a round, void it, correct its record, type one in. Nothing is edited, all is posted.

An open round is voided and recorded by its table, or here, where its table's journal is lost.
"""

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from jackpot.cli import acts, amending
from jackpot.cli.output import Json, UsageError, command, money, say, tell
from jackpot.cli.people import hold_reason, hold_two, refused_for
from jackpot.cli.reach import Data, DatabaseUrl, acting, ledger
from jackpot.cli.voiding import void_lines
from jackpot.core.accounts import MICROCENTS
from jackpot.core.amendments import Forfeited
from jackpot.core.answers import CorrectedAnswer, VoidRecordedAnswer
from jackpot.core.past import PastRound
from jackpot.ledger.past import Found
from jackpot.wire.messages import AwardLine, MeterAround, Moved
from jackpot.wire.refusals import Refusal
from rules.irregularities import notices_under
from rules.irregularities.voiding import FORFEITS, VOID_RULES
from rules.records import RecordError, RoundRecord, decode_record, encode_record
from rules.records.reports import notice_records

app = typer.Typer(help="Rounds: show one, void one, correct its record, type one in.", no_args_is_help=True)

Table = Annotated[str, typer.Argument(metavar="TABLE")]
Number = Annotated[int, typer.Argument(metavar="ROUND", min=1)]
File = Annotated[Path, typer.Option("--file", help="The record, as JSON.", exists=True, dir_okay=False)]
By = Annotated[str, typer.Option("--by", help="Who does it: at a table the dealer.")]
With = Annotated[str, typer.Option("--with", help="The other person: at a table a supervisor.")]
Reason = Annotated[str, typer.Option("--reason", help="What was found.")]
Show = Annotated[bool, typer.Option("--show", help="Post nothing: show what would come of it.")]
Journal = Annotated[int | None, typer.Option("--journal", min=1, help="Without it the table's own now.")]


@app.command("show")
@command
def show(
    table: Table,
    number: Number,
    *,
    journal: Journal = None,
    save: Annotated[
        Path | None, typer.Option("--save", help="Write the record that stands to this file.", dir_okay=False)
    ] = None,
    data: Data = None,
    database_url: DatabaseUrl = None,
    as_json: Json = False,
) -> None:
    """Show the wagers of a round that are in play, the accounts they went to, its hits, and its record."""

    async def reading(url: str) -> tuple[str, Found | None, RoundRecord | None]:
        link, found = await acts.past_round(url, table, number, journal)
        return link, found, None if found is None else await amending.record_in_force(url, link, found)

    with ledger(data, database_url) as reached:
        link, found, record = asyncio.run(reading(reached.service_url))
    if found is None:
        raise refused_for(Refusal.NO_SUCH_ROUND, f"{table} round {number}", words="no wager of this round was accepted")
    past = found.past
    tell(
        {
            "link": link,
            "month": found.month,
            "commit": past.commit,
            "wagers": [msgspec.structs.asdict(each) for each in past.wagers],
            "hits": [{"hit": each.hit, "prize": each.prize, "state": each.state} for each in past.hits],
            "next_revision": found.next_revision,
            "record_commit": found.held.recorded,
            "record": None if record is None else msgspec.Raw(encode_record(record)),
        },
        as_json=as_json,
    )
    say(f"{table} round {number} of {link}, {found.month}, wagers in commit {past.commit}", as_json=as_json)
    for wager in past.wagers:
        say(f"  seat {wager.seat}: {money(wager.wager_cents)} in {wager.tender}", as_json=as_json)
    for revision, act in found.amended.items():
        if isinstance(act, VoidRecordedAnswer):
            seats = ", ".join(map(str, act.out))
            say(f"  void by revision {revision}: seats {seats}", as_json=as_json)
    if not past.wagers:
        say("  no wager of it is in play any more", as_json=as_json)
    for hit in past.hits:
        say(f"  {hit.hit}: {hit.prize}, {hit.state}, {money(hit.amount_cents)}", as_json=as_json)
    if record is None:
        return
    said = f"  record of commit {found.held.recorded}, revision {record.revision}, capture {record.capture}"
    say(f"{said}; dealer {record.dealer or 'not seen'}", as_json=as_json)
    for seat in record.seats:
        say(f"    seat {seat.seat}: {seat.cards or 'not seen'}", as_json=as_json)
    if save is not None:
        save.write_bytes(msgspec.json.format(encode_record(record), indent=1) + b"\n")
        say(f"  written to {save}", as_json=as_json)


@app.command("void")
@command
def void(
    table: Table,
    number: Number,
    *,
    rule: Annotated[str, typer.Option("--rule", help=f"Under which rule: {', '.join([*VOID_RULES, FORFEITS])}.")],
    by: By,
    with_: Annotated[str, typer.Option("--with", help="The other person.")] = "",
    reason: Reason = "",
    seat: Annotated[list[int] | None, typer.Option("--seat", help="This seat only; may be given again.")] = None,
    forfeit: Annotated[
        list[int] | None,
        typer.Option("--forfeit", help="Under 16.6 this seat's wager is forfeited; may be given again."),
    ] = None,
    directed_by: Annotated[str, typer.Option("--directed-by", help="The casino supervisor who directed that.")] = "",
    direction: Annotated[str, typer.Option("--direction", help="Why: the fraud that affected the outcome.")] = "",
    show_only: Show = False,
    journal: Journal = None,
    data: Data = None,
    database_url: DatabaseUrl = None,
    as_json: Json = False,
) -> None:
    """Void a round, or seats of it, before or after its record, of whichever day: its hits and wagers go back.

    Without --with, or with --show, nothing is posted: what goes back to whom, and from which accounts, is shown.
    Open hits are released; a prize that was paid stays paid and is to be recovered. Again: answered as the first time.
    A table that still plays the round hears of it within seconds, or at its next hello: it puts the lamps out, says by
    whom and under which rule (`tablelink supervisor show`), and goes on. An agent of protocol 3 stops instead, an older
    one plays the round to its end and has its record refused: there a round is voided at the table.
    """
    named = rule if rule.startswith("CSP ") else f"CSP {rule}"
    if bool(forfeit) != (named == FORFEITS) or (forfeit and seat):
        raise UsageError(f"--forfeit SEAT goes with --rule {FORFEITS}, which voids the whole round, and with no other")

    people = amending.People(by, reason, with_, show=show_only)
    who, seats = people.shown() if people.only_asked else people, sorted(set(seat or []))
    if not forfeit:
        acts.hold_void_rule(named, seats)
    if not people.only_asked:
        hold_two(by, with_)
        hold_reason(reason)

    async def voiding(url: str) -> tuple[PastRound, acts.Voided]:
        of = await acts.in_play(url, table, number, journal)
        if forfeit:
            directed = [Forfeited(one, directed_by, direction) for one in sorted(set(forfeit))]
            return of, await amending.invalidate_round(url, table, number, journal, directed, people)
        return of, await acts.void_round(
            url,
            table,
            number,
            journal,
            rule=named,
            seats=seats,
            by=who.by,
            second=who.second,
            reason=who.reason,
            only_asked=people.only_asked,
        )

    with acting(data, database_url) as reached:
        before, done = asyncio.run(voiding(reached.service_url))
    answer = done.answer
    after = (
        answer
        if isinstance(answer, VoidRecordedAnswer)
        else VoidRecordedAnswer(tuple(answer.seats), tuple(answer.moved))
    )
    owed = notices_under("CSP", named)
    notices = {"notices": msgspec.to_builtins(notice_records(owed))} if owed else {}
    tell({"table": table, "round": number, "posted": done.posted, **_told(after), **notices}, as_json=as_json)
    for line in void_lines(f"{table} round {number}", before, after, posted=done.posted):
        say(line, as_json=as_json)
    if done.posted and done.of_open:
        say(f"  {table} hears of it, if it still plays this round: at once, or at its next hello", as_json=as_json)
    for notice in owed if done.posted else ():
        say(f"  to be notified at once: {notice.to} ({notice.rule})", as_json=as_json)
    _say_amounts(after, as_json=as_json)
    if not done.posted:
        say("nothing was posted: say --by, --with and --reason to post it", as_json=as_json)


@app.command("correct")
@command
def correct(
    table: Table,
    number: Number,
    *,
    file: File,
    by: By,
    with_: With = "",
    manager: Annotated[
        str, typer.Option("--manager", help="The manager who stands for the supervisor once the next round has begun.")
    ] = "",
    reason: Reason = "",
    late: Annotated[bool, typer.Option("--late", help="A prize was claimed after the record.")] = False,
    show_only: Show = False,
    journal: Journal = None,
    data: Data = None,
    database_url: DatabaseUrl = None,
    as_json: Json = False,
) -> None:
    """Let a corrected record take the place of the one on file, which stays there: hits fall away, and come.

    Without --with and --manager, or with --show, nothing is posted: the difference is shown. Again: answered as the
    first time.
    """
    people, record = amending.People(by, reason, with_, manager, show_only), _record_in(file)
    with acting(data, database_url) as reached:
        done = asyncio.run(
            amending.correct_round(reached.service_url, table, number, journal, record, people, late=late)
        )
    answer = done.answer
    tell(
        {
            "table": table,
            "round": number,
            "link": done.link,
            "posted": done.posted,
            "revision": answer.revision,
            "changed": [{"field": at, "was": was, "is": now} for at, was, now in done.fields],
            **_awarded(answer.awards, answer.meters),
            "released": list(answer.released),
            **_amounts(answer),
            "settled": list(answer.settled),
            "differences": list(answer.differences),
            "marks": list(answer.marks),
        },
        as_json=as_json,
    )
    word = "is" if done.posted else "would be"
    for at, was, now in done.fields:
        say(f"  {at}: {was or 'nothing'} -> {now or 'nothing'}", as_json=as_json)
    for hit in answer.released:
        say(f"  {hit} {word} released", as_json=as_json)
    _say_awards(answer.awards, word, as_json=as_json)
    for hit in answer.settled:
        say(f"  {hit}: its amount stands, no dispute {'is' if done.posted else 'would be'} left", as_json=as_json)
    _say_amounts(answer, as_json=as_json)
    for difference in answer.differences:
        say(f"  base game: {difference}", as_json=as_json)
    say(f"the record of {table} round {number} {word} of revision {answer.revision}", as_json=as_json)
    if not done.posted:
        say("nothing was posted: say --by, --with (or --manager) and --reason to post it", as_json=as_json)


@app.command("record")
@command
def record_(
    table: Table,
    number: Number,
    *,
    file: File,
    by: By,
    with_: With = "",
    manager: Annotated[
        str,
        typer.Option("--manager", help="The manager who says that the journal is lost, where it is the table's own."),
    ] = "",
    reason: Reason = "",
    show_only: Show = False,
    journal: Journal = None,
    data: Data = None,
    database_url: DatabaseUrl = None,
    as_json: Json = False,
) -> None:
    """Type in the record of an open round whose journal is lost; its hits are marked `manual`.

    Without --with, or with --show, nothing is posted: it is shown what would come of it. Again: the first answer.
    """
    people, record = amending.People(by, reason, with_, manager, show_only or not with_.strip()), _record_in(file)
    with acting(data, database_url) as reached:
        done = asyncio.run(amending.type_record(reached.service_url, table, number, journal, record, people))
    answer = done.answer
    tell(
        {
            "table": table,
            "round": number,
            "link": done.link,
            "posted": done.posted,
            **_awarded(answer.awards, answer.meters),
            "differences": list(answer.differences),
            "marks": list(answer.marks),
        },
        as_json=as_json,
    )
    word = "is" if done.posted else "would be"
    _say_awards(answer.awards, word, as_json=as_json)
    for difference in answer.differences:
        say(f"  base game: {difference}", as_json=as_json)
    say(f"{table} round {number} {word} recorded", as_json=as_json)
    if not done.posted:
        say(
            "nothing was posted: say --by, --with and --reason to post it, and --manager where this is the journal that"
            f" {table} plays in",
            as_json=as_json,
        )


def _record_in(file: Path) -> bytes:
    """Read a file that holds a record; raises UsageError naming the file, the field or the place, and the value."""
    try:
        data = file.read_bytes()
        json.loads(data)
        decode_record(data)
    except OSError as error:
        raise UsageError(f"{file}: {error.strerror or error}") from None
    except json.JSONDecodeError as error:
        raise UsageError(f"{file}: line {error.lineno}, column {error.colno}: not JSON: {error.msg}") from None
    except UnicodeDecodeError as error:
        raise UsageError(f"{file}: byte {error.start}: not UTF-8") from None
    except RecursionError:
        raise UsageError(f"{file}: nested too deep for a record") from None
    except RecordError as error:
        raise UsageError(f"{file}: {error}") from None
    return data


def _awarded(awards: Sequence[AwardLine], meters: Sequence[MeterAround]) -> dict[str, object]:
    return {
        "awards": [
            {"hit": one.hit, "prize": one.prize, "amount_cents": str(one.amount_cents), "state": one.state}
            for one in awards
        ],
        "meters": [
            {"pool": one.pool, "before_cents": str(one.before_cents), "after_cents": str(one.after_cents)}
            for one in meters
        ],
    }


def _say_awards(awards: Sequence[AwardLine], word: str, *, as_json: bool) -> None:
    for one in awards:
        say(f"  {one.hit} {word} awarded: {one.prize}, {money(one.amount_cents)}, {one.state}", as_json=as_json)


def _amounts(answer: VoidRecordedAnswer | CorrectedAnswer) -> dict[str, object]:
    return {
        name: [{"hit": one.hit, "cents": str(one.cents)} for one in getattr(answer, name)]
        for name in ("overpaid", "raised", "underpaid")
    }


def _say_amounts(answer: VoidRecordedAnswer | CorrectedAnswer, *, as_json: bool) -> None:
    for kind, amounts in (
        ("was paid and is to be recovered", answer.overpaid),
        ("is owed more", answer.raised),
        ("is owed more, to be paid by hand", answer.underpaid),
    ):
        for one in amounts:
            say(f"  {one.hit} {kind}: {money(one.cents)}", as_json=as_json)


def _told(answer: VoidRecordedAnswer) -> dict[str, object]:
    return {
        "seats": list(answer.seats),
        "moved": [_moved(one) for one in answer.moved],
        "forfeited": list(answer.forfeited),
        "released": list(answer.released),
        **_amounts(answer),
    }


def _moved(one: Moved) -> dict[str, str]:
    return {"account": one.account, "microcents": one.microcents, "cents": str(int(one.microcents) // MICROCENTS)}
