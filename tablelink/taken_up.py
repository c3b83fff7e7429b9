"""Says what became of the jackpot wagers of a round that a table found open when it was started again (case 39)."""

from typing import Literal

import structlog

from tablelink.core.dealing import Dealing
from tablelink.core.rounds import RoundUnderWay

__all__ = ["TakenUp"]

Wagers = Literal["none", "unanswered", "answered", "withdrawn"]

_log = structlog.get_logger(__name__)


class TakenUp:
    """The round that was open when the program began, if one was."""

    def __init__(self, table: str, dealing: Dealing) -> None:
        """Take the round up that a spool tells of."""
        self._table = table
        self._round = None if dealing.round is None else dealing.round.number
        self._told: Wagers | None = None

    def look(self, dealing: Dealing) -> None:
        """Log how the round's wagers stand: at once, and when that has changed. Of later rounds nothing is said."""
        under_way = dealing.round
        if under_way is None or under_way.number != self._round:
            return
        wagers = _wagers_of(under_way)
        if wagers != self._told:
            self._told = wagers
            names = {"table": self._table, "round": under_way.number, "wagers": wagers, "why": under_way.withdrawn}
            _log.info("round_taken_up", seats=sorted(under_way.accepted), **names)


def _wagers_of(under_way: RoundUnderWay) -> Wagers:
    if under_way.withdrawn:
        return "withdrawn"
    if under_way.waits_for_answer:
        return "unanswered"
    return "answered" if under_way.wagers_id else "none"
