"""Which families does a table agent show Prometheus? Declared here, once, and nowhere else.

| label | values |
| --- | --- |
| `table` | the tables of this process |
| `link` | the links whose meters they show |
| `ended` | `recorded`, `voided` |
| `became` | of a seat: `accepted`, `refused`, `withdrawn`; of a snapshot: `tablelink.core.mirror.Verdict` |
| `became` | of a round without a link: `settled`, `refused`; of a move: `accepted`, `refused` |
| `game` | the five games (`rules.games`) |
| `money` | `staked`, `paid`, `returned` |
| `code` | a refusal's (`jackpot.wire.refusals`), `bad_frame`, else `other` |
| `word` | `welcome`, `refused` |
| `reason` | `tablelink.core.mirror.REASONS`: why the jackpot is closed |
| `step` | `tablelink.core.ladder.RUNGS`: how far the table is from all being well |
"""

from typing import Final

from jackpot.serving.metrics import Family

__all__ = ["FAMILIES", "HOSTED_FAMILIES"]


def _counter(name: str, words: str, *labels: str) -> Family:
    return Family(name, "counter", labels, words)


def _gauge(name: str, words: str, *labels: str, unit: str = "") -> Family:
    return Family(name, "gauge", labels, words, unit)


FAMILIES: Final = (
    _counter("tablelink_rounds_total", "Rounds that ended, by how.", "table", "ended"),
    _counter("tablelink_jackpot_seats_total", "Jackpot wagers, by what became of them.", "table", "became"),
    _counter("tablelink_played_on_total", "Rounds dealt while the jackpot was closed.", "table"),
    _counter(
        "tablelink_approvals_total",
        "Times a supervisor let play go on without the jackpot, and an inspector was notified.",
        "table",
    ),
    _counter("tablelink_put_off_total", "Messages that the server put off, by its code.", "table", "code"),
    _counter("tablelink_hellos_total", "Hellos that the server heard, by its word.", "table", "word"),
    _counter("tablelink_hellos_refused_total", "Hellos that were refused, by the server's code.", "table", "code"),
    _counter("tablelink_ejections_total", "Times the server said that the table is linked no more.", "table", "code"),
    _counter("tablelink_sessions_lost_total", "Sessions that ended and were not ended here.", "table"),
    _counter("tablelink_late_answers_total", "Answers that came after a withdrawal.", "table"),
    Family(
        "tablelink_answer_seconds",
        "histogram",
        (),
        "From wagers in the spool to their answer in the spool.",
        "seconds",
        (0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 15),
    ),
    _gauge("tablelink_table_running", "1 while the table is run; 0 once it could not go on.", "table"),
    _gauge("tablelink_jackpot_open", "1 while the table's jackpot is open.", "table"),
    _gauge("tablelink_jackpot_closed", "1 for each reason why it is closed.", "table", "reason"),
    _gauge("tablelink_degraded", "1 for the step of the ladder that the table is on.", "table", "step"),
    _gauge("tablelink_session_up", "1 while the server has welcomed this table.", "table"),
    _gauge("tablelink_messages_unanswered", "Messages in the spool without an answer.", "table"),
    _gauge(
        "tablelink_unanswered_oldest_age_seconds",
        "How long the oldest of them has been first in line; 0: none waits.",
        "table",
        unit="seconds",
    ),
    _gauge("tablelink_open_hits", "Hits of this table that are not paid out.", "table"),
    _gauge("tablelink_spool_bytes", "Size of the spool with its log.", "table", unit="bytes"),
    _gauge("tablelink_disk_free_bytes", "Free on the disk of the spool.", "table", unit="bytes"),
    _gauge("tablelink_mirror_fresh", "1 while the meter shown is live.", "link"),
    _gauge("tablelink_mirror_age_seconds", "Since a snapshot came live over Redis.", "link", unit="seconds"),
    _counter("tablelink_snapshots_total", "Snapshots that came, by what became of them.", "link", "became"),
    _counter("tablelink_snapshots_missed_total", "Snapshots that were sent and never came.", "link"),
    _counter("tablelink_subscriptions_lost_total", "Subscriptions that ended and were made again.", "link"),
    _gauge("tablelink_build_info", "1: the program and its protocol.", "version", "protocol"),
    Family(
        "tablelink_event_loop_lag_seconds",
        "histogram",
        (),
        "How late the event loop did what was due.",
        "seconds",
        (0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5),
    ),
)
"""All but those of the process itself (`process_`, `python_`) and `tablelink_http_request_seconds`."""

HOSTED_FAMILIES: Final = (
    _counter(
        "tablelink_hosted_rounds_total", "Rounds of a table without a link, by what became.", "table", "game", "became"
    ),
    _counter(
        "tablelink_hosted_moves_total", "Moves at a table without a link, by what became.", "table", "game", "became"
    ),
    _counter("tablelink_hosted_cents_total", "Money of settled rounds in cents, by kind.", "table", "game", "money"),
)
"""The families of a table that plays without a link."""
