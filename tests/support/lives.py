"""A link whose ledger is brought back: its earlier state, what tables hold of the rest, and what is posted."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from jackpot.core.behind import GoneBack, mark_of
from jackpot.core.chain import decode_body
from jackpot.core.commands import command_of
from jackpot.core.hits import OPEN
from jackpot.core.ports import Batch, Known
from jackpot.core.reopening import Choices, HeldMessage, Lost, Plan, TableHits, plan
from jackpot.core.replay import decide_again
from jackpot.core.state import LinkState
from jackpot.wire.messages import Receipt
from jackpot.wire.snapshots import Snapshot
from tests.support.floor import Floor
from tests.support.held import hold_batch, known_of

MESSAGES = ("wagers", "record", "withdraw", "void", "signed")


def state_after(floor: Floor, batches: int) -> LinkState:
    """The link's state after so many of its batches."""
    state = LinkState(floor.state.chain)
    for batch in floor.batches[:batches]:
        state = decide_again(state, decode_body(batch.body)).state
    return state


def held_of(batches: Sequence[Batch], tables: Collection[str]) -> list[HeldMessage]:
    """The messages of these tables in these batches, as their spools hold them."""
    held: list[HeldMessage] = []
    for batch in batches:
        for one in decode_body(batch.body).commands:
            command = command_of(bytes(one.command))
            kind = one.id.split("/")[4:5]
            if command.table in tables and kind and kind[0].partition(".")[0] in MESSAGES:
                receipt = Receipt(batch.generation, one.commit, batch.digest.hex())
                spool = command.table.encode().hex()
                held.append(HeldMessage(one.id, command.table, receipt, spool, bytes(command.said), bytes(one.answer)))
    return held


@dataclass
class Restored:
    """A link brought back to one of its batches, while some of its tables hold what they were answered since."""

    floor: Floor
    batches: int
    tables: Collection[str]
    shown: Snapshot | None = None
    state: LinkState = field(init=False)
    held: list[HeldMessage] = field(init=False)
    answers: dict[str, bytes] = field(default_factory=dict)
    posted: list[Batch] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Bring it back."""
        self.state = state_after(self.floor, self.batches)
        self.held = held_of(self.floor.batches[self.batches :], self.tables)

    def lost(self) -> Lost:
        """What is known of the life that was lost."""
        now = self.floor.state
        tables = [
            TableHits(
                name,
                complete=name in self.tables,
                open=frozenset(str(key) for key, hit in now.hits.items() if key.table == name and hit.state in OPEN),
                shown={},
            )
            for name in now.tables
        ]
        evidence = GoneBack("checkpoint", mark_of(self.state.head), mark_of(now.head), shown=self.shown)
        return Lost(evidence, self.held, tables)

    def planned(self, choices: Choices) -> Plan:
        """What would be posted, with those tables left out that hold nothing."""
        return plan(self.state, self.lost(), choices, self.floor.time_us)

    def reopen(self, choices: Choices) -> Plan:
        """Post it, each batch held to what holds of any."""
        made = self.planned(choices)
        assert not made.obstacles, made.obstacles
        for decision in made.decisions:
            hold_batch(self.state, decision)
            assert decision.batch is not None
            self.posted.append(decision.batch)
            self.state = decision.state
            known: dict[str, Known] = known_of(decision)
            self.answers |= {name: one.answer for name, one in known.items()}
        return made
