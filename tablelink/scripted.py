"""Rounds that are known before they are played, and the device that plays them: the base of simulation and replay.

A `Plan` is what happens at a table in one round whatever the network does: antes, jackpot coins, hands, decisions. The
device looks nothing up but the plan and what the table was told of the round so far, so that a restart in mid-round
goes on as if nothing had been.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from rules.games.caribbean_stud import deal_order, prize_of
from rules.hands import five_card_value
from rules.rounds import DEALER, Decision
from rules.rounds import Device as Dealt_from
from tablelink.core.dealing import Dealing
from tablelink.core.inputs import (
    Claim,
    Conceded,
    Deal,
    DealerTurned,
    Dealt,
    Decide,
    Decided,
    HandsTurned,
    NoMoreBets,
    Placed,
    PlaceWagers,
    Sealed,
    TurnDealer,
)
from tablelink.device import DeviceInput, DevicePrompt
from tablelink.errors import TableError


@dataclass(frozen=True, slots=True)
class PlannedSeat:
    """A seat's wagers, hand and decision; `hand` is None where nobody ever saw it."""

    placed: Placed
    hand: tuple[int, ...] | None
    decision: Decision | None
    bet_cents: int | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """A round before it is played."""

    dealer: tuple[int, ...] | None
    seats: tuple[PlannedSeat, ...]

    def seat(self, number: int) -> PlannedSeat:
        """The seat of that number."""
        return next(seat for seat in self.seats if seat.placed.seat == number)

    def check(self, dealing: Dealing) -> None:
        """Raise TableError where the round under way is not this one: another seed, or another file, began it."""
        if dealing.round is None:
            return
        there = sorted((seat.seat, seat.ante_cents) for seat in dealing.round.seats)
        here = sorted((seat.placed.seat, seat.placed.ante_cents) for seat in self.seats)
        if there != here:
            raise TableError(
                f"Round {dealing.round.number} was begun with other wagers than these people and devices have planned: "
                "run the table with the seed or the file it was begun with until the round is recorded.",
                code="other_rounds",
            )


PlanOf = Callable[[int], Plan]
"""The plan of a round by its number; always the same."""


class ScriptedTable:
    """The people and devices of a table, playing planned rounds."""

    def __init__(
        self,
        plan_of: PlanOf,
        *,
        device: Dealt_from,
        capture: Literal["full", "claims"],
        last_round: int | None = None,
        dealer: str = "dealer",
    ) -> None:
        """`device` is what the cards are dealt from, `dealer` who says by name that no other hand qualifies."""
        self._plan_of = plan_of
        self._device = device
        self._capture = capture
        self._last_round = last_round
        self._dealer = dealer

    @property
    def last_round(self) -> int | None:
        """The number of the last round that is planned, None where there is no end."""
        return self._last_round

    async def respond(self, prompt: DevicePrompt, dealing: Dealing) -> DeviceInput:
        """Answer a prompt from the plan."""
        plan = self._plan_of(prompt.round)
        plan.check(dealing)
        match prompt:
            case PlaceWagers():
                return NoMoreBets(tuple(seat.placed for seat in plan.seats))
            case Deal():
                return Dealt(self._read(plan, dealing) if self._capture == "full" else None)
            case Decide(_, number):
                seat = plan.seat(number)
                # Who concedes has bet first, and gives up once the dealer's hand is turned (CSP 9.7).
                decision = "bet" if seat.decision == "concede" else seat.decision
                return Decided(number, decision or "absent", seat.bet_cents)
            case TurnDealer():
                return DealerTurned()
            case _:
                return self._turned(plan, dealing, prompt.jackpot_seats)

    def _read(self, plan: Plan, dealing: Dealing) -> Sealed:
        """The cards in the order in which the shoe reads them: of the seats that are dealt, if people voided some."""
        if plan.dealer is None or any(seat.hand is None for seat in plan.seats):
            raise TableError(
                "A round without all its cards cannot be dealt from a card-reading shoe.", code="cards_not_seen"
            )
        hands = {DEALER: iter(plan.dealer)} | {seat.placed.seat: iter(seat.hand or ()) for seat in plan.seats}
        dealt = [seat.placed.seat for seat in plan.seats] if dealing.round is None else dealing.round.dealt_seats
        places = [place for place, _face in deal_order(self._device, dealt)]
        return Sealed(tuple(next(hands[place]) for place in places))

    def _turned(self, plan: Plan, dealing: Dealing, jackpot_seats: tuple[int, ...]) -> DeviceInput:
        if self._capture == "claims":
            claims = tuple(_claim(plan.seat(number)) for number in jackpot_seats if _wins(plan.seat(number)))
            return HandsTurned(claims, self._dealer)
        under_way = dealing.round
        for seat in plan.seats:
            made = None if under_way is None else under_way.decision_of(seat.placed.seat)
            if seat.decision == "concede" and made is not None and made.decision == "bet":
                return Conceded(seat.placed.seat)
        return HandsTurned()


def _wins(seat: PlannedSeat) -> bool:
    return seat.hand is not None and prize_of(five_card_value(seat.hand)) is not None


def _claim(seat: PlannedSeat) -> Claim:
    """The hand as it is shown: who folds a hand that wins a prize shows it first (CSP 11.4)."""
    return Claim(seat.placed.seat, seat.hand or (), seat.decision or "absent", seat.bet_cents)
