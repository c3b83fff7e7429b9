"""What a round of Casino War is: its playing areas, what was wagered and decided there, and the cards dealt face up."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from rules.cards import cards_text
from rules.directions import Forfeit, forfeits_fault
from rules.games.casino_war.sign import Limits
from rules.limits import LARGEST_WAGER_CENTS
from rules.rounds import Device, RoundError, SeenHand, repeated_seat, repeats_fault, seat_fault
from rules.wagers import Tender

GAME: Final = "casino_war"
TITLE: Final = "Casino War"
EDITION: Final = "2016-08-17"
"""The date of the rule edition."""

DECKS: Final = 6
"""Decks of cards in play (WAR 3.1)."""

Decision = Literal["war", "surrender", "absent"]
"""What a player did whose card has the dealer's rank: went to war or surrendered (WAR 5.7), or was absent (11.8). An
absent player's card need not have it."""

Interim = Literal["none", "tie", "hand"]
"""How far the interim settlement had come at an area: not at all; its tie wager was acted on (WAR 8.1); its hand too,
so that its initial wager was won, lost or surrendered, or stands at war (8.2)."""

AreaFault = Literal["prohibited_device", "device_failed", "invalid"]
"""What is wrong with the wagers of one area while the round goes on: void for a prohibited device (WAR 13.3.1), given
back at the player's choice after a shuffling device failed (12.5.1), or invalid, where the table holds to the rules on
Player Cards of the other books (its ruling ``carded_play``): then its hand is played out, and wins nothing."""

OUT: Final[frozenset[AreaFault]] = frozenset({"prohibited_device", "device_failed"})
"""The faults that leave an area without a hand."""

VoidCause = Literal["misdeal", "not_reconstructed", "foreign_card", "device_failed", "invalidated"]
"""Why a whole round has no result: a misdeal (WAR 11.16), a wrong deal that could not be reconstructed (11.6), a
missing or foreign card (11.17), a shuffling device whose failure disadvantaged somebody (12.4), or an outcome
invalidated by a Casino Supervisor (13.4)."""

Standing = Literal[
    "card_faced",
    "card_in_error",
    "reconstructed",
    "insufficient_cards",
    "not_cut",
    "no_burn_card",
    "not_shuffled",
    "not_returned_to_device",
    "device_undamaged",
    "device_damaged_cards",
    "device_no_other",
]
"""What went wrong in a round whose wagers all stand (WAR 11.1, 11.2, 11.6 to 11.11, 11.14, 12.2, 12.3, 12.5): people
are told what to do, and every wager is settled as if nothing had happened."""

ExtraCard = Literal["exposed", "unexposed"]
"""How an extra card came to the dealer's completed hand (WAR 11.3, 11.4)."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A playing area with an initial wager; a player may have several (WAR 5.6), each one a seat."""

    seat: int
    """Counted from 1 at the dealer's left, as the cards are dealt (WAR 7.1)."""
    initial_cents: int
    tie_cents: int | None = None
    decision: Decision | None = None
    war_cents: int | None = None
    cards: tuple[int, ...] = ()
    """The area's card, and its additional card where it went to war."""
    interim: Interim = "none"
    """How far the interim settlement had come here when the round became void; of no matter where it did not."""
    void_for: AreaFault | None = None
    own_limits: Limits | None = None
    """The player's own minimum and maximum, on a sign of their own (WAR 6.6)."""
    initial_tender: Tender = "chips"
    tie_tender: Tender = "chips"
    war_tender: Tender = "chips"

    @property
    def out(self) -> bool:
        """Whether the area's wagers went back, so that it has no hand in the round any more (WAR 12.5.1, 13.3.1)."""
        return self.void_for in OUT


@dataclass(frozen=True, slots=True)
class Round:
    """One round of play as captured.

    Always possible: raises ``RoundError`` for a repeated seat, an amount that is none, a hand of more than two cards,
    a card seen more often than six decks have it, an interim settlement without cards, or a direction about nobody.
    """

    device: Device
    dealer: tuple[int, ...]
    """The dealer's card, and the additional one where somebody went to war; none only where the round is void."""
    seats: tuple[Seat, ...]
    dealer_extra: ExtraCard | None = None
    """A card too many that the dealer's completed hand was dealt, if one was (WAR 11.3, 11.4 against 11.13)."""
    chip_cents: int = 1
    """Every amount that the chips at hand can pay is a multiple of this (WAR 5.10)."""
    void_by: VoidCause | None = None
    forfeits: tuple[Forfeit, ...] = ()
    """The directions that went with an invalidated outcome (WAR 13.5)."""
    found: tuple[Standing, ...] = ()
    """What went wrong although every wager stands, each once."""

    @property
    def game(self) -> str:
        """The game's name."""
        return GAME

    @property
    def edition(self) -> str:
        """The date of the rule edition it is played by."""
        return EDITION

    def __post_init__(self) -> None:
        """Refuse what cannot have happened at a table."""
        if not self.seats:
            raise RoundError("seats", "[]", "a round without a wager is void (WAR 11.5)")
        for fault in self._faults():
            if fault is not None:
                raise fault

    def _faults(self) -> Iterator[RoundError | None]:
        """What of the round cannot be."""
        if not 1 <= self.chip_cents <= LARGEST_WAGER_CENTS:
            yield RoundError("chip_cents", str(self.chip_cents), f"not from 1 to {LARGEST_WAGER_CENTS} cents")
        yield repeated_seat([seat.seat for seat in self.seats])
        for place, seat in enumerate(self.seats):
            yield _fault_of(place, seat, dealt=bool(self.dealer))
        hands = [SeenHand("dealer", "the dealer's hand", self.dealer)]
        for place, seat in enumerate(self.seats):
            hands.append(SeenHand(f"seats[{place}].cards", f"the hand of seat {seat.seat}", seat.cards))
        for hand in hands:
            if len(hand.cards) > 2:
                rule = "WAR 11.13" if hand.field == "dealer" else "WAR 11.15"
                yield RoundError(hand.field, cards_text(hand.cards), f"more than two cards are no hand ({rule})")
        yield repeats_fault(hands, "WAR 3.1", DECKS)
        if self.void_by is None:
            yield from self._missing_cards(hands)
        if self.forfeits and self.void_by != "invalidated":
            yield RoundError("forfeits", "", "only with an invalidated outcome a wager is forfeited (WAR 13.5)")
        yield forfeits_fault(self.forfeits, [seat.seat for seat in self.seats], "WAR 13.5")
        for place, kind in enumerate(self.found):
            if kind in self.found[:place]:
                yield RoundError(f"found[{place}]", kind, "is there twice")

    def _missing_cards(self, hands: list[SeenHand]) -> Iterator[RoundError]:
        """Every hand in play that has no card although the round has a result (WAR 7.1)."""
        out = {f"seats[{place}].cards" for place, seat in enumerate(self.seats) if seat.out}
        if len(out) == len(self.seats):
            return
        for hand in hands:
            if not hand.cards and hand.field not in out:
                yield RoundError(hand.field, "", "missing: each area and the dealer are dealt a card (WAR 7.1)")


def _fault_of(place: int, seat: Seat, *, dealt: bool) -> RoundError | None:
    """What of a seat cannot be, if anything."""
    amounts = {"initial_cents": seat.initial_cents, "tie_cents": seat.tie_cents, "war_cents": seat.war_cents}
    fault = seat_fault(place, seat.seat, amounts)
    if fault is not None:
        return fault
    if seat.interim != "none" and not (dealt and seat.cards):
        reason = "there is no interim settlement before the cards are dealt (WAR 8.1)"
        return RoundError(f"seats[{place}].interim", seat.interim, reason)
    return None
