"""Ways to break the order of two prizes, the month, what a board shows, and whom a table hears (`mutants`)."""

from contextlib import AbstractContextManager
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

from jackpot.bus import Hearing
from jackpot.cli import links
from jackpot.core import decide_orders, orders
from jackpot.core.calendar import gaming_month
from tablelink import agent, heard
from tests.sim.reins import Reins
from tests.support.terms import demo_terms


def order_turned() -> AbstractContextManager[object]:
    """Of several rounds that were recorded meanwhile the last is resolved before the others."""
    honest = orders.drew_meanwhile
    return patch.object(decide_orders, "drew_meanwhile", lambda *given: honest(*given)[::-1])


def order_of_records() -> AbstractContextManager[object]:
    """People say that the order of the wagers holds, and the ledger keeps its own."""

    def by_records(_draft: Any, mine: Any, others: Any) -> Any:
        return {hit.key: _as_awarded(hit) for hits in (mine, *others) for hit in hits}

    return patch.object(decide_orders, "by_wagers", by_records)


def _as_awarded(hit: Any) -> Any:
    parts = {name: getattr(hit, name) for name in ("amount_cents", "from_pool_cents", "topup_cents", "bonus_cents")}
    return orders.Due(SimpleNamespace(**parts), hit.meter_microcents, hit.own_microcents)  # type: ignore[arg-type]


def month_of_the_table() -> AbstractContextManager[object]:
    """A table turns the month by its own clock, as soon as the server says anything."""
    honest = heard._changed

    def changed(hits: Any, _month: str, dealing: Any) -> Any:
        return honest(hits, gaming_month(demo_terms(), Reins.wall_us), dealing)

    return patch.object(heard, "_changed", changed)


def month_of_greenwich() -> AbstractContextManager[object]:
    """The month of the server's own time zone, not of the terms'."""
    return patch.object(
        links, "gaming_month", lambda _terms, now_us: f"{datetime.fromtimestamp(now_us // 10**6, UTC):%Y-%m}"
    )


def retained_as_live() -> AbstractContextManager[object]:
    """A server that has just connected to Redis shows what it finds there as the meter that runs."""
    honest = Hearing.take

    def take(self: Hearing, link: str, data: bytes, now_ms: int, *, live: bool) -> bool:
        return honest(self, link, data, now_ms, live=live or self.heard(link) is None)

    return patch.object(Hearing, "take", take)


def people_not_heard() -> AbstractContextManager[object]:
    """A table does not take what people did to its round, and holds how it stands against its own spool alone."""
    return patch.object(agent, "amended", lambda _word, _dealing: None)
