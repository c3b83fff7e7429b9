"""What has happened on a link, counted from each batch that was posted: wagers, money, rounds, alarms.

Hundreds of wagers are in a batch: sums are made first, and each series is touched once.
"""

from collections import Counter as Counts
from collections.abc import Iterable, Sequence
from typing import Final

from jackpot.core.accounts import CAUSES, MICROCENTS, RESERVE, RETAINED, WAGERS, Entry
from jackpot.core.facts import Fact
from jackpot.core.state import LinkState
from jackpot.serving.metrics import Declared, bounded
from jackpot.telemetry.families import ALARMS, HELLO_CODES, VOID_RULES
from jackpot.wire.refusals import REFUSALS
from rules.terms import PRIZES

__all__ = ["Money", "void_rule"]

CODES: Final = frozenset({*REFUSALS, *HELLO_CODES})
ENDS: Final = ("recorded", "withdrawn", "voided")


class Money:
    """The counters of all links."""

    def __init__(self, declared: Declared) -> None:
        """Put them on the registry."""
        counter = declared.counter
        self.wagers = counter("jackpot_wagers_accepted_total")
        self.wagers_cents = counter("jackpot_wagers_cents_total")
        self.reversed = counter("jackpot_wagers_reversed_total")
        self.refusals = counter("jackpot_refusals_total")
        self.increments = counter("jackpot_increments_cents_total")
        self.moved = counter("jackpot_moved_cents_total")
        self.awards = counter("jackpot_awards_total")
        self.award_cents = counter("jackpot_award_cents_total")
        self.voids = counter("jackpot_voids_total")
        self.rounds = counter("jackpot_rounds_total")
        self.alarms = counter("jackpot_alarms_total")
        self.hellos_refused = counter("jackpot_hellos_refused_total")

    def opened(self, link: str) -> None:
        """Show a link's series from its first moment, at nought: what has never been counted is not absent."""
        for family in (self.wagers, self.wagers_cents):
            family.labels(link)
        for code in REFUSALS:
            self.refusals.labels(link, code)
        for prize in PRIZES:
            self.awards.labels(link, prize)
            self.award_cents.labels(link, prize)
        for family, values in (
            (self.alarms, ALARMS),
            (self.rounds, ENDS),
            (self.reversed, ENDS[1:]),
            (self.moved, sorted(CAUSES - {"increment"})),
            (self.voids, (*VOID_RULES, "other")),
            (self.hellos_refused, sorted(CODES & _AT_HELLO)),
        ):
            for value in values:
                family.labels(link, value)

    def stands(self, link: str, state: LinkState) -> None:
        """Show the series of the accounts that a link's terms have, at nought where nothing went to them yet."""
        for account in _shares(state):
            self.increments.labels(link, account)

    def facts(self, link: str, facts: Iterable[Fact]) -> None:
        """Count what happened in a batch."""
        wagers = cents = 0
        ended: Counts[str] = Counts()
        seats: Counts[str] = Counts()
        for fact in facts:
            match fact.kind:
                case "accepted":
                    wagers += _figure(fact, "seats")
                    cents += _figure(fact, "cents")
                case "refused" | "seat_refused":
                    self.refusals.labels(link, bounded(str(fact.figures.get("code")), REFUSALS)).inc()
                case "award":
                    self._award(link, fact)
                case "recorded":
                    ended[fact.kind] += 1
                case "withdrawn" | "voided":
                    ended[fact.kind] += 1
                    seats[fact.kind] += _figure(fact, "seats")
                    if fact.kind == "voided":
                        self.voids.labels(link, void_rule(str(fact.figures.get("rule")))).inc()
                case kind if kind in ALARMS:
                    self.alarms.labels(link, kind).inc()
                    if kind == "hello_refused":
                        self.hello_refused(link, str(fact.figures.get("code")))
                case _:
                    pass
        if wagers:
            self.wagers.labels(link).inc(wagers)
            self.wagers_cents.labels(link).inc(cents)
        for kind, rounds in ended.items():
            self.rounds.labels(link, kind).inc(rounds)
        for kind, given_back in seats.items():
            self.reversed.labels(link, kind).inc(given_back)

    def entries(self, link: str, entries: Sequence[Entry]) -> None:
        """Count where money went in a batch, in cents: increments by account, all else by its cause."""
        increments: Counts[str] = Counts()
        moved: Counts[str] = Counts()
        for entry in entries:
            if entry.cause == "increment":
                if entry.account != WAGERS:
                    increments[entry.account] += entry.amount
            elif entry.amount > 0:
                moved[entry.cause] += entry.amount
        for account, microcents in increments.items():
            self.increments.labels(link, account).inc(microcents / MICROCENTS)
        for cause, microcents in moved.items():
            self.moved.labels(link, cause).inc(microcents / MICROCENTS)

    def hello_refused(self, link: str, code: str) -> None:
        """Count a hello that was refused, by the link or before it was asked."""
        self.hellos_refused.labels(link, bounded(code, CODES)).inc()

    def _award(self, link: str, fact: Fact) -> None:
        prize = bounded(str(fact.figures.get("prize")), PRIZES)
        self.awards.labels(link, prize).inc()
        self.award_cents.labels(link, prize).inc(_figure(fact, "cents"))


_AT_HELLO = frozenset(
    {
        "terms_differ",
        "settings_differ",
        "quarantined",
        "no_word",
        "wrong_journal",
        "connection_not_rising",
        *HELLO_CODES,
    }
)
"""The refusals that a hello may meet, shown at nought."""


def void_rule(rule: str) -> str:
    """Return the rule a void is counted under: the known one that it is or stands below, else `other`.

    >>> void_rule("CSP 14.9.2"), void_rule("CSP 14.9" "0"), void_rule("because")
    ('CSP 14.9', 'other', 'other')
    """
    return next((known for known in VOID_RULES if rule == known or rule.startswith(f"{known}.")), "other")


def _figure(fact: Fact, name: str) -> int:
    value = fact.figures.get(name, 0)
    return value if isinstance(value, int) else 0


def _shares(state: LinkState) -> Iterable[str]:
    for pool in state.pools:
        yield f"pool/{pool}"
        yield f"overflow/{pool}"
    yield RESERVE
    yield RETAINED
