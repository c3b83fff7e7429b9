"""What hangs over the tables: hearing and feed of a server process, and a Redis that forgets (PROTOCOL 6)."""

from typing import Any

from jackpot.bus import Hearing
from jackpot.web.feed import Feed, State
from jackpot.web.shown import NEVER_TOLD, Shown
from tests.sim.reins import Deaf
from tests.sim.wires import Way

SECOND_US = 1_000_000
LIVE_MS = 5_000
"""A board paints no amount that came longer ago (`timers.stale_after_s` of the terms)."""


class Board:
    """The board that one server process feeds, from the start of the process to its end."""

    def __init__(self, world: Any, name: str, publisher: str) -> None:
        """Begin with the retained copy, where there is one; `publisher` is the process's own."""
        self.name, self._world = name, world
        self.hearing = Hearing(Deaf(), publisher, {world.link: world.link_seal})  # type: ignore[arg-type]
        self.feed = Feed(world.link, "", lambda _fingerprint: None)
        self.hearing.watch(lambda _link, heard: self.feed.take(heard))
        self._painted: State | None = None
        self.subscribe()

    def subscribe(self) -> None:
        """Ask for the channel anew: what was on its way to an earlier connection is lost; read the retained copy."""
        self._world.radio[self.name] = Way()
        self.hearing.subscribing(self._world.link, self._world.now_us // 1000)
        if self._world.retained:
            self.take(self._world.retained, live=False)

    def take(self, data: bytes, *, live: bool = True) -> None:
        """Take what came; what is painted must be owed, and what the board says of it must have been told."""
        now_ms = self._world.now_us // 1000
        self.hearing.take(self._world.link, data, now_ms, live=live)
        painted, self._painted = self._painted, self.feed.state(now_ms)
        for state in (painted, self._painted):
            if state is not None and state.pools:
                main = state.pools[0]
                word = Shown(self.name, state.generation, state.commit, main.epoch, main.cents)
                if (fault := self.feed.told.fault(word, now_ms)) in NEVER_TOLD:
                    self._world.witness.never_told(f"{self.name}: {fault}, {word}")
        if _live(self._painted):
            self._world.witness.painted(self.name, self._painted, self._world.now_us)


def _live(state: State) -> bool:
    """Whether a board paints an amount as the link's own, as it runs."""
    return state.status == "running" and state.age_ms is not None and state.age_ms <= LIVE_MS


def redis_forgets(world: Any, a: int, b: int) -> None:
    """Redis has lost what it was last given: all of it, or it has an older copy; what was on its way is gone too.

    Sooner or later somebody starts just then, and nobody tells Redis anew for a while.
    """
    older = list(world.retained_before)
    world.retained = older[a % len(older)] if older and b % 3 else b""
    for way in world.radio.values():
        way.frames.clear()
        way.parked = None
    if b % 2:
        world.redis_away_until_us = world.now_us + b % (12 * SECOND_US)
    for place, machine in enumerate(world.machines()):
        if place == b % 7 and machine is not world.office:
            kill = world.kill_host if machine in world.hosts.values() else world.kill_table
            kill(machine, back_us=b % SECOND_US)
        elif hasattr(machine, "board"):
            machine.board.subscribe()
        elif hasattr(machine, "feed") and world.retained:
            machine.feed.mirror.receive(world.retained, world.now_us, live=False)
    world.faults["redis_forgot"] += 1
