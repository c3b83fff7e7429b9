"""What an irregularity is: a row that says what becomes of wagers, what else is done, who is notified, what is listed.

Knows no game's rows and no round: settling a round follows its rows, and the tests hold the two against each other.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from typing import Final, Literal

Whose = Literal["round", "player", "nobody"]
"""Whose wagers an irregularity touches: every player's of the round, one player's, or nobody's."""

Clock = Literal["at_once", "month_end"]
"""By when a notice is given: at once, since no rule that names one gives time; or at the end of the month."""

Since = Literal["finding", "malfunction", "awareness"]
"""From which moment a notice's clock counts: from that at which the missing or foreign card is found, from that at
which the equipment fails, or from that at which the casino becomes aware of the error."""

AT_ONCE: Final = timedelta(minutes=0)
"""No text gives minutes: a notice that is owed is owed from the moment on at which its cause is found."""
DAY_START: Final = time(6)
"""When a gaming day begins at a table without a link; a link's terms say theirs (``day_start``)."""


@dataclass(frozen=True, slots=True)
class Notice:
    """Who must be notified, by when, and by which rule."""

    to: str
    rule: str
    clock: Clock = "at_once"
    words: str = ""
    """The same in a sentence, where it is more than who is notified."""
    since: Since = "finding"

    def __str__(self) -> str:
        """Say it as people are told.

        >>> print(Notice("Surveillance and an Inspector", "CSP 14.9.4"))
        Surveillance and an Inspector are notified (CSP 14.9.4)
        """
        verb = "are" if " and " in self.to else "is"
        return f"{self.words or f'{self.to} {verb} notified'} ({self.rule})"


@dataclass(frozen=True, slots=True)
class Irregularity:
    """One kind of irregularity of one game's book.

    Always: a wager is in at most one of ``returns``, ``stands`` and ``collects``; one in none of them is settled by the
    row's own clause as the round goes on.
    """

    kind: str
    rule: str
    """The clause that says what it is."""
    whose: Whose = "nobody"
    returns: tuple[str, ...] = ()
    """The wagers that go back as they were placed."""
    stands: tuple[str, ...] = ()
    """The wagers that stay as they are, and are settled as if nothing had happened."""
    collects: tuple[str, ...] = ()
    """The wagers that are lost."""
    by: str = ""
    """The clause by which they go back, stand or are lost, where ``rule`` does not say it."""
    ruling: str = ""
    """The ruling of the table, or of the link's terms, that may change this."""
    then: tuple[str, ...] = ()
    """What people do besides, each with its rule."""
    notices: tuple[Notice, ...] = ()
    listed: str = ""
    """The rule by which it goes on the month-end list, if it does."""

    @property
    def clause(self) -> str:
        """The clause by which the wagers are dealt with."""
        return self.by or self.rule


def told(row: Irregularity) -> tuple[str, ...]:
    """What the dealer and the supervisor are told, each with its rule."""
    return (*row.then, *map(str, row.notices))


@dataclass(frozen=True, slots=True)
class NoticeDue:
    """A notice that is owed: to whom, by which rule, and within what from when on."""

    to: str
    rule: str
    within: Clock
    since: Since
    by: date | None = None
    """The moment at which it is owed, or the last day of the month at whose end it is; ``None`` where nobody said when
    its cause was found."""


def notices_due(row: Irregularity, found: date | None = None) -> Iterator[NoticeDue]:
    """The notices that an irregularity calls for, each with its clock.

    ``found`` is the moment at which it was found in the casino's own time, in which months end, or the day, if that is
    known.

    >>> row = Irregularity("foreign_card", "CSP 14.9", notices=(Notice("an Inspector", "CSP 14.9.4"),))
    >>> next(notices_due(row, datetime(2026, 11, 28, 21, 5))).by.isoformat()
    '2026-11-28T21:05:00'
    """
    for notice in row.notices:  # CSP 14.9.4, 14.15; TCP 12.9.4; FCP 12.10.4; WAR 11.17.4; SIC 8.8
        owed = NoticeDue(notice.to, notice.rule, notice.clock, notice.since)
        yield owed if found is None else dated(owed, found)


def dated(notice: NoticeDue, found: date) -> NoticeDue:
    """A notice with the moment, or the day, by which it is owed, now that it is known when its cause was found."""
    day = gaming_day(found) if isinstance(found, datetime) else found
    return replace(notice, by=month_end(day) if notice.within == "month_end" else found + AT_ONCE)


def gaming_day(moment: datetime, start: time = DAY_START) -> date:
    """The gaming day of a moment in the casino's own time, where days begin at ``start``.

    Always the day that still runs: months end with it, as in ``jackpot hit overpaid``.

    >>> gaming_day(datetime(2026, 12, 1, 5, 59)), gaming_day(datetime(2026, 12, 1, 6, 0))
    (datetime.date(2026, 11, 30), datetime.date(2026, 12, 1))
    """
    return moment.date() - timedelta(days=1 if moment.time() < start else 0)


def month_end(day: date) -> date:
    """The last day of the month of a day.

    >>> month_end(date(2026, 12, 3)), month_end(date(2028, 2, 1))
    (datetime.date(2026, 12, 31), datetime.date(2028, 2, 29))
    """
    later = day.replace(day=28) + timedelta(days=4)
    return later - timedelta(days=later.day)
