"""Which gaming day and month a moment belongs to: by the time zone and the day's start in the terms (PROTOCOL 1)."""

from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from rules.terms import Terms

MINUTE_US = 60_000_000


def gaming_day(terms: Terms, time_us: int) -> str:
    """Return the gaming day of a moment (microseconds since 1970 UTC), as `2026-11-30`.

    At 05:59 on the first of December the day that began on the thirtieth of November still runs, where days begin at
    06:00.
    """
    return _day(terms.time_zone, terms.day_start, time_us // MINUTE_US)


def gaming_month(terms: Terms, time_us: int) -> str:
    """Return the gaming month of a moment, as `2026-11`."""
    return gaming_day(terms, time_us)[:7]


def month_begins(terms: Terms, month: str) -> int:
    """Return the first moment of a gaming month, microseconds since 1970 UTC."""
    year, number = map(int, month.split("-"))
    begins = datetime.combine(date(year, number, 1), time.fromisoformat(terms.day_start), ZoneInfo(terms.time_zone))
    return int(begins.timestamp()) * 1_000_000


NOWHERE = frozenset({"Factory", "localtime", "posixrules"})
"""What the database of time zones holds that is no place's time: a placeholder, and whatever this machine is set to."""


def known_zone(name: str) -> bool:
    """Say whether there is a time zone of this name that means the same on every machine.

    >>> [known_zone(name) for name in ("Australia/Sydney", "UTC", "Factory", "posix/UTC", "Mars/Olympus")]
    [True, True, False, False, False]
    """
    if name in NOWHERE or name.startswith(("posix/", "right/")):
        return False
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return False
    return True


@lru_cache(maxsize=256)
def _day(zone: str, start: str, minute: int) -> str:
    at = datetime.fromtimestamp(minute * 60, tz=UTC).astimezone(ZoneInfo(zone))
    day = at.date()
    if at.time() < time.fromisoformat(start):
        day -= timedelta(days=1)
    return day.isoformat()
