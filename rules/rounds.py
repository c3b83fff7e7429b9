"""What a round is, and what its settlement is: the values every game's ``settle`` takes and gives.

A round that is here is possible: its seats are different, its hands have five cards, and no card of the one deck is
seen twice. Knows no JSON (``records``) and no game's rules (``games``).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal

from rules.cards import card_text, cards_text
from rules.hands import HandValue
from rules.limits import LARGEST_WAGER_CENTS
from rules.progressive import Winner
from rules.wagers import Outcome, Tender

Decision = Literal["bet", "fold", "absent", "concede"]
"""What a player did with the hand: bet (CSP 8.5), fold (8.4), be absent (14.14), or bet and then concede (9.7)."""

Device = Literal["shoe", "shuffler"]
"""What the cards were dealt from (CSP 2.4.1)."""

Wager = Literal["ante", "bet", "jackpot"]
"""The areas of the layout (CSP 2.2)."""

HIGHEST_SEAT: Final = 9
"""One deck deals the dealer and nine seats; no layout has more."""


class RoundError(ValueError):
    """A round that cannot be: the field (``seats[2].cards``), its value as text, and the reason."""

    def __init__(self, field: str, value: str, reason: str) -> None:
        self.field = field
        self.value = value
        self.reason = reason
        super().__init__(f"{field}: {value}: {reason}")


@dataclass(frozen=True, slots=True)
class Seat:
    """A playing area with an ante: its wagers as placed, what its player did, and its cards where they were seen."""

    seat: int
    """Counted from 1 at the dealer's left; the highest is at the dealer's right and is paid first (CSP 12.2)."""
    ante_cents: int
    jackpot_cents: int | None = None
    """The wager on the progressive jackpot as accepted; ``None`` where there was none or it was withdrawn."""
    decision: Decision | None = None
    bet_cents: int | None = None
    cards: tuple[int, ...] | None = None
    ante_tender: Tender = "chips"
    bet_tender: Tender = "chips"
    jackpot_tender: Tender = "chips"


@dataclass(frozen=True, slots=True)
class Round:
    """One round of play as captured.

    Always possible: raises ``RoundError`` for a repeated seat, an amount that is none, a hand that is not five cards,
    or a card seen twice. ``dealer`` is ``None`` where only claimed hands were captured; that round has no base game
    to settle.
    """

    game: str
    edition: str
    device: Device
    dealer: tuple[int, ...] | None
    seats: tuple[Seat, ...]

    def __post_init__(self) -> None:
        """Refuse what cannot have happened at a table."""
        if not self.seats:
            raise RoundError("seats", "[]", "a round of play has at least one ante (CSP 5.3.1)")
        numbers: set[int] = set()
        for place, seat in enumerate(self.seats):
            if seat.seat in numbers:
                raise RoundError(f"seats[{place}].seat", str(seat.seat), "a seat is there twice")
            numbers.add(seat.seat)
            if not (
                1 <= seat.seat <= HIGHEST_SEAT
                and 1 <= seat.ante_cents <= LARGEST_WAGER_CENTS
                and (seat.jackpot_cents is None or 1 <= seat.jackpot_cents <= LARGEST_WAGER_CENTS)
                and (seat.bet_cents is None or 1 <= seat.bet_cents <= LARGEST_WAGER_CENTS)
            ):
                raise _out_of_bounds(seat, place)
        hands = [seat.cards for seat in self.seats if seat.cards is not None]
        if self.dealer is not None:
            hands.append(self.dealer)
        if any(len(hand) != 5 for hand in hands) or len(set().union(*hands)) != 5 * len(hands):
            raise _impossible_cards(self)


def _out_of_bounds(seat: Seat, place: int) -> RoundError:
    """Which number of a seat is out of its bounds."""
    if not 1 <= seat.seat <= HIGHEST_SEAT:
        return RoundError(f"seats[{place}].seat", str(seat.seat), f"seats are numbered 1 to {HIGHEST_SEAT}")
    amounts = {"ante_cents": seat.ante_cents, "jackpot_cents": seat.jackpot_cents, "bet_cents": seat.bet_cents}
    for name, cents in amounts.items():
        if cents is not None and not 1 <= cents <= LARGEST_WAGER_CENTS:
            return RoundError(f"seats[{place}].{name}", str(cents), f"not from 1 to {LARGEST_WAGER_CENTS} cents")
    raise AssertionError(seat)


def _impossible_cards(round_: Round) -> RoundError:
    """Which hand is not five cards, or which card is seen twice."""
    hands = [("dealer", "the dealer's hand", round_.dealer)] if round_.dealer is not None else []
    for place, seat in enumerate(round_.seats):
        if seat.cards is not None:
            hands.append((f"seats[{place}].cards", f"the hand of seat {seat.seat}", seat.cards))
    seen: dict[int, str] = {}
    for field, whose, cards in hands:
        if len(cards) != 5:
            return RoundError(field, cards_text(cards), f"{len(cards)} cards are no hand: a hand is five cards")
        for card in cards:
            if card in seen:
                where = f"twice in {whose}" if seen[card] == whose else f"in {seen[card]} and in {whose}"
                return RoundError(field, card_text(card), f"seen {where}: there is one of each card (CSP 3.1)")
            seen[card] = whose
    raise AssertionError(round_)


@dataclass(frozen=True, slots=True)
class Line:
    """What became of one wager.

    Always: ``paid_cents`` and ``returned_cents`` are what the player has from it; what is not returned is collected.
    """

    seat: int
    wager: Wager
    stake_cents: int
    """The stake as placed, a part over the maximum included."""
    outcome: Outcome
    paid_cents: int
    """The winnings, without the stake. Those of a jackpot wager are the link's to award, and 0 here."""
    returned_cents: int
    rules: tuple[str, ...]
    tender: Tender = "chips"

    @property
    def net_cents(self) -> int:
        """What the player is up by this wager, or down where negative."""
        return self.paid_cents + self.returned_cents - self.stake_cents


@dataclass(frozen=True, slots=True)
class Settlement:
    """What became of every wager of a round.

    Always the same for the same round, in whatever order its seats are given: lines run by seat: ante, bet, jackpot.
    """

    lines: tuple[Line, ...]
    qualifying: tuple[Winner, ...]
    """Each hand that wins a jackpot prize (CSP 11.4), in seat order."""
    left_face_up: tuple[int, ...]
    """The seats whose cards stay face up until they are paid out (CSP 9.5), in the order of payment (CSP 12.2)."""
    dealer: HandValue | None
    """What the dealer's hand is worth; ``None`` where it was not captured."""
    dealer_qualifies: bool | None
    """Whether the dealer has an ace and king or higher (CSP 9.1)."""
    hands: tuple[tuple[int, HandValue], ...]
    """What the hand of each seat whose cards were seen is worth, in seat order."""
    rulings: tuple[tuple[str, str | bool], ...]
    """The rulings that this settlement depends on, each with the value it used."""
    notes: tuple[str, ...]
    """What the dealer or supervisor should be told, each with its rule."""

    @property
    def base_lines(self) -> tuple[Line, ...]:
        """The lines of the base game: without the jackpot wagers."""
        return tuple([line for line in self.lines if line.wager != "jackpot"])

    def net_cents(self, seat: int) -> int:
        """What the player at a seat is up by this round, jackpot awards not counted."""
        return sum(line.net_cents for line in self.lines if line.seat == seat)


def seat_order(seats: Iterable[Seat]) -> list[Seat]:
    """Seats from the dealer's left to the dealer's right, as the cards are dealt (CSP 7.2)."""
    return sorted(seats, key=lambda seat: seat.seat)
