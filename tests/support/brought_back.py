"""A floor whose ledger goes back some batches, and takes back what its tables hold: two people know what was paid."""

import random
from collections.abc import Collection, Sequence
from dataclasses import replace

from jackpot.core.chain import decode_body
from jackpot.core.hits import ENDED, PAID, Hit
from jackpot.core.ports import Known
from jackpot.core.reopening import Choices, Plan
from jackpot.core.replay import decide_again
from jackpot.core.state import LinkState
from jackpot.ledger.past_rounds import PastRounds
from jackpot.wire.snapshots import HitShown, PoolShown, Snapshot
from tests.support.floor import Floor
from tests.support.held import known_of
from tests.support.lives import Restored


def bring_back(floor: Floor, kept: int, shown: Snapshot | None, unheld: Collection[str] = ()) -> Plan:
    """Bring the ledger back to its first batches and open it again; the floor goes on in its next life.

    Of what is `unheld` no spool has the word. What cannot be taken back, since people ended its round otherwise, they
    leave out.
    """
    restored = Restored(floor, kept, list(floor.state.tables), shown)
    restored.held = [one for one in restored.held if one.id not in unheld]
    choices = _choices(floor, restored)
    made = restored.reopen(choices)
    floor.batches = [*floor.batches[:kept], *restored.posted]
    floor.state = restored.state
    assert floor.state.terms is not None
    floor.terms = floor.state.terms.terms
    floor.past, floor.known = PastRounds(), dict[str, Known]()
    state = LinkState(floor.state.chain)
    for batch in floor.batches:
        decision = decide_again(state, decode_body(batch.body))
        floor.past.take(batch)
        floor.known |= known_of(decision)
        state = decision.state
    assert state == floor.state
    return made


def _choices(floor: Floor, restored: Restored) -> Choices:
    """What two people say who were there: the terms that are lost, which prizes were paid, what is to be left out."""
    in_force = {one.terms.version for one in restored.state.older.values()}
    terms = [one.terms for one in floor.state.older.values() if one.terms.version not in in_force]
    lost = {str(key): hit.state for key, hit in floor.state.hits.items()}
    choices = Choices("Ann", "Bob", terms=tuple(sorted(terms, key=lambda one: one.version)))
    while True:
        made = restored.planned(choices)
        paid = tuple(hit for hit in made.ask if lost.get(hit) == PAID)
        more = replace(
            choices,
            paid=(*choices.paid, *paid),
            open=(*choices.open, *(hit for hit in made.ask if hit not in paid)),
            left_out=(*choices.left_out, *(one for one in made.wrong if one in {each.id for each in restored.held})),
        )
        if more == choices:
            return choices
        choices = more


def shown_now(floor: Floor, chance: random.Random) -> Snapshot | None:
    """What Redis still has of the life that is lost: nothing, or all that was shown last."""
    if chance.random() < 0.3:
        return None
    head = floor.state.head
    pools = [
        PoolShown(name, life.epoch, floor.balance(f"pool/{name}") // 1_000_000, life.last_fall_commit, "")
        for name, life in floor.state.pools.items()
    ]
    return Snapshot(
        "southern", head.generation, head.commit, "running", "", "2026-11", pools, _hits(floor), "one", 1, 1
    )


def _hits(floor: Floor) -> list[HitShown]:
    """The hits as boards show them: open ones and those that ended last."""
    hits: Sequence[Hit] = sorted(floor.state.hits.values(), key=lambda hit: (hit.state in ENDED, -hit.moved))
    return [
        HitShown(str(hit.key), hit.prize, hit.state, hit.amount_cents, hit.key.table, hit.moved) for hit in hits[:32]
    ]
