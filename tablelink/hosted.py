"""A hosted table at work: each move is in its spool before the next one is made, each round is settled once and told.

The people and devices are planned rounds (`hosted_replay`, `hosted_simulation`); what they come to is told to whoever
shows it (`hosted_output`). After any stop, a restart goes on from the spool.
"""

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final, Protocol

from rules.play import Move, MoveRefused
from tablelink.core.hosting import Hosted, Refusal, Statement, begun, ended, moved, refused
from tablelink.hosted_replay import KeptOf, Planned, other_rounds
from tablelink.hosted_spool import HostedSpool

__all__ = ["Host", "PlayedHere", "Rounds", "Teller"]

PRUNE_EVERY: Final = 500
"""Rounds after which the spool is cleared of old moves."""

Rounds = Callable[[KeptOf, int], Iterator[Planned | Refusal]]
"""The rounds that a table is not done with, by what its spool holds and the last number that is done."""


class Teller(Protocol):
    """Who is told what happens at a hosted table, once it is in the spool."""

    def settled(self, done: Statement) -> None:
        """Hear that a round is settled, and what it came to."""

    def refused(self, refusal: Refusal) -> None:
        """Hear that a round was refused, and was not begun."""

    def moved(self) -> None:
        """Hear that a move was accepted."""

    def move_refused(self, number: int, error: MoveRefused) -> None:
        """Hear that a move of a round was refused by its rule, and nothing changed."""


@dataclass(slots=True)
class PlayedHere:
    """What a table did in this run."""

    rounds: int = 0
    refused: int = 0
    moves: int = 0
    moves_refused: Counter[str] = field(default_factory=Counter)
    """Moves that were refused, by the rule."""


class Host:
    """A hosted table and its spool."""

    def __init__(self, spool: HostedSpool, teller: Teller, *, pace_s: float = 0.0, keep_days: int = 40) -> None:
        """Begin where the spool left off; a round takes `pace_s` seconds."""
        self.table: Hosted = spool.rebuild()
        self.played = PlayedHere()
        self._spool = spool
        self._teller = teller
        self._pace_s = pace_s
        self._keep_days = keep_days

    async def run(self, rounds: Rounds, stop: asyncio.Event, most: int | None = None) -> None:
        """Play until the rounds are over, `stop` is set, or `most` rounds are done with in this run.

        Raises TableError where the disk fails, or the round that the spool has under way is not the one planned.
        """
        for planned in rounds(self._spool.kept, self.table.last):
            if isinstance(planned, Refusal):
                await self._refuse(planned)
            else:
                await self._play(planned, stop)
            if stop.is_set() or (most is not None and self.played.rounds + self.played.refused >= most):
                return
        if self.table.under_way is not None:
            raise other_rounds(self.table.under_way.number, "those that are left to play")

    async def _refuse(self, refusal: Refusal) -> None:
        if self.table.under_way is not None:
            raise other_rounds(self.table.under_way.number, f"round {refusal.number}, which cannot be played")
        after = refused(self.table, refusal)
        await asyncio.to_thread(self._spool.refuse, after.edition, refusal)
        self.table = after
        self.played.refused += 1
        self.played.moves_refused.update([str(fault["rule"]) for fault in refusal.faults if refusal.by_rule])
        self._teller.refused(refusal)

    async def _play(self, planned: Planned, stop: asyncio.Event) -> None:
        """Play a round to its end, or until `stop` is set; then the spool has it under way."""
        made = await self._begin(planned)
        began = time.monotonic()
        for place, move in enumerate(planned.moves, start=1):
            if made:
                if move == made[0]:
                    made.pop(0)
                continue  # What was made before a restart is not made again, nor what was refused in between.
            await _until(began + self._pace_s * place / len(planned.moves), stop)
            if stop.is_set():
                return
            await self._move(planned.number, move)
        if made:
            raise other_rounds(planned.number, "the one that is planned now")
        after, done = ended(self.table)
        await asyncio.to_thread(self._spool.end, after.edition, planned.record, done)
        self.table = after
        self.played.rounds += 1
        if self.played.rounds % PRUNE_EVERY == 0:
            await asyncio.to_thread(self._spool.prune, self._keep_days)
        self._teller.settled(done)

    async def _begin(self, planned: Planned) -> list[Move]:
        """Begin a round, or go on with the one the spool holds; returns the moves that were made of it already."""
        now = self.table.under_way
        if now is None:
            after = begun(self.table, planned.number, planned.record, planned.notes)
            await asyncio.to_thread(self._spool.begin, planned.number, planned.record, planned.notes)
            self.table = after
            return []
        if (now.number, now.record) != (planned.number, planned.record):
            raise other_rounds(now.number, "the one that is planned now")
        return self._spool.moves(now.number)

    async def _move(self, number: int, move: Move) -> None:
        """Make a move, which is in the spool before anything else happens; one that is refused changes nothing."""
        try:
            after = moved(self.table, move)
        except MoveRefused as error:
            self.played.moves_refused[error.rule] += 1
            self._teller.move_refused(number, error)
            return
        await asyncio.to_thread(self._spool.move, number, move)
        self.table = after
        self.played.moves += 1
        self._teller.moved()


async def _until(due: float, stop: asyncio.Event) -> None:
    """Wait until a time of the monotonic clock, or until `stop` is set."""
    left = due - time.monotonic()
    if left > 0:
        try:
            await asyncio.wait_for(stop.wait(), left)
        except TimeoutError:
            return
