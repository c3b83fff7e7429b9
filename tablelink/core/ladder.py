"""How far is a table from all being well, and may it deal? Rung by rung, down and up again (CSP 14.15, PROTOCOL 6).

All is well; the meter shown is old; the jackpot is lost and the table waits; a gaming supervisor has approved that play
goes on without it, and an inspector was notified; or, where a hard stop is approved for the table, it stands still
until the jackpot is back. Knows no clock: how long something was waited for is an argument.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final, Literal

from tablelink.core.mirror import IN_PLAY

__all__ = ["RUNGS", "Patience", "Rung", "Turn", "rung", "turn"]

Rung = Literal["normal", "meter_old", "closed", "playing_on", "stopped"]
RUNGS: Final[tuple[Rung, ...]] = ("normal", "meter_old", "closed", "playing_on", "stopped")
"""All is well; the meter shown is old (5 s); the jackpot is lost and the table waits for a supervisor; base game only,
approved; no game at all while it is lost."""
Turn = Literal["deal", "wait", "approve"]
"""What becomes of a round whose bets are placed: it is dealt, it waits, or a simulated supervisor approves."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a table waits, in microseconds, before it deals without an open jackpot."""

    answer_us: int
    """For an outstanding answer that would open it again."""
    approval_us: int | None = None
    """For a simulated supervisor's approval; None where only a person gives it."""


def rung(closed: Collection[str], *, fresh: bool, approved: bool, hard_stop: bool) -> Rung:
    """Say on which rung a table stands: `closed` are the reasons why its jackpot is closed, by their names.

    `fresh` is whether the meter shown is live; `approved` whether a supervisor's approval stands; `hard_stop` whether
    the table may deal nothing while its jackpot is lost. **Never** down for a reason that belongs to play.

    >>> rung((), fresh=True, approved=False, hard_stop=False), rung((), fresh=False, approved=False, hard_stop=False)
    ('normal', 'meter_old')
    >>> rung({"no_session"}, fresh=True, approved=False, hard_stop=True)
    'stopped'
    """
    lost = bool(set(closed) - IN_PLAY)
    if lost and hard_stop:
        return "stopped"
    if closed and approved:
        return "playing_on"
    if lost:
        return "closed"
    return "normal" if fresh else "meter_old"


def turn(at: Rung, closed: Collection[str], patience: Patience, *, plays: bool, waited_us: int) -> Turn:
    """Say whether the round whose bets are placed is dealt now; `plays` is whether any of them is on the jackpot.

    **Never** deals a round while the jackpot is lost but by a supervisor's approval (CSP 14.15), whoever plays it;
    **never** where a hard stop is approved for the table.
    """
    if not closed:
        return "deal"
    if at == "stopped":
        return "wait"
    if plays and set(closed) == {"unanswered"} and waited_us < patience.answer_us:
        return "wait"
    if at == "playing_on":
        return "deal"
    if at != "closed" and not plays:
        return "deal"  # Only play keeps the jackpot closed, and nobody in this round wants it.
    approves = patience.approval_us is not None and waited_us >= patience.approval_us
    return "approve" if approves else "wait"
