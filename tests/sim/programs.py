"""What befalls a world: a program of actions from a seed, played, judged, and made short where it fails.

An action names what it is about by numbers that are taken modulo what is there, so that any part of a program is one.
"""

import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from tablelink.core.inputs import GoOn, Voided
from tests.sim.hosts import Host
from tests.sim.reins import by_hand
from tests.sim.settling import settle_down
from tests.sim.tables import SETTINGS, TableMachine
from tests.sim.wires import Way
from tests.sim.witness import Violation
from tests.sim.world import World
from tests.support.memory_store import Fault

SECOND_US = 1_000_000
ACTIONS: Final = 150
"""Actions in a program: some hundred rounds at three tables."""


@dataclass(frozen=True, slots=True)
class Action:
    """One thing that befalls a world, and the numbers it needs."""

    kind: str
    a: int
    b: int

    def __str__(self) -> str:
        """As a line of a program."""
        return f"{self.kind} {self.a} {self.b}"


@dataclass(frozen=True, slots=True)
class Played:
    """What came of a program."""

    steps: int
    faults: Counter[str]
    rounds: int
    violation: Violation | None = None
    actions: int = 0
    """How many actions of the program were played."""


@dataclass(frozen=True, slots=True)
class Failing:
    """A program that breaks something, made short."""

    seed: int
    program: tuple[Action, ...]
    violation: Violation
    tries: int = 0

    def __str__(self) -> str:
        """As it is printed: what broke, the seed, and each action on its line."""
        lines = [f"seed {self.seed}: {self.violation}", f"  found again by {len(self.program)} actions:"]
        return "\n".join([*lines, *(f"    {action}" for action in self.program)])


# --- what may befall --------------------------------------------------------------------------------------------------


def _table(world: World, number: int) -> TableMachine | None:
    agents = world.agents()
    return agents[number % len(agents)] if agents else None


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


def _cut(world: World, a: int, _b: int) -> None:
    if world.wires:
        world.wires[a % len(world.wires)].cut()
        world.faults["cut"] += 1


def _partition(world: World, a: int, b: int) -> None:
    table = _table(world, a)
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


_SERVER_PLACES = ("post", "post", "posted", "posted", "commit", "locked", "load", "answers")


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
    table = _table(world, a)
    if table is not None:
        table.dies_at = ("before the disk", "after the disk")[b % 2]


def _kill_table(world: World, a: int, b: int) -> None:
    table = _table(world, a)
    if table is not None:
        world.kill_table(table, silently=b % 2 == 0, back_us=b % (20 * SECOND_US))
        world.faults["crash_table"] += 1


def _pause_server(world: World, a: int, b: int) -> None:
    host = _host(world, a)
    if host is not None:
        host.paused_until_us = world.now_us + b % (70 * SECOND_US)
        world.faults["pause_server"] += 1


def _pause_table(world: World, a: int, b: int) -> None:
    table = _table(world, a)
    if table is not None:
        table.paused_until_us = world.now_us + b % (70 * SECOND_US)
        world.faults["pause_table"] += 1


def _clock(world: World, a: int, b: int) -> None:
    host = _host(world, a)
    if host is not None:
        jumps = (90 * SECOND_US, -90 * SECOND_US, 3_600 * SECOND_US, -3_600 * SECOND_US, 40 * 86_400 * SECOND_US)
        host.wall.off_us = jumps[b % len(jumps)] if b % 11 == 0 else jumps[b % 4]
        world.faults["clock_jump"] += 1


def _torn(world: World, a: int, b: int) -> None:
    """A spool is torn, sooner that of a table with a round under way."""
    agents = [one for one in world.agents() if not one.clone]
    playing = [one for one in agents if one.desk.dealing.round is not None] or agents
    if playing:
        table = playing[a % len(playing)]
        table.disk.torn = True
        world.kill_table(table, silently=b % 2 == 0)
        world.faults["torn_spool"] += 1


def _keep_copy(world: World, a: int, _b: int) -> None:
    name = sorted(SETTINGS)[a % len(SETTINGS)]
    world.old_disks[name] = world.disks[name].copy()


def _old_spool(world: World, a: int, b: int) -> None:
    """A spool comes back as it was some time ago, as from a backup of the table's disk."""
    name = sorted(world.old_disks)[a % len(world.old_disks)] if world.old_disks else ""
    table = world.tables.get(name)
    if table is None or not table.alive or world.clone is not None:
        return
    old = world.old_disks.pop(name)
    world.kill_table(table, silently=b % 2 == 0)
    world.lost_disks.append(world.disks[name])
    world.disks[name] = old
    world.witness.cloned.add(name)
    world.faults["older_spool"] += 1


def _clone(world: World, a: int, b: int) -> None:
    """A second agent runs on a copy of a table's spool, for a while."""
    table = _table(world, a)
    if table is None or world.clone is not None or table.clone:
        return
    copy = table.disk.copy()
    world.witness.cloned.add(table.name)
    world.clone = TableMachine(world, table.name, copy, world.felts[table.name], table.host + b % 2, clone=True)
    world.faults["cloned_table"] += 1


def _end_clone(world: World, _a: int, b: int) -> None:
    if world.clone is not None:
        world.kill_table(world.clone, silently=b % 2 == 0)


def _void(world: World, a: int, b: int) -> None:
    table = _table(world, a)
    if table is not None and table.desk.dealing.round is not None:
        seats = [seat.seat for seat in table.desk.dealing.round.in_play]
        named = (seats[b % len(seats)],) if b % 3 == 0 and len(seats) > 1 else ()
        table.agent.tell(Voided("CSP 14.4", "Cy", named))
        world.faults["void"] += 1


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
    table, terms = _table(world, a), world.ledger.rows.terms[-1].terms
    if table is not None and not table.clone and table.desk.dealing.round is None and table.terms != terms:
        world.felts[table.name] = terms
        world.kill_table(table, back_us=b % SECOND_US)


def _hit(world: World, a: int, b: int) -> None:
    if world.office.move_hit(a, manager=b % 4 == 0):
        world.faults["hit_moved"] += 1


def _word(world: World, a: int, _b: int) -> None:
    name = sorted(SETTINGS)[a % len(SETTINGS)]
    table = world.tables[name]
    spool = table.desk._spool.id if table is not None and table.alive else ""
    world.office.word(name, spool)


def _end_lost(world: World, a: int, _b: int) -> None:
    """Two people void a round of a journal that is lost, as soon as there is one."""
    for extra in range(60):
        if not world.office.busy and world.office.end_lost():
            return
        world.go(a + extra, 1)


KINDS: Final[dict[str, tuple[int, Callable[[World, int, int], None]]]] = {
    "go": (60, _go),
    "hit": (24, _hit),
    "drop": (4, _befall("drop")),
    "duplicate": (4, _befall("duplicate")),
    "reorder": (4, _befall("reorder")),
    "delay": (4, _befall("delay")),
    "cut": (3, _cut),
    "partition": (2, _partition),
    "ledger_away": (2, _ledger_away),
    "redis_away": (2, _redis_away),
    "lose": (12, _lose),
    "arrive": (6, _arrive),
    "crash_server": (6, _crash_server),
    "kill_server": (2, _kill_server),
    "crash_table": (4, _crash_table),
    "kill_table": (2, _kill_table),
    "pause_server": (2, _pause_server),
    "pause_table": (2, _pause_table),
    "clock": (3, _clock),
    "torn": (2, _torn),
    "keep_copy": (6, _keep_copy),
    "old_spool": (4, _old_spool),
    "clone": (2, _clone),
    "end_clone": (4, _end_clone),
    "void": (5, _void),
    "go_on": (5, _no_answer),
    "terms": (3, _terms),
    "felt": (8, _felt),
    "word": (3, _word),
    "end_lost": (4, _end_lost),
}
"""What may befall, how often in proportion, and how it is done."""


def program_of(seed: int, length: int = ACTIONS) -> tuple[Action, ...]:
    """The program of a seed."""
    chance = random.Random(seed)
    kinds, weights = list(KINDS), [weight for weight, _ in KINDS.values()]
    made: list[Action] = []
    while len(made) < length:
        kind = chance.choices(kinds, weights)[0]
        made.append(Action(kind, chance.getrandbits(20), chance.getrandbits(27)))
        if kind != "go":
            made.append(Action("go", chance.getrandbits(20), chance.getrandbits(27)))
    return tuple(made[:length])


def play(seed: int, program: Sequence[Action], *, calm: bool = True) -> Played:
    """Play a program, let faults stop, and say whether everything held that must."""
    with by_hand():
        world = World(seed)
        violation: Violation | None = None
        actions = 0
        try:
            for action in program:
                actions += 1
                KINDS[action.kind][1](world, action.a, action.b)
            if calm:
                settle_down(world)
        except Violation as found:
            violation = found
        world.end()
        rounds = len(world.witness.over)
        return Played(world.steps, world.faults, rounds, violation, actions)


def failing(seed: int, played: Played, *, most_tries: int = 100) -> Failing:
    """The history of a seed that failed, made short: what came after it failed goes first."""
    assert played.violation is not None
    program = program_of(seed)
    calm = played.actions == len(program)
    return shortened(seed, program[: played.actions], played.violation, most_tries=most_tries, calm=calm)


def shortened(
    seed: int, program: Sequence[Action], violation: Violation, *, most_tries: int = 100, calm: bool = True
) -> Failing:
    """Take actions out of a program for as long as it breaks the same rule (Zeller's ddmin), in so many tries at most."""
    kept, broken, tries = list(program), violation, 0
    size = max(1, len(kept) // 2)
    while size and tries < most_tries:
        at, shorter = 0, False
        while at < len(kept) and tries < most_tries:
            attempt = kept[:at] + kept[at + size :]
            tries += 1
            found = play(seed, attempt, calm=calm).violation
            if found is not None and found.rule == violation.rule:
                kept, broken, shorter = attempt, found, True
            else:
                at += size
        size = size if shorter and size == 1 else size // 2
    return Failing(seed, tuple(kept), broken, tries)


@dataclass(slots=True)
class Soaked:
    """What many histories came to."""

    histories: int = 0
    steps: int = 0
    rounds: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    failing: list[Failing] = field(default_factory=list)

    def add(self, played: Played) -> None:
        """Count one more."""
        self.histories += 1
        self.steps += played.steps
        self.rounds += played.rounds
        self.faults += played.faults

    def line(self, seed: int, seconds: float) -> dict[str, Any]:
        """The line it ends with."""
        return {
            "seed": seed,
            "seconds": round(seconds, 1),
            "histories": self.histories,
            "steps": self.steps,
            "rounds": self.rounds,
            "faults": dict(sorted(self.faults.items())),
            "violations": [str(one) for one in self.failing],
        }
