"""The five answers: each wrong thing is seen by the question it belongs to, and limits are those of the alerts."""

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from jackpot.telemetry.families import FAMILIES
from jackpot.web import duty_questions
from jackpot.web.duty_questions import Answer, answers
from jackpot.web.duty_samples import EVERY_S, History, Sample

ROOT = Path(__file__).parents[3]
LINK = (("link", "south"),)


def labelled(**labels: str) -> tuple[tuple[str, str], ...]:
    """The labels of a series of the link."""
    return tuple(sorted({"link": "south", **labels}.items()))


def well() -> dict[str, dict[tuple[tuple[str, str], ...], float]]:
    """What a link says of itself that runs well."""
    return {
        "jackpot_link_status": {
            labelled(status=status): status == "running" for status in ("running", "stopped", "ledger_unreachable")
        },
        "jackpot_invariant_stops_total": {LINK: 0},
        "jackpot_audit_differences": {(): 0},
        "jackpot_audit_age_seconds": {(): 60},
        "jackpot_outcomes_unknown_total": {LINK: 0},
        "jackpot_kept_aside": {LINK: 0},
        "jackpot_postgres_up": {LINK: 1},
        "jackpot_postgres_durable": {LINK: 1},
        "jackpot_liability_cents": {labelled(part="pools"): 5_000_000, labelled(part="reserve"): 100},
        "jackpot_wagers_accepted_total": {LINK: 100},
        "jackpot_refusals_total": {labelled(code="too_late"): 3},
        "jackpot_answer_seconds_count": {LINK: 0},
        "jackpot_display_seconds_count": {LINK: 0},
        "jackpot_commit_seconds_count": {LINK: 0},
        "jackpot_event_loop_lag_seconds_count": {(): 0},
        "jackpot_snapshot_age_seconds": {LINK: 0.2},
        "jackpot_redis_up": {(): 1},
        "jackpot_tables_connected": {LINK: 1},
        "jackpot_tables_enrolled": {LINK: 2},
        "jackpot_boards_connected": {LINK: 3},
        "jackpot_boards_stale": {LINK: 0},
        "jackpot_boards_wrong": {LINK: 0},
        "jackpot_table_connected": {labelled(table="T1"): 1, labelled(table="T2"): 0},
        "jackpot_table_linked": {labelled(table="T1"): 1, labelled(table="T2"): 1},
        "jackpot_table_last_round_age_seconds": {labelled(table="T1"): 20, labelled(table="T2"): 9_000},
        "jackpot_table_round_open_seconds": {labelled(table="T1"): 30, labelled(table="T2"): 0},
        "jackpot_table_clock_skew_seconds": {labelled(table="T1"): 0.1},
        "jackpot_hits": {labelled(state="pending"): 0, labelled(state="approved"): 0, labelled(state="paid"): 4},
        "jackpot_hit_oldest_age_seconds": {labelled(state="pending"): 0, labelled(state="approved"): 0},
        "jackpot_queue": {LINK: 0},
        "jackpot_queue_oldest_age_seconds": {LINK: 0},
        "jackpot_postgres_connections": {(): 10},
        "jackpot_postgres_connections_limit": {(): 100},
        "process_resident_memory_bytes": {(): 1e8},
        "jackpot_postgres_database_bytes": {(): 5e7},
        "jackpot_disk_free_bytes": {(): 5e10},
        "jackpot_disk_bytes": {(): 1e11},
    }


def asked(changed: Mapping[str, Mapping[tuple[tuple[str, str], ...], float]]) -> dict[str, Answer]:
    """The answers after a minute in which the link came to stand as given."""
    history = History()
    history.take(Sample(0, 0, well()))
    history.take(Sample(6 * EVERY_S, 60_000, {**well(), **changed}))
    return {each.question: each for each in answers(history, "south", currency="AUD")}


MONEY, FELT, FRESH, HITS, LIMITS = (
    "Is money safe?",
    "What do players feel?",
    "Are all tables and boards fresh?",
    "Is a hit waiting?",
    "How near are the limits?",
)


def test_a_link_that_runs_well_has_five_good_answers() -> None:
    """All well is said of all five, in their fixed order."""
    found = asked({})
    assert list(found) == [MONEY, FELT, FRESH, HITS, LIMITS]
    assert {each.state for each in found.values()} == {"ok"}


@pytest.mark.parametrize(
    ("question", "changed", "state", "words"),
    [
        (MONEY, {"jackpot_link_status": {labelled(status="stopped"): 1}}, "stop", "Link: stopped"),
        (MONEY, {"jackpot_link_status": {labelled(status="stopped"): 0, labelled(status="ledger_unreachable"): 1}},
         "warn", "Link: ledger not reachable"),
        (MONEY, {"jackpot_audit_differences": {(): 2}}, "stop", "Audit differences: 2"),
        (MONEY, {"jackpot_audit_age_seconds": {(): 100_000}}, "warn", "Since the last clean audit: 27.8 h"),
        (MONEY, {"jackpot_outcomes_unknown_total": {LINK: 2}}, "warn", "Commits of unknown outcome, 15 min: 2"),
        (MONEY, {"jackpot_kept_aside": {LINK: 1}}, "warn", "Commands kept aside: 1"),
        (MONEY, {"jackpot_postgres_up": {LINK: 0}}, "stop", "Postgres: does not answer"),
        (MONEY, {"jackpot_postgres_durable": {LINK: 0}}, "stop", "Commits on every disk that may take over: no"),
        (FRESH, {"jackpot_redis_up": {(): 0}}, "stop", "Redis: is not read"),
        (FRESH, {"jackpot_snapshot_age_seconds": {LINK: 12}}, "warn", "Since a snapshot came over Redis: 12 s"),
        (FRESH, {"jackpot_boards_stale": {LINK: 2}}, "warn", "Boards stale: 2"),
        (FRESH, {"jackpot_boards_wrong": {LINK: 1}}, "stop", "Boards with a wrong amount: 1"),
        (FRESH, {"jackpot_table_linked": {labelled(table="T1"): 0}}, "warn", "Table T1: refused"),
        (FRESH, {"jackpot_table_round_open_seconds": {labelled(table="T1"): 700}}, "warn", "Table T1: round open"),
        (FRESH, {"jackpot_table_clock_skew_seconds": {labelled(table="T1"): -90}}, "warn", "Table T1: clock -90 s"),
        (FRESH, {"jackpot_table_last_round_age_seconds": {labelled(table="T2"): 240}}, "warn",
         "Table T2: not connected here, last round 4 min ago"),
        (HITS, {"jackpot_hits": {labelled(state="pending"): 1}}, "warn", "Hits pending: 1"),
        (HITS, {"jackpot_hits": {labelled(state="pending"): 1},
                "jackpot_hit_oldest_age_seconds": {labelled(state="pending"): 660}}, "stop",
         "Hits pending: 1, oldest 11 min"),
        (LIMITS, {"jackpot_queue_oldest_age_seconds": {LINK: 3}}, "warn", "Oldest of them: 3 s"),
        (LIMITS, {"jackpot_postgres_connections": {(): 95}}, "warn", "Connections of Postgres: 95%"),
        (LIMITS, {"jackpot_disk_free_bytes": {(): 5e9}}, "warn", "Disk free: 5%"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_seen_by_its_question(
    question: str, changed: Mapping[str, Mapping[tuple[tuple[str, str], ...], float]], state: str, words: str
) -> None:
    """One thing wrong: its question says so first, the others stay well but where players feel it as well."""
    found = asked(changed)
    assert (found[question].state, found[question].words[: len(words)]) == (state, words)
    felt_too = {FELT} if changed.keys() & {"jackpot_link_status", "jackpot_snapshot_age_seconds"} else set()
    assert {name for name, each in found.items() if each.state != "ok"} == {question} | felt_too


@pytest.mark.parametrize(
    ("changed", "state", "words"),
    [
        ({"jackpot_link_status": {labelled(status="stopped"): 1}}, "stop", "Link: stopped"),
        ({"jackpot_link_status": {labelled(status="stopped"): 0, labelled(status="ledger_unreachable"): 1}},
         "warn", "Link: ledger not reachable"),
        ({"jackpot_snapshot_age_seconds": {LINK: 12}}, "warn", "Since a snapshot came over Redis: 12 s"),
    ],
)  # fmt: skip
def test_what_stands_still_is_not_called_prompt(
    changed: Mapping[str, Mapping[tuple[tuple[str, str], ...], float]], state: str, words: str
) -> None:
    """Who waits is in no percentile: while the link stands still, players are not said to be answered promptly."""
    felt = asked(changed)[FELT]
    assert (felt.state, felt.words) == (state, words)


@pytest.mark.parametrize("name", [name for name in well() if name != "jackpot_table_connected"])
def test_what_nobody_tells_is_never_called_well_unless_it_may_be_absent(name: str) -> None:
    """Take any one family away: either the page says no data, or it is one that a link may be without."""
    optional = {
        "jackpot_table_linked", "jackpot_table_last_round_age_seconds", "jackpot_table_round_open_seconds",
        "jackpot_table_clock_skew_seconds", "jackpot_disk_free_bytes", "jackpot_disk_bytes",
        "jackpot_tables_enrolled", "jackpot_hit_oldest_age_seconds",
    }  # fmt: skip
    history = History()
    for elapsed in (0, 60):
        history.take(Sample(elapsed, elapsed, {each: value for each, value in well().items() if each != name}))
    states = {each.state for each in answers(history, "south", currency="AUD")}
    assert ("none" in states) or name in optional


def test_every_family_the_page_reads_is_declared() -> None:
    """A family that is renamed takes the page with it, or this test."""
    read = set(re.findall(r'"(jackpot_[a-z0-9_]+)"', Path(duty_questions.__file__).read_text(encoding="utf-8")))
    assert read - {family.name for family in FAMILIES} == set()


@pytest.mark.parametrize(
    ("alert", "limit"),
    [
        ("JackpotAuditTooOld", duty_questions.AUDIT_TOO_OLD_S),
        ("JackpotAnswerSlow", duty_questions.ANSWER_SLOW_S),
        ("JackpotBoardSlow", duty_questions.DISPLAY_SLOW_S),
        ("JackpotRoundOpen", duty_questions.ROUND_OPEN_S),
        ("JackpotClockSkew", duty_questions.SKEW_S),
        ("JackpotHitUnverified", duty_questions.UNVERIFIED_S),
        ("JackpotHitUnpaid", duty_questions.UNPAID_S),
        ("JackpotQueueGrowing", duty_questions.QUEUE_S),
        ("JackpotCommitSlow", duty_questions.COMMIT_SLOW_S),
        ("JackpotDiskLow", duty_questions.DISK_LOW),
    ],
)
def test_the_page_has_the_limits_of_the_alerts(alert: str, limit: float) -> None:
    """Whoever is woken by an alert finds the page saying the same."""
    rules = (ROOT / "deploy/prometheus/rules/alerts.yml").read_text(encoding="utf-8")
    rule = re.search(rf"- alert: {alert}\n(.*?)\n\s+for:", rules, re.DOTALL)
    assert rule is not None
    assert float(re.findall(r"[<>] ([0-9.]+)", rule[1])[-1]) == limit
