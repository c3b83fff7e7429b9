"""How a table stands with the server and with its jackpot: what was said to it last, and how long it waits.

Knows no connection and no step; the agent tells it what happens.
"""

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from jackpot.wire.messages import FieldDifference, Refused
from rules.terms import Timers
from tablelink.core.felt import Felt
from tablelink.core.mirror import Mirror, Standing, reasons_closed
from tablelink.desk import Desk
from tablelink.errors import TableError

__all__ = ["SECOND_US", "Session", "Sidebet", "loudness", "older_spool"]

SECOND_US: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Session:
    """The server's last word on this table."""

    up: bool = False
    """Whether a connection is open that was welcomed."""
    refused: Refused | None = None
    ejected: str = ""

    @property
    def refusal(self) -> str:
        """Why the server will not have this table, in words; empty where it has said no such thing."""
        if self.refused is None:
            return self.ejected
        fields = ", ".join(in_words(each) for each in self.refused.differences)
        return f"{self.refused.code}: {self.refused.text}" + (f" ({fields})" if fields else "")

    def down(self) -> "Session":
        """The same without a connection: that it ended takes no refusal back."""
        return Session(refused=self.refused, ejected=self.ejected)

    def refusal_figures(self) -> dict[str, Any] | None:
        """The refusal for logs and the summary, every field in which the table is not the link named."""
        if self.refused is None:
            return None
        differences = [{"field": d.field, "table": d.table, "link": d.link} for d in self.refused.differences]
        return {"code": self.refused.code, "text": self.refused.text, "differences": differences}


def in_words(difference: FieldDifference) -> str:
    """Say in which field the table is not the link.

    >>> in_words(FieldDifference("pools.0.seed_cents", "100", "200"))
    'pools.0.seed_cents is 100 here, 200 on the link'
    """
    return f"{difference.field} is {difference.table} here, {difference.link} on the link"


def loudness(code: str) -> int:
    """Return the log level of a message put off: what people have to look at is a warning."""
    return logging.WARNING if code in {"kept_aside", "bad_frame", "link_stopped"} else logging.INFO


def older_spool(desk: Desk, journal: int) -> TableError:
    """Return what people are told of a spool that the ledger has gone past, and what they are to do, step by step."""
    table, path = desk.felt.table, desk.spool_path
    beside = f"{path.name}-wal, {path.name}-shm"
    words = (
        f"The spool of {table} is of journal {desk.dealing.journal}, and the server has granted journal {journal}: this"
        f" spool is older than the ledger, and no round can be numbered in it. 1. Move {path} (and {beside}) away, and"
        f" keep it for the audit. 2. Start the table again: it begins an empty spool. 3. A supervisor gives the word"
        f" on the server: jackpot table journal {table} --by NAME --reason 'spool replaced'."
    )
    return TableError(words, code="other_journal")


class Sidebet:
    """Whether the jackpot is open at this table, and for how long a closed one is waited for."""

    def __init__(self, felt: Felt, play_on_after_s: int | None) -> None:
        """After `play_on_after_s` a supervisor lets play go on without it; None waits as long as it takes."""
        self._felt = felt
        self._timers: Timers = felt.terms.timers
        self._play_on_after_s = play_on_after_s
        self._closed_since_us: int | None = None
        self._opens_with_an_answer = False
        self.played_on = False
        """Whether a supervisor has let play go on without the jackpot, and it has not been open since."""

    def reasons(self, desk: Desk, session: Session, mirror: Mirror | None, now_us: int) -> Mapping[str, str]:
        """Say why the jackpot is closed, in words under each reason's name; empty where it is open."""
        receipt = desk.last_receipt
        standing = Standing(
            session_up=session.up,
            refusal=session.refusal,
            generation=0 if receipt is None else receipt.generation,
            fingerprint=self._felt.fingerprint,
            unanswered=desk.outbox.oldest,
            hits=tuple(hit.hit for hit in desk.dealing.hits),
        )
        within_us = self._timers.close_after_s * SECOND_US
        reasons = reasons_closed(mirror, standing, now_us, within_us)
        self._opens_with_an_answer = reasons.keys() == {"unanswered"}
        return reasons

    def opened(self) -> None:
        """Note that it is open."""
        self.played_on, self._closed_since_us = False, None

    def plays_on(self, session: Session, now_us: int) -> bool:
        """Whether the round goes on without the jackpot, which is closed now (CSP 14.15)."""
        if session.refusal:
            patience_s: int | None = 0
        elif self.played_on:
            # Play goes on without it already: only an answer that would open it again is waited for.
            patience_s = self._felt.approved.answer_within_s if self._opens_with_an_answer else 0
        else:
            patience_s = self._play_on_after_s
        if self._closed_since_us is None:
            self._closed_since_us = now_us
        if patience_s is None or now_us - self._closed_since_us < patience_s * SECOND_US:
            return False
        self._closed_since_us = None
        return True
