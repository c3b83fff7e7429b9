"""What people report of a round beside how it was played, and what that adds to its settlement.

What stood although something went wrong, payment errors, whose wagers were invalid and why, and when all this was
found: from it follow what people are told, the notices with their clocks and the lines of the month-end list. Knows no
game: the wagers that a report is about are those of the settlement.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Final, Literal

from rules.irregularities import irregularity
from rules.irregularities.payments import Answer, KeptStake, PaymentError, listed, said, said_without_rule
from rules.irregularities.rows import Irregularity, NoticeDue, dated, gaming_day, notices_due, told
from rules.rounds import Line, RoundError, Settlement

CHANGES: Final = ("cash_change", "colour_change")
"""What can be paid wrongly at a Sic Bo table beside a wager (SIC 8.10)."""


@dataclass(frozen=True, slots=True)
class Payment:
    """What a player was handed for a wager that was not settled correctly, as people found it."""

    seat: int
    wager: str
    paid_cents: int
    """All that the player was handed for it: winnings, and the stake that went back."""
    owed_cents: int | None = None
    """What was owed: needed where the settlement does not say it, for a jackpot wager or a change of chips."""
    suspected: bool = False
    patron_identified: bool = False
    answer: Answer = "none"
    day: date | None = None
    """The gaming day on which the casino became aware of it; ``None``: when the round's troubles were found."""


@dataclass(frozen=True, slots=True)
class Invalid:
    """Whose wagers were found invalid, and why (CSP 14.20, TCP 12.16, SIC 8.14)."""

    seat: int
    person: str
    reason: str


_NOBODY: Final = Invalid(0, "", "")


@dataclass(frozen=True, slots=True)
class Report:
    """What people reported of one round."""

    found: tuple[str, ...] = ()
    """The irregularities that touch nobody's wagers, by their kinds."""
    payments: tuple[Payment, ...] = ()
    invalid: tuple[Invalid, ...] = ()
    found_at: datetime | None = None
    """When what went wrong was found, in the casino's own time; ``None`` where nobody said."""
    carded_play: Literal["as_book", "all_games"] = "as_book"


def reported(settlement: Settlement, book: str, report: Report) -> Settlement:
    """A settlement with what a report adds to it; its wagers stay as they were settled.

    Raises ``RoundError`` where a payment is about no wager of the round, says what is not owed, or is no error; or for
    a person or a reason that is blank.
    """
    rows = [irregularity(book, kind) for kind in report.found]
    errors = tuple(_errors(settlement.lines, book, report))
    entries = tuple([line for line in map(listed, errors) if line is not None])
    notices = (*settlement.notices, *(due for row in rows for due in notices_due(row)))
    if report.found_at is not None:
        notices = tuple([dated(notice, report.found_at) for notice in notices])
    payment_notices = [_notice(error) for error in errors if listed(error) is not None]
    return replace(
        settlement,
        notes=(*settlement.notes, *(words for row in rows for words in told(row)), *map(_said, errors)),
        rulings=_rulings(settlement, errors),
        notices=tuple(dict.fromkeys((*notices, *payment_notices))),
        month_end=entries,
        kept=tuple(_kept(settlement, report)),
    )


def _errors(lines: Sequence[Line], book: str, report: Report) -> Iterator[PaymentError]:
    """The payment errors of a report, each with what the settlement says was owed."""
    seen = set()
    for place, payment in enumerate(report.payments):
        at, where = f"payment_errors[{place}]", (payment.seat, payment.wager)
        if where in seen:
            raise RoundError(f"{at}.wager", payment.wager, "an error with it is there already")
        seen.add(where)
        day = payment.day or _day_found(report)
        try:
            yield PaymentError(
                book,
                payment.seat,
                payment.wager,
                _owed(lines, book, payment, at),
                payment.paid_cents,
                payment.suspected,
                payment.patron_identified,
                payment.answer,
                day,
                report.carded_play,
            )
        except ValueError as error:
            if isinstance(error, RoundError):
                raise
            name, value, reason = str(error).split(": ", 2)
            raise RoundError(f"{at}.{name}", value, reason) from None


def _day_found(report: Report) -> date | None:
    """The gaming day on which a round's troubles were found, where somebody said when."""
    return None if report.found_at is None else gaming_day(report.found_at)


def _owed(lines: Sequence[Line], book: str, payment: Payment, at: str) -> int:
    """What was owed on a wager, by the settlement or, where that cannot say it, as the report has it."""
    line = next((line for line in lines if (line.seat, line.wager) == (payment.seat, payment.wager)), None)
    if line is None and not (book == "SIC" and payment.wager in CHANGES):
        raise RoundError(f"{at}.wager", payment.wager, f"none that was settled at seat {payment.seat}")
    if line is None or (line.wager == "jackpot" and line.outcome == "win"):
        if payment.owed_cents is None:
            raise RoundError(f"{at}.owed_cents", "", "missing: the settlement of the round does not say it")
        return payment.owed_cents
    owed = line.paid_cents + line.returned_cents
    if payment.owed_cents not in {None, owed}:
        raise RoundError(f"{at}.owed_cents", str(payment.owed_cents), f"the rules say {owed}")
    return owed


def _row(error: PaymentError) -> Irregularity | None:
    """The row of the book that an error comes under, if one does."""
    kind = "payment_error_suspected" if error.suspected else "payment_error"
    return None if error.printed_in is None else irregularity(error.printed_in, kind)


def _said(error: PaymentError) -> str:
    """What people are told of an error."""
    row = _row(error)
    return said_without_rule(error) if row is None else said(error, row.rule)


def _notice(error: PaymentError) -> NoticeDue:
    """The notice that an error on the month-end list calls for, by the end of the month of its day."""
    row = _row(error)
    if row is None:
        raise AssertionError(error)
    return next(notices_due(row, error.day))


def _rulings(settlement: Settlement, errors: Sequence[PaymentError]) -> tuple[tuple[str, str | bool], ...]:
    """The rulings of a settlement, and the one by which errors of a book without the rule are listed, or are not."""
    if not any(error.by_ruling for error in errors):
        return settlement.rulings
    return tuple(sorted((dict(settlement.rulings) | {"carded_play": errors[0].carded_play}).items()))


def _kept(settlement: Settlement, report: Report) -> Iterator[KeptStake]:
    """The stakes of invalid wagers that were kept, with whose they were and why (CSP 14.20, TCP 12.16, SIC 8.14)."""
    whose = {}
    for place, each in enumerate(report.invalid):
        if each.seat in whose:
            raise RoundError(f"invalid_wagers[{place}].seat", str(each.seat), "is there already")
        for name in ("person", "reason"):
            if not getattr(each, name).strip():
                raise RoundError(f"invalid_wagers[{place}].{name}", "", f"missing: an invalid wager has a {name}")
        whose[each.seat] = each
    day = _day_found(report)
    for stake in settlement.kept:
        found = whose.get(stake.seat, _NOBODY)
        yield replace(stake, day=day, person=found.person, reason=found.reason)
