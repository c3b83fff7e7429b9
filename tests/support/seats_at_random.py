"""Random histories of a ledger that is brought back after two people ended seats or rounds that were open (PROTOCOL 5).

Their table hears of it and writes it down, or plays on, and no spool holds the word. Long hunts:
`python -m tests.support.seats_at_random 1000 2000`.
"""

import sys
from collections import defaultdict

from jackpot.core.state import OpenRound
from jackpot.wire.ids import VOID_OF_TWO, message_id, void_kind
from tests.support.at_random import TABLES, Disagreed
from tests.support.lives_at_random import ToldOfLives

VOIDS = 2
"""The place of voids among the kinds of act."""
HEARD, TYPED, WHOLE = 0.4, 0.1, 0.1
OFTEN = 4


class ToldOfSeats(ToldOfLives):
    """A floor where people end seats and rounds under way, most of all those that are lost then."""

    def __init__(self, seed: int) -> None:
        """Open the link under the terms of a seed."""
        super().__init__(seed)
        self.more[VOIDS] = max(self.more[VOIDS], OFTEN)
        self.unheld: set[str] = set()
        self.unheard: dict[tuple[str, int, int], set[int]] = defaultdict(set)
        """Seats of which their table does not know that they are void."""

    def step(self) -> None:
        """The next thing that happens; of a table whose record was not the ledger's a supervisor says that it is it."""
        super().step()
        for table in TABLES:
            if self.floor.state.tables[table].status == "quarantined":
                self.play(f"word {table}")
                self.play(f"{table} hello")

    def bring_back(self) -> None:
        """Bring the ledger back; whatever tables hold of that is taken back."""
        super().bring_back()
        if not self.lines[-1][1].endswith("left out 0"):
            raise Disagreed(f"{self.lines[-1][1]} of what tables hand in")

    def void(self) -> str | None:
        """People void a round under way or seats of it, or type its record in; or it is its table's own void."""
        rounds = [one for one in self.floor.state.rounds.values() if one.accepted]
        what = self.chance.random()
        if what < HEARD or not rounds:
            return super().void()
        one = self.chance.choice(rounds)
        if what < HEARD + TYPED:
            hands = self.hands(sorted(one.accepted), {}, 0, self.wins)
            return f"{one.table} type {one.round}: {hands} journal={one.journal} manager={self.person()} {self.two()}"
        least = 0 if what < HEARD + TYPED + WHOLE else 1
        seats = sorted(self.chance.sample(sorted(one.accepted), self.chance.randint(least, len(one.accepted))))
        if self.chance.random() > HEARD:
            place = (one.table, one.journal, one.month, one.round)
            self.unheld.add(message_id(*place, void_kind(tuple(seats)), VOID_OF_TWO))
            self.unheard[one.table, one.journal, one.round] |= set(seats)
        by = f"with={self.person()} revision={VOID_OF_TWO} journal={one.journal}"
        return f"{one.table} void {one.round}: {' '.join(map(str, seats))} rule=16.5 {by}"

    def record_of(self, one: OpenRound, wins: float) -> str:
        """The record of this round as its table has played it."""
        out = self.unheard[one.table, one.journal, one.round] - one.accepted
        words = [
            f"{word}/jackpot" if int(word.partition("=")[0]) in out else word
            for word in self.hands(sorted(one.accepted | out), {}, 0, wins).split()
        ]
        return f"{one.table} record {one.round}: {' '.join(words)} journal={one.journal}"


def history(seed: int, steps: int = 150) -> None:
    """Play the history of a seed; raises Disagreed at the first difference."""
    ToldOfSeats(seed).play_on(steps)


if __name__ == "__main__":
    for number in range(*map(int, sys.argv[1:3])):
        history(number)
