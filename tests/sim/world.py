"""A casino in one thread: servers, tables, people, a ledger, and time that passes when somebody takes a step.

What happens is told by actions (`programs`); the same actions on the same seed give the same world.
"""

import random
from collections import Counter, deque
from functools import lru_cache
from typing import Any

import msgspec

from jackpot.core.commands import Admit, OpenLink, of_act
from jackpot.core.decide import decide_all
from jackpot.core.ports import Batch
from jackpot.core.state import LinkState
from jackpot.wire.settings import settings_text
from rules.terms import Terms, canonical_bytes
from tablelink.errors import TableError
from tests.sim.amending import Amendments
from tests.sim.disk import Disk
from tests.sim.hosts import Host
from tests.sim.office import Office
from tests.sim.reins import Machine, Reins, Strand, Wait
from tests.sim.restoring import next_witness
from tests.sim.seals import WaxSeal
from tests.sim.tables import SETTINGS, TableMachine
from tests.sim.wires import UP, Way, Wire
from tests.sim.witness import Violation, Witness
from tests.support.memory_store import Fault, MemoryLedger
from tests.support.terms import demo_terms

START_US = 1_795_777_200_000_000
"""27 November 2026."""
BACK_AFTER_US = 3_000_000
"""So long after it died a process or an agent is started again."""


CRASHES = {
    "load": "crash_server_before_commit",
    "answers": "crash_server_before_commit",
    "post": "crash_server_before_commit",
    "locked": "crash_server_before_commit",
    "commit": "crash_server_before_commit",
    "posted": "crash_server_after_commit",
    "before the disk": "crash_table_before_write",
    "after the disk": "crash_table_after_write",
}
"""The kinds of deaths, by the place where one dies."""


class World:
    """Everything, at one moment."""

    def __init__(self, seed: int) -> None:
        """Open a link with three tables and two server processes."""
        self.seed = seed
        self.now_us = 0
        self.clocks_moved_us = 0
        """So much time of day has passed in which nothing else did."""
        self.table_clocks_us: Counter[str] = Counter()
        """How wrong the clock of each table is."""
        self.steps = 0
        self.faults: Counter[str] = Counter()
        self.calm = False
        self.link_seal = WaxSeal("link")
        self.play_on_after_s = 5
        self.terms = demo_terms()
        self.all_terms = {self.terms.version: self.terms}
        self.link = self.terms.name
        self.ledger = MemoryLedger(self.link, pause=self._pause, fault=self._fault)
        self.ledger.write(opening(self.link_seal.public_hex))
        self.witness = Witness(self.ledger)
        self.stepping: Machine | None = None
        self.post_fault = Fault.NONE
        self.redis_away_until_us = 0
        self.retained = b""
        self.retained_before: deque[bytes] = deque(maxlen=60)
        """What was retained at some moments before."""
        self.wires: list[Wire] = []
        self.radio: dict[str, Way] = {name: Way() for name in (*SETTINGS, "server 1", "server 2")}
        self.lives: Counter[str] = Counter()
        self.starts: Counter[int] = Counter()
        self.hosts: dict[int, Host | None] = {1: None, 2: None}
        self.host_back_us = {1: 0, 2: 0}
        self.tables: dict[str, TableMachine | None] = dict.fromkeys(SETTINGS)
        self.table_back_us = dict.fromkeys(SETTINGS, 0)
        self.disks = {name: Disk(name, 0) for name in SETTINGS}
        self.old_disks: dict[str, Disk] = {}
        self.lost_disks: list[Disk] = []
        self.lost_states: dict[str, str] = {}
        """What people remember of hits in lives of the ledger that are lost."""
        self.left_out: set[str] = set()
        """Messages of a lost life that two people did not post again: kept aside, with what their table was told."""
        self.felts: dict[str, Terms] = dict.fromkeys(SETTINGS, self.terms)
        self.clone: TableMachine | None = None
        self.lucky: set[tuple[str, int, int]] = set()
        """Rounds that hold prizes of a meter, by table, journal and number."""
        self.stand_still: set[tuple[str, int, int]] = set()
        """Rounds at which nobody does anything before their table has heard what people decided of them."""
        self.office = Office(self)
        self.amendments = Amendments(self, self.office)
        self.keep_up()

    @property
    def wall_us(self) -> int:
        """The right time of day."""
        return START_US + self.now_us + self.clocks_moved_us

    # --- the ledger, as the machine that is being stepped reaches it ------------------------------------------------

    async def _pause(self, place: str) -> None:
        if place == "wait":
            await Wait("wait for the lock", lambda: not self.ledger.locked)
        else:
            await Wait(place)

    def _fault(self, place: str) -> Fault:
        machine = self.stepping
        if isinstance(machine, Host) and self.now_us < machine.ledger_away_until_us:
            self.faults["ledger_away"] += 1
            return Fault.AWAY
        if place in {"post", "commit"} and self.post_fault is not Fault.NONE:
            fault, self.post_fault = self.post_fault, Fault.NONE
            if place == "commit" and fault in {Fault.LOST_UNDER_WAY, Fault.LOST_IN_THE_SOCKET}:
                fault = Fault.LOST_AFTER
            self.faults[fault.name.lower()] += 1
            return fault
        return Fault.NONE

    def arrive(self) -> None:
        """Let every commit arrive that was given up, and is still in some socket; it waits where a row is locked."""
        if self.ledger.locked:
            return
        late = len(self.ledger.under_way) + len(self.ledger.in_sockets)
        if late:
            self.faults["late_commit"] += late
        self.ledger.arrive()
        self.witness.look(self.now_us)

    # --- who is there ---------------------------------------------------------------------------------------------

    def keep_up(self) -> None:
        """Start again what died and whose time has come."""
        for number, host in self.hosts.items():
            if (host is None or not host.alive) and self.now_us >= self.host_back_us[number]:
                self.starts[number] += 1
                self.hosts[number] = Host(self, number, self.starts[number], self.ledger.rows.state())
        for name, table in self.tables.items():
            if (table is None or not table.alive) and self.now_us >= self.table_back_us[name]:
                self._start_table(name)

    def _start_table(self, name: str) -> None:
        """Start an agent on its disk; where that cannot be used people put an empty one in, and give their word."""
        host = (table.host if (table := self.tables[name]) is not None else len(name) + ord(name[-1])) + 1
        try:
            self.tables[name] = TableMachine(self, name, self.disks[name], self.felts[name], host)
        except TableError:
            self.new_disk(name)
            self.tables[name] = TableMachine(self, name, self.disks[name], self.felts[name], host)

    def new_disk(self, name: str) -> None:
        """Put an empty disk into a table; the old one is kept for the audit."""
        self.lost_disks.append(self.disks[name])
        self.lives[name] += 1
        self.disks[name] = Disk(name, self.lives[name])
        self.office.word(name, "")

    def begin_another_life(self) -> None:
        """Go on with a ledger that was brought back: tables are started anew, and nobody remembers what it lost."""
        for name, table in self.tables.items():
            if table is not None and table.alive:
                self.kill_table(table)
            self._start_table(name)
        self.amendments = Amendments(self, self.office)
        self.post_fault = Fault.NONE
        # What only a lost disk held of the lost life is held by nobody.
        self.lost_disks.clear()
        for way in self.radio.values():
            way.frames.clear()
        self.witness = next_witness(self)

    def kill_host(self, host: Host, *, back_us: int = BACK_AFTER_US) -> None:
        """End a server process."""
        host.die()
        self.host_back_us[host.number] = self.now_us + back_us

    def kill_table(self, table: TableMachine, *, silently: bool = False, back_us: int = BACK_AFTER_US) -> None:
        """End an agent."""
        table.die(silently=silently)
        if table is self.clone:
            self.clone = None
        elif self.tables[table.name] is table:
            self.table_back_us[table.name] = self.now_us + back_us

    def machines(self) -> list[Any]:
        """Everything that runs."""
        found: list[Any] = [host for host in self.hosts.values() if host is not None and host.alive]
        found += [table for table in self.tables.values() if table is not None and table.alive]
        if self.clone is not None and self.clone.alive:
            found.append(self.clone)
        return [*found, self.office]

    def agents(self) -> list[TableMachine]:
        """The agents that run."""
        return [machine for machine in self.machines() if isinstance(machine, TableMachine)]

    # --- the network ----------------------------------------------------------------------------------------------

    def partitioned(self, table: TableMachine) -> bool:
        """Whether nothing gets through between a table and the servers."""
        return self.now_us < table.partitioned_until_us

    def dial(self, table: TableMachine) -> Wire | None:
        """Open a connection to one of the processes; None where there is none to be had."""
        hosts = [host for host in self.hosts.values() if host is not None and host.alive]
        if not hosts or self.partitioned(table):
            return None
        host = hosts[table.host % len(hosts)]
        wire = Wire(table, host)
        self.wires.append(wire)
        host.opened(wire)
        return wire

    def broadcast(self, data: bytes, retained: list[bytes]) -> None:
        """Send a snapshot to every table, and keep it where it is to be kept."""
        self.witness.published(data, self.now_us)
        if retained:
            if len(retained[-1]) % 4 == 0:
                self.retained_before.append(self.retained)
            self.retained = retained[-1]
        for way in self.radio.values():
            way.push(data)

    def _deliverable(self) -> list[tuple[Any, str]]:
        self.wires = [wire for wire in self.wires if not wire.over]
        found: list[tuple[Any, str]] = []
        for wire in self.wires:
            if self.partitioned(wire.table):
                continue
            for name, way in wire.ways.items():
                end = wire.host if name == UP else wire.table
                if way.frames and self.now_us >= way.not_before_us and (end.runs(self.now_us) or not end.alive):
                    found.append((wire, name))
        for table, way in self.radio.items():
            if way.frames and self.now_us >= way.not_before_us:
                found.append((table, "radio"))
        return found

    def _deliver(self, where: Any, name: str) -> None:
        if name == "radio":
            data = self.radio[where].frames.popleft()
            for host in self.hosts.values():
                if host is not None and host.alive and host.name == where:
                    host.board.take(data)
            for table in self.agents():
                if table.name == where and table.runs(self.now_us) and not self.partitioned(table):
                    table.feed.take(data, self.now_us)
                    self.witness.table(table)
            return
        frame = where.ways[name].frames.popleft()
        if name == UP:
            if where.host.alive and where.host_open:
                where.host.take(where, frame)
        elif where.table.alive and where.table_open:
            where.heard.append(frame)

    # --- steps ----------------------------------------------------------------------------------------------------

    def go(self, number: int, most: int) -> None:
        """Let whatever can happen happen, one thing at a time, in an order that the number gives."""
        chance = random.Random(number)
        for _ in range(most):
            if not self.step(chance):
                return

    def step(self, chance: random.Random) -> bool:
        """Let one thing happen, or time pass until one can; False where nothing ever will."""
        Reins.now_us = self.now_us
        self.keep_up()
        strands = [
            strand
            for machine in self.machines()
            if machine.runs(self.now_us)
            for strand in machine.strands
            if strand.at.over(self.now_us)
        ]
        frames = self._deliverable()
        choices = len(strands) + len(frames)
        if not choices:
            return self._wait()
        self.steps += 1
        place = chance.randrange(choices)
        if place < len(strands):
            self._step(strands[place])
        else:
            self._deliver(*frames[place - len(strands)])
        self.witness.look(self.now_us)
        self.now_us += chance.randrange(50, 3_000)
        return True

    def step_until(self, machine: Machine, name: str, place: str) -> None:
        """Let one coroutine of a machine go on by itself until it waits at a place, or for something else."""
        for strand in [one for one in machine.strands if one.name == name]:
            while machine.alive and strand.at.place != place and strand.at.over(self.now_us):
                self._step(strand)

    def _step(self, strand: Strand) -> None:
        machine = strand.machine
        self.stepping = machine
        Reins.wall_us = self.wall_us + self.table_clocks_us[machine.name]
        try:
            strand.step()
        except Violation:
            raise
        except TableError as error:
            assert isinstance(machine, TableMachine)
            self._stopped(machine, error)
            return
        except Exception as error:
            raise Violation(
                "nothing fails", f"{strand.name} of {machine.name}: {type(error).__name__}: {error}"
            ) from error
        finally:
            self.stepping = None
        if isinstance(machine, TableMachine):
            self._look_at(machine, strand)
        if machine.dies_at and strand.at.place == machine.dies_at:
            self._dies(machine)

    def _look_at(self, table: TableMachine, strand: Strand) -> None:
        if strand.at.place == "after the disk":
            for name, body in table.disk.new_messages():
                self.witness.wrote(name, body)
        self.witness.table(table)

    def _stopped(self, table: TableMachine, error: TableError) -> None:
        """An agent cannot go on; where its spool is older than the ledger people put an empty one in."""
        lost_nothing = table.name not in self.witness.cloned and not self.faults["restored_ledger"]
        if error.code == "older_spool" and lost_nothing:
            raise Violation("a spool that has lost nothing is not called older", str(error))
        self.kill_table(table)
        if error.code in {"other_journal", "older_spool"} and not table.clone:
            self.new_disk(table.name)

    def _dies(self, machine: Any) -> None:
        self.faults[CRASHES[machine.dies_at]] += 1
        if isinstance(machine, Host):
            self.kill_host(machine)
        else:
            self.kill_table(machine, silently=self.steps % 2 == 0)

    def end(self) -> None:
        """Stop everything where it stands."""
        for machine in self.machines():
            machine.die()

    def _wait(self) -> bool:
        """Let time pass until something can happen."""
        moments = [
            max(strand.at.until_us, machine.paused_until_us)
            for machine in self.machines()
            for strand in machine.strands
            if strand.at.until_us is not None
        ]
        moments += [machine.paused_until_us for machine in self.machines()]
        moments += [table.partitioned_until_us for table in self.agents()]
        moments += [way.not_before_us for wire in self.wires for way in wire.ways.values()]
        moments += [way.not_before_us for way in self.radio.values()]
        moments += [back for number, back in self.host_back_us.items() if not self._there(self.hosts[number])]
        moments += [back for name, back in self.table_back_us.items() if not self._there(self.tables[name])]
        later = [moment for moment in moments if moment > self.now_us]
        if not later:
            return False
        self.now_us = min(later)
        return True

    @staticmethod
    def _there(machine: Machine | None) -> bool:
        return machine is not None and machine.alive


@lru_cache(maxsize=1)
def opening(link_key: str) -> Batch:
    """The batch that opens the link and admits its tables."""
    terms = demo_terms()
    state = LinkState(terms.name)
    acts: list[Any] = [OpenLink(terms.name, msgspec.Raw(canonical_bytes(terms)), link_key, "Ann", "Bob")]
    for name, settings in SETTINGS.items():
        raw = msgspec.Raw(settings_text(settings).encode())
        acts.append(Admit(name, 1, WaxSeal(name).public_hex, raw, "Ann"))
    decision = decide_all(state, [of_act(act) for act in acts], {}, START_US)
    assert decision.batch is not None, decision.replies
    return decision.batch


__all__ = ["World", "opening"]
