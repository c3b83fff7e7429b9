"""The end of a history: faults stop, people put right what is theirs, and then everything must have been answered."""

from typing import Any

import msgspec

from jackpot.core.chain import decode_body
from jackpot.core.commands import command_of
from jackpot.core.left_open import left_open
from jackpot.core.replay import decide_again
from jackpot.core.state import ADMITTED, LINKED, QUARANTINED, LinkState
from jackpot.ledger.past import amendments, misstated
from jackpot.ledger.past_rounds import PastRounds
from jackpot.wire.codec import encode
from jackpot.wire.ids import VOID_OF_TWO
from jackpot.wire.messages import Void
from rules.irregularities.voiding import FORFEITS
from tablelink.core.inputs import Amended
from tablelink.spool_file import statement
from tests.sim.disk import Disk
from tests.sim.witness import Violation
from tests.sim.world import World
from tests.support.memory_store import Fault

MOST_LOOKS = 400
"""So often it is looked whether all is answered; people act in between."""
STEPS_A_LOOK = 60
LOOKS_UNTIL_OPEN = 1_200
"""A table that was shut out until a supervisor's word first sends all rounds it played meanwhile, one at a time."""


def settle_down(world: World) -> None:
    """Let faults stop; raises Violation where something stays unanswered, open or different."""
    stop_faults(world)
    for number in range(MOST_LOOKS):
        world.go(number, STEPS_A_LOOK)
        world.arrive()
        if not world.office.busy and not people_act(world) and quiet(world):
            break
    else:
        raise Violation("once faults stop everything is answered", unsettled(world))
    compare(world)
    decided_again(world)
    open_again(world)


def open_again(world: World) -> None:
    """Every table that waits for no hit has wagers accepted again."""
    head, world.calm = world.ledger.rows.head.commit, False
    held = {str(hit.key).split("/")[0] for hit in world.office.open_hits()}
    closed: list[str] = []
    for number in range(LOOKS_UNTIL_OPEN):
        closed = [name for name in world.tables if name not in held and world.witness.last_accepted[name] <= head]
        if not closed:
            return
        if not world.office.busy:
            people_act(world)
        world.go(number, 20)
    raise Violation("once faults stop wagers are accepted", f"{closed} closed; {unsettled(world)}")


def stop_faults(world: World) -> None:
    """Heal the network, wake what sleeps, set clocks right, let late commits arrive, and begin no round."""
    world.calm = True
    world.post_fault = Fault.NONE
    world.redis_away_until_us = 0
    world.arrive()
    if world.clone is not None:
        world.kill_table(world.clone)
    for machine in world.machines():
        machine.paused_until_us, machine.dies_at = 0, ""
        machine.partitioned_until_us = machine.ledger_away_until_us = 0
        if hasattr(machine, "wall"):
            machine.wall.off_us = 0
    for wire in world.wires:
        for way in wire.ways.values():
            way.not_before_us = 0
    for radio in world.radio.values():
        radio.not_before_us = 0


def people_act(world: World) -> bool:
    """Let people do the next thing that is theirs to do; False where there is none."""
    rows = world.ledger.rows
    terms = rows.terms[-1].terms
    for name, table in world.tables.items():
        if table is None or not table.alive:
            return True
        known = rows.tables[name]
        spool = table.desk._spool.id
        if known.status == QUARANTINED or (known.status == ADMITTED and known.word not in {"", "any", spool}):
            world.office.word(name, spool)
            return True
        refused = table.agent._session.refused
        if refused is not None and refused.code == "no_word" and known.word not in {"any", spool}:
            world.office.word(name, spool)
            return True
        if table.desk.dealing.round is None and table.terms != terms:
            world.felts[name] = terms
            world.kill_table(table, back_us=0)
            return True
    if world.office.end_lost() or end_again(world):
        return True
    for hit in world.office.open_hits():
        if hit.state == "claimed" or stuck(hit):
            continue
        if hit.state != "disputed":
            world.office.move(hit, manager=True)
            return True
        if world.amendments.settle_order(hit):
            return True
    return False


def end_again(world: World) -> bool:
    """Let people end a round once more that they had ended by no word of a table; False where there is none.

    The ledger has gone back to before it: the list of a reopening names it, or its table does (JackpotRoundOpen).
    """
    rows = world.ledger.rows
    if rows.head.generation == 1:
        return False
    over = set()
    for name, disk in sorted(world.disks.items()):
        answered = [(one, answer) for one, _, answer in disk.messages() if answer is not None]
        over |= {key for key in left_open(rows.state(), answered) if key[0] == name}
        for (body,) in disk.db.execute(statement("amended")):
            did = msgspec.json.decode(body, type=Amended)
            over |= {(name, did.journal, did.round)} if did.act == "record" or did.rule == FORFEITS else set()
    for name, journal, number in sorted(over & set(rows.rounds)):
        month = rows.rounds[name, journal, number].month
        at = (name, journal, month, number, VOID_OF_TWO)
        world.faults["ended_again"] += 1
        world.office.post(command_of(encode(Void(*at, "CSP 16.5", "Ann", second="Ben"))))
        return True
    return False


def stuck(hit: Any) -> bool:
    """Whether people cannot settle this dispute with what is offered."""
    return hit.state == "disputed" and bool({"differs", "needs_capture"} & set(hit.marks))


def quiet(world: World) -> bool:
    """Whether nothing waits for anything any more."""
    rows = world.ledger.rows
    return not rows.rounds and all(
        table is not None
        and not table.disk.unanswered()
        and table.desk.dealing.round is None
        and rows.tables[name].status == LINKED
        for name, table in world.tables.items()
    )


def unsettled(world: World) -> str:
    """What still waits, in words."""
    rows = world.ledger.rows
    words = [f"open rounds {sorted(rows.rounds)}"]
    for name, table in world.tables.items():
        known = rows.tables[name]
        words.append(f"{name} {known.status} journal {known.journal}")
        if table is not None:
            dealing = table.desk.dealing
            words.append(f"here {dealing.journal}, round {dealing.round}, {table.agent._session}")
            words.append(f"unanswered {table.disk.unanswered()}")
    return "; ".join(words) + f"; hits {[(str(h.key), h.state, h.marks) for h in world.office.open_hits()]}"


def compare(world: World) -> None:
    """Every message that was answered at a table has that answer in the ledger; the live tables' are all answered."""
    for name, disk in world.disks.items():
        left = disk.unanswered()
        if left:
            raise Violation("every spooled message is answered", f"{name}: {left}")
    for disk in (*world.disks.values(), *world.lost_disks):
        _compare(world, disk)


def _compare(world: World, disk: Disk) -> None:
    for name, _body, answer in disk.messages():
        if answer is None or name in world.left_out:
            continue
        known = world.ledger.known(name)
        if known is None or known.answer != answer:
            if b'"id_reused"' in answer and disk.table in world.witness.cloned:
                continue
            raise Violation("what was answered is what is stored", f"{name}: {answer!r}")


def decided_again(world: World) -> None:
    """Every batch is decided again from its stored bytes, to the same bytes and rows; no act misstates its round."""
    state, past = LinkState(world.link), PastRounds()
    for batch in world.ledger.batches:
        for _commit, key, act in amendments(batch):
            if wrong := misstated(act, past.held(key)):
                raise Violation("an act says of its round what the ledger does", f"{key} in {batch.batch}: {wrong}")
        past.take(batch)
        again = decide_again(state, decode_body(batch.body))
        if again.batch is None or (again.batch.body, again.batch.digest) != (batch.body, batch.digest):
            raise Violation("the audit decides every batch again to the same bytes", f"batch {batch.batch}")
        state = again.state
    if state.balances != world.ledger.rows.state().balances:
        raise Violation("the audit decides every batch again to the same bytes", "balances differ")
