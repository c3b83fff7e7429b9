"""What people do at the server: they move hits, change terms, say which agent is the table, end what a lost spool left.

Each act is a poster of its own beside the servers', as on the server's machine (PROTOCOL 4).
"""

import json
import random
from collections.abc import Sequence
from typing import Any

import msgspec

from jackpot.core.commands import Act, Command, MoveHit, NewTerms, Word, command_of, of_act
from jackpot.core.hits import OPEN, ORDER, Hit
from jackpot.core.ports import Reply, UnreachableError
from jackpot.core.posting import Poster, post
from jackpot.core.state import OpenRound
from jackpot.wire.codec import encode
from jackpot.wire.ids import VOID_OF_TWO
from jackpot.wire.messages import Void
from rules.terms import Terms, TermsError, canonical_bytes, parse_terms
from tests.sim.hosts import Wall
from tests.sim.reins import Machine, Wait

NEXT_MOVE = {"pending": "verify", "verified": "approve", "approved": "pay", "disputed": "resolve"}


class Office(Machine):
    """The people, and the command line they use."""

    def __init__(self, world: Any) -> None:
        """Begin with nothing done."""
        super().__init__("office")
        self.world = world
        self.wall = Wall(world)
        self.acts = 0
        self.replies: list[Reply] = []

    @property
    def busy(self) -> bool:
        """Whether an act is under way."""
        return bool(self.strands)

    def act(self, act: Act, *, twice: bool = False, patient: bool = True) -> None:
        """Let somebody act; `twice` when they ask for the same again, as after a crash.

        Who is not patient takes the first answer, also a later one: what the act says may be out of date by then.
        """
        self.post(of_act(act), twice=twice, patient=patient)

    def post(self, command: Command, *, twice: bool = False, patient: bool = True) -> None:
        """Have a command posted by itself."""
        for _ in range(2 if twice else 1):
            self.begin(f"act {command.id}", lambda: self._post([command], patient=patient))

    async def _post(self, commands: Sequence[Command], *, patient: bool) -> None:
        store = self.world.ledger.store()
        while True:
            try:
                poster = Poster(store, self.wall, lambda _posted: None, await store.load())
                replies = await post(poster, commands)
            except UnreachableError:
                await Wait("try again", until_us=self.world.now_us + 1_000_000)
                continue
            self.replies += replies
            if not patient or all(reply.later is None for reply in replies):
                return
            await Wait("try again", until_us=self.world.now_us + 1_000_000)

    def drop_everything(self) -> None:
        """Leave whatever is under way: the ledger that it was meant for is gone."""
        self.die()
        self.alive = True

    # --- what they do -----------------------------------------------------------------------------------------------

    def person(self) -> str:
        """Somebody whom no hit has met."""
        self.acts += 1
        return f"person {self.acts}"

    def open_hits(self) -> list[Hit]:
        """The hits that wait for people."""
        return [hit for _, hit in sorted(self.world.ledger.rows.hits.items()) if hit.state in OPEN]

    def move_hit(self, number: int, *, manager: bool) -> bool:
        """Move a hit one step on; False where there is none."""
        hits = [hit for hit in self.open_hits() if hit.state in NEXT_MOVE]
        if number % 3:
            # Most disputes about an order wait for those who decide it (`ordering`).
            hits = [hit for hit in hits if hit.state != "disputed" or ORDER not in hit.marks]
        if not hits:
            return False
        self.move(hits[number % len(hits)], manager=manager, twice=number % 7 == 0)
        return True

    def move(self, hit: Hit, *, manager: bool, twice: bool = False) -> None:
        """Move this hit one step on."""
        move = NEXT_MOVE[hit.state]
        second = self.person() if move == "resolve" else ""
        named = self.person() if manager and move in {"verify", "approve"} else ""
        reason = "seen by both" if named or second else ""
        act = MoveHit(str(hit.key), move, self.person(), len(hit.acts), second, reason, named)
        self.act(act, twice=twice)

    def new_terms(self, number: int) -> bool:
        """Put other terms in force; False where nobody would approve them."""
        in_force = self.world.ledger.rows.terms[-1].terms
        terms = changed(in_force, number)
        if terms is None:
            return False
        self.world.all_terms[terms.version] = terms
        self.act(NewTerms(terms.name, terms.version, msgspec.Raw(canonical_bytes(terms)), "Ann", "Bob"))
        return True

    def word(self, table: str, spool: str) -> None:
        """Say which spool is the table."""
        self.acts += 1
        self.act(Word(table, self.acts, "Sue", "seen", spool))

    def lost_rounds(self) -> list[OpenRound]:
        """The open rounds of journals that no table has any more."""
        rows = self.world.ledger.rows
        return [one for one in rows.rounds.values() if one.journal != rows.tables[one.table].journal]

    def end_lost(self) -> bool:
        """Have two people void an open round whose journal is lost; False where there is none."""
        lost = self.lost_rounds()
        if not lost:
            return False
        one = lost[0]
        self.world.faults["void_by_two"] += 1
        self.post(
            command_of(
                encode(Void(one.table, one.journal, one.month, one.round, VOID_OF_TWO, "CSP 14.4", "Ann", second="Bob"))
            )
        )
        return True


def changed(terms: Terms, number: int) -> Terms | None:
    """The next version of terms, changed in some of the fields that wagers, awards and voids depend on."""
    chance = random.Random(number)
    tree = json.loads(canonical_bytes(terms))
    tree["version"] += 1
    main, reserve = chance.choice([220_000, 260_000, 300_000]), chance.choice([80_000, 100_000])
    pool = tree["pools"][0]
    pool["increment_ppm"], tree["reserve"]["increment_ppm"] = main, reserve
    tree["retained_ppm"] = 1_000_000 - main - reserve
    pool["limit_cents"] = chance.choice([None, None, 5_000_100, 5_001_000])
    pool["overflow_to"] = chance.choice(["next_seed", "reserve"])
    tree["reserve"]["limit_cents"] = chance.choice([25_000_000, 300])
    tree["rulings"]["void_after_award"] = chance.choice(["reserve", "pool"])
    tree["rulings"]["rejected_share"] = chance.choice(["recomputed", "kept"])
    tree["rulings"]["never_below_seed"] = chance.random() < 0.3
    tree["rulings"]["stake_returned"] = chance.random() < 0.3
    tree["rulings"]["order_of_hits"] = chance.choice(["commit", "lock"])
    try:
        return parse_terms(json.dumps(tree).encode())
    except TermsError:
        return None
