"""Where every microcent of one qualifying wager goes, written from rules 11.5 and 11.6 and the rulings on limits.

>>> split({"qualifying_wager_cents": 100, "retained_ppm": 700_000,
...        "pools": [{"name": "main", "increment_ppm": 220_000, "limit_cents": None, "overflow_to": "next_seed"}],
...        "reserve": {"increment_ppm": 80_000, "limit_cents": None, "excess_to": "main"}}, {"main": 0}, 0)
{'pool/main': 22000000, 'reserve': 8000000, 'retained': 70000000}
"""

from collections import Counter
from collections.abc import Mapping
from typing import Any

MICRO = 1_000_000


def split(terms: Mapping[str, Any], pools: Mapping[str, int], reserve: int) -> dict[str, int]:
    """Give the microcents of one wager by account, with pools and reserve as they stand before it.

    A pool at its limit sends the rest to its overflow or to the reserve; a reserve at its limit sends the rest to the
    pool the terms name; what that pool cannot hold waits in its overflow.
    """
    wager, to_reserve = terms["qualifying_wager_cents"], 0
    parts: Counter[str] = Counter()
    room = {pool["name"]: room_under(pool["limit_cents"], pools[pool["name"]]) for pool in terms["pools"]}
    for pool in terms["pools"]:
        amount = wager * pool["increment_ppm"]
        kept = min(amount, room[pool["name"]])
        room[pool["name"]] -= kept
        parts[f"pool/{pool['name']}"] += kept
        if pool["overflow_to"] == "reserve":
            to_reserve += amount - kept
        else:
            parts[f"overflow/{pool['name']}"] += amount - kept
    to_reserve += wager * terms["reserve"]["increment_ppm"]
    parts["reserve"] = min(to_reserve, room_under(terms["reserve"]["limit_cents"], reserve))
    excess, target = to_reserve - parts["reserve"], terms["reserve"]["excess_to"]
    kept = min(excess, room[target])
    parts[f"pool/{target}"] += kept
    parts[f"overflow/{target}"] += excess - kept
    parts["retained"] = wager * terms["retained_ppm"]
    return {account: amount for account, amount in parts.items() if amount}


def room_under(limit_cents: int | None, held: int) -> int:
    """Give how many more microcents an account may take in; without a limit, more than there is money."""
    return 10**30 if limit_cents is None else max(0, limit_cents * MICRO - held)
