"""How a table stands with the server and with its jackpot: what was said to it last, and how long it waits.

Knows no connection and no step; the agent tells it what happens.
"""

import logging
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any, Final

from jackpot.wire.messages import FieldDifference, Refused, Welcome
from rules.terms import Timers
from tablelink.core.dealing import forgotten
from tablelink.core.felt import Felt
from tablelink.core.inputs import NoMoreBets
from tablelink.core.ladder import Patience, Rung, Turn, rung, turn
from tablelink.core.mirror import Mirror, Standing, reasons_closed
from tablelink.desk import Desk
from tablelink.errors import TableError

__all__ = [
    "SECOND_US",
    "SIMULATED_INSPECTOR",
    "SIMULATED_SUPERVISOR",
    "Approval",
    "Session",
    "Sidebet",
    "loudness",
    "older_spool",
]

SECOND_US: Final = 1_000_000
SIMULATED_SUPERVISOR: Final = "simulated supervisor"
SIMULATED_INSPECTOR: Final = "simulated inspector"
"""Who approves and who was notified where no person is at the table (`play_on_after_s`)."""


@dataclass(frozen=True, slots=True)
class Approval:
    """A supervisor approves that play goes on without the jackpot; `told` hears why it cannot be, or nothing."""

    by: str
    inspector: str
    told: Callable[[str], None] = lambda _why: None
    until_us: int | None = None
    """Until when who asked waits for it, by the machine's own clock; None where nobody does."""

    def late(self, now_us: int) -> bool:
        """Whether who asked was told already that it was not answered."""
        return self.until_us is not None and now_us >= self.until_us


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
    return logging.WARNING if code in {"kept_aside", "bad_frame", "link_stopped", "ledger_behind"} else logging.INFO


def older_spool(desk: Desk, word: Welcome | Refused) -> TableError | None:
    """Return what people are told of a spool that the ledger has gone past, and what they are to do, step by step.

    None where the spool holds all that the server says of its journal and its last round.
    """
    table, path, own = desk.felt.table, desk.spool_path, desk.dealing.journal
    lost = forgotten(desk.dealing, word.round) if word.round is not None else ""
    if isinstance(word, Welcome) and own not in {0, word.journal}:
        code, why = "other_journal", f"is of journal {own}, and the server has granted journal {word.journal}"
    elif lost:
        code = "older_spool"
        why = (
            f"does not hold what the server does ({lost}): it has lost rows, or people ended the round there and the"
            " server is of a version that does not tell it"
        )
    else:
        return None
    words = (
        f"The spool of {table} {why}. It is older than the ledger, and no round can be numbered in it. 1. Move {path}"
        f" away, and keep it for the audit: tablelink spool retire {path}. 2. Start the table again: it begins an empty"
        f" spool. 3. A supervisor gives the word on the server: jackpot table journal {table} --by NAME --reason 'spool"
        " replaced'."
    )
    return TableError(words, code=code)


class Sidebet:
    """Whether the jackpot is open at this table, and what becomes of a round while it is not (CSP 14.15)."""

    def __init__(self, felt: Felt, play_on_after_s: int | None, *, ends: bool = False) -> None:
        """A simulated supervisor approves after `play_on_after_s`; None: a person does, for as long as it takes.

        `ends` is whether the run ends by itself: then nobody waits for a table that the server refused.
        """
        self._felt = felt
        self._timers: Timers = felt.terms.timers
        self._play_on_after_s = play_on_after_s
        self._ends = ends
        self._waits_since_us: int | None = None

    def reasons(self, desk: Desk, session: Session, mirror: Mirror | None, now_us: int) -> Mapping[str, str]:
        """Say why the jackpot is closed, in words under each reason's name; empty where it is open."""
        receipt = desk.last_receipt
        standing = Standing(
            session_up=session.up,
            refusal=session.refusal,
            generation=0 if receipt is None else receipt.generation,
            fingerprint=self._felt.fingerprint,
            unanswered=desk.outbox.oldest,
            put_off=desk.outbox.why,
            hits=tuple(hit.hit for hit in desk.dealing.hits),
        )
        return reasons_closed(mirror, standing, now_us, self._timers.close_after_s * SECOND_US)

    def rung(self, desk: Desk, closed: Collection[str], mirror: Mirror | None, now_us: int) -> Rung:
        """Say how far the table is from all being well."""
        return rung(
            closed,
            fresh=mirror is not None and mirror.fresh(now_us),
            approved=desk.dealing.without is not None,
            hard_stop=self._felt.approved.without_jackpot == "stop",
        )

    def turn(self, bets: NoMoreBets, at: Rung, closed: Collection[str], session: Session, now_us: int) -> Turn:
        """Say whether the round whose bets are placed is dealt now; how long it has waited is kept here."""
        if self._waits_since_us is None:
            self._waits_since_us = now_us
        plays = any(seat.plays_jackpot for seat in bets.seats)
        waited_us = now_us - self._waits_since_us
        found = turn(at, closed, self._patience(session), plays=plays, waited_us=waited_us)
        if found != "wait":
            self._waits_since_us = None
        return found

    def _patience(self, session: Session) -> Patience:
        if self._felt.approved.without_jackpot == "stop":
            return Patience(self._felt.approved.answer_within_s * SECOND_US)  # Nobody may approve it, nor be simulated.
        approval_s = self._play_on_after_s
        if session.refusal and (self._ends or approval_s is not None):
            approval_s = 0  # A person has to do something first: waiting changes nothing.
        return Patience(
            self._felt.approved.answer_within_s * SECOND_US, None if approval_s is None else approval_s * SECOND_US
        )
