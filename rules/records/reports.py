"""The JSON forms of what people report of a round, and of what that puts into its settlement.

A record of any game may say what was found although every wager stands, what was paid wrongly, whose wagers were
invalid and when it was found; its settlement then names notices, month-end lines and kept stakes.
"""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any, Literal

import msgspec

from rules.games import GAMES
from rules.irregularities.payments import KeptStake, MonthEndLine
from rules.irregularities.reporting import Invalid, Payment, Report, reported
from rules.irregularities.rows import Clock, NoticeDue, Since
from rules.records.forms import (
    YEARS,
    AnySeat,
    Cents,
    Day,
    InvalidWagersRecord,
    Part,
    PaymentErrorRecord,
    RecordError,
    part_of,
)
from rules.rounds import Settlement


class NoticeRecord(Part, frozen=True, kw_only=True, rename={"since": "from"}):
    """A notice that is owed: to whom, within what from when on, by which rule, and by when where that is known.

    ``by`` is a moment, or the last day of the month at whose end it is owed.
    """

    to: str
    within: Clock
    since: Since
    rule: str
    by: str | None = None


class MonthEndRecord(Part, frozen=True, kw_only=True):
    """A line of the month-end list."""

    what: Literal["overpayment", "underpayment"]
    seat: AnySeat
    wager: str
    cents: Cents
    owed_cents: Cents
    paid_cents: Cents
    rule: str
    why: str
    day: Day | None = None


class KeptRecord(Part, frozen=True, kw_only=True):
    """A losing invalid wager that was kept; without ``person`` and ``reason`` where the record does not give them."""

    seat: AnySeat
    wager: str
    cents: Cents
    rule: str
    person: str | None = None
    reason: str | None = None
    day: Day | None = None


def report_of(record: Any) -> Report | None:
    """What a record of any game reports of its round; ``None`` where it reports nothing. Raises ``RecordError``."""
    found_at, found = getattr(record, "found_at", None), getattr(record, "found", None)
    payments = getattr(record, "payment_errors", None)
    invalid = getattr(record, "invalid_wagers", None)
    if found_at is None and found is None and payments is None and invalid is None:
        return None
    _check_invalid(record, invalid or ())
    return Report(
        # What stands at Casino War is part of its round, which the table plays.
        found=() if record.game == "casino_war" else _once(found or ()),
        payments=tuple([_payment(each, place) for place, each in enumerate(payments or ())]),
        invalid=tuple([Invalid(each.seat, each.person, each.reason) for each in invalid or ()]),
        found_at=None if found_at is None else _moment(found_at),
        carded_play=(record.settings and record.settings.carded_play) or "as_book",
    )


def with_report(record: Any, settlement: Settlement) -> Settlement:
    """A settlement with what its record reports of the round; raises ``RecordError`` or ``RoundError``."""
    report = report_of(record)
    return settlement if report is None else reported(settlement, GAMES[record.game or "caribbean_stud"].book, report)


def reports_shown(settlement: Settlement) -> dict[str, Any]:
    """Notices, month-end lines and kept stakes as fields of an answer; left out where there are none."""
    shown: dict[str, Any] = {}
    if settlement.notices:
        shown["notices"] = notice_records(settlement.notices)
    if settlement.month_end:
        shown["month_end"] = [_line_record(each) for each in settlement.month_end]
    if settlement.kept:
        shown["kept"] = [_kept_record(each) for each in settlement.kept]
    return shown


def _once(found: Sequence[str]) -> tuple[str, ...]:
    for place, kind in enumerate(found):
        if kind in found[:place]:
            raise RecordError(f"found[{place}]", kind, "is there twice")
    return tuple(found)


def _check_invalid(record: Any, invalid: Sequence[InvalidWagersRecord]) -> None:
    """Refuse a person named for wagers that nobody found invalid."""
    found = {seat.seat for seat in record.seats or () if getattr(seat, "void_for", None) == "invalid"}
    for place, each in enumerate(invalid):
        if each.seat not in found:
            reason = "no wagers were found invalid there (void_for)"
            raise RecordError(f"invalid_wagers[{place}].seat", str(each.seat), reason)


def _payment(each: PaymentErrorRecord, place: int) -> Payment:
    return Payment(
        seat=each.seat,
        wager=each.wager,
        paid_cents=each.paid_cents,
        owed_cents=each.owed_cents,
        suspected=each.suspected or False,
        patron_identified=each.patron_identified or False,
        answer=each.answer or "none",
        day=None if each.day is None else read_day(each.day, f"payment_errors[{place}].day"),
    )


def read_day(text: str, field: str) -> date:
    """The day a text says; raises ``RecordError`` where there is no such day, or its year is a slip."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise RecordError(field, text, "no day of the calendar") from None
    if day.year not in YEARS:
        raise RecordError(field, text, f"not in the years {YEARS.start} to {YEARS.stop - 1}")
    return day


def _moment(text: str) -> datetime:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        raise RecordError("found_at", text, "no moment of the calendar") from None


def _day_text(day: date | None) -> str | None:
    return None if day is None else day.isoformat()


def notice_records(notices: Sequence[NoticeDue]) -> list[NoticeRecord]:
    """Notices as an answer carries them."""
    return [
        NoticeRecord(to=each.to, within=each.within, since=each.since, rule=each.rule, by=_day_text(each.by))
        for each in notices
    ]


def _line_record(line: MonthEndLine) -> MonthEndRecord:
    return msgspec.structs.replace(part_of(MonthEndRecord, line), day=_day_text(line.day))


def _kept_record(stake: KeptStake) -> KeptRecord:
    texts = {"person": stake.person or None, "reason": stake.reason or None, "day": _day_text(stake.day)}
    return msgspec.structs.replace(part_of(KeptRecord, stake), **texts)
