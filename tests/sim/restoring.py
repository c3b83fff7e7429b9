"""The ledger is brought back to some time ago, and takes back from the tables what it lost (PROTOCOL 5).

Which place is lost, what is posted again and in which order, and what people must say: all that is the product's. Here
are only the restore itself, the tables' disks, and two people who know what was paid.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from jackpot.core.behind import GoneBack, Mark, Verdict, judge, mark_of, mark_of_receipt
from jackpot.core.chain import decode_body
from jackpot.core.commands import NewTerms, command_of
from jackpot.core.ports import Batch
from jackpot.core.reopening import Choices, HeldMessage, Lost, Plan, TableHits, plan
from jackpot.wire.codec import decode_published, decode_snapshot
from jackpot.wire.messages import HandIn, HitNow
from rules.terms import fingerprint
from tests.sim.disk import Disk
from tests.sim.seals import WaxSeal
from tests.sim.witness import Violation, Witness

MOST_LOST = 40
"""So many batches are lost at most."""
ALL_BYTES = 2**40


def bring_back(world: Any, number: int) -> bool:
    """Restore the ledger to some batches ago, and open it again; False where this world cannot be restored now."""
    ledger = world.ledger
    torn = any(disk.torn or disk.full for disk in world.disks.values())
    if torn or world.clone is not None or world.witness.cloned or len(ledger.batches) <= MOST_LOST:
        return False
    lost = _lost_batches(ledger.batches, 1 + number % MOST_LOST)
    world.lost_states |= {str(key): hit.state for key, hit in ledger.rows.hits.items()}
    for host in world.hosts.values():
        if host is not None and host.alive:
            world.kill_host(host)
    world.office.drop_everything()
    last = mark_of(ledger.rows.head)
    ledger.restore(len(ledger.batches) - lost)
    world.begin_another_life()
    known = _remembered(world, last)
    _post(world, known)
    world.witness.look(world.now_us)
    _matched(world, known.held)
    return True


def take_back(world: Any, disk: Disk) -> bool:
    """Take back what a spool of a lost life holds, before its table says hello with it; False where that cannot be now.

    Its hello is refused while nobody has it posted (PROTOCOL 5: no receipt that the ledger does not hold passes).
    """
    held = _held(disk, HandIn(1, 0))
    known = {one.id: found for one in held if (found := world.ledger.known(one.id)) is not None}
    if len(known) == len(held):
        return True
    terms = fingerprint(world.ledger.rows.terms[-1].terms)
    under = {getattr(command_of(one.message).message, "terms", terms) for one in held if one.id not in known}
    if world.ledger.locked or under != {terms}:
        return False
    lost = Lost(None, held, [TableHits(disk.table, complete=True, open=frozenset(), shown={})], known)
    wrong = plan(world.ledger.rows.state(), lost, Choices("Ann", "Bob"), world.wall_us).wrong
    out = tuple(one.id for one in held if one.id in wrong and _ended_by_two(world, one.id, held))
    _post(world, lost, out)
    world.left_out |= set(out)
    world.witness.look(world.now_us)
    _matched(world, [one for one in held if one.id not in out])
    world.faults["late_hand_in"] += 1
    return True


def _ended_by_two(world: Any, name: str, held: Sequence[HeldMessage]) -> bool:
    """Whether two people have ended this message's round, whose spool was lost to them, in a word of their own.

    A round ends once: its table's own word cannot stand beside theirs, and they leave it out.
    """
    of_round = "/".join(name.split("/")[:4])
    void = f"{of_round}/void/1"
    voided = world.ledger.known(void) is not None and void not in {one.id for one in held}
    return voided or world.ledger.known(f"{of_round}/typed/1") is not None


def _lost_batches(batches: Sequence[Batch], most: int) -> int:
    """So many of the last batches that one change of terms at most is lost with them: people bring the file of one."""
    changes = 0
    for lost, batch in enumerate(reversed(batches[-most:])):
        changes += any(
            isinstance(command_of(bytes(one.command)).message, NewTerms) for one in decode_body(batch.body).commands
        )
        if changes > 1:
            return lost
    return most


def _remembered(world: Any, last: Mark) -> Lost:
    """What the tables hand in past the head, and what was last shown."""
    rows = world.ledger.rows
    head = mark_of(rows.head)
    held: list[HeldMessage] = []
    tables = []
    shown = _shown(world, head)
    for name, disk in sorted(world.disks.items()):
        _behind(world, head, disk.spool(WaxSeal(name).sign))
        held += _held(disk, HandIn(head.generation, head.commit))
        own = {hit.hit: HitNow(hit.hit, hit.prize, hit.state, hit.amount_cents) for hit in shown.hits} if shown else {}
        own = {hit: now for hit, now in own.items() if hit.split("/")[0] == name}
        is_open = frozenset(hit.hit for hit in world.tables[name].desk.dealing.hits)
        tables.append(TableHits(name, complete=True, open=is_open, shown=own))
    evidence = GoneBack("checkpoint", head, last, shown=shown)
    known = {one.id: found for one in held if (found := world.ledger.known(one.id)) is not None}
    return Lost(evidence, held, tables, known)


def _held(disk: Disk, after: HandIn) -> list[HeldMessage]:
    """What a table's spool holds answered past a place of the ledger."""
    spool = disk.spool(WaxSeal(disk.table).sign)
    handed, more = spool.held_after(after, ALL_BYTES)
    assert not more
    found = [(bytes(one.message), one) for one in handed]
    return [
        HeldMessage(command_of(message).id, disk.table, one.receipt, spool.id, message, bytes(one.answer))
        for message, one in found
    ]


def _behind(world: Any, head: Mark, spool: Any) -> None:
    """A table's last receipt is held, or the ledger is seen to have gone back."""
    receipt = spool.last_receipt()
    if receipt is None:
        return
    mark = mark_of_receipt(receipt)
    batch = next((one for one in world.ledger.batches if one.first_commit <= mark.commit <= one.last_commit), None)
    at = None if batch is None else Mark(batch.generation, mark.commit, batch.digest.hex(), batch.batch)
    verdict = judge(head, mark, at)
    if (verdict is Verdict.BEYOND) != (mark.place > head.place) or verdict is Verdict.FORKED:
        raise Violation("a ledger that went back is noticed", f"{mark} against {head}: {verdict.name}")


def _shown(world: Any, head: Mark) -> Any:
    """The snapshot that was kept, where it is past the head."""
    if not world.retained:
        return None
    snapshot = decode_snapshot(bytes(decode_published(world.retained).body))
    return snapshot if (snapshot.generation, snapshot.commit) > head.place else None


def _post(world: Any, lost: Lost, left_out: tuple[str, ...] = ()) -> None:
    """Post what two people agree to."""
    for decision in _planned(world, lost, left_out).decisions:
        if decision.batch is not None:
            world.ledger.write(decision.batch)


def _planned(world: Any, known: Lost, left_out: tuple[str, ...]) -> Plan:
    """What is posted, once two people have said what they know; nothing may be in the way then."""
    state = world.ledger.rows.state()
    in_force = {one.terms.version for one in world.ledger.rows.terms}
    terms = tuple(terms for version, terms in sorted(world.all_terms.items()) if version not in in_force)
    choices = Choices("Ann", "Bob", terms=terms, left_out=left_out)
    asked = plan(state, known, choices, world.wall_us).ask
    paid = tuple(hit for hit in asked if world.lost_states.get(hit) == "paid")
    still = tuple(hit for hit in asked if hit not in paid)
    made = plan(state, known, replace(choices, paid=paid, open=still), world.wall_us)
    if made.obstacles:
        raise Violation("what tables hand in is taken back", "; ".join(made.obstacles))
    return made


def _matched(world: Any, held: Sequence[HeldMessage]) -> None:
    """Every receipt that tables hold is matched by what the ledger has under its id."""
    for one in held:
        found = world.ledger.known(one.id)
        if found is None or found.answer != one.answer:
            raise Violation("what tables hand in is taken back", f"{one.id}: {one.answer!r}, stored {found}")


def next_witness(world: Any) -> Witness:
    """A witness of the restored ledger: of answers it remembers those that tables hold."""
    witness = Witness(world.ledger)
    witness.contents = world.witness.contents
    witness.months = world.witness.months.next_life()
    for disk in world.disks.values():
        witness.answers |= {name: answer for name, _, answer in disk.messages() if answer is not None}
    witness.look(world.now_us)
    return witness
