"""`rules/splitting.py` held against the second opinion, about every limit."""

import json
import random
from collections import Counter

from rules.splitting import headroom, plain_split, split_wager
from rules.terms import parse_form
from tests.oracle.splitting import MICRO, split
from tests.oracle.terms import PLAIN_TERMS


def test_every_wager_is_split_alike(chance: random.Random) -> None:
    """Two pools, any limits, meters about them: every microcent goes where the second opinion sends it."""
    met: Counter[str] = Counter()
    for _ in range(3_000):
        limits = [chance.choice([None, 1_000, 1_001]) for _ in range(3)]
        terms = {
            **PLAIN_TERMS,
            "qualifying_wager_cents": chance.choice([1, 100, 500]),
            "pools": [
                {
                    "name": name,
                    "seed_cents": 1,
                    "increment_ppm": chance.choice([0, 75_000, 219_999]),
                    "limit_cents": limits[place],
                    "overflow_to": chance.choice(["next_seed", "reserve"]),
                }
                for place, name in enumerate(("main", "minor"))
            ],
            "reserve": {
                "increment_ppm": chance.choice([0, 80_000]),
                "limit_cents": limits[2],
                "excess_to": chance.choice(["main", "minor"]),
            },
        }
        held = {name: chance.randrange(900 * MICRO, 1_020 * MICRO) for name in ("main", "minor", "reserve")}
        read = parse_form(json.dumps(terms).encode())
        pools = {"main": held["main"], "minor": held["minor"]}
        theirs = split_wager(read, pools, held["reserve"])
        names = ["pool/main", "pool/minor", "overflow/main", "overflow/minor", "reserve", "retained"]
        amounts = [*theirs.pools, *theirs.overflow, theirs.reserve, theirs.retained]
        by_account = {name: amount for name, amount in zip(names, amounts, strict=True) if amount}
        assert by_account == split(terms, pools, held["reserve"]), json.dumps([terms, held])
        room = headroom(read, pools, held["reserve"])
        assert room == 0 or theirs == plain_split(read), json.dumps([terms, held])
        met.update(by_account)
        met["no headroom"] += room == 0
    assert min(met[name] for name in ("overflow/main", "overflow/minor", "no headroom")) > 100, met
