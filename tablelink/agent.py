"""The table agent: binds the desk, the client, the mirror and the device, one thing at a time.

Everything that happens comes through one inbox and is taken in its order. Decides nothing of its own but when to ask
whom, and how long to wait for an answer.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

import structlog

from jackpot.wire.messages import Eject, HandIn, Refused, Welcome
from tablelink.asking import Asking, Responded
from tablelink.client import Arrived, Client, Frame, Lost, Opened
from tablelink.core.dealing import NotNowError, awaits_payout, prompt
from tablelink.core.inputs import (
    DEVICE_PROMPTS,
    AwaitAnswer,
    AwaitPayout,
    GoOn,
    Input,
    JackpotBack,
    MonthTurned,
    NoMoreBets,
    PlaceWagers,
    Prompt,
    WithoutJackpot,
)
from tablelink.core.ladder import Rung
from tablelink.core.outbox import Fact, Settled
from tablelink.desk import Desk
from tablelink.device import Device
from tablelink.heard import amended, heard, welcomed
from tablelink.payouts import Payouts, awarded
from tablelink.spool import Signer
from tablelink.standing import (
    SECOND_US,
    SIMULATED_INSPECTOR,
    SIMULATED_SUPERVISOR,
    Approval,
    Session,
    Sidebet,
    older_spool,
)
from tablelink.subscriber import Meter, Meters, own_clock_us
from tablelink.taken_up import TakenUp
from tablelink.telemetry import TableNow, Telemetry, count_step
from tablelink.way import Played, Way

ASK_EVERY_US: Final = 1_000_000
"""How often a table asks after its open hits."""
ASK_AGAIN_US: Final = 50_000
"""And this soon where a snapshot shows that one has moved."""
LOOK_EVERY_US: Final = 500_000
"""How often a table that waits looks again whether its jackpot is open."""
PRUNE_EVERY: Final = 100
"""Rounds between two clearings of what is older than backups of the ledger reach back."""

_log = structlog.get_logger(__name__)


@dataclass(slots=True)
class _Waits:
    """Until when something is waited for, by the table's own clock; None where it is not."""

    answer_us: int | None = None
    ask_us: int = 0
    look_us: int | None = None


_Happened = Arrived | Input | Responded | Approval | BaseException | None
"""What comes into an agent's inbox; None only wakes it."""


class Agent:
    """One table, run until it is stopped or its rounds are played."""

    def __init__(
        self, desk: Desk, sign: Signer, device: Device, meters: Meters | None, way: Way, telemetry: Telemetry
    ) -> None:
        """`meters` None shows no meter, so that the jackpot stays closed."""
        self.desk = desk
        self.played = Played()
        self._sign = sign
        self._asking = Asking(device, self.tell)
        self._meters = meters
        self._way = way
        self._telemetry = telemetry
        self._table = desk.felt.table
        self._inbox: asyncio.Queue[_Happened] = asyncio.Queue()
        self._client = Client(way.server, self._table, desk.hello, sign, self.tell, tls=way.tls)
        self._session = Session()
        self._no_session = ""
        """Why there was no session at the last try."""
        self._meter: Meter | None = None
        self._bets: NoMoreBets | None = None
        self._waits = _Waits()
        self._payouts = Payouts()
        self._sidebet = Sidebet(desk.felt, way.play_on_after_s, ends=way.ends)
        self._taken_up = TakenUp(desk.felt.table, desk.dealing)
        self._stopping = False

    async def run(self, stop: asyncio.Event) -> Played:
        """Run the table until `stop` is set or its rounds are played, recorded, answered and paid out.

        Raises TableError where the table cannot go on: its disk or its device fails. **If cancelled** the spool holds
        everything that was acted on.
        """
        self._telemetry.runs(self._table, self.now)
        self._taken_up.look(self.desk.dealing)
        connecting = asyncio.create_task(self._client.run())
        connecting.add_done_callback(self._client_ended)
        stopped = asyncio.create_task(self._stop_with(stop))
        try:
            while not self._finished():
                await self._jackpot_back()
                await self._place_bets()
                self._ask_device()
                await self._send()
                await self._next()
        finally:
            self._telemetry.ended(self._table)
            connecting.cancel()
            stopped.cancel()
            await self._asking.close()
            await asyncio.gather(connecting, stopped, return_exceptions=True)
        return self.played

    def _client_ended(self, connecting: "asyncio.Task[None]") -> None:
        error = None if connecting.cancelled() else connecting.exception()
        if error is not None:
            self._inbox.put_nowait(error)

    def tell(self, happened: "_Happened") -> None:
        """Put in what happened, as a supervisor's void; it is taken in its turn, or logged why it cannot be."""
        self._inbox.put_nowait(happened)

    async def _stop_with(self, stop: asyncio.Event) -> None:
        await stop.wait()
        self._stopping = True
        self._inbox.put_nowait(None)

    @property
    def _prompt(self) -> Prompt:
        return prompt(self.desk.dealing, self.desk.felt)

    def _enough(self) -> bool:
        last = self._asking.last_round
        played = self._way.rounds is not None and self.played.rounds >= self._way.rounds
        return self.desk.dealing.round is None and (
            played or (last is not None and self.desk.dealing.next_round > last)
        )

    def _finished(self) -> bool:
        if self._stopping:
            return True
        if self._way.ends and self._session.refused is not None and self._idle():
            return True  # No round can be numbered, or none may be dealt, and nobody waits for a person here.
        return self._enough() and not self.desk.outbox and not awaits_payout(self.desk.dealing)

    def _idle(self) -> bool:
        """Whether no round can begin before a person has done something at the server."""
        hard_stop = self.desk.felt.approved.without_jackpot == "stop"
        return not self.desk.dealing.journal or (hard_stop and self.desk.dealing.round is None and not self.desk.outbox)

    # --- the people and devices at the table -----------------------------------------------------------------------

    def _ask_device(self) -> None:
        """Put the prompt to the device, unless the table has played enough or waits for something else."""
        wanted = self._prompt
        if self._bets is not None or not isinstance(wanted, DEVICE_PROMPTS):
            self._asking.want(None, self.desk.dealing)
        elif not (isinstance(wanted, PlaceWagers) and self._enough()):
            self._asking.want(wanted, self.desk.dealing)

    async def _responded(self, responded: Responded) -> None:
        if not self._asking.counts(responded):
            return  # The round it speaks of has been voided meanwhile.
        if isinstance(responded.given, Exception):
            raise responded.given
        if isinstance(responded.given, NoMoreBets):
            self._bets = responded.given
        else:
            await self._take(responded.given)

    async def _jackpot_back(self) -> None:
        """End an approval as soon as the jackpot is open, whoever bets then: the next loss is another (CSP 14.15)."""
        if self.desk.dealing.without is not None and not self._reasons(own_clock_us()):
            await self._take(JackpotBack())
            _log.info("jackpot_back", table=self._table)

    async def _place_bets(self) -> None:
        """Call "no more bets" once the jackpot is open, or once a supervisor lets play go on without it (CSP 14.15)."""
        bets, now_us = self._bets, own_clock_us()
        if bets is None:
            return
        closed = self._reasons(now_us)
        turn = self._sidebet.turn(bets, self.rung(now_us), closed, self._session, now_us)
        if turn == "wait":
            self._waits.look_us = now_us + LOOK_EVERY_US
            return
        if turn == "approve":
            await self._approve(Approval(SIMULATED_SUPERVISOR, SIMULATED_INSPECTOR))
        if closed and any(seat.plays_jackpot for seat in bets.seats):
            self._telemetry.played_on.labels(self._table).inc()
        self._bets, self._waits.look_us = None, None
        shown = None if self._meter is None else self._meter.mirror.shown()
        await self._take(replace(bets, closed=tuple(closed.values()), shown=shown))

    async def _approve(self, asked: Approval) -> None:
        """Write a supervisor's approval and the notice to the inspector down, before play goes on by it (CSP 14.15)."""
        now_us = own_clock_us()
        closed = self.why_closed(now_us)
        why = "the jackpot is open at this table: there is nothing to approve"
        if asked.late(now_us):
            why = "it was asked too long ago, by somebody who waits no more: ask again"
        elif closed:
            why = await self._take(WithoutJackpot(asked.by, asked.inspector, closed))
        if not why:
            names = {"rule": "CSP 14.15", "by": asked.by, "inspector": asked.inspector}
            _log.warning("inspector_notified", table=self._table, jackpot_closed=list(closed), **names)
        asked.told(why)

    def why_closed(self, now_us: int) -> tuple[str, ...]:
        """Say why the jackpot is closed at this table, in words; empty where it is open."""
        return tuple(self._reasons(now_us).values())

    def rung(self, now_us: int) -> Rung:
        """Say how far the table is from all being well."""
        mirror = None if self._meter is None else self._meter.mirror
        return self._sidebet.rung(self.desk, self._reasons(now_us), mirror, now_us)

    def _reasons(self, now_us: int) -> Mapping[str, str]:
        mirror = None if self._meter is None else self._meter.mirror
        return self._sidebet.reasons(self.desk, self._session, mirror, now_us)

    # --- time and bytes --------------------------------------------------------------------------------------------

    async def _send(self) -> None:
        now_us = own_clock_us()
        if self.desk.outbox.stuck(now_us):
            _log.warning("message_stuck", table=self._table, id=self.desk.outbox.in_flight)
            self.desk.outbox.lost(now_us)
            await self._client.reconnect()
        if isinstance(self._prompt, AwaitPayout) and self._session.up and now_us >= self._waits.ask_us:
            self._waits.ask_us = now_us + ASK_EVERY_US
            self.desk.outbox.ask()
        for frame in self.desk.outbox.frames_to_send(now_us):
            await self._client.send(frame)

    async def _next(self) -> None:
        """Take the next thing that happens, or see that something waited for is over."""
        now_us = own_clock_us()
        wanted = self._prompt
        self._payouts.look(self.desk, wanted)
        if not isinstance(wanted, AwaitAnswer):
            self._waits.answer_us = None
        elif self._waits.answer_us is None:
            self._waits.answer_us = now_us + self.desk.felt.approved.answer_within_s * SECOND_US
        dues = [self.desk.outbox.due_us(), self._waits.answer_us, self._waits.look_us]
        dues.append(self._waits.ask_us if isinstance(wanted, AwaitPayout) and self._session.up else None)
        due_us = min((due for due in dues if due is not None), default=now_us + 60 * SECOND_US)
        try:
            async with asyncio.timeout(max(0, due_us - now_us) / SECOND_US):
                arrived = await self._inbox.get()
        except TimeoutError:
            await self._overdue()
            return
        await self._arrived(arrived)

    async def _overdue(self) -> None:
        if self._waits.answer_us is not None and own_clock_us() >= self._waits.answer_us:
            within_s = self.desk.felt.approved.answer_within_s
            self.played.withdrawn += 1
            await self._take(GoOn(f"no answer within {within_s} s"))

    async def _arrived(self, arrived: _Happened) -> None:
        match arrived:
            case None:
                pass
            case BaseException():
                raise arrived
            case Opened(word):
                await self._opened(word)
            case Lost(why):
                self._lost(why)
            case Frame(HandIn() as asked):
                shown = None if self._meter is None else self._meter.mirror.snapshot
                await self._client.send(await self.desk.hand_in(asked, shown))
            case Frame(frame):
                if isinstance(frame, Eject):
                    self._session = Session(ejected=f"{frame.code}: {frame.text}")
                    self._telemetry.ejected(self._table, frame.code)
                    _log.warning("ejected", table=self._table, code=frame.code, text=frame.text)
                    await self._client.reconnect()
                else:
                    await self._told(self.desk.outbox.receive(frame, own_clock_us()))
            case Responded():
                await self._responded(arrived)
            case Approval():
                await self._approve(arrived)
            case _:
                await self._take(arrived)
        self._telemetry.stands(self._table, self.now())

    # --- what the server says --------------------------------------------------------------------------------------

    async def _opened(self, word: Welcome | Refused) -> None:
        while (did := amended(word, self.desk.dealing)) is not None and not await self._take(did):
            _log.warning("round_amended", table=self._table, round=did.round, what=did.words)
        if older := older_spool(self.desk, word):
            raise older
        self.desk.outbox.opened(own_clock_us())
        self._telemetry.hellos.labels(self._table, "welcome" if isinstance(word, Welcome) else "refused").inc()
        if isinstance(word, Refused):
            self._session = Session(refused=word)
            self.played.refusal = self._session.refusal_figures()
            self._telemetry.refused(self._table, word.code)
            _log.warning("hello_refused", table=self._table, why=self._session.refusal)
            if word.month and self.desk.dealing.journal and word.month != self.desk.dealing.month:
                await self._take(MonthTurned(word.month))
            return
        dealing = self.desk.dealing
        self._session, self.played.refusal = Session(up=True), None
        _log.info("welcome", table=self._table, link=word.link, journal=word.journal, month=word.month)
        if given := welcomed(word, dealing):
            await self._take(*given)
        self.desk.heard(word.receipt)
        if self._meters is not None:
            stale_after_s = self.desk.felt.terms.timers.stale_after_s
            meter = self._meters.of(word.link, word.link_key, stale_after_s)
            if meter is not self._meter:
                self._meter = meter
                meter.watch(self._glance)

    def _lost(self, why: str) -> None:
        self.desk.outbox.lost(own_clock_us())
        if self._session.up:
            self._telemetry.sessions_lost.labels(self._table).inc()
            _log.warning("session_lost", table=self._table, why=why)
        else:
            # Said aloud once: a table that tries again for hours says nothing new.
            (_log.debug if why == self._no_session else _log.warning)("no_session", table=self._table, why=why)
            self._no_session = why
        self._session = self._session.down()

    def _glance(self) -> None:
        """Look at a new snapshot: it may open the jackpot, or show that a hit of this table has moved."""
        snapshot = None if self._meter is None else self._meter.mirror.snapshot
        if snapshot is None:
            return
        states = {hit.hit: hit.state for hit in snapshot.hits if hit.table == self._table}
        moved = any(states.get(hit.hit, hit.state) != hit.state for hit in self.desk.dealing.hits)
        if moved:
            self._waits.ask_us = min(self._waits.ask_us, own_clock_us() + ASK_AGAIN_US)
        waits = self._bets is not None or self.desk.dealing.without is not None
        if (moved or waits) and self._inbox.empty():
            self._inbox.put_nowait(None)

    async def _told(self, facts: list[Fact]) -> None:
        """Write down what a frame said, all of it in one step."""
        given, settled = heard(facts, self.desk, self._telemetry)
        if given or settled is not None:
            await self._take(*given, settled=settled)

    # --- steps -----------------------------------------------------------------------------------------------------

    async def _take(self, *given: Input, settled: Settled | None = None) -> str:
        """Take a step; an input that cannot be now changes nothing, and why is said."""
        before = self.desk.dealing
        try:
            posts = await self.desk.take(*given, settled=settled)
        except NotNowError as error:
            _log.warning("not_now", table=self._table, why=str(error))
            return str(error)
        after = self.desk.dealing
        count_step(self._telemetry, self._table, before, after, posts)
        self._taken_up.look(after)
        if before.round is not None and after.round is None:
            self.played.rounds += 1
            if self.played.rounds % PRUNE_EVERY == 0:
                await self.desk.prune(self._way.spool_keep_days)
        if after.last is not None and after.last.awards and (before.last is None or not before.last.awards):
            self.played.awards |= awarded(self.desk, after.last)
        return ""

    def now(self) -> TableNow:
        """Return how the table stands now."""
        now_us = own_clock_us()
        return TableNow(
            session_up=self._session.up,
            closed=self._reasons(now_us).keys(),
            step=self.rung(now_us),
            unanswered=len(self.desk.outbox),
            oldest=self.desk.outbox.oldest,
            open_hits=len(self.desk.dealing.hits),
            spool=self.desk.spool_path,
        )
