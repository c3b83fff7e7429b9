"""Random lines for a floor: rounds that win more often than not, and people who amend them in every way at once.

A stranger works every batch out, and the first difference ends the history with the lines that led there. Long hunts:
`python -m tests.support.at_random 1000 2000` plays the histories of these seeds.
"""

import json
import random
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import msgspec

from jackpot.core.commands import NewTerms
from jackpot.core.decide_hits import FALL_RULES
from jackpot.core.hits import ENDED, OPEN, Hit
from jackpot.core.state import OpenRound
from rules.irregularities.voiding import FORFEITS, SEATS, VOID_RULES, WHOLE
from rules.terms import Terms, canonical_bytes
from tests.oracle.amends_model import Recorded
from tests.oracle.ledger import entry_faults
from tests.oracle.lives_model import LivesModel
from tests.oracle.progressive import MICRO
from tests.support.floor import Floor
from tests.support.random_terms import CHOICES, random_terms
from tests.support.terms import demo_terms, two_pool_terms

TABLES = ("T1", "T2", "T3", "T4")
PRIZES = ("royal_flush", "royal_flush", "straight_flush", "straight_flush", "four_of_a_kind", "full_house", "flush")
ACTS, SETTLE = 10, 6
"""How many kinds of act there are (`step`), and the place of the one without which no table goes on."""
MOST = {"royal_flush": 3, "straight_flush": 3, "four_of_a_kind": 1, "full_house": 1, "flush": 1}


class Disagreed(AssertionError):
    """The ledger and the stranger's model differ."""


class Told:
    """A floor on which a stranger works every batch out, and the lines that were played there."""

    def __init__(self, seed: int) -> None:
        """Open the link under the terms of a seed."""
        self.seed, self.chance = seed, random.Random(seed)
        self.first = self.first_terms()
        """The terms under which the link opened."""
        self.floor = Floor(self.first, TABLES)
        self.model = LivesModel()
        self.read, self.last = 0, dict[str, tuple[int, int]]()
        self.lines: list[tuple[str, str]] = []
        # What a history is full of, and what it hardly has, is its own: what is rare in all of them is never seen.
        self.more = [self.chance.choice([0.2, 1, 1, 4]) for _ in range(ACTS)]
        self.more[SETTLE] = max(self.more[SETTLE], 1)
        self.prizes = self.chance.sample(PRIZES, self.chance.randint(1, len(PRIZES)))
        self.rules = self.chance.sample(sorted(FALL_RULES), self.chance.randint(1, len(FALL_RULES)))
        self.moves = self.chance.sample(
            ["release", "release", "release", "reject", "forfeit"], self.chance.randint(1, 5)
        )
        self.wins = self.chance.choice([0.3, 0.5, 0.8])
        self.at_once = self.chance.choice([0, 0, 0.5, 1])
        """How many prizes are paid as soon as they are awarded: what befalls them then befalls what was paid."""
        self.about: list[tuple[str, int, int]] = []
        """Rounds that people amend now, where not any."""
        self.people = 0
        self.look()

    def first_terms(self) -> Terms:
        """Terms under which the link opens."""
        return random_terms(self.chance)

    def play(self, line: str) -> str:
        """Play a line, and hold what became of it against the model."""
        try:
            became = self.pools(line) if line.startswith("pools ") else self.floor.line(line.split())
        except (KeyError, ValueError) as error:
            became = f"impossible {type(error).__name__}"
        self.lines.append((line, became))
        self.look()
        return became

    def pools(self, line: str) -> str:
        """Let one pool or two be in force."""
        now = self.floor.terms
        other = two_pool_terms() if line.endswith("two") else demo_terms()
        if len(other.pools) == len(now.pools):
            return "alike"
        price = now.qualifying_wager_cents
        terms = replace(other, version=now.version + 1, rulings=now.rulings, qualifying_wager_cents=price)
        said = NewTerms(now.name, terms.version, msgspec.Raw(canonical_bytes(terms)), "Ann", "Bob")
        became = self.floor._became(self.floor.act(said))
        if became == "opened":
            self.floor.terms = terms
        return became

    def look(self) -> None:
        """Work out what is new."""
        for batch in self.floor.batches[self.read :]:
            body = json.loads(batch.body)
            for fault in self.faults(body):
                raise Disagreed(fault)
        self.read = len(self.floor.batches)

    def faults(self, body: dict[str, Any]) -> Iterator[str]:
        """What differs."""
        yield from entry_faults(body["entries"], self.last)
        for command in body["commands"]:
            yield from self.model.command(command)
        yield from self.model.end_of_batch(body["entries"])
        yield from self.model.balance_faults({account: held for account, (_, held) in self.last.items()})
        for hit in body["hits"]:
            prize = self.model.prize(hit["hit"])
            amounts = (
                hit["commit"],
                hit["amount_cents"],
                hit["from_pool_cents"],
                hit["topup_cents"],
                hit["bonus_cents"],
            )
            if prize is not None and amounts != (prize.commit, prize.amount, prize.from_pool, prize.topup, prize.bonus):
                yield f"{hit['hit']}: {amounts}, worked out {prize}"
            yield from self.model.way_faults(hit)
            table, journal, number = hit["hit"].split("/")[:3]
            yield from self.shared_out(self.model.recorded[table, int(journal), int(number)])

    def shared_out(self, round_: Recorded) -> Iterator[str]:
        """What those who stand have of a meter is no more than it held, and the house adds no more than their least."""
        for commit, on in round_.resolved.items():
            for pool, meter in on.meters.items():
                those = [one for one in round_.prizes.values() if (one.commit, one.pool) == (commit, pool)]
                prizes = [round_.terms["pay_table"][one.prize] for one in those]
                least = sum(prize.get("minimum_cents") or prize.get("amount_cents") or 0 for prize in prizes)
                drawn, all_of_it = sum(one.from_pool for one in those), sum(one.amount for one in those)
                if drawn > meter // MICRO or all_of_it > meter // MICRO + least:
                    yield f"{drawn} cents of {all_of_it} drawn on {pool} of {meter} microcents: {those}"

    # --- what befalls -------------------------------------------------------------------------------------------------

    def person(self) -> str:
        """Somebody nobody has met."""
        self.people += 1
        return f"p{self.people}"

    def two(self) -> str:
        """Two people and why."""
        return f"by={self.person()} with={self.person()} reason=film"

    def open_round(self, table: str) -> int | None:
        """The number of a table's open round."""
        found = [key[2] for key in self.floor.state.rounds if key[0] == table]
        return found[0] if found else None

    def free(self) -> list[str]:
        """Tables that may begin a round."""
        held = {hit.key.table for hit in self.floor.state.hits.values() if hit.state in OPEN}
        return [table for table in TABLES if table not in held and self.open_round(table) is None]

    def wagers(self) -> str | None:
        """A table's next round."""
        table = self.chance.choice(self.free() or TABLES)
        return None if self.open_round(table) is not None else self.wagers_of(table)

    def wagers_of(self, table: str) -> str:
        """The next round of a table."""
        journal = self.floor.state.journals[table, self.floor.state.tables[table].journal]
        seats = self.chance.sample(range(1, 5), self.chance.randint(1, 4))
        words = [f"{seat}/tender=token" if self.chance.random() < 0.2 else f"{seat}" for seat in sorted(seats)]
        return f"{table} wagers {journal.highest + 1}: {' '.join(words)}"

    def hands(self, seats: list[int], now: dict[int, str], stays: float, wins: float) -> str:
        """What each seat is dealt."""
        chance = self.chance
        dealt: dict[int, str] = {}
        for seat in seats:
            prize = now.get(seat, "") if chance.random() < stays else ""
            if not prize and chance.random() < wins:
                prize = chance.choice(self.prizes)
            if list(dealt.values()).count(prize) >= MOST.get(prize, 9):
                prize = ""
            dealt[seat] = prize
        return " ".join(f"{seat}={prize}" if prize else f"{seat}" for seat, prize in dealt.items())

    def record(self) -> str | None:
        """The record of a round that is open."""
        rounds = list(self.floor.state.rounds.values())
        if not rounds:
            return None
        return self.record_of(self.chance.choice(rounds), self.wins)

    def record_of(self, one: OpenRound, wins: float) -> str:
        """The record of this round."""
        words = self.hands(sorted(one.accepted), {}, 0, wins)
        return f"{one.table} record {one.round}: {words} journal={one.journal}"

    def race(self) -> None:
        """Two rounds draw on one meter, of either something may fall away or come, then people say which came first."""
        free = self.free()
        if len(free) < 2:
            return
        late, soon = self.chance.sample(free, 2)
        for table in (late, soon):
            self.play(self.wagers_of(table))
        rounds = {one.table: one for one in self.floor.state.rounds.values()}
        for table in (soon, late):
            self.play(self.record_of(rounds[table], 0.8))
            if self.chance.random() < self.at_once:
                for hit in self.hits_of(table):
                    self.pay_out(hit)
        self.about = [(table, rounds[table].journal, rounds[table].round) for table in (soon, soon, late)]
        for act in self.chance.choices([self.correct, self.amend], k=self.chance.randint(0, 2)):
            line = act()
            if line is not None:
                self.play(line)
        self.about = []
        for hit in self.hits_of(late):
            if hit.state == "disputed":
                self.play(f"decide {hit.key} order=wagers {self.two()} manager={self.person()}")

    def hits_of(self, table: str) -> list[Hit]:
        """The hits a table has, one after the other."""
        return sorted(
            (hit for hit in self.floor.state.hits.values() if hit.key.table == table), key=lambda hit: hit.key
        )

    def void(self) -> str | None:
        """A void or a withdrawal of a round that is open."""
        rounds = list(self.floor.state.rounds.values())
        if not rounds:
            return None
        one = self.chance.choice(rounds)
        if self.chance.random() < 0.3:
            return f"{one.table} withdraw {one.round}:"
        if self.chance.random() < 0.2 and one.accepted:
            seat = self.chance.choice(sorted(one.accepted))
            return f"{one.table} invalidate {one.round}: forfeit={seat} {self.two()}"
        seats = self.chance.sample(sorted(one.accepted), self.chance.randint(0, len(one.accepted)))
        return f"{one.table} void {one.round}: {' '.join(map(str, seats))} rule={'14.8' if seats else '14.4'}"

    def over(self) -> tuple[str, int, int] | None:
        """A round that is over, sooner one of the last, or one with prizes."""
        recorded = self.model.recorded
        keys = [key for key in self.about or recorded if key in recorded and recorded[key].opened.seats]
        won = [key for key in keys if recorded[key].prizes]
        if won and self.chance.random() < 0.6:
            keys = won
        if not keys:
            return None
        return self.chance.choice(keys[-6:] if self.chance.random() < 0.6 else keys)

    def revision(self) -> int:
        """One that no act has had."""
        return len(self.lines) + 2

    def amend(self) -> str | None:
        """Two people void a recorded round or seats of it."""
        key = self.over()
        if key is None:
            return None
        seats = sorted(self.model.recorded[key].opened.seats)
        rule = self.chance.choice(sorted(VOID_RULES))
        named: list[int] = []
        if VOID_RULES[rule] == SEATS or (VOID_RULES[rule] != WHOLE and self.chance.random() < 0.5):
            named = sorted(self.chance.sample(seats, self.chance.randint(1, len(seats))))
        more = ""
        if self.chance.random() < 0.1:
            rule, named, more = FORFEITS, [], f"forfeit={self.chance.choice(seats)}"
        words = " ".join(map(str, named))
        at = f"journal={key[1]} revision={self.revision()}"
        return f"{key[0]} amend {key[2]}: {words} rule={rule.removeprefix('CSP ')} {more} {at} {self.two()}"

    def correct(self) -> str | None:
        """Two people correct a record, the manager one of them."""
        key = self.over()
        if key is None:
            return None
        one = self.model.recorded[key]
        now = {seat: prize.prize for seat, prize in one.prizes.items()}
        words = self.hands(sorted(one.opened.seats), now, self.chance.choice([0.0, 0.5, 0.9]), 0.35)
        at = f"journal={key[1]} revision={self.revision()}"
        return f"{key[0]} correct {key[2]}: {words} {at} by={self.person()} with=- manager={self.person()} reason=film"

    def hit(self) -> Hit | None:
        """A hit that is not at its end."""
        hits = [hit for hit in self.floor.state.hits.values() if hit.state not in ENDED]
        return self.chance.choice(sorted(hits, key=lambda hit: hit.key)) if hits else None

    def fall(self) -> str | None:
        """Two people reject, release or forfeit a hit."""
        hit = self.hit()
        if hit is None:
            return None
        move = self.chance.choice(self.moves)
        rule = self.chance.choice(self.rules).removeprefix("CSP ")
        return f"{move} {hit.key} {self.two()} rule={rule}"

    def settle(self) -> str | None:
        """The next move of a hit on its way."""
        hit = self.hit()
        if hit is None:
            return None
        if hit.state == "disputed":
            if self.chance.random() < 0.5:
                order = self.chance.choice(["commit", "wagers"])
                return f"decide {hit.key} order={order} {self.two()} manager={self.person()}"
            return f"resolve {hit.key} {self.two()}"
        if hit.state == "rejected":
            return f"release {hit.key} {self.two()} rule=11.4"
        if self.chance.random() < self.at_once:
            self.pay_out(hit)
            return None
        return self.on_its_way(hit)

    def on_its_way(self, hit: Hit) -> str:
        """The next move of a hit towards its payment."""
        if hit.state == "pending":
            return f"verify {hit.key} by={self.person()}"
        if hit.state == "verified" and hit.approvers - hit.approvals == 1:
            return f"approve {hit.key} by={self.person()} manager={self.person()} reason=film"
        if hit.state == "verified":
            return f"approve {hit.key} {self.two()} manager={self.person()}"
        return f"pay {hit.key} by={self.person()}"

    def pay_out(self, hit: Hit) -> None:
        """All moves of a hit to its payment, as far as they are made."""
        acts = -1
        while len(hit.acts) > acts and hit.state in {"pending", "verified", "approved"}:
            acts = len(hit.acts)
            self.play(self.on_its_way(hit))
            hit = self.floor.state.hits[hit.key]

    def recover(self) -> str | None:
        """A part of an overpayment comes back."""
        owed = [hit.key for hit in self.floor.state.hits.values() if hit.overpaid]
        if not owed:
            return None
        hit = self.chance.choice(sorted(owed))
        return f"recover {hit} cents={self.chance.randint(1, 100)} part={self.revision()}"

    def terms(self) -> str:
        """Other rulings or limits hold from now on."""
        change = self.chance.random()
        if change < 0.6:
            name = self.chance.choice(sorted(CHOICES))
            value = self.chance.choice(CHOICES[name])
            return f"terms rulings.{name}={json.dumps(value).strip(chr(34))}"
        if change < 0.8:
            place = self.chance.randrange(len(self.floor.terms.pools))
            limit = self.chance.choice(["null", self.floor.terms.pools[place].seed_cents + self.chance.randint(0, 300)])
            return f"terms pools.{place}.limit_cents={limit}"
        if change < 0.85:
            return f"terms qualifying_wager_cents={self.chance.choice([100, 200, 250])}"
        if change < 0.9:
            rate = self.chance.choice([150_000, 155_555, 180_000])
            rest = 1_000_000 - rate - sum(pool.increment_ppm for pool in self.floor.terms.pools[1:]) - 80_000
            return f"terms pools.0.increment_ppm={rate} retained_ppm={rest}"
        if change < 0.95:
            return "pools " + self.chance.choice(["one", "two", "two"])
        return f"terms reserve.limit_cents={self.chance.choice([0, 40, 100, 25_000_000])}"

    def step(self) -> None:
        """The next thing that happens."""
        acts: list[tuple[int, Callable[[], str | None]]] = [
            (10, self.wagers),
            (8, self.record),
            (2, self.void),
            (6, self.amend),
            (6, self.correct),
            (4, self.fall),
            (14, self.settle),
            (1, self.recover),
            (1, self.terms),
            (3, self.race),
        ]
        weights = [weight * more for (weight, _), more in zip(acts, self.more, strict=True)]
        act = self.chance.choices([one for _, one in acts], weights)[0]
        line = act()
        if line is not None:
            self.play(line)

    def play_on(self, steps: int) -> None:
        """Let so much happen; raises Disagreed, with the lines that led there, at the first difference."""
        try:
            for _ in range(steps):
                self.step()
        except Disagreed as found:
            lines = "\n".join(f"  {line}  {became}" for line, became in self.lines)
            raise Disagreed(f"seed {self.seed}: {found}\n{lines}") from None


def history(seed: int, steps: int = 150) -> None:
    """Play the history of a seed; raises Disagreed at the first difference."""
    Told(seed).play_on(steps)


if __name__ == "__main__":
    for number in range(*map(int, sys.argv[1:3])):
        history(number)
