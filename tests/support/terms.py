"""The demonstration's terms for tests, as text, as a tree and as a value, and ways to change one field of them."""

import json
from dataclasses import replace
from importlib.resources import files
from typing import Any

from rules.terms import Pool, Prize, Rulings, Terms, parse_terms


def demo_bytes() -> bytes:
    """The terms file of the demonstration as it is shipped."""
    return files("jackpot").joinpath("demo_terms.json").read_bytes()


def demo_terms() -> Terms:
    """The terms of the demonstration: $1.00, seed $50,000, 22% meter, 8% reserve, 70% retained."""
    return parse_terms(demo_bytes())


def demo_tree() -> dict[str, Any]:
    """The terms of the demonstration as a JSON tree, to be changed before it is read."""
    tree: dict[str, Any] = json.loads(demo_bytes())
    return tree


def tree_with(path: str, value: object) -> bytes:
    """The demonstration's terms with one field set, by its dotted path (`pools.0.seed_cents`)."""
    tree = demo_tree()
    *way, last = path.split(".")
    at: Any = tree
    for step in way:
        at = at[int(step)] if isinstance(at, list) else at[step]
    at[int(last) if isinstance(at, list) else last] = value
    return json.dumps(tree).encode()


def with_rulings(**rulings: Any) -> Terms:
    """The demonstration's terms under other rulings."""
    return replace(demo_terms(), rulings=Rulings(**rulings))


def with_prize(terms: Terms, name: str, **changes: Any) -> Terms:
    """These terms with one prize changed."""
    pay_table = tuple(replace(one, **changes) if one.name == name else one for one in terms.pay_table)
    return replace(terms, pay_table=pay_table)


def a_share(name: Any, pool: str, share_ppm: int, minimum_cents: int) -> Prize:
    """A prize that is a share of a pool with a guaranteed minimum."""
    return Prize(name, "share", pool, share_ppm, minimum_cents, None, "pool")


def two_pool_terms() -> Terms:
    """Terms of a main pool for the royal flush and a second one, `minor`, of which a straight flush takes a fifth."""
    demo = demo_terms()
    main, minor = Pool("main", 5_000_000, 180_000, None), Pool("minor", 500_000, 40_000, None)
    return with_prize(replace(demo, pools=(main, minor)), "straight_flush", pool="minor", share_ppm=200_000)
