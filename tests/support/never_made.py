"""Whose a wager is, told by money alone: the account that would have less of it, had the wager never been made.

A history is played twice, the second time without one seat's wager, and what the pools hold is compared: no meter's
falls, and no model of them, say anything here. Long hunts: `python -m tests.support.never_made 1000 2000`.
"""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from jackpot.core.accounts import pool_account
from jackpot.core.meters import holds
from rules.terms import Terms
from tests.support.at_random import ACTS, Told
from tests.support.floor import Floor
from tests.support.terms import demo_terms, two_pool_terms, with_prize

TRIED = 6
"""So many wagers of a history are tried, each for itself."""
CROWDED = 0.2
"""How often several tables win at once, a step."""
TERMS = ACTS - 2
"""The place of the act that changes the terms (`Told.step`): nothing else may tell two histories apart."""
EITHER = {
    "meter_includes_this_round": (True, False),
    "topup_paid_by": ("house", "pool"),
    "order_of_hits": ("commit", "lock"),
    "odd_cents": ("down", "up", "spread"),
}
"""Rulings under which a wager's part stays what it was: none lets a pool be filled up to a mark, or keep a share."""


class NeverMade(Told):
    """A floor of which each wager is asked for what it came to."""

    def first_terms(self) -> Terms:
        """Terms without a limit: what a pool has over it is in no meter."""
        pools = self.chance.choice([demo_terms, two_pool_terms])()
        if len(pools.pools) == 2:
            pools = with_prize(pools, "straight_flush", share_ppm=1_000_000)
        some: dict[str, Any] = {name: self.chance.choice(values) for name, values in EITHER.items()}
        without_limits = tuple(replace(pool, limit_cents=None) for pool in pools.pools)
        return replace(pools, pools=without_limits, rulings=replace(pools.rulings, **some))

    def play_on(self, steps: int) -> None:
        """Let so much happen that royals and those who put them right are most of it."""
        self.more[TERMS] = 0
        self.more[-1] = self.chance.choice([1, 4, 8])
        self.prizes = self.chance.choice([["royal_flush"], ["royal_flush", "straight_flush"]])
        super().play_on(steps)

    def step(self) -> None:
        """The next thing that happens: now and then several tables' prizes at once, and what people say of them."""
        if self.chance.random() < CROWDED:
            self.crowd()
        else:
            super().step()

    def crowd(self) -> None:
        """Rounds of several tables draw on one meter; people say which came first, and let prizes fall meanwhile."""
        tables = self.chance.sample(self.free(), self.chance.randint(0, len(self.free())))
        for table in tables:
            self.play(self.wagers_of(table))
        rounds = {one.table: one for one in self.floor.state.rounds.values()}
        for table in self.chance.sample([table for table in tables if table in rounds], len(tables)):
            self.play(self.record_of(rounds[table], 0.9))
        for _ in range(self.chance.randint(1, 2 * len(tables)) if tables else 0):
            hits = [hit for table in tables for hit in self.hits_of(table) if hit.state == "disputed"]
            if not hits:
                return
            hit = self.chance.choice(hits)
            if self.chance.random() < 0.3:
                self.play(f"release {hit.key} {self.two()} rule=11.4")
            else:
                order = self.chance.choice(["wagers", "wagers", "wagers", "commit"])
                self.play(f"decide {hit.key} order={order} {self.two()} manager={self.person()}")

    def wrong(self) -> Iterator[str]:
        """Of some wagers, where a pool's meter is said to have them and has not, or the other way."""
        tried = self.chance.sample(self.asked, min(TRIED, len(self.asked)))
        for key, seat in tried:
            without = self.without(key, seat)
            opened = self.model.recorded[key].opened
            assert opened.commit is not None
            for name, life in self.floor.state.pools.items():
                part = opened.seats[seat][0].get(pool_account(name), 0)
                if without is None or not part:
                    continue
                less = self.floor.balance(pool_account(name)) - without.balance(pool_account(name))
                # Where a pool was short once, the house gave what it lacked: then it is neither nought nor the part.
                there = True if 2 * less > part else False if less <= 0 else None
                if there is not None and holds(life, opened.commit) != there:
                    yield f"{key} seat {seat}: {name} would have {less} of {part} microcents less, {life}"

    @property
    def asked(self) -> Sequence[tuple[tuple[str, int, int], int]]:
        """The wagers in play that have never won, of rounds of several."""
        found = []
        for key, one in self.model.recorded.items():
            lines = [line.split() for line, _ in self.lines if line.startswith((f"{key[0]} ",))]
            said = [words for words in lines if words[2] == f"{key[2]}:"]
            won = {word.partition("=")[0] for words in said for word in words if "=" in word}
            apart = [word for words in said if words[1] in {"amend", "void"} for word in words[3:]]
            first = next(words for words in said if words[1] == "wagers")
            if len(first) > len(["T1", "wagers", "1:", "1"]):
                found += [(key, seat) for seat in one.opened.seats if str(seat) not in {*won, *apart}]
        return found

    def without(self, key: tuple[str, int, int], seat: int) -> Floor | None:
        """The floor as it were without this wager; None where something else became of a line then."""
        floor = Floor(self.first, ("T1", "T2", "T3", "T4"))
        for line, became in self.lines:
            words = line.split()
            if (words[0], words[2:3]) == (key[0], [f"{key[2]}:"]):
                words = [*words[:3], *(word for word in words[3:] if word.partition("/")[0] != str(seat))]
            try:
                now = floor.line(words)
            except (KeyError, ValueError) as error:
                now = f"impossible {type(error).__name__}"
            if now != became:
                return None
        return floor


def history(seed: int, steps: int = 60) -> None:
    """Play the history of a seed; raises Disagreed at the first difference, AssertionError for a wager elsewhere."""
    told = NeverMade(seed)
    told.play_on(steps)
    for fault in told.wrong():
        lines = "\n".join(f"  {line}  {became}" for line, became in told.lines)
        raise AssertionError(f"seed {seed}: {fault}\n{lines}")


if __name__ == "__main__":
    for number in range(*map(int, sys.argv[1:3])):
        history(number)
