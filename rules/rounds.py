"""What every game's settlement is, what no round of any game can be, and the round of Caribbean Stud that a link knows.

The other games' rounds stand beside their rules (``games``), of the same make: a frozen value that is always possible.
Knows no JSON (``records``) and no game's rules.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from rules.cards import card_text, cards_text
from rules.hands import Worth
from rules.irregularities.payments import KeptStake, MonthEndLine
from rules.irregularities.rows import NoticeDue
from rules.limits import LARGEST_WAGER_CENTS, Limits
from rules.progressive import Winner
from rules.wagers import Outcome, Tender

Decision = Literal["bet", "fold", "absent", "concede"]
"""What a Caribbean Stud player did: bet (CSP 8.5), fold (8.4), be absent (14.14), or bet and then concede (9.7)."""

Device = Literal["shoe", "shuffler"]
"""What the cards were dealt from (CSP 2.4.1, TCP 2.3.1, FCP 2.3.1)."""

Face = Literal["down", "up"]
"""How a card is dealt (CSP 7.1, TCP 7.1, FCP 7.1, WAR 7.1)."""

DEALER: Final = 0
"""The dealer's place in a deal order; seats are numbered from 1."""

Wager = Literal["ante", "bet", "jackpot"]
"""The areas of the Caribbean Stud layout (CSP 2.2)."""

HIGHEST_SEAT: Final = 9
"""One deck deals the dealer and nine seats of five cards; no layout has more."""


class RoundError(ValueError):
    """A round that cannot be: the field (``seats[2].cards``), its value as text, and the reason."""

    def __init__(self, field: str, value: str, reason: str) -> None:
        self.field = field
        self.value = value
        self.reason = reason
        super().__init__(f"{field}: {value}: {reason}")


class SeenHand(NamedTuple):
    """Cards that were seen: the field they stand in, whose they are in words, and the cards."""

    field: str
    whose: str
    cards: tuple[int, ...]


def seat_fault(place: int, seat: int, amounts: Mapping[str, int | None]) -> RoundError | None:
    """Which number of the seat at a place of the round is out of its bounds, if one is.

    >>> seat_fault(2, 10, {"ante_cents": 500})
    RoundError('seats[2].seat: 10: seats are numbered 1 to 9')
    >>> seat_fault(2, 9, {"ante_cents": 0, "play_cents": None})
    RoundError('seats[2].ante_cents: 0: not from 1 to 1000000000000 cents')
    """
    if not 1 <= seat <= HIGHEST_SEAT:
        return RoundError(f"seats[{place}].seat", str(seat), f"seats are numbered 1 to {HIGHEST_SEAT}")
    for name, cents in amounts.items():
        if cents is not None and not 1 <= cents <= LARGEST_WAGER_CENTS:
            return RoundError(f"seats[{place}].{name}", str(cents), f"not from 1 to {LARGEST_WAGER_CENTS} cents")
    return None


def repeated_seat(seats: Sequence[int]) -> RoundError | None:
    """The second place of a seat that is there twice, if one is."""
    for place, seat in enumerate(seats):
        if seat in seats[:place]:
            return RoundError(f"seats[{place}].seat", str(seat), "a seat is there twice")
    return None


def cards_fault(hands: Iterable[SeenHand], size: int, words: str, rule: str, decks: int = 1) -> RoundError | None:
    """Which hand has not its number of cards, or which card is seen more often than the decks have it, if one is.

    ``words`` are how many cards a hand is; ``rule`` is the one that says how many decks there are.
    """
    seen = tuple(hands)
    for place, hand in enumerate(seen):
        fault = size_fault(hand, size, words)
        if fault is not None:
            return repeats_fault(seen[:place], rule, decks) or fault  # The first fault, in the order of the hands.
    return repeats_fault(seen, rule, decks)


def size_fault(hand: SeenHand, size: int, words: str) -> RoundError | None:
    """Why a hand is none by its number of cards, if it is none; ``words`` are how many cards it should be."""
    if len(hand.cards) == size:
        return None
    return RoundError(hand.field, cards_text(hand.cards), f"{len(hand.cards)} cards are no hand: a hand is {words}")


def repeats_fault(hands: Iterable[SeenHand], rule: str, decks: int = 1) -> RoundError | None:
    """Which card is seen more often than the decks have it, if one is; ``rule`` says how many decks there are."""
    seen: dict[int, list[str]] = {}
    for field, whose, cards in hands:
        for card in cards:
            before = seen.setdefault(card, [])
            if len(before) == decks:
                where = f"twice in {whose}" if before[-1] == whose else f"in {before[-1]} and in {whose}"
                there_is = "there is one" if decks == 1 else f"there are {decks}"
                return RoundError(field, card_text(card), f"seen {where}: {there_is} of each card ({rule})")
            before.append(whose)
    return None


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
    own_limits: Limits | None = None
    """The limits this seat's player is held to, where they are not the table's: on a sign of the player's own
    (CSP 6.6), or with the pre-existing minimum (6.5.1). The amount of a jackpot wager is the table's always (5.4)."""


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
    amounts = {"ante_cents": seat.ante_cents, "jackpot_cents": seat.jackpot_cents, "bet_cents": seat.bet_cents}
    fault = seat_fault(place, seat.seat, amounts)
    if fault is None:
        raise AssertionError(seat)
    return fault


def _impossible_cards(round_: Round) -> RoundError:
    """Which hand is not five cards, or which card is seen twice."""
    hands = [SeenHand("dealer", "the dealer's hand", round_.dealer)] if round_.dealer is not None else []
    for place, seat in enumerate(round_.seats):
        if seat.cards is not None:
            hands.append(SeenHand(f"seats[{place}].cards", f"the hand of seat {seat.seat}", seat.cards))
    fault = cards_fault(hands, 5, "five cards", "CSP 3.1")
    if fault is None:
        raise AssertionError(round_)
    return fault


@dataclass(frozen=True, slots=True)
class Line:
    """What became of one wager.

    Always: ``paid_cents`` and ``returned_cents`` are what the player has from it; what is not returned is collected.
    """

    seat: int
    wager: str
    """The area of the layout it lay on; ``ante_bonus`` is paid on no wager of its own, and its stake is 0."""
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
class OpenWager:
    """A wager that stays in play when its round ends, as a Super Streak wager does (SIC 6.2)."""

    seat: int
    wager: str
    stake_cents: int
    in_a_row: int
    """How many results in a row it has by now."""
    tender: Tender = "chips"


@dataclass(frozen=True, slots=True)
class Settlement:
    """What became of every wager of a round.

    Always the same for the same round, in whatever order its seats are given: lines run by seat, then in the order in
    which the game's book names the wagers.
    """

    lines: tuple[Line, ...]
    qualifying: tuple[Winner, ...] = ()
    """Each hand that wins a jackpot prize (CSP 11.4), in seat order."""
    left_face_up: tuple[int, ...] = ()
    """The seats whose cards stay face up until they are paid out (CSP 9.5), in the order of payment (CSP 12.2)."""
    dealer: Worth | None = None
    """What the dealer's hand is worth; ``None`` where it was not captured, or the game does not value it."""
    dealer_qualifies: bool | None = None
    """Whether the dealer plays on: an ace and king or higher (CSP 9.1), a queen or higher (TCP 9.1)."""
    hands: tuple[tuple[int, Worth], ...] = ()
    """What the hand of each seat whose cards were seen is worth, in seat order."""
    rulings: tuple[tuple[str, str | bool], ...] = ()
    """The rulings that this settlement depends on, each with the value it used."""
    notes: tuple[str, ...] = ()
    """What the dealer or supervisor should be told, each with its rule."""
    still_open: tuple[OpenWager, ...] = ()
    """The wagers that stay in play for the next round."""
    notices: tuple[NoticeDue, ...] = ()
    """Who must be notified of what went wrong, by which rule and by when; none where nothing calls for it."""
    month_end: tuple[MonthEndLine, ...] = ()
    """What goes on the month-end list (CSP 14.19, TCP 12.15.2, SIC 8.13)."""
    kept: tuple[KeptStake, ...] = ()
    """The stakes of losing wagers found invalid that were kept (CSP 14.20.2, TCP 12.16.2, SIC 8.14.2)."""

    def net_cents(self, seat: int) -> int:
        """What the player at a seat is up by this round, jackpot awards not counted."""
        return sum(line.net_cents for line in self.lines if line.seat == seat)


def seat_order(seats: Iterable[Seat]) -> list[Seat]:
    """Seats from the dealer's left to the dealer's right, as the cards are dealt (CSP 7.2)."""
    return sorted(seats, key=lambda seat: seat.seat)
