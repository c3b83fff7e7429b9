"""One thing known to whoever is on duty: how it stands, its limit, and whether that is well.

What nobody tells is no data, and what cannot be asked now is not known; neither is ever well.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal

from msgspec import Struct, structs

from jackpot.web.duty_samples import History, Sample

__all__ = [
    "WORST",
    "Fact",
    "Known",
    "Verdict",
    "age",
    "count",
    "length_of_time",
    "money_text",
    "out_of",
    "plain",
    "quick",
    "share",
    "size_text",
    "switch",
    "unknown_by",
]

Verdict = Literal["ok", "warn", "stop", "none"]
WORST: Final[tuple[Verdict, ...]] = ("ok", "none", "warn", "stop")
"""From best to worst. What is not told is worse than well, and less than what is known to be wrong."""

NOT_KNOWN: Final = "not known while "
SINCE: Final = " does not answer, last "

EXACT_CENTS: Final = 1 << 53
"""From here on a double, which is all that Prometheus is told, does not know every cent."""


class Fact(Struct, frozen=True):
    """One thing known: what it is, how it stands now, its limit if it has one, and what follows."""

    what: str
    now: str
    limit: str
    state: Verdict


@dataclass(frozen=True, slots=True)
class Known:
    """Which of a link's sources answered when it was last counted."""

    postgres: bool
    redis: bool

    @classmethod
    def at(cls, now: Sample, link: str) -> "Known":
        """Say which sources answer at a moment."""
        return cls(
            postgres=bool(now.least("jackpot_postgres_up", link=link)), redis=bool(now.least("jackpot_redis_up"))
        )

    def by_postgres(self, *facts: Fact) -> list[Fact]:
        """Return facts that only the ledger tells: what was well when it last answered is not known to be so now."""
        return list(facts) if self.postgres else [_not_known(fact, "Postgres") for fact in facts]

    def by_both(self, *facts: Fact) -> list[Fact]:
        """Return facts that come from the ledger by way of Redis."""
        return self.by_postgres(*facts) if self.redis else [_not_known(fact, "Redis") for fact in facts]


def _not_known(fact: Fact, source: str) -> Fact:
    if fact.state != "ok":
        return fact
    return structs.replace(fact, now=f"{NOT_KNOWN}{source}{SINCE}{fact.now}", state="none")


def unknown_by(fact: Fact) -> str:
    """Return the source without which a fact is not known; empty where that is not why.

    >>> unknown_by(Known(postgres=False, redis=True).by_postgres(count("Hits pending", 0))[0])
    'Postgres'
    """
    head, since, _last = fact.now.partition(SINCE)
    return head.removeprefix(NOT_KNOWN) if since and head.startswith(NOT_KNOWN) else ""


def count(what: str, value: float | None, *, wrong: Verdict = "warn") -> Fact:
    """Return how many there are of what there should be none of."""
    if value is None:
        return Fact(what, "no data", "0", "none")
    return Fact(what, f"{value:.0f}", "0", wrong if value else "ok")


def age(what: str, seconds: float | None, limit_s: float, *, wrong: Verdict = "warn") -> Fact:
    """Return how long something lasts that has a limit."""
    if seconds is None or math.isinf(seconds):
        return Fact(what, "no data", length_of_time(limit_s), "none")
    return Fact(what, length_of_time(seconds), length_of_time(limit_s), wrong if seconds > limit_s else "ok")


def quick(
    history: History, what: str, name: str, part: float, link: str | None, limit_s: float, *, ever: bool = False
) -> Fact:
    """Return a percentile of the last five minutes.

    Where nothing was observed that is well, unless it is observed for `ever`: then whoever observes it has stopped.
    """
    labels = {"link": link} if link else {}
    seconds = history.quantile(name, part, **labels)
    if seconds is not None:
        return Fact(what, length_of_time(seconds), length_of_time(limit_s), "warn" if seconds > limit_s else "ok")
    counted = history.now is not None and history.now.total(f"{name}_count", **labels) is not None
    if not counted:
        return Fact(what, "no data", length_of_time(limit_s), "none")
    return Fact(what, "none in 5 min", length_of_time(limit_s), "none" if ever else "ok")


def switch(what: str, value: float | None, well: str, wrong: str) -> Fact:
    """Return which of two words is true: nought is wrong."""
    if value is None:
        return Fact(what, "no data", well, "none")
    return Fact(what, well if value else wrong, well, "ok" if value else "stop")


def out_of(what: str, value: float | None, whole: float | None) -> Fact:
    """Return how many there are, of how many there could be."""
    if value is None:
        return Fact(what, "no data", "", "none")
    return Fact(what, f"{value:.0f}" if whole is None else f"{value:.0f} of {whole:.0f} enrolled", "", "ok")


def share(what: str, value: float | None, whole: float | None, near: float) -> Fact:
    """Return which part of its limit something has reached."""
    if value is None or not whole:
        return Fact(what, "no data", f"{near:.0%}", "none")
    return Fact(what, f"{value / whole:.0%}", f"{near:.0%}", "warn" if value / whole > near else "ok")


def plain(what: str, value: float | None, text: Callable[[float], str]) -> Fact:
    """Return a figure that has no limit."""
    return Fact(what, "no data", "", "none") if value is None else Fact(what, text(value), "", "ok")


def length_of_time(seconds: float) -> str:
    """Return a length of time as it is read aloud.

    >>> [length_of_time(s) for s in (0.0004, 0.25, 1, 12, 600, 93_600)]
    ['0.4 ms', '250 ms', '1 s', '12 s', '10 min', '26 h']
    """
    for least, unit, word in ((7200, 3600, "h"), (120, 60, "min"), (1, 1, "s")):
        if seconds >= least:
            return f"{seconds / unit:.3g} {word}"
    return f"{seconds * 1000:.3g} ms"


def size_text(size: float) -> str:
    """Return a size in memory or on disk.

    >>> size_text(123_456_789)
    '123 MB'
    """
    return f"{size / 1e9:.1f} GB" if size >= 1e9 else f"{size / 1e6:.0f} MB"


def money_text(cents: float, currency: str) -> str:
    """Return an amount for a glance, without cents where a double cannot tell them; the exact one is the ledger's.

    >>> money_text(2970164, "AUD"), money_text(float(9_007_199_254_740_993), "AUD")
    ('AUD 29,701.64', 'AUD 90,071,992,547,410')
    """
    return f"{currency} {cents / 100:,.2f}" if cents < EXACT_CENTS else f"{currency} {cents / 100:,.0f}"
