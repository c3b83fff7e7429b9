"""Which families does the server show Prometheus, each with its labels? Declared here, once, and nowhere else.

Rules and dashboards are written on these names. A label's values are known before anybody connects: links and tables
are those enrolled, all others are members of a closed list or `other` (case 36). Money is in cents (a gauge is exact up
to 2**53 of them, $90 billion thousandfold); time is in seconds; an age is worked out when somebody asks for it.

| label | values |
| --- | --- |
| `link`, `table` | those the site has opened and enrolled; `other` for a table of no link |
| `pool` | the pools of the link's terms |
| `screen` | the site's boards by name, the setting `screens` |
| `account` | `pool/NAME`, `overflow/NAME`, `reserve`, `retained` |
| `part` | `pools`, `reserve`, `overflow`, `payable` |
| `state` | a hit's: `jackpot.core.hits.MOVES` |
| `code` | a refusal's: `jackpot.wire.refusals`, and `wrong_key`, `no_protocol` |
| `rule` | `VOID_RULES`, else `other` |
| `cause` | `jackpot.core.accounts.CAUSES` |
| `prize` | the five of rule 11.7 |
"""

from typing import Final

from jackpot.serving.metrics import Family
from rules.irregularities.voiding import FORFEITS
from rules.irregularities.voiding import VOID_RULES as VOIDED_BY

__all__ = [
    "ALARMS",
    "AUDITS",
    "CHANGES",
    "FAMILIES",
    "HELLO_CODES",
    "IGNORED",
    "MESSAGES",
    "STATUSES",
    "TASKS",
    "VOID_RULES",
]

STATUSES: Final = ("running", "stopped", "ledger_behind", "ledger_unreachable")
"""What a link can be, as snapshots say it."""
ALARMS: Final = (
    "gap",
    "disputed",
    "prize_voided",
    "quarantined",
    "stale_display",
    "hello_refused",
    "id_reused",
    "kept_aside",
    "board_differs",
    "snapshot_ahead",
)
"""Facts somebody must look at.

`board_differs`: a board shows what this ledger never held; `snapshot_ahead`: Redis' retained copy is past the ledger
that was found at start (case 38).
"""
IGNORED: Final = ("unreadable", "signature", "replayed", "older")
"""Why a snapshot that came over Redis was not taken."""
MESSAGES: Final = ("hello", "ask", "signed", "wagers", "withdraw", "record", "void", "handing_in")
"""Kinds of frames that a table sends."""
HELLO_CODES: Final = ("wrong_key", "no_protocol")
"""Why a hello is refused before the link is asked, beside what `jackpot.wire.refusals` has."""
CHANGES: Final = ("began", "terms", "status", "takeover")
"""What a graph is marked with: this process took the link up, other terms are in force, the link stopped, runs again
or was not reachable, another process has posted."""
AUDITS: Final = ("ok", "differences", "failed")
"""How an audit ends."""
TASKS: Final = (
    "poster",
    "publisher",
    "state",
    "site",
    "hearing",
    "beats",
    "checkpoint",
    "duty",
    "tables",
    "lag",
    "database",
    "audit",
)
"""Parts of the server that run for ever."""
VOID_RULES: Final = (*VOIDED_BY, FORFEITS)
"""The rules under which a round or a hand has no result, or its wagers are forfeited: those that the ledger knows.

A rule below one of them (`CSP 14.9.2`) is counted as it.
"""

_BATCHES = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512)
_QUICK = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 1, 5)
_ANSWERS = (0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 15)
_DISPLAYS = (0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1, 2, 5, 30)


def _counter(name: str, words: str, *labels: str, unit: str = "") -> Family:
    return Family(name, "counter", labels, words, unit)


def _gauge(name: str, words: str, *labels: str, unit: str = "") -> Family:
    return Family(name, "gauge", labels, words, unit)


def _seconds(name: str, words: str, *labels: str) -> Family:
    return Family(name, "gauge", labels, words, "seconds")


def _cents(name: str, words: str, *labels: str) -> Family:
    return Family(name, "gauge", labels, words, "cents")


def _spread(name: str, words: str, buckets: tuple[float, ...], *labels: str, unit: str = "seconds") -> Family:
    return Family(name, "histogram", labels, words, unit, buckets)


LINK: Final = (
    _cents("jackpot_meter_cents", "The meter as shown.", "link", "pool"),
    _cents("jackpot_meter_seed_cents", "What the pool starts again from.", "link", "pool"),
    _cents("jackpot_meter_limit_cents", "The pool's limit by its terms; no series without one.", "link", "pool"),
    _cents("jackpot_reserve_cents", "The reserve: players' money without a meter.", "link"),
    _cents("jackpot_reserve_limit_cents", "The reserve's limit by the terms; no series without one.", "link"),
    _cents("jackpot_liability_cents", "What is owed to players, by where it stands.", "link", "part"),
    _gauge("jackpot_epoch", "How often the pool was seeded.", "link", "pool"),
    _gauge("jackpot_commit", "The last commit.", "link"),
    _gauge("jackpot_generation", "The ledger's life.", "link"),
    _seconds(
        "jackpot_ledger_time_ahead_seconds",
        "How far the ledger's time is ahead of this server's clock; 0: not. No batch is dated before the last.",
        "link",
    ),
    _gauge("jackpot_link_status", "1 for the status the link has.", "link", "status"),
    _gauge("jackpot_terms_info", "1 for the terms in force, by their fingerprint.", "link", "terms"),
    _gauge("jackpot_terms_version", "The version of the terms in force.", "link"),
    _gauge(
        "jackpot_last_change_timestamp_seconds",
        "When it changed last, as this process saw it; 0: not since it started.",
        "link",
        "change",
        unit="seconds",
    ),
)
MONEY: Final = (
    _counter("jackpot_wagers_accepted_total", "Qualifying wagers accepted.", "link"),
    _counter("jackpot_wagers_cents_total", "Cents of qualifying wagers accepted.", "link", unit="cents"),
    _counter("jackpot_wagers_reversed_total", "Accepted wagers given back, by how.", "link", "kind"),
    _counter("jackpot_refusals_total", "Refusals, final and later.", "link", "code"),
    _counter("jackpot_increments_cents_total", "Where accepted wagers went.", "link", "account", unit="cents"),
    _counter("jackpot_moved_cents_total", "Money moved between accounts, by cause.", "link", "cause", unit="cents"),
    _counter("jackpot_awards_total", "Prizes awarded.", "link", "prize"),
    _counter("jackpot_award_cents_total", "Cents awarded.", "link", "prize", unit="cents"),
    _counter("jackpot_voids_total", "Rounds and hands without a result, by the rule.", "link", "rule"),
    _counter("jackpot_rounds_total", "Rounds by how they ended.", "link", "kind"),
    _counter("jackpot_alarms_total", "Facts somebody must look at.", "link", "kind"),
)
HITS: Final = (
    _gauge("jackpot_hits", "Hits known here, by state.", "link", "state"),
    _seconds(
        "jackpot_hit_oldest_age_seconds", "How long ago the oldest hit in this state was won; 0: none.", "link", "state"
    ),
)
POSTING: Final = (
    _gauge("jackpot_queue", "Commands that wait to be decided.", "link"),
    _seconds("jackpot_queue_oldest_age_seconds", "How long the oldest of them waits.", "link"),
    _seconds("jackpot_batch_under_way_seconds", "How long the batch in hand has no outcome; 0: none in hand.", "link"),
    _spread("jackpot_batch_commands", "Commands decided together.", _BATCHES, "link", unit=""),
    _spread("jackpot_batch_seconds", "From taking commands to their commit.", _QUICK, "link"),
    _spread("jackpot_commit_seconds", "The statement that commits a batch.", _QUICK, "link"),
    _counter("jackpot_batch_bytes_total", "Bytes of batches.", "link", unit="bytes"),
    _counter("jackpot_batches_decided_again_total", "Batches decided again under the lock.", "link", "reason"),
    _counter("jackpot_outcomes_unknown_total", "Commits whose outcome was not known.", "link"),
    _counter("jackpot_batches_refused_total", "Batches the database refused, other than by the fence.", "link"),
    _gauge("jackpot_kept_aside", "Commands kept aside in the ledger with their errors.", "link"),
    _counter("jackpot_invariant_stops_total", "Times a broken invariant stopped the link.", "link"),
    _spread("jackpot_answer_seconds", "From a table's wagers to their answer.", _ANSWERS, "link"),
)
TABLES: Final = (
    _gauge("jackpot_tables_enrolled", "Tables enrolled on the link.", "link"),
    _gauge("jackpot_tables_connected", "Tables whose hello was accepted and whose connection is up.", "link"),
    _gauge("jackpot_tables", "Tables by how the ledger has them.", "link", "status"),
    _gauge("jackpot_table_connected", "1 while the table is connected to this process.", "link", "table"),
    _gauge("jackpot_table_elsewhere", "1 where another server beats and the last hello was not here.", "link", "table"),
    _gauge(
        "jackpot_table_linked", "1 where its wagers are taken: not refused, ejected or quarantined.", "link", "table"
    ),
    _seconds(
        "jackpot_table_last_round_age_seconds",
        "Since the table's last round ended, or since this process took the link up; absent: none has ended yet.",
        "link",
        "table",
    ),
    _gauge("jackpot_table_open_round", "The number of its oldest open round; absent: none is.", "link", "table"),
    _seconds("jackpot_table_round_open_seconds", "How long its round has been open; 0: none is.", "link", "table"),
    _seconds(
        "jackpot_table_clock_skew_seconds", "The table's time of day less the server's, as last told.", "link", "table"
    ),
    _gauge("jackpot_table_program_differs", "1 where it runs another program version.", "link", "table"),
    _counter("jackpot_hellos_refused_total", "Hellos refused, by code.", "link", "code"),
    _counter("jackpot_tables_ejected_total", "Connections ended because they are the table no more.", "link", "code"),
    _counter("jackpot_takeovers_total", "Connections of a table taken over by a newer one.", "link"),
    _counter("jackpot_frames_total", "Frames that tables sent, by kind.", "kind"),
    _counter("jackpot_frames_bad_total", "Frames that could not be read, or were not this table's.", "kind"),
)
DISPLAYS: Final = (
    _gauge("jackpot_boards_connected", "Boards that read the feed.", "link"),
    _gauge("jackpot_boards_reporting", "Boards that said in the last ten minutes what they show.", "link"),
    _gauge("jackpot_boards_stale", "Of those: without a true word for 15 s.", "link"),
    _seconds(
        "jackpot_screen_silent_seconds",
        "Since a screen of the site said what it shows, or since this process started.",
        "screen",
    ),
    _gauge("jackpot_boards_wrong", "Of those: showing what this ledger never held.", "link"),
    _seconds(
        "jackpot_win_unshown_seconds",
        "How long the oldest win that waits is on none of them; 0: none is, or no board says what it shows.",
        "link",
    ),
    _counter("jackpot_boards_dropped_total", "Boards that read too slowly and were dropped.", "link"),
    _seconds(
        "jackpot_snapshot_age_seconds",
        "Since a snapshot of the link came back over Redis, or since this process took the link up.",
        "link",
    ),
    _spread("jackpot_publish_seconds", "From a commit to its snapshot in Redis.", _DISPLAYS, "link"),
    _spread("jackpot_read_back_seconds", "From a snapshot in Redis to its coming back.", _DISPLAYS, "link"),
    _spread("jackpot_display_seconds", "From a commit to the feeds of boards.", _DISPLAYS, "link"),
    _gauge("jackpot_redis_up", "Whether the channel of snapshots is read."),
    _counter("jackpot_redis_reconnects_total", "Times the channel was lost and read again."),
    _counter("jackpot_redis_failures_total", "Snapshots that Redis did not take.", "link"),
    _counter("jackpot_snapshots_published_total", "Snapshots published, beats too.", "link"),
    _counter("jackpot_snapshots_ignored_total", "Snapshots that came over the channel and were not taken.", "reason"),
)
LEDGER: Final = (
    _gauge("jackpot_postgres_up", "Whether the link was read from Postgres in the last 3 seconds.", "link"),
    _gauge(
        "jackpot_postgres_durable",
        "Whether a commit is on every disk that may take over, as Postgres said when it was asked last.",
        "link",
    ),
    _gauge(
        "jackpot_postgres_connections", "Connections to the database, of all programs; no series while it is not seen."
    ),
    _gauge("jackpot_postgres_connections_limit", "Connections that Postgres allows; no series while it is not seen."),
    _gauge(
        "jackpot_postgres_database_bytes",
        "Size of the ledger's database; no series while it is not seen.",
        unit="bytes",
    ),
    _gauge("jackpot_disk_free_bytes", "Free on the disk of the data folder; no series without one.", unit="bytes"),
    _gauge("jackpot_disk_bytes", "Size of the disk of the data folder; no series without one.", unit="bytes"),
    _seconds("jackpot_audit_age_seconds", "Since an audit ended without difference, or since this process started."),
    _seconds("jackpot_audit_interval_seconds", "How often the server audits itself; 0: never."),
    _seconds("jackpot_audit_seconds", "How long the last audit took."),
    _gauge("jackpot_audit_differences", "Differences that the last audit found."),
    _gauge("jackpot_audit_commit", "The commit that the last audit reached.", "link"),
    _counter("jackpot_audits_total", "Audits that ended, by how.", "outcome"),
)
PROCESS: Final = (
    _gauge(
        "jackpot_build_info", "1: the program, its decide version and its protocol.", "version", "decide", "protocol"
    ),
    _gauge("jackpot_ready", "Whether /readyz says so."),
    _spread(
        "jackpot_event_loop_lag_seconds",
        "How late the event loop did what was due.",
        (0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5),
    ),
    Family(
        "jackpot_tls_certificate_expiry_timestamp_seconds",
        "gauge",
        (),
        "When the certificate shown to tables and boards ends; +Inf without TLS.",
        "seconds",
    ),
    _counter("jackpot_task_failures_total", "Parts of the server that failed and were begun again.", "task"),
)
FAMILIES: Final = (*LINK, *MONEY, *HITS, *POSTING, *TABLES, *DISPLAYS, *LEDGER, *PROCESS)
"""All but those of the process itself (`process_`, `python_`) and `jackpot_http_request_seconds`."""
