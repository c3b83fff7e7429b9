"""The five questions of whoever is on duty, answered from what the server counted: each fact with its limit and state.

A limit here is the one an alert has (deploy/prometheus/rules/alerts.yml), so that the page is never calm while an alert
fires for the same thing. What nobody tells is no data, never well.
"""

import math
from collections.abc import Callable
from typing import Final

from msgspec import Struct, structs

from jackpot.web.duty_facts import (
    WORST,
    Fact,
    Known,
    Verdict,
    age,
    count,
    length_of_time,
    money_text,
    out_of,
    plain,
    quick,
    share,
    size_text,
    switch,
    unknown_by,
)
from jackpot.web.duty_samples import LONG_S, History, Sample
from jackpot.web.duty_tables import tables_one_by_one

__all__ = ["LINES", "Answer", "Line", "answers", "point_now"]

AUDIT_TOO_OLD_S: Final = 93_600
ANSWER_SLOW_S: Final = 1.0
DISPLAY_SLOW_S: Final = 0.25
AHEAD_S: Final = 5
UNVERIFIED_S: Final = 600
UNPAID_S: Final = 86_400
QUEUE_S: Final = 1.0
COMMIT_SLOW_S: Final = 0.25
DISK_LOW: Final = 0.1
SNAPSHOT_STALE_S: Final = 5
CONNECTIONS_NEAR: Final = 0.8
LAG_SLOW_S: Final = 0.25
UNSHOWN_S: Final = 30
SCREEN_SILENT_S: Final = 60
CERTIFICATE_S: Final = 1_209_600
FAILURES: Final = 3


class Line(Struct, frozen=True):
    """A chart: its points are `[time of day in ms, value or null]`; a dashed line stands at the limit.

    `unit` is `cents` and a currency's code for amounts.
    """

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
    "owed": ("Owed to players", "", None, lambda history, link: _now(history, "jackpot_liability_cents", link)),
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
BY_POSTGRES: Final = frozenset({"owed", "wagers", "answers", "displays", "hits", "commits"})
BY_REDIS: Final = frozenset({"displays"})
"""Charts of what only these tell: while they do not answer, there is a gap."""


def point_now(history: History, link: str, line: str) -> float | None:
    """Return a chart's newest point; None, a gap, where it is not known."""
    now = history.now
    known = Known.at(now, link) if now is not None else Known(postgres=False, redis=False)
    if (line in BY_POSTGRES and not known.postgres) or (line in BY_REDIS and not known.redis):
        return None
    return LINES[line][3](history, link)


def answers(history: History, link: str, *, currency: str) -> list[Answer]:
    """Answer the five questions for a link, from a history with at least one sample.

    **Never** calls well what only a source can tell that does not answer now, Postgres or Redis.
    """
    now = history.now
    if now is None:
        raise ValueError("a history without a sample")
    known = Known.at(now, link)
    money, felt = _money(history, now, link, currency, known), _felt(history, now, link, known)
    fresh, hits, limits = _fresh(history, now, link, known), _hits(now, link, known), _limits(history, now, link, known)
    return [
        _in_money(_answer(history, link, "Is money safe?", "Yes.", money, "owed"), currency),
        _answer(
            history, link, "What do players feel?", _all_prompt(history, link), felt, "wagers", "answers", "displays"
        ),
        _answer(history, link, "Are all tables and boards fresh?", _all_fresh(now, link), fresh, "tables", "boards"),
        _answer(history, link, "Is a hit waiting?", "None is.", hits, "hits"),
        _answer(history, link, "How near are the limits?", "Far away.", limits, "queue", "commits"),
    ]


def _answer(history: History, link: str, question: str, well: str, facts: list[Fact], *lines: str) -> Answer:
    ordered = sorted(facts, key=lambda fact: -WORST.index(fact.state))
    verdict = ordered[0].state
    words = well if verdict == "ok" else _words([fact for fact in ordered if fact.state == verdict])
    drawn = []
    for line in lines:
        name, unit, limit, _point = LINES[line]
        drawn.append(Line(name, unit, limit, list(history.lines.get(f"{link}/{line}", ()))))
    return Answer(question, verdict, words, ordered, drawn)


def _words(wrong: list[Fact]) -> str:
    """Say in a sentence what is wrong: of what nobody can tell now only why, once."""
    sources = {unknown_by(fact) for fact in wrong}
    if len(sources) == 1 and (source := sources.pop()):
        return f"Not known while {source} does not answer."
    said = [f"{fact.what}: {fact.now}" for fact in wrong]
    return "; ".join(said[:3]) + (f"; {len(said) - 3} more" if len(said) > 3 else "")


def _in_money(answer: Answer, currency: str) -> Answer:
    return structs.replace(answer, lines=[structs.replace(line, unit=f"cents {currency}") for line in answer.lines])


def _money(history: History, now: Sample, link: str, currency: str, known: Known) -> list[Fact]:
    unknown = history.increase("jackpot_outcomes_unknown_total", seconds=LONG_S, link=link)
    gaps = history.increase("jackpot_alarms_total", seconds=LONG_S, link=link, kind="gap")
    voided = history.increase("jackpot_alarms_total", seconds=LONG_S, link=link, kind="prize_voided")
    unruled = history.increase("jackpot_voids_total", seconds=LONG_S, link=link, rule="other")
    reused = history.increase("jackpot_alarms_total", seconds=LONG_S, link=link, kind="id_reused")
    owed = now.total("jackpot_liability_cents", link=link)
    return [
        _status(now, link),
        count("Invariants broken since start", now.total("jackpot_invariant_stops_total", link=link), wrong="stop"),
        *_audit(now),
        count("Commits of unknown outcome, 15 min", unknown),
        count("Messages of tables missing, 15 min", gaps),
        count("Rounds voided that held a prize, 15 min", voided),
        count("Voids by no rule that voids, 15 min", unruled),
        count("Ids used again, 15 min", reused),
        switch("Postgres", now.least("jackpot_postgres_up", link=link), "answers", "does not answer"),
        _durable(now, link),
        *known.by_postgres(
            count("Commands kept aside", now.total("jackpot_kept_aside", link=link)),
            age("Ledger's time ahead of this clock", now.most("jackpot_ledger_time_ahead_seconds", link=link), AHEAD_S),
            plain("Owed to players", owed, lambda cents: money_text(cents, currency)),
        ),
    ]


def _audit(now: Sample) -> list[Fact]:
    """What the audits found that ended in this process; before the first of them nothing is known."""
    every_s, differences = now.total("jackpot_audit_interval_seconds"), now.total("jackpot_audit_differences")
    clean = now.total("jackpot_audits_total", outcome="ok")
    differing = now.total("jackpot_audits_total", outcome="differences")
    since = age("Since the last clean audit", now.total("jackpot_audit_age_seconds"), AUDIT_TOO_OLD_S)
    if not clean and since.state != "warn":
        none = "none yet: the server never audits itself" if every_s == 0 else "none yet since this process started"
        since = Fact(since.what, none, since.limit, "none")
    if clean or differing or differences:
        return [count("Audit differences", differences, wrong="stop"), since]
    return [since]


def _durable(now: Sample, link: str) -> Fact:
    """Whether commits are on every disk: while Postgres does not answer, nobody has asked it."""
    what, durable = "Commits on every disk that may take over", now.least("jackpot_postgres_durable", link=link)
    if not now.least("jackpot_postgres_up", link=link):
        return Fact(what, "not known while Postgres does not answer", "yes", "none")
    return switch(what, durable, "yes", "no")


def _status(now: Sample, link: str) -> Fact:
    running, away, stopped, behind = (
        now.total("jackpot_link_status", link=link, status=status)
        for status in ("running", "ledger_unreachable", "stopped", "ledger_behind")
    )
    if behind:
        return Fact("Link", "stopped: the ledger went back", "running", "stop")
    if stopped:
        return Fact("Link", "stopped", "running", "stop")
    if away:
        return Fact("Link", "ledger not reachable", "running", "warn")
    return Fact("Link", "running", "running", "ok") if running else Fact("Link", "no data", "running", "none")


def _felt(history: History, now: Sample, link: str, known: Known) -> list[Fact]:
    refused = history.increase("jackpot_refusals_total", link=link)
    codes = sorted({key["code"] for key, _ in now.of("jackpot_refusals_total", link=link)})
    by_code = [(code, history.increase("jackpot_refusals_total", link=link, code=code) or 0) for code in codes]
    why = ", ".join(f"{code} {number:.0f}" for code, number in by_code if number)
    wagers = history.rate("jackpot_wagers_accepted_total", link=link)
    return [
        _status(now, link),  # who waits is in no percentile of those who were answered
        age("Since a snapshot came over Redis", _snapshot_age(now, link), SNAPSHOT_STALE_S),
        *known.by_postgres(
            plain("Wagers accepted a second", wagers, lambda n: f"{n:.1f}"),
            plain("Refusals, 5 min", refused, lambda n: why or f"{n:.0f}"),
            quick(history, "Wagers to answer, p50", "jackpot_answer_seconds", 0.5, link, ANSWER_SLOW_S),
            quick(history, "Wagers to answer, p99", "jackpot_answer_seconds", 0.99, link, ANSWER_SLOW_S),
        ),
        *known.by_both(quick(history, "Commit to boards, p99", "jackpot_display_seconds", 0.99, link, DISPLAY_SLOW_S)),
    ]


def _all_prompt(history: History, link: str) -> str:
    """What is well where nobody asked is not called prompt."""
    if history.quantile("jackpot_answer_seconds", 0.99, link=link) is None:
        return "Nothing is wrong; no wager was answered here in 5 min."
    return "Prompt answers and boards."


def _all_fresh(now: Sample, link: str) -> str:
    tables = now.total("jackpot_tables_connected", link=link) or 0
    boards = now.total("jackpot_boards_connected", link=link) or 0
    here = " here" if now.total("jackpot_table_elsewhere", link=link) else ""
    if not tables and not boards:
        return f"None is connected{here}."
    return f"Yes, all that are connected{here}: {tables:.0f} {'table' if tables == 1 else 'tables'}, {boards:.0f} " + (
        "board." if boards == 1 else "boards."
    )


def _boards(now: Sample, link: str, known: Known) -> list[Fact]:
    """How boards are, by their own words; one that says nothing is not known to be well."""
    connected = now.total("jackpot_boards_connected", link=link)
    reporting = now.total("jackpot_boards_reporting", link=link)
    facts = [
        out_of("Boards connected", connected, None),
        count("Boards stale", now.total("jackpot_boards_stale", link=link)),
        count("Boards with a wrong amount", now.total("jackpot_boards_wrong", link=link), wrong="stop"),
        *known.by_postgres(
            age("Oldest win on no board", now.most("jackpot_win_unshown_seconds", link=link), UNSHOWN_S, wrong="stop")
        ),
    ]
    silent = sorted(key["screen"] for key, s in now.of("jackpot_screen_silent_seconds") if s > SCREEN_SILENT_S)
    if silent:
        facts.append(Fact("Screens silent", ", ".join(silent), length_of_time(SCREEN_SILENT_S), "warn"))
    if connected and not reporting:
        facts.append(Fact("Boards that say what they show", f"none of {connected:.0f}", "", "none"))
    return facts


def _fresh(history: History, now: Sample, link: str, known: Known) -> list[Fact]:
    facts = [
        age("Since a snapshot came over Redis", _snapshot_age(now, link), SNAPSHOT_STALE_S),
        switch("Redis", now.least("jackpot_redis_up"), "is read", "is not read"),
        out_of(
            "Tables connected",
            now.total("jackpot_tables_connected", link=link),
            now.total("jackpot_tables_enrolled", link=link),
        ),
        *known.by_postgres(
            count("Tables quarantined", now.total("jackpot_tables", link=link, status="quarantined")),
        ),
        _old_meters(history, link),
        *_boards(now, link, known),
    ]
    if now.total("jackpot_link_status", link=link, status="ledger_unreachable"):
        facts.insert(0, Fact("Meters", "not live while the ledger is not reachable", "live", "warn"))
    return facts + tables_one_by_one(now, link)


def _old_meters(history: History, link: str) -> Fact:
    """Rounds that were wagered on a meter that had fallen: just after a jackpot each table may have one."""
    rounds = history.increase("jackpot_alarms_total", seconds=LONG_S - 60, link=link, kind="stale_display")
    fact = count("Rounds on a meter that had fallen, 14 min", rounds)
    won = history.increase("jackpot_moved_cents_total", seconds=LONG_S, link=link, cause="award")
    return structs.replace(fact, now=f"{rounds:.0f}, just after a jackpot", state="ok") if rounds and won else fact


def _snapshot_age(now: Sample, link: str) -> float | None:
    return now.most("jackpot_snapshot_age_seconds", link=link)


def _hits(now: Sample, link: str, known: Known) -> list[Fact]:
    facts = []
    for key, number in now.of("jackpot_hits", link=link):
        stands = key["state"]
        oldest_s = now.most("jackpot_hit_oldest_age_seconds", link=link, state=stands)
        if oldest_s is None:
            continue  # nobody waits for a hit in such a state
        limit = UNVERIFIED_S if stands in {"pending", "claimed"} else UNPAID_S
        verdict: Verdict = "ok"
        if number:
            verdict = "stop" if oldest_s > limit and limit == UNVERIFIED_S else "warn"
        text = f"{number:.0f}, oldest {length_of_time(oldest_s)}" if number else "0"
        facts.append(Fact(f"Hits {stands}", text, length_of_time(limit), verdict))
    return known.by_postgres(*facts) if facts else [Fact("Hits", "no data", "", "none")]


def _limits(history: History, now: Sample, link: str, known: Known) -> list[Fact]:
    connections = now.total("jackpot_postgres_connections"), now.total("jackpot_postgres_connections_limit")
    facts = [
        plain("Commands that wait", now.total("jackpot_queue", link=link), lambda n: f"{n:.0f}"),
        age("Oldest of them", now.most("jackpot_queue_oldest_age_seconds", link=link), QUEUE_S),
        age("Batch in hand", now.most("jackpot_batch_under_way_seconds", link=link), QUEUE_S),
        quick(history, "Event loop late, p99", "jackpot_event_loop_lag_seconds", 0.99, None, LAG_SLOW_S, ever=True),
        plain("Memory of the server", now.total("process_resident_memory_bytes"), size_text),
        *known.by_postgres(
            quick(history, "Postgres commit, p99", "jackpot_commit_seconds", 0.99, link, COMMIT_SLOW_S),
            share("Connections of Postgres", *connections, CONNECTIONS_NEAR),
            plain("Ledger on disk", now.total("jackpot_postgres_database_bytes"), size_text),
            *_meters(now, link),
        ),
    ]
    free, size = now.total("jackpot_disk_free_bytes"), now.total("jackpot_disk_bytes")
    if free is not None and size:
        low = free / size < DISK_LOW
        facts.append(
            Fact("Disk free", f"{free / size:.0%} ({size_text(free)})", f"{DISK_LOW:.0%}", "warn" if low else "ok")
        )
    return facts + _process(history, now)


def _meters(now: Sample, link: str) -> list[Fact]:
    facts = []
    for key, limit in now.of("jackpot_meter_limit_cents", link=link):
        meter = now.total("jackpot_meter_cents", link=link, pool=key["pool"])
        facts.append(share(f"Meter {key['pool']} of its limit", meter, limit, 1))
    reserve = now.total("jackpot_reserve_limit_cents", link=link)
    if reserve is not None:
        facts.append(share("Reserve of its limit", now.total("jackpot_reserve_cents", link=link), reserve, 1))
    return facts


def _process(history: History, now: Sample) -> list[Fact]:
    """What ends by itself one day, and what keeps failing: the certificate, and parts of the server."""
    facts, ends = [], now.total("jackpot_tls_certificate_expiry_timestamp_seconds")
    if ends is None:
        facts.append(Fact("Certificate", "no data", "", "none"))
    elif not math.isinf(ends):
        left_s = ends - now.at_ms / 1000
        text = f"ends in {length_of_time(left_s)}" if left_s > 0 else "has ended"
        facts.append(
            Fact("Certificate", text, length_of_time(CERTIFICATE_S), "warn" if left_s < CERTIFICATE_S else "ok")
        )
    for key, _number in now.of("jackpot_task_failures_total"):
        failed = history.increase("jackpot_task_failures_total", seconds=LONG_S, task=key["task"]) or 0
        if failed > FAILURES:
            facts.append(Fact(f"Part {key['task']}", f"failed {failed:.0f} times in 15 min", f"{FAILURES}", "warn"))
    return facts


def _now(history: History, name: str, link: str) -> float | None:
    return history.now.total(name, link=link) if history.now is not None else None


def _oldest(history: History, link: str, *states: str) -> float | None:
    if history.now is None:
        return None
    ages = [history.now.most("jackpot_hit_oldest_age_seconds", link=link, state=state) for state in states]
    return max((age for age in ages if age is not None), default=None)
