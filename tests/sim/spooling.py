"""What may befall a table's spool: torn, brought back as it was some time ago, without its last rows, held by two."""

from tablelink.core.inputs import GoOn, Voided
from tests.sim.restoring import take_back
from tests.sim.tables import SETTINGS, TableMachine
from tests.sim.world import World


def table_of(world: World, number: int) -> TableMachine | None:
    """One of the tables whose agent runs."""
    agents = world.agents()
    return agents[number % len(agents)] if agents else None


def torn(world: World, a: int, b: int) -> None:
    """A spool is torn, sooner that of a table with a round under way."""
    agents = [one for one in world.agents() if not one.clone]
    playing = [one for one in agents if one.desk.dealing.round is not None] or agents
    if playing:
        table = playing[a % len(playing)]
        table.disk.torn = True
        world.kill_table(table, silently=b % 2 == 0)
        world.faults["torn_spool"] += 1


def keep_copy(world: World, a: int, _b: int) -> None:
    """A copy is taken of a table's disk, as for a backup."""
    name = sorted(SETTINGS)[a % len(SETTINGS)]
    world.old_disks[name] = world.disks[name].copy()


def old_spool(world: World, a: int, b: int) -> None:
    """A spool comes back as it was some time ago, as from a backup of the table's disk."""
    name = sorted(world.old_disks)[a % len(world.old_disks)] if world.old_disks else ""
    table = world.tables.get(name)
    if table is None or not table.alive or world.clone is not None:
        return
    old = world.old_disks.pop(name)
    if not take_back(world, old):
        return
    world.kill_table(table, silently=b % 2 == 0)
    world.lost_disks.append(world.disks[name])
    world.disks[name] = old
    world.witness.cloned.add(name)
    world.witness.doubled.add(name)
    world.faults["older_spool"] += 1


def lost_tail(world: World, a: int, b: int) -> None:
    """A disk loses its last rows, which it had confirmed: a withdrawal or a void that is in the ledger already."""
    for extra in range(100):
        agents = [one for one in world.agents() if not one.clone and one.name not in world.witness.doubled]
        playing = [one for one in agents if (now := one.desk.dealing.round) and now.wagers_id]
        waiting = [one for one in playing if one.desk.dealing.round and one.desk.dealing.round.waits_for_answer]
        if found := waiting if b % 2 and extra < 60 else playing:
            break
        world.go(a + extra, 1)
    else:
        return
    table = found[a % len(found)]
    round_, kept = table.desk.dealing.round, table.disk.copy()
    key = (table.name, table.desk.dealing.journal, table.desk.dealing.next_round - 1)
    table.agent.tell(GoOn("the dealer goes on") if round_ and round_.waits_for_answer else Voided("CSP 14.4", "Cy"))
    for extra in range(300):
        if not table.alive:
            return
        if key in world.witness.withdrawn | world.witness.over:
            world.kill_table(table, silently=True)
            world.lost_disks.append(world.disks[table.name])
            world.disks[table.name] = kept
            world.witness.cloned.add(table.name)
            world.faults["lost_tail"] += 1
            return
        now = table.desk.dealing.round
        if extra % 50 == 49 and now is not None and now.accepted and not now.withdrawn:
            table.agent.tell(Voided("CSP 14.4", "Cy"))  # the answer had come first
        world.go(a + extra, 1)


def clone(world: World, a: int, b: int) -> None:
    """A second agent runs on a copy of a table's spool, for a while."""
    table = table_of(world, a)
    if table is None or world.clone is not None or table.clone:
        return
    copy = table.disk.copy()
    world.witness.cloned.add(table.name)
    world.witness.doubled.add(table.name)
    world.clone = TableMachine(world, table.name, copy, world.felts[table.name], table.host + b % 2, clone=True)
    world.faults["cloned_table"] += 1


def end_clone(world: World, _a: int, b: int) -> None:
    """The second agent ends."""
    if world.clone is not None:
        world.kill_table(world.clone, silently=b % 2 == 0)
