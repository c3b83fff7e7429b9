"""What may befall a world: every kind of fault, what people do, and time, each by two numbers."""

from collections.abc import Callable
from typing import Final

from tablelink.core.inputs import GoOn, Voided
from tests.sim.boards import redis_forgets
from tests.sim.hosts import Host
from tests.sim.months import month_ends, table_clock
from tests.sim.ordering import decide, late_prize
from tests.sim.people import end_open
from tests.sim.restoring import bring_back
from tests.sim.spooling import clone, end_clone, keep_copy, lost_tail, old_spool, table_of, torn
from tests.sim.wires import UP, Way, Wire
from tests.sim.world import World
from tests.support.memory_store import Fault

SECOND_US = 1_000_000


def _host(world: World, number: int) -> Host | None:
    hosts = [host for host in world.hosts.values() if host is not None and host.alive]
    return hosts[number % len(hosts)] if hosts else None


def _go(world: World, a: int, b: int) -> None:
    world.go(a, 10 + b % 90)


def _ways(world: World) -> list[Way]:
    ways = [way for wire in world.wires if wire.welcomed for way in wire.ways.values() if way.frames]
    return [*ways, *(way for way in world.radio.values() if way.frames)]


def _befall(fault: str) -> Callable[[World, int, int], None]:
    def befall(world: World, a: int, b: int) -> None:
        # Frames are on the way for a moment only: what is hit is the next that is.
        for extra in range(30):
            ways = _ways(world)
            if ways:
                ways[a % len(ways)].befall(fault, world.now_us, b % (8 * SECOND_US), world.faults)
                return
            world.go(a + extra, 1)

    return befall


def _time(world: World, _a: int, b: int) -> None:
    """Nobody does anything for a while."""
    world.now_us += b % ((20 if b % 7 == 0 else 3) * SECOND_US)


def _cut(world: World, a: int, _b: int) -> None:
    if world.wires:
        world.wires[a % len(world.wires)].cut()
        world.faults["cut"] += 1


def _partition(world: World, a: int, b: int) -> None:
    table = table_of(world, a)
    if table is not None:
        table.partitioned_until_us = world.now_us + b % (40 * SECOND_US)
        world.faults["partition"] += 1


def _ledger_away(world: World, a: int, b: int) -> None:
    host = _host(world, a)
    if host is not None:
        host.ledger_away_until_us = world.now_us + b % (10 * SECOND_US)


def _redis_away(world: World, _a: int, b: int) -> None:
    world.redis_away_until_us = world.now_us + b % (40 * SECOND_US)
    world.faults["redis_away"] += 1


_POST = (Fault.LOST_BEFORE, Fault.LOST_AFTER, Fault.LOST_UNDER_WAY, Fault.LOST_IN_THE_SOCKET)


def _lose(world: World, a: int, _b: int) -> None:
    world.post_fault = _POST[a % len(_POST)]


def _arrive(world: World, _a: int, _b: int) -> None:
    world.arrive()


_SERVER_PLACES = ("post", "posted", "posted", "posted", "commit", "locked", "load", "answers")


def _crash_server(world: World, a: int, b: int) -> None:
    host = _host(world, a)
    if host is not None:
        host.dies_at = _SERVER_PLACES[b % len(_SERVER_PLACES)]


def _kill_server(world: World, a: int, b: int) -> None:
    host = _host(world, a)
    if host is not None:
        world.kill_host(host, back_us=b % (20 * SECOND_US))
        world.faults["crash_server"] += 1


def _crash_table(world: World, a: int, b: int) -> None:
    table = table_of(world, a)
    if table is not None:
        table.dies_at = ("before the disk", "after the disk")[b % 2]


def _kill_table(world: World, a: int, b: int) -> None:
    table = table_of(world, a)
    if table is not None:
        world.kill_table(table, silently=b % 2 == 0, back_us=b % (20 * SECOND_US))
        world.faults["crash_table"] += 1


def _pause_server(world: World, a: int, b: int) -> None:
    """A process stands still, sooner one that has just been sent wagers (case 55)."""
    host = _host(world, a)
    for extra in range(40 if b % 2 else 0):
        asked = [wire.host for wire in world.wires if wire.welcomed and wire.ways[UP].frames and wire.host.alive]
        if asked:
            host = asked[a % len(asked)]
            break
        world.go(a + extra, 1)
    if host is not None and host.alive:
        host.paused_until_us = world.now_us + b % (70 * SECOND_US)
        world.faults["pause_server"] += 1


def _late_wagers(world: World, a: int, b: int) -> None:
    """A process stands still with wagers in hand; their table goes on at another; then it wakes (case 55)."""
    for extra in range(150):
        asked = [wire for wire in world.wires if wire.welcomed and wire.host.alive and _asks(wire)]
        if asked:
            break
        world.go(a + extra, 1)
    else:
        return
    wire = asked[a % len(asked)]
    while _asks(wire) and wire.host_open and b % 4:
        # They have arrived, and nothing was done about them yet.
        wire.host.take(wire, wire.ways[UP].frames.popleft())
    if b % 8 > 4:
        # They are decided already, and the statement that posts them is not sent yet.
        world.step_until(wire.host, "poster", "post")
    if not wire.host.alive:
        return
    wire.host.paused_until_us = world.now_us + 30 * SECOND_US
    world.faults["pause_server"] += 1
    if b % 3:
        # The dealer goes on without it, at the other process; it wakes when that is durable, the round not over yet.
        under_way = wire.table.desk.dealing.round
        if under_way is not None and under_way.waits_for_answer:
            wire.table.agent.tell(GoOn("the dealer goes on"))
            world.go(a, 6)
            wire.close_table()
        for extra in range(500):
            rounds = world.ledger.rows.rounds.values()
            if any(one.withdrawn for one in rounds if one.table == wire.table.name):
                wire.host.paused_until_us = world.now_us
                return
            world.go(a + extra, 1)
        return
    for seconds in (3, 16, 12):
        world.now_us += seconds * SECOND_US
        world.go(a + seconds, 20 + b % 40)


def _asks(wire: Wire) -> bool:
    """Whether wagers are on their way to the server."""
    return any(b'"kind":"wagers"' in frame for frame in wire.ways[UP].frames)


def _pause_table(world: World, a: int, b: int) -> None:
    table = table_of(world, a)
    if table is not None:
        table.paused_until_us = world.now_us + b % (70 * SECOND_US)
        world.faults["pause_table"] += 1


def _clock(world: World, a: int, b: int) -> None:
    host = _host(world, a)
    if host is not None:
        jumps = (90 * SECOND_US, -90 * SECOND_US, 3_600 * SECOND_US, -3_600 * SECOND_US, 40 * 86_400 * SECOND_US)
        host.wall.off_us = jumps[b % len(jumps)] if b % 11 == 0 else jumps[b % 4]
        world.faults["clock_jump"] += 1


def _void(world: World, a: int, b: int) -> None:
    """A round or a seat is void, sooner in a round with accepted wagers, and sometimes after a royal elsewhere."""
    playing = [one for one in world.agents() if one.desk.dealing.round is not None]
    wagered = [one for one in playing if one.desk.dealing.round and one.desk.dealing.round.accepted]
    for table in (wagered or playing)[a % max(1, len(wagered or playing)) :][:1]:
        if b % 3 == 0:
            table.paused_until_us = world.now_us + 3 * SECOND_US
            world.faults["pause_table"] += 1
            _until_a_royal(world, a)
        if not table.alive or table.desk.dealing.round is None:
            return
        seats = [seat.seat for seat in table.desk.dealing.round.in_play]
        named = (seats[b % len(seats)],) if b % 5 == 0 and len(seats) > 1 else ()
        table.agent.tell(Voided("CSP 14.8" if named else "CSP 14.4", "Cy", named))
        world.faults["void"] += 1


def _until_a_royal(world: World, number: int) -> None:
    epoch = world.ledger.rows.pools["main"].epoch
    for extra in range(100):
        if world.ledger.rows.pools["main"].epoch != epoch:
            return
        world.go(number + extra, 3)


def _no_answer(world: World, a: int, _b: int) -> None:
    """The dealer goes on without an answer, at the first table that comes to wait for one."""
    for extra in range(60):
        waiting = [one for one in world.agents() if (now := one.desk.dealing.round) and now.waits_for_answer]
        if waiting:
            waiting[a % len(waiting)].agent.tell(GoOn("the dealer goes on"))
            world.faults["withdraw"] += 1
            return
        world.go(a + extra, 1)


def _terms(world: World, a: int, _b: int) -> None:
    if not world.office.busy and world.office.new_terms(a):
        world.faults["terms_change"] += 1


def _felt(world: World, a: int, b: int) -> None:
    """People lay the felt of the terms in force, between two rounds."""
    terms = world.ledger.rows.terms[-1].terms
    for extra in range(60):
        others = [one for one in world.agents() if not one.clone and one.terms != terms]
        if not others:
            return
        for table in others:
            if table.desk.dealing.round is None:
                world.felts[table.name] = terms
                world.kill_table(table, back_us=b % SECOND_US)
                return
        world.go(a + extra, 1)


def _hit(world: World, a: int, b: int) -> None:
    """People move a hit, sometimes one step, sometimes all the way."""
    for extra in range(1 + b % 6):
        if not world.office.move_hit(a, manager=b % 8 == 0):
            return
        world.faults["hit_moved"] += 1
        world.go(a + extra, 15)


def _fall(world: World, a: int, _b: int) -> None:
    """A hit falls away: rejected, released or forfeited."""
    if not world.office.busy and world.amendments.let_fall(a):
        world.faults["hit_fell"] += 1


def _void_recorded(world: World, a: int, b: int) -> None:
    """Two people void a round after its record, or seats of it; sooner or later a hit of it has been paid."""
    for extra in range(b % 3):
        if world.office.move_hit(a, manager=True):
            world.go(a + extra, 15)
    if not world.office.busy:
        world.amendments.void_recorded(a)


def _corrected(world: World, a: int, b: int) -> None:
    """Two people correct a record; some of what was paid comes back."""
    if not world.office.busy:
        if b % 4 == 0 and world.amendments.recover(a):
            return
        world.amendments.correct(a)


def _typed(world: World, a: int, b: int) -> None:
    """A spool is lost with a round under way, and two people type in its record once the table has another journal."""
    if not world.office.lost_rounds():
        torn(world, a, b)
    for extra in range(400):
        if not world.office.busy and world.amendments.type_in(a):
            return
        world.go(a + extra, 1)


def _restored(world: World, a: int, _b: int) -> None:
    """The ledger goes back, takes back what tables hold, and begins its next life."""
    if bring_back(world, a):
        world.faults["restored_ledger"] += 1


def _word(world: World, a: int, b: int) -> None:
    """A supervisor says which spool is the table, sooner of one that the server refuses."""
    if world.office.busy:
        return
    names = sorted(name for name, table in world.tables.items() if table is not None and table.alive)
    refused = [name for name in names if (one := world.tables[name]) is not None and one.agent._session.refused]
    if b % 8 and not refused:
        return
    for name in (refused or names)[a % max(1, len(refused or names)) :][:1]:
        table = world.tables[name]
        assert table is not None
        world.office.word(name, table.desk._spool.id)


def _end_lost(world: World, a: int, _b: int) -> None:
    """Two people void a round of a journal that is lost, as soon as there is one."""
    for extra in range(60):
        if not world.office.busy and world.office.end_lost():
            return
        world.go(a + extra, 1)


KINDS: Final[dict[str, tuple[int, Callable[[World, int, int], None]]]] = {
    "go": (60, _go),
    "hit": (40, _hit),
    "time": (10, _time),
    "drop": (4, _befall("drop")),
    "duplicate": (4, _befall("duplicate")),
    "reorder": (4, _befall("reorder")),
    "delay": (4, _befall("delay")),
    "cut": (3, _cut),
    "partition": (2, _partition),
    "ledger_away": (2, _ledger_away),
    "redis_away": (2, _redis_away),
    "redis_forgets": (4, redis_forgets),
    "lose": (12, _lose),
    "arrive": (6, _arrive),
    "crash_server": (9, _crash_server),
    "kill_server": (3, _kill_server),
    "crash_table": (4, _crash_table),
    "kill_table": (2, _kill_table),
    "pause_server": (4, _pause_server),
    "late_wagers": (10, _late_wagers),
    "pause_table": (3, _pause_table),
    "clock": (3, _clock),
    "torn": (3, torn),
    "keep_copy": (8, keep_copy),
    "old_spool": (8, old_spool),
    "lost_tail": (10, lost_tail),
    "clone": (3, clone),
    "end_clone": (4, end_clone),
    "void": (12, _void),
    "go_on": (9, _no_answer),
    "terms": (3, _terms),
    "felt": (12, _felt),
    "fall": (10, _fall),
    "void_recorded": (14, _void_recorded),
    "corrected": (10, _corrected),
    "typed": (8, _typed),
    "late_prize": (8, late_prize),
    "order": (14, decide),
    "month_end": (7, month_ends),
    "table_clock": (3, table_clock),
    "restored": (6, _restored),
    "word": (10, _word),
    "end_lost": (6, _end_lost),
    "end_open": (16, end_open),
}
"""What may befall, how often in proportion, and how it is done."""
