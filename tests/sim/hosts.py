"""A server process: the shipped poster, publisher, sessions and link, on the world's clock, network and ledger."""

from collections import deque
from collections.abc import Coroutine, Mapping
from types import TracebackType
from typing import Any, Self, TypeVar, cast

from jackpot.bus import Publisher
from jackpot.cli.links import LinkAtWork
from jackpot.core.accounts import MICROCENTS
from jackpot.core.answers import ConnectedAnswer, HelloRefusedAnswer, decode_stored
from jackpot.core.by_people import RoundPlace
from jackpot.core.commands import of_act
from jackpot.core.ports import Reply, Submitted, UnreachableError
from jackpot.core.state import LinkState
from jackpot.ledger.reading import LinkReading
from jackpot.ledger.runner import run_poster
from jackpot.web.hellos import connect_of, last_round_of, read_hello, refused_of, watch_of, welcome_of
from jackpot.web.sessions import Session
from jackpot.web.table_connection import AMENDED, HELLO_AGAIN
from jackpot.wire.codec import VERSIONS, FrameError, encode
from jackpot.wire.messages import BadFrame, ByPeople, Challenge, Eject, HelloBody, Refused
from jackpot.wire.refusals import REFUSALS, Refusal
from jackpot.wire.signing import hello_bytes
from jackpot.wire.snapshots import HitShown, PoolShown
from tests.sim.boards import Board
from tests.sim.reins import Deaf, Machine, Wait
from tests.sim.seals import WaxSeal
from tests.sim.wires import CLOSED, DOWN, Wire
from tests.support.memory_store import Fault, MemoryLedger

SECOND_US = 1_000_000
BUSY_AFTER_US = 2 * SECOND_US
OVER_SHOWN = 20

T = TypeVar("T")


class Tray:
    """What waits for the poster of one process; what waits for two seconds is told `busy`."""

    def __init__(self, host: "Host") -> None:
        """Begin empty."""
        self._host = host
        self._waiting: deque[tuple[int, Submitted]] = deque()
        self._seen = 0

    def submit(self, submitted: Submitted) -> None:
        """Put a command in."""
        self._waiting.append((self._host.world.now_us + BUSY_AFTER_US, submitted))

    async def take(self, most: int) -> list[Submitted]:
        """Give what waits, oldest first."""
        while not self._waiting:
            await Wait("inbox of the link", lambda: bool(self._waiting))
        return [self._waiting.popleft()[1] for _ in range(min(most, len(self._waiting)))]

    def saw(self, batch: int) -> None:
        """Note the head that was read."""
        self._seen = max(self._seen, batch)

    def behind(self, batch: int) -> bool:
        """Whether another process is known to be past this batch."""
        return self._seen > batch

    def __len__(self) -> int:
        """How many wait."""
        return len(self._waiting)

    def expire(self, now_us: int) -> None:
        """Tell `busy` to what has waited too long."""
        while self._waiting and self._waiting[0][0] <= now_us:
            submitted = self._waiting.popleft()[1]
            submitted.reply(Reply(submitted.command.id, b"", None, Refusal.BUSY))


class Wall:
    """The time of day of one machine, which may jump."""

    def __init__(self, world: Any) -> None:
        """Begin right."""
        self._world = world
        self.off_us = 0

    def now_us(self) -> int:
        """Microseconds since 1970, as this machine has it."""
        return int(self._world.wall_us + self.off_us)

    async def pause(self, tries: int) -> None:
        """Wait before another attempt at a ledger that does not answer."""
        until_us = self._world.now_us + min(50_000 * 2**tries, SECOND_US)
        await Wait("ledger does not answer", until_us=until_us)


class PrimaryReader:
    """Reads the link from the primary, as each second asks for."""

    def __init__(self, ledger: MemoryLedger, tray: Tray) -> None:
        """Read this ledger, and tell the inbox which batch was at its head."""
        self._ledger, self._tray = ledger, tray

    async def reading(self) -> LinkReading:
        """Read it; raises UnreachableError."""
        await self._ledger.pause("reading")
        while self._ledger.locked:
            await self._ledger.pause("wait")
        if self._ledger.fault("reading") is Fault.AWAY:
            raise UnreachableError(Fault.AWAY.value)
        self._tray.saw(self._ledger.rows.head.batch)
        return reading_of(self._ledger.rows.state(), stopped=bool(self._ledger.stop_reason))


def reading_of(state: LinkState, *, stopped: bool = False) -> LinkReading:
    """A state as it is shown."""
    assert state.terms is not None
    order = [pool.name for pool in state.terms.terms.pools]
    names = [*order, *sorted(state.pools.keys() - set(order))]
    lives = [state.pools[name] for name in names]
    pools = [
        PoolShown(
            life.pool,
            life.epoch,
            state.balances[f"pool/{life.pool}"].microcents // MICROCENTS,
            life.last_fall_commit,
            life.last_fall_cause,
        )
        for life in lives
    ]
    hits = sorted(state.hits.values(), key=lambda hit: (hit.moved, hit.key))[-OVER_SHOWN:]
    shown = [HitShown(str(h.key), h.prize, h.state, h.amount_cents, h.key.table, h.moved) for h in hits]
    head = state.head
    status = "stopped" if stopped else "running"
    return LinkReading(
        head.generation, head.commit, head.batch, head.digest, status, state.terms.fingerprint, pools, shown
    )


class Radio:
    """Stands for Redis as a publisher knows it."""

    def __init__(self, host: "Host") -> None:
        """Publish to the world's tables."""
        self._host = host
        self._said: list[bytes] = []

    def pipeline(self, *, transaction: bool) -> "Radio":  # noqa: ARG002 - as the library has it
        """Gather what is to be sent."""
        self._said = []
        return self

    async def __aenter__(self) -> Self:
        """Begin."""
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        """End."""

    def publish(self, _channel: str, data: bytes) -> None:
        """Put a snapshot in."""
        self._said.append(data)

    def set(self, _key: str, data: bytes) -> None:
        """Keep the retained copy."""
        self._said.append(data)

    async def execute(self) -> None:
        """Send it; raises OSError while Redis is away."""
        world = self._host.world
        if world.now_us < world.redis_away_until_us:
            raise OSError("Redis is away")
        world.broadcast(self._said[0], retained=self._said[1:])


class Papers:
    """What the ledger holds that a table is told of at its hello."""

    def __init__(self, ledger: MemoryLedger) -> None:
        """Read this ledger."""
        self._ledger = ledger

    async def by_people(self, place: RoundPlace, seats: int) -> list[ByPeople]:
        """What people did to a round."""
        return self._ledger.by_people(place, seats)


def at_once(work: Coroutine[Any, Any, T]) -> T:
    """Run what waits for nothing to its end."""
    try:
        work.send(None)
    except StopIteration as done:
        return cast("T", done.value)
    raise AssertionError("it waits for something")


class LinkByHand(LinkAtWork):
    """The shipped link of a process; what it is bound to is the world's."""

    def __init__(self, host: "Host", state: LinkState) -> None:
        """Bind it."""
        self.name, self.link_key, self.state, self.closing = state.chain, state.link_key, state, False
        parts: dict[str, Any] = {"_telemetry": Deaf(), "_inbox": host.tray}
        parts |= {"_publisher": host.publisher, "receipts": Papers(host.world.ledger)}
        for name, part in parts.items():
            setattr(self, name, part)


class Host(Machine):
    """One server process, from its start to its end."""

    def __init__(self, world: Any, number: int, life: int, state: LinkState) -> None:
        """Begin with the state that was read at the start."""
        super().__init__(f"server {number}")
        self.world, self.number = world, number
        self.wall = Wall(world)
        self.tray = Tray(self)
        self.ledger_away_until_us = 0
        self.current: dict[str, Wire] = {}
        self.wires: list[Wire] = []
        self.nonces = 0
        self.publisher = Publisher(
            state.chain,
            world.link_seal,
            PrimaryReader(world.ledger, self.tray),
            Radio(self),  # type: ignore[arg-type]
            Deaf(),  # type: ignore[arg-type]
            name=f"{number}.{life}",
            month=self._month,
        )
        self.link = LinkByHand(self, state)
        self.store = world.ledger.store()
        self.board = Board(world, self.name, self.publisher._name)
        self.begin("poster", lambda: run_poster(self.tray, self.store, self.link._told, clock=self.wall))
        self.begin("publisher", self._beat)
        self.begin("look", self._look)

    def _month(self) -> str:
        return self.link.month()

    # --- once a second ------------------------------------------------------------------------------------------------

    async def _beat(self) -> None:
        """Publish once a second, and when something was committed."""
        newer: Any = self.publisher._newer
        while True:
            newer.clear()
            await self.publisher.publish()
            until_us = self.world.now_us + SECOND_US
            await Wait("beat", newer.is_set, until_us)

    async def _look(self) -> None:
        """Expire what waits, eject who is the table no more, and take in what another process has posted."""
        behind_at = -1
        while True:
            await Wait("look", until_us=self.world.now_us + SECOND_US // 2)
            self.tray.expire(self.world.now_us)
            for table, wire in list(self.current.items()):
                assert wire.welcomed is not None
                why = self.link.standing(table, *wire.welcomed)
                if not why and wire.session.told_too_little():
                    why = AMENDED
                if why:
                    self._eject(wire, why)
            last, commit = self.publisher.last, self.link.state.head.commit
            if last is None or last.commit <= commit:
                behind_at = -1
            elif behind_at != commit:
                behind_at = commit
            elif self.world.now_us >= self.ledger_away_until_us:
                self.link.state = self.world.ledger.rows.state()

    def _eject(self, wire: Wire, why: str) -> None:
        if why not in {"replaced", AMENDED}:
            refusal = REFUSALS.get(why)
            self.send(wire, encode(Eject(why, refusal.text if refusal is not None else HELLO_AGAIN)))
        self._over(wire)

    # --- connections ------------------------------------------------------------------------------------------------

    def opened(self, wire: Wire) -> None:
        """Take a new connection."""
        self.wires.append(wire)
        self.nonces += 1
        wire.nonce = f"{self.publisher._name}/{self.nonces}".encode().rjust(16, b"\0")
        self.send(wire, encode(Challenge(wire.nonce.hex(), list(VERSIONS))))

    def send(self, wire: Wire, frame: bytes) -> None:
        """Put a frame on the wire; the witness hears it first."""
        if wire.host_open:
            self.world.witness.said(frame, wire.table.name, self.link.state.head.batch)
            wire.ways[DOWN].push(frame)

    def take(self, wire: Wire, frame: bytes) -> None:
        """Take a frame, or the end of a connection."""
        if frame == CLOSED:
            self._over(wire)
        elif wire.session is not None:
            wire.session.receive(frame)
        elif not wire.greeted:
            self._hello(wire, frame)

    def _over(self, wire: Wire) -> None:
        wire.close_host()
        if self.current.get(wire.table.name) is wire:
            del self.current[wire.table.name]
        if wire in self.wires:
            self.wires.remove(wire)

    def _hello(self, wire: Wire, data: bytes) -> None:
        """Hear a hello as `jackpot.web.tables` does, and have it decided."""
        wire.greeted = True
        try:
            frame, body = read_hello(data, wire.table.name)
        except FrameError as error:
            self.send(wire, encode(BadFrame(error.field, error.value, error.reason)))
            self._over(wire)
            return
        seal: WaxSeal = wire.table.seal
        seal.verify(bytes.fromhex(frame.signature), hello_bytes(wire.nonce, bytes(frame.body)))
        if self._left(wire):
            self._over(wire)
            return
        older = self.current.get(body.table)
        alive = older is not None and older.table_open and not self.world.partitioned(older.table)
        command = of_act(connect_of(body, wire.nonce, self.link.month(), alive=alive))
        replied = Submitted(command, lambda reply: self._decided(wire, body, reply), gone=lambda: self._left(wire))
        self.link.submit(replied)

    def _left(self, wire: Wire) -> bool:
        """Whether nobody is at the other end of a connection any more, as a ping would tell."""
        return not (wire.host_open and wire.table_open) or self.world.partitioned(wire.table)

    def _decided(self, wire: Wire, body: HelloBody, reply: Reply) -> None:
        if not self.alive or not wire.host_open:
            return
        if reply.later is not None or reply.receipt is None:
            why = reply.later or Refusal.BUSY
            self.send(wire, encode(Refused(why.code, why.text, month=self.link.month())))
            self._over(wire)
            return
        answer = decode_stored(reply.answer)
        seal: Any = wire.table.seal
        wire.session = Session(body.table, seal, self.link, lambda frame: self.send(wire, frame), Deaf())  # type: ignore[arg-type]
        told = at_once(last_round_of(body, self.link, reply))
        if isinstance(answer, HelloRefusedAnswer):
            self.send(wire, encode(refused_of(self.link, answer, told)))
            return
        assert isinstance(answer, ConnectedAnswer), answer
        wire.welcomed = (answer.journal, answer.connection, answer.terms)
        older = self.current.get(body.table)
        self.current[body.table] = wire
        wire.session.watch = watch_of(body, told)
        self.send(wire, encode(welcome_of(body, self.link, answer, reply.receipt, reply.hits, told)))
        if older is not None and older is not wire:
            self._over(older)

    def die(self) -> None:
        """End, with all its connections."""
        super().die()
        for wire in self.wires:
            wire.cut()
        self.wires.clear()


def standing_of(hosts: Mapping[int, Host | None]) -> str:
    """Which processes are there, in words."""
    return ", ".join(f"{number} {'up' if host else 'down'}" for number, host in hosts.items())
