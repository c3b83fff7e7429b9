"""The five answers: each wrong thing is seen by the question it belongs to, and limits are those of the alerts."""

import re
from collections.abc import Mapping
from math import inf
from pathlib import Path

import pytest

from jackpot.telemetry.families import ALARMS, FAMILIES
from jackpot.web import duty_questions, duty_tables
from jackpot.web.duty_questions import LINES, Answer, answers, point_now
from jackpot.web.duty_samples import EVERY_S, History, Sample

ROOT = Path(__file__).parents[3]
LINK = (("link", "south"),)


def labelled(**labels: str) -> tuple[tuple[str, str], ...]:
    """The labels of a series of the link."""
    return tuple(sorted({"link": "south", **labels}.items()))


def alarms(**kinds: int) -> dict[tuple[tuple[str, str], ...], float]:
    """How often each kind of alarm was raised: never, but for those named."""
    return {labelled(kind=kind): kinds.get(kind, 0) for kind in ALARMS}


def well(lags: int = 240) -> dict[str, dict[tuple[tuple[str, str], ...], float]]:
    """What a link says of itself that runs well, when the event loop was asked so often how late it is."""
    return {
        "jackpot_link_status": {
            labelled(status=status): status == "running" for status in ("running", "stopped", "ledger_unreachable")
        },
        "jackpot_invariant_stops_total": {LINK: 0},
        "jackpot_audit_differences": {(): 0},
        "jackpot_audit_age_seconds": {(): 60},
        "jackpot_audit_interval_seconds": {(): 86_400},
        "jackpot_audits_total": {(("outcome", "ok"),): 1, (("outcome", "differences"),): 0},
        "jackpot_alarms_total": alarms(),
        "jackpot_voids_total": {labelled(rule="other"): 0, labelled(rule="CSP 14.4"): 9},
        "jackpot_moved_cents_total": {labelled(cause="award"): 0},
        "jackpot_outcomes_unknown_total": {LINK: 0},
        "jackpot_kept_aside": {LINK: 0},
        "jackpot_ledger_time_ahead_seconds": {LINK: 0},
        "jackpot_postgres_up": {LINK: 1},
        "jackpot_postgres_durable": {LINK: 1},
        "jackpot_liability_cents": {labelled(part="pools"): 5_000_000, labelled(part="reserve"): 100},
        "jackpot_wagers_accepted_total": {LINK: 100},
        "jackpot_refusals_total": {labelled(code="too_late"): 3},
        "jackpot_answer_seconds_count": {LINK: 0},
        "jackpot_display_seconds_count": {LINK: 0},
        "jackpot_commit_seconds_count": {LINK: 0},
        "jackpot_event_loop_lag_seconds_count": {(): lags},
        "jackpot_event_loop_lag_seconds_bucket": {(("le", "0.25"),): lags, (("le", "+Inf"),): lags},
        "jackpot_snapshot_age_seconds": {LINK: 0.2},
        "jackpot_redis_up": {(): 1},
        "jackpot_tables_connected": {LINK: 1},
        "jackpot_tables_enrolled": {LINK: 2},
        "jackpot_tables": {labelled(status="linked"): 2, labelled(status="quarantined"): 0},
        "jackpot_boards_connected": {LINK: 3},
        "jackpot_boards_reporting": {LINK: 3},
        "jackpot_win_unshown_seconds": {LINK: 0},
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
        "jackpot_batch_under_way_seconds": {LINK: 0},
        "jackpot_tls_certificate_expiry_timestamp_seconds": {(): inf},
        "jackpot_task_failures_total": {(("task", "poster"),): 0},
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
    history.take(Sample(0, 0, well(0)))
    history.take(Sample(6 * EVERY_S, 60_000, {**well(), **changed}))
    return {each.question: each for each in answers(history, "south", currency="AUD")}


FOR_OTHERS = ("jackpot_table_connected", "jackpot_event_loop_lag_seconds_count", "jackpot_moved_cents_total")
"""Series that are only read beside others."""
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
        (MONEY, {"jackpot_audit_differences": {(): 2}}, "stop", "Audit differences: 2"),
        (MONEY, {"jackpot_audit_age_seconds": {(): 100_000}}, "warn", "Since the last clean audit: 27.8 h"),
        (MONEY, {"jackpot_outcomes_unknown_total": {LINK: 2}}, "warn", "Commits of unknown outcome, 15 min: 2"),
        (MONEY, {"jackpot_kept_aside": {LINK: 1}}, "warn", "Commands kept aside: 1"),
        (MONEY, {"jackpot_ledger_time_ahead_seconds": {LINK: 259_200}}, "warn",
         "Ledger's time ahead of this clock: 72 h"),
        (MONEY, {"jackpot_audits_total": {(("outcome", "ok"),): 0}}, "none",
         "Since the last clean audit: none yet since this process started"),
        (MONEY, {"jackpot_audits_total": {(("outcome", "ok"),): 0}, "jackpot_audit_interval_seconds": {(): 0}}, "none",
         "Since the last clean audit: none yet: the server never audits itself"),
        (MONEY, {"jackpot_alarms_total": alarms(gap=1)}, "warn", "Messages of tables missing, 15 min: 1"),
        (MONEY, {"jackpot_alarms_total": alarms(prize_voided=1)}, "warn", "Rounds voided that held a prize, 15 min: 1"),
        (MONEY, {"jackpot_voids_total": {labelled(rule="other"): 1}}, "warn", "Voids by no rule that voids, 15 min: 1"),
        (MONEY, {"jackpot_alarms_total": alarms(id_reused=2)}, "warn", "Ids used again, 15 min: 2"),
        (FRESH, {"jackpot_alarms_total": alarms(stale_display=3)}, "warn",
         "Rounds on a meter that had fallen, 14 min: 3"),
        (MONEY, {"jackpot_postgres_durable": {LINK: 0}}, "stop", "Commits on every disk that may take over: no"),
        (FRESH, {"jackpot_boards_reporting": {LINK: 0}}, "none", "Boards that say what they show: none of 3"),
        (FRESH, {"jackpot_win_unshown_seconds": {LINK: 40}}, "stop", "Oldest win on no board: 40 s"),
        (FRESH, {"jackpot_snapshot_age_seconds": {LINK: 12}}, "warn", "Since a snapshot came over Redis: 12 s"),
        (FRESH, {"jackpot_boards_stale": {LINK: 2}}, "warn", "Boards stale: 2"),
        (FRESH, {"jackpot_screen_silent_seconds": {(("screen", "hall1"),): 61, (("screen", "bar2"),): 9}}, "warn",
         "Screens silent: hall1"),
        (FRESH, {"jackpot_boards_wrong": {LINK: 1}}, "stop", "Boards with a wrong amount: 1"),
        (FRESH, {"jackpot_tables": {labelled(status="quarantined"): 1}}, "warn", "Tables quarantined: 1"),
        (FRESH, {"jackpot_table_linked": {labelled(table="T1"): 0}}, "warn", "Table T1: refused"),
        (FRESH, {"jackpot_table_round_open_seconds": {labelled(table="T1"): 700}}, "warn", "Table T1: round open"),
        (FRESH, {"jackpot_table_clock_skew_seconds": {labelled(table="T1"): -90}}, "warn", "Table T1: clock -90 s"),
        (FRESH, {"jackpot_table_last_round_age_seconds": {labelled(table="T2"): 240}}, "warn",
         "Table T2: not connected here, no round for 4 min"),
        (HITS, {"jackpot_hits": {labelled(state="pending"): 1}}, "warn", "Hits pending: 1"),
        (HITS, {"jackpot_hits": {labelled(state="pending"): 1},
                "jackpot_hit_oldest_age_seconds": {labelled(state="pending"): 660}}, "stop",
         "Hits pending: 1, oldest 11 min"),
        (LIMITS, {"jackpot_queue_oldest_age_seconds": {LINK: 3}}, "warn", "Oldest of them: 3 s"),
        (LIMITS, {"jackpot_batch_under_way_seconds": {LINK: 9}}, "warn", "Batch in hand: 9 s"),
        (LIMITS, {"jackpot_tls_certificate_expiry_timestamp_seconds": {(): 60 + 86_400}}, "warn",
         "Certificate: ends in 24 h"),
        (LIMITS, {"jackpot_task_failures_total": {(("task", "poster"),): 4}}, "warn", "Part poster: failed 4 times"),
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


def test_nothing_is_called_fresh_while_the_ledger_is_not_reachable() -> None:
    """Boards say NOT LIVE then, whatever still comes over Redis."""
    found = asked({"jackpot_link_status": {labelled(status="stopped"): 0, labelled(status="ledger_unreachable"): 1}})
    assert (found[MONEY].state, found[MONEY].words) == ("warn", "Link: ledger not reachable")
    assert (found[FRESH].state, found[FRESH].words) == ("warn", "Meters: not live while the ledger is not reachable")


def test_nothing_that_only_the_ledger_tells_is_called_well_while_it_does_not_answer() -> None:
    """Postgres stands still: no question is answered well, whatever stood there before, and the words say why."""
    found = asked({"jackpot_postgres_up": {LINK: 0}, "jackpot_postgres_durable": {LINK: 0}})
    assert (found[MONEY].state, found[MONEY].words) == ("stop", "Postgres: does not answer")
    assert {found[name].state for name in (FELT, HITS, LIMITS, FRESH)} == {"none"}
    assert {found[name].words for name in (FELT, HITS, LIMITS, FRESH)} == {"Not known while Postgres does not answer."}
    assert found[HITS].facts[0].now == "not known while Postgres does not answer, last 0"
    well_still = {fact.what for each in found.values() for fact in each.facts if fact.state == "ok"}
    assert well_still == {
        "Rounds on a meter that had fallen, 14 min", "Rounds voided that held a prize, 15 min", "Event loop late, p99",
        "Voids by no rule that voids, 15 min", "Commits of unknown outcome, 15 min", "Invariants broken since start",
        "Messages of tables missing, 15 min", "Since a snapshot came over Redis", "Since the last clean audit", "Redis",
        "Boards with a wrong amount", "Ids used again, 15 min", "Memory of the server", "Commands that wait", "Link",
        "Audit differences", "Tables connected", "Boards connected", "Oldest of them", "Batch in hand", "Boards stale",
        "Disk free",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("changed", "gaps"),
    [
        ({}, {"answers", "displays", "commits"}),  # nothing was answered in that minute
        ({"jackpot_redis_up": {(): 0}}, {"answers", "displays", "commits"}),
        ({"jackpot_postgres_up": {LINK: 0}}, {"owed", "wagers", "answers", "displays", "hits", "commits"}),
    ],
)
def test_a_chart_has_a_gap_where_nothing_is_known(
    changed: Mapping[str, Mapping[tuple[tuple[str, str], ...], float]], gaps: set[str]
) -> None:
    """No line goes on at its last figure while what tells it does not answer."""
    history = History()
    history.take(Sample(0, 0, well(0)))
    history.take(Sample(6 * EVERY_S, 60_000, {**well(), **changed}))
    assert {line for line in LINES if point_now(history, "south", line) is None} == gaps


def test_what_the_ledger_said_was_wrong_is_wrong_still_while_it_does_not_answer() -> None:
    """A hit that waited when Postgres was last read is not forgotten because Postgres stands still."""
    found = asked({"jackpot_postgres_up": {LINK: 0}, "jackpot_hits": {labelled(state="pending"): 1}})
    assert (found[HITS].state, found[HITS].words) == ("warn", "Hits pending: 1, oldest 0 ms")


def test_boards_are_not_called_prompt_while_redis_is_not_read() -> None:
    """What reaches boards goes by way of Redis."""
    found = asked({"jackpot_redis_up": {(): 0}})
    assert (found[FRESH].state, found[FRESH].words) == ("stop", "Redis: is not read")
    assert found[FELT].words == "Not known while Redis does not answer."
    assert {found[name].state for name in (MONEY, HITS, LIMITS)} == {"ok"}


def test_a_link_of_which_nothing_was_heard_is_not_called_running() -> None:
    """A link that this process has just taken up, with no status yet, is no data."""
    statuses = dict.fromkeys((labelled(status=each) for each in ("running", "stopped", "ledger_unreachable")), 0)
    assert asked({"jackpot_link_status": statuses})[MONEY].words == "Link: no data"


def test_an_event_loop_that_nobody_asks_is_not_called_quick() -> None:
    """It is asked four times a second: where nothing was noted, who asks has stopped."""
    history = History()
    for elapsed in (0, 60):
        history.take(Sample(elapsed, elapsed, well()))
    limits = answers(history, "south", currency="AUD")[-1]
    assert (limits.state, limits.words) == ("none", "Event loop late, p99: none in 5 min")


@pytest.mark.parametrize(
    ("tables", "boards", "words"),
    [
        (0, 0, "None is connected."),
        (1, 3, "Yes, all that are connected: 1 table, 3 boards."),
        (2, 1, "Yes, all that are connected: 2 tables, 1 board."),
    ],
)
def test_all_are_fresh_says_how_many_all_are(tables: int, boards: int, words: str) -> None:
    """Nobody reads "all of them" of none."""
    fresh = asked({"jackpot_tables_connected": {LINK: tables}, "jackpot_boards_connected": {LINK: boards}})[FRESH]
    assert (fresh.state, fresh.words) == ("ok", words)


def test_a_server_that_answered_no_wager_does_not_call_its_answers_prompt() -> None:
    """Nothing is wrong there, and nothing was seen to be quick."""
    assert asked({})[FELT].words == "Nothing is wrong; no wager was answered here in 5 min."
    buckets = {labelled(le=each): 20.0 for each in ("0.1", "+Inf")}
    assert asked({"jackpot_answer_seconds_bucket": buckets})[FELT].words == "Prompt answers and boards."


NOT_HERE = {
    "JackpotServerDown": "then this page does not answer, and says so",
    "JackpotExporterAbsent": "then this page does not answer, and says so",
    "JackpotDeadMansSwitch": "it is about Prometheus",
    "JackpotBoardsMissing": "it compares with the hour before; the page draws the hour",
    "JackpotTableUnwatched": "it compares what two programs tell",
    "JackpotSpoolBacklog": "the agents tell it",
    "JackpotTableDiskLow": "the agents tell it",
}
"""Alerts for which the page has no fact, and why."""


def page_source() -> str:
    """Whatever reads families for the page."""
    return "".join(Path(str(each.__file__)).read_text(encoding="utf-8") for each in (duty_questions, duty_tables))


def test_the_page_is_never_calm_while_an_alert_fires() -> None:
    """Each alert is about a family that the page reads too, or it is said why the page cannot have it."""
    read = page_source()
    rules = (ROOT / "deploy/prometheus/rules/alerts.yml").read_text(encoding="utf-8")
    recorded = {
        "link:invariant_broken:max": "jackpot_invariant_stops_total",
        "link:answer_seconds:p99_5m": "jackpot_answer_seconds",
        "link:display_seconds:p99_5m": "jackpot_display_seconds",
        "link:commit_seconds:p99_5m": "jackpot_commit_seconds",
        "tablelink_hellos_refused_total": "jackpot_table_linked",
    }
    unread = set()
    for name, expression in re.findall(r"- alert: (\w+)\n\s+expr:(.*?)\n\s+(?:for|labels):", rules, re.DOTALL):
        families = [recorded.get(family, family) for family in re.findall(r"[a-z][\w:]+", expression)]
        kinds = re.findall(r'kind="\w+"', expression)
        if not any(f'"{family}"' in read for family in families) or not all(kind in read for kind in kinds):
            unread.add(name)
    assert unread - NOT_HERE.keys() == set()
    assert "JackpotHitUnverified" not in unread


@pytest.mark.parametrize("name", [name for name in well() if name not in FOR_OTHERS])
def test_what_nobody_tells_is_never_called_well_unless_it_may_be_absent(name: str) -> None:
    """Take any one family away: either the page says no data, or it is one that a link may be without."""
    optional = {
        "jackpot_table_last_round_age_seconds", "jackpot_table_round_open_seconds", "jackpot_table_clock_skew_seconds",
        "jackpot_table_linked", "jackpot_tables_enrolled", "jackpot_disk_free_bytes", "jackpot_disk_bytes",
        "jackpot_hit_oldest_age_seconds", "jackpot_task_failures_total", "jackpot_audit_interval_seconds",
    }  # fmt: skip
    history = History()
    for lags in (0, 240):
        history.take(Sample(lags, lags, {each: value for each, value in well(lags).items() if each != name}))
    states = {each.state for each in answers(history, "south", currency="AUD")}
    assert ("none" in states) or name in optional


def test_wagers_on_the_old_meter_just_after_a_jackpot_are_no_reason_to_look() -> None:
    """Each table may still have wagered on the meter that it showed: told, and calm."""
    award = {"jackpot_moved_cents_total": {labelled(cause="award"): 5_000_000}}
    fresh = asked({"jackpot_alarms_total": alarms(stale_display=3), **award})[FRESH]
    (rounds,) = [fact for fact in fresh.facts if fact.what.startswith("Rounds on a meter")]
    assert (fresh.state, rounds.state, rounds.now) == ("ok", "ok", "3, just after a jackpot")


def test_a_table_that_is_only_enrolled_is_told_and_is_no_reason_to_look() -> None:
    """Not connected and without a round yet it is not late: the page stays calm, and says so of the table."""
    played = {labelled(table="T1"): 20}
    fresh = asked({"jackpot_table_last_round_age_seconds": played})[FRESH]
    (table,) = [fact for fact in fresh.facts if fact.what == "Table T2"]
    assert (fresh.state, table.state, table.now) == ("ok", "ok", "not connected here, no round yet")


ELSEWHERE = {"jackpot_table_elsewhere": {labelled(table="T1"): 0, labelled(table="T2"): 1}}


@pytest.mark.parametrize(
    ("ended_s", "state", "now"),
    [
        (90, "ok", "not connected here, no round for 90 s; another server is up"),
        (900, "none", "not connected here, no round for 15 min: ask the other server"),
    ],
)
def test_a_table_of_another_server_is_not_missed_here(ended_s: int, state: str, now: str) -> None:
    """While its rounds go on it is well; then this process does not know, and neither warns nor calls it well."""
    fresh = asked({**ELSEWHERE, "jackpot_table_last_round_age_seconds": {labelled(table="T2"): ended_s}})[FRESH]
    (table,) = [fact for fact in fresh.facts if fact.what == "Table T2"]
    assert (fresh.state, table.state, table.now) == (state, state, now)
    if state == "ok":
        assert fresh.words == "Yes, all that are connected here: 1 table, 3 boards."


def test_every_family_the_page_reads_is_declared() -> None:
    """A family that is renamed takes the page with it, or this test."""
    read = set(re.findall(r'"(jackpot_[a-z0-9_]+)"', page_source()))
    assert read - {family.name for family in FAMILIES} == set()


@pytest.mark.parametrize(
    ("alert", "limit"),
    [
        ("JackpotAuditTooOld", duty_questions.AUDIT_TOO_OLD_S),
        ("JackpotAnswerSlow", duty_questions.ANSWER_SLOW_S),
        ("JackpotBoardSlow", duty_questions.DISPLAY_SLOW_S),
        ("JackpotRoundOpen", duty_tables.ROUND_OPEN_S),
        ("JackpotClockSkew", duty_tables.SKEW_S),
        ("JackpotLedgerTimeAhead", duty_questions.AHEAD_S),
        ("JackpotHitUnverified", duty_questions.UNVERIFIED_S),
        ("JackpotHitUnpaid", duty_questions.UNPAID_S),
        ("JackpotQueueGrowing", duty_questions.QUEUE_S),
        ("JackpotCommitSlow", duty_questions.COMMIT_SLOW_S),
        ("JackpotDiskLow", duty_questions.DISK_LOW),
        ("JackpotWinNotOnDisplays", duty_questions.UNSHOWN_S),
        ("JackpotScreenSilent", duty_questions.SCREEN_SILENT_S),
        ("JackpotCertificateEnds", duty_questions.CERTIFICATE_S),
        ("JackpotPartFailing", duty_questions.FAILURES),
    ],
)
def test_the_page_has_the_limits_of_the_alerts(alert: str, limit: float) -> None:
    """Whoever is woken by an alert finds the page saying the same."""
    rules = (ROOT / "deploy/prometheus/rules/alerts.yml").read_text(encoding="utf-8")
    rule = re.search(rf"- alert: {alert}\n(.*?)\n\s+for:", rules, re.DOTALL)
    assert rule is not None
    assert float(re.findall(r"[<>] ([0-9.]+)", rule[1])[-1]) == limit
