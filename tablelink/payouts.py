"""What was won here, and does a table stand still because it is not paid out yet? Its log says so (CSP 9.5)."""

import structlog

from tablelink.core.inputs import AwaitPayout, Prompt
from tablelink.core.rounds import Ended
from tablelink.desk import Desk

__all__ = ["Payouts", "awarded"]

_log = structlog.get_logger(__name__)


def awarded(desk: Desk, last: Ended) -> dict[str, int]:
    """Say what the round that ended last has won, and return it: cents by hit; **never** a card."""
    commit = desk.last_receipt and desk.last_receipt.commit
    where = {"link": desk.felt.terms.name, "table": desk.felt.table, "round": last.number, "commit": commit}
    for line in last.awards:
        _log.info("award", **where, hit=line.hit, prize=line.prize, cents=line.amount_cents)
    return {line.hit: line.amount_cents for line in last.awards}


class Payouts:
    """What a table waits for between two rounds, as it was last said in the log."""

    def __init__(self) -> None:
        """Begin with nothing said."""
        self._said: dict[str, tuple[str, int]] = {}

    def look(self, desk: Desk, wanted: Prompt) -> None:
        """Say which hits are waited for, whenever one of them has moved, and once that none is; **never** a card.

        Each with its amount as it is now: after an order, a correction or a raised share another than was awarded.
        """
        waits = wanted.hits if isinstance(wanted, AwaitPayout) else ()
        hits = {hit.hit: (hit.state, hit.amount_cents) for hit in waits}
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
            states = {hit.hit: hit.state for hit in waits}
            cents = {hit.hit: hit.amount_cents for hit in waits}
            _log.warning("waits_for_payout", **where, hits=states, cents=cents, rule="CSP 9.5")
        else:
            _log.info("payout_over", **where)
