"""Which lines do the two programs write into their logs? Each by its `event`, with what it says and its own fields.

Every line has `event`, `level`, `logger` and `timestamp` (UTC). One about a round has `link`, `table`, `round` and
`commit` too, where there is one: the link's last commit when it was told, which is its own commit or one of the same
batch. **Never** a password, a key, or a player's card (`jackpot.serving.logs.hide_secrets`).
"""

from collections.abc import Mapping
from typing import Final

__all__ = ["AGENT", "OF_ROUNDS", "SERVER"]

SERVER: Final[Mapping[str, str]] = {
    "serving": "The server is reached at an address, with these settings.",
    "metrics": "The table's own metrics are reached at an address.",
    "stopping": "The program was asked to end, by which signal.",
    "request": "A request was answered: method, route, status, ms.",
    "request_failed": "A request met a fault of the program.",
    "task_failed": "A part of the server failed and is begun again.",
    "certificate": "The certificate that is shown, and until when.",
    "certificate_expired": "The certificate that is shown has expired.",
    "certificate_not_renewed": "New files of a certificate cannot be used; the old one is shown on.",
    "link_begins": "A link works in this process: its commit and terms.",
    "link_status": "A link runs, is stopped, or its ledger is unreachable.",
    "link_stopped": "A broken invariant stopped a link: the reason and the evidence.",
    "stop_not_written": "The stop could not be written yet; nothing is posted meanwhile.",
    "stop_not_read": "Whether a stop was lifted could not be read.",
    "evidence_not_kept": "What could not be decided could not be kept yet.",
    "kept_aside": "A message could not be decided and is kept with its error.",
    "link_award": "A prize was awarded: hit, prize, cents.",
    "link_hit": "A hit was moved: by which move, to which state.",
    "link_fall": "A meter fell: pool and cause.",
    "link_voided": "A round or seats have no result: the rule.",
    "link_prize_voided": "A round was ended that holds a prize nobody was awarded: at which seats, by which word.",
    "link_gap": "Rounds are missing before this one.",
    "link_disputed": "The table and the server do not agree: the differences.",
    "link_quarantined": "Two agents may be one table: why.",
    "link_stale_display": "Wagers were made on a meter that had fallen since.",
    "link_hello_refused": "A hello was refused: code and fields.",
    "link_id_reused": "An id came again with other content: both digests.",
    "table_connected": "A table was welcomed: journal and program.",
    "table_replaced": "A newer connection of a table took over from an older.",
    "table_silent": "Nothing was heard of a table for 25 s over a connection that stood: it is let go.",
    "table_ejected": "A connection is the table no more: code; `round_amended` where it is to hear what people did.",
    "hello_of_nobody": "A hello came whose table had left: it was long on its way, and is not decided.",
    "hello_refused": "A hello was refused: code, and the fields that differ.",
    "board_shows": "A board shows an epoch for the first time.",
    "board_differs": "A board shows what this ledger never held.",
    "snapshot_not_taken": "Redis did not take a snapshot.",
    "snapshot_ahead": "What was last shown is past the ledger that was found at start.",
    "ledger_behind": "A ledger went back: what was seen of it that is no longer there; its link is stopped.",
    "handed_in": "A table handed in what a ledger that went back has lost: how many messages, and whether all.",
    "not_handed_in": "What a table handed in could not be kept: why.",
    "no_checkpoint_file": "Nothing outside Postgres and Redis says how far the ledger came.",
    "checkpoint_not_written": "How far the ledger came could not be written down at the end.",
    "self_check_without_redis": "What was last shown could not be read at start.",
    "redis_lost": "The channels of snapshots are not read any more.",
    "redis_back": "The channels of snapshots are read again.",
    "audited": "An audit found no difference: how far it came, seconds.",
    "audit_differs": "An audit found differences: how many.",
    "audit_difference": "One of them: table, row and column.",
    "audit_failed": "An audit could not be brought to its end.",
    "database_not_seen": "Postgres could not be asked for its size.",
}
"""Events of `jackpot`; some of them a table agent writes too."""
AGENT: Final[Mapping[str, str]] = {
    "welcome": "The server welcomed the table: journal and month.",
    "hello_refused": "The server refused the hello, in words.",
    "ejected": "The server says that the table is linked no more.",
    "session_lost": "The session ended, and why.",
    "no_session": "No session could be made, and why.",
    "send_failed": "A frame was lost with its connection.",
    "message_stuck": "A message had no answer for long; another connection is tried.",
    "put_off": "The server put a message off: code.",
    "answer_after_withdrawal": "An answer came too late to light anything; it is kept.",
    "round_taken_up": "A round that was open when the program began: how its jackpot wagers stand, and why.",
    "round_amended": "People ended the table's round at the server, or voided seats of it: by whom, under which rule.",
    "round_refused": "The end of a round was refused for good: it is over on the server by another word. People look.",
    "answer_unreadable": "An answer cannot be read; it is kept.",
    "award": "A prize of this table: hit, prize, cents.",
    "waits_for_payout": "A prize is not paid out, so that no round begins (CSP 9.5): hits, states and cents.",
    "payout_over": "No prize of this table is waited for any more.",
    "inspector_notified": "Play goes on without the jackpot (CSP 14.15).",
    "jackpot_back": "The jackpot is open again: a supervisor's approval to play on without it has ended.",
    "settings": "Approved settings were changed while the table is open: they hold when it opens next.",
    "not_now": "What was asked for cannot be now, and why.",
    "table_stopped": "A table could not go on: code and why.",
    "subscription_lost": "The subscription to snapshots ended; it is made again.",
    "snapshot_ignored": "A snapshot was not taken, and why.",
}
"""Events of `tablelink`."""
OF_ROUNDS: Final = frozenset(
    {
        "link_award",
        "link_voided",
        "link_prize_voided",
        "link_gap",
        "link_disputed",
        "link_stale_display",
        "link_id_reused",
        "link_hit",
        "award",
        "waits_for_payout",
        "payout_over",
    }
)
"""Events about a round that stands in the ledger: each has link, table, round and commit."""
