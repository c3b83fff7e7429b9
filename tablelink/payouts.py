"""Does a table stand still because a prize is not paid out yet? Its log says so, and when that is over (CSP 9.5)."""

import structlog

from tablelink.core.inputs import AwaitPayout, Prompt
from tablelink.desk import Desk

__all__ = ["Payouts"]

_log = structlog.get_logger(__name__)


class Payouts:
    """What a table waits for between two rounds, as it was last said in the log."""

    def __init__(self) -> None:
        """Begin with nothing said."""
        self._said: dict[str, str] = {}

    def look(self, desk: Desk, wanted: Prompt) -> None:
        """Say which hits are waited for, whenever one of them has moved, and once that none is; **never** a card."""
        hits = {hit.hit: hit.state for hit in wanted.hits} if isinstance(wanted, AwaitPayout) else {}
        if hits == self._said:
            return
        self._said = hits
        last, receipt = desk.dealing.last, desk.last_receipt
        where = {
            "link": desk.felt.terms.name,
            "table": desk.felt.table,
            "round": desk.dealing.next_round - 1 if last is None else last.number,
            "commit": None if receipt is None else receipt.commit,
        }
        if hits:
            _log.warning("waits_for_payout", **where, hits=hits, rule="CSP 9.5")
        else:
            _log.info("payout_over", **where)
