"""Which gaming day and month a moment belongs to: by the time zone and the day's start in the terms (PROTOCOL 1)."""

from datetime import UTC, datetime, time, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from rules.terms import Terms


def gaming_day(terms: Terms, time_us: int) -> str:
    """Return the gaming day of a moment (microseconds since 1970 UTC), as `2026-11-30`.

    At 05:59 on the first of December the day that began on the thirtieth of November still runs, where days begin at 06:00.
    """
    at = datetime.fromtimestamp(time_us // 1_000_000, tz=UTC).astimezone(ZoneInfo(terms.time_zone))
    day = at.date()
    if at.time() < time.fromisoformat(terms.day_start):
        day -= timedelta(days=1)
    return day.isoformat()


def gaming_month(terms: Terms, time_us: int) -> str:
    """Return the gaming month of a moment, as `2026-11`."""
    minute = 60_000_000
    return _month(terms.time_zone, terms.day_start, time_us // minute, terms)


@lru_cache(maxsize=64)
def _month(_zone: str, _start: str, minutes: int, terms: Terms) -> str:
    return gaming_day(terms, minutes * 60_000_000)[:7]
