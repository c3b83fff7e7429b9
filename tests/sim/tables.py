"""A table: the shipped agent, desk, outbox and mirror, on a disk, a network and people of the world's."""

import random
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from msgspec import Raw

from jackpot.wire.codec import decode_to_table, encode
from jackpot.wire.messages import BadFrame, Challenge, Hello, Refused, Welcome
from jackpot.wire.settings import TableSettings
from jackpot.wire.signing import hello_bytes
from rules.terms import Terms
from tablelink.agent import Agent
from tablelink.asking import Responded
from tablelink.client import Frame, Lost, Opened
from tablelink.core.dealing import Dealing
from tablelink.core.felt import Felt, lay_felt
from tablelink.core.inputs import Placed
from tablelink.core.mirror import Mirror, Verdict
from tablelink.desk import Desk
from tablelink.errors import TableError
from tablelink.scripted import Plan, PlannedSeat, ScriptedTable
from tablelink.way import Way as HowToRun
from tests.sim.disk import Disk
from tests.sim.reins import Deaf, Machine, Wait
from tests.sim.seals import WaxSeal
from tests.sim.wires import CLOSED, UP, Wire
from tests.support.hands import deal

SECOND_US = 1_000_000
SEATS = 3
SETTINGS = {
    "T1": TableSettings(seats=SEATS, least_round_s=0),
    "T2": TableSettings(seats=SEATS, least_round_s=0, capture="claims"),
    "T3": TableSettings(seats=SEATS, least_round_s=1, capture="claims", device="shuffler"),
}
PRIZES = ("royal_flush",) * 5 + ("straight_flush",) * 8 + ("four_of_a_kind", "full_house", "flush")
OF_A_METER = 13
"""So many of them are won from a meter."""


@lru_cache(maxsize=1024)
def _hands(prizes: tuple[tuple[int, str], ...]) -> dict[int, tuple[int, ...]]:
    return deal(dict(prizes))


def _prizes(chance: random.Random, *, lucky: bool) -> dict[int, str]:
    seats = sorted(chance.sample(range(1, SEATS + 1), chance.randint(1, SEATS)))
    winners = chance.choices((0, 1, 2), (78, 14, 8))[0]
    if lucky:
        return {
            seat: chance.choice(PRIZES[:OF_A_METER]) if place <= winners else "" for place, seat in enumerate(seats)
        }
    return {seat: chance.choice(PRIZES) if place < winners else "" for place, seat in enumerate(seats)}


def planned(seed: int, table: str, number: int, coin_cents: int, *, lucky: bool = False) -> Plan:
    """The round of that number, always the same: who plays what, who wins what; a lucky one wins from a meter."""
    chance = random.Random(f"{seed}/{table}/{number}")
    prizes = _prizes(chance, lucky=lucky)
    hands = _hands(((0, ""), *prizes.items()))
    made = []
    for seat in prizes:
        coin = coin_cents if chance.random() < 0.92 else 0
        tender: Any = "token" if coin and chance.random() < 0.1 else "chips"
        decision: Any = "bet" if chance.random() < 0.8 else "fold"
        bet_cents = 1000 if decision == "bet" else None
        made.append(PlannedSeat(Placed(seat, 500, coin, coin, tender), hands[seat], decision, bet_cents))
    return Plan(hands[0], tuple(made))


class Asked:
    """Stands for what the people at the table are asked: they answer when the world lets them."""

    def __init__(self, table: "TableMachine", device: ScriptedTable) -> None:
        """Begin with nothing asked."""
        self._table, self._device = table, device
        self._prompt: Any = None
        self._dealing = Dealing()
        self.last_round = None

    def want(self, prompt: Any, dealing: Dealing) -> None:
        """Ask for this, or for nothing."""
        if prompt != self._prompt:
            self._prompt, self._dealing = prompt, dealing

    def counts(self, responded: Responded) -> bool:
        """Whether an answer is still to what is wanted."""
        if responded.prompt != self._prompt:
            return False
        self._prompt = None
        return True

    def ready(self) -> bool:
        """Whether somebody at the table may answer now."""
        starts = type(self._prompt).__name__ == "PlaceWagers"
        return self._prompt is not None and not (starts and self._table.world.calm) and self._table.has_heard()

    async def answer(self) -> None:
        """Answer prompts for ever."""
        while True:
            await Wait("people", self.ready)
            prompt, work = self._prompt, self._device.respond(self._prompt, self._dealing)
            try:
                work.send(None)
            except StopIteration as said:
                self._table.agent.tell(Responded(prompt, said.value))
                await Wait("people said it", lambda prompt=prompt: self._prompt is not prompt)  # type: ignore[misc]


class FeedByHand:
    """A table's mirror and what comes down to it."""

    def __init__(self, table: "TableMachine") -> None:
        """Begin with the retained copy, where there is one."""
        world = table.world
        self.mirror = Mirror(world.link, world.link_seal.holds)
        self._changed: Callable[[], None] = lambda: None
        if world.retained:
            self.mirror.receive(world.retained, world.now_us, live=False)

    def watch(self, changed: Callable[[], None]) -> None:
        """Tell of each snapshot that was taken."""
        self._changed = changed

    def of(self, _link: str, _key: str, _stale_after_s: int) -> "FeedByHand":
        """The one link's."""
        return self

    def take(self, data: bytes, now_us: int) -> Verdict:
        """Take what came live."""
        verdict = self.mirror.receive(data, now_us)
        if verdict is Verdict.TAKEN:
            self._changed()
        return verdict


class TableMachine(Machine):
    """A table's computer, from one start of the program to its end."""

    def __init__(self, world: Any, name: str, disk: Disk, terms: Terms, host: int, *, clone: bool = False) -> None:
        """Start the program on what lies on the disk; raises TableError where it cannot be used."""
        super().__init__(name)
        self.world, self.disk, self.terms, self.clone = world, disk, terms, clone
        self.seal = WaxSeal(name)
        self.host = host
        self.wire: Wire | None = None
        self.partitioned_until_us = 0
        settings = SETTINGS[name]
        self.felt: Felt = lay_felt(name, terms, settings)
        device = ScriptedTable(self._plan, device=settings.device, capture=settings.capture)
        self.feed = FeedByHand(self)
        self.desk = Desk(self.felt, disk.spool(self.seal.sign), disk)  # type: ignore[arg-type]
        way = HowToRun("", play_on_after_s=world.play_on_after_s)
        self.agent = Agent(self.desk, self.seal.sign, device, self.feed, way, Deaf())  # type: ignore[arg-type]
        self.asked = Asked(self, device)
        parts: dict[str, Any] = {"_client": self, "_asking": self.asked}
        for part, stand_in in parts.items():
            setattr(self.agent, part, stand_in)
        self.begin("agent", self._live)
        self.begin("people", self.asked.answer)
        self.begin("line", self._keep_line)

    def _plan(self, number: int) -> Plan:
        lucky = {"lucky": True} if self._place(number) in self.world.lucky else {}
        return planned(self._seed(), self.name, number, self.terms.qualifying_wager_cents, **lucky)

    def _seed(self) -> int:
        return hash_of(f"{self.world.seed}/{'clone' if self.clone else self.desk.dealing.journal}")

    def prizes(self, number: int) -> dict[int, str]:
        """What lies at each seat in the round of that number, empty for nothing: what only the deck knows."""
        lucky = self._place(number) in self.world.lucky
        return _prizes(random.Random(f"{self._seed()}/{self.name}/{number}"), lucky=lucky)

    def be_lucky(self, rounds: int) -> None:
        """Let the next rounds of this table hold prizes of a meter, whoever deals them."""
        first = self.desk.dealing.next_round
        self.world.lucky |= {self._place(number) for number in range(first, first + rounds)}

    def _place(self, number: int) -> tuple[str, int, int]:
        return self.name, self.desk.dealing.journal, number

    def has_heard(self) -> bool:
        """Whether what people decided of the round under way has come to the table, where it stands still for that.

        A spool of another journal than its table's is told nothing of its rounds (PROTOCOL 1): nobody waits for that.
        """
        under_way, world = self.desk.dealing.round, self.world
        key = None if under_way is None else (self.name, under_way.journal, under_way.number)
        if under_way is None or key not in world.stand_still:
            return True
        if under_way.journal != world.ledger.rows.tables[self.name].journal:
            return True
        return not world.office.busy and world.witness.by_people[key] <= len(under_way.amended)

    async def _live(self) -> None:
        """What the agent's own `run` does in its loop."""
        agent = self.agent
        while True:
            await agent._place_bets()
            agent._ask_device()
            await agent._send()
            await agent._next()

    # --- the line, as `tablelink.client` keeps it -------------------------------------------------------------------

    async def send(self, frame: bytes) -> None:
        """Send a frame on the connection that is open, or lose it."""
        if self.wire is not None and self.wire.table_open:
            self.wire.ways[UP].push(frame)

    async def reconnect(self) -> None:
        """Give up the connection that is open."""
        if self.wire is not None:
            self.wire.close_table()

    async def _keep_line(self) -> None:
        pause_us = SECOND_US // 10
        while True:
            word, why = await self._one()
            self.agent.tell(Lost(why))
            self.wire = None
            pause_us = SECOND_US // 10 if isinstance(word, Welcome) else min(2 * pause_us, 5 * SECOND_US)
            least_us = 5 * SECOND_US if isinstance(word, Refused) else pause_us
            await Wait("redial", until_us=self.world.now_us + max(least_us, pause_us))

    async def _one(self) -> tuple[Any, str]:
        self.host += 1
        wire = self.world.dial(self)
        if wire is None:
            return None, "nobody there"
        self.dialled = wire
        challenge = await self._heard(wire)
        if not isinstance(challenge, Challenge):
            wire.close_table()
            return None, "no challenge"
        body = encode(await self.desk.hello())
        signature = self.seal.sign(hello_bytes(bytes.fromhex(challenge.nonce), body))
        wire.ways[UP].push(encode(Hello(Raw(body), signature.hex())))
        word = await self._heard(wire)
        if not isinstance(word, Welcome | Refused):
            wire.close_table()
            return None, "no word"
        self.wire = wire
        self.agent.tell(Opened(word))
        refused_us = self.world.now_us + 10 * SECOND_US if isinstance(word, Refused) else None
        while wire.table_open:
            await Wait("frames", lambda: bool(wire.heard) or not wire.table_open, refused_us)
            if refused_us is not None and self.world.now_us >= refused_us:
                wire.close_table()
            while wire.heard and wire.table_open:
                frame = wire.heard.popleft()
                if frame == CLOSED:
                    wire.close_table()
                else:
                    self.agent.tell(Frame(decode_to_table(frame)))
        return word, "closed"

    async def _heard(self, wire: Wire) -> Any:
        """The next frame, or None where the connection ended or nothing came in ten seconds."""
        until_us = self.world.now_us + 10 * SECOND_US
        await Wait("greeting", lambda: bool(wire.heard) or not wire.table_open, until_us)
        if not wire.heard or not wire.table_open or wire.heard[0] == CLOSED:
            return None
        frame = decode_to_table(wire.heard.popleft())
        return None if isinstance(frame, BadFrame) else frame

    def die(self, *, silently: bool = False) -> None:
        """End; the other end of the connection is told, unless the power failed."""
        super().die()
        wire = getattr(self, "dialled", None)
        if wire is not None:
            if silently:
                wire.table_open = False
            else:
                wire.close_table()


def hash_of(text: str) -> int:
    """A number for a text, the same in every run."""
    return random.Random(text).getrandbits(48)


def usable(disk: Disk) -> bool:
    """Whether a program could start on this disk."""
    try:
        disk.spool(WaxSeal(disk.table).sign)
    except TableError:
        return False
    return True
