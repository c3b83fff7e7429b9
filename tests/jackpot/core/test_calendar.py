"""Which gaming day and month a moment belongs to: the terms' time zone and day start, over summer time too."""

from dataclasses import replace
from datetime import datetime

import pytest

from jackpot.core.calendar import gaming_day, gaming_month, known_zone, month_begins
from tests.support.terms import demo_terms

DAYS = [
    # local time in Sydney                 the gaming day
    ("2026-12-01T05:59:59.999999+11:00", "2026-11-30"),
    ("2026-12-01T06:00:00+11:00", "2026-12-01"),
    ("2027-01-01T03:00:00+11:00", "2026-12-31"),
    ("2026-10-04T01:59:00+10:00", "2026-10-03"),  # the night summer time begins
    ("2026-10-04T06:00:00+11:00", "2026-10-04"),
    ("2026-04-05T02:30:00+11:00", "2026-04-04"),  # the night it ends: half past two comes twice
    ("2026-04-05T02:30:00+10:00", "2026-04-04"),
    ("2026-04-05T06:00:00+10:00", "2026-04-05"),
]


def microseconds(text: str) -> int:
    """A moment as the ledger has it."""
    moment = datetime.fromisoformat(text)
    return int(moment.timestamp()) * 1_000_000 + moment.microsecond


@pytest.mark.parametrize(("moment", "day"), DAYS)
def test_a_gaming_day_begins_at_its_hour(moment: str, day: str) -> None:
    """Before the day's start, by the clock on the casino's wall, it is still the day before."""
    assert gaming_day(demo_terms(), microseconds(moment)) == day
    assert gaming_month(demo_terms(), microseconds(moment)) == day[:7]


def test_other_terms_other_days() -> None:
    """The zone and the hour are the terms'."""
    at = microseconds("2026-12-01T05:59:00+11:00")
    assert gaming_day(replace(demo_terms(), day_start="00:00"), at) == "2026-12-01"
    assert gaming_day(replace(demo_terms(), time_zone="Europe/London", day_start="00:00"), at) == "2026-11-30"


@pytest.mark.parametrize("month", ["2026-04", "2026-10", "2026-12", "2027-01"])
def test_a_month_begins_with_its_first_day(month: str) -> None:
    """Its first moment is in it, and the one before is not."""
    begins = month_begins(demo_terms(), month)
    assert gaming_day(demo_terms(), begins) == f"{month}-01"
    assert gaming_month(demo_terms(), begins - 1) < month


def test_a_zone_is_one_that_is_kept() -> None:
    """A name of the right form that nobody keeps, or that leads elsewhere on the disk, is no time zone."""
    assert known_zone("Australia/Sydney")
    for name in ("Australia/Atlantis", "../../etc/passwd", "", "Australia"):
        assert not known_zone(name)


@pytest.mark.parametrize("name", ["Factory", "localtime", "posixrules", "posix/Australia/Sydney", "right/UTC"])
def test_a_zone_means_the_same_on_every_machine(name: str) -> None:
    """A placeholder, whatever this machine is set to, and zones that count leap seconds are no casino's time."""
    assert not known_zone(name)
