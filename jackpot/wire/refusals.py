"""Which answers mean "no", in order of precedence, and which of them are for ever.

A refusal is a value, not an exception. When several apply, the one that stands first here is given, so that
two processes always give the same. A *final* refusal is stored and is the id's answer for ever; a *later* one is
sent and counted, never stored: the table may ask again (PROTOCOL 3). Later are also those of an id that has no place
in the ledger yet: of a table or journal it does not know, or of a gaming month that has not begun. What people ask for
at the server and are refused is never stored either: they put it right and ask again.
"""

from enum import Enum


class Refusal(Enum):
    """A reason for "no": `code` on the wire, `final` if it is stored, `rule` its source, `text` its words."""

    LINK_STOPPED = ("link_stopped", False, "", "the link is stopped; nothing is lost, hand it in again when it runs")
    LEDGER_BEHIND = (
        "ledger_behind",
        False,
        "",
        "the ledger stands behind what was answered; nothing is lost, tables hand in what they hold",
    )
    LEDGER_UNREACHABLE = (
        "ledger_unreachable",
        False,
        "",
        "the ledger does not answer; keep the message and send it again",
    )
    BUSY = ("busy", False, "", "the server did not take the message in time; send it again")
    KEPT_ASIDE = (
        "kept_aside",
        False,
        "",
        "the server could not decide this message; it is kept with its error and people look at it",
    )
    ID_REUSED = ("id_reused", True, "", "this id was used before with other content")
    NOT_ENROLLED = ("not_enrolled", False, "", "the table is not enrolled on this link")
    UNKNOWN_JOURNAL = ("unknown_journal", False, "", "the ledger has granted no such journal to this table")
    WRONG_JOURNAL = ("wrong_journal", True, "", "the journal is not the one granted to this table")
    ROUND_VOIDED = ("round_voided", True, "CSP 5.7", "the round was declared void")
    ROUND_WITHDRAWN = ("round_withdrawn", True, "CSP 11.2", "the table went on without the jackpot in this round")
    ROUND_RECORDED = ("round_recorded", True, "CSP 5.7", "the round is already recorded")
    ROUND_OVERTAKEN = ("round_overtaken", True, "CSP 5.7", "a later round of this table has begun")
    WAGERS_TWICE = ("wagers_twice", True, "CSP 5.9", "the wagers of this round were already decided")
    TOO_OLD = ("too_old", True, "", "the round is over; only two people together may change it")
    MONTH_AHEAD = ("month_ahead", False, "", "the gaming month of the round has not begun; send it again")
    WRONG_MONTH = ("wrong_month", True, "", "the gaming month of the round is before that of the table's last")
    TABLE_CLOSED = ("table_closed", True, "CSP 11.9", "the table is not linked: its wagers stay out of the jackpot")
    OTHER_TERMS = ("other_terms", True, "CSP 11.9", "the wagers were made under other terms than the link's")
    ROUND_OPEN = ("round_open", False, "CSP 12.3", "a round that came before is still open")
    HIT_OPEN = ("hit_open", False, "CSP 9.5", "a hit of this table is not yet settled")
    SEAT_TWICE = ("seat_twice", True, "CSP 5.9", "only one wager is accepted on one area")
    NO_SUCH_SEAT = ("no_such_seat", True, "CSP 2.2", "the table has no such seat")
    NO_ANTE = ("no_ante", True, "CSP 11.1", "a jackpot wager needs an ante in the same round")
    NOT_QUALIFYING_WAGER = ("not_qualifying_wager", True, "CSP 5.4", "the wager is not exactly the qualifying wager")
    SENSOR_DIFFERS = ("sensor_differs", True, "CSP 11.2", "the sensor did not see what the dealer counted")
    NO_SUCH_HIT = ("no_such_hit", True, "", "the ledger holds no such hit")
    NO_SUCH_ROUND = ("no_such_round", True, "", "no such round of this table is on record")
    NO_SUCH_RULE = ("no_such_rule", True, "", "this is not done under this rule")
    RECORD_WRONG = ("record_wrong", True, "", "the record does not agree with its own cards, or with the ledger")
    NOTHING_OWED = ("nothing_owed", True, "CSP 14.16", "no more is to be recovered of this hit")
    ILLEGAL_MOVE = ("illegal_move", True, "", "the hit cannot make this move from the state it is in")
    SAME_PERSON = ("same_person", True, "", "two different people are asked for")
    NAME_NEEDED = ("name_needed", True, "", "the act needs a name, and none is given")
    REASON_NEEDED = ("reason_needed", True, "", "the act needs a reason")
    NO_SUCH_TABLE = ("no_such_table", True, "", "no such table is admitted to this link")
    NOT_HERE = ("not_here", True, "", "this act belongs to another chain")
    NOT_OPEN = ("not_open", True, "", "the link is not open yet")
    NOT_OFFERED = ("not_offered", True, "", "this move is not offered")
    BAD_TERMS = ("bad_terms", True, "CSP 11.6", "the terms cannot be read, or no casino could honour them")
    POOL_NOT_EMPTY = (
        "pool_not_empty",
        True,
        "CSP 11.5",
        "a pool that holds players' money cannot be left out of new terms",
    )
    TERMS_NOT_NEXT = ("terms_not_next", True, "CSP 11.6", "terms must be the link's own, with the next version number")
    LINK_EXISTS = ("link_exists", True, "", "the link is already open")
    NO_WORD = ("no_word", True, "", "an empty, damaged or older spool gets a journal only on a supervisor's word")
    CONNECTION_NOT_RISING = (
        "connection_not_rising",
        True,
        "",
        "the connection number does not rise: two agents may hold one spool",
    )
    QUARANTINED = ("quarantined", True, "", "the table is quarantined until a supervisor says which agent is the table")
    TERMS_DIFFER = ("terms_differ", True, "CSP 11.9", "the table's terms are not the link's")
    SETTINGS_DIFFER = ("settings_differ", True, "CSP 6.1", "the table's settings are not those approved for it")

    def __init__(self, code: str, final: bool, rule: str, text: str) -> None:  # noqa: FBT001 - the rows above are read as a table
        """Keep the row's columns as attributes."""
        self.code = code
        self.final = final
        self.rule = rule
        self.text = text


REFUSALS: dict[str, Refusal] = {refusal.code: refusal for refusal in Refusal}
"""Every refusal by its code on the wire."""
