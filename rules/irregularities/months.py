"""What the casino tells of a month: individual payment errors of more than $1,000.00, and invalid stakes it kept.

Made from what the settlements of rounds say. The list of errors goes to the NICC at the end of the month (CSP 14.19,
TCP 12.15.2, SIC 8.13); the list of kept stakes has each with its person and reason, and their total (CSP 14.20.2,
TCP 12.16.2, SIC 8.14.2). Knows no files.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date

from rules.irregularities.payments import OVER_CENTS, KeptStake, MonthEndLine
from rules.irregularities.rows import month_end


@dataclass(frozen=True, slots=True)
class Where:
    """The round that a line of a month's list comes from."""

    book: str
    table: str = ""
    round: int | None = None
    month: date | None = None
    """A day of the gaming month of the round: that of a line that says no day of its own."""


@dataclass(frozen=True, slots=True)
class ListedError:
    """A line of the list for the NICC, and the round it comes from."""

    where: Where
    line: MonthEndLine


@dataclass(frozen=True, slots=True)
class ListedStake:
    """A kept stake, and the round it comes from."""

    where: Where
    line: KeptStake


@dataclass(frozen=True, slots=True)
class BookTotals:
    """What one book's lines of a month come to."""

    book: str
    overpaid_cents: int
    underpaid_cents: int
    errors: int
    kept_cents: int
    kept: int


@dataclass(frozen=True, slots=True)
class MonthList:
    """A month's lists, each in the order of book, day, table, round and seat."""

    due: date
    """The last day of the month, at whose end the NICC is informed."""
    errors: tuple[ListedError, ...]
    kept: tuple[ListedStake, ...]
    totals: tuple[BookTotals, ...]
    """Of each book that has a line."""


def day_of(listed: ListedError | ListedStake) -> date | None:
    """The day, or a day of the month, a line belongs to; ``None`` where neither it nor its round says one."""
    return listed.line.day or listed.where.month


def missing_of(stake: KeptStake) -> tuple[str, ...]:
    """What a kept stake lacks: it has a person and a reason (CSP 14.20, TCP 12.16, SIC 8.14).

    >>> missing_of(KeptStake(3, "ante", 1000, "CSP 14.20.2", person="A. Player"))
    ('reason',)
    """
    return tuple([name for name in ("person", "reason") if not getattr(stake, name).strip()])


def month_list(errors: Iterable[ListedError], kept: Iterable[ListedStake], month: date) -> MonthList:
    """The lists of the month of a day, from lines of any months.

    Always each error by itself: many small ones are never added up to a listed one, and one of $1,000.00 exactly is not
    listed.
    """
    due = month_end(month)
    mine = [each for each in errors if _is_of(each, due) and each.line.cents > OVER_CENTS]  # CSP 14.19
    stakes = [each for each in kept if _is_of(each, due)]
    mine.sort(key=_order)
    stakes.sort(key=_order)
    return MonthList(due, tuple(mine), tuple(stakes), tuple(_totals(mine, stakes)))


def _is_of(listed: ListedError | ListedStake, due: date) -> bool:
    day = day_of(listed)
    return day is not None and (day.year, day.month) == (due.year, due.month)


def _order(listed: ListedError | ListedStake) -> tuple[str, date, str, int, int, str]:
    where, line = listed.where, listed.line
    return where.book, day_of(listed) or date.min, where.table, where.round or 0, line.seat, line.wager


def _totals(errors: list[ListedError], kept: list[ListedStake]) -> Iterator[BookTotals]:
    """What each book's lines come to."""
    for book in sorted({each.where.book for each in errors} | {each.where.book for each in kept}):
        of_book = [each.line for each in errors if each.where.book == book]
        stakes = [each.line for each in kept if each.where.book == book]
        yield BookTotals(
            book,
            sum(line.cents for line in of_book if line.what == "overpayment"),
            sum(line.cents for line in of_book if line.what == "underpayment"),
            len(of_book),
            sum(stake.cents for stake in stakes),
            len(stakes),
        )
