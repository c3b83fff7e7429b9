"""Connections to a ledger and to Redis that wait for minutes, for tests of anything but the seconds that are shipped.

After two seconds a lock is not had and a transaction that sits idle is ended, after five a connection was not made,
and after one Redis has not answered: a test whose machine or disk stands still so long would be told
`ledger_unreachable`, as a table is, which asks again.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, cast

import pytest

from jackpot import bus
from jackpot.ledger import connection, migrate, store

LONG_S = 300
LIMITS = ("idle_in_transaction_session_timeout", "lock_timeout")


@contextmanager
def patience() -> Iterator[None]:
    """Let this process wait so long for both while the context lasts; programs that it starts wait as shipped."""
    with pytest.MonkeyPatch.context() as patch:
        for settings in (connection.SETTINGS, store.POSTING_SETTINGS):
            for limit in LIMITS:
                patch.setitem(cast("dict[str, Any]", settings), limit, f"{LONG_S}s")
        for module in (connection, migrate):
            patch.setattr(module, "CONNECT_WITHIN_S", LONG_S)
        patch.setattr(bus, "REDIS_WITHIN_S", LONG_S)
        yield
