"""The five questions of whoever is on duty, answered from what the server counted: each fact with its limit and state.

A limit here is the one an alert has (deploy/prometheus/rules/alerts.yml), so that the page is never calm while an alert
fires for the same thing. What nobody tells is no data, never well.
"""

import math
from collections.abc import Callable
from typing import Final, Literal

from msgspec import Struct

from jackpot.web.duty_samples import History, Sample

__all__ = ["LINES", "Answer", "Fact", "Line", "Verdict", "answers"]

Verdict = Literal["ok", "warn", "stop", "none"]
WORST: Final[tuple[Verdict, ...]] = ("ok", "none", "warn", "stop")
"""From best to worst. What is not told is worse than well, and less than what is known to be wrong."""

AUDIT_TOO_OLD_S: Final = 93_600
ANSWER_SLOW_S: Final = 1.0
DISPLAY_SLOW_S: Final = 0.25
ROUND_OPEN_S: Final = 600
SKEW_S: Final = 5
UNVERIFIED_S: Final = 600
UNPAID_S: Final = 86_400
QUEUE_S: Final = 1.0
COMMIT_SLOW_S: Final = 0.25
DISK_LOW: Final = 0.1
SNAPSHOT_STALE_S: Final = 5
CONNECTIONS_NEAR: Final = 0.8
LAG_SLOW_S: Final = 0.25
TABLE_LATE_S: Final = 3_600
"""A table that left after a round within the last hour was in play; one that is closed is not late."""


class Fact(Struct, frozen=True):
    """One thing known: what it is, how it stands now, its limit if it has one, and what follows."""

    what: str
    now: str
    limit: str
    state: Verdict


class Line(Struct, frozen=True):
    """A chart: its points are `[time of day in ms, value or null]`; a dashed line stands at the limit."""

    name: str
    unit: str
    limit: float | None
    points: list[tuple[int, float | None]]


class Answer(Struct, frozen=True):
    """A question with its answer in a sentence, the facts it rests on, worst first, and its charts."""

    question: str
    state: Verdict
    words: str
    facts: list[Fact]
    lines: list[Line]


LINES: Final[dict[str, tuple[str, str, float | None, Callable[[History, str], float | None]]]] = {
    "owed": ("Owed to players", "money", None, lambda history, link: _now(history, "jackpot_liability_cents", link)),
    "wagers": ("Wagers accepted", "a second", None, lambda h, link: h.rate("jackpot_wagers_accepted_total", link=link)),
    "answers": (
        "Wagers to answer, p99",
        "s",
        ANSWER_SLOW_S,
        lambda history, link: history.quantile("jackpot_answer_seconds", 0.99, link=link),
    ),
    "displays": (
        "Commit to boards, p99",
        "s",
        DISPLAY_SLOW_S,
        lambda history, link: history.quantile("jackpot_display_seconds", 0.99, link=link),
    ),
    "tables": ("Tables connected", "", None, lambda history, link: _now(history, "jackpot_tables_connected", link)),
    "boards": ("Boards connected", "", None, lambda history, link: _now(history, "jackpot_boards_connected", link)),
    "hits": (
        "Oldest hit not verified",
        "s",
        UNVERIFIED_S,
        lambda history, link: _oldest(history, link, "pending", "claimed"),
    ),
    "queue": ("Commands that wait", "", None, lambda history, link: _now(history, "jackpot_queue", link)),
    "commits": (
        "Postgres commit, p99",
        "s",
        COMMIT_SLOW_S,
        lambda history, link: history.quantile("jackpot_commit_seconds", 0.99, link=link),
    ),
}
"""The charts: title, unit, limit, and what a point is."""


def answers(history: History, link: str, *, currency: str) -> list[Answer]:
    """Answer the five questions for a link, from a history with at least one sample."""
    now = history.now
    if now is None:
        raise ValueError("a history without a sample")
    money, felt = _money(history, now, link, currency), _felt(history, now, link)
    fresh, hits, limits = _fresh(now, link), _hits(now, link), _limits(history, now, link)
    return [
        _answer(history, link, "Is money safe?", "Yes.", money, "owed"),
        _answer(
            history, link, "What do players feel?", "Prompt answers and boards.", felt, "wagers", "answers", "displays"
        ),
        _answer(history, link, "Are all tables and boards fresh?", "Yes, all of them.", fresh, "tables", "boards"),
        _answer(history, link, "Is a hit waiting?", "None is.", hits, "hits"),
        _answer(history, link, "How near are the limits?", "Far away.", limits, "queue", "commits"),
    ]


def _answer(history: History, link: str, question: str, well: str, facts: list[Fact], *lines: str) -> Answer:
    ordered = sorted(facts, key=lambda fact: -WORST.index(fact.state))
    state = ordered[0].state
    wrong = [f"{fact.what}: {fact.now}" for fact in ordered if fact.state == state]
    words = well if state == "ok" else "; ".join(wrong[:3]) + (f"; {len(wrong) - 3} more" if len(wrong) > 3 else "")
    drawn = []
    for line in lines:
        name, unit, limit, _point = LINES[line]
        drawn.append(Line(name, unit, limit, list(history.lines.get(f"{link}/{line}", ()))))
    return Answer(question, state, words, ordered, drawn)


def _money(history: History, now: Sample, link: str, currency: str) -> list[Fact]:
    return [
        _status(now, link),
        _count("Invariants broken since start", now.total("jackpot_invariant_stops_total", link=link), wrong="stop"),
        _count("Audit differences", now.total("jackpot_audit_differences"), wrong="stop"),
        _age("Since the last clean audit", now.total("jackpot_audit_age_seconds"), AUDIT_TOO_OLD_S),
        _count("Commits of unknown outcome, 15 min", _risen(history, "jackpot_outcomes_unknown_total", link)),
        _count("Commands kept aside", now.total("jackpot_kept_aside", link=link)),
        _switch("Postgres", now.least("jackpot_postgres_up", link=link), "answers", "does not answer"),
        _switch(
            "Commits on every disk that may take over", now.least("jackpot_postgres_durable", link=link), "yes", "no"
        ),
        _plain(
            "Owed to players",
            now.total("jackpot_liability_cents", link=link),
            lambda cents: _money_text(cents, currency),
        ),
    ]


def _status(now: Sample, link: str) -> Fact:
    stopped = now.total("jackpot_link_status", link=link, status="stopped")
    away = now.total("jackpot_link_status", link=link, status="ledger_unreachable")
    status = None if stopped is None else stopped * 2 + (away or 0)
    text = "no data" if status is None else {0.0: "running", 1.0: "ledger not reachable"}.get(status, "stopped")
    return Fact("Link", text, "running", _state(status, warn=1, stop=2))


def _felt(history: History, now: Sample, link: str) -> list[Fact]:
    refused = history.increase("jackpot_refusals_total", link=link)
    codes = sorted({key["code"] for key, _ in now.of("jackpot_refusals_total", link=link)})
    by_code = [(code, history.increase("jackpot_refusals_total", link=link, code=code) or 0) for code in codes]
    why = ", ".join(f"{code} {count:.0f}" for code, count in by_code if count)
    return [
        _status(now, link),  # who waits is in no percentile of those who were answered
        _age("Since a snapshot came over Redis", _snapshot_age(now, link), SNAPSHOT_STALE_S),
        _plain(
            "Wagers accepted a second", history.rate("jackpot_wagers_accepted_total", link=link), lambda n: f"{n:.1f}"
        ),
        _plain("Refusals, 5 min", refused, lambda n: why or f"{n:.0f}"),
        _quick(history, "Wagers to answer, p50", "jackpot_answer_seconds", 0.5, link, ANSWER_SLOW_S),
        _quick(history, "Wagers to answer, p99", "jackpot_answer_seconds", 0.99, link, ANSWER_SLOW_S),
        _quick(history, "Commit to boards, p99", "jackpot_display_seconds", 0.99, link, DISPLAY_SLOW_S),
    ]


def _fresh(now: Sample, link: str) -> list[Fact]:
    facts = [
        _age("Since a snapshot came over Redis", _snapshot_age(now, link), SNAPSHOT_STALE_S),
        _switch("Redis", now.least("jackpot_redis_up"), "is read", "is not read"),
        _of(
            "Tables connected",
            now.total("jackpot_tables_connected", link=link),
            now.total("jackpot_tables_enrolled", link=link),
        ),
        _of("Boards connected", now.total("jackpot_boards_connected", link=link), None),
        _count("Boards stale", now.total("jackpot_boards_stale", link=link)),
        _count("Boards with a wrong amount", now.total("jackpot_boards_wrong", link=link), wrong="stop"),
    ]
    connected = {key["table"]: value for key, value in now.of("jackpot_table_connected", link=link)}
    for key, value in now.of("jackpot_table_linked", link=link):
        if not value and connected.get(key["table"]):
            facts.append(Fact(f"Table {key['table']}", "refused: see its terms", "linked", "warn"))
    for key, age in now.of("jackpot_table_last_round_age_seconds", link=link):
        if not connected.get(key["table"]) and age < TABLE_LATE_S:
            facts.append(
                Fact(f"Table {key['table']}", f"not connected here, last round {_time(age)} ago", "connected", "warn")
            )
    for key, age in now.of("jackpot_table_round_open_seconds", link=link):
        if age > ROUND_OPEN_S:
            facts.append(Fact(f"Table {key['table']}", f"round open {_time(age)}", _time(ROUND_OPEN_S), "warn"))
    for key, skew in now.of("jackpot_table_clock_skew_seconds", link=link):
        if abs(skew) > SKEW_S:
            facts.append(Fact(f"Table {key['table']}", f"clock {skew:+.0f} s", f"±{SKEW_S} s", "warn"))
    return facts


def _snapshot_age(now: Sample, link: str) -> float | None:
    return now.most("jackpot_snapshot_age_seconds", link=link)


def _hits(now: Sample, link: str) -> list[Fact]:
    facts = []
    for key, count in now.of("jackpot_hits", link=link):
        state = key["state"]
        age = now.most("jackpot_hit_oldest_age_seconds", link=link, state=state)
        if age is None:
            continue  # nobody waits for a hit in such a state
        limit = UNVERIFIED_S if state in {"pending", "claimed"} else UNPAID_S
        verdict: Verdict = "ok"
        if count:
            verdict = "stop" if age > limit and limit == UNVERIFIED_S else "warn"
        text = f"{count:.0f}, oldest {_time(age)}" if count else "0"
        facts.append(Fact(f"Hits {state}", text, _time(limit), verdict))
    return facts or [Fact("Hits", "no data", "", "none")]


def _limits(history: History, now: Sample, link: str) -> list[Fact]:
    facts = [
        _plain("Commands that wait", now.total("jackpot_queue", link=link), lambda n: f"{n:.0f}"),
        _age("Oldest of them", now.most("jackpot_queue_oldest_age_seconds", link=link), QUEUE_S),
        _quick(history, "Postgres commit, p99", "jackpot_commit_seconds", 0.99, link, COMMIT_SLOW_S),
        _share(
            "Connections of Postgres",
            now.total("jackpot_postgres_connections"),
            now.total("jackpot_postgres_connections_limit"),
            CONNECTIONS_NEAR,
        ),
        _quick(history, "Event loop late, p99", "jackpot_event_loop_lag_seconds", 0.99, None, LAG_SLOW_S),
        _plain("Memory of the server", now.total("process_resident_memory_bytes"), _bytes),
        _plain("Ledger on disk", now.total("jackpot_postgres_database_bytes"), _bytes),
    ]
    free, size = now.total("jackpot_disk_free_bytes"), now.total("jackpot_disk_bytes")
    if free is not None and size:
        low = free / size < DISK_LOW
        facts.append(
            Fact("Disk free", f"{free / size:.0%} ({_bytes(free)})", f"{DISK_LOW:.0%}", "warn" if low else "ok")
        )
    for key, limit in now.of("jackpot_meter_limit_cents", link=link):
        meter = now.total("jackpot_meter_cents", link=link, pool=key["pool"])
        facts.append(_share(f"Meter {key['pool']} of its limit", meter, limit, 1))
    reserve = now.total("jackpot_reserve_limit_cents", link=link)
    if reserve is not None:
        facts.append(_share("Reserve of its limit", now.total("jackpot_reserve_cents", link=link), reserve, 1))
    return facts


def _state(value: float | None, *, warn: float, stop: float = math.inf) -> Verdict:
    if value is None or math.isnan(value):
        return "none"
    return "stop" if value >= stop else "warn" if value >= warn else "ok"


def _count(what: str, value: float | None, *, wrong: Verdict = "warn") -> Fact:
    if value is None:
        return Fact(what, "no data", "0", "none")
    return Fact(what, f"{value:.0f}", "0", wrong if value else "ok")


def _age(what: str, seconds: float | None, limit_s: float) -> Fact:
    if seconds is None or math.isinf(seconds):
        return Fact(what, "no data", _time(limit_s), "none")
    return Fact(what, _time(seconds), _time(limit_s), "warn" if seconds > limit_s else "ok")


def _quick(history: History, what: str, name: str, share: float, link: str | None, limit_s: float) -> Fact:
    labels = {"link": link} if link else {}
    seconds = history.quantile(name, share, **labels)
    if seconds is None:
        counted = history.now is not None and history.now.total(f"{name}_count", **labels) is not None
        return Fact(what, "none in 5 min" if counted else "no data", _time(limit_s), "ok" if counted else "none")
    return Fact(what, _time(seconds), _time(limit_s), "warn" if seconds > limit_s else "ok")


def _switch(what: str, value: float | None, well: str, wrong: str) -> Fact:
    if value is None:
        return Fact(what, "no data", well, "none")
    return Fact(what, well if value else wrong, well, "ok" if value else "stop")


def _of(what: str, value: float | None, whole: float | None) -> Fact:
    if value is None:
        return Fact(what, "no data", "", "none")
    return Fact(what, f"{value:.0f}" if whole is None else f"{value:.0f} of {whole:.0f} enrolled", "", "ok")


def _share(what: str, value: float | None, whole: float | None, near: float) -> Fact:
    if value is None or not whole:
        return Fact(what, "no data", f"{near:.0%}", "none")
    return Fact(what, f"{value / whole:.0%}", f"{near:.0%}", "warn" if value / whole > near else "ok")


def _plain(what: str, value: float | None, text: Callable[[float], str]) -> Fact:
    return Fact(what, "no data", "", "none") if value is None else Fact(what, text(value), "", "ok")


def _risen(history: History, name: str, link: str) -> float | None:
    return history.increase(name, link=link)


def _now(history: History, name: str, link: str) -> float | None:
    return history.now.total(name, link=link) if history.now is not None else None


def _oldest(history: History, link: str, *states: str) -> float | None:
    if history.now is None:
        return None
    ages = [history.now.most("jackpot_hit_oldest_age_seconds", link=link, state=state) for state in states]
    return max((age for age in ages if age is not None), default=None)


def _time(seconds: float) -> str:
    """Return a length of time as it is read aloud.

    >>> [_time(s) for s in (0.0004, 0.25, 1, 12, 600, 93_600)]
    ['0.4 ms', '250 ms', '1 s', '12 s', '10 min', '26 h']
    """
    for least, unit, word in ((7200, 3600, "h"), (120, 60, "min"), (1, 1, "s")):
        if seconds >= least:
            return f"{seconds / unit:.3g} {word}"
    return f"{seconds * 1000:.3g} ms"


def _bytes(size: float) -> str:
    """Return a size in memory or on disk.

    >>> _bytes(123_456_789)
    '123 MB'
    """
    return f"{size / 1e9:.1f} GB" if size >= 1e9 else f"{size / 1e6:.0f} MB"


def _money_text(cents: float, currency: str) -> str:
    """Return an amount for a glance; the exact one is the ledger's.

    >>> _money_text(2970164, "AUD")
    'AUD 29,701.64'
    """
    return f"{currency} {cents / 100:,.2f}"
