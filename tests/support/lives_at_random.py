"""Random histories of amendments on a ledger that is brought back now and then (PROTOCOL 5), most of all amid them.

What people did in the life that is lost they do not do again, but that what was paid stays paid. Long hunts:
`python -m tests.support.lives_at_random 1000 2000`.
"""

import sys
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from rules.terms import Terms, canonical_bytes, parse_terms
from tests.oracle.amends_model import Recorded
from tests.oracle.lives_model import LivesModel
from tests.support.at_random import TABLES, Told
from tests.support.brought_back import bring_back, shown_now
from tests.support.terms import a_share

OFTEN = 0.05
"""How often the ledger is brought back, a step."""
MOST_LOST = 25
"""So many batches at most are lost, but where people were just amending."""
AMONG = ("royal_flush", "straight_flush", "four_of_a_kind")
"""Prizes of a meter, those that come to most first."""


class ToldOfLives(Told):
    """A floor whose ledger is brought back: a stranger works every batch out again from the first."""

    model: LivesModel
    unheld: Collection[str] = ()
    """Words that no spool holds."""

    def first_terms(self) -> Terms:
        """Terms under which three prizes of one meter come to much, to less and to little."""
        terms = super().first_terms()
        if self.chance.random() < 0.5:
            return terms
        little = a_share("four_of_a_kind", terms.pools[-1].name, 1_000, 100)
        prizes = tuple(little if one.name == little.name else one for one in terms.pay_table)
        return parse_terms(canonical_bytes(replace(terms, pay_table=prizes)))

    def step(self) -> None:
        """The next thing that happens."""
        if self.chance.random() < OFTEN:
            self.bring_back()
        else:
            super().step()

    def bring_back(self) -> None:
        """Bring the ledger back to some time ago, sooner into the midst of what people correct of a paid prize."""
        kept = max(len(self.floor.batches) - self.chance.randint(1, MOST_LOST), 1 + 2 * len(TABLES))
        paid = [key for key, one in self.model.recorded.items() if any(each.paid for each in one.prizes.values())]
        if paid and self.chance.random() < 0.7:
            key = self.chance.choice(paid)
            kept = len(self.floor.batches) + self.chance.randint(0, 2)
            for among in self.chance.sample([AMONG[:1], AMONG[1:2], AMONG[2:], AMONG], 2):
                self.play(self.corrected_again(key, among))
            for hit in self.hits_of(key[0]):
                self.pay_out(hit)
        kept = min(kept, len(self.floor.batches))
        made = bring_back(self.floor, kept, shown_now(self.floor, self.chance), self.unheld)
        self.lines.append((f"back to {kept}", f"generation {made.generation}, left out {len(made.left_out)}"))
        self.model, self.read, self.last = LivesModel(), 0, {}
        self.look()

    def corrected_again(self, key: tuple[str, int, int], among: Sequence[str]) -> str:
        """Two people correct a record in which each prize of a meter becomes one of these, or stays."""
        one = self.model.recorded[key]
        words = []
        for seat in sorted(one.opened.seats):
            now = one.prizes[seat].prize if seat in one.prizes else ""
            prize = self.chance.choice(among) if now in AMONG else now
            words.append(f"{seat}={prize}" if prize else f"{seat}")
        at = f"journal={key[1]} revision={self.revision()}"
        names = f"by={self.person()} with=- manager={self.person()} reason=film"
        return f"{key[0]} correct {key[2]}: {' '.join(words)} {at} {names}"

    def shared_out(self, round_: Recorded) -> Iterator[str]:
        """As ever, but where an amount of a lost life stands: the house adds what the meter lacks for it."""
        if not self.model.made_good & {one.hit for one in round_.prizes.values()}:
            yield from super().shared_out(round_)


def history(seed: int, steps: int = 150) -> None:
    """Play the history of a seed; raises Disagreed at the first difference."""
    ToldOfLives(seed).play_on(steps)


if __name__ == "__main__":
    for number in range(*map(int, sys.argv[1:3])):
        history(number)
